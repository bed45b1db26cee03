//! `mercer gram`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::fit::ScaleArg;
use super::{ReadingArgs, RunningArgs};

/// Flags of `mercer gram`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer gram iris.csv --kernel rbf --target species -o iris.npy\n  mercer gram iris.csv --kernel 'sigmoid(scale=0.1)' --target species --check\n  mercer gram iris.csv --kernel sigmoid --target species --repair clip -o fixed.csv\n  mercer gram iris.csv --kernel rbf --target species --plot kernel.svg --spectrum spectrum.svg\n\nPictures show some of many rows, drawn at random."
)]
pub(crate) struct GramArgs {
    /// Table; `-` is standard input
    pub(crate) data: PathBuf,

    /// Kernel expression
    #[arg(short, long, value_name = "EXPR")]
    pub(crate) kernel: String,

    /// Column to leave out of the kernel and to compare it with
    #[arg(short, long, value_name = "COL")]
    pub(crate) target: Option<String>,

    /// Columns to leave out
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub(crate) drop: Vec<String>,

    /// Scaling of numeric columns; `auto` is none
    #[arg(long, value_name = "SCALING", default_value = "auto")]
    pub(crate) scale: ScaleArg,

    /// File to write, `.csv` or `.npy`; `-` is standard output [default: - without --check and pictures]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Test that the matrix is symmetric and positive semidefinite
    #[arg(long)]
    pub(crate) check: bool,

    /// Make the matrix positive semidefinite: negative eigenvalues become 0, change sign, or all move up
    #[arg(long, value_name = "METHOD")]
    pub(crate) repair: Option<Repair>,

    /// Picture of the matrix to write, rows sorted by class or target
    #[arg(long, value_name = "FILE.svg|png")]
    pub(crate) plot: Option<PathBuf>,

    /// Picture of the eigenvalues to write
    #[arg(long, value_name = "FILE.svg|png")]
    pub(crate) spectrum: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// `--repair`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Repair {
    /// Negative eigenvalues become zero
    Clip,
    /// Negative eigenvalues change their sign
    Flip,
    /// All eigenvalues grow by the size of the most negative one
    Shift,
}

impl From<Repair> for mercer::kernel::Repair {
    fn from(repair: Repair) -> Self {
        match repair {
            Repair::Clip => Self::Clip,
            Repair::Flip => Self::Flip,
            Repair::Shift => Self::Shift,
        }
    }
}
