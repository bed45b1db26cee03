//! One way to learn, tried.

use serde::{Deserialize, Serialize};

use crate::model::AnyEstimator;

/// A method with its settings and what it achieved on left-out rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// What was tried, in words.
    pub name: String,
    /// The method, such as `ls_svc`.
    pub method: String,
    /// The kernel as an expression.
    pub kernel: String,
    /// Mean loss of left-out rows: share of wrong classes, or mean squared error.
    pub loss: f64,
    /// Standard error of that mean.
    pub standard_error: f64,
    /// Mean difference to the chosen trial on the same rows: 0 for that one, below 0 for one that
    /// was better, but not by more than chance.
    pub behind: f64,
    /// Standard error of that difference.
    pub behind_error: f64,
}

impl Trial {
    /// Multiplies all losses, which stay finite.
    pub(super) fn scale(&mut self, factor: f64) {
        let losses = [
            &mut self.loss,
            &mut self.standard_error,
            &mut self.behind,
            &mut self.behind_error,
        ];
        for loss in losses {
            *loss = (*loss * factor).clamp(-f64::MAX, f64::MAX);
        }
    }

    /// Returns whether the trial is behind the best by more than chance explains.
    pub fn is_clearly_behind(&self) -> bool {
        self.behind > CLEAR * self.behind_error
    }
}

/// Differences this many standard errors wide are more than chance.
const CLEAR: f64 = 2.0;

/// A trial with what is needed to go on.
pub(super) struct Tried {
    pub(super) name: String,
    pub(super) estimator: AnyEstimator,
    /// Loss of every row when its fold was left out; NaN where it was not judged.
    pub(super) losses: Vec<f64>,
    /// How strange the true class of every row looked then, where that is known.
    pub(super) strangeness: Option<Vec<f64>>,
    /// Numbers of its kernel that were fitted to the rows it was judged on.
    pub(super) fitted_numbers: usize,
    /// Whether its settings do not hang on the folds it was judged by.
    pub(super) is_steady: bool,
}
