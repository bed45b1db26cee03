//! The tables by which string kernels are computed by hand: one value per pair of prefixes.

use std::sync::Arc;

use super::gapped::Gap;
use super::reading::Reading;
use super::{embeddings, gap, subsequence, substring, substrings};
use crate::hint::{Hint, Word};
use crate::kernel::{KernelSpec, Settings};
use crate::{Error, Result};

/// A table of values over all prefixes of two sequences.
#[derive(Debug, Clone, PartialEq)]
pub struct PrefixTable {
    /// What the values are, such as `K`.
    pub name: String,
    /// The symbols of the second sequence; rows are its prefixes, from the empty one on.
    pub rows: Vec<String>,
    /// The symbols of the first sequence; columns are its prefixes.
    pub columns: Vec<String>,
    /// One line of values per prefix of the second sequence.
    pub values: Vec<Vec<f64>>,
}

impl KernelSpec {
    /// Returns the tables over all prefixes of two texts by which a string kernel is defined:
    /// `subsequence` has one, `substring` the one of words at the end of both prefixes as well,
    /// `gap` one for every length.
    ///
    /// # Errors
    /// Kernels without a table.
    pub fn prefix_tables(&self, first: &str, second: &str) -> Result<Vec<PrefixTable>> {
        let none = || Error::Unsupported {
            what: format!("kernel `{self}` has no table over prefixes"),
            cure: Hint::from("`subsequence`, `substring` and `gap` have one; leave out ")
                .word(Word::Setting("table")),
        };
        let Self::Base { family, settings } = self else {
            return Err(none());
        };
        family.check(settings)?;
        let table = |name: &str, pair: &Pair, values: Vec<Vec<f64>>| PrefixTable {
            name: name.to_owned(),
            rows: pair.symbols[1].clone(),
            columns: pair.symbols[0].clone(),
            values,
        };
        match family.name {
            "subsequence" => {
                let pair = Pair::read(settings, subsequence::READING, first, second);
                let values = embeddings::table(&pair.sequences[0], &pair.sequences[1]);
                Ok(vec![table("K", &pair, values)])
            }
            "substring" => {
                let lengths = substring::lengths(settings);
                if lengths != super::lengths::Lengths::default() {
                    return Err(Error::Unsupported {
                        what: "the tables of `substring` are those of all words, weight 1 each"
                            .to_owned(),
                        cure: "leave out `decay`, `min` and `max`".into(),
                    });
                }
                let pair = Pair::read(settings, substring::READING, first, second);
                let (ends, all) = substrings::tables(&pair.sequences[0], &pair.sequences[1]);
                Ok(vec![table("K₀", &pair, ends), table("K", &pair, all)])
            }
            "gap" => {
                let pair = Pair::read(settings, gap::READING, first, second);
                let shape = gap::shape(settings);
                let tables = gap_tables(&pair.sequences[1], &pair.sequences[0], &shape);
                let named = tables.into_iter().enumerate();
                Ok(named
                    .map(|(k, values)| table(&format!("K, length {}", k + 1), &pair, values))
                    .collect())
            }
            _ => Err(none()),
        }
    }
}

/// K of all prefixes for words of 1 to `length` symbols.
///
/// A word that ends at (i, j) goes on from words one shorter that end before both places, whose
/// spans grow by the symbols between.
fn gap_tables(x: &[u32], z: &[u32], gap: &Gap) -> Vec<Vec<Vec<f64>>> {
    let empty = || vec![vec![0.0; z.len() + 1]; x.len() + 1];
    let mut before = vec![vec![1.0; z.len() + 1]; x.len() + 1];
    let mut tables = Vec::new();
    for _ in 0..gap.length {
        let (mut sums, mut table) = (empty(), empty());
        for i in 1..=x.len() {
            let (mut sum, mut row) = (0.0, 0.0);
            for j in 1..=z.len() {
                sum *= gap.decay;
                if x[i - 1] == z[j - 1] {
                    let word = gap.decay * gap.decay * before[i - 1][j - 1];
                    sum += word;
                    row += word;
                }
                sums[i][j] = gap.decay * sums[i - 1][j] + sum;
                table[i][j] = table[i - 1][j] + row;
            }
        }
        before = sums;
        tables.push(table);
    }
    tables
}

/// Two sequences, and how their symbols are written.
pub(super) struct Pair {
    pub(super) sequences: [Vec<u32>; 2],
    pub(super) symbols: [Vec<String>; 2],
}

impl Pair {
    pub(super) fn read(
        settings: &Settings,
        places: (usize, usize),
        first: &str,
        second: &str,
    ) -> Self {
        let texts: [Arc<str>; 2] = [first.into(), second.into()];
        let reading = Reading::learn(settings, places, &texts);
        let read = reading.read(&texts);
        let [x, z] = [read.get(0).to_vec(), read.get(1).to_vec()];
        let written = |sequence: &[u32]| sequence.iter().map(|s| reading.written(*s)).collect();
        Self {
            symbols: [written(&x), written(&z)],
            sequences: [x, z],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(kernel: &str) -> Vec<PrefixTable> {
        let kernel: KernelSpec = kernel.parse().expect("a kernel");
        kernel.prefix_tables("BEERE", "BERT").expect("tables")
    }

    #[test]
    fn example_16_12_of_the_course() {
        let table = &tables("subsequence")[0];
        assert_eq!(table.columns, ["B", "E", "E", "R", "E"]);
        let expected = [
            [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
            [1.0, 2.0, 2.0, 2.0, 2.0, 2.0],
            [1.0, 2.0, 4.0, 6.0, 6.0, 8.0],
            [1.0, 2.0, 4.0, 6.0, 12.0, 14.0],
            [1.0, 2.0, 4.0, 6.0, 12.0, 14.0],
        ];
        assert_eq!(table.values, expected);
    }

    #[test]
    fn example_16_13_of_the_course() {
        let both = tables("substring");
        let ends = [
            [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
            [1.0, 2.0, 1.0, 1.0, 1.0, 1.0],
            [1.0, 1.0, 3.0, 2.0, 1.0, 2.0],
            [1.0, 1.0, 1.0, 1.0, 3.0, 1.0],
            [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        ];
        let all = [
            [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
            [1.0, 2.0, 2.0, 2.0, 2.0, 2.0],
            [1.0, 2.0, 4.0, 5.0, 5.0, 6.0],
            [1.0, 2.0, 4.0, 5.0, 7.0, 8.0],
            [1.0, 2.0, 4.0, 5.0, 7.0, 8.0],
        ];
        assert_eq!(
            (both[0].name.as_str(), &both[0].values[..]),
            ("K₀", &ends.map(Vec::from)[..])
        );
        assert_eq!(
            (both[1].name.as_str(), &both[1].values[..]),
            ("K", &all.map(Vec::from)[..])
        );
    }

    #[test]
    fn tables_end_with_the_value() {
        use crate::data::Records;
        let both = Records::from_texts(["BEERE", "BERT"]);
        for text in ["subsequence", "substring", "gap(length=2, decay=0.5)"] {
            let kernel: KernelSpec = text.parse().expect("a kernel");
            let value = kernel
                .gram(&both, mercer_linalg::Par::Sequential)
                .expect("texts")[(0, 1)];
            let table = tables(text).pop().expect("a table");
            let last = table.values.last().and_then(|row| row.last()).copied();
            assert!((last.expect("a value") - value).abs() < 1e-12, "{text}");
        }
        let kernel: KernelSpec = "spectrum".parse().expect("a kernel");
        assert!(kernel.prefix_tables("a", "b").is_err());
    }
}
