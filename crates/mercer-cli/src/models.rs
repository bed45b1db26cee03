//! Model files.

use std::path::Path;

use mercer::model::Trained;
use mercer_io::Source;

use crate::failure::Result;
use crate::session::Session;

/// Loads a model file.
pub(crate) fn load(path: &Path) -> Result<Trained> {
    mercer_io::model::load(path).map_err(|e| crate::failure::Failure::from(e).of_data())
}

/// Loads a model file that stands before a data file on the command line.
///
/// A table in its place is told apart from a damaged model, and from the two in wrong order.
pub(crate) fn load_for(path: &Path, data: &Path) -> Result<Trained> {
    load(path).map_err(|mut failure| {
        if failure.code != "unsupported" || mercer_io::is_model(path) {
            return failure;
        }
        if mercer_io::is_model(data) {
            failure.hints = vec![format!(
                "did you swap the two? the model comes first: `{} {}`",
                data.display(),
                path.display()
            )];
        } else if let Some(format) = Source::from_argument(path).format() {
            failure.hints = vec![format!(
                "this looks like a table ({format}); learn a model from it with `mercer fit {} --target COLUMN`",
                path.display()
            )];
        }
        failure
    })
}

/// Writes a model file; a failure leaves the old one.
pub(crate) fn save(path: &Path, trained: &Trained, session: &Session) -> Result<()> {
    session.guard(|| mercer_io::model::save(trained, path))
}
