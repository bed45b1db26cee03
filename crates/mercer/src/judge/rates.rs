//! Intervals of balanced accuracy and of the area under the ROC curve.

use super::intervals::exact;
use super::metric::UNIT;
use super::{ConfusionMatrix, Interval};
use crate::special::normal_quantile;

/// Mean recall and its interval.
///
/// Recalls are independent binomial shares rᵢ in [lᵢ, uᵢ]; their mean lies in
/// r̄ − √Σ(rᵢ−lᵢ)²/K … r̄ + √Σ(uᵢ−rᵢ)²/K (Zou and Donner 2008, square-and-add).
pub(super) fn balanced(confusion: &ConfusionMatrix, delta: f64) -> (f64, Interval) {
    let (mut down, mut up, mut classes) = (0.0, 0.0, 0.0);
    for class in 0..confusion.labels().len() {
        if let Some(recall) = confusion.recall(class) {
            let right = confusion.count(class, class) as usize;
            let interval = exact(right, confusion.truths(class) as usize, delta);
            down += (recall - interval.low).powi(2);
            up += (interval.high - recall).powi(2);
            classes += 1.0;
        }
    }
    let value = confusion.balanced_accuracy();
    let interval = Interval {
        low: (value - down.sqrt() / classes).max(0.0),
        high: (value + up.sqrt() / classes).min(1.0),
    };
    (value, interval)
}

/// Interval of an area under the ROC curve (Newcombe 2006, method 5).
///
/// The ends θ solve |θ̂ − θ| = z·√V(θ) with
/// V(θ) = θ(1−θ)·(1 + s(1−θ)/(2−θ) + sθ/(1+θ))/(mn), s = (m+n)/2 − 1.
pub(super) fn auc_interval(auc: f64, positive: &[bool], confidence: f64) -> Interval {
    if auc.is_nan() {
        return UNIT;
    }
    let m = positive.iter().filter(|&&p| p).count() as f64;
    let n = positive.len() as f64 - m;
    let s = f64::midpoint(m, n) - 1.0;
    let z = normal_quantile(0.5 + confidence / 2.0);
    let excess = |theta: f64| {
        let variance = theta * (1.0 - theta) / (m * n)
            * (1.0 + s * (1.0 - theta) / (2.0 - theta) + s * theta / (1.0 + theta));
        (auc - theta).abs() - z * variance.max(0.0).sqrt()
    };
    // Outside the interval the excess is positive, at the estimate it is not.
    let solve = |mut outside: f64| {
        let mut inside = auc;
        for _ in 0..100 {
            let middle = f64::midpoint(outside, inside);
            if excess(middle) > 0.0 {
                outside = middle;
            } else {
                inside = middle;
            }
        }
        inside
    };
    Interval {
        low: solve(0.0),
        high: solve(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn area_interval_of_a_published_case() {
        let positive: Vec<bool> = (0..58 + 51).map(|i| i < 51).collect();
        let found = auc_interval(0.893, &positive, 0.95);
        // Hanley and McNeil's own example (51 abnormal, 58 normal): standard error 0.032,
        // so that the plain normal ends are 0.830 and 0.956; the score form moves both down.
        assert!((found.low - 0.82).abs() < 0.015, "{found:?}");
        assert!((found.high - 0.94).abs() < 0.015, "{found:?}");
    }

    #[test]
    fn area_one_is_not_certain() {
        let found = auc_interval(1.0, &[true, true, true, false, false, false], 0.95);
        assert_eq!(found.high, 1.0);
        assert!(found.low > 0.3 && found.low < 0.9, "{found:?}");
        let zero = auc_interval(0.0, &[true, false], 0.95);
        assert_eq!(zero.low, 0.0);
    }

    #[test]
    fn one_class_alone_has_its_binomial_interval() {
        let labels = ["a".to_owned()];
        let table = ConfusionMatrix::try_new(&[0; 8], &[0; 8], None, &labels).unwrap();
        let (value, interval) = balanced(&table, 0.05);
        assert_eq!(value, 1.0);
        assert!((interval.low - exact(8, 8, 0.05).low).abs() < 1e-12);
    }
}
