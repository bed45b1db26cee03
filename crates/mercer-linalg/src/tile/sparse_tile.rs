//! Tiles of sparse rows.
//!
//! Left rows are spread side by side into a dense block, so that every stored value of a right row is one multiplication and
//! addition of whole registers. When the data have many columns, only those present in the block get a line.

#![expect(
    unsafe_code,
    reason = "vector registers and disjoint parts of one output"
)]

use std::ops::Range;

use crate::matrix::MatrixMut;
use crate::par::Par;
use crate::raw::RawMatrix;
use crate::real::Real;
use crate::simd::{Kernel, Simd, Vector, dispatch};
use crate::tile::buffer::with_scratch;
use crate::tile::epilogue::{Epilogue, Prepared, apply};
use crate::tile::mirror::mirror;
use crate::tile::rows::Rows;
use crate::tile::sparse::SparseRows;

/// Left rows of one block: 64 rows of `f32` are four AVX-512 registers.
const BLOCK_ROWS: usize = 64;

/// Bytes of the spread block, so that it stays in the second-level cache.
const BLOCK_BYTES: usize = 256 << 10;

/// Writes the kernel of `rows` of `left` against `columns` of `right`.
///
/// A row with an infinity or NaN gives NaN entries.
///
/// # Panics
///
/// When a row does not exist, the two sides differ in columns, or `out` is not `rows.len()` by `columns.len()`.
#[expect(
    clippy::needless_pass_by_value,
    reason = "a choice of rows is small and made for the call"
)]
pub fn sparse_tile<T: Real>(
    left: &SparseRows<T>,
    rows: Rows<'_>,
    right: &SparseRows<T>,
    columns: Rows<'_>,
    epilogue: &Epilogue,
    mut out: MatrixMut<'_, T>,
    par: Par,
) {
    rows.check(left.rows());
    columns.check(right.rows());
    assert_eq!(left.columns(), right.columns(), "columns of the two sides");
    assert_eq!(
        (out.rows(), out.columns()),
        (rows.len(), columns.len()),
        "shape of the output"
    );
    if rows.is_empty() || columns.is_empty() {
        return;
    }
    let sides = Sides {
        left,
        right,
        epilogue,
        prepared: epilogue.prepare(),
    };
    let row_nnz = right.as_csr().nnz() as f64 / right.rows().max(1) as f64;
    let par = par.if_worth(rows.len() as f64 * columns.len() as f64 * (2.0 * row_nnz + 16.0));
    let row_tasks = rows.len().div_ceil(BLOCK_ROWS);
    let wanted = if par.threads() == 1 {
        1
    } else {
        (4 * par.threads()).div_ceil(row_tasks)
    };
    let width = columns.len().div_ceil(wanted).max(256);
    let column_tasks = columns.len().div_ceil(width);
    let raw = out.raw();
    par.for_each(row_tasks * column_tasks, |task| {
        let (r, c) = (task / column_tasks, task % column_tasks);
        let first = r * BLOCK_ROWS..((r + 1) * BLOCK_ROWS).min(rows.len());
        let part = c * width..((c + 1) * width).min(columns.len());
        let place = Place {
            out: raw,
            row: first.start,
            column: part.start,
        };
        sides.chunk(&rows.slice(first), &columns.slice(part), place);
    });
}

/// Writes the symmetric kernel matrix of all rows, computing half of it.
///
/// Every entry equals that of [`sparse_tile`] bit for bit.
///
/// # Panics
///
/// When `out` is not square of the number of rows.
pub fn sparse_gram<T: Real>(
    rows: &SparseRows<T>,
    epilogue: &Epilogue,
    mut out: MatrixMut<'_, T>,
    par: Par,
) {
    let n = rows.rows();
    assert_eq!((out.rows(), out.columns()), (n, n), "shape of the output");
    let sides = Sides {
        left: rows,
        right: rows,
        epilogue,
        prepared: epilogue.prepare(),
    };
    let raw = out.raw();
    let work = n as f64 * rows.as_csr().nnz() as f64;
    par.if_worth(work).for_each(n.div_ceil(BLOCK_ROWS), |task| {
        let chunk = task * BLOCK_ROWS..((task + 1) * BLOCK_ROWS).min(n);
        // Parts of the columns are mirrored while they are in the second-level cache.
        for start in (chunk.start..n).step_by(512) {
            let part = start..(start + 512).min(n);
            let place = Place {
                out: raw,
                row: chunk.start,
                column: start,
            };
            sides.chunk(
                &Rows::Range(chunk.clone()),
                &Rows::Range(part.clone()),
                place,
            );
            let below = part.start.max(chunk.end)..part.end;
            // SAFETY: this task wrote the block, and alone writes its mirror image below the diagonal.
            unsafe { mirror(raw, chunk.clone(), below) };
        }
    });
}

