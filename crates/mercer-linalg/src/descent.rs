//! Passes of a solver that moves two variables of a quadratic problem at a time.
//!
//! Minus the gradient is a slice of residuals in double precision; masks of zeros and infinities say which variables may
//! move which way. Every pass goes over whole groups of [`GROUP`] places, which the compiler turns into vector registers;
//! callers pad their slices with places that may not move.

use crate::real::Real;
use crate::simd::{Kernel, Simd, dispatch};

/// Slices of the passes have a multiple of this length.
pub const GROUP: usize = 16;

/// The residuals that decide about the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremes {
    /// Place of the largest residual among variables that may rise; the first one of equals.
    pub rising: Option<usize>,
    /// That residual, or minus infinity.
    pub up: f64,
    /// The smallest residual among variables that may fall, or infinity.
    pub down: f64,
}

/// Running extremes, one set a lane.
struct Lanes {
    up: [f64; GROUP],
    place: [u64; GROUP],
    down: [f64; GROUP],
}

impl Lanes {
    const NOWHERE: u64 = u64::MAX;

    #[inline(always)]
    fn new() -> Self {
        Self {
            up: [f64::NEG_INFINITY; GROUP],
            place: [Self::NOWHERE; GROUP],
            down: [f64::INFINITY; GROUP],
        }
    }

    #[inline(always)]
    fn look(&mut self, start: usize, f: &[f64; GROUP], rise: &[f64; GROUP], fall: &[f64; GROUP]) {
        for lane in 0..GROUP {
            let high = f[lane] + rise[lane];
            let better = high > self.up[lane];
            self.up[lane] = if better { high } else { self.up[lane] };
            self.place[lane] = if better {
                start as u64
            } else {
                self.place[lane]
            };
        }
        for lane in 0..GROUP {
            let low = f[lane] + fall[lane];
            self.down[lane] = if low < self.down[lane] {
                low
            } else {
                self.down[lane]
            };
        }
    }

    #[inline(always)]
    fn join(&self) -> Extremes {
        let (rising, up) = first_largest(&self.up, &self.place);
        let down = self.down.iter().fold(f64::INFINITY, |a, &b| a.min(b));
        Extremes { rising, up, down }
    }
}

/// The largest of the lanes and its place; the first place of equals.
#[inline(always)]
fn first_largest(best: &[f64; GROUP], place: &[u64; GROUP]) -> (Option<usize>, f64) {
    let mut winner = (None, f64::NEG_INFINITY);
    for lane in 0..GROUP {
        if place[lane] == Lanes::NOWHERE {
            continue;
        }
        let at = place[lane] as usize + lane;
        let wins = best[lane] > winner.1
            || (best[lane] == winner.1 && winner.0.is_none_or(|other| at < other));
        if wins {
            winner = (Some(at), best[lane]);
        }
    }
    winner
}

struct Scan<'a> {
    f: &'a [f64],
    rise: &'a [f64],
    fall: &'a [f64],
}

impl Kernel for Scan<'_> {
    type Output = Extremes;

    #[inline(always)]
    fn run<S: Simd>(self) -> Extremes {
        let mut lanes = Lanes::new();
        let (f, rise, fall) = (
            self.f.as_chunks().0,
            self.rise.as_chunks().0,
            self.fall.as_chunks().0,
        );
        for at in 0..f.len() {
            lanes.look(at * GROUP, &f[at], &rise[at], &fall[at]);
        }
        lanes.join()
    }
}

/// Finds the extremes of residuals; masks are 0 where a move is allowed, otherwise −∞ (rise) and +∞ (fall).
///
/// # Panics
///
/// When lengths differ or are no multiple of [`GROUP`].
pub fn extremes(f: &[f64], rise: &[f64], fall: &[f64]) -> Extremes {
    check(f.len(), [rise.len(), fall.len()]);
    dispatch(Scan { f, rise, fall })
}

fn check<const N: usize>(length: usize, others: [usize; N]) {
    assert!(length.is_multiple_of(GROUP), "length {length}");
    assert!(others.iter().all(|&other| other == length), "lengths");
}

struct Shift<'a, T> {
    f: &'a mut [f64],
    first: (f64, &'a [T]),
    second: (f64, &'a [T]),
    rise: &'a [f64],
    fall: &'a [f64],
}

impl<T: Real> Kernel for Shift<'_, T> {
    type Output = Extremes;

    #[inline(always)]
    fn run<S: Simd>(self) -> Extremes {
        let mut lanes = Lanes::new();
        let (a, b) = (-self.first.0, -self.second.0);
        let (x, z) = (
            self.first.1.as_chunks::<GROUP>().0,
            self.second.1.as_chunks::<GROUP>().0,
        );
        let (rise, fall) = (self.rise.as_chunks().0, self.fall.as_chunks().0);
        let f = self.f.as_chunks_mut::<GROUP>().0;
        for at in 0..f.len() {
            let (f, x, z) = (&mut f[at], &x[at], &z[at]);
            for lane in 0..GROUP {
                let moved = S::mul_add(a, x[lane].to_f64(), f[lane]);
                f[lane] = S::mul_add(b, z[lane].to_f64(), moved);
            }
            lanes.look(at * GROUP, f, &rise[at], &fall[at]);
        }
        lanes.join()
    }
}

