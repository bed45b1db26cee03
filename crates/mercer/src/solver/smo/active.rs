//! The variables a solver still moves, laid out for straight passes.

use super::DualProblem;
use mercer_linalg::Real;

/// Active variables as parallel arrays in ascending order.
pub(super) struct Active {
    /// The variable's number in the problem.
    pub(super) ids: Vec<u32>,
    /// The data row it belongs to.
    pub(super) rows: Vec<u32>,
    /// F_t.
    pub(super) residuals: Vec<f64>,
    /// K(r_t, r_t).
    pub(super) diagonal: Vec<f64>,
    /// 0 where β_t may rise, −∞ where not: added to F it masks the maximum.
    pub(super) rise: Vec<f64>,
    /// 0 where β_t may fall, +∞ where not: added to F it masks the minimum.
    pub(super) fall: Vec<f64>,
    /// Number of active variables of sign +1.
    pub(super) positive: usize,
    /// Whether position and row number agree, so that kernel rows need no gathering.
    contiguous: bool,
}

impl Active {
    /// Activates every variable whose box is not a point.
    pub(super) fn all(
        problem: &DualProblem,
        alpha: &[f64],
        residuals: &[f64],
        diagonal: &[f64],
    ) -> Self {
        let ids: Vec<u32> = (0..problem.len() as u32)
            .filter(|&t| problem.upper[t as usize] > 0.0)
            .collect();
        let rows: Vec<u32> = ids.iter().map(|t| t % problem.rows as u32).collect();
        let mut active = Self {
            residuals: ids.iter().map(|&t| residuals[t as usize]).collect(),
            diagonal: rows.iter().map(|&r| diagonal[r as usize]).collect(),
            rise: vec![0.0; ids.len()],
            fall: vec![0.0; ids.len()],
            positive: 0,
            contiguous: false,
            ids,
            rows,
        };
        for k in 0..active.len() {
            active.mark(k, problem, alpha);
        }
        active.settle(problem);
        active
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Updates the directions in which the variable at a position may move.
    pub(super) fn mark(&mut self, position: usize, problem: &DualProblem, alpha: &[f64]) {
        let t = self.ids[position] as usize;
        self.rise[position] = if problem.can_rise(t, alpha[t]) {
            0.0
        } else {
            f64::NEG_INFINITY
        };
        self.fall[position] = if problem.can_fall(t, alpha[t]) {
            0.0
        } else {
            f64::INFINITY
        };
    }

    /// Drops the variables that the test says are settled.
    pub(super) fn shrink(&mut self, problem: &DualProblem, settled: impl Fn(&Self, usize) -> bool) {
        let mut kept = 0;
        for k in 0..self.len() {
            if settled(self, k) {
                continue;
            }
            self.ids[kept] = self.ids[k];
            self.rows[kept] = self.rows[k];
            self.residuals[kept] = self.residuals[k];
            self.diagonal[kept] = self.diagonal[k];
            self.rise[kept] = self.rise[k];
            self.fall[kept] = self.fall[k];
            kept += 1;
        }
        self.ids.truncate(kept);
        self.rows.truncate(kept);
        self.residuals.truncate(kept);
        self.diagonal.truncate(kept);
        self.rise.truncate(kept);
        self.fall.truncate(kept);
        self.settle(problem);
    }

    fn settle(&mut self, problem: &DualProblem) {
        self.positive = self
            .ids
            .iter()
            .filter(|&&t| problem.signs[t as usize] > 0.0)
            .count();
        self.contiguous = self.rows.iter().zip(0..).all(|(&row, k)| row == k);
    }

    /// Returns a kernel row in the order of the active variables.
    pub(super) fn view<'a, T: Real>(&self, row: &'a [T], scratch: &'a mut Vec<T>) -> &'a [T] {
        if self.contiguous {
            return &row[..self.len()];
        }
        scratch.clear();
        scratch.extend(self.rows.iter().map(|&r| row[r as usize]));
        scratch
    }
}
