//! Eigenvalues and eigenvectors of symmetric matrices.

#![expect(unsafe_code, reason = "calls the backend on raw parts")]

use crate::backend::Raw;
use crate::error::LinalgError;
use crate::gemm::{Op, operand};
use crate::matrix::{Matrix, MatrixRef};
use crate::real::Real;

/// The eigendecomposition `A = V diag(values) Vᵀ` of a symmetric matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetricEigen<T> {
    /// Eigenvalues in ascending order.
    pub values: Vec<T>,
    /// Orthonormal eigenvectors, one per column, in the order of the values.
    pub vectors: Matrix<T>,
}

impl<T: Real> SymmetricEigen<T> {
    /// Decomposes a symmetric matrix, of which the lower triangle is read.
    ///
    /// Runs on the calling thread, so that the result never depends on the thread count. Time `O(n³)`.
    ///
    /// # Errors
    ///
    /// [`LinalgError::NotSquare`], [`LinalgError::NotFinite`] or [`LinalgError::NoConvergence`].
    pub fn new(matrix: MatrixRef<'_, T>) -> Result<Self, LinalgError> {
        check(&matrix)?;
        let n = matrix.rows();
        let mut values = vec![T::ZERO; n];
        // The backend prefers vectors in column-major order; they are its transposed rows.
        let mut vectors = Matrix::zeros(n, n);
        if n > 0 {
            let raw = Raw {
                pointer: vectors.as_mut_slice().as_mut_ptr(),
                rows: n,
                columns: n,
                row_stride: 1,
                column_stride: n as isize,
            };
            // SAFETY: both matrices are valid n by n memory and distinct.
            unsafe { T::eigen(operand(&matrix, Op::None), &mut values, Some(raw))? };
        }
        Ok(Self {
            values,
            vectors: vectors.transposed(),
        })
    }
}

/// The eigenvalues of a symmetric matrix in ascending order, without vectors.
///
/// The lower triangle is read. About four times less work than [`SymmetricEigen::new`].
///
/// # Errors
///
/// [`LinalgError::NotSquare`], [`LinalgError::NotFinite`] or [`LinalgError::NoConvergence`].
pub fn symmetric_eigenvalues<T: Real>(matrix: MatrixRef<'_, T>) -> Result<Vec<T>, LinalgError> {
    check(&matrix)?;
    let mut values = vec![T::ZERO; matrix.rows()];
    if !values.is_empty() {
        // SAFETY: the matrix is valid n by n memory.
        unsafe { T::eigen(operand(&matrix, Op::None), &mut values, None)? };
    }
    Ok(values)
}

pub(crate) fn check<T: Real>(matrix: &MatrixRef<'_, T>) -> Result<(), LinalgError> {
    if matrix.rows() != matrix.columns() {
        return Err(LinalgError::NotSquare {
            rows: matrix.rows(),
            columns: matrix.columns(),
        });
    }
    for row in 0..matrix.rows() {
        if let Some(column) = matrix.row(row)[..=row].iter().position(|v| !v.is_finite()) {
            return Err(LinalgError::NotFinite { row, column });
        }
    }
    Ok(())
}
