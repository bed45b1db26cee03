//! What is in a table.

use std::path::PathBuf;

use mercer::data::Table;
use mercer::data::look::TableLook;
use mercer_io::{ReadOptions, Source};
use pyo3::prelude::*;

use crate::array::any_table;
use crate::failure::{raise, raise_io};
use crate::wording::Keywords;

/// Looks at a path, or at columns; returns the account as JSON and as text.
#[pyfunction]
#[pyo3(signature = (data, target=None))]
pub(crate) fn look(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    target: Option<&str>,
) -> PyResult<(String, String)> {
    let table: Table = match data.extract::<PathBuf>() {
        Ok(path) => py
            .detach(|| mercer_io::read(&Source::Path(path), &ReadOptions::default()))
            .map_err(raise_io)?,
        Err(_) => any_table(data)?,
    };
    py.detach(|| {
        let found = TableLook::of(&table, target).map_err(|e| raise(&e))?;
        let json = serde_json::to_string(&found)
            .map_err(|e| pyo3::exceptions::PyValueError::new_err(e.to_string()))?;
        Ok((json, found.text(&Keywords)))
    })
}
