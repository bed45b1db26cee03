//! Clusters, maps and prototypes: against scikit-learn and MiniSom, against all partitions, and against themselves in other forms.

mod choice;
mod invariance;
mod kernel;
mod limits;
mod lvq;
mod maps;
mod oracle;
mod partitions;
mod steps;

use mercer::data::Records;
use mercer_linalg::Matrix;

/// Rows in a few groups, the same numbers everywhere.
pub(crate) fn groups(rows: usize, columns: usize, groups: usize, seed: u64) -> Matrix<f64> {
    let mut state = seed;
    let mut unit = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let middles = Matrix::from_fn(groups, columns, |_, _| 10.0 * unit());
    Matrix::from_fn(rows, columns, |i, j| {
        middles[(i % groups, j)] + 2.0 * (unit() + unit() + unit() - 1.5)
    })
}

pub(crate) fn records(matrix: &Matrix<f64>) -> Records {
    Records::from_points(matrix.clone())
}
