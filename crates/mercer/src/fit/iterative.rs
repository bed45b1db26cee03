//! What a solver that only multiplies by a matrix tells of itself.

use serde::{Deserialize, Serialize};

/// How a system was solved whose matrix was never factored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IterativeReport {
    /// Largest relative residual, from kernel values and sums in double precision.
    pub residual: f64,
    /// Passes over the kernel matrix by conjugate gradients.
    pub iterations: u64,
    /// Pivots of the preconditioner.
    pub preconditioner_rank: usize,
    /// Share of the trace of the kernel matrix that the pivots leave.
    pub preconditioner_left: f64,
    /// Whether kernel values were kept between passes.
    pub stored: bool,
    /// How the regularisation was found, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<EstimateReport>,
}

/// A regularisation that was found from random columns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EstimateReport {
    /// Logarithm of the evidence (level 2), up to a constant of the rows.
    pub log_evidence: f64,
    /// Its standard error.
    pub log_evidence_error: f64,
    /// Standard error of log γ.
    pub log_ratio_error: f64,
    /// Standard error of the effective number of parameters.
    pub effective_error: f64,
    /// Random columns.
    pub probes: usize,
    /// Passes over the kernel matrix.
    pub passes: usize,
}
