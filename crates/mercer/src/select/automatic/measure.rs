//! Trials by a metric of the user's choice.
//!
//! Usually trials are compared by the share of wrong classes or the mean squared error, which every
//! trial brings along. Any other metric needs the predictions themselves: each trial learns once
//! more from every fold's training rows, with probabilities, and predicts the others. What is a
//! mean over rows is compared row by row. F1, the Matthews correlation and the area under the ROC
//! curve are not: they are computed from all held-out rows together, and their standard error is
//! that of the jackknife over folds.

use mercer_linalg::{Matrix, Precision};

use super::margin::Part;
use crate::data::{ClassTargets, Dataset, Targets, Task};
use crate::fit::FitContext;
use crate::judge::{ConfusionMatrix, Metric, metrics};
use crate::learn::{AnyEstimator, ClassWeights};
use crate::model::Predictor;
use crate::model::readout::Readout;
use crate::select::folds::{self, Fold};
use crate::{Error, Result};

/// The metrics that trials can be compared by.
pub const METRICS_OF_TRIALS: [Metric; 11] = [
    Metric::Accuracy,
    Metric::BalancedAccuracy,
    Metric::LogLoss,
    Metric::Brier,
    Metric::RocAuc,
    Metric::F1,
    Metric::MacroF1,
    Metric::Mcc,
    Metric::Rmse,
    Metric::Mae,
    Metric::R2,
];

/// Refuses a metric that the targets do not have.
///
/// # Errors
/// A metric of another task, or of two classes where there are others.
pub(super) fn check(metric: Metric, targets: &Targets) -> Result<()> {
    let task = match targets {
        Targets::Classes(_) => Task::Classify,
        _ => Task::Regress,
    };
    let is_number = |m: Metric| matches!(m, Metric::Mse | Metric::Rmse | Metric::Mae | Metric::R2);
    let suits = |m: Metric| is_number(m) == (task == Task::Regress);
    let known = metric == Metric::Mse || METRICS_OF_TRIALS.contains(&metric);
    if !known || !suits(metric) {
        let names = METRICS_OF_TRIALS.iter().filter(|m| suits(**m));
        let names: Vec<&str> = names.map(|m| m.name()).collect();
        return Err(Error::Conflict {
            what: format!("trials for the task `{task}` are not compared by `{metric}`"),
            cure: format!("use one of {}", names.join(", ")).into(),
        });
    }
    let classes = targets.classes().map_or(2, |c| c.labels.len());
    if matches!(metric, Metric::F1 | Metric::RocAuc) && classes != 2 {
        return Err(Error::Conflict {
            what: format!("`{metric}` is for two classes; there are {classes}"),
            cure: "use `macro_f1`, `balanced_accuracy` or `log_loss`".into(),
        });
    }
    Ok(())
}

/// Whether trials bring along what the metric compares.
pub(super) fn is_usual(metric: Option<Metric>) -> bool {
    // Balanced accuracy is accuracy on rows whose weights balance the classes.
    let usual = [
        Metric::Accuracy,
        Metric::BalancedAccuracy,
        Metric::Mse,
        Metric::Rmse,
        Metric::R2,
    ];
    metric.is_none_or(|metric| usual.contains(&metric))
}

/// Whether a metric is a mean over rows.
pub(super) fn is_mean(metric: Metric) -> bool {
    !matches!(
        metric,
        Metric::F1 | Metric::MacroF1 | Metric::Mcc | Metric::RocAuc
    )
}

/// What held-out rows are predicted to be.
pub(super) struct HeldOut {
    pub(super) codes: Vec<u32>,
    /// A row of probabilities for each row; empty for numbers.
    probabilities: Matrix<f64>,
    pub(super) values: Vec<f64>,
}

