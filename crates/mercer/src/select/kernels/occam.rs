//! What fitted hyperparameters cost.
//!
//! A log-number with prior N(θ₀, s²) that the data pin down to a width of 1/√H was a bet of
//! one in √(1 + s²H): the evidence of a family with p of them at their optimum is smaller by
//! ½ log det(I + s²H) + ‖θ̂ − θ₀‖²/(2s²) than that of the best member alone (MacKay 1992).

use mercer_linalg::{Matrix, symmetric_eigenvalues};

use super::objective::{Objective, SPREAD};

/// Step of a logarithm in differences of slopes.
const STEP: f64 = 0.05;

/// How sharply the evidence is peaked.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Peak {
    /// ½ log det(I + s²H) for the Hessian H of the hyperparameters, the ratio following its
    /// optimum.
    pub(super) occam: f64,
    /// Second derivative of J in log γ.
    pub(super) ratio: f64,
}

/// Measures the peak by differences of slopes.
///
/// `scale` is the number of all rows over that of the objective's: curvature grows with rows.
pub(super) fn peak(objective: &Objective<'_>, at: &[f64], scale: f64) -> Peak {
    let p = objective.hyperparameters.len();
    let Some(full) = hessian(objective, at, scale) else {
        return Peak {
            occam: 0.0,
            ratio: 0.0,
        };
    };
    Peak {
        occam: occam_factor(&full, p),
        ratio: full[(p, p)],
    }
}

fn occam_factor(full: &Matrix<f64>, p: usize) -> f64 {
    if p == 0 {
        return 0.0;
    }
    // The Schur complement: what is left of the curvature when log γ moves along.
    let corner = full[(p, p)].max(f64::MIN_POSITIVE);
    let shared = |i: usize, j: usize| {
        if full[(p, p)] > 0.0 {
            full[(i, p)] * full[(p, j)] / corner
        } else {
            0.0
        }
    };
    let reduced = Matrix::from_fn(p, p, |i, j| full[(i, j)] - shared(i, j));
    let Ok(values) = symmetric_eigenvalues(reduced.as_ref()) else {
        return 0.0;
    };
    let one = |h: f64| (SPREAD * SPREAD * h.max(0.0)).ln_1p();
    0.5 * values.into_iter().map(one).sum::<f64>()
}

/// Second derivatives of J in all unknowns, symmetric.
fn hessian(objective: &Objective<'_>, at: &[f64], scale: f64) -> Option<Matrix<f64>> {
    let n = at.len();
    let mut raw = Matrix::zeros(n, n);
    let (_, centre) = objective.value_and_slopes(at)?;
    for k in 0..n {
        // One side is enough for a logarithm of a curvature.
        let mut moved = at.to_vec();
        moved[k] += STEP;
        let (_, slopes) = objective.value_and_slopes(&moved)?;
        for i in 0..n {
            raw[(k, i)] = (slopes[i] - centre[i]) / STEP;
        }
        // The prior's own curvature is not part of J.
        if k < objective.hyperparameters.len() {
            raw[(k, k)] -= 1.0 / (SPREAD * SPREAD);
        }
    }
    Some(Matrix::from_fn(n, n, |i, j| {
        scale * f64::midpoint(raw[(i, j)], raw[(j, i)])
    }))
}
