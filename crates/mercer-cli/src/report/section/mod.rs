//! The parts of the page, in the order in which they are read.

mod answers;
mod data;
mod glossary;
mod kernel;
mod scores;
mod search;
mod solver;
mod trials;
mod usage;
mod verdict;

pub(super) use answers::{answers, confusion};
pub(super) use data::data;
pub(super) use glossary::glossary;
pub(super) use kernel::kernel;
pub(super) use scores::{headline, scores};
pub(super) use search::search;
pub(super) use solver::{solver, support};
pub(super) use trials::{evidence, trials};
pub(crate) use trials::{left_out, loss, noise_text};
pub(super) use usage::usage;
pub(super) use verdict::{notes, verdict};

/// Wraps a section; an empty one leaves no trace.
pub(super) fn wrap(id: &str, title: &str, lead: &str, body: &str) -> String {
    if body.is_empty() {
        return String::new();
    }
    let lead = if lead.is_empty() {
        String::new()
    } else {
        format!("<p class=\"lead\">{lead}</p>\n")
    };
    format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{lead}{body}</section>\n")
}
