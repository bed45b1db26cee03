//! Descent on the products of the working columns.
//!
//! With G = XᵀX and g = Xᵀr over the working set, a step of δ in coordinate j is g ← g − δG_j: it costs
//! the size of the set, not the number of rows, and a coordinate that stays at zero costs nothing.
//! Steps of a block of coordinates change the slopes of the block at once and all others together
//! afterwards, when they stay in the cache and threads can share them: the numbers are the same.
//! ‖r‖² = ‖y‖² − ⟨w, Xᵀy + g⟩. Where descent creeps, one linear system over the weights that are not
//! zero settles them all: (G + μI)d = g − μw − κ sign w.

use mercer_linalg::{Cholesky, Real, add_rows};

use super::certificate::{Certificate, Penalty, Sums};
use super::extrapolation::{DEPTH, History};
use super::table::Table;
use crate::fit::FitContext;

/// A factor of k weights takes as long as k/15 passes over as many (measured on 300 to 2,000
/// weights): descent has that long before a system is solved.
const FACTOR_PASSES: usize = 15;
/// Passes that descent has in any case.
const LEAST_PASSES: u64 = 10;

/// Coordinates whose steps are carried to the others together.
const BLOCK: usize = 64;
/// Multiplications that are worth a second thread.
const SHARED: usize = 1 << 16;

/// Weights and slopes over the places of a table.
pub(super) struct Products<'a, T> {
    pub(super) table: &'a Table<T>,
    pub(super) positive: bool,
    /// ‖y‖².
    pub(super) targets: f64,
    /// Xᵀy.
    pub(super) levels: Vec<f64>,
    pub(super) weights: Vec<f64>,
    /// Xᵀr.
    pub(super) slopes: Vec<f64>,
    /// Whether a system had no solution, for want of digits perhaps.
    pub(super) failed: bool,
}

