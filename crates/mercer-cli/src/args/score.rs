//! `mercer score` and `mercer report`.

use std::path::PathBuf;

use clap::Args;
use mercer::judge::ThresholdRule;

use super::{OnError, ReadingArgs, RunningArgs, parse};

/// Flags of `mercer score`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer score iris.mercer test.csv\n  mercer score iris.mercer test.csv --target kind --confidence 0.99 --json\n  mercer score iris.mercer test.csv --reject\n  mercer score credit.mercer test.csv --by region\n  mercer score demand.mercer test.csv --quantile 0.9\n  mercer score pumps.mercer marked.csv --target novel --threshold 0.01 --save pumps-strict.mercer"
)]
pub(crate) struct ScoreArgs {
    #[command(flatten)]
    pub(crate) known: KnownArgs,

    /// Add the error–reject curve: what is wrong where the least sure rows get no prediction
    #[arg(long)]
    pub(crate) reject: bool,

    /// Add the pinball loss of predicted numbers, taken as this quantile of their targets
    #[arg(long, value_name = "SHARE", value_parser = parse::share)]
    pub(crate) quantile: Option<f64>,

    /// Choose the threshold of a novelty detector by these rows, which mark what is novel: for
    /// `balanced` accuracy, or the most detections at a false alarm rate such as 0.01
    #[arg(long, value_name = "RULE")]
    pub(crate) threshold: Option<ThresholdRule>,

    /// Model file to write with that threshold
    #[arg(long, value_name = "FILE.mercer", requires = "threshold")]
    pub(crate) save: Option<PathBuf>,
}

/// Flags of `mercer report`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer report iris.mercer test.csv\n  mercer report iris.mercer test.csv --target kind -o iris-in-may.html"
)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) known: KnownArgs,

    /// The page to write [default: named after the data, `-report.html`]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Model card to write, as Markdown
    #[arg(long, value_name = "FILE.md")]
    pub(crate) card: Option<PathBuf>,
}

/// A model, and rows whose targets are known.
#[derive(Debug, Args)]
pub(crate) struct KnownArgs {
    /// Model file
    pub(crate) model: PathBuf,

    /// Rows with known targets; `-` is standard input
    pub(crate) data: PathBuf,

    /// Column with the targets [default: the one the model learnt]
    #[arg(short, long, value_name = "COL")]
    pub(crate) target: Option<String>,

    /// Column that says how many copies a row stands for
    #[arg(long, value_name = "COL")]
    pub(crate) weights: Option<String>,

    /// Also score the rows of every value of this column by themselves
    #[arg(long, value_name = "COL")]
    pub(crate) by: Option<String>,

    /// Leave out rows whose target is missing
    #[arg(long)]
    pub(crate) drop_unlabelled: bool,

    /// What a cell that cannot be read (a bad number, date or SMILES) ends: all, or the part of its
    /// row, which is then not scored
    #[arg(long, value_name = "stop|skip", default_value = "stop")]
    pub(crate) on_error: OnError,

    /// Probability with which each interval holds the true value
    #[arg(long, value_name = "SHARE", value_parser = parse::share, default_value = "0.95")]
    pub(crate) confidence: f64,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
