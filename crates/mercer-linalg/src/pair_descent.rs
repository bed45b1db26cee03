//! Pair descent on a small quadratic problem with a box and one equality.
//!
//! ```text
//! minimise  ½ βᵀKβ − cᵀβ   subject to  low ≤ β ≤ high,  Σβ fixed
//! ```
//!
//! The residual F = c − Kβ is minus the gradient. A step raises the variable with the largest
//! residual among those that may rise and lowers the partner with the largest second-order gain
//! (Fan, Chen, Lin, JMLR 6, 2005). The whole loop is compiled for each instruction set, because a
//! step on a few hundred variables takes less time than choosing a function.

use crate::simd::{Kernel, Simd, dispatch};

/// Variables handled side by side; lengths are padded to a multiple of it.
const LANES: usize = 16;

/// Curvature below this share of the largest diagonal entry counts as this much: entries in
/// single precision are not better than that.
const FLAT: f32 = 1e-7;

/// A small dense quadratic problem; see [`pair_descent`].
#[derive(Debug)]
pub struct PairProblem<'a> {
    /// The matrix K, row by row, each row padded to [`padded`] values.
    pub matrix: &'a [f32],
    /// Lower ends of the box.
    pub low: &'a [f64],
    /// Upper ends of the box.
    pub high: &'a [f64],
}

/// Length of a row of a [`PairProblem`] with this many variables.
pub fn padded(variables: usize) -> usize {
    variables.next_multiple_of(LANES)
}

/// Moves pairs of variables until the largest violation is within the tolerance.
///
/// `residuals` has [`padded`] length and holds F of the start; it is kept up to date in single
/// precision. Returns the number of steps taken, at most `max_steps`. Results depend on the input
/// alone.
///
/// # Panics
///
/// When the lengths do not agree.
pub fn pair_descent(
    problem: &PairProblem<'_>,
    beta: &mut [f64],
    residuals: &mut [f32],
    tolerance: f64,
    max_steps: u64,
) -> u64 {
    let n = beta.len();
    let stride = padded(n);
    assert_eq!(problem.matrix.len(), n * stride, "shape of the matrix");
    assert_eq!((problem.low.len(), problem.high.len()), (n, n), "box");
    assert_eq!(residuals.len(), stride, "residuals");
    if n < 2 {
        return 0;
    }
    dispatch(Descent {
        problem,
        beta,
        residuals,
        tolerance,
        max_steps,
    })
}

struct Descent<'a> {
    problem: &'a PairProblem<'a>,
    beta: &'a mut [f64],
    residuals: &'a mut [f32],
    tolerance: f64,
    max_steps: u64,
}

impl Kernel for Descent<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self) -> u64 {
        let PairProblem { matrix, low, high } = *self.problem;
        let (beta, f) = (self.beta, self.residuals);
        let n = beta.len();
        let stride = f.len();
        let row = |i: usize| &matrix[i * stride..(i + 1) * stride];
        let mut diagonal = vec![1.0f32; stride];
        let mut scale = 0.0f32;
        for i in 0..n {
            diagonal[i] = matrix[i * stride + i];
            scale = scale.max(diagonal[i].abs());
        }
        let flat = FLAT * if scale > 0.0 { scale } else { 1.0 };
        // Added to F they hide variables that must not move that way; padding never moves.
        let mut rise = vec![f32::NEG_INFINITY; stride];
        let mut fall = vec![f32::INFINITY; stride];
        for i in 0..n {
            mark(i, beta[i], low[i], high[i], &mut rise, &mut fall);
        }
        let mut gains = vec![0.0f32; stride];
        let (mut top, mut bottom) = advance::<S>(f, row(0), row(0), 0.0, &rise, &fall);
        let mut steps = 0;
        while f64::from(top) - f64::from(bottom) > self.tolerance && steps < self.max_steps {
            let i = position(f, &rise, top);
            let largest = gain_pass::<S>(
                top,
                diagonal[i],
                row(i),
                &diagonal,
                f,
                &fall,
                flat,
                &mut gains,
            );
            if largest <= 0.0 {
                break;
            }
            let j = position_of(&gains, largest);
            let difference = f64::from(f[i]) - f64::from(f[j]);
            let curvature =
                f64::from(diagonal[i]) + f64::from(diagonal[j]) - 2.0 * f64::from(row(i)[j]);
            let wanted = difference / curvature.max(f64::from(flat));
            let (room_up, room_down) = (high[i] - beta[i], beta[j] - low[j]);
            let length = wanted.min(room_up).min(room_down);
            // Bounds are met exactly, or rounding would leave a variable next to its bound.
            beta[i] = if length == room_up {
                high[i]
            } else {
                beta[i] + length
            };
            beta[j] = if length == room_down {
                low[j]
            } else {
                beta[j] - length
            };
            mark(i, beta[i], low[i], high[i], &mut rise, &mut fall);
            mark(j, beta[j], low[j], high[j], &mut rise, &mut fall);
            (top, bottom) = advance::<S>(f, row(i), row(j), length as f32, &rise, &fall);
            steps += 1;
        }
        steps
    }
}

