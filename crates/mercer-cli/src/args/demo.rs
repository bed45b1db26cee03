//! `mercer demo`.

use std::path::PathBuf;

use clap::Args;

/// Flags of `mercer demo`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  mercer demo --dir /tmp\n\nWrites `mercer-demo.mercer` (the model) and `mercer-demo.html` (the report)."
)]
pub(crate) struct DemoArgs {
    /// Folder for the model and the report
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(crate) dir: PathBuf,
}
