//! Why a solver stopped.

use serde::{Deserialize, Serialize};

/// Why a solver stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The exact violation over all rows is within the tolerance.
    Converged,
    /// The iteration budget is used up.
    IterationLimit,
    /// The time budget is used up.
    TimeLimit,
    /// The memory budget does not allow another step.
    MemoryLimit,
    /// Somebody asked to stop.
    Cancelled,
    /// No step improves the objective any more at this precision.
    Stalled,
    /// The rows cannot be separated.
    NotSeparable,
    /// Steps were too long: the objective grew without end.
    Diverged,
}

impl StopReason {
    /// Returns the reason as files and reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::IterationLimit => "iteration_limit",
            Self::TimeLimit => "time_limit",
            Self::MemoryLimit => "memory_limit",
            Self::Cancelled => "cancelled",
            Self::Stalled => "stalled",
            Self::NotSeparable => "not_separable",
            Self::Diverged => "diverged",
        }
    }

    /// Orders reasons by how much they take away from the result.
    fn severity(self) -> u8 {
        match self {
            Self::Converged => 0,
            Self::Stalled => 1,
            Self::IterationLimit => 2,
            Self::TimeLimit => 3,
            Self::MemoryLimit => 4,
            Self::Cancelled => 5,
            Self::NotSeparable => 6,
            Self::Diverged => 7,
        }
    }

    /// Returns the more serious of two reasons.
    pub fn worse(self, other: Self) -> Self {
        if self.severity() >= other.severity() {
            self
        } else {
            other
        }
    }
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
