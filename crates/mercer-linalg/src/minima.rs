//! The two smallest values of every column of a matrix.

use crate::matrix::MatrixRef;
use crate::real::Real;
use crate::simd::{Kernel, Simd, dispatch};

/// Columns looked at together: with three lists of their own they fill the registers of every instruction set.
const SIDE_BY_SIDE: usize = 16;

/// Finds the smallest value of every column, the row where it stands first, and the smallest of the others.
///
/// The second smallest is infinite where there is one row, and equals the smallest where two rows share it. A NaN never is
/// the smallest; a column without a number gives row 0 and two infinities.
///
/// # Panics
///
/// When a list has not one place per column, or there are 2²⁴ rows or more.
pub fn column_minima<T: Real>(
    values: MatrixRef<'_, T>,
    rows: &mut [u32],
    smallest: &mut [T],
    second: &mut [T],
) {
    let n = values.columns();
    assert_eq!(
        (rows.len(), smallest.len(), second.len()),
        (n, n, n),
        "one place per column"
    );
    // Row numbers travel in the lanes of the values, exactly.
    assert!(values.rows() < 1 << 24, "rows");
    dispatch(Minima {
        values,
        rows,
        smallest,
        second,
    });
}

struct Minima<'a, T> {
    values: MatrixRef<'a, T>,
    rows: &'a mut [u32],
    smallest: &'a mut [T],
    second: &'a mut [T],
}

impl<T: Real> Kernel for Minima<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let n = self.values.columns();
        for start in (0..n).step_by(SIDE_BY_SIDE) {
            let width = SIDE_BY_SIDE.min(n - start);
            let mut first = [T::INFINITY; SIDE_BY_SIDE];
            let mut next = [T::INFINITY; SIDE_BY_SIDE];
            let mut place = [T::ZERO; SIDE_BY_SIDE];
            let mut number = T::ZERO;
            for row in 0..self.values.rows() {
                let line = &self.values.row(row)[start..start + width];
                let mut full = [T::INFINITY; SIDE_BY_SIDE];
                let line: &[T; SIDE_BY_SIDE] = if let Ok(line) = line.try_into() {
                    line
                } else {
                    full[..width].copy_from_slice(line);
                    &full
                };
                for k in 0..SIDE_BY_SIDE {
                    let value = line[k];
                    let less = value < first[k];
                    // What is not the smallest may still be the second; so may the one that was the smallest.
                    let other = if less { first[k] } else { value };
                    next[k] = if other < next[k] { other } else { next[k] };
                    place[k] = if less { number } else { place[k] };
                    first[k] = if less { value } else { first[k] };
                }
                number += T::ONE;
            }
            self.smallest[start..start + width].copy_from_slice(&first[..width]);
            self.second[start..start + width].copy_from_slice(&next[..width]);
            for (row, place) in self.rows[start..start + width].iter_mut().zip(place) {
                *row = place.to_f64() as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;
    use crate::simd::tests::on_every_isa;

    fn check<T: Real>(rows: usize, columns: usize) {
        let mut state = 7_u64;
        let values = Matrix::from_fn(rows, columns, |_, _| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            // Few different values, so that there are ties.
            T::from_f64((state >> 60) as f64)
        });
        let mut places = vec![9; columns];
        let (mut smallest, mut second) = (vec![T::ZERO; columns], vec![T::ZERO; columns]);
        column_minima(values.as_ref(), &mut places, &mut smallest, &mut second);
        for j in 0..columns {
            let mut column: Vec<(f64, usize)> =
                (0..rows).map(|i| (values[(i, j)].to_f64(), i)).collect();
            column.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            assert_eq!(smallest[j].to_f64(), column[0].0);
            assert_eq!(places[j] as usize, column[0].1);
            let wanted = column.get(1).map_or(f64::INFINITY, |c| c.0);
            assert_eq!(second[j].to_f64(), wanted);
        }
    }

    #[test]
    fn ties_edges_and_one_row() {
        on_every_isa(|_| {
            for (rows, columns) in [(1, 5), (2, 16), (7, 33), (40, 1), (3, 0)] {
                check::<f32>(rows, columns);
                check::<f64>(rows, columns);
            }
        });
    }

    #[test]
    fn what_is_no_number_is_never_smallest() {
        let nan = f64::NAN;
        let values = Matrix::from_vec(3, 2, vec![nan, nan, 2.0, nan, 1.0, nan]);
        let (mut places, mut smallest, mut second) = ([9; 2], [0.0; 2], [0.0; 2]);
        column_minima(values.as_ref(), &mut places, &mut smallest, &mut second);
        assert_eq!((places, smallest[0], second[0]), ([2, 0], 1.0, 2.0));
        assert_eq!((smallest[1], second[1]), (f64::INFINITY, f64::INFINITY));
    }
}
