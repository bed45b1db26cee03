//! `mercer construct`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{LimitArgs, ReadingArgs};

/// Flags of `mercer construct`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer construct truth-table parity.csv --target odd -o parity.mercer\n  mercer construct staircase curve.csv --target y --tolerance 0.01 -o curve.mercer\n  mercer predict curve.mercer new.csv\n\nOne hidden layer is enough: of thresholds for every Boolean function, of sigmoids for every continuous function on an\ninterval, as near as one likes. Nothing is learnt; the weights are written down."
)]
pub(crate) struct ConstructArgs {
    #[command(subcommand)]
    pub(crate) what: ConstructCommand,
}

/// What a network is made for.
#[derive(Debug, Subcommand)]
pub(crate) enum ConstructCommand {
    /// A network of thresholds that computes a Boolean function
    TruthTable(Box<TruthTableArgs>),
    /// A network of sigmoids that follows a function of one variable
    Staircase(Box<StaircaseArgs>),
}

/// What both constructions are made from.
#[derive(Debug, Args)]
pub(crate) struct ConstructionArgs {
    /// Table; `-` is standard input
    pub(crate) data: PathBuf,

    /// Column with the values of the function
    #[arg(short, long, value_name = "COL")]
    pub(crate) target: String,

    /// Columns to leave out
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub(crate) drop: Vec<String>,

    /// Model file to write [default: named after the data]
    #[arg(short, long, value_name = "FILE.mercer")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Flags of `mercer construct truth-table`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  mercer construct truth-table parity.csv --target odd -o parity.mercer\n\nEvery column is a bit (0 and 1, or booleans), and every combination of bits has its row, in any order. There is a\nhidden gate for every row whose target is the second of the two classes.\nWith --json: {\"model\",\"construction\",\"inputs\",\"hidden\",\"labels\",\"rows\",\"wrong\",\"file\"}."
)]
pub(crate) struct TruthTableArgs {
    #[command(flatten)]
    pub(crate) from: ConstructionArgs,
}

/// Flags of `mercer construct staircase`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer construct staircase curve.csv --target y --tolerance 0.01 -o curve.mercer\n  mercer construct staircase curve.csv --target y --steps 40 --slope 200 --json\n\nThe table has a column of places and one of values; between its points the function is a straight line. There is a\nhidden gate for every step.\nWith --json: {\"model\",\"construction\",\"hidden\",\"slope\",\"tolerance\",\"deviation\",\"interval\",\"rows\",\"file\"}."
)]
pub(crate) struct StaircaseArgs {
    #[command(flatten)]
    pub(crate) from: ConstructionArgs,

    /// Largest distance from the function [default: a hundredth of the range of its values]
    #[arg(
        long,
        value_name = "NUMBER",
        allow_negative_numbers = true,
        conflicts_with = "steps"
    )]
    pub(crate) tolerance: Option<f64>,

    /// Steps, each a hidden gate, instead of as many as the tolerance takes
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<usize>,

    /// Slope of the sigmoids [default: 100 over the width of a step]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) slope: Option<f64>,
}
