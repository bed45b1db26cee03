//! General matrix products over a fixed partition of the output.

#![expect(
    unsafe_code,
    reason = "blocks of one output are written by several tasks"
)]

use crate::backend::Raw;
use crate::matrix::{MatrixMut, MatrixRef};
use crate::par::Par;
use crate::real::Real;

/// How an operand enters a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// As it is.
    None,
    /// Transposed.
    Transpose,
}

// Blocks of the output: fixed, so that every block is the same sequential product whatever the thread count.
const BLOCK_ROWS: usize = 256;
const BLOCK_COLUMNS: usize = 512;

/// Computes `c = alpha op_a(a) op_b(b) + beta c`.
///
/// When `beta` is zero, `c` is overwritten, whatever it holds. Results are the same bit for bit for any thread count.
///
/// # Panics
///
/// When the shapes do not agree.
#[expect(clippy::too_many_arguments, reason = "the BLAS signature")]
pub fn gemm<T: Real>(
    alpha: T,
    a: MatrixRef<'_, T>,
    op_a: Op,
    b: MatrixRef<'_, T>,
    op_b: Op,
    beta: T,
    mut c: MatrixMut<'_, T>,
    par: Par,
) {
    let left = operand(&a, op_a);
    let right = operand(&b, op_b);
    let (m, k, n) = (left.rows, left.columns, right.columns);
    assert_eq!(k, right.rows, "inner dimensions");
    assert_eq!((m, n), (c.rows(), c.columns()), "shape of the output");
    if m == 0 || n == 0 {
        return;
    }
    if beta != T::ZERO && beta != T::ONE {
        for i in 0..m {
            for value in c.row_mut(i) {
                *value *= beta;
            }
        }
    }
    if k == 0 {
        if beta == T::ZERO {
            c.fill(T::ZERO);
        }
        return;
    }
    let out = c.raw();
    let row_blocks = m.div_ceil(BLOCK_ROWS);
    let column_blocks = n.div_ceil(BLOCK_COLUMNS);
    let share = Shared { left, right };
    par.if_worth(2.0 * m as f64 * n as f64 * k as f64).for_each(
        row_blocks * column_blocks,
        |task| {
            let share = &share;
            let (bi, bj) = (task / column_blocks, task % column_blocks);
            let (i, j) = (bi * BLOCK_ROWS, bj * BLOCK_COLUMNS);
            let rows = BLOCK_ROWS.min(m - i);
            let columns = BLOCK_COLUMNS.min(n - j);
            // SAFETY: the block lies inside the matrices, tasks write disjoint blocks of `c`, and `c` is exclusively
            // borrowed, so that it overlaps neither operand.
            unsafe {
                T::matmul(
                    Raw {
                        pointer: out.at(i, j),
                        rows,
                        columns,
                        row_stride: out.stride() as isize,
                        column_stride: 1,
                    },
                    Raw {
                        pointer: share
                            .left
                            .pointer
                            .offset(i as isize * share.left.row_stride),
                        rows,
                        ..share.left
                    },
                    Raw {
                        pointer: share
                            .right
                            .pointer
                            .offset(j as isize * share.right.column_stride),
                        columns,
                        ..share.right
                    },
                    alpha,
                    beta == T::ZERO,
                );
            }
        },
    );
}

struct Shared<T> {
    left: Raw<*const T>,
    right: Raw<*const T>,
}

// SAFETY: the pointers come from shared borrows of plain numbers that outlive the tasks.
unsafe impl<T: Sync> Sync for Shared<T> {}

pub(crate) fn operand<T: Real>(matrix: &MatrixRef<'_, T>, op: Op) -> Raw<*const T> {
    let raw = Raw {
        pointer: matrix.as_ptr(),
        rows: matrix.rows(),
        columns: matrix.columns(),
        row_stride: matrix.stride() as isize,
        column_stride: 1,
    };
    match op {
        Op::None => raw,
        Op::Transpose => Raw {
            rows: raw.columns,
            columns: raw.rows,
            row_stride: 1,
            column_stride: raw.row_stride,
            ..raw
        },
    }
}
