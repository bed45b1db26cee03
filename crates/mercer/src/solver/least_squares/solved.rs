//! The solution at one ratio γ, through a Cholesky factor of A = K + D/γ.
//!
//! With a free constant the coefficients solve A α + b 1 = y, 1ᵀα = 0:
//!
//! ```text
//! b = 1ᵀA⁻¹y / 1ᵀA⁻¹1,   α = A⁻¹(y − b 1) = P y.
//! ```
//!
//! Everything else is read off P: the leave-one-out residual of row i is α_i/P_ii, of rows S
//! together P_SS⁻¹α_S; the effective number of parameters is n − tr(D P)/γ.
//!
//! A row of weight w is w equal rows: they would add (w − 1) log(1/γ) + log w to log|A|, and
//! each would have the coefficient α/w and γ(1 − 1/w) + P_ii/w² on the diagonal.

use mercer_linalg::{Cholesky, LinalgError, Matrix, Par, Proceed, axpy, dot};
use serde::{Deserialize, Serialize};

use super::Problem;

/// The two precisions of an output.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Levels {
    /// Prior precision μ of ‖f‖².
    pub prior: f64,
    /// Noise precision ζ of a row of weight 1.
    pub noise: f64,
}

impl Levels {
    /// The precisions at a ratio γ, from yᵀPy and the dimension in which targets can vary.
    ///
    /// Targets without any error would make both infinite; they stay finite.
    pub fn at(ratio: f64, quadratic: f64, freedom: f64) -> Self {
        let prior = (freedom / quadratic).clamp(f64::MIN_POSITIVE, f64::MAX.sqrt());
        Self {
            prior,
            noise: (ratio * prior).clamp(f64::MIN_POSITIVE, f64::MAX.sqrt()),
        }
    }
}

/// A squared-loss problem solved at one ratio.
#[derive(Debug, Clone)]
pub struct Solved {
    factor: Cholesky<f64>,
    ratio: f64,
    noise: Vec<f64>,
    /// Σw.
    copies: f64,
    /// A⁻¹1 and 1ᵀA⁻¹1, where a constant is free.
    constant: Option<(Vec<f64>, f64)>,
    /// One row of α per output.
    coefficients: Matrix<f64>,
    biases: Vec<f64>,
    /// yᵀPy of every output.
    quadratics: Vec<f64>,
}

impl Solved {
    pub(super) fn new(
        problem: &Problem<'_>,
        ratio: f64,
        par: Par,
        proceed: Proceed<'_>,
    ) -> Result<Self, LinalgError> {
        let n = problem.rows();
        let noise: Vec<f64> = (0..n).map(|i| problem.noise(i)).collect();
        let mut matrix = problem.gram.to_owned();
        for i in 0..n {
            matrix.row_mut(i)[i] += noise[i] / ratio;
        }
        let factor = Cholesky::factor_while(matrix, par, proceed)?;
        let outputs = problem.targets.rows();
        // Right-hand sides side by side: the targets, then the constant.
        let width = outputs + usize::from(problem.intercept);
        let mut sides = Matrix::from_fn(n, width, |i, k| {
            if k < outputs {
                problem.targets[(k, i)]
            } else {
                1.0
            }
        });
        factor.solve_in_place(&mut sides, par);
        let mut columns = sides.transposed();
        let constant = problem.intercept.then(|| {
            let unit = columns.row(outputs).to_vec();
            let sum = unit.iter().sum::<f64>();
            (unit, sum)
        });
        let mut biases = vec![0.0; outputs];
        let mut quadratics = vec![0.0; outputs];
        for k in 0..outputs {
            let targets = problem.targets.row(k);
            if let Some((unit, sum)) = &constant {
                biases[k] = dot(unit, targets) / sum;
                axpy(-biases[k], unit, columns.row_mut(k));
            }
            quadratics[k] = dot(targets, columns.row(k)).max(0.0);
        }
        let coefficients = Matrix::from_vec(outputs, n, columns.into_vec()[..outputs * n].to_vec());
        Ok(Self {
            factor,
            ratio,
            noise,
            copies: problem.copies(),
            constant,
            coefficients,
            biases,
            quadratics,
        })
    }

