//! Orthogonal factorisation without pivoting, panel by panel.

#![expect(
    unsafe_code,
    reason = "columns of one matrix are reflected by several tasks"
)]

use crate::backend::Raw;
use crate::error::LinalgError;
use crate::matrix::Matrix;
use crate::par::{Par, Proceed};
use crate::raw::RawMatrix;
use crate::real::Real;
use crate::upper::Upper;

/// The factors of `A = Q R`, Q orthogonal and R upper triangular, by Householder reflections.
///
/// Matrices are given by columns: row `j` of the argument is column `j` of A. Panels and the columns of a task have a fixed
/// width, so that the factors are the same bit for bit for any thread count.
///
/// # Examples
///
/// ```
/// use mercer_linalg::{Matrix, Par, Qr};
///
/// // The columns (3, 4) and (1, 2), and a side (5, 10).
/// let columns = Matrix::from_vec(3, 2, vec![3.0_f64, 4.0, 1.0, 2.0, 5.0, 10.0]);
/// let qr = Qr::factor_while(columns, 2, Par::Sequential, &|| true)?;
/// let mut x = qr.sides(2);
/// qr.upper().solve(&mut x);
/// assert!((x[(0, 0)] - 0.0).abs() < 1e-14 && (x[(0, 1)] - 5.0).abs() < 1e-14);
/// # Ok::<(), mercer_linalg::LinalgError>(())
/// ```
///
/// # References
///
/// Golub and Van Loan, Matrix Computations, 4th edition, section 5.2.
#[derive(Clone, Debug)]
pub struct Qr<T> {
    /// Columns of R above the diagonal, reflections below; then the sides.
    columns: Matrix<T>,
    /// How many columns are factored.
    factored: usize,
    /// A square of coefficients for every panel.
    coefficients: Vec<Matrix<T>>,
}

/// Reflections of a panel: enough for products of matrices, few enough to be made column by column.
const PANEL: usize = 48;
/// Columns that one task reflects.
const TASK: usize = 64;

fn view<T: Real>(
    matrix: RawMatrix<'_, T>,
    row: usize,
    column: usize,
    rows: usize,
    columns: usize,
) -> Raw<*mut T> {
    Raw {
        pointer: matrix.at(column, row),
        rows,
        columns,
        row_stride: 1,
        column_stride: matrix.stride() as isize,
    }
}

fn read<T>(raw: Raw<*mut T>) -> Raw<*const T> {
    Raw {
        pointer: raw.pointer.cast_const(),
        rows: raw.rows,
        columns: raw.columns,
        row_stride: raw.row_stride,
        column_stride: raw.column_stride,
    }
}

fn of_square<T: Real>(square: &Matrix<T>) -> Raw<*const T> {
    Raw {
        pointer: square.as_slice().as_ptr(),
        rows: square.rows(),
        columns: square.rows(),
        row_stride: 1,
        column_stride: square.rows() as isize,
    }
}

impl<T: Real> Qr<T> {
    /// Factors the first columns, and multiplies the others by Qᵀ.
    ///
    /// Time `2 m n²` operations for n columns of length m, in place.
    ///
    /// # Errors
    ///
    /// [`LinalgError::Stopped`] some milliseconds after `proceed` said no.
    ///
    /// # Panics
    ///
    /// When there are fewer columns than are to be factored.
    pub fn factor_while(
        mut columns: Matrix<T>,
        factored: usize,
        par: Par,
        proceed: Proceed<'_>,
    ) -> Result<Self, LinalgError> {
        let (width, height) = (columns.rows(), columns.columns());
        assert!(factored <= width, "{factored} of {width} columns");
        let reflections = factored.min(height);
        let mut coefficients = Vec::with_capacity(reflections.div_ceil(PANEL));
        let mut all = columns.as_mut();
        let raw = all.raw();
        for start in (0..reflections).step_by(PANEL) {
            if !proceed() {
                return Err(LinalgError::Stopped);
            }
            let order = PANEL.min(reflections - start);
            let rows = height - start;
            let panel = view(raw, start, start, rows, order);
            let mut square = Matrix::<T>::zeros(order, order);
            let coefficient = Raw {
                pointer: square.as_mut_slice().as_mut_ptr(),
                rows: order,
                columns: order,
                row_stride: 1,
                column_stride: order as isize,
            };
            // SAFETY: the panel is inside the matrix, which is borrowed for writing, and apart from the square.
            unsafe { T::reflections(panel, coefficient) };
            let first = start + order;
            let rest = width - first;
            let worth = par.if_worth(4.0 * rows as f64 * order as f64 * rest as f64);
            worth.for_each(rest.div_ceil(TASK), |task| {
                if !proceed() {
                    return;
                }
                let column = first + task * TASK;
                let own = view(raw, start, column, rows, TASK.min(width - column));
                let panel = view(raw, start, start, rows, order);
                // SAFETY: every task writes columns of its own, none of which is in the panel.
                unsafe { T::reflect(read(panel), of_square(&square), own, true) };
            });
            coefficients.push(square);
        }
        if !proceed() {
            return Err(LinalgError::Stopped);
        }
        Ok(Self {
            columns,
            factored,
            coefficients,
        })
    }

