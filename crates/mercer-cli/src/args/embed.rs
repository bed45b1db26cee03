//! `mercer embed`.

use std::path::PathBuf;

use clap::Args;

use super::fit::ModelArgs;
use super::{ReadingArgs, RunningArgs, UnlabelledArgs};

/// Flags of `mercer embed`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer embed flowers.csv --target species -o places.csv --plot flowers.svg\n  mercer embed flowers.csv --drop species --model kpca --kernel rbf --components 3 -o places.csv --save flowers.mercer\n  mercer embed flowers.csv --drop species --model som -o units.csv --plot map.svg\n  mercer embed leads.csv --model ica --components 8 -o sources.csv\n\nThere are two coordinates unless `--components` or `--explained` say otherwise. Columns are standardised unless `--model` or `--scale` say otherwise. A target is not learnt from: it colours the picture. `mercer predict` gives the coordinates of new rows by the model that `--save` writes. Those of `som` are places of units on the map, in steps between columns, and its picture without a target is the U-matrix; `mercer predict` names the unit.\n\nWith --json: {\"model\",\"task\",\"kernel\",\"components\":[{\"component\",\"eigenvalue\",\"share\"}],\"report\",\"file\",\"output\",\"plot\"}."
)]
pub(crate) struct EmbedArgs {
    /// Table whose rows get coordinates; `-` is standard input
    pub(crate) data: PathBuf,

    /// Column that the picture is coloured by; not learnt from
    #[arg(short, long, value_name = "COL", help_heading = "Columns")]
    pub(crate) target: Option<String>,

    #[command(flatten)]
    pub(crate) columns: UnlabelledArgs,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Table with the coordinates of every row to write; `-` is standard output
    #[arg(short, long, value_name = "FILE.csv", help_heading = "Files")]
    pub(crate) output: Option<PathBuf>,

    /// Picture to write: the first two coordinates; of `som` without a target the U-matrix, of `ica` without a target all sources, one above the other
    #[arg(long, value_name = "FILE.svg|png", help_heading = "Files")]
    pub(crate) plot: Option<PathBuf>,

    /// Model file to write, which gives new rows their coordinates
    #[arg(long, value_name = "FILE.mercer", help_heading = "Files")]
    pub(crate) save: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
