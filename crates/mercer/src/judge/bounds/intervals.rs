//! Intervals for an error rate seen on a test set, and the test sizes they ask for.
//!
//! A model makes `errors` wrong predictions on `n` rows it never saw; ê = errors/n estimates
//! its true error rate e. Three laws bound ê − e with probability at least 1 − δ:
//!
//! | law | P(\|ê−e\| ≥ ε) | size for ε, δ | one side: P(e−ê ≥ ε) | size |
//! |---|---|---|---|---|
//! | Chebyshev, Cantelli | ≤ v/ε² | 1/(4δε²) | ≤ v/(v+ε²) | (1−δ)/(4δε²) |
//! | Chernoff (Hoeffding) | ≤ 2·exp(−2nε²) | ln(2/δ)/(2ε²) | ≤ exp(−2nε²) | ln(1/δ)/(2ε²) |
//! | exact binomial | the binomial law itself | | | |
//!
//! with the variance v = e(1−e)/n. The exact interval is the shortest of the three in practice.
//! The other two show what it costs to know less: Hoeffding forgets the variance, Chebyshev the
//! shape. An interval of one side reaches from 0 to an upper limit, which is all that a promise
//! "at most so many errors" needs.

use serde::Serialize;

use super::arguments::{check_counts, check_open_unit, check_rate};
use crate::special::{beta_quantile, binomial_density};
use crate::{Error, Result};

/// A range that holds the true value with a stated probability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// On which sides an interval limits the error rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sides {
    /// From above and from below.
    #[default]
    Both,
    /// From above only: the lower end is 0.
    Upper,
}

impl Sides {
    /// Reads how many sides there are.
    ///
    /// # Errors
    /// Any number but 1 and 2.
    pub fn of(count: usize) -> Result<Self> {
        match count {
            1 => Ok(Self::Upper),
            2 => Ok(Self::Both),
            _ => Err(Error::setting("sided", count, "1 or 2")),
        }
    }

    /// The part of δ that each side has.
    fn share(self, delta: f64) -> f64 {
        match self {
            Self::Both => delta / 2.0,
            Self::Upper => delta,
        }
    }

    fn interval(self, low: f64, high: f64) -> Interval {
        Interval {
            low: match self {
                Self::Both => low.max(0.0),
                Self::Upper => 0.0,
            },
            high: high.min(1.0),
        }
    }
}

/// Probability of exactly `errors` wrong predictions in `n`: C(n,m)·eᵐ(1−e)ⁿ⁻ᵐ.
///
/// # Errors
/// A rate outside [0, 1], and more errors than rows.
pub fn binomial_probability(errors: usize, n: usize, rate: f64) -> Result<f64> {
    check_counts(errors, n)?;
    check_rate(rate)?;
    Ok(binomial_density(errors as f64, n as f64, rate, 1.0 - rate))
}

/// Mean and variance of a number of errors.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ErrorCount {
    /// n·e.
    pub mean: f64,
    /// n·e(1−e).
    pub variance: f64,
}

/// How many of `n` predictions will be wrong when each is with probability `rate`.
///
/// # Errors
/// A rate outside [0, 1], and no rows.
pub fn error_count(n: usize, rate: f64) -> Result<ErrorCount> {
    check_counts(0, n)?;
    check_rate(rate)?;
    let mean = n as f64 * rate;
    Ok(ErrorCount {
        mean,
        variance: mean * (1.0 - rate),
    })
}

/// Exact binomial interval (Clopper and Pearson 1934).
///
/// The ends solve P(at least `errors` | low) = δ/2 and P(at most `errors` | high) = δ/2, that
/// is low = B⁻¹(δ/2; m, n−m+1) and high = B⁻¹(1−δ/2; m+1, n−m) with the beta quantile B⁻¹; of one
/// side the upper end has all of δ. It covers the true rate with probability at least 1 − δ
/// whatever the rate.
///
/// # Errors
/// δ outside (0, 1), no rows, and more errors than rows.
pub fn binomial_interval(errors: usize, n: usize, delta: f64, sides: Sides) -> Result<Interval> {
    check_counts(errors, n)?;
    check_open_unit("delta", delta)?;
    let share = sides.share(delta);
    let (low, high) = ends(errors as f64, (n - errors) as f64, share);
    Ok(sides.interval(low, high))
}

/// [`binomial_interval`] for arguments known to be in range.
pub(in super::super) fn exact(errors: usize, n: usize, delta: f64) -> Interval {
    let (low, high) = ends(errors as f64, (n - errors) as f64, delta / 2.0);
    Interval { low, high }
}

