//! `mercer fit`.

mod cluster;
mod cluster_picture;
mod compare;
mod curve;
mod cv;
mod embed;
mod judge;
mod line;
mod made;
mod next;
mod search;
mod select;
pub(super) mod streamed;
mod unasked;
pub(super) mod wish;

use std::path::{Path, PathBuf};

use mercer::data::{Dataset, Table, warnings};
use mercer::explain::Dependence;
use mercer::fit::{FitContext, FitReport, Note};
use mercer::learn::Method;
use mercer::model::Trained;
use mercer::recipe::{LearningCurve, Opened};
use serde_json::{Value, json};

use crate::args::FitArgs;
use crate::data::read;
use crate::display::{Page, Screen, first_screen, what};
use crate::failure::{Failure, Result};
use crate::models;
use crate::noticed::Noticed;
use crate::outputs::{Files, same_table};
use crate::session::Session;
use crate::style::{bytes, count, plural, short_numbers};
use crate::usage;
use crate::wording::{Flags, warning_object};
use mercer_report as report;
use mercer_report::Evaluation;

pub(super) use cluster::run as cluster;
pub(super) use compare::run as compare;
pub(super) use curve::run as curve;
pub(super) use cv::run as cross_validate;
pub(super) use embed::{coordinate_names, run as embed};
pub(super) use judge::held_out;
pub(super) use made::checksum;
pub(super) use search::run as tune;
pub(super) use select::run as select;

/// What shortens a fit, for the estimate before long ones.
const SHORTENS: &str = "`--sample` shortens";

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
        .write(args.report.as_deref())
        .write(args.checkpoint.as_deref())
        .write(args.card.as_deref());
    check_outputs(&files, &file)?;
    session.meter.advise(SHORTENS);
    let earlier = args.warm_start.as_deref().map(models::load).transpose()?;
    let context = session.context(&args.running);
    // A checkpoint is one of a fit that reads block by block.
    let (outcome, noticed) = if args.stream || args.checkpoint.is_some() {
        streamed::learn(args, session, &context)?
    } else {
        match read(&args.data, &args.reading, session) {
            Err(failure) if streamed::instead(args, &failure) => {
                streamed::tell_instead(&failure, session);
                streamed::learn(args, session, &context)?
            }
            table => {
                let table = table?;
                let noticed = Noticed::of(&table, &args.columns.drop);
                if args.output.is_none() && !args.force {
                    same_table(&file, &table)?;
                }
                (learn(args, earlier, table, session, &context)?, noticed)
            }
        }
    };
    session.check()?;
    session.meter.phase("writing", 0.1, 0.0);
    models::save(&file, &outcome.trained, session)?;
    if outcome.streamed.is_some() {
        streamed::finished(args);
    }
    let evaluated = outcome.evaluated.as_ref();
    if args.report.is_some() || args.card.is_some() {
        let made = made::of(args, &outcome.trained);
        let title = title(&args.data);
        let input = report::Input {
            title: &title,
            trained: &outcome.trained,
            evaluation: evaluated,
            data: outcome.data.as_ref(),
            search: None,
            usage: usage::lines(&outcome.trained, &file.to_string_lossy()),
            wording: &Flags,
            next: next::commands(args, &outcome.trained, evaluated, &file),
            when: None,
            more: report::More {
                learning: outcome.learning.as_ref(),
                made: Some(&made),
                shapes: &outcome.shapes,
                support: &outcome.support,
                ..report::More::default()
            },
        };
        if let Some(path) = &args.report {
            session.write(path, report::render(&input).as_bytes())?;
        }
        if let Some(path) = &args.card {
            session.write(path, report::card(&input).as_bytes())?;
        }
    }
    session.meter.finish();
    tell(args, session, &outcome, &noticed, &file)
}

/// What a fit leaves behind.
struct Outcome {
    trained: Trained,
    evaluated: Option<Evaluation>,
    /// Whether the model was learnt from all rows after some had been held out; `None` where none
    /// were.
    refitted: Option<bool>,
    /// What was learnt from, for the report.
    data: Option<report::Data>,
    /// How rows were read from the file, where they were not all in memory.
    streamed: Option<Value>,
    /// Scores over the number of rows, for the report.
    learning: Option<LearningCurve>,
    /// How predictions go with the columns that matter most, for the report.
    shapes: Vec<Dependence>,
    /// The support vectors of most influence, for the report.
    support: Vec<report::ShownSupport>,
}

