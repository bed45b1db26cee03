//! Paths of weights.

use mercer::data::Records;
use mercer::learn::linear::{ElasticNet, PathGrid};
use mercer_linalg::Matrix;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::fit::Allowance;
use crate::model::matrix_to_array;
use crate::rows::TrainingRows;

/// What Python gets: alphas, weights with a row for each, constants and duality gaps.
type Arrays<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);

/// Solves the elastic net along a path; `settings` is a JSON object of its fields.
///
/// `alphas` are scikit-learn's; without them `count` values go down to `share` of the largest.
#[pyfunction]
#[pyo3(signature = (settings, x, targets, *, weights=None, alphas=None, count=100, share=1e-3, threads=0))]
#[expect(clippy::too_many_arguments, reason = "all by keyword")]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn elastic_net_path<'py>(
    py: Python<'py>,
    settings: &str,
    x: &Bound<'py, PyAny>,
    targets: PyReadonlyArray1<'py, f64>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    alphas: Option<Vec<f64>>,
    count: usize,
    share: f64,
    threads: usize,
) -> PyResult<Arrays<'py>> {
    let net: ElasticNet =
        serde_json::from_str(settings).map_err(|e| PyValueError::new_err(e.to_string()))?;
    let weights = weights
        .map(|w| w.as_slice().map(<[f64]>::to_vec))
        .transpose()?;
    let records: Records = TrainingRows::unchanged(x, None, weights.as_deref())?.records;
    let targets = targets.as_slice()?.to_vec();
    let grid = alphas.map_or(PathGrid::Ratios { count, share }, PathGrid::Alphas);
    let allowance = Allowance {
        threads,
        ..Allowance::default()
    };
    let path = allowance.run(py, false, move |context| {
        net.path(&records, &targets, weights.as_deref(), &grid, context)
    })?;
    let scale = (2.0 * path.copies).recip();
    let each = |value: fn(&mercer::learn::linear::PathPoint) -> f64| -> Vec<f64> {
        path.points.iter().map(value).collect()
    };
    let scaled = |values: Vec<f64>| -> Vec<f64> { values.iter().map(|v| v * scale).collect() };
    let columns = path.points.first().map_or(0, |point| point.weights.len());
    let values = path.points.iter().flat_map(|p| p.weights.iter().copied());
    let matrix = Matrix::from_vec(path.points.len(), columns, values.collect());
    Ok((
        scaled(each(|p| p.lambda)).to_pyarray(py),
        matrix_to_array(py, matrix)?,
        each(|p| p.bias).to_pyarray(py),
        scaled(each(|p| p.gap)).to_pyarray(py),
    ))
}
