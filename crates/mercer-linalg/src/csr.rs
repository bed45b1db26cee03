//! Sparse matrices in compressed rows.

use crate::error::LinalgError;
use crate::matrix::{Matrix, MatrixRef};
use crate::real::Real;

/// A sparse matrix in compressed rows.
///
/// Column numbers ascend strictly inside a row; every constructor keeps that.
#[derive(Clone, Debug, PartialEq)]
pub struct Csr<T> {
    columns: usize,
    row_starts: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<T>,
}

impl<T: Real> Csr<T> {
    /// Wraps the three arrays of compressed rows after checking them.
    ///
    /// # Errors
    ///
    /// [`LinalgError::RowStarts`], [`LinalgError::Shape`] or [`LinalgError::Indices`], for the first fault found.
    pub fn try_new(
        columns: usize,
        row_starts: Vec<usize>,
        indices: Vec<u32>,
        values: Vec<T>,
    ) -> Result<Self, LinalgError> {
        if indices.len() != values.len() {
            return Err(LinalgError::Shape {
                expected: indices.len(),
                found: values.len(),
            });
        }
        if row_starts.first() != Some(&0) {
            return Err(LinalgError::RowStarts { row: 0 });
        }
        for (row, pair) in row_starts.windows(2).enumerate() {
            if pair[0] > pair[1] || pair[1] > indices.len() {
                return Err(LinalgError::RowStarts { row: row + 1 });
            }
            check_indices(row, &indices[pair[0]..pair[1]], columns)?;
        }
        if row_starts.last() != Some(&indices.len()) {
            return Err(LinalgError::RowStarts {
                row: row_starts.len() - 1,
            });
        }
        Ok(Self {
            columns,
            row_starts,
            indices,
            values,
        })
    }

    /// Keeps the values of a dense matrix that are not zero.
    ///
    /// # Panics
    ///
    /// When there are more than `u32::MAX` columns.
    pub fn from_dense(dense: MatrixRef<'_, T>) -> Self {
        let mut builder = CsrBuilder::new(dense.columns());
        let mut row = Vec::new();
        for i in 0..dense.rows() {
            row.clear();
            for (j, &value) in dense.row(i).iter().enumerate() {
                if value != T::ZERO {
                    row.push((
                        u32::try_from(j).expect("column numbers fit in 32 bits"),
                        value,
                    ));
                }
            }
            builder
                .push_row(&row)
                .expect("columns of a dense row ascend");
        }
        builder.finish()
    }

    /// The same matrix with every zero stored.
    pub fn to_dense(&self) -> Matrix<T> {
        let mut dense = Matrix::zeros(self.rows(), self.columns);
        for i in 0..self.rows() {
            let (indices, values) = self.row(i);
            let row = dense.row_mut(i);
            for (&j, &value) in indices.iter().zip(values) {
                row[j as usize] = value;
            }
        }
        dense
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.row_starts.len() - 1
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of stored values.
    pub fn nnz(&self) -> usize {
        self.values.len()
    }

    /// Column numbers and values of one row.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    #[inline]
    pub fn row(&self, row: usize) -> (&[u32], &[T]) {
        let range = self.row_starts[row]..self.row_starts[row + 1];
        (&self.indices[range.clone()], &self.values[range])
    }

    /// Where each row starts, and the number of stored values.
    pub fn row_starts(&self) -> &[usize] {
        &self.row_starts
    }

    /// The column numbers of all rows.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// The values of all rows.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The listed rows, in the order of the list.
    ///
    /// # Panics
    ///
    /// When a row number is too large.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        let mut selected = Self {
            columns: self.columns,
            row_starts: Vec::with_capacity(rows.len() + 1),
            indices: Vec::new(),
            values: Vec::new(),
        };
        selected.row_starts.push(0);
        for &row in rows {
            let (indices, values) = self.row(row);
            selected.indices.extend_from_slice(indices);
            selected.values.extend_from_slice(values);
            selected.row_starts.push(selected.indices.len());
        }
        selected
    }

    /// The squared Euclidean norm of every row, summed in ascending column order.
    pub fn squared_norms(&self) -> Vec<T> {
        (0..self.rows())
            .map(|i| {
                self.row(i)
                    .1
                    .iter()
                    .fold(T::ZERO, |sum, &value| sum + value * value)
            })
            .collect()
    }

    /// Applies a function to column number and value of every stored value.
    pub fn map<U: Real>(&self, mut value: impl FnMut(u32, T) -> U) -> Csr<U> {
        Csr {
            columns: self.columns,
            row_starts: self.row_starts.clone(),
            indices: self.indices.clone(),
            values: self
                .indices
                .iter()
                .zip(&self.values)
                .map(|(&j, &v)| value(j, v))
                .collect(),
        }
    }
}

