//! `mercer cv`.

use mercer::judge::{Metric, Scores};
use mercer::select::grid::FoldRule;
use mercer_plot::text::shorten;
use serde_json::json;

use super::{judge, wish};
use crate::args::CvArgs;
use crate::data::read;
use crate::display::{Page, metric_text};
use crate::failure::Result;
use crate::session::Session;
use crate::style::plural;
use mercer_report::Evaluation;

/// Metrics of the table of folds.
const SHOWN: usize = 3;
/// Folds listed one by one.
const MOST_FOLDS: usize = 20;

/// Evaluates one setting by cross-validation; every fold encodes its own training rows.
pub(in super::super) fn run(args: &CvArgs, session: &Session) -> Result<()> {
    wish::check(&args.model)?;
    session.meter.advise(super::SHORTENS);
    let table = read(&args.data, &args.reading, session)?;
    let labels = args.reading.labels.is_some();
    let mut recipe = wish::recipe(&args.columns, &args.model, labels, None, &table)?;
    wish::compare_by(&mut recipe, args.metric, &args.model)?;
    let mut opened = recipe.open(table)?;
    wish::check_auto(&args.model, opened.task)?;
    judge::check_task(opened.task, "mercer cv")?;
    let k = match args.folds {
        FoldRule::Count(k) => k,
        FoldRule::LeaveOneOut => opened.rows(),
    };
    let context = session.context(&args.running);
    if opened.steps().is_some() && args.folds == FoldRule::LeaveOneOut {
        return Err(crate::failure::Failure::usage(
            "rows in the order of time are not left out one by one: later ones would be learnt from",
            "give a number of folds, such as `--folds 5`",
        ));
    }
    let judged = judge::folds(&opened, k, None, false, session, &context)?;
    session.meter.finish();
    opened.notes.extend(judged.notes.iter().cloned());
    let output = session.output;
    output.notes(&opened.notes);
    let method = &args.model.model;
    if output.json {
        let each: Vec<_> = judged.each.iter().map(|s| json!(s.metrics)).collect();
        return output.object(&json!({
            "model": method,
            "task": opened.task,
            "folds": k,
            "rows": judged.scores.rows,
            "confidence": judged.scores.confidence,
            "metrics": judged.scores.metrics,
            "confusion": judged.scores.confusion,
            "fold_metrics": each,
            "fold_models": judged.models,
            "baseline": judged.baseline,
        }));
    }
    let mut page = Page::new(output.paint);
    let aside = format!(
        "{} of {}",
        plural(judged.scores.rows, "row"),
        args.data.display()
    );
    page.heading(&format!("Cross-validation, {}", plural(k, "fold")), &aside)
        .scores(&judged.scores);
    if let Some(baseline) = &judged.baseline {
        page.baseline(baseline, &judged.scores);
    }
    if !judged.each.is_empty() {
        page.heading("Single folds", "mean ± standard deviation below")
            .block(&table_of_folds(&judged));
    }
    output.text(&page.finish())
}

/// One line per fold: its scores and what it learnt; then means and standard deviations.
fn table_of_folds(judged: &Evaluation) -> String {
    let first = &judged.each[0];
    let metrics: Vec<Metric> = first.metrics.iter().map(|(m, _)| m).collect();
    let metrics: Vec<Metric> = metrics
        .into_iter()
        .filter(|m| ![Metric::Error, Metric::Mse].contains(m))
        .take(SHOWN)
        .collect();
    let width = |m: &Metric| m.entry().short.chars().count().max(9);
    let used = 6 + metrics.iter().map(|m| width(m) + 2).sum::<usize>();
    let line = |name: &str, cells: &dyn Fn(Metric) -> String, model: &str| {
        let cells = metrics
            .iter()
            .map(|m| format!("{:>width$}  ", cells(*m), width = width(m)));
        let cells = cells.collect::<Vec<_>>().concat();
        let model = shorten(model, 76_usize.saturating_sub(used));
        format!("{name:<6}{cells}{model}").trim_end().to_owned()
    };
    let value = |scores: &Scores, m: Metric| scores.metrics.of(m).map_or(f64::NAN, |s| s.value);
    let mut lines = vec![line("fold", &|m| m.entry().short.to_owned(), "model")];
    for (fold, scores) in judged.each.iter().enumerate().take(MOST_FOLDS) {
        let model = judged.models.get(fold).map_or("", String::as_str);
        let cells = |m: Metric| metric_text(value(scores, m));
        lines.push(line(&(fold + 1).to_string(), &cells, model));
    }
    if judged.each.len() > MOST_FOLDS {
        lines.push(format!("and {} more", judged.each.len() - MOST_FOLDS));
    }
    let summary = |m: Metric| {
        let known: Vec<f64> = judged.each.iter().map(|s| value(s, m)).collect();
        let known: Vec<f64> = known.into_iter().filter(|v| v.is_finite()).collect();
        let n = known.len() as f64;
        let mean = known.iter().sum::<f64>() / n;
        let square: f64 = known.iter().map(|v| (v - mean).powi(2)).sum();
        (mean, (square / (n - 1.0)).sqrt())
    };
    lines.push(line("mean", &|m| metric_text(summary(m).0), ""));
    lines.push(line("±", &|m| metric_text(summary(m).1), ""));
    lines.join("\n")
}
