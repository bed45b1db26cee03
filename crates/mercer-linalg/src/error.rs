//! The errors of the crate.

use std::fmt;

/// What can be wrong with the input of a linear-algebra call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinalgError {
    /// The number of values does not match the shape.
    Shape {
        /// Values that the shape needs.
        expected: usize,
        /// Values that were given.
        found: usize,
    },
    /// The matrix is not square.
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A value is infinite or NaN.
    NotFinite {
        /// Row of the first such value.
        row: usize,
        /// Column of the first such value.
        column: usize,
    },
    /// The row starts of a sparse matrix do not begin at zero, decrease, or do not end at the number of values.
    RowStarts {
        /// Position of the first bad start.
        row: usize,
    },
    /// The column numbers of a sparse row are not strictly ascending or reach the number of columns.
    Indices {
        /// The row.
        row: usize,
        /// The first bad column number.
        index: u32,
        /// Number of columns.
        columns: usize,
    },
    /// An iterative factorisation did not converge.
    NoConvergence,
    /// A pivot of the Cholesky factorisation is not positive.
    NotPositiveDefinite {
        /// The row of the pivot.
        pivot: usize,
    },
    /// The caller asked to stop before the work was done.
    Stopped,
}

impl fmt::Display for LinalgError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { expected, found } => {
                write!(
                    formatter,
                    "`{found}` values were given; the shape needs `{expected}`"
                )
            }
            Self::NotSquare { rows, columns } => {
                write!(
                    formatter,
                    "the matrix is `{rows}` by `{columns}`; it must be square"
                )
            }
            Self::NotFinite { row, column } => {
                write!(
                    formatter,
                    "the value at row `{row}`, column `{column}` must be finite"
                )
            }
            Self::RowStarts { row } => write!(
                formatter,
                "row start `{row}` is wrong; starts must begin at 0, never decrease and end at the number of values"
            ),
            Self::Indices {
                row,
                index,
                columns,
            } => write!(
                formatter,
                "column `{index}` of row `{row}` is wrong; columns must ascend strictly and be below `{columns}`"
            ),
            Self::Stopped => formatter.write_str("stopped before the work was done"),
            Self::NoConvergence => formatter.write_str("the factorisation did not converge"),
            Self::NotPositiveDefinite { pivot } => {
                write!(
                    formatter,
                    "pivot `{pivot}` is not positive; the matrix must be positive definite"
                )
            }
        }
    }
}

impl std::error::Error for LinalgError {}

/// The matrix is not numerically positive definite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPositiveDefinite {
    /// The row of the first pivot that is not positive and finite.
    pub pivot: usize,
}

impl fmt::Display for NotPositiveDefinite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        LinalgError::from(*self).fmt(formatter)
    }
}

impl std::error::Error for NotPositiveDefinite {}

impl From<NotPositiveDefinite> for LinalgError {
    fn from(error: NotPositiveDefinite) -> Self {
        Self::NotPositiveDefinite { pivot: error.pivot }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_value() {
        let text = LinalgError::Shape {
            expected: 6,
            found: 5,
        }
        .to_string();
        assert!(text.contains("`5`") && text.contains("`6`"));
        assert!(NotPositiveDefinite { pivot: 3 }.to_string().contains("`3`"));
    }
}
