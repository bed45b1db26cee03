//! Models side by side: the same folds for all, and a test of what separates them.
//!
//! Every model learns from the same training parts and predicts the same rows; where a search is
//! asked for, its settings are chosen inside each training part, so that no test row has a say.
//! The others are then held against the best one, fold by fold ([`Paired`]).

use std::time::Instant;

use serde::{Serialize, Serializer};

use super::{Opened, Prepared, Recipe, Way};
use crate::data::{Folds, Table, Task};
use crate::fit::{FitContext, StopReason};
use crate::judge::{CONFIDENCE, METRICS, Metric, MetricEntry, Paired, Truth, holm, score};
use crate::learn::{AnyEstimator, Grid};
use crate::model::Predictions;
use crate::select::folds::fold_predictions;
use crate::select::grid::{FoldRule, Tuning};
use crate::{Error, Result};

/// Folds of the search inside a training part.
const INNER_FOLDS: usize = 3;
/// A difference that matters, of scores that end at 1.
const MATTERS: f64 = 0.01;

/// How models are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparing {
    /// Parts that the rows are dealt into.
    pub folds: usize,
    /// How often they are dealt anew.
    pub repeats: usize,
    /// What is compared; `None` is accuracy or the RMSE, by task.
    pub metric: Option<Metric>,
    /// Whether settings that a search may vary are searched inside every training part.
    pub search: bool,
    /// Difference from which on it matters; `None` is 0.01 of scores that end at 1, and a hundredth
    /// of the best score otherwise.
    pub margin: Option<f64>,
}

impl Default for Comparing {
    fn default() -> Self {
        Self {
            folds: 10,
            repeats: 1,
            metric: None,
            search: true,
            margin: None,
        }
    }
}

/// Models on the same folds, the best first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// What is compared.
    pub metric: Metric,
    /// Rows that were dealt into folds.
    pub rows: usize,
    /// Parts that the rows were dealt into.
    pub folds: usize,
    /// How often.
    pub repeats: usize,
    /// Folds that all models have finished, of all those dealt: fewer where the time limit came
    /// before the end.
    pub folds_done: usize,
    /// Whether the time limit cut a search or a fit short in a fold that counts.
    pub cut: bool,
    /// Whether settings were searched inside the training parts.
    pub searched: bool,
    /// Difference from which on it matters.
    pub margin: f64,
    /// The models, the best first.
    pub models: Vec<Compared>,
}

/// One of the models.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// Its name.
    pub model: String,
    /// Its score in every fold.
    pub scores: Vec<f64>,
    /// Mean over the folds.
    pub mean: f64,
    /// Standard deviation over the folds.
    pub deviation: f64,
    /// Seconds to learn, search included, in the mean of the folds.
    pub fit_seconds: f64,
    /// Seconds to predict the rows of a fold, in the mean.
    pub predict_seconds: f64,
    /// What the model is made of, in the mean of the folds.
    pub size: Size,
    /// How it compares with the best; `None` for the best itself, and where too few folds have a score.
    pub against_best: Option<Paired>,
    /// The p-value raised for the number of comparisons.
    pub p_adjusted: Option<f64>,
}

/// How many parts a model has, and what they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size {
    /// How many, in the mean.
    pub count: f64,
    /// What is counted.
    pub parts: &'static str,
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map([(self.parts, self.count)])
    }
}

/// What a model did in one fold.
#[derive(Debug, Clone, Copy)]
struct Turn {
    score: f64,
    fit_seconds: f64,
    predict_seconds: f64,
    size: Size,
    /// Whether the time limit cut the search or the fit short.
    is_cut: bool,
}

