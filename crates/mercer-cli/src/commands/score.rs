//! `mercer score`.

use mercer::Error;
use mercer::data::series::Windows;
use mercer::data::{Roles, Table, Task, make_targets};
use mercer::fit::{FitContext, Note};
use mercer::judge::bounds::{Interval, Sides, chebyshev_interval, chernoff_interval, fit_bounds};
use mercer::judge::{self, ChosenThreshold, Metrics, RejectPoint, Scores, ThresholdRule, Truth};
use mercer::model::{Answers, Trained};
use mercer_report::{COVERAGE_WORK, Known, coverage, learnt_from};
use serde_json::{Map, Value, json};

use crate::args::{KnownArgs, OnError, ScoreArgs};
use crate::data::{Skipped, blame_data, keep_inputs, name_by_place, named, read, read_for};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::models;
use crate::outputs::Files;
use crate::session::Session;
use crate::style::plural;

/// Points of an error–reject curve that are written.
const MOST_POINTS: usize = 1000;

pub(super) fn run(args: &ScoreArgs, session: &Session) -> Result<()> {
    let wants_curve = args.reject;
    let (rule, save, quantile) = (args.threshold, args.save.as_deref(), args.quantile);
    let args = &args.known;
    Files::default()
        .data(&args.data, &args.reading)
        .read("the model", [args.model.as_path()])
        .write(save)
        .check()?;
    let mut trained = models::load_for(&args.model, &args.data)?;
    let mut known = known_rows(args, &trained, session)?;
    let context = session.context(&args.running);
    let chosen = match rule {
        Some(rule) => Some(set_threshold(&mut trained, &mut known, rule, &context)?),
        None => None,
    };
    if let Some(path) = save {
        models::save(path, &trained, session)?;
    }
    let mut predictions = blame_data(trained.answers(&known.features, &context))?;
    session.check()?;
    let scores = judge::score(
        &predictions,
        &known.truth,
        &known.targets,
        known.weights.as_deref(),
        args.confidence,
        &context,
    )?;
    let weights = known.weights.as_deref();
    let rows = Known {
        features: &known.features,
        truth: &known.truth,
        names: &known.targets,
        weights,
    };
    let coverage = coverage(&trained, &rows, &predictions, COVERAGE_WORK, &context)?;
    let curve = wants_curve
        .then(|| judge::reject_curve_of(&predictions, &known.truth, weights))
        .transpose()?;
    let mut more = match &known.truth {
        Truth::Targets(_) => judge::more_metrics(
            &predictions,
            &known.truth,
            weights,
            args.confidence,
            &context,
        )?,
        Truth::Novel(_) => Metrics::default(),
    };
    if let Some(quantile) = quantile {
        let truth = &known.truth;
        let confidence = args.confidence;
        let loss =
            judge::pinball_loss(&predictions, truth, quantile, weights, confidence, &context)?;
        more = more.and(loss);
    }
    let by_group = match &known.groups {
        Some(groups) => judge::score_groups(
            &predictions,
            &known.truth,
            weights,
            groups,
            args.confidence,
            &context,
        )?,
        None => Vec::new(),
    };
    let laws = laws(&scores, weights.is_some());
    let promised = fit_bounds(&trained.report, 1.0 - args.confidence)?;
    let notes = &mut known.notes;
    notes.append(&mut predictions.notes);
    if let Truth::Targets(truth) = &known.truth {
        let share = trained.share_seen(&known.features, truth);
        let told = share.and_then(learnt_from);
        notes.extend(told.map(|text| {
            Note::Alert(format!(
                "{text}; `mercer fit --holdout 0.3` or `mercer cv` tell how low"
            ))
        }));
    }
    let readout = trained.form.readout();
    let differing = match &predictions.answers {
        Answers::Classes { codes, .. } => readout.differing_codes(codes, &predictions.decisions),
        _ => None,
    };
    let told = |d: usize| Note::of_differing(d as f64, scores.rows as f64, "rows");
    notes.extend(differing.and_then(told));
    session.meter.finish();
    session.output.notes(notes);
    if session.output.json {
        let mut object = json!({
            "metrics": scores.metrics,
            "confidence": scores.confidence,
            "rows": scores.rows,
            "confusion": scores.confusion,
            "outputs": scores.outputs,
        });
        if let Some(differing) = differing {
            object["differing"] = json!(differing);
        }
        for (metric, score) in more.iter() {
            object["metrics"][metric.name()] = json!(score);
        }
        if let Some(quantile) = quantile {
            object["quantile"] = json!(quantile);
        }
        if let Some(name) = &args.by {
            object["by"] = json!({ "column": name, "groups": by_group });
        }
        let by_law = laws
            .iter()
            .map(|(law, interval)| (law.to_lowercase(), json!(interval)));
        let by_law: Map<String, Value> = by_law.collect();
        object["bounds"] = json!({ "error": by_law, "fit": promised });
        if let Some(coverage) = &coverage {
            object["coverage"] = json!(coverage);
        }
        if let Some(curve) = &curve {
            object["reject"] = json!(thinned(curve));
        }
        if let Some(chosen) = chosen {
            object["threshold"] = json!(chosen);
            object["file"] = json!(save);
        }
        return session.output.object(&object);
    }
    if let Some(path) = save {
        session.output.wrote(path);
    }
    let aside = format!(
        "{} of {} against `{}`",
        plural(scores.rows, "row"),
        named(&args.data),
        known.targets.join("`, `")
    );
    let mut page = Page::new(session.output.paint);
    page.heading(&format!("Scores of {}", args.model.display()), &aside)
        .scores(&scores)
        .more(&more)
        .error_bounds(&laws, &promised);
    if let Some(name) = &args.by {
        page.groups(name, &by_group);
    }
    if let Some(coverage) = &coverage {
        page.coverage(coverage);
    }
    if let Some(curve) = &curve {
        page.reject(curve);
    }
    session.output.text(&page.finish())
}

