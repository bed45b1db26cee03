//! A penalty that makes weights exactly zero, by a proximal Newton method.
//!
//! ```text
//! min over w, b of  κ Σ_j |w_j| + ½ μ ‖w‖² + Σ_i price_i L_i(⟨w, x_i⟩ + c v),   b = c v
//! ```
//!
//! The smooth part is replaced by its quadratic model, whose minimum with κ Σ|w| coordinate descent finds
//! among the columns that are in use or want to be ([`QuadraticModel`]); a line search goes there (Yuan,
//! Ho and Lin, An improved GLMNET for L1-regularized logistic regression, 2012). Several outputs take
//! turns, each with the curvature of its own decisions (Friedman, Hastie and Tibshirani, Regularization
//! paths for generalized linear models via coordinate descent, 2010).
//!
//! With the slopes u of the losses and z = Xᵀu, every s with s|z_j| ≤ κ gives the dual value −Σ L*(s u);
//! with μ > 0 any s does, less Σ max(0, s|z_j| − κ)²/(2μ). The gap to it ends the search. The slope of a
//! free constant counts with its own curvature.

use std::ops::Range;

use mercer_linalg::{LinearRows, QuadraticModel};

use super::newton::stopped;
use super::passes::Passes;
use super::{Limits, Smooth, Solution, Space};
use crate::fit::{FitContext, StopReason};

/// Share of the promised decrease that a step has to reach; the paper's.
const ENOUGH: f64 = 0.01;
/// Decrease, relative to the objective, that rounding hides.
const HIDDEN: f64 = 1e-14;
/// Steps that do not halve the gap, after which rounding has the last word.
const PATIENCE: u32 = 20;
/// Halvings of a step.
const HALVINGS: u32 = 40;
/// Passes over a model.
const MOST_PASSES: usize = 1000;
/// What keeps a column without curvature from an endless step; the paper's.
const LITTLE: f64 = 1e-12;
/// Columns whose products are found at a time.
const TASK: usize = 256;

/// Minimises from weights of zero; `share` of the penalty is on absolute values, the rest on squares.
pub(crate) fn absolute<L: Smooth>(
    space: &Space<'_>,
    share: f64,
    loss: &L,
    limits: Limits,
    context: &FitContext,
) -> Solution {
    let columns = space.rows.transposed(space.constant);
    let list = |of: f64| {
        let mut list = vec![of * space.penalty; space.rows.width()];
        list.resize(columns.rows(), of * space.constant_penalty);
        list
    };
    let mut search = Search {
        passes: Passes::new(space, loss.outputs(), context),
        absolute: list(share),
        square: list(1.0 - share),
        weights: vec![vec![0.0; columns.rows()]; loss.outputs()],
        slopes: vec![0.0; space.rows.rows() * loss.outputs()],
        place: vec![0.0; space.rows.rows() * loss.outputs()],
        columns,
        loss,
        first: None,
        context,
    };
    search.run(limits)
}

struct Search<'a, L> {
    passes: Passes<'a>,
    /// The columns of the rows, that of the constant last.
    columns: LinearRows,
    loss: &'a L,
    /// κ of every column.
    absolute: Vec<f64>,
    /// μ of every column.
    square: Vec<f64>,
    /// A weight per column, for every output.
    weights: Vec<Vec<f64>>,
    /// u.
    slopes: Vec<f64>,
    /// What the loss knows of the present decisions.
    place: Vec<f64>,
    /// How far every output missed its optimum at first.
    first: Option<f64>,
    context: &'a FitContext,
}

