//! Products of a matrix with its own transpose.

#![expect(
    unsafe_code,
    reason = "blocks of one output are written by several tasks"
)]

use crate::backend::Raw;
use crate::gemm::Op;
use crate::matrix::{MatrixMut, MatrixRef};
use crate::par::Par;
use crate::real::Real;

/// Rows of a block of the output: fixed, so that every block is the same sequential product.
const BLOCK: usize = 256;

/// Adds `op(a) op(a)ᵀ` to the lower triangle of `out`; what is above the diagonal is undefined afterwards.
///
/// Half of the work of [`crate::gemm`]. The result is the same bit for bit for any thread count.
///
/// # Examples
///
/// ```
/// use mercer_linalg::{Matrix, Op, Par, add_square};
///
/// let a = Matrix::from_vec(1, 2, vec![2.0, 3.0]);
/// let mut out = Matrix::zeros(2, 2);
/// add_square(a.as_ref(), Op::Transpose, out.as_mut(), Par::Sequential);
/// assert_eq!((out[(0, 0)], out[(1, 0)], out[(1, 1)]), (4.0, 6.0, 9.0));
/// ```
///
/// # Panics
///
/// When `out` is not square of the number of rows of `op(a)`.
pub fn add_square<T: Real>(a: MatrixRef<'_, T>, op: Op, mut out: MatrixMut<'_, T>, par: Par) {
    let (n, inner) = match op {
        Op::None => (a.rows(), a.columns()),
        Op::Transpose => (a.columns(), a.rows()),
    };
    assert_eq!((out.rows(), out.columns()), (n, n), "shape of the output");
    if n == 0 || inner == 0 {
        return;
    }
    let (row_stride, column_stride) = match op {
        Op::None => (a.stride() as isize, 1),
        Op::Transpose => (1, a.stride() as isize),
    };
    let source = Source(a.as_ptr());
    let target = out.raw();
    let blocks = n.div_ceil(BLOCK);
    let extent = |b: usize| (b * BLOCK, BLOCK.min(n - b * BLOCK));
    par.if_worth(n as f64 * n as f64 * inner as f64)
        .for_each(blocks * (blocks + 1) / 2, |task| {
            let source = &source;
            let (bi, bj) = pair(task);
            let ((i, rows), (j, columns)) = (extent(bi), extent(bj));
            let part = |first: usize, rows: usize| Raw {
                pointer: source.0.wrapping_offset(first as isize * row_stride),
                rows,
                columns: inner,
                row_stride,
                column_stride,
            };
            let block = Raw {
                pointer: target.at(i, j),
                rows,
                columns,
                row_stride: target.stride() as isize,
                column_stride: 1,
            };
            // SAFETY: the blocks are inside the matrices, tasks write disjoint blocks of `out`, and `out` is borrowed
            // exclusively, so that it does not overlap `a`.
            unsafe {
                if bi == bj {
                    T::add_square(block, part(i, rows));
                } else {
                    let right = part(j, columns);
                    let right = Raw {
                        rows: right.columns,
                        columns: right.rows,
                        row_stride: right.column_stride,
                        column_stride: right.row_stride,
                        ..right
                    };
                    T::matmul(block, part(i, rows), right, T::ONE, false);
                }
            }
        });
}

struct Source<T>(*const T);

// SAFETY: the pointer comes from a shared borrow of plain numbers that outlives the tasks.
unsafe impl<T: Sync> Sync for Source<T> {}

/// The block `(i, j)`, `j <= i`, with the given number in row order.
fn pair(task: usize) -> (usize, usize) {
    let mut row = 0;
    let mut first = 0;
    while first + row < task {
        first += row + 1;
        row += 1;
    }
    (row, task - first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;
    use crate::vector::dot;

    #[test]
    fn blocks_are_numbered_by_rows() {
        let found: Vec<_> = (0..6).map(pair).collect();
        assert_eq!(found, [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]);
    }

    #[test]
    fn both_sides_and_any_thread_count_agree() {
        for (n, inner) in [(1, 1), (7, 3), (255, 40), (600, 33)] {
            let a = Matrix::from_fn(n, inner, |i, k| ((i * 7 + k * 13) % 19) as f64 - 9.0);
            let turned = a.transposed();
            let mut one = Matrix::zeros(n, n);
            let mut other = Matrix::zeros(n, n);
            for _ in 0..2 {
                add_square(a.as_ref(), Op::None, one.as_mut(), Par::Sequential);
                add_square(turned.as_ref(), Op::Transpose, other.as_mut(), Par::Rayon);
            }
            for i in 0..n {
                for j in 0..=i {
                    let expected = 2.0 * dot(a.row(i), a.row(j));
                    assert_eq!(one[(i, j)], expected, "{n} {i} {j}");
                    assert_eq!(other[(i, j)], expected, "{n} {i} {j}");
                }
            }
        }
    }
}
