//! Ridge at every λ after one decomposition.
//!
//! Of the smaller of XᵀX = VΛVᵀ and XXᵀ = UΛUᵀ, with c = VᵀXᵀy or c = Uᵀy:
//!
//! ```text
//! w(λ) = V (Λ + λ)⁻¹ c              or  XᵀU (Λ + λ)⁻¹ c,
//! h_i  = Σ_j q_ij²/(λ_j + λ)        with q = xᵢᵀV,   or  1 − Σ_j u_ij² λ/(λ_j + λ).
//! ```
//!
//! A copy of a row of weight w_i that is left out is missed by r_i/(1 − h_i/w_i), r_i its residual and h_i with
//! w_i/Σw added for a free constant. With z² = c²/λ_j (or c²) and r₀ what of ‖y‖² lies outside, twice
//! the negative log evidence at γ = 1/λ is, up to a constant,
//! Σ log(1 + γλ_j) + N log(r₀ + Σ z_j²/(1 + γλ_j)), the noise integrated out.

use std::convert::Infallible;
use std::ops::Range;

use mercer_linalg::{Matrix, MatrixRef, Op, Par, SymmetricEigen, gemm};

use super::centre::runs;
use super::design::Design;
use super::penalty::PenaltyRule;
use super::products::{combine, normal_equations, row_square};
use super::solution::norm;
use crate::fit::FitContext;
use crate::solver::least_squares::RATIO_RANGE;
use crate::solver::line::least;
use crate::{Error, Result};

/// Points of the first look over the whole range, and the width of log λ at which a search ends.
const SCAN: usize = 96;
const CLOSE: f64 = 1e-7;
/// Rounds of a search that passes over all rows, and points of each.
const ROUNDS: usize = 3;
const POINTS: usize = 48;
/// Rows of a block.
pub(super) const BLOCK: usize = 256;

/// The decomposition of a design with uniform penalties.
pub(super) struct Spectrum {
    /// Whether XᵀX was decomposed.
    tall: bool,
    values: Vec<f64>,
    /// One column per value.
    vectors: Matrix<f64>,
    /// c, one row per output.
    sides: Matrix<f64>,
    /// z², one row per output.
    squares: Matrix<f64>,
    /// r₀ of every output.
    outside: Vec<f64>,
    /// ‖y‖² of every output.
    sizes: Vec<f64>,
    /// Sum of the weights as given, less 1 for a free constant.
    pub(super) freedom: f64,
    /// Sum of the weights as given.
    copies: f64,
}

/// Errors of a λ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Left {
    /// Σ of the squared errors of copies that are left out, over all outputs.
    pub(super) left_out: f64,
    /// Σ of the squared residuals.
    pub(super) residual: f64,
}

const NONE: Left = Left {
    left_out: 0.0,
    residual: 0.0,
};

impl Spectrum {
    /// Decomposes; `copies` is the sum of the weights as given.
    ///
    /// # Errors
    /// [`Error::Memory`], cancellation and the time limit.
    pub(super) fn new(design: &Design, copies: f64, context: &FitContext) -> Result<Self> {
        let (n, width, outputs) = (design.rows(), design.width(), design.targets.rows());
        let tall = width <= n;
        let order = width.min(n);
        check_memory(order, context)?;
        let (square, right) = if tall {
            normal_equations(design, context)?
        } else {
            (row_square(design, context)?, design.targets.clone())
        };
        let eigen = SymmetricEigen::new(square.as_ref()).map_err(|e| {
            Error::rows(
                format!("the rows cannot be decomposed: {e}"),
                "check the columns for values that are very large",
            )
        })?;
        context.check()?;
        let SymmetricEigen {
            mut values,
            vectors,
        } = eigen;
        let largest = values.last().copied().unwrap_or(0.0);
        let rounding = f64::EPSILON * order as f64 * largest;
        values.iter_mut().for_each(|v| *v = v.max(0.0));
        let mut sides = Matrix::zeros(outputs, order);
        gemm(
            1.0,
            right.as_ref(),
            Op::None,
            vectors.as_ref(),
            Op::None,
            0.0,
            sides.as_mut(),
            context.par(),
        );
        let squares = Matrix::from_fn(outputs, order, |k, j| {
            let square = sides[(k, j)] * sides[(k, j)];
            match (tall, values[j] > rounding) {
                (true, true) => square / values[j],
                (true, false) => 0.0,
                (false, _) => square,
            }
        });
        let sizes: Vec<f64> = (0..outputs)
            .map(|k| norm(design.targets.row(k)).powi(2))
            .collect();
        let outside = (0..outputs).map(|k| {
            if tall {
                (sizes[k] - squares.row(k).iter().sum::<f64>()).max(0.0)
            } else {
                0.0
            }
        });
        Ok(Self {
            tall,
            outside: outside.collect(),
            values,
            vectors,
            sides,
            squares,
            sizes,
            freedom: copies - f64::from(u8::from(design.bias.is_free())),
            copies,
        })
    }

