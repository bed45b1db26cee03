//! Columns of a table without a target.

use clap::Args;
use mercer::data::TextEncoding;

use super::{ColumnArgs, parse};

/// Which columns are learnt from, and how, where nothing is predicted.
#[derive(Debug, Args)]
pub(crate) struct UnlabelledArgs {
    /// Column that says how many copies a row stands for
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) weights: Option<String>,

    /// Column that names rows; not learnt from
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) id: Option<String>,

    /// Columns to leave out
    #[arg(
        long,
        value_name = "COL,…",
        value_delimiter = ',',
        help_heading = "Columns"
    )]
    pub(crate) drop: Vec<String>,

    /// Columns to learn from even where they seem to number or name rows, which `auto` leaves out
    #[arg(
        long = "use",
        value_name = "COL,…",
        value_delimiter = ',',
        help_heading = "Columns"
    )]
    pub(crate) used: Vec<String>,

    /// How texts become numbers: `tfidf`, `bag`, `tfidf(ngrams=2,min=3)`, `bag(binary)`; repeatable
    /// [default: tfidf where the model has no kernels, else string kernels read them]
    #[arg(long, value_name = "COL=EXPR", value_parser = parse::encode, help_heading = "Columns")]
    pub(crate) encode: Vec<(String, TextEncoding)>,
}

impl UnlabelledArgs {
    /// Returns the same as flags of a fit.
    pub(crate) fn to_columns(&self) -> ColumnArgs {
        ColumnArgs {
            weights: self.weights.clone(),
            id: self.id.clone(),
            drop: self.drop.clone(),
            used: self.used.clone(),
            encode: self.encode.clone(),
            ..ColumnArgs::default()
        }
    }
}
