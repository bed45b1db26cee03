//! Products of a matrix with its own transpose.

#![expect(
    unsafe_code,
    reason = "vector registers over packed columns, and blocks of one output that several tasks write"
)]

use std::ops::Range;

use crate::backend::Raw;
use crate::gemm::Op;
use crate::matrix::{MatrixMut, MatrixRef};
use crate::par::Par;
use crate::raw::RawMatrix;
use crate::real::Real;
use crate::simd::{Kernel, Simd, Vector, dispatch, prefetch};
use crate::tile::with_scratch;

/// Columns packed together: three registers of any instruction set divide them.
const STRIP: usize = 48;
/// Rows that are packed at one time.
const DEPTH: usize = 256;
/// Registers on the right of a product.
const VECTORS: usize = 3;
/// Most columns on the left of a product: with three registers each they fill 24 of 32.
const MOST_ROWS: usize = 8;

/// Rows of a block of the output: fixed, so that every block is the same sequential product.
const BLOCK: usize = 240;

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
    if op == Op::Transpose {
        return columns(&a, out, par);
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

/// Adds aᵀa: columns are packed in strips, `[strip][row][column of the strip]`, which serves both sides of the products.
fn columns<T: Real>(a: &MatrixRef<'_, T>, mut out: MatrixMut<'_, T>, par: Par) {
    let n = a.columns();
    let target = out.raw();
    packed_squares(n, a.rows(), target, par, |row, start, line| {
        line.copy_from_slice(&a.row(row)[start..start + line.len()]);
    });
}

/// Columns of a block of packed products, in whole strips: the block in double precision and the packed columns of both its
/// sides share the second-level cache.
const SIDE: usize = 4 * STRIP;
/// Bytes that are packed at one time, where [`DEPTH`] rows are fewer: a block of the output then is fetched once for all of them.
const PACKED: usize = 8 << 20;
/// Rows that a task packs.
const LINES: usize = 32;

/// Adds the products of all pairs of columns to the lower triangle of `out`; `fill` writes some columns of a row, from
/// a first one on.
///
/// Sums run over [`DEPTH`] rows in registers of `T` and are then added to `out`: where that is wider, no more than
/// those rows share the rounding of `T`.
pub(crate) fn packed_squares<T: Real, O: Real>(
    n: usize,
    rows: usize,
    out: RawMatrix<'_, O>,
    par: Par,
    fill: impl Fn(usize, usize, &mut [T]) + Sync,
) {
    let strips = n.div_ceil(STRIP);
    let padded = strips * STRIP;
    let blocks = n.div_ceil(SIDE);
    let most = (PACKED / (padded * DEPTH * size_of::<T>())).max(1) * DEPTH;
    for first in (0..rows).step_by(most) {
        let run = most.min(rows - first);
        let par = par.if_worth(n as f64 * n as f64 * run as f64);
        // Depth after depth, each `[strip][row][column of the strip]`.
        let extent_of = |depth: usize| (depth * DEPTH, DEPTH.min(run - depth * DEPTH));
        with_scratch(padded * run, |packed| {
            let all = RawMatrix::new(packed.as_mut_slice(), padded);
            par.for_each(run.div_ceil(LINES), |task| {
                for row in task * LINES..(task * LINES + LINES).min(run) {
                    let (start, depth) = extent_of(row / DEPTH);
                    for strip in 0..strips {
                        let place = (strip * depth + row - start) * STRIP;
                        // SAFETY: every task writes the lines of its own rows, which are inside the scratch.
                        let line =
                            unsafe { std::slice::from_raw_parts_mut(all.at(start, place), STRIP) };
                        let width = STRIP.min(n - strip * STRIP);
                        fill(first + row, strip * STRIP, &mut line[..width]);
                        line[width..].fill(T::ZERO);
                    }
                }
            });
            let packed = packed.as_slice();
            par.for_each(blocks * (blocks + 1) / 2, |task| {
                let (bi, bj) = pair(task);
                let extent = |b: usize| b * SIDE..(b * SIDE + SIDE).min(n);
                for depth in 0..run.div_ceil(DEPTH) {
                    let (start, depth) = extent_of(depth);
                    dispatch(Products {
                        out,
                        packed: &packed[start * padded..(start + depth) * padded],
                        depth,
                        rows: extent(bi),
                        columns: extent(bj),
                    });
                }
            });
        });
    }
}

/// Adds the products of packed columns to a rectangle, where it meets the lower triangle.
struct Products<'a, T, O> {
    out: RawMatrix<'a, O>,
    packed: &'a [T],
    depth: usize,
    rows: Range<usize>,
    columns: Range<usize>,
}

