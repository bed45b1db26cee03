//! Puts the sections together.

use mercer::data::Task;
use mercer::learn::METHODS;
use mercer::model::Trained;
use mercer_plot::page::{Document, emphasis, heading, list};
use mercer_plot::text::percent;
use mercer_plot::{Markup, element, markup};

use super::input::{Data, Input};
use super::section;
use crate::display::objective_formula;
use crate::style::count;

/// What only these pages have.
const STYLE: &str = include_str!("style.css");

/// Renders one self-contained page.
pub(crate) fn render(input: &Input<'_>) -> String {
    let trained = input.trained;
    let report = &trained.report;
    // Without facts about the table, the model still knows its columns.
    let known = Data {
        rows: report.rows,
        columns: trained
            .encoder
            .input_columns()
            .into_iter()
            .map(|(name, kind)| (name, kind.name().to_owned()))
            .collect(),
        classes: Vec::new(),
    };
    let data = input.data.unwrap_or(&known);
    let expansion = trained.form.expansion();
    let definite = expansion.is_none_or(|model| model.kernel.is_definite());
    let confusion = input.scores.and_then(|s| s.confusion.as_ref());
    let [alerts, choices] = section::notes(report);
    let mut page = document(input.title)
        .top(header(input))
        .top(section::verdict(
            report,
            definite,
            objective_formula(&trained.method),
        ))
        .top(tiles(input))
        .section(alerts)
        .section(choices)
        .section(input.scores.map(|s| section::scores(s, input.judged)))
        .section(confusion.and_then(section::confusion));
    for answers in input.evidence.map(section::answers).unwrap_or_default() {
        page = page.section(answers);
    }
    let page = page
        .section(input.search.map(section::search))
        .section(section::trials(report, trained.task))
        .section(section::evidence(report, trained.task))
        .section(section::data(data, &trained.targets))
        .section(section::kernel(trained))
        .section(section::support(report))
        .section(section::solver(report))
        .section(section::usage(trained, input.model_file));
    let glossary = section::glossary(&page);
    page.section(glossary).to_html()
}

/// An empty page of the command.
pub(super) fn document(title: &str) -> Document {
    let footer = format!("mercer {}", env!("CARGO_PKG_VERSION"));
    Document::new(format!("{title} · mercer report"), footer).style(STYLE)
}

fn header(input: &Input<'_>) -> Markup {
    let eyebrow = match input.when {
        Some(when) => format!("mercer report · {when}"),
        None => "mercer report".to_owned(),
    };
    heading(&eyebrow, input.title, what(input.trained))
}

/// What was learnt, in one sentence.
fn what(trained: &Trained) -> Markup {
    let target = (!trained.targets.is_empty())
        .then(|| Markup::join(trained.targets.iter().map(emphasis), ", "));
    let learnt = match (trained.task, target, trained.labels()) {
        (Task::Classify, target, Some(labels)) => markup![
            format!("A model that tells the {} classes", labels.len()),
            target.map(|t| markup![" of ", t]),
            " apart"
        ],
        (Task::Regress, Some(target), _) => {
            markup!["A model that predicts the number ", target]
        }
        (Task::Regress, None, _) => "A model that predicts a number".into(),
        (Task::Cluster, ..) => format!(
            "A model that sorts rows into {} clusters",
            trained.form.width()
        )
        .into(),
        (Task::Novelty, ..) => "A model that tells inliers from outliers".into(),
        _ => "A model".into(),
    };
    let title = METHODS.iter().find(|m| m.name == trained.method);
    let title = title.map_or(trained.method.as_str(), |method| method.title);
    let method = match (trained.method.as_str(), trained.task) {
        ("krr", Task::Classify) => format!("the sign of {title}"),
        _ => title.to_owned(),
    };
    markup![learnt, format!(", found by {method}.")]
}

/// The numbers to remember.
fn tiles(input: &Input<'_>) -> Markup {
    let report = &input.trained.report;
    let mut tiles: Vec<(Markup, String)> = Vec::new();
    if let Some(scores) = input.scores {
        tiles.extend(section::headline(scores));
    }
    if report.rows > 0 {
        let rows = count(report.rows as u64);
        tiles.push((rows.into(), "rows learnt from".to_owned()));
    }
    if let Some(kernel) = &report.kernel {
        let share = kernel.support_vectors as f64 / report.distinct_rows.max(1) as f64;
        let of = if report.distinct_rows > 0 {
            format!("support vectors, {} of the rows", percent(share))
        } else {
            "support vectors".to_owned()
        };
        tiles.push((count(kernel.support_vectors as u64).into(), of));
    }
    if !report.solver().problems.is_empty() {
        let steps = count(report.solver().iterations);
        tiles.push((steps.into(), "solver steps".to_owned()));
    }
    let tile = |(value, name): (Markup, String)| markup![element("b").child(value), name];
    list("tiles", tiles.into_iter().map(tile))
}
