//! The `mercer` binary, run as users run it.
#![allow(missing_docs, clippy::format_push_string, reason = "tests")]

mod afterwards;
mod automatic;
mod bad_input;
mod bad_numbers;
mod basics;
mod cells;
mod clock;
mod damaged;
mod exchange;
mod files;
mod fit;
mod gram;
mod harness;
mod hints;
mod interrupt;
mod kernel;
mod libsvm;
mod limits;
mod look;
mod memory;
mod methods;
mod outputs;
mod peak;
mod perceptron;
mod predict;
mod readme;
mod regression;
mod ridge;
mod score;
mod screen;
mod snapshot;
mod spelling;
mod structured;
mod tune;
mod warnings;
