//! Row-major dense matrices and their views; a row is one data point.

use std::ops::{Index, IndexMut, Range};

use crate::error::LinalgError;
use crate::raw::RawMatrix;
use crate::real::Real;

/// An owned row-major matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<T> {
    rows: usize,
    columns: usize,
    values: Vec<T>,
}

/// A borrowed row-major matrix; rows are `stride` values apart.
#[derive(Clone, Copy, Debug)]
pub struct MatrixRef<'a, T> {
    rows: usize,
    columns: usize,
    stride: usize,
    values: &'a [T],
}

/// A mutably borrowed row-major matrix; rows are `stride` values apart.
#[derive(Debug)]
pub struct MatrixMut<'a, T> {
    rows: usize,
    columns: usize,
    stride: usize,
    values: &'a mut [T],
}

/// Values that a view of this shape spans.
fn span(rows: usize, columns: usize, stride: usize) -> usize {
    if rows == 0 || columns == 0 {
        0
    } else {
        (rows - 1) * stride + columns
    }
}

impl<T: Real> Matrix<T> {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            values: vec![T::ZERO; rows * columns],
        }
    }

    /// A matrix of zeros, or `None` where memory for it is refused.
    pub fn try_zeros(rows: usize, columns: usize) -> Option<Self> {
        let count = rows.checked_mul(columns)?;
        let mut values = Vec::new();
        values.try_reserve_exact(count).ok()?;
        values.resize(count, T::ZERO);
        Some(Self {
            rows,
            columns,
            values,
        })
    }

    /// The identity matrix.
    pub fn identity(n: usize) -> Self {
        Self::from_fn(n, n, |i, j| if i == j { T::ONE } else { T::ZERO })
    }

    /// Converts every value to another precision.
    pub fn cast<U: Real>(&self) -> Matrix<U> {
        Matrix {
            rows: self.rows,
            columns: self.columns,
            values: self
                .values
                .iter()
                .map(|v| U::from_f64(v.to_f64()))
                .collect(),
        }
    }

    /// The transposed matrix.
    pub fn transposed(&self) -> Self {
        self.as_ref().to_transposed()
    }

    /// The listed rows, in the order of the list.
    ///
    /// # Panics
    ///
    /// When a row number is too large.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        let mut values = Vec::with_capacity(rows.len() * self.columns);
        for &row in rows {
            values.extend_from_slice(self.row(row));
        }
        Self {
            rows: rows.len(),
            columns: self.columns,
            values,
        }
    }
}

impl<T: Clone> Matrix<T> {
    /// Adds the rows of a matrix of the same width below.
    ///
    /// # Panics
    /// When the widths differ.
    pub fn append_rows(&mut self, more: &Self) {
        assert_eq!(self.columns, more.columns, "rows of one width");
        self.values.extend_from_slice(&more.values);
        self.rows += more.rows;
    }
}

impl<T> Matrix<T> {
    /// Wraps values that are already in row-major order.
    ///
    /// # Panics
    ///
    /// When the number of values is not `rows * columns`.
    pub fn from_vec(rows: usize, columns: usize, values: Vec<T>) -> Self {
        assert_eq!(
            values.len(),
            rows * columns,
            "a {rows} by {columns} matrix needs that many values"
        );
        Self {
            rows,
            columns,
            values,
        }
    }

    /// Wraps values that are already in row-major order, checking their number.
    ///
    /// # Errors
    ///
    /// [`LinalgError::Shape`] when the number of values is not `rows * columns`.
    pub fn try_from_vec(rows: usize, columns: usize, values: Vec<T>) -> Result<Self, LinalgError> {
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

    /// Fills a matrix from a function of row and column.
    pub fn from_fn(rows: usize, columns: usize, mut value: impl FnMut(usize, usize) -> T) -> Self {
        let mut values = Vec::with_capacity(rows * columns);
        for i in 0..rows {
            for j in 0..columns {
                values.push(value(i, j));
            }
        }
        Self {
            rows,
            columns,
            values,
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
    pub fn row(&self, row: usize) -> &[T] {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// One row, mutable.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        &mut self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// One value, or `None` outside the matrix.
    pub fn get(&self, row: usize, column: usize) -> Option<&T> {
        (row < self.rows && column < self.columns)
            .then(|| &self.values[row * self.columns + column])
    }

    /// All values in row-major order.
    pub fn as_slice(&self) -> &[T] {
        &self.values
    }

    /// All values in row-major order, mutable.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// The values in row-major order.
    pub fn into_vec(self) -> Vec<T> {
        self.values
    }

    /// A view of the whole matrix.
    pub fn as_ref(&self) -> MatrixRef<'_, T> {
        MatrixRef {
            rows: self.rows,
            columns: self.columns,
            stride: self.columns,
            values: &self.values,
        }
    }

    /// A mutable view of the whole matrix.
    pub fn as_mut(&mut self) -> MatrixMut<'_, T> {
        MatrixMut {
            rows: self.rows,
            columns: self.columns,
            stride: self.columns,
            values: &mut self.values,
        }
    }
}

impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;

    fn index(&self, (row, column): (usize, usize)) -> &T {
        &self.row(row)[column]
    }
}

impl<T> IndexMut<(usize, usize)> for Matrix<T> {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut T {
        &mut self.row_mut(row)[column]
    }
}

impl<'a, T> MatrixRef<'a, T> {
    /// Views a slice whose rows follow each other without gaps.
    ///
    /// # Panics
    ///
    /// When the number of values is not `rows * columns`.
    pub fn from_slice(rows: usize, columns: usize, values: &'a [T]) -> Self {
        assert_eq!(
            values.len(),
            rows * columns,
            "a {rows} by {columns} matrix needs that many values"
        );
        Self {
            rows,
            columns,
            stride: columns,
            values,
        }
    }

