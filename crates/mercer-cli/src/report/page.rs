//! Puts the sections together.

use mercer::data::Task;
use mercer::model::{AnyModel, Trained};

use super::input::{Data, Input};
use super::section;
use super::text::{escape, percent};
use crate::display::objective_formula;
use crate::style::count;

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
    let AnyModel::Expansion(model) = &trained.model;
    let definite = model.kernel.is_definite();
    let confusion = input.scores.and_then(|s| s.confusion.as_ref());
    let mut body = [
        header(input),
        section::verdict(report, definite, objective_formula(&trained.method)),
        tiles(input),
        section::notes(report),
        input
            .scores
            .map_or(String::new(), |s| section::scores(s, input.judged)),
        confusion.map_or(String::new(), section::confusion),
        input.evidence.map_or(String::new(), section::answers),
        input.search.map_or(String::new(), section::search),
        section::trials(report, trained.task),
        section::evidence(report, trained.task),
        section::data(data, trained.target.as_deref()),
        section::kernel(trained),
        section::support(report),
        section::solver(report),
        section::usage(trained, input.model_file),
    ]
    .concat();
    body += &section::glossary(&body);
    document(input.title, &body)
}

/// Puts a body into a whole page.
pub(super) fn document(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title} · mercer report</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<main>\n{body}</main>\n<footer>mercer {}</footer>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    )
}

fn header(input: &Input<'_>) -> String {
    let when = input
        .when
        .map_or(String::new(), |w| format!(" · {}", escape(w)));
    format!(
        "<header>\n<p class=\"eyebrow\">mercer report{when}</p>\n<h1>{}</h1>\n<p class=\"what\">{}</p>\n</header>\n",
        escape(input.title),
        what(input.trained)
    )
}

/// What was learnt, in one sentence.
fn what(trained: &Trained) -> String {
    let target = trained
        .target
        .as_deref()
        .map(|t| format!("<em>{}</em>", escape(t)));
    let learnt = match (trained.task, target, trained.labels()) {
        (Task::Classify, target, Some(labels)) => {
            let of = target.map_or(String::new(), |t| format!(" of {t}"));
            format!(
                "A machine that tells the {} classes{of} apart",
                labels.len()
            )
        }
        (Task::Regress, Some(target), _) => format!("A machine that predicts the number {target}"),
        (Task::Regress, None, _) => "A machine that predicts a number".to_owned(),
        (Task::Novelty, ..) => "A machine that tells the usual from the new".to_owned(),
        _ => "A machine".to_owned(),
    };
    let method = match trained.method.as_str() {
        "svc" => "support vector classification",
        "nu_svc" => "support vector classification with a share ν",
        "svr" => "support vector regression",
        "nu_svr" => "support vector regression with a share ν",
        "one_class" => "a one-class support vector machine",
        "ls_svc" => "least-squares support vector classification",
        "ls_svr" => "least-squares support vector regression, a Gaussian process",
        "krr" if trained.task == Task::Classify => "the sign of kernel ridge regression",
        "krr" => "kernel ridge regression",
        "klr" => "kernel logistic regression",
        other => other,
    };
    format!("{learnt}, found by {}.", escape(method))
}

/// The numbers to remember.
fn tiles(input: &Input<'_>) -> String {
    let report = &input.trained.report;
    let mut tiles: Vec<(String, String)> = Vec::new();
    if let Some(scores) = input.scores {
        tiles.extend(section::headline(scores));
    }
    if report.rows > 0 {
        tiles.push((count(report.rows as u64), "rows learnt from".to_owned()));
    }
    let share = report.support_vectors as f64 / report.distinct_rows.max(1) as f64;
    let of = if report.distinct_rows > 0 {
        format!("support vectors, {} of the rows", percent(share))
    } else {
        "support vectors".to_owned()
    };
    tiles.push((count(report.support_vectors as u64), of));
    if !report.problems.is_empty() {
        tiles.push((count(report.iterations), "solver steps".to_owned()));
    }
    let items: Vec<String> = tiles
        .iter()
        .map(|(value, name)| format!("<li><b>{value}</b>{name}</li>\n"))
        .collect();
    format!("<ul class=\"tiles\">\n{}</ul>\n", items.concat())
}
