//! The squared-loss problem on a kernel matrix that is multiplied by, weights and constant taken out.

use mercer_linalg::{Matrix, Precision};

use super::descend::norms;
use crate::Result;
use crate::fit::FitContext;
use crate::gram::GramProduct;

/// Targets to be explained by a kernel matrix that is never formed.
pub struct System<'a> {
    product: GramProduct<'a>,
    targets: &'a Matrix<f64>,
    weights: Option<&'a [f64]>,
    /// √w; `None` where all weights are 1.
    roots: Option<Vec<f64>>,
    /// u and K S u, where a constant is free.
    constant: Option<(Vec<f64>, Vec<f64>)>,
    /// w_i K_ii.
    diagonal: Vec<f64>,
}

impl<'a> System<'a> {
    /// States a problem: a row of targets per output, copies of every row, and whether a constant is free. Takes one
    /// pass over K where it is.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub fn new(
        product: GramProduct<'a>,
        targets: &'a Matrix<f64>,
        weights: Option<&'a [f64]>,
        intercept: bool,
        context: &FitContext,
    ) -> Result<Self> {
        let n = product.len();
        let roots: Option<Vec<f64>> = weights.map(|w| w.iter().map(|w| w.sqrt()).collect());
        let mut diagonal = product.source().diagonal::<f64>();
        if let Some(weights) = weights {
            diagonal.iter_mut().zip(weights).for_each(|(d, w)| *d *= w);
        }
        let mut system = Self {
            product,
            targets,
            weights,
            roots,
            constant: None,
            diagonal,
        };
        if intercept {
            let length = system.copies().sqrt();
            let unit: Vec<f64> = (0..n).map(|i| system.root(i) / length).collect();
            let column = Matrix::from_fn(n, 1, |i, _| system.root(i) * unit[i]);
            let image = system
                .product
                .multiply(&column, Precision::F64, context)?
                .into_vec();
            system.constant = Some((unit, image));
        }
        Ok(system)
    }

    /// Returns the number of rows n.
    pub fn rows(&self) -> usize {
        self.product.len()
    }

    /// Returns the number of outputs.
    pub fn outputs(&self) -> usize {
        self.targets.rows()
    }

    /// Returns how many copies all rows stand for.
    pub fn copies(&self) -> f64 {
        self.weights
            .map_or(self.rows() as f64, |weights| weights.iter().sum())
    }

    /// Returns the copies, less one where a constant is free.
    pub fn freedom(&self) -> f64 {
        self.copies() - f64::from(u8::from(self.constant.is_some()))
    }

    /// Returns the matrix.
    pub fn product(&self) -> &GramProduct<'a> {
        &self.product
    }

    /// Keeps kernel values of a precision, where they fit into so many bytes.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub fn keep(&mut self, precision: Precision, bytes: u64, context: &FitContext) -> Result<()> {
        self.product.keep(precision, bytes, context)
    }

    /// Returns the average eigenvalue of K_c; 0 where it is rounding.
    pub fn mean_eigenvalue(&self) -> f64 {
        let trace: f64 = self.diagonal.iter().sum();
        let Some((unit, image)) = &self.constant else {
            return trace / self.copies();
        };
        let along = |i: usize| self.root(i) * unit[i] * image[i];
        let total: f64 = (0..self.rows()).map(along).sum();
        // Rounding leaves something of a matrix whose rows are all equal.
        let least = 1e-13 * trace / self.copies();
        let mean = (trace - total) / self.freedom();
        if mean > least { mean } else { 0.0 }
    }

    /// Returns Σ w_i K_ii.
    pub fn trace(&self) -> f64 {
        self.diagonal.iter().sum()
    }

    /// The largest w_i K_ii.
    pub(super) fn largest_diagonal(&self) -> f64 {
        self.diagonal.iter().fold(0.0, |m, d| m.max(d.abs()))
    }

    /// √w.
    pub(super) fn roots(&self) -> Option<&[f64]> {
        self.roots.as_deref()
    }

    pub(super) fn root(&self, row: usize) -> f64 {
        self.roots.as_ref().map_or(1.0, |roots| roots[row])
    }

    /// u.
    pub(super) fn unit(&self) -> Option<&[f64]> {
        self.constant.as_ref().map(|(unit, _)| &unit[..])
    }

    /// M S y, one column per output.
    pub(in crate::solver::least_squares) fn sides(&self) -> Matrix<f64> {
        let mut sides = Matrix::from_fn(self.rows(), self.outputs(), |i, k| {
            self.root(i) * self.targets[(k, i)]
        });
        let before = norms(&sides);
        self.project(&mut sides);
        let after = norms(&sides);
        for k in 0..self.outputs() {
            // What is left of a target that does not vary is rounding.
            if after[k] <= 1e-14 * before[k] {
                for row in 0..sides.rows() {
                    sides[(row, k)] = 0.0;
                }
            }
        }
        sides
    }

    /// Replaces columns by their parts across u.
    pub(super) fn project(&self, block: &mut Matrix<f64>) {
        let Some((unit, _)) = &self.constant else {
            return;
        };
        let mut shares = vec![0.0; block.columns()];
        for (row, u) in unit.iter().enumerate() {
            for (share, v) in shares.iter_mut().zip(block.row(row)) {
                *share += u * v;
            }
        }
        for (row, u) in unit.iter().enumerate() {
            for (v, share) in block.row_mut(row).iter_mut().zip(&shares) {
                *v -= u * share;
            }
        }
    }

    fn weigh(&self, block: &mut Matrix<f64>) {
        if let Some(roots) = &self.roots {
            for (row, root) in roots.iter().enumerate() {
                block.row_mut(row).iter_mut().for_each(|v| *v *= root);
            }
        }
    }

    /// K_c x for the columns of x.
    pub(in crate::solver::least_squares) fn multiply(
        &self,
        x: &Matrix<f64>,
        precision: Precision,
        context: &FitContext,
    ) -> Result<Matrix<f64>> {
        let mut inner = x.clone();
        self.project(&mut inner);
        self.weigh(&mut inner);
        let mut out = self.product.multiply(&inner, precision, context)?;
        self.weigh(&mut out);
        self.project(&mut out);
        Ok(out)
    }

    /// α of a column of x, and the constant of that output.
    pub(super) fn function(&self, x: &Matrix<f64>, output: usize) -> (Vec<f64>, f64) {
        let mut alpha: Vec<f64> = (0..self.rows())
            .map(|i| self.root(i) * x[(i, output)])
            .collect();
        let Some((unit, image)) = &self.constant else {
            return (alpha, 0.0);
        };
        // 1ᵀα = 0 holds to rounding already; it is made to hold to the last digit that sums have.
        let sum: f64 = alpha.iter().sum::<f64>() / self.copies();
        for (i, a) in alpha.iter_mut().enumerate() {
            *a -= self.root(i).powi(2) * sum;
        }
        // Σ w_i (K α)_i = ‖√w‖ (K S u)ᵀα.
        let length = self.copies().sqrt();
        let fitted: f64 = image.iter().zip(&alpha).map(|(h, a)| h * a).sum();
        let target: f64 = (0..self.rows())
            .map(|i| self.root(i) * unit[i] * self.targets[(output, i)])
            .sum();
        (alpha, (target - fitted) / length)
    }
}
