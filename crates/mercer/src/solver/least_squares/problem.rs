//! The squared-loss problem that a Gram matrix and targets state.

use mercer_linalg::{LinalgError, Matrix, MatrixRef, Par, Proceed};

use super::Solved;

/// Least γ·λ̄ of a classifier whose γ was found: slopes of sigmoids stay below some 1e3 by it.
const LEAST_TRUST: f64 = 1e-3;

/// Units of rounding of the trace of K that 1/γ stays above: the values of K and the sums of its
/// factor are off by about one.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
/// Powers of ten by which a γ is lowered at most: all of the range in which it is looked for.
const TENS: i32 = 16;

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

    /// Returns whether a free constant takes up all of the kernel: its values differ by no more
    /// than rounding. Nothing but rounding is left around the mean then, whose sign says nothing.
    pub fn is_constant(&self) -> bool {
        let rows = || (0..self.rows()).map(|i| self.gram.row(i));
        let ends = rows()
            .flatten()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), k| {
                (low.min(*k), high.max(*k))
            });
        let largest = ends.0.abs().max(ends.1.abs());
        self.intercept && ends.1 - ends.0 <= 1e-13 * largest
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

    /// Returns the largest γ at which rounding leaves K + D/γ positive definite: no eigenvalue of K
    /// is above its trace t, and those of the sum are known to some units of εt only.
    ///
    /// Targets without noise drive γ without end; beyond this bound nothing is gained.
    pub fn largest_ratio(&self) -> f64 {
        let trace: f64 = (0..self.rows()).map(|i| self.gram.row(i)[i].abs()).sum();
        let noise = |i: usize| self.noise(i);
        let least = (0..self.rows()).map(noise).fold(f64::INFINITY, f64::min);
        let largest = least / (ROUNDING * trace);
        if largest.is_nan() {
            f64::INFINITY
        } else {
            largest
        }
    }

    /// Solves the problem at a ratio γ, or at the first of γ/10, γ/100, … at which the matrix is
    /// positive definite to rounding.
    ///
    /// # Errors
    /// A matrix that is so at none of them; [`LinalgError::Stopped`] when `proceed` says no.
    pub fn solve_defined(
        &self,
        ratio: f64,
        par: Par,
        proceed: Proceed<'_>,
    ) -> Result<Solved, LinalgError> {
        let mut found = self.solve_while(ratio, par, proceed);
        for step in 1..=TENS {
            if found.is_ok() || !proceed() {
                break;
            }
            found = self.solve_while(ratio / 10.0_f64.powi(step), par, proceed);
        }
        found
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_constant_takes_up_a_kernel_without_differences() {
        let targets = Matrix::from_fn(1, 4, |_, i| i as f64);
        let constant = |value: &dyn Fn(usize, usize) -> f64, intercept: bool| {
            let gram = Matrix::from_fn(4, 4, value);
            let problem = Problem {
                gram: gram.as_ref(),
                targets: &targets,
                weights: None,
                intercept,
            };
            problem.is_constant()
        };
        for level in [1.0, 0.0, 1e-9] {
            assert!(constant(&|_, _| level, true), "{level}");
            assert!(!constant(&|_, _| level, false), "{level}");
        }
        assert!(!constant(
            &|i, j| (-1e-9 * (i as f64 - j as f64).powi(2)).exp(),
            true
        ));
        // Indefinite, and its trace is 0: no constant.
        assert!(!constant(&|i, j| f64::from(u8::from(i != j)), true));
    }

    #[test]
    fn a_gamma_beyond_rounding_is_lowered() {
        // All eigenvalues of a wide Gaussian kernel but a few are rounding.
        let n = 300;
        let place = |i: usize| i as f64 / n as f64;
        let value = |i: usize, j: usize| (-1e-3 * (place(i) - place(j)).powi(2)).exp();
        let gram = Matrix::from_fn(n, n, value);
        let targets = Matrix::from_fn(1, n, |_, i| place(i));
        for weight in [None, Some(7.0)] {
            let weights = weight.map(|w| vec![w; n]);
            let problem = Problem {
                gram: gram.as_ref(),
                targets: &targets,
                weights: weights.as_deref(),
                intercept: true,
            };
            let par = Par::Sequential;
            assert!(problem.solve(1e18, par).is_err());
            let most = problem.largest_ratio();
            assert!(most < 1e14 && problem.solve(most, par).is_ok(), "{most}");
            let solved = problem.solve_defined(1e18, par, &|| true).unwrap();
            assert!(solved.ratio() < 1e18 && solved.ratio() >= most / 100.0);
            assert!(problem.solve_defined(1e18, par, &|| false).is_err());
        }
    }
}
