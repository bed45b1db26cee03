//! What a graph cannot express.

use crate::Error;

/// Says what cannot be expressed, why, and what to do instead.
pub(super) fn refuse(what: &str, cure: &str) -> Error {
    mercer::Error::Unsupported {
        what: format!("ONNX cannot express {what}"),
        cure: cure.to_owned(),
    }
    .into()
}
