//! The largest eigenvalues of a symmetric positive semidefinite matrix A by expectation and maximisation.
//!
//! The two steps of the method, from any n × q matrix G:
//!
//! ```text
//! Y = (GᵀAG)⁻¹GᵀA,   G = Yᵀ(YYᵀ)⁻¹.
//! ```
//!
//! Y are the coordinates that the rows most probably have, given G as axes and no noise; G are the best axes, given Y. The columns of G end in
//! the space of the q leading eigenvectors, each step reducing what is outside by λ_{q+1}/λ_q. The space of G is all
//! that a step depends on, so that G is turned to its best approximations of eigenvectors first: they have GᵀAG diagonal, and tell residuals.
//!
//! `solver/subspace` needs fewer products, because it keeps what earlier products told.
//!
//! References: Roweis, EM algorithms for PCA and SPCA, 1998; Rosipal and Girolami, An expectation-maximization
//! approach to nonlinear component analysis, 2001.

use mercer_linalg::{Matrix, Op, Par, SymmetricEigen, gemm};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::subspace::{Leading, Operator, Wanted, inner};
use crate::data::random::normal;
use crate::fit::{FitContext, Progress, StopReason};
use crate::{Error, Result};

/// Axes beside those that are wanted: what is outside then shrinks by a ratio of eigenvalues further apart.
const SPARE: usize = 8;
/// Share of the largest eigenvalue below which a direction is rounding.
const LEAST: f64 = 1e-14;

/// Finds the largest eigenvalues.
///
/// # Errors
/// Cancellation; a time limit that comes before the first step.
pub(crate) fn leading(
    operator: &dyn Operator,
    wanted: Wanted,
    context: &FitContext,
) -> Result<Leading> {
    let (n, par) = (operator.len(), context.par());
    let count = wanted.count.min(n);
    let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
    let width = (count + SPARE).min(n);
    let mut axes = Matrix::from_fn(n, width, |_, _| normal(&mut rng));
    let tolerance = wanted.tolerance.max(operator.noise());
    let mut products = 0;
    let mut last: Option<Leading> = None;
    loop {
        let stopped = |last: &mut Option<Leading>, reason: StopReason| {
            last.take().map(|mut found| {
                found.stop_reason = reason;
                found
            })
        };
        if context.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let basis = orthonormal(&axes, par)?;
        let image = match operator.multiply(&basis) {
            Err(Error::OutOfTime) => {
                return stopped(&mut last, StopReason::TimeLimit).ok_or(Error::OutOfTime);
            }
            image => image?,
        };
        products += 1;
        let mut square = inner(&basis, &image, par);
        symmetric(&mut square);
        let eigen = decomposed(&square)?;
        let m = basis.columns();
        let turn = Matrix::from_fn(m, m, |i, k| eigen.vectors[(i, m - 1 - k)]);
        let values: Vec<f64> = (0..m).map(|k| eigen.values[m - 1 - k]).collect();
        let (vectors, images) = (times(&basis, &turn, par), times(&image, &turn, par));
        let largest = values.iter().fold(f64::MIN_POSITIVE, |a, v| a.max(v.abs()));
        let shown = count.min(m);
        let residual = (0..shown)
            .map(|k| {
                let miss = |i: usize| (images[(i, k)] - values[k] * vectors[(i, k)]).powi(2);
                (0..n).map(miss).sum::<f64>().sqrt() / largest
            })
            .fold(0.0, f64::max);
        context.tell(|| Progress {
            stage: "components".to_owned(),
            iterations: products,
            ..Progress::default()
        });
        let stop_reason = if residual <= tolerance || m == n {
            Some(StopReason::Converged)
        } else if products >= wanted.max_products {
            Some(StopReason::IterationLimit)
        } else if context.out_of_time() {
            Some(StopReason::TimeLimit)
        } else {
            None
        };
        let found = Leading {
            values: values[..shown].to_vec(),
            vectors: Matrix::from_fn(n, shown, |i, k| vectors[(i, k)]),
            residual,
            least: values[m - 1],
            products,
            stop_reason: stop_reason.unwrap_or(StopReason::IterationLimit),
        };
        if stop_reason.is_some() {
            return Ok(found);
        }
        last = Some(found);
        let kept: Vec<usize> = (0..m).filter(|&k| values[k] > LEAST * largest).collect();
        if kept.is_empty() {
            return stopped(&mut last, StopReason::Converged).ok_or(Error::OutOfTime);
        }
        // Yᵀ of the axes that the matrix does not map to nothing, then the best axes for it.
        let coordinates =
            Matrix::from_fn(n, kept.len(), |i, k| images[(i, kept[k])] / values[kept[k]]);
        let square = inner(&coordinates, &coordinates, par);
        let inverse = inverted(&square)?;
        axes = times(&coordinates, &inverse, par);
    }
}

/// a · b.
fn times(a: &Matrix<f64>, b: &Matrix<f64>, par: Par) -> Matrix<f64> {
    let mut out = Matrix::zeros(a.rows(), b.columns());
    let (a, b) = (a.as_ref(), b.as_ref());
    gemm(1.0, a, Op::None, b, Op::None, 0.0, out.as_mut(), par);
    out
}

fn symmetric(square: &mut Matrix<f64>) {
    for i in 0..square.rows() {
        for j in 0..i {
            let mean = 0.5 * (square[(i, j)] + square[(j, i)]);
            square[(i, j)] = mean;
            square[(j, i)] = mean;
        }
    }
}

fn decomposed(square: &Matrix<f64>) -> Result<SymmetricEigen<f64>> {
    SymmetricEigen::new(square.as_ref()).map_err(|_| {
        Error::rows(
            "products of the rows are beyond what numbers can hold",
            "scale the columns",
        )
    })
}

/// Orthonormal columns that span the given ones: twice, because the first time squares lose half of the digits.
fn orthonormal(columns: &Matrix<f64>, par: Par) -> Result<Matrix<f64>> {
    let mut out = columns.clone();
    for _ in 0..2 {
        let eigen = decomposed(&inner(&out, &out, par))?;
        let m = out.columns();
        let largest = eigen.values.last().copied().unwrap_or(0.0);
        let kept: Vec<usize> = (0..m)
            .rev()
            .filter(|&k| largest > 0.0 && eigen.values[k] > LEAST * largest)
            .collect();
        let turn = Matrix::from_fn(m, kept.len(), |i, k| {
            eigen.vectors[(i, kept[k])] / eigen.values[kept[k]].sqrt()
        });
        out = times(&out, &turn, par);
    }
    Ok(out)
}

/// The inverse of a square of columns, on the directions that it has.
fn inverted(square: &Matrix<f64>) -> Result<Matrix<f64>> {
    let eigen = decomposed(square)?;
    let m = square.rows();
    let largest = eigen.values.last().copied().unwrap_or(0.0);
    let weight = |k: usize| {
        let value = eigen.values[k];
        if value > LEAST * largest {
            value.recip()
        } else {
            0.0
        }
    };
    Ok(Matrix::from_fn(m, m, |i, j| {
        (0..m)
            .map(|k| eigen.vectors[(i, k)] * weight(k) * eigen.vectors[(j, k)])
            .sum()
    }))
}
