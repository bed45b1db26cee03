//! Classes that a model hardly ever predicts.

use super::{Metric, Scores};
use crate::fit::{Warning, WarningCode};

/// Rows of a class below which a recall of 0 says nothing.
const FEWEST_ROWS: f64 = 2.0;
/// Balanced accuracy of two classes up to which one of them is hardly ever predicted.
const HARDLY: f64 = 0.55;
/// Area under the ROC curve from which on the ranking is worth a better threshold.
const RANKED: f64 = 0.65;
/// Area below which there is nothing to be heard: another threshold would not help.
const NOTHING: f64 = 0.55;

/// Tells of classes that are never predicted, or of two classes told apart by rank and hardly by
/// label: other weights of the classes move the border between them.
pub fn unheard(scores: &Scores, target: &str) -> Option<Warning> {
    let confusion = scores.confusion.as_ref()?;
    let labels = confusion.labels();
    let area = scores.metrics.of(Metric::RocAuc).map(|s| s.value);
    if labels.len() < 2 || area.is_some_and(|area| area < NOTHING) {
        return None;
    }
    let never =
        |k: &usize| confusion.truths(*k) >= FEWEST_ROWS && confusion.recall(*k) == Some(0.0);
    let unheard: Vec<usize> = (0..labels.len()).filter(never).collect();
    let text = match &unheard[..] {
        [] => {
            let balanced = confusion.balanced_accuracy();
            if labels.len() > 2 || balanced > HARDLY || area.is_none_or(|area| area < RANKED) {
                return None;
            }
            format!(
                "the rows are ranked better than they are labelled: the classes of `{target}` are told apart with a balanced accuracy of {balanced:.3} only"
            )
        }
        [one] => format!("class `{}` of `{target}` is never predicted", labels[*one]),
        several => {
            let names: Vec<&String> = several.iter().map(|k| &labels[*k]).collect();
            let names = crate::fit::listed(&names);
            format!("classes {names} of `{target}` are never predicted")
        }
    };
    let rows: f64 = unheard.iter().map(|k| confusion.truths(*k)).sum();
    let warning = Warning::new(WarningCode::UnheardClass, text).columns([target]);
    Some(warning.rows(rows as usize))
}

#[cfg(test)]
mod tests {
    use super::super::{ConfusionMatrix, Interval, Metrics};
    use super::*;

    fn scores(counts: [[usize; 2]; 2], area: Option<f64>) -> Scores {
        let (mut truth, mut predicted) = (Vec::new(), Vec::new());
        for (t, row) in counts.iter().enumerate() {
            for (p, count) in row.iter().enumerate() {
                truth.extend(std::iter::repeat_n(t as u32, *count));
                predicted.extend(std::iter::repeat_n(p as u32, *count));
            }
        }
        let labels = ["no".to_owned(), "yes".to_owned()];
        let confusion = ConfusionMatrix::try_new(&truth, &predicted, None, &labels).unwrap();
        let mut metrics = Metrics::default();
        if let Some(value) = area {
            let range = Interval {
                low: value,
                high: value,
            };
            metrics.push(Metric::RocAuc, value, range);
        }
        Scores {
            metrics,
            confidence: 0.95,
            rows: truth.len(),
            confusion: Some(confusion),
            outputs: Vec::new(),
        }
    }

    #[test]
    fn classes_that_are_never_predicted_are_named() {
        let told = |counts, area| unheard(&scores(counts, area), "churn").map(|w| w.text);
        let never = told([[115, 0], [3, 0]], Some(0.8)).unwrap();
        assert_eq!(never, "class `yes` of `churn` is never predicted");
        assert_eq!(told([[115, 0], [3, 0]], Some(0.5)), None);
        assert_eq!(told([[115, 0], [0, 0]], None), None);
        assert_eq!(told([[100, 15], [5, 10]], Some(0.8)), None);
        let hardly = told([[115, 1], [19, 1]], Some(0.8)).unwrap();
        assert!(hardly.contains("balanced accuracy of 0.52"), "{hardly}");
        assert_eq!(told([[115, 1], [19, 1]], Some(0.6)), None);
    }
}
