//! Vectorised cosine and sine.
//!
//! As in `exp`, bodies are branch free and compiled once per instruction set, and the result of an element depends on
//! its value alone. Method: `x = n π/2 + r` with `|r| <= π/4`, π/2 in three parts whose products with `n` are exact
//! (Cody and Waite 1980); `sin r = r + r³ S(r²)`, `cos r = 1 - r²/2 + r⁴ C(r²)`, the quadrant from the low bits of `n`. The
//! coefficients of `S` and `C` interpolate at the Chebyshev nodes of the interval, computed with 60 digits: absolute error
//! 1e-8 for degree 2 (`f32`) and 1e-17 for degree 5 (`f64`). Angles beyond the reach of the three parts are rare
//! and left to the standard library.

use crate::real::Real;
use crate::simd::{Kernel, Simd, dispatch};

#[inline(always)]
fn madd32<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

#[inline(always)]
fn madd64<const FUSED: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

// 8 and 11 significant bits: exact products with n up to 2¹³, which is where `REACH_32` ends.
const HALF_PI_32: [f32; 3] = [1.570_312_5, 4.837_513e-4, 7.549_79e-8];
const S32: [f32; 3] = [-0.166_666_65, 0.008_332_748, -0.000_195_878_66];
const C32: [f32; 3] = [0.041_666_664, -0.001_388_830_3, 2.454_791_7e-5];
const ROUND_32: f32 = 12_582_912.0;
/// Largest angle of the vector body.
pub(crate) const REACH_32: f32 = 1e4;

#[inline(always)]
pub(crate) fn cos_sin_f32<const FUSED: bool>(x: f32) -> (f32, f32) {
    let shifted = madd32::<FUSED>(x, std::f32::consts::FRAC_2_PI, ROUND_32);
    let n = shifted - ROUND_32;
    let r = madd32::<FUSED>(n, -HALF_PI_32[0], x);
    let r = madd32::<FUSED>(n, -HALF_PI_32[1], r);
    let r = madd32::<FUSED>(n, -HALF_PI_32[2], r);
    let s = r * r;
    let p = madd32::<FUSED>(madd32::<FUSED>(S32[2], s, S32[1]), s, S32[0]);
    let sine = madd32::<FUSED>(r * s, p, r);
    let p = madd32::<FUSED>(madd32::<FUSED>(C32[2], s, C32[1]), s, C32[0]);
    let cosine = madd32::<FUSED>(s * s, p, madd32::<FUSED>(s, -0.5, 1.0));
    let quadrant = shifted.to_bits();
    let odd = quadrant & 1 != 0;
    let (c, s) = (
        if odd { sine } else { cosine },
        if odd { cosine } else { sine },
    );
    let turned = (quadrant.wrapping_add(1) & 2) << 30;
    (
        f32::from_bits(c.to_bits() ^ turned),
        f32::from_bits(s.to_bits() ^ ((quadrant & 2) << 30)),
    )
}

// 33 significant bits each: exact products with n up to 2²⁰.
const HALF_PI_64: [f64; 3] = [
    1.570_796_326_734_125_6,
    6.077_100_506_303_966e-11,
    2.022_266_248_795_950_6e-21,
];
const S64: [f64; 6] = [
    -0.166_666_666_666_666_65,
    0.008_333_333_333_330_947,
    -0.000_198_412_698_367_567_73,
    2.755_731_610_161_787_4e-6,
    -2.505_113_165_023_518e-8,
    1.591_811_526_326_597_5e-10,
];
const C64: [f64; 6] = [
    0.041_666_666_666_666_664,
    -0.001_388_888_888_888_739_6,
    2.480_158_729_876_456e-5,
    -2.755_731_727_114_514_6e-7,
    2.087_614_614_655_861e-9,
    -1.138_262_364_747_460_5e-11,
];
const ROUND_64: f64 = 6_755_399_441_055_744.0;
/// Largest angle of the vector body.
pub(crate) const REACH_64: f64 = 1e6;

