//! What columns of strings hold.

use mercer::data::{Kind, kind_of_strings};
use pyo3::pyfunction;

/// Tells a column of strings apart: `molecule`, `text` or `categorical`.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn string_kind(values: Vec<Option<String>>) -> &'static str {
    match kind_of_strings(values.iter().map(Option::as_deref)) {
        Kind::Molecule => "molecule",
        Kind::Text => "text",
        _ => "categorical",
    }
}
