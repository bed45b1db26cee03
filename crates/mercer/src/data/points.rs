//! Numeric vectors, dense or sparse, in single or double precision.

use std::ops::Range;

use mercer_linalg::{
    Csr, LinalgError, Matrix, Owner, Precision, Real, Shared, SharedMatrix, SparseIndex,
};

/// A list of numeric vectors of equal width and one precision.
#[derive(Debug, Clone, PartialEq)]
pub enum Block<T> {
    /// Every value is stored.
    Dense(SharedMatrix<T>),
    /// Only values other than zero are stored.
    Sparse(Csr<T>),
}

/// A list of numeric vectors of equal width.
///
/// A single-precision value means exactly its double-precision widening: whatever is learnt
/// from `x` as f32 is learnt, bit for bit, from the same numbers as f64.
///
/// Clones share their memory, and the memory may belong to somebody else:
///
/// ```
/// use std::sync::Arc;
/// use mercer::data::Points;
///
/// let theirs = Arc::new(vec![1.0_f32, 2.0, 3.0, 4.0]);
/// let points = Points::dense_shared(2, 2, theirs)?;
/// assert_eq!((points.rows(), points.columns()), (2, 2));
/// # Ok::<(), mercer_linalg::LinalgError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Points {
    /// Values in double precision.
    Double(Block<f64>),
    /// Values in single precision.
    Single(Block<f32>),
}

/// Runs one generic expression on the block of either precision.
macro_rules! each {
    ($points:expr, $block:ident => $result:expr) => {
        match $points {
            $crate::data::Points::Double($block) => $result,
            $crate::data::Points::Single($block) => $result,
        }
    };
}
pub(crate) use each;

impl Points {
    /// Borrows dense vectors in row-major order from their owner.
    ///
    /// # Errors
    /// A number of values other than `rows * columns`.
    pub fn dense_shared<T: Real>(
        rows: usize,
        columns: usize,
        values: Owner<T>,
    ) -> Result<Self, LinalgError>
    where
        Self: From<Block<T>>,
    {
        let matrix = SharedMatrix::try_new(rows, columns, Shared::from_owner(values))?;
        Ok(Block::Dense(matrix).into())
    }

    /// Borrows compressed rows from their owners, as SciPy keeps them.
    ///
    /// Values and `i32` column numbers stay where they are; `i64` column numbers are converted
    /// once, and so are the row starts.
    ///
    /// # Errors
    /// Arrays that do not fit together, and columns that do not ascend strictly in a row.
    pub fn sparse_shared<T: Real, I: SparseIndex>(
        columns: usize,
        row_starts: &[I],
        indices: Owner<I>,
        values: Owner<T>,
    ) -> Result<Self, LinalgError>
    where
        Self: From<Block<T>>,
    {
        let (indices, values) = (Shared::from_owner(indices), Shared::from_owner(values));
        let csr = Csr::try_from_shared(columns, row_starts, indices, values)?;
        Ok(Block::Sparse(csr).into())
    }

    /// Returns the number of vectors.
    pub fn rows(&self) -> usize {
        each!(self, block => block.rows())
    }

    /// Returns the width of the vectors.
    pub fn columns(&self) -> usize {
        each!(self, block => block.columns())
    }

    /// Returns whether only values other than zero are stored.
    pub fn is_sparse(&self) -> bool {
        each!(self, block => matches!(block, Block::Sparse(_)))
    }

    /// Returns the precision of the values.
    pub fn precision(&self) -> Precision {
        match self {
            Self::Double(_) => Precision::F64,
            Self::Single(_) => Precision::F32,
        }
    }

    /// Returns a copy of the vectors with the given row numbers, in that order.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Double(block) => Self::Double(block.select(rows)),
            Self::Single(block) => Self::Single(block.select(rows)),
        }
    }

    /// Returns a run of vectors that shares the memory of all.
    #[must_use]
    pub fn slice(&self, rows: Range<usize>) -> Self {
        match self {
            Self::Double(block) => Self::Double(block.slice(rows)),
            Self::Single(block) => Self::Single(block.slice(rows)),
        }
    }

    /// Returns the vectors in double precision, without a copy where they are.
    pub fn widened(&self) -> Block<f64> {
        each!(self, block => block.cast())
    }

    /// Returns row and column of the first value that is NaN or infinite.
    pub fn first_not_finite(&self) -> Option<(usize, usize)> {
        each!(self, block => block.first(|v| !v.is_finite()))
    }

    /// Returns row and column of the first value that is infinite; NaN is not.
    pub fn first_infinite(&self) -> Option<(usize, usize)> {
        each!(self, block => block.first(|v| v.to_f64().is_infinite()))
    }
}

impl<T: Real> Block<T> {
    /// Returns the number of vectors.
    pub fn rows(&self) -> usize {
        match self {
            Self::Dense(m) => m.rows(),
            Self::Sparse(m) => m.rows(),
        }
    }

    /// Returns the width of the vectors.
    pub fn columns(&self) -> usize {
        match self {
            Self::Dense(m) => m.columns(),
            Self::Sparse(m) => m.columns(),
        }
    }

    /// Returns the values that are stored, row after row.
    pub fn values(&self) -> &[T] {
        match self {
            Self::Dense(m) => m.as_slice(),
            Self::Sparse(m) => m.values(),
        }
    }

