//! A score for fits that were not asked for one.
//!
//! Few rows are dealt out to folds, and every fold learns with the settings that were found: that
//! costs less than the search did. For more rows there are the held-out losses of the search itself.
//! Which of the two is decided by a count of multiplications, so that equal data get an equal
//! screen anywhere.

use mercer::data::Task;
use mercer::explain::{Importance, prediction_work};
use mercer::fit::{FitContext, StopReason};
use mercer::judge::{self, CONFIDENCE};
use mercer::learn::AnyEstimator;
use mercer::model::Trained;
use mercer::recipe::{LearningCurve, Opened, Part, Tracing, Way, learning_curve};
use mercer::select::folds::Fold;
use mercer_report::{Evaluation, IMPORTANCE_WORK, Rows};

use super::judge::{FoldPlan, by_folds, how, weigh};
use crate::display::FEWEST_EVALUATED;
use crate::failure::{Failure, Fault, Result};
use crate::session::Session;
use crate::style::plural;

/// Multiplications that all folds together may take: a tenth of a second.
const WORK: f64 = 2e9;
const FOLDS: usize = 5;
/// Rows kept beside the fit: more are not asked.
const KEPT: usize = 4000;
/// Share of the rows that a model for the importance of columns is asked about.
const ASKED: f64 = 0.25;
/// Methods that move few rows at a time; others factor a matrix of all.
const MARGIN: [&str; 5] = ["svc", "svr", "nu_svc", "nu_svr", "one_class"];
/// How many times the seconds so far must be left of a time limit.
const TIMES: u32 = 3;

/// The rows that an evaluation may need after a fit has taken them: all, or enough of many.
pub(super) fn kept<'r>(opened: &Opened<'r>) -> Opened<'r> {
    let rows = opened.rows();
    let some: Vec<usize> = (0..rows.min(KEPT))
        .map(|i| i * rows / rows.min(KEPT))
        .collect();
    opened.part(&some)
}

/// Evaluates a model by rows that its fit has already paid for, or nearly so; `None` where there is
/// nothing to evaluate by.
pub(super) fn evaluate(
    opened: &Opened<'_>,
    trained: &Trained,
    session: &Session,
    context: &FitContext,
) -> Result<Option<Evaluation>> {
    let predicts = matches!(opened.task, Task::Classify | Task::Regress);
    if !predicts || opened.rows() < FEWEST_EVALUATED {
        return Ok(None);
    }
    let hurried = trained.report.stop_reason == StopReason::TimeLimit
        || (context.time_left()).is_some_and(|left| left < TIMES * context.elapsed());
    let k = FOLDS.min(opened.rows());
    let whole = trained.report.rows <= opened.rows();
    if whole && !hurried && k as f64 * fit_work(trained, opened.rows()) <= WORK {
        match folds(opened, trained, k, session, context) {
            Err(failure) if failure.fault == Fault::Interrupted => return Err(failure),
            // What a part of the rows cannot learn says nothing against the model of all.
            Err(_) => {}
            found => return found.map(Some),
        }
    }
    let classes = trained.labels().map(<[String]>::len);
    let found = judge::of_search(&trained.report, trained.task, classes, CONFIDENCE);
    let Some((scores, baseline)) = found else {
        return Ok(None);
    };
    let importance = if hurried {
        None
    } else {
        match part_importance(opened, trained, context) {
            Err(failure) if failure.fault == Fault::Interrupted => return Err(failure),
            found => found.unwrap_or_default(),
        }
    };
    Ok(Some(Evaluation {
        how: format!(
            "{} held out in turn by the search",
            plural(scores.rows, "row")
        ),
        rows: Rows::Search,
        scores,
        baseline: Some(baseline),
        importance,
        notes: Vec::new(),
        evidence: None,
        each: Vec::new(),
        models: Vec::new(),
        worst: Vec::new(),
        coverage: None,
    }))
}

