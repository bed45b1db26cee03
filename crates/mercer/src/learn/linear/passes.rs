//! Products with rows and their transpose for several right-hand sides at once.
//!
//! Entry i of system k is at i K + k, so that a stored value is read once for all systems. Runs of rows and the order of
//! sums follow from the shape of the rows alone.

use std::ops::Range;

use mercer_linalg::{Csr, Matrix};

use super::centre::runs;
use super::design::Design;
use super::products::{combine, subtract_predictions};
use super::solution::norm;
use crate::fit::FitContext;

/// Stored values that are worth a task of their own.
const TASK: usize = 1 << 14;

/// Rows of a problem.
pub(super) struct Passes<'a> {
    pub(super) design: &'a Design,
    pub(super) context: &'a FitContext,
}

impl Passes<'_> {
    /// q ← Xp; returns ‖q‖².
    pub(super) fn forward<const K: usize>(&self, weights: &[f64], image: &mut [f64]) -> [f64; K] {
        let Some((csr, shifts)) = self.design.sparse() else {
            return self.dense_forward(weights, image);
        };
        let mut level = [0.0; K];
        for (w, shift) in weights.chunks_exact(K).zip(shifts) {
            for k in 0..K {
                level[k] += shift * w[k];
            }
        }
        let mut rest = image;
        let mut parts = Vec::new();
        for run in forward_runs(csr) {
            let (part, after) = rest.split_at_mut(run.len() * K);
            parts.push((run, part));
            rest = after;
        }
        let sums = self.context.map(parts, |(run, image)| {
            let mut squares = [0.0; K];
            for (i, q) in run.zip(image.chunks_exact_mut(K)) {
                let (indices, values) = csr.row(i);
                let mut sums = [0.0; K];
                for (&j, value) in indices.iter().zip(values) {
                    let w = &weights[j as usize * K..][..K];
                    for k in 0..K {
                        sums[k] += value * w[k];
                    }
                }
                let root = self.design.root(i);
                for k in 0..K {
                    q[k] = root * (sums[k] - level[k]);
                    squares[k] += q[k] * q[k];
                }
            }
            squares
        });
        total(sums)
    }

    /// t ← XᵀXp for sparse rows, each of which is read once for both products; returns ‖Xp‖².
    ///
    /// `None` for dense rows.
    pub(super) fn through<const K: usize>(
        &self,
        direction: &[f64],
        turned: &mut [f64],
    ) -> Option<[f64; K]> {
        let (csr, shifts) = self.design.sparse()?;
        let mut level = [0.0; K];
        for (p, shift) in direction.as_chunks::<K>().0.iter().zip(shifts) {
            for k in 0..K {
                level[k] += shift * p[k];
            }
        }
        let direction = direction.as_chunks::<K>().0;
        let width = self.design.width();
        let sums = self.context.map(back_runs(csr), |run| {
            let mut sums = vec![[0.0; K]; width];
            let (mut squares, mut shares) = ([0.0; K], [0.0; K]);
            for i in run {
                let (indices, values) = csr.row(i);
                let root = self.design.root(i);
                let q = row_product(indices, values, direction);
                let mut share = [0.0; K];
                for k in 0..K {
                    let q = root * (q[k] - level[k]);
                    squares[k] += q * q;
                    share[k] = root * q;
                    shares[k] += share[k];
                }
                for (&j, value) in indices.iter().zip(values) {
                    let s = &mut sums[j as usize];
                    for k in 0..K {
                        s[k] += share[k] * value;
                    }
                }
            }
            (sums, squares, shares)
        });
        let mut squares = [0.0; K];
        let mut shares = [0.0; K];
        let turned = turned.as_chunks_mut::<K>().0;
        turned.fill([0.0; K]);
        for (part, own, own_shares) in sums {
            for (t, part) in turned.iter_mut().zip(part) {
                for k in 0..K {
                    t[k] += part[k];
                }
            }
            for k in 0..K {
                squares[k] += own[k];
                shares[k] += own_shares[k];
            }
        }
        for (t, shift) in turned.iter_mut().zip(shifts) {
            for k in 0..K {
                t[k] -= shift * shares[k];
            }
        }
        Some(squares)
    }

    /// r ← r − αq and s ← Xᵀr.
    pub(super) fn back<const K: usize>(
        &self,
        step: [f64; K],
        image: &[f64],
        left: &mut [f64],
        slopes: &mut [f64],
    ) {
        if let Some((csr, shifts)) = self.design.sparse() {
            self.sparse_back(step, image, left, slopes, csr, shifts);
        } else {
            self.dense_back(step, image, left, slopes);
        }
    }

    fn sparse_back<const K: usize>(
        &self,
        step: [f64; K],
        image: &[f64],
        left: &mut [f64],
        slopes: &mut [f64],
        csr: &Csr<f64>,
        shifts: &[f64],
    ) {
        let mut rest = left;
        let mut parts = Vec::new();
        for run in back_runs(csr) {
            let (left, after) = rest.split_at_mut(run.len() * K);
            let image = &image[run.start * K..run.end * K];
            parts.push((run, left, image));
            rest = after;
        }
        let width = self.design.width();
        let sums = self.context.map(parts, |(run, left, image)| {
            let mut sums = vec![0.0; width * K];
            let mut level = [0.0; K];
            let lines = left.chunks_exact_mut(K).zip(image.chunks_exact(K));
            for (i, (r, q)) in run.zip(lines) {
                let root = self.design.root(i);
                let mut share = [0.0; K];
                for k in 0..K {
                    r[k] -= step[k] * q[k];
                    share[k] = root * r[k];
                    level[k] += share[k];
                }
                let (indices, values) = csr.row(i);
                for (&j, value) in indices.iter().zip(values) {
                    let s = &mut sums[j as usize * K..][..K];
                    for k in 0..K {
                        s[k] += share[k] * value;
                    }
                }
            }
            (sums, level)
        });
        let mut sums = sums.into_iter();
        let (mut whole, mut level) = sums.next().expect("one run at least");
        for (part, own) in sums {
            mercer_linalg::axpy(1.0, &part, &mut whole);
            for k in 0..K {
                level[k] += own[k];
            }
        }
        for (s, shift) in whole.chunks_exact_mut(K).zip(shifts) {
            for k in 0..K {
                s[k] -= shift * level[k];
            }
        }
        slopes.copy_from_slice(&whole);
    }

    fn dense_forward<const K: usize>(&self, weights: &[f64], image: &mut [f64]) -> [f64; K] {
        let (n, width) = (self.design.rows(), self.design.width());
        let weights = Matrix::from_fn(K, width, |k, j| -weights[j * K + k]);
        let mut out = Matrix::zeros(K, n);
        // Stopped passes are noticed before the next step.
        let _ = subtract_predictions(self.design, &weights, &mut out, self.context);
        let mut squares = [0.0; K];
        for k in 0..K {
            squares[k] = norm(out.row(k)).powi(2);
            for (to, q) in image[k..].iter_mut().step_by(K).zip(out.row(k)) {
                *to = *q;
            }
        }
        squares
    }

    fn dense_back<const K: usize>(
        &self,
        step: [f64; K],
        image: &[f64],
        left: &mut [f64],
        slopes: &mut [f64],
    ) {
        let n = self.design.rows();
        for (r, q) in left.chunks_exact_mut(K).zip(image.chunks_exact(K)) {
            for k in 0..K {
                r[k] -= step[k] * q[k];
            }
        }
        let sides = Matrix::from_fn(K, n, |k, i| left[i * K + k]);
        let Ok(sums) = combine(self.design, &sides, self.context) else {
            return;
        };
        for k in 0..K {
            for (to, s) in slopes[k..].iter_mut().step_by(K).zip(sums.row(k)) {
                *to = *s;
            }
        }
    }
}

