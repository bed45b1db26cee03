//! The formulas as they are written, on matrices of a few rows.

use mercer::data::Records;
use mercer::kernel::KernelSpec;
use mercer_linalg::{Matrix, Par};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A number between −1 and 1.
pub(crate) fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// A number that is nearly normal: a sum of twelve.
pub(crate) fn normal(rng: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| uniform(rng) / 2.0).sum()
}

pub(crate) fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Rows of normal numbers.
pub(crate) fn rows(n: usize, d: usize, rng: &mut ChaCha8Rng) -> Matrix<f64> {
    Matrix::from_fn(n, d, |_, _| normal(rng))
}

pub(crate) fn gram(kernel: &str, x: &Matrix<f64>) -> Matrix<f64> {
    let kernel: KernelSpec = kernel.parse().expect("a kernel");
    let records = Records::from_points(x.clone());
    kernel.gram(&records, Par::Sequential).expect("a matrix")
}

/// Solves a general system by elimination with row exchanges; returns the log of |det| too.
pub(crate) fn eliminate(matrix: &Matrix<f64>, right: &[f64]) -> (Vec<f64>, f64) {
    let n = matrix.rows();
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| matrix.row(i).to_vec()).collect();
    let mut b = right.to_vec();
    let mut log = 0.0;
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))
            .expect("a row is left");
        a.swap(k, pivot);
        b.swap(k, pivot);
        log += a[k][k].abs().ln();
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let rest: f64 = (k + 1..n).map(|j| a[k][j] * x[j]).sum();
        x[k] = (b[k] - rest) / a[k][k];
    }
    (x, log)
}

/// Coefficients and constant from the bordered system [K + I/γ, 1; 1ᵀ, 0].
pub(crate) fn bordered(gram: &Matrix<f64>, y: &[f64], ratio: f64) -> (Vec<f64>, f64) {
    let n = y.len();
    let system = Matrix::from_fn(n + 1, n + 1, |i, j| match (i < n, j < n) {
        (true, true) => gram[(i, j)] + if i == j { ratio.recip() } else { 0.0 },
        (false, false) => 0.0,
        _ => 1.0,
    });
    let mut right = y.to_vec();
    right.push(0.0);
    let (mut solution, _) = eliminate(&system, &right);
    let bias = solution.pop().expect("the constant");
    (solution, bias)
}

/// log|A|₊ + (n−1) log(½ yᵀPy), halved, by an orthonormal basis of what the constant leaves.
pub(crate) fn restricted_cost(gram: &Matrix<f64>, y: &[f64], ratio: f64) -> f64 {
    let n = y.len();
    // Helmert's contrasts: orthonormal, and each sums to zero.
    let basis = Matrix::from_fn(n - 1, n, |k, i| {
        let m = (k + 1) as f64;
        let scale = (m * (m + 1.0)).sqrt();
        match i.cmp(&(k + 1)) {
            std::cmp::Ordering::Less => 1.0 / scale,
            std::cmp::Ordering::Equal => -m / scale,
            std::cmp::Ordering::Greater => 0.0,
        }
    });
    let a = |i: usize, j: usize| gram[(i, j)] + if i == j { ratio.recip() } else { 0.0 };
    let reduced = Matrix::from_fn(n - 1, n - 1, |k, l| {
        let mut sum = 0.0;
        for i in 0..n {
            for j in 0..n {
                sum += basis[(k, i)] * a(i, j) * basis[(l, j)];
            }
        }
        sum
    });
    let z: Vec<f64> = (0..n - 1)
        .map(|k| (0..n).map(|i| basis[(k, i)] * y[i]).sum())
        .collect();
    let (solution, log) = eliminate(&reduced, &z);
    let quadratic: f64 = solution.iter().zip(&z).map(|(s, z)| s * z).sum();
    0.5 * (log + (n - 1) as f64 * (quadratic / 2.0).ln())
}
