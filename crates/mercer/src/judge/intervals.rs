//! Intervals for an error rate seen on a test set, and the test sizes they ask for.
//!
//! A model makes `errors` wrong predictions on `n` rows it never saw; ê = errors/n estimates
//! its true error rate e. Three laws bound |ê − e| with probability at least 1 − δ:
//!
//! | law | P(|ê−e| ≥ ε) | size of the test set for ε, δ |
//! |---|---|---|
//! | Chebyshev | ≤ e(1−e)/(nε²) | 1/(4δε²) |
//! | Chernoff (Hoeffding) | ≤ 2·exp(−2nε²) | ln(2/δ)/(2ε²) |
//! | exact binomial | from the binomial law itself | |
//!
//! The exact interval is the shortest of the three in practice. The other two show what it
//! costs to know less: Hoeffding forgets the variance, Chebyshev the shape.

use serde::Serialize;

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

fn check_counts(errors: usize, n: usize) -> Result<()> {
    if n == 0 {
        return Err(Error::setting("n", n, "at least 1"));
    }
    if errors > n {
        return Err(Error::setting(
            "errors",
            errors,
            &format!("at most n = {n}"),
        ));
    }
    Ok(())
}

fn check_open_unit(name: &str, value: f64) -> Result<()> {
    if value > 0.0 && value < 1.0 {
        Ok(())
    } else {
        Err(Error::setting(
            name,
            value,
            "between 0 and 1, both excluded",
        ))
    }
}

/// Probability of exactly `errors` wrong predictions in `n`: C(n,m)·eᵐ(1−e)ⁿ⁻ᵐ.
///
/// # Errors
/// A rate outside [0, 1], and more errors than rows.
pub fn binomial_probability(errors: usize, n: usize, rate: f64) -> Result<f64> {
    check_counts(errors, n)?;
    if !(0.0..=1.0).contains(&rate) {
        return Err(Error::setting("rate", rate, "between 0 and 1"));
    }
    Ok(binomial_density(errors as f64, n as f64, rate, 1.0 - rate))
}

/// Exact binomial interval (Clopper and Pearson 1934).
///
/// The ends solve P(at least `errors` | low) = δ/2 and P(at most `errors` | high) = δ/2, that
/// is low = B⁻¹(δ/2; m, n−m+1) and high = B⁻¹(1−δ/2; m+1, n−m) with the beta quantile B⁻¹.
/// It covers the true rate with probability at least 1 − δ whatever the rate.
///
/// # Errors
/// δ outside (0, 1), no rows, and more errors than rows.
pub fn binomial_interval(errors: usize, n: usize, delta: f64) -> Result<Interval> {
    check_counts(errors, n)?;
    check_open_unit("delta", delta)?;
    Ok(exact(errors, n, delta))
}

/// [`binomial_interval`] for arguments known to be in range.
pub(super) fn exact(errors: usize, n: usize, delta: f64) -> Interval {
    let (m, rest) = (errors as f64, (n - errors) as f64);
    let low = if errors == 0 {
        0.0
    } else {
        beta_quantile(delta / 2.0, m, rest + 1.0)
    };
    let high = if errors == n {
        1.0
    } else {
        1.0 - beta_quantile(delta / 2.0, rest, m + 1.0)
    };
    Interval { low, high }
}

/// Chernoff (Hoeffding) interval: ê ± √(ln(2/δ)/(2n)), cut to [0, 1].
///
/// # Errors
/// δ outside (0, 1), no rows, and more errors than rows.
pub fn chernoff_interval(errors: usize, n: usize, delta: f64) -> Result<Interval> {
    check_counts(errors, n)?;
    check_open_unit("delta", delta)?;
    let rate = errors as f64 / n as f64;
    let half = ((2.0 / delta).ln() / (2.0 * n as f64)).sqrt();
    Ok(Interval {
        low: (rate - half).max(0.0),
        high: (rate + half).min(1.0),
    })
}

/// Chebyshev interval.
///
/// The law contains the unknown e; solving (ê−e)² ≤ c·e(1−e), c = 1/(nδ), for e gives
/// e ∈ [2ê + c ± √(c² + 4cê(1−ê))]/(2(1+c)).
///
/// # Errors
/// δ outside (0, 1), no rows, and more errors than rows.
pub fn chebyshev_interval(errors: usize, n: usize, delta: f64) -> Result<Interval> {
    check_counts(errors, n)?;
    check_open_unit("delta", delta)?;
    let rate = errors as f64 / n as f64;
    let c = 1.0 / (n as f64 * delta);
    let root = (c * c + 4.0 * c * rate * (1.0 - rate)).sqrt();
    Ok(Interval {
        low: ((2.0 * rate + c - root) / (2.0 * (1.0 + c))).max(0.0),
        high: ((2.0 * rate + c + root) / (2.0 * (1.0 + c))).min(1.0),
    })
}

