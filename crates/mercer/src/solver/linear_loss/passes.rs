//! Products, sums and squares over all rows, run by run.

use std::ops::Range;

use mercer_linalg::Matrix;

use super::Space;
use crate::fit::FitContext;

/// Most runs: threads beyond it have nothing to do.
const MOST: usize = 8;
/// Stored values that are worth a run of their own.
const TASK: usize = 16_384;
/// Rows whose products are used while they are in the cache.
const BLOCK: usize = 256;

/// A number of runs by what they hold and what adding their sums up costs; threads have no say.
fn runs(rows: usize, work: f64, sums: f64) -> Vec<Range<usize>> {
    let most = (work / (4.0 * sums)).min(work / TASK as f64);
    let count = (most as usize).clamp(1, MOST).min(rows.max(1));
    let start = |run: usize| run * rows / count;
    (0..count).map(|run| start(run)..start(run + 1)).collect()
}

/// The rows of a space with the outputs of a loss.
pub(super) struct Passes<'a> {
    pub(super) space: &'a Space<'a>,
    pub(super) outputs: usize,
    context: &'a FitContext,
    runs: Vec<Range<usize>>,
}

impl<'a> Passes<'a> {
    pub(super) fn new(space: &'a Space<'a>, outputs: usize, context: &'a FitContext) -> Self {
        let rows = space.rows;
        // A row costs something even where nothing is stored of it.
        let work = (rows.stored() + rows.rows()) as f64;
        Self {
            space,
            outputs,
            context,
            runs: runs(rows.rows(), work, rows.width() as f64 + 1.0),
        }
    }

    /// Number of weights of one output, the appended feature's among them.
    pub(super) fn width(&self) -> usize {
        self.space.rows.width() + 1
    }

    /// Nothing for every run.
    pub(super) fn units(&self) -> Vec<()> {
        vec![(); self.runs.len()]
    }

    /// Takes a list of numbers per row apart, run by run.
    pub(super) fn split<'o>(&self, mut list: &'o mut [f64]) -> Vec<&'o mut [f64]> {
        let mut parts = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            let (part, rest) = list.split_at_mut(run.len() * self.outputs);
            parts.push(part);
            list = rest;
        }
        parts
    }

    /// Does something with every run and what belongs to it, side by side; results in order.
    pub(super) fn each<T: Send, R: Send>(
        &self,
        parts: Vec<T>,
        work: impl Fn(Range<usize>, T) -> R + Sync + Send,
    ) -> Vec<R> {
        let items: Vec<(Range<usize>, T)> = self.runs.iter().cloned().zip(parts).collect();
        self.context.map(items, |(run, part)| work(run, part))
    }

    /// The decisions ⟨w, x⟩ + c v of all rows.
    pub(super) fn decisions(&self, weights: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.space.rows.rows() * self.outputs];
        let parts = self.split(&mut out);
        self.each(parts, |run, part| self.decide(run, weights, part));
        out
    }

    fn decide(&self, run: Range<usize>, weights: &[f64], out: &mut [f64]) {
        let (columns, last) = weights.split_at(weights.len() - self.outputs);
        self.space.rows.products(run, self.outputs, columns, out);
        if self.space.constant != 0.0 {
            for row in out.chunks_exact_mut(self.outputs) {
                for (decision, weight) in row.iter_mut().zip(last) {
                    *decision += self.space.constant * weight;
                }
            }
        }
    }

    fn gather(&self, run: Range<usize>, factors: &[f64], out: &mut [f64]) {
        let (columns, last) = out.split_at_mut((self.width() - 1) * self.outputs);
        self.space.rows.combine(run, self.outputs, factors, columns);
        if self.space.constant != 0.0 {
            for row in factors.chunks_exact(self.outputs) {
                for (sum, factor) in last.iter_mut().zip(row) {
                    *sum += self.space.constant * factor;
                }
            }
        }
    }

    fn zeros(&self) -> Vec<f64> {
        vec![0.0; self.width() * self.outputs]
    }

    /// Σ factor · x, the appended feature among the columns.
    pub(super) fn combine(&self, factors: &[f64]) -> Vec<f64> {
        let outputs = self.outputs;
        summed(self.each(self.units(), |run, ()| {
            let mut out = self.zeros();
            let own = &factors[run.start * outputs..run.end * outputs];
            self.gather(run, own, &mut out);
            out
        }))
    }

    /// Σ curve(⟨v, x⟩) · x: a Hessian times v, where `curve` changes products into what the loss
    /// makes of them.
    pub(super) fn through(
        &self,
        weights: &[f64],
        curve: impl Fn(Range<usize>, &mut [f64]) + Sync + Send,
    ) -> Vec<f64> {
        summed(self.each(self.units(), |run, ()| {
            let mut out = self.zeros();
            let mut block = vec![0.0; BLOCK.min(run.len()) * self.outputs];
            for start in run.clone().step_by(BLOCK) {
                let rows = start..(start + BLOCK).min(run.end);
                let block = &mut block[..rows.len() * self.outputs];
                self.decide(rows.clone(), weights, block);
                curve(rows.clone(), block);
                self.gather(rows, block, &mut out);
            }
            out
        }))
    }

    /// The lower triangle of Σ factor · x xᵀ, the appended feature last.
    pub(super) fn squares(&self, factors: &[f64]) -> Matrix<f64> {
        let rows = self.space.rows;
        let width = self.width();
        let runs = runs(rows.rows(), rows.square_cost(), (width * width) as f64);
        let parts = self.context.map(runs, |run| {
            let mut out = Matrix::zeros(width, width);
            rows.add_squares(run.clone(), &factors[run], &mut out);
            out
        });
        let mut parts = parts.into_iter();
        let mut sum = parts.next().expect("at least one run");
        for part in parts {
            let pairs = sum.as_mut_slice().iter_mut().zip(part.as_slice());
            pairs.for_each(|(sum, part)| *sum += part);
        }
        let constant = self.space.constant;
        let last = sum.row_mut(width - 1);
        last.fill(0.0);
        if constant != 0.0 {
            rows.combine(0..rows.rows(), 1, factors, &mut last[..width - 1]);
            last.iter_mut().for_each(|value| *value *= constant);
            last[width - 1] = constant * constant * factors.iter().sum::<f64>();
        }
        sum
    }

    /// Σ factor · x∘x, the appended feature last.
    pub(super) fn diagonal(&self, factors: &[f64]) -> Vec<f64> {
        let rows = self.space.rows;
        let mut sums = vec![0.0; self.width()];
        let (columns, last) = sums.split_at_mut(rows.width());
        rows.add_diagonal(0..rows.rows(), factors, columns);
        last[0] = self.space.constant.powi(2) * factors.iter().sum::<f64>();
        sums
    }

    /// The penalty of every weight.
    pub(super) fn penalties(&self) -> Vec<f64> {
        let mut all = vec![self.space.penalty; (self.width() - 1) * self.outputs];
        all.resize(self.width() * self.outputs, self.space.constant_penalty);
        all
    }
}

/// Sums of runs, in their order.
fn summed(parts: Vec<Vec<f64>>) -> Vec<f64> {
    let mut parts = parts.into_iter();
    let mut sum = parts.next().expect("at least one run");
    for part in parts {
        for (sum, part) in sum.iter_mut().zip(part) {
            *sum += part;
        }
    }
    sum
}
