//! Flags that trace predictions over the values of columns.

use std::path::PathBuf;

use clap::Args;

/// Flags of `mercer explain` that trace predictions over the values of columns.
#[derive(Debug, Args)]
pub(crate) struct DependenceArgs {
    /// Columns whose values predictions are traced over, each by itself
    #[arg(
        long = "dependence",
        value_name = "COL,…",
        value_delimiter = ',',
        conflicts_with_all = ["row", "top", "output"],
        help_heading = "Dependence"
    )]
    pub(crate) columns: Vec<String>,

    /// Two columns whose values predictions are traced over together
    #[arg(
        long,
        value_name = "COL,COL",
        value_delimiter = ',',
        conflicts_with_all = ["row", "top", "output"],
        help_heading = "Dependence"
    )]
    pub(crate) surface: Vec<String>,

    /// Values of a number that are tried [default: 50; 20 each for two columns]
    #[arg(long, value_name = "N", help_heading = "Dependence")]
    pub(crate) resolution: Option<usize>,

    /// Rows with a curve of their own [default: 30]
    #[arg(
        long,
        value_name = "K",
        requires = "columns",
        help_heading = "Dependence"
    )]
    pub(crate) curves: Option<usize>,

    /// Give curves as differences from their first value
    #[arg(long, requires = "columns", help_heading = "Dependence")]
    pub(crate) centred: bool,

    /// Give classes by decision values, where there are probabilities too
    #[arg(long, help_heading = "Dependence")]
    pub(crate) decision: bool,

    /// Picture to write: means, curves of rows and bands, or a map of two columns
    #[arg(long, value_name = "FILE.svg|png", help_heading = "Dependence")]
    pub(crate) plot: Option<PathBuf>,
}

impl DependenceArgs {
    /// Whether predictions are traced over columns, in the place of a row that is explained.
    pub(crate) fn is_asked(&self) -> bool {
        !self.columns.is_empty() || !self.surface.is_empty()
    }
}
