//! The cost at every ratio γ from one tridiagonal form: no eigenvector is ever made.
//!
//! With K_c and M S y as in [`super::spectrum`]: K_c = Q T Qᵀ, z = Qᵀ M S y, and the factors
//! I + γT = L E Lᵀ, which a tridiagonal matrix gives in linear time, say all that is asked:
//!
//! ```text
//! log|I + γK_c| = Σ log e_i,   q(γ) = γ zᵀ(I + γT)⁻¹z = γ Σ (L⁻¹z)_i²/e_i.
//! ```
//!
//! Normal equations A = ΦᵀΦ, b = Φᵀy of features serve as well: A has the eigenvalues of K_c = ΦΦᵀ other than zero, and with
//! A = Q T Qᵀ, z = Qᵀb it is q(γ) = γ [‖y‖² − γ zᵀ(I + γT)⁻¹z] (Woodbury).

use mercer_linalg::{LinalgError, Matrix, Tridiagonal, dot};

use super::Problem;
use super::centred::Centred;
use super::ratio::{best_ratio, log_evidence, ratio_range};

/// Pivots are multiplied before a logarithm is taken: each is at most 1 + γλ, far below 1e19.
const PRODUCTS: usize = 16;
/// Share of ‖y‖² that normal equations leave at least: their sums are known no better.
const LEAST_REST: f64 = 1e-12;

/// A kernel matrix in tridiagonal form, with the targets in its frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Reduced {
    form: Tridiagonal<f64>,
    /// z, one row per output.
    sides: Matrix<f64>,
    /// ‖y‖² of every output, where the form is that of features and not of rows.
    whole: Option<Vec<f64>>,
    /// Average eigenvalue; 0 where it is rounding.
    mean: f64,
    copies: f64,
    /// 1 where a constant is free.
    constant: f64,
}

impl Reduced {
    /// Reduces the kernel matrix of a problem. Time 2n³/3 multiplications.
    ///
    /// # Errors
    /// A matrix that holds a value that is no number.
    pub fn new(problem: &Problem<'_>) -> Result<Self, LinalgError> {
        let Centred {
            matrix, mut sides, ..
        } = Centred::new(problem);
        Ok(Self {
            form: Tridiagonal::reduce(matrix, &mut sides)?,
            sides,
            whole: None,
            mean: problem.mean_eigenvalue(),
            copies: problem.copies(),
            constant: f64::from(u8::from(problem.intercept)),
        })
    }

    /// Reduces normal equations A and b, a row per output, with ‖y‖² of every output, how many copies all rows stand for
    /// and the average eigenvalue of K_c; all around the means where a constant is free.
    ///
    /// # Errors
    /// A matrix that holds a value that is no number.
    pub fn of_features(
        gram: Matrix<f64>,
        mut sides: Matrix<f64>,
        squares: Vec<f64>,
        (copies, mean): (f64, f64),
        intercept: bool,
    ) -> Result<Self, LinalgError> {
        Ok(Self {
            form: Tridiagonal::reduce(gram, &mut sides)?,
            sides,
            whole: Some(squares),
            mean,
            copies,
            constant: f64::from(u8::from(intercept)),
        })
    }

    fn freedom(&self) -> f64 {
        self.copies - self.constant
    }

    /// Returns whether no eigenvalue is below zero by more than rounding: all pivots of
    /// T + δI are positive (Sylvester's law of inertia).
    pub fn is_semidefinite(&self) -> bool {
        let Tridiagonal { diagonal, beside } = &self.form;
        // Gershgorin: no eigenvalue is larger.
        let largest = (0..diagonal.len())
            .map(|i| {
                let left = i.checked_sub(1).map_or(0.0, |k| beside[k].abs());
                diagonal[i].abs() + left + beside.get(i).map_or(0.0, |b| b.abs())
            })
            .fold(0.0, f64::max);
        let shift = 1e-9 * largest;
        largest == 0.0 || self.pivots(1.0, shift).all(|pivot| pivot > 0.0)
    }

    /// The pivots e_i of δI + γT.
    fn pivots(&self, ratio: f64, shift: f64) -> impl Iterator<Item = f64> {
        let Tridiagonal { diagonal, beside } = &self.form;
        let mut before = 1.0;
        let off = std::iter::once(0.0).chain(beside.iter().copied());
        diagonal.iter().zip(off).map(move |(a, b)| {
            let off = ratio * b;
            before = shift + ratio * a - off * off / before;
            before
        })
    }