impl<T: Real, O: Real> Kernel for Products<'_, T, O> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        // SAFETY: `S` is present because `dispatch` chose it.
        unsafe {
            if T::Vector::<S>::REGISTERS == 32 {
                self.add::<T::Vector<S>, MOST_ROWS>();
            } else {
                self.add::<T::Vector<S>, { MOST_ROWS / 2 }>();
            }
        }
    }
}

impl<T: Real, O: Real> Products<'_, T, O> {
    /// Where row 0 of a packed column is; its rows are a strip apart.
    #[inline(always)]
    fn place(&self, column: usize) -> usize {
        column / STRIP * STRIP * self.depth + column % STRIP
    }

    #[inline(always)]
    unsafe fn add<V: Vector<T>, const ROWS: usize>(self) {
        let across = VECTORS * V::LANES;
        for i in self.rows.clone().step_by(ROWS) {
            let rows = ROWS.min(self.rows.end - i);
            for j in self.columns.clone().step_by(across) {
                if j >= i + ROWS {
                    break;
                }
                // SAFETY: strips are whole and blocks are made of them, so that the packed columns exist; what is
                // written is inside the rectangle, which no other task writes.
                unsafe { self.tile::<V, ROWS>(i, rows, j) };
            }
        }
    }

    #[inline(always)]
    unsafe fn tile<V: Vector<T>, const ROWS: usize>(&self, i: usize, rows: usize, j: usize) {
        let across = VECTORS * V::LANES;
        let last = across.min(self.columns.end - j);
        for r in 0..rows {
            for c in (0..last).step_by(64 / size_of::<O>()) {
                prefetch(self.out.at(i + r, j + c));
            }
        }
        // SAFETY: promised by the caller.
        unsafe {
            let left = self.packed.as_ptr().add(self.place(i));
            let right = self.packed.as_ptr().add(self.place(j));
            let mut sums = [[V::zero(); VECTORS]; ROWS];
            for k in 0..self.depth {
                let mut z = [V::zero(); VECTORS];
                for v in 0..VECTORS {
                    z[v] = V::load(right.add(k * STRIP + v * V::LANES));
                }
                for r in 0..ROWS {
                    let x = V::splat(*left.add(k * STRIP + r));
                    for v in 0..VECTORS {
                        sums[r][v] = x.mul_add(z[v], sums[r][v]);
                    }
                }
            }
            if T::PRECISION == O::PRECISION && rows == ROWS && last == across {
                for r in 0..ROWS {
                    for v in 0..VECTORS {
                        let to = self.out.at(i + r, j + v * V::LANES).cast::<T>();
                        sums[r][v].add(V::load(to)).store(to);
                    }
                }
                return;
            }
            let mut edge = [T::ZERO; MOST_ROWS * STRIP];
            for r in 0..ROWS {
                for v in 0..VECTORS {
                    sums[r][v].store(edge.as_mut_ptr().add(r * STRIP + v * V::LANES));
                }
            }
            for r in 0..rows {
                let to = std::slice::from_raw_parts_mut(self.out.at(i + r, j), last);
                for (to, sum) in to.iter_mut().zip(&edge[r * STRIP..]) {
                    *to += O::from_f64(sum.to_f64());
                }
            }
        }
    }
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
        for (n, inner) in [(1, 1), (7, 3), (48, 5), (255, 40), (600, 33), (50, 600)] {
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
