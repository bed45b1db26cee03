//! Kernel expressions: text in, matrices out.

use mercer::data::{ColumnRef, Records, Targets};
use mercer::fit::{Cancel, FitContext};
use mercer::kernel::{
    Allowed, BoundKernel, Input, KernelSpec, ResolvedKernel, TileMut, check_gram, families,
};
use mercer_linalg::{Matrix, Precision, Rows};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::raise;
use crate::model::matrix_to_array;
use crate::rows::TrainingRows;
use crate::watch;

/// Rows of a matrix written at a time; cancellation is looked for in between.
const BLOCK: usize = 256;

fn parse(text: &str) -> PyResult<KernelSpec> {
    KernelSpec::parse(text).map_err(|e| raise(&e))
}

/// Returns an expression as mercer prints it.
#[pyfunction]
pub(crate) fn kernel_canonical(text: &str) -> PyResult<String> {
    Ok(parse(text)?.to_string())
}

/// Returns whether the expression looks values up in a given matrix.
#[pyfunction]
pub(crate) fn kernel_reads_matrix(text: &str) -> PyResult<bool> {
    let families = parse(text)?.families();
    Ok(families.iter().any(|f| f.input == Input::Matrix))
}

/// What a family reads, and the columns it is narrowed to by name.
type Reads = (&'static str, Option<Vec<String>>);

/// Returns what every family of the expression reads, and the columns it is narrowed to by name.
#[pyfunction]
pub(crate) fn kernel_inputs(text: &str) -> PyResult<Vec<Reads>> {
    let mut inputs = Vec::new();
    list_inputs(&parse(text)?, None, &mut inputs);
    Ok(inputs)
}

fn list_inputs(kernel: &KernelSpec, columns: Option<&[ColumnRef]>, inputs: &mut Vec<Reads>) {
    match kernel {
        KernelSpec::Base { family, .. } => {
            let name = |column: &ColumnRef| match column {
                ColumnRef::Name(name) => Some(name.clone()),
                ColumnRef::Position(_) => None,
            };
            let names = columns.map(|columns| columns.iter().filter_map(name).collect());
            inputs.push((input_name(family.input), names));
        }
        KernelSpec::On { columns, kernel } => list_inputs(kernel, Some(columns), inputs),
        KernelSpec::Scaled { kernel, .. }
        | KernelSpec::Power { kernel, .. }
        | KernelSpec::Exp(kernel)
        | KernelSpec::Normalise(kernel) => list_inputs(kernel, columns, inputs),
        KernelSpec::Sum(kernels) | KernelSpec::Product(kernels) => {
            for kernel in kernels {
                list_inputs(kernel, columns, inputs);
            }
        }
    }
}

fn input_name(input: Input) -> &'static str {
    match input {
        Input::Vectors => "vectors",
        Input::Codes => "codes",
        Input::Texts => "texts",
        Input::Graphs => "graphs",
        Input::Nodes => "nodes",
        Input::Matrix => "matrix",
    }
}

/// Returns the expression with every open parameter chosen from rows.
#[pyfunction]
#[pyo3(signature = (text, x, names=None))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn kernel_resolve(
    text: &str,
    x: &Bound<'_, PyAny>,
    names: Option<Vec<String>>,
) -> PyResult<String> {
    let rows = TrainingRows::unchanged(x, names.as_deref(), None)?;
    Ok(resolve(text, &rows.records)?.to_string())
}

fn resolve(text: &str, records: &Records) -> PyResult<ResolvedKernel> {
    let (kernel, _) = parse(text)?.resolve(records, None).map_err(|e| raise(&e))?;
    Ok(kernel)
}

/// Returns the matrix of k over rows of `x` against rows of `y`, or of `x` where there is no
/// `y`. Open parameters are chosen from `x`.
#[pyfunction]
#[pyo3(signature = (text, x, y=None, names=None, threads=0))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn kernel_gram<'py>(
    py: Python<'py>,
    text: &str,
    x: &Bound<'py, PyAny>,
    y: Option<&Bound<'py, PyAny>>,
    names: Option<Vec<String>>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows = TrainingRows::unchanged(x, names.as_deref(), None)?;
    let right = y.map(|y| rows.others(y, names.as_deref())).transpose()?;
    let left = rows.records;
    let kernel = resolve(text, &left)?;
    let cancel = Cancel::default();
    let context = FitContext::default()
        .threads(threads)
        .cancel(cancel.clone());
    let matrix = watch::run(py, &cancel, None, None, move |_| {
        context.install(|| gram(&kernel, &left, right.as_ref(), &context))?
    })?
    .map_err(|e| raise(&e))?;
    matrix_to_array(py, matrix)
}

