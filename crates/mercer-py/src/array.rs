//! Borrows NumPy arrays and SciPy's compressed rows.

#![expect(
    unsafe_code,
    reason = "memory of the interpreter is read while its lock is released"
)]

use std::sync::Arc;

use mercer::data::{
    Block, Categories, ClassTargets, Column, FeatureGroup, Features, MISSING_CODE, Origin, Parts,
    Points, Records, Table, Values,
};
use mercer_linalg::{LinalgError, Owner, Real};
use numpy::ndarray::Dimension;
use numpy::{Element, PyReadonlyArray, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::failure::raise;
use crate::graphs::Graphs;
use crate::network::Network;

/// An array of the interpreter, lent to Rust.
///
/// Nobody writes to it meanwhile: the caller waits inside the call that lends it, and what a
/// model keeps is copied. (After Ctrl-C some work may wind down behind the caller; its result is
/// thrown away. Another Python thread that writes to an array in use spoils its own
/// result, as with every library that releases the lock.)
struct Lent<T> {
    start: *const T,
    length: usize,
    /// Keeps the memory alive.
    _array: Py<PyAny>,
}

// SAFETY: the memory is only read, and the array object may be dropped on any thread.
unsafe impl<T: Sync> Send for Lent<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Lent<T> {}

impl<T> AsRef<[T]> for Lent<T> {
    fn as_ref(&self) -> &[T] {
        // SAFETY: pointer and length are those of a contiguous array that `_array` keeps alive.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

/// Lends the memory of a contiguous array, or says why it cannot be.
fn lend<T: Element + Send + Sync + 'static, D: Dimension>(
    array: &PyReadonlyArray<'_, T, D>,
) -> PyResult<Owner<T>> {
    let values = array.as_slice()?;
    Ok(Arc::new(Lent {
        start: values.as_ptr(),
        length: values.len(),
        _array: (**array).clone().into_any().unbind(),
    }))
}

/// Takes rows: a two-dimensional array, or `(values, indices, row_starts, columns)`.
pub(crate) fn points(x: &Bound<'_, PyAny>) -> PyResult<Points> {
    if let Ok((values, indices, starts, columns)) = x.extract::<SparseParts<'_>>() {
        return if let Ok(values) = values.extract::<PyReadonlyArray1<'_, f64>>() {
            sparse(&values, &indices, &starts, columns)
        } else {
            sparse::<f32>(&values.extract()?, &indices, &starts, columns)
        };
    }
    if let Ok(array) = x.extract::<PyReadonlyArray2<'_, f64>>() {
        return dense(&array);
    }
    if let Ok(array) = x.extract::<PyReadonlyArray2<'_, f32>>() {
        return dense(&array);
    }
    Err(PyTypeError::new_err(
        "rows must be a C-contiguous array of float32 or float64, or compressed sparse rows",
    ))
}

type SparseParts<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    usize,
);

fn dense<T: Element + Real>(array: &PyReadonlyArray2<'_, T>) -> PyResult<Points>
where
    Points: From<Block<T>>,
{
    let shape = array.shape();
    Points::dense_shared(shape[0], shape[1], lend(array)?).map_err(damaged)
}

fn sparse<T: Element + Real>(
    values: &PyReadonlyArray1<'_, T>,
    indices: &Bound<'_, PyAny>,
    starts: &Bound<'_, PyAny>,
    columns: usize,
) -> PyResult<Points>
where
    Points: From<Block<T>>,
{
    let values = lend(values)?;
    if let Ok(indices) = indices.extract::<PyReadonlyArray1<'_, i32>>() {
        let starts: PyReadonlyArray1<'_, i32> = starts.extract()?;
        Points::sparse_shared(columns, starts.as_slice()?, lend(&indices)?, values)
    } else {
        let indices: PyReadonlyArray1<'_, i64> = indices.extract()?;
        let starts: PyReadonlyArray1<'_, i64> = starts.extract()?;
        Points::sparse_shared(columns, starts.as_slice()?, lend(&indices)?, values)
    }
    .map_err(damaged)
}

