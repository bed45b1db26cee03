//! `mercer update`.

use std::path::PathBuf;

use clap::Args;

use super::{LimitArgs, ReadingArgs};

/// Flags of `mercer update`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer update iris.mercer new.csv                       # the rows are added\n  mercer update iris.mercer wrong.csv --remove\n  mercer update iris.mercer new.csv -o iris2.mercer --json\n\nFor nearest neighbours (knn, ib1, ib2), whose model is its rows. How columns are encoded, scaled and weighted stays as\nit was learnt. With --remove each row of the table takes away one row of the model that is equal to it, in its target\nas well where the table has one.\nWith --json: {\"model\",\"added\",\"removed\",\"not_kept\",\"rows\",\"new_classes\",\"file\"}."
)]
pub(crate) struct UpdateArgs {
    /// Model file of nearest neighbours
    pub(crate) model: PathBuf,

    /// Rows to add, or to take away; `-` is standard input
    pub(crate) data: PathBuf,

    /// Take the rows away
    #[arg(long)]
    pub(crate) remove: bool,

    /// Model file to write [default: MODEL, replaced in one step]
    #[arg(short, long, value_name = "FILE.mercer")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}