/// Compares the models of several recipes for the same table.
///
/// All models learn from a fold before the next one is opened. Where a time limit ends that, the
/// folds that all of them have finished count; a fold in which one was cut short does not, unless
/// it is the first.
///
/// # Errors
/// Fewer than two models, a model that is not for the task, rows that cannot be learnt from,
/// cancellation, and a time limit before one fold of one model ended.
pub fn compare(
    recipes: &[(String, Recipe)],
    table: &Table,
    how: &Comparing,
    context: &FitContext,
) -> Result<Comparison> {
    if recipes.len() < 2 {
        return Err(Error::Conflict {
            what: "there is nothing to compare".to_owned(),
            cure: "name at least two models".into(),
        });
    }
    let task = recipes[0].1.open(table.clone())?.task;
    let recipes: Vec<(&String, Recipe)> = recipes
        .iter()
        .map(|(name, recipe)| {
            // What the first one learns is what all have to.
            let mut recipe = recipe.clone();
            recipe.task = recipe.task.or(Some(task));
            (name, recipe)
        })
        .collect();
    let mut opened = Vec::new();
    for (_, recipe) in &recipes {
        opened.push(recipe.open(table.clone())?);
    }
    let metric = how.metric.unwrap_or(match Metric::of(task) {
        Metric::R2 => Metric::Rmse,
        usual => usual,
    });
    let mut splits = Vec::new();
    for one in &opened {
        check_metric(metric, one.task)?;
        let seed = |repeat: usize| context.seed.wrapping_add(repeat as u64);
        let own = (0..how.repeats).map(|repeat| one.folds(how.folds, seed(repeat)));
        splits.push(own.collect::<Result<Vec<Folds>>>()?);
    }
    let all = how.repeats * how.folds;
    let mut turns: Vec<Vec<Turn>> = vec![Vec::new(); opened.len()];
    'folds: for number in 0..all {
        let (repeat, fold) = (number / how.folds, number % how.folds);
        for (place, ((name, _), one)) in recipes.iter().zip(&opened).enumerate() {
            let stage = format!("{name}, fold {} of {}", fold + 1, how.folds);
            // What is left is for this fold: later ones take what it leaves.
            let own = context.share(1.0 / (opened.len() - place) as f64);
            let own = own.turn(&stage, number * opened.len() + place, all * opened.len());
            match one_turn(one, &splits[place][repeat], fold, how, metric, &own) {
                // The time of the others is not for this one; it may have none of this fold.
                Err(Error::OutOfTime) if number == 0 && !context.out_of_time() => {}
                Err(Error::OutOfTime) => break 'folds,
                turn => {
                    let turn = turn?;
                    if turn.is_cut && number > 0 {
                        break 'folds;
                    }
                    turns[place].push(turn);
                }
            }
        }
        if turns.iter().any(Vec::is_empty) {
            break;
        }
    }
    let Some(done) = counted(&mut turns) else {
        return Err(Error::OutOfTime);
    };
    let named = recipes.iter().zip(&turns);
    let mut models: Vec<Compared> = named.map(|((name, _), own)| summary(name, own)).collect();
    let sign = if metric.is_loss() { -1.0 } else { 1.0 };
    let rank = |model: &Compared| {
        if model.mean.is_nan() {
            f64::NEG_INFINITY
        } else {
            sign * model.mean
        }
    };
    models.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    let margin = how.margin.unwrap_or(if metric.entry().range.high <= 1.0 {
        MATTERS
    } else {
        MATTERS * models[0].mean.abs()
    });
    hold_against_best(&mut models, splits[0][0].ratio(), sign, margin);
    Ok(Comparison {
        metric,
        rows: opened[0].rows(),
        folds: how.folds,
        repeats: how.repeats,
        folds_done: done,
        searched: how.search,
        cut: turns.iter().flatten().any(|turn| turn.is_cut),
        margin,
        models,
    })
}

/// Leaves the folds that all models have finished, and returns how many they are; where there is
/// none, every model keeps its own. `None` where no model has finished any.
fn counted(turns: &mut [Vec<Turn>]) -> Option<usize> {
    let common = turns.iter().map(Vec::len).min().unwrap_or(0);
    if common > 0 {
        turns.iter_mut().for_each(|own| own.truncate(common));
    }
    turns.iter().any(|own| !own.is_empty()).then_some(common)
}

/// Refuses a metric that does not score the task.
fn check_metric(metric: Metric, task: Task) -> Result<()> {
    let scores = |metric: &MetricEntry| metric.searches.contains(&task);
    if scores(metric.entry()) {
        return Ok(());
    }
    let known: Vec<&str> = METRICS
        .iter()
        .filter(|e| scores(e))
        .map(|e| e.name)
        .collect();
    Err(Error::Conflict {
        what: format!("`{metric}` does not score the task `{task}`"),
        cure: format!("use one of {}", known.join(", ")).into(),
    })
}

/// Learns from a training part, predicts the rows beside it and scores that.
fn one_turn(
    opened: &Opened<'_>,
    split: &Folds,
    number: usize,
    how: &Comparing,
    metric: Metric,
    context: &FitContext,
) -> Result<Turn> {
    context.check()?;
    let mut learnt = None;
    let answers = fold_predictions(opened, split, number, |fold| {
        let test = fold.test();
        let started = Instant::now();
        let mut prepared = fold.train.prepare()?;
        let mut is_cut = false;
        if how.search {
            is_cut = search_settings(&mut prepared, metric, context)?;
        }
        let trained = prepared.fit(&context.restarted())?.model;
        is_cut |= trained.report.stop_reason == StopReason::TimeLimit;
        let fit_seconds = started.elapsed().as_secs_f64();
        let started = Instant::now();
        let answers = trained.answers(&test.features, context)?;
        let (count, parts) = trained.form.size();
        learnt = Some(Turn {
            score: f64::NAN,
            fit_seconds,
            predict_seconds: started.elapsed().as_secs_f64(),
            size: Size {
                count: count as f64,
                parts,
            },
            is_cut,
        });
        Ok::<Predictions, Error>(answers)
    })?;
    // One class alone is nothing to learn from.
    let turn = learnt.unwrap_or(Turn {
        score: f64::NAN,
        fit_seconds: 0.0,
        predict_seconds: 0.0,
        size: Size {
            count: 0.0,
            parts: "parts",
        },
        is_cut: false,
    });
    let truth = Truth::Targets(opened.targets.select(&split.test[number]));
    let scores = score(&answers, &truth, &[], None, CONFIDENCE, context)?;
    Ok(Turn {
        score: scores.metrics.of(metric).map_or(f64::NAN, |s| s.value),
        ..turn
    })
}

