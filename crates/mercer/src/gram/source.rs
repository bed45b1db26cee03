//! Kernel rows of a subset of bound rows.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use mercer_linalg::{Matrix, MatrixMut, Par, Precision, Real, Rows};

use crate::kernel::{BoundKernel, TileMut};

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

    /// Translates a row of the subset into a row of the bound kernel.
    fn bound_row(&self, i: usize) -> u32 {
        let mut start = 0;
        for span in &self.spans {
            if i < start + span.len() {
                return (span.start + i - start) as u32;
            }
            start += span.len();
        }
        unreachable!("row {i} of a subset of {} rows", self.len)
    }

    /// Writes whole rows of the subset's kernel matrix, one below the other.
    pub fn fill<T: TileElement>(&self, rows: &[u32], out: &mut [T], par: Par) {
        let bound: Vec<u32> = rows.iter().map(|&i| self.bound_row(i as usize)).collect();
        let mut start = 0;
        for span in &self.spans {
            let tile = MatrixMut::from_slice(rows.len(), self.len, out)
                .submatrix(0..rows.len(), start..start + span.len());
            self.kernel.tile(
                Rows::Ids(&bound),
                Rows::Range(span.clone()),
                T::tile(tile),
                par,
            );
            start += span.len();
        }
        self.add_offset(out);
        self.evaluations
            .fetch_add((rows.len() * self.len) as u64, Ordering::Relaxed);
    }

    /// Writes the values of scattered rows against scattered rows of the subset.
    pub fn scattered<T: TileElement>(
        &self,
        rows: &[u32],
        columns: &[u32],
        out: &mut Matrix<T>,
        par: Par,
    ) {
        if rows.is_empty() || columns.is_empty() {
            return;
        }
        let bound_rows: Vec<u32> = rows.iter().map(|&i| self.bound_row(i as usize)).collect();
        let bound_columns: Vec<u32> = columns
            .iter()
            .map(|&i| self.bound_row(i as usize))
            .collect();
        self.kernel.tile(
            Rows::Ids(&bound_rows),
            Rows::Ids(&bound_columns),
            T::tile(out.as_mut()),
            par,
        );
        self.add_offset(out.as_mut_slice());
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

    /// Writes a square block of the subset's matrix lying inside one run on each side.
    pub(super) fn fill_block<T: TileElement>(
        &self,
        rows: Range<usize>,
        out: MatrixMut<'_, T>,
        first_column: usize,
    ) {
        let bound: Vec<u32> = rows.clone().map(|i| self.bound_row(i)).collect();
        let columns = out.columns();
        let wanted = first_column..first_column + columns;
        let mut rest = out;
        let mut start = 0;
        for span in &self.spans {
            let low = wanted.start.max(start);
            let high = wanted.end.min(start + span.len());
            if low < high {
                let tile = rest
                    .reborrow()
                    .submatrix(0..bound.len(), low - first_column..high - first_column);
                self.kernel.tile(
                    Rows::Ids(&bound),
                    Rows::Range(span.start + low - start..span.start + high - start),
                    T::tile(tile),
                    Par::Sequential,
                );
            }
            start += span.len();
        }
        for r in 0..bound.len() {
            self.add_offset(rest.row_mut(r));
        }
        self.evaluations
            .fetch_add((bound.len() * columns) as u64, Ordering::Relaxed);
    }
}

/// Ties the element type of a buffer to the variant of [`TileMut`].
pub trait TileElement: Real {
    /// Wraps a block as a tile of this precision.
    fn tile(block: MatrixMut<'_, Self>) -> TileMut<'_>;
}

impl TileElement for f32 {
    fn tile(block: MatrixMut<'_, Self>) -> TileMut<'_> {
        debug_assert_eq!(Self::PRECISION, Precision::F32);
        TileMut::F32(block)
    }
}

impl TileElement for f64 {
    fn tile(block: MatrixMut<'_, Self>) -> TileMut<'_> {
        TileMut::F64(block)
    }
}
