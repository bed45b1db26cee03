//! Version 2 of the JSON document, and the way from a model to its parts and back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::series::SeriesDocument;
use super::{Form, Metadata, Parts, Tensors, Trained, v1};
use crate::data::{Encoder, Seen, Task};
use crate::fit::FitReport;
use crate::{Error, Result};

/// Version of the metadata and tensor layout that this library writes.
///
/// It grows by one with every change that older readers would misread; all smaller versions
/// stay readable.
pub const FORMAT_VERSION: u32 = 2;

/// The JSON document of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Document {
    /// Layout version.
    format_version: u32,
    /// Program and version that wrote the model.
    written_by: String,
    /// What the model is for.
    task: Task,
    /// Name of the method.
    method: String,
    /// Names of the predicted columns.
    targets: Vec<String>,
    /// Name of the column that names rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Turns raw columns into records.
    encoder: Encoder,
    /// What was learnt, tagged by its form; large arrays are tensors.
    form: Value,
    /// What the program that made the model wants to find again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    attributes: BTreeMap<String, String>,
    /// How rows of a series become windows, and the functions of later steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    series: Option<SeriesDocument>,
    /// Marks of the rows that the model learnt from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen: Option<Seen>,
    /// How the fit went; what only one run can measure is 0.
    report: FitReport,
}

impl Trained {
    /// Splits the model into a JSON document and tensors.
    pub fn to_parts(&self) -> Parts {
        let mut tensors = Tensors::default();
        let document = Document {
            format_version: FORMAT_VERSION,
            written_by: concat!("mercer ", env!("CARGO_PKG_VERSION")).to_owned(),
            task: self.task,
            method: self.method.clone(),
            targets: self.targets.clone(),
            id: self.id.clone(),
            encoder: self.encoder.clone(),
            form: self.form.store(&mut tensors),
            attributes: self.attributes.clone(),
            series: self.series.as_ref().map(|s| s.store(&mut tensors)),
            seen: self.seen.clone(),
            // Equal fits give equal files: no clock, no cache statistics.
            report: self.report.reproducible(),
        };
        Parts {
            metadata: serde_json::to_string(&document)
                .expect("metadata holds only strings, numbers and lists"),
            tensors,
        }
    }

    /// Reads what the JSON document of a model, of any version, tells.
    ///
    /// # Errors
    /// [`Error::Model`] for text that is not such a document, or a version from the future.
    pub fn read_metadata(text: &str) -> Result<Metadata> {
        match version(text)? {
            v1::VERSION => v1::metadata(text),
            _ => Ok(parse(text)?.metadata()),
        }
    }

    /// Puts a model together again.
    ///
    /// # Errors
    /// [`Error::Model`] naming the first rule that the parts break.
    pub fn from_parts(parts: Parts) -> Result<Self> {
        if version(&parts.metadata)? == v1::VERSION {
            return v1::read(parts);
        }
        let document = parse(&parts.metadata)?;
        let mut tensors = parts.tensors;
        let series = document
            .series
            .map(|s| s.load(&document.encoder, &mut tensors));
        let series = series.transpose()?;
        let form = Form::load(&document.form, &document.encoder, &mut tensors)?;
        if let Some(name) = tensors.0.keys().next() {
            return Err(Error::model(format!("tensor `{name}` belongs to nothing")));
        }
        let fits = form.task();
        if document.task != fits {
            return Err(Error::model(format!(
                "the task is {}, the model is for {fits}",
                document.task
            )));
        }
        Ok(Self {
            task: document.task,
            method: document.method,
            targets: document.targets,
            id: document.id,
            encoder: document.encoder,
            form,
            attributes: document.attributes,
            series,
            seen: document.seen,
            report: document.report,
        })
    }
}

/// The version of a document, if this library reads it.
fn version(text: &str) -> Result<u32> {
    #[derive(Deserialize)]
    struct Version {
        format_version: u32,
    }
    let Version { format_version } =
        serde_json::from_str(text).map_err(|e| Error::model(format!("metadata: {e}")))?;
    if (1..=FORMAT_VERSION).contains(&format_version) {
        return Ok(format_version);
    }
    Err(Error::Unsupported {
        what: format!(
            "the model has format version {format_version}; this program reads versions 1 to {FORMAT_VERSION}"
        ),
        cure: "install a newer mercer".into(),
    })
}

fn parse(text: &str) -> Result<Document> {
    serde_json::from_str(text).map_err(|e| Error::model(format!("metadata: {e}")))
}

impl Document {
    fn metadata(self) -> Metadata {
        let form = &self.form;
        // Of a chain the last part says what is predicted.
        let last = form.get("model").unwrap_or(form);
        let readout = &last["readout"];
        let rows = ["support", "rows"].iter().find_map(|k| form.get(k));
        let count = |name: &str| rows.and_then(|rows| rows[name].as_u64()).unwrap_or(0) as usize;
        let columns = self.encoder.width();
        Metadata {
            form: form["kind"].as_str().unwrap_or_default().to_owned(),
            kernel: [&last["kernel"], &last["map"]["kernel"]]
                .iter()
                .find_map(|k| k.as_str())
                .map(str::to_owned),
            labels: serde_json::from_value(readout["labels"].clone()).ok(),
            scheme: serde_json::from_value(readout["scheme"].clone()).ok(),
            probabilities: readout["probabilities"].as_bool().unwrap_or(false),
            rows_kept: count("rows"),
            features: if rows.is_some() {
                count("columns")
            } else {
                columns
            },
            sparse: rows.and_then(|rows| rows["sparse"].as_bool()),
            format_version: self.format_version,
            written_by: self.written_by,
            task: self.task,
            method: self.method,
            targets: self.targets,
            id: self.id,
            encoder: self.encoder,
            attributes: self.attributes,
            windows: self.series.map(|series| series.windows),
            report: self.report,
        }
    }
}
