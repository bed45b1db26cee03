//! Ridge on many sparse columns: (XᵀX + Λ) w = Xᵀy by conjugate gradients.
//!
//! A step reads the stored values twice, and no matrix of all columns or rows is made. The system is
//! divided by its diagonal ‖x_j‖² + λ_j (Hestenes and Stiefel, Methods of conjugate gradients for solving linear
//! systems, 1952); where rounding ends the recursion, it starts again on the residuals of the rows.
//!
//! The effective number of parameters is tr XA⁻¹Xᵀ = E zᵀXA⁻¹Xᵀz for signs z drawn at random
//! (Hutchinson, A stochastic estimator of the trace of the influence matrix for Laplacian smoothing
//! splines, 1990): its deviation is √(2p/[`PROBES`]) for p parameters.

use mercer_linalg::{Matrix, axpy, dot};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::design::Design;
use super::normal::{ENOUGH, ROUNDING};
use super::products::{combine, is_sparse, residuals, subtract_predictions};
use super::solution::{Answer, norm, subtract_penalty};
use crate::Result;
use crate::data::random::below;
use crate::fit::{FitContext, Note};

/// Rows and columns from which a factor, whose time grows with the cube of their number, is slower.
const MANY: usize = 1000;
/// Steps of one system; a factor takes over where they do not suffice.
const STEPS: usize = 2000;
/// Systems on what is left of the one before.
const ROUNDS: usize = 6;
/// What each of them takes of the residual.
const SHARE: f64 = 1e-8;
/// Random directions, and how exactly their systems are solved: sampling is the larger error.
const PROBES: usize = 32;
const ROUGH: f64 = 1e-4;
/// Directions at a time.
const BATCH: usize = 8;
/// Steps towards the largest eigenvalue.
const POWER_STEPS: usize = 40;
/// Multiplications of a factor in the time of one of a sparse row.
const DENSE: f64 = 8.0;
/// Readings of the rows that the systems take, all probes included.
const READINGS: f64 = 2000.0;

/// Whether this way is taken: many sparse rows and columns with few values.
pub(super) fn suits(design: &Design) -> bool {
    let order = design.rows().min(design.width());
    let stored = design.sparse().map_or(0, |(csr, _)| csr.nnz());
    let factor = (order as f64).powi(3) / (3.0 * DENSE);
    order > MANY && is_sparse(design) && READINGS * ((stored + order) as f64) < factor
}

/// Solves for the weights with what was done; `None` where the system is too ill-conditioned.
///
/// # Errors
/// Cancellation and the time limit.
pub(super) fn solve(
    design: &Design,
    penalties: &[f64],
    context: &FitContext,
) -> Result<Option<(Answer, Note)>> {
    let system = System {
        design,
        penalties,
        diagonal: design
            .norms()
            .iter()
            .zip(penalties)
            .map(|(norm, penalty)| norm * norm + penalty)
            .collect(),
        context,
    };
    let outputs = design.targets.rows();
    let mut weights = Matrix::zeros(outputs, design.width());
    let mut slopes = combine(design, &design.targets, context)?;
    let (mut violation, mut steps) = (f64::INFINITY, 0);
    for round in 0..ROUNDS {
        let Some((change, made)) = system.solve(&slopes, SHARE)? else {
            return Ok(None);
        };
        steps += made;
        let mut better = weights.clone();
        axpy(1.0, change.as_slice(), better.as_mut_slice());
        let left = residuals(design, &better, context)?;
        let mut next = combine(design, &left, context)?;
        let mut worst: f64 = 0.0;
        for k in 0..outputs {
            subtract_penalty(penalties, better.row(k), next.row_mut(k));
            worst = worst.max(design.violation(k, next.row(k)));
        }
        if !(worst < violation) {
            break;
        }
        let slow = worst > 0.5 * violation;
        (weights, slopes, violation) = (better, next, worst);
        if slow || (round > 0 && worst <= ROUNDING) {
            break;
        }
    }
    if !(violation <= ENOUGH) {
        return Ok(None);
    }
    let Some(parameters) = system.parameters()? else {
        return Ok(None);
    };
    let least = penalties.iter().copied().fold(f64::INFINITY, f64::min);
    let answer = Answer {
        weights,
        rank: None,
        // Exact where columns outnumber rows; otherwise the condition number is at most this.
        condition: ((system.largest()? + least) / least).sqrt().max(1.0),
        parameters,
        spread: None,
        dependent: Vec::new(),
        plain: None,
    };
    let note = Note::Choice(format!(
        "many sparse columns: solved by conjugate gradients in {steps} steps; the effective number of \
         parameters is estimated from {PROBES} random directions"
    ));
    Ok(Some((answer, note)))
}

