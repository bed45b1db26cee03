//! Scores of a regression.

use super::metrics;
use super::scores::{check, finite, push_bootstrapped, same_length};
use super::units::Units;
use super::{Interval, Metric, Metrics, OutputScores, Scores};
use crate::Result;
use crate::fit::FitContext;

/// Scores a regression: `rmse`, `mae`, `r2`, `mse`.
///
/// # Errors
/// No rows, lengths that differ, values that are not finite, bad weights, a confidence outside
/// (0, 1), and cancellation.
pub fn score_regression(
    truth: &[f64],
    predicted: &[f64],
    weights: Option<&[f64]>,
    confidence: f64,
    context: &FitContext,
) -> Result<Scores> {
    check(truth.len(), weights, confidence)?;
    same_length("the prediction", predicted.len(), truth.len())?;
    finite("the target", truth.iter().copied(), 1)?;
    finite("the prediction", predicted.iter().copied(), 1)?;
    if let Some(units) = Units::of([truth, predicted]) {
        let (truth, predicted) = (units.take_out(truth), units.take_out(predicted));
        let mut scores = score_regression(&truth, &predicted, weights, confidence, context)?;
        scores.metrics = units.put_back_all(&scores.metrics);
        return Ok(scores);
    }
    let all = |w: &[f64]| {
        let mse = metrics::mean_squared_error(truth, predicted, Some(w));
        vec![
            mse.sqrt(),
            metrics::mean_absolute_error(truth, predicted, Some(w)),
            metrics::r_squared(truth, predicted, Some(w)),
            mse,
        ]
    };
    let mut found = Metrics::default();
    let rows = truth.len();
    push_bootstrapped(
        &mut found,
        &ranged(),
        weights,
        rows,
        confidence,
        context,
        all,
    )?;
    Ok(Scores {
        metrics: found,
        confidence,
        rows: truth.len(),
        confusion: None,
        outputs: Vec::new(),
    })
}

/// Scores a regression of several outputs: each by itself under its name, and their sum.
///
/// With errors e_k of output k, `mse` is the mean of Σ e_k², `rmse` its root, `mae` the mean of
/// Σ |e_k|, and `r2` the share of the outputs' summed variance that is explained.
///
/// # Errors
/// As [`score_regression`].
pub fn score_several(
    names: &[String],
    truth: &[&[f64]],
    predicted: &[Vec<f64>],
    weights: Option<&[f64]>,
    confidence: f64,
    context: &FitContext,
) -> Result<Scores> {
    let mut outputs = Vec::new();
    for (k, (truth, predicted)) in truth.iter().zip(predicted).enumerate() {
        let scores = score_regression(truth, predicted, weights, confidence, context)?;
        let name = names.get(k).cloned();
        outputs.push(OutputScores {
            name: name.unwrap_or_else(|| (k + 1).to_string()),
            metrics: scores.metrics,
        });
    }
    let rows = truth.first().map_or(0, |first| first.len());
    check(rows, weights, confidence)?;
    let lists = truth.iter().copied();
    let units = Units::of(lists.chain(predicted.iter().map(Vec::as_slice)));
    let inside = |numbers: &[f64]| units.map_or_else(|| numbers.to_vec(), |u| u.take_out(numbers));
    let truth: Vec<Vec<f64>> = truth.iter().map(|t| inside(t)).collect();
    let predicted: Vec<Vec<f64>> = predicted.iter().map(|p| inside(p)).collect();
    let all = |w: &[f64]| {
        let sum = |metric: ErrorOf| -> f64 {
            let pairs = truth.iter().zip(&predicted);
            pairs.map(|(t, p)| metric(t, p, Some(w))).sum()
        };
        let mse = sum(metrics::mean_squared_error);
        let variance: f64 = truth.iter().map(|t| metrics::variance(t, Some(w))).sum();
        vec![
            mse.sqrt(),
            sum(metrics::mean_absolute_error),
            if variance > 0.0 {
                1.0 - mse / variance
            } else {
                f64::NAN
            },
            mse,
        ]
    };
    let mut found = Metrics::default();
    push_bootstrapped(
        &mut found,
        &ranged(),
        weights,
        rows,
        confidence,
        context,
        all,
    )?;
    Ok(Scores {
        metrics: units.map_or_else(|| found.clone(), |u| u.put_back_all(&found)),
        confidence,
        rows,
        confusion: None,
        outputs,
    })
}

/// A mean error of predictions, with weights.
type ErrorOf = fn(&[f64], &[f64], Option<&[f64]>) -> f64;