fn check_indices(row: usize, indices: &[u32], columns: usize) -> Result<(), LinalgError> {
    let fault = |index| LinalgError::Indices {
        row,
        index,
        columns,
    };
    if let Some(pair) = indices.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(fault(pair[1]));
    }
    match indices.last() {
        Some(&last) if last as usize >= columns => Err(fault(last)),
        _ => Ok(()),
    }
}

/// Builds a [`Csr`] row by row.
#[derive(Clone, Debug)]
pub struct CsrBuilder<T> {
    matrix: Csr<T>,
}

impl<T: Real> CsrBuilder<T> {
    /// Starts a matrix without rows.
    pub fn new(columns: usize) -> Self {
        Self {
            matrix: Csr {
                columns,
                row_starts: vec![0],
                indices: Vec::new(),
                values: Vec::new(),
            },
        }
    }

    /// Appends one row of column numbers and values.
    ///
    /// # Errors
    ///
    /// [`LinalgError::Indices`] when the columns do not ascend strictly or leave the matrix; nothing is appended then.
    pub fn push_row(&mut self, row: &[(u32, T)]) -> Result<(), LinalgError> {
        let start = self.matrix.indices.len();
        self.matrix.indices.extend(row.iter().map(|entry| entry.0));
        if let Err(error) = check_indices(
            self.matrix.rows(),
            &self.matrix.indices[start..],
            self.matrix.columns,
        ) {
            self.matrix.indices.truncate(start);
            return Err(error);
        }
        self.matrix.values.extend(row.iter().map(|entry| entry.1));
        self.matrix.row_starts.push(self.matrix.indices.len());
        Ok(())
    }

    /// The finished matrix.
    pub fn finish(self) -> Csr<T> {
        self.matrix
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_invariant_is_checked() {
        let v = |n| vec![1.0f32; n];
        assert!(Csr::try_new(3, vec![0, 2, 3], vec![0, 2, 1], v(3)).is_ok());
        assert!(Csr::try_new(3, vec![], vec![], v(0)).is_err());
        assert!(Csr::try_new(3, vec![1, 2], vec![0, 1], v(2)).is_err());
        assert!(Csr::try_new(3, vec![0, 2, 1], vec![0, 1], v(2)).is_err());
        assert!(Csr::try_new(3, vec![0, 5], vec![0, 1], v(2)).is_err());
        assert!(Csr::try_new(3, vec![0, 1], vec![0, 1], v(2)).is_err());
        assert!(Csr::try_new(3, vec![0, 2], vec![1, 1], v(2)).is_err());
        assert!(Csr::try_new(3, vec![0, 2], vec![1, 3], v(2)).is_err());
        assert!(Csr::try_new(3, vec![0, 2], vec![0, 1], v(1)).is_err());
    }

    #[test]
    fn a_refused_row_leaves_the_builder_intact() {
        let mut builder = CsrBuilder::new(2);
        builder.push_row(&[(0, 1.0), (1, 2.0)]).unwrap();
        assert!(builder.push_row(&[(1, 1.0), (0, 2.0)]).is_err());
        builder.push_row(&[]).unwrap();
        let csr = builder.finish();
        assert_eq!((csr.rows(), csr.nnz()), (2, 2));
        assert_eq!(csr.squared_norms(), vec![5.0, 0.0]);
        assert_eq!(csr.select_rows(&[1, 0]).row(1), csr.row(0));
    }

    proptest! {
        #[test]
        fn dense_round_trip(rows in 0usize..8, columns in 0usize..8, seed in any::<u64>()) {
            let dense = Matrix::from_fn(rows, columns, |i, j| {
                let bit = (seed >> ((i * 8 + j) % 64)) & 1;
                bit as f64 * (1.0 + i as f64 + 0.25 * j as f64)
            });
            prop_assert_eq!(Csr::from_dense(dense.as_ref()).to_dense(), dense);
        }
    }
}
