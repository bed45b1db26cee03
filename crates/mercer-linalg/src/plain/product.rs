//! Products.

#![expect(unsafe_code, reason = "operands are raw parts")]

use super::panel::{Panel, add_times};
use crate::backend::Raw;
use crate::real::Real;

/// # Safety
/// As [`crate::backend::Backend::matmul`].
pub(crate) unsafe fn matmul<T: Real>(
    c: Raw<*mut T>,
    a: Raw<*const T>,
    b: Raw<*const T>,
    alpha: T,
    replace: bool,
) {
    // SAFETY: promised by the caller.
    let (left, right) = unsafe { (Panel::read(a), Panel::read(b)) };
    let mut sum = if replace {
        Panel::zeros(c.rows, c.columns)
    } else {
        // SAFETY: promised by the caller.
        unsafe { Panel::read_mut(c) }
    };
    for j in 0..c.columns {
        for k in 0..left.columns {
            add_times(sum.column_mut(j), alpha * right.at(k, j), left.column(k));
        }
    }
    // SAFETY: promised by the caller.
    unsafe { sum.write(c) };
}

/// # Safety
/// As [`crate::backend::Backend::add_square`].
pub(crate) unsafe fn add_square<T: Real>(c: Raw<*mut T>, a: Raw<*const T>) {
    // SAFETY: promised by the caller.
    let (mut sum, factor) = unsafe { (Panel::read_mut(c), Panel::read(a)) };
    for k in 0..a.columns {
        let column = factor.column(k);
        for j in 0..c.columns {
            add_times(&mut sum.column_mut(j)[j..], column[j], &column[j..]);
        }
    }
    // SAFETY: promised by the caller.
    unsafe { sum.write(c) };
}
