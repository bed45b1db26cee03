//! Which columns the predictions of a model rest on.

use std::sync::Arc;

use mercer::data::Targets;
use mercer::explain::{Permutation, importance};
use mercer::judge::Truth;
use mercer::model::Trained;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::array;
use crate::fit::Allowance;

/// Rows whose truth is known, and how often each column is shuffled among them.
pub(crate) struct Evaluated {
    pub(crate) targets: Targets,
    pub(crate) weights: Option<Vec<f64>>,
    pub(crate) repeats: usize,
}

/// Tells what the score loses without each column, as JSON.
pub(crate) fn measure(
    py: Python<'_>,
    trained: Arc<Trained>,
    x: &Bound<'_, PyAny>,
    evaluated: Evaluated,
    allowance: &Allowance<'_, '_>,
) -> PyResult<String> {
    let table = array::any_table(x)?;
    let found = allowance.run(py, false, move |context| {
        let truth = Truth::Targets(evaluated.targets);
        let settings = Permutation::default().repeats(evaluated.repeats);
        let weights = evaluated.weights.as_deref();
        importance(&trained, &table, &truth, weights, &settings, context)
    })?;
    serde_json::to_string(&found).map_err(|error| PyValueError::new_err(error.to_string()))
}