/// What Chernoff and Chebyshev say of the error rate of rows without weights.
fn laws(scores: &Scores, weighted: bool) -> Vec<(&'static str, Interval)> {
    let Some(confusion) = scores.confusion.as_ref().filter(|_| !weighted) else {
        return Vec::new();
    };
    let wrong = scores.rows - confusion.right() as usize;
    let delta = 1.0 - scores.confidence;
    let laws = [
        (
            "Chernoff",
            chernoff_interval(wrong, scores.rows, delta, Sides::Both),
        ),
        (
            "Chebyshev",
            chebyshev_interval(wrong, scores.rows, delta, Sides::Both),
        ),
    ];
    let known = laws
        .into_iter()
        .filter_map(|(name, found)| Some((name, found.ok()?)));
    known.collect()
}

/// A curve of many points with fewer of them, the ends among those that stay.
fn thinned(curve: &[RejectPoint]) -> Vec<RejectPoint> {
    if curve.len() <= MOST_POINTS {
        return curve.to_vec();
    }
    let last = curve.len() - 1;
    let place = |k: usize| k * last / (MOST_POINTS - 1);
    (0..MOST_POINTS).map(|k| curve[place(k)]).collect()
}

/// Moves the threshold of a novelty detector to where marked rows want it.
fn set_threshold(
    trained: &mut Trained,
    known: &mut KnownRows,
    rule: ThresholdRule,
    context: &FitContext,
) -> Result<ChosenThreshold> {
    let Truth::Novel(novel) = &known.truth else {
        return Err(Failure::usage(
            format!(
                "`--threshold` is for novelty detectors; the model is for `{}`",
                trained.task
            ),
            "leave it out, or give a model of `mercer fit --task novelty`",
        ));
    };
    let decisions = blame_data(trained.answers(&known.features, context))?.decisions;
    let first: Vec<f64> = (0..decisions.rows())
        .map(|row| decisions[(row, 0)])
        .collect();
    let chosen = blame_data(judge::choose_threshold(&first, novel, rule))?;
    trained.form.shift_novelty(chosen.shift)?;
    let note = Note::Choice(format!(
        "the threshold was moved by {} for {rule} on {} marked rows",
        mercer_io::format_number(chosen.shift),
        novel.len()
    ));
    trained.report.notes.push(note.clone());
    known.notes.push(note);
    known.notes.push(Note::Alert(
        "the threshold was chosen by these very rows: on others scores will be lower".to_owned(),
    ));
    Ok(chosen)
}

