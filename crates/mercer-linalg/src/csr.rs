//! Sparse matrices in compressed rows.

use std::ops::Range;

use crate::error::LinalgError;
use crate::matrix::{Matrix, MatrixRef};
use crate::real::Real;
use crate::shared::Shared;

/// A read-only sparse matrix in compressed rows; clones share its memory.
///
/// Column numbers ascend strictly inside a row; every constructor keeps that.
#[derive(Clone, Debug, PartialEq)]
pub struct Csr<T> {
    columns: usize,
    row_starts: Shared<usize>,
    indices: Shared<u32>,
    values: Shared<T>,
}

/// An integer type that arrays of compressed rows come with: `i32` or `i64`.
///
/// The trait is sealed: it cannot be implemented outside this crate.
pub trait SparseIndex: sealed::SparseIndex {}

impl SparseIndex for i32 {}
impl SparseIndex for i64 {}

mod sealed {
    use crate::shared::Shared;

    pub trait SparseIndex: Copy + Send + Sync + 'static {
        /// Column numbers; what is no column number becomes `u32::MAX`, which is refused.
        fn column_numbers(indices: Shared<Self>) -> Shared<u32>;
        /// The row start; a negative one becomes `usize::MAX`.
        fn row_start(self) -> usize;
    }

    impl SparseIndex for i32 {
        fn column_numbers(indices: Shared<Self>) -> Shared<u32> {
            if indices.iter().fold(0, |least, &j| j.min(least)) < 0 {
                let unsigned = |&j: &i32| u32::try_from(j).unwrap_or(u32::MAX);
                return indices.iter().map(unsigned).collect::<Vec<u32>>().into();
            }
            indices.into_unsigned()
        }

        fn row_start(self) -> usize {
            usize::try_from(self).unwrap_or(usize::MAX)
        }
    }

    impl SparseIndex for i64 {
        fn column_numbers(indices: Shared<Self>) -> Shared<u32> {
            let unsigned = |&j: &i64| u32::try_from(j).unwrap_or(u32::MAX);
            indices.iter().map(unsigned).collect::<Vec<u32>>().into()
        }

        fn row_start(self) -> usize {
            usize::try_from(self).unwrap_or(usize::MAX)
        }
    }
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
        Self::try_from_parts(columns, row_starts.into(), indices.into(), values.into())
    }

    /// Wraps the arrays of compressed rows as SciPy keeps them, after checking them.
    ///
    /// Values and `i32` column numbers are used where they are. `i64` column numbers are
    /// converted once to 32 bits, and row starts to the machine's word: the loops over sparse
    /// rows know one type of each.
    ///
    /// # Errors
    ///
    /// [`LinalgError::RowStarts`], [`LinalgError::Shape`] or [`LinalgError::Indices`], for the first fault found.
    pub fn try_from_shared<I: SparseIndex>(
        columns: usize,
        row_starts: &[I],
        indices: Shared<I>,
        values: Shared<T>,
    ) -> Result<Self, LinalgError> {
        let starts: Vec<usize> = row_starts.iter().map(|start| start.row_start()).collect();
        Self::try_from_parts(columns, starts.into(), I::column_numbers(indices), values)
    }

    fn try_from_parts(
        columns: usize,
        row_starts: Shared<usize>,
        indices: Shared<u32>,
        values: Shared<T>,
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
        let stored = rows.iter().map(|&row| self.row(row).0.len()).sum();
        let mut row_starts = Vec::with_capacity(rows.len() + 1);
        let (mut chosen, mut kept) = (Vec::with_capacity(stored), Vec::with_capacity(stored));
        row_starts.push(0);
        for &row in rows {
            let (indices, values) = self.row(row);
            chosen.extend_from_slice(indices);
            kept.extend_from_slice(values);
            row_starts.push(chosen.len());
        }
        Self {
            columns: self.columns,
            row_starts: row_starts.into(),
            indices: chosen.into(),
            values: kept.into(),
        }
    }

    /// A run of rows that shares column numbers and values with all.
    ///
    /// # Panics
    ///
    /// When the range leaves the matrix.
    #[must_use]
    pub fn slice_rows(&self, rows: Range<usize>) -> Self {
        let starts = &self.row_starts[rows.start..=rows.end];
        let stored = starts[0]..starts[rows.len()];
        let starts: Vec<usize> = starts.iter().map(|start| start - stored.start).collect();
        Self {
            columns: self.columns,
            row_starts: starts.into(),
            indices: self.indices.slice(stored.clone()),
            values: self.values.slice(stored),
        }
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
    ///
    /// The result shares the column numbers.
    pub fn map<U: Real>(&self, mut value: impl FnMut(u32, T) -> U) -> Csr<U> {
        Csr {
            columns: self.columns,
            row_starts: self.row_starts.clone(),
            indices: self.indices.clone(),
            values: self
                .indices
                .iter()
                .zip(self.values.iter())
                .map(|(&j, &v)| value(j, v))
                .collect::<Vec<U>>()
                .into(),
        }
    }

    /// The same values in another precision, without a copy where it is the one they have.
    pub fn cast<U: Real>(&self) -> Csr<U> {
        self.in_precision()
            .unwrap_or_else(|| self.map(|_, v| U::from_f64(v.to_f64())))
    }

    /// This matrix, when `U` is the type of its values.
    pub(crate) fn in_precision<U: Real>(&self) -> Option<Csr<U>> {
        let same: &dyn std::any::Any = self;
        same.downcast_ref::<Csr<U>>().cloned()
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
        Some(&last) if last as usize >= columns || last == u32::MAX => Err(fault(last)),
        _ => Ok(()),
    }
}