/// Subtracts two multiples of kernel rows from residuals and finds the extremes in the same pass.
///
/// # Panics
///
/// When lengths differ or are no multiple of [`GROUP`].
pub fn shift_and_scan<T: Real>(
    f: &mut [f64],
    first: (f64, &[T]),
    second: (f64, &[T]),
    rise: &[f64],
    fall: &[f64],
) -> Extremes {
    check(
        f.len(),
        [first.1.len(), second.1.len(), rise.len(), fall.len()],
    );
    dispatch(Shift {
        f,
        first,
        second,
        rise,
        fall,
    })
}

/// What the search for a partner knows about the rising variable.
#[derive(Clone, Copy, Debug)]
pub struct Rising {
    /// Its residual.
    pub residual: f64,
    /// Its diagonal entry of the kernel.
    pub diagonal: f64,
    /// The largest difference of residuals, by which differences are divided: gains stay in the range of `f32`.
    pub widest: f64,
    /// The kernel's scale, by which curvatures are divided.
    pub scale: f64,
    /// Smallest curvature that counts, as a share of the scale.
    pub flat: f64,
}

struct Partner<'a, T> {
    rising: Rising,
    f: &'a [f64],
    fall: &'a [f64],
    diagonal: &'a [f64],
    row: &'a [T],
}

impl<T: Real> Kernel for Partner<'_, T> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Option<usize> {
        let Rising {
            residual,
            diagonal,
            widest,
            scale,
            flat,
        } = self.rising;
        let (shrink, flat) = (1.0 / widest, flat as f32);
        let unit = (1.0 / scale) as f32;
        let own = (diagonal / scale) as f32;
        let mut best = [f32::NEG_INFINITY; GROUP];
        let mut place = [u32::MAX; GROUP];
        let (f, fall) = (
            self.f.as_chunks::<GROUP>().0,
            self.fall.as_chunks::<GROUP>().0,
        );
        let (diagonal, row) = (
            self.diagonal.as_chunks::<GROUP>().0,
            self.row.as_chunks::<GROUP>().0,
        );
        for at in 0..f.len() {
            let (f, fall, diagonal, row) = (&f[at], &fall[at], &diagonal[at], &row[at]);
            let start = (at * GROUP) as u32;
            for lane in 0..GROUP {
                let difference = ((residual - (f[lane] + fall[lane])) * shrink) as f32;
                let other = diagonal[lane] as f32 - 2.0 * row[lane].to_f64() as f32;
                let curvature = S::mul_add(other, unit, own);
                let curvature = if curvature > flat { curvature } else { flat };
                let gain = difference * difference / curvature;
                let gain = if difference > 0.0 {
                    gain
                } else {
                    f32::NEG_INFINITY
                };
                let better = gain > best[lane];
                best[lane] = if better { gain } else { best[lane] };
                place[lane] = if better { start } else { place[lane] };
            }
        }
        let mut winner = (usize::MAX, f32::NEG_INFINITY);
        for lane in 0..GROUP {
            let at = (place[lane] as usize).saturating_add(lane);
            let tie = best[lane] == winner.1 && at < winner.0;
            if place[lane] != u32::MAX && (best[lane] > winner.1 || tie) {
                winner = (at, best[lane]);
            }
        }
        (winner.0 != usize::MAX).then_some(winner.0)
    }
}

/// Finds the variable that promises the largest decrease when it falls while another rises.
///
/// The decrease is `(F_i − F_j)² / (K_ii + K_jj − 2 K_ij)`, compared in single precision: the choice decides about speed,
/// never about the prediction.
///
/// # Panics
///
/// When lengths differ or are no multiple of [`GROUP`].
pub fn best_partner<T: Real>(
    rising: Rising,
    f: &[f64],
    fall: &[f64],
    diagonal: &[f64],
    row: &[T],
) -> Option<usize> {
    check(f.len(), [fall.len(), diagonal.len(), row.len()]);
    dispatch(Partner {
        rising,
        f,
        fall,
        diagonal,
        row,
    })
}

struct AddRows<'a, R> {
    coefficients: &'a [f64],
    row: R,
    out: &'a mut [f64],
}

