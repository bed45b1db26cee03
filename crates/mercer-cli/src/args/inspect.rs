//! `mercer inspect`.

use std::path::PathBuf;

use clap::Args;

/// Flags of `mercer inspect`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer inspect iris.mercer\n  mercer inspect iris.mercer --json"
)]
pub(crate) struct InspectArgs {
    /// Model file
    pub(crate) model: PathBuf,
}