impl<L: Smooth> Search<'_, L> {
    fn run(&mut self, limits: Limits) -> Solution {
        let outputs = self.passes.outputs;
        let mut decisions = vec![0.0; self.passes.space.rows.rows() * outputs];
        let start = self.value(&decisions);
        let mut value = start;
        let (mut stop_reason, mut iterations) = (StopReason::IterationLimit, 0);
        let mut best = f64::NEG_INFINITY;
        let mut gap;
        let mut violation;
        // The gap when it had last fallen to its half, and the steps since then.
        let (mut mark, mut idle) = (f64::INFINITY, 0);
        loop {
            self.expand(&decisions);
            let sums = self.sums();
            let (dual, loose) = self.dual(&sums);
            best = best.max(dual);
            gap = (value - best).max(0.0) + loose;
            violation = self.violation(&sums);
            if limits.reached(gap, value, start) {
                stop_reason = StopReason::Converged;
                break;
            }
            if gap <= 0.5 * mark {
                (mark, idle) = (gap, 0);
            } else {
                idle += 1;
            }
            if !self.context.goes_on() {
                stop_reason = stopped(self.context);
                break;
            }
            if iterations >= limits.iterations {
                break;
            }
            iterations += 1;
            let mut gained = 0.0;
            for output in 0..outputs {
                if output > 0 {
                    self.expand(&decisions);
                }
                let sums = if output == 0 {
                    of(&sums, 0, outputs)
                } else {
                    self.sums_of(output)
                };
                let reached = self.advance(output, sums, &mut decisions, value);
                gained += value - reached;
                value = reached;
            }
            // The gap is as the slopes that are left, the objective as their squares: where rounding hides
            // a decrease of the one, the other may fall for long. Outputs that take turns are linear in this.
            if gained <= HIDDEN * value && idle > PATIENCE {
                stop_reason = StopReason::Stalled;
                break;
            }
        }
        Solution {
            weights: self.interleaved(),
            primal: value,
            gap,
            violation,
            iterations,
            stop_reason,
            way: "a proximal Newton method with coordinate descent",
            unbounded: false,
        }
    }

    fn value(&self, decisions: &[f64]) -> f64 {
        let outputs = self.passes.outputs;
        let run = |rows: Range<usize>, ()| {
            let own = &decisions[rows.start * outputs..rows.end * outputs];
            self.loss.value(rows, own)
        };
        self.passes.each(self.passes.units(), run).into_iter().sum()
    }

    /// Notes slopes and curvatures.
    fn expand(&mut self, decisions: &[f64]) {
        let outputs = self.passes.outputs;
        let slopes = self.passes.split(&mut self.slopes);
        let places = self.passes.split(&mut self.place);
        let parts = slopes.into_iter().zip(places).collect();
        let loss = self.loss;
        self.passes.each(parts, |rows, (slopes, place)| {
            let own = &decisions[rows.start * outputs..rows.end * outputs];
            loss.expand(rows, own, slopes, place);
        });
    }

    /// Products of all columns with numbers per row.
    fn products(&self, outputs: usize, values: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.columns.rows() * outputs];
        let parts: Vec<_> = out.chunks_mut(TASK * outputs).enumerate().collect();
        self.context
            .map(parts, |(task, part): (usize, &mut [f64])| {
                let rows = task * TASK..task * TASK + part.len() / outputs;
                self.columns.products(rows, outputs, values, part);
            });
        out
    }

    /// z of all outputs, side by side.
    fn sums(&self) -> Vec<f64> {
        self.products(self.passes.outputs, &self.slopes)
    }

    /// z of one output.
    fn sums_of(&self, output: usize) -> Vec<f64> {
        self.products(1, &of(&self.slopes, output, self.passes.outputs))
    }

    fn curvatures(&self, output: usize) -> Vec<f64> {
        let rows = self.passes.space.rows.rows();
        let mut out = vec![0.0; rows];
        self.loss.curvature(0..rows, &self.place, output, &mut out);
        out
    }

    /// Whether the last column is a constant without a penalty.
    fn is_free(&self) -> bool {
        self.passes.space.is_free()
    }

    /// A lower bound of the objective, and what a free constant may take from it.
    fn dual(&self, sums: &[f64]) -> (f64, f64) {
        let outputs = self.passes.outputs;
        let columns = self.columns.rows() - usize::from(self.is_free());
        let mut scale = 1.0_f64;
        for (z, absolute) in sums.chunks_exact(outputs).zip(&self.absolute[..columns]) {
            for z in z {
                if z.abs() > *absolute {
                    scale = scale.min(absolute / z.abs());
                }
            }
        }
        let at = |scale: f64| {
            let run = |rows: Range<usize>, ()| {
                let own = &self.slopes[rows.start * outputs..rows.end * outputs];
                self.loss.dual(rows, own, scale)
            };
            self.passes
                .each(self.passes.units(), run)
                .into_iter()
                .sum::<f64>()
        };
        let mut dual = at(scale);
        if scale < 1.0 && self.square[..columns].iter().all(|mu| *mu > 0.0) {
            let each = sums
                .chunks_exact(outputs)
                .zip(&self.absolute)
                .zip(&self.square);
            let beyond: f64 = each
                .take(columns)
                .map(|((z, absolute), square)| {
                    let beyond = z.iter().map(|z| (z.abs() - absolute).max(0.0).powi(2));
                    beyond.sum::<f64>() / (2.0 * square)
                })
                .sum();
            dual = dual.max(at(1.0) - beyond);
        }
        let mut loose = 0.0;
        if self.is_free() {
            let constant = self.passes.space.constant;
            for (output, slope) in sums[columns * outputs..].iter().enumerate() {
                if *slope != 0.0 {
                    let bend: f64 = self.curvatures(output).iter().sum();
                    loose += slope * slope / (2.0 * constant * constant * bend);
                }
            }
        }
        (dual, loose)
    }

    /// The largest slope that is left in a weight.
    fn violation(&self, sums: &[f64]) -> f64 {
        let outputs = self.passes.outputs;
        let mut most = 0.0_f64;
        for (j, sums) in sums.chunks_exact(outputs).enumerate() {
            for (z, weights) in sums.iter().zip(&self.weights) {
                most = most.max(self.missed(j, z + self.square[j] * weights[j], weights[j]));
            }
        }
        most
    }

    /// How far a weight with a slope is from its optimum.
    fn missed(&self, column: usize, slope: f64, weight: f64) -> f64 {
        let absolute = self.absolute[column];
        if weight == 0.0 {
            (slope.abs() - absolute).max(0.0)
        } else {
            (slope + absolute * weight.signum()).abs()
        }
    }

    /// Goes a step in the weights of one output; returns what the objective has become.
    fn advance(&mut self, output: usize, sums: Vec<f64>, decisions: &mut [f64], value: f64) -> f64 {
        let outputs = self.passes.outputs;
        let curvatures = self.curvatures(output);
        let old = self.weights[output].clone();
        let mut slopes = sums;
        for ((slope, square), weight) in slopes.iter_mut().zip(&self.square).zip(&old) {
            *slope += square * weight;
        }
        let wanted = self.minimiser(&slopes, &curvatures, &old);
        let step: Vec<f64> = wanted
            .iter()
            .zip(&old)
            .map(|(new, old)| new - old)
            .collect();
        let mut promised = 0.0;
        for (j, step) in step.iter().enumerate() {
            if *step != 0.0 {
                let rise = wanted[j].abs() - old[j].abs();
                promised += slopes[j] * step + self.absolute[j] * rise;
            }
        }
        if promised >= 0.0 || promised.is_nan() {
            return value;
        }
        let mut changes = vec![0.0; curvatures.len()];
        self.columns.combine(0..step.len(), 1, &step, &mut changes);
        let others = self.penalty_of_others(output);
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            let moved: Vec<f64> = if length == 1.0 {
                wanted.clone()
            } else {
                old.iter().zip(&step).map(|(w, d)| w + length * d).collect()
            };
            let mut tried = decisions.to_vec();
            for (tried, change) in tried.iter_mut().skip(output).step_by(outputs).zip(&changes) {
                *tried += length * change;
            }
            let reached = self.value(&tried) + others + self.penalty(&moved);
            let hidden = -promised * length <= HIDDEN * value;
            if reached <= value + ENOUGH * length * promised || (hidden && reached.is_finite()) {
                self.weights[output] = moved;
                decisions.copy_from_slice(&tried);
                return reached;
            }
            length *= 0.5;
        }
        value
    }

    fn penalty(&self, weights: &[f64]) -> f64 {
        let each = weights.iter().zip(&self.absolute).zip(&self.square);
        each.map(|((w, absolute), square)| absolute * w.abs() + 0.5 * square * w * w)
            .sum()
    }

    fn penalty_of_others(&self, output: usize) -> f64 {
        let others = (0..self.weights.len()).filter(|k| *k != output);
        others.map(|k| self.penalty(&self.weights[k])).sum()
    }

    /// The minimum of the quadratic model with Σ κ|w|, as nearly as it is worth.
    fn minimiser(&mut self, slopes: &[f64], curvatures: &[f64], old: &[f64]) -> Vec<f64> {
        let missed = |j: usize| self.missed(j, slopes[j], old[j]);
        let working: Vec<u32> = (0..old.len() as u32)
            .filter(|&j| old[j as usize] != 0.0 || missed(j as usize) > 0.0)
            .collect();
        let total: f64 = working.iter().map(|&j| missed(j as usize)).sum();
        let first = *self.first.get_or_insert(total);
        // The nearer to the solution, the more exact: convergence is faster than linear.
        let share = (total / first).sqrt().clamp(1e-4, 0.2);
        let mut diagonal = vec![LITTLE; old.len()];
        for &j in &working {
            let j = j as usize;
            let out = &mut diagonal[j..=j];
            self.columns.weighted_norms(j..j + 1, curvatures, out);
            out[0] += self.square[j] + LITTLE;
        }
        let (mut weights, mut carried) = (old.to_vec(), vec![0.0; curvatures.len()]);
        let mut model = QuadraticModel {
            slopes,
            diagonal: &diagonal,
            absolute: &self.absolute,
            square: &self.square,
            curvatures,
            start: old,
            weights: &mut weights,
            carried: &mut carried,
        };
        let rows = curvatures.len().max(1) as f64;
        let (mut order, mut slack) = (working.clone(), f64::INFINITY);
        for _ in 0..MOST_PASSES {
            let whole = order.len() == working.len() && slack == f64::INFINITY;
            let (left, most) = self.columns.descend_model(&mut model, &mut order, slack);
            if left <= share * total {
                if whole || !self.context.goes_on() {
                    break;
                }
                (order, slack) = (working.clone(), f64::INFINITY);
                continue;
            }
            slack = most / rows;
            if !self.context.goes_on() {
                break;
            }
        }
        weights
    }

    /// The weights as solutions have them.
    fn interleaved(&self) -> Vec<f64> {
        let outputs = self.passes.outputs;
        let width = self.passes.width();
        let mut all = vec![0.0; width * outputs];
        for (output, weights) in self.weights.iter().enumerate() {
            for (column, weight) in weights.iter().enumerate() {
                all[column * outputs + output] = *weight;
            }
        }
        all
    }
}

/// The numbers of one output.
fn of(values: &[f64], output: usize, outputs: usize) -> Vec<f64> {
    values
        .iter()
        .skip(output)
        .step_by(outputs)
        .copied()
        .collect()
}
