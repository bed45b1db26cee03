//! Penalties g(‖f‖) = ‖f‖^p/p other than ½‖f‖².
//!
//! The representer theorem holds for every non-decreasing g. Where ‖f‖ = N > 0 the slope of g is
//! that of ½‖f‖² times N^{p−2}: f minimises ½‖f‖² + sC Σ L as well, with s = N^{2−p}. N grows with s,
//! at most in proportion, so that log s − (2 − p) log N(s) does not fall for p ≥ 1 and its zero
//! is found between two signs. For p = 1 there may be none: f = 0, as in the group LASSO.

use super::newton::{RiskProblem, RiskSolution};
use crate::Result;
use crate::fit::{FitContext, StopReason};

/// Most solutions of the quadratic penalty.
const STEPS: u32 = 60;
/// Bounds of log s; beyond them f is a constant to eight digits, or follows every row.
const FAR: f64 = 20.0;
/// Miss of log s = (2 − p) log N at a solution.
const CLOSE: f64 = 1e-9;

/// Minimises ‖f‖^p/p + C Σ L.
///
/// # Errors
/// Those of [`RiskProblem::solve`].
pub(super) fn solve(
    problem: &RiskProblem<'_>,
    power: f64,
    context: &FitContext,
) -> Result<RiskSolution> {
    if power == 2.0 {
        return problem.solve(context);
    }
    let mut steps = 0;
    let mut at = |log: f64| -> Result<(f64, RiskSolution)> {
        let scaled: Vec<f64> = problem.prices.iter().map(|p| p * log.exp()).collect();
        let own = RiskProblem {
            prices: &scaled,
            ..*problem
        };
        let mut solution = own.solve(context)?;
        steps += solution.steps;
        let loss = (solution.objective - 0.5 * solution.norm.powi(2)) / log.exp();
        solution.stretch = log.exp();
        solution.objective = solution.norm.powf(power) / power + loss;
        let miss = if solution.norm > 0.0 {
            log - (2.0 - power) * solution.norm.ln()
        } else {
            f64::INFINITY
        };
        Ok((miss, solution))
    };
    let (first, mut best) = at(0.0)?;
    let (mut low, mut high) = ((0.0, first), (0.0, first));
    let mut width = 1.0;
    while low.1 > 0.0 && low.0 > -FAR && best.stop_reason != StopReason::TimeLimit {
        high = low;
        let next = at(low.0 - width)?;
        low = (low.0 - width, next.0);
        best = next.1;
        width *= 2.0;
    }
    while high.1 < 0.0 && high.0 < FAR && best.stop_reason != StopReason::TimeLimit {
        low = high;
        let next = at(high.0 + width)?;
        high = (high.0 + width, next.0);
        best = next.1;
        width *= 2.0;
    }
    if low.1 > 0.0 && best.stop_reason != StopReason::TimeLimit {
        // The penalty is too steep for any f but a constant.
        best.alpha.fill(0.0);
        best.norm = 0.0;
        best.objective = problem.loss_of_constant(best.bias);
    } else {
        for _ in 0..STEPS {
            if best.stop_reason == StopReason::TimeLimit || high.0 - low.0 < CLOSE {
                break;
            }
            // The secant where it lies well inside, the middle otherwise.
            let share = low.1 / (low.1 - high.1);
            let share = if share.is_finite() {
                share.clamp(0.05, 0.95)
            } else {
                0.5
            };
            let log = low.0 + share * (high.0 - low.0);
            let (miss, solution) = at(log)?;
            best = solution;
            if miss.abs() < CLOSE {
                break;
            }
            if miss < 0.0 {
                low = (log, miss);
            } else {
                high = (log, miss);
            }
        }
    }
    best.steps = steps;
    Ok(best)
}
