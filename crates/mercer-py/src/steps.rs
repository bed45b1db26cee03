//! Models that take rows as they were before other steps: scalers, imputers, one-hot encoders.

use mercer::data::{Encoder, FeatureGroup};
use mercer::model::{Form, Trained};
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
    name_features(&mut changed.form, encoder.groups());
    changed.encoder = encoder;
    // A kernel may name columns that are called otherwise now.
    let bound = changed.predictor(mercer_linalg::Precision::F64);
    bound.map_err(|e| raise(&e))?;
    Ok(changed)
}

/// Says where the features of a model come from.
fn name_features(form: &mut Form, groups: Vec<FeatureGroup>) {
    match form {
        Form::Expansion(model) => model.support.features.groups = groups,
        Form::Linear(model) => model.features = groups,
        Form::Layers(model) => model.features = groups,
        Form::Prototypes(model) => model.rows.features.groups = groups,
        Form::Nearest(model) => model.rows.features.groups = groups,
        Form::Tree(model) => model.features = groups,
        Form::Projection(model) => model.features = groups,
        Form::Chain(model) => name_features(&mut model.projection, groups),
        Form::Neighbours(model) => model.rows.features.groups = groups,
        Form::Memory(model) => model.features = groups,
        Form::Features(model) => {
            if let mercer::features::FeatureMap::Landmarks(map) = &mut model.map {
                map.landmarks.features.groups.clone_from(&groups);
            }
            model.features = groups;
        }
    }
}
