//! What a model file is asked, and everything it predicts.
//!
//! The program that records results (`examples/write_model_fixtures`) and the test that compares
//! them both ask through this file, so that a name means the same on either side.

use std::collections::BTreeMap;

use mercer::data::{Kind, Table};
use mercer::fit::FitContext;
use mercer::model::{Answers, Bands, Trained};
use mercer_io::{Error, Format, ReadOptions, Result, Source, read};
use mercer_linalg::{Matrix, Par};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Probabilities of intervals and of prediction sets. The larger one asks more than few left-out
/// rows can tell, so that intervals without ends are recorded too.
const LEVELS: [f64; 2] = [0.8, 0.99];

/// Rows as a file holds them, or a folder of files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rows {
    /// Name of the format.
    pub(crate) format: String,
    /// The text.
    pub(crate) rows: Text,
}

/// The text of a file, or of every file of a folder by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Text {
    /// One file.
    File(String),
    /// A folder, as sets of graphs are kept.
    Folder(BTreeMap<String, String>),
}

impl Rows {
    /// Reads the rows; `schema` are the kinds of columns that are known beforehand.
    pub(crate) fn read(&self, schema: Vec<(String, Kind)>) -> Result<Table> {
        let format = Format::ALL
            .iter()
            .copied()
            .find(|f| f.name() == self.format);
        let options = ReadOptions {
            format,
            schema,
            ..ReadOptions::default()
        };
        match &self.rows {
            Text::File(text) => read(&Source::bytes("rows", text.as_bytes()), &options),
            Text::Folder(files) => {
                let failed = |source| Error::Io {
                    file: "a temporary folder".to_owned(),
                    source,
                };
                let folder = tempfile::tempdir().map_err(failed)?;
                for (name, text) in files {
                    std::fs::write(folder.path().join(name), text).map_err(failed)?;
                }
                read(&Source::from_argument(folder.path()), &options)
            }
        }
    }
}

/// What decides the last bits of a result: instruction set, and the system's own functions such
/// as the sine.
pub(crate) fn machine() -> Value {
    let library = if cfg!(target_env = "gnu") {
        "gnu"
    } else if cfg!(target_env = "musl") {
        "musl"
    } else {
        "own"
    };
    let (architecture, system) = (std::env::consts::ARCH, std::env::consts::OS);
    json!({
        "instructions": mercer_linalg::instruction_set(),
        "platform": format!("{architecture}-{system}-{library}"),
    })
}

/// Asks a model everything it can tell about rows: a list with one entry a row for each result.
///
/// What a model does not know is left out.
pub(crate) fn answers(model: &Trained, rows: &Rows) -> Result<Map<String, Value>> {
    let context = FitContext::default();
    let table = rows.read(model.encoder.input_columns())?;
    let found = model.predict(&table, &context)?;
    let records = model.encoder.transform(&table)?.records;
    let mut all = Map::new();
    let mut add = |name: &str, value: Value| all.insert(name.to_owned(), value);
    add("decisions", matrix(&found.decisions));
    match &found.answers {
        Answers::Classes {
            labels,
            codes,
            probabilities,
        } => {
            let names = codes.iter().map(|&c| &labels[c as usize]);
            add("answers", names.map(|n| json!(n)).collect());
            if let Some(rows) = probabilities {
                add("probabilities", rows.iter().map(|p| list(p)).collect());
            }
        }
        Answers::Values(values) => {
            add("answers", list(values));
        }
        // Decisions tell all numbers of a row; the first of them stands for it.
        Answers::Several(values) => {
            let first: Vec<f64> = (0..values.rows()).map(|r| values[(r, 0)]).collect();
            add("answers", list(&first));
        }
        Answers::Novelty { novel } => {
            add("answers", json!(novel));
        }
        Answers::Clusters { codes, .. } => {
            add("answers", json!(codes));
        }
    }
    let certainty = match model.form.expansion() {
        Some(expansion) => expansion.certainty(Par::Sequential)?,
        None => None,
    };
    if let Some(certainty) = certainty {
        let variances = certainty.variances(&records, Par::Sequential)?;
        add("variances", matrix(&variances));
        if model.labels().is_some() {
            let moderated =
                certainty.moderated(&records, &found.decisions, None, Par::Sequential)?;
            add("moderated", matrix(&moderated));
        }
    }
    let bands: Vec<Bands<'_>> = match LEVELS.map(|level| model.bands(level, Par::Sequential)) {
        [Err(mercer::Error::Unsupported { .. }), _] => return Ok(all),
        bands => bands.into_iter().collect::<mercer::Result<_>>()?,
    };
    let spreads = bands[0].spreads(&records, Par::Sequential)?;
    if let Some(spreads) = &spreads {
        add("std", list(spreads));
    }
    match &found.answers {
        Answers::Classes { labels, .. } => {
            let set = |row: usize, bands: &Bands<'_>| {
                let classes = bands.classes(found.decisions.row(row));
                let names = classes.iter().map(|&c| &labels[c as usize]);
                json!(names.collect::<Vec<_>>())
            };
            let sets = |row: usize| bands.iter().map(|b| set(row, b)).collect::<Value>();
            add("sets", (0..found.len()).map(sets).collect());
        }
        Answers::Values(_) | Answers::Several(_) => {
            let interval = |row: usize, bands: &Bands<'_>| {
                let spread = spreads.as_ref().map(|s| s[row]);
                let (low, high) = bands.interval(found.decisions[(row, 0)], spread);
                list(&[low, high])
            };
            let intervals = |row: usize| bands.iter().map(|b| interval(row, b)).collect::<Value>();
            add("intervals", (0..found.len()).map(intervals).collect());
        }
        Answers::Novelty { .. } | Answers::Clusters { .. } => {}
    }
    Ok(all)
}

fn matrix(matrix: &Matrix<f64>) -> Value {
    (0..matrix.rows()).map(|r| list(matrix.row(r))).collect()
}

fn list(values: &[f64]) -> Value {
    values.iter().map(|v| number(*v)).collect()
}

/// JSON prints finite numbers so that they read back as they were, and has no others.
fn number(value: f64) -> Value {
    if value.is_finite() {
        json!(value)
    } else {
        json!(value.to_string())
    }
}
