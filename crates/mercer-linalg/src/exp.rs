//! Vectorised exponential and hyperbolic tangent.
//!
//! The scalar bodies are branch free, so that the compiler turns a loop over them into vector code; the same body is
//! compiled for AVX-512, for AVX2 with FMA and for the base instruction set. On one machine type the result of an
//! element depends on its value alone, never on its position or on the length of the slice.
//!
//! Method: `x = n ln 2 + r` with `|r| <= ln 2 / 2` (Cody and Waite, *Software Manual for the Elementary Functions*, 1980),
//! `exp(r) = 1 + r + r² q(r)`, and `n` added to the exponent bits. The coefficients of `q` interpolate
//! `(exp(r) - 1 - r) / r²` at the Chebyshev nodes of the interval, computed with 60 digits: relative error 1.1e-8 for
//! degree 4 (`f32`) and 1.7e-17 for degree 9 (`f64`).

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

// The high part of ln 2 has 15 significant bits, so that its product with any n is exact even without FMA.
const LN2_HIGH_32: f32 = 0.693_145_75;
const LN2_LOW_32: f32 = 1.428_606_8e-6;
const Q32: [f32; 5] = [
    0.5,
    0.166_665_77,
    0.041_666_556,
    0.008_363_179,
    0.001_392_618_4,
];
// 1.5 · 2²³: adding it rounds to an integer that stands in the low bits.
const ROUND_32: f32 = 12_582_912.0;

/// `(2^n as bits to add to an exponent, n, exp(r) - 1)`.
#[inline(always)]
fn reduce32<const FUSED: bool>(x: f32) -> (u32, f32, f32) {
    let shifted = madd32::<FUSED>(x, std::f32::consts::LOG2_E, ROUND_32);
    let n = shifted - ROUND_32;
    let r = madd32::<FUSED>(n, -LN2_HIGH_32, x);
    let r = madd32::<FUSED>(n, -LN2_LOW_32, r);
    let mut q = Q32[4];
    q = madd32::<FUSED>(q, r, Q32[3]);
    q = madd32::<FUSED>(q, r, Q32[2]);
    q = madd32::<FUSED>(q, r, Q32[1]);
    q = madd32::<FUSED>(q, r, Q32[0]);
    (shifted.to_bits() << 23, n, madd32::<FUSED>(r * r, q, r))
}

#[inline(always)]
pub(crate) fn exp_f32<const FUSED: bool>(x: f32) -> f32 {
    // ln of the smallest normal and of the largest finite number.
    const LOW: f32 = -87.336_54;
    const HIGH: f32 = 88.722_83;
    let (bits, _, p) = reduce32::<FUSED>(x);
    let y = f32::from_bits((1.0 + p).to_bits().wrapping_add(bits));
    let y = if x < LOW { 0.0 } else { y };
    let y = if x > HIGH { f32::INFINITY } else { y };
    if x.is_nan() { x } else { y }
}

/// `expm1(2|x|) / (expm1(2|x|) + 2)` with the sign of `x`.
#[inline(always)]
pub(crate) fn tanh_f32<const FUSED: bool>(x: f32) -> f32 {
    // tanh(9.02) already rounds to one.
    let a = x.abs();
    let a = if a > 10.0 { 10.0 } else { a };
    let (bits, _, p) = reduce32::<FUSED>(2.0 * a);
    let scale = f32::from_bits(1f32.to_bits().wrapping_add(bits));
    let e = madd32::<FUSED>(scale, p, scale - 1.0);
    let y = e / (e + 2.0);
    if x.is_nan() { x } else { y.copysign(x) }
}

const LN2_HIGH_64: f64 = 0.693_147_180_559_663;
const LN2_LOW_64: f64 = 2.823_529_056_303_157_7e-13;
const Q64: [f64; 10] = [
    0.500_000_000_000_000_1,
    0.166_666_666_666_666_69,
    0.041_666_666_666_624_13,
    0.008_333_333_333_330_062,
    0.001_388_888_891_721_371_7,
    0.000_198_412_698_630_536_56,
    2.480_152_129_595_435_6e-5,
    2.755_726_845_994_680_5e-6,
    2.762_008_844_541_941_3e-7,
    2.510_038_551_642_845_7e-8,
];
const ROUND_64: f64 = 6_755_399_441_055_744.0;

