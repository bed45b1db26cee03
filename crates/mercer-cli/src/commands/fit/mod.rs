//! `mercer fit`.

mod cluster;
mod cv;
mod judge;
mod line;
mod search;
mod select;
mod wish;

use std::path::{Path, PathBuf};

use mercer::data::Table;
use mercer::fit::{FitContext, FitReport, Note};
use mercer::learn::Method;
use mercer::model::Trained;
use mercer::recipe::Opened;
use serde_json::{Value, json};

use self::judge::Judged;
use crate::args::FitArgs;
use crate::data::read;
use crate::display::{Page, what};
use crate::failure::{Failure, Result};
use crate::models;
use crate::outputs::{Files, same_table};
use crate::report;
use crate::session::Session;
use crate::style::{bytes, count, plural, short_numbers};

pub(super) use cluster::run as cluster;
pub(super) use cv::run as cross_validate;
pub(super) use search::run as tune;
pub(super) use select::run as select;

pub(super) fn run(args: &FitArgs, session: &Session) -> Result<()> {
    wish::check(&args.model)?;
    let file = args
        .output
        .clone()
        .unwrap_or_else(|| default_output(&args.data));
    let files = Files::default()
        .data(&args.data, &args.reading)
        .read("the earlier model", args.warm_start.as_deref())
        .write([file.as_path()])
        .write(args.report.as_deref());
    check_outputs(&files, &file)?;
    let earlier = args.warm_start.as_deref().map(models::load).transpose()?;
    let table = read(&args.data, &args.reading, session)?;
    let context = session.context(&args.running);
    if args.output.is_none() && !args.force {
        same_table(&file, &table)?;
    }
    let outcome = learn(args, earlier, table, session, &context)?;
    session.check()?;
    models::save(&file, &outcome.trained, session)?;
    let judged = outcome.judged.as_ref();
    if let Some(path) = &args.report {
        let page = report::render(&report::Input {
            title: &title(&args.data),
            trained: &outcome.trained,
            scores: judged.map(|j| &j.scores),
            judged: judged.map(|j| j.how.as_str()),
            data: Some(&outcome.data),
            evidence: judged.and_then(|j| j.evidence.as_ref()),
            search: None,
            model_file: Some(&file.to_string_lossy()),
            when: None,
        });
        session.write(path, page.as_bytes())?;
    }
    session.meter.finish();
    tell(args, session, &outcome, &file)
}

/// What a fit leaves behind.
struct Outcome {
    trained: Trained,
    judged: Option<Judged>,
    /// Whether the model was learnt from all rows after some had been held out; `None` where none
    /// were.
    refitted: Option<bool>,
    /// What was learnt from, for the report.
    data: report::Data,
}

fn learn(
    args: &FitArgs,
    earlier: Option<Trained>,
    table: Table,
    session: &Session,
    context: &FitContext,
) -> Result<Outcome> {
    let labels = args.reading.labels.is_some();
    let recipe = wish::recipe(&args.columns, &args.model, labels, earlier, &table)?;
    let mut opened = recipe.open(table)?;
    wish::check_auto(&args.model, opened.task)?;
    let data = report::Data::of(&opened);
    let mut notes = std::mem::take(&mut opened.notes);
    let mut refitted = None;
    let (trained, judged) = if let Some(share) = args.holdout {
        judge::check_task(opened.task, "--holdout")?;
        let groups = opened.groups.as_deref();
        let (rows, seed) = (opened.rows(), context.seed);
        let split = mercer::data::holdout(rows, &opened.targets, share, seed, groups)?;
        let refit = !args.no_refit;
        // The model itself is one more fit, of more rows.
        let kept = split.train.len() as f64 / rows as f64;
        let own = if refit { kept / (kept + 1.0) } else { 1.0 };
        let trained = fit(opened.part(&split.train), &context.share(own))?;
        session.check()?;
        let mut judged = judge::held_out(&trained, &opened.part(&split.test), context)?;
        refitted = Some(refit);
        if refit {
            judged.how = format!(
                "{}; the model is then learnt from all {}",
                judged.how,
                plural(rows, "row")
            );
            (fit(opened, context)?, Some(judged))
        } else {
            judged.how = format!(
                "{}; the model is learnt from the other {}",
                judged.how,
                count(split.train.len() as u64)
            );
            (trained, Some(judged))
        }
    } else {
        let judged = match args.folds {
            None => None,
            Some(k) => {
                judge::check_task(opened.task, "--folds")?;
                // The model itself is one more fit.
                let share = k as f64 / (k as f64 + 1.0);
                Some(judge::folds(&opened, k, session, context, share)?)
            }
        };
        (fit(opened, context)?, judged)
    };
    let mut trained = trained;
    if let Some(judged) = &judged {
        notes.extend(judged.notes.iter().cloned());
    }
    trained.report.notes.splice(0..0, notes);
    Ok(Outcome {
        trained,
        judged,
        refitted,
        data,
    })
}

