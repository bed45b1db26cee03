//! Symmetric matrices brought to tridiagonal form.

#![expect(unsafe_code, reason = "calls the backend on raw parts")]

use crate::backend::Raw;
use crate::eigen::check;
use crate::error::LinalgError;
use crate::matrix::Matrix;
use crate::real::Real;

/// The tridiagonal T of `A = Q T Qᵀ`, Q orthogonal.
///
/// A third of the work of all eigenvectors. Whatever depends on A through its eigenvalues and
/// some right-hand sides can be had from T and these sides turned by Qᵀ, in linear time.
#[derive(Clone, Debug, PartialEq)]
pub struct Tridiagonal<T> {
    /// The diagonal.
    pub diagonal: Vec<T>,
    /// The n − 1 numbers beside it.
    pub beside: Vec<T>,
}

impl<T: Real> Tridiagonal<T> {
    /// Reduces a symmetric matrix, of which both triangles are filled, and replaces every row y
    /// of `sides` by Qᵀy.
    ///
    /// Runs on the calling thread, so that the result never depends on the thread count. Time `O(n³)`.
    ///
    /// # Errors
    ///
    /// [`LinalgError::NotSquare`] or [`LinalgError::NotFinite`].
    ///
    /// # Panics
    /// Sides of another length.
    pub fn reduce(mut matrix: Matrix<T>, sides: &mut Matrix<T>) -> Result<Self, LinalgError> {
        check(&matrix.as_ref())?;
        let n = matrix.rows();
        assert_eq!(sides.columns(), n, "sides as long as the matrix");
        if n > 1 {
            // A symmetric matrix is its own transpose: the backend sees it by columns, as it
            // prefers to.
            let a = Raw {
                pointer: matrix.as_mut_slice().as_mut_ptr(),
                rows: n,
                columns: n,
                row_stride: 1,
                column_stride: n as isize,
            };
            let turned = Raw {
                pointer: sides.as_mut_slice().as_mut_ptr(),
                rows: n,
                columns: sides.rows(),
                row_stride: 1,
                column_stride: n as isize,
            };
            // SAFETY: both describe the memory of matrices that are borrowed for writing.
            unsafe { T::tridiagonalise(a, turned) };
        }
        Ok(Self {
            diagonal: (0..n).map(|i| matrix[(i, i)]).collect(),
            beside: (1..n).map(|i| matrix[(i - 1, i)]).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Op, Par, SymmetricEigen, gemm, symmetric_eigenvalues};

    fn symmetric(n: usize) -> Matrix<f64> {
        let entry = |i: usize, j: usize| ((i * 31 + j * 17) % 23) as f64 - 11.0;
        Matrix::from_fn(n, n, |i, j| entry(i, j) + entry(j, i))
    }

    #[test]
    fn eigenvalues_and_projections_survive() {
        for n in [1, 2, 3, 7, 40, 130] {
            let a = symmetric(n);
            // With the identity as sides, the rows become those of Q.
            let mut q = Matrix::identity(n);
            let t = Tridiagonal::reduce(a.clone(), &mut q).expect("finite");
            let dense = Matrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
                0 => t.diagonal[i],
                1 => t.beside[i.min(j)],
                _ => 0.0,
            });
            let product = |left: &Matrix<f64>, right: &Matrix<f64>, op: Op| {
                let mut out = Matrix::zeros(n, n);
                let (left, right) = (left.as_ref(), right.as_ref());
                gemm(
                    1.0,
                    left,
                    Op::None,
                    right,
                    op,
                    0.0,
                    out.as_mut(),
                    Par::Sequential,
                );
                out
            };
            let back = product(&product(&q, &dense, Op::None), &q, Op::Transpose);
            let worst = |m: &Matrix<f64>, r: &Matrix<f64>| {
                let pairs = m.as_slice().iter().zip(r.as_slice());
                pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
            };
            assert!(worst(&back, &a) < 1e-11 * n as f64, "n = {n}");
            let one = symmetric_eigenvalues(dense.as_ref()).expect("finite");
            let other = SymmetricEigen::new(a.as_ref()).expect("finite").values;
            for (a, b) in one.iter().zip(&other) {
                assert!((a - b).abs() < 1e-10 * n as f64, "n = {n}: {a} {b}");
            }
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let mut a = symmetric(3);
        a[(2, 1)] = f64::NAN;
        a[(1, 2)] = f64::NAN;
        assert!(Tridiagonal::reduce(a, &mut Matrix::zeros(0, 3)).is_err());
    }
}
