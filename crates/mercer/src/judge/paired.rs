//! Two models on the same folds: is the difference more than chance?
//!
//! Scores of folds are not independent, since their training parts overlap. Nadeau and Bengio put
//! the variance of the mean of J differences at
//!
//! ```text
//! (1/J + n₂/n₁)·s²
//! ```
//!
//! with s² their sample variance, n₁ rows of a training part and n₂ of a test part. Student's test
//! with it has its level where folds are repeated, and is careful where they are not. Under a flat
//! prior the same law, with J − 1 degrees of freedom, is the posterior of the expected difference
//! (Corani and Benavoli), so that the probability of a difference that matters can be told, and of
//! none.
//!
//! # References
//! Nadeau and Bengio, Inference for the generalization error, 2003. Corani and Benavoli, A Bayesian
//! approach for comparing cross-validated algorithms on multiple data sets, 2015.

use serde::Serialize;

use super::units::Units;
use crate::special::{beta_cdf, student_quantile};

/// What the scores of two models on the same folds tell of their difference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Paired {
    /// Mean difference over the folds.
    pub difference: f64,
    /// Its standard error, overlapping training parts taken into account.
    pub standard_error: f64,
    /// Probability of a difference as large where the two are equally good.
    pub p_value: f64,
    /// Probability that the first is better by more than what matters.
    pub better: f64,
    /// Probability that the two differ by less than what matters.
    pub equal: f64,
    /// Probability that the first is worse by more than what matters.
    pub worse: f64,
}

/// Fewer differences have no spread to speak of.
const FEWEST: usize = 3;

impl Paired {
    /// Judges differences of scores, larger is better, fold by fold.
    ///
    /// `ratio` is the number of test rows to one training row of a fold, `margin` the difference from
    /// which on it matters. `None` where there are too few differences, or one is not finite.
    pub fn of(differences: &[f64], ratio: f64, margin: f64) -> Option<Self> {
        let count = differences.len();
        if count < FEWEST || differences.iter().any(|d| !d.is_finite()) {
            return None;
        }
        if let Some(units) = Units::of([differences]) {
            let inside = units.take_out(&[margin])[0];
            let found = Self::of(&units.take_out(differences), ratio, inside)?;
            return Some(Self {
                difference: units.times(found.difference),
                standard_error: units.times(found.standard_error),
                ..found
            });
        }
        let n = count as f64;
        let mean = differences.iter().sum::<f64>() / n;
        let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
        let standard_error = ((1.0 / n + ratio) * squares / (n - 1.0)).sqrt();
        // P(expected difference > x).
        let above = |x: f64| {
            if standard_error > 0.0 {
                student_above((x - mean) / standard_error, n - 1.0)
            } else {
                f64::from(u8::from(mean > x))
            }
        };
        let p_value = if standard_error > 0.0 {
            2.0 * student_above(mean.abs() / standard_error, n - 1.0)
        } else {
            f64::from(u8::from(mean == 0.0))
        };
        let (better, not_worse) = (above(margin), above(-margin));
        Some(Self {
            difference: mean,
            standard_error,
            p_value,
            better,
            equal: (not_worse - better).max(0.0),
            worse: 1.0 - not_worse,
        })
    }
}

/// The mean of the scores of folds, with the interval of what another set of rows would give.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FoldMean {
    /// Mean over the folds.
    pub mean: f64,
    /// Standard deviation over the folds.
    pub deviation: f64,
    /// Lower end of the interval, overlapping training parts taken into account.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Averages the scores of folds; `None` where there are fewer than two, or one is not finite.
///
/// `ratio` is the number of test rows to one training row of a fold.
pub fn fold_mean(scores: &[f64], ratio: f64, confidence: f64) -> Option<FoldMean> {
    let n = scores.len() as f64;
    if scores.len() < 2 || scores.iter().any(|s| !s.is_finite()) {
        return None;
    }
    if let Some(units) = Units::of([scores]) {
        let found = fold_mean(&units.take_out(scores), ratio, confidence)?;
        return Some(FoldMean {
            mean: units.times(found.mean),
            deviation: units.times(found.deviation),
            low: units.times(found.low),
            high: units.times(found.high),
        });
    }
    let mean = scores.iter().sum::<f64>() / n;
    let variance = scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let error = ((1.0 / n + ratio) * variance).sqrt();
    let half = student_quantile(n - 1.0, 1.0 - confidence) * error;
    Some(FoldMean {
        mean,
        deviation: variance.sqrt(),
        low: mean - half,
        high: mean + half,
    })
}

/// P(T > t) under ν degrees of freedom: ν/(ν + T²) has the law B(ν/2, 1/2).
fn student_above(t: f64, freedom: f64) -> f64 {
    let both = beta_cdf(freedom / (freedom + t * t), freedom / 2.0, 0.5);
    if t > 0.0 {
        both / 2.0
    } else {
        1.0 - both / 2.0
    }
}

