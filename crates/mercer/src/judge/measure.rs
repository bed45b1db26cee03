//! One metric of predictions, without an interval: what curves and permutations ask many times.

use mercer_linalg::Matrix;

use super::scores::{check, push_bootstrapped};
use super::truth::with_abstention;
use super::units::Units;
use super::{ConfusionMatrix, Metric, Metrics, Truth, metrics};
use crate::data::{Targets, Task};
use crate::fit::FitContext;
use crate::model::{Answers, Predictions};
use crate::{Error, Result};

impl Metric {
    /// Returns whether predictions of a task can be scored by it.
    pub fn scores(self, task: Task) -> bool {
        match self {
            Self::Accuracy
            | Self::Error
            | Self::BalancedAccuracy
            | Self::MacroF1
            | Self::F1
            | Self::Mcc
            | Self::RocAuc
            | Self::LogLoss
            | Self::Brier
            | Self::Precision
            | Self::Recall
            | Self::Kappa
            | Self::AveragePrecision
            | Self::CalibrationError
            | Self::Hinge => task == Task::Classify,
            Self::R2
            | Self::Mse
            | Self::Rmse
            | Self::Mae
            | Self::MedianError
            | Self::MaxError
            | Self::ExplainedVariance
            | Self::Mape => task == Task::Regress,
            // It needs a quantile: `pinball_loss`.
            Self::Pinball => false,
            Self::DetectionRate | Self::FalseAlarmRate | Self::Acceptance => task == Task::Novelty,
        }
    }
}

/// Scores predictions by one metric; NaN where the rows or the model do not define it.
///
/// # Errors
/// Predictions and truth of different kinds or lengths; classes that the truth does not know.
pub fn measure(
    metric: Metric,
    predictions: &Predictions,
    truth: &Truth,
    weights: Option<&[f64]>,
) -> Result<f64> {
    match (&predictions.answers, truth) {
        (Answers::Classes { labels, .. }, Truth::Targets(Targets::Classes(classes)))
            if *labels != classes.labels =>
        {
            let same = predictions.clone().in_terms_of(&classes.labels)?;
            let truth = with_abstention(classes, &same);
            measure(metric, &same, &truth, weights)
        }
        (
            Answers::Classes {
                labels,
                codes,
                probabilities,
            },
            Truth::Targets(Targets::Classes(classes)),
        ) => {
            let truth = &classes.codes;
            let table = ConfusionMatrix::try_new(truth, codes, weights, labels)?;
            let chances = || {
                let rows = probabilities.as_ref()?;
                let at = |r: usize, c: usize| rows[r][c];
                Some(Matrix::from_fn(rows.len(), labels.len(), at))
            };
            Ok(match metric {
                Metric::Accuracy => table.accuracy(),
                Metric::Error => 1.0 - table.accuracy(),
                Metric::BalancedAccuracy => table.balanced_accuracy(),
                Metric::MacroF1 => table.macro_f1(),
                Metric::F1 if labels.len() == 2 => table.f1(1).unwrap_or(f64::NAN),
                Metric::Mcc => table.matthews(),
                Metric::LogLoss => {
                    chances().map_or(f64::NAN, |p| metrics::log_loss(truth, &p, weights))
                }
                Metric::Brier => chances().map_or(f64::NAN, |p| metrics::brier(truth, &p, weights)),
                Metric::Precision => table.mean_precision(),
                Metric::Recall => table.mean_recall(),
                Metric::Kappa => table.kappa(),
                Metric::RocAuc | Metric::AveragePrecision | Metric::Hinge if labels.len() == 2 => {
                    let positive: Vec<bool> = truth.iter().map(|t| *t == 1).collect();
                    // A positive decision speaks for the first class.
                    let d = &predictions.decisions;
                    let decisions: Option<Vec<f64>> =
                        (d.columns() == 1).then(|| d.as_slice().iter().map(|d| -d).collect());
                    let second = probabilities.as_ref();
                    let second = second.map(|rows| rows.iter().map(|row| row[1]).collect());
                    let of: OfRanks = match metric {
                        Metric::RocAuc => metrics::roc_auc,
                        Metric::AveragePrecision => metrics::average_precision,
                        _ => metrics::hinge,
                    };
                    let ranks = match metric {
                        Metric::Hinge => decisions,
                        _ => second.or(decisions),
                    };
                    ranks.map_or(f64::NAN, |r| of(&positive, &r, weights))
                }
                Metric::CalibrationError => probabilities.as_ref().map_or(f64::NAN, |rows| {
                    let (sure, came) = calibrated(rows, codes, truth);
                    metrics::calibration_error(&sure, &came, weights)
                }),
                _ => f64::NAN,
            })
        }
        (Answers::Values(values), Truth::Targets(Targets::Real(truth)))
            if values.len() == truth.len() =>
        {
            Ok(of_numbers(metric, &[truth], &[values], weights))
        }
        (Answers::Several(values), Truth::Targets(Targets::Several(truth)))
            if values.columns() == truth.rows() =>
        {
            let column = |k: usize| (0..values.rows()).map(|r| values[(r, k)]).collect();
            let predicted: Vec<Vec<f64>> = (0..values.columns()).map(column).collect();
            let predicted: Vec<&[f64]> = predicted.iter().map(Vec::as_slice).collect();
            let truth: Vec<&[f64]> = (0..truth.rows()).map(|k| truth.row(k)).collect();
            Ok(of_numbers(metric, &truth, &predicted, weights))
        }
        _ => Err(Error::rows(
            "the predictions and the target are of different kinds",
            "score predictions by the targets they are for",
        )),
    }
}

