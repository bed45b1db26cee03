//! Tiles of any function of two rows.

#![expect(unsafe_code, reason = "tasks write disjoint rows of one output")]

use crate::matrix::MatrixMut;
use crate::par::Par;
use crate::real::Real;
use crate::tile::dense::DenseRows;
use crate::tile::rows::Rows;

/// Writes `f(row, column)` for `rows` of `left` against `columns` of `right`.
///
/// # Panics
///
/// When a row does not exist or `out` is not `rows.len()` by `columns.len()`.
#[expect(
    clippy::needless_pass_by_value,
    reason = "a choice of rows is small and made for the call"
)]
pub fn pairwise_tile<T: Real>(
    left: &DenseRows<T>,
    rows: Rows<'_>,
    right: &DenseRows<T>,
    columns: Rows<'_>,
    f: impl Fn(&[T], &[T]) -> T + Sync,
    mut out: MatrixMut<'_, T>,
    par: Par,
) {
    rows.check(left.rows());
    columns.check(right.rows());
    let n = columns.len();
    assert_eq!(
        (out.rows(), out.columns()),
        (rows.len(), n),
        "shape of the output"
    );
    let raw = out.raw();
    par.for_each(rows.len(), |r| {
        let x = left.row(rows.get(r));
        // SAFETY: row `r` is inside the output and belongs to this task alone.
        let out = unsafe { std::slice::from_raw_parts_mut(raw.at(r, 0), n) };
        for (c, value) in out.iter_mut().enumerate() {
            *value = f(x, right.row(columns.get(c)));
        }
    });
}
