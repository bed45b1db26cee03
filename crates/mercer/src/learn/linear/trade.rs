//! What a penalty costs and gains: bias against variance.
//!
//! With A = XᵀX, S = (A + P)⁻¹ and P the diagonal of penalties, ridge weights are w = SAβ̂ for the
//! weights β̂ of least squares: β̂ = w + A⁻¹Pw. Over samples with noise of variance σ² their bias is
//! −SPβ and their covariance σ²SAS = σ²(S − SPS); that of β̂ is σ²A⁻¹. For the unknown β stands β̂, so
//! that the bias is w − β̂.

use mercer_linalg::Matrix;

use super::design::Design;
use super::normal::{condition, factor, solved, stopped};
use super::solution::Spread;
use crate::Result;
use crate::fit::{BiasVariance, FitContext};
use crate::learn::least_squares::times_power;

/// Condition number of the rows from which least squares is too uncertain to compare with.
const UNSURE: f64 = 1e7;

/// Least squares beside a penalised solution, in the units of a design.
pub(super) struct Plain {
    /// w − β̂, one row per output.
    bias: Matrix<f64>,
    /// The diagonal of A⁻¹.
    variances: Vec<f64>,
    penalties: Vec<f64>,
}

impl Plain {
    /// Solves without the penalty; `None` where columns are dependent or nearly so.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub(super) fn of(
        square: Matrix<f64>,
        weights: &Matrix<f64>,
        penalties: &[f64],
        context: &FitContext,
    ) -> Result<Option<Self>> {
        let Some(factor) = factor(square, context)? else {
            return Ok(None);
        };
        if !(condition(&factor, context) < UNSURE) {
            return Ok(None);
        }
        let pulled = Matrix::from_fn(weights.rows(), weights.columns(), |k, j| {
            -penalties[j] * weights[(k, j)]
        });
        let bias = solved(&factor, &pulled, context);
        let variances = factor.inverse_diagonal_while(context.par(), &|| context.goes_on());
        Ok(Some(Self {
            bias,
            variances: variances.map_err(|_| stopped(context))?,
            penalties: penalties.to_vec(),
        }))
    }

    /// Sums over the weights of the data: `noise` is σ² of every output, `units` the powers of
    /// two of targets and of row weights.
    pub(super) fn told(
        &self,
        design: &Design,
        spread: &Spread,
        noise: &[f64],
        target_exponents: &[i32],
        weight_exponent: i32,
    ) -> Option<Vec<BiasVariance>> {
        let covariance = spread.covariance.as_ref()?;
        let sum = |values: &[f64], power: i32| -> f64 {
            let each = design.columns_in_data_units(values);
            each.map(|(_, (v, e))| times_power(v, 2 * e + power)).sum()
        };
        let shrunk: Vec<f64> = (0..covariance.rows())
            .map(|j| {
                let row = covariance.row(j);
                let pairs = row.iter().zip(&self.penalties);
                row[j] - pairs.map(|(s, p)| s * s * p).sum::<f64>()
            })
            .collect();
        let of = |(k, noise): (usize, &f64)| {
            let squares: Vec<f64> = self.bias.row(k).iter().map(|b| b * b).collect();
            BiasVariance {
                squared_bias: sum(&squares, 2 * target_exponents[k]),
                variance: noise * sum(&shrunk, -2 * weight_exponent),
                least_squares: noise * sum(&self.variances, -2 * weight_exponent),
            }
        };
        let told: Vec<BiasVariance> = noise.iter().enumerate().map(of).collect();
        let finite = |t: &BiasVariance| {
            t.squared_bias.is_finite() && t.variance.is_finite() && t.least_squares.is_finite()
        };
        told.iter().all(finite).then_some(told)
    }
}
