//! Newton's method for smooth losses.
//!
//! A step s solves (XᵀDX + Λ) s = −g, D the curvatures of the loss and Λ the penalties. Where columns
//! are few the matrix is factored; several outputs have a factor each, with which conjugate
//! gradients are preconditioned. Otherwise the preconditioner is a diagonal, mixed with ones
//! (Hsia, Chiang, Lin, Preconditioned conjugate gradient methods in truncated Newton frameworks for
//! large-scale linear classification, 2018), and the system is solved as far as it is worth
//! (Lin, Weng, Keerthi, Trust region Newton method for large-scale logistic regression, 2008). A line
//! search, for which the products Xs are there already, takes the place of a trust region (Galli and Lin, A study on truncated Newton
//! methods for linear classification, 2021).
//!
//! The multipliers −L′ are a point of the dual problem whose value is lower by Σ g²/(2λ): that is the
//! duality gap. The slope of a free constant counts with its own curvature.

use std::ops::Range;

use mercer_linalg::{Cholesky, Par, dot};

use super::passes::Passes;
use super::{Limits, Smooth, Solution, Space};
use crate::fit::{FitContext, StopReason};

/// Share of the promised decrease that a step has to reach.
const ENOUGH: f64 = 1e-4;
/// Decrease, relative to the objective, that rounding hides.
const HIDDEN: f64 = 1e-13;
/// Halvings of a step.
const HALVINGS: u32 = 60;
/// Conjugate gradient steps of one system.
const MOST_STEPS: usize = 500;
/// Share of the diagonal in the preconditioner; the paper's.
const MIXED: f64 = 0.01;

/// Minimises from weights of zero, or from those given.
pub(crate) fn newton<L: Smooth>(
    space: &Space<'_>,
    loss: &L,
    limits: Limits,
    start: Option<Vec<f64>>,
    context: &FitContext,
) -> Solution {
    let passes = Passes::new(space, loss.outputs(), context);
    let penalties = passes.penalties();
    let narrow = space.is_narrow(loss.outputs());
    let rows = space.rows.rows();
    let mut search = Search {
        loss,
        penalties,
        narrow,
        place: vec![0.0; rows * loss.outputs()],
        passes,
        context,
    };
    let weights = start.unwrap_or_else(|| vec![0.0; search.penalties.len()]);
    search.run(weights, limits)
}

struct Search<'a, L> {
    passes: Passes<'a>,
    loss: &'a L,
    penalties: Vec<f64>,
    narrow: bool,
    /// What the loss knows of the present decisions.
    place: Vec<f64>,
    context: &'a FitContext,
}

/// What is solved approximately in place of the Hessian.
enum Preconditioner {
    Factors(Vec<Cholesky<f64>>),
    Diagonal(Vec<f64>),
}

impl Preconditioner {
    /// Solves for a residual.
    fn solve(&self, residual: &[f64]) -> Vec<f64> {
        match self {
            Self::Diagonal(diagonal) => residual.iter().zip(diagonal).map(|(r, d)| r / d).collect(),
            Self::Factors(factors) => {
                let outputs = factors.len();
                let mut out = residual.to_vec();
                for (output, factor) in factors.iter().enumerate() {
                    let column = residual.iter().skip(output).step_by(outputs);
                    let mut right: Vec<f64> = column.copied().collect();
                    factor.solve_vector(&mut right, Par::Sequential);
                    for (out, value) in out.iter_mut().skip(output).step_by(outputs).zip(right) {
                        *out = value;
                    }
                }
                out
            }
        }
    }
}

