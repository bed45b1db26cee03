//! What a network minimises, and how.

use serde::{Deserialize, Serialize};

/// What a network minimises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkLoss {
    /// Cross-entropy for classes, the squared loss for numbers.
    #[default]
    Auto,
    /// Half the squared distance of outputs and targets.
    Squared,
    /// Minus the log likelihood of classes, or of targets between 0 and 1.
    CrossEntropy,
    /// Half the deviance of counts, whose logarithm the network learns.
    Poisson,
}

/// How a network is led down its loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkSolver {
    /// Batches, with steps by running moments of the gradient.
    #[default]
    Adam,
    /// Batches, with momentum.
    Sgd,
    /// All rows, with the last changes of the gradient.
    Lbfgs,
    /// All rows, along conjugate directions.
    Cg,
    /// All rows, by damped Gauss–Newton steps (Levenberg–Marquardt).
    Lm,
}

impl NetworkSolver {
    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Adam => "adam",
            Self::Sgd => "sgd",
            Self::Lbfgs => "lbfgs",
            Self::Cg => "cg",
            Self::Lm => "lm",
        }
    }

    /// Whether it goes in batches.
    pub(super) fn is_stochastic(self) -> bool {
        matches!(self, Self::Adam | Self::Sgd)
    }
}

/// How the step of `sgd` changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkSchedule {
    /// It does not.
    #[default]
    Constant,
    /// Divided by a power of the number of rows met.
    Invscaling,
    /// Divided by five whenever the loss does not improve.
    Adaptive,
}
