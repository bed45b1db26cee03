//! Prints the speed of dense and sparse tiles, of the exponential and of the factorisations.
//!
//! ```sh
//! cargo run --release -p mercer-bench --bin tile_speed
//! ```
#![expect(clippy::print_stdout, reason = "a report")]

use std::hint::black_box;
use std::time::Instant;

use mercer_linalg::{
    Cholesky, Csr, DenseRows, Epilogue, Matrix, Op, Par, Real, Rows, SparseRows, SymmetricEigen,
    exp_in_place, gemm, gram, sparse_gram, sparse_tile, tile,
};

/// Processor time of this thread in seconds, where the system tells it: other work on the machine does not count.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? * 1e-9)
}

/// Seconds of one run: mean processor time when sequential, the least wall time otherwise.
fn seconds(par: Par, mut work: impl FnMut()) -> f64 {
    work();
    let start = Instant::now();
    let before = processor_seconds();
    let mut least = f64::INFINITY;
    let mut runs = 0;
    while runs < 3 || (start.elapsed().as_secs_f64() < 0.4 && runs < 1_000_000) {
        let run = Instant::now();
        work();
        least = least.min(run.elapsed().as_secs_f64());
        runs += 1;
    }
    match (par, before, processor_seconds()) {
        (Par::Sequential, Some(before), Some(after)) if after > before => {
            ((after - before) / f64::from(runs)).min(start.elapsed().as_secs_f64())
        }
        _ => least,
    }
}

fn random(rows: usize, columns: usize) -> Matrix<f64> {
    let mut state = 1u64;
    Matrix::from_fn(rows, columns, |_, _| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 40) as f64 / f64::from(1u32 << 24) - 0.5
    })
}

fn dense<T: Real>(par: Par) {
    let rbf = Epilogue::Rbf { gamma: 0.1 };
    for (m, n, d) in [
        (1, 10_000, 50),
        (1, 10_000, 784),
        (2, 10_000, 128),
        (16, 10_000, 128),
        (256, 256, 128),
        (256, 10_000, 20),
        (256, 10_000, 50),
        (256, 10_000, 128),
        (256, 10_000, 784),
        (2000, 2000, 128),
        (2000, 2000, 784),
    ] {
        let x = random(m, d);
        let z = random(n, d);
        let left = DenseRows::<T>::new(x.as_ref(), None, None);
        let right = DenseRows::<T>::new(z.as_ref(), None, None);
        let mut out = Matrix::<T>::zeros(m, n);
        let ids: Vec<u32> = (0..n as u32).rev().collect();
        let mut run = |epilogue: &Epilogue, columns: Rows<'_>| {
            seconds(par, || {
                tile(
                    &left,
                    Rows::Range(0..m),
                    &right,
                    columns.clone(),
                    epilogue,
                    out.as_mut(),
                    par,
                );
            })
        };
        let flops = 2e-9 * (m * n * d) as f64;
        let dot = run(&Epilogue::Dot, Rows::Range(0..n));
        let kernel = run(&rbf, Rows::Range(0..n));
        let scattered = run(&rbf, Rows::Ids(&ids));
        let (a, b) = (x.cast::<T>(), z.cast::<T>());
        let faer = seconds(par, || {
            gemm(
                T::ONE,
                a.as_ref(),
                Op::None,
                b.as_ref(),
                Op::Transpose,
                T::ZERO,
                out.as_mut(),
                par,
            );
        });
        println!(
            "{} {par:?} {m:5} x {n:5} x {d:4}: GFLOP/s dot {:6.1}, rbf {:6.1}, rbf scattered {:6.1}, faer gemm {:6.1}; right {:5.1} GB/s",
            T::PRECISION,
            flops / dot,
            flops / kernel,
            flops / scattered,
            flops / faer,
            1e-9 * (n * d * size_of::<T>()) as f64 / dot,
        );
    }
    let rows = DenseRows::<T>::new(random(4000, 128).as_ref(), None, None);
    let mut out = Matrix::<T>::zeros(4000, 4000);
    let seconds = seconds(par, || gram(&rows, &rbf, out.as_mut(), par));
    println!(
        "{} {par:?} gram 4000 x 128 rbf: {:.1} ms, {:.1} GFLOP/s of the full product",
        T::PRECISION,
        seconds * 1e3,
        2e-9 * 4000.0 * 4000.0 * 128.0 / seconds
    );
}

