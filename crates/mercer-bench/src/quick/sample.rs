//! Seconds of a program on a case, and how far to trust them.
//!
//! A run that does the same work every time takes a fixed time plus whatever disturbs it:
//! other processes, cold caches, interrupts. Disturbances only ever add, so the minimum comes
//! closest to the fixed time, while mean and median move with the load of the machine. If they
//! are about exponential with scale s, the median of n runs lies s·ln 2 above the fixed time
//! and the minimum s/n: it is n·ln 2 times nearer. Both programs run equally often, so what is
//! left of that bias is the same for both and leaves the ratio alone.
//!
//! On a busy machine hardly any run is undisturbed, and the minimum may be one lucky run that
//! the other program had no match for. Such a run stands alone: the next one is far away. The
//! distance between the two is therefore part of the error.

use serde::Serialize;

use super::Both;
use crate::numbers::median;

/// Errors on either side of a ratio that still count as possible.
const DOUBT: f64 = 2.0;

/// Runs of each program below which nothing is certain.
const FEW: usize = 4;

/// Seconds of the runs of one program, in the order in which they happened.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Times(pub(crate) Vec<f64>);

impl Times {
    /// The shortest run.
    pub(crate) fn best(&self) -> Option<f64> {
        self.0.iter().copied().min_by(f64::total_cmp)
    }

    /// The run in the middle, for the reader: far from the best one on a busy machine.
    pub(crate) fn median(&self) -> Option<f64> {
        median(&self.0)
    }

    /// The error of the best run as a share of it. For exponential disturbances of scale s the
    /// standard error is s/n, and there are two estimates of that: the median is s·ln 2 above
    /// the minimum, the second best run s/(n − 1). The larger one counts.
    fn error(&self) -> Option<f64> {
        let (best, median) = (self.best()?, self.median()?);
        let scale = (median - best) / std::f64::consts::LN_2;
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let second = sorted.get(1).unwrap_or(&best);
        Some((scale / self.0.len() as f64).max(second - best) / best)
    }
}

/// The new program's time as a multiple of the old one's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Ratio {
    /// The multiple.
    pub(crate) value: f64,
    /// Its error, as a share of it.
    pub(crate) error: f64,
    /// Runs of the program that ran less often.
    pub(crate) runs: usize,
}

impl Ratio {
    /// The ratio of the best runs; none before both programs ran.
    pub(crate) fn of(times: &Both<Times>) -> Option<Self> {
        let errors = (times.old.error()?, times.new.error()?);
        Some(Self {
            value: times.new.best()? / times.old.best()?,
            error: errors.0.hypot(errors.1),
            runs: times.old.0.len().min(times.new.0.len()),
        })
    }

    /// Whether more runs could move the ratio across a bound on how much slower, or how much
    /// faster, a case may be. The rule looks at both sides of each bound alike: rounds that
    /// were added only to what looks slow would be repeated until it looks fast.
    pub(crate) fn doubtful(&self, worst: f64) -> bool {
        let doubt = 1.0 + DOUBT * self.error;
        let possible = self.value / doubt..=self.value * doubt;
        let bound = 1.0 + worst;
        self.runs < FEW || possible.contains(&bound) || possible.contains(&bound.recip())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(old: &[f64], new: &[f64]) -> Both<Times> {
        Both {
            old: Times(old.to_vec()),
            new: Times(new.to_vec()),
        }
    }

    #[test]
    fn the_best_run_counts() {
        let times = Times(vec![3.0, 1.0, 9.0, 2.0]);
        assert_eq!((times.best(), times.median()), (Some(1.0), Some(2.5)));
        assert_eq!(Times::default().best(), None);
        let ratio = Ratio::of(&both(&[2.0, 9.0, 2.5, 2.5], &[3.0, 3.1, 3.2, 30.0])).unwrap();
        assert_eq!((ratio.value, ratio.runs), (1.5, 4));
        assert_eq!(Ratio::of(&both(&[1.0], &[])), None);
    }

    #[test]
    fn the_error_is_that_of_an_exponential_minimum() {
        // Quantiles of 1 + 0.1·Exp(1): the scale must come back, divided by the count.
        let count = 100;
        let quantile = |k: usize| 1.0 - 0.1 * (1.0 - (k as f64 + 0.5) / count as f64).ln();
        let times = Times((0..count).map(quantile).collect());
        let error = times.error().unwrap();
        assert!((error * count as f64 / 0.1 - 1.0).abs() < 0.03, "{error}");
        assert_eq!(Times(vec![2.0; 5]).error(), Some(0.0));
    }

    #[test]
    fn a_lucky_run_is_not_trusted() {
        let mut times = vec![1.0; 20];
        times[7] = 0.8;
        assert!(Times(times.clone()).error().unwrap() > 0.2);
        let lucky = both(&times, &[1.0; 20]);
        assert!(Ratio::of(&lucky).unwrap().doubtful(0.10));
        times[9] = 0.801;
        assert!(Times(times).error().unwrap() < 0.05);
    }

    #[test]
    fn doubt_is_the_same_on_both_sides() {
        let ratio = |value, error| Ratio {
            value,
            error,
            runs: 6,
        };
        for value in [1.02, 1.2, 0.8] {
            assert!(!ratio(value, 0.01).doubtful(0.10), "{value}");
            assert!(ratio(value, 0.08).doubtful(0.10), "{value}");
        }
        for value in [1.09, 1.11, 0.90, 0.92] {
            assert!(ratio(value, 0.01).doubtful(0.10), "{value}");
        }
        let few = Ratio {
            runs: 3,
            ..ratio(1.0, 0.0)
        };
        assert!(few.doubtful(0.10));
    }
}