/// Probabilities beside what happened: of the second of two classes, else of the class that was predicted.
fn calibrated(rows: &[Vec<f64>], codes: &[u32], truth: &[u32]) -> (Vec<f64>, Vec<bool>) {
    let two = rows.first().is_some_and(|row| row.len() == 2);
    let class = |row: usize| if two { 1 } else { codes[row] };
    let sure = (0..rows.len()).map(|row| rows[row][class(row) as usize]);
    let came = (0..rows.len()).map(|row| truth[row] == class(row));
    (sure.collect(), came.collect())
}

/// Errors of several outputs add up, as in the scores of a model.
fn of_numbers(
    metric: Metric,
    truth: &[&[f64]],
    predicted: &[&[f64]],
    weights: Option<&[f64]>,
) -> f64 {
    if let Some(units) = Units::of(truth.iter().chain(predicted).copied()) {
        let inside = |lists: &[&[f64]]| -> Vec<Vec<f64>> {
            lists.iter().map(|list| units.take_out(list)).collect()
        };
        let (truth, predicted) = (inside(truth), inside(predicted));
        let [truth, predicted] =
            [&truth, &predicted].map(|all| all.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let value = of_numbers(metric, &truth, &predicted, weights);
        return units.put_back(metric, value);
    }
    let sum = |of: OfNumbers| -> f64 {
        let pairs = truth.iter().zip(predicted);
        pairs.map(|(t, p)| of(t, p, weights)).sum()
    };
    let mse = || sum(metrics::mean_squared_error);
    match metric {
        Metric::Mse => mse(),
        Metric::Rmse => mse().sqrt(),
        Metric::Mae => sum(metrics::mean_absolute_error),
        Metric::R2 if truth.len() == 1 => metrics::r_squared(truth[0], predicted[0], weights),
        Metric::MedianError if truth.len() == 1 => {
            metrics::median_absolute_error(truth[0], predicted[0], weights)
        }
        Metric::MaxError if truth.len() == 1 => metrics::max_error(truth[0], predicted[0], weights),
        Metric::ExplainedVariance if truth.len() == 1 => {
            metrics::explained_variance(truth[0], predicted[0], weights)
        }
        Metric::Mape if truth.len() == 1 => {
            metrics::mean_absolute_percentage_error(truth[0], predicted[0], weights)
        }
        Metric::R2 => {
            let spread: f64 = truth.iter().map(|t| metrics::variance(t, weights)).sum();
            if spread > 0.0 {
                1.0 - mse() / spread
            } else {
                f64::NAN
            }
        }
        _ => f64::NAN,
    }
}

/// A metric of marked rows by a number for each, with weights.
type OfRanks = fn(&[bool], &[f64], Option<&[f64]>) -> f64;
/// A metric of predicted numbers, with weights.
type OfNumbers = fn(&[f64], &[f64], Option<&[f64]>) -> f64;
/// Metrics beyond those of every score, for classes and for numbers.
const MORE: [Metric; 11] = [
    Metric::Precision,
    Metric::Recall,
    Metric::F1,
    Metric::Kappa,
    Metric::AveragePrecision,
    Metric::CalibrationError,
    Metric::Hinge,
    Metric::MedianError,
    Metric::MaxError,
    Metric::ExplainedVariance,
    Metric::Mape,
];

/// Scores predictions by the metrics that not every score has, with intervals by the bootstrap; those that the rows or the
/// model do not define are left out.
///
/// # Errors
/// As [`measure`]; a confidence outside (0, 1); cancellation.
pub fn more_metrics(
    predictions: &Predictions,
    truth: &Truth,
    weights: Option<&[f64]>,
    confidence: f64,
    context: &FitContext,
) -> Result<Metrics> {
    let rows = predictions.len();
    check(rows, weights, confidence)?;
    let mut wanted = Vec::new();
    for metric in MORE {
        if !measure(metric, predictions, truth, weights)?.is_nan() {
            wanted.push(metric);
        }
    }
    let mut found = Metrics::default();
    if wanted.is_empty() {
        return Ok(found);
    }
    let ranged: Vec<_> = wanted.iter().map(|m| (*m, m.entry().range)).collect();
    let all = |w: &[f64]| -> Vec<f64> {
        let value = |m: &Metric| measure(*m, predictions, truth, Some(w)).unwrap_or(f64::NAN);
        wanted.iter().map(value).collect()
    };
    push_bootstrapped(&mut found, &ranged, weights, rows, confidence, context, all)?;
    Ok(found)
}

/// Scores predicted numbers as a quantile of their targets by the mean pinball loss, with an interval by the bootstrap;
/// losses of several outputs add up.
///
/// # Errors
/// A quantile outside (0, 1), predictions that are no numbers, lengths that differ, a confidence outside (0, 1);
/// cancellation.
pub fn pinball_loss(
    predictions: &Predictions,
    truth: &Truth,
    quantile: f64,
    weights: Option<&[f64]>,
    confidence: f64,
    context: &FitContext,
) -> Result<Metrics> {
    if !(quantile > 0.0 && quantile < 1.0) {
        return Err(Error::setting("quantile", quantile, "between 0 and 1"));
    }
    let rows = predictions.len();
    check(rows, weights, confidence)?;
    let pairs: Vec<(Vec<f64>, Vec<f64>)> = match (&predictions.answers, truth) {
        (Answers::Values(values), Truth::Targets(Targets::Real(truth)))
            if values.len() == truth.len() =>
        {
            vec![(truth.clone(), values.clone())]
        }
        (Answers::Several(values), Truth::Targets(Targets::Several(truth)))
            if values.columns() == truth.rows() =>
        {
            let column = |k: usize| (0..values.rows()).map(|r| values[(r, k)]).collect();
            (0..values.columns())
                .map(|k| (truth.row(k).to_vec(), column(k)))
                .collect()
        }
        _ => {
            return Err(Error::rows(
                "a quantile is one of numbers, and these predictions are none",
                "score predicted numbers by it",
            ));
        }
    };
    let lists = pairs.iter().flat_map(|(t, p)| [t.as_slice(), p.as_slice()]);
    let units = Units::of(lists);
    let inside = |list: &[f64]| units.map_or_else(|| list.to_vec(), |u| u.take_out(list));
    let pairs: Vec<_> = pairs.iter().map(|(t, p)| (inside(t), inside(p))).collect();
    let loss = |w: &[f64]| -> Vec<f64> {
        let of = |(t, p): &(Vec<f64>, Vec<f64>)| metrics::pinball(t, p, quantile, Some(w));
        vec![pairs.iter().map(of).sum()]
    };
    let ranged = [(Metric::Pinball, Metric::Pinball.entry().range)];
    let mut found = Metrics::default();
    push_bootstrapped(
        &mut found, &ranged, weights, rows, confidence, context, loss,
    )?;
    Ok(units.map_or_else(|| found.clone(), |u| u.put_back_all(&found)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ClassTargets;
    use crate::judge::{METRICS, score};

    fn agree(predictions: &Predictions, truth: &Truth) {
        let scores = score(predictions, truth, &[], None, 0.95, &FitContext::default()).unwrap();
        let mut known = 0;
        for entry in &METRICS {
            let found = measure(entry.metric, predictions, truth, None).unwrap();
            if let Some(score) = scores.metrics.of(entry.metric) {
                assert!((score.value - found).abs() < 1e-12, "{}", entry.name);
                known += 1;
            }
        }
        assert!(known >= 4);
    }

    #[test]
    fn single_metrics_are_those_of_the_scores() {
        let p = [0.9, 0.2, 0.6, 0.4, 0.7];
        let classes = Predictions {
            answers: Answers::Classes {
                labels: vec!["a".to_owned(), "b".to_owned()],
                codes: vec![0, 1, 0, 1, 0],
                probabilities: Some(p.iter().map(|p| vec![*p, 1.0 - p]).collect()),
            },
            decisions: Matrix::from_vec(5, 1, p.iter().map(|p| p - 0.5).collect()),
            notes: Vec::new(),
        };
        let truth = Targets::Classes(ClassTargets {
            codes: vec![0, 1, 1, 1, 0],
            labels: vec!["a".to_owned(), "b".to_owned()],
        });
        agree(&classes, &Truth::Targets(truth));
        let values = Predictions {
            answers: Answers::Values(vec![1.0, 2.5, 3.0]),
            decisions: Matrix::zeros(3, 1),
            notes: Vec::new(),
        };
        agree(&values, &Truth::Targets(Targets::Real(vec![1.5, 2.0, 4.0])));
        // scikit-learn's mean_pinball_loss([1.5, 2, 4], [1, 2.5, 3], alpha=0.9).
        let truth = Truth::Targets(Targets::Real(vec![1.5, 2.0, 4.0]));
        let context = FitContext::default();
        let loss = |p: &Predictions, q: f64| pinball_loss(p, &truth, q, None, 0.95, &context);
        let found = loss(&values, 0.9).unwrap();
        let score = found.of(Metric::Pinball).unwrap();
        assert!((score.value - 1.4 / 3.0).abs() < 1e-12, "{score:?}");
        assert!(loss(&values, 1.0).is_err() && loss(&classes, 0.5).is_err());
        let wrong = Truth::Targets(Targets::Real(vec![1.0; 5]));
        assert!(measure(Metric::Accuracy, &classes, &wrong, None).is_err());
    }
}