#[inline(always)]
fn polynomial64<const FUSED: bool>(coefficients: &[f64; 6], s: f64) -> f64 {
    let mut p = coefficients[5];
    let mut term = 5;
    while term > 0 {
        term -= 1;
        p = madd64::<FUSED>(p, s, coefficients[term]);
    }
    p
}

#[inline(always)]
pub(crate) fn cos_sin_f64<const FUSED: bool>(x: f64) -> (f64, f64) {
    let shifted = madd64::<FUSED>(x, std::f64::consts::FRAC_2_PI, ROUND_64);
    let n = shifted - ROUND_64;
    let r = madd64::<FUSED>(n, -HALF_PI_64[0], x);
    let r = madd64::<FUSED>(n, -HALF_PI_64[1], r);
    let r = madd64::<FUSED>(n, -HALF_PI_64[2], r);
    let s = r * r;
    let sine = madd64::<FUSED>(r * s, polynomial64::<FUSED>(&S64, s), r);
    let half = madd64::<FUSED>(s, -0.5, 1.0);
    let cosine = madd64::<FUSED>(s * s, polynomial64::<FUSED>(&C64, s), half);
    let quadrant = shifted.to_bits();
    let odd = quadrant & 1 != 0;
    let (c, s) = (
        if odd { sine } else { cosine },
        if odd { cosine } else { sine },
    );
    let turned = (quadrant.wrapping_add(1) & 2) << 62;
    (
        f64::from_bits(c.to_bits() ^ turned),
        f64::from_bits(s.to_bits() ^ ((quadrant & 2) << 62)),
    )
}

struct Pairs<'a, T> {
    cosines: &'a mut [T],
    sines: &'a mut [T],
    scale: T,
}

impl<T: Real> Kernel for Pairs<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let n = self.cosines.len().min(self.sines.len());
        let (cosines, sines) = (&mut self.cosines[..n], &mut self.sines[..n]);
        for k in 0..n {
            let (c, s) = S::cos_sin(cosines[k]);
            cosines[k] = c * self.scale;
            sines[k] = s * self.scale;
        }
    }
}

struct Shifted<'a, T> {
    angles: &'a mut [T],
    scale: T,
}

impl<T: Real> Kernel for Shifted<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        for angle in self.angles {
            *angle = S::cos_sin(*angle).0 * self.scale;
        }
    }
}

struct Largest<'a, T>(&'a [T]);

impl<T: Real> Kernel for Largest<'_, T> {
    type Output = T;

    #[inline(always)]
    fn run<S: Simd>(self) -> T {
        // Sixteen maxima side by side have no chain between neighbours.
        let (chunks, rest) = self.0.as_chunks::<16>();
        let mut most = [T::ZERO; 16];
        for chunk in chunks {
            for (most, value) in most.iter_mut().zip(chunk) {
                let size = value.abs();
                *most = if size > *most { size } else { *most };
            }
        }
        let all = most.iter().copied().chain(rest.iter().map(|v| v.abs()));
        all.fold(T::ZERO, |most, v| if v > most { v } else { most })
    }
}

/// Angles that the vector body does not reach, with their places.
fn far<T: Real>(angles: &[T]) -> Vec<(usize, f64)> {
    if dispatch(Largest(angles)) <= T::REACH {
        return Vec::new();
    }
    let places = angles.iter().enumerate();
    let far = places.filter(|(_, angle)| angle.abs() > T::REACH);
    far.map(|(place, angle)| (place, angle.to_f64())).collect()
}

/// Replaces angles by `scale` times their cosines, and writes `scale` times their sines.
///
/// The error is at most 2 units in the last place of `scale`; an infinite or missing angle gives NaN.
///
/// # Examples
///
/// ```
/// let (mut cosines, mut sines) = ([0.0f64, 1.0], [0.0; 2]);
/// mercer_linalg::cos_sin_in_place(&mut cosines, &mut sines, 2.0);
/// assert_eq!((cosines[0], sines[0]), (2.0, 0.0));
/// assert!((cosines[1] - 2.0 * 1f64.cos()).abs() < 1e-15);
/// ```
///
/// # Panics
///
/// When the two lists differ in length.
pub fn cos_sin_in_place<T: Real>(cosines: &mut [T], sines: &mut [T], scale: T) {
    assert_eq!(cosines.len(), sines.len(), "a sine for every cosine");
    let far = far(cosines);
    dispatch(Pairs {
        cosines,
        sines,
        scale,
    });
    for (place, angle) in far {
        let (s, c) = angle.sin_cos();
        cosines[place] = T::from_f64(c) * scale;
        sines[place] = T::from_f64(s) * scale;
    }
}

