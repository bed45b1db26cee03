//! Ridge regression at many penalties.

use mercer::learn::linear::Ridge;
use mercer_linalg::Matrix;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::fit::Allowance;
use crate::rows::TrainingRows;

/// Weights, constants, effective parameters, leave-one-out errors and scores of generalised
/// cross-validation, each one list: λ by λ, output by output, feature by feature.
type Path<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);

/// Solves ridge regressions of every row of `values` on the rows of `x` at all `lambdas`.
#[pyfunction]
#[pyo3(signature = (x, values, lambdas, *, intercept=true, weights=None, threads=0))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn ridge_path<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    values: PyReadonlyArray2<'py, f64>,
    lambdas: Vec<f64>,
    intercept: bool,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    threads: usize,
) -> PyResult<Path<'py>> {
    let weights = crate::fit::weights(weights)?;
    let rows = TrainingRows::unchanged(x, None, weights.as_deref())?;
    let shape = values.shape();
    let targets = Matrix::from_vec(shape[0], shape[1], values.as_slice()?.to_vec());
    let allowance = Allowance {
        threads,
        ..Allowance::default()
    };
    let records = rows.records;
    let points = allowance.run(py, false, move |context| {
        let ridge = Ridge::default().intercept(intercept);
        ridge.path(&records, &targets, weights.as_deref(), &lambdas, context)
    })?;
    let each = |of: fn(&mercer::learn::linear::LinearPathPoint) -> f64| {
        points.iter().map(of).collect::<Vec<f64>>().into_pyarray(py)
    };
    let all = |of: fn(&mercer::learn::linear::LinearPathPoint) -> &[f64]| {
        let values: Vec<f64> = points.iter().flat_map(|p| of(p).iter().copied()).collect();
        values.into_pyarray(py)
    };
    Ok((
        all(|p| p.weights.as_slice()),
        all(|p| &p.biases),
        each(|p| p.degrees_of_freedom),
        each(|p| p.leave_one_out),
        each(|p| p.gcv),
    ))
}