/// Ends of the exact interval after `wrong` and `right` predictions, which need not be whole;
/// each side has the probability `share`.
fn ends(wrong: f64, right: f64, share: f64) -> (f64, f64) {
    let low = if wrong == 0.0 {
        0.0
    } else {
        beta_quantile(share, wrong, right + 1.0)
    };
    let high = if right == 0.0 {
        1.0
    } else {
        1.0 - beta_quantile(share, right, wrong + 1.0)
    };
    (low, high)
}

/// Chernoff (Hoeffding) interval: ê ± √(ln(2/δ)/(2n)), or up to ê + √(ln(1/δ)/(2n)), cut to [0, 1].
///
/// # Errors
/// δ outside (0, 1), no rows, and more errors than rows.
pub fn chernoff_interval(errors: usize, n: usize, delta: f64, sides: Sides) -> Result<Interval> {
    check_counts(errors, n)?;
    check_open_unit("delta", delta)?;
    let rate = errors as f64 / n as f64;
    let half = (-sides.share(delta).ln() / (2.0 * n as f64)).sqrt();
    Ok(sides.interval(rate - half, rate + half))
}

/// Chebyshev interval; of one side by Cantelli's inequality.
///
/// The law contains the unknown e; solving (ê−e)² ≤ c·e(1−e), c = 1/(nδ), for e gives
/// e ∈ [2ê + c ± √(c² + 4cê(1−ê))]/(2(1+c)). Of one side c = (1−δ)/(nδ).
///
/// # Errors
/// δ outside (0, 1), no rows, and more errors than rows.
pub fn chebyshev_interval(errors: usize, n: usize, delta: f64, sides: Sides) -> Result<Interval> {
    check_counts(errors, n)?;
    check_open_unit("delta", delta)?;
    let rate = errors as f64 / n as f64;
    let c = sides.deviations(delta) / n as f64;
    let root = (c * c + 4.0 * c * rate * (1.0 - rate)).sqrt();
    let end = |root: f64| (2.0 * rate + c + root) / (2.0 * (1.0 + c));
    Ok(sides.interval(end(-root), end(root)))
}

impl Sides {
    /// The square of the standard deviations that Chebyshev's law (of one side Cantelli's) allows.
    fn deviations(self, delta: f64) -> f64 {
        match self {
            Self::Both => 1.0 / delta,
            Self::Upper => (1.0 - delta) / delta,
        }
    }
}

/// Rows a test set needs by Chernoff: the smallest n with 2·exp(−2nε²) ≤ δ, of one side with
/// exp(−2nε²) ≤ δ.
///
/// # Errors
/// ε or δ outside (0, 1).
pub fn chernoff_sample_size(epsilon: f64, delta: f64, sides: Sides) -> Result<u64> {
    check_open_unit("epsilon", epsilon)?;
    check_open_unit("delta", delta)?;
    rows_from(-sides.share(delta).ln() / (2.0 * epsilon * epsilon))
}

/// Rows a test set needs by Chebyshev: the smallest n with 1/(4nε²) ≤ δ; of one side by Cantelli
/// (1−δ)/(4δε²).
///
/// # Errors
/// ε or δ outside (0, 1).
pub fn chebyshev_sample_size(epsilon: f64, delta: f64, sides: Sides) -> Result<u64> {
    check_open_unit("epsilon", epsilon)?;
    check_open_unit("delta", delta)?;
    rows_from(sides.deviations(delta) / (4.0 * epsilon * epsilon))
}

/// The whole number of rows that a size asks for.
pub(super) fn rows_from(size: f64) -> Result<u64> {
    // 2⁵³: beyond it a whole number is no longer exact, and nobody has so many rows.
    const MOST: f64 = 9e15;
    if size.is_nan() || size > MOST {
        return Err(Error::rows(
            format!("this takes {size:.0e} rows, more than can be counted"),
            "ask for a larger epsilon or delta",
        ));
    }
    // 1/(4·0.05·0.1²) is 500 up to rounding; one part in 1e12 must not add a row.
    Ok((size * (1.0 - 1e-12)).ceil().max(1.0) as u64)
}