impl<'r, T: Real, R: Fn(usize) -> &'r [T]> Kernel for AddRows<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let n = self.out.len();
        let count = self.coefficients.len();
        let mut k = 0;
        // Four rows a pass: sums are loaded and stored once for all of them.
        while k + 4 <= count {
            let c = &self.coefficients[k..k + 4];
            let (a, b) = (&(self.row)(k)[..n], &(self.row)(k + 1)[..n]);
            let (d, e) = (&(self.row)(k + 2)[..n], &(self.row)(k + 3)[..n]);
            for j in 0..n {
                let mut sum = S::mul_add(c[0], a[j].to_f64(), self.out[j]);
                sum = S::mul_add(c[1], b[j].to_f64(), sum);
                sum = S::mul_add(c[2], d[j].to_f64(), sum);
                self.out[j] = S::mul_add(c[3], e[j].to_f64(), sum);
            }
            k += 4;
        }
        while k < count {
            let (c, row) = (self.coefficients[k], &(self.row)(k)[..n]);
            for j in 0..n {
                self.out[j] = S::mul_add(c, row[j].to_f64(), self.out[j]);
            }
            k += 1;
        }
    }
}

/// Computes `out += Σ_r coefficients[r] · row(r)` in double precision, adding the rows in order for every column.
///
/// # Panics
///
/// When a row is shorter than `out`.
pub fn add_rows<'r, T: Real>(
    coefficients: &[f64],
    row: impl Fn(usize) -> &'r [T],
    out: &mut [f64],
) {
    dispatch(AddRows {
        coefficients,
        row,
        out,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;
    use crate::simd::tests::on_every_isa;

    fn numbers(n: usize, mut state: u64) -> Vec<f64> {
        (0..n)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                // Few distinct values, so that ties are met.
                ((state >> 60) as f64 - 8.0) / 4.0
            })
            .collect()
    }

    #[test]
    fn passes_agree_with_plain_loops() {
        on_every_isa(|set| {
            for n in [0, 16, 48, 160] {
                let mut f = numbers(n, 1);
                let mask = |seed: u64, value: f64| -> Vec<f64> {
                    let allowed = numbers(n, seed);
                    allowed
                        .iter()
                        .map(|&v| if v > 0.0 { 0.0 } else { value })
                        .collect()
                };
                let (rise, fall) = (mask(2, f64::NEG_INFINITY), mask(3, f64::INFINITY));
                let x: Vec<f32> = numbers(n, 4).iter().map(|&v| v as f32).collect();
                let z: Vec<f32> = numbers(n, 5).iter().map(|&v| v as f32).collect();
                let found = shift_and_scan(&mut f, (0.5, &x), (-0.25, &z), &rise, &fall);
                let plain: Vec<f64> = (0..n)
                    .map(|k| numbers(n, 1)[k] - 0.5 * f64::from(x[k]) + 0.25 * f64::from(z[k]))
                    .collect();
                assert_eq!(f, plain, "{set:?}");
                assert_eq!(found, extremes(&f, &rise, &fall), "{set:?}");
                let up = (0..n)
                    .filter(|&k| rise[k] == 0.0)
                    .map(|k| f[k])
                    .fold(f64::NEG_INFINITY, f64::max);
                let down = (0..n)
                    .filter(|&k| fall[k] == 0.0)
                    .map(|k| f[k])
                    .fold(f64::INFINITY, f64::min);
                assert_eq!((found.up, found.down), (up, down), "{set:?}");
                assert_eq!(
                    found.rising,
                    (0..n).find(|&k| rise[k] == 0.0 && f[k] == up),
                    "{set:?}"
                );
                let Some(i) = found.rising else { continue };
                let diagonal = vec![2.0; n];
                let rising = Rising {
                    residual: f[i],
                    diagonal: 2.0,
                    widest: (up - down).max(1.0),
                    scale: 2.0,
                    flat: 1e-12,
                };
                let partner = best_partner(rising, &f, &fall, &diagonal, &x);
                let gain =
                    |k: usize| (f[i] - f[k]).powi(2) / (4.0 - 2.0 * f64::from(x[k])).max(2e-12);
                let best = (0..n)
                    .filter(|&k| fall[k] == 0.0 && f[k] < f[i])
                    .map(gain)
                    .fold(f64::NEG_INFINITY, f64::max);
                match partner {
                    Some(j) => assert!(gain(j) >= best * (1.0 - 1e-5), "{set:?}"),
                    None => assert_eq!(best, f64::NEG_INFINITY, "{set:?}"),
                }
            }
        });
    }

    #[test]
    fn rows_are_added_in_order() {
        on_every_isa(|set| {
            for (rows, columns) in [(0, 3), (1, 1), (6, 77), (9, 32)] {
                let m = Matrix::from_fn(rows, columns, |i, j| ((i * 7 + j * 3) % 11) as f32);
                let c: Vec<f64> = (0..rows).map(|i| i as f64 - 2.5).collect();
                let mut out = vec![0.5; columns];
                add_rows(&c, |r| m.row(r), &mut out);
                for j in 0..columns {
                    let sum: f64 = (0..rows).map(|i| c[i] * f64::from(m[(i, j)])).sum();
                    assert_eq!(out[j], 0.5 + sum, "{set:?}");
                }
            }
        });
    }
}
