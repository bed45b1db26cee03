//! What the trials of a search say about the model that it chose.
//!
//! Every trial was evaluated on held-out rows, so that the chosen one has a score without another
//! fit. It was chosen by that score, which flatters it: a score of rows that had no part in the choice is the
//! one to believe.

use super::intervals::exact;
use super::{Baseline, Interval, Metric, Metrics, Scores};
use crate::data::Task;
use crate::fit::{ConstantTrial, FitReport, Trial};
use crate::special::student_quantile;

/// Scores of the chosen trial, and what it gains over a constant; `None` where nothing was tried.
///
/// With `classes`, their number, balanced accuracy is among them where trials were compared by it, or with
/// errors that weigh all classes alike, which is the same.
pub fn of_search(
    report: &FitReport,
    task: Task,
    classes: Option<usize>,
    confidence: f64,
) -> Option<(Scores, Baseline)> {
    let chosen = report.trials().first()?;
    let constant = report.selection.as_ref()?.baseline.as_ref()?;
    let usable = |v: f64| v.is_finite();
    if !(usable(chosen.loss) && usable(constant.loss)) || constant.rows < 2 {
        return None;
    }
    let level = 1.0 - confidence;
    let width = student_quantile(constant.rows as f64 - 1.0, level);
    let around = |value: f64, error: f64| Interval {
        low: value - width * error,
        high: value + width * error,
    };
    let (scores, metric, constants) = match task {
        Task::Classify => {
            let (mut scores, mut constants) = errors(chosen, constant, level, &around);
            if let Some(classes) = classes.filter(|_| counts_alike(report)) {
                let ends = around(1.0 - chosen.loss, chosen.standard_error);
                let ends = Interval {
                    low: ends.low.max(0.0),
                    high: ends.high.min(1.0),
                };
                scores.push(Metric::BalancedAccuracy, 1.0 - chosen.loss, ends);
                constants.push((Metric::BalancedAccuracy, 1.0 / classes as f64));
            }
            (scores, Metric::Error, constants)
        }
        Task::Regress => {
            let (scores, constants) = squares(chosen, constant, &around);
            (scores, Metric::Mse, constants)
        }
        _ => return None,
    };
    let mut gains = Metrics::default();
    let gain = around(constant.behind, constant.behind_error);
    gains.push(metric, constant.behind, gain);
    let scores = Scores {
        metrics: scores,
        confidence,
        rows: constant.rows,
        confusion: None,
        outputs: Vec::new(),
    };
    let baseline = Baseline::evaluated(constant.prediction.clone(), constants, gains);
    Some((scores, baseline))
}

/// Whether the losses of trials count all classes alike.
fn counts_alike(report: &FitReport) -> bool {
    let Some(selection) = &report.selection else {
        return false;
    };
    if let Some(metric) = &selection.metric {
        return metric.parse() == Ok(Metric::BalancedAccuracy);
    }
    let weights = selection.chosen.settings.get("class_weights");
    weights.and_then(|w| w.as_str()) == Some("balanced")
}

type Found = (Metrics, Vec<(Metric, f64)>);

fn errors(
    chosen: &Trial,
    constant: &ConstantTrial,
    level: f64,
    around: &impl Fn(f64, f64) -> Interval,
) -> Found {
    // Trials may be compared with factors on classes; the constant, and how far it is behind, count
    // rows.
    let loss = constant.loss - constant.behind;
    let counts_rows = (loss - chosen.loss).abs() < 1e-9;
    let loss = if counts_rows { chosen.loss } else { loss };
    let error = if counts_rows {
        chosen.standard_error
    } else {
        (loss * (1.0 - loss)).max(0.0).sqrt() / (constant.rows as f64).sqrt()
    };
    let wrong = loss * constant.rows as f64;
    // Weighted rows do not add up to a whole number, and have no exact law.
    let ends = if (wrong - wrong.round()).abs() < 1e-6 {
        exact(wrong.round() as usize, constant.rows, level)
    } else {
        let ends = around(loss, error);
        Interval {
            low: ends.low.max(0.0),
            high: ends.high.min(1.0),
        }
    };
    let mut metrics = Metrics::default();
    let turned = Interval {
        low: 1.0 - ends.high,
        high: 1.0 - ends.low,
    };
    metrics.push(Metric::Accuracy, 1.0 - loss, turned);
    metrics.push(Metric::Error, loss, ends);
    let constants = vec![
        (Metric::Accuracy, 1.0 - constant.loss),
        (Metric::Error, constant.loss),
    ];
    (metrics, constants)
}

