//! Ridge at a list of λ from a tridiagonal form.
//!
//! Of the smaller of XᵀX = QTQᵀ and XXᵀ = QTQᵀ everything that a path tells is a solution or a form of T + λI,
//! in linear time a λ and a row: w(λ) = Q(T + λ)⁻¹QᵀXᵀy or XᵀQ(T + λ)⁻¹Qᵀy, h_i = q_iᵀ(T + λ)⁻¹q_i with q_i = Qᵀx_i,
//! or 1 − λq_iᵀ(T + λ)⁻¹q_i with the rows q_i of Q. A third of the time of all eigenvectors, where λ are few.

use mercer_linalg::{Matrix, MatrixRef, Op, ShiftedTridiagonal, Tridiagonal, gemm};

use super::centre::runs;
use super::design::Design;
use super::products::{combine, normal_equations, row_square};
use super::spectrum::{BLOCK, Left, LeftOut, check_memory, product};
use crate::fit::FitContext;
use crate::{Error, Result};

/// Order from which the tridiagonal form takes less time than eigenvectors, and the most λ it is worth taking for.
const ORDER: usize = 200;
const COUNT: usize = 64;

/// What is told of every λ.
pub(super) struct Reduced {
    /// Weights in the units of the design, a row per λ and output.
    pub(super) weights: Matrix<f64>,
    /// Σ λ_j/(λ_j + λ).
    pub(super) parameters: Vec<f64>,
    pub(super) errors: Vec<Left>,
}

/// Solves for all λ; `None` where eigenvectors are the better way.
///
/// # Errors
/// [`Error::Memory`], cancellation and the time limit.
pub(super) fn path(
    design: &Design,
    lambdas: &[f64],
    weight_unit: f64,
    context: &FitContext,
) -> Result<Option<Reduced>> {
    let (n, width, outputs) = (design.rows(), design.width(), design.targets.rows());
    let (tall, order) = (width <= n, width.min(n));
    // With more columns than rows centring leaves a direction of length zero, which eigenvalues tell from rounding.
    if !tall || order < ORDER || lambdas.len() > COUNT {
        return Ok(None);
    }
    check_memory(order, context)?;
    let (mut square, right) = if tall {
        normal_equations(design, context)?
    } else {
        (row_square(design, context)?, design.targets.clone())
    };
    for i in 0..order {
        for j in 0..i {
            square[(j, i)] = square[(i, j)];
        }
    }
    let mut basis = Matrix::identity(order);
    let tridiagonal = Tridiagonal::reduce(square, &mut basis).map_err(|e| {
        Error::rows(
            format!("the rows cannot be decomposed: {e}"),
            "check the columns for values that are very large",
        )
    })?;
    context.check()?;
    // Below rounding, λ leaves the matrix indefinite.
    let Some(shifted) = ShiftedTridiagonal::new(&tridiagonal, lambdas) else {
        return Ok(None);
    };
    let mut sides = Matrix::zeros(outputs, order);
    gemm(
        1.0,
        right.as_ref(),
        Op::None,
        basis.as_ref(),
        Op::None,
        0.0,
        sides.as_mut(),
        context.par(),
    );
    let mut answers = Matrix::zeros(lambdas.len() * outputs, order);
    for r in 0..answers.rows() {
        let row = answers.row_mut(r);
        row.copy_from_slice(sides.row(r % outputs));
        shifted.solve(r / outputs, row);
    }
    let mut turned = Matrix::zeros(answers.rows(), order);
    gemm(
        1.0,
        answers.as_ref(),
        Op::None,
        basis.as_ref(),
        Op::Transpose,
        0.0,
        turned.as_mut(),
        context.par(),
    );
    let weights = if tall {
        turned
    } else {
        combine(design, &turned, context)?
    };
    let traces = lambdas.iter().zip(shifted.traces());
    let parameters = traces.map(|(lambda, trace)| (order as f64 - lambda * trace).max(0.0));
    Ok(Some(Reduced {
        parameters: parameters.collect(),
        errors: errors(
            design,
            lambdas,
            weight_unit,
            &basis,
            &answers,
            &shifted,
            context,
        )?,
        weights,
    }))
}

/// Errors at every λ, by one pass over the rows.
fn errors(
    design: &Design,
    lambdas: &[f64],
    weight_unit: f64,
    basis: &Matrix<f64>,
    answers: &Matrix<f64>,
    shifted: &ShiftedTridiagonal,
    context: &FitContext,
) -> Result<Vec<Left>> {
    let (n, order, outputs) = (design.rows(), basis.rows(), design.targets.rows());
    let count = lambdas.len();
    let tall = design.width() <= n;
    let parts = context.map(runs(n, (n / BLOCK).clamp(1, 64)), |run| {
        let mut sums = LeftOut::new(design, tall, count, weight_unit);
        let mut buffer = vec![0.0; if tall { BLOCK * design.width() } else { 0 }];
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
                let values = MatrixRef::from_slice(rows, design.width(), values);
                product(values, basis.as_ref(), Op::None, &mut turned);
            } else {
                let rows = basis.as_ref().submatrix(start..end, 0..order);
                for i in 0..rows.rows() {
                    turned.row_mut(i).copy_from_slice(rows.row(i));
                }
            }
            let mut found = Matrix::zeros(rows, count * outputs);
            product(turned.as_ref(), answers.as_ref(), Op::Transpose, &mut found);
            let mut leverage = Matrix::zeros(rows, count);
            shifted.forms(turned.as_ref(), leverage.as_mut_slice());
            if !tall {
                for i in 0..rows {
                    for (l, lambda) in lambdas.iter().enumerate() {
                        leverage[(i, l)] *= lambda;
                        for k in 0..outputs {
                            found[(i, l * outputs + k)] *= lambda;
                        }
                    }
                }
            }
            sums.add(start..end, &found, &leverage);
        }
        sums.sums
    });
    context.check()?;
    Ok(LeftOut::total(parts, count))
}
