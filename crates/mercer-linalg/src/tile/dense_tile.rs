//! Tiles of dense rows.

#![expect(unsafe_code, reason = "packed panels and disjoint parts of one output")]

use std::ops::Range;

use crate::matrix::MatrixMut;
use crate::par::Par;
use crate::raw::RawMatrix;
use crate::real::Real;
use crate::simd::{Kernel, Simd, dispatch};
use crate::tile::buffer::with_scratch;
use crate::tile::dense::{DenseRows, pack_panels_into};
use crate::tile::epilogue::{Epilogue, Prepared, apply};
use crate::tile::micro::{Accumulate, DEPTH, Differences, Products, block_rows, rows_by_panel};
use crate::tile::mirror::mirror;
use crate::tile::pack::pack_left;
use crate::tile::rows::Rows;

/// Left rows of one task: a multiple of every block height; 96 rows of one depth block take 96 KiB in `f32`.
const TASK_ROWS: usize = 96;

/// Panels whose sums wait together when the data have several depth blocks.
const GROUP: usize = 8;

/// Bytes of scattered columns that are packed at a time: for a few rows, what the second-level cache holds; for many, enough
/// columns that packing the rows again for each slab costs little.
fn slab_bytes(rows: usize) -> usize {
    if rows <= 16 { 512 << 10 } else { 4 << 20 }
}

/// Writes the kernel of `rows` of `left` against `columns` of `right`.
///
/// Time: one multiplication and addition per pair of rows and column of the data, plus the kernel function per entry.
/// Columns given as a range use panels that are packed once; scattered columns are packed for the call.
///
/// # Examples
///
/// ```
/// use mercer_linalg::{DenseRows, Epilogue, Matrix, Par, Rows, tile};
///
/// let points = Matrix::from_vec(3, 1, vec![0.0, 3.0, 5.0]);
/// let points = DenseRows::<f32>::new(points.as_ref(), None, None);
/// let mut out = Matrix::zeros(1, 2);
/// tile(&points, Rows::Range(0..1), &points, Rows::Ids(&[2, 1]), &Epilogue::Distance, out.as_mut(), Par::Sequential);
/// assert_eq!(out.as_slice(), &[5.0, 3.0]);
/// ```
///
/// # Panics
///
/// When a row does not exist, the two sides differ in columns, or `out` is not `rows.len()` by `columns.len()`.
#[expect(
    clippy::needless_pass_by_value,
    reason = "a choice of rows is small and made for the call"
)]
pub fn tile<T: Real>(
    left: &DenseRows<T>,
    rows: Rows<'_>,
    right: &DenseRows<T>,
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
    let work = rows.len() as f64 * columns.len() as f64 * (2 * left.columns() + 16) as f64;
    let par = par.if_worth(work);
    let raw = out.raw();
    if let Some(range) = columns.as_range() {
        let sides = Sides {
            left,
            panels: right.panels(par),
            norms: right.padded_norms(),
            epilogue,
            prepared: epilogue.prepare(),
        };
        sides.run(&rows, range, raw, 0, par);
    } else {
        let row_bytes = (right.columns() * size_of::<T>()).max(1);
        let slab = (slab_bytes(rows.len()) / row_bytes / T::PANEL).max(1) * T::PANEL;
        for start in (0..columns.len()).step_by(slab) {
            let columns = columns.slice(start..(start + slab).min(columns.len()));
            let padded = columns.len().div_ceil(T::PANEL) * T::PANEL;
            with_scratch(padded * (right.columns() + 1), |scratch| {
                let (panels, norms) = scratch
                    .as_mut_slice()
                    .split_at_mut(padded * right.columns());
                pack_panels_into(right, &columns, panels, par);
                norms.fill(T::ZERO);
                for (norm, column) in norms.iter_mut().zip(columns.iter()) {
                    *norm = right.squared_norms()[column];
                }
                let sides = Sides {
                    left,
                    panels,
                    norms,
                    epilogue,
                    prepared: epilogue.prepare(),
                };
                sides.run(&rows, 0..columns.len(), raw, start, par);
            });
        }
    }
}

/// Writes the symmetric kernel matrix of all rows, computing half of it.
///
/// Every entry equals that of [`tile`] bit for bit.
///
/// # Panics
///
/// When `out` is not square of the number of rows.
pub fn gram<T: Real>(
    rows: &DenseRows<T>,
    epilogue: &Epilogue,
    mut out: MatrixMut<'_, T>,
    par: Par,
) {
    let n = rows.rows();
    assert_eq!((out.rows(), out.columns()), (n, n), "shape of the output");
    if n == 0 {
        return;
    }
    let par = par.if_worth(n as f64 * n as f64 * (rows.columns() + 8) as f64);
    let sides = Sides {
        left: rows,
        panels: rows.panels(par),
        norms: rows.padded_norms(),
        epilogue,
        prepared: epilogue.prepare(),
    };
    let raw = out.raw();
    // Task 0 is the longest and starts first.
    par.for_each(n.div_ceil(TASK_ROWS), |task| {
        let chunk = task * TASK_ROWS..((task + 1) * TASK_ROWS).min(n);
        sides.chunk(
            &Rows::Range(chunk.clone()),
            chunk.start..n,
            Place {
                out: raw,
                row: chunk.start,
                column: chunk.start,
                mirror_from: Some(chunk.end),
            },
        );
    });
}

