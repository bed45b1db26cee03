//! Model files.

use std::path::Path;

use mercer::model::Trained;

use crate::failure::Result;
use crate::session::Session;

/// Loads a model file.
pub(crate) fn load(path: &Path) -> Result<Trained> {
    mercer_io::model::load(path).map_err(|e| crate::failure::Failure::from(e).of_data())
}

/// Writes a model file; a failure leaves the old one.
pub(crate) fn save(path: &Path, trained: &Trained, session: &Session) -> Result<()> {
    session.guard(|| mercer_io::model::save(trained, path))
}