/// What a trial loses by a metric: a number for each row where the metric is a mean over rows, and
/// for the first row of each fold otherwise; NaN elsewhere.
///
/// # Errors
/// Rows that cannot be learnt from; cancellation, and the end of the time.
pub(super) fn losses(
    metric: Metric,
    estimator: &AnyEstimator,
    class_weights: &ClassWeights,
    part: &Part,
    context: &FitContext,
) -> Result<Vec<f64>> {
    let data = &part.data;
    let mut estimator = estimator.clone();
    estimator.weigh_classes(class_weights);
    if let AnyEstimator::Svc(machine) = &mut estimator {
        machine.probability = true;
    }
    let held = predict(&estimator, part, context)?;
    let rows = || 0..data.len();
    let each: Vec<f64> = match &data.targets {
        Targets::Real(y) => rows().map(|r| (y[r] - held.values[r]).abs()).collect(),
        Targets::Classes(classes) => {
            let own = |r: usize| held.probabilities[(r, classes.codes[r] as usize)];
            match metric {
                Metric::LogLoss => rows().map(|r| -own(r).clamp(1e-15, 1.0).ln()).collect(),
                Metric::Brier => rows()
                    .map(|r| {
                        let p = held.probabilities.row(r);
                        let squares: f64 = p.iter().map(|p| p * p).sum();
                        1.0 - 2.0 * own(r) + squares
                    })
                    .collect(),
                _ => return Ok(by_folds(metric, &held, classes, part)),
            }
        }
        Targets::None | Targets::Several(_) => vec![f64::NAN; data.len()],
    };
    Ok(part.spread(each.into_iter()))
}

/// Learns from the rows outside each fold and predicts those inside.
pub(super) fn predict(
    estimator: &AnyEstimator,
    part: &Part,
    context: &FitContext,
) -> Result<HeldOut> {
    let data = &part.data;
    let classes = data.targets.classes().map_or(0, |c| c.labels.len());
    let mut held = HeldOut {
        codes: vec![0; data.len()],
        probabilities: Matrix::from_fn(data.len(), classes, |_, _| 0.0),
        values: vec![f64::NAN; data.len()],
    };
    folds::each(data, &part.folds, |fold: Fold<'_, Dataset>| -> Result<()> {
        context.check()?;
        if let Some(only) = fold.only_class() {
            for &row in fold.rows {
                held.codes[row] = only;
                held.probabilities[(row, only as usize)] = 1.0;
            }
            return Ok(());
        }
        let fitted = fold.suited(estimator).fit(&fold.train, context, None)?;
        context.check()?;
        let predictor = Predictor::of_form(&fitted.model, Precision::F64)?;
        let decisions = predictor.decisions(&data.records.select(fold.rows), context)?;
        for (place, &row) in fold.rows.iter().enumerate() {
            let decisions = decisions.row(place);
            match fitted.model.readout() {
                Readout::Classes(readout) => {
                    let code = readout.class(decisions);
                    held.codes[row] = fold.code(code);
                    let given = readout.probabilities(decisions);
                    let given = given.unwrap_or_else(|| {
                        let sure = |k: usize| f64::from(u8::from(k == code as usize));
                        (0..readout.labels.len()).map(sure).collect()
                    });
                    for (k, p) in given.into_iter().enumerate() {
                        held.probabilities[(row, fold.code(k as u32) as usize)] = p;
                    }
                }
                _ => held.values[row] = decisions[0],
            }
        }
        Ok(())
    })?;
    Ok(held)
}

/// One minus a score of all rows, spread over the folds: the mean of the numbers is one minus the
/// score, and their standard error that of the jackknife.
///
/// With θ the score of all rows and θ₋ₖ that of the rows outside fold k, number k is
/// 1 − θ − (K − 1)(mean θ₋ − θ₋ₖ).
fn by_folds(metric: Metric, held: &HeldOut, classes: &ClassTargets, part: &Part) -> Vec<f64> {
    let weights = part.data.weights.as_deref();
    let score = |rows: &[usize]| score(metric, held, classes, weights, rows);
    let all: Vec<usize> = (0..part.data.len()).collect();
    let whole = score(&all);
    let folds = part.folds.test.len();
    let without: Vec<f64> = (0..folds).map(|k| score(&part.folds.train(k))).collect();
    let mean = without.iter().sum::<f64>() / folds as f64;
    let mut losses = vec![f64::NAN; part.data.len()];
    for (rows, other) in part.folds.test.iter().zip(&without) {
        if let Some(&first) = rows.first() {
            losses[first] = 1.0 - whole - (folds as f64 - 1.0) * (mean - other);
        }
    }
    part.spread(losses.into_iter())
}