#[derive(Clone, Copy)]
struct Place<'a, T> {
    out: RawMatrix<'a, T>,
    row: usize,
    column: usize,
}

struct Sides<'a, T> {
    left: &'a SparseRows<T>,
    right: &'a SparseRows<T>,
    epilogue: &'a Epilogue,
    prepared: Prepared<T>,
}

/// Which line of the spread block a column of the data has.
enum Lines {
    /// Its own.
    All,
    /// The line in this table; absent columns share line 0, which is zero.
    Some(Vec<u32>),
}

impl<T: Real> Sides<'_, T> {
    /// At most [`BLOCK_ROWS`] rows against any columns.
    fn chunk(&self, rows: &Rows<'_>, columns: &Rows<'_>, place: Place<'_, T>) {
        let depth = self.left.columns();
        if self.epilogue.is_l1() {
            dispatch(L1 {
                sides: self,
                rows,
                columns,
                place,
            });
            return;
        }
        let mut first = 0;
        while first < rows.len() {
            // The widest block whose lines fit; one register is 16 rows of `f32`.
            let mut lanes = (rows.len() - first)
                .next_power_of_two()
                .clamp(16, BLOCK_ROWS);
            let narrow = rows.len() - first <= 2;
            if narrow {
                lanes = 1;
            }
            let present = |lanes: usize| -> usize {
                (first..(first + lanes).min(rows.len()))
                    .map(|k| self.left.row(rows.get(k)).0.len())
                    .sum()
            };
            let fits = |lines: usize, lanes: usize| lines * lanes * size_of::<T>() <= BLOCK_BYTES;
            while lanes > 16 && !fits(depth.min(present(lanes) + 1), lanes) {
                lanes /= 2;
            }
            let count = lanes.min(rows.len() - first);
            let lines = if fits(depth, lanes) || lanes == 1 {
                Lines::All
            } else {
                Lines::Some(vec![0; depth])
            };
            let height = match lines {
                Lines::All => depth,
                Lines::Some(_) => present(lanes) + 1,
            };
            let spread_length = height * lanes;
            let sums_length = T::PANEL * lanes;
            with_scratch(spread_length + 2 * sums_length, |scratch| {
                let (spread, rest) = scratch.as_mut_slice().split_at_mut(spread_length);
                let (sums, turned) = rest.split_at_mut(sums_length);
                spread.fill(T::ZERO);
                dispatch(Block {
                    sides: self,
                    rows: &rows.slice(first..first + count),
                    columns,
                    place: Place {
                        row: place.row + first,
                        ..place
                    },
                    lanes,
                    lines,
                    spread,
                    sums,
                    turned,
                });
            });
            first += count;
        }
    }

    /// Applies the epilogue to one left row and writes it.
    #[inline(always)]
    fn finish<S: Simd>(
        &self,
        values: &mut [T],
        left: usize,
        columns: &Rows<'_>,
        batch: Range<usize>,
        norms: &[T],
        to: *mut T,
    ) {
        apply::<S, T>(
            &self.prepared,
            values,
            self.left.squared_norms()[left],
            norms,
        );
        if self.left.all_finite() && self.right.all_finite() {
            // SAFETY: as below; a batch is no longer than the values.
            unsafe {
                if batch.len() == T::PANEL {
                    // A constant length: a few registers instead of a call.
                    std::ptr::copy_nonoverlapping(values.as_ptr(), to, T::PANEL);
                } else {
                    std::ptr::copy_nonoverlapping(values.as_ptr(), to, batch.len());
                }
            }
            return;
        }
        for (k, place) in batch.enumerate() {
            let finite = self.left.is_finite(left) && self.right.is_finite(columns.get(place));
            let value = if finite { values[k] } else { T::NAN };
            // SAFETY: the caller passes the place of the batch in its own part of the output.
            unsafe { *to.add(k) = value };
        }
    }
}

