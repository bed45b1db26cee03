//! Weights and the free constant taken out of a problem.

use mercer_linalg::{Matrix, axpy, dot};

use super::Problem;

/// K_c = M S K S M and M S y with S = diag(√w), M = I − uuᵀ, u = √w/‖√w‖; M = I without a free
/// constant.
pub(super) struct Centred {
    pub(super) matrix: Matrix<f64>,
    /// M S y, one row per output.
    pub(super) sides: Matrix<f64>,
    /// √w.
    pub(super) roots: Vec<f64>,
    /// u.
    pub(super) unit: Option<Vec<f64>>,
}

impl Centred {
    pub(super) fn new(problem: &Problem<'_>) -> Self {
        let n = problem.rows();
        let roots: Vec<f64> = (0..n).map(|i| problem.noise(i).recip().sqrt()).collect();
        let mut matrix = problem.gram.to_owned();
        let mut sides = problem.targets.clone();
        if problem.weights.is_some() {
            for i in 0..n {
                scale(matrix.row_mut(i), &roots, roots[i]);
            }
            for k in 0..sides.rows() {
                scale(sides.row_mut(k), &roots, 1.0);
            }
        }
        let total: f64 = roots.iter().map(|r| r * r).sum();
        let unit = problem
            .intercept
            .then(|| roots.iter().map(|r| r / total.sqrt()).collect::<Vec<f64>>());
        if let Some(unit) = &unit {
            project_out(&mut matrix, unit);
            for k in 0..sides.rows() {
                let side = sides.row_mut(k);
                axpy(-dot(unit, side), unit, side);
            }
        }
        Self {
            matrix,
            sides,
            roots,
            unit,
        }
    }
}

fn scale(row: &mut [f64], roots: &[f64], factor: f64) {
    for (value, root) in row.iter_mut().zip(roots) {
        *value *= factor * root;
    }
}

/// Replaces K by (I − uuᵀ) K (I − uuᵀ).
fn project_out(matrix: &mut Matrix<f64>, unit: &[f64]) {
    let n = matrix.rows();
    let image: Vec<f64> = (0..n).map(|i| dot(matrix.row(i), unit)).collect();
    let middle = dot(&image, unit);
    for i in 0..n {
        let row = matrix.row_mut(i);
        axpy(-image[i] + middle * unit[i], unit, row);
        axpy(-unit[i], &image, row);
    }
}
