//! A primal-dual interior point method for losses with an edge and few columns.
//!
//! ```text
//! min ½ wᵀΛw + Σ c_i ξ_i   where  s_i f(x_i) + ξ_i − σ_i = t_i,  ξ ≥ 0,  σ ≥ 0
//! ```
//!
//! With multipliers 0 ≤ α ≤ c the solution has Λw = Σ α_i s_i x_i, α_i σ_i = 0 and (c_i − α_i) ξ_i = 0;
//! Newton's method follows the path on which both products are μ c_i, so that a row of price 2 goes
//! the way of two rows of price 1. Eliminating all but w leaves
//! (Λ + XᵀDX) Δw = r with D = 1/(ξ/(c − α) + σ/α): one factor a step, used twice (Mehrotra, On the
//! implementation of a primal-dual interior point method, 1992; Ferris and Munson, Interior-point
//! methods for massive support vector machines, 2002). About twenty steps, whatever C is.

use mercer_linalg::{Cholesky, Par, dot};

use super::newton::stopped;
use super::passes::Passes;
use super::{Edges, Limits, Solution, Space};
use crate::fit::{FitContext, StopReason};

/// Share of the way to the nearest bound that a step goes.
const INSIDE: f64 = 0.995;

/// The present point.
struct Point {
    weights: Vec<f64>,
    /// ⟨w, x⟩ + b of every row.
    decisions: Vec<f64>,
    /// α.
    multipliers: Vec<f64>,
    /// c − α: a number of its own, for it is small where α is near c.
    slack: Vec<f64>,
    /// ξ.
    short: Vec<f64>,
    /// σ.
    beyond: Vec<f64>,
}

/// Changes of a point.
struct Change {
    weights: Vec<f64>,
    decisions: Vec<f64>,
    multipliers: Vec<f64>,
    short: Vec<f64>,
    beyond: Vec<f64>,
}

/// Minimises from weights of zero.
pub(crate) fn interior_point(
    space: &Space<'_>,
    edges: &Edges,
    limits: Limits,
    context: &FitContext,
) -> Solution {
    let passes = Passes::new(space, 1, context);
    let machine = Machine {
        penalties: passes.penalties(),
        rows: space.rows.rows(),
        passes,
        edges,
        context,
    };
    machine.run(limits)
}

struct Machine<'a> {
    passes: Passes<'a>,
    penalties: Vec<f64>,
    rows: usize,
    edges: &'a Edges,
    context: &'a FitContext,
}

