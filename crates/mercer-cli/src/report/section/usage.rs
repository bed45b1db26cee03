//! Commands that use the model.

use mercer::data::Task;
use mercer::model::Trained;
use mercer_plot::page::{Section, code};
use mercer_plot::{element, markup};

/// Lists commands with the model's own name in them.
pub(in super::super) fn usage(trained: &Trained, file: Option<&str>) -> Section {
    let file = quoted(file.unwrap_or("MODEL.mercer"));
    let mut lines = vec![(
        format!("mercer predict {file} NEW.csv -o answers.csv"),
        "answer for new rows",
    )];
    if trained.task != Task::Novelty {
        lines.push((
            format!("mercer score {file} TEST.csv"),
            "measure it on rows whose answers are known",
        ));
    }
    lines.push((format!("mercer inspect {file}"), "see what the file holds"));
    let items = lines.iter().map(|(line, words)| {
        markup![
            element("dt").child(code(line)),
            element("dd").text(words),
            "\n"
        ]
    });
    Section::new("usage", "Use the model").body(element("dl").class("commands").children(items))
}

/// Quotes a name for a shell where it needs it.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/+=".contains(c);
    if !name.is_empty() && name.chars().all(plain) {
        return name.to_owned();
    }
    format!("'{}'", name.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_in_a_shell() {
        assert_eq!(quoted("a/b.mercer"), "a/b.mercer");
        assert_eq!(quoted("my model"), "'my model'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
