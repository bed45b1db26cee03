//! `mercer cv`.

use mercer::fit::FitContext;
use mercer::judge::{CONFIDENCE, Chance, FoldMean, Metric, Scores, fold_mean};
use mercer::recipe::{Opened, Tracing, permutation_test};
use mercer::select::grid::FoldRule;
use mercer_plot::text::shorten;
use mercer_plot::{Group, Histogram};
use serde_json::{Value, json};

use super::{judge, wish};
use crate::args::CvArgs;
use crate::data::{named, read};
use crate::display::{Page, metric_text};
use crate::failure::{Failure, Result};
use crate::figure;
use crate::outputs::Files;
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
    check(args)?;
    session.meter.advise(super::SHORTENS);
    let table = read(&args.data, &args.reading, session)?;
    let labels = args.reading.labels.is_some();
    let mut recipe = wish::recipe(&args.columns, &args.model, labels, None, &table)?;
    wish::compare_by(
        &mut recipe,
        args.metric.filter(|_| !args.search),
        &args.model,
    )?;
    let mut opened = recipe.open(table)?;
    wish::check_auto(&args.model, opened.task)?;
    judge::check_task(opened.task, "mercer cv")?;
    let k = match args.folds {
        FoldRule::Count(k) => k,
        FoldRule::LeaveOneOut => opened.rows(),
    };
    let context = session.context(&args.running);
    if opened.steps().is_some() && args.folds == FoldRule::LeaveOneOut {
        return Err(Failure::usage(
            "rows in the order of time are not left out one by one: later ones would be learnt from",
            "give a number of folds, such as `--folds 5`",
        ));
    }
    let (evaluated, repeated) = evaluated(args, &opened, k, session, &context)?;
    let evaluated = evaluated.judged_by(judge::asked(None, args.metric, &args.model));
    let chance = match args.permutations {
        Some(count) => {
            let how = Tracing {
                folds: k,
                metric: args.metric,
                ..Tracing::default()
            };
            Some(permutation_test(&opened, count, &how, &context)?)
        }
        None => None,
    };
    session.check()?;
    session.meter.finish();
    if let (Some(path), Some((metric, chance))) = (&args.plot, &chance) {
        figure::write(path, &picture(*metric, chance), session)?;
    }
    opened.notes.extend(evaluated.notes.iter().cloned());
    let output = session.output;
    output.notes(&opened.notes);
    let method = &args.model.model;
    if output.json {
        let each: Vec<_> = evaluated.each.iter().map(|s| json!(s.metrics)).collect();
        let mut object = json!({
            "model": method,
            "task": opened.task,
            "folds": k,
            "rows": evaluated.scores.rows,
            "confidence": evaluated.scores.confidence,
            "metrics": evaluated.scores.metrics,
            "confusion": evaluated.scores.confusion,
            "fold_metrics": each,
            "fold_models": evaluated.models,
            "baseline": evaluated.baseline,
        });
        if let Some(coverage) = &evaluated.coverage {
            object["coverage"] = json!(coverage);
        }
        if args.repeats > 1 {
            let means = repeated
                .iter()
                .map(|(m, mean)| (m.name().to_owned(), json!(mean)));
            object["repeats"] = json!(args.repeats);
            object["repeated"] = Value::Object(means.collect());
        }
        if let Some((metric, chance)) = &chance {
            object["chance"] = json!(chance);
            object["chance"]["metric"] = json!(metric);
            object["plot"] = json!(args.plot);
        }
        return output.object(&object);
    }
    if let Some(path) = &args.plot {
        output.wrote(path);
    }
    let mut page = Page::new(output.paint);
    let aside = format!(
        "{} of {}",
        plural(evaluated.scores.rows, "row"),
        named(&args.data)
    );
    let dealt = if args.repeats > 1 {
        format!(
            "first of {} dealings of {}",
            args.repeats,
            plural(k, "fold")
        )
    } else {
        plural(k, "fold")
    };
    page.heading(&format!("Cross-validation, {dealt}"), &aside)
        .scores(&evaluated.scores);
    if let Some(baseline) = &evaluated.baseline {
        page.baseline(baseline, &evaluated.scores);
    }
    if let Some(coverage) = &evaluated.coverage {
        page.coverage(coverage);
    }
    if args.repeats > 1 {
        let aside = "mean ± standard deviation of the folds, 95 % interval for overlapping parts";
        page.heading(&format!("All {} folds", evaluated.each.len()), aside);
        for (metric, mean) in &repeated {
            page.item(metric.title(), &mean_text(mean));
        }
    }
    if let Some((metric, chance)) = &chance {
        page.heading(
            "Could it be chance?",
            &format!("{} of {} folds", metric.title(), k),
        )
        .block(&chance_text(*metric, chance));
    }
    if !evaluated.each.is_empty() {
        page.heading("Single folds", "mean ± standard deviation below")
            .block(&table_of_folds(&evaluated));
    }
    output.text(&page.finish())
}

