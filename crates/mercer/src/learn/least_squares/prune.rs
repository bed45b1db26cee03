//! Fewer support vectors: rows that say least are left out, and the rest is solved again.
//!
//! Suykens, Lukas and Vandewalle, Sparse approximation using least squares support vector
//! machines, 2000: |α_i| is γ times the error of a row, so that rows the function meets anyway
//! can go. A few rows go at a time, because every solution changes what the others say.
//!
//! What stays would follow its own errors, which are the largest. At the end the coefficients of
//! the rows S that stay are therefore found from the errors of all rows:
//!
//! ```text
//! min ½ αᵀK_SS α + (γ/2) Σ_i w_i (y_i − Σ_{s∈S} α_s k(x_i, x_s) − b)².
//! ```

use mercer_linalg::{Cholesky, Matrix, Op, gemm};

use super::job::Outcome;
use crate::fit::{FitContext, Note};
use crate::solver::least_squares::Problem;
use crate::{Error, Result};

/// Share of the present rows that stays in every step.
const STEP: f64 = 0.85;
/// Rows below which nothing is left out.
const LEAST: usize = 2;

/// A solution on some rows.
pub(super) struct Pruned {
    pub(super) rows: Vec<usize>,
    pub(super) coefficients: Matrix<f64>,
    pub(super) biases: Vec<f64>,
    pub(super) note: Note,
}

/// Leaves rows out until a share of them is left.
///
/// # Errors
/// A matrix that is not positive definite to rounding; cancellation and the time limit.
pub(super) fn prune(
    problem: &Problem<'_>,
    whole: &Outcome,
    share: f64,
    context: &FitContext,
) -> Result<Pruned> {
    let n = problem.rows();
    let goal = ((share * n as f64).round() as usize).clamp(LEAST.min(n), n);
    let mut rows: Vec<usize> = (0..n).collect();
    let mut coefficients = whole.coefficients.clone();
    while rows.len() > goal {
        context.check()?;
        let next = ((STEP * rows.len() as f64) as usize).max(goal);
        let say = |place: usize| -> f64 {
            let outputs = 0..coefficients.rows();
            outputs
                .map(|k| coefficients[(k, place)].abs())
                .fold(0.0, f64::max)
        };
        let mut places: Vec<usize> = (0..rows.len()).collect();
        // Equal says go in the order of rows, so that the prediction is the same every time.
        places.sort_by(|&a, &b| say(b).total_cmp(&say(a)).then(a.cmp(&b)));
        places.truncate(next);
        places.sort_unstable();
        rows = places.into_iter().map(|place| rows[place]).collect();
        let gram = Matrix::from_fn(rows.len(), rows.len(), |i, j| {
            problem.gram.row(rows[i])[rows[j]]
        });
        let targets = Matrix::from_fn(problem.targets.rows(), rows.len(), |k, i| {
            problem.targets[(k, rows[i])]
        });
        let weights = problem
            .weights
            .map(|w| rows.iter().map(|&r| w[r]).collect::<Vec<_>>());
        let part = Problem {
            gram: gram.as_ref(),
            targets: &targets,
            weights: weights.as_deref(),
            intercept: problem.intercept,
        };
        let solved = part.solve_while(whole.ratio, context.par(), &|| context.goes_on());
        let solved = solved.map_err(|_| context.check().err().unwrap_or_else(singular))?;
        coefficients = solved.coefficients().clone();
    }
    let (coefficients, biases) = if rows.len() < n {
        on_basis(problem, &rows, whole.ratio, context)?
    } else {
        (coefficients, whole.biases.clone())
    };
    let note = Note::Choice(format!(
        "{} of {n} rows are kept as support vectors: those with the largest coefficients",
        rows.len()
    ));
    Ok(Pruned {
        rows,
        coefficients,
        biases,
        note,
    })
}

/// Solves for the coefficients of some rows over the errors of all.
///
/// Normal equations (R + γBᵀWB) θ = γBᵀWy with B = [K_nS 1], R = diag(K_SS, 0).
fn on_basis(
    problem: &Problem<'_>,
    rows: &[usize],
    ratio: f64,
    context: &FitContext,
) -> Result<(Matrix<f64>, Vec<f64>)> {
    /// Added to the diagonal, as a share of it: columns of a smooth kernel repeat each other.
    const RIDGE: f64 = 1e-10;
    let (n, m) = (problem.rows(), rows.len());
    let width = m + usize::from(problem.intercept);
    let basis = Matrix::from_fn(n, width, |i, k| {
        if k < m {
            problem.gram.row(i)[rows[k]]
        } else {
            1.0
        }
    });
    let trust = |i: usize| ratio / problem.noise(i);
    let weighted = Matrix::from_fn(n, width, |i, k| trust(i) * basis[(i, k)]);
    let mut matrix = Matrix::zeros(width, width);
    gemm(
        1.0,
        basis.as_ref(),
        Op::Transpose,
        weighted.as_ref(),
        Op::None,
        0.0,
        matrix.as_mut(),
        context.par(),
    );
    for i in 0..width {
        if i < m {
            for (j, &row) in rows.iter().enumerate() {
                matrix[(i, j)] += problem.gram.row(rows[i])[row];
            }
        }
        matrix[(i, i)] *= 1.0 + RIDGE;
    }
    let outputs = problem.targets.rows();
    let mut right = Matrix::from_fn(width, outputs, |k, o| {
        (0..n)
            .map(|i| weighted[(i, k)] * problem.targets[(o, i)])
            .sum()
    });
    let factor = Cholesky::factor_while(matrix, context.par(), &|| context.goes_on())
        .map_err(|_| context.check().err().unwrap_or_else(singular))?;
    factor.solve_in_place(&mut right, context.par());
    let coefficients = Matrix::from_fn(outputs, m, |o, k| right[(k, o)]);
    let biases = (0..outputs)
        .map(|o| {
            if problem.intercept {
                right[(m, o)]
            } else {
                0.0
            }
        })
        .collect();
    Ok((coefficients, biases))
}

fn singular() -> Error {
    Error::rows(
        "the matrix of the remaining rows is singular to rounding",
        "keep more rows, or choose a smaller γ",
    )
}
