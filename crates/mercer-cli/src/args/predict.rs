//! `mercer predict`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ReadingArgs, RunningArgs};

/// Flags of `mercer predict`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer predict iris.mercer new.csv --proba -o predictions.csv\n  cat new.csv | mercer predict iris.mercer - --json\n\nColumns are matched by name; their order does not matter."
)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "every switch is one of its own"
)]
pub(crate) struct PredictArgs {
    /// Model file
    pub(crate) model: PathBuf,

    /// Rows to predict; `-` is standard input
    pub(crate) data: PathBuf,

    /// CSV file to write [default: standard output]
    #[arg(short, long, value_name = "FILE.csv")]
    pub(crate) output: Option<PathBuf>,

    /// Add a probability for every class
    #[arg(long)]
    pub(crate) proba: bool,

    /// Add decision values
    #[arg(long)]
    pub(crate) decision: bool,

    /// Add the distance of every row from the border, |f|/‖w‖: among standardised columns, or in the space of
    /// the kernel
    #[arg(long)]
    pub(crate) distance: bool,

    /// Add what holds the truth with probability `--level`: a prediction interval, or a prediction
    /// set of classes
    #[arg(long)]
    pub(crate) interval: bool,

    /// Let prediction sets keep that probability for every class by itself, rare ones included
    #[arg(long, requires = "interval")]
    pub(crate) per_class: bool,

    /// Probability that intervals and sets are to keep
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.9,
        allow_negative_numbers = true,
        requires = "interval"
    )]
    pub(crate) level: f64,

    /// What a cell that cannot be read (a bad number, date or SMILES) ends: all, or the prediction
    /// of its row, which stays empty
    #[arg(long, value_name = "stop|skip", default_value = "stop")]
    pub(crate) on_error: OnError,

    /// Column to copy into the predictions
    #[arg(long, value_name = "COL")]
    pub(crate) id: Option<String>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// What a cell that cannot be read ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum OnError {
    /// The command, with an error that names the cell
    #[default]
    Stop,
    /// The prediction of its row
    Skip,
}
