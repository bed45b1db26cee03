//! Commands that use a model.

use mercer::data::Task;
use mercer::model::Trained;

use crate::style::quoted;

/// Lists them with the name of the model's own file, and what each does.
pub(crate) fn lines(trained: &Trained, file: &str) -> Vec<(String, &'static str)> {
    let file = quoted(file);
    let mut lines = Vec::new();
    if trained.series.is_some() {
        lines.push((
            format!("mercer forecast {file} SERIES.csv --plot next.svg"),
            "forecast what comes next",
        ));
    }
    lines.push((
        format!("mercer predict {file} NEW.csv -o answers.csv"),
        "predict new rows",
    ));
    if trained.task != Task::Novelty {
        lines.push((
            format!("mercer report {file} TEST.csv"),
            "measure it on rows whose targets are known",
        ));
    }
    lines.push((format!("mercer inspect {file}"), "see what the file holds"));
    lines
}
