//! Cholesky factorisation over fixed blocks.

#![expect(
    unsafe_code,
    reason = "blocks of one matrix are read and written by several tasks"
)]

use std::sync::OnceLock;

use crate::backend::Raw;
use crate::error::{LinalgError, NotPositiveDefinite};
use crate::gemm::{Op, gemm};
use crate::matrix::{Matrix, MatrixMut};
use crate::panel::{STRIP, Solve, Subtract, WIDTH, pack_diagonal};
use crate::par::{Par, Proceed};
use crate::raw::RawMatrix;
use crate::real::Real;
use crate::simd::dispatch;
use crate::tile::Buffer;

/// The factor `L` of a symmetric positive definite matrix `A = L Lᵀ`.
///
/// Blocks have a fixed size and every block is one sequential operation, so that the factor is the same bit for bit for
/// any thread count.
///
/// # Examples
///
/// ```
/// use mercer_linalg::{Cholesky, Matrix, Par};
///
/// let a = Matrix::from_vec(2, 2, vec![4.0, 0.0, 2.0, 5.0]);
/// let factor = Cholesky::factor(a, Par::Sequential)?;
/// assert_eq!(factor.lower().as_slice(), &[2.0, 0.0, 1.0, 2.0]);
/// # Ok::<(), mercer_linalg::NotPositiveDefinite>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Cholesky<T> {
    lower: Matrix<T>,
}

/// Rows of a block.
const BLOCK: usize = 256;