    /// Returns γ.
    pub fn ratio(&self) -> f64 {
        self.ratio
    }

    /// Returns the factor of A.
    pub fn into_factor(self) -> Cholesky<f64> {
        self.factor
    }

    /// Returns α, one row per output.
    pub fn coefficients(&self) -> &Matrix<f64> {
        &self.coefficients
    }

    /// Returns the constant of every output.
    pub fn biases(&self) -> &[f64] {
        &self.biases
    }

    fn rows(&self) -> usize {
        self.noise.len()
    }

    fn freedom(&self) -> f64 {
        self.copies - f64::from(u8::from(self.constant.is_some()))
    }

    /// Returns log|A|₊ of all copies.
    fn log_determinant(&self) -> f64 {
        let restricted = self
            .constant
            .as_ref()
            .map_or(0.0, |(_, sum)| (sum / self.copies).ln());
        let weights: f64 = self.noise.iter().map(|d| -d.ln()).sum();
        let doubles = weights - (self.copies - self.rows() as f64) * self.ratio.ln();
        self.factor.log_determinant() + restricted + doubles
    }

    /// Returns J, summed over the outputs; −∞ where an output is explained without any error.
    pub fn cost(&self) -> f64 {
        let determinant = self.log_determinant();
        let one = |q: &f64| 0.5 * (determinant + self.freedom() * (q / 2.0).ln());
        self.quadratics.iter().map(one).sum()
    }

    /// Returns μ and ζ of every output at this ratio: μ = (n − 1)/yᵀPy, ζ = γμ.
    pub fn levels(&self) -> Vec<Levels> {
        let one = |q: &f64| Levels::at(self.ratio, *q, self.freedom());
        self.quadratics.iter().map(one).collect()
    }

    /// Returns the residuals y − f(x) of the training rows: D α/γ, one row per output.
    pub fn residuals(&self) -> Matrix<f64> {
        Matrix::from_fn(self.coefficients.rows(), self.rows(), |k, i| {
            self.coefficients[(k, i)] * self.noise[i] / self.ratio
        })
    }

    /// Returns the diagonal of P. Time n³/6 multiplications.
    pub fn diagonal(&self, par: Par) -> Diagonal<'_> {
        self.diagonal_while(par, &|| true)
            .expect("nobody asks to stop")
    }

    /// Returns the diagonal of P, as long as it may.
    ///
    /// # Errors
    /// [`LinalgError::Stopped`] when `proceed` says no.
    pub fn diagonal_while(
        &self,
        par: Par,
        proceed: Proceed<'_>,
    ) -> Result<Diagonal<'_>, LinalgError> {
        let mut values = self.factor.inverse_diagonal_while(par, proceed)?;
        if let Some((unit, sum)) = &self.constant {
            for (value, u) in values.iter_mut().zip(unit) {
                *value -= u * u / sum;
            }
        }
        Ok(Diagonal {
            solved: self,
            values,
        })
    }

    /// Returns P. Time n³/2 multiplications.
    pub fn operator(&self, par: Par) -> Operator<'_> {
        self.operator_while(par, &|| true)
            .expect("nobody asks to stop")
    }

    /// Returns P, as long as it may.
    ///
    /// # Errors
    /// [`LinalgError::Stopped`] when `proceed` says no.
    pub fn operator_while(
        &self,
        par: Par,
        proceed: Proceed<'_>,
    ) -> Result<Operator<'_>, LinalgError> {
        let mut matrix = self.factor.inverse_while(par, proceed)?;
        if let Some((unit, sum)) = &self.constant {
            for (i, u) in unit.iter().enumerate() {
                axpy(-u / sum, unit, matrix.row_mut(i));
            }
        }
        Ok(Operator {
            solved: self,
            matrix,
        })
    }
}

/// The diagonal of P, with what can be read off it.
pub struct Diagonal<'a> {
    solved: &'a Solved,
    values: Vec<f64>,
}

