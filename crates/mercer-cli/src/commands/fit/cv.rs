//! `mercer cv`.

use mercer::judge::Metric;
use mercer::select::grid::FoldRule;
use serde_json::json;

use super::{judge, wish};
use crate::args::CvArgs;
use crate::data::read;
use crate::display::{Page, metric_text};
use crate::failure::Result;
use crate::session::Session;
use crate::style::plural;

/// Judges one setting by cross-validation; every fold encodes its own training rows.
pub(in super::super) fn run(args: &CvArgs, session: &Session) -> Result<()> {
    wish::check(&args.model)?;
    session.meter.advise(super::SHORTENS);
    let table = read(&args.data, &args.reading, session)?;
    let labels = args.reading.labels.is_some();
    let recipe = wish::recipe(&args.columns, &args.model, labels, None, &table)?;
    let mut opened = recipe.open(table)?;
    wish::check_auto(&args.model, opened.task)?;
    judge::check_task(opened.task, "mercer cv")?;
    let k = match args.folds {
        FoldRule::Count(k) => k,
        FoldRule::LeaveOneOut => opened.rows(),
    };
    let context = session.context(&args.running);
    let judged = judge::folds(&opened, k, session, &context, 1.0)?;
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
    if let Some(first) = judged.each.first() {
        page.heading("Single folds", "95% intervals");
        let metrics: Vec<Metric> = first.metrics.iter().map(|(m, _)| m).take(4).collect();
        let mut lines = vec![
            std::iter::once(format!("{:<6}", "fold"))
                .chain(metrics.iter().map(|m| format!("{:<26}", m.entry().short)))
                .collect::<String>(),
        ];
        for (fold, scores) in judged.each.iter().enumerate() {
            let cells = metrics
                .iter()
                .map(|metric| match scores.metrics.of(*metric) {
                    Some(s) => {
                        let [value, low, high] = [s.value, s.low, s.high].map(metric_text);
                        let text = format!("{value} ({low} to {high})");
                        format!("{text:<26}")
                    }
                    None => format!("{:<26}", "-"),
                });
            lines.push(format!("{:<6}{}", fold + 1, cells.collect::<String>()));
        }
        page.block(&lines.join("\n"));
    }
    output.text(&page.finish())
}
