//! Times full kernel ridge regression by conjugate gradients, with its residual and the memory of the process.
//!
//! ```sh
//! cargo run --release -p mercer-bench --bin ridge_speed -- 50000 --columns 10 --lambda 1
//! cargo run --release -p mercer-bench --bin ridge_speed -- 20000 --evidence
//! ```
//!
//! Rows are standard normal, the target is a smooth function of them with noise of a standard deviation of 0.1; `--memory` is a limit in MiB.

#![expect(clippy::print_stdout, reason = "a table on the screen")]

use std::time::Instant;

use mercer::data::{Dataset, Records, Targets};
use mercer::fit::{Cancel, FitContext};
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::least_squares::{KernelRidge, Strength};
use mercer_linalg::{Matrix, Par, Precision};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |name: &str| {
        let place = arguments.iter().position(|a| a == name)?;
        arguments.get(place + 1)?.parse::<f64>().ok()
    };
    let rows = arguments
        .first()
        .and_then(|a| a.parse().ok())
        .unwrap_or(20_000);
    let columns = after("--columns").map_or(10, |c| c as usize);
    let lambda = after("--lambda").unwrap_or(1.0);
    let strength = if arguments.iter().any(|a| a == "--evidence") {
        Strength::Evidence
    } else {
        Strength::Lambda(lambda)
    };
    let mut context = FitContext::default();
    if let Some(mib) = after("--memory") {
        context = context.memory_limit((mib * 1024.0 * 1024.0) as u64);
    }
    let (data, clean) = table(rows, columns);
    let before = peak_mib();
    let start = Instant::now();
    let fitted = KernelRidge::default()
        .kernel(KernelSpec::rbf(0.5 / columns as f64))
        .strength(strength)
        .intercept(true)
        .fit(&data, &context);
    let seconds = start.elapsed().as_secs_f64();
    let fitted = match fitted {
        Ok(fitted) => fitted,
        Err(error) => {
            println!("{error}");
            std::process::exit(1);
        }
    };
    println!("rows {rows}, columns {columns}: {seconds:.1} s");
    if let (Some(before), Some(after)) = (before, peak_mib()) {
        println!("peak memory {after:.0} MiB, {before:.0} MiB before the fit");
    }
    println!("stopped: {}", fitted.report.stop_reason);
    if let Some(told) = &fitted.report.iterative {
        println!("{told:#?}");
    }
    for note in &fitted.report.notes {
        println!("- {}", note.text());
    }
    // Sound results of a smooth function are nearer to it than the noise.
    let shown = 2000.min(rows);
    let part: Vec<usize> = (0..shown).collect();
    let records = data.records.select(&part);
    let answers = fitted
        .model
        .predictor(Precision::F64)
        .and_then(|p| p.decisions(&records, Par::Sequential, &Cancel::default()));
    match answers {
        Ok(found) => {
            let miss: f64 = (0..shown).map(|i| (found[(i, 0)] - clean[i]).powi(2)).sum();
            println!(
                "root mean square from the noiseless function {:.4}",
                (miss / shown as f64).sqrt()
            );
        }
        Err(error) => println!("{error}"),
    }
}

/// Rows with noisy targets, and the targets without noise.
fn table(rows: usize, columns: usize) -> (Dataset, Vec<f64>) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut unit = || ((rng.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
    let mut normal = || (-2.0 * unit().ln()).sqrt() * (std::f64::consts::TAU * unit()).cos();
    let points = Matrix::from_fn(rows, columns, |_, _| normal());
    let value = |i: usize| points[(i, 0)].sin() + 0.5 * points[(i, 1 % columns)] * points[(i, 0)];
    let clean: Vec<f64> = (0..rows).map(value).collect();
    let noisy = clean.iter().map(|v| v + 0.1 * normal()).collect();
    let data = Dataset::try_new(Records::from_points(points), Targets::Real(noisy));
    (data.expect("as many targets as rows"), clean)
}

/// The largest resident size of this process so far, where the system tells.
fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}
