//! Times the parts of least squares on Nyström features: what each takes beside the product that all of them have to do.
//!
//! ```sh
//! cargo run --release -p mercer-bench --bin feature_speed -- 300000 --components 1000 --columns 20
//! ```
//!
//! Rows are standard normal in single precision, the kernel is `rbf(gamma=0.05)`, λ = 1. "Product" is half of ΦᵀΦ of as many
//! rows, block by block, as `mercer_linalg::add_square_sums` makes it of features that are there already.

#![expect(clippy::print_stdout, reason = "a table on the screen")]

use std::time::Instant;

use mercer::data::{Dataset, Records, Targets};
use mercer::features::LandmarkRule;
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::features::{
    FeaturePenalty, FeatureRows, FeatureSums, MadePlan, Nystroem, Place,
};
use mercer::{Error, Result};
use mercer_linalg::{Matrix, MatrixRef, Par, Precision, Real, SquareRows, add_square_sums};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Rounds of which the quickest counts, part by part.
const ROUNDS: usize = 3;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |name: &str| {
        let place = arguments.iter().position(|a| a == name)?;
        arguments.get(place + 1)?.parse::<usize>().ok()
    };
    let rows = arguments.first().and_then(|a| a.parse().ok());
    let rows = rows.unwrap_or(300_000);
    let components = after("--components").unwrap_or(1000);
    let data = table(rows, after("--columns").unwrap_or(20));
    for rule in [LandmarkRule::Uniform, LandmarkRule::Pivoted] {
        println!("{rows} rows, {components} {} landmarks", rule.name());
        match measured(&data, rule, components) {
            Ok(parts) => {
                for (name, seconds) in parts {
                    println!("{name:>28} {seconds:>8.3} s");
                }
            }
            Err(error) => println!("{error}"),
        }
    }
}

/// Seconds of every part.
fn measured(
    data: &Dataset,
    rule: LandmarkRule,
    components: usize,
) -> Result<Vec<(&'static str, f64)>> {
    let context = FitContext::default();
    let method = Nystroem::default()
        .kernel(KernelSpec::rbf(0.05))
        .components(Some(components))
        .landmarks(rule)
        .penalty(FeaturePenalty::Lambda(1.0));
    let mut best = [f64::INFINITY; 5];
    let mut precision = Precision::F64;
    for _ in 0..ROUNDS {
        let times = context.install(|| -> Result<[f64; 5]> {
            let started = Instant::now();
            let made = method.plan(data, &context)?;
            let planned = started.elapsed().as_secs_f64();
            precision = made.plan.precision;
            let (filled, product) = match precision {
                Precision::F32 => walk::<f32>(&made, data)?,
                Precision::F64 => walk::<f64>(&made, data)?,
            };
            let started = Instant::now();
            let mut sums = FeatureSums::new(&made.plan);
            let rows = FeatureRows {
                records: &data.records,
                targets: &data.targets,
                weights: None,
                place: Place::default(),
                rows: None,
            };
            sums.add(&made.plan, &rows, &context)?;
            let added = started.elapsed().as_secs_f64();
            let started = Instant::now();
            std::hint::black_box(made.plan.solve(&sums, made.penalty, &context)?);
            let solved = started.elapsed().as_secs_f64();
            Ok([planned, filled, product, added, solved])
        })??;
        for (best, time) in best.iter_mut().zip(times) {
            *best = best.min(time);
        }
    }
    let [planned, filled, product, added, solved] = best[..] else {
        return Err(Error::Cancelled);
    };
    let name = match precision {
        Precision::F32 => "product (single precision)",
        Precision::F64 => "product (double precision)",
    };
    Ok(vec![
        ("plan: landmarks and root", planned),
        ("kernel values alone", filled),
        (name, product),
        ("sums of five folds", added),
        ("solution and folds", solved),
        ("together", planned + added + solved),
    ])
}

/// Seconds that the features of all rows take, and the product of features that are there.
fn walk<T: Real>(made: &MadePlan, data: &Dataset) -> Result<(f64, f64)> {
    let plan = &made.plan;
    let bound = plan.map.bind(plan.precision)?;
    let (width, count) = (plan.map.width(), data.len());
    let mut single = vec![0.0_f32; plan.block.min(count) * width];
    let mut double = vec![
        0.0_f64;
        if T::PRECISION == Precision::F64 {
            single.len()
        } else {
            0
        }
    ];
    let started = Instant::now();
    for start in (0..count).step_by(plan.block) {
        let range = start..(start + plan.block).min(count);
        let length = range.len() * width;
        match T::PRECISION {
            Precision::F32 => {
                bound.fill(&data.records, range, &mut single[..length], Par::Rayon)?;
            }
            Precision::F64 => {
                bound.fill_double(&data.records, range, &mut double[..length], Par::Rayon)?;
            }
        }
    }
    let filled = started.elapsed().as_secs_f64();
    let features: Vec<T> = match T::PRECISION {
        Precision::F32 => single.iter().map(|v| T::from_f64(f64::from(*v))).collect(),
        Precision::F64 => double.iter().map(|v| T::from_f64(*v)).collect(),
    };
    let block = features.len() / width;
    let beside = Matrix::<T>::zeros(block, 0);
    let shift = vec![T::ZERO; width];
    let mut out = Matrix::<f64>::zeros(width, width);
    let started = Instant::now();
    for start in (0..count).step_by(block) {
        let rows: Vec<usize> = (0..block.min(count - start)).collect();
        let asked = SquareRows {
            left: MatrixRef::from_slice(block, width, &features),
            shift: &shift,
            beside: beside.as_ref(),
            factors: None,
            rows: &rows,
        };
        add_square_sums(&asked, out.as_mut(), Par::Rayon);
    }
    std::hint::black_box(&out);
    Ok((filled, started.elapsed().as_secs_f64()))
}

/// Rows of which three columns matter, with noise.
fn table(rows: usize, columns: usize) -> Dataset {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut unit = || ((rng.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
    let mut normal = || (-2.0 * unit().ln()).sqrt() * (std::f64::consts::TAU * unit()).cos();
    let points = Matrix::<f32>::from_fn(rows, columns, |_, _| normal() as f32);
    let at = |i: usize, k: usize| f64::from(points[(i, k % columns)]);
    let values = (0..rows).map(|i| at(i, 0).sin() + 0.5 * at(i, 1) * at(i, 2));
    let values = values.map(|v| v + 0.3 * normal()).collect();
    let data = Dataset::try_new(Records::from_points(points), Targets::Real(values));
    data.expect("as many targets as rows")
}