#[inline(always)]
fn mark(i: usize, beta: f64, low: f64, high: f64, rise: &mut [f32], fall: &mut [f32]) {
    rise[i] = if beta < high { 0.0 } else { f32::NEG_INFINITY };
    fall[i] = if beta > low { 0.0 } else { f32::INFINITY };
}

/// A whole number that orders as the float does; compilers find the largest of whole numbers with
/// vector instructions, but not of floats, which may be NaN.
#[inline(always)]
fn key(value: f32) -> i32 {
    let bits = value.to_bits() as i32;
    bits ^ ((bits >> 31) & i32::MAX)
}

/// The float of a [`key`].
#[inline(always)]
fn from_key(key: i32) -> f32 {
    f32::from_bits((key ^ ((key >> 31) & i32::MAX)) as u32)
}

/// `f -= length (a - b)`; returns the largest F that may rise and the smallest that may fall.
#[inline(always)]
fn advance<S: Simd>(
    f: &mut [f32],
    a: &[f32],
    b: &[f32],
    length: f32,
    rise: &[f32],
    fall: &[f32],
) -> (f32, f32) {
    let (mut top, mut bottom) = (i32::MIN, i32::MAX);
    let values = f.iter_mut().zip(a.iter().zip(b)).zip(rise.iter().zip(fall));
    for ((f, (a, b)), (rise, fall)) in values {
        let value = S::mul_add(-length, a - b, *f);
        *f = value;
        top = top.max(key(value + rise));
        bottom = bottom.min(key(value + fall));
    }
    (from_key(top), from_key(bottom))
}

/// Writes the second-order gain of every partner and returns the largest.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "one pass over parallel arrays")]
fn gain_pass<S: Simd>(
    top: f32,
    own: f32,
    row: &[f32],
    diagonal: &[f32],
    f: &[f32],
    fall: &[f32],
    flat: f32,
    gains: &mut [f32],
) -> f32 {
    let mut best = 0_i32;
    let values = gains
        .iter_mut()
        .zip(row.iter().zip(diagonal))
        .zip(f.iter().zip(fall));
    for ((out, (row, diagonal)), (f, fall)) in values {
        let difference = top - (f + fall);
        let curvature = S::mul_add(-2.0, *row, own + diagonal);
        let curvature = if curvature > flat { curvature } else { flat };
        let gain = difference * difference * reciprocal::<S>(curvature);
        let gain = if difference > 0.0 { gain } else { 0.0 };
        *out = gain;
        // Gains are not negative, so that their bits are in order.
        best = best.max(gain.to_bits() as i32);
    }
    f32::from_bits(best as u32)
}

/// 1/x of a positive number to three digits, without a division: choosing a partner needs no more.
///
/// The exponent is negated on the bits, then one Newton step.
#[inline(always)]
fn reciprocal<S: Simd>(x: f32) -> f32 {
    let guess = f32::from_bits(0x7EF3_11C7_u32.wrapping_sub(x.to_bits()));
    guess * S::mul_add(-x, guess, 2.0)
}

