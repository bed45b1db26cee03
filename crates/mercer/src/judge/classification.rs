//! Scores of a classifier.

use mercer_linalg::Matrix;

use super::intervals::exact;
use super::metric::UNIT;
use super::metrics::{RankedScores, brier_row, log_loss_row, mean};
use super::rates::{auc_interval, balanced};
use super::resample::table_intervals;
use super::scores::{check, finite, push_bootstrapped, same_length};
use super::{ConfusionMatrix, Metric, Metrics, Scores};
use crate::fit::FitContext;
use crate::{Error, Result};

/// A classifier's predictions beside the truth.
#[derive(Debug, Clone, Copy)]
pub struct ClassAnswers<'a> {
    /// The true class of each row.
    pub truth: &'a [u32],
    /// The predicted class of each row.
    pub predicted: &'a [u32],
    /// The labels the codes stand for.
    pub labels: &'a [String],
    /// A probability per row and class.
    pub probabilities: Option<&'a Matrix<f64>>,
    /// A number per row that grows with the second class; read when there are two classes
    /// and no probabilities.
    pub decisions: Option<&'a [f64]>,
    /// How many copies each row stands for.
    pub weights: Option<&'a [f64]>,
}

/// Scores a classifier.
///
/// Names: `accuracy`, `error`, `balanced_accuracy`, `macro_f1`, `mcc`; with probabilities
/// `log_loss` and `brier`; with two classes and probabilities or decisions `roc_auc`.
/// A metric the rows do not define is left out.
///
/// # Errors
/// No rows, lengths that differ, probabilities that are not finite, bad weights, a confidence
/// outside (0, 1), and cancellation.
pub fn score_classification(
    answers: &ClassAnswers<'_>,
    confidence: f64,
    context: &FitContext,
) -> Result<Scores> {
    let ClassAnswers {
        truth,
        predicted,
        labels,
        probabilities,
        decisions,
        weights,
    } = *answers;
    check(truth.len(), weights, confidence)?;
    let confusion = ConfusionMatrix::try_new(truth, predicted, weights, labels)?;
    if let Some(p) = probabilities {
        same_length("the probability table", p.rows(), truth.len())?;
        if p.columns() != labels.len() {
            return Err(Error::Length {
                what: "the probability table".to_owned(),
                found: p.columns(),
                expected: labels.len(),
                unit: "columns",
            });
        }
        let flat = p.as_slice();
        finite("a probability", flat.iter().copied(), p.columns())?;
    }
    if let Some(d) = decisions {
        same_length("the decision column", d.len(), truth.len())?;
    }
    let scores: Option<Vec<f64>> = if labels.len() == 2 {
        probabilities
            .map(|p| (0..p.rows()).map(|i| p[(i, 1)]).collect())
            .or_else(|| decisions.map(<[f64]>::to_vec))
    } else {
        None
    };
    let positive: Vec<bool> = truth.iter().map(|&t| t == 1).collect();
    let ranked = scores.as_ref().map(|s| RankedScores::new(&positive, s));
    let losses: Option<Vec<(f64, f64)>> = probabilities.map(|p| {
        truth
            .iter()
            .enumerate()
            .map(|(i, &t)| (log_loss_row(t, p.row(i)), brier_row(t, p.row(i))))
            .collect()
    });
    let loss_means = |w: Option<&[f64]>| match &losses {
        Some(l) => vec![mean(l.len(), w, |i| l[i].0), mean(l.len(), w, |i| l[i].1)],
        None => Vec::new(),
    };
    let ranged = |metric: Metric| match metric {
        Metric::Brier if labels.len() == 2 => (metric, UNIT),
        _ => (metric, metric.entry().range),
    };

    let table_metrics = |m: &ConfusionMatrix| vec![m.macro_f1(), m.matthews()];
    let mut found = Metrics::default();
    if let Some(weights) = weights {
        let all = |w: &[f64]| -> Vec<f64> {
            // Codes and lengths were checked by the first table.
            let Ok(m) = ConfusionMatrix::try_new(truth, predicted, Some(w), labels) else {
                return Vec::new();
            };
            let mut values = vec![m.accuracy(), 1.0 - m.accuracy(), m.balanced_accuracy()];
            values.extend(table_metrics(&m));
            values.push(ranked.as_ref().map_or(f64::NAN, |r| r.auc(Some(w))));
            values.extend(loss_means(Some(w)));
            values
        };
        let metrics = [
            Metric::Accuracy,
            Metric::Error,
            Metric::BalancedAccuracy,
            Metric::MacroF1,
            Metric::Mcc,
            Metric::RocAuc,
            Metric::LogLoss,
            Metric::Brier,
        ];
        push_bootstrapped(
            &mut found,
            &metrics.map(ranged),
            Some(weights),
            truth.len(),
            confidence,
            context,
            all,
        )?;
    } else {
        let delta = 1.0 - confidence;
        let right = confusion.right() as usize;
        let rows = truth.len();
        found.push(
            Metric::Accuracy,
            confusion.accuracy(),
            exact(right, rows, delta),
        );
        let wrong = rows - right;
        found.push(
            Metric::Error,
            wrong as f64 / rows as f64,
            exact(wrong, rows, delta),
        );
        let (value, interval) = balanced(&confusion, delta);
        found.push(Metric::BalancedAccuracy, value, interval);
        let estimates = table_metrics(&confusion);
        let seen = occurring(&confusion);
        let ends = if seen.labels().len() < 2 {
            [Metric::MacroF1, Metric::Mcc]
                .map(|m| m.entry().range)
                .to_vec()
        } else {
            table_intervals(&seen, &estimates, confidence, context, table_metrics)?
        };
        found.push(Metric::MacroF1, estimates[0], ends[0]);
        found.push(Metric::Mcc, estimates[1], ends[1]);
        if let Some(ranked) = &ranked {
            let auc = ranked.auc(None);
            found.push(
                Metric::RocAuc,
                auc,
                auc_interval(auc, &positive, confidence),
            );
        }
        let metrics = [Metric::LogLoss, Metric::Brier].map(ranged);
        push_bootstrapped(&mut found, &metrics, None, rows, confidence, context, |w| {
            loss_means(Some(w))
        })?;
    }
    Ok(Scores {
        metrics: found,
        confidence,
        rows: truth.len(),
        confusion: Some(confusion),
        outputs: Vec::new(),
    })
}

