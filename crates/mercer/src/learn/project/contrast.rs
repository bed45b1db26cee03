//! The fixed point of FastICA on white rows.
//!
//! With contrast g and white rows x̃ of weights w, a step is w ← E[x̃ g(⟨w, x̃⟩)] − E[g′(⟨w, x̃⟩)] w, means with weights as copies.
//! Then all directions are made orthonormal at once, W ← (W Wᵀ)^−½ W, or each is made orthogonal to those
//! before it. Sums go by fixed runs of rows in their order.

use std::ops::Range;

use mercer_linalg::{
    Matrix, MatrixMut, MatrixRef, Op, Par, SymmetricEigen, exp_in_place, gemm, tanh_in_place,
};
use serde::{Deserialize, Serialize};

use crate::fit::{FitContext, Progress, StopReason};
use crate::{Error, Result};

/// Rows of a run: their coordinates stay in the cache between the products before and after g.
const RUN: usize = 2048;

/// In which order directions are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Algorithm {
    /// All together.
    #[default]
    Symmetric,
    /// One after the other.
    Deflation,
}

/// The function g, the slope of what tells a coordinate from a normal one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Contrast {
    /// tanh(αu), of log cosh.
    #[default]
    #[serde(rename = "logcosh")]
    LogCosh,
    /// u exp(−u²/2): for sources with long tails.
    #[serde(rename = "exp")]
    Exp,
    /// u³, of the fourth moment.
    #[serde(rename = "cube")]
    Cube,
}

/// White rows and how they are searched.
pub(super) struct Search<'a> {
    /// √w x̃, one row each.
    pub(super) rows: &'a Matrix<f64>,
    /// √w; `None` where all are 1.
    pub(super) roots: Option<&'a [f64]>,
    pub(super) total: f64,
    pub(super) contrast: Contrast,
    pub(super) steepness: f64,
    pub(super) tolerance: f64,
    pub(super) max_iterations: u64,
    pub(super) context: &'a FitContext,
}

/// What a search ends with.
pub(super) struct Found {
    /// One direction per row.
    pub(super) directions: Matrix<f64>,
    /// Largest change in the last step.
    pub(super) change: f64,
    pub(super) iterations: u64,
    pub(super) stop_reason: StopReason,
}

impl Search<'_> {
    /// E[x̃ g(⟨w, x̃⟩)] − E[g′(⟨w, x̃⟩)] w for every direction w.
    fn step(&self, directions: &Matrix<f64>) -> Matrix<f64> {
        let (n, width, count) = (self.rows.rows(), self.rows.columns(), directions.rows());
        let runs: Vec<Range<usize>> = (0..n)
            .step_by(RUN)
            .map(|start| start..(start + RUN).min(n))
            .collect();
        let parts = self.context.map(runs, |run| {
            let mut values = vec![0.0; run.len() * count];
            let rows = self.rows.as_ref().submatrix(run.clone(), 0..width);
            let view = MatrixMut::from_slice(run.len(), count, &mut values);
            let w = directions.as_ref();
            gemm(
                1.0,
                rows,
                Op::None,
                w,
                Op::Transpose,
                0.0,
                view,
                Par::Sequential,
            );
            if let Some(roots) = self.roots {
                for (line, root) in values.chunks_exact_mut(count).zip(&roots[run.clone()]) {
                    line.iter_mut().for_each(|v| *v /= root);
                }
            }
            let mut slopes = vec![0.0; count];
            self.contrast(&mut values, &mut slopes, run.clone());
            let mut sums = Matrix::zeros(count, width);
            let g = MatrixRef::from_slice(run.len(), count, &values);
            gemm(
                1.0,
                g,
                Op::Transpose,
                rows,
                Op::None,
                0.0,
                sums.as_mut(),
                Par::Sequential,
            );
            (sums, slopes)
        });
        let mut out = Matrix::zeros(count, width);
        let mut slopes = vec![0.0; count];
        for (sums, part) in parts {
            for (out, sum) in out.as_mut_slice().iter_mut().zip(sums.as_slice()) {
                *out += sum / self.total;
            }
            for (slope, part) in slopes.iter_mut().zip(part) {
                *slope += part / self.total;
            }
        }
        for (k, slope) in slopes.iter().enumerate() {
            for (out, w) in out.row_mut(k).iter_mut().zip(directions.row(k)) {
                *out -= slope * w;
            }
        }
        out
    }

    /// Replaces coordinates u by √w g(u), and adds up w g′(u) of every direction.
    fn contrast(&self, values: &mut [f64], slopes: &mut [f64], run: Range<usize>) {
        let count = slopes.len();
        let alpha = self.steepness;
        let others: Vec<f64> = match self.contrast {
            Contrast::LogCosh => {
                values.iter_mut().for_each(|v| *v *= alpha);
                tanh_in_place(values);
                Vec::new()
            }
            Contrast::Exp => {
                let mut bells: Vec<f64> = values.iter().map(|v| -0.5 * v * v).collect();
                exp_in_place(&mut bells);
                bells
            }
            Contrast::Cube => Vec::new(),
        };
        for (line, row) in values
            .chunks_exact_mut(count)
            .enumerate()
            .map(|(k, l)| (l, k))
        {
            let root = self.roots.map_or(1.0, |roots| roots[run.start + row]);
            let weight = root * root;
            for (k, v) in line.iter_mut().enumerate() {
                let u = *v;
                let (g, slope) = match self.contrast {
                    Contrast::LogCosh => (u, alpha * (1.0 - u * u)),
                    Contrast::Exp => {
                        let bell = others[row * count + k];
                        (u * bell, (1.0 - u * u) * bell)
                    }
                    Contrast::Cube => (u * u * u, 3.0 * u * u),
                };
                *v = root * g;
                slopes[k] += weight * slope;
            }
        }
    }

    fn tell(&self, iterations: u64) {
        self.context.tell(|| Progress {
            stage: "independent components".to_owned(),
            iterations,
            ..Progress::default()
        });
    }

    /// Why a search has to end here, where it has.
    fn limit(&self, iterations: u64) -> Result<Option<StopReason>> {
        if self.context.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        Ok(if iterations >= self.max_iterations {
            Some(StopReason::IterationLimit)
        } else if self.context.out_of_time() {
            Some(StopReason::TimeLimit)
        } else {
            None
        })
    }
}

