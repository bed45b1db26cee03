//! `mercer cluster`.

use std::path::PathBuf;

use clap::Args;

use super::fit::ModelArgs;
use super::{ReadingArgs, RunningArgs, UnlabelledArgs};

/// Flags of `mercer cluster`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer cluster flowers.csv --drop species --clusters 3 -o clusters.csv\n  mercer cluster customers.csv --id name --clusters 5 --save customers.mercer\n  mercer cluster flowers.csv --drop species --clusters 2..10\n  mercer cluster flowers.csv --drop species --model som --plot map.svg\n\nColumns are standardised unless `--model` or `--scale` say otherwise. Clusters are numbered from 0. `--clusters 2..10` tries these numbers, `--clusters auto` those from 1 to 10, and the largest mean silhouette decides.\n\nWith --json: {\"model\",\"task\",\"clusters\":[{\"cluster\",\"rows\",\"centre\":{NAME:VALUE}}],\"choice\",\"report\",\"file\",\"output\",\"plot\"}."
)]
pub(crate) struct ClusterArgs {
    /// Table to sort into clusters; `-` is standard input
    pub(crate) data: PathBuf,

    #[command(flatten)]
    pub(crate) columns: UnlabelledArgs,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Table with the cluster of every row to write; `-` is standard output
    #[arg(short, long, value_name = "FILE.csv", help_heading = "Files")]
    pub(crate) output: Option<PathBuf>,

    /// Model file to write, which sorts new rows
    #[arg(long, value_name = "FILE.mercer", help_heading = "Files")]
    pub(crate) save: Option<PathBuf>,

    /// Picture to write: the U-matrix of a map, otherwise clusters in the two directions of largest variance
    #[arg(long, value_name = "FILE.svg|png", help_heading = "Files")]
    pub(crate) plot: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
