//! Sums of weights times values, for several lists of weights at once.

#![expect(unsafe_code, reason = "vector registers")]

use std::ops::Range;

use crate::matrix::MatrixRef;
use crate::real::Real;
use crate::simd::{Kernel, Simd, Vector, dispatch};

/// Products added up in one register before the sum goes on in double precision.
const CHAIN: usize = 256;

/// Rows that share a register of weights.
const ROWS: usize = 4;

/// Lists of weights of equal length, interleaved so that all meet a value at once.
#[derive(Clone, Debug)]
pub struct WeightLists<T> {
    lists: usize,
    /// Lists with those that fill the last 64 bytes.
    padded: usize,
    /// `[place][list]`.
    weights: Vec<T>,
}

impl<T: Real> WeightLists<T> {
    /// Interleaves the rows of a matrix.
    pub fn new(lists: MatrixRef<'_, T>) -> Self {
        let padded = lists.rows().next_multiple_of(64 / size_of::<T>());
        let mut weights = vec![T::ZERO; padded * lists.columns()];
        for list in 0..lists.rows() {
            for (place, &weight) in lists.row(list).iter().enumerate() {
                weights[place * padded + list] = weight;
            }
        }
        Self {
            lists: lists.rows(),
            padded,
            weights,
        }
    }

    /// Adds Σ weight·value over a range of places to the sums of every row: from `start` on in
    /// lines of `stride`, one sum per list.
    ///
    /// A sum depends on its row alone: 256 products at a time are added up in `T`, one after
    /// the other, and these sums in double precision.
    ///
    /// # Panics
    ///
    /// When the range leaves the lists, a row has not one value per place, or a sum has no room.
    pub fn add(
        &self,
        places: Range<usize>,
        values: MatrixRef<'_, T>,
        sums: &mut [f64],
        start: usize,
        stride: usize,
    ) {
        assert_eq!(values.columns(), places.len(), "one value per place");
        assert!(places.end * self.padded <= self.weights.len(), "places");
        assert!(start + self.lists <= stride, "room in a line");
        assert!(values.rows() * stride <= sums.len(), "a line per row");
        let weights = &self.weights[places.start * self.padded..places.end * self.padded];
        for first in (0..places.len()).step_by(CHAIN) {
            let part = first..(first + CHAIN).min(places.len());
            dispatch(Add {
                lists: self.lists,
                padded: self.padded,
                weights: &weights[part.start * self.padded..part.end * self.padded],
                values: values.submatrix(0..values.rows(), part),
                sums,
                start,
                stride,
            });
        }
    }
}

struct Add<'a, T> {
    lists: usize,
    padded: usize,
    weights: &'a [T],
    values: MatrixRef<'a, T>,
    sums: &'a mut [f64],
    start: usize,
    stride: usize,
}

impl<T: Real> Kernel for Add<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self) {
        let rows = self.values.rows();
        let whole = rows - rows % ROWS;
        for row in (0..whole).step_by(ROWS) {
            self.block::<S, ROWS>(row);
        }
        for row in whole..rows {
            self.block::<S, 1>(row);
        }
    }
}

impl<T: Real> Add<'_, T> {
    #[inline(always)]
    fn block<S: Simd, const HEIGHT: usize>(&mut self, row: usize) {
        let lanes = T::Vector::<S>::LANES;
        let depth = self.values.columns();
        let mut lines: [&[T]; HEIGHT] = [&[]; HEIGHT];
        for (i, line) in lines.iter_mut().enumerate() {
            *line = self.values.row(row + i);
        }
        for list in (0..self.lists).step_by(lanes) {
            let mut parts = [[T::ZERO; 16]; HEIGHT];
            // SAFETY: a register of weights from `list` on is inside the padded line of every place below `depth`, lines have
            // `depth` values, no register has more than 16 lanes, and `S` is present because `dispatch` chose it.
            unsafe {
                let mut acc = [T::Vector::<S>::zero(); HEIGHT];
                for place in 0..depth {
                    let from = self.weights.as_ptr().add(place * self.padded + list);
                    let weights = T::Vector::<S>::load(from);
                    for i in 0..HEIGHT {
                        let value = T::Vector::<S>::splat(*lines[i].as_ptr().add(place));
                        acc[i] = value.mul_add(weights, acc[i]);
                    }
                }
                for i in 0..HEIGHT {
                    acc[i].store(parts[i].as_mut_ptr());
                }
            }
            let used = lanes.min(self.lists - list);
            for (i, part) in parts.iter().enumerate() {
                let line = (row + i) * self.stride + self.start + list;
                for (sum, part) in self.sums[line..line + used].iter_mut().zip(part) {
                    *sum += part.to_f64();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;

    fn check<T: Real>(tolerance: f64) {
        for lists in [1, 3, 8, 17, 25] {
            let value = |i: usize, j: usize| T::from_f64(((i * 31 + j * 17) as f64).sin());
            let weights = Matrix::from_fn(lists, 700, value);
            let values = Matrix::from_fn(11, 600, |i, j| value(j, i + 5));
            let interleaved = WeightLists::new(weights.as_ref());
            let stride = lists + 2;
            let mut sums = vec![1.0; 11 * stride];
            interleaved.add(50..650, values.as_ref(), &mut sums, 1, stride);
            for row in 0..11 {
                assert_eq!(sums[row * stride], 1.0);
                assert_eq!(sums[row * stride + stride - 1], 1.0);
                let mut alone = vec![1.0; stride];
                let line = values.as_ref().submatrix(row..row + 1, 0..600);
                interleaved.add(50..650, line, &mut alone, 1, stride);
                assert_eq!(alone, sums[row * stride..(row + 1) * stride]);
                for list in 0..lists {
                    let terms = (0..600)
                        .map(|j| weights[(list, 50 + j)].to_f64() * values[(row, j)].to_f64());
                    let expected = 1.0 + terms.sum::<f64>();
                    assert!((alone[1 + list] - expected).abs() < tolerance);
                }
            }
        }
    }

    #[test]
    fn sums_are_right_and_belong_to_their_row() {
        check::<f32>(1e-3);
        check::<f64>(1e-11);
    }
}
