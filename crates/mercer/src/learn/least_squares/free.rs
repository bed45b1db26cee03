//! Columns that carry no penalty: f = Σ α_i k(x_i, ·) + ⟨s, x⟩ + b with λ‖Σ α_i k(x_i, ·)‖² alone.
//!
//! With T = (1, x − mean) and A = K + λD,
//!
//! ```text
//! [A T; Tᵀ 0] [α; t] = [y; 0],    t = (TᵀA⁻¹T)⁻¹ TᵀA⁻¹y,    α = A⁻¹(y − Tt).
//! ```
//!
//! The kernel `bent_spline` makes it the smoothing spline: ‖·‖² is ∫(f″)², and constant and slope are free
//! (Wahba, Spline Models for Observational Data, 1990).

use mercer_linalg::{Cholesky, Matrix, axpy, dot};

use super::job::Outcome;
use crate::data::{Block, Records};
use crate::fit::{FitContext, StopReason};
use crate::kernel::ResolvedKernel;
use crate::model::expansion::KeptFactor;
use crate::solver::least_squares::{Levels, Problem};
use crate::{Error, Result};

/// A column is a combination of others where less than this share of its square is left.
const LEAST: f64 = 1e-12;

/// Solves a problem at a ratio γ = 1/λ; the slopes are beside the outcome, a row per output.
///
/// # Errors
/// Columns that depend on each other, fewer rows than columns, a kernel matrix that is not
/// positive semidefinite; cancellation and the time limit.
pub(super) fn solve_free(
    problem: &Problem<'_>,
    records: &Records,
    ratio: f64,
    kernel: &ResolvedKernel,
    context: &FitContext,
) -> Result<(Outcome, Matrix<f64>)> {
    let (n, outputs, par) = (problem.rows(), problem.targets.rows(), context.par());
    let (columns, means) = centred(records);
    let width = columns.rows();
    if n < width {
        return Err(Error::rows(
            format!(
                "{n} distinct rows cannot tell {} columns without a penalty",
                width - 1
            ),
            "give more rows, or fewer columns",
        ));
    }
    let mut matrix = Matrix::from_fn(n, n, |i, j| problem.gram.row(i)[j]);
    for i in 0..n {
        matrix[(i, i)] += problem.noise(i) / ratio;
    }
    let factor = Cholesky::factor_while(matrix, par, &|| context.goes_on()).map_err(|_| {
        let broken = || super::job::not_positive(kernel, ratio);
        context.check().err().unwrap_or_else(broken)
    })?;
    let solve = |sides: &Matrix<f64>| {
        let mut turned = sides.transposed();
        factor.solve_in_place(&mut turned, par);
        turned.transposed()
    };
    let turned = solve(&columns);
    let mut small = Matrix::from_fn(width, width, |a, b| dot(columns.row(a), turned.row(b)));
    let sizes: Vec<f64> = (0..width).map(|a| small[(a, a)].sqrt()).collect();
    let dependent = || {
        Error::rows(
            "columns without a penalty are constant or combinations of each other",
            "leave some of them out, or give them a penalty",
        )
    };
    if sizes.iter().any(|s| !(*s > 0.0)) {
        return Err(dependent());
    }
    for a in 0..width {
        for b in 0..width {
            small[(a, b)] /= sizes[a] * sizes[b];
        }
    }
    let small = Cholesky::factor(small, par).map_err(|_| dependent())?;
    if (0..width).any(|a| small.lower()[(a, a)].powi(2) < LEAST) {
        return Err(dependent());
    }
    let mut coefficients = solve(problem.targets);
    let mut biases = vec![0.0; outputs];
    let mut slopes = Matrix::zeros(outputs, width - 1);
    let mut levels = Vec::with_capacity(outputs);
    let freedom = problem.copies() - width as f64;
    let mut residual: f64 = 0.0;
    for k in 0..outputs {
        let y = problem.targets.row(k);
        let mut share: Vec<f64> = (0..width)
            .map(|a| dot(turned.row(a), y) / sizes[a])
            .collect();
        small.solve_vector(&mut share, par);
        let mut left = y.to_vec();
        for a in 0..width {
            share[a] /= sizes[a];
            axpy(-share[a], turned.row(a), coefficients.row_mut(k));
            axpy(-share[a], columns.row(a), &mut left);
        }
        let alpha = coefficients.row(k);
        let (mut miss, size) = (0.0, dot(y, y));
        for i in 0..n {
            let own = alpha[i] * problem.noise(i) / ratio;
            miss += (left[i] - dot(problem.gram.row(i), alpha) - own).powi(2);
        }
        if size > 0.0 {
            residual = residual.max((miss / size).sqrt());
        }
        slopes.row_mut(k).copy_from_slice(&share[1..]);
        biases[k] = share[0] - dot(&share[1..], &means);
        levels.push(Levels::at(
            ratio,
            dot(y, alpha),
            freedom.max(f64::MIN_POSITIVE),
        ));
    }
    let outcome = Outcome {
        ratio,
        coefficients,
        biases,
        levels,
        left_out: None,
        effective_parameters: None,
        sizes: None,
        residual,
        precision: mercer_linalg::Precision::F64,
        stop_reason: StopReason::Converged,
        notes: Vec::new(),
        iterative: None,
        kept: KeptFactor::default(),
    };
    Ok((outcome, slopes))
}

/// 1 and the columns less their means, a row for each; and the means.
fn centred(records: &Records) -> (Matrix<f64>, Vec<f64>) {
    let points = records.features.points.widened();
    let (n, width) = (points.rows(), points.columns());
    let mut columns = Matrix::zeros(width + 1, n);
    columns.row_mut(0).fill(1.0);
    for i in 0..n {
        match &points {
            Block::Dense(m) => {
                for (j, value) in m.row(i).iter().enumerate() {
                    columns[(j + 1, i)] = *value;
                }
            }
            Block::Sparse(m) => {
                let (indices, values) = m.row(i);
                for (&j, value) in indices.iter().zip(values) {
                    columns[(j as usize + 1, i)] = *value;
                }
            }
        }
    }
    let means: Vec<f64> = (1..=width)
        .map(|j| columns.row(j).iter().sum::<f64>() / n as f64)
        .collect();
    for (j, mean) in means.iter().enumerate() {
        columns.row_mut(j + 1).iter_mut().for_each(|v| *v -= mean);
    }
    (columns, means)
}