/// Raises the p-values of several comparisons so that the chance of any false one keeps its level
/// (Holm 1979).
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut raised = vec![0.0; p_values.len()];
    let mut least = 0.0_f64;
    for (place, &k) in order.iter().enumerate() {
        let factor = (p_values.len() - place) as f64;
        least = least.max((p_values[k] * factor).min(1.0));
        raised[k] = least;
    }
    raised
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    }

    #[test]
    fn the_mean_of_folds_has_a_careful_interval() {
        let found = fold_mean(&[0.8, 0.9, 0.85, 0.95, 0.9], 0.25, 0.95).unwrap();
        near(found.mean, 0.88);
        // scipy: t.ppf(0.975, 4) = 2.7764451051977987; s² = 0.00325.
        let half = 2.776_445_105_197_798_7 * (0.45_f64 * 0.003_25).sqrt();
        near(found.high - found.mean, half);
        let far = fold_mean(&[0.8e200, 0.9e200, 0.85e200, 0.95e200, 0.9e200], 0.25, 0.95).unwrap();
        near((far.high - far.mean) / 1e200, half);
        assert!(fold_mean(&[0.5], 0.2, 0.95).is_none());
        assert!(fold_mean(&[0.5, f64::NAN], 0.2, 0.95).is_none());
    }

    #[test]
    fn students_tails_are_scipys() {
        // scipy.stats.t.sf
        near(student_above(1.0, 4.0), 0.186_950_483_150_029_43);
        near(student_above(-0.5, 9.0), 0.685_464_350_086_986_8);
        near(student_above(0.0, 3.0), 0.5);
        near(student_above(12.706_204_736_432_095, 1.0), 0.025);
    }

    #[test]
    fn few_or_undefined_differences_tell_nothing() {
        assert_eq!(Paired::of(&[0.1, 0.2], 0.1, 0.01), None);
        assert_eq!(Paired::of(&[0.1, f64::NAN, 0.2], 0.1, 0.01), None);
    }

    #[test]
    fn equal_scores_are_equal_and_equal_differences_are_certain() {
        let none = Paired::of(&[0.0; 10], 1.0 / 9.0, 0.01).expect("ten folds");
        assert_eq!((none.p_value, none.equal, none.better), (1.0, 1.0, 0.0));
        let some = Paired::of(&[0.125; 10], 1.0 / 9.0, 0.01).expect("ten folds");
        assert_eq!((some.p_value, some.better, some.worse), (0.0, 1.0, 0.0));
    }

    #[test]
    fn a_worked_case() {
        // NumPy and SciPy: tests/data/oracle/paired.py.
        let differences = [0.02, 0.05, -0.01, 0.03, 0.04, 0.0, 0.06, 0.01, 0.02, 0.03];
        let found = Paired::of(&differences, 1.0 / 9.0, 0.01).expect("ten folds");
        near(found.difference, 0.025);
        near(found.standard_error, ORACLE[0]);
        near(found.p_value, ORACLE[1]);
        near(found.better, ORACLE[2]);
        near(found.equal, ORACLE[3]);
        near(found.worse, ORACLE[4]);
    }

    const ORACLE: [f64; 5] = [
        0.009_984_555_975_339_681,
        0.033_647_657_061_130_97,
        0.916_369_230_719_276_1,
        0.080_297_511_984_653_8,
        0.003_333_257_296_070_136_3,
    ];

    #[test]
    fn holms_factors_fall() {
        assert_eq!(holm(&[0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]);
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    /// About normal: twelve uniform numbers.
    fn normal(rng: &mut ChaCha8Rng) -> f64 {
        let uniform = |_| rng.next_u32() as f64 / f64::from(u32::MAX);
        (0..12).map(uniform).sum::<f64>() - 6.0
    }

    /// Share of right signs on test rows of ⟨x − middle, difference of class means⟩ in some columns.
    fn nearest_mean(x: &[[f64; 6]], y: &[f64], fold: &[usize], k: usize, from: usize) -> f64 {
        let mut means = [[0.0; 3]; 2];
        let mut counts = [0.0; 2];
        for i in (0..y.len()).filter(|&i| fold[i] != k) {
            let class = usize::from(y[i] > 0.0);
            counts[class] += 1.0;
            for c in 0..3 {
                means[class][c] += x[i][from + c];
            }
        }
        for (mean, count) in means.iter_mut().zip(counts) {
            mean.iter_mut().for_each(|m| *m /= count);
        }
        let test: Vec<usize> = (0..y.len()).filter(|&i| fold[i] == k).collect();
        let right = test.iter().filter(|&&i| {
            let side: f64 = (0..3)
                .map(|c| {
                    let middle = f64::midpoint(means[0][c], means[1][c]);
                    (x[i][from + c] - middle) * (means[1][c] - means[0][c])
                })
                .sum();
            (side > 0.0) == (y[i] > 0.0)
        });
        right.count() as f64 / test.len() as f64
    }

    #[test]
    fn the_level_is_kept_over_a_thousand_draws() {
        // Two learners of equal worth: each sees three of six columns that are alike.
        const ROWS: usize = 60;
        const FOLDS: usize = 10;
        const REPEATS: usize = 5;
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let y: Vec<f64> = (0..ROWS)
            .map(|i| if i % 2 == 0 { 1.0 } else { -1.0 })
            .collect();
        let mut rejected = 0;
        for _ in 0..1000 {
            let x: Vec<[f64; 6]> = y
                .iter()
                .map(|y| std::array::from_fn(|_| normal(&mut rng) + 0.3 * y))
                .collect();
            let mut differences = Vec::new();
            for _ in 0..REPEATS {
                let mut fold: Vec<usize> = (0..ROWS).map(|i| i % FOLDS).collect();
                for i in (1..ROWS).rev() {
                    fold.swap(i, rng.next_u32() as usize % (i + 1));
                }
                for k in 0..FOLDS {
                    let of = |from| nearest_mean(&x, &y, &fold, k, from);
                    differences.push(of(0) - of(3));
                }
            }
            let ratio = 1.0 / (FOLDS as f64 - 1.0);
            let found = Paired::of(&differences, ratio, 0.01).expect("folds");
            rejected += usize::from(found.p_value < 0.05);
        }
        assert!((35..=65).contains(&rejected), "{rejected} of 1000");
    }
}
