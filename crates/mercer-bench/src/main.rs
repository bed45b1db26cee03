//! The `mercer-bench` command: measures mercer beside other programs and writes the account.
//!
//! Every program works in a process of its own that keeps its data in memory and is told when
//! to fit and when to predict. Rounds go over all programs in rotating order, so that whatever
//! else the machine does falls on all alike. Medians count. Results are checked by recomputing
//! objectives and optimality conditions in double precision from the support vectors.
#![expect(
    clippy::print_stdout,
    reason = "a command that tells what it does as it goes"
)]

mod args;
mod case;
mod cases;
mod check;
mod environment;
mod error;
mod job;
mod list;
mod machine;
mod numbers;
mod paths;
mod peer;
mod prepare;
mod quick;
mod record;
mod report;
mod rounds;
mod run;
mod structured;
mod verdict;
mod worker;
mod zero;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let mut trouble = ExitCode::FAILURE;
    let done = match args::Args::parse().command {
        args::Command::Run(options) => run::run(&options),
        args::Command::Zero(options) => zero::run(&options),
        args::Command::Structured(options) => structured::run(&options),
        args::Command::Quick(options) => {
            // Failing to compare must not look like a verdict.
            trouble = ExitCode::from(2);
            match quick(&options) {
                Ok(true) => Ok(()),
                Ok(false) => return ExitCode::FAILURE,
                Err(error) => Err(error),
            }
        }
        args::Command::Report { out } => report::render(&out),
        args::Command::List => {
            println!("{}", list::text());
            Ok(())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("error: {error}");
            trouble
        }
    }
}

fn quick(options: &args::QuickOptions) -> error::Result<bool> {
    if options.list {
        print!("{}", quick::list());
        return Ok(true);
    }
    quick::run(options)
}
