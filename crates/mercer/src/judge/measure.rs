//! One metric of predictions, without an interval: what curves and permutations ask many times.

use mercer_linalg::Matrix;

use super::truth::with_abstention;
use super::{ConfusionMatrix, Metric, Truth, metrics};
use crate::data::{Targets, Task};
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
            | Self::Brier => task == Task::Classify,
            Self::R2 | Self::Mse | Self::Rmse | Self::Mae => task == Task::Regress,
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
                Metric::RocAuc if labels.len() == 2 => {
                    let positive: Vec<bool> = truth.iter().map(|t| *t == 1).collect();
                    let ranks: Option<Vec<f64>> = match (probabilities, &predictions.decisions) {
                        (Some(rows), _) => Some(rows.iter().map(|row| row[1]).collect()),
                        // A positive decision speaks for the first class.
                        (None, d) if d.columns() == 1 => {
                            Some(d.as_slice().iter().map(|d| -d).collect())
                        }
                        _ => None,
                    };
                    ranks.map_or(f64::NAN, |r| metrics::roc_auc(&positive, &r, weights))
                }
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

/// Errors of several outputs add up, as in the scores of a model.
fn of_numbers(
    metric: Metric,
    truth: &[&[f64]],
    predicted: &[&[f64]],
    weights: Option<&[f64]>,
) -> f64 {
    let sum = |of: fn(&[f64], &[f64], Option<&[f64]>) -> f64| -> f64 {
        let pairs = truth.iter().zip(predicted);
        pairs.map(|(t, p)| of(t, p, weights)).sum()
    };
    let mse = || sum(metrics::mean_squared_error);
    match metric {
        Metric::Mse => mse(),
        Metric::Rmse => mse().sqrt(),
        Metric::Mae => sum(metrics::mean_absolute_error),
        Metric::R2 if truth.len() == 1 => metrics::r_squared(truth[0], predicted[0], weights),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ClassTargets;
    use crate::fit::FitContext;
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
        agree(
            &values,
            &Truth::Targets(Targets::Real(vec![1.5, 2.0, 4.0])),
        );
        let wrong = Truth::Targets(Targets::Real(vec![1.0; 5]));
        assert!(measure(Metric::Accuracy, &classes, &wrong, None).is_err());
    }
}
