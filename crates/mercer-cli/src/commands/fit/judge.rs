//! Scores on rows that were not learnt from: a held-out part, or folds.

use mercer::data::warnings::{FEWEST_OF_CLASS, shared_between_folds};
use mercer::data::{Dataset, Folds, Holdout, Targets, Task};
use mercer::explain::Importance;
use mercer::fit::{FitContext, Note, StopReason, WarningCode};
use mercer::judge::{self, Banded, CONFIDENCE, Constant, Metric, Truth};
use mercer::learn::methods_named;
use mercer::model::{Predictions, Trained};
use mercer::recipe::{Opened, leave_one_out, search_settings};
use mercer::select::folds::{self, Fold};
use mercer_report::{
    Evaluation, Evidence, IMPORTANCE_WORK, Known, LEVEL, Rows, UNASKED_COVERAGE_WORK, column_worth,
    coverage,
};

use crate::args::ModelArgs;
use crate::data::blame_data;
use crate::failure::{Failure, Result};
use crate::session::Session;
use crate::style::plural;

/// Methods whose folds are learnt side by side: they keep one thread busy at most times, need memory for a cache
/// only, and give the same bits with any.
const SIDE_BY_SIDE: [&str; 4] = ["svc", "svr", "nu_svc", "nu_svr"];

/// Scores a model on rows that it has not seen.
pub(in super::super) fn held_out(
    trained: &Trained,
    opened: &Opened<'_>,
    split: &Holdout,
    context: &FitContext,
) -> Result<Evaluation> {
    let (train, part) = (opened.part(&split.train), opened.part(&split.test));
    let raw = blame_data(trained.answers(&part.features, context))?;
    let predictions = match &part.targets {
        Targets::Classes(classes) => raw.clone().in_terms_of(&classes.labels)?,
        _ => raw.clone(),
    };
    let found = weigh(trained, &part, IMPORTANCE_WORK, context)?;
    let constant = Constant::of(&train.targets, train.weights.as_deref());
    let truth = Truth::Targets(part.targets.clone());
    let work = UNASKED_COVERAGE_WORK;
    let coverage = coverage(trained, &known(&part, &truth), &raw, work, context)?;
    let evaluated = evaluated(&predictions, &part, constant.as_ref(), found, context)?;
    Ok(Evaluation {
        coverage,
        rows: Rows::HeldOut,
        how: format!("{} held out of learning", plural(part.rows(), "row")),
        ..evaluated
    })
}

/// Scores a model of a sample on rows beside the sample; `kept` are some of all rows, which the
/// importance of columns is asked of.
pub(super) fn others(
    trained: &Trained,
    rows: &Dataset,
    kept: &Opened<'_>,
    context: &FitContext,
) -> Result<Evaluation> {
    let predictor = trained.predictor(trained.usual_precision())?;
    let predictions = predictor.answers_for(&rows.records, context)?;
    let truth = Truth::Targets(rows.targets.clone());
    let weights = rows.weights.as_deref();
    // The sample has the classes and the mean of the rows beside it.
    let baseline = match Constant::of(&rows.targets, weights) {
        Some(constant) => judge::compare(&predictions, &truth, &constant, weights, CONFIDENCE)?,
        None => None,
    };
    let names = &trained.targets;
    Ok(Evaluation {
        scores: judge::score(&predictions, &truth, names, weights, CONFIDENCE, context)?,
        rows: Rows::HeldOut,
        how: format!(
            "{} beside the sample, not learnt from",
            plural(rows.len(), "row")
        ),
        baseline,
        importance: weigh(trained, kept, IMPORTANCE_WORK, context)?,
        notes: Vec::new(),
        evidence: Evidence::of(&predictions, &rows.targets),
        each: Vec::new(),
        models: Vec::new(),
        worst: Vec::new(),
        coverage: None,
    })
}

/// What does not depend on how rows were chosen.
fn evaluated(
    predictions: &Predictions,
    part: &Opened<'_>,
    constant: Option<&Constant>,
    importance: Option<Importance>,
    context: &FitContext,
) -> Result<Evaluation> {
    let truth = Truth::Targets(part.targets.clone());
    let rows = known(part, &truth);
    Ok(Evaluation::of(
        &rows,
        predictions,
        constant,
        importance,
        CONFIDENCE,
        context,
    )?)
}

fn known<'a>(part: &'a Opened<'_>, truth: &'a Truth) -> Known<'a> {
    Known {
        features: &part.features,
        truth,
        names: part.target_names(),
        weights: part.weights.as_deref(),
    }
}

