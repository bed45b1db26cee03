//! Kernels as mere basis functions: the penalty λ‖α‖² in the place of λ‖f‖².
//!
//! f = Σ α_j k(·, x_j) + b with (KWK + λI) α = KW(y − b 1), b by the same least squares. In the
//! directions of K the solution is damped by λ_i²/(λ_i² + λ) where kernel ridge damps by
//! λ_i/(λ_i + λ): more for eigenvalues below 1, less above. Offered for comparison; it has no
//! closed leave-one-out form here and no probabilities.

use mercer_linalg::{Cholesky, Matrix, Precision, axpy, dot};

use super::Strength;
use super::job::{Outcome, Sizes};
use super::normal::normal;
use crate::fit::{FitContext, StopReason};
use crate::model::expansion::KeptFactor;
use crate::solver::least_squares::{Levels, Problem};
use crate::{Error, Result};

/// Solves with the penalty on the coefficients.
///
/// # Errors
/// A regularisation that is to be found from the data; a λ too small for the kernel matrix.
pub(super) fn solve_basis(
    problem: &Problem<'_>,
    strength: Strength,
    context: &FitContext,
) -> Result<Outcome> {
    let Some(ratio) = strength.given() else {
        return Err(Error::Unsupported {
            what: "the penalty on coefficients has no evidence".to_owned(),
            cure: "give λ, or use the penalty on the function".into(),
        });
    };
    let par = context.par();
    let (n, outputs) = (problem.rows(), problem.targets.rows());
    let weight = |i: usize| 1.0 / problem.noise(i);
    let rooted = Matrix::from_fn(n, n, |i, j| weight(i).sqrt() * problem.gram.row(i)[j]);
    let normal = normal(&rooted, ratio.recip(), par);
    context.check()?;
    let singular = || {
        Error::rows(
            "the squared kernel matrix is singular for this λ",
            "choose a larger λ",
        )
    };
    let factor = Cholesky::factor_while(normal, par, &|| context.goes_on())
        .map_err(|_| context.check().err().unwrap_or_else(singular))?;
    // Right-hand sides K W y and K W 1.
    let side = |values: &dyn Fn(usize) -> f64| {
        let mut side = vec![0.0; n];
        for i in 0..n {
            axpy(weight(i) * values(i), problem.gram.row(i), &mut side);
        }
        side
    };
    let ones = side(&|_| 1.0);
    let mut unit = ones.clone();
    factor.solve_vector(&mut unit, par);
    let total = problem.copies();
    let mut coefficients = Matrix::zeros(outputs, n);
    let mut biases = vec![0.0; outputs];
    let mut levels = Vec::with_capacity(outputs);
    let mut sizes = Vec::with_capacity(outputs);
    for k in 0..outputs {
        let y = problem.targets.row(k);
        let mut alpha = side(&|i| y[i]);
        factor.solve_vector(&mut alpha, par);
        if problem.intercept {
            let sum: f64 = (0..n).map(|i| weight(i) * y[i]).sum();
            biases[k] = (sum - dot(&ones, &alpha)) / (total - dot(&ones, &unit));
            axpy(-biases[k], &unit, &mut alpha);
        }
        coefficients.row_mut(k).copy_from_slice(&alpha);
        let (mut cost, mut square) = (dot(&alpha, &alpha) / ratio, 0.0);
        for i in 0..n {
            let value = dot(problem.gram.row(i), &alpha);
            cost += weight(i) * (y[i] - value - biases[k]).powi(2);
            square += alpha[i] * value;
        }
        sizes.push(Sizes {
            cost,
            norm: square.max(0.0).sqrt(),
        });
        levels.push(Levels::at(ratio, dot(y, y), problem.freedom()));
    }
    Ok(Outcome {
        ratio,
        coefficients,
        biases,
        levels,
        left_out: None,
        effective_parameters: None,
        sizes: Some(sizes),
        residual: 0.0,
        precision: Precision::F64,
        stop_reason: StopReason::Converged,
        notes: Vec::new(),
        iterative: None,
        kept: KeptFactor::default(),
    })
}
