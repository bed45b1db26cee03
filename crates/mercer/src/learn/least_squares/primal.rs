//! The linear kernel, solved for one weight per column; a polynomial one of many rows for one weight per monomial.
//!
//! f(x) = ⟨w, x⟩ + b with (XᵀWX + λI) w = XᵀW(y − b): d³ instead of n³ time for n rows of d
//! columns. The coefficients of the rows follow: α = W(y − f)/λ, which makes it the same
//! function, w = Xᵀα. The normal equations square the condition number; steps of refinement on
//! the residual of the rows' own system bring the digits back.

use mercer_linalg::{Cholesky, Matrix, Par, Precision, SharedMatrix, axpy, dot};

use super::job::Outcome;
use super::normal::normal;
use crate::data::{Block, Records};
use crate::features::polynomial_features;
use crate::fit::{Note, StopReason};
use crate::kernel::{KernelSpec, ResolvedKernel};
use crate::learn::margin::Bias;
use crate::model::expansion::KeptFactor;
use crate::solver::least_squares::Levels;
use crate::{Error, Result};

/// Rows per column from which weights are cheaper than coefficients.
const ROWS_PER_COLUMN: usize = 2;
/// Relative residual that refinement works towards.
const RESIDUAL: f64 = 1e-12;
/// Most steps of refinement; each gains several digits.
const STEPS: usize = 5;

/// Rows as a matrix of columns.
pub(super) struct Design {
    rows: SharedMatrix<f64>,
    /// Whether a column of ones was appended, whose weight is the constant.
    appended: bool,
    /// What a weight belongs to.
    unit: &'static str,
}

impl Design {
    /// Takes the rows, where the kernel is their plain dot product; a regularised constant is one
    /// more column.
    pub(super) fn of(kernel: &ResolvedKernel, records: &Records, bias: Bias) -> Option<Self> {
        let KernelSpec::Base { family, .. } = kernel.spec() else {
            return None;
        };
        let points = &records.features.points;
        if family.name != "linear" || points.is_sparse() {
            return None;
        }
        let Block::Dense(rows) = points.widened() else {
            return None;
        };
        let (width, appended) = (rows.columns(), bias.is_regularised());
        let with_ones = || {
            Matrix::from_fn(rows.rows(), width + 1, |i, j| {
                if j < width { rows[(i, j)] } else { 1.0 }
            })
        };
        Some(Self {
            rows: if appended { with_ones().into() } else { rows },
            appended,
            unit: "column",
        })
    }

    /// Writes the monomials of the rows out, where the kernel is a polynomial of so few that weights cost less than
    /// coefficients; `None` also where they take more than so many bytes.
    pub(super) fn of_monomials(
        kernel: &ResolvedKernel,
        records: &Records,
        bias: Bias,
        bytes: u64,
    ) -> Option<Self> {
        let KernelSpec::Base { family, settings } = kernel.spec() else {
            return None;
        };
        let points = &records.features.points;
        if family.name != "poly" || points.is_sparse() {
            return None;
        }
        let number = |name: &str| settings.number(family.parameter(name).ok()?);
        let (degree, offset, scale) = (number("degree")?, number("offset")?, number("scale")?);
        let Block::Dense(rows) = points.widened() else {
            return None;
        };
        let (n, d) = (rows.rows(), rows.columns());
        // Monomials up to the degree: (d + degree) over degree.
        let count = (1..=degree as usize).fold(1.0, |c, t| c * (d + t) as f64 / t as f64);
        let needed = 2.0 * count * n as f64 * size_of::<f64>() as f64;
        if ROWS_PER_COLUMN as f64 * (count + 2.0) > n as f64 || needed > bytes as f64 {
            return None;
        }
        let map = |x: &[f64]| polynomial_features(x, degree as u32, offset, scale).ok();
        // Without an offset lower degrees have no weight.
        let ones = map(&vec![1.0; d])?;
        let used: Vec<usize> = (0..ones.len()).filter(|&k| ones[k] != 0.0).collect();
        let appended = bias.is_regularised();
        let width = used.len() + usize::from(appended);
        let mut features = Matrix::zeros(n, width);
        for i in 0..n {
            let all = map(rows.row(i))?;
            let row = features.row_mut(i);
            for (to, &k) in row.iter_mut().zip(&used) {
                *to = all[k];
            }
            if appended {
                row[width - 1] = 1.0;
            }
        }
        Some(Self {
            rows: features.into(),
            appended,
            unit: "monomial",
        })
    }

    /// Returns whether weights cost less than coefficients.
    pub(super) fn is_cheaper(&self) -> bool {
        self.rows.rows() >= ROWS_PER_COLUMN * (self.rows.columns() + 1)
    }

