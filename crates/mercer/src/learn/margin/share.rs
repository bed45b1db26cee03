//! A share ν of margin errors between two classes.
//!
//! Weights a with Σ₊a = Σ₋a = S and a_i ≤ w_i describe the points of two reduced hulls, S times
//! over:
//!
//! ```text
//! minimise  D² = ‖Σ_{i∈+} a_i φ_i − Σ_{j∈−} a_j φ_j‖²,   S = νW/2.
//! ```
//!
//! D² = 2Sr at the optimum, r the margin of the ν form. The smaller ν is, the fewer rows may carry
//! the sum, and the larger are the hulls: those that meet part again at a larger ν. Rows that
//! contradict each other meet up to a ν of their own.
//!
//! At a violation v the optimum D* satisfies D·D* ≥ D² − 2Sv. Hulls are known to be apart once
//! D² > 2Sv, and to meet as far as can be told once D² is below its rounding; the tolerance is
//! tightened until one of them holds.

use super::binary::{Binary, Outcome, Rule, soft_outcome, solve_soft};
use super::dual::fill_up;
use super::settings::{Bias, SolverSettings};
use crate::fit::StopReason;
use crate::hint::{Hint, Word};
use crate::solver::smo::{DualProblem, Solution};
use crate::{Error, Result};

/// Units of rounding in a kernel value and in the sum of a few dozen of them.
const ROUNDING: f64 = 64.0;

/// The largest ν that rows of these weights allow: twice the share of the smaller class.
pub(super) fn largest_nu(weights: &[f64], positives: usize) -> f64 {
    let (first, second) = weights.split_at(positives);
    let (first, second) = (first.iter().sum::<f64>(), second.iter().sum::<f64>());
    2.0 * first.min(second) / (first + second)
}

/// Solves for a share ν; class weights act on the C that ν stands for.
///
/// A share of margin errors has no room for class weights: they would only move the largest
/// feasible ν. So the unweighted problem gives C = 1/r, and the weights apply to that.
pub(super) fn solve_share(
    binary: &mut Binary<'_>,
    weights: &[f64],
    nu: f64,
    lower: bool,
    solver: &SolverSettings,
    stage: &str,
) -> Result<Outcome> {
    let plain: Vec<f64> = if binary.factors.is_empty() {
        weights.to_vec()
    } else {
        let pairs = weights.iter().zip(&binary.factors);
        pairs
            .map(|(w, f)| if *f > 0.0 { w / f } else { 0.0 })
            .collect()
    };
    let most = largest_nu(&plain, binary.positives);
    let nu = if lower { nu.min(most) } else { nu };
    let (outcome, r) = solve_nu(binary, &plain, nu, solver, stage)?;
    if binary.factors.is_empty() {
        return Ok(outcome);
    }
    let (c, bias) = (1.0 / r, Bias::Free);
    let mut weighted = solve_soft(binary, weights, c, bias, None, solver, stage)?;
    weighted.iterations += outcome.iterations;
    Ok(weighted)
}

