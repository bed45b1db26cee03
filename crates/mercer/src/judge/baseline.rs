//! Whether predictions are better than a constant, by the same rows.
//!
//! The difference of two losses is taken row by row, so that what makes rows hard for both
//! cancels. With d rows on which exactly one of the two is right, b of them the model, the
//! exact interval of b/d gives one of (2b − d)/n: it is above 0 where the sign test says so. Means of
//! log losses and squared errors have Student's interval. Of other metrics, which are no means over rows, the
//! gain is the distance to the constant's value, and its interval that of the score.
//!
//! One rule gives the verdict: the whole interval of the gain lies above 0, or below 0, or it does not.

use serde::{Serialize, Serializer};

use super::intervals::exact;
use super::metrics::{brier_row, log_loss_row, mean, variance};
use super::scores::{finite, same_length};
use super::truth::with_abstention;
use super::units::Units;
use super::{ConfusionMatrix, Constant, Interval, Metric, Metrics, Score, Scores, Truth};
use crate::data::Targets;
use crate::fit::ConstantPrediction;
use crate::model::{Answers, Predictions, Trained};
use crate::special::student_quantile;
use crate::{Error, Result};

/// A gain of a smaller share of the constant's loss is no news: four digits do not show it, and where all
/// rows gain the same rounding alone makes an interval beside 0.
const NOTICED: f64 = 1e-3;
/// Rows below which a mean says nothing of its own spread.
const FEWEST: f64 = 5.0;

/// What predictions are worth beside a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Clearly better.
    Better,
    /// Classes are not clearly better, probabilities are.
    ProbabilitiesOnly,
    /// The difference may be chance.
    NotBetter,
    /// The target is the same in all rows: there is nothing to learn.
    NothingToLearn,
    /// Clearly worse.
    Worse,
}

/// Where the interval of a gain lies.
enum Side {
    Above,
    Around,
    Below,
}

impl Side {
    /// `loss` is what the constant loses.
    fn of(gain: &Score, loss: f64) -> Self {
        let noticed = gain.value.abs() > NOTICED * loss;
        if noticed && gain.low > 0.0 {
            Self::Above
        } else if noticed && gain.high < 0.0 {
            Self::Below
        } else {
            Self::Around
        }
    }
}

/// A constant prediction, scored on the rows of a model, and what the model gains over it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Baseline {
    /// What it says.
    pub prediction: ConstantPrediction,
    /// Its value of every metric that it has one of.
    #[serde(serialize_with = "by_name")]
    pub metrics: Vec<(Metric, f64)>,
    /// How much less the model's mean loss is, with its confidence interval: `error` and, with
    /// probabilities, `log_loss`; `mse` of numbers; and what the verdict is by, where that is another metric.
    pub gains: Metrics,
    /// What the verdict is by: accuracy, R² or the metric that was asked for.
    pub judged_by: Metric,
    /// The verdict.
    pub verdict: Verdict,
    /// The share, where squares of the numbers leave the range of numbers and cannot tell it.
    #[serde(skip)]
    share: Option<f64>,
}

