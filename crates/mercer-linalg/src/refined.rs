//! Positive definite systems, factored in single precision and solved in double.

use rayon::prelude::*;

use crate::cholesky::Cholesky;
use crate::error::LinalgError;
use crate::gemm::Op;
use crate::matrix::{Matrix, MatrixRef};
use crate::par::{Par, Proceed};
use crate::real::{Precision, Real};
use crate::vector::{axpy, dot, matvec};

/// Orders from which on a factor in single precision pays for its refinement.
const WORTH_SINGLE: usize = 1500;
/// Steps after which the single-precision factor is given up.
const STEPS: usize = 40;

/// A symmetric positive definite matrix A + diag(d), ready to be solved.
///
/// The sum is never made: A may be large, and stays where it is.
/// The factor is computed in single precision, at twice the speed. It then preconditions
/// conjugate gradients in double precision, which need one product with the matrix a step and
/// end at the asked residual: five steps where the condition number is below 10⁶, a dozen where
/// plain refinement would no longer converge. Small or stubborn systems are factored in double
/// precision.
pub struct SpdSolver<'a> {
    matrix: MatrixRef<'a, f64>,
    diagonal: &'a [f64],
    factor: Factor,
    par: Par,
    proceed: Proceed<'a>,
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
    /// The factor of A + diag(d), where it is one in double precision.
    pub factor: Option<Cholesky<f64>>,
}

impl<'a> SpdSolver<'a> {
    /// Factors a matrix, of which the lower triangle alone is factored and all is multiplied.
    ///
    /// # Errors
    ///
    /// A matrix that is not positive definite in double precision; [`LinalgError::Stopped`] when `proceed` says no.
    ///
    /// # Panics
    ///
    /// When the matrix is not square, or the diagonal has another length.
    pub fn new(
        matrix: MatrixRef<'a, f64>,
        diagonal: &'a [f64],
        par: Par,
        proceed: Proceed<'a>,
    ) -> Result<Self, LinalgError> {
        assert_eq!(matrix.rows(), diagonal.len(), "length of the diagonal");
        let single = (matrix.rows() >= WORTH_SINGLE)
            .then(|| Cholesky::factor_while(sum::<f32>(matrix, diagonal, par), par, proceed));
        let factor = match single {
            Some(Ok(factor)) => Factor::Single(factor),
            Some(Err(LinalgError::Stopped)) => return Err(LinalgError::Stopped),
            _ => {
                let whole = sum(matrix, diagonal, par);
                Factor::Double(Cholesky::factor_while(whole, par, proceed)?)
            }
        };
        Ok(Self {
            matrix,
            diagonal,
            factor,
            par,
            proceed,
        })
    }

    /// y = (A + diag(d)) x.
    fn multiply(&self, x: &[f64], y: &mut [f64]) {
        matvec(1.0, self.matrix, Op::None, x, 0.0, y, self.par);
        for ((y, x), d) in y.iter_mut().zip(x).zip(self.diagonal) {
            *y += d * x;
        }
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
    ) -> Result<SpdSolution, LinalgError> {
        let solution = self.attempt(sides, tolerance);
        if !(self.proceed)() {
            return Err(LinalgError::Stopped);
        }
        if solution.residual <= tolerance || matches!(self.factor, Factor::Double(_)) {
            return Ok(self.with_factor(solution));
        }
        let whole = sum(self.matrix, self.diagonal, self.par);
        self.factor = Factor::Double(Cholesky::factor_while(whole, self.par, self.proceed)?);
        let solution = self.attempt(sides, tolerance);
        Ok(self.with_factor(solution))
    }

    fn with_factor(self, solution: SpdSolution) -> SpdSolution {
        let factor = match self.factor {
            Factor::Double(factor) => Some(factor),
            Factor::Single(_) => None,
        };
        SpdSolution { factor, ..solution }
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
            factor: None,
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
            if !(self.proceed)() {
                break;
            }
            self.multiply(&p, &mut ap);
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
        self.multiply(x, &mut ap);
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

/// A + diag(d) in a precision, row by row: a large matrix is mostly new pages, which all threads
/// touch together.
fn sum<T: Real>(matrix: MatrixRef<'_, f64>, diagonal: &[f64], par: Par) -> Matrix<T> {
    let n = matrix.columns();
    let mut whole = Matrix::<T>::zeros(matrix.rows(), n);
    let fill = |(i, row): (usize, &mut [T])| {
        for (to, from) in row.iter_mut().zip(matrix.row(i)) {
            *to = T::from_f64(*from);
        }
        row[i] = T::from_f64(matrix.row(i)[i] + diagonal[i]);
    };
    let rows = whole.as_mut_slice();
    if n == 0 || par.if_worth((n * n) as f64).threads() == 1 {
        rows.chunks_mut(n.max(1)).enumerate().for_each(fill);
    } else {
        rows.par_chunks_mut(n).enumerate().for_each(fill);
    }
    whole
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
                (-distance * distance).exp()
            });
            let diagonal = vec![shift; n];
            let sides = Matrix::from_fn(2, n, |k, i| ((i * (k + 3)) % 17) as f64 - 8.0);
            let solver = SpdSolver::new(matrix.as_ref(), &diagonal, Par::Sequential, &|| true)
                .expect("positive");
            let solution = solver.solve(&sides, 1e-10).expect("positive");
            assert!(
                solution.residual <= bound,
                "{n} {shift}: {}",
                solution.residual
            );
            for k in 0..2 {
                let (side, x) = (sides.row(k), solution.rows.row(k));
                let miss = |i: usize| side[i] - dot(matrix.row(i), x) - shift * x[i];
                let miss = (0..n).map(|i| miss(i).powi(2)).sum::<f64>().sqrt();
                let residual = miss / dot(side, side).sqrt();
                assert!(residual <= 2.0 * bound, "{n} {shift}: {residual}");
            }
        }
    }
}
