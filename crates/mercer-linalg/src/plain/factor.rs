//! Cholesky factors and triangular systems.

#![expect(unsafe_code, reason = "operands are raw parts")]

use super::panel::{Panel, add_times};
use crate::backend::Raw;
use crate::real::Real;

/// # Safety
/// As [`crate::backend::Backend::cholesky`].
pub(crate) unsafe fn cholesky<T: Real>(a: Raw<*mut T>) -> Result<(), usize> {
    // SAFETY: promised by the caller.
    let mut factor = unsafe { Panel::read_mut(a) };
    for j in 0..a.rows {
        for k in 0..j {
            let (done, own) = factor.pair(k, j);
            add_times(&mut own[j..], -done[j], &done[j..]);
        }
        let own = &mut factor.column_mut(j)[j..];
        let pivot = own[0];
        if !(pivot > T::ZERO && pivot.is_finite()) {
            return Err(j);
        }
        let root = pivot.sqrt();
        own.iter_mut().for_each(|v| *v /= root);
    }
    // SAFETY: promised by the caller.
    unsafe { factor.write(a) };
    Ok(())
}

/// # Safety
/// As [`crate::backend::Backend::solve_lower`].
pub(crate) unsafe fn solve_lower<T: Real>(l: Raw<*const T>, b: Raw<*mut T>) {
    // SAFETY: promised by the caller.
    let (lower, mut sides) = unsafe { (Panel::read(l), Panel::read_mut(b)) };
    for j in 0..b.columns {
        let x = sides.column_mut(j);
        for i in 0..l.rows {
            let (own, below) = x[i..].split_at_mut(1);
            own[0] /= lower.at(i, i);
            add_times(below, -own[0], &lower.column(i)[i + 1..]);
        }
    }
    // SAFETY: promised by the caller.
    unsafe { sides.write(b) };
}

/// # Safety
/// As [`crate::backend::Backend::solve_upper`].
pub(crate) unsafe fn solve_upper<T: Real>(u: Raw<*const T>, b: Raw<*mut T>) {
    // SAFETY: promised by the caller.
    let (upper, mut sides) = unsafe { (Panel::read(u), Panel::read_mut(b)) };
    for j in 0..b.columns {
        let x = sides.column_mut(j);
        for i in (0..u.rows).rev() {
            let (above, own) = x.split_at_mut(i);
            own[0] /= upper.at(i, i);
            add_times(above, -own[0], &upper.column(i)[..i]);
        }
    }
    // SAFETY: promised by the caller.
    unsafe { sides.write(b) };
}
