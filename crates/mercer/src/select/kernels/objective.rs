//! What is climbed: the evidence of a kernel as a function of its free hyperparameters.

use mercer_linalg::{Matrix, Par};

use crate::Result;
use crate::data::Records;
use crate::fit::FitContext;
use crate::kernel::{Hyperparameter, ResolvedKernel};
use crate::solver::least_squares::{Problem, Solved, kernel_slopes};

/// Standard deviation of the prior of a logarithm: numbers within a factor of seven of where the
/// data put them are as likely as all others together.
pub(super) const SPREAD: f64 = 2.0;

/// A kernel family on some rows.
///
/// The unknowns are the logarithms of its hyperparameters and, last, log γ. The cost is
/// J + ‖θ − θ₀‖²/(2s²), with the prior N(θ₀, s²) of every log θ but not of log γ, which is as
/// likely anywhere in its range.
pub(super) struct Objective<'a> {
    pub(super) records: &'a Records,
    pub(super) targets: &'a Matrix<f64>,
    pub(super) weights: Option<&'a [f64]>,
    pub(super) kernel: &'a ResolvedKernel,
    pub(super) hyperparameters: &'a [Hyperparameter],
    /// θ₀.
    pub(super) centre: &'a [f64],
    pub(super) par: Par,
    pub(super) context: &'a FitContext,
}

impl Objective<'_> {
    /// Returns the kernel at a point.
    pub(super) fn kernel_at(&self, at: &[f64]) -> Result<ResolvedKernel> {
        let values: Vec<f64> = at[..self.hyperparameters.len()]
            .iter()
            .map(|t| t.exp())
            .collect();
        self.kernel.turned(self.hyperparameters, &values)
    }

    pub(super) fn problem<'b>(&'b self, gram: &'b Matrix<f64>) -> Problem<'b> {
        Problem {
            gram: gram.as_ref(),
            targets: self.targets,
            weights: self.weights,
            intercept: true,
        }
    }

    /// Solves at a point; `None` where the matrix is not positive definite to rounding.
    pub(super) fn solve(&self, at: &[f64]) -> Result<Option<(Matrix<f64>, Solved)>> {
        let kernel = self.kernel_at(at)?;
        let gram = kernel.gram_within(self.records, self.par, self.context)?;
        let ratio = at[self.hyperparameters.len()].exp();
        let proceed = || self.context.goes_on();
        let solved = self.problem(&gram).solve_while(ratio, self.par, &proceed);
        Ok(solved.ok().map(|solved| (gram, solved)))
    }

    /// Returns −log of the prior of the hyperparameters, up to a constant.
    pub(super) fn penalty(&self, at: &[f64]) -> f64 {
        let squares = at.iter().zip(self.centre).map(|(t, c)| (t - c).powi(2));
        squares.sum::<f64>() / (2.0 * SPREAD * SPREAD)
    }

    /// Returns cost and slopes; nothing where there are none, and when work may not go on.
    pub(super) fn value_and_slopes(&self, at: &[f64]) -> Option<(f64, Vec<f64>)> {
        let proceed = || self.context.goes_on();
        if !proceed() {
            return None;
        }
        // Places where a number overflows or a matrix is singular are no places to be.
        let kernel = self.kernel_at(at).ok()?;
        let (gram, solved) = self.solve(at).ok()??;
        let cost = solved.cost() + self.penalty(at);
        if !cost.is_finite() {
            return None;
        }
        let operator = solved.operator_while(self.par, &proceed).ok()?;
        let ratio_slope = operator.diagonal().ratio_slope();
        let mut slopes = if self.hyperparameters.is_empty() {
            Vec::new()
        } else {
            let g = operator.into_kernel_slope();
            kernel_slopes(
                &kernel,
                self.hyperparameters,
                self.records,
                &gram,
                &g,
                self.par,
            )
            .ok()?
        };
        for (k, slope) in slopes.iter_mut().enumerate() {
            *slope += (at[k] - self.centre[k]) / (SPREAD * SPREAD);
        }
        slopes.push(ratio_slope);
        slopes
            .iter()
            .all(|s| s.is_finite())
            .then_some((cost, slopes))
    }
}