/// The metrics with their ranges.
fn ranged() -> [(Metric, Interval); 4] {
    let metrics = [Metric::Rmse, Metric::Mae, Metric::R2, Metric::Mse];
    metrics.map(|metric| (metric, metric.entry().range))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(
        truth: &[f64],
        predicted: &[f64],
        weights: Option<&[f64]>,
        confidence: f64,
    ) -> Result<Scores> {
        score_regression(
            truth,
            predicted,
            weights,
            confidence,
            &FitContext::default(),
        )
    }

    #[test]
    fn the_interval_narrows_with_the_rows() {
        let width = |n: u32| {
            let truth: Vec<f64> = (0..n).map(f64::from).collect();
            let predicted: Vec<f64> = (0..n).map(|i| f64::from(i) + f64::from(i % 5)).collect();
            let scores = scored(&truth, &predicted, None, 0.95).unwrap();
            let mae = *scores.metrics.get("mae").unwrap();
            assert_eq!(mae.value, 2.0);
            assert!(mae.low < 2.0 && mae.high > 2.0);
            mae.high - mae.low
        };
        let (few, many) = (width(20), width(2000));
        assert!((few / many - 10.0).abs() < 2.0, "{few} {many}");
    }

    #[test]
    fn several_outputs_add_up() {
        let truth: [&[f64]; 2] = [&[0.0, 1.0, 2.0, 3.0], &[10.0, 0.0, 10.0, 0.0]];
        let predicted = [vec![0.0, 1.0, 2.0, 5.0], vec![9.0, 1.0, 9.0, 1.0]];
        let scores =
            score_several(&[], &truth, &predicted, None, 0.95, &FitContext::default()).unwrap();
        let value = |m: &Metrics, name: &str| m.get(name).unwrap().value;
        assert_eq!(value(&scores.outputs[0].metrics, "mse"), 1.0);
        assert_eq!(value(&scores.outputs[1].metrics, "mse"), 1.0);
        assert_eq!(value(&scores.metrics, "mse"), 2.0);
        assert_eq!(value(&scores.metrics, "mae"), 1.5);
        // Variances 1.25 and 25.
        let expected = 1.0 - 2.0 / 26.25;
        assert!((value(&scores.metrics, "r2") - expected).abs() < 1e-12);
    }

    #[test]
    fn a_constant_target_has_no_r_squared() {
        let scores = scored(&[1.0, 1.0], &[1.0, 2.0], None, 0.95).unwrap();
        assert!(scores.metrics.get("r2").is_none());
        assert_eq!(scores.metrics.get("mse").unwrap().value, 0.5);
    }

    #[test]
    fn numbers_of_any_size_are_scored_alike() {
        let truth = [1.0, 2.0, 4.0, 3.0, 5.0, 2.5];
        let predicted = [1.5, 2.0, 3.0, 3.5, 4.5, 2.0];
        let of = |unit: f64| {
            let [t, p] = [truth, predicted].map(|v| v.map(|v| unit * v));
            scored(&t, &p, None, 0.95).unwrap().metrics
        };
        let plain = of(1.0);
        for unit in [1e-200, 1e153, 1e300] {
            let found = of(unit);
            for (name, power) in [("rmse", unit), ("mae", unit), ("r2", 1.0)] {
                let (own, expected) = (found.get(name).unwrap(), plain.get(name).unwrap());
                for (a, b) in [
                    (own.value, expected.value),
                    (own.low, expected.low),
                    (own.high, expected.high),
                ] {
                    assert!((a / power - b).abs() < 1e-12, "{name} {unit}: {a} {b}");
                }
            }
        }
        let far: Vec<Vec<f64>> = vec![predicted.map(|v| 1e200 * v).to_vec(); 2];
        let true_far = truth.map(|v| 1e200 * v);
        let rows: [&[f64]; 2] = [&true_far, &true_far];
        let several = score_several(&[], &rows, &far, None, 0.95, &FitContext::default()).unwrap();
        let r2 = several.metrics.get("r2").unwrap().value;
        assert!((r2 - plain.get("r2").unwrap().value).abs() < 1e-12);
    }

    #[test]
    fn one_row_leaves_the_range_open() {
        let scores = scored(&[1.0], &[3.0], None, 0.95).unwrap();
        let json = serde_json::to_value(&scores).unwrap();
        assert_eq!(json["metrics"]["rmse"]["value"], 2.0);
        assert!(json["metrics"]["rmse"]["high"].is_null());
    }

    #[test]
    fn values_that_are_not_finite_are_named() {
        let error = scored(&[1.0, 2.0], &[1.0, f64::NAN], None, 0.95).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the prediction of row 2 is not a finite number"
        );
        assert!(scored(&[1.0], &[1.0, 2.0], None, 0.95).is_err());
    }
}