/// Solves the ν form and rescales it to the soft margin with C = 1/r that it equals; returns
/// r as well.
fn solve_nu(
    binary: &mut Binary<'_>,
    weights: &[f64],
    nu: f64,
    solver: &SolverSettings,
    stage: &str,
) -> Result<(Outcome, f64)> {
    let split = binary.positives;
    let total: f64 = weights.iter().sum();
    let sum = nu * total / 2.0;
    let most = largest_nu(weights, split);
    if nu > most * (1.0 + 1e-12) {
        return Err(Error::setting(
            "nu",
            nu,
            &format!(
                "at most {most} for {}, twice the share of the smaller class",
                binary.name()
            ),
        ));
    }
    let problem = Rule::Nu { nu, lower: false }.dual(split, weights);
    let mut start = fill_up(&problem.upper[..split], sum);
    start.extend(fill_up(&problem.upper[split..], sum));
    let Some(solution) = solve_apart(binary, &problem, start, sum, solver, stage)? else {
        return Err(vanishing(nu, most, binary));
    };
    // F = −f, so that the classes' levels are −r₊ and r₋ with r = (r₊ + r₋)/2.
    let high = -problem.level(&solution.alpha, &solution.residuals, 0..split);
    let low = -problem.level(&solution.alpha, &solution.residuals, split..problem.len());
    let r = (high - low) / 2.0;
    if r.is_nan() || r <= 0.0 {
        return Err(vanishing(nu, most, binary));
    }
    let middle = f64::midpoint(high, low);
    let alpha: Vec<f64> = solution.alpha.iter().map(|a| a / r).collect();
    let beta = problem.coefficients(&alpha);
    let decision: Vec<f64> = solution
        .residuals
        .iter()
        .map(|f| (-f - middle) / r)
        .collect();
    let scaled = DualProblem {
        upper: problem.upper.iter().map(|u| u / r).collect(),
        ..problem
    };
    let bias = -middle / r;
    let mut outcome = soft_outcome(
        scaled,
        &solution,
        alpha,
        beta,
        bias,
        decision,
        bias,
        1.0 / r,
    );
    outcome.violation = solution.violation / r;
    Ok((outcome, r))
}

/// Solves until the hulls are known to be apart; `None` where they meet as far as can be told.
///
/// A solver that runs out of its budget gives what it has.
fn solve_apart(
    binary: &mut Binary<'_>,
    problem: &DualProblem,
    mut start: Vec<f64>,
    sum: f64,
    solver: &SolverSettings,
    stage: &str,
) -> Result<Option<Solution>> {
    let mut options = solver.options(problem.rows);
    let mut taken = 0;
    loop {
        let workspace = &mut binary.workspace;
        let mut solution = workspace.solve(problem, start, &options, stage, binary.span.clone())?;
        let steps = solution.iterations;
        taken += steps;
        solution.iterations = taken;
        let beta = problem.coefficients(&solution.alpha);
        let terms = beta.iter().zip(&solution.residuals);
        let squared: f64 = terms.map(|(b, f)| -b * f).sum();
        let gap = 2.0 * sum * solution.violation;
        let (diagonal, unit) = workspace.diagonal(problem.len())?;
        let sizes = beta.iter().zip(diagonal);
        let size: f64 = sizes.map(|(b, k)| b.abs() * k.abs().sqrt()).sum();
        let rounding = ROUNDING * unit * size * size;
        if squared > gap && squared > rounding {
            return Ok(Some(solution));
        }
        match solution.stop_reason {
            StopReason::Converged => {}
            StopReason::Stalled => return Ok(None),
            _ => return Ok(Some(solution)),
        }
        let in_double = unit == f64::EPSILON;
        // A tolerance below rounding is not met.
        let finest = solution.violation > options.tolerance;
        if in_double && (gap <= rounding || finest) {
            return Ok(None);
        }
        workspace.insist_on_double();
        options.tolerance = 0.1 * options.tolerance.min(squared.max(rounding) / (2.0 * sum));
        options.max_iterations = options.max_iterations.saturating_sub(steps);
        start = solution.alpha;
    }
}

/// The hulls of the rows meet at a ν; at the largest one no other is left.
fn vanishing(nu: f64, most: f64, binary: &Binary<'_>) -> Error {
    if nu >= most * (1.0 - 1e-12) {
        return Error::rows(
            format!(
                "no `nu` works for {}: their margin vanishes even at {most}, the largest there is, because the rows of the two classes have the same mean to this kernel",
                binary.name()
            ),
            Hint::from("use ")
                .word(Word::Models(&["svc"]))
                .then(", columns that tell the classes apart, or another ")
                .word(Word::Setting("kernel")),
        );
    }
    Error::setting(
        "nu",
        nu,
        &format!(
            "larger: at this value the margin of {} vanishes",
            binary.name()
        ),
    )
}
