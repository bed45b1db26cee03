//! Numeric vectors, dense or sparse.

use mercer_linalg::{Csr, Matrix};

/// A list of numeric vectors of equal width.
#[derive(Debug, Clone, PartialEq)]
pub enum Points {
    /// Every value is stored.
    Dense(Matrix<f64>),
    /// Only values other than zero are stored.
    Sparse(Csr<f64>),
}

impl Points {
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

    /// Returns the vectors with the given row numbers, in that order.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Dense(m) => Self::Dense(m.select_rows(rows)),
            Self::Sparse(m) => Self::Sparse(m.select_rows(rows)),
        }
    }

    /// Returns row and column of the first value that is NaN or infinite.
    pub fn first_not_finite(&self) -> Option<(usize, usize)> {
        (0..self.rows()).find_map(|row| {
            let column = match self {
                Self::Dense(m) => m.row(row).iter().position(|v| !v.is_finite()),
                Self::Sparse(m) => {
                    let (indices, values) = m.row(row);
                    values
                        .iter()
                        .position(|v| !v.is_finite())
                        .map(|k| indices[k] as usize)
                }
            };
            column.map(|c| (row, c))
        })
    }
}
