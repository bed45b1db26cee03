//! The squared-loss problem that a Gram matrix and targets state.

use mercer_linalg::{LinalgError, Matrix, MatrixRef, Par, Proceed};

use super::Solved;

/// Least γ·λ̄ of a classifier whose γ was found: slopes of sigmoids stay below some 1e3 by it.
const LEAST_TRUST: f64 = 1e-3;

/// Targets to be explained by a kernel.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// The n × n kernel matrix K.
    pub gram: MatrixRef<'a, f64>,
    /// One row of n targets per output.
    pub targets: &'a Matrix<f64>,
    /// How many copies each row stands for; `None` means one each.
    pub weights: Option<&'a [f64]>,
    /// Whether a constant without penalty is part of the function.
    pub intercept: bool,
}

impl Problem<'_> {
    /// Returns the number of rows n.
    pub fn rows(&self) -> usize {
        self.gram.rows()
    }

    /// Returns how many copies all rows stand for.
    pub fn copies(&self) -> f64 {
        self.weights
            .map_or(self.rows() as f64, |weights| weights.iter().sum())
    }

    /// Returns the copies, less one where a constant is free: the dimension in which targets
    /// can vary.
    pub fn freedom(&self) -> f64 {
        self.copies() - f64::from(u8::from(self.intercept))
    }

    /// Returns 1/w_i of a row.
    pub fn noise(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| 1.0 / weights[row])
    }

    /// Returns tr(K_c)/(n − 1), or tr(K)/n without a free constant: the average eigenvalue; 0
    /// where it is rounding.
    pub fn mean_eigenvalue(&self) -> f64 {
        let rows = 0..self.rows();
        let weight = |i: usize| self.weights.map_or(1.0, |weights| weights[i]);
        let trace: f64 = rows.clone().map(|i| weight(i) * self.gram.row(i)[i]).sum();
        if !self.intercept {
            return trace / self.copies();
        }
        // Rounding leaves something of a matrix whose rows are all equal.
        let least = 1e-13 * trace / self.copies();
        let sum = |i: usize| -> f64 {
            let row = self.gram.row(i).iter().enumerate();
            weight(i) * row.map(|(j, k)| weight(j) * k).sum::<f64>()
        };
        let total: f64 = rows.map(sum).sum();
        let mean = (trace - total / self.copies()) / self.freedom();
        if mean > least { mean } else { 0.0 }
    }

    /// Returns a ratio that was found, raised to where γ·λ̄ is at least 1e-3.
    ///
    /// Where targets hold no signal the evidence drives γ to the end of its range, and f to a
    /// constant up to 1e-8. Below 1e-3 f only shrinks around that constant: its direction, the
    /// order of its values and any sigmoid of them stay the same to three digits, but single
    /// precision cannot hold it.
    pub fn raised(&self, ratio: f64) -> f64 {
        let least = LEAST_TRUST / self.mean_eigenvalue();
        if least.is_finite() {
            ratio.max(least)
        } else {
            ratio
        }
    }

    /// Solves the problem at one ratio γ. Time n³/3 multiplications.
    ///
    /// # Errors
    /// A matrix K + D/γ that is not positive definite to rounding: the kernel is not positive
    /// semidefinite, or γ is beyond 1/(n·ε·‖K‖).
    pub fn solve(&self, ratio: f64, par: Par) -> Result<Solved, LinalgError> {
        Solved::new(self, ratio, par, &|| true)
    }

    /// Solves the problem at one ratio γ, as long as it may.
    ///
    /// # Errors
    /// Those of [`Problem::solve`], and [`LinalgError::Stopped`] when `proceed` says no.
    pub fn solve_while(
        &self,
        ratio: f64,
        par: Par,
        proceed: Proceed<'_>,
    ) -> Result<Solved, LinalgError> {
        Solved::new(self, ratio, par, proceed)
    }
}