/// Rows whose targets are known, as a model reads them.
pub(super) struct KnownRows {
    pub(super) features: Table,
    pub(super) truth: Truth,
    /// Names of the targets.
    pub(super) targets: Vec<String>,
    pub(super) weights: Option<Vec<f64>>,
    /// The value of the column by which rows are scored, too.
    pub(super) groups: Option<Vec<String>>,
    pub(super) notes: Vec<Note>,
}

/// Reads rows for a model, with their targets.
pub(super) fn known_rows(
    args: &KnownArgs,
    trained: &Trained,
    session: &Session,
) -> Result<KnownRows> {
    if let Some(series) = &trained.series {
        return known_windows(args, &series.windows, session);
    }
    let table = read_for(trained, &args.data, &args.reading, session)?;
    let others = [&args.target, &args.weights, &args.by];
    let others: Vec<&str> = others.into_iter().flatten().map(String::as_str).collect();
    let mut table = name_by_place(trained, &args.reading, table, &others)?;
    let targets = targets(args, trained, &table)?;
    let mut skipped = Skipped::default();
    if args.on_error == OnError::Skip {
        table = skipped.leave_out(trained, table)?.0;
    }
    let roles = Roles {
        targets: targets.clone(),
        weights: args.weights.clone(),
        drop_unlabelled: args.drop_unlabelled,
        ..Roles::default()
    };
    let mut assigned = roles.assign(table)?;
    let groups = match &args.by {
        Some(name) => {
            let mut known = assigned.targets.iter();
            let column = match known.find(|column| column.name == *name) {
                Some(column) => column,
                None => blame_data(assigned.features.column(name))?,
            };
            let text = |row| {
                column
                    .values
                    .text(row)
                    .unwrap_or_else(|| "(missing)".to_owned())
            };
            Some((0..assigned.features.rows()).map(text).collect())
        }
        None => None,
    };
    keep_inputs(trained, &mut assigned.features)?;
    let truth = match Truth::of(trained, &assigned.targets) {
        Err(error @ Error::Unsupported { .. }) => return Err(error.into()),
        truth => blame_data(truth)?,
    };
    let mut notes = assigned.notes;
    notes.extend(skipped.note("left out of the scores"));
    Ok(KnownRows {
        features: assigned.features,
        truth,
        targets,
        weights: assigned.weights,
        groups,
        notes,
    })
}

/// Reads a series for a model: its windows, with their targets.
fn known_windows(args: &KnownArgs, windows: &Windows, session: &Session) -> Result<KnownRows> {
    if args.by.is_some() {
        return Err(Failure::usage(
            "`--by` is for rows; windows of a series have no column of their own",
            "leave it out",
        ));
    }
    let table = read(&args.data, &args.reading, session)?;
    let carried: Vec<&str> = args.weights.as_deref().into_iter().collect();
    let arranged = blame_data(windows.arrange(&table, &carried))?;
    let roles = Roles {
        targets: vec![windows.target.clone()],
        weights: args.weights.clone(),
        ..Roles::default()
    };
    let assigned = roles.assign(arranged.table)?;
    let truth = make_targets(&assigned.targets[0], Task::Regress, None)?;
    let mut notes = arranged.notes;
    notes.extend(assigned.notes);
    Ok(KnownRows {
        features: assigned.features,
        truth: Truth::Targets(truth),
        targets: roles.targets,
        weights: assigned.weights,
        groups: None,
        notes,
    })
}

/// The columns with the truth: named, the model's own, or the label of a LIBSVM file.
fn targets(args: &KnownArgs, trained: &Trained, table: &Table) -> Result<Vec<String>> {
    if let Some(name) = &args.target {
        return Ok(match table.find(name) {
            None if trained.targets.len() > 1 => {
                name.split(',').map(|part| part.trim().to_owned()).collect()
            }
            _ => vec![name.clone()],
        });
    }
    if trained.targets.is_empty() {
        return match table.find("label") {
            Some(_) => Ok(vec!["label".to_owned()]),
            None => Err(no_target(&table.names())),
        };
    }
    for name in &trained.targets {
        blame_data(table.column(name).map(|_| ()))?;
    }
    Ok(trained.targets.clone())
}

fn no_target(names: &[String]) -> Failure {
    Failure::usage(
        "the model does not know its target column",
        format!("name it with `--target`, one of: {}", names.join(", ")),
    )
}
