//! Scores on rows that were not learnt from: a held-out part, or folds.

use mercer::data::{Dataset, Targets, Task};
use mercer::fit::{FitContext, Note, StopReason};
use mercer::judge::{self, CONFIDENCE, Scores, Truth};
use mercer::model::{Predictions, Trained};
use mercer::recipe::Opened;
use mercer::select::folds;

use crate::data::blame_data;
use crate::failure::{Failure, Result};
use crate::report::Evidence;
use crate::session::Session;

/// Scores with the account of where they come from.
pub(super) struct Judged {
    pub(super) scores: Scores,
    /// How rows were chosen, such as `50 rows held out`.
    pub(super) how: String,
    pub(super) notes: Vec<Note>,
    /// Predictions beside the truth, for the figures of the report.
    pub(super) evidence: Option<Evidence>,
    /// Scores of each fold by itself; empty without folds, and where a fold is one row.
    pub(super) each: Vec<Scores>,
}

/// Scores a model on rows that it has not seen.
pub(super) fn held_out(
    trained: &Trained,
    part: &Opened<'_>,
    context: &FitContext,
) -> Result<Judged> {
    let predictions = blame_data(trained.answers(&part.features, context))?;
    let predictions = match &part.targets {
        Targets::Classes(classes) => predictions.in_terms_of(&classes.labels)?,
        _ => predictions,
    };
    let truth = Truth::Targets(part.targets.clone());
    Ok(Judged {
        scores: judge::score(
            &predictions,
            &truth,
            part.target_names(),
            part.weights.as_deref(),
            CONFIDENCE,
            context,
        )?,
        how: format!(
            "{} held out of learning",
            crate::style::plural(part.rows(), "row")
        ),
        notes: Vec::new(),
        each: Vec::new(),
        evidence: Evidence::of(&predictions, &part.targets),
    })
}

/// Scores a model of a sample on rows beside the sample.
pub(super) fn others(trained: &Trained, rows: &Dataset, context: &FitContext) -> Result<Judged> {
    let predictor = trained.predictor(trained.usual_precision())?;
    let predictions = predictor.answers_for(&rows.records, context)?;
    let truth = Truth::Targets(rows.targets.clone());
    let names = &trained.targets;
    let weights = rows.weights.as_deref();
    Ok(Judged {
        scores: judge::score(&predictions, &truth, names, weights, CONFIDENCE, context)?,
        how: format!(
            "{} beside the sample, not learnt from",
            crate::style::plural(rows.len(), "row")
        ),
        notes: Vec::new(),
        each: Vec::new(),
        evidence: Evidence::of(&predictions, &rows.targets),
    })
}

/// Scores by cross-validation: every row is answered by a model that has not seen it. All fits
/// together may take a share of the time that is left.
pub(super) fn folds(
    opened: &Opened<'_>,
    k: usize,
    session: &Session,
    context: &FitContext,
    share: f64,
) -> Result<Judged> {
    let context = context.share(share);
    let (rows, targets) = (opened.rows(), &opened.targets);
    // Leave-one-out holds every row out by itself, whatever group it belongs to.
    let groups = opened.groups.as_deref().filter(|_| k < rows);
    let split = mercer::data::folds(rows, targets, k, context.seed, groups)?;
    let mut cut = false;
    // Where not all of the time is for the folds, a fit follows that is as long as theirs.
    let turns = if share < 1.0 { k + 1 } else { k };
    let predictions = folds::predictions(opened, &split, |fold| -> Result<Predictions> {
        session.check()?;
        let done = fold.number;
        let stage = format!("fold {} of {k}", done + 1);
        let left = context.share(1.0 / (k - done) as f64);
        let left = left.turn(&stage, done, turns);
        let test = fold.test();
        let trained = super::fit(fold.train, &left).map_err(|mut failure| {
            failure.message = format!("{stage}: {}", failure.message);
            failure
        })?;
        cut |= trained.report.stop_reason == StopReason::TimeLimit;
        Ok(trained.answers(&test.features, &context)?)
    })?;
    let score = |predictions: &Predictions, targets: Targets, weights: Option<&[f64]>| {
        let truth = Truth::Targets(targets);
        let names = opened.target_names();
        judge::score(predictions, &truth, names, weights, CONFIDENCE, &context)
    };
    let mut each = Vec::new();
    if k < rows {
        for test in &split.test {
            let pick = |all: &Vec<f64>| -> Vec<f64> { test.iter().map(|&r| all[r]).collect() };
            let weights = opened.weights.as_ref().map(pick);
            let own = predictions.select(test);
            each.push(score(&own, targets.select(test), weights.as_deref())?);
        }
    }
    let mut notes = split.notes;
    if cut {
        notes.push(Note::Alert(
            "the time limit cut fits short (time_limit): more time may give better scores"
                .to_owned(),
        ));
    }
    Ok(Judged {
        scores: score(&predictions, targets.clone(), opened.weights.as_deref())?,
        how: format!("{k} folds, every row evaluated by a model that has not seen it"),
        notes,
        each,
        evidence: Evidence::of(&predictions, targets),
    })
}

/// Refuses to evaluate where there is no truth to compare with.
pub(super) fn check_task(task: Task, flag: &str) -> Result<()> {
    if task.needs_target() {
        return Ok(());
    }
    Err(Failure::usage(
        format!("`{flag}` needs known targets, which the task `{task}` does not learn from"),
        "score the model on marked rows with `mercer score MODEL DATA --target COL`",
    ))
}
