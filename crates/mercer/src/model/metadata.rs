//! What a model's document tells without its tensors.

use std::collections::BTreeMap;

use super::readout::Scheme;
use crate::data::series::Windows;
use crate::data::{Encoder, Task};
use crate::fit::FitReport;

/// The document of a model, of any version, in present words.
#[derive(Debug, Clone, PartialEq)]
pub struct Metadata {
    /// Layout version.
    pub format_version: u32,
    /// Program and version that wrote the model.
    pub written_by: String,
    /// What the model is for.
    pub task: Task,
    /// Name of the method.
    pub method: String,
    /// Names of the predicted columns.
    pub targets: Vec<String>,
    /// Name of the column that names rows.
    pub id: Option<String>,
    /// Turns raw columns into records.
    pub encoder: Encoder,
    /// The form of the model, such as `expansion`.
    pub form: String,
    /// The kernel as an expression, where there is one.
    pub kernel: Option<String>,
    /// What the program that made the model wants to find again.
    pub attributes: BTreeMap<String, String>,
    /// The labels of a classifier.
    pub labels: Option<Vec<String>>,
    /// How a classifier tells several classes apart.
    pub scheme: Option<Scheme>,
    /// Whether the model gives probabilities.
    pub probabilities: bool,
    /// Number of rows kept, such as support vectors, that the document claims.
    pub rows_kept: usize,
    /// Number of features that it claims.
    pub features: usize,
    /// Whether the rows kept are stored without zeros.
    pub sparse: Option<bool>,
    /// How rows of a series become windows, where it is a model of one.
    pub windows: Option<Windows>,
    /// How the fit went; what only one run can measure is 0.
    pub report: FitReport,
}
