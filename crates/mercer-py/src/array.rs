//! Borrows NumPy arrays and SciPy's compressed rows.

use mercer::data::{Column, FeatureGroup, Features, Origin, Parts, Points, Records, Table, Values};
use mercer_linalg::{Csr, Matrix};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::failure::raise;

/// Takes rows: a two-dimensional array, or `(values, indices, row_starts, columns)`.
pub(crate) fn points(x: &Bound<'_, PyAny>) -> PyResult<Points> {
    if let Ok((values, indices, starts, columns)) =
        x.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>, usize)>()
    {
        let indices = counts(&indices)?.iter().map(|&i| i as u32).collect();
        let values = reals(&values)?;
        let csr = Csr::try_new(columns, counts(&starts)?, indices, values);
        let csr = csr.map_err(|e| {
            raise(&mercer::Error::rows(
                format!("the sparse matrix is damaged: {e}"),
                "call its `sort_indices` and `sum_duplicates`",
            ))
        })?;
        return Ok(Points::Sparse(csr));
    }
    if let Ok(array) = x.extract::<PyReadonlyArray2<'_, f64>>() {
        let shape = array.shape();
        let (rows, columns) = (shape[0], shape[1]);
        let values = array.as_slice()?.to_vec();
        return Ok(Points::Dense(Matrix::from_vec(rows, columns, values)));
    }
    if let Ok(array) = x.extract::<PyReadonlyArray2<'_, f32>>() {
        let shape = array.shape();
        let (rows, columns) = (shape[0], shape[1]);
        let values = array.as_slice()?.iter().map(|&v| f64::from(v)).collect();
        return Ok(Points::Dense(Matrix::from_vec(rows, columns, values)));
    }
    Err(PyTypeError::new_err(
        "rows must be a C-contiguous array of float32 or float64, or compressed sparse rows",
    ))
}

/// Takes rows whose columns may have names.
pub(crate) fn records(x: &Bound<'_, PyAny>, names: Option<&[String]>) -> PyResult<Records> {
    let points = points(x)?;
    let Some(names) = names else {
        return Ok(Records::from_points(points));
    };
    let ids = (0..points.rows() as u32).collect();
    let group = |name: &String| FeatureGroup {
        source: name.clone(),
        parts: Parts::Whole,
    };
    Ok(Records {
        features: Features {
            points,
            groups: names.iter().map(group).collect(),
        },
        codes: Vec::new(),
        texts: Vec::new(),
        ids,
    })
}

/// Takes columns of a frame: name, kind (`numeric`, `date` in seconds, `text`) and values.
pub(crate) fn table(columns: Vec<(String, String, Bound<'_, PyAny>)>) -> PyResult<Table> {
    let columns = columns
        .into_iter()
        .map(|(name, kind, values)| {
            let values = match kind.as_str() {
                "numeric" => Values::Numeric(reals(&values)?),
                "date" => Values::Date(reals(&values)?),
                _ => Values::Text(values.extract()?),
            };
            Ok(Column::new(name, values))
        })
        .collect::<PyResult<_>>()?;
    Table::try_new(columns, Origin::default()).map_err(|e| raise(&e))
}

fn reals(values: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    if let Ok(array) = values.extract::<PyReadonlyArray1<'_, f32>>() {
        return Ok(array.as_slice()?.iter().map(|&v| f64::from(v)).collect());
    }
    let array: PyReadonlyArray1<'_, f64> = values.extract()?;
    Ok(array.as_slice()?.to_vec())
}

fn counts(values: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    if let Ok(array) = values.extract::<PyReadonlyArray1<'_, i32>>() {
        return Ok(array.as_slice()?.iter().map(|&v| v as usize).collect());
    }
    let array: PyReadonlyArray1<'_, i64> = values.extract()?;
    Ok(array.as_slice()?.iter().map(|&v| v as usize).collect())
}
