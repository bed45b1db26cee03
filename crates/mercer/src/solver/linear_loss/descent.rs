//! Dual coordinate descent with shrinking.
//!
//! The pass itself is [`mercer_linalg::LinearRows::descend`]; here are the order of the sides, the
//! gap, and the free constant. Between passes the sides are put into random order; those that sat
//! at a bound are set aside. Where the others have settled, the gap over all rows decides: its decisions tell which sides
//! want to leave their bounds, and only those come back.
//!
//! A free constant has no coordinate of its own in the dual problem but a condition, Σ α s = 0. It is
//! penalised by its distance from where it was last, again and again (the proximal point method;
//! Rockafellar, Augmented Lagrangians and applications of the proximal point algorithm, 1976).

use mercer_linalg::{Side, Sides, dot};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::newton::stopped;
use super::passes::Passes;
use super::{Edges, Limits, Solution, Space};
use crate::data::random::shuffle;
use crate::fit::{FitContext, StopReason};

/// Minimises from multipliers of zero.
pub(crate) fn descend(
    space: &Space<'_>,
    edges: &Edges,
    limits: Limits,
    context: &FitContext,
) -> Solution {
    let mut machine = Machine::new(space, edges, limits, context);
    let (mut stop_reason, mut gap) = machine.solve(0.0);
    let mut centre = 0.0;
    if space.is_free() {
        while stop_reason == StopReason::Converged {
            let moved = machine.constant * machine.last();
            let left = machine.last().powi(2);
            centre += moved;
            gap += space.penalty * left;
            if limits.reached(left * space.penalty, machine.primal, machine.start) {
                break;
            }
            (stop_reason, gap) = machine.solve(centre);
        }
    }
    let mut weights = machine.weights;
    if space.is_free() {
        let last = weights.len() - 1;
        weights[last] = centre / space.constant;
    }
    Solution {
        weights,
        primal: machine.primal,
        gap,
        violation: machine.violation,
        iterations: machine.passes_made,
        stop_reason,
        way: "dual coordinate descent",
        unbounded: false,
    }
}

struct Machine<'a> {
    passes: Passes<'a>,
    edges: &'a Edges,
    sides: Vec<Side>,
    constant: f64,
    multipliers: Vec<f64>,
    weights: Vec<f64>,
    /// What the weights decided when the gap was last looked at, without the centre of a free constant.
    decisions: Vec<f64>,
    random: ChaCha8Rng,
    limits: Limits,
    passes_made: u64,
    violation: f64,
    primal: f64,
    /// The objective of weights of zero.
    start: f64,
    context: &'a FitContext,
}

impl<'a> Machine<'a> {
    fn new(
        space: &'a Space<'a>,
        edges: &'a Edges,
        limits: Limits,
        context: &'a FitContext,
    ) -> Self {
        let norms = space.rows.squared_norms();
        let constant = space.constant;
        let rows = norms.len();
        let sides = (0..edges.prices.len())
            .map(|i| {
                let price = edges.prices[i] / space.penalty;
                let shift = if edges.squared { 0.5 / price } else { 0.0 };
                let square = norms[i % rows] + constant * constant + shift;
                Side {
                    row: (i % rows) as u32,
                    sign: edges.signs[i],
                    target: edges.targets[i],
                    cap: if edges.squared { f64::INFINITY } else { price },
                    shift,
                    // A row of zeros has no say but in its own multiplier.
                    square: if square > 0.0 {
                        square
                    } else {
                        f64::MIN_POSITIVE
                    },
                }
            })
            .collect();
        Self {
            passes: Passes::new(space, 1, context),
            edges,
            sides,
            constant,
            multipliers: vec![0.0; edges.prices.len()],
            weights: vec![0.0; space.rows.width() + 1],
            decisions: vec![0.0; rows],
            random: ChaCha8Rng::seed_from_u64(limits.seed),
            limits,
            passes_made: 0,
            violation: f64::INFINITY,
            primal: f64::INFINITY,
            start: edges.cost(&vec![0.0; rows]),
            context,
        }
    }

    fn last(&self) -> f64 {
        self.weights[self.weights.len() - 1]
    }

