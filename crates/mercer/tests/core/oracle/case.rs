//! One recorded case: its data, kernel and settings.

use mercer::data::{Points, Records};
use mercer_linalg::Matrix;
use serde_json::Value;

use super::sets::{self, Set};

pub(crate) struct Case(pub(crate) Value);

/// What a case needs beside this repository.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Needs {
    Nothing,
    /// The folder `MERCER_DATA`.
    Data,
}

/// Preprocessed training and test rows.
pub(crate) struct Problem {
    pub(crate) train: Records,
    pub(crate) test: Records,
    pub(crate) train_targets: Vec<f64>,
    pub(crate) test_targets: Vec<f64>,
    pub(crate) weights: Option<Vec<f64>>,
    pub(crate) kernel: String,
}

impl Case {
    pub(crate) fn load(machine: &str, needs: Needs) -> Vec<Self> {
        let text =
            std::fs::read_to_string(sets::oracle_file(machine)).expect("results are recorded");
        let document: Value = serde_json::from_str(&text).expect("results are JSON");
        let cases = document["cases"].as_array().expect("a list of cases");
        let all = cases.iter().cloned().map(Self);
        all.filter(|case| case.needs() == needs).collect()
    }

    pub(crate) fn id(&self) -> &str {
        self.0["id"].as_str().expect("cases have an id")
    }

    pub(crate) fn machine(&self) -> &str {
        self.0["machine"].as_str().expect("cases name their method")
    }

    pub(crate) fn number(&self, field: &str) -> f64 {
        self.0[field]
            .as_f64()
            .unwrap_or_else(|| panic!("{} has `{field}`", self.id()))
    }

    fn needs(&self) -> Needs {
        if self.0["needs_data"].as_bool().expect("true or false") {
            Needs::Data
        } else {
            Needs::Nothing
        }
    }

    fn target(&self, text: &str) -> f64 {
        match self.0["label_map"].get(text) {
            Some(code) => code.as_f64().expect("labels map to numbers"),
            None => text.parse().expect("targets are numbers"),
        }
    }

    /// Loads and preprocesses the rows.
    pub(crate) fn problem(&self) -> Problem {
        let load = |field: &str| {
            let name = self.0[field].as_str().expect("a file name");
            match self.needs() {
                Needs::Data => sets::libsvm(name),
                Needs::Nothing => sets::bundled(name),
            }
        };
        let mut all = load("data");
        let width = all.width();
        all.fit_width(width);
        let span = self.0["rows"].as_array().expect("start, stop, step");
        let at = |k: usize, default: usize| span[k].as_u64().map_or(default, |v| v as usize);
        let train: Vec<usize> = (at(0, 0)..at(1, all.rows.len()))
            .step_by(at(2, 1))
            .collect();
        let mut test_set = match self.0["test"].as_str().expect("a test part") {
            "train" => all.select(&train),
            "rest" => {
                let rest: Vec<usize> = (0..all.rows.len()).filter(|r| !train.contains(r)).collect();
                all.select(&rest)
            }
            "file" => {
                let mut test = load("test_data");
                test.fit_width(width);
                test
            }
            other => panic!("unknown test part {other}"),
        };
        let mut train_set = all.select(&train);
        self.preprocess(&mut train_set, &mut test_set);
        self.check_sums(&train_set);
        let weights = self.0["row_weight_cycle"].as_array().map(|cycle| {
            let weight = |i: usize| cycle[i % cycle.len()].as_f64().expect("a weight");
            (0..train.len()).map(weight).collect()
        });
        let targets = |set: &Set| set.targets.iter().map(|t| self.target(t)).collect();
        let kernel = &self.0["kernel"];
        let (train_records, test_records) = match kernel.get("base") {
            Some(base) => (
                records(gram(base, &train_set, &train_set)),
                records(gram(base, &test_set, &train_set)),
            ),
            None => (
                records(train_set.rows.clone()),
                records(test_set.rows.clone()),
            ),
        };
        Problem {
            train: train_records,
            test: test_records,
            train_targets: targets(&train_set),
            test_targets: targets(&test_set),
            weights,
            kernel: expression(kernel),
        }
    }

