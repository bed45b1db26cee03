//! Nearest neighbours: the rows themselves, and rows that come and go.

use std::sync::Arc;

use mercer::data::Records;
use mercer::model::{Found, NeighbourModel, NeighbourTargets, Searcher, Trained, Wanted};
use mercer_linalg::Matrix;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::prelude::*;

use crate::failure::raise;
use crate::fit::{Allowance, Numbers, targets};
use crate::model::{Model, matrix_to_array};

/// Values below which a search is too quick to watch over.
const QUICK: usize = 1 << 22;

/// Where the neighbours of every row begin, their numbers, and their distances.
type Lists<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
);

fn neighbours(trained: &Trained) -> PyResult<&NeighbourModel> {
    trained.form.neighbours().ok_or_else(|| {
        let kind = trained.form.kind();
        PyAttributeError::new_err(format!("a model of the form `{kind}` has no neighbours"))
    })
}

/// Finds the neighbours of rows; without rows those of the kept ones, each without itself.
#[pyfunction]
#[pyo3(signature = (model, x=None, *, k=None, radius=None, threads=0))]
pub(crate) fn neighbours_found<'py>(
    py: Python<'py>,
    model: &Model,
    x: Option<&Bound<'py, PyAny>>,
    k: Option<usize>,
    radius: Option<f64>,
    threads: usize,
) -> PyResult<Lists<'py>> {
    let trained = model.shared();
    let kept = neighbours(&trained)?;
    let wanted = match (k, radius) {
        (Some(k), _) => Wanted::Nearest(k),
        (None, Some(radius)) => Wanted::Within(radius),
        (None, None) => return Err(PyValueError::new_err("neither k nor a radius is given")),
    };
    let records = match x {
        Some(x) => Some(model.records(x, None)?),
        None => None,
    };
    let searcher = model.searcher().map_err(|e| raise(&e))?;
    let searcher = searcher.ok_or_else(|| PyAttributeError::new_err("there are no neighbours"))?;
    let rows = records.as_ref().map_or(kept.rows.len(), Records::len);
    let width = kept.rows.features.points.columns().max(1);
    let quick = rows * kept.rows.len() * width <= QUICK;
    let allowance = Allowance {
        threads,
        ..Allowance::default()
    };
    let found = allowance.run(py, quick, move |context| {
        context.install(|| search(&trained, &searcher, records.as_ref(), wanted, context))?
    })?;
    let numbers = |list: Vec<usize>| list.into_iter().map(|v| v as i64).collect::<Vec<_>>();
    let rows: Vec<i64> = found.rows.iter().map(|row| i64::from(*row)).collect();
    Ok((
        numbers(found.starts).into_pyarray(py),
        rows.into_pyarray(py),
        found.distances.into_pyarray(py),
    ))
}

fn search(
    trained: &Trained,
    searcher: &Searcher,
    records: Option<&Records>,
    wanted: Wanted,
    context: &mercer::fit::FitContext,
) -> mercer::Result<Found> {
    let (par, cancel) = (context.par(), &context.cancel);
    match (records, trained.form.neighbours()) {
        (None, Some(kept)) => searcher.search_others(&kept.rows, wanted, par, cancel),
        (Some(records), _) => searcher.search(records, wanted, par, cancel),
        (None, None) => Ok(Found::default()),
    }
}

/// Returns the model with more rows.
#[pyfunction]
#[pyo3(signature = (model, x, *, classes=None, labels=None, values=None))]
pub(crate) fn neighbours_added(
    model: &Model,
    x: &Bound<'_, PyAny>,
    classes: Option<PyReadonlyArray1<'_, i64>>,
    labels: Option<Vec<String>>,
    values: Option<Numbers<'_>>,
) -> PyResult<Model> {
    let rows = model.records(x, None)?;
    let targets = targets(classes, labels, values)?;
    changed(model, |kept| kept.add(&rows, &targets))
}

/// Returns the model without some of its rows.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn neighbours_removed(model: &Model, rows: Vec<usize>) -> PyResult<Model> {
    changed(model, |kept| kept.remove(&rows))
}

fn changed(
    model: &Model,
    change: impl FnOnce(&mut NeighbourModel) -> mercer::Result<()>,
) -> PyResult<Model> {
    let shared = model.shared();
    neighbours(&shared)?;
    let mut trained = Arc::unwrap_or_clone(shared);
    if let Some(kept) = trained.form.neighbours_mut() {
        change(kept).map_err(|e| raise(&e))?;
        if let Some(told) = &mut trained.report.neighbours {
            told.rows_kept = kept.rows.len();
        }
    }
    Ok(Model::new(trained))
}

/// Returns the places that the kept rows had among the training rows.
#[pyfunction]
pub(crate) fn neighbours_kept<'py>(
    py: Python<'py>,
    model: &Model,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let trained = model.shared();
    let ids = neighbours(&trained)?.rows.ids.iter();
    let ids: Vec<i64> = ids.map(|id| i64::from(*id)).collect();
    Ok(ids.into_pyarray(py))
}

/// Returns whether rows stand for other numbers of copies than one.
#[pyfunction]
pub(crate) fn neighbours_weighted(model: &Model) -> PyResult<bool> {
    Ok(neighbours(&model.shared())?.weights.is_some())
}

/// Returns the classes of the kept rows, by code.
#[pyfunction]
pub(crate) fn neighbours_classes<'py>(
    py: Python<'py>,
    model: &Model,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let trained = model.shared();
    let codes = match &neighbours(&trained)?.targets {
        NeighbourTargets::Classes(codes) => codes.iter().map(|code| i64::from(*code)).collect(),
        NeighbourTargets::Values(_) => Vec::new(),
    };
    Ok(codes.into_pyarray(py))
}

/// Returns the targets of kept rows, a line for each output.
#[pyfunction]
pub(crate) fn neighbours_values<'py>(
    py: Python<'py>,
    model: &Model,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let trained = model.shared();
    let values = match &neighbours(&trained)?.targets {
        NeighbourTargets::Values(values) => values.clone(),
        NeighbourTargets::Classes(_) => Matrix::zeros(0, 0),
    };
    matrix_to_array(py, values)
}

/// Returns the weight of every column.
#[pyfunction]
pub(crate) fn neighbours_weights(model: &Model) -> PyResult<Vec<(String, f64)>> {
    Ok(neighbours(&model.shared())?.column_weights())
}
