//! Whether two models on the same folds differ by more than chance.

use mercer::judge::{Paired, holm};
use pyo3::prelude::*;

/// Judges differences of scores fold by fold, as JSON; `None` where they tell nothing.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn paired(differences: Vec<f64>, ratio: f64, margin: f64) -> Option<String> {
    let found = Paired::of(&differences, ratio, margin)?;
    serde_json::to_string(&found).ok()
}

/// Raises p-values for the number of comparisons.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn raised(p_values: Vec<f64>) -> Vec<f64> {
    holm(&p_values)
}
