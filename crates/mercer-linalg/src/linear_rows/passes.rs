//! Products and sums over a run of rows.

use std::ops::Range;

use super::list::List;
use crate::simd::{Kernel, Simd};

/// ⟨w, x⟩ of every row.
pub(super) struct Products<'a, L> {
    pub(super) list: &'a L,
    pub(super) rows: Range<usize>,
    pub(super) outputs: usize,
    pub(super) weights: &'a [f64],
    pub(super) out: &'a mut [f64],
}

impl<L: List> Kernel for Products<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let outputs = self.outputs;
        if outputs == 1 {
            for (out, row) in self.out.iter_mut().zip(self.rows) {
                *out = self.list.dot::<S>(row, self.weights);
            }
            return;
        }
        for (out, row) in self.out.chunks_exact_mut(outputs).zip(self.rows) {
            out.fill(0.0);
            self.list.each(row, |column, value| {
                let weights = &self.weights[column * outputs..][..outputs];
                for (out, weight) in out.iter_mut().zip(weights) {
                    *out = S::mul_add(value, *weight, *out);
                }
            });
        }
    }
}

/// Σ factor · x.
pub(super) struct Combine<'a, L> {
    pub(super) list: &'a L,
    pub(super) rows: Range<usize>,
    pub(super) outputs: usize,
    pub(super) factors: &'a [f64],
    pub(super) out: &'a mut [f64],
}

impl<L: List> Kernel for Combine<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let outputs = self.outputs;
        if outputs == 1 {
            for (factor, row) in self.factors.iter().zip(self.rows) {
                if *factor != 0.0 {
                    self.list.add::<S>(row, *factor, self.out);
                }
            }
            return;
        }
        for (factors, row) in self.factors.chunks_exact(outputs).zip(self.rows) {
            self.list.each(row, |column, value| {
                let out = &mut self.out[column * outputs..][..outputs];
                for (out, factor) in out.iter_mut().zip(factors) {
                    *out = S::mul_add(value, *factor, *out);
                }
            });
        }
    }
}

/// Adds Σ factor · x∘x.
pub(super) fn diagonal<L: List>(list: &L, rows: Range<usize>, factors: &[f64], out: &mut [f64]) {
    for (factor, row) in factors.iter().zip(rows) {
        if *factor != 0.0 {
            list.each(row, |column, value| out[column] += factor * (value * value));
        }
    }
}
