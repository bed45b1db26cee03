//! results.json: everything measured, before any median is taken.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::error::{Error, Result};
use crate::machine::Machine;
use crate::numbers::median;

/// The whole file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Results {
    /// The machine of the last run.
    pub(crate) machine: Machine,
    /// The programs with their versions, or why they are missing.
    pub(crate) programs: Vec<Program>,
    /// The cases in the order of the report.
    pub(crate) cases: Vec<CaseResult>,
}

/// A program of the comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Program {
    /// The peer's name.
    pub(crate) peer: String,
    /// Its version, when it can be used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) version: Option<String>,
    /// What it can do.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) tasks: Vec<String>,
    /// Why it cannot be used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) missing: Option<String>,
}

/// The shape of a prepared data set.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Shape {
    /// Training rows.
    pub(crate) rows: usize,
    /// Columns.
    pub(crate) columns: usize,
    /// Test rows.
    pub(crate) test_rows: usize,
    /// Classes; 0 for numbers.
    pub(crate) classes: usize,
    /// Whether rows are sparse.
    pub(crate) sparse: bool,
    /// Stored values of the training rows.
    pub(crate) stored: usize,
}

/// All that was measured of a case.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CaseResult {
    /// The case.
    pub(crate) case: Case,
    /// When it was measured.
    pub(crate) date: String,
    /// The commit of mercer that was measured.
    pub(crate) revision: String,
    /// Why there are no numbers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) skipped: Option<String>,
    /// The data.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) shape: Option<Shape>,
    /// One entry per program and number of threads.
    pub(crate) runs: Vec<Run>,
}

/// How a program's part ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// All rounds done.
    Done,
    /// Not finished after so many seconds.
    TimeLimit(f64),
    /// Stopped when it held so many bytes.
    MemoryLimit(u64),
    /// An error, in its own words.
    Failed(String),
}

/// One program with a number of threads on one case.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Run {
    /// The peer's name.
    pub(crate) peer: String,
    /// Its threads.
    pub(crate) threads: usize,
    /// How it ended.
    pub(crate) outcome: Outcome,
    /// Seconds of the fits, or of the whole search.
    pub(crate) fit: Vec<f64>,
    /// Seconds of predicting all test rows, or one row in the latency case.
    pub(crate) predict: Vec<f64>,
    /// Processors kept busy during the fits.
    pub(crate) busy: Vec<f64>,
    /// Largest resident memory.
    pub(crate) peak_bytes: u64,
    /// Resident memory with the data, before the first fit.
    pub(crate) base_bytes: u64,
    /// The recomputed quality of the result.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) quality: Option<Quality>,
    /// What a search found.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) tuned: Option<Tuned>,
    /// What to know of the numbers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) note: Option<String>,
}

/// How good a result is, recomputed from support vectors and coefficients.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Quality {
    /// The primal objective, which is minimised.
    pub(crate) primal: f64,
    /// The dual objective, which is maximised.
    pub(crate) dual: f64,
    /// The violation of the optimality conditions over all rows.
    pub(crate) violation: f64,
    /// How far coefficients are outside the constraints, relative to their bound.
    pub(crate) infeasible: f64,
    /// Support vectors.
    pub(crate) support_vectors: usize,
    /// Share of correct predictions on test rows, or root mean squared error.
    pub(crate) score: f64,
}

/// The winner of a search.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Tuned {
    /// Its cross-validated score.
    pub(crate) score: f64,
    /// Its parameters.
    pub(crate) parameters: std::collections::BTreeMap<String, f64>,
}

impl Run {
    /// A run of which nothing is known yet.
    pub(crate) fn new(peer: &str, threads: usize) -> Self {
        Self {
            peer: peer.to_owned(),
            threads,
            outcome: Outcome::Done,
            fit: Vec::new(),
            predict: Vec::new(),
            busy: Vec::new(),
            peak_bytes: 0,
            base_bytes: 0,
            quality: None,
            tuned: None,
            note: None,
        }
    }

    /// Median seconds of a fit.
    pub(crate) fn fit_seconds(&self) -> Option<f64> {
        median(&self.fit)
    }

    /// Median seconds of predicting.
    pub(crate) fn predict_seconds(&self) -> Option<f64> {
        median(&self.predict)
    }
}

impl CaseResult {
    /// The entry of a program: with the number of threads asked for, or, when its threads
    /// cannot be chosen, the one there is.
    pub(crate) fn run(&self, peer: &str, threads: usize) -> Option<&Run> {
        let mut of_peer = self.runs.iter().filter(|run| run.peer == peer);
        let fixed = !crate::peer::PEERS
            .iter()
            .any(|known| known.name == peer && known.obeys_threads(self.case.task));
        of_peer.find(|run| fixed || run.threads == threads)
    }
}

