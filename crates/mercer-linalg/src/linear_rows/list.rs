//! The layouts of rows.

use crate::real::Real;
use crate::shared_matrix::SharedMatrix;
use crate::simd::Simd;

/// Partial sums of a product: a chain of additions would wait for each of them. What is left of a row is added in a
/// loop of fixed length: with places that are known to the compiler the sums stay in registers.
const PARTS: usize = 4;
/// Partial sums of a product of dense rows.
const DENSE_PARTS: usize = 8;

/// Rows that can be multiplied with weights.
pub(super) trait List {
    /// Values stored of a row.
    fn stored(&self, row: usize) -> usize;

    /// ⟨weights, x⟩.
    fn dot<S: Simd>(&self, row: usize, weights: &[f64]) -> f64;

    /// Adds factor · x.
    fn add<S: Simd>(&self, row: usize, factor: f64, to: &mut [f64]);

    /// Calls `visit` with the stored columns and values of a row, columns ascending.
    fn each(&self, row: usize, visit: impl FnMut(usize, f64));

    /// ‖x‖².
    fn squared_norm(&self, row: usize) -> f64 {
        let mut sum = 0.0;
        self.each(row, |_, value| sum += value * value);
        sum
    }
}

/// Dense rows in an order of their own.
#[derive(Debug)]
pub(super) struct Dense<T> {
    pub(super) matrix: SharedMatrix<T>,
    pub(super) order: Vec<u32>,
}

/// Sparse rows.
#[derive(Debug)]
pub(super) struct Sparse {
    pub(super) starts: Vec<usize>,
    pub(super) indices: Vec<u32>,
    pub(super) values: Vec<f64>,
}

/// Sparse rows whose stored values are all 1.
#[derive(Debug)]
pub(super) struct Ones {
    pub(super) starts: Vec<usize>,
    pub(super) indices: Vec<u32>,
}

impl<T: Real> Dense<T> {
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> &[T] {
        self.matrix.row(self.order[row] as usize)
    }
}

impl<T: Real> List for Dense<T> {
    #[inline(always)]
    fn stored(&self, _row: usize) -> usize {
        self.matrix.columns()
    }

    #[inline(always)]
    fn dot<S: Simd>(&self, row: usize, weights: &[f64]) -> f64 {
        let (values, values_left) = self.row(row).as_chunks::<DENSE_PARTS>();
        let (weights, weights_left) = weights.as_chunks::<DENSE_PARTS>();
        let mut sums = [0.0; DENSE_PARTS];
        for (values, weights) in values.iter().zip(weights) {
            for k in 0..DENSE_PARTS {
                sums[k] = S::mul_add(values[k].to_f64(), weights[k], sums[k]);
            }
        }
        for k in 0..DENSE_PARTS - 1 {
            if k < values_left.len() {
                sums[k] = S::mul_add(values_left[k].to_f64(), weights_left[k], sums[k]);
            }
        }
        let fours: [f64; 4] = std::array::from_fn(|k| sums[k] + sums[k + 4]);
        (fours[0] + fours[2]) + (fours[1] + fours[3])
    }

    #[inline(always)]
    fn add<S: Simd>(&self, row: usize, factor: f64, to: &mut [f64]) {
        for (to, value) in to.iter_mut().zip(self.row(row)) {
            *to = S::mul_add(factor, value.to_f64(), *to);
        }
    }

    #[inline(always)]
    fn each(&self, row: usize, mut visit: impl FnMut(usize, f64)) {
        for (column, value) in self.row(row).iter().enumerate() {
            visit(column, value.to_f64());
        }
    }
}

impl Sparse {
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> (&[u32], &[f64]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.indices[range.clone()], &self.values[range])
    }
}

impl List for Sparse {
    #[inline(always)]
    fn stored(&self, row: usize) -> usize {
        self.starts[row + 1] - self.starts[row]
    }

    #[inline(always)]
    fn dot<S: Simd>(&self, row: usize, weights: &[f64]) -> f64 {
        let (indices, values) = self.row(row);
        let (indices, indices_left) = indices.as_chunks::<PARTS>();
        let (values, values_left) = values.as_chunks::<PARTS>();
        let mut sums = [0.0; PARTS];
        for (indices, values) in indices.iter().zip(values) {
            for k in 0..PARTS {
                sums[k] = S::mul_add(values[k], weights[indices[k] as usize], sums[k]);
            }
        }
        for k in 0..PARTS - 1 {
            if k < indices_left.len() {
                let weight = weights[indices_left[k] as usize];
                sums[k] = S::mul_add(values_left[k], weight, sums[k]);
            }
        }
        (sums[0] + sums[2]) + (sums[1] + sums[3])
    }

    #[inline(always)]
    fn add<S: Simd>(&self, row: usize, factor: f64, to: &mut [f64]) {
        let (indices, values) = self.row(row);
        for (index, value) in indices.iter().zip(values) {
            let to = &mut to[*index as usize];
            *to = S::mul_add(factor, *value, *to);
        }
    }

    #[inline(always)]
    fn each(&self, row: usize, mut visit: impl FnMut(usize, f64)) {
        let (indices, values) = self.row(row);
        for (index, value) in indices.iter().zip(values) {
            visit(*index as usize, *value);
        }
    }
}

impl Ones {
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> &[u32] {
        &self.indices[self.starts[row]..self.starts[row + 1]]
    }
}

impl List for Ones {
    #[inline(always)]
    fn stored(&self, row: usize) -> usize {
        self.starts[row + 1] - self.starts[row]
    }

    #[inline(always)]
    fn dot<S: Simd>(&self, row: usize, weights: &[f64]) -> f64 {
        let (indices, left) = self.row(row).as_chunks::<PARTS>();
        let mut sums = [0.0; PARTS];
        for indices in indices {
            for k in 0..PARTS {
                sums[k] += weights[indices[k] as usize];
            }
        }
        for k in 0..PARTS - 1 {
            if k < left.len() {
                sums[k] += weights[left[k] as usize];
            }
        }
        (sums[0] + sums[2]) + (sums[1] + sums[3])
    }

    #[inline(always)]
    fn add<S: Simd>(&self, row: usize, factor: f64, to: &mut [f64]) {
        for index in self.row(row) {
            to[*index as usize] += factor;
        }
    }

    #[inline(always)]
    fn each(&self, row: usize, mut visit: impl FnMut(usize, f64)) {
        for index in self.row(row) {
            visit(*index as usize, 1.0);
        }
    }
}
