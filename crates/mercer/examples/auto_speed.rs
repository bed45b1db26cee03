//! Times the automatic model: `cargo run --release --example auto_speed -- THREADS FILE.csv …`.
//!
//! The last column of a file is the target: classes where it is no number. Numbers should be
//! standardised. Prints seconds, the method that was chosen and its loss on left-out rows.
#![allow(clippy::print_stdout, missing_docs, reason = "an example prints")]

use std::time::Instant;

use mercer::automatic::Automatic;
use mercer::data::{ClassTargets, Dataset, Records, Targets, Task};
use mercer::fit::FitContext;
use mercer_linalg::Matrix;

fn main() -> mercer::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let threads = words[0].parse().expect("a number of threads");
    for file in &words[1..] {
        let data = read(file)?;
        let task = match data.targets {
            Targets::Classes(_) => Task::Classify,
            _ => Task::Regress,
        };
        let context = FitContext::default().threads(threads);
        let started = Instant::now();
        let fitted = Automatic::new(task).fit(&data, &context)?;
        let seconds = started.elapsed().as_secs_f64();
        let best = &fitted.report.trials[0];
        println!(
            "{file}: {seconds:.3} s, {} on {}, loss {:.4}",
            best.name, best.kernel, best.loss
        );
    }
    Ok(())
}

fn read(file: &str) -> mercer::Result<Dataset> {
    let text = std::fs::read_to_string(file).expect("a CSV file");
    let lines: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .map(|l| l.split(',').collect())
        .collect();
    let d = lines[0].len() - 1;
    let x = Matrix::from_fn(lines.len(), d, |r, c| lines[r][c].parse().unwrap_or(0.0));
    let last: Vec<&str> = lines.iter().map(|l| l[d].trim()).collect();
    let numbers: Option<Vec<f64>> = last.iter().map(|t| t.parse().ok()).collect();
    let targets = match numbers {
        Some(numbers) => Targets::Real(numbers),
        None => Targets::Classes(ClassTargets::from_labels(&last)),
    };
    Dataset::try_new(Records::from_points(x), targets)
}
