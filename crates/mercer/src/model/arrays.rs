//! Predictions as arrays of the crate `ndarray`.
//!
//! Decision values are a matrix: `Array2::from(predictions.decisions)` takes them over.

use ndarray::{Array1, Array2};

use super::Answers;

impl Answers {
    /// Returns predicted numbers, a row per record and a column per target; `None` where the
    /// model predicts something else.
    pub fn to_values(&self) -> Option<Array2<f64>> {
        match self {
            Self::Values(values) => {
                let shape = (values.len(), 1);
                Some(Array2::from_shape_fn(shape, |(row, _)| values[row]))
            }
            Self::Several(values) => Some(values.clone().into()),
            Self::Classes { .. } | Self::Novelty { .. } | Self::Clusters { .. } => None,
        }
    }

    /// Returns the probabilities of classes, a row per record and a column per label; `None` where
    /// the model has none.
    pub fn to_probabilities(&self) -> Option<Array2<f64>> {
        let Self::Classes {
            labels,
            probabilities: Some(rows),
            ..
        } = self
        else {
            return None;
        };
        let shape = (rows.len(), labels.len());
        Some(Array2::from_shape_fn(shape, |(row, class)| {
            rows[row][class]
        }))
    }

    /// Returns the code of the class or cluster of every record; `None` where the model predicts
    /// something else.
    pub fn to_codes(&self) -> Option<Array1<u32>> {
        match self {
            Self::Classes { codes, .. } | Self::Clusters { codes, .. } => {
                Some(codes.iter().copied().collect())
            }
            Self::Values(_) | Self::Several(_) | Self::Novelty { .. } => None,
        }
    }
}
