//! Scores of a novelty detector.

use super::intervals::exact;
use super::metric::UNIT;
use super::metrics;
use super::rates::{auc_interval, balanced};
use super::scores::{check, same_length};
use super::{ConfusionMatrix, Metric, Metrics, Scores};
use crate::Result;

/// Scores a novelty detector; `true` means novel.
///
/// Names: `accuracy`, `balanced_accuracy`, `detection_rate` (novel rows found),
/// `false_alarm_rate` (known rows called novel) and, with scores that grow with novelty,
/// `roc_auc`.
///
/// # Errors
/// No rows, lengths that differ, and a confidence outside (0, 1).
pub fn score_novelty(
    truth: &[bool],
    predicted: &[bool],
    scores: Option<&[f64]>,
    confidence: f64,
) -> Result<Scores> {
    check(truth.len(), None, confidence)?;
    same_length("the prediction", predicted.len(), truth.len())?;
    let codes = |v: &[bool]| -> Vec<u32> { v.iter().map(|&b| u32::from(b)).collect() };
    let labels = ["known".to_owned(), "novel".to_owned()];
    let confusion = ConfusionMatrix::try_new(&codes(truth), &codes(predicted), None, &labels)?;
    let delta = 1.0 - confidence;
    let rate = |part: f64, whole: f64| {
        let interval = if whole > 0.0 {
            exact(part as usize, whole as usize, delta)
        } else {
            UNIT
        };
        (part / whole, interval)
    };
    let mut found = Metrics::default();
    let (value, interval) = rate(confusion.right(), confusion.total());
    found.push(Metric::Accuracy, value, interval);
    let (value, interval) = balanced(&confusion, delta);
    found.push(Metric::BalancedAccuracy, value, interval);
    let (value, interval) = rate(confusion.count(1, 1), confusion.truths(1));
    found.push(Metric::DetectionRate, value, interval);
    let (value, interval) = rate(confusion.count(0, 1), confusion.truths(0));
    found.push(Metric::FalseAlarmRate, value, interval);
    if let Some(scores) = scores {
        same_length("the score column", scores.len(), truth.len())?;
        let auc = metrics::roc_auc(truth, scores, None);
        found.push(Metric::RocAuc, auc, auc_interval(auc, truth, confidence));
    }
    Ok(Scores {
        metrics: found,
        confidence,
        rows: truth.len(),
        confusion: Some(confusion),
        outputs: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_by_hand() {
        let truth = [true, true, false, false, false];
        let predicted = [true, false, false, false, true];
        let scores = [0.9, 0.4, 0.1, 0.2, 0.8];
        let found = score_novelty(&truth, &predicted, Some(&scores), 0.95).unwrap();
        assert_eq!(found.metrics.get("detection_rate").unwrap().value, 0.5);
        assert_eq!(
            found.metrics.get("false_alarm_rate").unwrap().value,
            1.0 / 3.0
        );
        assert_eq!(found.metrics.get("accuracy").unwrap().value, 0.6);
        assert!((found.metrics.get("roc_auc").unwrap().value - 5.0 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn rows_of_one_kind_define_one_rate() {
        let found = score_novelty(&[false, false], &[false, true], None, 0.95).unwrap();
        assert!(found.metrics.get("detection_rate").is_none());
        assert_eq!(found.metrics.get("false_alarm_rate").unwrap().value, 0.5);
        assert!(score_novelty(&[true], &[], None, 0.95).is_err());
    }
}