impl Diagonal<'_> {
    /// tr(D P).
    fn trace(&self) -> f64 {
        dot(&self.solved.noise, &self.values)
    }

    /// Returns γ_eff = n − tr(D P)/γ, the constant counted.
    pub fn effective_parameters(&self) -> f64 {
        self.values.len() as f64 - self.trace() / self.solved.ratio
    }

    /// Returns ∂J/∂log γ.
    pub fn ratio_slope(&self) -> f64 {
        let Solved {
            noise,
            ratio,
            coefficients,
            quadratics,
            ..
        } = self.solved;
        let outputs = coefficients.rows() as f64;
        let mut fitted = 0.0;
        for (k, q) in quadratics.iter().enumerate() {
            let row = coefficients.row(k).iter().zip(noise);
            fitted += row.map(|(a, d)| d * a * a).sum::<f64>() / q;
        }
        let doubles = self.solved.copies - noise.len() as f64;
        let free = self.solved.freedom() * fitted - outputs * self.trace();
        0.5 * (free / ratio - outputs * doubles)
    }

    /// Returns the leave-one-out residuals of every row, without one copy of it; one row per
    /// output.
    pub fn leave_one_out(&self) -> Matrix<f64> {
        self.leave_copies_out(None)
    }

    /// Returns the leave-one-out residuals of every row, without one copy of it; one row per
    /// output.
    ///
    /// A row of weight w = m c stands for m copies of weight c. A copy weighs v = c·min(1, m),
    /// the share q = v/w of the row, and
    ///
    /// ```text
    /// r_i = α_i q / (γ v (1 − q) + P_ii q²).
    /// ```
    ///
    /// `factors` are the c, 1 where there are none. With a large c one unit of weight would not
    /// do: most of the row would have a part in its own prediction.
    pub fn leave_copies_out(&self, factors: Option<&[f64]>) -> Matrix<f64> {
        let Solved {
            coefficients: alpha,
            ratio,
            ..
        } = self.solved;
        Matrix::from_fn(alpha.rows(), alpha.columns(), |k, i| {
            let (unit, share) = self.copy(i, factors);
            let diagonal = ratio * unit * (1.0 - share) + self.values[i] * share * share;
            alpha[(k, i)] * share / diagonal
        })
    }

    /// Returns μ Var y for a target of weight 1 at every row, given all but one copy of that row:
    /// what [`Diagonal::leave_copies_out`] should be the size of.
    ///
    /// Of the copy that is left out, of weight v, the variance is 1/(γv(1 − q) + P_ii q²), its own
    /// noise 1/(γv) included.
    pub fn left_out_variances(&self, factors: Option<&[f64]>) -> Vec<f64> {
        let ratio = self.solved.ratio;
        let variance = |i: usize| {
            let (unit, share) = self.copy(i, factors);
            let precision = ratio * unit * (1.0 - share) + self.values[i] * share * share;
            (precision.recip() - (ratio * unit).recip()).max(0.0) + ratio.recip()
        };
        (0..self.values.len()).map(variance).collect()
    }

    /// Returns what every row is predicted without itself, one row per output: with a free constant
    ///
    /// ```text
    /// g_i = y_i − (1 − v_i/W) r_i,   W = Σ w,
    /// ```
    ///
    /// without one y_i − r_i.
    ///
    /// A free constant pulls the prediction of a held-out row towards the mean of the others, which
    /// lies away from its own target: over permutations of the targets Σ(y_i − ȳ)(y_i − r_i) has
    /// the mean −σ²n/(n − 1), whatever the kernel. A function without signal would look like one
    /// that tells all rows apart the wrong way round. Σ(y_i − ȳ) g_i has the mean 0.
    pub fn held_out(&self, targets: &Matrix<f64>, factors: Option<&[f64]>) -> Matrix<f64> {
        let mut values = self.leave_copies_out(factors);
        for k in 0..values.rows() {
            for (i, value) in values.row_mut(k).iter_mut().enumerate() {
                let pulled = if self.solved.constant.is_some() {
                    self.copy(i, factors).0 / self.solved.copies
                } else {
                    0.0
                };
                *value = targets[(k, i)] - (1.0 - pulled) * *value;
            }
        }
        values
    }

    /// What a copy of a row weighs, and its share of the row.
    fn copy(&self, row: usize, factors: Option<&[f64]>) -> (f64, f64) {
        let factor = factors.map_or(1.0, |f| f[row]);
        // A row of less than a copy goes as a whole.
        let unit = factor.min(1.0 / self.solved.noise[row]);
        (unit, (unit * self.solved.noise[row]).min(1.0))
    }
}

