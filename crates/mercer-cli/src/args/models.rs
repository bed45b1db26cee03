//! `mercer models`.

use clap::Args;

/// Flags of `mercer models`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer models\n  mercer models ridge\n  mercer models --json\n\nWith --json: {\"models\":[{\"name\",\"names\",\"title\",\"summary\",\"objective\",\"tasks\",\"classes\",\"able\",\"settings\":[{\"name\",\"flag\",\"python\",\"kind\",\"default\",\"doc\",\"searched\"}]}]}."
)]
pub(crate) struct ModelsArgs {
    /// The model to describe with all its settings [default: all models in short]
    #[arg(value_name = "MODEL")]
    pub(crate) model: Option<String>,
}
