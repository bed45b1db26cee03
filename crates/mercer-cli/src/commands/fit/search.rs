//! `mercer tune`.

use std::fmt::Write as _;
use std::path::Path;

use mercer::data::Sample;
use mercer::fit::{Note, Phase};
use mercer::learn::Method;
use mercer::model::Trained;
use mercer::recipe::Way;
use mercer::select::automatic::learning_seconds;
use mercer::select::grid::{FoldRule, Point, Tuned, Tuning};
use serde_json::{Value, json};

use super::{check_outputs, default_output, describe, line::fit_line, title, told, wish};
use crate::args::TuneArgs;
use crate::data::read;
use crate::display::{Page, metric_text};
use crate::failure::Result;
use crate::models;
use crate::outputs::{Files, same_table};
use crate::session::Session;
use crate::style::{bytes, duration, plural};
use crate::usage;
use crate::wording::Flags;
use mercer_report as report;

/// Share of the time limit that is kept for learning with the best settings.
const REFIT_SHARE: f64 = 0.3;
/// Points of a grid that nobody gave, about.
const USUAL_POINTS: usize = 36;
/// Points of the ranking that are printed.
const SHOWN: usize = 10;

/// Searches, learns with the best settings, and writes the model.
pub(in super::super) fn run(args: &TuneArgs, session: &Session) -> Result<()> {
    wish::check(&args.model)?;
    session.meter.advise(super::SHORTENS);
    let file = args
        .output
        .clone()
        .unwrap_or_else(|| default_output(&args.data));
    let files = Files::default()
        .data(&args.data, &args.reading)
        .write([file.as_path()])
        .write(args.report.as_deref())
        .write(args.table.as_deref());
    check_outputs(&files, &file)?;
    let table = read(&args.data, &args.reading, session)?;
    if args.output.is_none() && !args.force {
        same_table(&file, &table)?;
    }
    let labels = args.reading.labels.is_some();
    let recipe = wish::recipe(&args.columns, &args.model, labels, None, &table)?;
    let scaling = recipe.decided_scaling();
    let mut opened = recipe.open(table)?;
    wish::check_auto(&args.model, opened.task)?;
    let data = report::Data::of(&opened);
    let opened_notes = std::mem::take(&mut opened.notes);
    let context = session.context(&args.running);
    let mut prepared = opened.prepare()?;
    // A grid is searched on all rows unless a number of them is named.
    prepared.sample = prepared.sample.or(Some(Sample::All));
    let (mut prepared, _) = prepared.drawn(context.seed)?;
    let tuning = Tuning {
        axes: args.grid.clone(),
        folds: args.folds,
        metric: args.metric,
        refine: args.refine,
        race: !args.no_race,
        groups: prepared.groups.take(),
        project: prepared.project.clone(),
        chain: prepared.chain(),
        ..Tuning::default()
    };
    let search = context.share(1.0 - REFIT_SHARE);
    // What suits best is found by trials of its own; a grid is searched for a usual method.
    let estimator = prepared.way.method(&prepared.data);
    let seconds = learning_seconds(&estimator, &prepared.data);
    let points: usize = match &args.grid[..] {
        [] => USUAL_POINTS,
        axes => axes.iter().map(|axis| axis.values.len()).product(),
    };
    let folds = match args.folds {
        FoldRule::Count(k) => k,
        FoldRule::LeaveOneOut => prepared.data.len(),
    };
    let search = search.phase(Phase {
        name: "searching".to_owned(),
        rows: prepared.data.len(),
        before: 0.0,
        // A fit of a search is coarser than the last one, has no probabilities, and starts from others.
        seconds: (points * folds) as f64 * seconds / 25.0,
        after: seconds,
        share: None,
    });
    let tuned = tuning.run(&estimator, &prepared.data, &search)?;
    session.check()?;
    prepared.way = Way::Method(tuned.estimator.clone());
    let mut trained = prepared.fit(&context.restarted())?.model;
    trained.report.stop_reason = trained.report.stop_reason.worse(tuned.stop_reason);
    session.check()?;
    let mut notes = opened_notes;
    notes.push(Note::Choice(settings_note(&tuned)));
    notes.extend(tuned.notes.iter().cloned());
    trained.report.notes.splice(0..0, notes);
    models::save(&file, &trained, session)?;
    if let Some(path) = &args.table {
        session.write(path, points_table(&tuned).as_bytes())?;
    }
    if let Some(path) = &args.report {
        let page = report::render(&report::Input {
            title: &title(&args.data),
            trained: &trained,
            evaluation: None,
            data: Some(&data),
            search: Some(&tuned),
            usage: usage::lines(&trained, &file.to_string_lossy()),
            wording: &Flags,
            next: Vec::new(),
            when: None,
            more: report::More::default(),
        });
        session.write(path, page.as_bytes())?;
    }
    session.meter.finish();
    let line = fit_line(&tuned.estimator, trained.task, scaling, tuned.folds);
    tell(args, session, &tuned, &trained, &file, &line)
}

fn settings(tuned: &Tuned, point: &Point) -> String {
    let pairs = tuned.axes.iter().zip(&point.values);
    let texts: Vec<String> = pairs
        .map(|(axis, value)| format!("{} = {value}", axis.name))
        .collect();
    texts.join(", ")
}

fn settings_note(tuned: &Tuned) -> String {
    let best = tuned.best_point();
    format!(
        "settings chosen by {} of {} over {}: {} ({}); this score chose them, so expect a little less on new rows",
        tuned.metric,
        plural(tuned.points.len(), "point"),
        plural(tuned.folds, "fold"),
        settings(tuned, best),
        metric_text(best.mean)
    )
}

