//! The micro-kernel: a few rows against one panel, accumulators in registers.

#![expect(unsafe_code, reason = "vector registers over packed panels")]

use crate::real::Real;
use crate::simd::{Simd, Vector};

/// Length of a block along the columns of the data. Sums inside a block are one chain, and blocks are added in order. The
/// value keeps one block of a panel (32 KiB) in the first-level cache.
pub(crate) const DEPTH: usize = 256;

/// What the micro-kernel sums over the columns of two rows.
pub(crate) trait Accumulate: Copy + Send + Sync {
    /// One term more.
    ///
    /// # Safety
    /// The instruction set of `V` is present.
    unsafe fn step<T: Real, V: Vector<T>>(x: V, z: V, sum: V) -> V;
}

/// `Σ x z`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Products;

impl Accumulate for Products {
    #[inline(always)]
    unsafe fn step<T: Real, V: Vector<T>>(x: V, z: V, sum: V) -> V {
        // SAFETY: promised by the caller.
        unsafe { x.mul_add(z, sum) }
    }
}

/// `Σ |x - z|`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Differences;

impl Accumulate for Differences {
    #[inline(always)]
    unsafe fn step<T: Real, V: Vector<T>>(x: V, z: V, sum: V) -> V {
        // SAFETY: promised by the caller.
        unsafe { sum.add(x.distance(z)) }
    }
}

/// `ROWS` rows against `VECTORS` registers of panel columns.
///
/// `left` holds `[depth][ROWS]`, `right` holds `[depth][PANEL]` from the first of the columns on, `sums` holds rows `PANEL`
/// apart; `first` overwrites the sums, otherwise the block is added to them.
///
/// # Safety
///
/// The memory is valid for those shapes and the instruction set is present.
#[inline(always)]
unsafe fn block<T: Real, V: Vector<T>, A: Accumulate, const ROWS: usize, const VECTORS: usize>(
    depth: usize,
    left: *const T,
    right: *const T,
    sums: *mut T,
    first: bool,
) {
    // SAFETY: promised by the caller.
    unsafe {
        let mut acc = [[V::zero(); VECTORS]; ROWS];
        let (mut left, mut right) = (left, right);
        for _ in 0..depth {
            let mut z = [V::zero(); VECTORS];
            for v in 0..VECTORS {
                z[v] = V::load(right.add(v * V::LANES));
            }
            for i in 0..ROWS {
                let x = V::splat(*left.add(i));
                for v in 0..VECTORS {
                    acc[i][v] = A::step::<T, V>(x, z[v], acc[i][v]);
                }
            }
            left = left.add(ROWS);
            right = right.add(T::PANEL);
        }
        for i in 0..ROWS {
            for v in 0..VECTORS {
                let to = sums.add(i * T::PANEL + v * V::LANES);
                let sum = if first {
                    acc[i][v]
                } else {
                    V::load(to).add(acc[i][v])
                };
                sum.store(to);
            }
        }
    }
}

/// The largest number of rows, at most `rows`, that one call of [`rows_by_panel`] takes.
#[inline(always)]
pub(crate) fn block_rows<S: Simd, T: Real>(rows: usize) -> usize {
    // Registers: 32 of 64 bytes hold 12 by 2 sums; 16 narrower ones hold 6 by 2.
    let wide = T::Vector::<S>::LANES * size_of::<T>() == 64;
    match rows {
        12.. if wide => 12,
        8.. if wide => 8,
        6.. if !wide => 6,
        4.. => 4,
        2.. => 2,
        _ => 1,
    }
}

/// `rows` rows, a value of [`block_rows`], against a whole panel.
///
/// # Safety
///
/// As for the block: valid memory and instruction set.
#[inline(always)]
pub(crate) unsafe fn rows_by_panel<S: Simd, T: Real, A: Accumulate>(
    rows: usize,
    depth: usize,
    left: *const T,
    right: *const T,
    sums: *mut T,
    first: bool,
) {
    let lanes = T::Vector::<S>::LANES;
    let wide = lanes * size_of::<T>() == 64;
    let mut column = 0;
    while column < T::PANEL {
        // SAFETY: the part of the panel from `column` on has two registers left, and the rest is promised by the caller.
        unsafe {
            let (right, sums) = (right.add(column), sums.add(column));
            match rows {
                12 if wide => block::<T, T::Vector<S>, A, 12, 2>(depth, left, right, sums, first),
                8 if wide => block::<T, T::Vector<S>, A, 8, 2>(depth, left, right, sums, first),
                6 if !wide => block::<T, T::Vector<S>, A, 6, 2>(depth, left, right, sums, first),
                4 => block::<T, T::Vector<S>, A, 4, 2>(depth, left, right, sums, first),
                2 => block::<T, T::Vector<S>, A, 2, 2>(depth, left, right, sums, first),
                _ => block::<T, T::Vector<S>, A, 1, 2>(depth, left, right, sums, first),
            }
        }
        column += 2 * lanes;
    }
}
