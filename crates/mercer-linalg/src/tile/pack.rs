//! Interleaving rows for the micro-kernel.

use crate::real::Real;
use crate::simd::Simd;
use crate::tile::dense::DenseRows;
use crate::tile::micro::{DEPTH, block_rows};
use crate::tile::rows::Rows;
use crate::tile::transpose::interleave;

/// Interleaves up to `PANEL` rows: `[columns][PANEL]`, absent rows as zeros.
#[inline(always)]
pub(crate) fn pack_panel<T: Real>(source: &DenseRows<T>, rows: &Rows<'_>, panel: &mut [T]) {
    // Strips of columns keep the written lines in the first-level cache.
    const STRIP: usize = 64;
    let columns = source.columns();
    if rows.len() < T::PANEL {
        panel.fill(T::ZERO);
    }
    for start in (0..columns).step_by(STRIP) {
        let end = (start + STRIP).min(columns);
        let strip = &mut panel[start * T::PANEL..end * T::PANEL];
        let mut views: [&[T]; 32] = [&[]; 32];
        for lane in 0..rows.len() {
            views[lane] = &source.row(rows.get(lane))[start..end];
        }
        interleave(&views[..rows.len()], strip, T::PANEL);
    }
}

/// Interleaves left rows: for every block of columns, for every block of rows, `[depth][rows of the block]`.
#[inline(always)]
pub(crate) fn pack_left<S: Simd, T: Real>(
    source: &DenseRows<T>,
    rows: &Rows<'_>,
    packed: &mut [T],
) {
    let columns = source.columns();
    let mut rest = packed;
    for start in (0..columns).step_by(DEPTH) {
        let end = (start + DEPTH).min(columns);
        let mut first = 0;
        while first < rows.len() {
            let height = block_rows::<S, T>(rows.len() - first);
            let (block, tail) = rest.split_at_mut(height * (end - start));
            let mut views: [&[T]; 12] = [&[]; 12];
            for i in 0..height {
                views[i] = &source.row(rows.get(first + i))[start..end];
            }
            interleave(&views[..height], block, height);
            rest = tail;
            first += height;
        }
    }
}
