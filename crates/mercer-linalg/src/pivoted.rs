//! Orthogonal factorisation with column pivoting, which reveals the rank.

use rayon::prelude::*;

use crate::error::LinalgError;
use crate::matrix::Matrix;
use crate::par::{Par, Proceed};
use crate::real::Real;
use crate::upper::Upper;
use crate::vector::{axpy, dot};

/// The factors of `A P = Q R`, with the column of largest remainder next at every step.
///
/// Diagonal entries of R do not grow: where they fall to the rounding of A, the columns that follow are combinations of those
/// before. Every column is reflected by the same operations whatever the thread count.
///
/// # Examples
///
/// ```
/// use mercer_linalg::{Matrix, Par, PivotedQr};
///
/// // The third column is the sum of the others.
/// let columns = Matrix::from_vec(3, 3, vec![1.0_f64, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0]);
/// let mut sides = Matrix::zeros(0, 3);
/// let qr = PivotedQr::factor_while(columns, &mut sides, Par::Sequential, &|| true)?;
/// assert_eq!(qr.order()[0], 2);
/// assert!(qr.upper(0, 0).abs() > 2.0 && qr.upper(2, 2).abs() < 1e-14);
/// # Ok::<(), mercer_linalg::LinalgError>(())
/// ```
///
/// # References
///
/// Businger and Golub, Linear least squares solutions by Householder transformations, 1965; Drmač and Bujanović, On the
/// failure of rank-revealing QR factorization software, 2008, on when remainders are computed anew.
#[derive(Clone, Debug)]
pub struct PivotedQr<T> {
    /// Columns of R, in the order of the pivots.
    columns: Matrix<T>,
    order: Vec<usize>,
}

impl<T: Real> PivotedQr<T> {
    /// Factors a matrix given by columns, one per row of the argument, and replaces every row b of `sides` by Qᵀ b.
    ///
    /// Time at most `4 m n²` operations for n columns of length m, at the speed of memory; in place.
    ///
    /// # Errors
    ///
    /// [`LinalgError::Stopped`] when `proceed` says no.
    ///
    /// # Panics
    ///
    /// When sides and columns differ in length.
    pub fn factor_while(
        mut columns: Matrix<T>,
        sides: &mut Matrix<T>,
        par: Par,
        proceed: Proceed<'_>,
    ) -> Result<Self, LinalgError> {
        let (width, height) = (columns.rows(), columns.columns());
        assert_eq!(sides.columns(), height, "length of the sides");
        let mut order: Vec<usize> = (0..width).collect();
        let mut left: Vec<f64> = (0..width).map(|j| length(columns.row(j))).collect();
        // The lengths from which `left` was worked out.
        let mut exact = left.clone();
        // Below this share of the last exact length, differences of squares have no digits left.
        let fresh = f64::EPSILON.sqrt().max(T::EPSILON.to_f64().sqrt());
        for k in 0..width.min(height) {
            if !proceed() {
                return Err(LinalgError::Stopped);
            }
            let mut pivot = k;
            for j in k + 1..width {
                if left[j] > left[pivot] {
                    pivot = j;
                }
            }
            if pivot != k {
                order.swap(k, pivot);
                left.swap(k, pivot);
                exact.swap(k, pivot);
                swap_rows(&mut columns, k, pivot);
            }
            let (before, after) = columns.as_mut_slice().split_at_mut((k + 1) * height);
            let column = &mut before[k * height + k..];
            let Some(vector) = reflection(column) else {
                left[k + 1..].fill(0.0);
                continue;
            };
            let turn = |side: &mut [T]| {
                let share = -dot(&vector, &side[k..]);
                axpy(share, &vector, &mut side[k..]);
            };
            let update = |((side, left), exact): ((&mut [T], &mut f64), &mut f64)| {
                turn(side);
                let first = side[k].to_f64() / *left;
                let rest = (1.0 - first * first).max(0.0);
                if *left == 0.0 || rest.sqrt() * *left <= fresh * *exact {
                    *left = length(&side[k + 1..]);
                    *exact = *left;
                } else {
                    *left *= rest.sqrt();
                }
            };
            let (left, exact) = (&mut left[k + 1..], &mut exact[k + 1..]);
            let work = 4.0 * (height - k) as f64 * left.len() as f64;
            if par.if_worth(work).threads() == 1 {
                let each = after.chunks_exact_mut(height).zip(left).zip(exact);
                each.for_each(update);
            } else {
                let each = after.par_chunks_exact_mut(height);
                let each = each.zip(left.par_iter_mut()).zip(exact.par_iter_mut());
                each.with_min_len(16).for_each(update);
            }
            for side in 0..sides.rows() {
                turn(sides.row_mut(side));
            }
        }
        Ok(Self { columns, order })
    }

    /// Which column of A stands at each place.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// An entry of R, on or above its diagonal.
    pub fn upper(&self, i: usize, j: usize) -> T {
        self.columns[(j, i)]
    }

