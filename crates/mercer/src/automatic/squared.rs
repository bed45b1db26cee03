//! The squared loss with the kernel of largest evidence.

use mercer_linalg::Matrix;

use super::margin::Part;
use super::trial::Tried;
use crate::data::{Dataset, Folds, Targets};
use crate::evidence::Problem;
use crate::fit::FitContext;
use crate::learn::squared::{LsSvc, LsSvr, Strength};
use crate::model::AnyEstimator;
use crate::select::{Outputs, Ranked};
use crate::{Error, Result};

/// Judges the squared loss with a weighed kernel by the folds, in closed form.
///
/// # Errors
/// A kernel matrix that is singular to rounding.
pub(super) fn try_squared(best: &Ranked, part: &Part, context: &FitContext) -> Result<Tried> {
    let data = &part.data;
    let outputs = Outputs::of(data)?;
    let residuals = left_out_residuals(best, &outputs, data, &part.folds, context)?;
    let kernel = best.kernel.spec().clone();
    let strength = Strength::Gamma(best.ratio);
    let name = format!("least squares, {} by evidence", best.name);
    let decision = |k: usize, row: usize| outputs.values[(k, row)] - residuals[(k, row)];
    let Targets::Classes(classes) = &data.targets else {
        let unit = outputs.unit * outputs.unit;
        return Ok(Tried {
            name,
            estimator: AnyEstimator::LsSvr(LsSvr::default().kernel(kernel).strength(strength)),
            losses: part.spread(residuals.row(0).iter().map(|r| r * r * unit)),
            strangeness: None,
        });
    };
    // How far the true class is behind the strongest of the others.
    let behind = |row: usize| {
        let code = classes.codes[row] as usize;
        if outputs.values.rows() == 1 {
            return if code == 0 { -1.0 } else { 1.0 } * decision(0, row);
        }
        let others = (0..outputs.values.rows()).filter(|&k| k != code);
        others
            .map(|k| decision(k, row) - decision(code, row))
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let strangeness: Vec<f64> = (0..data.len()).map(behind).collect();
    Ok(Tried {
        name,
        estimator: AnyEstimator::LsSvc(LsSvc::default().kernel(kernel).strength(strength)),
        losses: part.spread(strangeness.iter().map(|s| f64::from(u8::from(*s >= 0.0)))),
        strangeness: Some(strangeness),
    })
}

/// The residual of every row when its fold is left out.
fn left_out_residuals(
    best: &Ranked,
    outputs: &Outputs,
    data: &Dataset,
    folds: &Folds,
    context: &FitContext,
) -> Result<Matrix<f64>> {
    let par = context.par();
    let gram = best.kernel.gram(&data.records, par)?;
    let problem = Problem {
        gram: gram.as_ref(),
        targets: &outputs.values,
        weights: data.weights.as_deref(),
        intercept: true,
    };
    let mut fold_of = vec![0; data.len()];
    for (fold, rows) in folds.test.iter().enumerate() {
        for &row in rows {
            fold_of[row] = fold as u32;
        }
    }
    problem
        .solve(best.ratio, par)
        .and_then(|solved| solved.operator(par).leave_folds_out(&fold_of, par))
        .map_err(|_| {
            Error::rows(
                "the kernel matrix is singular to rounding",
                "remove rows that repeat each other, or choose a kernel",
            )
        })
}