    /// Solves at a ratio γ = 1/λ.
    ///
    /// # Errors
    /// Numbers so large that the normal equations overflow.
    pub(super) fn solve(
        &self,
        targets: &Matrix<f64>,
        weights: Option<&[f64]>,
        ratio: f64,
        intercept: bool,
        par: Par,
    ) -> Result<Outcome> {
        let (n, d) = (self.rows.rows(), self.rows.columns());
        let weight = |i: usize| weights.map_or(1.0, |w| w[i]);
        let copies: f64 = (0..n).map(weight).sum();
        let means: Vec<f64> = if intercept {
            let mut means = vec![0.0; d];
            for i in 0..n {
                axpy(weight(i) / copies, self.rows.row(i), &mut means);
            }
            means
        } else {
            vec![0.0; d]
        };
        // Rows of √w(x − mean): the constant drops out.
        let rooted = Matrix::from_fn(n, d, |i, j| {
            weight(i).sqrt() * (self.rows[(i, j)] - means[j])
        });
        let normal = normal(&rooted, ratio.recip(), par);
        let factor = Cholesky::factor(normal, par).map_err(|_| {
            Error::rows(
                "the columns are too large or too alike for this λ",
                "scale the columns, or choose a larger λ",
            )
        })?;
        let mut coefficients = Matrix::zeros(targets.rows(), n);
        let mut biases = Vec::with_capacity(targets.rows());
        let mut levels = Vec::with_capacity(targets.rows());
        let mut residual: f64 = 0.0;
        let freedom = copies - f64::from(u8::from(intercept));
        for k in 0..targets.rows() {
            let y = targets.row(k);
            let centre = if intercept {
                (0..n).map(|i| weight(i) * y[i]).sum::<f64>() / copies
            } else {
                0.0
            };
            let right: Vec<f64> = (0..n).map(|i| y[i] - centre).collect();
            let alpha = coefficients.row_mut(k);
            let left = refine(alpha, &right, &rooted, &factor, weight, ratio, par);
            let miss = dot(&left, &left).sqrt();
            residual = residual.max(miss / dot(&right, &right).sqrt().max(f64::MIN_POSITIVE));
            levels.push(Levels::at(ratio, dot(alpha, y), freedom));
            // f(x) = Σ α_i ⟨x_i, x⟩ + b, where the centred rows gave ⟨x_i − m, x − m⟩.
            let mut slope = vec![0.0; d];
            for i in 0..n {
                axpy(alpha[i], self.rows.row(i), &mut slope);
            }
            biases.push(if intercept {
                centre - dot(&slope, &means)
            } else {
                0.0
            });
        }
        let whose = if self.appended {
            "the last the constant's".to_owned()
        } else {
            format!("one per {}", self.unit)
        };
        let note = Note::Choice(format!(
            "solved for {d} weights, {whose}, instead of {n} coefficients: the same function"
        ));
        Ok(Outcome {
            ratio,
            coefficients,
            biases,
            levels,
            left_out: None,
            effective_parameters: None,
            sizes: None,
            residual,
            precision: Precision::F64,
            stop_reason: StopReason::Converged,
            notes: vec![note],
            iterative: None,
            kept: KeptFactor::default(),
        })
    }
}

/// Improves α until (K_c + D/γ) α = right; returns what is left of the right side.
fn refine(
    alpha: &mut [f64],
    right: &[f64],
    rooted: &Matrix<f64>,
    factor: &Cholesky<f64>,
    weight: impl Fn(usize) -> f64,
    ratio: f64,
    par: Par,
) -> Vec<f64> {
    let (n, d) = (rooted.rows(), rooted.columns());
    let mut left = right.to_vec();
    let size = dot(right, right).sqrt();
    for _ in 0..STEPS {
        // A step of the normal equations on what is left: v = (XᵀWX + λ)⁻¹XᵀW left,
        // then Δα = W(left − Xv)/λ.
        let mut v = vec![0.0; d];
        for i in 0..n {
            axpy(weight(i).sqrt() * left[i], rooted.row(i), &mut v);
        }
        factor.solve_vector(&mut v, par);
        for i in 0..n {
            let root = weight(i).sqrt();
            alpha[i] += ratio * root * (root * left[i] - dot(rooted.row(i), &v));
        }
        let mut slope = vec![0.0; d];
        for i in 0..n {
            axpy(alpha[i] / weight(i).sqrt(), rooted.row(i), &mut slope);
        }
        for i in 0..n {
            let root = weight(i).sqrt();
            let value = dot(rooted.row(i), &slope) / root + alpha[i] / (weight(i) * ratio);
            left[i] = right[i] - value;
        }
        if dot(&left, &left).sqrt() <= RESIDUAL * size {
            break;
        }
    }
    left
}