/// Searches the settings of a method that has some to search, by folds of the prepared rows alone; returns
/// whether the time limit cut that short.
///
/// # Errors
/// Rows that cannot be learnt from; cancellation.
pub fn search_settings(
    prepared: &mut Prepared,
    metric: Metric,
    context: &FitContext,
) -> Result<bool> {
    let Way::Method(estimator) = &prepared.way else {
        return Ok(false);
    };
    if !can_be_searched(estimator) {
        return Ok(false);
    }
    let is_searched_by = metric.entry().searches.contains(&prepared.task);
    let tuning = Tuning {
        folds: FoldRule::Count(INNER_FOLDS.min(prepared.data.len())),
        metric: is_searched_by.then_some(metric),
        groups: prepared.groups.clone(),
        project: prepared.project.clone(),
        chain: prepared.chain(),
        ..Tuning::default()
    };
    let tuned = tuning.run(estimator, &prepared.data, &context.share(0.7))?;
    let is_cut = tuned.stop_reason == StopReason::TimeLimit;
    prepared.way = Way::Method(tuned.estimator);
    Ok(is_cut)
}

/// Whether a search without a grid would vary anything.
fn can_be_searched(estimator: &AnyEstimator) -> bool {
    let grids = estimator.settings().into_iter().filter_map(|s| s.search);
    grids
        .map(|search| search.grid)
        .any(|grid| grid != Grid::Fixed)
        || estimator.kernel().is_some()
}

/// The means of a model over the folds that count; NaN where it has finished none.
fn summary(name: &str, turns: &[Turn]) -> Compared {
    let mean_of = |values: &mut dyn Iterator<Item = f64>| {
        let values: Vec<f64> = values.filter(|v| v.is_finite()).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    // The area under a curve of one class has no value.
    let scores: Vec<f64> = turns.iter().map(|t| t.score).collect();
    let mean = mean_of(&mut scores.iter().copied());
    let square = mean_of(&mut scores.iter().map(|s| (s - mean).powi(2)));
    let count = scores.iter().filter(|s| s.is_finite()).count() as f64;
    Compared {
        model: name.to_owned(),
        mean,
        deviation: (square * count / (count - 1.0)).sqrt(),
        fit_seconds: mean_of(&mut turns.iter().map(|t| t.fit_seconds)),
        predict_seconds: mean_of(&mut turns.iter().map(|t| t.predict_seconds)),
        size: Size {
            count: mean_of(&mut turns.iter().map(|t| t.size.count)),
            parts: turns.first().map_or("parts", |t| t.size.parts),
        },
        scores,
        against_best: None,
        p_adjusted: None,
    }
}

/// Holds the others against the first, fold by fold.
fn hold_against_best(models: &mut [Compared], ratio: f64, sign: f64, margin: f64) {
    let Some((best, others)) = models.split_first_mut() else {
        return;
    };
    for other in &mut *others {
        if other.scores.len() != best.scores.len() {
            continue;
        }
        let pairs = other.scores.iter().zip(&best.scores);
        let differences: Vec<f64> = pairs.map(|(own, best)| sign * (own - best)).collect();
        other.against_best = Paired::of(&differences, ratio, margin);
    }
    let known: Vec<usize> = (0..others.len())
        .filter(|&k| others[k].against_best.is_some())
        .collect();
    let p_values: Vec<f64> = known
        .iter()
        .filter_map(|&k| others[k].against_best.map(|paired| paired.p_value))
        .collect();
    for (k, raised) in known.into_iter().zip(holm(&p_values)) {
        others[k].p_adjusted = Some(raised);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(counts: &[usize]) -> Vec<Vec<Turn>> {
        let turn = |k: usize| Turn {
            score: k as f64,
            fit_seconds: 0.0,
            predict_seconds: 0.0,
            size: Size {
                count: 1.0,
                parts: "weights",
            },
            is_cut: false,
        };
        let model = |count: &usize| (0..*count).map(turn).collect();
        counts.iter().map(model).collect()
    }

    #[test]
    fn folds_count_that_all_models_have_finished() {
        let counted = |counts: &[usize]| {
            let mut turns = turns(counts);
            let done = super::counted(&mut turns);
            (done, turns.iter().map(Vec::len).collect::<Vec<_>>())
        };
        assert_eq!(counted(&[3, 2, 2]), (Some(2), vec![2, 2, 2]));
        assert_eq!(counted(&[4, 4]), (Some(4), vec![4, 4]));
        assert_eq!(counted(&[1, 0]), (Some(0), vec![1, 0]));
        assert_eq!(counted(&[0, 0]), (None, vec![0, 0]));
    }

    #[test]
    fn a_model_without_a_fold_is_not_held_against_the_best() {
        let made = turns(&[3, 0]);
        let mut models = [summary("a", &made[0]), summary("b", &made[1])];
        hold_against_best(&mut models, 0.5, 1.0, 0.01);
        assert!(models[1].against_best.is_none() && models[1].p_adjusted.is_none());
        assert!(models[1].mean.is_nan() && models[0].mean == 1.0);
    }
}
