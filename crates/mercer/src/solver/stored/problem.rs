//! A problem over some rows of a stored matrix, and a point of it.

use mercer_linalg::axpy_wide;

use crate::gram::KernelRows;
use crate::solver::smo::{Coupling, DualProblem};

/// A problem over some rows of a matrix.
pub(crate) struct StoredProblem {
    /// The row of each variable.
    pub(crate) rows: Vec<u32>,
    /// c of each variable.
    pub(crate) centres: Vec<f64>,
    /// Lower ends of the box.
    pub(crate) low: Vec<f64>,
    /// Upper ends of the box.
    pub(crate) high: Vec<f64>,
}

/// A feasible point with its decision values.
#[derive(Debug, Clone)]
pub(crate) struct State {
    /// One value per variable.
    pub(crate) beta: Vec<f64>,
    /// f = Kβ of every row of the matrix, held-out ones included.
    pub(crate) decision: Vec<f64>,
}

impl State {
    /// The point of given variables, whose decision values are summed up.
    pub(crate) fn at(problem: &StoredProblem, beta: Vec<f64>, kernel: &mut KernelRows<'_>) -> Self {
        let mut decision = vec![0.0; kernel.len()];
        for (&row, &part) in problem.rows.iter().zip(&beta) {
            if part != 0.0 {
                kernel.prepare([row]);
                axpy_wide(part, kernel.row(row), &mut decision);
            }
        }
        Self { beta, decision }
    }
}

impl StoredProblem {
    /// States a problem over rows of a matrix, given by their numbers.
    pub(crate) fn of(dual: &DualProblem, rows: &[u32]) -> Self {
        debug_assert_eq!(dual.rows, rows.len());
        debug_assert_eq!(dual.coupling, Coupling::Sum);
        let boxes = || dual.signs.iter().zip(&dual.upper);
        Self {
            rows: (0..dual.len()).map(|t| rows[t % dual.rows]).collect(),
            centres: dual.centres.clone(),
            low: boxes()
                .map(|(s, u)| if *s < 0.0 { -u } else { 0.0 })
                .collect(),
            high: boxes()
                .map(|(s, u)| if *s < 0.0 { 0.0 } else { *u })
                .collect(),
        }
    }

    /// The largest residual that may rise and the smallest that may fall.
    pub(super) fn extremes(&self, state: &State) -> (f64, f64) {
        let (mut top, mut bottom) = (f64::NEG_INFINITY, f64::INFINITY);
        for (t, &row) in self.rows.iter().enumerate() {
            let f = self.centres[t] - state.decision[row as usize];
            if state.beta[t] < self.high[t] {
                top = top.max(f);
            }
            if state.beta[t] > self.low[t] {
                bottom = bottom.min(f);
            }
        }
        (top, bottom)
    }

    /// The residual that free variables share; without any, the middle of what is allowed.
    pub(super) fn level(&self, state: &State) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for (t, &row) in self.rows.iter().enumerate() {
            if state.beta[t] > self.low[t] && state.beta[t] < self.high[t] {
                sum += self.centres[t] - state.decision[row as usize];
                count += 1.0;
            }
        }
        if count > 0.0 {
            return sum / count;
        }
        match self.extremes(state) {
            (top, bottom) if top.is_finite() && bottom.is_finite() => f64::midpoint(top, bottom),
            (top, _) if top.is_finite() => top,
            (_, bottom) if bottom.is_finite() => bottom,
            _ => 0.0,
        }
    }

    /// ½ βᵀKβ − cᵀβ.
    pub(crate) fn objective(&self, state: &State) -> f64 {
        let terms = self.rows.iter().enumerate();
        terms
            .map(|(t, &row)| state.beta[t] * (0.5 * state.decision[row as usize] - self.centres[t]))
            .sum()
    }
}