struct Block<'a, T> {
    sides: &'a Sides<'a, T>,
    rows: &'a Rows<'a>,
    columns: &'a Rows<'a>,
    place: Place<'a, T>,
    /// Left rows of the spread block, with padding.
    lanes: usize,
    lines: Lines,
    spread: &'a mut [T],
    /// `[right row of the batch][left row]`.
    sums: &'a mut [T],
    /// `[left row][right row of the batch]`.
    turned: &'a mut [T],
}

impl<T: Real> Kernel for Block<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self) {
        self.spread();
        let n = self.columns.len();
        let mut norms = [T::ZERO; 32];
        let mut start = 0;
        while start < n {
            let batch = start..(start + T::PANEL).min(n);
            for (k, place) in batch.clone().enumerate() {
                let column = self.columns.get(place);
                norms[k] = self.sides.right.squared_norms()[column];
                if self.lanes > 1 {
                    self.column::<S>(column, k);
                }
            }
            if self.lanes == 1 {
                self.single::<S>(batch.clone());
                self.turned.copy_from_slice(self.sums);
            } else {
                self.turn();
            }
            for i in 0..self.rows.len() {
                let to = self
                    .place
                    .out
                    .at(self.place.row + i, self.place.column + start);
                self.sides.finish::<S>(
                    &mut self.turned[i * T::PANEL..(i + 1) * T::PANEL],
                    self.rows.get(i),
                    self.columns,
                    batch.clone(),
                    &norms[..T::PANEL],
                    to,
                );
            }
            start = batch.end;
        }
    }
}

impl<T: Real> Block<'_, T> {
    /// Turns the sums of a batch, so that those of a left row lie together.
    #[inline(always)]
    fn turn(&mut self) {
        let lanes = self.lanes;
        let (from, to) = (self.sums.as_ptr(), self.turned.as_mut_ptr());
        for i in (0..self.rows.len()).step_by(4) {
            for k in (0..T::PANEL).step_by(4) {
                // SAFETY: `lanes` and `PANEL` are multiples of four, and both slices hold `PANEL` times `lanes` numbers.
                unsafe {
                    let row = |r: usize| from.add((k + r) * lanes + i);
                    let rows = [row(0), row(1), row(2), row(3)];
                    T::transpose(rows, to.add(i * T::PANEL + k), T::PANEL);
                }
            }
        }
    }

    /// Writes the left rows side by side.
    fn spread(&mut self) {
        let mut next = 1;
        for i in 0..self.rows.len() {
            let (indices, values) = self.sides.left.row(self.rows.get(i));
            for (&j, &value) in indices.iter().zip(values) {
                let line = match &mut self.lines {
                    Lines::All => j as usize,
                    Lines::Some(lines) => {
                        let line = &mut lines[j as usize];
                        if *line == 0 {
                            *line = next;
                            next += 1;
                        }
                        *line as usize
                    }
                };
                self.spread[line * self.lanes + i] = value;
            }
        }
    }

    /// Sums right rows against the only left row, four rows side by side to hide the latency of a chain.
    #[inline(always)]
    fn single<S: Simd>(&mut self, batch: Range<usize>) {
        const SIDE: usize = 4;
        let spread = &*self.spread;
        let mut k = 0;
        while k < batch.len() {
            let count = SIDE.min(batch.len() - k);
            let mut rows: [(&[u32], &[T]); SIDE] = [(&[], &[]); SIDE];
            for r in 0..count {
                rows[r] = self.sides.right.row(self.columns.get(batch.start + k + r));
            }
            let mut common = rows[0].0.len();
            for r in 1..SIDE {
                common = common.min(rows[r].0.len());
            }
            let mut sums = [T::ZERO; SIDE];
            // SAFETY: `common` and the lengths bound the places, the two parts of a row have one length, and column numbers
            // are below the number of lines.
            unsafe {
                for at in 0..common {
                    for r in 0..SIDE {
                        let x = *spread.get_unchecked(*rows[r].0.get_unchecked(at) as usize);
                        sums[r] = S::mul_add(x, *rows[r].1.get_unchecked(at), sums[r]);
                    }
                }
                for r in 0..SIDE {
                    for at in common..rows[r].0.len() {
                        let x = *spread.get_unchecked(*rows[r].0.get_unchecked(at) as usize);
                        sums[r] = S::mul_add(x, *rows[r].1.get_unchecked(at), sums[r]);
                    }
                }
            }
            for r in 0..count {
                self.sums[k + r] = sums[r] + T::ZERO;
            }
            k += count;
        }
    }

    /// Sums one right row against all left rows into place `k` of the batch.
    #[inline(always)]
    fn column<S: Simd>(&mut self, column: usize, k: usize) {
        let (indices, values) = self.sides.right.row(column);
        let lanes = T::Vector::<S>::LANES;
        let sums = &mut self.sums[k * self.lanes..(k + 1) * self.lanes];
        let spread = self.spread.as_ptr();
        let table: &[u32] = match &self.lines {
            Lines::All => &[],
            Lines::Some(lines) => lines,
        };
        let mut at = 0;
        while at < self.lanes {
            let registers = ((self.lanes - at) / lanes).min(4);
            // SAFETY: lines and columns are inside the spread block, which has `lanes` numbers a line, and `S` is present
            // because `dispatch` chose it.
            unsafe {
                let (from, to) = (spread.add(at), sums.as_mut_ptr().add(at));
                match registers {
                    4 => combine::<S, T, 4>(indices, values, table, from, self.lanes, to),
                    2 => combine::<S, T, 2>(indices, values, table, from, self.lanes, to),
                    _ => combine::<S, T, 1>(indices, values, table, from, self.lanes, to),
                }
            }
            at += lanes * if registers == 3 { 1 } else { registers };
        }
    }
}