/// k over all pairs; the half of a square one is mirrored.
fn gram(
    kernel: &ResolvedKernel,
    left: &Records,
    right: Option<&Records>,
    context: &FitContext,
) -> mercer::Result<Matrix<f64>> {
    let bound = kernel.bind(right.unwrap_or(left))?;
    let query = right.map(|_| bound.query(left)).transpose()?;
    let (rows, columns) = (left.len(), bound.len());
    let mut out = Matrix::zeros(rows, columns);
    for start in (0..rows).step_by(BLOCK) {
        if context.cancel.is_cancelled() {
            return Err(mercer::Error::Cancelled);
        }
        let range = start..rows.min(start + BLOCK);
        let from = if query.is_some() { 0 } else { start };
        let tile = out.as_mut().submatrix(range.clone(), from..columns);
        let block = Rows::Range(range);
        let against = Rows::Range(from..columns);
        match &query {
            Some(query) => query.tile(block, against, TileMut::F64(tile), context.par()),
            None => bound.tile(block, against, TileMut::F64(tile), context.par()),
        }
    }
    if query.is_none() {
        mirror(&mut out);
    }
    Ok(out)
}

/// Copies what lies right of the diagonal blocks below them.
fn mirror(matrix: &mut Matrix<f64>) {
    for i in 0..matrix.rows() {
        for j in 0..i - i % BLOCK {
            matrix[(i, j)] = matrix[(j, i)];
        }
    }
}

/// Returns k(x, x) of every row.
#[pyfunction]
#[pyo3(signature = (text, x, names=None))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn kernel_diagonal<'py>(
    py: Python<'py>,
    text: &str,
    x: &Bound<'py, PyAny>,
    names: Option<Vec<String>>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let records = TrainingRows::unchanged(x, names.as_deref(), None)?.records;
    let kernel = resolve(text, &records)?;
    let diagonal = py.detach(|| -> mercer::Result<Vec<f64>> {
        let bound: Box<dyn BoundKernel> = kernel.bind(&records)?;
        let mut out = vec![0.0; records.len()];
        bound.diagonal(Precision::F64, &mut out);
        Ok(out)
    });
    Ok(diagonal.map_err(|e| raise(&e))?.into_pyarray(py))
}

/// Returns the pairs of places that a string kernel counts in two texts, counted from 1.
#[pyfunction]
pub(crate) fn kernel_pairs(
    text: &str,
    first: &str,
    second: &str,
) -> PyResult<Vec<(Vec<usize>, Vec<usize>)>> {
    let found = parse(text)?.index_pairs(first, second);
    let found = found.map_err(|e| raise(&e))?;
    let each = found.into_iter().map(|pair| pair.places);
    Ok(each.map(|[own, other]| (own, other)).collect())
}

/// Returns the features of rows of numbers under a kernel without open parameters.
#[pyfunction]
#[pyo3(signature = (text, rows, degree=None))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn kernel_features(
    text: &str,
    rows: Vec<Vec<f64>>,
    degree: Option<u32>,
) -> PyResult<Vec<Vec<f64>>> {
    let kernel: mercer::kernel::ResolvedKernel = text.parse().map_err(|e| raise(&e))?;
    let of = |row: &Vec<f64>| mercer::features::explicit_features(&kernel, row, degree);
    let all: mercer::Result<Vec<Vec<f64>>> = rows.iter().map(of).collect();
    all.map_err(|e| raise(&e))
}

/// Tests whether a square matrix is that of a kernel.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn kernel_check<'py>(
    py: Python<'py>,
    matrix: PyReadonlyArray2<'py, f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let (rows, columns) = (matrix.shape()[0], matrix.shape()[1]);
    let matrix = Matrix::from_vec(rows, columns, matrix.as_slice()?.to_vec());
    let check = watch::run(py, &Cancel::default(), None, None, move |_| {
        check_gram(&matrix, &Targets::None)
    })?
    .map_err(|e| raise(&e))?;
    let facts = PyDict::new(py);
    facts.set_item("verdict", check.verdict.name())?;
    facts.set_item("is_psd", check.verdict.is_kernel())?;
    facts.set_item("smallest_eigenvalue", check.smallest_eigenvalue)?;
    facts.set_item("largest_eigenvalue", check.largest_eigenvalue)?;
    facts.set_item("symmetric_error", check.symmetric_error)?;
    facts.set_item("tolerance", check.tolerance)?;
    facts.set_item("rank", check.rank)?;
    Ok(facts)
}

/// Lists the families: name, summary, formula, and per parameter name, meaning, default and
/// whether it takes numbers, words or switches.
#[pyfunction]
pub(crate) fn kernel_families(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    families()
        .iter()
        .map(|family| {
            let entry = PyDict::new(py);
            entry.set_item("name", family.name)?;
            entry.set_item("summary", family.summary)?;
            entry.set_item("formula", family.formula)?;
            let parameters: Vec<(&str, &str, &str, &str)> = family
                .parameters
                .iter()
                .map(|p| {
                    let takes = match p.allowed {
                        Allowed::Number(_) => "float",
                        Allowed::Scale(_) => "float or list of float",
                        Allowed::List(_) => "list of float",
                        Allowed::Word(_) => "str",
                        Allowed::Flag => "bool",
                    };
                    (p.name, p.meaning, p.default, takes)
                })
                .collect();
            entry.set_item("parameters", parameters)?;
            Ok(entry)
        })
        .collect()
}