fn not_finite() -> Error {
    Error::rows(
        "the directions of components are no numbers any more",
        "scale the columns, or use the contrast `logcosh`",
    )
}

/// (W Wᵀ)^−½ W.
fn orthonormal(directions: &Matrix<f64>) -> Result<Matrix<f64>> {
    let count = directions.rows();
    let mut gram = Matrix::zeros(count, count);
    let w = directions.as_ref();
    gemm(
        1.0,
        w,
        Op::None,
        w,
        Op::Transpose,
        0.0,
        gram.as_mut(),
        Par::Sequential,
    );
    let eigen = SymmetricEigen::new(gram.as_ref()).map_err(|_| not_finite())?;
    let scaled = Matrix::from_fn(count, count, |i, k| {
        eigen.vectors[(i, k)] / eigen.values[k].max(f64::MIN_POSITIVE).sqrt()
    });
    let mut root = Matrix::zeros(count, count);
    let (a, b) = (scaled.as_ref(), eigen.vectors.as_ref());
    gemm(
        1.0,
        a,
        Op::None,
        b,
        Op::Transpose,
        0.0,
        root.as_mut(),
        Par::Sequential,
    );
    let mut out = Matrix::zeros(count, directions.columns());
    gemm(
        1.0,
        root.as_ref(),
        Op::None,
        w,
        Op::None,
        0.0,
        out.as_mut(),
        Par::Sequential,
    );
    if out.as_slice().iter().any(|v| !v.is_finite()) {
        return Err(not_finite());
    }
    Ok(out)
}

/// 1 − |⟨w, w′⟩|, the largest over all directions.
fn change(before: &Matrix<f64>, after: &Matrix<f64>) -> f64 {
    let of = |k: usize| {
        let dot: f64 = before
            .row(k)
            .iter()
            .zip(after.row(k))
            .map(|(a, b)| a * b)
            .sum();
        (dot.abs() - 1.0).abs()
    };
    (0..before.rows()).map(of).fold(0.0, f64::max)
}

/// All directions together.
pub(super) fn symmetric(search: &Search<'_>, first: &Matrix<f64>) -> Result<Found> {
    let mut directions = orthonormal(first)?;
    let mut iterations = 0;
    loop {
        let next = orthonormal(&search.step(&directions))?;
        let change = change(&directions, &next);
        directions = next;
        iterations += 1;
        search.tell(iterations);
        let stop = if change < search.tolerance {
            Some(StopReason::Converged)
        } else {
            search.limit(iterations)?
        };
        if let Some(stop_reason) = stop {
            return Ok(Found {
                directions,
                change,
                iterations,
                stop_reason,
            });
        }
    }
}

/// One direction after the other.
pub(super) fn deflation(search: &Search<'_>, first: &Matrix<f64>) -> Result<Found> {
    let (count, width) = (first.rows(), first.columns());
    let mut directions = Matrix::zeros(count, width);
    let mut found = Found {
        directions: Matrix::zeros(0, 0),
        change: 0.0,
        iterations: 0,
        stop_reason: StopReason::Converged,
    };
    for k in 0..count {
        let mut w = Matrix::from_vec(1, width, first.row(k).to_vec());
        to_length_one(w.row_mut(0))?;
        let mut iterations = 0;
        loop {
            let mut next = search.step(&w);
            for before in 0..k {
                let dot = mercer_linalg::dot(next.row(0), directions.row(before));
                let other = directions.row(before);
                for (v, other) in next.row_mut(0).iter_mut().zip(other) {
                    *v -= dot * other;
                }
            }
            to_length_one(next.row_mut(0))?;
            let change = change(&w, &next);
            w = next;
            iterations += 1;
            search.tell(iterations);
            let stop = if change < search.tolerance {
                Some(StopReason::Converged)
            } else {
                search.limit(iterations)?
            };
            if let Some(reason) = stop {
                found.change = found.change.max(change);
                found.stop_reason = found.stop_reason.worse(reason);
                break;
            }
        }
        found.iterations = found.iterations.max(iterations);
        directions.row_mut(k).copy_from_slice(w.row(0));
    }
    found.directions = directions;
    Ok(found)
}

fn to_length_one(w: &mut [f64]) -> Result<()> {
    let norm = w.iter().map(|v| v * v).sum::<f64>().sqrt();
    if !(norm > 0.0 && norm.is_finite()) {
        return Err(not_finite());
    }
    w.iter_mut().for_each(|v| *v /= norm);
    Ok(())
}