    /// Number of rows of A.
    pub fn height(&self) -> usize {
        self.columns.columns()
    }

    /// The square part of R: as many rows and columns as the smaller side of A.
    pub fn upper(&self) -> Upper<T> {
        let order = self.factored.min(self.height());
        Upper::from_fn(order, |i, j| self.columns[(j, i)])
    }

    /// The first `length` entries of `Qᵀ b` for every side b, one row per side.
    ///
    /// # Panics
    ///
    /// When the sides are shorter.
    pub fn sides(&self, length: usize) -> Matrix<T> {
        let count = self.columns.rows() - self.factored;
        Matrix::from_fn(count, length, |k, i| self.columns[(self.factored + k, i)])
    }

    /// Replaces every row b of `sides` by Q b.
    ///
    /// # Panics
    ///
    /// When their length is not the number of rows of A.
    pub fn multiply(&self, sides: &mut Matrix<T>) {
        assert_eq!(sides.columns(), self.height(), "length of the sides");
        let (height, count) = (self.height(), sides.rows());
        if count == 0 {
            return;
        }
        let mut start = self.coefficients.iter().map(Matrix::rows).sum::<usize>();
        for square in self.coefficients.iter().rev() {
            let order = square.rows();
            start -= order;
            let panel = Raw {
                pointer: self.columns.row(start)[start..].as_ptr(),
                rows: height - start,
                columns: order,
                row_stride: 1,
                column_stride: height as isize,
            };
            let own = Raw {
                pointer: sides.as_mut_slice()[start..].as_mut_ptr(),
                rows: height - start,
                columns: count,
                row_stride: 1,
                column_stride: height as isize,
            };
            // SAFETY: the panel is inside the factors, and the sides are apart from them and borrowed for writing.
            unsafe { T::reflect(panel, of_square(square), own, false) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::dot;

    fn columns(width: usize, height: usize) -> Matrix<f64> {
        Matrix::from_fn(width, height, |j, i| {
            ((i * 37 + j * 101 + i * j) % 61) as f64 / 30.0 - 1.0 + f64::from(u8::from(i == j))
        })
    }

    #[test]
    fn the_factors_give_the_matrix_back() {
        for (width, height) in [(1, 1), (3, 8), (60, 200), (130, 131), (9, 4)] {
            let a = columns(width, height);
            let qr = Qr::factor_while(a.clone(), width, Par::Rayon, &|| true).expect("on");
            let order = width.min(height);
            let upper = qr.upper();
            // Columns of Q R, made from columns of R.
            let mut back = Matrix::from_fn(order, height, |j, i| {
                if i <= j { upper.row(i)[j - i] } else { 0.0 }
            });
            qr.multiply(&mut back);
            for j in 0..order {
                for i in 0..height {
                    let miss = (back[(j, i)] - a[(j, i)]).abs();
                    assert!(miss < 1e-13 * (height as f64), "{width} {height}: {miss}");
                }
            }
        }
    }

    #[test]
    fn threads_and_sides_change_no_bit() {
        let a = columns(150, 400);
        let one = Qr::factor_while(a.clone(), 140, Par::Sequential, &|| true).expect("on");
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(3)
            .build()
            .expect("threads");
        let many = pool.install(|| Qr::factor_while(a.clone(), 140, Par::Rayon, &|| true));
        let many = many.expect("on");
        assert_eq!(one.columns, many.columns);
        // Sides keep their dot products under Qᵀ.
        let turned = one.sides(400);
        let (x, y) = (turned.row(2), turned.row(7));
        assert!((dot(x, y) - dot(a.row(142), a.row(147))).abs() < 1e-11);
    }

    #[test]
    fn it_stops_when_told() {
        let stopped = Qr::factor_while(columns(5, 9), 5, Par::Sequential, &|| false);
        assert_eq!(stopped.expect_err("told to"), LinalgError::Stopped);
    }
}
