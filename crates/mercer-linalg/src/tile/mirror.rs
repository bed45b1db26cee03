//! Copying a block of a symmetric matrix to the other side of the diagonal.

#![expect(unsafe_code, reason = "tasks write disjoint blocks of one output")]

use std::ops::Range;

use crate::raw::RawMatrix;

/// Copies `out[rows, columns]` transposed to `out[columns, rows]`.
///
/// # Safety
///
/// Both blocks are inside the matrix, do not overlap, and no other task touches them.
#[inline(always)]
pub(crate) unsafe fn mirror<T: Copy>(
    out: RawMatrix<'_, T>,
    rows: Range<usize>,
    columns: Range<usize>,
) {
    // Small blocks: when the stride is a power of two, all lines of a column fall into one set of the cache.
    const BLOCK: usize = 16;
    let mut j0 = columns.start;
    while j0 < columns.end {
        let j1 = (j0 + BLOCK).min(columns.end);
        let mut i0 = rows.start;
        while i0 < rows.end {
            let i1 = (i0 + BLOCK).min(rows.end);
            for j in j0..j1 {
                for i in i0..i1 {
                    // SAFETY: promised by the caller.
                    unsafe { *out.at(j, i) = *out.at(i, j) };
                }
            }
            i0 = i1;
        }
        j0 = j1;
    }
}