/// Rows a test set needs by Chernoff: the smallest n with 2·exp(−2nε²) ≤ δ.
///
/// # Errors
/// ε or δ outside (0, 1).
pub fn chernoff_sample_size(epsilon: f64, delta: f64) -> Result<u64> {
    check_open_unit("epsilon", epsilon)?;
    check_open_unit("delta", delta)?;
    Ok(((2.0 / delta).ln() / (2.0 * epsilon * epsilon)).ceil() as u64)
}

/// Rows a test set needs by Chebyshev: the smallest n with 1/(4nε²) ≤ δ.
///
/// # Errors
/// ε or δ outside (0, 1).
pub fn chebyshev_sample_size(epsilon: f64, delta: f64) -> Result<u64> {
    check_open_unit("epsilon", epsilon)?;
    check_open_unit("delta", delta)?;
    let size = 1.0 / (4.0 * delta * epsilon * epsilon);
    // 1/(4·0.05·0.1²) is 500 up to rounding; one part in 1e12 must not add a row.
    Ok((size * (1.0 - 1e-12)).ceil() as u64)
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
        let none = binomial_interval(0, 10, 0.05).unwrap();
        close(none, 0.0, 1.0 - 0.025_f64.powf(0.1), 1e-13);
        close(none, 0.0, 0.308_5, 1e-4);
        let all = binomial_interval(10, 10, 0.05).unwrap();
        close(all, 0.025_f64.powf(0.1), 1.0, 1e-13);
        // Published tables: 5 of 10 and 1 of 20 at 95 %.
        close(
            binomial_interval(5, 10, 0.05).unwrap(),
            0.187_086,
            0.812_914,
            1e-6,
        );
        close(
            binomial_interval(1, 20, 0.05).unwrap(),
            0.001_265,
            0.248_733,
            1e-6,
        );
        let wide = binomial_interval(1_000_000, 4_000_000, 0.05).unwrap();
        close(wide, 0.25 - 0.000_424_5, 0.25 + 0.000_424_6, 1e-6);
    }

    #[test]
    fn sizes_of_the_course() {
        assert_eq!(chebyshev_sample_size(0.1, 0.05).unwrap(), 500);
        assert_eq!(chernoff_sample_size(0.1, 0.05).unwrap(), 185);
        assert!(chernoff_sample_size(0.0, 0.05).is_err());
        assert!(chebyshev_sample_size(0.1, 1.0).is_err());
    }

    #[test]
    fn probability_of_exactly_m_errors() {
        let p = binomial_probability(2, 4, 0.5).unwrap();
        assert!((p - 0.375).abs() < 1e-15);
        assert!(binomial_probability(5, 4, 0.5).is_err());
        assert!(binomial_probability(1, 4, f64::NAN).is_err());
    }

    #[test]
    fn wrong_arguments_are_named() {
        let error = binomial_interval(3, 2, 0.05).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`errors` is `3`; it must be at most n = 2"
        );
        assert!(binomial_interval(0, 0, 0.05).is_err());
        assert!(chernoff_interval(0, 5, 0.0).is_err());
    }

    proptest! {
        #[test]
        fn exact_ends_have_half_delta_tails(n in 1usize..120, share in 0.0..1.0f64, delta in 0.01..0.3f64) {
            let errors = (share * (n + 1) as f64) as usize;
            let found = binomial_interval(errors, n, delta).unwrap();
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
                binomial_interval(errors, n, delta).unwrap(),
                chernoff_interval(errors, n, delta).unwrap(),
                chebyshev_interval(errors, n, delta).unwrap(),
            ] {
                prop_assert!(interval.low <= rate + 1e-12 && rate <= interval.high + 1e-12);
                prop_assert!(0.0 <= interval.low && interval.high <= 1.0);
            }
            let chebyshev = chebyshev_interval(errors, n, delta).unwrap();
            for e in [chebyshev.low, chebyshev.high] {
                let gap = (rate - e).powi(2) - e * (1.0 - e) / (n as f64 * delta);
                prop_assert!(gap.abs() < 1e-10);
            }
        }
    }
}
