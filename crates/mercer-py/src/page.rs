//! Reports as pages, the same that the command writes.

use mercer::fit::Note;
use mercer::judge::{CONFIDENCE, Truth};
use mercer::model::Trained;
use mercer_report::words::plural;
use mercer_report::{
    Evaluation, Input, Known, More, render as render_page, shapes, support_rows, told_note,
};
use pyo3::prelude::*;

use crate::array;
use crate::fit::Allowance;
use crate::importance::Evaluated;
use crate::wording::Keywords;

/// Evaluates a model on rows whose targets are known, the `target` by a name for models that know none; returns a page and the alerts about the rows.
pub(crate) fn render(
    py: Python<'_>,
    trained: &Trained,
    x: &Bound<'_, PyAny>,
    evaluated: Evaluated,
    [title, target]: [&str; 2],
    allowance: &Allowance<'_, '_>,
) -> PyResult<(String, Vec<String>)> {
    let table = array::any_table(x)?;
    let title = title.to_owned();
    let mut trained = trained.clone();
    if trained.targets.is_empty() {
        trained.targets.push(target.to_owned());
    }
    allowance.run(py, false, move |context| {
        let truth = Truth::Targets(evaluated.targets);
        let rows = Known {
            features: &table,
            truth: &truth,
            names: &trained.targets,
            weights: evaluated.weights.as_deref(),
        };
        let how = format!("the {} given", plural(table.rows(), "row"));
        let found = Evaluation::of_model(&trained, &rows, how, CONFIDENCE, context)?;
        // What is told of these rows comes before what was told of those that were learnt from.
        let notes = &mut trained.report.notes;
        notes.splice(0..0, found.notes.iter().cloned());
        let shapes = shapes(&trained, &table, found.importance.as_ref(), context);
        let support = support_rows(&trained, &table, found.importance.as_ref());
        let page = render_page(&Input {
            title: &title,
            trained: &trained,
            evaluation: Some(&found),
            data: None,
            search: None,
            usage: usage(),
            next: Vec::new(),
            wording: &Keywords,
            when: None,
            more: More {
                shapes: &shapes,
                support: &support,
                ..More::default()
            },
        });
        let alerts = found.notes.iter().filter(|note| Note::is_alert(note));
        let alerts = alerts.map(|note| told_note(note, &Keywords)).collect();
        Ok((page, alerts))
    })
}

/// Lines that use a model, and what each does.
fn usage() -> Vec<(String, &'static str)> {
    let lines = [
        ("model.predict(X_new)", "predict new rows"),
        (
            "mercer.explain(model, X_new, row=0)",
            "see which parts of a row carry its prediction",
        ),
        (
            "mercer.save(model, \"model.mercer\")",
            "write a file that the command reads, too",
        ),
    ];
    lines.map(|(line, words)| (line.to_owned(), words)).to_vec()
}
