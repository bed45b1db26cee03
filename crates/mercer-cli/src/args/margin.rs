//! `mercer margin`.

use std::path::PathBuf;

use clap::Args;

use super::{LimitArgs, ReadingArgs};

/// Flags of `mercer margin`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer margin points.csv --target y --weights 3,4 --bias=-5\n  mercer margin points.csv --target kind --positive ripe --weights 3,4 -o distances.csv\n\nColumns are taken as they are, in the order of the table. A row on the plane is on neither side and counts as wrong.\nWith --json: {\"functional\",\"geometric\",\"mean_hinge\",\"error\",\"with_slack\",\"slack_above_one\",\"norm\",\"distances\",\n\"distances_with_constant\",\"positive\",\"rows\",\"columns\"}."
)]
pub(crate) struct MarginArgs {
    /// Table of points; `-` is standard input
    pub(crate) data: PathBuf,

    /// Column with the two classes
    #[arg(short, long, value_name = "COL")]
    pub(crate) target: String,

    /// A weight for every column, in the order of the table
    #[arg(
        long,
        value_name = "W,…",
        value_delimiter = ',',
        required = true,
        allow_hyphen_values = true
    )]
    pub(crate) weights: Vec<f64>,

    /// Constant of the plane
    #[arg(
        long,
        value_name = "B",
        default_value_t = 0.0,
        allow_hyphen_values = true
    )]
    pub(crate) bias: f64,

    /// The label that is to be on the positive side [default: `+`, or the larger of two numbers, or
    /// the second of two names]
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
    pub(crate) positive: Option<String>,

    /// Columns to leave out
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub(crate) drop: Vec<String>,

    /// Table with the distance of every row to write; `-` is standard output
    #[arg(short, long, value_name = "FILE.csv")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}