    /// Returns the values of a row that are stored.
    pub fn row_values(&self, row: usize) -> &[T] {
        match self {
            Self::Dense(m) => m.row(row),
            Self::Sparse(m) => m.row(row).1,
        }
    }

    /// Returns the largest magnitude of a value; 0 without any.
    pub fn largest(&self) -> f64 {
        // Eight maxima side by side have no chain between neighbours.
        let (chunks, rest) = self.values().as_chunks::<8>();
        let mut most = [T::ZERO; 8];
        for chunk in chunks {
            for (most, value) in most.iter_mut().zip(chunk) {
                let size = value.abs();
                *most = if size > *most { size } else { *most };
            }
        }
        let all = most.iter().chain(rest);
        all.fold(0.0, |most, value| most.max(value.to_f64().abs()))
    }

    /// Returns a copy of the vectors with the given row numbers, in that order.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Dense(m) => Self::Dense(m.select_rows(rows)),
            Self::Sparse(m) => Self::Sparse(m.select_rows(rows)),
        }
    }

    /// Returns a run of vectors that shares the memory of all.
    #[must_use]
    pub fn slice(&self, rows: Range<usize>) -> Self {
        match self {
            Self::Dense(m) => Self::Dense(m.slice_rows(rows)),
            Self::Sparse(m) => Self::Sparse(m.slice_rows(rows)),
        }
    }

    /// Returns the vectors in another precision, without a copy where they have it.
    pub fn cast<U: Real>(&self) -> Block<U> {
        match self {
            Self::Dense(m) => Block::Dense(m.cast()),
            Self::Sparse(m) => Block::Sparse(m.cast()),
        }
    }

    /// Returns row and column of the first stored value that is `wanted`.
    ///
    /// One pass over all values, without a jump per value, tells whether there is any.
    pub fn first(&self, wanted: impl Fn(T) -> bool) -> Option<(usize, usize)> {
        const CHUNK: usize = 1024;
        let values = self.values();
        let any = |chunk: &[T]| chunk.iter().fold(false, |any, &v| any | wanted(v));
        let start = CHUNK * values.chunks(CHUNK).position(any)?;
        let at = start + values[start..].iter().position(|&v| wanted(v))?;
        Some(match self {
            Self::Dense(m) => (at / m.columns(), at % m.columns()),
            Self::Sparse(m) => {
                let row = m.row_starts().partition_point(|&start| start <= at) - 1;
                (row, m.indices()[at] as usize)
            }
        })
    }
}

impl From<Block<f64>> for Points {
    fn from(block: Block<f64>) -> Self {
        Self::Double(block)
    }
}

impl From<Block<f32>> for Points {
    fn from(block: Block<f32>) -> Self {
        Self::Single(block)
    }
}

impl<T: Real> From<SharedMatrix<T>> for Points
where
    Self: From<Block<T>>,
{
    fn from(matrix: SharedMatrix<T>) -> Self {
        Block::Dense(matrix).into()
    }
}

impl<T: Real> From<Matrix<T>> for Points
where
    Self: From<Block<T>>,
{
    fn from(matrix: Matrix<T>) -> Self {
        Block::Dense(matrix.into()).into()
    }
}

impl<T: Real> From<Csr<T>> for Points
where
    Self: From<Block<T>>,
{
    fn from(matrix: Csr<T>) -> Self {
        Block::Sparse(matrix).into()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn the_first_bad_value_is_found_in_every_form() {
        let mut dense = Matrix::from_fn(700, 3, |i, j| (1 + i + j) as f32);
        dense[(0, 1)] = 0.0;
        dense[(650, 2)] = f32::NAN;
        dense[(660, 0)] = f32::INFINITY;
        let sparse = Csr::from_dense(dense.as_ref());
        for points in [Points::from(dense.clone()), sparse.into()] {
            assert_eq!(points.first_not_finite(), Some((650, 2)));
            let wide = Points::from(points.widened());
            assert_eq!(wide.precision(), Precision::F64);
            assert_eq!(wide.first_not_finite(), Some((650, 2)));
            assert_eq!(points.select(&[3, 650]).first_not_finite(), Some((1, 2)));
            assert_eq!(points.select(&[3, 4]).first_not_finite(), None);
        }
        assert_eq!(
            Points::from(Matrix::<f64>::zeros(3, 0)).first_not_finite(),
            None
        );
    }

    #[test]
    fn borrowed_arrays_are_not_copied() {
        let values: Owner<f32> = Arc::new(vec![1.0, 2.0, 3.0]);
        let indices: Owner<i32> = Arc::new(vec![0, 2, 1]);
        let points = Points::sparse_shared(3, &[0, 2, 3], indices, Arc::clone(&values))
            .expect("ascending columns");
        let Points::Single(block) = points.clone() else {
            panic!("single precision expected");
        };
        assert_eq!(block.values().as_ptr(), (*values).as_ref().as_ptr());
        let wide = Matrix::from_vec(2, 3, vec![1.0, 0.0, 2.0, 0.0, 3.0, 0.0]);
        assert_eq!(
            points.widened(),
            Block::Sparse(Csr::from_dense(wide.as_ref()))
        );
        assert!(Points::dense_shared(2, 2, values).is_err());
    }
}
