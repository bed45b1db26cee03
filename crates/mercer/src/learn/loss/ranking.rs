//! The ranking loss, a joint loss of all rows: Σ over y_i > y_j of w_i w_j max(0, 1 − f_i + f_j).
//!
//! Only differences count, so that a constant has no say. Kinks are rounded off as those of the hinge
//! loss are. With the pairs' curvatures the second derivative H is a graph Laplacian; with
//! K = LLᵀ and f = Lβ a Newton step solves
//!
//! ```text
//! (I + LᵀHL) β = Lᵀ(Hf − g),     α = −g − H(Lβ − f).
//! ```

use mercer_linalg::{Cholesky, Matrix, Op, SymmetricEigen, gemm, matvec};

use super::losses::ramp;
use crate::fit::FitContext;
use crate::{Error, Result};

/// What is ranked.
#[derive(Clone, Copy)]
pub(super) struct Pairs<'a> {
    /// y: rows of larger values belong above the others.
    pub(super) targets: &'a [f64],
    /// C·w of every row.
    pub(super) prices: &'a [f64],
    /// w of every row.
    pub(super) copies: &'a [f64],
}

impl Pairs<'_> {
    /// Does something with all pairs y_i > y_j and their price.
    fn each(&self, mut what: impl FnMut(usize, usize, f64)) {
        let n = self.targets.len();
        for i in 0..n {
            for j in 0..n {
                if self.targets[i] > self.targets[j] {
                    what(i, j, self.prices[i] * self.copies[j]);
                }
            }
        }
    }

    /// The loss itself.
    pub(super) fn value(&self, f: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.each(|i, j, price| sum += price * (1.0 - f[i] + f[j]).max(0.0));
        sum
    }

    /// The loss with kinks rounded off.
    pub(super) fn rounded(&self, f: &[f64], round: f64) -> f64 {
        let mut sum = 0.0;
        self.each(|i, j, price| sum += price * ramp(1.0 - f[i] + f[j], round).value);
        sum
    }

    /// Its slope in every f.
    pub(super) fn slopes(&self, f: &[f64], round: f64) -> Vec<f64> {
        let mut slopes = vec![0.0; f.len()];
        self.each(|i, j, price| {
            let slope = price * ramp(1.0 - f[i] + f[j], round).slope;
            slopes[i] -= slope;
            slopes[j] += slope;
        });
        slopes
    }

    fn curvatures(&self, f: &[f64], round: f64) -> Matrix<f64> {
        let mut laplacian = Matrix::zeros(f.len(), f.len());
        self.each(|i, j, price| {
            let curvature = price * ramp(1.0 - f[i] + f[j], round).curvature;
            if curvature > 0.0 {
                laplacian[(i, i)] += curvature;
                laplacian[(j, j)] += curvature;
                laplacian[(i, j)] -= curvature;
                laplacian[(j, i)] -= curvature;
            }
        });
        laplacian
    }

    /// Coefficients at the minimum of the quadratic that touches the objective at f.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub(super) fn newton(
        &self,
        f: &[f64],
        root: &Matrix<f64>,
        round: f64,
        context: &FitContext,
    ) -> Result<Vec<f64>> {
        let (n, rank, par) = (f.len(), root.columns(), context.par());
        let slopes = self.slopes(f, round);
        let laplacian = self.curvatures(f, round);
        let mut turned = Matrix::zeros(n, rank);
        let product = |a: &Matrix<f64>, turn: Op, b: &Matrix<f64>, out: &mut Matrix<f64>| {
            gemm(
                1.0,
                a.as_ref(),
                turn,
                b.as_ref(),
                Op::None,
                0.0,
                out.as_mut(),
                par,
            );
        };
        product(&laplacian, Op::None, root, &mut turned);
        let mut matrix = Matrix::zeros(rank, rank);
        product(root, Op::Transpose, &turned, &mut matrix);
        for r in 0..rank {
            matrix[(r, r)] += 1.0;
        }
        let times = |turn: Op, matrix: &Matrix<f64>, x: &[f64], length: usize| {
            let mut out = vec![0.0; length];
            matvec(1.0, matrix.as_ref(), turn, x, 0.0, &mut out, par);
            out
        };
        let mut right = times(Op::None, &laplacian, f, n);
        right.iter_mut().zip(&slopes).for_each(|(r, g)| *r -= g);
        let mut beta = times(Op::Transpose, root, &right, rank);
        let factor = Cholesky::factor_while(matrix, par, &|| context.goes_on());
        let factor = factor.map_err(|_| {
            let broken = || {
                Error::rows(
                    "the ranking problem leaves the range of numbers",
                    "give a smaller C",
                )
            };
            context.check().err().unwrap_or_else(broken)
        })?;
        factor.solve_vector(&mut beta, par);
        let next = times(Op::None, root, &beta, n);
        let moved: Vec<f64> = next.iter().zip(f).map(|(a, b)| a - b).collect();
        let bent = times(Op::None, &laplacian, &moved, n);
        Ok(slopes.iter().zip(bent).map(|(g, h)| -g - h).collect())
    }
}

/// L with LLᵀ = K; eigenvalues that are rounding are left out.
///
/// # Errors
/// A matrix that is not positive semidefinite.
pub(super) fn root(gram: &Matrix<f64>) -> Result<Matrix<f64>> {
    let indefinite = || {
        Error::rows(
            "the kernel matrix is not positive semidefinite",
            "choose a positive semidefinite kernel, or repair the matrix",
        )
    };
    let eigen = SymmetricEigen::new(gram.as_ref()).map_err(|_| indefinite())?;
    let n = gram.rows();
    let largest = eigen.values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let rounding = 1e-13 * n as f64 * largest;
    if eigen
        .values
        .iter()
        .any(|v| *v < -rounding.max(1e-10 * largest))
    {
        return Err(indefinite());
    }
    let kept: Vec<usize> = (0..n).filter(|&j| eigen.values[j] > rounding).collect();
    Ok(Matrix::from_fn(n, kept.len(), |i, r| {
        eigen.vectors[(i, kept[r])] * eigen.values[kept[r]].sqrt()
    }))
}
