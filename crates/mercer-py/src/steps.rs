//! Models that take rows as they were before other steps: scalers, imputers, one-hot encoders.

use mercer::data::Encoder;
use mercer::model::Trained;
use pyo3::PyResult;
use pyo3::exceptions::PyValueError;

use crate::failure::raise;

/// Returns the model with another encoder in front, which makes the same features of other
/// columns.
///
/// `encoder` is written as in model files.
pub(crate) fn with_encoder(trained: &Trained, encoder: &str) -> PyResult<Trained> {
    let encoder: Encoder = serde_json::from_str(encoder)
        .map_err(|error| PyValueError::new_err(format!("the encoder cannot be used: {error}")))?;
    let (made, needed) = (encoder.width(), trained.encoder.width());
    if made != needed {
        return Err(PyValueError::new_err(format!(
            "the encoder makes {made} features; the model reads {needed}"
        )));
    }
    let mut changed = trained.clone();
    changed.form.name_features(encoder.groups());
    changed.encoder = encoder;
    // A kernel may name columns that are called otherwise now.
    let bound = changed.predictor(mercer_linalg::Precision::F64);
    bound.map_err(|e| raise(&e))?;
    Ok(changed)
}