/// The part of a table whose classes occur as truth or as prediction.
fn occurring(table: &ConfusionMatrix) -> ConfusionMatrix {
    let kept: Vec<usize> = (0..table.labels().len())
        .filter(|&c| table.truths(c) + table.predictions(c) > 0.0)
        .collect();
    ConfusionMatrix::from_counts(
        kept.iter().map(|&c| table.labels()[c].clone()).collect(),
        kept.iter()
            .map(|&t| kept.iter().map(|&p| table.count(t, p)).collect())
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scored(answers: &ClassAnswers<'_>, confidence: f64) -> Result<Scores> {
        score_classification(answers, confidence, &FitContext::default())
    }

    fn labels(k: usize) -> Vec<String> {
        (0..k).map(|i| format!("c{i}")).collect()
    }

    fn answers<'a>(
        truth: &'a [u32],
        predicted: &'a [u32],
        labels: &'a [String],
    ) -> ClassAnswers<'a> {
        ClassAnswers {
            truth,
            predicted,
            labels,
            probabilities: None,
            decisions: None,
            weights: None,
        }
    }

    #[test]
    fn accuracy_has_the_exact_interval() {
        let names = labels(2);
        let (truth, predicted) = (
            [0, 0, 0, 0, 0, 1, 1, 1, 1, 1],
            [0, 0, 0, 0, 1, 1, 1, 1, 0, 0],
        );
        let scores = scored(&answers(&truth, &predicted, &names), 0.95).unwrap();
        let accuracy = scores.metrics.get("accuracy").unwrap();
        assert_eq!(accuracy.value, 0.7);
        let expected = exact(7, 10, 0.05);
        assert!((accuracy.low - expected.low).abs() < 1e-12);
        assert!((accuracy.high - expected.high).abs() < 1e-12);
        let error = scores.metrics.get("error").unwrap();
        assert!((error.low - (1.0 - accuracy.high)).abs() < 1e-12);
        assert!(scores.metrics.get("roc_auc").is_none());
    }

    #[test]
    fn faultless_answers_are_not_certain() {
        let names = labels(2);
        let truth = [0, 1, 0, 1, 0, 1];
        let p = Matrix::from_fn(6, 2, |i, j| if i % 2 == j { 0.9 } else { 0.1 });
        let mut a = answers(&truth, &truth, &names);
        a.probabilities = Some(&p);
        let scores = scored(&a, 0.95).unwrap();
        for name in [
            "accuracy",
            "balanced_accuracy",
            "macro_f1",
            "mcc",
            "roc_auc",
        ] {
            let metric = scores.metrics.get(name).unwrap();
            assert_eq!((metric.value, metric.high), (1.0, 1.0), "{name}");
            assert!(metric.low < 0.9, "{name} {metric:?}");
        }
        assert!((scores.metrics.get("brier").unwrap().value - 0.01).abs() < 1e-15);
    }

    #[test]
    fn json_has_the_documented_shape() {
        let names = labels(2);
        let scores = scored(&answers(&[0, 1], &[0, 1], &names), 0.9).unwrap();
        let json = serde_json::to_value(&scores).unwrap();
        let accuracy = &json["metrics"]["accuracy"];
        assert_eq!(accuracy["value"], 1.0);
        assert!(accuracy["low"].is_f64() && accuracy["high"].is_f64());
        assert_eq!(json["confusion"]["labels"][1], "c1");
    }

    #[test]
    fn one_row_and_one_class_are_scored() {
        let names = labels(3);
        let p = Matrix::from_vec(1, 3, vec![0.2, 0.5, 0.3]);
        let mut a = answers(&[1], &[1], &names);
        a.probabilities = Some(&p);
        let scores = scored(&a, 0.95).unwrap();
        let loss = scores.metrics.get("log_loss").unwrap();
        assert_eq!((loss.low, loss.high), (0.0, f64::INFINITY));
        assert_eq!(scores.metrics.get("mcc").unwrap().low, -1.0);
        assert_eq!(scores.metrics.get("brier").unwrap().high, 2.0);
    }

    #[test]
    fn wrong_input_is_refused() {
        let names = labels(2);
        let empty = answers(&[], &[], &names);
        assert!(scored(&empty, 0.95).is_err());
        let mut a = answers(&[0, 1], &[0, 1], &names);
        assert!(scored(&a, 1.0).is_err());
        a.weights = Some(&[1.0, -1.0]);
        let text = scored(&a, 0.95).unwrap_err().to_string();
        assert_eq!(text, "row 2 has weight `-1`");
        a.weights = None;
        let p = Matrix::from_vec(2, 2, vec![0.5, 0.5, f64::NAN, 0.5]);
        a.probabilities = Some(&p);
        let text = scored(&a, 0.95).unwrap_err().to_string();
        assert!(text.contains("row 2"), "{text}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn every_interval_holds_its_value(
            rows in prop::collection::vec((0u32..3, 0u32..3, 0u8..4), 2..25), weighted in any::<bool>()
        ) {
            let names = labels(3);
            let truth: Vec<u32> = rows.iter().map(|r| r.0).collect();
            let predicted: Vec<u32> = rows.iter().map(|r| r.1).collect();
            let weights: Vec<f64> = rows.iter().map(|r| f64::from(r.2) + 0.5).collect();
            let mut a = answers(&truth, &predicted, &names);
            if weighted {
                a.weights = Some(&weights);
            }
            let scores = scored(&a, 0.9).unwrap();
            prop_assert_eq!(&scores, &scored(&a, 0.9).unwrap());
            for (name, m) in scores.metrics.iter() {
                prop_assert!(m.low <= m.value && m.value <= m.high, "{} {:?}", name, m);
            }
        }
    }
}
