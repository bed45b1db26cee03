//! Times a Cholesky factor beside a matrix product, in both precisions.
//!
//! ```sh
//! cargo run --release -p mercer-bench --bin cholesky_speed -- 2000 5000
//! ```

#![expect(clippy::print_stdout, reason = "a table on the screen")]

use std::time::Instant;

use mercer_linalg::{Cholesky, Matrix, Op, Par, Real, gemm};

/// Rounds of which the quickest counts.
const ROUNDS: usize = 3;

fn main() {
    let sizes: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|a| a.parse().ok())
        .collect();
    let sizes = if sizes.is_empty() { vec![2000] } else { sizes };
    println!(
        "{:>7} {:>10} {:>16} {:>16} {:>7}",
        "n", "precision", "product GFLOP/s", "factor GFLOP/s", "share"
    );
    for n in sizes {
        row::<f64>(n, "double");
        row::<f32>(n, "single");
    }
}

fn row<T: Real>(n: usize, name: &str) {
    let from = |v: f64| T::from_f64(v);
    let a = Matrix::<T>::from_fn(n, n, |i, j| {
        let distance = i.abs_diff(j) as f64 / n as f64;
        from((-20.0 * distance).exp() + if i == j { 1.0 } else { 0.0 })
    });
    let cube = (n as f64).powi(3);
    let [mut product, mut factor] = [f64::INFINITY; 2];
    // Taken in turns, so that a disturbance meets both.
    for _ in 0..ROUNDS {
        let mut c = Matrix::<T>::zeros(n, n);
        let start = Instant::now();
        gemm(
            T::ONE,
            a.as_ref(),
            Op::None,
            a.as_ref(),
            Op::None,
            T::ZERO,
            c.as_mut(),
            Par::Rayon,
        );
        product = product.min(start.elapsed().as_secs_f64());
        std::hint::black_box(&c);
        drop(c);
        // The factor takes its matrix over; the copy is not part of the work.
        let matrix = a.clone();
        let start = Instant::now();
        let found = Cholesky::factor(matrix, Par::Rayon);
        factor = factor.min(start.elapsed().as_secs_f64());
        std::hint::black_box(&found.is_ok());
    }
    let rates = [2.0 * cube / product / 1e9, cube / 3.0 / factor / 1e9];
    println!(
        "{n:>7} {name:>10} {:>16.1} {:>16.1} {:>6.0}%",
        rates[0],
        rates[1],
        100.0 * rates[1] / rates[0]
    );
}
