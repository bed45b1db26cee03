//! Descent on residuals: for sparse columns, and for working sets larger than the rows.

use super::certificate::{Certificate, Penalty, Sums};
use super::columns::{Columns, Residual};
use super::descent::Problem;
use super::extrapolation::{DEPTH, History};
use crate::fit::FitContext;

/// Passes between two looks at the gap, which cost a pass.
const LOOK: u64 = 2 * DEPTH as u64;

/// Weights of a working set with the residuals.
pub(super) struct Residuals<'a, 'b> {
    pub(super) problem: &'a Problem<'b>,
    /// The columns of the set.
    pub(super) working: &'a [u32],
    /// Their weights.
    pub(super) weights: Vec<f64>,
    pub(super) residual: Residual,
}

impl Residuals<'_, '_> {
    /// Descends until the gap over the working set is small; returns the passes made.
    pub(super) fn run(
        &mut self,
        penalty: Penalty,
        tolerance: f64,
        passes: u64,
        context: &FitContext,
    ) -> u64 {
        let mut history = History::default();
        for pass in 1..=passes {
            let moved = self.pass(penalty);
            history.push(&self.weights);
            if !moved || !context.goes_on() {
                return pass;
            }
            if pass % DEPTH as u64 == 0
                && let Some(coefficients) = history.coefficients()
                && self.take(history.combine(&coefficients), penalty)
            {
                history.clear();
            }
            if pass % LOOK == 0 && self.certificate(penalty).gap() <= tolerance {
                return pass;
            }
        }
        passes
    }

    /// One pass over the set; returns whether any weight moved.
    fn pass(&mut self, penalty: Penalty) -> bool {
        match self.problem.columns {
            Columns::Sparse(sparse) => self.pass_with(
                penalty,
                |j, residual| sparse.slope(j, residual),
                |j, step, residual| sparse.subtract(j, step, residual),
            ),
            dense @ Columns::Dense(_) => self.pass_with(
                penalty,
                |j, residual| dense.slope(j, residual),
                |j, step, residual| dense.subtract(j, step, residual),
            ),
        }
    }

    #[inline]
    fn pass_with(
        &mut self,
        penalty: Penalty,
        slope: impl Fn(usize, &Residual) -> f64,
        subtract: impl Fn(usize, f64, &mut Residual),
    ) -> bool {
        let mut moved = false;
        for (&column, weight) in self.working.iter().zip(&mut self.weights) {
            let j = column as usize;
            let (old, square) = (*weight, self.problem.squares[j]);
            let z = slope(j, &self.residual) + square * old;
            let new = penalty.minimiser(z, square, self.problem.positive);
            if new != old {
                subtract(j, new - old, &mut self.residual);
                *weight = new;
                moved = true;
            }
        }
        moved
    }

    /// P and D over the working set.
    fn certificate(&self, penalty: Penalty) -> Certificate {
        let columns = self.problem.columns;
        let values = columns.centred(&self.residual);
        let mut sums = Sums::of_rows(&values, self.problem.targets);
        for (&j, &w) in self.working.iter().zip(&self.weights) {
            let slope = columns.slope(j as usize, &self.residual);
            sums.add(w, slope, penalty, self.problem.positive);
        }
        sums.certificate(penalty)
    }

    /// P alone.
    fn primal(&self, weights: &[f64], residual: &Residual, penalty: Penalty) -> f64 {
        let values = self.problem.columns.centred(residual);
        let (mut absolute, mut square) = (0.0, 0.0);
        for w in weights {
            absolute += w.abs();
            square += w * w;
        }
        0.5 * mercer_linalg::dot(&values, &values)
            + penalty.absolute * absolute
            + 0.5 * penalty.square * square
    }

    /// Takes other weights where they are better.
    fn take(&mut self, weights: Vec<f64>, penalty: Penalty) -> bool {
        if self.problem.positive && weights.iter().any(|w| *w < 0.0) {
            return false;
        }
        let mut residual = self.residual.clone();
        for ((&j, &old), &new) in self.working.iter().zip(&self.weights).zip(&weights) {
            if new != old {
                let columns = self.problem.columns;
                columns.subtract(j as usize, new - old, &mut residual);
            }
        }
        let before = self.primal(&self.weights, &self.residual, penalty);
        let better = self.primal(&weights, &residual, penalty) < before;
        if better {
            self.weights = weights;
            self.residual = residual;
        }
        better
    }
}
