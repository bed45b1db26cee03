//! Sums of columns, in one pass that also finds the largest value.

use crate::matrix::MatrixRef;
use crate::simd::{Kernel, Simd, dispatch};

/// Columns looked at together: an AVX-512 register of `f64`.
const PARTS: usize = 8;

/// Adds `factor · weight · (x − shift)` of every row to the sums of the columns; returns the largest magnitude of an x.
///
/// Rows are added one after the other. A value that is not finite makes the sum of its column so, and is never the largest.
///
/// # Examples
///
/// ```
/// use mercer_linalg::{Matrix, add_column_sums};
///
/// let rows = Matrix::from_vec(2, 2, vec![1.0, -5.0, 3.0, 4.0]);
/// let mut sums = vec![0.0; 2];
/// let largest = add_column_sums(rows.as_ref(), &[1.0, 0.0], None, 0.5, &mut sums);
/// assert_eq!((largest, sums), (5.0, vec![1.0, -0.5]));
/// ```
///
/// # Panics
///
/// When there is not one shift and one sum per column, or one weight per row.
pub fn add_column_sums(
    rows: MatrixRef<'_, f64>,
    shift: &[f64],
    weights: Option<&[f64]>,
    factor: f64,
    sums: &mut [f64],
) -> f64 {
    let width = rows.columns();
    assert_eq!((shift.len(), sums.len()), (width, width), "one per column");
    if let Some(weights) = weights {
        assert_eq!(weights.len(), rows.rows(), "one per row");
    }
    dispatch(ColumnSums {
        rows,
        shift,
        weights,
        factor,
        sums,
    })
}

struct ColumnSums<'a> {
    rows: MatrixRef<'a, f64>,
    shift: &'a [f64],
    weights: Option<&'a [f64]>,
    factor: f64,
    sums: &'a mut [f64],
}

impl Kernel for ColumnSums<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self) -> f64 {
        let (shift, shift_rest) = self.shift.as_chunks::<PARTS>();
        let (sums, sums_rest) = self.sums.as_chunks_mut::<PARTS>();
        let mut most = [0.0_f64; PARTS];
        for row in 0..self.rows.rows() {
            let factor = self.weights.map_or(1.0, |w| w[row]) * self.factor;
            let (line, rest) = self.rows.row(row).as_chunks::<PARTS>();
            for ((x, shift), sum) in line.iter().zip(shift).zip(sums.iter_mut()) {
                for k in 0..PARTS {
                    sum[k] = S::mul_add(factor, x[k] - shift[k], sum[k]);
                    let size = x[k].abs();
                    most[k] = if size > most[k] { size } else { most[k] };
                }
            }
            for (k, ((x, shift), sum)) in
                rest.iter().zip(shift_rest).zip(&mut *sums_rest).enumerate()
            {
                *sum = S::mul_add(factor, x - shift, *sum);
                let size = x.abs();
                most[k] = if size > most[k] { size } else { most[k] };
            }
        }
        most.into_iter().fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;
    use crate::simd::tests::on_every_isa;

    #[test]
    fn sums_of_whole_numbers_are_exact() {
        on_every_isa(|set| {
            for (n, d) in [(1, 1), (3, 8), (5, 19), (7, 0), (0, 3)] {
                let rows = Matrix::from_fn(n, d, |i, j| ((i * 7 + j * 13) % 19) as f64 - 9.0);
                let shift: Vec<f64> = (0..d).map(|j| (j % 3) as f64).collect();
                let weights: Vec<f64> = (0..n).map(|i| (i % 4) as f64).collect();
                for weights in [None, Some(weights.as_slice())] {
                    let mut sums = vec![1.0; d];
                    let most = add_column_sums(rows.as_ref(), &shift, weights, 0.5, &mut sums);
                    for j in 0..d {
                        let of =
                            |i: usize| weights.map_or(1.0, |w| w[i]) * (rows[(i, j)] - shift[j]);
                        let wanted = 1.0 + 0.5 * (0..n).map(of).sum::<f64>();
                        assert_eq!(sums[j], wanted, "{set:?} {n} {j}");
                    }
                    let wanted = rows.as_slice().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
                    assert_eq!(most, wanted, "{set:?} {n}");
                }
            }
        });
    }

    #[test]
    fn what_is_not_finite_is_seen_in_its_sum() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut rows = Matrix::zeros(4, 11);
            rows[(2, 9)] = bad;
            let mut sums = vec![0.0; 11];
            add_column_sums(rows.as_ref(), &[0.0; 11], None, 0.25, &mut sums);
            let finite: Vec<bool> = sums.iter().map(|s| s.is_finite()).collect();
            assert_eq!(finite.iter().filter(|f| !**f).count(), 1, "{bad}");
            assert!(!finite[9], "{bad}");
        }
    }
}
