//! Ridge by its normal equations: (XᵀX + λI) w = Xᵀy.
//!
//! They square the condition number of the rows; steps of refinement on residuals of the rows
//! bring the digits back. Where they cannot, orthogonal factors are taken instead.

use mercer_linalg::{Cholesky, LinalgError, Matrix, Upper, axpy};

use super::design::Design;
use super::products::{normal_equations, square_bytes};
use super::solution::{Account, Answer, Spread, TOLD};
use super::trade::Plain;
use crate::fit::FitContext;
use crate::{Error, Result};

/// Violation of the normal equations that is rounding.
pub(super) const ROUNDING: f64 = 1e-14;
/// Violation that refinement must reach.
pub(super) const ENOUGH: f64 = 1e-10;
/// Most steps of refinement; the first one is left out where numbers are kind alone.
pub(super) const STEPS: usize = 4;
/// Condition number of the rows below which the weights have eleven digits without refinement.
pub(super) const EASY: f64 = 100.0;

/// Solves for the weights; `None` where the matrix is too ill-conditioned for its Cholesky factor.
///
/// # Errors
/// [`Error::Memory`], cancellation and the time limit.
pub(super) fn solve(
    design: &Design,
    penalties: &[f64],
    context: &FitContext,
) -> Result<Option<Answer>> {
    let width = design.width();
    check_memory(design.rows(), width, "columns", context)?;
    let (mut square, mut slopes) = normal_equations(design, context)?;
    let few = width <= TOLD;
    let plain = few.then(|| square.clone());
    for (j, penalty) in penalties.iter().enumerate() {
        square[(j, j)] += penalty;
    }
    let Some(factor) = factor(square, context)? else {
        return Ok(None);
    };
    let outputs = design.targets.rows();
    let mut weights = Matrix::zeros(outputs, width);
    let condition = condition(&factor, context);
    let mut violation = f64::INFINITY;
    let mut account = None;
    for step in 0..=STEPS {
        let mut better = weights.clone();
        let change = solved(&factor, &slopes, context);
        axpy(1.0, change.as_slice(), better.as_mut_slice());
        let next = Account::of(design, &better, Some(penalties), context)?;
        let violations = (0..outputs).map(|k| design.violation(k, next.slopes.row(k)));
        let worst = violations.fold(0.0, f64::max);
        if !(worst < violation) {
            break;
        }
        let slow = worst > 0.5 * violation;
        (weights, violation) = (better, worst);
        slopes
            .as_mut_slice()
            .copy_from_slice(next.slopes.as_slice());
        account = Some(next);
        if slow || ((step > 0 || condition < EASY) && worst <= ROUNDING) {
            break;
        }
    }
    if !(violation <= ENOUGH) {
        return Ok(None);
    }
    let (par, proceed) = (context.par(), || context.goes_on());
    let (spread, plain) = if let Some(square) = plain {
        let inverse = factor.inverse_while(par, &proceed);
        let spread = Spread::whole(design, inverse.map_err(|_| stopped(context))?);
        let plain = Plain::of(square, &weights, penalties, context)?;
        (spread, plain)
    } else {
        let inverse = factor.inverse_diagonal_while(par, &proceed);
        let inverse = inverse.map_err(|_| stopped(context))?;
        (Spread::diagonal(inverse), None)
    };
    let pairs = spread.weights.iter().zip(penalties);
    let shrunk: f64 = pairs.map(|(v, p)| v * p).sum();
    Ok(Some(Answer {
        weights,
        rank: None,
        condition,
        parameters: (width as f64 - shrunk).max(0.0),
        spread: Some(spread),
        dependent: Vec::new(),
        plain,
        account,
    }))
}

/// A Cholesky factor, where there is one.
pub(super) fn factor(square: Matrix<f64>, context: &FitContext) -> Result<Option<Cholesky<f64>>> {
    match Cholesky::factor_while(square, context.par(), &|| context.goes_on()) {
        Ok(factor) => Ok(Some(factor)),
        Err(LinalgError::Stopped) => Err(stopped(context)),
        Err(_) => Ok(None),
    }
}

/// Why a factorisation was stopped.
pub(super) fn stopped(context: &FitContext) -> Error {
    context.check().err().unwrap_or(Error::Cancelled)
}

/// A⁻¹ b for every row b.
pub(super) fn solved(
    factor: &Cholesky<f64>,
    sides: &Matrix<f64>,
    context: &FitContext,
) -> Matrix<f64> {
    let mut columns = sides.transposed();
    factor.solve_in_place(&mut columns, context.par());
    columns.transposed()
}

/// The condition number of the factor: the root of that of the matrix, which is that of the rows
/// with √λ I below them.
pub(super) fn condition(factor: &Cholesky<f64>, context: &FitContext) -> f64 {
    let upper = factor.lower().transposed();
    Upper::from_fn(factor.order(), |i, j| upper[(i, j)]).condition_with(context.par())
}

/// Checks that a square matrix and what is made of it fit the memory budget.
pub(super) fn check_memory(
    length: usize,
    order: usize,
    what: &str,
    context: &FitContext,
) -> Result<()> {
    let (needed, limit) = (square_bytes(length, order), context.most_memory());
    if needed > limit {
        return Err(Error::Memory {
            what: format!("the normal equations of {order} {what}"),
            needed,
            limit,
        });
    }
    Ok(())
}
