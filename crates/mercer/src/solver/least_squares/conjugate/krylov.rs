//! The Lanczos process from several columns that share every pass over K.
//!
//! From a column v of length 1 it makes a tridiagonal T whose eigenvalues θ_j and squared first components τ_j of eigenvectors are the Gauss
//! rule vᵀf(K_c)v ≈ Σ τ_j f(θ_j), for every function f. Lost orthogonality repeats nodes and shares their weights; the
//! sums stay right.
//!
//! A rule of too few passes takes what it has not resolved near zero for larger eigenvalues. The Gauss–Radau rule, with
//! a node put at zero, errs to the other side for 1/(1 + γλ), its square and log(1 + γλ), whose derivatives change
//! signs in turn: the two enclose the value (Golub and Meurant, 2010, section 6.3).

use mercer_linalg::{Matrix, Precision, SymmetricEigen};

use super::System;
use super::descend::{add_scaled, dots, norms};
use crate::fit::{FitContext, Progress};
use crate::{Error, Result};

/// Share of the largest number met so far below which a remainder is rounding: the space is invariant.
const ENDED: f64 = 1e-12;

/// A rule for vᵀf(K_c)v of one column v, its length included.
pub(super) struct Rule {
    /// Nodes, rounding below zero removed.
    pub(super) nodes: Vec<f64>,
    pub(super) weights: Vec<f64>,
    /// The least node as it was computed.
    pub(super) least: f64,
    /// Nodes and weights of the rule with a node at zero; `None` where the space is invariant and the rule exact.
    anchored: Option<(Vec<f64>, Vec<f64>)>,
}

impl Rule {
    /// vᵀf(K_c)v.
    pub(super) fn sum(&self, f: impl Fn(f64) -> f64) -> f64 {
        let pairs = self.nodes.iter().zip(&self.weights);
        pairs.map(|(node, weight)| weight * f(*node)).sum()
    }

    /// How far the sum may be off: the width of what encloses vᵀf(K_c)v.
    pub(super) fn doubt(&self, f: impl Fn(f64) -> f64) -> f64 {
        let Some((nodes, weights)) = &self.anchored else {
            return 0.0;
        };
        let pairs = nodes.iter().zip(weights);
        let other: f64 = pairs.map(|(node, weight)| weight * f(*node)).sum();
        (other - self.sum(f)).abs()
    }
}

/// Processes that go on side by side.
pub(super) struct Krylov {
    before: Matrix<f64>,
    now: Matrix<f64>,
    /// Squared lengths of the columns at the start.
    squares: Vec<f64>,
    diagonals: Vec<Vec<f64>>,
    /// As many as diagonals, or one less where the space is invariant.
    beside: Vec<Vec<f64>>,
    ended: Vec<bool>,
}

impl Krylov {
    /// Starts from some columns.
    pub(super) fn new(mut start: Matrix<f64>) -> Self {
        let squares = dots(&start, &start);
        let scales: Vec<f64> = squares
            .iter()
            .map(|s| if *s > 0.0 { s.sqrt().recip() } else { 0.0 })
            .collect();
        scale(&mut start, &scales);
        Self {
            before: Matrix::zeros(start.rows(), start.columns()),
            ended: squares.iter().map(|s| *s <= 0.0).collect(),
            diagonals: vec![Vec::new(); squares.len()],
            beside: vec![Vec::new(); squares.len()],
            now: start,
            squares,
        }
    }

