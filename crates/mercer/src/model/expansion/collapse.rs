//! A linear model as one weight vector per decision.

use mercer_linalg::{Matrix, axpy, dot};

use super::combine::{segments, terms};
use super::model::KernelExpansion;
use super::origin::{around, factor_of_products};
use crate::data::{Block, Points};
use crate::kernel::KernelSpec;

/// Weights that a sparse model may have (32 MiB of them), and those it may have with every value
/// that its support vectors store.
const FREE_CELLS: usize = 1 << 22;
const CELLS_PER_VALUE: usize = 64;

/// The weights w = Σ coefficient·x of every decision, so that f(x) = ⟨w, x⟩ + constant; of rows that are
/// seen from an origin o, w = Σ coefficient·(x − o) and f(x) = ⟨w, x − o⟩ + constant.
pub(super) struct Weights {
    weights: Matrix<f64>,
    origin: Option<Vec<f64>>,
}

impl Weights {
    /// Adds the support vectors up, where the kernel is the plain dot product.
    pub(super) fn of(model: &KernelExpansion) -> Option<Self> {
        if let Some(origin) = &model.origin {
            let factor = factor_of_products(&model.kernel)?;
            let support = around(&model.support, origin).features.points.widened();
            let mut weights = collapse(model, &support);
            for weight in weights.as_mut_slice() {
                *weight *= factor;
            }
            return Some(Self {
                weights,
                origin: Some(origin.clone()),
            });
        }
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
        Some(Self {
            weights: collapse(model, &support),
            origin: None,
        })
    }

    /// The weights of one decision.
    pub(super) fn row(&self, decision: usize) -> &[f64] {
        self.weights.row(decision)
    }

    /// Writes the decisions of one row, without the constants.
    pub(super) fn decide(&self, points: &Points, row: usize, wide: &mut Vec<f64>, out: &mut [f64]) {
        if let Some(origin) = &self.origin {
            let seen = wide_row(points, row, origin.len(), wide);
            for (value, o) in seen.iter_mut().zip(origin) {
                *value -= o;
            }
            for (d, out) in out.iter_mut().enumerate() {
                *out = dot(self.row(d), seen);
            }
            return;
        }
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
            *out = dot(self.row(d), values);
        }
    }

    fn decide_sparse<T>(
        &self,
        (indices, values): (&[u32], &[T]),
        wide: impl Fn(&T) -> f64,
        out: &mut [f64],
    ) {
        for (d, out) in out.iter_mut().enumerate() {
            let weights = self.row(d);
            let terms = indices.iter().zip(values);
            *out = terms.map(|(&c, v)| weights[c as usize] * wide(v)).sum();
        }
    }
}

/// A row in double precision with all its zeros.
fn wide_row<'a>(
    points: &Points,
    row: usize,
    columns: usize,
    wide: &'a mut Vec<f64>,
) -> &'a mut [f64] {
    wide.clear();
    match points {
        Points::Double(Block::Dense(m)) => wide.extend_from_slice(m.row(row)),
        Points::Single(Block::Dense(m)) => wide.extend(m.row(row).iter().map(|v| f64::from(*v))),
        Points::Double(Block::Sparse(m)) => {
            wide.resize(columns, 0.0);
            let (indices, values) = m.row(row);
            for (&c, value) in indices.iter().zip(values) {
                wide[c as usize] = *value;
            }
        }
        Points::Single(Block::Sparse(m)) => {
            wide.resize(columns, 0.0);
            let (indices, values) = m.row(row);
            for (&c, value) in indices.iter().zip(values) {
                wide[c as usize] = f64::from(*value);
            }
        }
    }
    wide
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
