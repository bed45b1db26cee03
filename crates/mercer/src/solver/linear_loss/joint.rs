//! Several classes at once with one margin between each and all others.
//!
//! ```text
//! min ½ λ Σ_k ‖w_k‖² + Σ_i price_i max(0, 1 + max over k ≠ y_i of f_k(x_i) − f_y(x_i))
//! ```
//!
//! The pass over the rows is [`mercer_linalg::LinearRows::descend_jointly`]; here are the order of the rows and
//! the gap. Rows whose multipliers seem settled are set aside, and looked at again before anything is called
//! converged.

use mercer_linalg::{JointSides, dot};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::newton::stopped;
use super::passes::Passes;
use super::{Limits, Solution, Space};
use crate::data::random::shuffle;
use crate::fit::{FitContext, StopReason};

/// Classes of rows with a price for each row.
pub(crate) struct Codes<'a> {
    /// The class of every row.
    pub(crate) of_rows: &'a [u32],
    /// Weight of every row's errors; above 0.
    pub(crate) prices: &'a [f64],
    /// Number of classes.
    pub(crate) classes: usize,
}

/// Minimises from multipliers of zero; a constant is penalised like a weight.
pub(crate) fn joint(
    space: &Space<'_>,
    codes: &Codes<'_>,
    limits: Limits,
    context: &FitContext,
) -> Solution {
    /// Violation at which the gap is looked at first.
    const FIRST: f64 = 0.3;
    /// What this falls by where the gap is too large.
    const FALL: f64 = 0.4;
    let rows = space.rows;
    let (count, classes) = (rows.rows(), codes.classes);
    let passes = Passes::new(space, classes, context);
    let caps: Vec<f64> = codes.prices.iter().map(|p| p / space.penalty).collect();
    let constant = space.constant;
    let squares: Vec<f64> = rows
        .squared_norms()
        .iter()
        // A row of zeros has no say but in its own multipliers.
        .map(|square| (square + constant * constant).max(f64::MIN_POSITIVE))
        .collect();
    let mut multipliers = vec![0.0; count * classes];
    let mut weights = vec![0.0; (rows.width() + 1) * classes];
    let mut random = ChaCha8Rng::seed_from_u64(limits.seed);
    let all = || (0..count as u32).collect::<Vec<u32>>();
    let (mut order, mut slack) = (all(), f64::INFINITY);
    let start: f64 = codes.prices.iter().sum();
    let (mut fine, mut idle, mut least_gap) = (FIRST, 0, f64::INFINITY);
    let mut iterations = 0;
    let mut violation = f64::INFINITY;
    let stop_reason = loop {
        if !context.goes_on() {
            break stopped(context);
        }
        if iterations >= limits.iterations {
            break StopReason::IterationLimit;
        }
        iterations += 1;
        shuffle(&mut random, &mut order);
        let whole = order.len() == count && slack == f64::INFINITY;
        let mut sides = JointSides {
            classes,
            codes: codes.of_rows,
            caps: &caps,
            squares: &squares,
            constant,
            multipliers: &mut multipliers,
            weights: &mut weights,
        };
        let most = rows.descend_jointly(&mut sides, &mut order, slack);
        if most > fine && !order.is_empty() {
            slack = most;
            continue;
        }
        if !whole {
            (order, slack) = (all(), f64::INFINITY);
            continue;
        }
        violation = most;
        weights = passes.combine(&multipliers);
        let (primal, gap) = gap(&passes, codes, &multipliers, &weights);
        if limits.reached(gap, primal, start) {
            break StopReason::Converged;
        }
        // Rounding has the last word where many looks gain nothing.
        idle = if gap > 0.5 * least_gap { idle + 1 } else { 0 };
        least_gap = least_gap.min(gap);
        if idle > 20 {
            break StopReason::Stalled;
        }
        fine *= FALL;
        slack = f64::INFINITY;
    };
    weights = passes.combine(&multipliers);
    let (primal, gap) = gap(&passes, codes, &multipliers, &weights);
    Solution {
        weights,
        primal,
        gap,
        violation,
        iterations,
        stop_reason,
        way: "dual coordinate descent on all classes at once",
        unbounded: false,
    }
}

/// The objective, and how far it can be from the least.
fn gap(passes: &Passes<'_>, codes: &Codes<'_>, multipliers: &[f64], weights: &[f64]) -> (f64, f64) {
    let classes = codes.classes;
    let decisions = passes.decisions(weights);
    let (mut cost, mut reward) = (0.0, 0.0);
    let each = decisions
        .chunks_exact(classes)
        .zip(multipliers.chunks_exact(classes));
    for ((decisions, multipliers), (&own, price)) in
        each.zip(codes.of_rows.iter().zip(codes.prices))
    {
        let own = own as usize;
        let others = (0..classes).filter(|k| *k != own);
        let second = others
            .map(|k| decisions[k])
            .fold(f64::NEG_INFINITY, f64::max);
        cost += price * (1.0 + second - decisions[own]).max(0.0);
        reward += multipliers[own];
    }
    let norm = 0.5 * passes.space.penalty * dot(weights, weights);
    let primal = norm + cost;
    (
        primal,
        (primal - (passes.space.penalty * reward - norm)).max(0.0),
    )
}
