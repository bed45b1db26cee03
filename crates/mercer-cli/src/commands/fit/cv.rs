//! `mercer cv`.

use mercer::tune::FoldRule;
use serde_json::json;

use super::estimator::Machine;
use super::{judge, open};
use crate::args::CvArgs;
use crate::data::read;
use crate::display::{Page, metric_text};
use crate::failure::Result;
use crate::session::Session;
use crate::style::plural;

/// Judges one setting by cross-validation; every fold encodes its own training rows.
pub(in super::super) fn run(args: &CvArgs, session: &Session) -> Result<()> {
    let machine = Machine::try_new(&args.machine)?;
    let table = read(&args.data, &args.reading, session)?;
    let labels = args.reading.labels.is_some();
    let mut opened = open(&args.columns, &args.machine, labels, machine, None, table)?;
    judge::check_task(opened.learner.task, "mercer cv")?;
    let k = match args.folds {
        FoldRule::Count(k) => k,
        FoldRule::LeaveOneOut => opened.table.rows(),
    };
    let context = session.context(&args.running);
    let groups = match args.folds {
        FoldRule::Count(_) => opened.groups.as_deref(),
        FoldRule::LeaveOneOut => None,
    };
    let judged = judge::folds(
        &opened.learner,
        &opened.table,
        &opened.targets,
        groups,
        k,
        session,
        &context,
        1.0,
    )?;
    session.meter.finish();
    opened.notes.extend(judged.notes.iter().cloned());
    let output = session.output;
    output.notes(&opened.notes);
    let method = opened.learner.machine.named().unwrap_or("auto");
    if output.json {
        let each: Vec<_> = judged.each.iter().map(|s| json!(s.metrics)).collect();
        return output.object(&json!({
            "model": method,
            "task": opened.learner.task,
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
        let names: Vec<&str> = first.metrics.iter().map(|(name, _)| name).take(4).collect();
        let mut lines = vec![
            std::iter::once(format!("{:<6}", "fold"))
                .chain(names.iter().map(|n| format!("{:<26}", n.replace('_', " "))))
                .collect::<String>(),
        ];
        for (fold, scores) in judged.each.iter().enumerate() {
            let cells = names.iter().map(|name| match scores.metrics.get(name) {
                Some(m) => {
                    let [value, low, high] = [m.value, m.low, m.high].map(metric_text);
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