/// What the columns of a model are worth on some rows; nothing where there is one column, or too
/// little work for all of them.
pub(super) fn weigh(
    trained: &Trained,
    part: &Opened<'_>,
    work: f64,
    context: &FitContext,
) -> Result<Option<Importance>> {
    let truth = Truth::Targets(part.targets.clone());
    Ok(column_worth(trained, &known(part, &truth), work, context)?)
}

/// What folds are for.
pub(super) struct FoldPlan<'a> {
    pub(super) split: &'a Folds,
    /// Multiplications for the importance of columns in all folds together; `None` leaves it out.
    pub(super) importance: Option<f64>,
    /// Whether every fold is scored by itself, too.
    pub(super) each: bool,
    /// Whether a fit follows that is as long as those of the folds.
    pub(super) followed: bool,
    /// Whether folds are learnt side by side where no time is set.
    pub(super) at_once: bool,
}

/// What a fold tells besides its predictions.
#[derive(Clone)]
struct Told {
    cut: bool,
    model: String,
    unscaled: Option<Note>,
    worth: Option<Importance>,
    banded: Option<Banded>,
}

/// Scores by cross-validation: every row is predicted by a model that has not seen it.
pub(super) fn folds(
    opened: &Opened<'_>,
    k: usize,
    importance: Option<f64>,
    followed: bool,
    session: &Session,
    context: &FitContext,
) -> Result<Evaluation> {
    let split = opened.folds(k, context.seed)?;
    on_folds(opened, &split, importance, followed, None, session, context)
}

/// The same on given folds; `search` is what settings are searched by in every training part.
pub(super) fn on_folds(
    opened: &Opened<'_>,
    split: &Folds,
    importance: Option<f64>,
    followed: bool,
    search: Option<Metric>,
    session: &Session,
    context: &FitContext,
) -> Result<Evaluation> {
    let plan = FoldPlan {
        split,
        importance,
        each: true,
        followed,
        at_once: search.is_none()
            && opened
                .named()
                .is_some_and(|name| SIDE_BY_SIDE.contains(&name)),
    };
    let learn = |fold: Fold<'_, Opened<'_>>, context: &FitContext| {
        let Some(metric) = search else {
            return super::fit(fold.train, context);
        };
        let mut prepared = fold.train.prepare()?;
        search_settings(&mut prepared, metric, context)?;
        Ok(prepared.fit(&context.restarted())?.model)
    };
    let mut found = by_folds(opened, &plan, session, context, learn)?;
    found.how = how(split);
    // Of classes that hardly have rows it is told whatever the number of folds.
    let told = |note: &Note| matches!(note, Note::Warning(w) if w.rows < FEWEST_OF_CLASS);
    let mut notes: Vec<Note> = split.notes.iter().filter(|n| !told(n)).cloned().collect();
    let shared = shared_between_folds(&opened.features, &opened.targets, split);
    notes.extend(shared.map(Note::from));
    found.notes.splice(0..0, notes);
    Ok(found)
}

/// Scores rows that are left out one by one in closed form; `None` where the method has none.
pub(super) fn left_out(opened: &Opened<'_>, context: &FitContext) -> Result<Option<Evaluation>> {
    let Some((mut predictions, trained)) = leave_one_out(opened, context)? else {
        return Ok(None);
    };
    let constant = Constant::of(&opened.targets, opened.weights.as_deref());
    let notes = std::mem::take(&mut predictions.notes);
    let mut found = evaluated(&predictions, opened, constant.as_ref(), None, context)?;
    "every row evaluated by a model that has not seen it, in closed form"
        .clone_into(&mut found.how);
    found.models = vec![crate::display::model_text(&trained)];
    found.notes.splice(0..0, notes);
    Ok(Some(found))
}

/// Says how folds evaluate.
pub(super) fn how(split: &Folds) -> String {
    let k = split.test.len();
    if split.gap.is_some() {
        let tested = plural(split.tested().len(), "window");
        return format!("{k} folds, {tested} evaluated by models of earlier ones");
    }
    format!("{k} folds, every row evaluated by a model that has not seen it")
}

/// Whether a note is on columns of different sizes.
pub(super) fn is_unscaled(note: &Note) -> bool {
    matches!(note, Note::Warning(warning) if warning.code == WarningCode::Unscaled)
}

