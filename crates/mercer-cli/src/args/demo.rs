//! `mercer demo`.

use std::path::PathBuf;

use clap::Args;

/// Flags of `mercer demo`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer demo --dir /tmp\n  mercer demo molecules\n  mercer demo --write tables\n\nWrites `mercer-demo.mercer` (the model) and `mercer-demo.html` (the report), or `mercer-demo-NAME` for\none of the other tables. With `--write` it writes the tables instead, which the lines of the README\nlearn from."
)]
pub(crate) struct DemoArgs {
    /// numbers, categories, text, molecules or network; see `--list`
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Folder for the model and the report
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(crate) dir: PathBuf,

    /// List the bundled tables
    #[arg(long, conflicts_with_all = ["name", "write"])]
    pub(crate) list: bool,

    /// Write all bundled tables into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "name")]
    pub(crate) write: Option<PathBuf>,
}