#[inline(always)]
fn reduce64<const FUSED: bool>(x: f64) -> (u64, f64, f64) {
    let shifted = madd64::<FUSED>(x, std::f64::consts::LOG2_E, ROUND_64);
    let n = shifted - ROUND_64;
    let r = madd64::<FUSED>(n, -LN2_HIGH_64, x);
    let r = madd64::<FUSED>(n, -LN2_LOW_64, r);
    let mut q = Q64[9];
    let mut term = 9;
    while term > 0 {
        term -= 1;
        q = madd64::<FUSED>(q, r, Q64[term]);
    }
    (shifted.to_bits() << 52, n, madd64::<FUSED>(r * r, q, r))
}

#[inline(always)]
pub(crate) fn exp_f64<const FUSED: bool>(x: f64) -> f64 {
    const LOW: f64 = -708.396_418_532_264_1;
    const HIGH: f64 = 709.782_712_893_384;
    let (bits, _, p) = reduce64::<FUSED>(x);
    let y = f64::from_bits((1.0 + p).to_bits().wrapping_add(bits));
    let y = if x < LOW { 0.0 } else { y };
    let y = if x > HIGH { f64::INFINITY } else { y };
    if x.is_nan() { x } else { y }
}

/// `expm1(2|x|) / (expm1(2|x|) + 2)` with the sign of `x`.
#[inline(always)]
pub(crate) fn tanh_f64<const FUSED: bool>(x: f64) -> f64 {
    // tanh(19.06) already rounds to one.
    let a = x.abs();
    let a = if a > 20.0 { 20.0 } else { a };
    let (bits, _, p) = reduce64::<FUSED>(2.0 * a);
    let scale = f64::from_bits(1f64.to_bits().wrapping_add(bits));
    let e = madd64::<FUSED>(scale, p, scale - 1.0);
    let y = e / (e + 2.0);
    if x.is_nan() { x } else { y.copysign(x) }
}

struct ExpSlice<'a, T>(&'a mut [T]);

impl<T: Real> Kernel for ExpSlice<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        for value in self.0 {
            *value = S::exp(*value);
        }
    }
}

struct TanhSlice<'a, T>(&'a mut [T]);

impl<T: Real> Kernel for TanhSlice<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        for value in self.0 {
            *value = S::tanh(*value);
        }
    }
}

/// Replaces every value by its exponential.
///
/// The error is at most 2 units in the last place. `exp(0)` is exactly 1, `exp(-∞)` is 0, overflow gives infinity, NaN gives
/// NaN. Results below the smallest normal number are flushed to 0.
///
/// # Examples
///
/// ```
/// let mut values = [0.0f32, f32::NEG_INFINITY];
/// mercer_linalg::exp_in_place(&mut values);
/// assert_eq!(values, [1.0, 0.0]);
/// ```
pub fn exp_in_place<T: Real>(values: &mut [T]) {
    dispatch(ExpSlice(values));
}

/// Replaces every value by its hyperbolic tangent.
///
/// The error is at most 4 units in the last place; the function is odd bit for bit; NaN gives NaN.
pub fn tanh_in_place<T: Real>(values: &mut [T]) {
    dispatch(TanhSlice(values));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::tests::on_every_isa;

    #[test]
    fn every_instruction_set_is_accurate() {
        on_every_isa(|set| {
            let inputs: Vec<f64> = (0..50_000).map(|i| -87.0 + f64::from(i) * 3.5e-3).collect();
            let mut single: Vec<f32> = inputs.iter().map(|&x| x as f32).collect();
            let mut double = inputs.clone();
            exp_in_place(&mut single);
            exp_in_place(&mut double);
            for (i, &x) in inputs.iter().enumerate() {
                let wanted = f64::from(x as f32).exp();
                assert!(
                    (f64::from(single[i]) - wanted).abs() <= 2.0 * wanted * f64::from(f32::EPSILON),
                    "{set:?} {x}"
                );
                assert!(
                    (double[i] - x.exp()).abs() <= 2.0 * x.exp() * f64::EPSILON,
                    "{set:?} {x}"
                );
            }
        });
    }
}
