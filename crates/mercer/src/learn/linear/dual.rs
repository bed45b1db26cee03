//! Ridge with more columns than rows: w = Xᵀα with (XXᵀ + λI) α = y.

use mercer_linalg::{Cholesky, Matrix, Op, axpy, gemm};

use super::design::Design;
use super::normal::{
    EASY, ENOUGH, ROUNDING, STEPS, check_memory, condition, factor, solved, stopped,
};
use super::products::{combine, residuals, row_square};
use super::solution::{Answer, Spread, TOLD, norm};
use crate::Result;
use crate::fit::FitContext;

/// Solves for one coefficient per row; `None` where the matrix is too ill-conditioned for its
/// Cholesky factor.
///
/// # Errors
/// [`crate::Error::Memory`], cancellation and the time limit.
pub(super) fn solve(design: &Design, penalty: f64, context: &FitContext) -> Result<Option<Answer>> {
    let n = design.rows();
    check_memory(design.width(), n, "rows", context)?;
    let mut square = row_square(design, context)?;
    for i in 0..n {
        square[(i, i)] += penalty;
    }
    let Some(factor) = factor(square, context)? else {
        return Ok(None);
    };
    let condition = condition(&factor, context);
    let outputs = design.targets.rows();
    let sizes: Vec<f64> = (0..outputs).map(|k| norm(design.targets.row(k))).collect();
    let mut coefficients = Matrix::zeros(outputs, n);
    let mut weights = Matrix::zeros(outputs, design.width());
    let mut left = design.targets.clone();
    let mut residual = f64::INFINITY;
    for step in 0..=STEPS {
        let mut better = coefficients.clone();
        let change = solved(&factor, &left, context);
        axpy(1.0, change.as_slice(), better.as_mut_slice());
        let found = combine(design, &better, context)?;
        let mut next = residuals(design, &found, context)?;
        axpy(-penalty, better.as_slice(), next.as_mut_slice());
        let misses = (0..outputs).filter(|&k| sizes[k] > 0.0);
        let worst = misses.fold(0.0_f64, |most, k| most.max(norm(next.row(k)) / sizes[k]));
        if !(worst < residual) {
            break;
        }
        let slow = worst > 0.5 * residual;
        (coefficients, weights, left, residual) = (better, found, next, worst);
        if slow || ((step > 0 || condition < EASY) && worst <= ROUNDING) {
            break;
        }
    }
    if !(residual <= ENOUGH) {
        return Ok(None);
    }
    let inverse = factor.inverse_diagonal_while(context.par(), &|| context.goes_on());
    let inverse = inverse.map_err(|_| stopped(context))?;
    Ok(Some(Answer {
        weights,
        rank: None,
        condition,
        parameters: (n as f64 - penalty * inverse.iter().sum::<f64>()).max(0.0),
        spread: (design.width() <= TOLD).then(|| spread(design, &factor, penalty, context)),
        dependent: Vec::new(),
        plain: None,
        account: None,
    }))
}

/// (XᵀX + λI)⁻¹ = (I − Xᵀ(XXᵀ + λI)⁻¹X)/λ.
fn spread(design: &Design, factor: &Cholesky<f64>, penalty: f64, context: &FitContext) -> Spread {
    let (n, width) = (design.rows(), design.width());
    let mut half = Matrix::zeros(n, width);
    design.fill(0..n, 0..width, half.as_mut_slice());
    factor.solve_lower_in_place(&mut half, context.par());
    let mut inverse = Matrix::zeros(width, width);
    gemm(
        -1.0 / penalty,
        half.as_ref(),
        Op::Transpose,
        half.as_ref(),
        Op::None,
        0.0,
        inverse.as_mut(),
        context.par(),
    );
    for j in 0..width {
        inverse[(j, j)] += penalty.recip();
    }
    Spread::whole(design, inverse)
}
