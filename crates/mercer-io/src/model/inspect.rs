//! What is in a model file, without running it.

use std::path::Path;

use mercer::data::series::Windows;
use mercer::data::{Encoding, Kind, Task, Words};
use mercer::fit::{FitReport, Note, StopReason};
use mercer::model::Trained;
use serde::Serialize;

use super::container::{Header, MODEL};
use super::file::{RawFile, named};
use crate::Result;

/// Whether the contents of a file are those that were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChecksumState {
    /// They are; a file of which this is not true is refused.
    Matches,
}

/// A column that a model reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InputColumn {
    /// The column's name.
    pub name: String,
    /// The kind of its values.
    pub kind: Kind,
    /// How its texts become numbers, where they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encode: Option<String>,
    /// How many features its words are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<usize>,
}

/// A tensor of a model file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TensorSummary {
    /// Its name.
    pub name: String,
    /// The type of its numbers, such as `F64`.
    pub dtype: String,
    /// The extent of every axis.
    pub shape: Vec<usize>,
    /// Its size in the file.
    pub bytes: u64,
}

/// How a fit went, in short.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReportSummary {
    /// Why the solver stopped.
    pub stop_reason: StopReason,
    /// Value of the objective.
    pub objective: f64,
    /// Primal minus dual objective.
    pub dual_gap: f64,
    /// Largest KKT violation.
    pub kkt_violation: f64,
    /// Rows given.
    pub rows: usize,
    /// Rows after equal ones were merged.
    pub distinct_rows: usize,
    /// Solver steps.
    pub iterations: u64,
}

/// The contents of a model file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inspection {
    /// The file's name.
    pub file: String,
    /// The file's size.
    pub bytes: u64,
    /// Version of the layout.
    pub format_version: u32,
    /// Program and version that wrote the file.
    pub written_by: String,
    /// The checksum that the file states.
    pub checksum: String,
    /// Whether it is that of the contents.
    pub checksum_state: ChecksumState,
    /// What the model is for.
    pub task: Task,
    /// Name of the method.
    pub method: String,
    /// Name of the predicted column.
    pub target: Option<String>,
    /// Names of all predicted columns.
    pub targets: Vec<String>,
    /// The form of the model, such as `expansion` or `linear`.
    pub form: String,
    /// The kernel as an expression, where there is one.
    pub kernel: Option<String>,
    /// How rows of a series become windows, where it is a model of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub windows: Option<Windows>,
    /// The labels of a classifier.
    pub labels: Option<Vec<String>>,
    /// How a classifier tells several classes apart.
    pub scheme: Option<String>,
    /// Whether the model gives probabilities.
    pub probabilities: bool,
    /// The columns that the model reads.
    pub columns: Vec<InputColumn>,
    /// Number of features made from them.
    pub features: usize,
    /// Number of support vectors, or other rows that the model keeps.
    pub support_vectors: usize,
    /// The tensors by name.
    pub tensors: Vec<TensorSummary>,
    /// How the fit went; `None` for imported models, which do not tell.
    pub report: Option<ReportSummary>,
    /// Choices made and reasons for care.
    pub notes: Vec<Note>,
}

/// Tells what is in a model file without running it.
///
/// A file that does not load is not described.
///
/// # Errors
/// A missing file, a file of another kind, a newer format, a file that is cut off, a document
/// that cannot be read, a checksum that is not that of the contents, and contents that contradict
/// each other.
pub fn inspect(path: &Path) -> Result<Inspection> {
    let raw = RawFile::read(path, &MODEL)?;
    let Header {
        document,
        version,
        checksum,
        tensors,
        ..
    } = &raw.header;
    let metadata = Trained::read_metadata(document).map_err(|e| named(e, &raw.name))?;
    raw.header.to_trained(&raw.data, &raw.name)?;
    let columns = metadata.encoder.columns().iter().map(|column| {
        let words = match &column.encoding {
            Encoding::Words(words) => Some(words),
            _ => None,
        };
        InputColumn {
            name: column.name.clone(),
            kind: column.encoding.kind(),
            encode: words.map(|words| words.how().to_string()),
            words: words.map(Words::width),
        }
    });
    let tensors = tensors.iter().map(|(name, info)| TensorSummary {
        name: name.clone(),
        dtype: info.dtype.to_string(),
        shape: info.shape.clone(),
        bytes: Header::bytes(info, &raw.data).len() as u64,
    });
    Ok(Inspection {
        file: raw.name.clone(),
        bytes: raw.length,
        format_version: *version,
        written_by: metadata.written_by,
        checksum: checksum.clone(),
        checksum_state: ChecksumState::Matches,
        task: metadata.task,
        method: metadata.method,
        target: metadata.targets.first().cloned(),
        targets: metadata.targets,
        form: metadata.form,
        kernel: metadata.kernel,
        windows: metadata.windows,
        labels: metadata.labels,
        scheme: metadata.scheme.map(|scheme| scheme.name().to_owned()),
        probabilities: metadata.probabilities,
        columns: columns.collect(),
        features: metadata.features,
        support_vectors: metadata.rows_kept,
        tensors: tensors.collect(),
        report: summary(&metadata.report),
        notes: metadata.report.notes,
    })
}

/// A report without rows is that of a model that was fitted elsewhere.
fn summary(report: &FitReport) -> Option<ReportSummary> {
    (report.rows > 0).then_some(ReportSummary {
        stop_reason: report.stop_reason,
        objective: report.solver().objective,
        dual_gap: report.solver().dual_gap,
        kkt_violation: report.solver().kkt_violation,
        rows: report.rows,
        distinct_rows: report.distinct_rows,
        iterations: report.solver().iterations,
    })
}
