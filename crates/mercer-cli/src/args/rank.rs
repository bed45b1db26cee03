//! `mercer rank`.

use std::path::PathBuf;

use clap::Args;

use super::{ReadingArgs, RunningArgs};

/// Flags of `mercer rank`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer rank links.csv\n  mercer rank links.csv --damping 0.5 -o ranks.csv\n\nThe first two columns name where a link leads from and to; a column `weight` says how strong it is.\n\nWith --json: {\"nodes\",\"links\",\"damping\",\"passes\",\"converged\",\"ranks\":[{\"node\",\"rank\"}],\"output\"}."
)]
pub(crate) struct RankArgs {
    /// List of links; `-` is standard input
    pub(crate) data: PathBuf,

    /// Probability with which a link is followed, from 0 to 1
    #[arg(long, value_name = "D", default_value_t = 0.85)]
    pub(crate) damping: f64,

    /// Links lead both ways
    #[arg(long)]
    pub(crate) undirected: bool,

    /// Table of nodes and their ranks to write; `-` is standard output
    #[arg(short, long, value_name = "FILE.csv")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