/// Rows a test set needs so that the exact interval reaches no further than ε from ê, when a share
/// `rate` of the predictions is wrong. Around one half the interval is widest.
///
/// # Errors
/// ε or δ outside (0, 1), a rate outside [0, 1].
pub fn binomial_sample_size(epsilon: f64, delta: f64, rate: f64, sides: Sides) -> Result<u64> {
    check_open_unit("epsilon", epsilon)?;
    check_open_unit("delta", delta)?;
    check_rate(rate)?;
    let share = sides.share(delta);
    let suffices = |n: f64| {
        let (low, high) = ends(n * rate, n * (1.0 - rate), share);
        let below = match sides {
            Sides::Both => rate - low,
            Sides::Upper => 0.0,
        };
        (high - rate).max(below) <= epsilon
    };
    // Hoeffding's bound holds for the exact law, too; its interval is a little wider for few rows.
    let mut high = chernoff_sample_size(epsilon, delta, sides)? as f64;
    while !suffices(high) {
        high *= 2.0;
        rows_from(high)?;
    }
    let mut low = 0.0;
    while high - low > 1.0 {
        let middle = f64::midpoint(low, high).floor();
        if suffices(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(high as u64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(found: Interval, low: f64, high: f64, tolerance: f64) {
        assert!((found.low - low).abs() < tolerance, "{found:?}");
        assert!((found.high - high).abs() < tolerance, "{found:?}");
    }

    #[test]
    fn exact_interval_of_known_cases() {
        // No errors: high = 1 − (δ/2)^{1/n}; 0.3085 for 10 rows is the textbook value.
        let none = binomial_interval(0, 10, 0.05, Sides::Both).unwrap();
        close(none, 0.0, 1.0 - 0.025_f64.powf(0.1), 1e-13);
        close(none, 0.0, 0.308_5, 1e-4);
        let all = binomial_interval(10, 10, 0.05, Sides::Both).unwrap();
        close(all, 0.025_f64.powf(0.1), 1.0, 1e-13);
        // Published tables: 5 of 10 and 1 of 20 at 95 %.
        close(
            binomial_interval(5, 10, 0.05, Sides::Both).unwrap(),
            0.187_086,
            0.812_914,
            1e-6,
        );
        close(
            binomial_interval(1, 20, 0.05, Sides::Both).unwrap(),
            0.001_265,
            0.248_733,
            1e-6,
        );
        let wide = binomial_interval(1_000_000, 4_000_000, 0.05, Sides::Both).unwrap();
        close(wide, 0.25 - 0.000_424_5, 0.25 + 0.000_424_6, 1e-6);
    }

    #[test]
    fn sizes_of_the_course() {
        assert_eq!(chebyshev_sample_size(0.1, 0.05, Sides::Both).unwrap(), 500);
        assert_eq!(chernoff_sample_size(0.1, 0.05, Sides::Both).unwrap(), 185);
        assert_eq!(chernoff_sample_size(0.1, 0.05, Sides::Upper).unwrap(), 150);
        // (1 − 0.05)/(4·0.05·0.01) = 475.
        assert_eq!(chebyshev_sample_size(0.1, 0.05, Sides::Upper).unwrap(), 475);
        assert!(chernoff_sample_size(0.0, 0.05, Sides::Both).is_err());
        assert!(chebyshev_sample_size(0.1, 1.0, Sides::Both).is_err());
    }

    #[test]
    fn twenty_errors_of_two_hundred() {
        let both = Sides::Both;
        let chebyshev = chebyshev_interval(20, 200, 0.05, both).unwrap();
        close(chebyshev, 0.038_874_50, 0.233_852_78, 5e-9);
        let chernoff = chernoff_interval(20, 200, 0.05, both).unwrap();
        close(chernoff, 0.1 - 0.096_032_28, 0.1 + 0.096_032_28, 5e-9);
        let binomial = binomial_interval(20, 200, 0.05, both).unwrap();
        close(binomial, 0.062_159_37, 0.150_212_79, 5e-9);
    }

    #[test]
    fn one_side_has_all_of_delta() {
        // The upper end with δ is that of two sides with 2δ.
        let one = binomial_interval(7, 90, 0.05, Sides::Upper).unwrap();
        let two = binomial_interval(7, 90, 0.1, Sides::Both).unwrap();
        assert_eq!((one.low, one.high), (0.0, two.high));
        let one = chernoff_interval(7, 90, 0.05, Sides::Upper).unwrap();
        let two = chernoff_interval(7, 90, 0.1, Sides::Both).unwrap();
        assert_eq!((one.low, one.high), (0.0, two.high));
        // Cantelli: (e − ê)² = (1−δ)/δ · e(1−e)/n.
        let e = chebyshev_interval(7, 90, 0.05, Sides::Upper).unwrap().high;
        let gap = (e - 7.0 / 90.0).powi(2) - 19.0 * e * (1.0 - e) / 90.0;
        assert!(gap.abs() < 1e-14, "{gap}");
        assert!(Sides::of(3).is_err() && Sides::of(1).unwrap() == Sides::Upper);
    }

    #[test]
    fn exact_sizes_reach_epsilon_and_no_row_fewer_does() {
        for (epsilon, rate) in [(0.1, 0.5), (0.01, 0.05), (0.02, 0.0)] {
            let n = binomial_sample_size(epsilon, 0.05, rate, Sides::Both).unwrap() as f64;
            let reach = |n: f64| {
                let (low, high) = ends(n * rate, n * (1.0 - rate), 0.025);
                (high - rate).max(rate - low)
            };
            assert!(reach(n) <= epsilon && reach(n - 1.0) > epsilon, "{n}");
        }
        // No error in n rows: 1 − δ^{1/n} ≤ ε, the rule of three for δ = 0.05.
        let none = binomial_sample_size(0.01, 0.05, 0.0, Sides::Upper).unwrap();
        assert_eq!(none, 299);
    }

    #[test]
    fn counts_have_mean_and_variance() {
        let count = error_count(200, 0.1).unwrap();
        assert!((count.mean - 20.0).abs() < 1e-12 && (count.variance - 18.0).abs() < 1e-12);
        assert!(error_count(0, 0.1).is_err() && error_count(5, 1.1).is_err());
    }

    #[test]
    fn sizes_beyond_counting_are_refused() {
        assert!(chernoff_sample_size(1e-12, 0.05, Sides::Both).is_err());
        assert!(chebyshev_sample_size(0.5, 1e-300, Sides::Both).is_err());
    }

    #[test]
    fn probability_of_exactly_m_errors() {
        let course = binomial_probability(2, 10, 0.1).unwrap();
        assert!((course - 0.193_710_244_5).abs() < 5e-11);
        let p = binomial_probability(2, 4, 0.5).unwrap();
        assert!((p - 0.375).abs() < 1e-15);
        assert!(binomial_probability(5, 4, 0.5).is_err());
        assert!(binomial_probability(1, 4, f64::NAN).is_err());
    }

    #[test]
    fn wrong_arguments_are_named() {
        let error = binomial_interval(3, 2, 0.05, Sides::Both).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`errors` is `3`; it must be at most n = 2"
        );
        assert!(binomial_interval(0, 0, 0.05, Sides::Both).is_err());
        assert!(chernoff_interval(0, 5, 0.0, Sides::Both).is_err());
    }

    proptest! {
        #[test]
        fn exact_ends_have_half_delta_tails(n in 1usize..120, share in 0.0..1.0f64, delta in 0.01..0.3f64) {
            let errors = (share * (n + 1) as f64) as usize;
            let found = binomial_interval(errors, n, delta, Sides::Both).unwrap();
            let tail = |from: usize, to: usize, rate: f64| -> f64 {
                (from..=to).map(|m| binomial_probability(m, n, rate).unwrap()).sum()
            };
            if errors > 0 {
                prop_assert!((tail(errors, n, found.low) - delta / 2.0).abs() < 1e-9);
            }
            if errors < n {
                prop_assert!((tail(0, errors, found.high) - delta / 2.0).abs() < 1e-9);
            }
        }

        #[test]
        fn intervals_hold_the_estimate_and_chebyshev_solves_its_law(
            n in 1usize..5000, share in 0.0..1.0f64, delta in 0.01..0.5f64,
        ) {
            let errors = (share * n as f64) as usize;
            let rate = errors as f64 / n as f64;
            for interval in [
                binomial_interval(errors, n, delta, Sides::Both).unwrap(),
                chernoff_interval(errors, n, delta, Sides::Both).unwrap(),
                chebyshev_interval(errors, n, delta, Sides::Both).unwrap(),
            ] {
                prop_assert!(interval.low <= rate + 1e-12 && rate <= interval.high + 1e-12);
                prop_assert!(0.0 <= interval.low && interval.high <= 1.0);
            }
            let chebyshev = chebyshev_interval(errors, n, delta, Sides::Both).unwrap();
            for e in [chebyshev.low, chebyshev.high] {
                let gap = (rate - e).powi(2) - e * (1.0 - e) / (n as f64 * delta);
                prop_assert!(gap.abs() < 1e-10);
            }
        }
    }
}
