//! Scores of a regression.

use super::metrics;
use super::scores::{AT_MOST_ONE, NOT_NEGATIVE, check, finite, push_bootstrapped, same_length};
use super::{Metrics, Scores};
use crate::Result;

/// Scores a regression: `rmse`, `mae`, `r2`, `mse`.
///
/// # Errors
/// No rows, lengths that differ, values that are not finite, bad weights, and a confidence
/// outside (0, 1).
pub fn score_regression(
    truth: &[f64],
    predicted: &[f64],
    weights: Option<&[f64]>,
    confidence: f64,
) -> Result<Scores> {
    check(truth.len(), weights, confidence)?;
    same_length("the prediction", predicted.len(), truth.len())?;
    finite("the target", truth.iter().copied(), 1)?;
    finite("the prediction", predicted.iter().copied(), 1)?;
    let all = |w: &[f64]| {
        let mse = metrics::mean_squared_error(truth, predicted, Some(w));
        vec![
            mse.sqrt(),
            metrics::mean_absolute_error(truth, predicted, Some(w)),
            metrics::r_squared(truth, predicted, Some(w)),
            mse,
        ]
    };
    let names = [
        ("rmse", NOT_NEGATIVE),
        ("mae", NOT_NEGATIVE),
        ("r2", AT_MOST_ONE),
        ("mse", NOT_NEGATIVE),
    ];
    let mut found = Metrics::default();
    push_bootstrapped(&mut found, &names, weights, truth.len(), confidence, all);
    Ok(Scores {
        metrics: found,
        confidence,
        rows: truth.len(),
        confusion: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_narrows_with_the_rows() {
        let width = |n: u32| {
            let truth: Vec<f64> = (0..n).map(f64::from).collect();
            let predicted: Vec<f64> = (0..n).map(|i| f64::from(i) + f64::from(i % 5)).collect();
            let scores = score_regression(&truth, &predicted, None, 0.95).unwrap();
            let mae = *scores.metrics.get("mae").unwrap();
            assert_eq!(mae.value, 2.0);
            assert!(mae.low < 2.0 && mae.high > 2.0);
            mae.high - mae.low
        };
        let (few, many) = (width(20), width(2000));
        assert!((few / many - 10.0).abs() < 2.0, "{few} {many}");
    }

    #[test]
    fn a_constant_target_has_no_r_squared() {
        let scores = score_regression(&[1.0, 1.0], &[1.0, 2.0], None, 0.95).unwrap();
        assert!(scores.metrics.get("r2").is_none());
        assert_eq!(scores.metrics.get("mse").unwrap().value, 0.5);
    }

    #[test]
    fn one_row_leaves_the_range_open() {
        let scores = score_regression(&[1.0], &[3.0], None, 0.95).unwrap();
        let json = serde_json::to_value(&scores).unwrap();
        assert_eq!(json["metrics"]["rmse"]["value"], 2.0);
        assert!(json["metrics"]["rmse"]["high"].is_null());
    }

    #[test]
    fn values_that_are_not_finite_are_named() {
        let error = score_regression(&[1.0, 2.0], &[1.0, f64::NAN], None, 0.95).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the prediction of row 2 is not a finite number"
        );
        assert!(score_regression(&[1.0], &[1.0, 2.0], None, 0.95).is_err());
    }
}
