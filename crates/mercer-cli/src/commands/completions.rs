//! `mercer completions`.

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::failure::Result;
use crate::session::Session;

pub(super) fn run(args: &CompletionsArgs, session: &Session) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "mercer", &mut script);
    let script = String::from_utf8_lossy(&script);
    if session.output.json {
        return session.output.object(&serde_json::json!({
            "shell": args.shell.to_string(),
            "script": script,
        }));
    }
    session.output.text(&script)
}