/// Replaces angles by `scale` times the cosine of angle plus offset.
///
/// # Panics
///
/// When the two lists differ in length.
pub fn shifted_cos_in_place<T: Real>(angles: &mut [T], offsets: &[T], scale: T) {
    assert_eq!(angles.len(), offsets.len(), "an offset for every angle");
    for (angle, &offset) in angles.iter_mut().zip(offsets) {
        *angle += offset;
    }
    let far = far(angles);
    dispatch(Shifted { angles, scale });
    for (place, angle) in far {
        angles[place] = T::from_f64(angle.cos()) * scale;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::tests::on_every_isa;

    fn pairs<T: Real>(angles: &[f64]) -> (Vec<T>, Vec<T>, Vec<f64>) {
        let mut cosines: Vec<T> = angles.iter().map(|&x| T::from_f64(x)).collect();
        let exact = cosines.iter().map(|x| x.to_f64()).collect();
        let mut sines = vec![T::ZERO; angles.len()];
        cos_sin_in_place(&mut cosines, &mut sines, T::ONE);
        (cosines, sines, exact)
    }

    fn check<T: Real>(angles: &[f64]) {
        let (cosines, sines, exact) = pairs::<T>(angles);
        let most = 2.0 * T::EPSILON.to_f64();
        for (k, x) in exact.into_iter().enumerate() {
            assert!((cosines[k].to_f64() - x.cos()).abs() <= most, "cos {x}");
            assert!((sines[k].to_f64() - x.sin()).abs() <= most, "sin {x}");
        }
    }

    #[test]
    fn every_instruction_set_is_accurate() {
        on_every_isa(|_| {
            let small: Vec<f64> = (0..60_000).map(|i| -30.0 + f64::from(i) * 1e-3).collect();
            let large: Vec<f64> = (0..60_000).map(|i| (f64::from(i) - 3e4) * 0.333).collect();
            let quarters: Vec<f64> = (-2000..2000)
                .map(|i| f64::from(i) * std::f64::consts::FRAC_PI_4)
                .collect();
            for angles in [small, large, quarters] {
                check::<f32>(&angles);
                check::<f64>(&angles);
            }
            // Beyond the vector body.
            let far: Vec<f64> = (0..200).map(|i| 10f64.powf(f64::from(i) * 0.1)).collect();
            check::<f32>(&far);
            check::<f64>(&far);
        });
    }

    #[test]
    fn small_sines_keep_their_digits() {
        let (_, sines, exact) = pairs::<f64>(&[1e-8, -3e-5, 1e-300, 0.0]);
        for (s, x) in sines.iter().zip(exact) {
            assert!((s - x.sin()).abs() <= 2.0 * f64::EPSILON * x.abs());
        }
    }

    #[test]
    fn what_is_no_angle_has_no_cosine() {
        let mut values = [f64::NAN, f64::INFINITY, 0.0];
        let mut sines = [0.0; 3];
        cos_sin_in_place(&mut values, &mut sines, 1.0);
        assert!(values[0].is_nan() && values[1].is_nan() && sines[1].is_nan());
        assert_eq!((values[2], sines[2]), (1.0, 0.0));
    }

    #[test]
    fn offsets_are_added_before() {
        let mut angles = [0.5f32, 2e4, -1.25];
        shifted_cos_in_place(&mut angles, &[1.0, 0.0, 0.25], 3.0);
        let wanted = [1.5f64, 2e4, -1.0].map(|x| (3.0 * x.cos()) as f32);
        for (found, wanted) in angles.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
        }
    }
}
