//! One file per command.

mod bounds;
mod completions;
mod construct;
mod demo;
mod dependence;
mod description;
mod exchange;
mod explain;
mod fit;
mod forecast;
mod functions;
mod gram;
mod gram_check;
mod inspect;
mod kernel;
mod log_value;
mod look;
mod margin;
mod models;
mod numbers;
mod object;
mod plot;
mod predict;
mod prefix_table;
mod rank;
mod report;
mod score;
mod state;
mod support;
mod update;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};

use crate::args::{Cli, Command};
use crate::failure::{Failure, Fault, Result};
use crate::interrupt;
use crate::libsvm;
use crate::output::Output;
use crate::session::Session;

/// Reads the command line, runs the command and returns the exit code.
pub(crate) fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some(code) = run_libsvm(&arguments) {
        return code;
    }
    let matches = Cli::command().try_get_matches_from(&arguments);
    let cli = match matches.and_then(|found| Cli::from_arg_matches(&found)) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error, &arguments),
    };
    let output = Output::new(cli.json);
    let session = Session::start(output, cli.command.limits());
    let result = run(cli.command, &session);
    session.meter.finish();
    // A fit that was stopped may still hand back a model: the signal counts.
    let result = result.and_then(|()| session.check());
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if failure.fault != Fault::Interrupted || interrupt::first_to_tell() {
                output.failure(&failure);
            }
            failure.exit_code()
        }
    }
}

fn run(command: Command, session: &Session) -> Result<()> {
    match command {
        Command::Demo(args) => demo::run(&args, session),
        Command::Look(args) => look::run(&args, session),
        Command::Fit(args) => fit::run(&args, session),
        Command::Predict(args) => predict::run(&args, session),
        Command::Forecast(args) => forecast::run(&args, session),
        Command::Explain(args) => explain::run(&args, session),
        Command::Plot(args) => plot::run(&args, session),
        Command::Score(args) => score::run(&args, session),
        Command::Report(args) => report::run(&args, session),
        Command::Cv(args) => fit::cross_validate(&args, session),
        Command::Compare(args) => fit::compare(&args, session),
        Command::Curve(args) => fit::curve(&args, session),
        Command::Tune(args) => fit::tune(&args, session),
        Command::Select(args) => fit::select(&args, session),
        Command::Update(args) => update::run(&args, session),
        Command::Construct(args) => construct::run(&args, session),
        Command::State(args) => state::run(&args, session),
        Command::Cluster(args) => fit::cluster(&args, session),
        Command::Embed(args) => fit::embed(&args, session),
        Command::Bounds(args) => bounds::run(&args, session),
        Command::Margin(args) => margin::run(&args, session),
        Command::Rank(args) => rank::run(&args, session),
        Command::Models(args) => models::run(&args, session),
        Command::Inspect(args) => inspect::run(&args, session),
        Command::Kernel(args) => kernel::run(&args, session),
        Command::Gram(args) => gram::run(&args, session),
        Command::Import(args) => exchange::import(&args, session),
        Command::Export(args) => exchange::export(&args, session),
        Command::Completions(args) => completions::run(&args, session),
        Command::SvmTrain(_) | Command::SvmPredict(_) | Command::SvmScale(_) => {
            Err(Failure::usage(
                "flags before a LIBSVM command are not read",
                "write the command first, such as `mercer svm-train -c 10 data`",
            ))
        }
    }
}

/// LIBSVM's commands read their own arguments, untouched.
fn run_libsvm(arguments: &[OsString]) -> Option<ExitCode> {
    let command = arguments.get(1)?.to_str()?;
    let rest = || arguments[2..].to_vec();
    match command {
        "svm-train" => Some(libsvm::train::run(rest())),
        "svm-predict" => Some(libsvm::predict::run(rest())),
        "svm-scale" => Some(libsvm::scale::run(rest())),
        _ => None,
    }
}

/// Tells what is wrong with the command line, or prints the help that was asked for.
fn refuse(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    let json = arguments.iter().any(|a| a == "--json");
    if let Some(failure) = unknown_command(error) {
        Output::new(json).failure(&failure);
        return failure.exit_code();
    }
    if !error.use_stderr() || !json {
        // A reader that went away needs no help.
        let _ = error.print();
        return ExitCode::from(error.exit_code() as u8);
    }
    let failure = usage(&error.render().to_string());
    Output::new(true).failure(&failure);
    failure.exit_code()
}

/// The parser's message with all that belongs to it: which arguments are missing, which values are
/// possible.
fn usage(text: &str) -> Failure {
    let mut lines = text.lines().map(str::trim_end);
    let first = lines.next().unwrap_or_default();
    let mut message = first.strip_prefix("error: ").unwrap_or(first).to_owned();
    let mut hints = Vec::new();
    // What clap ends with is advice for a terminal.
    let ends = |line: &&str| line.starts_with("Usage:") || line.starts_with("For more information");
    for line in lines.take_while(|line| !ends(line)) {
        let line = line.trim();
        if let Some(tip) = line.strip_prefix("tip: ") {
            hints.push(tip.to_owned());
        } else if !line.is_empty() {
            let joint = if message.ends_with(':') { " " } else { ", " };
            message = format!("{message}{joint}{line}");
        }
    }
    Failure {
        fault: Fault::Usage,
        code: "usage",
        message,
        hints,
    }
}

/// Suggests a command; swapped letters escape clap's own measure.
fn unknown_command(error: &clap::Error) -> Option<Failure> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let cli = Cli::command();
    let known: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    Some(Failure {
        code: "usage",
        ..Failure::unknown("command", name, &known)
    })
}