impl<T: Real> Products<'_, T> {
    /// Descends until the gap over the working set is small; returns the passes made.
    pub(super) fn run(
        &mut self,
        penalty: Penalty,
        tolerance: f64,
        passes: u64,
        context: &FitContext,
    ) -> u64 {
        let (mut weights, mut slopes) = (History::default(), History::default());
        let mut since = 0;
        let mut patience = 0;
        for pass in 1..=passes {
            let moved = self.pass(penalty, context);
            since += 1;
            weights.push(&self.weights);
            slopes.push(&self.slopes);
            if !moved || !context.goes_on() {
                return pass;
            }
            // A look costs what two steps do.
            if self.certificate(penalty).gap() <= tolerance {
                return pass;
            }
            if pass % DEPTH as u64 != 0 {
                continue;
            }
            if let Some(coefficients) = weights.coefficients() {
                let mixed = (
                    weights.combine(&coefficients),
                    slopes.combine(&coefficients),
                );
                if self.take(mixed, penalty) {
                    weights.clear();
                    slopes.clear();
                }
            }
            let support = self.weights.iter().filter(|w| **w != 0.0).count();
            if since >= LEAST_PASSES.max((support / FACTOR_PASSES) as u64) + patience {
                // A system that did not help is not tried again as soon.
                patience = if self.jump(penalty, context) {
                    0
                } else {
                    2 * patience + LEAST_PASSES
                };
                since = 0;
                weights.clear();
                slopes.clear();
            }
        }
        passes
    }

    /// One pass over all coordinates; returns whether any moved.
    fn pass(&mut self, penalty: Penalty, context: &FitContext) -> bool {
        let count = self.weights.len();
        let mut moved = false;
        let (mut places, mut steps) = (Vec::with_capacity(BLOCK), Vec::with_capacity(BLOCK));
        for start in (0..count).step_by(BLOCK) {
            let block = start..(start + BLOCK).min(count);
            places.clear();
            steps.clear();
            for place in block.clone() {
                let old = self.weights[place];
                let slope = self.slopes[place];
                if old == 0.0 && slope.abs() <= penalty.absolute {
                    continue;
                }
                let square = self.table.square(place);
                let new = penalty.minimiser(slope + square * old, square, self.positive);
                if new != old {
                    let products = &self.table.row(place)[block.clone()];
                    add_rows(&[old - new], &[products], &mut self.slopes[block.clone()]);
                    self.weights[place] = new;
                    places.push(place);
                    steps.push(old - new);
                }
            }
            if !steps.is_empty() {
                moved = true;
                let (before, rest) = self.slopes.split_at_mut(block.start);
                let (_, after) = rest.split_at_mut(block.len());
                let carry =
                    |slopes: &mut [f64], first| self.table.carry(&places, &steps, slopes, first);
                let half = usize::midpoint(before.len(), after.len());
                let together = steps.len() * 2 * half >= SHARED;
                // Either side of the block is cut where the halves are equal.
                if before.len() >= half {
                    let (one, other) = before.split_at_mut(half);
                    context.both(
                        together,
                        || carry(one, 0),
                        || {
                            carry(other, half);
                            carry(after, block.end);
                        },
                    );
                } else {
                    let cut = half - before.len();
                    let (one, other) = after.split_at_mut(cut);
                    context.both(
                        together,
                        || {
                            carry(before, 0);
                            carry(one, block.end);
                        },
                        || carry(other, block.end + cut),
                    );
                }
            }
        }
        moved
    }

    /// P and D over the working set.
    pub(super) fn certificate(&self, penalty: Penalty) -> Certificate {
        self.certificate_of(&self.weights, &self.slopes, penalty)
    }

    fn certificate_of(&self, weights: &[f64], slopes: &[f64], penalty: Penalty) -> Certificate {
        let mut sums = Sums::default();
        let (mut level, mut both) = (0.0, 0.0);
        for ((w, g), c) in weights.iter().zip(slopes).zip(&self.levels) {
            level += w * c;
            both += w * (c + g);
            sums.add(*w, *g, penalty, self.positive);
        }
        sums.residual = (self.targets - both).max(0.0);
        sums.fitted = self.targets - level;
        sums.certificate(penalty)
    }

    /// Takes other weights with their slopes where they are better.
    fn take(&mut self, mixed: (Vec<f64>, Vec<f64>), penalty: Penalty) -> bool {
        let (weights, slopes) = mixed;
        if self.positive && weights.iter().any(|w| *w < 0.0) {
            return false;
        }
        let before = self.certificate(penalty).primal;
        let after = self.certificate_of(&weights, &slopes, penalty).primal;
        if after < before {
            self.weights = weights;
            self.slopes = slopes;
        }
        after < before
    }

    /// Solves for all weights that are not zero, signs kept; weights that would change theirs
    /// become zero. Returns whether that was better.
    fn jump(&mut self, penalty: Penalty, context: &FitContext) -> bool {
        let places: Vec<usize> = (0..self.weights.len())
            .filter(|&place| self.weights[place] != 0.0)
            .collect();
        let mut matrix = self.table.part(&places);
        for at in 0..places.len() {
            matrix[(at, at)] += penalty.square;
        }
        let Ok(factor) = Cholesky::factor_while(matrix, context.par(), &|| context.goes_on())
        else {
            self.failed = true;
            return false;
        };
        let mut step: Vec<f64> = places
            .iter()
            .map(|&place| {
                let w = self.weights[place];
                self.slopes[place] - penalty.square * w - penalty.absolute * w.signum()
            })
            .collect();
        factor.solve_vector(&mut step, context.par());
        if step.iter().any(|d| !d.is_finite()) {
            return false;
        }
        let whole = self.moved(&places, &step, |_, old, d| {
            if (old + d) * old > 0.0 { old + d } else { 0.0 }
        });
        if self.take(whole, penalty) {
            return true;
        }
        // As far as no sign changes P falls all the way; the first weight to change its sign ends at
        // zero.
        let reach = |at: usize| -self.weights[places[at]] / step[at];
        let first = (0..places.len())
            .filter(|&at| self.weights[places[at]] * step[at] < 0.0)
            .min_by(|&a, &b| reach(a).total_cmp(&reach(b)));
        let Some(first) = first.filter(|&at| reach(at) < 1.0) else {
            return false;
        };
        let share = reach(first);
        let part = self.moved(&places, &step, |at, old, d| {
            if at == first { 0.0 } else { old + share * d }
        });
        self.take(part, penalty)
    }

    /// Other weights at some places, with the slopes that follow.
    fn moved(
        &self,
        places: &[usize],
        step: &[f64],
        new: impl Fn(usize, f64, f64) -> f64,
    ) -> (Vec<f64>, Vec<f64>) {
        let (mut weights, mut slopes) = (self.weights.clone(), self.slopes.clone());
        let mut falls = Vec::with_capacity(places.len());
        for (at, (&place, &d)) in places.iter().zip(step).enumerate() {
            let old = weights[place];
            weights[place] = new(at, old, d);
            falls.push(old - weights[place]);
        }
        self.table.carry(places, &falls, &mut slopes, 0);
        (weights, slopes)
    }
}
