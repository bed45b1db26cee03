//! Sums of weights times values, for several lists of weights at once.

#![expect(unsafe_code, reason = "vector registers")]

use std::ops::Range;

use crate::matrix::MatrixRef;
use crate::real::Real;
use crate::simd::{Kernel, Simd, Vector, dispatch};

/// Products added up in one register before the sum goes on in double precision.
const CHAIN: usize = 256;

/// Sums that share a register of weights: eight keep two units busy, sixteen read whole cache lines of values. A machine with fewer
/// registers has no room for those.
const FEW: usize = 8;
const MANY: usize = 16;

/// Places between two computations of an address.
const STEP: usize = 4;

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
    /// Takes the columns of a matrix as lists.
    pub fn of_columns(lists: MatrixRef<'_, T>) -> Self {
        let padded = padded::<T>(lists.columns());
        let mut weights = vec![T::ZERO; padded * lists.rows()];
        for (place, line) in weights.chunks_exact_mut(padded.max(1)).enumerate() {
            line[..lists.columns()].copy_from_slice(lists.row(place));
        }
        Self {
            lists: lists.columns(),
            padded,
            weights,
        }
    }

    /// Interleaves the rows of a matrix.
    pub fn new(lists: MatrixRef<'_, T>) -> Self {
        let padded = padded::<T>(lists.rows());
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
                across: false,
                sums,
                start,
                stride,
            });
        }
    }

    /// Adds Σ weight·value over a range of places to the sums of every column, where a row of values belongs to a
    /// place: lines of one sum per list. It is what [`add`](Self::add) does with the values transposed, bit for bit.
    ///
    /// # Panics
    ///
    /// When the range leaves the lists, there is not one row per place, or a sum has no room.
    pub fn add_across(&self, places: Range<usize>, values: MatrixRef<'_, T>, sums: &mut [f64]) {
        assert_eq!(values.rows(), places.len(), "one row per place");
        assert!(places.end * self.padded <= self.weights.len(), "places");
        assert!(
            values.columns() * self.lists <= sums.len(),
            "a line per column"
        );
        let weights = &self.weights[places.start * self.padded..places.end * self.padded];
        for first in (0..places.len()).step_by(CHAIN) {
            let part = first..(first + CHAIN).min(places.len());
            dispatch(Add {
                lists: self.lists,
                padded: self.padded,
                weights: &weights[part.start * self.padded..part.end * self.padded],
                values: values.submatrix(part, 0..values.columns()),
                across: true,
                sums,
                start: 0,
                stride: self.lists,
            });
        }
    }
}

/// Lists with those that fill the last 64 bytes.
fn padded<T>(lists: usize) -> usize {
    lists.next_multiple_of(64 / size_of::<T>())
}

struct Add<'a, T> {
    lists: usize,
    padded: usize,
    weights: &'a [T],
    values: MatrixRef<'a, T>,
    /// Whether places are the rows of the values.
    across: bool,
    sums: &'a mut [f64],
    start: usize,
    stride: usize,
}

impl<T: Real> Kernel for Add<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self) {
        let count = if self.across {
            self.values.columns()
        } else {
            self.values.rows()
        };
        let mut first = 0;
        if T::Vector::<S>::REGISTERS >= 2 * MANY {
            while first + MANY <= count {
                self.block::<S, MANY>(first);
                first += MANY;
            }
        }
        while first + FEW <= count {
            self.block::<S, FEW>(first);
            first += FEW;
        }
        for first in first..count {
            self.block::<S, 1>(first);
        }
    }
}

impl<T: Real> Add<'_, T> {
    /// Adds to `HEIGHT` lines of sums.
    #[inline(always)]
    fn block<S: Simd, const HEIGHT: usize>(&mut self, first: usize) {
        let lanes = T::Vector::<S>::LANES;
        let values = &self.values;
        for list in (0..self.lists).step_by(lanes) {
            let mut parts = [[T::ZERO; 16]; HEIGHT];
            // SAFETY: a register of weights from `list` on is inside the padded line of every place; value `i` of a place is
            // that of line `first + i`, which the values have; no register has more than 16 lanes, and `S` is
            // present because `dispatch` chose it.
            unsafe {
                let weights = self.weights.as_ptr().add(list);
                let (from, stride) = (values.as_ptr(), values.stride());
                let acc = if self.across {
                    let from = from.add(first);
                    Self::sums::<S, HEIGHT>(weights, self.padded, values.rows(), |place, i| {
                        *from.add(place * stride + i)
                    })
                } else {
                    let from = from.add(first * stride);
                    Self::sums::<S, HEIGHT>(weights, self.padded, values.columns(), |place, i| {
                        *from.add(i * stride + place)
                    })
                };
                for i in 0..HEIGHT {
                    acc[i].store(parts[i].as_mut_ptr());
                }
            }
            let used = lanes.min(self.lists - list);
            for (i, part) in parts.iter().enumerate() {
                let line = (first + i) * self.stride + self.start + list;
                for (sum, part) in self.sums[line..line + used].iter_mut().zip(part) {
                    *sum += part.to_f64();
                }
            }
        }
    }

    /// Σ weight·value over the places, one after the other.
    ///
    /// # Safety
    ///
    /// `S` is present; a register can be read at `weights` and after every `padded` numbers, `depth` times; values of places
    /// below `depth` and lines below `HEIGHT` can be read.
    #[inline(always)]
    unsafe fn sums<S: Simd, const HEIGHT: usize>(
        weights: *const T,
        padded: usize,
        depth: usize,
        value: impl Fn(usize, usize) -> T,
    ) -> [T::Vector<S>; HEIGHT] {
        // SAFETY: what the caller promises.
        unsafe {
            let mut acc = [T::Vector::<S>::zero(); HEIGHT];
            let whole = depth - depth % STEP;
            for place in (0..whole).step_by(STEP) {
                let mut lines = [T::Vector::<S>::zero(); STEP];
                for (k, line) in lines.iter_mut().enumerate() {
                    *line = T::Vector::<S>::load(weights.add((place + k) * padded));
                }
                for i in 0..HEIGHT {
                    for k in 0..STEP {
                        let value = T::Vector::<S>::splat(value(place + k, i));
                        acc[i] = value.mul_add(lines[k], acc[i]);
                    }
                }
            }
            for place in whole..depth {
                let weights = T::Vector::<S>::load(weights.add(place * padded));
                for i in 0..HEIGHT {
                    let value = T::Vector::<S>::splat(value(place, i));
                    acc[i] = value.mul_add(weights, acc[i]);
                }
            }
            acc
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

    #[test]
    fn across_is_along_the_transposed_values() {
        for (lists, rows, columns) in [(1, 1, 1), (12, 256, 40), (17, 300, 9), (16, 7, 21)] {
            let value = |i: usize, j: usize| ((i * 31 + j * 17) as f64).sin();
            let weights = Matrix::from_fn(rows + 3, lists, value);
            let values = Matrix::from_fn(rows, columns, |i, j| value(j + 2, i));
            let turned = Matrix::from_fn(columns, rows, |i, j| values[(j, i)]);
            let interleaved = WeightLists::of_columns(weights.as_ref());
            let mut along = vec![1.0; columns * lists];
            let mut across = along.clone();
            interleaved.add(3..rows + 3, turned.as_ref(), &mut along, 0, lists);
            interleaved.add_across(3..rows + 3, values.as_ref(), &mut across);
            assert_eq!(along, across, "{lists} {rows} {columns}");
        }
    }
}
