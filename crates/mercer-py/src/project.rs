//! Projections: axes, components in the space of a kernel, and the way back to rows.

use mercer::data::Task;
use mercer::fit::FitReport;
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::Readout;
use mercer::model::{Form, Projection, Trained};
use mercer_linalg::Matrix;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::fit::Allowance;
use crate::model::{Model, matrix_to_array};

fn other_form(trained: &Trained) -> PyErr {
    let kind = trained.form.kind();
    PyAttributeError::new_err(format!("a model of the form `{kind}` has no components"))
}

/// Returns the arrays of a linear projection by name.
#[pyfunction]
pub(crate) fn projection_parts<'py>(
    py: Python<'py>,
    model: &Model,
) -> PyResult<Bound<'py, PyDict>> {
    let trained = model.shared();
    let projection = trained
        .form
        .projection()
        .ok_or_else(|| other_form(&trained))?;
    let parts = PyDict::new(py);
    parts.set_item("mean", projection.mean.clone().into_pyarray(py))?;
    let components = projection.components.clone();
    parts.set_item("components", matrix_to_array(py, components)?)?;
    parts.set_item("scales", projection.scales.clone().into_pyarray(py))?;
    parts.set_item("back", matrix_to_array(py, projection.way_back())?)?;
    if let Some(whitening) = &projection.whitening {
        parts.set_item("whitening", matrix_to_array(py, whitening.clone())?)?;
    }
    Ok(parts)
}

/// Returns the arrays of components in the space of a kernel by name.
#[pyfunction]
pub(crate) fn kernel_components<'py>(
    py: Python<'py>,
    model: &Model,
) -> PyResult<Bound<'py, PyDict>> {
    let trained = model.shared();
    let form = &trained.form;
    let expansion = form
        .expansion()
        .or_else(|| form.residual().map(|m| &m.components));
    let components = expansion.and_then(|m| m.components.as_ref());
    let components = components.ok_or_else(|| other_form(&trained))?;
    let parts = PyDict::new(py);
    let eigenvalues = components.eigenvalues.clone();
    parts.set_item("eigenvalues", eigenvalues.into_pyarray(py))?;
    parts.set_item("trace", components.trace)?;
    if let Some(restoring) = &components.restoring {
        let coordinates = restoring.coordinates.clone();
        parts.set_item("coordinates", matrix_to_array(py, coordinates)?)?;
        let coefficients = restoring.coefficients.clone();
        parts.set_item("coefficients", matrix_to_array(py, coefficients)?)?;
    }
    Ok(parts)
}

/// Makes a model of first directions, which a search for independent components may start from.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn model_from_directions(directions: PyReadonlyArray2<'_, f64>) -> PyResult<Model> {
    let components = to_matrix(&directions)?;
    let width = components.columns();
    let rows = mercer::data::Records::from_points(Matrix::<f64>::zeros(0, width));
    let encoder = crate::rows::passing(&rows, None);
    let projection = Projection {
        mean: vec![0.0; width],
        scales: vec![1.0; components.rows()],
        components,
        back: None,
        whitening: None,
        features: rows.features.groups,
        readout: Readout::Coordinates,
    };
    let report = FitReport::of_others(0, Vec::new());
    let form = projection.into();
    let trained = Trained::new(Task::Embed, "ica", encoder, form, report);
    Ok(Model::new(trained))
}

fn to_matrix(array: &PyReadonlyArray2<'_, f64>) -> PyResult<Matrix<f64>> {
    let shape = array.shape();
    Ok(Matrix::from_vec(
        shape[0],
        shape[1],
        array.as_slice()?.to_vec(),
    ))
}

fn expansion(form: &Form) -> mercer::Result<&KernelExpansion> {
    form.need_expansion("components in the space of a kernel belong to")
}

/// Returns what the components of a kernel do not reach of every row.
#[pyfunction]
#[pyo3(signature = (model, x, threads=0))]
pub(crate) fn kernel_residuals<'py>(
    py: Python<'py>,
    model: &Model,
    x: &Bound<'py, PyAny>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let records = model.records(x, None)?;
    let trained = model.shared();
    let allowance = Allowance {
        threads,
        ..Allowance::default()
    };
    let found = allowance.run(py, false, move |context| {
        expansion(&trained.form)?.residuals(&records, context)
    })?;
    Ok(found.into_pyarray(py))
}

/// Returns for every row the nearest one on the components of a kernel, and how many of them were still
/// moving.
#[pyfunction]
#[pyo3(signature = (model, x, threads=0))]
pub(crate) fn kernel_denoise<'py>(
    py: Python<'py>,
    model: &Model,
    x: &Bound<'py, PyAny>,
    threads: usize,
) -> PyResult<(Bound<'py, PyArray2<f64>>, usize)> {
    let records = model.records(x, None)?;
    let trained = model.shared();
    let allowance = Allowance {
        threads,
        ..Allowance::default()
    };
    let found = allowance.run(py, false, move |context| {
        expansion(&trained.form)?.denoise(&records, context)
    })?;
    Ok((matrix_to_array(py, found.rows)?, found.unsettled))
}

/// Returns rows from their coordinates by the learnt way back.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn kernel_restore<'py>(
    py: Python<'py>,
    model: &Model,
    coordinates: PyReadonlyArray2<'py, f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let coordinates = to_matrix(&coordinates)?;
    let trained = model.shared();
    let found = Allowance::default().run(py, false, move |context| {
        expansion(&trained.form)?.restore(&coordinates, &context.cancel)
    })?;
    matrix_to_array(py, found)
}