/// Scores over the number of rows, with the settings of the model; `None` where that takes long, or too few
/// rows are there.
pub(super) fn learning(
    opened: &Opened<'_>,
    trained: &Trained,
    context: &FitContext,
) -> Option<LearningCurve> {
    /// Three folds of a quarter, a half and all of two thirds of the rows are about three fits.
    const FITS: f64 = 3.0;
    let predicts = matches!(opened.task, Task::Classify | Task::Regress);
    let whole = trained.report.rows <= opened.rows();
    let hurried = trained.report.stop_reason == StopReason::TimeLimit
        || (context.time_left()).is_some_and(|left| left < TIMES * context.elapsed());
    if !predicts || !whole || hurried || FITS * fit_work(trained, opened.rows()) > WORK {
        return None;
    }
    let how = Tracing {
        folds: 3,
        method: chosen(trained).ok()?,
        ..Tracing::default()
    };
    let parts = [0.25, 0.5, 1.0].map(Part::Share);
    // A curve that a part of the rows cannot have is no fault of the model.
    learning_curve(opened, &parts, &how, context).ok()
}

/// Multiplications to learn once from so many rows.
fn fit_work(trained: &Trained, rows: usize) -> f64 {
    let n = rows as f64;
    let report = &trained.report;
    let steps = report.solver().iterations as f64;
    let support = report.kernel.as_ref().map_or(1, |k| k.support_vectors);
    let pairs = n * n * prediction_work(trained) / support.max(1) as f64;
    if MARGIN.contains(&trained.method.as_str()) {
        // A step looks at every row; probabilities take folds of their own.
        return pairs + 4.0 * n * steps;
    }
    let factor = match report.kernel {
        // A Cholesky factor and an inverse, for every step.
        Some(_) => n.powi(3) * steps.max(1.0),
        None => 0.0,
    };
    pairs + factor
}

/// Scores by folds that learn with the settings of the model.
fn folds(
    opened: &Opened<'_>,
    trained: &Trained,
    k: usize,
    session: &Session,
    context: &FitContext,
) -> Result<Evaluation> {
    let split = opened.folds(k, context.seed)?;
    let plan = FoldPlan {
        split: &split,
        importance: Some(IMPORTANCE_WORK),
        each: false,
        followed: false,
        at_once: false,
    };
    let chosen = chosen(trained)?;
    let found = by_folds(opened, &plan, session, context, |fold, context| {
        learn(fold, chosen.as_ref(), context)
    })?;
    let (rows, how) = if chosen.is_some() {
        let how = match split.gap {
            Some(_) => format!("{k} folds of later rows, settings from all rows"),
            None => format!("{k} folds, settings from all rows"),
        };
        (Rows::FoldsOfChosen, how)
    } else {
        (Rows::Folds, how(&split))
    };
    Ok(Evaluation { rows, how, ..found })
}

/// The method that trials chose, with its settings.
fn chosen(trained: &Trained) -> Result<Option<AnyEstimator>> {
    let Some(selection) = &trained.report.selection else {
        return Ok(None);
    };
    let value = serde_json::to_value(&selection.chosen);
    let read = value.and_then(serde_json::from_value);
    read.map(Some)
        .map_err(|e| Failure::from(mercer::Error::model(format!("the chosen method: {e}"))))
}

fn learn(
    fold: Fold<'_, Opened<'_>>,
    chosen: Option<&AnyEstimator>,
    context: &FitContext,
) -> Result<Trained> {
    let method = chosen.map(|chosen| fold.suited(chosen));
    let mut prepared = fold.train.prepare()?;
    if let Some(method) = method {
        prepared.way = Way::Method(method);
    }
    Ok(prepared.fit(&context.restarted())?.model)
}

/// The importance of columns to a model like this one, which has not seen the rows it is asked
/// about, and few enough others.
fn part_importance(
    opened: &Opened<'_>,
    trained: &Trained,
    context: &FitContext,
) -> Result<Option<Importance>> {
    let split = opened.holdout(ASKED, context.seed)?;
    let mut most = split.train.len();
    while most > 50 && fit_work(trained, most) > WORK / 2.0 {
        most = most * 3 / 4;
    }
    if fit_work(trained, most) > WORK {
        return Ok(None);
    }
    let some: Vec<usize> = (0..most)
        .map(|i| split.train[i * split.train.len() / most])
        .collect();
    let mut prepared = opened.part(&some).first_step().prepare()?;
    if let Some(mut method) = chosen(trained)? {
        if let AnyEstimator::Nystroem(features) = &mut method {
            // Landmarks of all rows may be more than these.
            features.components = features.components.map(|count| count.min(most / 2));
        }
        prepared.way = Way::Method(method);
    }
    let model = prepared.fit(&context.restarted())?.model;
    weigh(&model, &opened.part(&split.test), IMPORTANCE_WORK, context)
}
