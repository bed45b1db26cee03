//! Whether predictions are better than a constant, by the same rows.
//!
//! The difference of two losses is taken row by row, so that what makes rows hard for both
//! cancels. With d rows on which exactly one of the two is right, b of them the model, the
//! exact interval of b/d gives one of (2b − d)/n: it is above 0 where the sign test says so. Means of
//! log losses and squared errors have Student's interval.

use serde::{Serialize, Serializer};

use super::intervals::exact;
use super::metrics::{brier_row, log_loss_row, mean, variance};
use super::scores::{finite, same_length};
use super::truth::with_abstention;
use super::{Constant, Interval, Metric, Metrics, Truth};
use crate::data::Targets;
use crate::fit::ConstantPrediction;
use crate::model::{Answers, Predictions};
use crate::special::student_quantile;
use crate::{Error, Result};

/// Larger squared errors than a constant's by less than this share are no news.
const NOTICED: f64 = 0.01;
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
    /// Worse: squared errors are larger than those of the mean, or clearly more classes are wrong.
    Worse,
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
    /// probabilities, `log_loss`; `mse` of numbers.
    pub gains: Metrics,
    /// The verdict.
    pub verdict: Verdict,
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

    /// Returns the share of the constant's loss that the model takes away: of its errors, or of its
    /// squared errors. NaN where it has none.
    pub fn share(&self) -> f64 {
        let loss = [Metric::Error, Metric::Mse]
            .into_iter()
            .find_map(|m| Some((self.gains.of(m)?.value, self.of(m)?)));
        match loss {
            Some((gain, all)) if all > 0.0 => gain / all,
            _ => f64::NAN,
        }
    }

    /// Puts a verdict on what is gained.
    pub(crate) fn judged(
        prediction: ConstantPrediction,
        metrics: Vec<(Metric, f64)>,
        gains: Metrics,
    ) -> Self {
        let mut known = metrics.iter();
        let loss = known.find(|(m, _)| *m == Metric::Mse).map_or(0.0, |m| m.1);
        let verdict = match (gains.of(Metric::Error), gains.of(Metric::Mse)) {
            (Some(error), _) if error.low > 0.0 => Verdict::Better,
            (Some(error), _) => match gains.of(Metric::LogLoss) {
                Some(log_loss) if log_loss.low > 0.0 => Verdict::ProbabilitiesOnly,
                _ if error.high < 0.0 => Verdict::Worse,
                _ => Verdict::NotBetter,
            },
            (None, Some(_)) if loss <= prediction.rounding() => Verdict::NothingToLearn,
            (None, Some(square)) if square.low > 0.0 => Verdict::Better,
            (None, Some(square)) if square.value < -NOTICED * loss => Verdict::Worse,
            _ => Verdict::NotBetter,
        };
        Self {
            prediction,
            metrics: metrics.into_iter().filter(|(_, v)| !v.is_nan()).collect(),
            gains,
            verdict,
        }
    }
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
            Ok(Some(Baseline::judged(
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
            let found = numbers(&[values], &[truth], constants, weights, level);
            Ok(Some(Baseline::judged(
                constant.prediction(),
                found.0,
                found.1,
            )))
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
            let found = numbers(&predicted, &truth, constants, weights, level);
            Ok(Some(Baseline::judged(
                constant.prediction(),
                found.0,
                found.1,
            )))
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
    let metrics = vec![
        (Metric::Accuracy, 1.0 - error),
        (Metric::Error, error),
        (Metric::LogLoss, mean(rows, weights, surprise)),
        (
            Metric::Brier,
            mean(rows, weights, |i| brier_row(truth[i], shares)),
        ),
    ];
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
mod tests {
    use mercer_linalg::Matrix;

    use super::*;
    use crate::data::ClassTargets;

    fn values(answers: &[f64]) -> Predictions {
        Predictions {
            answers: Answers::Values(answers.to_vec()),
            decisions: Matrix::zeros(answers.len(), 1),
            notes: Vec::new(),
        }
    }

    fn classes(codes: Vec<u32>, first: Option<&[f64]>) -> Predictions {
        Predictions {
            decisions: Matrix::zeros(codes.len(), 1),
            answers: Answers::Classes {
                labels: vec!["no".to_owned(), "yes".to_owned()],
                codes,
                probabilities: first.map(|p| p.iter().map(|p| vec![*p, 1.0 - p]).collect()),
            },
            notes: Vec::new(),
        }
    }

    fn targets(yes: usize, rows: usize) -> Targets {
        Targets::Classes(ClassTargets {
            codes: (0..rows).map(|i| u32::from(i < yes)).collect(),
            labels: vec!["no".to_owned(), "yes".to_owned()],
        })
    }

    fn verdict(predictions: &Predictions, targets: &Targets) -> Baseline {
        let naive = Constant::of(targets, None).expect("a constant");
        let truth = Truth::Targets(targets.clone());
        compare(predictions, &truth, &naive, None, 0.95)
            .expect("alike")
            .expect("a baseline")
    }

    #[test]
    fn the_sign_test_decides_about_classes() {
        // scipy.stats.binomtest: 5 of 5 has p = 0.0625, 6 of 6 has 0.03125.
        let found = |right: usize| {
            let codes = (0..40).map(|i| u32::from(i < right)).collect();
            verdict(&classes(codes, None), &targets(12, 40))
        };
        assert_eq!(found(5).verdict, Verdict::NotBetter);
        assert_eq!(found(6).verdict, Verdict::Better);
        assert!((found(6).share() - 0.5).abs() < 1e-12);
        assert_eq!(found(12).of(Metric::Accuracy), Some(0.7));
        // Twelve more rows wrong than the constant has.
        let worse = verdict(&classes(vec![1; 40], None), &targets(12, 40));
        assert_eq!(worse.verdict, Verdict::Worse);
    }

    #[test]
    fn a_model_that_never_says_yes_may_still_know_something() {
        let telling: Vec<f64> = (0..100).map(|i| if i < 8 { 0.6 } else { 0.97 }).collect();
        let found = verdict(&classes(vec![0; 100], Some(&telling)), &targets(8, 100));
        assert_eq!(found.verdict, Verdict::ProbabilitiesOnly);
        let silent = vec![0.92; 100];
        let found = verdict(&classes(vec![0; 100], Some(&silent)), &targets(8, 100));
        assert_eq!(found.verdict, Verdict::NotBetter);
        assert_eq!(found.gains.of(Metric::Error).expect("a gain").value, 0.0);
    }

    #[test]
    fn numbers_beside_the_mean() {
        let truth: Vec<f64> = (0..50).map(f64::from).collect();
        let near: Vec<f64> = truth.iter().map(|t| t + 1.0).collect();
        let of = |answers: &[f64]| verdict(&values(answers), &Targets::Real(truth.clone()));
        let found = of(&near);
        assert_eq!(found.verdict, Verdict::Better);
        assert!((found.share() - (1.0 - 1.0 / 208.25)).abs() < 1e-12);
        let far: Vec<f64> = truth.iter().map(|t| 49.0 - t).collect();
        assert_eq!(of(&far).verdict, Verdict::Worse);
        assert_eq!(of(&[24.5; 50]).verdict, Verdict::NotBetter);
        assert_eq!(of(&[24.6; 50]).verdict, Verdict::NotBetter);
        assert_eq!(found.of(Metric::R2), Some(0.0));
    }

    #[test]
    fn equal_targets_leave_nothing_to_learn() {
        let truth = vec![0.1; 30];
        for answers in [vec![0.1; 30], vec![0.1 + 1e-16; 30], vec![0.3; 30]] {
            let found = verdict(&values(&answers), &Targets::Real(truth.clone()));
            assert_eq!(found.verdict, Verdict::NothingToLearn);
            assert_eq!(found.of(Metric::R2), None);
        }
        let mut other = truth.clone();
        other[3] = 0.1 + 1e-9;
        let found = verdict(&values(&other), &Targets::Real(other.clone()));
        assert_ne!(found.verdict, Verdict::NothingToLearn);
    }

    #[test]
    fn few_rows_prove_nothing() {
        let one = verdict(&values(&[3.0]), &Targets::Real(vec![3.0]));
        assert_eq!(one.verdict, Verdict::NothingToLearn);
        let two = verdict(&values(&[1.0, 2.0]), &Targets::Real(vec![1.0, 2.0]));
        assert_eq!(two.gains.of(Metric::Mse).expect("a gain").value, 0.25);
        assert_eq!(two.verdict, Verdict::NotBetter);
        let weights = [0.0, 0.0];
        let naive = Constant::of(&Targets::Real(vec![1.0]), None).expect("a constant");
        let truth = Truth::Targets(Targets::Real(vec![1.0, 2.0]));
        let found = compare(&values(&[1.0, 2.0]), &truth, &naive, Some(&weights), 0.95);
        assert_eq!(
            found.expect("alike").expect("one").verdict,
            Verdict::NotBetter
        );
    }
}
