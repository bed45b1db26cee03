//! Decisions of version 1, with their tensors, as present ones.

use mercer_linalg::Matrix;

use crate::data::Task;
use crate::model::Tensors;
use crate::model::expansion;
use crate::model::readout::{self, ClassReadout, LeftOut, Readout, Sigmoid};
use crate::model::v1::document;
use crate::model::v1::machine::{Copies, LEFT_OUT, Levels, Machine, Posterior, SIGMOIDS, Scheme};
use crate::solver::least_squares;
use crate::{Error, Result};

impl document::Task {
    pub(in crate::model::v1) fn into_task(self) -> Task {
        match self {
            Self::Classify => Task::Classify,
            Self::Regress => Task::Regress,
            Self::Novelty => Task::Novelty,
            Self::Cluster => Task::Cluster,
            Self::Embed => Task::Embed,
        }
    }
}

impl Machine {
    /// Takes the sigmoids out of the tensors; returns what decisions stand for, and the number of
    /// support vectors of each class where there are classes.
    pub(in crate::model::v1) fn into_readout(
        self,
        tensors: &mut Tensors,
    ) -> Result<(Readout, Option<Vec<usize>>)> {
        Ok(match self {
            Self::Classifier {
                labels,
                scheme,
                class_sizes,
                probabilities,
                class_factors,
            } => {
                let sigmoids = if probabilities {
                    Some(sigmoids(&tensors.take_matrix(SIGMOIDS)?)?)
                } else {
                    None
                };
                let classes = ClassReadout {
                    labels,
                    scheme: scheme.into_scheme(),
                    sigmoids,
                    factors: class_factors,
                };
                (Readout::Classes(classes), Some(class_sizes))
            }
            Self::Regressor => (Readout::Values, None),
            Self::Novelty => (Readout::Novelty, None),
        })
    }
}

fn sigmoids(matrix: &Matrix<f64>) -> Result<Vec<Sigmoid>> {
    if matrix.columns() != 2 {
        return Err(Error::model("sigmoids need two columns"));
    }
    let sigmoid = |r| Sigmoid {
        a: matrix[(r, 0)],
        b: matrix[(r, 1)],
    };
    Ok((0..matrix.rows()).map(sigmoid).collect())
}

impl Scheme {
    pub(super) fn into_scheme(self) -> readout::Scheme {
        match self {
            Self::OneVsOne => readout::Scheme::OneVsOne,
            Self::OneVsRest => readout::Scheme::OneVsRest,
        }
    }
}

impl Posterior {
    pub(in crate::model::v1) fn into_posterior(self) -> expansion::Posterior {
        expansion::Posterior {
            ratio: self.ratio,
            levels: self.levels.into_iter().map(Levels::into_levels).collect(),
            weights: self.weights,
            intercept: self.intercept,
        }
    }
}

impl Levels {
    fn into_levels(self) -> least_squares::Levels {
        least_squares::Levels {
            prior: self.prior,
            noise: self.noise,
        }
    }
}

impl Copies {
    pub(in crate::model::v1) fn into_copies(self) -> expansion::Copies {
        expansion::Copies::unchecked(self.counts, self.rows, self.weights, self.prices)
    }
}

/// Takes the nonconformity scores of held-out rows, where there are any.
///
/// Scores that are no number are refused: leaving them out would narrow every interval.
pub(in crate::model::v1) fn take_left_out(tensors: &mut Tensors) -> Result<Option<LeftOut>> {
    if !tensors.0.contains_key(LEFT_OUT) {
        return Ok(None);
    }
    let scores = tensors.take_f64(LEFT_OUT)?;
    if scores.iter().any(|s| !s.is_finite()) {
        return Err(Error::model("a score of a held-out row is not finite"));
    }
    let left_out = LeftOut::new(scores);
    left_out
        .map(Some)
        .ok_or_else(|| Error::model("there are no scores of held-out rows"))
}