/// Refuses what contradicts itself before any row is read.
fn check(args: &CvArgs) -> Result<()> {
    figure::check(args.plot.as_deref())?;
    Files::default()
        .data(&args.data, &args.reading)
        .write(args.plot.as_deref())
        .check()?;
    if args.search && wish::named(&args.model).is_none() {
        return Err(Failure::usage(
            "`--search` searches the settings of a named model; `auto` chooses anew in every training part as it is",
            "leave out `--search`, or name a model",
        ));
    }
    if args.repeats == 0 || args.permutations == Some(0) {
        return Err(Failure::usage(
            "`--repeats` and `--permutations` must be at least 1",
            "leave them out, or give a number such as 10",
        ));
    }
    if args.repeats > 1 && args.folds == FoldRule::LeaveOneOut {
        return Err(Failure::usage(
            "rows are left out one by one in one way only",
            "leave out `--repeats`, or give a number of folds",
        ));
    }
    Ok(())
}

/// The first dealing of folds, with the single folds of all, and the means over them.
fn evaluated(
    args: &CvArgs,
    opened: &Opened<'_>,
    k: usize,
    session: &Session,
    context: &FitContext,
) -> Result<(Evaluation, Vec<(Metric, FoldMean)>)> {
    if args.folds == FoldRule::LeaveOneOut
        && !args.search
        && let Some(found) = judge::left_out(opened, context)?
    {
        return Ok((found, Vec::new()));
    }
    let usual = Metric::of(opened.task);
    let search = args.search.then(|| args.metric.unwrap_or(usual));
    let split = opened.folds(k, context.seed)?;
    let mut first = judge::on_folds(opened, &split, None, false, search, session, context)?;
    for repeat in 1..args.repeats {
        let split = opened.folds(k, context.seed.wrapping_add(repeat as u64))?;
        let next = judge::on_folds(opened, &split, None, false, search, session, context)?;
        first.each.extend(next.each);
        first.models.extend(next.models);
    }
    let metrics: Vec<Metric> = first.scores.metrics.iter().map(|(m, _)| m).collect();
    let mean = |metric: Metric| {
        let each = first.each.iter();
        let values = each.filter_map(|s| Some(s.metrics.of(metric)?.value));
        let values: Vec<f64> = values.collect();
        Some((metric, fold_mean(&values, split.ratio(), CONFIDENCE)?))
    };
    let means = metrics.into_iter().filter_map(mean).collect();
    Ok((first, means))
}

fn mean_text(mean: &FoldMean) -> String {
    format!(
        "{} ± {}  [{}, {}]",
        metric_text(mean.mean),
        metric_text(mean.deviation),
        metric_text(mean.low),
        metric_text(mean.high)
    )
}

/// What the permutation test says, in two lines.
fn chance_text(metric: Metric, chance: &Chance) -> String {
    let shuffled = &chance.shuffled;
    let mean = shuffled.iter().sum::<f64>() / shuffled.len() as f64;
    let verdict = if chance.p_value <= 0.05 {
        "Unlikely"
    } else {
        "It could be"
    };
    let p = if chance.p_value < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("= {:.3}", chance.p_value)
    };
    format!(
        "{verdict}: p {p}. {} of the true targets {}, of {} shuffled ones {}\nin the mean.",
        metric.title(),
        metric_text(chance.score),
        shuffled.len(),
        metric_text(mean)
    )
}

/// The scores of shuffled targets with that of the true ones.
fn picture(metric: Metric, chance: &Chance) -> Histogram {
    Histogram {
        title: format!(
            "{} of {} shuffled targets; the dashed line is that of the true ones (p = {:.3})",
            metric.title(),
            chance.shuffled.len(),
            chance.p_value
        ),
        name: metric.title().to_owned(),
        groups: vec![Group {
            name: "shuffled".to_owned(),
            values: chance.shuffled.clone(),
        }],
        threshold: Some(chance.score),
        ..Histogram::default()
    }
}

/// One line per fold: its scores and what it learnt; then means and standard deviations.
fn table_of_folds(evaluated: &Evaluation) -> String {
    let first = &evaluated.each[0];
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
    for (fold, scores) in evaluated.each.iter().enumerate().take(MOST_FOLDS) {
        let model = evaluated.models.get(fold).map_or("", String::as_str);
        let cells = |m: Metric| metric_text(value(scores, m));
        lines.push(line(&(fold + 1).to_string(), &cells, model));
    }
    if evaluated.each.len() > MOST_FOLDS {
        lines.push(format!("and {} more", evaluated.each.len() - MOST_FOLDS));
    }
    let summary = |m: Metric| {
        let known: Vec<f64> = evaluated.each.iter().map(|s| value(s, m)).collect();
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
