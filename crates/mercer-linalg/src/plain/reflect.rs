//! Householder reflections I − τvvᵀ, and the forms that they bring matrices to.

#![expect(unsafe_code, reason = "operands are raw parts")]

use super::panel::{Panel, add_times, inner, norm};
use crate::backend::Raw;
use crate::real::Real;

/// Makes x the vector v of a reflection I − τvvᵀ that takes x to (β, 0, …), v₀ = 1; returns τ and β.
fn reflection<T: Real>(x: &mut [T]) -> (T, T) {
    let first = x[0];
    if x[1..].iter().all(|v| *v == T::ZERO) {
        x[0] = T::ONE;
        return (T::ZERO, first);
    }
    let size = norm(x);
    let beta = if first > T::ZERO { -size } else { size };
    let below = first - beta;
    x[0] = T::ONE;
    for value in &mut x[1..] {
        *value /= below;
    }
    (-below / beta, beta)
}

/// x − τ(vᵀx)v.
fn reflect_one<T: Real>(x: &mut [T], tau: T, v: &[T]) {
    let along = inner(v, x);
    add_times(x, -tau * along, v);
}

/// # Safety
/// As [`crate::backend::Backend::reflections`]; the coefficients τ are on the diagonal.
pub(crate) unsafe fn reflections<T: Real>(a: Raw<*mut T>, coefficients: Raw<*mut T>) {
    // SAFETY: promised by the caller.
    let mut panel = unsafe { Panel::read_mut(a) };
    let mut square = Panel::zeros(coefficients.rows, coefficients.columns);
    for k in 0..a.rows.min(a.columns) {
        let mut v = panel.column(k)[k..].to_vec();
        let (tau, beta) = reflection(&mut v);
        for j in k + 1..a.columns {
            reflect_one(&mut panel.column_mut(j)[k..], tau, &v);
        }
        v[0] = beta;
        panel.column_mut(k)[k..].copy_from_slice(&v);
        square.column_mut(k)[k] = tau;
    }
    // SAFETY: promised by the caller.
    unsafe {
        panel.write(a);
        square.write(coefficients);
    }
}

/// # Safety
/// As [`crate::backend::Backend::reflect`], of what [`reflections`] wrote.
pub(crate) unsafe fn reflect<T: Real>(
    a: Raw<*const T>,
    coefficients: Raw<*const T>,
    sides: Raw<*mut T>,
    transposed: bool,
) {
    // SAFETY: promised by the caller.
    let (panel, square) = unsafe { (Panel::read(a), Panel::read(coefficients)) };
    // SAFETY: promised by the caller.
    let mut turned = unsafe { Panel::read_mut(sides) };
    let count = a.rows.min(a.columns);
    let order: Vec<usize> = if transposed {
        (0..count).collect()
    } else {
        (0..count).rev().collect()
    };
    for k in order {
        let mut v = panel.column(k)[k..].to_vec();
        v[0] = T::ONE;
        for j in 0..sides.columns {
            reflect_one(&mut turned.column_mut(j)[k..], square.at(k, k), &v);
        }
    }
    // SAFETY: promised by the caller.
    unsafe { turned.write(sides) };
}

/// # Safety
/// As [`crate::backend::Backend::tridiagonalise`].
pub(crate) unsafe fn tridiagonalise<T: Real>(a: Raw<*mut T>, sides: Raw<*mut T>) {
    // SAFETY: promised by the caller.
    let (mut matrix, mut turned) = unsafe { (Panel::read_mut(a), Panel::read_mut(sides)) };
    reduce(&mut matrix, &mut turned);
    // SAFETY: promised by the caller.
    unsafe {
        matrix.write(a);
        turned.write(sides);
    }
}

/// Leaves QᵀAQ in the diagonal and below it, and Qᵀ times the sides.
///
/// With p = τAv and w = p − ½τ(pᵀv)v a reflection from both sides is A − vwᵀ − wvᵀ.
pub(super) fn reduce<T: Real>(matrix: &mut Panel<T>, sides: &mut Panel<T>) {
    let n = matrix.rows;
    for j in 0..n {
        for i in 0..j {
            let lower = matrix.at(j, i);
            matrix.column_mut(j)[i] = lower;
        }
    }
    for k in 0..n.saturating_sub(2) {
        let mut v = matrix.column(k)[k + 1..].to_vec();
        let (tau, beta) = reflection(&mut v);
        let mut w = vec![T::ZERO; v.len()];
        for (j, own) in v.iter().enumerate() {
            add_times(&mut w, tau * *own, &matrix.column(k + 1 + j)[k + 1..]);
        }
        let half = T::from_f64(0.5) * tau * inner(&w, &v);
        add_times(&mut w, -half, &v);
        for j in 0..v.len() {
            let column = &mut matrix.column_mut(k + 1 + j)[k + 1..];
            add_times(column, -w[j], &v);
            add_times(column, -v[j], &w);
        }
        matrix.column_mut(k)[k + 1] = beta;
        for j in 0..sides.columns {
            reflect_one(&mut sides.column_mut(j)[k + 1..], tau, &v);
        }
    }
}