fn learn(
    args: &FitArgs,
    earlier: Option<Trained>,
    table: Table,
    session: &Session,
    context: &FitContext,
) -> Result<Outcome> {
    let labels = args.reading.labels.is_some();
    let mut recipe = wish::recipe(&args.columns, &args.model, labels, earlier, &table)?;
    wish::compare_by(&mut recipe, args.metric, &args.model)?;
    let mut opened = recipe.open(table)?;
    wish::check_auto(&args.model, opened.task)?;
    let data = report::Data::of(&opened);
    let mut notes = std::mem::take(&mut opened.notes);
    let mut refitted = None;
    let is_told = args.report.is_some() || args.card.is_some();
    let some = is_told.then(|| unasked::kept(&opened));
    let (trained, evaluated) = if let Some(share) = args.holdout {
        judge::check_task(opened.task, "--holdout")?;
        let rows = opened.rows();
        let split = opened.holdout(share, context.seed)?;
        let sides = (&split.train[..], &split.test[..]);
        let shared = warnings::shared_with(&opened.features, &opened.targets, sides);
        notes.extend(shared.map(Note::from));
        let refit = !args.no_refit;
        // The model itself is one more fit, of more rows.
        let kept = split.train.len() as f64 / rows as f64;
        let own = if refit { kept / (kept + 1.0) } else { 1.0 };
        let turns = 1 + usize::from(refit);
        let first = context.share(own).turn("held-out rows", 0, turns);
        let trained = fit(opened.part(&split.train), &first)?;
        session.check()?;
        let mut evaluated = judge::held_out(&trained, &opened, &split, context)?;
        refitted = Some(refit);
        if refit {
            evaluated.how = format!(
                "{}; the model is then learnt from all {}",
                evaluated.how,
                plural(rows, "row")
            );
            (
                fit(opened, &context.turn("all rows", 1, 2))?,
                Some(evaluated),
            )
        } else {
            evaluated.how = format!(
                "{}; the model is learnt from the other {}",
                evaluated.how,
                count(split.train.len() as u64)
            );
            (trained, Some(evaluated))
        }
    } else if let Some(k) = args.folds {
        judge::check_task(opened.task, "--folds")?;
        // The model itself is one more fit.
        let part = context.share(k as f64 / (k as f64 + 1.0));
        let work = Some(report::IMPORTANCE_WORK);
        let evaluated = judge::folds(&opened, k, work, true, session, &part)?;
        let last = context.turn("all rows", k, k + 1);
        (fit(opened, &last)?, Some(evaluated))
    } else {
        let kept = unasked::kept(&opened);
        let (drawn, others) = opened.prepare()?.drawn(context.seed)?;
        if let Some(others) = &others {
            session.meter.follow(scoring_seconds(&drawn.data, others));
        }
        let trained = drawn.fit(&context.restarted())?.model;
        session.check()?;
        let evaluated = match (others, &args.warm_start) {
            // Rows beside a sample cost nothing, and had no part in any choice; a model of all rows has learnt from them.
            (Some(others), _) if context.goes_on() && trained.report.drawn_from.is_some() => {
                let seconds = scoring_seconds(&others, &others);
                session.meter.phase("scoring", seconds, 0.0);
                Some(judge::others(&trained, &others, &kept, context)?)
            }
            // An earlier model has seen all rows; no fold could start from it.
            (_, Some(_)) => None,
            _ => unasked::evaluate(&kept, &trained, session, context)?,
        };
        (trained, evaluated)
    };
    let mut trained = trained;
    let asked = judge::asked(Some(&trained), args.metric, &args.model);
    let evaluated = evaluated.map(|evaluated| evaluated.judged_by(asked));
    if let Some(evaluated) = &evaluated {
        // Of its columns the model of all rows tells itself.
        let others = evaluated.notes.iter().filter(|n| !judge::is_unscaled(n));
        notes.extend(others.cloned());
        notes.extend(judge::unheard(&trained, evaluated));
    }
    trained.report.notes.splice(0..0, notes);
    let worth = evaluated
        .as_ref()
        .and_then(|evaluated| evaluated.importance.as_ref());
    let shapes = match &some {
        Some(rows) => report::shapes(&trained, &rows.features, worth, context),
        None => Vec::new(),
    };
    let support = match &some {
        Some(rows) => report::support_rows(&trained, &rows.features, worth),
        None => Vec::new(),
    };
    let learning = some
        .filter(|_| args.warm_start.is_none())
        .and_then(|rows| unasked::learning(&rows, &trained, context));
    Ok(Outcome {
        trained,
        evaluated,
        refitted,
        data: Some(data),
        streamed: None,
        learning,
        shapes,
        support,
    })
}

