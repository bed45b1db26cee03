//! What a worker and the checker are told of a case.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use crate::case::{Case, Task};
use crate::paths;

/// A case for one program, as JSON on its command line.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Job {
    task: Task,
    folder: PathBuf,
    rows: Option<usize>,
    c: f64,
    gamma: f64,
    epsilon: f64,
    nu: f64,
    threads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    grid: Option<BTreeMap<&'static str, Vec<f64>>>,
    folds: usize,
}

impl Job {
    /// The job of a case with a number of threads.
    pub(crate) fn new(case: &Case, threads: usize) -> Self {
        Self {
            task: case.task,
            folder: paths::target("bench-data").join(&case.set),
            rows: case.rows,
            c: case.c,
            gamma: case.gamma,
            epsilon: case.epsilon,
            nu: case.nu,
            threads,
            grid: (case.task == Task::Tune)
                .then(|| BTreeMap::from([("C", powers(-2.0, 4.0)), ("gamma", powers(-4.0, 0.0))])),
            folds: 5,
        }
    }

    /// The job as text.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("plain fields are JSON")
    }
}

/// Ten powers of ten, evenly spaced between two exponents.
fn powers(low: f64, high: f64) -> Vec<f64> {
    (0..10)
        .map(|k| 10_f64.powf(low + (high - low) * f64::from(k) / 9.0))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_has_its_ends() {
        let values = powers(-2.0, 4.0);
        assert_eq!(values.len(), 10);
        assert!((values[0] - 0.01).abs() < 1e-15 && (values[9] - 1e4).abs() < 1e-9);
    }

    #[test]
    fn only_tuning_has_a_grid() {
        let cases = crate::cases::choose(&["iris".to_owned(), "tuning".to_owned()]).unwrap();
        assert!(!Job::new(&cases[0], 1).text().contains("grid"));
        assert!(Job::new(&cases[1], 1).text().contains("\"gamma\":["));
    }
}
