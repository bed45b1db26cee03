//! The `mercer` command.

mod args;
mod commands;
mod data;
mod display;
mod failure;
mod figure;
mod interrupt;
mod libsvm;
mod models;
mod named;
mod notes;
mod noticed;
mod output;
mod outputs;
mod progress;
mod session;
mod style;
mod unnamed;
mod usage;
mod wording;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::main()
}