fn sparse<T: Real>(par: Par) {
    let rbf = Epilogue::Rbf { gamma: 0.1 };
    for (n, d, nnz) in [(4000, 123, 14), (4000, 780, 150), (4000, 47_000, 75)] {
        let mut builder = mercer_linalg::CsrBuilder::new(d);
        let mut state = 7u64;
        for _ in 0..n {
            let mut row: Vec<u32> = (0..nnz)
                .map(|_| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    ((state >> 33) % d as u64) as u32
                })
                .collect();
            row.sort_unstable();
            row.dedup();
            let row: Vec<(u32, f64)> = row.into_iter().map(|j| (j, 0.5)).collect();
            builder.push_row(&row).expect("ascending");
        }
        let csr: Csr<f64> = builder.finish();
        let rows = SparseRows::<T>::new(&csr, None);
        let mut out = Matrix::<T>::zeros(n, n);
        let whole = seconds(par, || sparse_gram(&rows, &rbf, out.as_mut(), par));
        let one = seconds(par, || {
            sparse_tile(
                &rows,
                Rows::Range(0..1),
                &rows,
                Rows::Range(0..n),
                &rbf,
                out.as_mut().submatrix(0..1, 0..n),
                par,
            );
        });
        println!(
            "{} {par:?} sparse {n} x {d}, {nnz} a row: gram {:.1} ms, {:.2} ns an entry; one row {:.2} ns an entry",
            T::PRECISION,
            whole * 1e3,
            whole * 1e9 / (n * n) as f64,
            one * 1e9 / n as f64,
        );
    }
}

fn others<T: Real>(par: Par) {
    let inputs: Vec<T> = (0..4096)
        .map(|i| T::from_f64(-0.005 * f64::from(i)))
        .collect();
    let mut values = inputs.clone();
    let time = seconds(Par::Sequential, || {
        for _ in 0..100 {
            values.copy_from_slice(&inputs);
            exp_in_place(black_box(&mut values));
        }
    });
    println!(
        "{} exp {:.3} ns an element",
        T::PRECISION,
        time * 1e9 / 409_600.0
    );
    for n in [1000, 2000] {
        let x = random(n, 64).cast::<T>();
        let rows = DenseRows::from_matrix(x);
        let mut k = Matrix::<T>::zeros(n, n);
        gram(&rows, &Epilogue::Rbf { gamma: 0.3 }, k.as_mut(), par);
        for i in 0..n {
            k[(i, i)] += T::from_f64(0.1);
        }
        let seconds = seconds(par, || {
            black_box(Cholesky::factor(k.clone(), par).is_ok());
        });
        println!(
            "{} {par:?} cholesky {n}: {:.1} ms, {:.1} GFLOP/s",
            T::PRECISION,
            seconds * 1e3,
            1e-9 * (n as f64).powi(3) / 3.0 / seconds
        );
        if n == 1000 {
            let start = Instant::now();
            black_box(SymmetricEigen::new(k.as_ref()).is_ok());
            println!(
                "{} eigen {n}: {:.1} ms",
                T::PRECISION,
                start.elapsed().as_secs_f64() * 1e3
            );
        }
    }
}

/// One block of the micro-kernel, with the cost of a call.
fn peak() {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        let a = Matrix::<f32>::from_fn(12, 256, |_, _| 0.5);
        let b = Matrix::<f32>::from_fn(32, 256, |_, _| 0.5);
        let left = DenseRows::from_matrix(a);
        let right = DenseRows::from_matrix(b);
        let mut out = Matrix::<f32>::zeros(12, 32);
        let seconds = seconds(Par::Sequential, || {
            for _ in 0..1000 {
                tile(
                    &left,
                    Rows::Range(0..12),
                    &right,
                    Rows::Range(0..32),
                    &Epilogue::Dot,
                    out.as_mut(),
                    Par::Sequential,
                );
            }
        });
        println!(
            "one 12 x 32 x 256 block in the first-level cache: {:.1} GFLOP/s",
            2e-9 * 12.0 * 32.0 * 256.0 * 1e3 / seconds
        );
    }
}

fn main() {
    let only = std::env::args().nth(1).unwrap_or_default();
    if only.is_empty() || only == "dense" {
        peak();
        dense::<f32>(Par::Sequential);
        dense::<f64>(Par::Sequential);
        dense::<f32>(Par::Rayon);
    }
    if only.is_empty() || only == "sparse" {
        sparse::<f32>(Par::Sequential);
    }
    if only.is_empty() || only == "others" {
        others::<f32>(Par::Sequential);
        others::<f64>(Par::Sequential);
        others::<f64>(Par::Rayon);
    }
}