/// Where a task writes.
#[derive(Clone, Copy)]
struct Place<'a, T> {
    out: RawMatrix<'a, T>,
    row: usize,
    column: usize,
    /// Output columns from here on are also written transposed.
    mirror_from: Option<usize>,
}

/// The two sides of a tile, ready for the micro-kernel.
struct Sides<'a, T> {
    left: &'a DenseRows<T>,
    panels: &'a [T],
    norms: &'a [T],
    epilogue: &'a Epilogue,
    prepared: Prepared<T>,
}

impl<T: Real> Sides<'_, T> {
    /// All rows against the columns `range` of the panels, to output columns from `column` on.
    fn run(
        &self,
        rows: &Rows<'_>,
        range: Range<usize>,
        out: RawMatrix<'_, T>,
        column: usize,
        par: Par,
    ) {
        let row_tasks = rows.len().div_ceil(TASK_ROWS);
        // Four tasks a thread even out the ends; a task keeps 16 panels, so that packing its rows stays a small part.
        let wanted = if par.threads() == 1 {
            1
        } else {
            (4 * par.threads()).div_ceil(row_tasks)
        };
        let panels = range.end.div_ceil(T::PANEL) - range.start / T::PANEL;
        let width = panels.div_ceil(wanted).max(16) * T::PANEL;
        let origin = range.start / T::PANEL * T::PANEL;
        let column_tasks = (range.end - origin).div_ceil(width);
        par.for_each(row_tasks * column_tasks, |task| {
            let (r, c) = (task / column_tasks, task % column_tasks);
            let first = r * TASK_ROWS;
            let chunk = rows.slice(first..(first + TASK_ROWS).min(rows.len()));
            let start = (origin + c * width).max(range.start);
            let end = (origin + (c + 1) * width).min(range.end);
            self.chunk(
                &chunk,
                start..end,
                Place {
                    out,
                    row: first,
                    column: column + start - range.start,
                    mirror_from: None,
                },
            );
        });
    }

    /// At most [`TASK_ROWS`] rows against a range of panel columns.
    fn chunk(&self, rows: &Rows<'_>, columns: Range<usize>, place: Place<'_, T>) {
        let depth = self.left.columns();
        let waiting = if depth <= DEPTH { 1 } else { GROUP };
        let sums_length = waiting * TASK_ROWS * T::PANEL;
        let mut left_norms = [T::ZERO; TASK_ROWS];
        for (norm, row) in left_norms.iter_mut().zip(rows.iter()) {
            *norm = self.left.squared_norms()[row];
        }
        with_scratch(sums_length + rows.len() * depth, |scratch| {
            let (sums, packed) = scratch.as_mut_slice().split_at_mut(sums_length);
            let chunk = Chunk {
                sides: self,
                rows,
                columns,
                place,
                sums,
                packed,
                left_norms,
            };
            if self.epilogue.is_l1() {
                dispatch(L1Chunk(chunk));
            } else {
                dispatch(chunk);
            }
        });
    }
}

struct Chunk<'a, T> {
    sides: &'a Sides<'a, T>,
    rows: &'a Rows<'a>,
    columns: Range<usize>,
    place: Place<'a, T>,
    sums: &'a mut [T],
    packed: &'a mut [T],
    left_norms: [T; TASK_ROWS],
}

struct L1Chunk<'a, T>(Chunk<'a, T>);

impl<T: Real> Kernel for Chunk<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        self.accumulate::<S, Products>();
    }
}

impl<T: Real> Kernel for L1Chunk<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        self.0.accumulate::<S, Differences>();
    }
}