/// The matrix P of a solved problem, with what can be read off it.
pub struct Operator<'a> {
    solved: &'a Solved,
    matrix: Matrix<f64>,
}

impl Operator<'_> {
    /// Returns P itself.
    pub fn matrix(&self) -> &Matrix<f64> {
        &self.matrix
    }

    /// Returns its diagonal.
    pub fn diagonal(&self) -> Diagonal<'_> {
        Diagonal {
            solved: self.solved,
            values: (0..self.matrix.rows())
                .map(|i| self.matrix[(i, i)])
                .collect(),
        }
    }

    /// Returns G with ∂J/∂θ = Σ_ij G_ij ∂K_ij/∂θ for every parameter θ of the kernel:
    /// G = ½ Σ_outputs [P − (n − 1) α αᵀ / yᵀPy].
    pub fn into_kernel_slope(self) -> Matrix<f64> {
        let Self { solved, mut matrix } = self;
        let outputs = solved.coefficients.rows() as f64;
        for value in matrix.as_mut_slice() {
            *value *= 0.5 * outputs;
        }
        for (k, q) in solved.quadratics.iter().enumerate() {
            let alpha = solved.coefficients.row(k);
            let factor = -0.5 * solved.freedom() / q;
            for (i, a) in alpha.iter().enumerate() {
                axpy(factor * a, alpha, matrix.row_mut(i));
            }
        }
        matrix
    }

    /// Returns the residuals of every row when its fold is left out, with all copies of its
    /// rows, one row per output.
    ///
    /// # Errors
    /// A fold without which the rest does not determine the solution.
    pub fn leave_folds_out(&self, folds: &[u32], par: Par) -> Result<Matrix<f64>, LinalgError> {
        let alpha = &self.solved.coefficients;
        let mut residuals = Matrix::zeros(alpha.rows(), alpha.columns());
        self.each_fold(folds, par, |rows, factor| {
            let mut right = Matrix::from_fn(rows.len(), alpha.rows(), |i, k| alpha[(k, rows[i])]);
            factor.solve_in_place(&mut right, par);
            for (i, &row) in rows.iter().enumerate() {
                for k in 0..alpha.rows() {
                    residuals[(k, row)] = right[(i, k)];
                }
            }
            Ok(())
        })?;
        Ok(residuals)
    }

    /// Returns μ Var y for a target of weight 1 at every row when its fold is left out: the
    /// diagonal of P_SS⁻¹, with the noise of one copy in the place of the row's own.
    ///
    /// # Errors
    /// A fold without which the rest does not determine the solution.
    pub fn fold_variances(&self, folds: &[u32], par: Par) -> Result<Vec<f64>, LinalgError> {
        let Solved { noise, ratio, .. } = self.solved;
        let mut variances = vec![0.0; folds.len()];
        self.each_fold(folds, par, |rows, factor| {
            let diagonal = factor.inverse_diagonal_while(par, &|| true)?;
            for (&row, value) in rows.iter().zip(diagonal) {
                variances[row] = (value - noise[row] / ratio).max(0.0) + ratio.recip();
            }
            Ok(())
        })?;
        Ok(variances)
    }

    /// Hands out the rows S of every fold with the factor of P_SS.
    fn each_fold(
        &self,
        folds: &[u32],
        par: Par,
        mut take: impl FnMut(&[usize], &Cholesky<f64>) -> Result<(), LinalgError>,
    ) -> Result<(), LinalgError> {
        let count = folds.iter().max().map_or(0, |most| most + 1);
        for fold in 0..count {
            let rows: Vec<usize> = (0..folds.len()).filter(|&i| folds[i] == fold).collect();
            let block = Matrix::from_fn(rows.len(), rows.len(), |i, j| {
                self.matrix[(rows[i], rows[j])]
            });
            take(&rows, &Cholesky::factor(block, par)?)?;
        }
        Ok(())
    }
}
