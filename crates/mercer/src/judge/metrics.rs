//! Metrics as plain functions of truth and prediction.
//!
//! Weights count as copies of their rows; `None` means one each. Every function returns NaN
//! where the metric is not defined: without rows, or where its formula divides by zero.
//!
//! The `score_` functions of the parent module check lengths; these panic when they differ.

use mercer_linalg::Matrix;

use super::units::Units;

/// Probabilities are kept this far from 0 before their logarithm is taken, so that one
/// certain wrong prediction costs −ln(2.2e-16) = 36 and not infinity.
const PROBABILITY_FLOOR: f64 = f64::EPSILON;

/// Weighted mean of a value per row; NaN where the weights sum to zero.
pub(crate) fn mean(rows: usize, weights: Option<&[f64]>, value: impl Fn(usize) -> f64) -> f64 {
    assert!(
        weights.is_none_or(|w| w.len() == rows),
        "one weight per row"
    );
    let (mut sum, mut total) = (0.0, 0.0);
    for row in 0..rows {
        let weight = weights.map_or(1.0, |w| w[row]);
        // A weight of zero removes the row, whatever its value.
        if weight > 0.0 {
            sum += weight * value(row);
            total += weight;
        }
    }
    if total > 0.0 { sum / total } else { f64::NAN }
}

/// Weighted variance of a value per row.
pub(crate) fn variance(values: &[f64], weights: Option<&[f64]>) -> f64 {
    let centre = mean(values.len(), weights, |i| values[i]);
    mean(values.len(), weights, |i| (values[i] - centre).powi(2))
}

/// Share of correct predictions.
///
/// # Panics
/// When lengths differ.
pub fn accuracy(truth: &[u32], predicted: &[u32], weights: Option<&[f64]>) -> f64 {
    assert_eq!(truth.len(), predicted.len(), "one prediction per row");
    mean(truth.len(), weights, |i| {
        f64::from(u8::from(truth[i] == predicted[i]))
    })
}

/// Mean of −ln p(true class); one row of probabilities per row, one column per class.
///
/// # Panics
/// When lengths differ.
pub fn log_loss(truth: &[u32], probabilities: &Matrix<f64>, weights: Option<&[f64]>) -> f64 {
    assert_eq!(
        truth.len(),
        probabilities.rows(),
        "probabilities for every row"
    );
    mean(truth.len(), weights, |i| {
        log_loss_row(truth[i], probabilities.row(i))
    })
}

pub(crate) fn log_loss_row(truth: u32, probabilities: &[f64]) -> f64 {
    -probabilities[truth as usize]
        .clamp(PROBABILITY_FLOOR, 1.0)
        .ln()
}

/// Brier score: mean of (1 − p(true class))² for two classes, of Σₖ (pₖ − [k true])² for more.
///
/// Two classes give half the sum over both, the form scikit-learn prints.
///
/// # Panics
/// When lengths differ.
pub fn brier(truth: &[u32], probabilities: &Matrix<f64>, weights: Option<&[f64]>) -> f64 {
    assert_eq!(
        truth.len(),
        probabilities.rows(),
        "probabilities for every row"
    );
    mean(truth.len(), weights, |i| {
        brier_row(truth[i], probabilities.row(i))
    })
}

pub(super) fn brier_row(truth: u32, probabilities: &[f64]) -> f64 {
    if probabilities.len() == 2 {
        return (1.0 - probabilities[truth as usize]).powi(2);
    }
    probabilities
        .iter()
        .enumerate()
        .map(|(k, p)| (p - f64::from(u8::from(k == truth as usize))).powi(2))
        .sum()
}

/// Area under the ROC curve: the chance that a positive row scores above a negative one.
///
/// A tie counts one half, so the result is the Mann–Whitney statistic over the number of pairs.
/// NaN when one side has no rows or a score is NaN.
///
/// # Panics
/// When lengths differ.
pub fn roc_auc(positive: &[bool], scores: &[f64], weights: Option<&[f64]>) -> f64 {
    assert_eq!(positive.len(), scores.len(), "one score per row");
    RankedScores::new(positive, scores).auc(weights)
}

/// Scores sorted once, so that resampling pays no sort.
pub(super) struct RankedScores<'a> {
    positive: &'a [bool],
    scores: &'a [f64],
    order: Vec<usize>,
}

