//! Commands that use the model.

use mercer::data::Task;
use mercer::model::Trained;
use mercer_plot::page::{Section, code};
use mercer_plot::{element, markup};

use crate::style::quoted;

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
