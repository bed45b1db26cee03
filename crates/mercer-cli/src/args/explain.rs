//! `mercer explain`.

use std::path::PathBuf;

use clap::Args;

use super::{ReadingArgs, RunningArgs};

/// Flags of `mercer explain`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer explain spam.mercer inbox.csv --row 3\n  mercer explain tox.mercer molecules.csv --row 1 -o atoms.html\n\nA part of a row (a column, a word, some letters, an atom) is made to match nothing, and the\nmodel decides again: what the decision loses is the part's influence."
)]
pub(crate) struct ExplainArgs {
    /// Model file
    pub(crate) model: PathBuf,

    /// Rows; `-` is standard input
    pub(crate) data: PathBuf,

    /// Row to explain, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) row: usize,

    /// How many parts are listed
    #[arg(long, value_name = "K", default_value_t = 10)]
    pub(crate) top: usize,

    /// HTML page to write: coloured text, molecules and columns
    #[arg(short, long, value_name = "FILE.html")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
