//! `mercer score`.

use mercer::Error;
use mercer::data::{Roles, Table};
use mercer::fit::Note;
use mercer::judge::{self, Truth};
use mercer::model::Trained;
use serde_json::json;

use crate::args::{OnError, ScoreArgs};
use crate::data::{Skipped, blame_data, keep_inputs, name_by_place, read_for};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::models;
use crate::session::Session;
use crate::style::plural;

pub(super) fn run(args: &ScoreArgs, session: &Session) -> Result<()> {
    let trained = models::load_for(&args.model, &args.data)?;
    let table = read_for(&trained, &args.data, &args.reading, session)?;
    let others = [&args.target, &args.weights];
    let others: Vec<&str> = others.into_iter().flatten().map(String::as_str).collect();
    let mut table = name_by_place(&trained, &args.reading, table, &others)?;
    let targets = targets(args, &trained, &table)?;
    let mut skipped = Skipped::default();
    if args.on_error == OnError::Skip {
        table = skipped.leave_out(&trained, table)?.0;
    }
    let roles = Roles {
        targets: targets.clone(),
        weights: args.weights.clone(),
        drop_unlabelled: args.drop_unlabelled,
        ..Roles::default()
    };
    let mut assigned = roles.assign(table)?;
    keep_inputs(&trained, &mut assigned.features)?;
    let context = session.context(&args.running);
    let mut predictions = blame_data(trained.answers(&assigned.features, &context))?;
    session.check()?;
    let truth = match Truth::of(&trained, &assigned.targets) {
        Err(error @ Error::Unsupported { .. }) => return Err(error.into()),
        truth => blame_data(truth)?,
    };
    let weights = assigned.weights.as_deref();
    let scores = judge::score(
        &predictions,
        &truth,
        &targets,
        weights,
        args.confidence,
        &context,
    )?;
    let mut notes = assigned.notes;
    notes.append(&mut predictions.notes);
    notes.extend(skipped.note("left out of the scores"));
    if let Truth::Targets(truth) = &truth {
        let share = trained.share_seen(&assigned.features, truth);
        notes.extend(share.and_then(note_seen));
    }
    let readout = trained.form.readout();
    notes.extend(readout.note_differing(&predictions.decisions, None, "rows"));
    session.meter.finish();
    session.output.notes(&notes);
    if session.output.json {
        return session.output.object(&json!({
            "metrics": scores.metrics,
            "confidence": scores.confidence,
            "rows": scores.rows,
            "confusion": scores.confusion,
            "outputs": scores.outputs,
        }));
    }
    let aside = format!(
        "{} of {} against `{}`",
        plural(scores.rows, "row"),
        args.data.display(),
        targets.join("`, `")
    );
    let mut page = Page::new(session.output.paint);
    page.heading(&format!("Scores of {}", args.model.display()), &aside)
        .scores(&scores);
    session.output.text(&page.finish())
}

/// Tells of scores on rows that the model learnt from.
fn note_seen(share: f64) -> Option<Note> {
    /// Rows may be alike by chance: fewer are not worth a word.
    const WORTH_TELLING: f64 = 0.2;
    let rows = if share == 1.0 {
        "the model has learnt from these rows".to_owned()
    } else {
        format!(
            "the model has learnt from about {:.0} % of these rows",
            100.0 * share
        )
    };
    (share >= WORTH_TELLING).then(|| {
        Note::Alert(format!(
            "{rows}: expect lower scores on new ones; `mercer fit --holdout 0.3` or `mercer cv` tell how low"
        ))
    })
}

/// The columns with the truth: named, the model's own, or the label of a LIBSVM file.
fn targets(args: &ScoreArgs, trained: &Trained, table: &Table) -> Result<Vec<String>> {
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