/// First position where `f + mask` has the given value.
#[inline(always)]
fn position(f: &[f32], mask: &[f32], value: f32) -> usize {
    let chunks = f.chunks_exact(LANES).zip(mask.chunks_exact(LANES));
    for (chunk, (f, mask)) in chunks.enumerate() {
        let mut hit = false;
        for lane in 0..LANES {
            hit |= f[lane] + mask[lane] == value;
        }
        if hit {
            for lane in 0..LANES {
                if f[lane] + mask[lane] == value {
                    return chunk * LANES + lane;
                }
            }
        }
    }
    0
}

/// First position of a value.
#[inline(always)]
fn position_of(values: &[f32], value: f32) -> usize {
    for (chunk, values) in values.chunks_exact(LANES).enumerate() {
        let mut hit = false;
        for &v in values {
            hit |= v == value;
        }
        if hit {
            for (lane, &v) in values.iter().enumerate() {
                if v == value {
                    return chunk * LANES + lane;
                }
            }
        }
    }
    0
}

struct Wide<'a> {
    alpha: f64,
    x: &'a [f32],
    y: &'a mut [f64],
}

impl Kernel for Wide<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        for (y, &x) in self.y.iter_mut().zip(self.x) {
            *y = S::mul_add(self.alpha, f64::from(x), *y);
        }
    }
}

/// Computes `y += alpha x` in double precision for `x` in single precision.
///
/// # Panics
///
/// When the lengths differ.
pub fn axpy_wide(alpha: f64, x: &[f32], y: &mut [f64]) {
    assert_eq!(x.len(), y.len(), "lengths");
    dispatch(Wide { alpha, x, y });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::tests::on_every_isa;

    /// Two rows of either sign on a line with a linear kernel plus one.
    fn matrix(points: &[f64]) -> Vec<f32> {
        let stride = padded(points.len());
        let mut k = vec![0.0; points.len() * stride];
        for (i, x) in points.iter().enumerate() {
            for (j, z) in points.iter().enumerate() {
                k[i * stride + j] = (-(x - z) * (x - z)).exp() as f32;
            }
        }
        k
    }

    #[test]
    fn conditions_hold_at_the_end() {
        on_every_isa(|set| {
            let points: Vec<f64> = (0..41).map(|i| f64::from(i) * 0.17).collect();
            let signs: Vec<f64> = (0..41)
                .map(|i| if i * i % 5 < 2 { 1.0 } else { -1.0 })
                .collect();
            let k = matrix(&points);
            let c = 3.0;
            let low: Vec<f64> = signs.iter().map(|s| f64::min(0.0, s * c)).collect();
            let high: Vec<f64> = signs.iter().map(|s| f64::max(0.0, s * c)).collect();
            let mut beta = vec![0.0; 41];
            let mut residuals = vec![0.0f32; padded(41)];
            for (f, s) in residuals.iter_mut().zip(&signs) {
                *f = *s as f32;
            }
            let problem = PairProblem {
                matrix: &k,
                low: &low,
                high: &high,
            };
            let steps = pair_descent(&problem, &mut beta, &mut residuals, 1e-4, 100_000);
            assert!(steps > 10 && steps < 100_000, "{set:?} {steps}");
            assert!(beta.iter().sum::<f64>().abs() < 1e-9);
            let (mut top, mut bottom) = (f64::NEG_INFINITY, f64::INFINITY);
            for i in 0..41 {
                let row = &k[i * padded(41)..];
                let exact: f64 =
                    signs[i] - (0..41).map(|j| f64::from(row[j]) * beta[j]).sum::<f64>();
                if beta[i] < high[i] {
                    top = top.max(exact);
                }
                if beta[i] > low[i] {
                    bottom = bottom.min(exact);
                }
            }
            assert!(top - bottom < 2e-4, "{set:?} {}", top - bottom);
        });
    }

    #[test]
    fn reciprocals_have_two_digits() {
        for i in 1..2000 {
            let x = i as f32 * 0.01;
            let error = reciprocal::<crate::simd::Portable>(x) * x - 1.0;
            assert!(error.abs() < 5e-3, "{x} {error}");
        }
    }
}