/// Learns and predicts fold by fold.
pub(super) fn by_folds<'r>(
    opened: &Opened<'r>,
    plan: &FoldPlan<'_>,
    session: &Session,
    context: &FitContext,
    learn: impl Fn(Fold<'_, Opened<'r>>, &FitContext) -> Result<Trained> + Sync,
) -> Result<Evaluation> {
    let (rows, targets) = (opened.rows(), &opened.targets);
    let split = plan.split;
    let k = split.test.len();
    let turns = k + usize::from(plan.followed);
    let one = |fold: Fold<'_, Opened<'r>>, left: &FitContext| -> Result<(Predictions, Told)> {
        context.check()?;
        let stage = format!("fold {} of {k}", fold.number + 1);
        let test = fold.test();
        let trained = learn(fold, left).map_err(|mut failure| {
            failure.message = format!("{stage}: {}", failure.message);
            failure
        })?;
        let notes = &trained.report.notes;
        let mut told = Told {
            cut: trained.report.stop_reason == StopReason::TimeLimit,
            model: crate::display::model_text(&trained),
            unscaled: notes.iter().find(|n| is_unscaled(n)).cloned(),
            worth: None,
            banded: None,
        };
        if let Some(work) = plan.importance.filter(|_| k < rows) {
            told.worth = weigh(&trained, &test, work / k as f64, context)?;
        }
        let answers = trained.answers(&test.features, context)?;
        if plan.each {
            let work = UNASKED_COVERAGE_WORK / k as f64;
            told.banded = Banded::of(&trained, &test.features, &answers, LEVEL, work, context)?;
        }
        Ok((answers, told))
    };
    let (predictions, told) = if plan.at_once && context.time_left().is_none() {
        session.meter.stage(&format!("{k} folds"), None);
        let mut silent = context.clone();
        silent.progress = None;
        folds::predictions_at_once(opened, split, &silent, one)?
    } else {
        let mut told = vec![None; k];
        let predictions = folds::predictions(opened, split, |fold| -> Result<Predictions> {
            let done = fold.number;
            let left = context.share(1.0 / (k - done) as f64);
            let left = left.turn(&format!("fold {} of {k}", done + 1), done, turns);
            let (answers, own) = one(fold, &left)?;
            told[done] = Some(own);
            Ok(answers)
        })?;
        (predictions, told)
    };
    let (mut cut, mut models, mut worth, mut banded) = (false, Vec::new(), Vec::new(), Vec::new());
    let mut unscaled = None;
    for (held_out, told) in split.test.iter().zip(told) {
        let Some(told) = told else {
            continue;
        };
        cut |= told.cut;
        models.push(told.model);
        unscaled = unscaled.or(told.unscaled);
        worth.extend(told.worth);
        banded.extend(told.banded.map(|own| (&held_out[..], own)));
    }
    let constant = Constant::of(targets, opened.weights.as_deref());
    let worth = Importance::pool(worth);
    let mut found = if split.gap.is_some() {
        // The first rows are learnt from by all folds.
        let tested = split.tested();
        let (own, part) = (predictions.select(&tested), opened.part(&tested));
        evaluated(&own, &part, constant.as_ref(), worth, context)?
    } else {
        evaluated(&predictions, opened, constant.as_ref(), worth, context)?
    };
    found.models = models;
    if let Some(all) = Banded::pool(banded) {
        found.coverage = all.coverage(targets)?;
    }
    if plan.each && k < rows {
        for test in &split.test {
            let pick = |all: &Vec<f64>| -> Vec<f64> { test.iter().map(|&r| all[r]).collect() };
            let weights = opened.weights.as_ref().map(pick);
            let own = predictions.select(test);
            found.each.push(judge::score(
                &own,
                &Truth::Targets(targets.select(test)),
                opened.target_names(),
                weights.as_deref(),
                CONFIDENCE,
                context,
            )?);
        }
    }
    found.notes.extend(unscaled);
    if cut {
        found.notes.push(Note::Alert(
            "the time limit cut fits short (time_limit): more time may give better scores"
                .to_owned(),
        ));
    }
    Ok(found)
}

/// Tells of classes that are hardly ever predicted, where the classes are not weighed.
pub(super) fn unheard(trained: &Trained, evaluated: &Evaluation) -> Option<Note> {
    let classes = trained.form.readout().classes()?;
    let methods = methods_named(&trained.method);
    let can_weigh = methods.iter().any(|m| m.setting("class_weights").is_some());
    if classes.factors.is_some() || !can_weigh {
        return None;
    }
    let target = trained.targets.first().map_or("the target", String::as_str);
    judge::unheard(&evaluated.scores, target).map(Note::from)
}

/// The metric that a verdict is asked to be by: the one that was named, or balanced accuracy where classes are
/// weighed; `None` leaves it at accuracy.
pub(super) fn asked(
    trained: Option<&Trained>,
    named: Option<Metric>,
    model: &ModelArgs,
) -> Option<Metric> {
    let mut given = model.settings.0.iter();
    let weighed = given.any(|g| g.name == "class_weights" && !g.value.is_null());
    named
        .or(weighed.then_some(Metric::BalancedAccuracy))
        .or_else(|| judge::asked(trained?))
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