/// `Σ value · line(index)` over the stored values of one row, in `REGISTERS` independent chains.
///
/// # Safety
///
/// Lines are `stride` numbers apart and inside valid memory; the instruction set is present.
#[inline(always)]
unsafe fn combine<S: Simd, T: Real, const REGISTERS: usize>(
    indices: &[u32],
    values: &[T],
    table: &[u32],
    spread: *const T,
    stride: usize,
    sums: *mut T,
) {
    // SAFETY: promised by the caller.
    unsafe {
        let mut acc = [T::Vector::<S>::zero(); REGISTERS];
        let mapped = !table.is_empty();
        for (&index, &value) in indices.iter().zip(values) {
            let line = if mapped {
                *table.get_unchecked(index as usize)
            } else {
                index
            };
            let from = spread.add(line as usize * stride);
            let value = T::Vector::<S>::splat(value);
            for r in 0..REGISTERS {
                let x = T::Vector::<S>::load(from.add(r * T::Vector::<S>::LANES));
                acc[r] = x.mul_add(value, acc[r]);
            }
        }
        for r in 0..REGISTERS {
            // Adding zero turns minus zero, an underflow, into zero, whichever row is on the left.
            acc[r]
                .add(T::Vector::<S>::zero())
                .store(sums.add(r * T::Vector::<S>::LANES));
        }
    }
}

/// Sums of absolute differences by merging two rows; the kernel is applied per row.
struct L1<'a, T> {
    sides: &'a Sides<'a, T>,
    rows: &'a Rows<'a>,
    columns: &'a Rows<'a>,
    place: Place<'a, T>,
}

impl<T: Real> Kernel for L1<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let n = self.columns.len();
        let mut values = [T::ZERO; 32];
        for i in 0..self.rows.len() {
            let x = self.sides.left.row(self.rows.get(i));
            let mut start = 0;
            while start < n {
                let batch = start..(start + T::PANEL).min(n);
                for (k, place) in batch.clone().enumerate() {
                    values[k] = l1(x, self.sides.right.row(self.columns.get(place)));
                }
                let to = self
                    .place
                    .out
                    .at(self.place.row + i, self.place.column + start);
                self.sides.finish::<S>(
                    &mut values[..T::PANEL],
                    self.rows.get(i),
                    self.columns,
                    batch.clone(),
                    &[],
                    to,
                );
                start = batch.end;
            }
        }
    }
}

/// `Σ |x - z|` over the union of the columns, in ascending order.
fn l1<T: Real>(x: (&[u32], &[T]), z: (&[u32], &[T])) -> T {
    let (mut a, mut b, mut sum) = (0, 0, T::ZERO);
    while a < x.0.len() && b < z.0.len() {
        let (i, j) = (x.0[a], z.0[b]);
        let left = if i <= j { x.1[a] } else { T::ZERO };
        let right = if j <= i { z.1[b] } else { T::ZERO };
        sum += (left - right).abs();
        a += usize::from(i <= j);
        b += usize::from(j <= i);
    }
    let rest = x.1[a..].iter().chain(&z.1[b..]);
    rest.fold(sum, |sum, value| sum + value.abs())
}
