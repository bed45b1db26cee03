//! Curves of a model's score: over the number of rows, and over the values of a setting; and the
//! scores of shuffled targets.
//!
//! Every fold is done whole before the next one is opened, so that a time limit leaves whole ones. Test rows
//! are predicted by models that have not seen them; training rows by those that have, which is what
//! tells a model that is too small from one that is too large.

use std::collections::BTreeMap;

use std::time::Instant;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::Serialize;

use super::{Opened, Prepared, Way};
use crate::data::random::shuffle;
use crate::data::{ClassTargets, Folds, Targets, Task, spread_order};
use crate::fit::{FitContext, StopReason};
use crate::judge::{
    Chance, LearningVerdict, METRICS, Metric, Scoring, Truth, ValidationVerdict, measure,
    more_rows, read_validation,
};
use crate::learn::AnyEstimator;
use crate::select::folds::fold_predictions;
use crate::select::grid::{Spacing, Varied};
use crate::{Error, Result};

/// Training rows that are predicted to be scored, at most: the first of a representative order.
const SCORED: usize = 5000;
/// Rows of the smallest part that is learnt from.
const FEWEST: usize = 10;
/// Shares of the training part where none are given: each twice the one before, so that the last step
/// doubles the rows.
const SHARES: [f64; 5] = [0.0625, 0.125, 0.25, 0.5, 1.0];

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
    fn arrange(&self, prepared: &mut Prepared) {
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

/// How many rows a point of a learning curve learns from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Part {
    /// A share of the training part.
    Share(f64),
    /// So many rows.
    Rows(usize),
}

impl Part {
    /// Reads a number: a share up to 1, else rows.
    ///
    /// # Errors
    /// Numbers that are neither.
    pub fn of(value: f64) -> Result<Self> {
        if value > 0.0 && value <= 1.0 {
            Ok(Self::Share(value))
        } else if value >= 2.0 && value.fract() == 0.0 && value < 1e15 {
            Ok(Self::Rows(value as usize))
        } else {
            let rule = "a share above 0 and up to 1, or a whole number of rows";
            Err(Error::setting("sizes", value, rule))
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
    fn of(scores: Vec<f64>) -> Self {
        let known: Vec<f64> = scores.iter().copied().filter(|s| s.is_finite()).collect();
        let n = known.len() as f64;
        let mean = known.iter().sum::<f64>() / n;
        let squares: f64 = known.iter().map(|s| (s - mean).powi(2)).sum();
        Self {
            scores,
            mean,
            deviation: (squares / (n - 1.0)).sqrt(),
        }
    }
}

/// One number of rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LearningPoint {
    /// Rows that are learnt from, in the mean of the folds.
    pub rows: usize,
    /// Scores of the rows that are learnt from.
    pub training: Spread,
    /// Scores of rows that are held out.
    pub held_out: Spread,
    /// Seconds to learn, in the mean.
    pub fit_seconds: f64,
}

/// Scores over the number of rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LearningCurve {
    /// What is scored.
    pub metric: Metric,
    /// Folds that were finished, of those dealt.
    pub folds_done: usize,
    /// Folds that were dealt.
    pub folds: usize,
    /// Whether the time limit cut a fit short.
    pub cut: bool,
    /// The points, the fewest rows first.
    pub points: Vec<LearningPoint>,
    /// Whether more rows would help.
    pub verdict: LearningVerdict,
}

/// One value of a setting.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValidationPoint {
    /// The value as text.
    pub value: String,
    /// The value, where it is a number.
    pub number: Option<f64>,
    /// Scores of the rows that are learnt from.
    pub training: Spread,
    /// Scores of rows that are held out.
    pub held_out: Spread,
    /// Seconds to learn, in the mean.
    pub fit_seconds: f64,
}