    /// Returns how many passes were made.
    pub(super) fn steps(&self) -> usize {
        self.diagonals.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Returns whether no column leads further.
    pub(super) fn is_over(&self) -> bool {
        self.ended.iter().all(|e| *e)
    }

    /// Makes passes over K.
    pub(super) fn advance(
        &mut self,
        passes: usize,
        system: &System<'_>,
        precision: Precision,
        context: &FitContext,
    ) -> Result<()> {
        for _ in 0..passes {
            if self.is_over() {
                return Ok(());
            }
            context.check()?;
            let mut image = system.multiply(&self.now, precision, context)?;
            let last: Vec<f64> = self
                .beside
                .iter()
                .map(|b| -b.last().copied().unwrap_or(0.0))
                .collect();
            add_scaled(&mut image, &self.before, &last);
            let alphas = dots(&self.now, &image);
            if alphas.iter().any(|a| !a.is_finite()) {
                return Err(Error::rows(
                    "kernel values of some rows are beyond what numbers can hold",
                    "scale the columns, or use another kernel",
                ));
            }
            let back: Vec<f64> = alphas.iter().map(|a| -a).collect();
            add_scaled(&mut image, &self.now, &back);
            let betas = norms(&image);
            let mut scales = vec![0.0; betas.len()];
            for (k, beta) in betas.iter().enumerate() {
                if self.ended[k] {
                    continue;
                }
                self.diagonals[k].push(alphas[k]);
                let largest = self.diagonals[k]
                    .iter()
                    .chain(&self.beside[k])
                    .fold(0.0_f64, |m, v| m.max(v.abs()));
                if *beta <= ENDED * largest {
                    self.ended[k] = true;
                    continue;
                }
                // As many passes as rows need not do where orthogonality was lost: the remainder tells.
                self.beside[k].push(*beta);
                if self.diagonals[k].len() >= image.rows() {
                    self.ended[k] = true;
                } else {
                    scales[k] = beta.recip();
                }
            }
            scale(&mut image, &scales);
            self.before = std::mem::replace(&mut self.now, image);
            context.tell(|| Progress {
                stage: "evidence".to_owned(),
                iterations: self.steps() as u64,
                ..Progress::default()
            });
        }
        Ok(())
    }

    /// The rule of a column after the passes so far.
    pub(super) fn rule(&self, column: usize) -> Result<Rule> {
        let diagonal = &self.diagonals[column];
        let m = diagonal.len();
        if m == 0 {
            return Ok(Rule {
                nodes: Vec::new(),
                weights: Vec::new(),
                least: 0.0,
                anchored: None,
            });
        }
        let beside = &self.beside[column];
        let square = self.squares[column];
        let eigen = decomposed(diagonal, beside)?;
        let least = eigen.values[0];
        let anchored = match beside.get(m - 1) {
            Some(beta) => {
                // T with one more row that makes `anchor` an eigenvalue: zero, or below what rounding made of it.
                let anchor = (2.0 * least).min(0.0);
                let floor = f64::EPSILON * eigen.values[m - 1].abs() + f64::MIN_POSITIVE;
                let share = |j: usize| {
                    eigen.vectors[(m - 1, j)].powi(2) / (eigen.values[j] - anchor).max(floor)
                };
                let corner = anchor + beta * beta * (0..m).map(share).sum::<f64>();
                let mut longer = diagonal.clone();
                longer.push(corner);
                Some(gauss(&decomposed(&longer, beside)?, square))
            }
            None => None,
        };
        let (nodes, weights) = gauss(&eigen, square);
        Ok(Rule {
            nodes,
            weights,
            least,
            anchored,
        })
    }
}

/// The eigenvectors of a tridiagonal matrix.
fn decomposed(diagonal: &[f64], beside: &[f64]) -> Result<SymmetricEigen<f64>> {
    let m = diagonal.len();
    let mut matrix = Matrix::zeros(m, m);
    for i in 0..m {
        matrix[(i, i)] = diagonal[i];
        if i + 1 < m {
            matrix[(i, i + 1)] = beside[i];
            matrix[(i + 1, i)] = beside[i];
        }
    }
    SymmetricEigen::new(matrix.as_ref()).map_err(|_| {
        Error::rows(
            "the kernel matrix cannot be decomposed",
            "check the rows for values that are not finite",
        )
    })
}

/// Nodes and weights for a column of some squared length.
fn gauss(eigen: &SymmetricEigen<f64>, square: f64) -> (Vec<f64>, Vec<f64>) {
    let nodes = eigen.values.iter().map(|v| v.max(0.0)).collect();
    let weights = (0..eigen.values.len())
        .map(|j| square * eigen.vectors[(0, j)].powi(2))
        .collect();
    (nodes, weights)
}

fn scale(block: &mut Matrix<f64>, factors: &[f64]) {
    for row in 0..block.rows() {
        for (v, factor) in block.row_mut(row).iter_mut().zip(factors) {
            *v *= factor;
        }
    }
}
