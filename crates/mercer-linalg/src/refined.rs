//! Positive definite systems, factored in single precision and solved in double.

use crate::cholesky::Cholesky;
use crate::error::NotPositiveDefinite;
use crate::gemm::Op;
use crate::matrix::{Matrix, MatrixRef};
use crate::par::Par;
use crate::real::Precision;
use crate::vector::{axpy, dot, matvec};

/// Orders from which on a factor in single precision pays for its refinement.
const WORTH_SINGLE: usize = 1500;
/// Steps after which the single-precision factor is given up.
const STEPS: usize = 40;

/// A symmetric positive definite matrix, ready to be solved.
///
/// The factor is computed in single precision, at twice the speed. It then preconditions
/// conjugate gradients in double precision, which need one product with the matrix a step and
/// end at the asked residual: five steps where the condition number is below 10⁶, a dozen where
/// plain refinement would no longer converge. Small or stubborn systems are factored in double
/// precision.
pub struct SpdSolver<'a> {
    matrix: MatrixRef<'a, f64>,
    factor: Factor,
    par: Par,
}

enum Factor {
    Single(Cholesky<f32>),
    Double(Cholesky<f64>),
}

/// Solutions with what is known of their quality.
#[derive(Debug, Clone, PartialEq)]
pub struct SpdSolution {
    /// One row per right-hand side.
    pub rows: Matrix<f64>,
    /// Largest ‖b − A x‖/‖b‖ over the right-hand sides.
    pub residual: f64,
    /// Precision of the factor.
    pub precision: Precision,
}

impl<'a> SpdSolver<'a> {
    /// Factors a matrix, of which the lower triangle alone is factored and all is multiplied.
    ///
    /// # Errors
    ///
    /// A matrix that is not positive definite in double precision.
    ///
    /// # Panics
    ///
    /// When the matrix is not square.
    pub fn new(matrix: MatrixRef<'a, f64>, par: Par) -> Result<Self, NotPositiveDefinite> {
        let single = (matrix.rows() >= WORTH_SINGLE)
            .then(|| Cholesky::factor(matrix.to_owned().cast::<f32>(), par).ok())
            .flatten();
        let factor = match single {
            Some(factor) => Factor::Single(factor),
            None => Factor::Double(Cholesky::factor(matrix.to_owned(), par)?),
        };
        Ok(Self {
            matrix,
            factor,
            par,
        })
    }

    /// Solves for every row of `sides` to a relative residual.
    ///
    /// # Errors
    ///
    /// As [`SpdSolver::new`], where the matrix has to be factored again.
    pub fn solve(
        mut self,
        sides: &Matrix<f64>,
        tolerance: f64,
    ) -> Result<SpdSolution, NotPositiveDefinite> {
        let solution = self.attempt(sides, tolerance);
        if solution.residual <= tolerance || matches!(self.factor, Factor::Double(_)) {
            return Ok(solution);
        }
        self.factor = Factor::Double(Cholesky::factor(self.matrix.to_owned(), self.par)?);
        Ok(self.attempt(sides, tolerance))
    }

    fn attempt(&self, sides: &Matrix<f64>, tolerance: f64) -> SpdSolution {
        let mut rows = Matrix::zeros(sides.rows(), sides.columns());
        let mut residual: f64 = 0.0;
        for k in 0..sides.rows() {
            residual = residual.max(self.one(sides.row(k), rows.row_mut(k), tolerance));
        }
        SpdSolution {
            rows,
            residual,
            precision: match self.factor {
                Factor::Single(_) => Precision::F32,
                Factor::Double(_) => Precision::F64,
            },
        }
    }

    /// Preconditioned conjugate gradients from zero; returns the relative residual.
    fn one(&self, side: &[f64], x: &mut [f64], tolerance: f64) -> f64 {
        let scale = dot(side, side).sqrt();
        if scale == 0.0 {
            return 0.0;
        }
        let mut r = side.to_vec();
        let mut z = self.precondition(&r);
        let mut p = z.clone();
        let mut rz = dot(&r, &z);
        let mut ap = vec![0.0; r.len()];
        for _ in 0..STEPS {
            matvec(1.0, self.matrix, Op::None, &p, 0.0, &mut ap, self.par);
            let curvature = dot(&p, &ap);
            if !(curvature > 0.0 && curvature.is_finite()) {
                break;
            }
            let step = rz / curvature;
            axpy(step, &p, x);
            axpy(-step, &ap, &mut r);
            if dot(&r, &r).sqrt() <= 0.5 * tolerance * scale {
                break;
            }
            z = self.precondition(&r);
            let next = dot(&r, &z);
            let ratio = next / rz;
            rz = next;
            for (p, z) in p.iter_mut().zip(&z) {
                *p = z + ratio * *p;
            }
        }
        // What the steps say of the residual drifts; the product itself does not.
        matvec(1.0, self.matrix, Op::None, x, 0.0, &mut ap, self.par);
        let miss = side.iter().zip(&ap).map(|(b, a)| (b - a) * (b - a));
        miss.sum::<f64>().sqrt() / scale
    }

    fn precondition(&self, r: &[f64]) -> Vec<f64> {
        match &self.factor {
            Factor::Double(factor) => {
                let mut z = r.to_vec();
                factor.solve_vector(&mut z, self.par);
                z
            }
            Factor::Single(factor) => {
                // Residuals shrink below what f32 can hold; their direction does not.
                let size = r
                    .iter()
                    .fold(0.0_f64, |m, v| m.max(v.abs()))
                    .max(f64::MIN_POSITIVE);
                let mut z: Vec<f32> = r.iter().map(|v| (v / size) as f32).collect();
                factor.solve_vector(&mut z, self.par);
                z.into_iter().map(|v| f64::from(v) * size).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residuals_are_small_at_any_condition() {
        // Rounding of A x alone leaves about 1e-16 times the condition number.
        let cases = [(40, 1e-3, 1e-10), (1600, 1e-2, 1e-10), (1600, 1e-7, 1e-7)];
        for (n, shift, bound) in cases {
            let matrix = Matrix::from_fn(n, n, |i, j| {
                let distance = (i as f64 - j as f64) / 30.0;
                (-distance * distance).exp() + if i == j { shift } else { 0.0 }
            });
            let sides = Matrix::from_fn(2, n, |k, i| ((i * (k + 3)) % 17) as f64 - 8.0);
            let solver = SpdSolver::new(matrix.as_ref(), Par::Sequential).expect("positive");
            let solution = solver.solve(&sides, 1e-10).expect("positive");
            assert!(
                solution.residual <= bound,
                "{n} {shift}: {}",
                solution.residual
            );
        }
    }
}
