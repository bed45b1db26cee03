//! A linear model as one weight vector per decision.

use mercer_linalg::{Matrix, axpy, dot};

use super::combine::{segments, terms};
use super::model::KernelExpansion;
use crate::data::{Block, Points};
use crate::kernel::KernelSpec;

/// Weights that a sparse model may have (32 MiB of them), and those it may have with every value
/// that its support vectors store.
const FREE_CELLS: usize = 1 << 22;
const CELLS_PER_VALUE: usize = 64;

/// The weights w = Σ coefficient·x of every decision, so that f(x) = ⟨w, x⟩ + constant.
pub(super) struct Weights(Matrix<f64>);

impl Weights {
    /// Adds the support vectors up, where the kernel is the plain dot product.
    pub(super) fn of(model: &KernelExpansion) -> Option<Self> {
        let KernelSpec::Base { family, .. } = model.kernel.spec() else {
            return None;
        };
        if family.name != "linear" {
            return None;
        }
        let support = model.support.features.points.widened();
        // Sparse rows may claim any width: weights must not take far more room than they do.
        let cells = support.columns().saturating_mul(model.decisions());
        let held = support.values().len().saturating_mul(CELLS_PER_VALUE);
        if matches!(support, Block::Sparse(_)) && cells > held.max(FREE_CELLS) {
            return None;
        }
        Some(Self(collapse(model, &support)))
    }

    /// Writes the decisions of one row, without the constants.
    pub(super) fn decide(&self, points: &Points, row: usize, wide: &mut Vec<f64>, out: &mut [f64]) {
        let values: &[f64] = match points {
            Points::Double(Block::Dense(m)) => m.row(row),
            Points::Single(Block::Dense(m)) => {
                wide.clear();
                wide.extend(m.row(row).iter().map(|v| f64::from(*v)));
                wide
            }
            Points::Double(Block::Sparse(m)) => return self.decide_sparse(m.row(row), |v| *v, out),
            Points::Single(Block::Sparse(m)) => {
                return self.decide_sparse(m.row(row), |v| f64::from(*v), out);
            }
        };
        for (d, out) in out.iter_mut().enumerate() {
            *out = dot(self.0.row(d), values);
        }
    }

    fn decide_sparse<T>(
        &self,
        (indices, values): (&[u32], &[T]),
        wide: impl Fn(&T) -> f64,
        out: &mut [f64],
    ) {
        for (d, out) in out.iter_mut().enumerate() {
            let weights = self.0.row(d);
            let terms = indices.iter().zip(values);
            *out = terms.map(|(&c, v)| weights[c as usize] * wide(v)).sum();
        }
    }
}

fn collapse(model: &KernelExpansion, support: &Block<f64>) -> Matrix<f64> {
    let mut weights = Matrix::zeros(model.decisions(), support.columns());
    let segments = segments(model);
    terms(model, |d, segment, h| {
        let coefficients = model.coefficients.row(h);
        let weights = weights.row_mut(d);
        for row in segments[segment].clone() {
            match support {
                Block::Dense(m) => axpy(coefficients[row], m.row(row), weights),
                Block::Sparse(m) => {
                    let (indices, values) = m.row(row);
                    for (&c, v) in indices.iter().zip(values) {
                        weights[c as usize] += coefficients[row] * v;
                    }
                }
            }
        }
    });
    weights
}
