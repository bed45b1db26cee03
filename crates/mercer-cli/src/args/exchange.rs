//! `mercer import`, `mercer export` and `mercer completions`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// Flags of `mercer import`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  mercer import a9a.model -o a9a.mercer")]
pub(crate) struct ImportArgs {
    /// LIBSVM model file
    pub(crate) file: PathBuf,

    /// Model file to write [default: FILE with `.mercer`]
    #[arg(short, long, value_name = "FILE.mercer")]
    pub(crate) output: Option<PathBuf>,
}

/// Flags of `mercer export`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer export iris.mercer --to libsvm -o iris.model\n  mercer export iris.mercer --to json -o - | less"
)]
pub(crate) struct ExportArgs {
    /// Model file
    pub(crate) model: PathBuf,

    /// Format: libsvm or json
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: String,

    /// File to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
}

/// Flags of `mercer completions`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  mercer completions bash > ~/.local/share/bash-completion/completions/mercer"
)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}