    /// Descends until the gap is small, the constant starting from `centre`.
    fn solve(&mut self, centre: f64) -> (StopReason, f64) {
        /// Gaps of projected slopes at which the gap is looked at first, relative to the targets.
        const FIRST: f64 = 0.3;
        for (side, target) in self.sides.iter_mut().zip(&self.edges.targets) {
            side.target = target - side.sign * centre;
        }
        let free = (f64::INFINITY, f64::NEG_INFINITY);
        let mut order: Vec<u32> = (0..self.sides.len() as u32).collect();
        let mut bounds = free;
        let size = self
            .sides
            .iter()
            .fold(0.0_f64, |most, side| most.max(side.target.abs()));
        let mut fine = FIRST * size;
        let mut least_gap = f64::INFINITY;
        let mut idle = 0;
        loop {
            if !self.context.goes_on() {
                return (stopped(self.context), self.gap());
            }
            if self.passes_made >= self.limits.iterations {
                return (StopReason::IterationLimit, self.gap());
            }
            self.passes_made += 1;
            shuffle(&mut self.random, &mut order);
            let mut sides = Sides {
                sides: &self.sides,
                constant: self.constant,
                multipliers: &mut self.multipliers,
                weights: &mut self.weights,
            };
            let rows = self.passes.space.rows;
            let (largest, least) = rows.descend(&mut sides, &mut order, bounds);
            if largest - least <= fine || order.is_empty() {
                let gap = self.gap();
                if self.limits.reached(gap, self.primal, self.start) {
                    return (StopReason::Converged, gap);
                }
                // Rounding has the last word where many looks gain nothing.
                idle = if gap > 0.5 * least_gap { idle + 1 } else { 0 };
                least_gap = least_gap.min(gap);
                self.open(&mut order);
                if idle > 20 || order.is_empty() {
                    return (StopReason::Stalled, gap);
                }
                // Sides that come back may be far from where the others are.
                if self.violation <= 2.0 * fine {
                    fine *= self.fall(gap);
                }
                bounds = free;
                continue;
            }
            bounds = (
                if largest > 0.0 {
                    largest
                } else {
                    f64::INFINITY
                },
                if least < 0.0 {
                    least
                } else {
                    f64::NEG_INFINITY
                },
            );
        }
    }

    /// Lists the sides that are not where they want to stay, by the decisions of the last gap.
    fn open(&self, order: &mut Vec<u32>) {
        order.clear();
        for (number, (side, alpha)) in self.sides.iter().zip(&self.multipliers).enumerate() {
            let slope = self.slope(side, *alpha);
            if projected(side, *alpha, slope) != 0.0 || (*alpha > 0.0 && *alpha < side.cap) {
                order.push(number as u32);
            }
        }
    }

    fn slope(&self, side: &Side, alpha: f64) -> f64 {
        side.sign * self.decisions[side.row as usize] - side.target + side.shift * alpha
    }

    /// What slopes have to fall by until the gap is small enough: it falls with them, that of squared losses with their
    /// squares. A look at the gap reads all rows, some passes over those that are left read less.
    fn fall(&self, gap: f64) -> f64 {
        let share = self.limits.largest_gap(self.primal, self.start) / gap;
        let share = if self.edges.squared {
            share.sqrt()
        } else {
            share
        };
        share.clamp(0.1, 0.5)
    }

    /// Objective minus dual objective.
    fn gap(&mut self) -> f64 {
        /// Share of the objective below which w is made anew from the multipliers, for rounding may have a say.
        const ROUNDED: f64 = 1e-9;
        let gap = self.look();
        if gap > ROUNDED * self.primal {
            return gap;
        }
        let mut factors = vec![0.0; self.decisions.len()];
        for (side, alpha) in self.sides.iter().zip(&self.multipliers) {
            factors[side.row as usize] += side.sign * alpha;
        }
        self.weights = self.passes.combine(&factors);
        self.look()
    }

    /// Objective minus dual objective of the weights as they are; notes decisions and the largest slope.
    fn look(&mut self) -> f64 {
        let penalty = self.passes.space.penalty;
        self.decisions = self.passes.decisions(&self.weights);
        let (mut cost, mut reward, mut violation) = (0.0, 0.0, 0.0_f64);
        let own = self.sides.iter().zip(&self.multipliers);
        for ((side, alpha), price) in own.zip(&self.edges.prices) {
            let slope = self.slope(side, *alpha);
            violation = violation.max(projected(side, *alpha, slope).abs());
            let short = (side.shift * alpha - slope).max(0.0);
            cost += price
                * if self.edges.squared {
                    short * short
                } else {
                    short
                };
            reward += alpha * (side.target - 0.5 * side.shift * alpha);
        }
        self.violation = violation;
        let norm = dot(&self.weights, &self.weights);
        let primal = 0.5 * norm + cost / penalty;
        let dual = reward - 0.5 * norm;
        self.primal = primal * penalty;
        if self.passes.space.is_free() {
            self.primal -= 0.5 * penalty * self.last().powi(2);
        }
        ((primal - dual) * penalty).max(0.0)
    }
}

/// The part of a slope that the bounds of a multiplier leave.
fn projected(side: &Side, alpha: f64, slope: f64) -> f64 {
    if alpha == 0.0 {
        slope.min(0.0)
    } else if alpha == side.cap {
        slope.max(0.0)
    } else {
        slope
    }
}
