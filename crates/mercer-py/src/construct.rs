//! Networks that are written down: a truth table, a staircase.

use mercer::data::ClassTargets;
use mercer::learn::network::{Fineness, constructed, of_function, of_truth_table};
use mercer_linalg::Matrix;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::array;
use crate::failure::raise;
use crate::model::Model;
use crate::rows::passing;

/// Returns the network of thresholds for rows of bits with one of two classes.
#[pyfunction]
#[pyo3(signature = (x, classes, labels, names=None))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn network_of_truth_table(
    x: &Bound<'_, PyAny>,
    classes: PyReadonlyArray1<'_, i64>,
    labels: Vec<String>,
    names: Option<Vec<String>>,
) -> PyResult<Model> {
    let records = array::records(x, names.as_deref())?;
    let encoder = passing(&records, names.as_deref());
    let codes = classes.as_slice()?.iter().map(|code| *code as u32);
    let classes = ClassTargets {
        codes: codes.collect(),
        labels,
    };
    let layers = of_truth_table(&records, &classes).map_err(|e| raise(&e))?;
    let trained = constructed(layers, encoder, records.len(), Vec::new());
    Ok(Model::new(trained.map_err(|e| raise(&e))?))
}

/// Returns the staircase of sigmoids through points, with its slope and its deviation.
#[pyfunction]
#[pyo3(signature = (x, y, *, steps=None, tolerance=None, slope=None))]
pub(crate) fn network_of_function(
    x: Vec<f64>,
    y: Vec<f64>,
    steps: Option<usize>,
    tolerance: Option<f64>,
    slope: Option<f64>,
) -> PyResult<(Model, f64, f64)> {
    let fineness = match steps {
        Some(steps) => Fineness::Steps(steps),
        None => Fineness::Within(tolerance.unwrap_or(f64::NAN)),
    };
    let points: Vec<(f64, f64)> = x.iter().copied().zip(y).collect();
    let found = of_function(&points, fineness, slope).map_err(|e| raise(&e))?;
    let rows = mercer::data::Records::from_points(Matrix::from_vec(x.len(), 1, x));
    let encoder = passing(&rows, None);
    let trained = constructed(found.layers, encoder, rows.len(), Vec::new());
    let model = Model::new(trained.map_err(|e| raise(&e))?);
    Ok((model, found.slope, found.deviation))
}
