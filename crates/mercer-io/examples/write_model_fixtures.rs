//! Writes the model files that later versions must still read.
//!
//! Run once per format version, from the root of the repository, and check the result in:
//!
//! ```text
//! cargo run -p mercer-io --example write_model_fixtures -- tests/data/models/v1
//! ```
//!
//! Every model comes with a JSON file of rows and the answers to them.

use std::path::{Path, PathBuf};

use mercer::data::Roles;
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::expansion::Scheme;
use mercer::learn::margin::{OneClass, Svc, Svr};
use mercer::model::{Answers, AnyEstimator, Recipe, Trained};
use mercer_io::model::save;
use mercer_io::{Format, ReadOptions, Result, Source, read};
use serde_json::{Value, json};

/// A stream of numbers between 0 and 1 (Knuth's MMIX generator), the same everywhere.
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn rounded(&mut self, low: f64, high: f64) -> f64 {
        ((low + (high - low) * self.next()) * 100.0).round() / 100.0
    }

    fn pick<'a>(&mut self, names: &[&'a str]) -> &'a str {
        names[(self.next() * names.len() as f64) as usize % names.len()]
    }
}

/// Flowers with numbers, gaps, categories and truth values.
fn mixed(rows: usize, seed: u64) -> String {
    let mut stream = Stream(seed);
    let mut text = "size,weight,colour,wild,kind,price\n".to_owned();
    for row in 0..rows {
        let size = stream.rounded(1.0, 9.0);
        let weight = if row % 7 == 3 {
            String::new()
        } else {
            stream.rounded(0.1, 0.9).to_string()
        };
        let colour = stream.pick(&["red", "green", "dark blue"]);
        let wild = stream.pick(&["true", "false"]);
        let kind = match (size, colour) {
            (..4.0, _) => "lily",
            (_, "red") => "rose",
            _ => "iris",
        };
        let price = (size * size / 3.0 + stream.rounded(0.0, 1.0)).round() / 2.0;
        text.extend([format!("{size},{weight},{colour},{wild},{kind},{price}\n")]);
    }
    text
}

/// Sparse vectors in LIBSVM's format.
fn sparse(rows: usize, seed: u64) -> String {
    let mut stream = Stream(seed);
    let mut text = String::new();
    for _ in 0..rows {
        let mut line = String::new();
        let mut sum = 0.0;
        for index in 1..=12 {
            if stream.next() < 0.3 {
                let value = stream.rounded(-1.0, 1.0);
                sum += value * f64::from(index - 6);
                line.extend([format!(" {index}:{value}")]);
            }
        }
        let label = if sum > 0.5 {
            1
        } else if sum < -0.5 {
            -1
        } else {
            0
        };
        text.extend([format!("{label}{line}\n")]);
    }
    text
}

struct Fixture {
    name: &'static str,
    estimator: Option<AnyEstimator>,
    target: Option<&'static str>,
    drop: &'static [&'static str],
    sparse: bool,
}

fn learn(fixture: &Fixture, text: &str, context: &FitContext) -> Result<Trained> {
    let options = ReadOptions {
        format: fixture.sparse.then_some(Format::Libsvm),
        ..ReadOptions::default()
    };
    let table = read(&Source::bytes("rows", text.as_bytes()), &options)?;
    let mut recipe = Recipe::new(Roles {
        target: fixture.target.map(str::to_owned),
        drop: fixture.drop.iter().map(|&d| d.to_owned()).collect(),
        ..Roles::default()
    });
    recipe.task = fixture.estimator.as_ref().map(AnyEstimator::task);
    recipe.estimator.clone_from(&fixture.estimator);
    let mut trained = recipe.fit(table, context)?.model;
    // The files must not depend on the speed of the machine.
    trained.report.seconds = 0.0;
    Ok(trained)
}

fn answers(fixture: &Fixture, model: &Trained, text: &str, context: &FitContext) -> Result<Value> {
    let options = ReadOptions {
        format: fixture.sparse.then_some(Format::Libsvm),
        ..ReadOptions::default()
    };
    let table = read(&Source::bytes("rows", text.as_bytes()), &options)?;
    let found = model.predict(&table, context)?;
    let (values, shares) = match &found.answers {
        Answers::Classes {
            labels,
            codes,
            probabilities,
        } => {
            let names: Vec<&String> = codes.iter().map(|&c| &labels[c as usize]).collect();
            (json!(names), json!(probabilities))
        }
        Answers::Values(values) => (json!(values), Value::Null),
        Answers::Novelty { novel } => (json!(novel), Value::Null),
    };
    let decisions: Vec<&[f64]> = (0..found.len()).map(|r| found.decisions.row(r)).collect();
    Ok(json!({
        "kernel": model.kernel_text(),
        "rows": text,
        "decisions": decisions,
        "answers": values,
        "probabilities": shares,
    }))
}

fn write(fixture: &Fixture, folder: &Path) -> Result<()> {
    let context = FitContext::default();
    let make = if fixture.sparse { sparse } else { mixed };
    let trained = learn(fixture, &make(40, 1), &context)?;
    save(&trained, &folder.join(format!("{}.mercer", fixture.name)))?;
    let expected = answers(fixture, &trained, &make(15, 2), &context)?;
    let path = folder.join(format!("{}.json", fixture.name));
    mercer_io::write_atomically(&path, |writer| {
        let written = writeln!(writer, "{expected}");
        written.map_err(|source| mercer_io::Error::Io {
            file: path.display().to_string(),
            source,
        })
    })
}

fn main() -> Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    let rest = Svc {
        scheme: Scheme::OneVsRest,
        ..Svc::default()
    };
    let fixtures = [
        Fixture {
            name: "classifier_probabilities",
            estimator: None,
            target: Some("kind"),
            drop: &["price"],
            sparse: false,
        },
        Fixture {
            name: "regressor",
            estimator: Some(AnyEstimator::Svr(
                Svr::default().kernel(KernelSpec::rbf(0.1)).c(5.0),
            )),
            target: Some("price"),
            drop: &["kind"],
            sparse: false,
        },
        Fixture {
            name: "one_class",
            estimator: Some(AnyEstimator::OneClass(OneClass::default().nu(0.2))),
            target: None,
            drop: &["kind", "price"],
            sparse: false,
        },
        Fixture {
            name: "sparse",
            estimator: Some(AnyEstimator::Svc(
                Svc::default().kernel(KernelSpec::poly(2, 1.0, 0.5)),
            )),
            target: Some("y"),
            drop: &[],
            sparse: true,
        },
        Fixture {
            name: "one_vs_rest",
            estimator: Some(AnyEstimator::Svc(rest.probability(true))),
            target: Some("kind"),
            drop: &["price"],
            sparse: false,
        },
    ];
    for fixture in &fixtures {
        write(fixture, &folder)?;
    }
    Ok(())
}