impl Results {
    /// Reads a file; none when there is no such file.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>> {
        if !path.exists() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(path).map_err(|source| Error::File {
            path: path.to_owned(),
            source,
        })?;
        serde_json::from_str(&text)
            .map(Some)
            .map_err(|source| Error::Json {
                place: path.display().to_string(),
                source,
            })
    }

    /// Puts a case in its place, instead of an earlier result of it.
    pub(crate) fn put(&mut self, result: CaseResult) {
        self.cases
            .retain(|known| known.case.name != result.case.name);
        self.cases.push(result);
        let order = crate::cases::all();
        self.cases.sort_by_key(|known| {
            order
                .iter()
                .position(|case| case.name == known.case.name)
                .unwrap_or(order.len())
        });
    }

    /// The numbers of threads of mercer's runs, most first.
    pub(crate) fn threads(&self) -> Vec<usize> {
        let mut threads: Vec<usize> = self
            .cases
            .iter()
            .flat_map(|case| &case.runs)
            .filter(|run| run.peer == "mercer")
            .map(|run| run.threads)
            .collect();
        threads.sort_unstable_by(|a, b| b.cmp(a));
        threads.dedup();
        threads
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Results made up for tests: mercer and two peers on two cases.
    pub(crate) fn example() -> Results {
        let mut results = Results {
            machine: Machine::example(),
            programs: vec![
                Program {
                    peer: "mercer".to_owned(),
                    version: Some("0.1.0".to_owned()),
                    tasks: vec!["classify".to_owned()],
                    missing: None,
                },
                Program {
                    peer: "thundersvm".to_owned(),
                    version: None,
                    tasks: Vec::new(),
                    missing: Some("OSError".to_owned()),
                },
            ],
            cases: Vec::new(),
        };
        for (name, factor) in [("iris", 2.0), ("a9a", 20.0)] {
            let case = crate::cases::choose(&[name.to_owned()]).unwrap().remove(0);
            results.put(CaseResult {
                case,
                date: "2026-01-01".to_owned(),
                revision: "abc".to_owned(),
                skipped: None,
                shape: Some(Shape {
                    rows: 1000,
                    columns: 10,
                    test_rows: 100,
                    classes: 2,
                    sparse: false,
                    stored: 10_000,
                }),
                runs: vec![
                    run("mercer", 2, &[1.0, 3.0, 2.0], 0.5),
                    run("mercer", 1, &[4.0], 1.0),
                    run("libsvm", 1, &[2.0 * factor], 5.0),
                    Run {
                        outcome: Outcome::TimeLimit(600.0),
                        fit: Vec::new(),
                        predict: Vec::new(),
                        quality: None,
                        ..run("linfa", 1, &[], 1.0)
                    },
                ],
            });
        }
        results
    }

    fn run(peer: &str, threads: usize, fit: &[f64], predict: f64) -> Run {
        Run {
            fit: fit.to_vec(),
            predict: vec![predict],
            peak_bytes: 300_000_000,
            base_bytes: 100_000_000,
            quality: Some(Quality {
                primal: 10.001,
                dual: 10.0,
                violation: 5e-4,
                infeasible: 0.0,
                support_vectors: 321,
                score: 0.9,
            }),
            ..Run::new(peer, threads)
        }
    }

    #[test]
    fn cases_are_replaced_and_ordered() {
        let mut results = example();
        let names = |results: &Results| -> Vec<String> {
            let names = results.cases.iter().map(|case| case.case.name.clone());
            names.collect()
        };
        assert_eq!(names(&results), ["a9a", "iris"]);
        let again = results.cases[0].clone();
        results.put(CaseResult {
            revision: "new".to_owned(),
            ..again
        });
        assert_eq!(names(&results), ["a9a", "iris"]);
        assert_eq!(results.cases[0].revision, "new");
    }

    #[test]
    fn json_and_back() {
        let text = serde_json::to_string(&example()).unwrap();
        let back: Results = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&back).unwrap(), text);
    }

    #[test]
    fn programs_without_threads_serve_every_table() {
        let results = example();
        let case = &results.cases[0];
        assert_eq!(case.run("mercer", 2).unwrap().fit_seconds(), Some(2.0));
        assert_eq!(case.run("mercer", 1).unwrap().fit_seconds(), Some(4.0));
        assert!(case.run("mercer", 4).is_none());
        assert_eq!(case.run("libsvm", 2).unwrap().threads, 1);
        assert_eq!(results.threads(), [2, 1]);
    }
}
