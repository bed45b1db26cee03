//! How far a fit has come that reads its rows from a file, so that it can go on after it was ended.

use std::collections::BTreeMap;
use std::path::Path;

use mercer::model::Parts;
use mercer::state::{STATE_VERSION, State};
use serde::{Deserialize, Serialize};

use super::write;
use crate::model::container::Kind;
use crate::model::file::{RawFile, lay_out, named};
use crate::{Error, Identity, Result};

/// A checkpoint.
static CHECKPOINT: Kind = Kind {
    key: "mercer_checkpoint",
    noun: "checkpoint",
    newest: STATE_VERSION,
    give: || "give the checkpoint of a fit, or a file that does not exist yet".into(),
};

/// What a state was made of, and the state.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// Which file the rows are read from.
    pub data: Identity,
    /// What the fit was asked for, by name: whoever goes on must ask for the same.
    pub settings: BTreeMap<String, String>,
    /// Rows of the file.
    pub rows: u64,
    /// The sums over the first rows of the file.
    pub state: State,
}

#[derive(Serialize, Deserialize)]
struct Document {
    data: Identity,
    settings: BTreeMap<String, String>,
    rows: u64,
    state: String,
}

impl Checkpoint {
    /// Writes the checkpoint; an old one survives any failure.
    ///
    /// # Errors
    /// The operating system's refusal, such as a full disk.
    pub fn save(&self, path: &Path) -> Result<()> {
        let Parts { metadata, tensors } = self.state.to_parts();
        let document = Document {
            data: self.data.clone(),
            settings: self.settings.clone(),
            rows: self.rows,
            state: metadata,
        };
        let metadata = serde_json::to_string(&document)
            .expect("a document holds only strings, numbers and lists");
        write(&lay_out(&CHECKPOINT, Parts { metadata, tensors })?, path)
    }

    /// Loads a checkpoint.
    ///
    /// # Errors
    /// A missing file, a file of another kind, a newer version, a file that is cut off or was changed, and contents
    /// that contradict each other.
    pub fn load(path: &Path) -> Result<Self> {
        let raw = RawFile::read(path, &CHECKPOINT)?;
        let parts = raw.header.to_parts(&raw.data, &raw.name)?;
        let damaged = |problem: String| Error::Damaged {
            file: raw.name.clone(),
            problem,
        };
        let document: Document = serde_json::from_str(&parts.metadata)
            .map_err(|e| damaged(format!("its document cannot be read: {e}")))?;
        let state = Parts {
            metadata: document.state,
            tensors: parts.tensors,
        };
        let state = State::from_parts(state).map_err(|e| named(e, &raw.name))?;
        let is_start = match state.spans().as_slice() {
            [] => true,
            [one] => one.part == 0 && one.first == 0 && one.end <= document.rows,
            _ => false,
        };
        if !is_start {
            return Err(damaged(
                "its rows are not the first ones of a file".to_owned(),
            ));
        }
        Ok(Self {
            data: document.data,
            settings: document.settings,
            rows: document.rows,
            state,
        })
    }
}