fn damaged(error: LinalgError) -> PyErr {
    raise(&mercer::Error::rows(
        format!("the matrix is damaged: {error}"),
        "if it is sparse, call its `sort_indices` and `sum_duplicates`",
    ))
}

/// Takes rows whose columns may have names.
pub(crate) fn records(x: &Bound<'_, PyAny>, names: Option<&[String]>) -> PyResult<Records> {
    let points = points(x)?;
    let Some(names) = names else {
        return Ok(Records::from_points(points));
    };
    let group = |name: &String| FeatureGroup {
        source: name.clone(),
        parts: Parts::Whole,
    };
    Ok(Records::from_features(Features {
        points,
        groups: names.iter().map(group).collect(),
    }))
}

/// Takes rows as a table: a list of columns, or an array as one column of vectors.
pub(crate) fn any_table(x: &Bound<'_, PyAny>) -> PyResult<Table> {
    Table::try_new(any_columns(x)?, Origin::default()).map_err(|e| raise(&e))
}

/// Takes the columns of such a table.
pub(crate) fn any_columns(x: &Bound<'_, PyAny>) -> PyResult<Vec<Column>> {
    if x.is_instance_of::<PyList>() {
        return columns(x.extract()?);
    }
    Ok(vec![Column::new("x", Values::Vectors(points(x)?))])
}

/// Takes columns of a frame: name, kind and values. Kinds are `numeric`, `date` in seconds,
/// `boolean`, `categorical`, `strings` for strings whose kind is to be recognised, `names` for those
/// that are no texts, `text`, `molecule` for SMILES, `graph` for [`Graphs`] and `node` for a
/// [`Network`] with the numbers of nodes.
fn columns(columns: Vec<(String, String, Bound<'_, PyAny>)>) -> PyResult<Vec<Column>> {
    columns
        .into_iter()
        .map(|(name, kind, values)| {
            if let "strings" | "names" = kind.as_str() {
                let texts: Vec<Option<String>> = values.extract()?;
                let texts = texts.iter().map(Option::as_deref);
                let column = Column::of_strings(&name, &texts, kind == "names");
                return column.map_err(|e| raise(&e));
            }
            let values = match kind.as_str() {
                "numeric" => Values::Numeric(reals(&values)?),
                "date" => Values::Date(reals(&values)?),
                "boolean" => Values::Boolean(values.extract::<Vec<Option<bool>>>()?.into()),
                "categorical" => Values::Categorical(categories(&values.extract::<Vec<_>>()?)),
                "molecule" => Values::Molecules(values.extract()?),
                "graph" => Values::Graphs(values.extract::<PyRef<'_, Graphs>>()?.list.clone()),
                "node" => {
                    let (network, members): (PyRef<'_, Network>, Vec<u32>) = values.extract()?;
                    Values::Nodes(network.rows(&members)?)
                }
                _ => Values::Text(values.extract()?),
            };
            Ok(Column::new(name, values))
        })
        .collect()
}

/// Numbers the names that occur.
fn categories(names: &[Option<String>]) -> Categories {
    let present: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
    let found = ClassTargets::from_labels(&present);
    let mut codes = found.codes.into_iter();
    let code = |name: &Option<String>| {
        let code = name.as_ref().and_then(|_| codes.next());
        code.unwrap_or(MISSING_CODE)
    };
    Categories {
        codes: names.iter().map(code).collect(),
        levels: found.labels,
    }
}

fn reals(values: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    if let Ok(array) = values.extract::<PyReadonlyArray1<'_, f32>>() {
        return Ok(array.as_slice()?.iter().map(|&v| f64::from(v)).collect());
    }
    let array: PyReadonlyArray1<'_, f64> = values.extract()?;
    Ok(array.as_slice()?.to_vec())
}