    fn preprocess(&self, train: &mut Set, test: &mut Set) {
        let rule = &self.0["preprocess"];
        let n = train.rows.len() as f64;
        let map: Vec<Box<dyn Fn(f64) -> f64>> = (0..train.width())
            .map(|c| -> Box<dyn Fn(f64) -> f64> {
                let column = || train.rows.iter().map(move |r| r[c]);
                match rule["rule"].as_str().expect("a rule") {
                    "none" => Box::new(|x| x),
                    "divide" => {
                        let by = rule["by"].as_f64().expect("a divisor");
                        Box::new(move |x| x / by)
                    }
                    "standardise" => {
                        let mean = column().sum::<f64>() / n;
                        let variance = column().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
                        let deviation = if variance > 0.0 { variance.sqrt() } else { 1.0 };
                        Box::new(move |x| (x - mean) / deviation)
                    }
                    "minmax" => {
                        let low = column().fold(f64::INFINITY, f64::min);
                        let high = column().fold(f64::NEG_INFINITY, f64::max);
                        Box::new(move |x| {
                            if high > low {
                                2.0 * (x - low) / (high - low) - 1.0
                            } else {
                                0.0
                            }
                        })
                    }
                    other => panic!("unknown rule {other}"),
                }
            })
            .collect();
        for row in train.rows.iter_mut().chain(&mut test.rows) {
            for (x, f) in row.iter_mut().zip(&map) {
                *x = f(*x);
            }
        }
    }

    fn check_sums(&self, set: &Set) {
        let sum: f64 = set.rows.iter().flatten().sum();
        let squares: f64 = set.rows.iter().flatten().map(|x| x * x).sum();
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-8 * (1.0 + squares);
        assert!(
            near(sum, self.number("x_sum")) && near(squares, self.number("x_sumsq")),
            "{}: the rows are not the recorded ones",
            self.id()
        );
    }
}

fn records(rows: Vec<Vec<f64>>) -> Records {
    let (n, width) = (rows.len(), rows[0].len());
    let values = rows.into_iter().flatten().collect();
    Records::from_points(Points::from(Matrix::from_vec(n, width, values)))
}

fn expression(kernel: &Value) -> String {
    let value = |name: &str| kernel[name].as_f64().unwrap_or(0.0);
    match kernel["kernel"].as_str().expect("a kernel") {
        "linear" => "linear".to_owned(),
        "poly" => format!(
            "poly(degree={}, offset={:e}, scale={:e})",
            value("degree"),
            value("coef0"),
            value("gamma")
        ),
        "rbf" => format!("rbf(gamma={:e})", value("gamma")),
        "sigmoid" => format!(
            "sigmoid(scale={:e}, offset={:e})",
            value("gamma"),
            value("coef0")
        ),
        "precomputed" => "precomputed".to_owned(),
        other => panic!("unknown kernel {other}"),
    }
}

/// A kernel matrix by the plain formula.
fn gram(base: &Value, left: &Set, right: &Set) -> Vec<Vec<f64>> {
    let gamma = base["gamma"].as_f64().unwrap_or(0.0);
    let k = |a: &[f64], b: &[f64]| -> f64 {
        let pairs = || a.iter().zip(b);
        match base["kernel"].as_str().expect("a kernel") {
            "linear" => pairs().map(|(x, z)| x * z).sum(),
            "rbf" => (-gamma * pairs().map(|(x, z)| (x - z).powi(2)).sum::<f64>()).exp(),
            "laplacian" => (-gamma * pairs().map(|(x, z)| (x - z).abs()).sum::<f64>()).exp(),
            "intersection" => pairs().map(|(x, z)| x.min(*z)).sum(),
            other => panic!("unknown base kernel {other}"),
        }
    };
    left.rows
        .iter()
        .map(|a| right.rows.iter().map(|b| k(a, b)).collect())
        .collect()
}
