//! Settings of gradient descent.

use serde::{Deserialize, Serialize};

/// How least squares is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinearSolver {
    /// Factors, or conjugate gradients where rows are sparse and factors would take much longer.
    #[default]
    Auto,
    /// Orthogonal factors: exact.
    Factors,
    /// Conjugate gradients on the normal equations.
    Conjugate,
    /// Steps down the slope over all rows.
    Batch,
    /// A step after every row.
    Online,
}

/// How steps change from epoch to epoch; t counts them from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schedule {
    /// α.
    #[default]
    Constant,
    /// α/(1 + t): the sum of all steps grows without end, that of their squares does not.
    Inverse,
    /// α/√(1 + t).
    Root,
}

impl Schedule {
    /// The step of an epoch.
    pub(super) fn step(self, first: f64, epoch: u64) -> f64 {
        let t = 1.0 + epoch as f64;
        match self {
            Self::Constant => first,
            Self::Inverse => first / t,
            Self::Root => first / t.sqrt(),
        }
    }

    /// The name in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Inverse => "inverse",
            Self::Root => "root",
        }
    }
}

/// The solver of least squares, and the steps of one that descends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
#[serde(default)]
pub struct Descent {
    /// How the weights are found: `factors` is exact and tells rank and standard errors, `conjugate` is for many sparse columns,
    /// `auto` chooses between them by cost; `batch` steps down the slope of all rows, `online` of one row after the other.
    #[setting(words("auto", "factors", "conjugate", "batch", "online"), unlisted)]
    pub solver: LinearSolver,
    /// First step of `batch` and `online`; left open, half the longest that is sure to converge.
    #[setting(positive, unlisted)]
    pub step: Option<f64>,
    /// How the steps of `batch` and `online` change: the same in every epoch t, divided by 1 + t, or by its root.
    #[setting(words("constant", "inverse", "root"), unlisted)]
    pub schedule: Schedule,
    /// Most passes of `batch` and `online` over the rows, and most steps of `conjugate`.
    #[setting(count, unlisted)]
    pub epochs: usize,
    /// Whether `online` takes the rows in an order drawn anew in every epoch.
    #[setting(switch, unlisted)]
    pub shuffle: bool,
    /// Violation of the normal equations at which `batch` and `online` stop.
    #[setting(not_negative, python = "tol")]
    pub tolerance: f64,
}

impl Default for Descent {
    fn default() -> Self {
        Self {
            solver: LinearSolver::Auto,
            step: None,
            schedule: Schedule::Constant,
            epochs: 1000,
            shuffle: true,
            tolerance: 1e-6,
        }
    }
}
