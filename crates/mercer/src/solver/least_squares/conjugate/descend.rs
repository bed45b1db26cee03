//! Preconditioned conjugate gradients on a block of columns that share every pass over K.
//!
//! Each column has step lengths of its own; one that has arrived leaves the block. For every column of R = B − A X, with
//! Z = C R and the direction P,
//!
//! ```text
//! a = rᵀz/pᵀAp,   x ← x + a p,   r ← r − a A p,   p ← z + (rᵀz new/rᵀz old) p.
//! ```

use mercer_linalg::{Matrix, Precision};

use super::{Preconditioner, System};
use crate::fit::{FitContext, Progress, StopReason};
use crate::{Error, Result};

/// Iterations without a smaller residual after which rounding is what is left.
const PATIENCE: u64 = 100;

/// What a descent is to reach.
pub(super) struct Goal<'a> {
    /// Norm of the residual of every column at which it has arrived.
    pub(super) norms: &'a [f64],
    /// Most iterations.
    pub(super) most: u64,
    /// Precision of the kernel values.
    pub(super) precision: Precision,
}

/// Where a descent ended.
pub(super) struct Descent {
    pub(super) solution: Matrix<f64>,
    /// Norms of residuals as the recurrences have them.
    pub(super) norms: Vec<f64>,
    pub(super) iterations: u64,
    /// `None` where a direction has no positive curvature: A is not positive definite to this precision.
    pub(super) stop_reason: Option<StopReason>,
}

/// Columns of a matrix.
pub(super) fn pick(matrix: &Matrix<f64>, columns: &[usize]) -> Matrix<f64> {
    Matrix::from_fn(matrix.rows(), columns.len(), |i, k| matrix[(i, columns[k])])
}

/// aᵀb, column by column, in the order of the rows.
pub(super) fn dots(a: &Matrix<f64>, b: &Matrix<f64>) -> Vec<f64> {
    let mut sums = vec![0.0; a.columns()];
    for row in 0..a.rows() {
        for ((sum, a), b) in sums.iter_mut().zip(a.row(row)).zip(b.row(row)) {
            *sum += a * b;
        }
    }
    sums
}

/// ‖·‖ of every column.
pub(super) fn norms(a: &Matrix<f64>) -> Vec<f64> {
    dots(a, a).into_iter().map(f64::sqrt).collect()
}

/// a += b diag(factors).
pub(super) fn add_scaled(a: &mut Matrix<f64>, b: &Matrix<f64>, factors: &[f64]) {
    for row in 0..a.rows() {
        for ((a, b), factor) in a.row_mut(row).iter_mut().zip(b.row(row)).zip(factors) {
            *a += b * factor;
        }
    }
}

/// Columns that are on their way.
struct Active {
    /// Which columns of the right-hand side they are.
    columns: Vec<usize>,
    x: Matrix<f64>,
    r: Matrix<f64>,
    p: Matrix<f64>,
    /// rᵀz.
    inner: Vec<f64>,
}

impl Active {
    /// Takes out columns that have arrived.
    fn release(&mut self, arrived: &[bool], solution: &mut Matrix<f64>) {
        if !arrived.contains(&true) {
            return;
        }
        let kept: Vec<usize> = (0..arrived.len()).filter(|&k| !arrived[k]).collect();
        for (k, &column) in self.columns.iter().enumerate() {
            if arrived[k] {
                for row in 0..solution.rows() {
                    solution[(row, column)] = self.x[(row, k)];
                }
            }
        }
        self.x = pick(&self.x, &kept);
        self.r = pick(&self.r, &kept);
        self.p = pick(&self.p, &kept);
        self.inner = kept.iter().map(|&k| self.inner[k]).collect();
        self.columns = kept.iter().map(|&k| self.columns[k]).collect();
    }
}

/// Solves (K_c + I/γ) X = B.
///
/// # Errors
/// Cancellation.
pub(super) fn descend(
    system: &System<'_>,
    preconditioner: &Preconditioner,
    ratio: f64,
    right: &Matrix<f64>,
    goal: &Goal<'_>,
    context: &FitContext,
) -> Result<Descent> {
    let (n, width) = (right.rows(), right.columns());
    let par = context.par();
    let z = preconditioner.apply(right, ratio, par);
    let mut active = Active {
        columns: (0..width).collect(),
        x: Matrix::zeros(n, width),
        r: right.clone(),
        inner: dots(right, &z),
        p: z,
    };
    let mut descent = Descent {
        solution: Matrix::zeros(n, width),
        norms: norms(right),
        iterations: 0,
        stop_reason: Some(StopReason::Converged),
    };
    let arrived = |active: &Active, norms: &[f64]| -> Vec<bool> {
        let columns = active.columns.iter();
        columns.map(|&c| norms[c] <= goal.norms[c]).collect()
    };
    active.release(&arrived(&active, &descent.norms), &mut descent.solution);
    // A residual grows and shrinks on its way; what counts is the least of the worst.
    let (mut best, mut since) = (f64::INFINITY, 0);
    while !active.columns.is_empty() {
        let stopped = if context.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        } else if context.out_of_time() {
            Some(StopReason::TimeLimit)
        } else if descent.iterations >= goal.most {
            Some(StopReason::IterationLimit)
        } else if since >= PATIENCE {
            Some(StopReason::Stalled)
        } else {
            None
        };
        if stopped.is_some() {
            descent.stop_reason = stopped;
            break;
        }
        let mut image = match system.multiply(&active.p, goal.precision, context) {
            Err(Error::OutOfTime) => {
                descent.stop_reason = Some(StopReason::TimeLimit);
                break;
            }
            image => image?,
        };
        let shift = vec![ratio.recip(); active.columns.len()];
        add_scaled(&mut image, &active.p, &shift);
        let curvatures = dots(&active.p, &image);
        if curvatures.iter().any(|c| c.is_nan() || *c <= 0.0) {
            descent.stop_reason = None;
            break;
        }
        let pairs = active.inner.iter().zip(&curvatures);
        let steps: Vec<f64> = pairs.map(|(inner, c)| inner / c).collect();
        let back: Vec<f64> = steps.iter().map(|s| -s).collect();
        add_scaled(&mut active.x, &active.p, &steps);
        add_scaled(&mut active.r, &image, &back);
        descent.iterations += 1;
        for (norm, &column) in norms(&active.r).iter().zip(&active.columns) {
            descent.norms[column] = *norm;
        }
        let open = active.columns.iter();
        let worst = open
            .map(|&c| descent.norms[c] / goal.norms[c].max(f64::MIN_POSITIVE))
            .fold(0.0, f64::max);
        context.tell(|| Progress {
            stage: "conjugate gradients".to_owned(),
            iterations: descent.iterations,
            violation: Some(worst),
            ..Progress::default()
        });
        if worst < best {
            (best, since) = (worst, 0);
        } else {
            since += 1;
        }
        active.release(&arrived(&active, &descent.norms), &mut descent.solution);
        let z = preconditioner.apply(&active.r, ratio, par);
        let inner = dots(&active.r, &z);
        let turns: Vec<f64> = inner
            .iter()
            .zip(&active.inner)
            .map(|(new, old)| new / old)
            .collect();
        let mut next = z;
        add_scaled(&mut next, &active.p, &turns);
        active.p = next;
        active.inner = inner;
    }
    let rest = vec![true; active.columns.len()];
    active.release(&rest, &mut descent.solution);
    Ok(descent)
}
