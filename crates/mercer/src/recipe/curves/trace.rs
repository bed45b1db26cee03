//! What all curves share: dealt folds, one fit of a fold with its two scores, whole folds only.

use std::time::Instant;

use serde::Serialize;

use crate::data::{Folds, Task};
use crate::fit::{FitContext, StopReason};
use crate::judge::{METRICS, Metric, Truth, mean_and_deviation, measure};
use crate::learn::AnyEstimator;
use crate::recipe::{Opened, Prepared, Way};
use crate::select::folds::fold_predictions;
use crate::{Error, Result};

/// Training rows that are predicted to be scored, at most: the first of a representative order.
const SCORED: usize = 5000;

/// How a curve is traced.
#[derive(Debug, Clone, PartialEq)]
pub struct Tracing {
    /// Parts that the rows are dealt into.
    pub folds: usize,
    /// How often they are dealt anew.
    pub repeats: usize,
    /// What is scored; `None` is accuracy or the RMSE, by task.
    pub metric: Option<Metric>,
    /// A method in the place of the recipe's, such as the one that trials chose.
    pub method: Option<AnyEstimator>,
}

impl Tracing {
    /// Puts the method in its place.
    pub(super) fn arrange(&self, prepared: &mut Prepared) {
        if let Some(method) = &self.method {
            prepared.way = Way::Method(method.clone());
        }
    }
}

impl Default for Tracing {
    fn default() -> Self {
        Self {
            folds: 5,
            repeats: 1,
            metric: None,
            method: None,
        }
    }
}

/// Scores of folds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spread {
    /// One score per fold; `null` in files where it has none.
    pub scores: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
}

impl Spread {
    pub(super) fn of(scores: Vec<f64>) -> Self {
        let known: Vec<f64> = scores.iter().copied().filter(|s| s.is_finite()).collect();
        let (mean, deviation) = mean_and_deviation(&known);
        Self {
            scores,
            mean,
            deviation,
        }
    }
}

/// The metric that a task is scored by where none is named.
fn usual_metric(task: Task) -> Metric {
    match Metric::of(task) {
        Metric::R2 => Metric::Rmse,
        usual => usual,
    }
}

pub(super) fn checked_metric(metric: Option<Metric>, task: Task) -> Result<Metric> {
    let metric = metric.unwrap_or_else(|| usual_metric(task));
    if metric.scores(task) && task != Task::Novelty {
        return Ok(metric);
    }
    let known = METRICS.iter().filter(|e| e.metric.scores(task));
    let known: Vec<&str> = known.map(|e| e.name).collect();
    Err(Error::Conflict {
        what: format!("`{metric}` does not score the task `{task}`"),
        cure: if known.is_empty() || task == Task::Novelty {
            "trace curves of methods that predict classes or numbers".into()
        } else {
            format!("use one of {}", known.join(", ")).into()
        },
    })
}

/// What became of one fit.
pub(super) struct Turn {
    training: f64,
    pub(super) held_out: f64,
    seconds: f64,
    pub(super) cut: bool,
}

/// The splits of all dealings, with the seed of each.
pub(super) fn dealt(
    opened: &Opened<'_>,
    how: &Tracing,
    context: &FitContext,
) -> Result<Vec<(Folds, u64)>> {
    if how.repeats == 0 {
        return Err(Error::setting("repeats", 0, "at least 1"));
    }
    let deal = |repeat: usize| {
        let seed = context.seed.wrapping_add(repeat as u64);
        Ok((opened.folds(how.folds, seed)?, seed))
    };
    (0..how.repeats).map(deal).collect()
}

/// Learns from some rows, predicts others, scores both.
pub(super) fn one_turn(
    opened: &Opened<'_>,
    (train, test): (&[usize], &[usize]),
    metric: Metric,
    context: &FitContext,
    arrange: impl Fn(&mut Prepared) -> Result<()>,
) -> Result<Turn> {
    context.check()?;
    let (mut training, mut cut) = (f64::NAN, false);
    let started = Instant::now();
    let mut seconds = 0.0;
    // Two parts: what is tested, and what is learnt from.
    let split = Folds {
        test: vec![test.to_vec(), sorted(train)],
        gap: None,
        notes: Vec::new(),
    };
    let answers = fold_predictions(opened, &split, 0, |fold| {
        let held_out = fold.test();
        let few: Vec<usize> = train.iter().copied().take(SCORED).collect();
        let mut prepared = fold.train.prepare()?;
        arrange(&mut prepared)?;
        let trained = prepared.fit(&context.restarted())?.model;
        seconds = started.elapsed().as_secs_f64();
        cut = trained.report.stop_reason == StopReason::TimeLimit;
        let known = opened.part(&few);
        let own = trained.answers(&known.features, context)?;
        let truth = Truth::Targets(known.targets.clone());
        training = measure(metric, &own, &truth, known.weights.as_deref())?;
        trained.answers(&held_out.features, context)
    })?;
    let tested = opened.part(test);
    let truth = Truth::Targets(tested.targets.clone());
    Ok(Turn {
        training,
        held_out: measure(metric, &answers, &truth, tested.weights.as_deref())?,
        seconds,
        cut,
    })
}

fn sorted(rows: &[usize]) -> Vec<usize> {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    rows
}

/// Runs the points of all folds; returns for every point its turns, whole folds only.
pub(super) fn run(
    splits: &[(Folds, u64)],
    points: usize,
    context: &FitContext,
    turn: impl Fn(&Folds, u64, usize, usize, &FitContext) -> Result<Turn>,
) -> Result<(Vec<Vec<Turn>>, usize)> {
    let all: usize = splits.iter().map(|(split, _)| split.test.len()).sum();
    let mut turns: Vec<Vec<Turn>> = (0..points).map(|_| Vec::new()).collect();
    let mut done = 0;
    'folds: for (split, seed) in splits {
        for fold in 0..split.test.len() {
            let mut own = Vec::with_capacity(points);
            for point in 0..points {
                let stage = format!(
                    "fold {} of {all}, point {} of {points}",
                    done + 1,
                    point + 1
                );
                let here = context.turn(&stage, done * points + point, all * points);
                match turn(split, *seed, fold, point, &here) {
                    // A fit without time is a fold that does not count, unless there is none.
                    Err(Error::OutOfTime) if done > 0 => break 'folds,
                    Ok(found) if found.cut && done > 0 => break 'folds,
                    found => own.push(found?),
                }
            }
            for (point, found) in turns.iter_mut().zip(own) {
                point.push(found);
            }
            done += 1;
            if context.out_of_time() {
                break 'folds;
            }
        }
    }
    Ok((turns, done))
}

pub(super) fn spreads(turns: &[Turn]) -> (Spread, Spread, f64) {
    let list = |of: fn(&Turn) -> f64| turns.iter().map(of).collect::<Vec<f64>>();
    let seconds = list(|t| t.seconds).iter().sum::<f64>() / turns.len() as f64;
    (
        Spread::of(list(|t| t.training)),
        Spread::of(list(|t| t.held_out)),
        seconds,
    )
}