fn score(
    metric: Metric,
    held: &HeldOut,
    classes: &ClassTargets,
    weights: Option<&[f64]>,
    rows: &[usize],
) -> f64 {
    let truth: Vec<u32> = rows.iter().map(|&r| classes.codes[r]).collect();
    let weights: Option<Vec<f64>> = weights.map(|w| rows.iter().map(|&r| w[r]).collect());
    let weights = weights.as_deref();
    if metric == Metric::RocAuc {
        let positive: Vec<bool> = truth.iter().map(|code| *code == 1).collect();
        let scores: Vec<f64> = rows.iter().map(|&r| held.probabilities[(r, 1)]).collect();
        let area = metrics::roc_auc(&positive, &scores, weights);
        return if area.is_nan() { 0.5 } else { area };
    }
    let codes: Vec<u32> = rows.iter().map(|&r| held.codes[r]).collect();
    let table = ConfusionMatrix::try_new(&truth, &codes, weights, &classes.labels);
    let Ok(table) = table else {
        return 0.0;
    };
    match metric {
        Metric::F1 => table.f1(1).unwrap_or(0.0),
        Metric::MacroF1 => table.macro_f1(),
        _ => table.matthews(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Records;
    use crate::learn::margin::Svc;

    fn part() -> Part {
        let wave = |i: usize| ((i * 37) % 101) as f64 / 101.0;
        let x = Matrix::from_fn(120, 2, |i, j| wave(i * (j + 1) + j));
        let label = |i: usize| {
            if wave(i) + 0.4 * wave(7 * i + 3) > 0.7 {
                "q"
            } else {
                "p"
            }
        };
        let labels: Vec<&str> = (0..120).map(label).collect();
        let targets = Targets::Classes(ClassTargets::from_labels(&labels));
        let data = Dataset::try_new(Records::from_points(x), targets).unwrap();
        Part::of(&data, super::super::margin::Bond::None, 120, 5, 0).unwrap()
    }

    fn mean(values: &[f64]) -> f64 {
        let known: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
        known.iter().sum::<f64>() / known.len() as f64
    }

    #[test]
    fn pooled_scores_are_the_mean_of_their_numbers() {
        let (part, context) = (part(), FitContext::default());
        let estimator = AnyEstimator::Svc(Svc::default());
        let equal = ClassWeights::Equal;
        let with_probabilities = Svc {
            probability: true,
            ..Svc::default()
        };
        let held = predict(&AnyEstimator::Svc(with_probabilities), &part, &context).unwrap();
        let classes = part.data.targets.classes().unwrap();
        let all: Vec<usize> = (0..120).collect();
        for metric in [Metric::F1, Metric::MacroF1, Metric::Mcc, Metric::RocAuc] {
            let losses = losses(metric, &estimator, &equal, &part, &context).unwrap();
            assert_eq!(losses.iter().filter(|l| !l.is_nan()).count(), 5);
            let whole = score(metric, &held, classes, None, &all);
            assert!((mean(&losses) - (1.0 - whole)).abs() < 1e-12, "{metric}");
        }
        for metric in [Metric::LogLoss, Metric::Brier] {
            let losses = losses(metric, &estimator, &equal, &part, &context).unwrap();
            assert!(losses.iter().all(|l| l.is_finite()));
        }
        let own = losses(Metric::LogLoss, &estimator, &equal, &part, &context).unwrap();
        let known = metrics::log_loss(&classes.codes, &held.probabilities, None);
        assert!((mean(&own) - known).abs() < 1e-12);
    }

    #[test]
    fn metrics_of_other_tasks_are_refused() {
        let two = Targets::Classes(ClassTargets::from_labels(&["a", "b"]));
        let three = Targets::Classes(ClassTargets::from_labels(&["a", "b", "c"]));
        let numbers = Targets::Real(vec![1.0]);
        assert!(check(Metric::RocAuc, &two).is_ok());
        assert!(check(Metric::RocAuc, &three).is_err());
        assert!(check(Metric::Mae, &two).is_err());
        assert!(check(Metric::Mae, &numbers).is_ok());
        assert!(check(Metric::F1, &numbers).is_err());
        assert!(check(Metric::Acceptance, &two).is_err());
    }
}
