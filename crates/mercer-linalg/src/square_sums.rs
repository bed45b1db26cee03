//! Sums of outer products of rows, in double precision over tiles of any.

use crate::matrix::{MatrixMut, MatrixRef};
use crate::par::Par;
use crate::real::Real;
use crate::square::packed_squares;

/// Some rows of two tables side by side: (left − shift, beside), each row times its factor.
///
/// A shift near the means of the columns keeps sums of products small, and so their rounding.
#[derive(Clone, Copy, Debug)]
pub struct SquareRows<'a, T> {
    /// The first columns.
    pub left: MatrixRef<'a, T>,
    /// What is subtracted from each of them.
    pub shift: &'a [T],
    /// The last columns.
    pub beside: MatrixRef<'a, T>,
    /// What every row of the tables is multiplied by; `None` means 1.
    pub factors: Option<&'a [T]>,
    /// The rows that count, in the order in which they are added up.
    pub rows: &'a [usize],
}

/// Adds the products of all pairs of columns to the lower triangle of `out`, which is in double precision; what is
/// above the diagonal stays as it is or is undefined.
///
/// Products of some hundred rows are added up in the precision of the rows, their sums in double precision. Half of the
/// work of a product; the result is the same bit for bit for any thread count.
///
/// # Examples
///
/// ```
/// use mercer_linalg::{Matrix, Par, SquareRows, add_square_sums};
///
/// let left = Matrix::<f32>::from_vec(2, 1, vec![3.0, 5.0]);
/// let beside = Matrix::<f32>::from_vec(2, 1, vec![1.0, 1.0]);
/// let rows = SquareRows {
///     left: left.as_ref(),
///     shift: &[4.0],
///     beside: beside.as_ref(),
///     factors: None,
///     rows: &[0, 1],
/// };
/// let mut out = Matrix::<f64>::zeros(2, 2);
/// add_square_sums(&rows, out.as_mut(), Par::Sequential);
/// assert_eq!((out[(0, 0)], out[(1, 0)], out[(1, 1)]), (2.0, 0.0, 2.0));
/// ```
///
/// # Panics
///
/// When `out` is not square of the number of columns, a row is not in the tables, or lengths differ.
pub fn add_square_sums<T: Real>(rows: &SquareRows<'_, T>, mut out: MatrixMut<'_, f64>, par: Par) {
    let (left, beside) = (&rows.left, &rows.beside);
    let width = left.columns();
    let n = width + beside.columns();
    assert_eq!((out.rows(), out.columns()), (n, n), "shape of the output");
    assert_eq!(rows.shift.len(), width, "a shift for every column");
    assert_eq!(left.rows(), beside.rows(), "tables of one length");
    if let Some(factors) = rows.factors {
        assert_eq!(factors.len(), left.rows(), "a factor for every row");
    }
    if n == 0 {
        return;
    }
    packed_squares(n, rows.rows.len(), out.raw(), par, |place, start, line| {
        let row = rows.rows[place];
        let inside = width.saturating_sub(start).min(line.len());
        let (first, last) = line.split_at_mut(inside);
        if inside > 0 {
            let values = &left.row(row)[start..start + inside];
            let shift = &rows.shift[start..start + inside];
            for ((to, value), shift) in first.iter_mut().zip(values).zip(shift) {
                *to = *value - *shift;
            }
        }
        if !last.is_empty() {
            let start = (start + inside) - width;
            last.copy_from_slice(&beside.row(row)[start..start + last.len()]);
        }
        if let Some(factors) = rows.factors {
            for to in line {
                *to *= factors[row];
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;

    fn value(i: usize, k: usize) -> f64 {
        ((i * 7 + k * 13) % 19) as f64 - 9.0
    }

    /// What is asked for, sum by sum.
    fn plainly(
        left: &Matrix<f64>,
        beside: &Matrix<f64>,
        shift: &[f64],
        factor: impl Fn(usize) -> f64,
        rows: &[usize],
    ) -> Matrix<f64> {
        let width = left.columns();
        let n = width + beside.columns();
        let at = |r: usize, c: usize| {
            let value = if c < width {
                left[(r, c)] - shift[c]
            } else {
                beside[(r, c - width)]
            };
            value * factor(r)
        };
        Matrix::from_fn(n, n, |i, j| rows.iter().map(|&r| at(r, i) * at(r, j)).sum())
    }

    #[test]
    fn single_precision_of_whole_numbers_is_exact() {
        for (rows, width, more) in [
            (1, 1, 1),
            (300, 47, 2),
            (700, 251, 1),
            (5, 0, 3),
            (9, 96, 0),
        ] {
            let left = Matrix::from_fn(rows, width, value);
            let beside = Matrix::from_fn(rows, more, |i, k| value(i + 3, k));
            let shift: Vec<f64> = (0..width).map(|c| (c % 3) as f64).collect();
            let factors: Vec<f64> = (0..rows).map(|r| (1 + r % 2) as f64).collect();
            let chosen: Vec<usize> = (0..rows).filter(|r| r % 3 != 1).collect();
            let expected = plainly(&left, &beside, &shift, |r| factors[r], &chosen);
            let (left, beside): (Matrix<f32>, Matrix<f32>) = (left.cast(), beside.cast());
            let narrow = |values: &[f64]| values.iter().map(|v| *v as f32).collect::<Vec<f32>>();
            let (shift, factors) = (narrow(&shift), narrow(&factors));
            let asked = SquareRows {
                left: left.as_ref(),
                shift: &shift,
                beside: beside.as_ref(),
                factors: Some(&factors),
                rows: &chosen,
            };
            for par in [Par::Sequential, Par::Rayon] {
                let mut out = Matrix::zeros(width + more, width + more);
                for _ in 0..2 {
                    add_square_sums(&asked, out.as_mut(), par);
                }
                for i in 0..width + more {
                    for j in 0..=i {
                        assert_eq!(out[(i, j)], 2.0 * expected[(i, j)], "{rows} {i} {j}");
                    }
                }
            }
        }
    }

    #[test]
    fn sums_are_in_double_precision() {
        // In single precision the next number after 2²⁴ is two larger.
        let left = Matrix::<f32>::from_vec(1, 1, vec![1.0]);
        let beside = Matrix::<f32>::zeros(1, 0);
        let asked = SquareRows {
            left: left.as_ref(),
            shift: &[0.0],
            beside: beside.as_ref(),
            factors: None,
            rows: &[0],
        };
        let mut out = Matrix::from_vec(1, 1, vec![f64::from(1 << 24)]);
        add_square_sums(&asked, out.as_mut(), Par::Sequential);
        assert_eq!(out[(0, 0)], f64::from((1 << 24) + 1));
    }
}
