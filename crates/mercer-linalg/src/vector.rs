//! Dot products, scaled additions and matrix–vector products with a fixed order of summation.

#![expect(
    unsafe_code,
    reason = "vector registers and disjoint parts of one output"
)]

use crate::gemm::Op;
use crate::matrix::{MatrixMut, MatrixRef};
use crate::par::Par;
use crate::real::Real;
use crate::simd::{Kernel, Simd, Vector, dispatch};

/// Bytes summed side by side in a dot product: four AVX-512 registers, enough to hide the latency of an addition.
const SIDE_BY_SIDE: usize = 256;

struct Dot<'a, T> {
    x: &'a [T],
    y: &'a [T],
}

#[inline(always)]
fn dot_body<S: Simd, T: Real>(x: &[T], y: &[T]) -> T {
    let lanes = T::Vector::<S>::LANES;
    // `W` registers of the widest set; narrower sets use more registers for the same partial sums.
    let width = SIDE_BY_SIDE / size_of::<T>();
    let n = x.len().min(y.len());
    let mut sums = [T::ZERO; 64];
    let blocks = n / width;
    // SAFETY: every load is inside the first `n` values, `width <= 64`, and `S` is present because `dispatch` chose it.
    unsafe {
        let mut part = 0;
        while part < width {
            // Four registers at a time are four independent chains.
            let mut acc = [T::Vector::<S>::zero(); 4];
            for block in 0..blocks {
                for (r, sum) in acc.iter_mut().enumerate() {
                    let at = block * width + part + r * lanes;
                    *sum = T::Vector::<S>::load(x.as_ptr().add(at))
                        .mul_add(T::Vector::<S>::load(y.as_ptr().add(at)), *sum);
                }
            }
            for (r, sum) in acc.iter().enumerate() {
                sum.store(sums.as_mut_ptr().add(part + r * lanes));
            }
            part += 4 * lanes;
        }
    }
    for (lane, at) in (blocks * width..n).enumerate() {
        sums[lane] = S::mul_add(x[at], y[at], sums[lane]);
    }
    let mut half = width / 2;
    while half > 0 {
        for lane in 0..half {
            sums[lane] += sums[lane + half];
        }
        half /= 2;
    }
    sums[0]
}

impl<T: Real> Kernel for Dot<'_, T> {
    type Output = T;

    #[inline(always)]
    fn run<S: Simd>(self) -> T {
        dot_body::<S, T>(self.x, self.y)
    }
}

/// The dot product of two slices.
///
/// The sum is accumulated in `T`: term `k` goes to partial sum `k mod 64` (`f32`) or `k mod 32` (`f64`), and the partial
/// sums are added pairwise, halves first. The order depends on the length alone.
///
/// # Panics
///
/// When the lengths differ.
pub fn dot<T: Real>(x: &[T], y: &[T]) -> T {
    assert_eq!(x.len(), y.len(), "lengths");
    dispatch(Dot { x, y })
}

struct Axpy<'a, T> {
    alpha: T,
    x: &'a [T],
    y: &'a mut [T],
}

#[inline(always)]
fn axpy_body<S: Simd, T: Real>(alpha: T, x: &[T], y: &mut [T]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y = S::mul_add(alpha, x, *y);
    }
}

impl<T: Real> Kernel for Axpy<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        axpy_body::<S, T>(self.alpha, self.x, self.y);
    }
}

/// Computes `y += alpha x`.
///
/// # Panics
///
/// When the lengths differ.
pub fn axpy<T: Real>(alpha: T, x: &[T], y: &mut [T]) {
    assert_eq!(x.len(), y.len(), "lengths");
    dispatch(Axpy { alpha, x, y });
}

/// Rows that are added together.
const FOUR: usize = 4;

struct AddRows<'a, T> {
    factors: &'a [f64],
    rows: &'a [&'a [T]],
    y: &'a mut [f64],
}

impl<T: Real> Kernel for AddRows<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let n = self.y.len();
        let (rows, rows_left) = self.rows.as_chunks::<FOUR>();
        let (factors, factors_left) = self.factors.as_chunks::<FOUR>();
        for (rows, factors) in rows.iter().zip(factors) {
            let [a, b, c, d] = [&rows[0][..n], &rows[1][..n], &rows[2][..n], &rows[3][..n]];
            for (i, y) in self.y.iter_mut().enumerate() {
                let mut sum = S::mul_add(factors[0], a[i].to_f64(), *y);
                sum = S::mul_add(factors[1], b[i].to_f64(), sum);
                sum = S::mul_add(factors[2], c[i].to_f64(), sum);
                *y = S::mul_add(factors[3], d[i].to_f64(), sum);
            }
        }
        for (row, factor) in rows_left.iter().zip(factors_left) {
            for (y, x) in self.y.iter_mut().zip(*row) {
                *y = S::mul_add(*factor, x.to_f64(), *y);
            }
        }
    }
}

/// Computes `y += Σ factor · row`, one row after the other for every entry of `y`.
///
/// # Panics
///
/// When the lengths differ.
pub fn add_rows<T: Real>(factors: &[f64], rows: &[&[T]], y: &mut [f64]) {
    assert_eq!(factors.len(), rows.len(), "a factor per row");
    assert!(rows.iter().all(|row| row.len() == y.len()), "lengths");
    dispatch(AddRows { factors, rows, y });
}

/// Partial sums of a squared distance: one AVX-512 register of `f64`, and short enough for rows of few columns.
const PARTS: usize = 8;