/// Builds a [`Csr`] row by row.
#[derive(Clone, Debug)]
pub struct CsrBuilder<T> {
    columns: usize,
    row_starts: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<T>,
}

impl<T: Real> CsrBuilder<T> {
    /// Starts a matrix without rows.
    pub fn new(columns: usize) -> Self {
        Self {
            columns,
            row_starts: vec![0],
            indices: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Appends one row of column numbers and values.
    ///
    /// # Errors
    ///
    /// [`LinalgError::Indices`] when the columns do not ascend strictly or leave the matrix; nothing is appended then.
    pub fn push_row(&mut self, row: &[(u32, T)]) -> Result<(), LinalgError> {
        let start = self.indices.len();
        self.indices.extend(row.iter().map(|entry| entry.0));
        let number = self.row_starts.len() - 1;
        if let Err(error) = check_indices(number, &self.indices[start..], self.columns) {
            self.indices.truncate(start);
            return Err(error);
        }
        self.values.extend(row.iter().map(|entry| entry.1));
        self.row_starts.push(self.indices.len());
        Ok(())
    }

    /// The finished matrix.
    pub fn finish(self) -> Csr<T> {
        Csr {
            columns: self.columns,
            row_starts: self.row_starts.into(),
            indices: self.indices.into(),
            values: self.values.into(),
        }
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
    fn shared_arrays_are_checked_and_not_copied() {
        let values = Shared::from(vec![1.0_f32, 2.0, 3.0]);
        let indices = Shared::from(vec![0_i32, 2, 1]);
        let csr = Csr::try_from_shared(3, &[0, 2, 3], indices.clone(), values.clone())
            .expect("ascending columns");
        assert_eq!(csr.row(0), (&[0_u32, 2][..], &[1.0, 2.0][..]));
        assert_eq!(csr.values().as_ptr(), values.as_ptr());
        assert_eq!(csr.indices().as_ptr(), indices.as_ptr().cast());
        assert_eq!(
            csr.map(|_, v| v).indices().as_ptr(),
            indices.as_ptr().cast()
        );
        let long = Shared::from(vec![0_i64, 2, 1]);
        assert_eq!(
            Csr::try_from_shared(3, &[0, 2, 3], long, values.clone()),
            Ok(csr)
        );

        let bad = |columns, starts: &[i64], indices: Vec<i64>| {
            Csr::try_from_shared(columns, starts, indices.into(), values.clone()).is_err()
        };
        assert!(bad(3, &[0, 2, 3], vec![0, -1, 1]));
        assert!(bad(usize::MAX, &[0, 2, 3], vec![0, -1, 1]));
        assert!(bad(3, &[0, 2, 3], vec![0, 1 << 33, 1]));
        assert!(bad(3, &[0, 2, 3], vec![2, 0, 1]));
        assert!(bad(3, &[0, -2, 3], vec![0, 2, 1]));
        assert!(bad(3, &[0, 2], vec![0, 2, 1]));
        let negative = Shared::from(vec![0_i32, 2, -1]);
        assert!(Csr::try_from_shared(usize::MAX, &[0, 2, 3], negative, values.clone()).is_err());
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
        assert_eq!(csr.slice_rows(1..2), csr.select_rows(&[1]));
        assert_eq!(csr.slice_rows(0..2), csr);
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