/// R² is 1 − l/b with the mean losses l of the model and b of the constant. Their covariance is
/// known from the error of their difference, and the variance of the ratio r is to first order
/// (var l + r² var b − 2 r cov)/b².
fn squares(
    chosen: &Trial,
    constant: &ConstantTrial,
    around: &impl Fn(f64, f64) -> Interval,
) -> Found {
    let root = |mse: f64| mse.max(0.0).sqrt();
    let ends = around(chosen.loss, chosen.standard_error);
    let ends = Interval {
        low: ends.low.max(0.0),
        high: ends.high,
    };
    let mut metrics = Metrics::default();
    let roots = Interval {
        low: root(ends.low),
        high: root(ends.high),
    };
    metrics.push(Metric::Rmse, root(chosen.loss), roots);
    if constant.loss > 0.0 {
        let ratio = chosen.loss / constant.loss;
        let (own, other) = (
            chosen.standard_error.powi(2),
            constant.standard_error.powi(2),
        );
        let together = (own + other - constant.behind_error.powi(2)) / 2.0;
        let variance = own + ratio * ratio * other - 2.0 * ratio * together;
        let error = variance.max(0.0).sqrt() / constant.loss;
        let ends = around(1.0 - ratio, error);
        let ends = Interval {
            low: ends.low,
            high: ends.high.min(1.0),
        };
        metrics.push(Metric::R2, 1.0 - ratio, ends);
    }
    metrics.push(Metric::Mse, chosen.loss, ends);
    let constants = vec![
        (Metric::Rmse, root(constant.loss)),
        (Metric::R2, 0.0),
        (Metric::Mse, constant.loss),
    ];
    (metrics, constants)
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;
    use crate::data::{ClassTargets, Dataset, Records, Targets};
    use crate::fit::FitContext;
    use crate::judge::Verdict;
    use crate::learn::ClassWeights;
    use crate::select::automatic::Automatic;

    fn found(targets: Targets, task: Task) -> (Scores, Baseline) {
        let x = Matrix::from_fn(80, 1, |i, _| i as f64 / 10.0);
        let data = Dataset::try_new(Records::from_points(x), targets).expect("rows");
        let fitted = Automatic::new(task).fit(&data, &FitContext::default());
        of_search(&fitted.expect("a model").report, task, None, 0.95).expect("trials")
    }

    #[test]
    fn classes_that_can_be_told() {
        let names: Vec<&str> = (0..80).map(|i| if i < 50 { "a" } else { "b" }).collect();
        let targets = Targets::Classes(ClassTargets::from_labels(&names));
        let (scores, baseline) = found(targets, Task::Classify);
        assert_eq!(baseline.verdict, Verdict::Better);
        assert_eq!(baseline.of(Metric::Accuracy), Some(0.625));
        let accuracy = scores.metrics.of(Metric::Accuracy).expect("a score");
        assert!(accuracy.value > 0.9 && accuracy.low < accuracy.value);
    }

    #[test]
    fn factors_of_classes_are_no_rows() {
        let names: Vec<&str> = (0..80)
            .map(|i| if i % 10 == 0 { "b" } else { "a" })
            .collect();
        let targets = Targets::Classes(ClassTargets::from_labels(&names));
        let x = Matrix::from_fn(80, 1, |i, _| ((i * 37) % 80) as f64 / 10.0);
        let data = Dataset::try_new(Records::from_points(x), targets).expect("rows");
        let given = [("b".to_owned(), 7.3)].into_iter().collect();
        let mut machine = Automatic::new(Task::Classify);
        for class_weights in [ClassWeights::Given(given), ClassWeights::Balanced] {
            machine.class_weights = class_weights;
            let fitted = machine.fit(&data, &FitContext::default()).expect("a model");
            let found = of_search(&fitted.report, Task::Classify, Some(2), 0.95);
            let (scores, baseline) = found.expect("trials");
            let balanced = machine.class_weights == ClassWeights::Balanced;
            let always = baseline.of(Metric::BalancedAccuracy);
            assert_eq!(always, balanced.then_some(0.5));
            let evaluated = baseline.clone().by(Metric::BalancedAccuracy, &scores);
            assert_eq!(evaluated.judged_by == Metric::BalancedAccuracy, balanced);
            assert_eq!(baseline.of(Metric::Accuracy), Some(0.9));
            let right = 80.0 * scores.metrics.of(Metric::Accuracy).expect("a score").value;
            assert!((right - right.round()).abs() < 1e-9, "{right}");
        }
    }

    #[test]
    fn numbers_in_any_unit() {
        for unit in [1.0, 1e6] {
            let y = (0..80).map(|i| unit * (3.0 + f64::from(i % 40))).collect();
            let (scores, baseline) = found(Targets::Real(y), Task::Regress);
            assert_eq!(baseline.verdict, Verdict::Better);
            // Whole numbers 3 to 42, twice: the standard deviation is √((40² − 1)/12).
            let spread = baseline.of(Metric::Rmse).expect("a constant") / unit;
            assert!(
                (spread - (1599.0_f64 / 12.0).sqrt()).abs() < 1e-6,
                "{spread}"
            );
            let r2 = scores.metrics.of(Metric::R2).expect("a score");
            assert!(r2.low < r2.value && r2.value <= r2.high && r2.value > 0.2);
        }
    }
}