fn block<T: Real>(
    matrix: RawMatrix<'_, T>,
    i: usize,
    j: usize,
    rows: usize,
    columns: usize,
) -> Raw<*mut T> {
    Raw {
        pointer: matrix.at(i, j),
        rows,
        columns,
        row_stride: matrix.stride() as isize,
        column_stride: 1,
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

fn transposed<P>(raw: Raw<P>) -> Raw<P> {
    Raw {
        pointer: raw.pointer,
        rows: raw.columns,
        columns: raw.rows,
        row_stride: raw.column_stride,
        column_stride: raw.row_stride,
    }
}

impl<T: Real> Cholesky<T> {
    /// Factors a symmetric matrix, of which the lower triangle alone is read.
    ///
    /// Time `n³/3` operations; the factor takes the memory of the matrix, with 240 columns beside it while it is made.
    ///
    /// # Errors
    ///
    /// The first pivot that is not positive and finite; NaN in the lower triangle ends here too.
    ///
    /// # Panics
    ///
    /// When the matrix is not square.
    pub fn factor(matrix: Matrix<T>, par: Par) -> Result<Self, NotPositiveDefinite> {
        Self::factor_while(matrix, par, &|| true).map_err(|error| match error {
            LinalgError::NotPositiveDefinite { pivot } => NotPositiveDefinite { pivot },
            _ => unreachable!("nobody asks to stop"),
        })
    }

    /// Factors as [`Cholesky::factor`], as long as it may.
    ///
    /// # Errors
    ///
    /// Those of [`Cholesky::factor`], and [`LinalgError::Stopped`] some milliseconds after `proceed` said no.
    ///
    /// # Panics
    ///
    /// When the matrix is not square.
    pub fn factor_while(
        mut matrix: Matrix<T>,
        par: Par,
        proceed: Proceed<'_>,
    ) -> Result<Self, LinalgError> {
        let n = matrix.rows();
        assert_eq!(n, matrix.columns(), "a square matrix");
        {
            let mut packed = Buffer::zeros(n.saturating_sub(WIDTH).next_multiple_of(STRIP) * WIDTH);
            let mut view = matrix.as_mut();
            let raw = view.raw();
            let mut diagonal = Self::diagonal(raw, n.min(WIDTH));
            for start in (0..n).step_by(WIDTH) {
                if !proceed() {
                    return Err(LinalgError::Stopped);
                }
                let failed = |pivot| LinalgError::NotPositiveDefinite {
                    pivot: start + pivot,
                };
                let factor = diagonal.map_err(failed)?;
                let below = n.saturating_sub(start + WIDTH);
                let packed = &mut packed.as_mut_slice()[..below.next_multiple_of(STRIP) * WIDTH];
                let rest = raw.from(start, start);
                diagonal = Self::step(rest, below, factor.as_slice(), packed, par, proceed);
            }
            par.if_worth((n * n) as f64)
                .for_each(n.div_ceil(STRIP), |strip| {
                    for i in strip * STRIP..((strip + 1) * STRIP).min(n) {
                        // SAFETY: the rest of the row is inside the matrix and belongs to this task alone.
                        let row = unsafe { std::slice::from_raw_parts_mut(raw.at(i, i), n - i) };
                        row[1..].fill(T::ZERO);
                    }
                });
        }
        Ok(Self { lower: matrix })
    }

    /// With a finished diagonal block `L₁₁`, `L₂₁ = A₂₁ L₁₁⁻ᵀ` and `A₂₂ ← A₂₂ − L₂₁ L₂₁ᵀ`.
    ///
    /// Returns the first diagonal block of `A₂₂`: one task factors it while others still subtract.
    fn step(
        matrix: RawMatrix<'_, T>,
        below: usize,
        factor: &[T],
        packed: &mut [T],
        par: Par,
        proceed: Proceed<'_>,
    ) -> Result<Buffer<T>, usize> {
        let strips = below.div_ceil(STRIP);
        let mut view = MatrixMut::from_slice(strips, STRIP * WIDTH, packed);
        let out = view.raw();
        par.if_worth((below * WIDTH * WIDTH) as f64)
            .for_each(strips, |strip| {
                let first = strip * STRIP;
                dispatch(Solve {
                    panel: matrix.from(WIDTH + first, 0),
                    rows: STRIP.min(below - first),
                    diagonal: factor,
                    // SAFETY: the strip is inside the packed rows and belongs to this task alone.
                    packed: unsafe {
                        std::slice::from_raw_parts_mut(out.at(strip, 0), STRIP * WIDTH)
                    },
                });
            });
        let rest = matrix.from(WIDTH, WIDTH);
        let blocks = below.div_ceil(WIDTH);
        let extent = |block: usize| block * WIDTH..((block + 1) * WIDTH).min(below);
        let next = OnceLock::new();
        par.if_worth((below * below * WIDTH) as f64)
            .for_each(blocks * (blocks + 1) / 2, |task| {
                // What is left undone is thrown away by the caller, who asks as well.
                if task != 0 && !proceed() {
                    return;
                }
                let (row, column) = pair(task);
                dispatch(Subtract {
                    rest,
                    packed,
                    rows: extent(row),
                    columns: extent(column),
                });
                if task == 0 {
                    next.get_or_init(|| Self::diagonal(rest, below.min(WIDTH)));
                }
            });
        next.into_inner().unwrap_or_else(|| Ok(Buffer::zeros(0)))
    }

    /// Factors a diagonal block in place and packs it, when rows may follow; the error is the pivot.
    fn diagonal(matrix: RawMatrix<'_, T>, width: usize) -> Result<Buffer<T>, usize> {
        // A column-major copy: the backend is slow on row-major ones.
        let mut diagonal = Matrix::<T>::zeros(width, width);
        for i in 0..width {
            for j in 0..=i {
                // SAFETY: the entry is inside the matrix, and no other task touches the block.
                diagonal[(j, i)] = unsafe { *matrix.at(i, j) };
            }
        }
        let raw = Raw {
            pointer: diagonal.as_mut_slice().as_mut_ptr(),
            rows: width,
            columns: width,
            row_stride: 1,
            column_stride: width as isize,
        };
        // SAFETY: `diagonal` is `width` by `width`.
        unsafe { T::cholesky(raw) }?;
        for i in 0..width {
            // NaN passes comparisons with zero inside the backend; a square root keeps it visible here.
            if !(diagonal[(i, i)] > T::ZERO && diagonal[(i, i)].is_finite()) {
                return Err(i);
            }
            for j in 0..=i {
                // SAFETY: as above.
                unsafe { *matrix.at(i, j) = diagonal[(j, i)] };
            }
        }
        let mut packed = Buffer::zeros(if width == WIDTH { WIDTH * WIDTH } else { 0 });
        if width == WIDTH {
            pack_diagonal(|i, k| diagonal[(k, i)], packed.as_mut_slice());
        }
        Ok(packed)
    }

    /// The lower factor; its upper triangle is zero.
    pub fn lower(&self) -> &Matrix<T> {
        &self.lower
    }

    /// Gives the lower factor back.
    pub fn into_lower(self) -> Matrix<T> {
        self.lower
    }

    /// The order of the matrix.
    pub fn order(&self) -> usize {
        self.lower.rows()
    }

    /// `ln det A`, twice the sum of the logarithms of the diagonal, in double precision.
    pub fn log_determinant(&self) -> f64 {
        2.0 * (0..self.order())
            .map(|i| self.lower[(i, i)].to_f64().ln())
            .sum::<f64>()
    }

    /// Replaces every column of `right` by the solution of `A x = right`.
    ///
    /// # Panics
    ///
    /// When the number of rows is not the order of the matrix.
    pub fn solve_in_place(&self, right: &mut Matrix<T>, par: Par) {
        assert_eq!(right.rows(), self.order(), "rows of the right-hand side");
        self.solve_lower_in_place(right, par);
        self.solve_upper_in_place(right, par);
    }

    /// Replaces every column of `right` by the solution of `L x = right`.
    ///
    /// # Panics
    ///
    /// When the number of rows is not the order of the matrix.
    pub fn solve_lower_in_place(&self, right: &mut Matrix<T>, par: Par) {
        let n = self.order();
        let columns = right.columns();
        assert_eq!(right.rows(), n, "rows of the right-hand side");
        for start in (0..n).step_by(BLOCK) {
            let end = (start + BLOCK).min(n);
            let (solved, rest) = right.as_mut().split_at_row(start);
            let (mut current, _) = rest.split_at_row(end - start);
            gemm(
                -T::ONE,
                self.lower.as_ref().submatrix(start..end, 0..start),
                Op::None,
                solved.as_ref(),
                Op::None,
                T::ONE,
                current.reborrow(),
                par,
            );
            self.solve_diagonal(start, end, current.raw(), columns, false);
        }
    }

    /// Replaces every column of `right` by the solution of `Lᵀ x = right`.
    ///
    /// # Panics
    ///
    /// When the number of rows is not the order of the matrix.
    pub fn solve_upper_in_place(&self, right: &mut Matrix<T>, par: Par) {
        let n = self.order();
        let columns = right.columns();
        assert_eq!(right.rows(), n, "rows of the right-hand side");
        for start in (0..n).step_by(BLOCK).rev() {
            let end = (start + BLOCK).min(n);
            let (rest, solved) = right.as_mut().split_at_row(end);
            let (_, mut current) = rest.split_at_row(start);
            gemm(
                -T::ONE,
                self.lower.as_ref().submatrix(end..n, start..end),
                Op::Transpose,
                solved.as_ref(),
                Op::None,
                T::ONE,
                current.reborrow(),
                par,
            );
            self.solve_diagonal(start, end, current.raw(), columns, true);
        }
    }

    fn solve_diagonal(
        &self,
        start: usize,
        end: usize,
        right: RawMatrix<'_, T>,
        columns: usize,
        upper: bool,
    ) {
        if columns == 0 {
            return;
        }
        let corner = self.lower.as_ref().submatrix(start..end, start..end);
        let raw = Raw {
            pointer: corner.as_ptr(),
            rows: end - start,
            columns: end - start,
            row_stride: corner.stride() as isize,
            column_stride: 1,
        };
        let right = block(right, 0, 0, end - start, columns);
        // SAFETY: both blocks are inside their matrices, which are distinct.
        unsafe {
            if upper {
                T::solve_upper(transposed(raw), right);
            } else {
                T::solve_lower(raw, right);
            }
        }
    }

    /// Replaces `right` by the solution of `A x = right`.
    ///
    /// # Panics
    ///
    /// When the length is not the order of the matrix.
    pub fn solve_vector(&self, right: &mut [T], par: Par) {
        let mut matrix = Matrix::from_vec(right.len(), 1, right.to_vec());
        self.solve_in_place(&mut matrix, par);
        right.copy_from_slice(matrix.as_slice());
    }
}

impl<T: Real> Cholesky<T> {
    /// Returns `A⁻¹ = L⁻ᵀ L⁻¹`, both triangles. Time `2n³/3` multiplications.
    pub fn inverse(&self, par: Par) -> Matrix<T> {
        self.inverse_while(par, &|| true)
            .expect("nobody asks to stop")
    }

    /// Returns what [`Cholesky::inverse`] does, as long as it may.
    ///
    /// # Errors
    ///
    /// [`LinalgError::Stopped`].
    pub fn inverse_while(&self, par: Par, proceed: Proceed<'_>) -> Result<Matrix<T>, LinalgError> {
        let n = self.order();
        let mut half = self.inverse_lower(par, proceed)?;
        let mut inverse = Matrix::<T>::zeros(n, n);
        let blocks = n.div_ceil(BLOCK);
        let extent = |b: usize| (b * BLOCK, BLOCK.min(n - b * BLOCK));
        {
            let mut left = half.as_mut();
            let half = left.raw();
            let mut right = inverse.as_mut();
            let out = right.raw();
            let worth = par.if_worth((n * n * n) as f64 / 3.0);
            worth.for_each(blocks * (blocks + 1) / 2, |task| {
                if !proceed() {
                    return;
                }
                let (bi, bj) = pair(task);
                let (i, rows) = extent(bi);
                let (j, columns) = extent(bj);
                // Rows of L⁻¹ above i are zero in the columns of block i.
                // SAFETY: tasks write disjoint blocks of `inverse` and read `half` only.
                unsafe {
                    T::matmul(
                        block(out, i, j, rows, columns),
                        transposed(read(block(half, i, i, n - i, rows))),
                        read(block(half, i, j, n - i, columns)),
                        T::ONE,
                        true,
                    );
                }
            });
        }
        if !proceed() {
            return Err(LinalgError::Stopped);
        }
        mirror(&mut inverse);
        Ok(inverse)
    }

    /// Returns the diagonal of `A⁻¹`: squares of `L⁻¹`, column by column. Time `n³/6`
    /// multiplications.
    pub fn inverse_diagonal(&self, par: Par) -> Vec<T> {
        self.inverse_diagonal_while(par, &|| true)
            .expect("nobody asks to stop")
    }

    /// Returns what [`Cholesky::inverse_diagonal`] does, as long as it may.
    ///
    /// # Errors
    ///
    /// [`LinalgError::Stopped`].
    pub fn inverse_diagonal_while(
        &self,
        par: Par,
        proceed: Proceed<'_>,
    ) -> Result<Vec<T>, LinalgError> {
        let n = self.order();
        let half = self.inverse_lower(par, proceed)?;
        let mut sums = vec![T::ZERO; n];
        for i in 0..n {
            for (sum, value) in sums.iter_mut().zip(&half.row(i)[..=i]) {
                *sum += *value * *value;
            }
        }
        Ok(sums)
    }

    /// Returns `L⁻¹`. Time `n³/6` multiplications.
    fn inverse_lower(&self, par: Par, proceed: Proceed<'_>) -> Result<Matrix<T>, LinalgError> {
        let n = self.order();
        let mut inverse = Matrix::<T>::zeros(n, n);
        let blocks = n.div_ceil(BLOCK);
        let mut view = inverse.as_mut();
        let out = view.raw();
        let worth = par.if_worth((n * n * n) as f64 / 3.0);
        worth.for_each(blocks, |b| {
            let (first, width) = (b * BLOCK, BLOCK.min(n - b * BLOCK));
            for k in 0..width {
                // SAFETY: tasks own disjoint columns of `inverse`.
                unsafe { *out.at(first + k, first + k) = T::ONE };
            }
            for start in (first..n).step_by(BLOCK) {
                if !proceed() {
                    return;
                }
                let rows = BLOCK.min(n - start);
                let current = block(out, start, first, rows, width);
                let lower = self.lower.as_ref();
                let raw = |r: std::ops::Range<usize>, c: std::ops::Range<usize>| {
                    let part = lower.submatrix(r, c);
                    Raw {
                        pointer: part.as_ptr(),
                        rows: part.rows(),
                        columns: part.columns(),
                        row_stride: part.stride() as isize,
                        column_stride: 1,
                    }
                };
                let end = start + rows;
                // SAFETY: rows above `start` of these columns are finished, and the blocks of
                // both matrices are distinct.
                unsafe {
                    if start > first {
                        let done = read(block(out, first, first, start - first, width));
                        T::matmul(current, raw(start..end, first..start), done, -T::ONE, false);
                    }
                    T::solve_lower(raw(start..end, start..end), current);
                }
            }
        });
        if proceed() {
            Ok(inverse)
        } else {
            Err(LinalgError::Stopped)
        }
    }
}

/// Copies the lower triangle of a square matrix onto the upper one.
fn mirror<T: Real>(matrix: &mut Matrix<T>) {
    const PATCH: usize = 64;
    let n = matrix.rows();
    for rows in (0..n).step_by(PATCH) {
        for columns in (0..=rows).step_by(PATCH) {
            for i in rows..(rows + PATCH).min(n) {
                for j in columns..(columns + PATCH).min(i) {
                    matrix[(j, i)] = matrix[(i, j)];
                }
            }
        }
    }
}

/// The block (row, column) of a task that numbers the lower triangle row by row.
fn pair(task: usize) -> (usize, usize) {
    let mut row = ((((8 * task + 1) as f64).sqrt() - 1.0) / 2.0) as usize;
    while row * (row + 1) / 2 > task {
        row -= 1;
    }
    while (row + 1) * (row + 2) / 2 <= task {
        row += 1;
    }
    (row, task - row * (row + 1) / 2)
}