fn by_name<S: Serializer>(metrics: &[(Metric, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(metrics.iter().map(|(metric, value)| (metric.name(), value)))
}

impl Baseline {
    /// Returns its value of a metric.
    pub fn of(&self, metric: Metric) -> Option<f64> {
        let mut metrics = self.metrics.iter();
        metrics.find(|(m, _)| *m == metric).map(|(_, value)| *value)
    }

    /// Returns the share of the constant's loss that the model takes away: of its errors, of its
    /// squared errors, or of what the metric of the verdict leaves to gain. NaN where it has none.
    pub fn share(&self) -> f64 {
        if let Some(share) = self.share {
            return share;
        }
        let Some((metric, gain)) = self.gain() else {
            return f64::NAN;
        };
        match self.loss(metric) {
            all if all > 0.0 => gain.value / all,
            _ => f64::NAN,
        }
    }

    /// Returns the gain that the verdict rests on, and its metric: `error` of accuracy, `mse` of R².
    pub fn gain(&self) -> Option<(Metric, &Score)> {
        let metric = match self.judged_by {
            Metric::Accuracy => Metric::Error,
            Metric::R2 => Metric::Mse,
            other => other,
        };
        Some((metric, self.gains.of(metric)?))
    }

    /// What the constant loses by a metric.
    fn loss(&self, metric: Metric) -> f64 {
        let value = self.of(metric).unwrap_or(f64::NAN);
        if metric.is_loss() {
            value
        } else {
            metric.entry().range.high - value
        }
    }

    /// Judges by a metric that was asked for; as before where scores or constant have no value of it, or
    /// there are no classes.
    #[must_use]
    pub fn by(mut self, metric: Metric, scores: &Scores) -> Self {
        let own = scores.metrics.of(metric);
        let (Some(own), Some(always)) = (own, self.of(metric)) else {
            return self;
        };
        if !matches!(self.prediction, ConstantPrediction::Class(_)) || metric == Metric::Error {
            return self;
        }
        self.judged_by = metric;
        // Rows that were paired already tell more than two numbers.
        if self.gain().is_none() {
            let gain = |value: f64| {
                if metric.is_loss() {
                    always - value
                } else {
                    value - always
                }
            };
            let (a, b) = (gain(own.low), gain(own.high));
            let ends = Interval {
                low: a.min(b),
                high: a.max(b),
            };
            self.gains.push(metric, gain(own.value), ends);
        }
        self.verdict = self.judgement();
        self
    }

    /// The one rule; classes that are not clearly better may have probabilities that are.
    fn judgement(&self) -> Verdict {
        let Some((metric, gain)) = self.gain() else {
            return Verdict::NotBetter;
        };
        if metric == Metric::Mse && self.loss(metric) <= self.prediction.rounding() {
            return Verdict::NothingToLearn;
        }
        let told = || {
            let gain = self.gains.of(Metric::LogLoss)?;
            Some(Side::of(gain, self.loss(Metric::LogLoss)))
        };
        match Side::of(gain, self.loss(metric)) {
            Side::Above => Verdict::Better,
            _ if matches!(told(), Some(Side::Above)) => Verdict::ProbabilitiesOnly,
            Side::Below => Verdict::Worse,
            Side::Around => Verdict::NotBetter,
        }
    }

    /// The same in the unit of the numbers, evaluated in one in which their squares are numbers.
    fn put_back(self, units: Units, prediction: ConstantPrediction) -> Self {
        let share = self.share();
        let metrics = self.metrics.iter();
        Self {
            share: Some(share).filter(|s| !s.is_nan()),
            metrics: metrics.map(|&(m, v)| (m, units.put_back(m, v))).collect(),
            gains: units.put_back_all(&self.gains),
            prediction,
            ..self
        }
    }

    /// Puts a verdict on what is gained.
    pub(crate) fn evaluated(
        prediction: ConstantPrediction,
        metrics: Vec<(Metric, f64)>,
        gains: Metrics,
    ) -> Self {
        let judged_by = match prediction {
            ConstantPrediction::Class(_) => Metric::Accuracy,
            ConstantPrediction::Value(_) | ConstantPrediction::Values(_) => Metric::R2,
        };
        let mut found = Self {
            prediction,
            metrics: metrics.into_iter().filter(|(_, v)| !v.is_nan()).collect(),
            gains,
            judged_by,
            verdict: Verdict::NotBetter,
            share: None,
        };
        found.verdict = found.judgement();
        found
    }
}

/// The metric that a model of classes was asked to be good by, other than accuracy: the one that trials
/// were compared by, or balanced accuracy where classes are weighed.
pub fn asked(trained: &Trained) -> Option<Metric> {
    let selection = trained.report.selection.as_ref();
    let named = selection.and_then(|s| s.metric.as_ref()?.parse::<Metric>().ok());
    let classes = trained.form.readout().classes();
    let weighed = classes.is_some_and(|classes| classes.factors.is_some());
    named.or(weighed.then_some(Metric::BalancedAccuracy))
}

/// Sets predictions beside a constant.
///
/// `None` where there is no constant to compare with, as for novelty.
///
/// # Errors
/// Predictions and truth of different kinds or lengths; classes that the truth does not know.
pub fn compare(
    predictions: &Predictions,
    truth: &Truth,
    constant: &Constant,
    weights: Option<&[f64]>,
    confidence: f64,
) -> Result<Option<Baseline>> {
    let Truth::Targets(targets) = truth else {
        return Ok(None);
    };
    let rows = targets.len().unwrap_or(0);
    if rows == 0 {
        return Ok(None);
    }
    let level = 1.0 - confidence;
    match (&predictions.answers, targets, constant) {
        (Answers::Classes { labels, .. }, Targets::Classes(classes), _)
            if *labels != classes.labels =>
        {
            let same = predictions.clone().in_terms_of(&classes.labels)?;
            let truth = with_abstention(classes, &same);
            let mut constant = constant.clone();
            if let (Constant::Class { shares, .. }, Truth::Targets(Targets::Classes(classes))) =
                (&mut constant, &truth)
            {
                shares.resize(classes.labels.len(), 0.0);
            }
            compare(&same, &truth, &constant, weights, confidence)
        }
        (
            Answers::Classes {
                codes,
                probabilities,
                ..
            },
            Targets::Classes(classes),
            Constant::Class { code, shares, .. },
        ) if shares.len() == classes.labels.len() => {
            same_length("the prediction", codes.len(), rows)?;
            let own = (codes.as_slice(), probabilities.as_deref());
            let found = errors(
                own,
                &classes.codes,
                (*code, shares.as_slice()),
                weights,
                level,
            );
            Ok(Some(Baseline::evaluated(
                constant.prediction(),
                found.0,
                found.1,
            )))
        }
        (Answers::Values(values), Targets::Real(truth), Constant::Values { means, medians })
            if means.len() == 1 =>
        {
            same_length("the prediction", values.len(), rows)?;
            finite("the prediction", values.iter().copied(), 1)?;
            let constants = (means.as_slice(), medians.as_slice());
            let found = of_numbers(&[values], &[truth], constants, weights, level);
            Ok(Some(found))
        }
        (
            Answers::Several(values),
            Targets::Several(truth),
            Constant::Values { means, medians },
        ) if values.columns() == truth.rows()
            && values.rows() == rows
            && means.len() == truth.rows() =>
        {
            let column = |k: usize| (0..rows).map(|r| values[(r, k)]).collect::<Vec<f64>>();
            let predicted: Vec<Vec<f64>> = (0..values.columns()).map(column).collect();
            let predicted: Vec<&[f64]> = predicted.iter().map(Vec::as_slice).collect();
            let truth: Vec<&[f64]> = (0..truth.rows()).map(|k| truth.row(k)).collect();
            let constants = (means.as_slice(), medians.as_slice());
            let found = of_numbers(&predicted, &truth, constants, weights, level);
            Ok(Some(found))
        }
        _ => Err(Error::rows(
            "the predictions and the target are of different kinds",
            "compare predictions with the targets and the constant they are for",
        )),
    }
}

/// Metrics of a constant class with the shares of all, and what a model gains.
fn errors(
    (codes, probabilities): (&[u32], Option<&[Vec<f64>]>),
    truth: &[u32],
    (always, shares): (u32, &[f64]),
    weights: Option<&[f64]>,
    level: f64,
) -> (Vec<(Metric, f64)>, Metrics) {
    let rows = truth.len();
    let is_wrong = |answer: u32, row: usize| f64::from(u8::from(answer != truth[row]));
    let error = mean(rows, weights, |i| is_wrong(always, i));
    let surprise = |row: usize| log_loss_row(truth[row], shares);
    let table = constant_table(truth, always, shares.len(), weights);
    let mut metrics = vec![
        (Metric::Accuracy, 1.0 - error),
        (Metric::Error, error),
        (Metric::BalancedAccuracy, table.balanced_accuracy()),
        (Metric::MacroF1, table.macro_f1()),
        // Nothing varies, and all rows tie.
        (Metric::Mcc, 0.0),
    ];
    if shares.len() == 2 {
        metrics.push((Metric::RocAuc, 0.5));
    }
    metrics.extend([
        (Metric::LogLoss, mean(rows, weights, surprise)),
        (
            Metric::Brier,
            mean(rows, weights, |i| brier_row(truth[i], shares)),
        ),
    ]);
    let mut gains = Metrics::default();
    let ahead: Vec<f64> = (0..rows)
        .map(|i| is_wrong(always, i) - is_wrong(codes[i], i))
        .collect();
    let interval = match weights {
        None => sign_interval(&ahead, level),
        Some(_) => student(&ahead, weights, level),
    };
    gains.push(Metric::Error, mean(rows, weights, |i| ahead[i]), interval);
    if let Some(table) = probabilities {
        let ahead: Vec<f64> = (0..rows)
            .map(|i| surprise(i) - log_loss_row(truth[i], &table[i]))
            .collect();
        let value = mean(rows, weights, |i| ahead[i]);
        gains.push(Metric::LogLoss, value, student(&ahead, weights, level));
    }
    (metrics, gains)
}

/// Sets predicted numbers beside means and medians.
fn of_numbers(
    predicted: &[&[f64]],
    truth: &[&[f64]],
    (means, medians): (&[f64], &[f64]),
    weights: Option<&[f64]>,
    level: f64,
) -> Baseline {
    let constant = Constant::Values {
        means: means.to_vec(),
        medians: medians.to_vec(),
    };
    let prediction = constant.prediction();
    let Some(units) = Units::of(
        predicted
            .iter()
            .chain(truth)
            .copied()
            .chain([means, medians]),
    ) else {
        let found = numbers(predicted, truth, (means, medians), weights, level);
        return Baseline::evaluated(prediction, found.0, found.1);
    };
    let inside = |lists: &[&[f64]]| -> Vec<Vec<f64>> {
        lists.iter().map(|list| units.take_out(list)).collect()
    };
    let (predicted, truth) = (inside(predicted), inside(truth));
    let [predicted, truth] =
        [&predicted, &truth].map(|all| all.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let (means, medians) = (units.take_out(means), units.take_out(medians));
    let constants = (means.as_slice(), medians.as_slice());
    let found = of_numbers(&predicted, &truth, constants, weights, level);
    found.put_back(units, prediction)
}

/// How often the rows of each class are predicted to be of the one that a constant says.
fn constant_table(
    truth: &[u32],
    always: u32,
    classes: usize,
    weights: Option<&[f64]>,
) -> ConfusionMatrix {
    let mut counts = vec![vec![0.0; classes]; classes];
    for (row, code) in truth.iter().enumerate() {
        counts[*code as usize][always as usize] += weights.map_or(1.0, |w| w[row]);
    }
    ConfusionMatrix::from_counts(vec![String::new(); classes], counts)
}

/// Metrics of a constant and what a model gains, added up over the outputs.
fn numbers(
    predicted: &[&[f64]],
    truth: &[&[f64]],
    (means, medians): (&[f64], &[f64]),
    weights: Option<&[f64]>,
    level: f64,
) -> (Vec<(Metric, f64)>, Metrics) {
    let rows = truth.first().map_or(0, |first| first.len());
    let outputs = 0..truth.len();
    let sum = |f: &dyn Fn(usize) -> f64| -> f64 { outputs.clone().map(f).sum() };
    let squares: Vec<f64> = (0..rows)
        .map(|i| sum(&|k| (truth[k][i] - means[k]).powi(2)))
        .collect();
    let own: Vec<f64> = (0..rows)
        .map(|i| sum(&|k| (truth[k][i] - predicted[k][i]).powi(2)))
        .collect();
    let mse = mean(rows, weights, |i| squares[i]);
    let mae = mean(rows, weights, |i| {
        sum(&|k| (truth[k][i] - medians[k]).abs())
    });
    let varies = truth.iter().any(|own| own.iter().any(|y| *y != own[0]));
    let variance = sum(&|k| variance(truth[k], weights));
    let mut metrics = vec![(Metric::Rmse, mse.sqrt()), (Metric::Mae, mae)];
    if varies && variance > 0.0 {
        metrics.push((Metric::R2, 1.0 - mse / variance));
    }
    metrics.push((Metric::Mse, mse));
    let ahead: Vec<f64> = squares.iter().zip(&own).map(|(s, o)| s - o).collect();
    let mut gains = Metrics::default();
    let value = mean(rows, weights, |i| ahead[i]);
    gains.push(Metric::Mse, value, student(&ahead, weights, level));
    (metrics, gains)
}

/// Interval of the mean of values −1, 0 and 1 by the law of the sign test.
fn sign_interval(values: &[f64], level: f64) -> Interval {
    let ahead = values.iter().filter(|v| **v > 0.0).count();
    let apart = values.iter().filter(|v| **v != 0.0).count();
    if apart == 0 {
        return Interval {
            low: 0.0,
            high: 0.0,
        };
    }
    let share = exact(ahead, apart, level);
    let size = apart as f64 / values.len() as f64;
    Interval {
        low: (2.0 * share.low - 1.0) * size,
        high: (2.0 * share.high - 1.0) * size,
    }
}

/// Student's interval of a mean. Weighted rows count as many as have the same variance of the mean.
fn student(values: &[f64], weights: Option<&[f64]>, level: f64) -> Interval {
    let rows = values.len();
    let weight = |i: usize| weights.map_or(1.0, |w| w[i]);
    let (sum, squares) = (0..rows).fold((0.0, 0.0), |(sum, squares), i| {
        (sum + weight(i), squares + weight(i).powi(2))
    });
    let count = sum * sum / squares;
    // Few equal differences have no spread and would claim certainty; no weight makes no number.
    if count.is_nan() || count < FEWEST {
        return Interval {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        };
    }
    let centre = mean(rows, weights, |i| values[i]);
    let variance = mean(rows, weights, |i| (values[i] - centre).powi(2)) * count / (count - 1.0);
    let half = student_quantile(count - 1.0, level) * (variance / count).sqrt();
    Interval {
        low: centre - half,
        high: centre + half,
    }
}

#[cfg(test)]
#[path = "baseline_tests.rs"]
mod tests;
