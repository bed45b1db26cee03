//! `mercer look`.

use std::path::PathBuf;

use clap::Args;

use super::{LimitArgs, ReadingArgs};

/// Flags of `mercer look`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer look table.csv\n  mercer look table.csv --target y\n  mercer look book.xlsx --sheet May --json"
)]
pub(crate) struct LookArgs {
    /// Data file or folder; `-` is standard input
    pub(crate) data: PathBuf,

    /// Column to be predicted: how much each other column alone tells of it
    #[arg(long, value_name = "COLUMN")]
    pub(crate) target: Option<String>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}
