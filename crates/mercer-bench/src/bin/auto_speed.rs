//! Times the automatic model: `cargo run --release -p mercer-bench --bin auto_speed -- THREADS FILE …`.
//!
//! The last column of a file is the target. Prints seconds, the method that was chosen and its
//! loss on held-out rows.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command prints"
)]

use std::process::ExitCode;
use std::time::Instant;

use mercer::data::Roles;
use mercer::fit::FitContext;
use mercer::recipe::Recipe;
use mercer_io::{ReadOptions, Result, Source, read};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((Ok(threads), files)) = words
        .split_first()
        .map(|(threads, files)| (threads.parse(), files))
    else {
        eprintln!("usage: auto_speed THREADS FILE…");
        return ExitCode::FAILURE;
    };
    for file in files {
        match time(file, threads) {
            Ok(line) => println!("{file}: {line}"),
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn time(file: &str, threads: usize) -> Result<String> {
    let table = read(&Source::Path(file.into()), &ReadOptions::default())?;
    let roles = Roles {
        targets: table.names().pop().into_iter().collect(),
        ..Roles::default()
    };
    let recipe = Recipe::new(roles);
    let prepared = recipe.open(table)?.prepare()?;
    let context = FitContext::default().threads(threads);
    let started = Instant::now();
    let fitted = prepared.fit(&context)?;
    let seconds = started.elapsed().as_secs_f64();
    let best = &fitted.report.trials()[0];
    Ok(format!(
        "{seconds:.3} s, {} on {}, loss {:.4}",
        best.name, best.kernel, best.loss
    ))
}
