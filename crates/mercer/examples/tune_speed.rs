//! Times a grid search: `cargo run --release --example tune_speed -- FILE.csv [STEP] [THREADS] [FLAGS]`.
//!
//! The last column of the file is the class; every STEP-th row is used, numbers are
//! standardised. FLAGS are `direct` (no shared matrix) and `full` (no race).
#![allow(clippy::print_stdout, missing_docs, reason = "an example prints")]

use mercer::data::{ClassTargets, Dataset, Records, Targets};
use mercer::fit::FitContext;
use mercer::learn::margin::Svc;
use mercer::model::AnyEstimator;
use mercer::tune::{Engine, Status, Tuning};
use mercer_linalg::Matrix;

fn main() -> mercer::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(&words[0]).expect("a CSV file");
    let number = |k: usize, fallback: usize| {
        words
            .get(k)
            .and_then(|w| w.parse().ok())
            .unwrap_or(fallback)
    };
    let (step, threads) = (number(1, 1), number(2, 2));
    let flag = |name: &str| words.iter().any(|w| w == name);
    let lines: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .step_by(step)
        .map(|l| l.split(',').collect())
        .collect();
    let d = lines[0].len() - 1;
    let mut x = Matrix::from_fn(lines.len(), d, |r, c| {
        lines[r][c].parse::<f64>().unwrap_or(0.0)
    });
    for c in 0..d {
        let n = lines.len() as f64;
        let mean = (0..lines.len()).map(|r| x[(r, c)]).sum::<f64>() / n;
        let spread = ((0..lines.len())
            .map(|r| (x[(r, c)] - mean).powi(2))
            .sum::<f64>()
            / n)
            .sqrt();
        for r in 0..lines.len() {
            x[(r, c)] = (x[(r, c)] - mean) / if spread > 0.0 { spread } else { 1.0 };
        }
    }
    let labels: Vec<&str> = lines.iter().map(|l| l[d].trim()).collect();
    let targets = Targets::Classes(ClassTargets::from_labels(&labels));
    let data = Dataset::try_new(Records::from_points(x), targets)?;
    let mut tuning = Tuning::default()
        .axis("C=0.01..10000:10".parse()?)
        .axis("gamma=0.0001..1:10".parse()?)
        .race(!flag("full"));
    if flag("direct") {
        tuning = tuning.engine(Engine::Direct);
    }
    let context = FitContext::default().threads(threads);
    let tuned = tuning.run(&AnyEstimator::Svc(Svc::default()), &data, &context)?;
    let count = |status: Status| tuned.points.iter().filter(|p| p.status == status).count();
    println!(
        "{} rows, {:.3} s: best {:.5} ± {:.5} at C = {}, gamma = {}; {} complete, {} dropped",
        data.len(),
        tuned.seconds,
        tuned.best_point().mean,
        tuned.best_point().standard_error,
        tuned.best_point().values[0],
        tuned.best_point().values[1],
        count(Status::Complete),
        count(Status::Dropped),
    );
    Ok(())
}
