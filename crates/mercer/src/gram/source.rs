//! Kernel rows of a subset of bound rows.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::LocalKey;

use mercer_linalg::descent::add_rows;
use mercer_linalg::{MatrixMut, Par, Precision, Real, Rows};
use rayon::prelude::*;

use super::Proceed;
use crate::kernel::{BoundKernel, TileMut};

/// Rows of a block on its way into sums: what one packing of a dense tile takes.
pub(super) const TALL: usize = 96;
/// Columns of such a block: 384 KiB of f32, a third of the second-level cache.
pub(super) const WIDE: usize = 1024;

/// A bound kernel restricted to some runs of its rows, with a constant added.
///
/// Class-sorted data make every class pair two runs, so that one bound kernel serves all
/// pairs without copying rows. The constant is the regularised bias: appending a constant
/// feature 1 to every row adds 1 to every kernel value.
pub struct KernelSource<'a> {
    kernel: &'a dyn BoundKernel,
    spans: Vec<Range<usize>>,
    offset: f64,
    len: usize,
    evaluations: AtomicU64,
}

impl<'a> KernelSource<'a> {
    /// Restricts a kernel to runs of its rows.
    pub fn new(kernel: &'a dyn BoundKernel, spans: Vec<Range<usize>>, offset: f64) -> Self {
        let len = spans.iter().map(ExactSizeIterator::len).sum();
        Self {
            kernel,
            spans,
            offset,
            len,
            evaluations: AtomicU64::new(0),
        }
    }

    /// Uses all rows of a kernel.
    pub fn whole(kernel: &'a dyn BoundKernel, offset: f64) -> Self {
        let all = 0..kernel.len();
        Self::new(kernel, vec![all], offset)
    }

    /// Returns the number of rows of the subset.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the subset is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns how many kernel values were computed.
    pub fn evaluations(&self) -> u64 {
        self.evaluations.load(Ordering::Relaxed)
    }

    /// Bounds the error of an f32 entry, relative to the largest diagonal entry.
    pub(crate) fn rounding_error(&self) -> f64 {
        self.kernel.rounding_error()
    }

    /// Translates rows of the subset into rows of the bound kernel.
    pub(crate) fn bound_rows(&self, rows: &[u32]) -> Vec<u32> {
        let one = |&i: &u32| {
            let mut start = 0;
            for span in &self.spans {
                if (i as usize) < start + span.len() {
                    return (span.start + i as usize - start) as u32;
                }
                start += span.len();
            }
            unreachable!("row {i} of a subset of {} rows", self.len)
        };
        rows.iter().map(one).collect()
    }

    /// Writes some rows against some columns.
    pub fn block<T: TileElement>(
        &self,
        rows: &[u32],
        columns: &[u32],
        mut out: MatrixMut<'_, T>,
        par: Par,
    ) {
        if rows.is_empty() || columns.is_empty() {
            return;
        }
        let (bound_rows, bound_columns) = (self.bound_rows(rows), self.bound_rows(columns));
        self.kernel.tile(
            Rows::Ids(&bound_rows),
            Rows::Ids(&bound_columns),
            T::tile(out.reborrow()),
            par,
        );
        self.finish(out);
    }

    /// Adds Σ_k c_k K(r_k, ·) to `out`, every column in the order of k.
    ///
    /// A task owns some columns. It computes blocks that stay in the second-level cache, and
    /// adds them up there. Returns whether all was added.
    pub fn add_rows<T: TileElement>(
        &self,
        rows: &[u32],
        coefficients: &[f64],
        columns: Option<&[u32]>,
        out: &mut [f64],
        par: Par,
        proceed: Proceed<'_>,
    ) -> bool {
        let bound = self.bound_rows(rows);
        let (height, width) = match columns {
            None => (TALL, WIDE),
            // Scattered columns are packed for every block: more rows share that work.
            Some(_) => (WIDE / 2, 2 * TALL),
        };
        let add = |(task, out): (usize, &mut [f64])| {
            let first = task * width;
            let span = first..first + out.len();
            let ids = columns.map(|c| self.bound_rows(&c[span.clone()]));
            with_tile(height.min(bound.len()) * out.len(), |values: &mut [T]| {
                for (rows, c) in bound.chunks(height).zip(coefficients.chunks(height)) {
                    if !proceed() {
                        return;
                    }
                    let values = &mut values[..rows.len() * out.len()];
                    let tile = MatrixMut::from_slice(rows.len(), out.len(), values);
                    match &ids {
                        Some(ids) => self.scattered(rows, ids, tile),
                        None => self.run(rows, span.clone(), tile),
                    }
                    let width = out.len();
                    add_rows(c, |k| &values[k * width..(k + 1) * width], out);
                }
            });
        };
        match par {
            Par::Sequential => out.chunks_mut(width).enumerate().for_each(add),
            Par::Rayon => out.par_chunks_mut(width).enumerate().for_each(add),
        }
        proceed()
    }

