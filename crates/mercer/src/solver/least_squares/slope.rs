//! Slopes of the cost in the hyperparameters of a kernel expression.
//!
//! ∂J/∂θ = Σ_ij G_ij ∂K_ij/∂θ with G from [`super::Operator`], for θ the logarithm of a number.

use mercer_linalg::{Matrix, Op, Par, dot, gemm};

use super::log_slope::log_slope;
use crate::Result;
use crate::data::{Block, Points, Records};
use crate::kernel::{Hyperparameter, KernelSpec, ResolvedKernel, Value};

/// Returns the slope of the cost in log θ for every hyperparameter.
///
/// Widths of an rbf, one or one per column, have a closed form that costs one matrix product
/// for all columns; everything else takes the matrix of ∂K/∂log θ.
///
/// # Errors
/// Rows that the kernel cannot compare.
pub fn kernel_slopes(
    kernel: &ResolvedKernel,
    hyperparameters: &[Hyperparameter],
    records: &Records,
    gram: &Matrix<f64>,
    g: &Matrix<f64>,
    par: Par,
) -> Result<Vec<f64>> {
    if let Some(slopes) = gauss_slopes(kernel, hyperparameters, records, gram, g, par) {
        return Ok(slopes);
    }
    let one = |hyperparameter: &Hyperparameter| {
        let slope = log_slope(kernel, hyperparameter, records, gram, par)?;
        let half = |i: usize| dot(&g.row(i)[..i], &slope.row(i)[..i]);
        let whole = |i: usize| 2.0 * half(i) + g[(i, i)] * slope[(i, i)];
        Ok((0..g.rows()).map(whole).sum())
    };
    hyperparameters.iter().map(one).collect()
}

/// The widths of one Gaussian kernel: with s = γ_c (x_c − z_c)², ∂K/∂log γ_c = −s K.
///
/// Summed against G over all pairs, with H = G∘K: −2γ_c [Σ_i x_ic² (H1)_i − x_cᵀ H x_c].
fn gauss_slopes(
    kernel: &ResolvedKernel,
    hyperparameters: &[Hyperparameter],
    records: &Records,
    gram: &Matrix<f64>,
    g: &Matrix<f64>,
    par: Par,
) -> Option<Vec<f64>> {
    let KernelSpec::Base { family, settings } = kernel.spec() else {
        return None;
    };
    let Points::Double(Block::Dense(points)) = &records.features.points else {
        return None;
    };
    if family.name != "rbf" {
        return None;
    }
    let (index, sign) = match (settings.value(0), settings.value(1)) {
        (Value::Open, sigma) if !sigma.is_open() => (1, 1.0),
        (gamma, _) if !gamma.is_open() => (0, -1.0),
        _ => return None,
    };
    let (n, d) = (points.rows(), points.columns());
    // A rate per column, whichever way the widths are written.
    let gammas: Vec<f64> = {
        let of = |v: f64| if index == 0 { v } else { 0.5 / (v * v) };
        match settings.value(index) {
            Value::Number(v) => vec![of(*v); d],
            Value::Numbers(list) => list.iter().map(|v| of(*v)).collect(),
            _ => return None,
        }
    };
    let mut h = Matrix::zeros(n, n);
    let mut sums = vec![0.0; n];
    for i in 0..n {
        let row = h.row_mut(i);
        for ((h, g), k) in row.iter_mut().zip(g.row(i)).zip(gram.row(i)) {
            *h = g * k;
        }
        sums[i] = row.iter().sum();
    }
    // Distances do not depend on where zero is, rounding does.
    let means: Vec<f64> = (0..d)
        .map(|c| (0..n).map(|i| points.row(i)[c]).sum::<f64>() / n as f64)
        .collect();
    let x = Matrix::from_fn(n, d, |i, c| points.row(i)[c] - means[c]);
    let mut hx = Matrix::zeros(n, d);
    gemm(
        1.0,
        h.as_ref(),
        Op::None,
        x.as_ref(),
        Op::None,
        0.0,
        hx.as_mut(),
        par,
    );
    let mut columns = vec![0.0; d];
    for i in 0..n {
        for (c, total) in columns.iter_mut().enumerate() {
            let value = x[(i, c)];
            *total += value * (value * sums[i] - hx[(i, c)]);
        }
    }
    // γ = 1/(2σ²): a step in log σ is two steps back in log γ.
    let power = if index == 0 { 1.0 } else { 2.0 };
    let slopes: Vec<f64> = (0..d)
        .map(|c| sign * power * 2.0 * gammas[c] * columns[c])
        .collect();
    let one = |hyperparameter: &Hyperparameter| match hyperparameter {
        Hyperparameter::Parameter {
            column: Some(column),
            ..
        } => slopes[*column],
        _ => slopes.iter().sum(),
    };
    Some(hyperparameters.iter().map(one).collect())
}
