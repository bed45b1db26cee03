//! The rows: texts, graphs and a network from files, letters from a generator.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mercer::data::{
    ClassTargets, FeatureGroup, Features, GraphColumn, Kind, Network, Parts, Points, Records,
    Targets, TextColumn, Tie, Values,
};
use mercer_io::{ReadOptions, Source, read};
use mercer_linalg::Matrix;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::error::Result;

/// The folder of the sets.
#[derive(Debug, Clone)]
pub(crate) struct Sets {
    folder: PathBuf,
}

/// Texts with their classes.
#[derive(Debug, Clone)]
pub(crate) struct Texts {
    /// The texts.
    pub(crate) texts: Vec<String>,
    /// Their classes.
    pub(crate) targets: Targets,
}

impl Sets {
    /// Sets of a folder.
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    fn texts(&self, file: &str, column: &str) -> Result<Texts> {
        let source = Source::Path(self.folder.join("strings").join(file));
        let options = ReadOptions {
            // No text of these sets stands for a missing one.
            missing: Some(Vec::new()),
            kinds: vec![
                (column.to_owned(), Kind::Text),
                ("class".to_owned(), Kind::Text),
            ],
            ..ReadOptions::default()
        };
        let table = read(&source, &options)?;
        let all = |name: &str| -> Result<Vec<String>> {
            let column = &table.column(name)?.values;
            let rows = 0..column.len();
            Ok(rows
                .map(|row| column.text(row).unwrap_or_default())
                .collect())
        };
        Ok(Texts {
            texts: all(column)?,
            targets: Targets::Classes(ClassTargets::from_labels(&all("class")?)),
        })
    }

    /// 5,574 messages, ham or spam.
    pub(crate) fn messages(&self) -> Result<Texts> {
        self.texts("sms_spam.csv", "text")
    }

    /// The first messages of printable ASCII letters only.
    pub(crate) fn ascii_messages(&self, count: usize) -> Result<Vec<String>> {
        let mut texts = self.messages()?.texts;
        let plain =
            |text: &String| !text.is_empty() && text.bytes().all(|b| (32..127).contains(&b));
        texts.retain(plain);
        texts.truncate(count);
        Ok(texts)
    }

    /// 106 genes, promoters or not.
    pub(crate) fn promoters(&self) -> Result<Texts> {
        self.texts("promotergene.csv", "sequence")
    }

    /// 3,190 stretches of DNA around a splice junction of two kinds, or none.
    pub(crate) fn junctions(&self) -> Result<Texts> {
        self.texts("splice_junction.csv", "sequence")
    }

    /// A folder of graphs with their classes.
    pub(crate) fn graphs(&self, name: &str) -> Result<(Records, Targets)> {
        let source = Source::Path(self.folder.join("graphs").join(name));
        let table = read(&source, &ReadOptions::default())?;
        let class = &table.column("class")?.values;
        let labels: Vec<String> = (0..class.len())
            .map(|row| class.text(row).unwrap_or_default())
            .collect();
        let graphs = match &table.column("graph")?.values {
            Values::Graphs(list) => list.graphs.iter().flatten().cloned().collect(),
            _ => Vec::new(),
        };
        let mut records = empty(labels.len());
        records.graphs.push(GraphColumn {
            source: "graph".to_owned(),
            graphs,
        });
        Ok((
            records,
            Targets::Classes(ClassTargets::from_labels(&labels)),
        ))
    }

    /// Zachary's karate club without the strengths of ties, and the side each member took.
    pub(crate) fn karate(&self) -> Result<(Network, Vec<String>)> {
        let folder = self.folder.join("graphs/karate");
        let column = |file: &str, name: &str| -> Result<Vec<String>> {
            let table = read(&Source::Path(folder.join(file)), &ReadOptions::default())?;
            let values = &table.column(name)?.values;
            let rows = 0..values.len();
            Ok(rows
                .map(|row| values.text(row).unwrap_or_default())
                .collect())
        };
        let names = column("karate_nodes.csv", "node")?;
        let number = |name: &String| {
            let place = names.iter().position(|known| known == name);
            place.map_or(u32::MAX, |place| place as u32)
        };
        let (from, to) = (
            column("karate_edges.csv", "source")?,
            column("karate_edges.csv", "target")?,
        );
        let ties: Vec<Tie> = from
            .iter()
            .zip(&to)
            .map(|(from, to)| Tie {
                from: number(from),
                to: number(to),
                weight: 1.0,
            })
            .collect();
        let sides = column("karate_nodes.csv", "club")?;
        Ok((Network::try_new(names, &ties)?, sides))
    }
}

fn empty(rows: usize) -> Records {
    Records::from_points(Matrix::<f64>::zeros(rows, 0))
}

/// Texts beside three numbers that are read off each of them alone: the logarithm of one plus
/// its letters, and ten times the shares of digits and of capitals.
pub(crate) fn texts_with_numbers(texts: &[String]) -> Records {
    let names = ["length", "digits", "capitals"];
    let numbers = |text: &String| {
        let letters = text.chars().count() as f64;
        let share = |wanted: fn(char) -> bool| {
            10.0 * text.chars().filter(|&c| wanted(c)).count() as f64 / letters.max(1.0)
        };
        [
            letters.ln_1p(),
            share(|c| c.is_ascii_digit()),
            share(char::is_uppercase),
        ]
    };
    let values: Vec<f64> = texts.iter().flat_map(numbers).collect();
    let points = Points::from(Matrix::from_vec(texts.len(), names.len(), values));
    let groups = names.map(|name| FeatureGroup {
        source: name.to_owned(),
        parts: Parts::Whole,
    });
    let mut records = Records::from_features(Features {
        points,
        groups: groups.to_vec(),
    });
    records.texts.push(TextColumn {
        source: "text".to_owned(),
        texts: texts.iter().map(|text| Arc::from(text.as_str())).collect(),
    });
    records
}

/// Random letters, each as likely as the others.
pub(crate) fn random_text(letters: &[u8], length: usize, seed: u64) -> String {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut draw = || {
        let place = (u64::from(generator.next_u32()) * letters.len() as u64) >> 32;
        char::from(letters[place as usize])
    };
    (0..length).map(|_| draw()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_from_each_text_alone() {
        let records = texts_with_numbers(&["aB12".to_owned(), String::new()]);
        let Points::Double(block) = &records.features.points else {
            panic!("doubles");
        };
        assert_eq!(block.row_values(0), [5.0_f64.ln(), 5.0, 2.5]);
        assert_eq!(block.row_values(1), [0.0, 0.0, 0.0]);
    }

    #[test]
    fn letters_depend_on_the_seed_only() {
        let text = random_text(b"acgt", 100, 1);
        assert_eq!(text, random_text(b"acgt", 100, 1));
        assert_ne!(text, random_text(b"acgt", 100, 2));
        assert!(
            b"acgt"
                .iter()
                .all(|&letter| text.contains(char::from(letter)))
        );
    }
}
