//! `mercer explain`.

use std::path::PathBuf;

use clap::Args;

use super::{DependenceArgs, ReadingArgs, RunningArgs};

/// Flags of `mercer explain`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer explain spam.mercer inbox.csv --row 3\n  mercer explain tox.mercer molecules.csv --row 1 -o atoms.html\n\nA part of a row (a column, a word, some letters, an atom) is made to match nothing, and the\nmodel decides again: what the decision loses is the part's influence.\n\nWith --dependence or --surface no row is explained: the values of a column are put into all rows one after the other,\nand what is predicted is averaged (partial dependence, with curves of single rows). Of a function that is a sum over\ncolumns, such as --kernel 'rbf@age + rbf@income', that is the column's own part, with a band where the model knows\nhow sure it is.\n  mercer explain houses.mercer houses.csv --dependence area,age --plot shapes.svg\n  mercer explain houses.mercer houses.csv --surface area,age --plot map.svg\nWith --json: {\"dependence\":[{\"column\",\"values\",\"deciles\" or \"levels\",\"counts\",\"response\",\"rows\",\"outputs\":[{\"name\",\n\"average\",\"individual\"}],\"curve_rows\",\"centred\",\"shape\":{\"values\",\"deviations\",\"half_widths\",\"level\"}}],\"surface\":{…},\n\"plot\"}; rows count from 1.\n\nWith --support the rows that carry the model are listed: support vectors by their influence, the length of their\ncoefficients times √k(x,x). The data are those that it learnt from.\n  mercer explain spam.mercer spam.csv --support 10\nWith --json: {\"support\":[{\"row\",\"rows\",\"influence\",\"coefficients\",\"class\"}],\"support_vectors\"}."
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

    /// List the N support vectors of most influence among the rows, instead
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["row", "top", "output", "columns", "surface"],
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(crate) support: Option<u32>,

    /// HTML page to write: coloured text, molecules and columns
    #[arg(short, long, value_name = "FILE.html")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) dependence: DependenceArgs,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
