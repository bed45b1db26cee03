//! How a file was read: what was said about it, and what was recognised.

use serde::Serialize;

use crate::fit::Note;

/// What a reader knows of a file beside its rows; fields are empty where they mean nothing.
///
/// ```
/// use mercer::data::{Layout, Table};
///
/// let mut table = Table::default();
/// table.set_layout(Layout { format: "csv".into(), ..Layout::default() });
/// assert_eq!(table.layout().format, "csv");
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Layout {
    /// The format by its name, such as `csv`.
    pub format: String,
    /// How the file is packed: `gzip`, `zstd`, `zip`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packing: Option<&'static str>,
    /// How text is encoded, such as `UTF-8`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// What stands between fields, by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<String>,
    /// Whether the names of the columns stand in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// What begins a line that is no row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<char>,
    /// Lines above the table.
    #[serde(skip_serializing_if = "is_zero")]
    pub skipped: usize,
    /// The sheet of a workbook, or the member of an archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The files that were put together, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// What a user should know about how the file was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(value: &usize) -> bool {
    *value == 0
}
