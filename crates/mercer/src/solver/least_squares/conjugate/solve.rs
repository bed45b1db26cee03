//! Solutions at one γ, refined until residuals in double precision are small.

use mercer_linalg::{Matrix, Precision};

use super::descend::{Goal, add_scaled, descend, dots, norms, pick};
use super::{Preconditioner, System};
use crate::fit::{FitContext, StopReason};
use crate::solver::least_squares::Levels;
use crate::{Error, Result};

/// Share of a residual that a round of steps on single-precision values takes it down to: errors of those values are
/// below it.
const ROUND: f64 = 1e-4;
/// Share of 1/γ that the errors of single-precision values may amount to.
const SINGLE: f64 = 0.1;
/// Share of the tolerance that steps aim at, so that the exact residual is within it.
const AIM: f64 = 0.5;

/// A solution with its account.
#[derive(Debug, Clone)]
pub struct Iterated {
    /// α, one row per output.
    pub coefficients: Matrix<f64>,
    /// The constant of every output.
    pub biases: Vec<f64>,
    /// yᵀPy of every output.
    pub quadratics: Vec<f64>,
    /// Largest ‖(K_c + I/γ)x − MSy‖/‖MSy‖ over the outputs, of kernel values in double precision; where the time limit left no pass
    /// over them, as the recurrences have it.
    pub residual: f64,
    /// Passes over K by conjugate gradients, exact residuals included.
    pub iterations: u64,
    /// The precision of the kernel values that steps used last.
    pub precision: Precision,
    /// Whether the residual is within the tolerance, or why not.
    pub stop_reason: StopReason,
}

impl System<'_> {
    /// Returns the precision in which values of K are good enough for steps at a ratio γ: the spectral norm of n² independent errors
    /// is about 2√n of their size.
    pub fn step_precision(&self, ratio: f64) -> Precision {
        let error = self.product().source().rounding_error() * self.largest_diagonal();
        if 2.0 * error * (self.rows() as f64).sqrt() <= SINGLE / ratio {
            Precision::F32
        } else {
            Precision::F64
        }
    }

    /// Solves at a ratio γ until the relative residual of every output is within a tolerance.
    ///
    /// # Errors
    /// Cancellation; [`Error::Unsupported`] for a kernel that is not positive semidefinite.
    pub fn solve(
        &self,
        preconditioner: &Preconditioner,
        ratio: f64,
        tolerance: f64,
        most: u64,
        context: &FitContext,
    ) -> Result<Iterated> {
        let sides = self.sides();
        let sizes = norms(&sides);
        let relative = |norms: &[f64]| -> f64 {
            let pairs = norms.iter().zip(&sizes);
            let of = |(norm, size): (&f64, &f64)| if *size > 0.0 { norm / size } else { 0.0 };
            pairs.map(of).fold(0.0, f64::max)
        };
        let mut precision = self.step_precision(ratio);
        let mut x = Matrix::zeros(self.rows(), self.outputs());
        let mut left = sides.clone();
        let mut left_norms = sizes.clone();
        let (mut iterations, mut stop_reason) = (0, StopReason::Converged);
        let mut residual = relative(&left_norms);
        while residual > tolerance {
            let open: Vec<usize> = (0..self.outputs())
                .filter(|&k| left_norms[k] > tolerance * sizes[k])
                .collect();
            let goals: Vec<f64> = open
                .iter()
                .map(|&k| {
                    let last = AIM * tolerance * sizes[k];
                    match precision {
                        Precision::F32 => last.max(ROUND * left_norms[k]),
                        Precision::F64 => last,
                    }
                })
                .collect();
            let goal = Goal {
                norms: &goals,
                most: most.saturating_sub(iterations),
                precision,
            };
            let right = pick(&left, &open);
            let descent = descend(self, preconditioner, ratio, &right, &goal, context)?;
            iterations += descent.iterations;
            for row in 0..self.rows() {
                for (k, &column) in open.iter().enumerate() {
                    x[(row, column)] += descent.solution[(row, k)];
                }
            }
            let Some(reason) = descent.stop_reason else {
                if precision == Precision::F32 {
                    precision = Precision::F64;
                } else {
                    return Err(indefinite(ratio));
                }
                // What the last good step left is measured anew below.
                (left, left_norms) = self.left(&sides, &x, ratio, context)?;
                iterations += 1;
                residual = relative(&left_norms);
                continue;
            };
            let before = residual;
            match self.left(&sides, &x, ratio, context) {
                Ok(exact) => {
                    (left, left_norms) = exact;
                    iterations += 1;
                    residual = relative(&left_norms);
                }
                Err(Error::OutOfTime) => {
                    for (norm, &column) in descent.norms.iter().zip(&open) {
                        left_norms[column] = *norm;
                    }
                    residual = relative(&left_norms);
                    stop_reason = StopReason::TimeLimit;
                    break;
                }
                Err(error) => return Err(error),
            }
            if residual <= tolerance {
                break;
            }
            match reason {
                StopReason::TimeLimit | StopReason::IterationLimit => {
                    stop_reason = reason;
                    break;
                }
                // Steps that gain nothing: finer values may, finer values still do not exist.
                _ if residual > 0.5 * before => {
                    if precision == Precision::F64 {
                        stop_reason = StopReason::Stalled;
                        break;
                    }
                    precision = Precision::F64;
                }
                _ => {}
            }
        }
        let mut coefficients = Matrix::zeros(self.outputs(), self.rows());
        let mut biases = Vec::with_capacity(self.outputs());
        for k in 0..self.outputs() {
            let (alpha, bias) = self.function(&x, k);
            coefficients.row_mut(k).copy_from_slice(&alpha);
            biases.push(bias);
        }
        Ok(Iterated {
            coefficients,
            biases,
            quadratics: dots(&sides, &x).into_iter().map(|q| q.max(0.0)).collect(),
            residual,
            iterations,
            precision,
            stop_reason,
        })
    }

    /// What X leaves of the right-hand sides, with its norms, from kernel values in double precision.
    fn left(
        &self,
        sides: &Matrix<f64>,
        x: &Matrix<f64>,
        ratio: f64,
        context: &FitContext,
    ) -> Result<(Matrix<f64>, Vec<f64>)> {
        let mut left = self.multiply(x, Precision::F64, context)?;
        let columns = self.outputs();
        add_scaled(&mut left, x, &vec![ratio.recip(); columns]);
        left.as_mut_slice().iter_mut().for_each(|v| *v = -*v);
        add_scaled(&mut left, sides, &vec![1.0; columns]);
        let norms = norms(&left);
        Ok((left, norms))
    }
}

impl Iterated {
    /// Returns μ and ζ of every output at a ratio γ.
    pub fn levels(&self, ratio: f64, freedom: f64) -> Vec<Levels> {
        let one = |q: &f64| Levels::at(ratio, *q, freedom);
        self.quadratics.iter().map(one).collect()
    }
}

fn indefinite(ratio: f64) -> Error {
    Error::Unsupported {
        what: format!(
            "the kernel matrix plus 1/γ = {:.3e} on the diagonal is not positive definite",
            ratio.recip()
        ),
        cure: "choose a smaller γ (a larger λ), or a positive semidefinite kernel".into(),
    }
}
