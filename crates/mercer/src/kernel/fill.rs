//! Walks over the rows of a tile, in parallel where that is asked for.

use mercer_linalg::{MatrixMut, Par, Real};

/// Entries below which splitting work costs more than it saves: some 20 microseconds' work.
const SPLIT_ENTRIES: usize = 1 << 13;

/// Calls `write` with the number and the values of every row.
pub(super) fn rows<T: Real>(
    out: MatrixMut<'_, T>,
    par: Par,
    write: &(impl Fn(usize, &mut [T]) + Sync),
) {
    blocks(out, par, 1, &|start, mut block: MatrixMut<'_, T>| {
        for row in 0..block.rows() {
            write(start + row, block.row_mut(row));
        }
    });
}

/// Calls `write` with the number and the values of every row, whose values cost so many products
/// each.
pub(super) fn dear_rows<T: Real>(
    out: MatrixMut<'_, T>,
    par: Par,
    cost: usize,
    write: &(impl Fn(usize, &mut [T]) + Sync),
) {
    let least = match par {
        Par::Sequential => usize::MAX,
        Par::Rayon => (SPLIT_ENTRIES / (out.columns() * cost).max(1)).max(1),
    };
    split(out, 0, least, &|start, mut block: MatrixMut<'_, T>| {
        for row in 0..block.rows() {
            write(start + row, block.row_mut(row));
        }
    });
}

/// Calls `write` with blocks of neighbouring rows and the number of the first one.
///
/// Blocks have at least `least` rows, except for the last one.
pub(super) fn blocks<T: Real>(
    out: MatrixMut<'_, T>,
    par: Par,
    least: usize,
    write: &(impl Fn(usize, MatrixMut<'_, T>) + Sync),
) {
    let least = match par {
        Par::Sequential => usize::MAX,
        Par::Rayon => least.max(SPLIT_ENTRIES / out.columns().max(1)).max(1),
    };
    split(out, 0, least, write);
}

fn split<T: Real>(
    out: MatrixMut<'_, T>,
    start: usize,
    least: usize,
    write: &(impl Fn(usize, MatrixMut<'_, T>) + Sync),
) {
    let rows = out.rows();
    if rows / 2 < least {
        write(start, out);
        return;
    }
    let (first, second) = out.split_at_row(rows / 2);
    rayon::join(
        || split(first, start, least, write),
        || split(second, start + rows / 2, least, write),
    );
}

/// Rounds values to a precision, as a tile of that precision holds them.
pub(super) fn round(values: &mut [f64], precision: mercer_linalg::Precision) {
    if precision == mercer_linalg::Precision::F32 {
        for value in values {
            *value = f64::from(*value as f32);
        }
    }
}
