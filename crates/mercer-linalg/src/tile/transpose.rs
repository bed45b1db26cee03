//! Transposing four rows by four columns in registers of the base instruction set.

#![expect(unsafe_code, reason = "registers and pointers")]

/// Writes four numbers of four rows as four lines of four.
///
/// # Safety
///
/// Every row has four readable numbers; `to` has four writable numbers in each of four lines `stride` apart.
#[doc(hidden)]
pub trait Transpose: Sized {
    /// See the trait.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn transpose(rows: [*const Self; 4], to: *mut Self, stride: usize);
}

impl Transpose for f32 {
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn transpose(rows: [*const Self; 4], to: *mut Self, stride: usize) {
        use std::arch::x86_64::{
            _mm_loadu_ps, _mm_movehl_ps, _mm_movelh_ps, _mm_storeu_ps, _mm_unpackhi_ps,
            _mm_unpacklo_ps,
        };
        // SAFETY: promised by the caller; SSE is part of x86-64.
        unsafe {
            // Not `map`, which is not inlined here.
            let (a, b) = (_mm_loadu_ps(rows[0]), _mm_loadu_ps(rows[1]));
            let (c, d) = (_mm_loadu_ps(rows[2]), _mm_loadu_ps(rows[3]));
            let (ab, ab_high) = (_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
            let (cd, cd_high) = (_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
            _mm_storeu_ps(to, _mm_movelh_ps(ab, cd));
            _mm_storeu_ps(to.add(stride), _mm_movehl_ps(cd, ab));
            _mm_storeu_ps(to.add(2 * stride), _mm_movelh_ps(ab_high, cd_high));
            _mm_storeu_ps(to.add(3 * stride), _mm_movehl_ps(cd_high, ab_high));
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    unsafe fn transpose(rows: [*const Self; 4], to: *mut Self, stride: usize) {
        // SAFETY: promised by the caller.
        unsafe { one_by_one(rows, to, stride) }
    }
}

impl Transpose for f64 {
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn transpose(rows: [*const Self; 4], to: *mut Self, stride: usize) {
        use std::arch::x86_64::{_mm_loadu_pd, _mm_storeu_pd, _mm_unpackhi_pd, _mm_unpacklo_pd};
        for (i, k) in [(0, 0), (0, 2), (2, 0), (2, 2)] {
            // SAFETY: promised by the caller; SSE2 is part of x86-64.
            unsafe {
                let a = _mm_loadu_pd(rows[i].add(k));
                let b = _mm_loadu_pd(rows[i + 1].add(k));
                _mm_storeu_pd(to.add(k * stride + i), _mm_unpacklo_pd(a, b));
                _mm_storeu_pd(to.add((k + 1) * stride + i), _mm_unpackhi_pd(a, b));
            }
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    unsafe fn transpose(rows: [*const Self; 4], to: *mut Self, stride: usize) {
        // SAFETY: promised by the caller.
        unsafe { one_by_one(rows, to, stride) }
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
unsafe fn one_by_one<T: Copy>(rows: [*const T; 4], to: *mut T, stride: usize) {
    for k in 0..4 {
        for (i, row) in rows.iter().enumerate() {
            // SAFETY: promised by the caller.
            unsafe { *to.add(k * stride + i) = *row.add(k) };
        }
    }
}

/// Writes rows of equal length side by side: `to[k * stride + i] = rows[i][k]`.
///
/// # Panics
///
/// When `to` is too short.
#[inline(always)]
pub(crate) fn interleave<T: Transpose + Copy>(rows: &[&[T]], to: &mut [T], stride: usize) {
    let Some(length) = rows.first().map(|row| row.len()) else {
        return;
    };
    if length == 0 {
        return;
    }
    assert!(to.len() >= (length - 1) * stride + rows.len() && stride >= rows.len());
    assert!(rows.iter().all(|row| row.len() == length));
    let blocks = length / 4 * 4;
    let whole = rows.len() / 4 * 4;
    for i in (0..whole).step_by(4) {
        for k in (0..blocks).step_by(4) {
            // SAFETY: four rows and four columns from here are inside the rows and, as asserted, inside `to`.
            unsafe {
                let from = [
                    rows[i].as_ptr().add(k),
                    rows[i + 1].as_ptr().add(k),
                    rows[i + 2].as_ptr().add(k),
                    rows[i + 3].as_ptr().add(k),
                ];
                T::transpose(from, to.as_mut_ptr().add(k * stride + i), stride);
            }
        }
        for k in blocks..length {
            for (r, row) in rows[i..i + 4].iter().enumerate() {
                to[k * stride + i + r] = row[k];
            }
        }
    }
    for (i, row) in rows.iter().enumerate().skip(whole) {
        for (k, &value) in row.iter().enumerate() {
            to[k * stride + i] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Transpose + Copy + PartialEq + std::fmt::Debug>(number: impl Fn(usize) -> T) {
        for count in 0..14 {
            for length in 0..11 {
                let rows: Vec<Vec<T>> = (0..count)
                    .map(|i| (0..length).map(|k| number(100 * i + k + 1)).collect())
                    .collect();
                let views: Vec<&[T]> = rows.iter().map(Vec::as_slice).collect();
                let mut out = vec![number(0); length * 16];
                interleave(&views, &mut out, 16);
                for k in 0..length {
                    for i in 0..16 {
                        let wanted = if i < count { rows[i][k] } else { number(0) };
                        assert_eq!(out[k * 16 + i], wanted);
                    }
                }
            }
        }
    }

    #[test]
    fn every_remainder() {
        check(|k| k as f32);
        check(|k| k as f64);
    }
}