    /// Σ λ_j/(λ_j + λ).
    pub(super) fn parameters(&self, lambda: f64) -> f64 {
        self.values.iter().map(|v| v / (v + lambda)).sum()
    }

    /// Coefficients of the eigenvectors for every λ, outputs within them: one row each.
    fn coefficients(&self, lambdas: &[f64], factor: impl Fn(f64, f64) -> f64) -> Matrix<f64> {
        let outputs = self.sides.rows();
        Matrix::from_fn(lambdas.len() * outputs, self.values.len(), |r, j| {
            let (lambda, k) = (lambdas[r / outputs], r % outputs);
            self.sides[(k, j)] * factor(self.values[j], lambda)
        })
    }

    /// Weights in the units of the design, a row per λ and output.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub(super) fn weights(
        &self,
        design: &Design,
        lambdas: &[f64],
        context: &FitContext,
    ) -> Result<Matrix<f64>> {
        let shares = self.coefficients(lambdas, |value, lambda| 1.0 / (value + lambda));
        let mut turned = Matrix::zeros(shares.rows(), self.vectors.rows());
        gemm(
            1.0,
            shares.as_ref(),
            Op::None,
            self.vectors.as_ref(),
            Op::Transpose,
            0.0,
            turned.as_mut(),
            context.par(),
        );
        if self.tall {
            return Ok(turned);
        }
        combine(design, &turned, context)
    }

    /// Twice the negative log evidence, up to a constant.
    fn cost(&self, lambda: f64) -> f64 {
        let outputs = self.sizes.len();
        let volume: f64 = self.values.iter().map(|v| (v / lambda).ln_1p()).sum();
        let fit = |k: usize| {
            let pairs = self.squares.row(k).iter().zip(&self.values);
            let left: f64 = pairs.map(|(z, v)| z * lambda / (lambda + v)).sum();
            // Targets without noise would drive λ to zero: rounding is noise, too.
            let floor = f64::EPSILON.powi(2) * self.sizes[k] + f64::MIN_POSITIVE;
            (self.outside[k] + left).max(floor).ln()
        };
        outputs as f64 * volume + self.freedom * (0..outputs).map(fit).sum::<f64>()
    }

    /// Σ of the squared residuals over all outputs.
    fn residual(&self, lambda: f64) -> f64 {
        let of = |k: usize| {
            let pairs = self.squares.row(k).iter().zip(&self.values);
            let left = pairs.map(|(z, v)| z * (lambda / (lambda + v)).powi(2));
            self.outside[k] + left.sum::<f64>()
        };
        (0..self.sizes.len()).map(of).sum()
    }

    /// The score of generalised cross-validation, over all outputs.
    pub(super) fn gcv(&self, lambda: f64) -> f64 {
        let constant = self.copies - self.freedom;
        let parameters = self.parameters(lambda) + constant;
        score(self.residual(lambda), parameters, self.copies)
    }

    /// Errors at every λ, by one pass over the rows.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub(super) fn errors(
        &self,
        design: &Design,
        lambdas: &[f64],
        weight_unit: f64,
        context: &FitContext,
    ) -> Result<Vec<Left>> {
        let (n, order, outputs) = (design.rows(), self.values.len(), self.sizes.len());
        let count = lambdas.len();
        let tall = self.tall;
        let answers = self.coefficients(lambdas, |value, lambda| {
            if tall {
                1.0 / (value + lambda)
            } else {
                lambda / (value + lambda)
            }
        });
        let hats = Matrix::from_fn(count, order, |l, j| {
            let sum = self.values[j] + lambdas[l];
            if tall { 1.0 / sum } else { lambdas[l] / sum }
        });
        let most = (n / (2 * BLOCK)).clamp(1, 64);
        let parts = context.map(runs(n, most), |run| {
            let mut sums = LeftOut::new(design, tall, count, weight_unit);
            let mut buffer = vec![0.0; BLOCK * design.width()];
            for start in run.clone().step_by(BLOCK) {
                let end = (start + BLOCK).min(run.end);
                if !context.goes_on() {
                    break;
                }
                let rows = end - start;
                let mut turned = Matrix::zeros(rows, order);
                if tall {
                    let values = &mut buffer[..rows * design.width()];
                    design.fill(start..end, 0..design.width(), values);
                    product(
                        MatrixRef::from_slice(rows, design.width(), values),
                        self.vectors.as_ref(),
                        Op::None,
                        &mut turned,
                    );
                } else {
                    for i in start..end {
                        let row = self.vectors.row(i);
                        turned.row_mut(i - start).copy_from_slice(row);
                    }
                }
                let mut found = Matrix::zeros(rows, count * outputs);
                product(turned.as_ref(), answers.as_ref(), Op::Transpose, &mut found);
                turned.as_mut_slice().iter_mut().for_each(|q| *q *= *q);
                let mut leverage = Matrix::zeros(rows, count);
                product(turned.as_ref(), hats.as_ref(), Op::Transpose, &mut leverage);
                sums.add(start..end, &found, &leverage);
            }
            sums.sums
        });
        context.check()?;
        Ok(LeftOut::total(parts, count))
    }

    /// The λ in the units of the design that a rule prefers.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub(super) fn best(
        &self,
        design: &Design,
        rule: PenaltyRule,
        weight_unit: f64,
        context: &FitContext,
    ) -> Result<f64> {
        let mean = self.values.iter().sum::<f64>() / self.freedom.max(1.0);
        if !(mean.is_finite() && mean > 0.0) || self.sizes.iter().all(|s| *s == 0.0) {
            // Nothing to explain, or nothing that could: any λ leaves the constant.
            return Ok(if mean > 0.0 { mean } else { 1.0 });
        }
        let (low, high) = ((mean * RATIO_RANGE.0).ln(), (mean * RATIO_RANGE.1).ln());
        match rule {
            PenaltyRule::Evidence | PenaltyRule::Gcv => {
                let value = |log: f64| {
                    let lambda = log.exp();
                    Ok::<_, Infallible>(if rule == PenaltyRule::Gcv {
                        self.gcv(lambda)
                    } else {
                        self.cost(lambda)
                    })
                };
                let Ok(log) = least((low, high), SCAN, CLOSE, value);
                Ok(log.exp())
            }
            PenaltyRule::LeaveOneOut => {
                let (mut low, mut high, mut best) = (low, high, low);
                for _ in 0..ROUNDS {
                    let step = (high - low) / (POINTS - 1) as f64;
                    let logs: Vec<f64> = (0..POINTS).map(|p| low + p as f64 * step).collect();
                    let lambdas: Vec<f64> = logs.iter().map(|log| log.exp()).collect();
                    let errors = self.errors(design, &lambdas, weight_unit, context)?;
                    let mut place = 0;
                    for (p, error) in errors.iter().enumerate() {
                        if error.left_out < errors[place].left_out {
                            place = p;
                        }
                    }
                    best = logs[place];
                    (low, high) = (best - step, best + step);
                }
                Ok(best.exp())
            }
        }
    }
}