impl<'a> RankedScores<'a> {
    pub(super) fn new(positive: &'a [bool], scores: &'a [f64]) -> Self {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        Self {
            positive,
            scores,
            order,
        }
    }

    pub(super) fn auc(&self, weights: Option<&[f64]>) -> f64 {
        if self.scores.iter().any(|s| s.is_nan()) {
            return f64::NAN;
        }
        let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
        let (mut below, mut positives, mut wins) = (0.0, 0.0, 0.0);
        let mut start = 0;
        while start < self.order.len() {
            let score = self.scores[self.order[start]];
            let (mut tied_positive, mut tied_negative) = (0.0, 0.0);
            let mut end = start;
            while end < self.order.len() && self.scores[self.order[end]] == score {
                let row = self.order[end];
                if self.positive[row] {
                    tied_positive += weight(row);
                } else {
                    tied_negative += weight(row);
                }
                end += 1;
            }
            wins += tied_positive * (below + 0.5 * tied_negative);
            below += tied_negative;
            positives += tied_positive;
            start = end;
        }
        if positives > 0.0 && below > 0.0 {
            wins / (positives * below)
        } else {
            f64::NAN
        }
    }

    /// From the largest score down: what recall each threshold adds, times its precision.
    pub(super) fn average_precision(&self, weights: Option<&[f64]>) -> f64 {
        if self.scores.iter().any(|s| s.is_nan()) {
            return f64::NAN;
        }
        let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
        let (mut found, mut all, mut area) = (0.0, 0.0, 0.0);
        let mut end = self.order.len();
        while end > 0 {
            let score = self.scores[self.order[end - 1]];
            let mut start = end;
            let before = found;
            while start > 0 && self.scores[self.order[start - 1]] == score {
                start -= 1;
                let row = self.order[start];
                all += weight(row);
                found += if self.positive[row] { weight(row) } else { 0.0 };
            }
            if all > 0.0 {
                area += (found - before) * found / all;
            }
            end = start;
        }
        if found > 0.0 { area / found } else { f64::NAN }
    }
}

/// Mean of (y − ŷ)².
///
/// # Panics
/// When lengths differ.
pub fn mean_squared_error(truth: &[f64], predicted: &[f64], weights: Option<&[f64]>) -> f64 {
    assert_eq!(truth.len(), predicted.len(), "one prediction per row");
    mean(truth.len(), weights, |i| (truth[i] - predicted[i]).powi(2))
}

/// Root of the mean of (y − ŷ)².
///
/// # Panics
/// When lengths differ.
pub fn root_mean_squared_error(truth: &[f64], predicted: &[f64], weights: Option<&[f64]>) -> f64 {
    match Units::of([truth, predicted]) {
        Some(units) => {
            let (truth, predicted) = (units.take_out(truth), units.take_out(predicted));
            let root = mean_squared_error(&truth, &predicted, weights).sqrt();
            units.times(root)
        }
        None => mean_squared_error(truth, predicted, weights).sqrt(),
    }
}

/// Mean of |y − ŷ|.
///
/// # Panics
/// When lengths differ.
pub fn mean_absolute_error(truth: &[f64], predicted: &[f64], weights: Option<&[f64]>) -> f64 {
    assert_eq!(truth.len(), predicted.len(), "one prediction per row");
    mean(truth.len(), weights, |i| (truth[i] - predicted[i]).abs())
}

/// Share of the variance explained, 1 − Σ(y−ŷ)²/Σ(y−ȳ)²; NaN where y never varies.
///
/// # Panics
/// When lengths differ.
pub fn r_squared(truth: &[f64], predicted: &[f64], weights: Option<&[f64]>) -> f64 {
    let centre = mean(truth.len(), weights, |i| truth[i]);
    let spread = mean(truth.len(), weights, |i| (truth[i] - centre).powi(2));
    let mut counted = (0..truth.len()).filter(|&i| weights.is_none_or(|w| w[i] > 0.0));
    let first = counted.next();
    let varies = counted.any(|i| first.is_some_and(|k| truth[i] != truth[k]));
    if let Some(units) = Units::of([truth, predicted]).filter(|_| varies) {
        return r_squared(&units.take_out(truth), &units.take_out(predicted), weights);
    }
    if varies && spread > 0.0 {
        1.0 - mean_squared_error(truth, predicted, weights) / spread
    } else {
        f64::NAN
    }
}

