//! `mercer state`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::fit::{ColumnArgs, ModelArgs};
use super::{ReadingArgs, RunningArgs};

/// Flags of `mercer state`.
#[derive(Debug, Args)]
#[command(
    after_help = "A plan fixes what all parts share: columns, classes, kernel, landmarks. A state is a plan with sums over\nrows; states of different rows are added up, and a model follows from the sums alone.\n\nExamples:\n  mercer state plan all.csv --target y --model nystroem -o p.state\n  mercer state add p.state part1.csv --part 1 -o a.state\n  mercer state add p.state part2.csv --part 2 -o b.state\n  mercer state merge a.state b.state -o m.mercer\n  mercer predict m.mercer new.csv"
)]
pub(crate) struct StateArgs {
    #[command(subcommand)]
    pub(crate) command: StateCommand,
}

/// What is done with states.
#[derive(Debug, Subcommand)]
pub(crate) enum StateCommand {
    /// Look at all rows and fix what parts of them must share
    Plan(Box<PlanArgs>),
    /// Add the rows of a table to a plan or a state
    Add(Box<AddArgs>),
    /// Add up states of different rows, and learn the model of all
    Merge(Box<MergeArgs>),
}

/// Flags of `mercer state plan`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer state plan all.csv --target y --model nystroem --components 500 -o p.state\n  mercer state plan sample.parquet --target kind --model rff --scale standard -o p.state --json\n\nThe table may be all rows or a sample of them: encoders, classes and landmarks are those of its rows. It is read\nin blocks, so that its size does not matter."
)]
pub(crate) struct PlanArgs {
    /// Table to plan for
    pub(crate) data: PathBuf,

    #[command(flatten)]
    pub(crate) columns: ColumnArgs,

    /// Plan to write
    #[arg(short, long, value_name = "FILE.state", help_heading = "Files")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// Flags of `mercer state add`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer state add p.state part1.csv --part 1 -o a.state\n  mercer state add a.state more.csv -o a2.state        # the rows after those of a.state\n  mercer state add p.state rest.csv --first-row 40001 -o b.state\n\nWhere rows stand decides folds and rounding: `--part` numbers parts whose rows are counted from 1 each,\n`--first-row` says where the rows begin in one long table. With parts that begin at multiples of the block,\nsums are the same to the last bit however the table was cut."
)]
pub(crate) struct AddArgs {
    /// Plan, or state to add to
    pub(crate) state: PathBuf,

    /// Table with the rows to add
    pub(crate) data: PathBuf,

    /// State to write
    #[arg(short, long, value_name = "FILE.state", help_heading = "Files")]
    pub(crate) output: PathBuf,

    /// Number of the part that the rows are, where parts are counted and not their rows
    #[arg(long, value_name = "N", help_heading = "Rows")]
    pub(crate) part: Option<u64>,

    /// Number of the first row, from 1 on [default: after the rows of the state]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Rows")]
    pub(crate) first_row: Option<u64>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// Flags of `mercer state merge`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer state merge a.state b.state -o m.mercer\n  mercer state merge a.state b.state -o ab.state       # go on adding later\n\nStates must be of one plan and of different rows."
)]
pub(crate) struct MergeArgs {
    /// States to add up
    #[arg(required = true, value_name = "STATE")]
    pub(crate) states: Vec<PathBuf>,

    /// Model to write, or a state where the name ends in `.state`
    #[arg(short, long, value_name = "FILE", help_heading = "Files")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