/// Generalised cross-validation: Σ r²/(N (1 − p/N)²) with p parameters and N copies of rows.
pub(super) fn score(residual: f64, parameters: f64, copies: f64) -> f64 {
    let share = 1.0 - parameters / copies;
    residual / (copies * share * share)
}

/// Refuses decompositions that no memory holds.
///
/// # Errors
/// [`Error::Memory`].
pub(super) fn check_memory(order: usize, context: &FitContext) -> Result<()> {
    let (needed, limit) = (8 * 6 * (order as u64).pow(2), context.most_memory());
    if needed > limit {
        return Err(Error::Memory {
            what: format!("the eigenvectors of {order} rows or columns"),
            needed,
            limit,
        });
    }
    Ok(())
}

/// Sums of errors over rows, for every λ.
pub(super) struct LeftOut<'a> {
    design: &'a Design,
    tall: bool,
    weight_unit: f64,
    pub(super) sums: Vec<Left>,
}

impl<'a> LeftOut<'a> {
    pub(super) fn new(design: &'a Design, tall: bool, count: usize, weight_unit: f64) -> Self {
        Self {
            design,
            tall,
            weight_unit,
            sums: vec![NONE; count],
        }
    }

    /// Adds rows: `found` are predictions or, with more columns than rows, residuals; `leverage` is h or 1 − h.
    pub(super) fn add(&mut self, rows: Range<usize>, found: &Matrix<f64>, leverage: &Matrix<f64>) {
        let (design, tall) = (self.design, self.tall);
        let (outputs, free) = (design.targets.rows(), design.bias.is_free());
        for (place, i) in rows.enumerate() {
            let weight = design.root(i).powi(2);
            let own = if free { weight / design.total() } else { 0.0 };
            for (l, sum) in self.sums.iter_mut().enumerate() {
                let value = leverage[(place, l)];
                let hat = if tall { value + own } else { 1.0 - value + own };
                // One copy of a row with its weight as it was given.
                let copy = weight * self.weight_unit;
                let kept = if copy == 1.0 && !tall {
                    value - own
                } else {
                    1.0 - hat / copy
                };
                for k in 0..outputs {
                    let f = found[(place, l * outputs + k)];
                    let left = if tall { design.targets[(k, i)] - f } else { f };
                    sum.residual += left * left;
                    sum.left_out += if kept > 0.0 {
                        (left / kept).powi(2)
                    } else {
                        f64::INFINITY
                    };
                }
            }
        }
    }

    /// Adds parts up in their order.
    pub(super) fn total(parts: Vec<Vec<Left>>, count: usize) -> Vec<Left> {
        let mut whole = vec![NONE; count];
        for part in parts {
            for (sum, part) in whole.iter_mut().zip(part) {
                sum.left_out += part.left_out;
                sum.residual += part.residual;
            }
        }
        whole
    }
}

pub(super) fn product(
    a: MatrixRef<'_, f64>,
    b: MatrixRef<'_, f64>,
    turn: Op,
    out: &mut Matrix<f64>,
) {
    gemm(
        1.0,
        a,
        Op::None,
        b,
        turn,
        0.0,
        out.as_mut(),
        Par::Sequential,
    );
}
