//! What leave-one-out residuals say about a model.

use mercer_linalg::Matrix;

/// Returns the share of rows whose class is predicted wrongly when they are left out.
///
/// `targets` are ±1, one row per output: one for two classes, one per class for more.
pub fn left_out_mistakes(
    residuals: &Matrix<f64>,
    targets: &Matrix<f64>,
    weights: Option<&[f64]>,
) -> f64 {
    let value = |k: usize, i: usize| targets[(k, i)] - residuals[(k, i)];
    let wrong = |i: usize| {
        if targets.rows() == 1 {
            return (value(0, i) > 0.0) != (targets[(0, i)] > 0.0);
        }
        let best = (0..targets.rows()).max_by(|&a, &b| value(a, i).total_cmp(&value(b, i)));
        best.is_none_or(|best| targets[(best, i)] < 0.0)
    };
    mean(targets.columns(), weights, |i| {
        f64::from(u8::from(wrong(i)))
    })
}

/// Returns the root mean square of the first output's residuals.
pub fn left_out_spread(residuals: &Matrix<f64>, weights: Option<&[f64]>) -> f64 {
    let row = residuals.row(0);
    mean(row.len(), weights, |i| row[i] * row[i]).sqrt()
}

fn mean(n: usize, weights: Option<&[f64]>, value: impl Fn(usize) -> f64) -> f64 {
    let weight = |i: usize| weights.map_or(1.0, |w| w[i]);
    let total: f64 = (0..n).map(weight).sum();
    (0..n).map(|i| weight(i) * value(i)).sum::<f64>() / total
}
