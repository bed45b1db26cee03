//! How the model is used.

use mercer_plot::page::{Section, code};
use mercer_plot::{element, markup};

/// Lists lines with what each does.
pub(in super::super) fn usage(lines: &[(String, &'static str)]) -> Option<Section> {
    if lines.is_empty() {
        return None;
    }
    let items = lines.iter().map(|(line, words)| {
        markup![
            element("dt").child(code(line)),
            element("dd").text(words),
            "\n"
        ]
    });
    let list = element("dl").class("commands").children(items);
    Some(Section::new("usage", "Use the model").body(list))
}
