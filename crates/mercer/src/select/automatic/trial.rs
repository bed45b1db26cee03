//! One way to learn, tried.

use crate::learn::{AnyEstimator, ClassWeights};

/// A trial with what is needed to go on.
pub(super) struct Tried {
    pub(super) name: String,
    pub(super) estimator: AnyEstimator,
    /// Loss of every row when its fold was held out; NaN where it was not evaluated.
    pub(super) losses: Vec<f64>,
    /// The same by the metric that was asked for, where that is another.
    pub(super) measured: Option<Vec<f64>>,
    /// Factors of the classes that it was tried with.
    pub(super) class_weights: ClassWeights,
    /// √(μ Var y) of every row then, where the method has a posterior and predicts numbers.
    pub(super) deviations: Option<Vec<f64>>,
    /// The nonconformity score of every row's true class then, where that is known.
    pub(super) nonconformity: Option<Vec<f64>>,
    /// Hyperparameters of its kernel that were fitted to the rows it was evaluated on.
    pub(super) fitted_numbers: usize,
    /// Whether its settings do not hang on the folds it was evaluated by.
    pub(super) is_steady: bool,
}

impl Tried {
    /// What the trial is compared by.
    pub(super) fn compared(&self) -> &[f64] {
        self.measured.as_ref().unwrap_or(&self.losses)
    }
}
