//! `mercer fit` of a table that is read block by block.

mod file;
mod passes;
mod saving;

use std::path::Path;

use mercer::fit::{FitContext, Note, StopReason};
use mercer::state::{Place, State};
use serde_json::{Value, json};

use super::{Outcome, wish};
use crate::args::FitArgs;
use crate::failure::{Failure, Result};
use crate::noticed::Noticed;
use crate::session::Session;
use crate::style::{count, duration};

pub(in crate::commands) use file::RowFile;
use passes::cut;
pub(in crate::commands) use passes::{Wanted, add, known, plan};
use saving::Saving;

/// Models that learn from sums over rows; `auto` takes the first of the others.
pub(super) const MODELS: [&str; 3] = ["auto", "nystroem", "rff"];

/// Share of the time that is left for reading; the rest is for solving and writing.
const READING: f64 = 0.85;

/// Learns from the rows of a file, block by block.
pub(super) fn learn(
    args: &FitArgs,
    session: &Session,
    context: &FitContext,
) -> Result<(Outcome, Noticed)> {
    check(args)?;
    let file = RowFile::open(&args.data, &args.reading, session)?;
    let learnt = learn_from(args, &file, session, context);
    // A cell that makes no sense may be half a line.
    learnt.map_err(|failure| file.blame(failure))
}

fn learn_from(
    args: &FitArgs,
    file: &RowFile,
    session: &Session,
    context: &FitContext,
) -> Result<(Outcome, Noticed)> {
    let checkpoint = args.checkpoint.as_deref();
    let earlier = match checkpoint {
        Some(path) => saving::resume(args, path, file)?,
        None => None,
    };
    let reading = context.share(READING);
    let mut told = json!({"resumed_after": Value::Null});
    let noticed;
    let (mut state, rows) = if let Some(earlier) = earlier {
        saving::tell(&earlier, checkpoint.unwrap_or(Path::new("")), session);
        told["resumed_after"] = json!(earlier.state.spans().rows());
        noticed = Noticed::of(file.blocks(1)?.head(), &args.columns.drop);
        (earlier.state, earlier.rows)
    } else {
        noticed = Noticed::of(file.blocks(1)?.head(), &args.columns.drop);
        let recipe = |head: &mercer::data::Table| {
            if args.output.is_none() && !args.force {
                crate::outputs::same_table(&super::default_output(&args.data), head)?;
            }
            wish::recipe(&args.columns, &args.model, false, None, head)
        };
        let planned = plan(file, recipe, session, &reading)?;
        told["first_pass"] = pass(planned.pace);
        told["drawn"] = json!(planned.drawn);
        (State::new(planned.plan), planned.rows)
    };
    let wanted = Wanted {
        skip: state.spans().rows(),
        place: Place::at(0),
        of: Some(rows),
    };
    let added = match checkpoint {
        Some(path) => {
            let mut saving = Saving::start(args, path, file, rows, session);
            if wanted.skip == 0 {
                // The first pass need not be done again.
                saving.save(&state);
            }
            add(file, &mut state, &wanted, &mut saving, session, &reading)?
        }
        None => add(file, &mut state, &wanted, &mut (), session, &reading)?,
    };
    told["second_pass"] = pass(added.pace);
    told["rows"] = json!(added.rows);
    told["block"] = json!(state.plan().block());
    session.meter.stage("solving", None);
    let mut trained = state.solve(context)?.model;
    session.check()?;
    let notes = &mut trained.report.notes;
    notes.insert(
        0,
        Note::Choice(format!(
            "{} rows are read from the file in blocks of {}, twice: encoders and classes are those of all rows, kernel and landmarks those of a sample of them",
            count(rows),
            count(state.plan().block() as u64),
        )),
    );
    if added.is_cut {
        notes.push(cut(&added, rows));
        trained.report.stop_reason = StopReason::TimeLimit;
    }
    let notes = &mut trained.report.notes;
    if let Some(features) = &trained.report.features {
        let folds = features.folds;
        if let Some(wrong) = features.held_out_wrong {
            notes.push(Note::Choice(format!(
                "{:.1} % of a sample of rows get a wrong class from what was learnt without their fold ({folds} folds)",
                100.0 * wrong
            )));
        } else if let Some(error) = features.held_out_error {
            notes.push(Note::Choice(format!(
                "root mean squared error of all rows, each predicted by what was learnt without its fold ({folds} folds): {error:.6}"
            )));
        }
    }
    let outcome = Outcome {
        trained,
        evaluated: None,
        refitted: None,
        data: None,
        streamed: Some(told),
        learning: None,
        shapes: Vec::new(),
        support: Vec::new(),
    };
    Ok((outcome, noticed))
}

/// Removes a checkpoint that was for this fit, which is over.
pub(super) fn finished(args: &FitArgs) {
    // Whatever stood there before was refused unless it was a checkpoint of this fit; devices stay.
    if let Some(path) = args.checkpoint.as_ref().filter(|path| path.is_file()) {
        // What cannot be removed is refused next time, or goes on at the end.
        let _ = std::fs::remove_file(path);
    }
}

/// What is told about a pass over the rows.
fn pass((seconds, speed): (f64, f64)) -> Value {
    json!({"seconds": seconds, "rows_per_second": speed})
}

/// Whether a table that does not fit into memory can be learnt from block by block.
pub(super) fn instead(args: &FitArgs, failure: &Failure) -> bool {
    let is_file = args.data != Path::new("-") && args.data.is_file();
    failure.code == "limit" && is_file && check(args).is_ok()
}

/// Tells why rows are read block by block.
pub(super) fn tell_instead(failure: &Failure, session: &Session) {
    let text = format!("{}; rows are read block by block instead", failure.message);
    session.output.notes(&[Note::Choice(text)]);
}

/// One line about a streamed fit, for people.
pub(super) fn line(told: &Value) -> String {
    let second = &told["second_pass"];
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let mut text = format!(
        "streamed  {} rows, {}/s in the second pass ({})",
        count(told["rows"].as_u64().unwrap_or(0)),
        count(number(&second["rows_per_second"]) as u64),
        duration(number(&second["seconds"])),
    );
    if let Some(after) = told["resumed_after"].as_u64() {
        text = format!("{text}, gone on after {}", count(after));
    }
    text
}

/// Refuses what needs all rows at once, and models that do not learn from sums.
fn check(args: &FitArgs) -> Result<()> {
    if !MODELS.contains(&args.model.model.as_str()) {
        return Err(Failure::usage(
            format!(
                "`--stream` is for models that learn from sums over rows; the model is `{}`",
                args.model.model
            ),
            "use `--model nystroem` or `--model rff`, or none",
        ));
    }
    let refused = [
        ("--holdout", args.holdout.is_some()),
        ("--folds", args.folds.is_some()),
        ("--warm-start", args.warm_start.is_some()),
        ("--metric", args.metric.is_some()),
        ("--lags", args.columns.lags.is_some()),
        ("--project", args.model.project.is_some()),
    ];
    if let Some((flag, _)) = refused.iter().find(|(_, given)| *given) {
        return Err(Failure::usage(
            format!("`{flag}` needs all rows at once, and `--stream` reads them block by block"),
            format!("leave out `{flag}` (errors of five folds are told anyway), or `--stream`"),
        ));
    }
    Ok(())
}
