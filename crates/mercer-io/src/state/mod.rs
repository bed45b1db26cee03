//! Files of plans and states: mergeable statistics of parts of a table.
//!
//! The container is that of models ([`crate::model`]): safetensors with a JSON document, under the name `mercer_state`, a
//! version and a checksum. A state file holds its plan, so that states can be merged without another file. Loading runs nothing and
//! checks lengths, types and checksum before the contents.

mod checkpoint;

use std::path::Path;

use mercer::model::Parts;
use mercer::state::{Plan, STATE_VERSION, State};

use crate::model::container::Kind;
use crate::model::file::{RawFile, lay_out, named, split};
use crate::{Error, Result, write_atomically};

pub use checkpoint::Checkpoint;

/// A plan or a state.
static STATE: Kind = Kind {
    key: "mercer_state",
    noun: "state",
    newest: STATE_VERSION,
    give: || "give a file with a plan or a state".into(),
};

/// Writes a plan; an old file of that name survives any failure.
///
/// # Errors
/// The operating system's refusal, and a plan that no file can hold.
pub fn save_plan(plan: &Plan, path: &Path) -> Result<()> {
    write(&plan_to_bytes(plan)?, path)
}

/// Writes a state with its plan; an old file of that name survives any failure.
///
/// # Errors
/// The operating system's refusal, and a state that no file can hold.
pub fn save_state(state: &State, path: &Path) -> Result<()> {
    write(&state_to_bytes(state)?, path)
}

/// Returns the contents of the file of a plan; the same plan gives the same bytes.
///
/// # Errors
/// A plan that no file can hold.
pub fn plan_to_bytes(plan: &Plan) -> Result<Vec<u8>> {
    lay_out(&STATE, plan.to_parts())
}

/// Returns the contents of the file of a state; the same state gives the same bytes.
///
/// # Errors
/// A state that no file can hold.
pub fn state_to_bytes(state: &State) -> Result<Vec<u8>> {
    lay_out(&STATE, state.to_parts())
}

/// Loads a plan.
///
/// # Errors
/// A missing file, a file of another kind, a newer version, a file that is cut off or was changed, and contents that
/// contradict each other.
pub fn load_plan(path: &Path) -> Result<Plan> {
    let (parts, name) = read(path)?;
    Plan::from_parts(parts).map_err(|e| named(e, &name))
}

/// Loads a state with its plan.
///
/// # Errors
/// As [`load_plan`], and a plan to which no rows were added.
pub fn load_state(path: &Path) -> Result<State> {
    let (parts, name) = read(path)?;
    State::from_parts(parts).map_err(|e| named(e, &name))
}

/// Loads a plan from the contents of a file.
///
/// # Errors
/// As [`load_plan`].
pub fn plan_from_bytes(bytes: &[u8]) -> Result<Plan> {
    Plan::from_parts(parts_of(bytes)?).map_err(|e| named(e, NAME))
}

/// Loads a state from the contents of a file.
///
/// # Errors
/// As [`load_state`].
pub fn state_from_bytes(bytes: &[u8]) -> Result<State> {
    State::from_parts(parts_of(bytes)?).map_err(|e| named(e, NAME))
}

/// What contents without a file are called: messages read "the state file: …".
const NAME: &str = "the state file";

fn parts_of(bytes: &[u8]) -> Result<Parts> {
    let (header, data) = split(bytes, NAME, &STATE)?;
    header.to_parts(data, NAME)
}

fn read(path: &Path) -> Result<(Parts, String)> {
    let raw = RawFile::read(path, &STATE)?;
    Ok((raw.header.to_parts(&raw.data, &raw.name)?, raw.name))
}

fn write(bytes: &[u8], path: &Path) -> Result<()> {
    write_atomically(path, |writer| {
        writer.write_all(bytes).map_err(|e| Error::from_io(path, e))
    })
}