/// Seconds that scoring rows by a model of others takes at most, on a typical computer: a kernel value
/// of every pair.
fn scoring_seconds(learnt: &Dataset, scored: &Dataset) -> f64 {
    const PER_SECOND: f64 = 2e10;
    let columns = learnt.records.features.points.columns() as f64;
    learnt.len() as f64 * scored.len() as f64 * (columns + 10.0) / PER_SECOND
}

/// Encodes and learns, within the time that the context leaves.
fn fit(opened: Opened<'_>, context: &FitContext) -> Result<Trained> {
    let context = context.restarted();
    Ok(opened.prepare()?.fit(&context)?.model)
}

/// The data's name without folder and endings.
pub(super) fn title(data: &Path) -> String {
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

pub(super) fn default_output(data: &Path) -> PathBuf {
    PathBuf::from(format!("{}.mercer", title(data)))
}

/// Refuses files that must not or cannot be written.
pub(super) fn check_outputs(files: &Files<'_>, model: &Path) -> Result<()> {
    if model == Path::new("-") {
        return Err(Failure::usage(
            "a model is not printed on standard output",
            "name a file with `-o FILE.mercer`",
        ));
    }
    files.check()
}

fn tell(
    args: &FitArgs,
    session: &Session,
    outcome: &Outcome,
    noticed: &Noticed,
    file: &Path,
) -> Result<()> {
    let trained = &outcome.trained;
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
        let warnings: Vec<Value> = trained.report.warnings().map(warning_object).collect();
        let mut object = json!({
            "model": Method::shown_name(&trained.method),
            "task": trained.task,
            "kernel": trained.kernel_text(),
            "warnings": warnings,
            "report": told(&trained.report),
            "reading": noticed.objects,
            "file": file,
        });
        if let Some(evaluated) = &outcome.evaluated {
            object["scores"] = json!(evaluated.scores);
            object["evaluated"] = json!({
                "by": evaluated.rows,
                "unbiased": !evaluated.rows.flatters(),
                "text": evaluated.how,
            });
            object["baseline"] = json!(evaluated.baseline);
            object["importance"] = json!(evaluated.importance);
            if let Some(coverage) = &evaluated.coverage {
                object["coverage"] = json!(coverage);
            }
        }
        if let Some(refitted) = outcome.refitted {
            object["refitted"] = json!(refitted);
        }
        if let Some(streamed) = &outcome.streamed {
            object["streamed"] = streamed.clone();
        }
        return output.object(&object);
    }
    let size = std::fs::metadata(file).map_or(String::new(), |m| bytes(m.len()));
    let mut files = vec![format!("{}  {}", file.display(), output.paint.dim(&size))];
    let pages = args.report.iter().chain(&args.card);
    files.extend(pages.map(|path| path.display().to_string()));
    files.extend(outcome.streamed.as_ref().map(streamed::line));
    let evaluated = outcome.evaluated.as_ref();
    let screen = Screen {
        trained,
        evaluation: evaluated,
        hints: &noticed.hints,
        files,
        next: next::commands(args, trained, evaluated, file),
    };
    let mut text = first_screen(&screen, output.paint);
    if args.verbose {
        let mut page = Page::new(output.paint);
        page.gap();
        describe(&mut page, trained);
        if let Some(evaluated) = evaluated {
            page.heading("Scores", &evaluated.how)
                .scores(&evaluated.scores);
            if let Some(coverage) = &evaluated.coverage {
                page.coverage(coverage);
            }
        }
        if !trained.report.notes.is_empty() {
            page.heading("Notes", "").notes(&trained.report.notes);
            page.hints(&noticed.hints);
        }
        text.push_str(&page.finish());
    }
    output.text(&text)
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

/// Leaves up to which a tree is printed.
const SHOWN_LEAVES: usize = 40;

/// Adds what was learnt, and how the fit went.
fn describe(page: &mut Page, trained: &Trained) {
    page.heading(
        &format!("{} model", Method::shown_name(&trained.method)),
        &what(trained),
    );
    if let Some(kernel) = trained.kernel_text() {
        page.item("kernel", &short_numbers(&kernel));
    }
    page.fit(trained);
    if let Some(tree) = trained
        .form
        .tree()
        .filter(|t| t.nodes.leaves() <= SHOWN_LEAVES)
    {
        page.gap().block(&tree.text(&trained.encoder));
    }
    if !trained.report.trials().is_empty() {
        page.gap().trials(&trained.report, trained.task, usize::MAX);
    }
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