impl Machine<'_> {
    fn start(&self) -> Point {
        let edges = self.edges;
        let count = edges.prices.len();
        let size = edges.targets.iter().map(|t| t.abs()).sum::<f64>() / count as f64;
        let size = if size > 0.0 { size } else { 1.0 };
        let short: Vec<f64> = edges.targets.iter().map(|t| t.max(0.0) + size).collect();
        let beyond = short
            .iter()
            .zip(&edges.targets)
            .map(|(x, t)| x - t)
            .collect();
        let half: Vec<f64> = edges.prices.iter().map(|c| 0.5 * c).collect();
        Point {
            weights: vec![0.0; self.penalties.len()],
            decisions: vec![0.0; self.rows],
            multipliers: half.clone(),
            slack: half,
            short,
            beyond,
        }
    }

    /// Σ over the edges of a row of sign · value.
    fn by_row(&self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut sums = vec![0.0; self.rows];
        let mut row = 0;
        for value in values {
            sums[row] += value;
            row += 1;
            if row == self.rows {
                row = 0;
            }
        }
        sums
    }

    fn run(&self, limits: Limits) -> Solution {
        let edges = self.edges;
        let mut at = self.start();
        let start = edges.cost(&at.decisions);
        let mut best: Option<(f64, f64, Vec<f64>)> = None;
        let (mut stop_reason, mut iterations) = (StopReason::IterationLimit, 0);
        let mut violation;
        loop {
            let signed = at.multipliers.iter().zip(&edges.signs).map(|(a, s)| a * s);
            let sums = self.passes.combine(&self.by_row(signed));
            let (primal, gap) = self.gap(&at, &sums);
            violation = self.violation(&at, &sums);
            if best.as_ref().is_none_or(|(least, _, _)| primal < *least) {
                best = Some((primal, gap, at.weights.clone()));
            }
            if limits.reached(gap, primal, start) {
                stop_reason = StopReason::Converged;
                break;
            }
            if !self.context.goes_on() {
                stop_reason = stopped(self.context);
                break;
            }
            if iterations >= limits.iterations {
                break;
            }
            iterations += 1;
            if !self.advance(&mut at, &sums) {
                stop_reason = StopReason::Stalled;
                break;
            }
        }
        let (primal, gap, weights) = best.expect("the first point has a gap");
        Solution {
            weights,
            primal,
            gap,
            violation,
            iterations,
            stop_reason,
            way: "an interior point method",
            unbounded: false,
        }
    }

    /// The objective, and how far it can be from the least.
    fn gap(&self, at: &Point, sums: &[f64]) -> (f64, f64) {
        let square: f64 = self
            .penalties
            .iter()
            .zip(&at.weights)
            .map(|(p, w)| p * w * w)
            .sum();
        let primal = 0.5 * square + self.edges.cost(&at.decisions);
        let mut dual = dot(&self.edges.targets, &at.multipliers);
        for ((sum, penalty), weight) in sums.iter().zip(&self.penalties).zip(&at.weights) {
            if *penalty > 0.0 {
                dual -= 0.5 * sum * sum / penalty;
            } else {
                // A free constant asks for Σ α s = 0; what is left of it costs about this.
                dual -= (sum * weight).abs();
            }
        }
        (primal, (primal - dual).max(0.0))
    }

    /// Largest |Λw − Σ α s x|.
    fn violation(&self, at: &Point, sums: &[f64]) -> f64 {
        let each = self.penalties.iter().zip(&at.weights).zip(sums);
        each.map(|((p, w), sum)| (p * w - sum).abs())
            .fold(0.0, f64::max)
    }

    /// Goes one step; false where rounding allows none.
    fn advance(&self, at: &mut Point, sums: &[f64]) -> bool {
        let edges = self.edges;
        let count = edges.prices.len();
        let scales: Vec<f64> = (0..count)
            .map(|i| (at.short[i] / at.slack[i] + at.beyond[i] / at.multipliers[i]).recip())
            .collect();
        let mut matrix = self.passes.squares(&self.by_row(scales.iter().copied()));
        for (j, penalty) in self.penalties.iter().enumerate() {
            matrix[(j, j)] += penalty;
            if matrix[(j, j)] <= 0.0 {
                matrix[(j, j)] = 1.0;
            }
        }
        let Ok(factor) = Cholesky::factor(matrix, self.context.par()) else {
            return false;
        };
        let product = |p: &Point| dot(&p.multipliers, &p.beyond) + dot(&p.slack, &p.short);
        let total = 2.0 * edges.prices.iter().sum::<f64>();
        let mean = product(at) / total;
        let first = self.change(at, sums, &scales, &factor, |_| (0.0, 0.0));
        let length = longest(at, &first).min(1.0);
        // What the products would be there says how much to aim inwards.
        let ahead: f64 = (0..count)
            .map(|i| {
                let alpha = at.multipliers[i] + length * first.multipliers[i];
                let slack = at.slack[i] - length * first.multipliers[i];
                alpha * (at.beyond[i] + length * first.beyond[i])
                    + slack * (at.short[i] + length * first.short[i])
            })
            .sum();
        let aim = mean * (ahead / total / mean).powi(3).min(1.0);
        let second = self.change(at, sums, &scales, &factor, |i| {
            let (bent, aim) = (first.multipliers[i], aim * edges.prices[i]);
            (bent * first.beyond[i] - aim, -bent * first.short[i] - aim)
        });
        let length = (INSIDE * longest(at, &second)).min(1.0);
        if !(length > 1e-10 && second.weights.iter().all(|w| w.is_finite())) {
            return false;
        }
        go(&mut at.weights, length, &second.weights);
        go(&mut at.decisions, length, &second.decisions);
        go(&mut at.multipliers, length, &second.multipliers);
        go(&mut at.slack, -length, &second.multipliers);
        go(&mut at.short, length, &second.short);
        go(&mut at.beyond, length, &second.beyond);
        true
    }

    /// Solves for a change; `aside` is what is added to the two products of an edge.
    fn change(
        &self,
        at: &Point,
        sums: &[f64],
        scales: &[f64],
        factor: &Cholesky<f64>,
        aside: impl Fn(usize) -> (f64, f64),
    ) -> Change {
        let edges = self.edges;
        let count = edges.prices.len();
        let mut row = 0;
        let mut wanted = Vec::with_capacity(count);
        let mut asides = Vec::with_capacity(count);
        for i in 0..count {
            let (more_beyond, more_short) = aside(i);
            let beyond = at.multipliers[i] * at.beyond[i] + more_beyond;
            let short = at.slack[i] * at.short[i] + more_short;
            let missed =
                edges.signs[i] * at.decisions[row] + at.short[i] - edges.targets[i] - at.beyond[i];
            wanted.push(short / at.slack[i] - beyond / at.multipliers[i] - missed);
            asides.push((beyond, short));
            row += 1;
            if row == self.rows {
                row = 0;
            }
        }
        let pulled = (0..count).map(|i| edges.signs[i] * scales[i] * wanted[i]);
        let mut weights = self.passes.combine(&self.by_row(pulled));
        for (j, weight) in weights.iter_mut().enumerate() {
            *weight += sums[j] - self.penalties[j] * at.weights[j];
        }
        factor.solve_vector(&mut weights, Par::Sequential);
        let decisions = self.passes.decisions(&weights);
        let mut multipliers = Vec::with_capacity(count);
        let (mut short, mut beyond) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut row = 0;
        for i in 0..count {
            let alpha = scales[i] * (wanted[i] - edges.signs[i] * decisions[row]);
            multipliers.push(alpha);
            beyond.push(-(asides[i].0 + at.beyond[i] * alpha) / at.multipliers[i]);
            short.push((at.short[i] * alpha - asides[i].1) / at.slack[i]);
            row += 1;
            if row == self.rows {
                row = 0;
            }
        }
        Change {
            weights,
            decisions,
            multipliers,
            short,
            beyond,
        }
    }
}

fn go(values: &mut [f64], length: f64, changes: &[f64]) {
    for (value, change) in values.iter_mut().zip(changes) {
        *value += length * change;
    }
}

/// How far all four stay above zero.
fn longest(at: &Point, change: &Change) -> f64 {
    let mut most = f64::INFINITY;
    let mut bound = |values: &[f64], changes: &[f64], sign: f64| {
        for (value, change) in values.iter().zip(changes) {
            let change = sign * change;
            if change < 0.0 {
                most = most.min(-value / change);
            }
        }
    };
    bound(&at.multipliers, &change.multipliers, 1.0);
    bound(&at.slack, &change.multipliers, -1.0);
    bound(&at.short, &change.short, 1.0);
    bound(&at.beyond, &change.beyond, 1.0);
    most
}