struct SquaredDistance<'a, T> {
    x: &'a [T],
    y: &'a [T],
}

impl<T: Real> Kernel for SquaredDistance<'_, T> {
    type Output = T;

    #[inline(always)]
    fn run<S: Simd>(self) -> T {
        let (x, x_rest) = self.x.as_chunks::<PARTS>();
        let (y, y_rest) = self.y.as_chunks::<PARTS>();
        let mut sums = [T::ZERO; PARTS];
        for (x, y) in x.iter().zip(y) {
            for k in 0..PARTS {
                let difference = x[k] - y[k];
                sums[k] = S::mul_add(difference, difference, sums[k]);
            }
        }
        for (k, (&x, &y)) in x_rest.iter().zip(y_rest).enumerate() {
            let difference = x - y;
            sums[k] = S::mul_add(difference, difference, sums[k]);
        }
        let mut half = PARTS / 2;
        while half > 0 {
            for k in 0..half {
                sums[k] += sums[k + half];
            }
            half /= 2;
        }
        sums[0]
    }
}

/// The squared distance of two points, summed over the squares of differences.
///
/// Unlike the distance of a tile it does not lose digits where the points are near each other and far from zero. The order
/// of the sum depends on the length alone.
///
/// # Panics
///
/// When the lengths differ.
pub fn squared_distance<T: Real>(x: &[T], y: &[T]) -> T {
    assert_eq!(x.len(), y.len(), "lengths");
    dispatch(SquaredDistance { x, y })
}

/// Rows of one task of a matrix–vector product: fixed, because transposed products add the blocks in order.
const BLOCK_ROWS: usize = 1024;

/// Computes `y = alpha op(a) x + beta y`.
///
/// When `beta` is zero, `y` is overwritten, whatever it holds. Results are the same bit for bit for any thread count.
///
/// # Panics
///
/// When the lengths do not agree.
pub fn matvec<T: Real>(
    alpha: T,
    a: MatrixRef<'_, T>,
    op: Op,
    x: &[T],
    beta: T,
    y: &mut [T],
    par: Par,
) {
    let (rows, columns) = match op {
        Op::None => (a.rows(), a.columns()),
        Op::Transpose => (a.columns(), a.rows()),
    };
    assert_eq!((y.len(), x.len()), (rows, columns), "lengths");
    let par = par.if_worth(8.0 * a.rows() as f64 * a.columns() as f64);
    let blocks = a.rows().div_ceil(BLOCK_ROWS);
    let block = |b: usize| b * BLOCK_ROWS..((b + 1) * BLOCK_ROWS).min(a.rows());
    match op {
        Op::None => {
            let mut y = MatrixMut::from_slice(rows, 1, y);
            let out = y.raw();
            par.for_each(blocks, |b| {
                for i in block(b) {
                    let sum = alpha * dot(a.row(i), x);
                    // SAFETY: `i` is below the length of `y`, and only this task owns the block.
                    unsafe {
                        let y = out.at(i, 0);
                        *y = if beta == T::ZERO {
                            sum
                        } else {
                            sum + beta * *y
                        };
                    }
                }
            });
        }
        Op::Transpose => {
            let mut partial = vec![T::ZERO; blocks * rows];
            let mut view = MatrixMut::from_slice(blocks, rows, &mut partial);
            let out = view.raw();
            par.for_each(blocks, |b| {
                // SAFETY: row `b` of the partial sums belongs to this task alone.
                let sums = unsafe { std::slice::from_raw_parts_mut(out.at(b, 0), rows) };
                for i in block(b) {
                    axpy(x[i], a.row(i), sums);
                }
            });
            if beta == T::ZERO {
                y.fill(T::ZERO);
            } else if beta != T::ONE {
                for y in y.iter_mut() {
                    *y *= beta;
                }
            }
            for sums in partial.chunks_exact(rows.max(1)) {
                axpy(alpha, sums, y);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::tests::on_every_isa;

    #[test]
    fn rows_are_added_one_after_the_other() {
        on_every_isa(|set| {
            for count in 0..10 {
                let rows: Vec<Vec<f32>> = (0..count)
                    .map(|r| (0..37).map(|k| (r * 5 + k) as f32 / 7.0).collect())
                    .collect();
                let factors: Vec<f64> = (0..count).map(|r| 1.0 / (3.0 + r as f64)).collect();
                let mut wanted: Vec<f64> = (0..37).map(f64::from).collect();
                let mut found = wanted.clone();
                for (factor, row) in factors.iter().zip(&rows) {
                    let row: Vec<f64> = row.iter().map(|x| f64::from(*x)).collect();
                    axpy(*factor, &row, &mut wanted);
                }
                let rows: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
                add_rows(&factors, &rows, &mut found);
                assert_eq!(found, wanted, "{set:?}");
            }
        });
    }

    #[test]
    fn squared_distances_keep_their_digits_far_from_zero() {
        on_every_isa(|set| {
            for n in [0, 1, 7, 8, 9, 40] {
                let x: Vec<f64> = (0..n).map(|k| 1e9 + k as f64).collect();
                let y: Vec<f64> = (0..n).map(|k| 1e9 + 2.0 * k as f64).collect();
                let wanted: usize = (0..n).map(|k| k * k).sum();
                assert_eq!(squared_distance(&x, &y), wanted as f64, "{set:?}");
                assert_eq!(squared_distance(&x, &x), 0.0, "{set:?}");
            }
        });
    }
}