/// Scores over the values of a setting.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValidationCurve {
    /// What is scored.
    pub metric: Metric,
    /// The setting.
    pub setting: String,
    /// Whether its values are spaced by ratio.
    pub log: bool,
    /// Folds that were finished, of those dealt.
    pub folds_done: usize,
    /// Folds that were dealt.
    pub folds: usize,
    /// Whether the time limit cut a fit short.
    pub cut: bool,
    /// The points, in the order of the values.
    pub points: Vec<ValidationPoint>,
    /// Which values are too small, best, too large.
    pub verdict: ValidationVerdict,
}

/// The metric that a task is scored by where none is named.
pub(super) fn usual_metric(task: Task) -> Metric {
    match Metric::of(task) {
        Metric::R2 => Metric::Rmse,
        usual => usual,
    }
}

fn checked_metric(metric: Option<Metric>, task: Task) -> Result<Metric> {
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
struct Turn {
    training: f64,
    held_out: f64,
    seconds: f64,
    cut: bool,
}

/// The splits of all dealings, with the seed of each.
fn dealt(opened: &Opened<'_>, how: &Tracing, context: &FitContext) -> Result<Vec<(Folds, u64)>> {
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
fn one_turn(
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
fn run(
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

fn spreads(turns: &[Turn]) -> (Spread, Spread, f64) {
    let list = |of: fn(&Turn) -> f64| turns.iter().map(of).collect::<Vec<f64>>();
    let seconds = list(|t| t.seconds).iter().sum::<f64>() / turns.len() as f64;
    (
        Spread::of(list(|t| t.training)),
        Spread::of(list(|t| t.held_out)),
        seconds,
    )
}

/// Traces the score over the number of rows that are learnt from.
///
/// In every fold the parts grow: a larger one has the rows of a smaller one and more. Parts of fewer than
/// ten rows are left out. Of a series the latest rows are taken.
///
/// # Errors
/// A task without targets, a metric of another task, rows too few for two sizes, rows that cannot be learnt
/// from, cancellation, and a time limit before one fold ended.
pub fn learning_curve(
    opened: &Opened<'_>,
    parts: &[Part],
    how: &Tracing,
    context: &FitContext,
) -> Result<LearningCurve> {
    let metric = checked_metric(how.metric, opened.task)?;
    let splits = dealt(opened, how, context)?;
    let least = splits
        .iter()
        .flat_map(|(split, _)| (0..split.test.len()).map(|fold| split.train(fold).len()))
        .min()
        .unwrap_or(0);
    let sizes = sizes(parts, least)?;
    let is_series = opened.steps().is_some();
    let groups = opened.groups.as_deref();
    let (turns, done) = run(
        &splits,
        sizes.len(),
        context,
        |split, seed, fold, point, here| {
            let rows = split.train(fold);
            let count = sizes[point].min(rows.len());
            let train: Vec<usize> = if is_series {
                rows[rows.len() - count..].to_vec()
            } else {
                let order = spread_order(&rows, &opened.targets, groups, seed ^ fold as u64);
                order[..count].to_vec()
            };
            let parts = (&train[..], &split.test[fold][..]);
            one_turn(opened, parts, metric, here, |prepared| {
                how.arrange(prepared);
                Ok(())
            })
        },
    )?;
    let cut = turns.iter().flatten().any(|turn| turn.cut);
    let points: Vec<LearningPoint> = turns
        .iter()
        .zip(&sizes)
        .map(|(own, rows)| {
            let (training, held_out, fit_seconds) = spreads(own);
            LearningPoint {
                rows: *rows,
                training,
                held_out,
                fit_seconds,
            }
        })
        .collect();
    let list = |of: fn(&LearningPoint) -> &Spread| -> Vec<Vec<f64>> {
        points.iter().map(|p| of(p).scores.clone()).collect()
    };
    let verdict = more_rows(
        &Scoring::of(metric),
        &sizes,
        &list(|p| &p.training),
        &list(|p| &p.held_out),
        splits[0].0.ratio(),
    )?;
    Ok(LearningCurve {
        metric,
        folds_done: done,
        folds: splits.iter().map(|(split, _)| split.test.len()).sum(),
        cut,
        points,
        verdict,
    })
}

/// Numbers of rows, ascending and distinct, the largest no more than there are.
fn sizes(parts: &[Part], most: usize) -> Result<Vec<usize>> {
    let usual: Vec<Part> = SHARES.iter().map(|share| Part::Share(*share)).collect();
    let given = if parts.is_empty() { &usual } else { parts };
    let mut sizes: Vec<usize> = given
        .iter()
        .map(|part| match part {
            Part::Share(share) => (share * most as f64).round() as usize,
            Part::Rows(rows) => *rows,
        })
        .collect();
    if let Some(over) = sizes.iter().find(|&&size| size > most) {
        return Err(Error::setting(
            "sizes",
            over,
            &format!("at most the rows of a training part, {most}"),
        ));
    }
    sizes.retain(|size| *size >= FEWEST.min(most));
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() < 2 {
        return Err(Error::rows(
            format!(
                "a training part has {most} rows: too few for a curve of two sizes of {FEWEST} rows or more"
            ),
            "give more rows, or other sizes",
        ));
    }
    Ok(sizes)
}

/// Traces the score over the values of a setting.
///
/// # Errors
/// A model that is chosen by trials, a setting that it does not have, a value that it does not allow; otherwise as
/// [`learning_curve`].
pub fn validation_curve(
    opened: &Opened<'_>,
    over: &Varied,
    how: &Tracing,
    context: &FitContext,
) -> Result<ValidationCurve> {
    let metric = checked_metric(how.metric, opened.task)?;
    // Values are checked before anything is learnt.
    let mut probe = opened.clone().prepare()?;
    how.arrange(&mut probe);
    for place in 0..over.len() {
        vary(&mut probe, over, place)?;
    }
    let splits = dealt(opened, how, context)?;
    let (turns, done) = run(
        &splits,
        over.len(),
        context,
        |split, _, fold, point, here| {
            let rows = split.train(fold);
            let parts = (&rows[..], &split.test[fold][..]);
            one_turn(opened, parts, metric, here, |prepared| {
                how.arrange(prepared);
                vary(prepared, over, point)
            })
        },
    )?;
    let cut = turns.iter().flatten().any(|turn| turn.cut);
    let (names, numbers) = (over.names(), over.numbers());
    let points: Vec<ValidationPoint> = turns
        .iter()
        .enumerate()
        .map(|(k, own)| {
            let (training, held_out, fit_seconds) = spreads(own);
            ValidationPoint {
                value: names[k].clone(),
                number: numbers.map(|(values, _)| values[k]),
                training,
                held_out,
                fit_seconds,
            }
        })
        .collect();
    let list = |of: fn(&ValidationPoint) -> &Spread| -> Vec<Vec<f64>> {
        points.iter().map(|p| of(p).scores.clone()).collect()
    };
    let verdict = read_validation(
        &Scoring::of(metric),
        (&over.name, &names),
        numbers.is_some(),
        &list(|p| &p.training),
        &list(|p| &p.held_out),
        splits[0].0.ratio(),
    )?;
    Ok(ValidationCurve {
        metric,
        setting: over.name.clone(),
        log: numbers.is_some_and(|(_, spacing)| spacing == Spacing::Log),
        folds_done: done,
        folds: splits.iter().map(|(split, _)| split.test.len()).sum(),
        cut,
        points,
        verdict,
    })
}

/// Gives what learns the value at a place.
fn vary(prepared: &mut Prepared, over: &Varied, place: usize) -> Result<()> {
    match &mut prepared.way {
        Way::Method(estimator) => over.set(place, estimator),
        Way::Auto(_) => Err(Error::Conflict {
            what: format!(
                "`{}` is a setting of a method, and trials are to choose one",
                over.name
            ),
            cure: "name a model".into(),
        }),
    }
}

/// Scores shuffled targets, as often as asked, on the same folds: could the score be chance?
///
/// Within groups, targets are shuffled among the rows of each. A time limit ends that early; the p-value is
/// one for every number of shufflings.
///
/// # Errors
/// As [`learning_curve`]; a time limit before the first shuffling was scored.
pub fn permutation_test(
    opened: &Opened<'_>,
    shufflings: usize,
    how: &Tracing,
    context: &FitContext,
) -> Result<(Metric, Chance)> {
    let metric = checked_metric(how.metric, opened.task)?;
    if shufflings == 0 {
        return Err(Error::setting("permutations", 0, "at least 1"));
    }
    let split = opened.folds(how.folds, context.seed)?;
    let scored = |rows: &Opened<'_>, number: usize| -> Result<f64> {
        let mut scores = Vec::new();
        for fold in 0..split.test.len() {
            let stage = match number {
                0 => format!("true targets, fold {}", fold + 1),
                n => format!("shuffling {n} of {shufflings}, fold {}", fold + 1),
            };
            let all = (shufflings + 1) * split.test.len();
            let here = context.turn(&stage, number * split.test.len() + fold, all);
            let train = split.train(fold);
            let parts = (&train[..], &split.test[fold][..]);
            let turn = one_turn(rows, parts, metric, &here, |prepared| {
                how.arrange(prepared);
                Ok(())
            })?;
            scores.push(turn.held_out);
        }
        Ok(Spread::of(scores).mean)
    };
    let score = scored(opened, 0)?;
    let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
    let mut found = Vec::with_capacity(shufflings);
    for number in 1..=shufflings {
        let order = shuffled(opened, &mut rng);
        let mut other = opened.clone();
        other.targets = permuted(&opened.targets, &order);
        match scored(&other, number) {
            Err(Error::OutOfTime) if !found.is_empty() => break,
            score => found.push(score?),
        }
    }
    Ok((metric, Chance::of(score, found, metric.entry().better)?))
}

/// Which row every row takes its target from: any other, or one of its group.
fn shuffled(opened: &Opened<'_>, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..opened.rows()).collect();
    let Some(groups) = &opened.groups else {
        shuffle(rng, &mut order);
        return order;
    };
    let mut by_group: BTreeMap<u32, Vec<usize>> = BTreeMap::default();
    for (row, group) in groups.iter().enumerate() {
        by_group.entry(*group).or_default().push(row);
    }
    for rows in by_group.values() {
        let mut mixed = rows.clone();
        shuffle(rng, &mut mixed);
        for (row, from) in rows.iter().zip(mixed) {
            order[*row] = from;
        }
    }
    order
}

/// Targets in another order; classes keep their codes.
fn permuted(targets: &Targets, order: &[usize]) -> Targets {
    match targets {
        Targets::Classes(classes) => Targets::Classes(ClassTargets {
            codes: order.iter().map(|&row| classes.codes[row]).collect(),
            labels: classes.labels.clone(),
        }),
        other => other.select(order),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Origin, Roles, Table, Values};
    use crate::judge::{MoreRows, ValueVerdict};
    use crate::learn::linear::Ols;
    use crate::recipe::{Recipe, Wish};

    /// A noisy plane in three columns.
    fn table(rows: usize, noise: f64) -> Table {
        let mut state = 7_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
        };
        let x: Vec<Vec<f64>> = (0..3)
            .map(|_| (0..rows).map(|_| next()).collect())
            .collect();
        let y = (0..rows).map(|i| x[0][i] - 2.0 * x[1][i] + noise * next());
        let y: Vec<f64> = y.collect();
        let columns = ["a", "b", "c", "y"]
            .into_iter()
            .zip(x.into_iter().chain([y]));
        let column = |(name, values): (&str, Vec<f64>)| Column::new(name, Values::Numeric(values));
        Table::try_new(columns.map(column).collect(), Origin::default()).unwrap()
    }

    fn recipe() -> Recipe {
        Recipe::new(Roles {
            targets: vec!["y".to_owned()],
            ..Roles::default()
        })
    }

    #[test]
    fn a_plane_needs_few_rows() {
        let recipe = recipe().with(Ols::default());
        let opened = recipe.open(table(400, 0.2)).unwrap();
        let found =
            learning_curve(&opened, &[], &Tracing::default(), &FitContext::default()).unwrap();
        let rows: Vec<usize> = found.points.iter().map(|p| p.rows).collect();
        assert_eq!(rows, [20, 40, 80, 160, 320]);
        assert_eq!(
            found.verdict.more_rows,
            MoreRows::DoNotHelp,
            "{}",
            found.verdict.reason
        );
        assert_eq!((found.folds_done, found.metric), (5, Metric::Rmse));
        // Training rows are fitted better than others, the more so the fewer they are.
        assert!(found.points[0].training.mean < found.points[0].held_out.mean);
        let some = [Part::Rows(50), Part::Share(1.0)];
        let two = learning_curve(&opened, &some, &Tracing::default(), &FitContext::default());
        assert_eq!(two.unwrap().points.len(), 2);
        let many = learning_curve(
            &opened,
            &[Part::Rows(5000)],
            &Tracing::default(),
            &FitContext::default(),
        );
        assert!(many.unwrap_err().to_string().contains("320"));
        assert!(Part::of(1.5).is_err() && Part::of(-1.0).is_err() && Part::of(f64::NAN).is_err());
    }

    #[test]
    fn a_narrow_kernel_overfits_and_a_wide_one_underfits() {
        let mut recipe = recipe();
        recipe.wish = Wish::Named("krr".to_owned());
        let settings = [("kernel", "rbf"), ("lambda", "0.001")];
        for (name, text) in settings {
            let value = match name {
                "kernel" => serde_json::Value::from(text),
                _ => serde_json::Value::from(text.parse::<f64>().unwrap()),
            };
            recipe.settings.push((name.to_owned(), value));
        }
        let opened = recipe.open(table(120, 0.3)).unwrap();
        let over: Varied = "gamma=0.0001,0.1,1000".parse().unwrap();
        let found =
            validation_curve(&opened, &over, &Tracing::default(), &FitContext::default()).unwrap();
        let expected = [
            ValueVerdict::Underfits,
            ValueVerdict::Best,
            ValueVerdict::Overfits,
        ];
        assert_eq!(found.verdict.values, expected, "{}", found.verdict.reason);
        let unknown: Varied = "gama=1,2".parse().unwrap();
        let how = Tracing::default();
        assert!(validation_curve(&opened, &unknown, &how, &FitContext::default()).is_err());
    }

    #[test]
    fn noise_is_chance_and_a_plane_is_not() {
        let recipe = recipe().with(Ols::default());
        let how = Tracing::default();
        let p = |noise: f64| {
            let opened = recipe.open(table(60, noise)).unwrap();
            let context = FitContext::default();
            permutation_test(&opened, 19, &how, &context)
                .unwrap()
                .1
                .p_value
        };
        assert_eq!(p(0.1), 0.05);
        assert!(p(1000.0) > 0.05);
    }

    #[test]
    fn what_cannot_be_traced_is_refused() {
        let recipe = recipe().with(Ols::default());
        let opened = recipe.open(table(12, 0.1)).unwrap();
        let context = FitContext::default();
        assert!(learning_curve(&opened, &[], &Tracing::default(), &context).is_err());
        let wrong = Tracing {
            metric: Some(Metric::Accuracy),
            ..Tracing::default()
        };
        assert!(learning_curve(&opened, &[], &wrong, &context).is_err());
        assert!(permutation_test(&opened, 0, &Tracing::default(), &context).is_err());
    }
}