/// Area under the curve of precision over recall: Σ (Rₙ − Rₙ₋₁) Pₙ over the thresholds, as scikit-learn has it.
///
/// NaN without positive rows or where a score is NaN.
///
/// # Panics
/// When lengths differ.
pub fn average_precision(positive: &[bool], scores: &[f64], weights: Option<&[f64]>) -> f64 {
    assert_eq!(positive.len(), scores.len(), "one score per row");
    RankedScores::new(positive, scores).average_precision(weights)
}

/// Calibration error: over ten bins of equal width, how far mean probability and share are apart, bins
/// weighed by their rows.
///
/// # Panics
/// When lengths differ.
pub fn calibration_error(predicted: &[f64], came: &[bool], weights: Option<&[f64]>) -> f64 {
    const BINS: usize = 10;
    assert_eq!(predicted.len(), came.len(), "one outcome per row");
    let mut bins = [[0.0; 3]; BINS];
    for (row, (p, came)) in predicted.iter().zip(came).enumerate() {
        let weight = weights.map_or(1.0, |w| w[row]);
        if p.is_nan() {
            return f64::NAN;
        }
        let bin = &mut bins[((p * BINS as f64) as usize).min(BINS - 1)];
        bin[0] += weight;
        bin[1] += weight * p;
        bin[2] += weight * f64::from(u8::from(*came));
    }
    let total: f64 = bins.iter().map(|bin| bin[0]).sum();
    let off: f64 = bins.iter().map(|bin| (bin[1] - bin[2]).abs()).sum();
    if total > 0.0 { off / total } else { f64::NAN }
}

/// Mean of max(0, 1 − y f) with y = ±1; decisions are positive for the positive class.
///
/// # Panics
/// When lengths differ.
pub fn hinge(positive: &[bool], decisions: &[f64], weights: Option<&[f64]>) -> f64 {
    assert_eq!(positive.len(), decisions.len(), "one decision per row");
    mean(positive.len(), weights, |i| {
        let side = if positive[i] { 1.0 } else { -1.0 };
        (1.0 - side * decisions[i]).max(0.0)
    })
}

/// Median of |y − ŷ|; the mean of the two middle ones of an even number.
///
/// # Panics
/// When lengths differ.
pub fn median_absolute_error(truth: &[f64], predicted: &[f64], weights: Option<&[f64]>) -> f64 {
    assert_eq!(truth.len(), predicted.len(), "one prediction per row");
    let weight = |i: usize| weights.map_or(1.0, |w| w[i]);
    let mut errors: Vec<(f64, f64)> = (0..truth.len())
        .filter(|&i| weight(i) > 0.0)
        .map(|i| ((truth[i] - predicted[i]).abs(), weight(i)))
        .collect();
    errors.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = errors.iter().map(|e| e.1).sum();
    let mut below = 0.0;
    for (place, (error, weight)) in errors.iter().enumerate() {
        below += weight;
        // Exactly half of the copies lie at or below: the median is halfway to the next.
        if 2.0 * below == total {
            let next = errors.get(place + 1).map_or(*error, |e| e.0);
            return f64::midpoint(*error, next);
        }
        if 2.0 * below > total {
            return *error;
        }
    }
    f64::NAN
}

/// Largest |y − ŷ| of rows with weight.
///
/// # Panics
/// When lengths differ.
pub fn max_error(truth: &[f64], predicted: &[f64], weights: Option<&[f64]>) -> f64 {
    assert_eq!(truth.len(), predicted.len(), "one prediction per row");
    let counted = (0..truth.len()).filter(|&i| weights.is_none_or(|w| w[i] > 0.0));
    let errors = counted.map(|i| (truth[i] - predicted[i]).abs());
    errors.fold(f64::NAN, f64::max)
}

/// Share of the variance explained, 1 − Var(y − ŷ)/Var(y); NaN where y never varies.
///
/// # Panics
/// When lengths differ.
pub fn explained_variance(truth: &[f64], predicted: &[f64], weights: Option<&[f64]>) -> f64 {
    let errors: Vec<f64> = truth.iter().zip(predicted).map(|(y, f)| y - f).collect();
    if r_squared(truth, predicted, weights).is_nan() {
        return f64::NAN;
    }
    1.0 - variance(&errors, weights) / variance(truth, weights)
}

