//! (GᵀG + I/γ)⁻¹ for every γ, from randomly pivoted Cholesky.
//!
//! With GGᵀ = U Σ Uᵀ the rows of Q = Σ^{−½}UᵀG are orthonormal, GᵀG = QᵀΣQ, and
//!
//! ```text
//! (GᵀG + I/γ)⁻¹ v = γ (v − Qᵀ diag(γσ_i/(1 + γσ_i)) Q v).
//! ```

use mercer_linalg::{Matrix, Op, Par, SymmetricEigen, add_square, gemm};

use super::System;
use crate::fit::FitContext;
use crate::solver::pivoted::{PivotedCholesky, Pivoting};
use crate::{Error, Result};

/// Share of the largest eigenvalue below which a direction is rounding.
const LEAST: f64 = 1e-13;
/// Columns of G that are turned into columns of Q at a time.
const BLOCK: usize = 2048;
/// Pivots for every root of a row: products with the factor then cost a fraction of a pass over K.
const PIVOTS_PER_ROOT: f64 = 4.0;
/// Most of them, whatever the number of rows: their eigenvectors take the third power.
const MOST: usize = 1500;

/// An approximation of K_c by its pivots, with inverses for every γ.
pub struct Preconditioner {
    /// Q, a row per direction.
    directions: Matrix<f64>,
    /// σ, descending.
    values: Vec<f64>,
    rank: usize,
    remaining: f64,
}

impl Preconditioner {
    /// Returns how many pivots so many rows are worth within so many bytes.
    pub fn usual_rank(rows: usize, bytes: u64) -> usize {
        let wanted = (PIVOTS_PER_ROOT * (rows as f64).sqrt()) as usize;
        let row_bytes = (rows * size_of::<f64>()).max(1) as u64;
        let affordable = usize::try_from(bytes / row_bytes).unwrap_or(usize::MAX);
        wanted.min(MOST).min(affordable).min(rows)
    }

    /// Draws pivots until there are `rank`, or what is left has no more than a trace of `least`.
    ///
    /// # Errors
    /// Cancellation, kernel values that are no numbers, and no memory for the factor.
    pub fn new(system: &System<'_>, rank: usize, least: f64, context: &FitContext) -> Result<Self> {
        let par = context.par();
        let asked = |tolerance: f64| Pivoting {
            rank,
            tolerance,
            scales: system.roots(),
        };
        let trace = system.trace();
        let tolerance = if trace > 0.0 { least / trace } else { 0.0 };
        let found = PivotedCholesky::new(system.product().source(), asked(tolerance), context)?;
        let (rank, remaining) = (found.rank(), found.remaining);
        let mut factor = found.factor;
        if let Some(unit) = system.unit() {
            for r in 0..rank {
                let row = factor.row_mut(r);
                let share = mercer_linalg::dot(row, unit);
                mercer_linalg::axpy(-share, unit, row);
            }
        }
        let mut square = Matrix::zeros(rank, rank);
        add_square(factor.as_ref(), Op::None, square.as_mut(), par);
        for i in 0..rank {
            for j in 0..i {
                square[(j, i)] = square[(i, j)];
            }
        }
        context.check()?;
        let eigen = SymmetricEigen::new(square.as_ref()).map_err(|_| {
            Error::rows(
                "kernel values of some rows are beyond what numbers can hold",
                "scale the columns, or use another kernel",
            )
        })?;
        let largest = eigen.values.last().copied().unwrap_or(0.0);
        let kept: Vec<usize> = (0..rank)
            .rev()
            .filter(|&k| largest > 0.0 && eigen.values[k] > LEAST * largest)
            .collect();
        let turn = Matrix::from_fn(kept.len(), rank, |k, r| {
            eigen.vectors[(r, kept[k])] / eigen.values[kept[k]].sqrt()
        });
        Ok(Self {
            directions: turned(factor, &turn, par),
            values: kept.iter().map(|&k| eigen.values[k]).collect(),
            rank,
            remaining,
        })
    }

    /// Returns how many pivots were drawn.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Returns the trace of what the pivots leave of K.
    pub fn remaining(&self) -> f64 {
        self.remaining
    }

    /// σ.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Q x: a row per direction, a column per column of x.
    pub(super) fn shares(&self, x: &Matrix<f64>, par: Par) -> Matrix<f64> {
        let mut shares = Matrix::zeros(self.values.len(), x.columns());
        gemm(
            1.0,
            self.directions.as_ref(),
            Op::None,
            x.as_ref(),
            Op::None,
            0.0,
            shares.as_mut(),
            par,
        );
        shares
    }

    /// γ⁻¹(GᵀG + I/γ)⁻¹ x: conjugate gradients need it up to a factor.
    pub(super) fn apply(&self, x: &Matrix<f64>, ratio: f64, par: Par) -> Matrix<f64> {
        let mut out = x.clone();
        if self.values.is_empty() {
            return out;
        }
        let mut shares = self.shares(x, par);
        for (k, value) in self.values.iter().enumerate() {
            let factor = ratio * value / (1.0 + ratio * value);
            shares.row_mut(k).iter_mut().for_each(|s| *s *= factor);
        }
        gemm(
            -1.0,
            self.directions.as_ref(),
            Op::Transpose,
            shares.as_ref(),
            Op::None,
            1.0,
            out.as_mut(),
            par,
        );
        out
    }
}

/// turn · factor, written over the factor block by block: there is room for one of them.
fn turned(factor: Matrix<f64>, turn: &Matrix<f64>, par: Par) -> Matrix<f64> {
    let (rank, n, kept) = (factor.rows(), factor.columns(), turn.rows());
    let mut factor = factor;
    let mut block = Matrix::zeros(kept, BLOCK.min(n));
    for start in (0..n).step_by(BLOCK) {
        let columns = start..(start + BLOCK).min(n);
        let width = columns.len();
        let out = block.as_mut().submatrix(0..kept, 0..width);
        let part = factor.as_ref().submatrix(0..rank, columns.clone());
        gemm(1.0, turn.as_ref(), Op::None, part, Op::None, 0.0, out, par);
        for k in 0..kept {
            factor.row_mut(k)[columns.clone()].copy_from_slice(&block.row(k)[..width]);
        }
    }
    let mut values = factor.into_vec();
    values.truncate(kept * n);
    Matrix::from_vec(kept, n, values)
}