    /// Returns J(γ), summed over the outputs; infinite where the matrix is not positive definite.
    pub fn cost(&self, ratio: f64) -> f64 {
        let Tridiagonal { diagonal, beside } = &self.form;
        let n = diagonal.len();
        let mut logs = 0.0;
        let mut product = 1.0_f64;
        let mut inverse = 1.0;
        let mut quadratics = vec![0.0; self.sides.rows()];
        let mut last = vec![0.0; self.sides.rows()];
        for i in 0..n {
            let off = if i == 0 { 0.0 } else { ratio * beside[i - 1] };
            let multiplier = off * inverse;
            let pivot = 1.0 + ratio * diagonal[i] - off * multiplier;
            if pivot.is_nan() || pivot <= 0.0 {
                return f64::INFINITY;
            }
            inverse = pivot.recip();
            product *= pivot;
            if i % PRODUCTS == PRODUCTS - 1 {
                logs += product.ln();
                product = 1.0;
            }
            for (k, (q, w)) in quadratics.iter_mut().zip(&mut last).enumerate() {
                *w = self.sides[(k, i)] - multiplier * *w;
                *q += *w * *w * inverse;
            }
        }
        logs += product.ln();
        // γ cancels between q = γ Σ w²/e and −(n − 1) log γ.
        let sum = |(k, inside): (usize, &f64)| match &self.whole {
            None => *inside,
            Some(whole) => (whole[k] - ratio * inside).max(LEAST_REST * whole[k]),
        };
        let one = |sum: f64| logs + self.freedom() * (sum / 2.0).ln();
        let sums = quadratics.iter().enumerate().map(sum);
        0.5 * sums.map(one).sum::<f64>()
    }

    /// tr (I + γT)⁻¹, from the pivots of I + γT.
    fn trace(&self, ratio: f64, down: &[f64]) -> f64 {
        // The same from the other end: 1/(e_i + e'_i − t_i) is the diagonal of the inverse.
        let mut trace = 0.0;
        let mut below = 0.0;
        for i in (0..down.len()).rev() {
            let own = 1.0 + ratio * self.form.diagonal[i];
            let up = own - below;
            trace += (down[i] + up - own).recip();
            if i > 0 {
                let off = ratio * self.form.beside[i - 1];
                below = off * off / up;
            }
        }
        trace
    }

    /// Returns the effective number of parameters without the constant, Σ γλ_i/(1+γλ_i).
    pub fn effective_parameters(&self, ratio: f64) -> f64 {
        let down: Vec<f64> = self.pivots(ratio, 1.0).collect();
        // The constant's own direction is in the trace with an eigenvalue of 0.
        down.len() as f64 - self.trace(ratio, &down)
    }

    /// Returns the generalised cross-validation score, n⁻¹‖y − ŷ‖²/(1 − γ_eff/n)², over all
    /// outputs; weights count as copies.
    pub fn gcv(&self, ratio: f64) -> f64 {
        let down: Vec<f64> = self.pivots(ratio, 1.0).collect();
        let square: f64 = (0..self.sides.rows())
            .map(|k| {
                let inside = self.residuals(k, ratio, &down);
                let square: f64 = inside.iter().map(|r| r * r).sum();
                match &self.whole {
                    None => square,
                    // ‖y − Φw‖² = ‖y‖² − bᵀw − ‖w‖²/γ with w = γ(I + γA)⁻¹b.
                    Some(whole) => {
                        let left = whole[k] - ratio * (dot(self.sides.row(k), &inside) + square);
                        left.max(LEAST_REST * whole[k])
                    }
                }
            })
            .sum();
        let effective = down.len() as f64 - self.trace(ratio, &down) + self.constant;
        let share = 1.0 - effective / self.copies;
        square / self.copies / (share * share)
    }

    /// (I + γT)⁻¹z: the residuals in the frame, where it is one of rows.
    fn residuals(&self, output: usize, ratio: f64, pivots: &[f64]) -> Vec<f64> {
        let off = |i: usize| ratio * self.form.beside[i];
        let mut x = self.sides.row(output).to_vec();
        for i in 1..x.len() {
            x[i] -= off(i - 1) / pivots[i - 1] * x[i - 1];
        }
        for i in (0..x.len()).rev() {
            if i + 1 < x.len() {
                x[i] -= off(i) * x[i + 1];
            }
            x[i] /= pivots[i];
        }
        x
    }

    /// Returns the ratio of least cost; `None` for a matrix of zeros.
    pub fn best_ratio(&self) -> Option<f64> {
        Some(best_ratio(self.range()?, |ratio| self.cost(ratio)))
    }

    /// Returns the ratio of least generalised cross-validation score.
    pub fn least_gcv(&self) -> Option<f64> {
        Some(best_ratio(self.range()?, |ratio| self.gcv(ratio)))
    }

    /// Returns log p(D | K) up to a constant that is the same for all kernels: level 3.
    pub fn log_evidence(&self) -> Option<f64> {
        let best = self.best_ratio()?;
        Some(log_evidence(self.range()?, best, |ratio| self.cost(ratio)))
    }

    /// Returns the range of ratios that is looked at: γ·λ̄ between 1e-8 and 1e8.
    pub fn range(&self) -> Option<(f64, f64)> {
        ratio_range(self.mean)
    }
}