/// ⟨x, w⟩ of a sparse row for every system, in two sums that need not wait for each other.
#[inline]
fn row_product<const K: usize>(indices: &[u32], values: &[f64], weights: &[[f64; K]]) -> [f64; K] {
    let mut sums = [[0.0; K]; 2];
    let (pairs, last) = indices.as_chunks::<2>();
    let (value_pairs, last_value) = values.as_chunks::<2>();
    for (pair, values) in pairs.iter().zip(value_pairs) {
        for part in 0..2 {
            let w = &weights[pair[part] as usize];
            for k in 0..K {
                sums[part][k] += values[part] * w[k];
            }
        }
    }
    for (&j, value) in last.iter().zip(last_value) {
        for k in 0..K {
            sums[0][k] += value * weights[j as usize][k];
        }
    }
    std::array::from_fn(|k| sums[0][k] + sums[1][k])
}

fn total<const K: usize>(parts: Vec<[f64; K]>) -> [f64; K] {
    let mut sums = [0.0; K];
    for part in parts {
        for k in 0..K {
            sums[k] += part[k];
        }
    }
    sums
}

/// Runs of rows, by their shape alone.
fn forward_runs(csr: &Csr<f64>) -> Vec<Range<usize>> {
    runs(csr.rows(), (csr.nnz() / TASK).clamp(1, 16))
}

/// Runs of rows whose sums are small beside them.
fn back_runs(csr: &Csr<f64>) -> Vec<Range<usize>> {
    let most = (csr.nnz() / (4 * csr.columns().max(1))).clamp(1, 8);
    runs(csr.rows(), (csr.nnz() / TASK).clamp(1, most))
}
