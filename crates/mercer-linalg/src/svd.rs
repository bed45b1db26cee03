//! Singular values with the vectors of the columns.

#![expect(unsafe_code, reason = "calls the backend on raw parts")]

use crate::backend::Raw;
use crate::error::LinalgError;
use crate::gemm::{Op, operand};
use crate::matrix::{Matrix, MatrixRef};
use crate::real::Real;

/// The part `diag(values) Vᵀ` of the decomposition `A = U diag(values) Vᵀ`.
///
/// Singular values are exact to the rounding of the largest one, where the eigenvalues of `AᵀA` are exact to the rounding
/// of its square.
///
/// # Examples
///
/// ```
/// use mercer_linalg::{Matrix, RightSvd};
///
/// let a = Matrix::from_vec(3, 2, vec![3.0_f64, 0.0, 0.0, 2.0, 0.0, 0.0]);
/// let svd = RightSvd::new(a.as_ref())?;
/// assert!((svd.values[0] - 3.0).abs() < 1e-12 && (svd.values[1] - 2.0).abs() < 1e-12);
/// assert!((svd.vectors[(0, 0)].abs() - 1.0).abs() < 1e-12);
/// # Ok::<(), mercer_linalg::LinalgError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RightSvd<T> {
    /// Singular values in descending order, as many as the smaller side of the matrix.
    pub values: Vec<T>,
    /// The orthonormal rows of `Vᵀ`, in the order of the values.
    pub vectors: Matrix<T>,
}

impl<T: Real> RightSvd<T> {
    /// Decomposes a matrix.
    ///
    /// Runs on the calling thread, so that the result never depends on the thread count. Time `O(m n min(m, n))`.
    ///
    /// # Errors
    ///
    /// [`LinalgError::NotFinite`] or [`LinalgError::NoConvergence`].
    pub fn new(matrix: MatrixRef<'_, T>) -> Result<Self, LinalgError> {
        for row in 0..matrix.rows() {
            if let Some(column) = matrix.row(row).iter().position(|v| !v.is_finite()) {
                return Err(LinalgError::NotFinite { row, column });
            }
        }
        let (columns, size) = (matrix.columns(), matrix.rows().min(matrix.columns()));
        let mut values = vec![T::ZERO; size];
        let mut vectors = Matrix::zeros(size, columns);
        if size > 0 {
            let raw = Raw {
                pointer: vectors.as_mut_slice().as_mut_ptr(),
                rows: columns,
                columns: size,
                row_stride: 1,
                column_stride: columns as isize,
            };
            // SAFETY: both matrices are valid memory of their shapes and distinct.
            unsafe { T::right_svd(operand(&matrix, Op::None), &mut values, raw)? };
        }
        Ok(Self { values, vectors })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_values_are_kept_where_squares_lose_them() {
        // Columns e1 and e1 + 1e-9 e2: the singular values are √2 and 1e-9/√2, up to 1e-18.
        let a = Matrix::from_vec(2, 2, vec![1.0, 1.0, 0.0, 1e-9]);
        let svd = RightSvd::new(a.as_ref()).expect("finite");
        assert!((svd.values[0] - 2.0_f64.sqrt()).abs() < 1e-14);
        assert!((svd.values[1] / (1e-9 / 2.0_f64.sqrt()) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn wide_and_tall_matrices() {
        for (rows, columns) in [(3, 7), (7, 3), (1, 4), (4, 1)] {
            let value = |i: usize, j: usize| ((i * 7 + j * 3) % 5) as f64 - 1.5;
            let a = Matrix::from_fn(rows, columns, value);
            let svd = RightSvd::new(a.as_ref()).expect("finite");
            let squares: f64 = a.as_slice().iter().map(|v| v * v).sum();
            let found: f64 = svd.values.iter().map(|v| v * v).sum();
            assert!((squares - found).abs() < 1e-10, "{rows} by {columns}");
            for row in 0..svd.vectors.rows() {
                let norm: f64 = svd.vectors.row(row).iter().map(|v| v * v).sum();
                assert!((norm - 1.0).abs() < 1e-12);
            }
        }
        let bad = Matrix::from_vec(1, 1, vec![f64::NAN]);
        assert!(RightSvd::new(bad.as_ref()).is_err());
    }
}