    /// Views a slice whose rows are `stride` values apart.
    ///
    /// # Panics
    ///
    /// When `stride < columns` or the slice is too short.
    pub fn with_stride(rows: usize, columns: usize, stride: usize, values: &'a [T]) -> Self {
        assert!(stride >= columns, "stride {stride} below {columns} columns");
        assert!(
            values.len() >= span(rows, columns, stride),
            "{} values are too few",
            values.len()
        );
        Self {
            rows,
            columns,
            stride,
            values,
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

    /// Values from the start of one row to the start of the next.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// One row.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn row(&self, row: usize) -> &'a [T] {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        if self.columns == 0 {
            return &[];
        }
        &self.values[row * self.stride..row * self.stride + self.columns]
    }

    /// A rectangle of the matrix.
    ///
    /// # Panics
    ///
    /// When a range leaves the matrix.
    pub fn submatrix(&self, rows: Range<usize>, columns: Range<usize>) -> Self {
        let (start, end) = rectangle((self.rows, self.columns, self.stride), &rows, &columns);
        Self {
            rows: rows.len(),
            columns: columns.len(),
            stride: self.stride,
            values: &self.values[start..end],
        }
    }

    pub(crate) fn as_ptr(&self) -> *const T {
        self.values.as_ptr()
    }
}

impl<T: Real> MatrixRef<'_, T> {
    /// An owned copy.
    pub fn to_owned(&self) -> Matrix<T> {
        let mut values = Vec::with_capacity(self.rows * self.columns);
        for i in 0..self.rows {
            values.extend_from_slice(self.row(i));
        }
        Matrix::from_vec(self.rows, self.columns, values)
    }

    /// An owned transposed copy.
    pub fn to_transposed(&self) -> Matrix<T> {
        // Square blocks keep both sides in the first-level cache.
        const BLOCK: usize = 32;
        let mut transposed = Matrix::zeros(self.columns, self.rows);
        for i0 in (0..self.rows).step_by(BLOCK) {
            for j0 in (0..self.columns).step_by(BLOCK) {
                for i in i0..(i0 + BLOCK).min(self.rows) {
                    let row = self.row(i);
                    for j in j0..(j0 + BLOCK).min(self.columns) {
                        transposed.values[j * self.rows + i] = row[j];
                    }
                }
            }
        }
        transposed
    }
}

impl<T> Index<(usize, usize)> for MatrixRef<'_, T> {
    type Output = T;

    fn index(&self, (row, column): (usize, usize)) -> &T {
        &self.row(row)[column]
    }
}

impl<'a, T> MatrixMut<'a, T> {
    /// Views a slice whose rows follow each other without gaps.
    ///
    /// # Panics
    ///
    /// When the number of values is not `rows * columns`.
    pub fn from_slice(rows: usize, columns: usize, values: &'a mut [T]) -> Self {
        assert_eq!(
            values.len(),
            rows * columns,
            "a {rows} by {columns} matrix needs that many values"
        );
        Self {
            rows,
            columns,
            stride: columns,
            values,
        }
    }

