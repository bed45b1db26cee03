//! How the model was made, so that it can be made again.

use mercer_plot::page::{Section, code, code_block, list, paragraph};
use mercer_plot::{Markup, markup};

use crate::input::Made;

/// Lists commands, Python and what they ran on.
pub(in super::super) fn reproduce(made: &Made) -> Option<Section> {
    let mut body = Markup::new();
    for (words, text) in [
        ("As a command:", made.command.as_deref()),
        (
            "With the settings that were found:",
            made.settled.as_deref(),
        ),
        ("In Python:", made.python.as_deref()),
    ] {
        if let Some(text) = text {
            body.push(paragraph(words));
            body.push(code_block(text));
        }
    }
    if body.is_empty() && made.checksum.is_none() {
        return None;
    }
    let mut facts = vec![Markup::from(environment())];
    facts.extend(
        made.checksum
            .as_ref()
            .map(|(file, hash)| markup!["data ", code(file), ", BLAKE3 ", code(hash)]),
    );
    body.push(list("", facts));
    Some(Section::new("reproduce", "Make it again").body(body))
}

/// The program and the machine it runs on.
pub(crate) fn environment() -> String {
    format!(
        "mercer {} on {} ({})",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}