impl<L: Smooth> Search<'_, L> {
    fn run(&mut self, mut weights: Vec<f64>, limits: Limits) -> Solution {
        let mut decisions = self.passes.decisions(&weights);
        let mut value = self.value(&decisions) + self.penalty(&weights);
        let (mut stop_reason, mut iterations) = (StopReason::IterationLimit, 0);
        let (mut gap, mut unbounded) = (f64::INFINITY, false);
        let mut slope = self.slope(&weights, &decisions);
        let start = self.value(&vec![0.0; decisions.len()]);
        let mut first = None;
        let mut creeping = 0;
        let penalised = self.passes.space.penalty > 0.0;
        loop {
            if penalised {
                let before = gap;
                gap = self.gap(&slope);
                if limits.reached(gap, value, start) {
                    stop_reason = StopReason::Converged;
                    break;
                }
                // Beyond rounding nothing changes but the last digits of the slope.
                creeping = if gap > 0.25 * before { creeping + 1 } else { 0 };
            } else if self.separates(&decisions) {
                unbounded = true;
                stop_reason = StopReason::Stalled;
                break;
            }
            if !self.context.goes_on() {
                stop_reason = stopped(self.context);
                break;
            }
            if iterations >= limits.iterations {
                break;
            }
            let preconditioner = self.preconditioner();
            let (step, norm) = self.step(&slope, &preconditioner, first);
            first.get_or_insert(norm);
            let decrease = -dot(&slope, &step);
            if !penalised {
                gap = 0.5 * decrease;
                if limits.reached(gap, value, start) {
                    stop_reason = StopReason::Converged;
                    break;
                }
            }
            if !(decrease.is_finite() && decrease > 0.0) {
                stop_reason = StopReason::Stalled;
                break;
            }
            iterations += 1;
            let changes = self.passes.decisions(&step);
            let hidden = decrease <= HIDDEN * value;
            if hidden && creeping > 1 {
                stop_reason = StopReason::Stalled;
                break;
            }
            let Some(reached) = self.advance(
                &mut weights,
                &mut decisions,
                &step,
                &changes,
                value,
                decrease,
            ) else {
                stop_reason = StopReason::Stalled;
                break;
            };
            value = reached;
            slope = self.slope(&weights, &decisions);
        }
        Solution {
            violation: slope.iter().fold(0.0_f64, |most, g| most.max(g.abs())),
            weights,
            primal: value,
            gap: if penalised { gap } else { f64::NAN },
            iterations,
            stop_reason,
            way: if self.narrow {
                "Newton's method with a factor of all columns"
            } else {
                "Newton's method with conjugate gradients"
            },
            unbounded,
        }
    }

    fn penalty(&self, weights: &[f64]) -> f64 {
        let pairs = self.penalties.iter().zip(weights);
        0.5 * pairs.map(|(p, w)| p * w * w).sum::<f64>()
    }

    fn value(&self, decisions: &[f64]) -> f64 {
        let outputs = self.passes.outputs;
        let run = |rows: Range<usize>, ()| {
            let own = &decisions[rows.start * outputs..rows.end * outputs];
            self.loss.value(rows, own)
        };
        self.passes.each(self.passes.units(), run).into_iter().sum()
    }

    fn separates(&self, decisions: &[f64]) -> bool {
        self.loss
            .separates(0..self.passes.space.rows.rows(), decisions)
    }

    /// The gradient; notes curvatures.
    fn slope(&mut self, weights: &[f64], decisions: &[f64]) -> Vec<f64> {
        let outputs = self.passes.outputs;
        let mut slopes = vec![0.0; decisions.len()];
        let parts = self.passes.split(&mut slopes);
        let places = self.passes.split(&mut self.place);
        let parts = parts.into_iter().zip(places).collect();
        let loss = self.loss;
        self.passes.each(parts, |rows, (slopes, place)| {
            let own = &decisions[rows.start * outputs..rows.end * outputs];
            loss.expand(rows, own, slopes, place);
        });
        let mut slope = self.passes.combine(&slopes);
        for ((slope, penalty), weight) in slope.iter_mut().zip(&self.penalties).zip(weights) {
            *slope += penalty * weight;
        }
        slope
    }

    /// The second derivative by one output, of all rows.
    fn curvatures(&self, output: usize) -> Vec<f64> {
        let rows = self.passes.space.rows.rows();
        let mut out = vec![0.0; rows];
        self.loss.curvature(0..rows, &self.place, output, &mut out);
        out
    }

    fn gap(&self, slope: &[f64]) -> f64 {
        let outputs = self.passes.outputs;
        let columns = slope.len() - outputs;
        let mut gap: f64 =
            dot(&slope[..columns], &slope[..columns]) / (2.0 * self.passes.space.penalty);
        let constant = self.passes.space.constant;
        if constant != 0.0 {
            for (output, slope) in slope[columns..].iter().enumerate() {
                let scale = if self.passes.space.is_free() {
                    constant * constant * self.curvatures(output).iter().sum::<f64>()
                } else {
                    self.passes.space.constant_penalty
                };
                if *slope != 0.0 {
                    gap += slope * slope / (2.0 * scale);
                }
            }
        }
        gap
    }

    fn preconditioner(&self) -> Preconditioner {
        let outputs = self.passes.outputs;
        let width = self.passes.width();
        if self.narrow {
            let factor = |output: usize| self.factor(output);
            if let Some(factors) = (0..outputs).map(factor).collect() {
                return Preconditioner::Factors(factors);
            }
        }
        let mut diagonal = vec![1.0; width * outputs];
        for output in 0..outputs {
            let sums = self.passes.diagonal(&self.curvatures(output));
            for (column, sum) in sums.into_iter().enumerate() {
                let at = column * outputs + output;
                let full = sum + self.penalties[at];
                let mixed = MIXED * full + (1.0 - MIXED) * self.passes.space.penalty;
                diagonal[at] = if mixed > 0.0 { mixed } else { 1.0 };
            }
            if self.passes.space.is_free() {
                // The free constant has no penalty to be mixed with.
                let at = (width - 1) * outputs + output;
                diagonal[at] = (diagonal[at] / MIXED).max(f64::MIN_POSITIVE);
            }
        }
        Preconditioner::Diagonal(diagonal)
    }

    fn factor(&self, output: usize) -> Option<Cholesky<f64>> {
        let outputs = self.passes.outputs;
        let mut matrix = self.passes.squares(&self.curvatures(output));
        let width = matrix.rows();
        let largest = (0..width).fold(0.0_f64, |most, j| most.max(matrix[(j, j)]));
        for j in 0..width {
            matrix[(j, j)] += self.penalties[j * outputs + output];
            if matrix[(j, j)] <= 0.0 {
                matrix[(j, j)] = 1.0;
            }
        }
        if let Ok(factor) = Cholesky::factor(matrix.clone(), self.context.par()) {
            return Some(factor);
        }
        // Columns that depend on each other without a penalty: a little one makes a
        // preconditioner of the matrix.
        for j in 0..width {
            matrix[(j, j)] += 1e-10 * largest;
        }
        Cholesky::factor(matrix, self.context.par()).ok()
    }

    /// The step with the size of the slope, as the preconditioner measures it.
    fn step(
        &self,
        slope: &[f64],
        preconditioner: &Preconditioner,
        first: Option<f64>,
    ) -> (Vec<f64>, f64) {
        let mut residual: Vec<f64> = slope.iter().map(|g| -g).collect();
        let mut ahead = preconditioner.solve(&residual);
        let mut size = dot(&residual, &ahead);
        let norm = size.max(0.0).sqrt();
        let exact =
            matches!(preconditioner, Preconditioner::Factors(_)) && self.passes.outputs == 1;
        if exact && self.passes.space.penalty > 0.0 {
            return (ahead, norm);
        }
        // The nearer to the solution, the more exact: convergence is faster than linear.
        let share = (norm / first.unwrap_or(norm)).sqrt().clamp(1e-6, 0.3);
        let mut step = vec![0.0; slope.len()];
        for _ in 0..MOST_STEPS {
            if !self.context.goes_on() {
                break;
            }
            let turned = self.times(&ahead);
            let bend = dot(&ahead, &turned);
            if !(bend > 0.0 && bend.is_finite()) {
                break;
            }
            let length = size / bend;
            for ((step, residual), (ahead, turned)) in step
                .iter_mut()
                .zip(&mut residual)
                .zip(ahead.iter().zip(&turned))
            {
                *step += length * ahead;
                *residual -= length * turned;
            }
            let next = preconditioner.solve(&residual);
            let reached = dot(&residual, &next);
            if reached.max(0.0).sqrt() <= share * norm {
                break;
            }
            let ratio = reached / size;
            size = reached;
            for (ahead, next) in ahead.iter_mut().zip(next) {
                *ahead = next + ratio * *ahead;
            }
        }
        (step, norm)
    }

    /// The Hessian times a vector.
    fn times(&self, vector: &[f64]) -> Vec<f64> {
        let outputs = self.passes.outputs;
        let mut product = self.passes.through(vector, |rows, changes| {
            let place = &self.place[rows.start * outputs..rows.end * outputs];
            self.loss.curve(rows, place, changes);
        });
        for ((product, penalty), value) in product.iter_mut().zip(&self.penalties).zip(vector) {
            *product += penalty * value;
        }
        product
    }

    /// Goes along the step as far as the objective falls; returns what it has become.
    fn advance(
        &self,
        weights: &mut [f64],
        decisions: &mut [f64],
        step: &[f64],
        changes: &[f64],
        value: f64,
        decrease: f64,
    ) -> Option<f64> {
        let pairs = || self.penalties.iter().zip(weights.iter().zip(step));
        let present = self.penalty(weights);
        let mixed: f64 = pairs().map(|(p, (w, s))| p * w * s).sum();
        let own: f64 = pairs().map(|(p, (_, s))| p * s * s).sum();
        let mut length = 1.0;
        let mut tried = vec![0.0; decisions.len()];
        for _ in 0..HALVINGS {
            for ((tried, decision), change) in tried.iter_mut().zip(&*decisions).zip(changes) {
                *tried = decision + length * change;
            }
            let reached =
                self.value(&tried) + present + length * mixed + 0.5 * length * length * own;
            let hidden = decrease * length <= HIDDEN * value;
            if reached <= value - ENOUGH * length * decrease || (hidden && reached.is_finite()) {
                for (weight, step) in weights.iter_mut().zip(step) {
                    *weight += length * step;
                }
                decisions.copy_from_slice(&tried);
                return Some(reached);
            }
            length *= 0.5;
        }
        None
    }
}

/// Why work may not go on.
pub(super) fn stopped(context: &FitContext) -> StopReason {
    if context.cancel.is_cancelled() {
        StopReason::Cancelled
    } else {
        StopReason::TimeLimit
    }
}