/// Encodes and learns, within the time that the context leaves.
fn fit(opened: Opened<'_>, context: &FitContext) -> Result<Trained> {
    let context = context.restarted();
    Ok(opened.prepare()?.fit(&context)?.model)
}

/// The data's name without folder and endings.
fn title(data: &Path) -> String {
    if data == Path::new("-") {
        return "model".to_owned();
    }
    let name = data
        .file_name()
        .unwrap_or(data.as_os_str())
        .to_string_lossy();
    let name = [".gz", ".zst"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(&name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => name.to_owned(),
    }
}

fn default_output(data: &Path) -> PathBuf {
    PathBuf::from(format!("{}.mercer", title(data)))
}

/// Refuses files that must not or cannot be written.
fn check_outputs(files: &Files<'_>, model: &Path) -> Result<()> {
    if model == Path::new("-") {
        return Err(Failure::usage(
            "a model is not printed on standard output",
            "name a file with `-o FILE.mercer`",
        ));
    }
    files.check()
}

fn tell(args: &FitArgs, session: &Session, outcome: &Outcome, file: &Path) -> Result<()> {
    let trained = &outcome.trained;
    let output = session.output;
    if output.json {
        let alerts: Vec<Note> = trained
            .report
            .notes
            .iter()
            .filter(|n| matches!(n, Note::Alert(_)))
            .cloned()
            .collect();
        output.notes(&alerts);
        let mut object = json!({
            "model": Method::shown_name(&trained.method),
            "task": trained.task,
            "kernel": trained.kernel_text(),
            "report": told(&trained.report),
            "file": file,
        });
        if let Some(judged) = &outcome.judged {
            object["scores"] = json!(judged.scores);
        }
        if let Some(refitted) = outcome.refitted {
            object["refitted"] = json!(refitted);
        }
        return output.object(&object);
    }
    let mut page = Page::new(output.paint);
    describe(&mut page, trained);
    if let Some(judged) = &outcome.judged {
        page.heading("Judged", &judged.how).scores(&judged.scores);
    }
    if !trained.report.notes.is_empty() {
        page.heading("Notes", "").notes(&trained.report.notes);
    }
    page.heading("Files", "");
    let size = std::fs::metadata(file).map_or(String::new(), |m| bytes(m.len()));
    page.item(
        "model",
        &format!("{}  {}", file.display(), output.paint.dim(&size)),
    );
    if let Some(path) = &args.report {
        page.item("report", &path.display().to_string());
    }
    output.text(&page.finish())
}

/// A report for programs, with methods named as users choose them.
fn told(report: &FitReport) -> Value {
    let mut object = json!(report);
    let rename = |name: &mut Value| {
        if let Some(shown) = name.as_str().map(|n| Method::shown_name(n).to_owned()) {
            *name = Value::from(shown);
        }
    };
    let trials = object.get_mut("trials").and_then(Value::as_array_mut);
    for trial in trials.into_iter().flatten() {
        trial.get_mut("method").into_iter().for_each(rename);
    }
    let chosen = object.get_mut("chosen").and_then(|c| c.get_mut("model"));
    chosen.into_iter().for_each(rename);
    object
}

/// Adds what was learnt, and how the fit went.
fn describe(page: &mut Page, trained: &Trained) {
    page.heading(
        &format!("{} model", Method::shown_name(&trained.method)),
        &what(trained),
    );
    if let Some(kernel) = trained.kernel_text() {
        page.item("kernel", &short_numbers(&kernel));
    }
    page.fit(trained).trials(&trained.report, trained.task);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_named_after_the_data() {
        let named = |data: &str| default_output(Path::new(data)).display().to_string();
        assert_eq!(named("data/iris.csv"), "iris.mercer");
        assert_eq!(named("a.b.csv.gz"), "a.b.mercer");
        assert_eq!(named("a9a"), "a9a.mercer");
        assert_eq!(named("-"), "model.mercer");
    }
}
