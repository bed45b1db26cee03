//! A row-major matrix that is read and shared, never written.

use std::ops::{Index, Range};

use crate::error::LinalgError;
use crate::matrix::{Matrix, MatrixRef};
use crate::real::Real;
use crate::shared::Shared;

/// A read-only row-major matrix; clones share its memory.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedMatrix<T> {
    rows: usize,
    columns: usize,
    values: Shared<T>,
}

impl<T> SharedMatrix<T> {
    /// Wraps values in row-major order.
    ///
    /// # Errors
    ///
    /// [`LinalgError::Shape`] when the number of values is not `rows * columns`.
    pub fn try_new(rows: usize, columns: usize, values: Shared<T>) -> Result<Self, LinalgError> {
        let expected = rows.saturating_mul(columns);
        if values.len() == expected {
            Ok(Self {
                rows,
                columns,
                values,
            })
        } else {
            Err(LinalgError::Shape {
                expected,
                found: values.len(),
            })
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One row.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// All values in row-major order.
    pub fn as_slice(&self) -> &[T] {
        &self.values
    }

    /// A run of rows that shares the memory of all.
    ///
    /// # Panics
    ///
    /// When the range leaves the matrix.
    #[must_use]
    pub fn slice_rows(&self, rows: Range<usize>) -> Self {
        let values = rows.start * self.columns..rows.end * self.columns;
        assert!(rows.end <= self.rows, "rows {rows:?} of {}", self.rows);
        Self {
            rows: rows.len(),
            columns: self.columns,
            values: self.values.slice(values),
        }
    }

    /// A view of the whole matrix.
    pub fn as_ref(&self) -> MatrixRef<'_, T> {
        MatrixRef::from_slice(self.rows, self.columns, &self.values)
    }
}

impl<T: Real> SharedMatrix<T> {
    /// A copy that can be written.
    pub fn to_matrix(&self) -> Matrix<T> {
        self.as_ref().to_owned()
    }

    /// The same values in another precision, without a copy where it is the one they have.
    pub fn cast<U: Real>(&self) -> SharedMatrix<U> {
        self.in_precision().unwrap_or_else(|| {
            let values = self.values.iter().map(|v| U::from_f64(v.to_f64()));
            SharedMatrix {
                rows: self.rows,
                columns: self.columns,
                values: Shared::from(values.collect::<Vec<U>>()),
            }
        })
    }

    /// This matrix, when `U` is the type of its values.
    pub(crate) fn in_precision<U: Real>(&self) -> Option<SharedMatrix<U>> {
        let same: &dyn std::any::Any = self;
        same.downcast_ref::<SharedMatrix<U>>().cloned()
    }

    /// The listed rows, in the order of the list.
    ///
    /// # Panics
    ///
    /// When a row number is too large.
    #[must_use]
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        let mut values = Vec::with_capacity(rows.len() * self.columns);
        for &row in rows {
            values.extend_from_slice(self.row(row));
        }
        Self {
            rows: rows.len(),
            columns: self.columns,
            values: values.into(),
        }
    }
}

impl<T: Send + Sync + 'static> From<Matrix<T>> for SharedMatrix<T> {
    fn from(matrix: Matrix<T>) -> Self {
        Self {
            rows: matrix.rows(),
            columns: matrix.columns(),
            values: matrix.into_vec().into(),
        }
    }
}

impl<T> Index<(usize, usize)> for SharedMatrix<T> {
    type Output = T;

    fn index(&self, (row, column): (usize, usize)) -> &T {
        &self.row(row)[column]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_is_checked_and_rows_are_found() {
        let values = Shared::from(vec![1.0_f32, 2.0, 3.0, 4.0]);
        assert!(SharedMatrix::try_new(2, 3, values.clone()).is_err());
        assert!(SharedMatrix::try_new(usize::MAX, 2, values.clone()).is_err());
        let matrix = SharedMatrix::try_new(2, 2, values.clone()).expect("four values");
        assert_eq!(matrix.row(1), &[3.0, 4.0]);
        assert_eq!(matrix[(0, 1)], 2.0);
        assert_eq!(matrix.slice_rows(1..2).as_slice(), &[3.0, 4.0]);
        assert_eq!(matrix.select_rows(&[1]).as_slice(), &[3.0, 4.0]);
        assert_eq!(matrix.to_matrix(), Matrix::from_vec(2, 2, values.to_vec()));
    }

    #[test]
    fn casting_to_the_same_precision_copies_nothing() {
        let matrix = SharedMatrix::from(Matrix::from_vec(1, 2, vec![0.1_f32, 0.2]));
        assert_eq!(
            matrix.cast::<f32>().as_slice().as_ptr(),
            matrix.as_slice().as_ptr()
        );
        assert_eq!(
            matrix.cast::<f64>().row(0),
            &[f64::from(0.1_f32), f64::from(0.2_f32)]
        );
    }
}
