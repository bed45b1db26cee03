//! Times a grid search: `cargo run --release -p mercer-bench --bin tune_speed -- FILE [STEP] [THREADS] [FLAGS]`.
//!
//! The last column of the file is the class; every STEP-th row is used, numbers are
//! standardised. FLAGS are `direct` (no shared matrix) and `full` (no race).
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command prints"
)]

use std::process::ExitCode;

use mercer::data::{Roles, Scaling, Task};
use mercer::fit::FitContext;
use mercer::learn::AnyEstimator;
use mercer::learn::margin::Svc;
use mercer::recipe::Recipe;
use mercer::select::grid::{Engine, Status, Tuning};
use mercer_io::{ReadOptions, Result, Source, read};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((file, rest)) = words.split_first() else {
        eprintln!("usage: tune_speed FILE [STEP] [THREADS] [direct] [full]");
        return ExitCode::FAILURE;
    };
    match time(file, rest) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn time(file: &str, words: &[String]) -> Result<String> {
    let number = |place: usize, fallback: usize| {
        let word = words.get(place).and_then(|word| word.parse().ok());
        word.unwrap_or(fallback)
    };
    let (step, threads) = (number(0, 1).max(1), number(1, 2));
    let flag = |name: &str| words.iter().any(|word| word == name);
    let table = read(&Source::Path(file.into()), &ReadOptions::default())?;
    let rows: Vec<usize> = (0..table.rows()).step_by(step).collect();
    let machine = AnyEstimator::Svc(Svc::default());
    let roles = Roles {
        targets: table.names().pop().into_iter().collect(),
        ..Roles::default()
    };
    let recipe = Recipe {
        task: Some(Task::Classify),
        scaling: Some(Scaling::Standard),
        ..Recipe::new(roles).with(machine.clone())
    };
    let data = recipe.open(table.select(&rows))?.prepare()?.data;
    let mut tuning = Tuning::default()
        .axis("C=0.01..10000:10".parse()?)
        .axis("gamma=0.0001..1:10".parse()?)
        .race(!flag("full"));
    if flag("direct") {
        tuning = tuning.engine(Engine::Direct);
    }
    let context = FitContext::default().threads(threads);
    let tuned = tuning.run(&machine, &data, &context)?;
    let count = |status: Status| tuned.points.iter().filter(|p| p.status == status).count();
    let best = tuned.best_point();
    Ok(format!(
        "{} rows, {:.3} s: best {:.5} ± {:.5} at C = {}, gamma = {}; {} complete, {} dropped",
        data.len(),
        tuned.seconds,
        best.mean,
        best.standard_error,
        best.values[0],
        best.values[1],
        count(Status::Complete),
        count(Status::Dropped),
    ))
}