    /// Bytes that tasks of [`KernelSource::add_rows`] hold for a subset of `n` rows.
    pub fn summing_bytes<T>(n: usize, par: Par) -> u64 {
        let tasks = n.div_ceil(WIDE).clamp(1, par.threads());
        (tasks * TALL * WIDE.min(n) * size_of::<T>()) as u64
    }

    pub(super) fn scattered<T: TileElement>(
        &self,
        rows: &[u32],
        columns: &[u32],
        mut out: MatrixMut<'_, T>,
    ) {
        let tile = T::tile(out.reborrow());
        self.kernel
            .tile(Rows::Ids(rows), Rows::Ids(columns), tile, Par::Sequential);
        self.finish(out);
    }

    /// Writes rows of the bound kernel against a run of the subset's columns.
    pub(crate) fn run<T: TileElement>(
        &self,
        rows: &[u32],
        columns: Range<usize>,
        mut out: MatrixMut<'_, T>,
    ) {
        let mut start = 0;
        for span in &self.spans {
            let low = columns.start.max(start);
            let high = columns.end.min(start + span.len());
            if low < high {
                let part = low - columns.start..high - columns.start;
                let tile = out.reborrow().submatrix(0..rows.len(), part);
                let bound = span.start + low - start..span.start + high - start;
                self.kernel.tile(
                    Rows::Ids(rows),
                    Rows::Range(bound),
                    T::tile(tile),
                    Par::Sequential,
                );
            }
            start += span.len();
        }
        self.finish(out);
    }

    /// Writes whole rows of the bound kernel, one below the other.
    pub(super) fn rows<T: TileElement>(&self, bound: &[u32], out: &mut [T], par: Par) {
        let mut out = MatrixMut::from_slice(bound.len(), self.len, out);
        let mut start = 0;
        for span in &self.spans {
            let part = start..start + span.len();
            let tile = out.reborrow().submatrix(0..bound.len(), part);
            let columns = Rows::Range(span.clone());
            self.kernel
                .tile(Rows::Ids(bound), columns, T::tile(tile), par);
            start += span.len();
        }
        self.finish(out);
    }

    /// Adds the constant and counts the values.
    fn finish<T: TileElement>(&self, mut out: MatrixMut<'_, T>) {
        if self.offset != 0.0 {
            for row in 0..out.rows() {
                self.add_offset(out.row_mut(row));
            }
        }
        let entries = out.rows() * out.columns();
        self.evaluations
            .fetch_add(entries as u64, Ordering::Relaxed);
    }

    /// Returns the diagonal as rows of precision `T` hold it.
    pub fn diagonal<T: TileElement>(&self) -> Vec<f64> {
        let mut all = vec![0.0; self.kernel.len()];
        self.kernel.diagonal(T::PRECISION, &mut all);
        let mut diagonal: Vec<T> = self
            .spans
            .iter()
            .flat_map(|span| all[span.clone()].iter().map(|&v| T::from_f64(v)))
            .collect();
        self.add_offset(&mut diagonal);
        diagonal.into_iter().map(Real::to_f64).collect()
    }

    fn add_offset<T: Real>(&self, values: &mut [T]) {
        if self.offset != 0.0 {
            let offset = T::from_f64(self.offset);
            for value in values {
                *value += offset;
            }
        }
    }
}

/// Calls `work` with memory that the thread keeps for the next call.
pub(super) fn with_tile<T: TileElement, R>(entries: usize, work: impl FnOnce(&mut [T]) -> R) -> R {
    let mut values = T::spare().take();
    if values.len() < entries {
        values.resize(entries, T::ZERO);
    }
    let result = work(&mut values[..entries]);
    T::spare().set(values);
    result
}

thread_local! {
    static SPARE_SINGLE: Cell<Vec<f32>> = const { Cell::new(Vec::new()) };
    static SPARE_DOUBLE: Cell<Vec<f64>> = const { Cell::new(Vec::new()) };
}

/// Ties the element type of a buffer to the variant of [`TileMut`].
pub trait TileElement: Real {
    /// Wraps a block as a tile of this precision.
    fn tile(block: MatrixMut<'_, Self>) -> TileMut<'_>;

    /// Memory for blocks that the thread keeps.
    fn spare() -> &'static LocalKey<Cell<Vec<Self>>>;
}

impl TileElement for f32 {
    fn tile(block: MatrixMut<'_, Self>) -> TileMut<'_> {
        debug_assert_eq!(Self::PRECISION, Precision::F32);
        TileMut::F32(block)
    }

    fn spare() -> &'static LocalKey<Cell<Vec<Self>>> {
        &SPARE_SINGLE
    }
}

impl TileElement for f64 {
    fn tile(block: MatrixMut<'_, Self>) -> TileMut<'_> {
        TileMut::F64(block)
    }

    fn spare() -> &'static LocalKey<Cell<Vec<Self>>> {
        &SPARE_DOUBLE
    }
}