/// A = XᵀX + Λ.
struct System<'a> {
    design: &'a Design,
    penalties: &'a [f64],
    diagonal: Vec<f64>,
    context: &'a FitContext,
}

impl System<'_> {
    /// A v for every row v.
    fn times(&self, rows: &Matrix<f64>) -> Result<Matrix<f64>> {
        let mut left = Matrix::zeros(rows.rows(), self.design.rows());
        subtract_predictions(self.design, rows, &mut left, self.context)?;
        let mut product = combine(self.design, &left, self.context)?;
        for k in 0..rows.rows() {
            // What was subtracted from zero has the other sign.
            let each = product.row_mut(k).iter_mut().zip(rows.row(k));
            for ((out, value), penalty) in each.zip(self.penalties) {
                *out = penalty * value - *out;
            }
        }
        Ok(product)
    }

    fn divided(&self, residual: &[f64]) -> Vec<f64> {
        let pairs = residual.iter().zip(&self.diagonal);
        pairs.map(|(r, d)| r / d).collect()
    }

    /// A⁻¹ b for every row b, each to a share of its size; `None` where steps do not suffice.
    fn solve(&self, sides: &Matrix<f64>, share: f64) -> Result<Option<(Matrix<f64>, usize)>> {
        let count = sides.rows();
        let mut found = Matrix::zeros(count, sides.columns());
        let mut left = sides.clone();
        let mut ahead = Matrix::zeros(count, sides.columns());
        let mut sizes = vec![0.0; count];
        for k in 0..count {
            let first = self.divided(left.row(k));
            sizes[k] = dot(left.row(k), &first);
            ahead.row_mut(k).copy_from_slice(&first);
        }
        let goals: Vec<f64> = sizes.iter().map(|size| share * share * size).collect();
        for step in 0..STEPS {
            if (0..count).all(|k| sizes[k] <= goals[k]) {
                return Ok(Some((found, step)));
            }
            let turned = self.times(&ahead)?;
            for k in 0..count {
                let bend = dot(ahead.row(k), turned.row(k));
                if sizes[k] <= goals[k] {
                    continue;
                }
                if !(bend > 0.0 && bend.is_finite()) {
                    return Ok(None);
                }
                let length = sizes[k] / bend;
                axpy(length, ahead.row(k), found.row_mut(k));
                axpy(-length, turned.row(k), left.row_mut(k));
                let next = self.divided(left.row(k));
                let reached = dot(left.row(k), &next);
                let ratio = reached / sizes[k];
                sizes[k] = reached;
                for (ahead, next) in ahead.row_mut(k).iter_mut().zip(next) {
                    *ahead = next + ratio * *ahead;
                }
            }
        }
        Ok(None)
    }

    /// tr XA⁻¹Xᵀ, from random signs.
    fn parameters(&self) -> Result<Option<f64>> {
        let mut random = ChaCha8Rng::seed_from_u64(self.context.seed);
        let mut sum = 0.0;
        for _ in 0..PROBES / BATCH {
            let signs = Matrix::from_fn(BATCH, self.design.rows(), |_, _| {
                if below(&mut random, 2) == 0 {
                    1.0
                } else {
                    -1.0
                }
            });
            let sides = combine(self.design, &signs, self.context)?;
            let Some((found, _)) = self.solve(&sides, ROUGH)? else {
                return Ok(None);
            };
            sum += dot(sides.as_slice(), found.as_slice());
        }
        let most = self.design.rows().min(self.design.width());
        Ok(Some((sum / PROBES as f64).clamp(0.0, most as f64)))
    }

    /// The largest eigenvalue of A.
    fn largest(&self) -> Result<f64> {
        let mut vector = self.design.norms().to_vec();
        let mut value = 0.0;
        for _ in 0..POWER_STEPS {
            let size = norm(&vector);
            if !(size > 0.0 && size.is_finite()) {
                break;
            }
            vector.iter_mut().for_each(|v| *v /= size);
            let row = Matrix::from_vec(1, vector.len(), vector);
            let turned = self.times(&row)?;
            value = dot(turned.row(0), row.row(0));
            vector = turned.into_vec();
        }
        Ok(value)
    }
}