impl<T: Real> Chunk<'_, T> {
    /// Runs inside the function compiled for `S`; a closure here would not be compiled for it.
    #[inline(always)]
    fn accumulate<S: Simd, A: Accumulate>(mut self) {
        let depth = self.sides.left.columns();
        pack_left::<S, T>(self.sides.left, self.rows, self.packed);
        let last = self.columns.end.div_ceil(T::PANEL);
        let mut group = self.columns.start / T::PANEL;
        while group < last {
            let panels = group..(group + GROUP).min(last);
            if depth <= DEPTH {
                self.shallow::<S, A>(panels.clone());
            } else {
                self.deep::<S, A>(panels.clone());
            }
            if let Some(from) = self.place.mirror_from {
                // Square Grams have panel columns equal to output columns.
                let columns =
                    from.max(panels.start * T::PANEL)..self.columns.end.min(panels.end * T::PANEL);
                let rows = self.place.row..self.place.row + self.rows.len();
                // SAFETY: this task wrote the block, and alone writes its mirror image below the diagonal.
                unsafe { mirror(self.place.out, rows, columns) };
            }
            group = panels.end;
        }
    }

    /// One depth block: sums go from the registers through the first-level cache to the output. A few rows sweep the panels,
    /// so that the output is written in runs.
    #[inline(always)]
    fn shallow<S: Simd, A: Accumulate>(&mut self, panels: Range<usize>) {
        let m = self.rows.len();
        let depth = self.sides.left.columns();
        let mut first = 0;
        while first < m {
            let height = block_rows::<S, T>(m - first);
            for panel in panels.clone() {
                self.prefetch(first, height, panel);
                self.block::<S, A>(first, height, panel, 0..depth, 0);
                for i in 0..height {
                    self.finish::<S>(first + i, panel, i);
                }
            }
            first += height;
        }
    }

    /// Several depth blocks: a block of a panel stays in the first-level cache while all rows meet it, and sums wait.
    #[inline(always)]
    fn deep<S: Simd, A: Accumulate>(&mut self, panels: Range<usize>) {
        let m = self.rows.len();
        let depth = self.sides.left.columns();
        for start in (0..depth).step_by(DEPTH) {
            for panel in panels.clone() {
                let mut first = 0;
                while first < m {
                    let height = block_rows::<S, T>(m - first);
                    let slot = (panel - panels.start) * m + first;
                    self.block::<S, A>(first, height, panel, start..depth.min(start + DEPTH), slot);
                    first += height;
                }
            }
        }
        for row in 0..m {
            for panel in panels.clone() {
                self.finish::<S>(row, panel, (panel - panels.start) * m + row);
            }
        }
    }

    /// Adds one depth block of a few rows against one panel to the sums from `slot` on.
    #[inline(always)]
    fn block<S: Simd, A: Accumulate>(
        &mut self,
        first: usize,
        height: usize,
        panel: usize,
        part: Range<usize>,
        slot: usize,
    ) {
        let (m, depth) = (self.rows.len(), self.sides.left.columns());
        let left = &self.packed[part.start * m + first * part.len()..][..height * part.len()];
        let right =
            &self.sides.panels[(panel * depth + part.start) * T::PANEL..][..part.len() * T::PANEL];
        let sums = &mut self.sums[slot * T::PANEL..(slot + height) * T::PANEL];
        // SAFETY: the slices have the shapes of the micro-kernel, and `S` is present because `dispatch` chose it.
        unsafe {
            rows_by_panel::<S, T, A>(
                height,
                part.len(),
                left.as_ptr(),
                right.as_ptr(),
                sums.as_mut_ptr(),
                part.start == 0,
            );
        }
    }

    /// The lanes of a panel that belong to the task, and the output column of the first.
    #[inline(always)]
    fn lanes(&self, panel: usize) -> (Range<usize>, usize) {
        let start = self.columns.start.max(panel * T::PANEL);
        let end = self.columns.end.min((panel + 1) * T::PANEL);
        (
            start - panel * T::PANEL..end - panel * T::PANEL,
            self.place.column + start - self.columns.start,
        )
    }

    /// Applies the kernel to the sums of one row in `slot` and writes them.
    #[inline(always)]
    fn finish<S: Simd>(&mut self, row: usize, panel: usize, slot: usize) {
        let (lanes, column) = self.lanes(panel);
        let values = &mut self.sums[slot * T::PANEL..(slot + 1) * T::PANEL];
        let right = &self.sides.norms[panel * T::PANEL..(panel + 1) * T::PANEL];
        apply::<S, T>(&self.sides.prepared, values, self.left_norms[row], right);
        let to = self.place.out.at(self.place.row + row, column);
        // SAFETY: the row and its columns are inside the output, and this task alone writes them.
        unsafe {
            if lanes.len() == T::PANEL {
                // A constant length: a few registers instead of a call.
                std::ptr::copy_nonoverlapping(values.as_ptr(), to, T::PANEL);
            } else {
                let from = values.as_ptr().add(lanes.start);
                std::ptr::copy_nonoverlapping(from, to, lanes.len());
            }
        }
    }

    /// Asks for the output lines of a block, which arrive while its sums are computed.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(unused_variables, reason = "other processors fetch on their own")
    )]
    #[inline(always)]
    fn prefetch(&self, first: usize, height: usize, panel: usize) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let (lanes, column) = self.lanes(panel);
            for i in 0..height {
                let to = self.place.out.at(self.place.row + first + i, column);
                // SAFETY: a prefetch never faults; SSE is part of x86-64.
                unsafe {
                    _mm_prefetch::<_MM_HINT_T0>(to.cast());
                    _mm_prefetch::<_MM_HINT_T0>(to.wrapping_add(lanes.len() - 1).cast());
                }
            }
        }
    }
}
