//! What a graph cannot express.

use mercer::hint::Hint;

use crate::Error;

/// Says what cannot be expressed, why, and what to do instead.
pub(super) fn refuse(what: &str, cure: impl Into<Hint>) -> Error {
    mercer::Error::Unsupported {
        what: format!("ONNX cannot express {what}"),
        cure: cure.into(),
    }
    .into()
}
