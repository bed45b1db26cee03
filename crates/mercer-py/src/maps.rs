//! Maps, prototypes and memories: what models have beside their centres; silhouettes and ranks.

use mercer::data::{Link, pagerank as ranks};
use mercer::learn::cluster::silhouette;
use mercer_plot::Figure;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::array;
use crate::failure::raise;
use crate::fit::Allowance;
use crate::model::{Model, matrix_to_array};

/// Multiplications below which a search is too quick to watch over.
const QUICK: usize = 1 << 22;

fn lacks(what: &str) -> PyErr {
    PyAttributeError::new_err(format!("the model has no {what}"))
}

/// Returns rows and columns of a map, how its units lie, and the mean distance of each from its neighbours.
#[pyfunction]
pub(crate) fn map_parts(model: &Model) -> PyResult<(usize, usize, &'static str, Vec<f64>)> {
    let trained = model.shared();
    let model = trained.form.prototypes().ok_or_else(|| lacks("map"))?;
    let grid = model.grid.ok_or_else(|| lacks("map"))?;
    let distances = model.unit_distances().unwrap_or_default();
    Ok((grid.rows, grid.columns, grid.lattice.name(), distances))
}

/// Returns the U-matrix of a map as a picture.
#[pyfunction]
pub(crate) fn map_svg(model: &Model) -> PyResult<String> {
    let map = mercer_report::unit_map(&model.shared(), "U-matrix");
    Ok(map.ok_or_else(|| lacks("map"))?.to_svg())
}

/// Returns the code of the class of every prototype.
#[pyfunction]
pub(crate) fn prototype_classes(model: &Model) -> PyResult<Vec<u32>> {
    let trained = model.shared();
    let model = trained.form.prototypes().ok_or_else(|| lacks("classes"))?;
    model.classes.clone().ok_or_else(|| lacks("classes"))
}

/// Returns the number of the nearest prototype of every row. What is odd about the rows is appended to `told`.
#[pyfunction]
#[pyo3(signature = (model, x, threads=0, told=None))]
pub(crate) fn nearest_prototypes<'py>(
    py: Python<'py>,
    model: &Model,
    x: &Bound<'py, PyAny>,
    threads: usize,
    told: Option<&Bound<'py, PyList>>,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let records = model.records(x, told)?;
    let trained = model.shared();
    let kept = trained
        .form
        .prototypes()
        .ok_or_else(|| lacks("prototypes"))?;
    let width = kept.rows.features.points.columns().max(1);
    let quick = records.len() * kept.rows.len() * width <= QUICK;
    let allowance = Allowance {
        threads,
        ..Allowance::default()
    };
    let found = allowance.run(py, quick, move |context| {
        let model = trained.form.prototypes().expect("looked at above");
        context.install(|| model.nearest(&records, context.par(), &context.cancel))?
    })?;
    Ok(found.into_pyarray(py))
}

/// Returns the weights of an associative memory.
#[pyfunction]
pub(crate) fn memory_weights<'py>(
    py: Python<'py>,
    model: &Model,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let trained = model.shared();
    let model = trained.form.memory().ok_or_else(|| lacks("memory"))?;
    matrix_to_array(py, model.weights.clone())
}

/// Returns the silhouette of every row.
#[pyfunction]
#[pyo3(signature = (x, labels, *, weights=None, threads=0))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn silhouettes<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    labels: PyReadonlyArray1<'py, i64>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let records = array::records(x, None)?;
    let labels: Vec<u32> = labels.as_slice()?.iter().map(|&l| l as u32).collect();
    let weights = weights
        .map(|w| w.as_slice().map(<[f64]>::to_vec))
        .transpose()?;
    let allowance = Allowance {
        threads,
        ..Allowance::default()
    };
    let found = allowance.run(py, false, move |context| {
        silhouette(&records, &labels, weights.as_deref(), context)
    })?;
    Ok(found.into_pyarray(py))
}

/// Returns the PageRank of nodes by number, and whether passes ended where ranks stand still.
#[pyfunction]
pub(crate) fn pagerank(
    py: Python<'_>,
    nodes: usize,
    links: Vec<(u32, u32, f64)>,
    damping: f64,
) -> PyResult<(Bound<'_, PyArray1<f64>>, bool)> {
    let links: Vec<Link> = links
        .into_iter()
        .map(|(from, to, weight)| Link { from, to, weight })
        .collect();
    let found = py.detach(|| ranks(nodes, &links, damping, || true));
    let found = found.map_err(|e| raise(&e))?;
    Ok((found.scores.into_pyarray(py), found.converged))
}
