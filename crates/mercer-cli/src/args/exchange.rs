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
    after_help = "Examples:\n  mercer export iris.mercer --to onnx -o iris.onnx\n  mercer export iris.mercer --to libsvm -o iris.model\n  mercer export iris.mercer --to json -o - | less"
)]
pub(crate) struct ExportArgs {
    /// Model file
    pub(crate) model: PathBuf,

    /// Format: onnx, libsvm or json
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: String,

    /// File to write; `-` is standard output [default: MODEL with `.onnx`; `-` for other formats]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// How an ONNX file computes: auto, operators (SVMClassifier and SVMRegressor in single
    /// precision, TreeEnsembleRegressor) or plain (matrix products, double precision) [default: auto]
    #[arg(long, value_name = "FORM")]
    pub(crate) form: Option<String>,
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