/// Mean of |y − ŷ|/|y|; a target of 0 counts as the smallest step of a float, as scikit-learn has it.
///
/// # Panics
/// When lengths differ.
pub fn mean_absolute_percentage_error(
    truth: &[f64],
    predicted: &[f64],
    weights: Option<&[f64]>,
) -> f64 {
    assert_eq!(truth.len(), predicted.len(), "one prediction per row");
    mean(truth.len(), weights, |i| {
        (truth[i] - predicted[i]).abs() / truth[i].abs().max(f64::EPSILON)
    })
}

/// Pinball loss of predicted quantiles: the mean of q(y − ŷ) above and (1 − q)(ŷ − y) below.
///
/// # Panics
/// When lengths differ.
pub fn pinball(truth: &[f64], predicted: &[f64], quantile: f64, weights: Option<&[f64]>) -> f64 {
    assert_eq!(truth.len(), predicted.len(), "one prediction per row");
    mean(truth.len(), weights, |i| {
        let error = truth[i] - predicted[i];
        (quantile * error).max((quantile - 1.0) * error)
    })
}

/// Mean interval score: the width, and 2/(1 − level) for every unit that the truth is outside
/// (Gneiting and Raftery, 2007).
///
/// # Panics
/// When lengths differ.
pub fn interval_score(
    truth: &[f64],
    ends: &[[f64; 2]],
    level: f64,
    weights: Option<&[f64]>,
) -> f64 {
    assert_eq!(truth.len(), ends.len(), "one interval per row");
    mean(truth.len(), weights, |i| {
        let [low, high] = ends[i];
        let outside = (low - truth[i]).max(truth[i] - high).max(0.0);
        (high - low) + 2.0 / (1.0 - level) * outside
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Metric = fn(&[f64], &[f64], Option<&[f64]>) -> f64;

    #[test]
    fn regression_by_hand() {
        let (y, f) = ([3.0, -0.5, 2.0, 7.0], [2.5, 0.0, 2.0, 8.0]);
        assert!((mean_squared_error(&y, &f, None) - 0.375).abs() < 1e-15);
        assert!((root_mean_squared_error(&y, &f, None) - 0.375_f64.sqrt()).abs() < 1e-15);
        assert!((mean_absolute_error(&y, &f, None) - 0.5).abs() < 1e-15);
        // Σ(y−ȳ)² = 29.1875, Σ(y−f)² = 1.5.
        assert!((r_squared(&y, &f, None) - (1.0 - 1.5 / 29.1875)).abs() < 1e-15);
        assert!(r_squared(&[0.1, 0.1, 0.1], &[0.0, 0.1, 0.2], None).is_nan());
        assert!(mean_absolute_error(&[], &[], None).is_nan());
    }

    #[test]
    fn rows_without_weight_do_not_vary() {
        let r2 = r_squared(&[3.9, 0.0, 3.9], &[0.0; 3], Some(&[3.0, 0.0, 1.0]));
        assert!(r2.is_nan(), "{r2}");
    }

    #[test]
    fn probabilities_by_hand() {
        let p = Matrix::from_vec(2, 2, vec![0.8, 0.2, 0.4, 0.6]);
        let expected = -(0.8_f64.ln() + 0.6_f64.ln()) / 2.0;
        assert!((log_loss(&[0, 1], &p, None) - expected).abs() < 1e-15);
        assert!((brier(&[0, 1], &p, None) - 0.1).abs() < 1e-15);
        let three = Matrix::from_vec(1, 3, vec![0.5, 0.3, 0.2]);
        assert!((brier(&[1], &three, None) - (0.25 + 0.49 + 0.04)).abs() < 1e-15);
        let certain = Matrix::from_vec(1, 2, vec![1.0, 0.0]);
        assert!((log_loss(&[1], &certain, None) - 36.04).abs() < 0.01);
    }

    #[test]
    fn auc_counts_ties_as_one_half() {
        let positive = [false, false, true, true];
        assert_eq!(roc_auc(&positive, &[0.1, 0.4, 0.35, 0.8], None), 0.75);
        assert_eq!(roc_auc(&positive, &[0.5, 0.5, 0.5, 0.5], None), 0.5);
        assert_eq!(roc_auc(&positive, &[0.1, 0.5, 0.5, 0.9], None), 0.875);
        assert!(roc_auc(&[true, true], &[0.1, 0.2], None).is_nan());
        assert!(roc_auc(&[true, false], &[f64::NAN, 0.2], None).is_nan());
    }

    #[test]
    fn more_metrics_are_scikit_learns() {
        // sklearn 1.7: average_precision_score, hinge_loss, median_absolute_error, max_error,
        // explained_variance_score, mean_absolute_percentage_error, mean_pinball_loss.
        let positive = [false, false, true, true, true];
        let scores = [0.1, 0.4, 0.35, 0.8, 0.4];
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
        near(
            average_precision(&positive, &scores, None),
            1.0 / 3.0 + 1.0 / 3.0 * 2.0 / 3.0 + 1.0 / 3.0 * 3.0 / 4.0,
        );
        near(hinge(&[true, false], &[0.5, -2.0], None), 0.25);
        let (y, f) = ([3.0, -0.5, 2.0, 7.0], [2.5, 0.0, 2.0, 8.0]);
        near(median_absolute_error(&y, &f, None), 0.5);
        near(max_error(&y, &f, None), 1.0);
        near(explained_variance(&y, &f, None), 0.957_173_447_537_473_2);
        near(
            mean_absolute_percentage_error(&y, &f, None),
            0.327_380_952_380_952_4,
        );
        near(
            pinball(&[1.0, 2.0, 3.0], &[0.0, 2.0, 3.0], 0.1, None),
            1.0 / 30.0,
        );
        near(pinball(&[1.0, 2.0, 3.0], &[0.0, 2.0, 3.0], 0.9, None), 0.3);
        near(
            calibration_error(&[0.15, 0.15, 0.95, 0.95], &[false, true, true, true], None),
            0.2,
        );
        near(
            interval_score(&[1.0, 5.0], &[[0.0, 2.0], [1.0, 3.0]], 0.9, None),
            2.0 + 20.0,
        );
        near(
            median_absolute_error(&[1.0, 2.0], &[0.0, 0.0], Some(&[2.0, 1.0])),
            1.0,
        );
    }

    #[test]
    fn zeros_of_either_sign_tie() {
        assert_eq!(roc_auc(&[true, false], &[-0.0, 0.0], None), 0.5);
    }

    proptest! {
        #[test]
        fn auc_is_the_share_of_ordered_pairs(
            rows in prop::collection::vec((any::<bool>(), 0u8..6, 1u8..4), 2..30)
        ) {
            let positive: Vec<bool> = rows.iter().map(|r| r.0).collect();
            let scores: Vec<f64> = rows.iter().map(|r| f64::from(r.1)).collect();
            let weights: Vec<f64> = rows.iter().map(|r| f64::from(r.2)).collect();
            let (mut wins, mut pairs) = (0.0, 0.0);
            for i in 0..rows.len() {
                for j in 0..rows.len() {
                    if positive[i] && !positive[j] {
                        let w = weights[i] * weights[j];
                        pairs += w;
                        if scores[i] > scores[j] {
                            wins += w;
                        } else if scores[i] == scores[j] {
                            wins += w / 2.0;
                        }
                    }
                }
            }
            let found = roc_auc(&positive, &scores, Some(&weights));
            if pairs > 0.0 {
                prop_assert!((found - wins / pairs).abs() < 1e-12);
            } else {
                prop_assert!(found.is_nan());
            }
        }

        #[test]
        fn weights_are_copies(rows in prop::collection::vec((-5.0..5.0f64, -5.0..5.0f64, 0usize..4), 1..20)) {
            let y: Vec<f64> = rows.iter().map(|r| r.0).collect();
            let f: Vec<f64> = rows.iter().map(|r| r.1).collect();
            let w: Vec<f64> = rows.iter().map(|r| r.2 as f64).collect();
            let copies = |v: &[f64]| -> Vec<f64> {
                v.iter().zip(&rows).flat_map(|(&x, r)| std::iter::repeat_n(x, r.2)).collect()
            };
            let (yy, ff) = (copies(&y), copies(&f));
            let kept = w.iter().filter(|&&v| v > 0.0).count();
            // Without rows nothing is defined; R² needs targets that differ.
            for (metric, least) in [(mean_squared_error as Metric, 1), (mean_absolute_error, 1), (r_squared, 2)] {
                let (a, b) = (metric(&y, &f, Some(&w)), metric(&yy, &ff, None));
                if kept < least {
                    prop_assert!(a.is_nan() && b.is_nan(), "{} {}", a, b);
                } else {
                    prop_assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "{} {}", a, b);
                }
            }
        }
    }
}
