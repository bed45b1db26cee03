//! Models side by side: the same folds for all, and a test of what separates them.
//!
//! Every model learns from the same training parts and predicts the same rows; where a search is
//! asked for, its settings are chosen inside each training part, so that no test row has a say.
//! The others are then held against the best one, fold by fold ([`Paired`]).

use std::time::Instant;

use serde::{Serialize, Serializer};

use super::{Prepared, Recipe, Way};
use crate::data::{Folds, Table, Task, folds};
use crate::fit::FitContext;
use crate::judge::{CONFIDENCE, METRICS, Metric, MetricEntry, Paired, Truth, holm, score};
use crate::learn::{AnyEstimator, Grid};
use crate::model::Predictions;
use crate::select::folds::{Fold, predictions};
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
struct Turn {
    fit_seconds: f64,
    predict_seconds: f64,
    size: Size,
}

/// Compares the models of several recipes for the same table.
///
/// # Errors
/// Fewer than two models, a model that is not for the task, rows that cannot be learnt from,
/// cancellation and the time limit.
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
    let mut models = Vec::new();
    let mut common = None;
    for (place, (name, recipe)) in recipes.iter().enumerate() {
        // What the first one learns is what all have to.
        let mut recipe = recipe.clone();
        recipe.task = recipe.task.or(common.map(|(task, _, _)| task));
        let opened = recipe.open(table.clone())?;
        let metric = how.metric.unwrap_or(match Metric::of(opened.task) {
            Metric::R2 => Metric::Rmse,
            usual => usual,
        });
        check_metric(metric, opened.task)?;
        let groups = opened.groups.as_deref();
        let mut scores = Vec::new();
        let mut turns = Vec::new();
        for repeat in 0..how.repeats {
            let seed = context.seed.wrapping_add(repeat as u64);
            let split = folds(opened.rows(), &opened.targets, how.folds, seed, groups)?;
            let done = place * how.repeats + repeat;
            let all = recipes.len() * how.repeats;
            let told = |fold: usize| {
                let stage = format!("{name}, fold {} of {}", fold + 1, how.folds);
                let left = (all - done) * how.folds - fold;
                let left = context.share(1.0 / left as f64);
                left.turn(&stage, done * how.folds + fold, all * how.folds)
            };
            let found = predictions(&opened, &split, |fold| {
                let context = told(fold.number);
                let (answers, turn) = one_turn(fold, how, metric, &context)?;
                turns.push(turn);
                Ok::<Predictions, Error>(answers)
            })?;
            scores.extend(fold_scores(
                &found,
                &opened.targets,
                &split,
                metric,
                context,
            )?);
        }
        common = Some((opened.task, metric, opened.rows()));
        models.push(summary(name, scores, &turns));
    }
    let (_, metric, rows) = common.expect("there are two models or more");
    let sign = if metric.is_loss() { -1.0 } else { 1.0 };
    models.sort_by(|a, b| (sign * b.mean).total_cmp(&(sign * a.mean)));
    let margin = how.margin.unwrap_or(if metric.entry().range.high <= 1.0 {
        MATTERS
    } else {
        MATTERS * models[0].mean.abs()
    });
    hold_against_best(&mut models, how.folds, sign, margin);
    Ok(Comparison {
        metric,
        rows,
        folds: how.folds,
        repeats: how.repeats,
        searched: how.search,
        margin,
        models,
    })
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

/// Learns from a training part and predicts the rows beside it.
fn one_turn(
    fold: Fold<'_, super::Opened<'_>>,
    how: &Comparing,
    metric: Metric,
    context: &FitContext,
) -> Result<(Predictions, Turn)> {
    context.check()?;
    let test = fold.test();
    let started = Instant::now();
    let mut prepared = fold.train.prepare()?;
    if how.search {
        search(&mut prepared, metric, context)?;
    }
    let trained = prepared.fit(&context.restarted())?.model;
    let fit_seconds = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let answers = trained.answers(&test.features, context)?;
    let predict_seconds = started.elapsed().as_secs_f64();
    let (count, parts) = trained.form.size();
    let turn = Turn {
        fit_seconds,
        predict_seconds,
        size: Size {
            count: count as f64,
            parts,
        },
    };
    Ok((answers, turn))
}

/// Searches the settings of a method that has some to search.
fn search(prepared: &mut Prepared, metric: Metric, context: &FitContext) -> Result<()> {
    let Way::Method(estimator) = &prepared.way else {
        return Ok(());
    };
    if !can_be_searched(estimator) {
        return Ok(());
    }
    let is_searched_by = metric.entry().searches.contains(&prepared.task);
    let tuning = Tuning {
        folds: FoldRule::Count(INNER_FOLDS.min(prepared.data.len())),
        metric: is_searched_by.then_some(metric),
        groups: prepared.groups.clone(),
        project: prepared.project.clone(),
        ..Tuning::default()
    };
    let tuned = tuning.run(estimator, &prepared.data, &context.share(0.7))?;
    prepared.way = Way::Method(tuned.estimator);
    Ok(())
}

/// Whether a search without a grid would vary anything.
fn can_be_searched(estimator: &AnyEstimator) -> bool {
    let grids = estimator.settings().into_iter().filter_map(|s| s.search);
    grids
        .map(|search| search.grid)
        .any(|grid| grid != Grid::Fixed)
        || estimator.kernel().is_some()
}

/// The scores of the test parts; NaN where a part has none, as the area under a curve of one class.
fn fold_scores(
    found: &Predictions,
    targets: &crate::data::Targets,
    split: &Folds,
    metric: Metric,
    context: &FitContext,
) -> Result<Vec<f64>> {
    let of = |test: &Vec<usize>| {
        let truth = Truth::Targets(targets.select(test));
        let own = found.select(test);
        let scores = score(&own, &truth, &[], None, CONFIDENCE, context)?;
        Ok(scores.metrics.of(metric).map_or(f64::NAN, |s| s.value))
    };
    split.test.iter().map(of).collect()
}

fn summary(name: &str, scores: Vec<f64>, turns: &[Turn]) -> Compared {
    let mean_of = |values: &mut dyn Iterator<Item = f64>| {
        let values: Vec<f64> = values.filter(|v| v.is_finite()).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
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
fn hold_against_best(models: &mut [Compared], folds: usize, sign: f64, margin: f64) {
    let Some((best, others)) = models.split_first_mut() else {
        return;
    };
    let ratio = 1.0 / (folds as f64 - 1.0);
    for other in &mut *others {
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
