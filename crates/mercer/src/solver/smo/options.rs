//! When a solver stops, and what it hands over.

use std::ops::Range;

use crate::fit::{FitContext, StopReason};

/// When to stop and whether to set aside settled variables.
#[derive(Debug, Clone, PartialEq)]
pub struct SmoOptions {
    /// Largest KKT violation of a converged solution.
    pub tolerance: f64,
    /// Whether settled variables leave the active set.
    pub shrinking: bool,
    /// Largest number of steps.
    pub max_iterations: u64,
    /// Euclidean norm of the variables beyond which rounded kernel values cannot tell
    /// violations of the size of the tolerance; the solver then stops as stalled.
    pub largest_norm: f64,
}

impl SmoOptions {
    /// Returns the step budget for a problem where the user set none: ten million, more for
    /// more than 100,000 rows. Problems that need more do not converge in sensible time.
    pub(crate) fn default_iterations(rows: usize) -> u64 {
        (100 * rows as u64).max(10_000_000)
    }
}

/// Watches budgets on behalf of a solver and passes progress on.
pub struct Monitor<'a> {
    /// The fit this solver is part of.
    pub context: &'a FitContext,
    /// What is being solved.
    pub stage: String,
    /// Shares of the whole fit that are done before this problem and after it.
    pub span: Range<f64>,
}

impl Monitor<'_> {
    /// Share of the whole fit that is done when the violation has come down to a value: solvers gain
    /// about as many digits a second from beginning to end.
    pub(super) fn share(&self, first: f64, now: f64, tolerance: f64) -> f64 {
        let digits = (first / tolerance).ln();
        let done = (first / now).ln() / digits;
        let done = if digits > 0.0 && done.is_finite() {
            done.clamp(0.0, 1.0)
        } else {
            0.0
        };
        self.span.start + done * (self.span.end - self.span.start)
    }

    pub(super) fn stop(&self) -> Option<StopReason> {
        if self.context.cancel.is_cancelled() {
            Some(StopReason::Cancelled)
        } else if self.context.out_of_time() {
            Some(StopReason::TimeLimit)
        } else {
            None
        }
    }
}

/// A point the solver stopped at.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The variables a_t.
    pub alpha: Vec<f64>,
    /// F_t of every variable, recomputed from the kernel at the end.
    pub residuals: Vec<f64>,
    /// Largest KKT violation over all variables.
    pub violation: f64,
    /// Value of the minimised objective.
    pub objective: f64,
    /// Steps taken.
    pub iterations: u64,
    /// Why the solver stopped.
    pub stop_reason: StopReason,
}
