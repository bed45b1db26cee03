//! Singular values with their right vectors.

#![expect(unsafe_code, reason = "operands are raw parts")]

use super::MOST_PASSES;
use super::panel::{Panel, add_times, inner, norm, rotate};
use crate::backend::Raw;
use crate::error::LinalgError;
use crate::real::Real;

/// # Safety
/// As [`crate::backend::Backend::right_svd`].
///
/// Columns are rotated in pairs until all are orthogonal (Hestenes, Journal of the SIAM 6, 1958).
pub(crate) unsafe fn right_svd<T: Real>(
    a: Raw<*const T>,
    values: &mut [T],
    vectors: Raw<*mut T>,
) -> Result<(), LinalgError> {
    // SAFETY: promised by the caller.
    let matrix = unsafe { Panel::read(a) };
    let is_wide = a.columns > a.rows;
    let mut work = if is_wide { matrix.transposed() } else { matrix };
    let size = work.columns;
    let mut turned = Panel::zeros(if is_wide { 0 } else { size }, size);
    if !is_wide {
        for j in 0..size {
            turned.column_mut(j)[j] = T::ONE;
        }
    }
    orthogonalise(&mut work, &mut turned)?;
    let nothing = nothing_of(&work);
    let sizes: Vec<T> = (0..size)
        .map(|j| norm(work.column(j)))
        .map(|size| if size <= nothing { T::ZERO } else { size })
        .collect();
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&i, &j| sizes[j].to_f64().total_cmp(&sizes[i].to_f64()));
    let mut found = Panel::zeros(a.columns, size);
    for (place, &j) in order.iter().enumerate() {
        values[place] = sizes[j];
        if is_wide {
            found.column_mut(place).copy_from_slice(work.column(j));
            normalise(&mut found, place, sizes[j]);
        } else {
            found.column_mut(place).copy_from_slice(turned.column(j));
        }
    }
    // SAFETY: promised by the caller.
    unsafe { found.write(vectors) };
    Ok(())
}

/// The length below which a column is nothing but rounding, and has every angle with others.
fn nothing_of<T: Real>(work: &Panel<T>) -> T {
    let largest = (0..work.columns).fold(T::ZERO, |most, j| {
        let size = norm(work.column(j));
        if size > most { size } else { most }
    });
    T::from_f64(work.rows.max(8) as f64) * T::EPSILON * largest
}

/// Rotates columns until the products of all pairs are rounding; the same is done to `turned`.
fn orthogonalise<T: Real>(work: &mut Panel<T>, turned: &mut Panel<T>) -> Result<(), LinalgError> {
    let two = T::ONE + T::ONE;
    let nothing = nothing_of(work);
    for _ in 0..MOST_PASSES {
        let mut is_done = true;
        for i in 0..work.columns {
            for j in i + 1..work.columns {
                let (x, y) = work.pair(i, j);
                let (sizes, product) = ((norm(x), norm(y)), inner(x, y));
                let bound = T::from_f64(8.0) * T::EPSILON * sizes.0 * sizes.1;
                if product.abs() <= bound || sizes.0 <= nothing || sizes.1 <= nothing {
                    continue;
                }
                is_done = false;
                // tan of the angle that makes the product vanish.
                let cot = (sizes.1 - sizes.0) * (sizes.1 + sizes.0) / (two * product);
                let root = (T::ONE + cot * cot).sqrt();
                let tan = T::ONE
                    / if cot < T::ZERO {
                        cot - root
                    } else {
                        cot + root
                    };
                let c = T::ONE / (T::ONE + tan * tan).sqrt();
                rotate(x, y, c, -(c * tan));
                if turned.rows > 0 {
                    let (x, y) = turned.pair(i, j);
                    rotate(x, y, c, -(c * tan));
                }
            }
        }
        if is_done {
            return Ok(());
        }
    }
    Err(LinalgError::NoConvergence)
}

/// Makes a column one of length 1, orthogonal to those before it where it is zero.
fn normalise<T: Real>(found: &mut Panel<T>, place: usize, size: T) {
    if size > T::ZERO {
        found.column_mut(place).iter_mut().for_each(|v| *v /= size);
        return;
    }
    for axis in 0..found.rows {
        found.column_mut(place).fill(T::ZERO);
        found.column_mut(place)[axis] = T::ONE;
        // Twice is enough.
        for _ in 0..2 {
            for before in 0..place {
                let (known, own) = found.pair(before, place);
                reflect_away(own, known);
            }
        }
        let left = norm(found.column(place));
        if left > T::from_f64(1e-3) {
            found.column_mut(place).iter_mut().for_each(|v| *v /= left);
            return;
        }
    }
}

/// x without its part along a vector of length 1.
fn reflect_away<T: Real>(x: &mut [T], along: &[T]) {
    let part = inner(x, along);
    add_times(x, -part, along);
}
