//! `mercer score`.

use mercer::data::{Roles, Table};
use mercer::model::{AnyModel, Trained};
use serde_json::json;

use crate::args::ScoreArgs;
use crate::data::{blame_data, keep_inputs, read_for};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::models;
use crate::scoring::{self, Truth};
use crate::session::Session;
use crate::style::plural;

pub(super) fn run(args: &ScoreArgs, session: &Session) -> Result<()> {
    let trained = models::load(&args.model)?;
    let table = read_for(&trained, &args.data, &args.reading, session)?;
    let target = target(args, &trained, &table)?;
    let roles = Roles {
        target: Some(target.clone()),
        weights: args.weights.clone(),
        drop_unlabelled: args.drop_unlabelled,
        ..Roles::default()
    };
    let mut assigned = roles.assign(table)?;
    keep_inputs(&trained, &mut assigned.features)?;
    let context = session.context(&args.running);
    let mut predictions = blame_data(trained.answers(&assigned.features, &context))?;
    session.check()?;
    let column = assigned.target.ok_or_else(|| no_target(&[]))?;
    let truth = Truth::of(&trained, &column)?;
    let weights = assigned.weights.as_deref();
    let scores = scoring::score(&predictions, &truth, weights, args.confidence)?;
    let mut notes = assigned.notes;
    notes.append(&mut predictions.notes);
    let AnyModel::Expansion(model) = &trained.model;
    notes.extend(
        model
            .machine
            .note_differing(&predictions.decisions, None, "rows"),
    );
    session.meter.finish();
    session.output.notes(&notes);
    if session.output.json {
        return session.output.object(&json!({
            "metrics": scores.metrics,
            "confidence": scores.confidence,
            "rows": scores.rows,
            "confusion": scores.confusion,
        }));
    }
    let aside = format!(
        "{} of {} against `{target}`",
        plural(scores.rows, "row"),
        args.data.display()
    );
    let mut page = Page::new(session.output.paint);
    page.heading(&format!("Scores of {}", args.model.display()), &aside)
        .scores(&scores);
    session.output.text(&page.finish())
}

/// The column with the answers: named, the model's own, or the label of a LIBSVM file.
fn target(args: &ScoreArgs, trained: &Trained, table: &Table) -> Result<String> {
    if let Some(name) = &args.target {
        return Ok(name.clone());
    }
    match &trained.target {
        Some(name) if table.find(name).is_some() => Ok(name.clone()),
        None if table.find("label").is_some() => Ok("label".to_owned()),
        Some(name) => {
            let failure = blame_data(table.column(name).map(|_| ()));
            failure.map(|()| name.clone())
        }
        None => Err(no_target(&table.names())),
    }
}

fn no_target(names: &[String]) -> Failure {
    Failure::usage(
        "the model does not know its target column",
        format!("name it with `--target`, one of: {}", names.join(", ")),
    )
}