    /// Views a slice whose rows are `stride` values apart.
    ///
    /// # Panics
    ///
    /// When `stride < columns` or the slice is too short.
    pub fn with_stride(rows: usize, columns: usize, stride: usize, values: &'a mut [T]) -> Self {
        assert!(stride >= columns, "stride {stride} below {columns} columns");
        assert!(
            values.len() >= span(rows, columns, stride),
            "{} values are too few",
            values.len()
        );
        Self {
            rows,
            columns,
            stride,
            values,
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

    /// Values from the start of one row to the start of the next.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// One row.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn row(&self, row: usize) -> &[T] {
        self.as_ref().row(row)
    }

    /// One row, mutable.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        if self.columns == 0 {
            return &mut [];
        }
        &mut self.values[row * self.stride..row * self.stride + self.columns]
    }

    /// A shorter mutable borrow of the same matrix.
    pub fn reborrow(&mut self) -> MatrixMut<'_, T> {
        MatrixMut {
            rows: self.rows,
            columns: self.columns,
            stride: self.stride,
            values: self.values,
        }
    }

    /// A shared view.
    pub fn as_ref(&self) -> MatrixRef<'_, T> {
        MatrixRef {
            rows: self.rows,
            columns: self.columns,
            stride: self.stride,
            values: self.values,
        }
    }

    /// A rectangle of the matrix.
    ///
    /// # Panics
    ///
    /// When a range leaves the matrix.
    pub fn submatrix(self, rows: Range<usize>, columns: Range<usize>) -> Self {
        let (start, end) = rectangle((self.rows, self.columns, self.stride), &rows, &columns);
        Self {
            rows: rows.len(),
            columns: columns.len(),
            stride: self.stride,
            values: &mut self.values[start..end],
        }
    }

    /// The rows before `row`, and the others.
    ///
    /// # Panics
    ///
    /// When `row` is larger than the number of rows.
    pub fn split_at_row(self, row: usize) -> (Self, Self) {
        assert!(row <= self.rows, "row {row} of {}", self.rows);
        let middle = (row * self.stride).min(self.values.len());
        let (top, bottom) = self.values.split_at_mut(middle);
        let view = |rows, values| Self {
            rows,
            columns: self.columns,
            stride: self.stride,
            values,
        };
        (view(row, top), view(self.rows - row, bottom))
    }

    pub(crate) fn raw(&mut self) -> RawMatrix<'_, T> {
        RawMatrix::new(self.values, self.stride)
    }
}

impl<T: Copy> MatrixMut<'_, T> {
    /// Writes one value everywhere.
    pub fn fill(&mut self, value: T) {
        for i in 0..self.rows {
            self.row_mut(i).fill(value);
        }
    }
}

impl<T> Index<(usize, usize)> for MatrixMut<'_, T> {
    type Output = T;

    fn index(&self, (row, column): (usize, usize)) -> &T {
        &self.as_ref().values[..][{
            assert!(row < self.rows && column < self.columns);
            row * self.stride + column
        }]
    }
}

impl<T> IndexMut<(usize, usize)> for MatrixMut<'_, T> {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut T {
        &mut self.row_mut(row)[column]
    }
}

/// Start and end of a rectangle inside the values of a view.
fn rectangle(
    (height, width, stride): (usize, usize, usize),
    rows: &Range<usize>,
    columns: &Range<usize>,
) -> (usize, usize) {
    assert!(
        rows.start <= rows.end && rows.end <= height,
        "rows {rows:?} of {height}"
    );
    assert!(
        columns.start <= columns.end && columns.end <= width,
        "columns {columns:?} of {width}"
    );
    let length = span(rows.len(), columns.len(), stride);
    if length == 0 {
        return (0, 0);
    }
    let start = rows.start * stride + columns.start;
    (start, start + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn views_and_rows() {
        let mut m = Matrix::from_fn(4, 3, |i, j| (10 * i + j) as f64);
        assert_eq!(m[(2, 1)], 21.0);
        assert_eq!(m.get(4, 0), None);
        let view = m.as_ref().submatrix(1..3, 1..3);
        assert_eq!(view.row(1), &[21.0, 22.0]);
        assert_eq!(view.to_owned().as_slice(), &[11.0, 12.0, 21.0, 22.0]);
        let (mut top, bottom) = m.as_mut().split_at_row(1);
        top[(0, 0)] = 5.0;
        assert_eq!(bottom[(2, 2)], 32.0);
        assert_eq!(m[(0, 0)], 5.0);
        assert_eq!(m.select_rows(&[3, 0]).row(0), &[30.0, 31.0, 32.0]);
    }

    #[test]
    fn empty_shapes() {
        let m = Matrix::<f32>::zeros(3, 0);
        assert_eq!(m.row(2), &[] as &[f32]);
        assert_eq!(m.as_ref().row(2), &[] as &[f32]);
        assert_eq!(m.transposed().rows(), 0);
        let z = Matrix::<f32>::zeros(0, 4);
        assert_eq!(z.as_ref().submatrix(0..0, 1..3).columns(), 2);
    }

    #[test]
    fn wrong_length_is_an_error() {
        assert_eq!(
            Matrix::try_from_vec(2, 2, vec![0.0; 3]),
            Err(LinalgError::Shape {
                expected: 4,
                found: 3
            })
        );
    }

    proptest! {
        #[test]
        fn transposing_twice_is_identity(rows in 0usize..70, columns in 0usize..70) {
            let m = Matrix::from_fn(rows, columns, |i, j| (i * 100 + j) as f64);
            let t = m.transposed();
            prop_assert_eq!(t.rows(), columns);
            prop_assert_eq!(t.transposed(), m);
        }
    }
}
