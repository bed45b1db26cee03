//! Normal equations.

use mercer_linalg::{Matrix, Op, Par, gemm};

/// AᵀA + ridge·I of rows A.
pub(super) fn normal(rows: &Matrix<f64>, ridge: f64, par: Par) -> Matrix<f64> {
    let mut normal = Matrix::zeros(rows.columns(), rows.columns());
    gemm(
        1.0,
        rows.as_ref(),
        Op::Transpose,
        rows.as_ref(),
        Op::None,
        0.0,
        normal.as_mut(),
        par,
    );
    for j in 0..normal.rows() {
        normal.row_mut(j)[j] += ridge;
    }
    normal
}
