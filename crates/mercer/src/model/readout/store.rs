//! A readout in model files.

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use super::{ClassReadout, Readout, Scheme, Sigmoid};
use crate::model::Tensors;
use crate::{Error, Result};

/// What is stored of a readout beside its tensors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(in crate::model) enum ReadoutShape {
    Classes {
        labels: Vec<String>,
        scheme: Scheme,
        probabilities: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        class_factors: Option<Vec<f64>>,
    },
    Values,
    Novelty,
    Clusters,
    Coordinates,
}

impl Readout {
    /// Puts sigmoids into a tensor and returns the rest.
    pub(in crate::model) fn store(&self, tensors: &mut Tensors) -> ReadoutShape {
        match self {
            Self::Classes(classes) => {
                if let Some(sigmoids) = &classes.sigmoids {
                    let values = sigmoids.iter().flat_map(|s| [s.a, s.b]).collect();
                    let matrix = Matrix::from_vec(sigmoids.len(), 2, values);
                    tensors.add_matrix("sigmoids", &matrix);
                }
                ReadoutShape::Classes {
                    labels: classes.labels.clone(),
                    scheme: classes.scheme,
                    probabilities: classes.sigmoids.is_some(),
                    class_factors: classes.factors.clone(),
                }
            }
            Self::Values => ReadoutShape::Values,
            Self::Novelty => ReadoutShape::Novelty,
            Self::Clusters => ReadoutShape::Clusters,
            Self::Coordinates => ReadoutShape::Coordinates,
        }
    }

    /// Takes the sigmoids back.
    pub(in crate::model) fn load(shape: ReadoutShape, tensors: &mut Tensors) -> Result<Self> {
        Ok(match shape {
            ReadoutShape::Classes {
                labels,
                scheme,
                probabilities,
                class_factors,
            } => Self::Classes(ClassReadout {
                labels,
                scheme,
                sigmoids: probabilities.then(|| sigmoids(tensors)).transpose()?,
                factors: class_factors,
            }),
            ReadoutShape::Values => Self::Values,
            ReadoutShape::Novelty => Self::Novelty,
            ReadoutShape::Clusters => Self::Clusters,
            ReadoutShape::Coordinates => Self::Coordinates,
        })
    }
}

fn sigmoids(tensors: &mut Tensors) -> Result<Vec<Sigmoid>> {
    let matrix = tensors.take_matrix("sigmoids")?;
    if matrix.columns() != 2 {
        return Err(Error::model("sigmoids need two columns"));
    }
    Ok((0..matrix.rows())
        .map(|r| Sigmoid {
            a: matrix[(r, 0)],
            b: matrix[(r, 1)],
        })
        .collect())
}