fn point_json(tuned: &Tuned, point: &Point) -> Value {
    let params: serde_json::Map<String, Value> = tuned
        .axes
        .iter()
        .zip(&point.values)
        .map(|(axis, value)| (axis.name.clone(), json!(value)))
        .collect();
    json!({
        "params": params,
        "score": point.mean,
        "standard_error": point.standard_error,
        "fold_scores": point.folds,
        "status": point.status.name(),
        "round": point.round,
    })
}

/// All points as CSV, in the order of the grid.
fn points_table(tuned: &Tuned) -> String {
    let quote = |text: &str| {
        if text.contains([',', '"']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    };
    let number = |v: f64| {
        if v.is_nan() {
            String::new()
        } else {
            v.to_string()
        }
    };
    let mut header: Vec<String> = tuned.axes.iter().map(|a| quote(&a.name)).collect();
    header.extend(["score", "standard_error", "status", "round"].map(str::to_owned));
    let folds = tuned.points.first().map_or(0, |p| p.folds.len());
    header.extend((1..=folds).map(|k| format!("fold{k}")));
    let mut text = header.join(",") + "\n";
    for point in &tuned.points {
        let mut cells: Vec<String> = point.values.iter().map(|v| number(*v)).collect();
        cells.push(number(point.mean));
        cells.push(number(point.standard_error));
        cells.push(point.status.name().to_owned());
        cells.push(point.round.to_string());
        cells.extend(point.folds.iter().map(|v| number(*v)));
        let _ = writeln!(text, "{}", cells.join(","));
    }
    text
}

fn tell(
    args: &TuneArgs,
    session: &Session,
    tuned: &Tuned,
    trained: &Trained,
    file: &Path,
    line: &str,
) -> Result<()> {
    let output = session.output;
    if output.json {
        let alerts: Vec<Note> = trained
            .report
            .notes
            .iter()
            .filter(|n| n.is_alert())
            .cloned()
            .collect();
        output.notes(&alerts);
        let points: Vec<Value> = tuned.points.iter().map(|p| point_json(tuned, p)).collect();
        return output.object(&json!({
            "model": Method::shown_name(&trained.method),
            "task": trained.task,
            "kernel": trained.kernel_text(),
            "metric": tuned.metric.name(),
            "folds": tuned.folds,
            "best": point_json(tuned, tuned.best_point()),
            "points": points,
            "seconds": tuned.seconds,
            "report": told(&trained.report),
            "command": line,
            "file": file,
        }));
    }
    let mut page = Page::new(output.paint);
    let aside = format!(
        "{} on {} in {}",
        plural(tuned.points.len(), "point"),
        plural(tuned.folds, "fold"),
        duration(tuned.seconds)
    );
    page.heading(&format!("Search by {}", tuned.metric), &aside)
        .block(&ranking(tuned));
    let best = tuned.best_point();
    page.heading("Best", "")
        .item("settings", &output.paint.bold(&settings(tuned, best)))
        .item(tuned.metric.name(), &with_error(best));
    page.heading("The same by hand", "").block(line);
    describe(&mut page, trained);
    page.heading("Notes", "").notes(&trained.report.notes);
    page.heading("Files", "");
    let size = std::fs::metadata(file).map_or(String::new(), |m| bytes(m.len()));
    page.item(
        "model",
        &format!("{}  {}", file.display(), output.paint.dim(&size)),
    );
    for (name, path) in [("report", &args.report), ("table", &args.table)] {
        if let Some(path) = path {
            page.item(name, &path.display().to_string());
        }
    }
    output.text(&page.finish())
}

/// A score with its standard error, where it has one: scores of all rows together may have none.
fn with_error(point: &Point) -> String {
    let score = metric_text(point.mean);
    if point.standard_error.is_finite() {
        format!("{score} ± {}", metric_text(point.standard_error))
    } else {
        score
    }
}

/// The best points, one line each.
fn ranking(tuned: &Tuned) -> String {
    let order = tuned.ranking();
    let cell = |v: f64| crate::style::short_numbers(&v.to_string());
    let widths: Vec<usize> = tuned
        .axes
        .iter()
        .enumerate()
        .map(|(k, axis)| {
            let cells = order.iter().take(SHOWN);
            let widest = cells.map(|&p| cell(tuned.points[p].values[k]).len());
            widest.chain([axis.name.len()]).max().unwrap_or(0)
        })
        .collect();
    let mut lines = Vec::new();
    let mut header = format!("{:>4}", "rank");
    for (axis, width) in tuned.axes.iter().zip(&widths) {
        let _ = write!(header, "  {:>width$}", axis.name);
    }
    lines.push(format!(
        "{header}  {:>9}  {:>7}  folds",
        tuned.metric.name(),
        "±"
    ));
    for (rank, &p) in order.iter().take(SHOWN).enumerate() {
        let point = &tuned.points[p];
        let mut line = format!("{:>4}", rank + 1);
        for (value, width) in point.values.iter().zip(&widths) {
            let _ = write!(line, "  {:>width$}", cell(*value));
        }
        let done = point.folds.iter().filter(|f| !f.is_nan()).count();
        let folds = match point.status {
            mercer::select::grid::Status::Complete => String::from("all"),
            other => format!("{done}, {}", other.name().replace('_', " ")),
        };
        lines.push(format!(
            "{line}  {:>9}  {:>7}  {folds}",
            metric_text(point.mean),
            metric_text(point.standard_error)
        ));
    }
    lines.join("\n")
}
