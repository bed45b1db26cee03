//! How many errors a leaf makes on new rows, estimated from those it makes on the training rows.
//!
//! Of n rows e are wrong. The estimate is the upper end of a one-sided confidence interval: with
//! confidence factor CF it is the p at which e or fewer errors have probability CF.

use serde::{Deserialize, Serialize};

use crate::special::{beta_quantile, normal_quantile};

/// How the upper end of the confidence interval is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Estimate {
    /// By the normal approximation with a correction of one half, exact for no error and
    /// interpolated below one: C4.5's own, and J48's.
    #[default]
    Normal,
    /// By the binomial distribution itself.
    Exact,
}

/// A confidence factor with its way to count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pessimism {
    estimate: Estimate,
    factor: f64,
    /// The standard normal quantile of 1 − CF.
    z: f64,
}

impl Pessimism {
    pub(super) fn new(estimate: Estimate, factor: f64) -> Self {
        Self {
            estimate,
            factor,
            z: normal_quantile(1.0 - factor),
        }
    }

    /// The estimated errors of a leaf with so many rows and errors.
    pub(super) fn errors(&self, rows: f64, errors: f64) -> f64 {
        if rows <= 0.0 {
            return 0.0;
        }
        match self.estimate {
            Estimate::Normal => errors + self.added(rows, errors),
            Estimate::Exact => rows * self.upper(rows, errors),
        }
    }

    /// The estimated errors of class counts.
    pub(super) fn of_counts(&self, counts: &[f64]) -> f64 {
        self.errors(counts.iter().sum(), super::node::errors(counts))
    }

    /// The exact upper end: Σ_{i ≤ e} (n i) pⁱ (1 − p)ⁿ⁻ⁱ = CF solved for p.
    pub(super) fn upper(&self, rows: f64, errors: f64) -> f64 {
        if errors >= rows {
            return 1.0;
        }
        if errors == 0.0 {
            return 1.0 - self.factor.powf(1.0 / rows);
        }
        beta_quantile(1.0 - self.factor, errors + 1.0, rows - errors)
    }

    /// Errors that the normal approximation adds.
    fn added(&self, n: f64, e: f64) -> f64 {
        if e < 1.0 {
            let none = n * (1.0 - self.factor.powf(1.0 / n));
            if e == 0.0 {
                return none;
            }
            return none + e * (self.added(n, 1.0) - none);
        }
        if e + 0.5 >= n {
            return (n - e).max(0.0);
        }
        let z = self.z;
        let f = (e + 0.5) / n;
        let root = (f / n - f * f / n + z * z / (4.0 * n * n)).sqrt();
        let upper = (f + z * z / (2.0 * n) + z * root) / (1.0 + z * z / n);
        upper * n - e
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_numbers_of_the_exact_estimate() {
        let exact = Pessimism::new(Estimate::Exact, 0.25);
        let cases = [
            (6.0, 0.0, 0.206_299_47),
            (9.0, 0.0, 0.142_756_02),
            (16.0, 1.0, 0.159_610_71),
            (1.0, 0.0, 0.75),
        ];
        for (rows, errors, upper) in cases {
            let found = exact.upper(rows, errors);
            assert!(
                (found - upper).abs() < 5e-9,
                "U({errors}, {rows}) = {found}"
            );
        }
        let subtree = [6.0, 9.0, 1.0].map(|n| exact.errors(n, 0.0));
        let subtree: f64 = subtree.iter().sum();
        assert!((subtree - 3.2726).abs() < 5e-5, "{subtree}");
        let leaf = exact.errors(16.0, 1.0);
        assert!((leaf - 2.5538).abs() < 5e-5, "{leaf}");
    }

    #[test]
    fn the_approximation_meets_what_is_exact() {
        let normal = Pessimism::new(Estimate::Normal, 0.25);
        let exact = Pessimism::new(Estimate::Exact, 0.25);
        assert_eq!(normal.errors(6.0, 0.0), exact.errors(6.0, 0.0));
        assert_eq!(normal.errors(5.0, 5.0), 5.0);
        assert_eq!(normal.errors(0.0, 0.0), 0.0);
        // Many rows: both are close.
        let (a, b) = (normal.errors(500.0, 60.0), exact.errors(500.0, 60.0));
        assert!((a - b).abs() < 0.2, "{a} {b}");
        // Between no error and one the estimate grows steadily.
        let steps = [0.0, 0.3, 0.7, 1.0, 1.5].map(|e| normal.errors(8.0, e));
        assert!(steps.windows(2).all(|w| w[0] < w[1]), "{steps:?}");
    }
}