    /// The coefficients with which the columns before place `k` make the column there, but for its remainder.
    pub fn combination(&self, k: usize) -> Vec<T> {
        let mut x = self.columns.row(k)[..k].to_vec();
        for l in (0..k).rev() {
            let column = &self.columns.row(l)[..=l];
            x[l] /= column[l];
            let value = -x[l];
            axpy(value, &column[..l], &mut x[..l]);
        }
        x
    }

    /// The leading square of R.
    pub fn leading(&self, order: usize) -> Upper<T> {
        Upper::from_fn(order, |i, j| self.upper(i, j))
    }
}

fn length<T: Real>(values: &[T]) -> f64 {
    dot(values, values).to_f64().sqrt()
}

fn swap_rows<T: Real>(matrix: &mut Matrix<T>, a: usize, b: usize) {
    let width = matrix.columns();
    let (low, high) = (a.min(b), a.max(b));
    let (top, bottom) = matrix.as_mut_slice().split_at_mut(high * width);
    top[low * width..(low + 1) * width].swap_with_slice(&mut bottom[..width]);
}

/// Turns a column into its first entry alone; returns v of `I − v vᵀ`, or `None` for a column of zeros.
fn reflection<T: Real>(column: &mut [T]) -> Option<Vec<T>> {
    let size = T::from_f64(length(column));
    if size.partial_cmp(&T::ZERO) != Some(std::cmp::Ordering::Greater) {
        return None;
    }
    let first = column[0];
    let turned = if first > T::ZERO { -size } else { size };
    let mut vector = column.to_vec();
    vector[0] = first - turned;
    // ‖v‖² = 2 size (size + |first|); of length √2, v vᵀ has the factor 2/‖v‖² in it.
    let scale = T::ONE / (size * (size + first.abs())).sqrt();
    vector.iter_mut().for_each(|v| *v *= scale);
    column.fill(T::ZERO);
    column[0] = turned;
    Some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Op, gemm};

    /// Columns of which only `rank` are independent.
    fn columns(width: usize, height: usize, rank: usize) -> Matrix<f64> {
        let value = |i: usize, j: usize| {
            ((i * 7919 + j * 104_729 + i * j * 1_299_709 + 13) % 1009) as f64 / 504.0 - 1.0
        };
        let left = Matrix::from_fn(width, rank, value);
        let right = Matrix::from_fn(rank, height, |i, j| value(j, i));
        let mut out = Matrix::zeros(width, height);
        gemm(
            1.0,
            left.as_ref(),
            Op::None,
            right.as_ref(),
            Op::None,
            0.0,
            out.as_mut(),
            Par::Sequential,
        );
        out
    }

    #[test]
    fn rank_and_dot_products_are_kept() {
        for (width, height, rank) in [(1, 1, 1), (8, 8, 3), (60, 90, 41), (12, 5, 4), (70, 70, 70)]
        {
            let a = columns(width, height, rank);
            let mut sides = a.select_rows(&[0]);
            let qr = PivotedQr::factor_while(a.clone(), &mut sides, Par::Rayon, &|| true);
            let qr = qr.expect("on");
            let steps = width.min(height);
            let first = qr.upper(0, 0).abs();
            let found = (0..steps).filter(|&k| qr.upper(k, k).abs() > 1e-12 * first);
            assert_eq!(found.count(), rank, "{width} {height}");
            if rank < steps {
                // The first column beyond the rank is the combination it says.
                let mut column = a.row(qr.order()[rank]).to_vec();
                for (share, &j) in qr.combination(rank).iter().zip(qr.order()) {
                    axpy(-share, a.row(j), &mut column);
                }
                assert!(column.iter().all(|v| v.abs() < 1e-10), "{column:?}");
            }
            for k in 1..steps {
                let growth = qr.upper(k, k).abs() / qr.upper(k - 1, k - 1).abs();
                assert!(growth < 1.0 + 1e-6 || k >= rank, "{growth}");
            }
            for (place, &j) in qr.order().iter().enumerate() {
                // Q keeps lengths and the angles to the side.
                let column = qr.columns.row(place);
                let size = dot(a.row(j), a.row(j));
                assert!((dot(column, column) - size).abs() < 1e-11 * size.max(1.0));
                let angle = dot(a.row(j), a.row(0));
                assert!((dot(column, sides.row(0)) - angle).abs() < 1e-11 * size.max(1.0) * 10.0);
            }
        }
    }

    #[test]
    fn threads_change_no_bit_and_zeros_are_no_trouble() {
        let a = columns(200, 300, 150);
        let factor = |par| {
            PivotedQr::factor_while(a.clone(), &mut Matrix::zeros(0, 300), par, &|| true)
                .expect("on")
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(3)
            .build()
            .expect("threads");
        let many = pool.install(|| factor(Par::Rayon));
        let one = factor(Par::Sequential);
        assert_eq!(one.columns, many.columns);
        assert_eq!(one.order, many.order);
        let zeros = Matrix::<f64>::zeros(3, 4);
        let mut sides = Matrix::from_fn(1, 4, |_, i| i as f64);
        let qr = PivotedQr::factor_while(zeros, &mut sides, Par::Sequential, &|| true).expect("on");
        assert_eq!(qr.upper(0, 0), 0.0);
        assert_eq!(sides.row(0), &[0.0, 1.0, 2.0, 3.0]);
    }
}
