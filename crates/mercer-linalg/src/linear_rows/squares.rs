//! Σ factor · x xᵀ over a run of rows.

use std::ops::Range;

use super::list::{Dense, Ones, Sparse};
use crate::gemm::Op;
use crate::matrix::{Matrix, MatrixRef};
use crate::par::Par;
use crate::real::Real;
use crate::square::add_square;

/// Dense rows that are multiplied by the roots of their factors and then with each other.
const BLOCK: usize = 256;

pub(super) fn dense<T: Real>(
    list: &Dense<T>,
    rows: Range<usize>,
    factors: &[f64],
    out: &mut Matrix<f64>,
) {
    let width = list.matrix.columns();
    if width == 0 {
        return;
    }
    let mut block = Vec::with_capacity(BLOCK.min(rows.len()) * width);
    let mut flush = |block: &mut Vec<f64>| {
        let scaled = MatrixRef::from_slice(block.len() / width, width, block);
        let part = out.as_mut().submatrix(0..width, 0..width);
        add_square(scaled, Op::Transpose, part, Par::Sequential);
        block.clear();
    };
    for (factor, row) in factors.iter().zip(rows) {
        assert!(*factor >= 0.0, "factors of at least 0");
        if *factor == 0.0 {
            continue;
        }
        let root = factor.sqrt();
        block.extend(list.row(row).iter().map(|value| root * value.to_f64()));
        if block.len() == BLOCK * width {
            flush(&mut block);
        }
    }
    flush(&mut block);
}

pub(super) fn sparse(list: &Sparse, rows: Range<usize>, factors: &[f64], out: &mut Matrix<f64>) {
    for (factor, row) in factors.iter().zip(rows) {
        assert!(*factor >= 0.0, "factors of at least 0");
        if *factor == 0.0 {
            continue;
        }
        let (indices, values) = list.row(row);
        for (k, (index, value)) in indices.iter().zip(values).enumerate() {
            let to = out.row_mut(*index as usize);
            let scaled = factor * value;
            for (index, value) in indices[..=k].iter().zip(values) {
                to[*index as usize] += scaled * value;
            }
        }
    }
}

pub(super) fn ones(list: &Ones, rows: Range<usize>, factors: &[f64], out: &mut Matrix<f64>) {
    for (factor, row) in factors.iter().zip(rows) {
        assert!(*factor >= 0.0, "factors of at least 0");
        if *factor == 0.0 {
            continue;
        }
        let indices = list.row(row);
        for (k, index) in indices.iter().enumerate() {
            let to = out.row_mut(*index as usize);
            for index in &indices[..=k] {
                to[*index as usize] += factor;
            }
        }
    }
}
