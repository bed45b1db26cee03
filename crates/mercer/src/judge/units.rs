//! Numbers in units in which their squares are numbers.
//!
//! Squares of errors near 10¹⁵⁴ are infinite, those near 10⁻²⁰⁰ zero: nothing can be said of them. A power of two
//! is taken out of targets and predictions before, and put back into what has the unit of the target.

use super::{Interval, Metric, Metrics};
use crate::data::{times_power, unsafe_exponent};

/// A power of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Units(i32);

impl Units {
    /// The unit of some numbers; `None` where they can stay as they are.
    pub(super) fn of<'a>(lists: impl IntoIterator<Item = &'a [f64]>) -> Option<Self> {
        let numbers = lists.into_iter().flatten().copied();
        let exponent = unsafe_exponent(numbers);
        (exponent != 0).then_some(Self(exponent))
    }

    /// The numbers in this unit.
    pub(super) fn take_out(self, numbers: &[f64]) -> Vec<f64> {
        // One bit more, so that the difference of two numbers is one.
        let out = |v: &f64| times_power(*v, -self.0 - 1);
        numbers.iter().map(out).collect()
    }

    /// The value of a metric in the unit of the numbers.
    pub(super) fn put_back(self, metric: Metric, value: f64) -> f64 {
        match metric {
            Metric::Rmse
            | Metric::Mae
            | Metric::MedianError
            | Metric::MaxError
            | Metric::Pinball => self.times(value),
            Metric::Mse => times_power(value, 2 * (self.0 + 1)),
            _ => value,
        }
    }

    /// A number in the unit of the numbers.
    pub(super) fn times(self, value: f64) -> f64 {
        times_power(value, self.0 + 1)
    }

    /// The same of metrics with their intervals.
    pub(super) fn put_back_all(self, metrics: &Metrics) -> Metrics {
        let mut all = Metrics::default();
        for (metric, score) in metrics.iter() {
            let back = |value| self.put_back(metric, value);
            let interval = Interval {
                low: back(score.low),
                high: back(score.high),
            };
            all.push(metric, back(score.value), interval);
        }
        all
    }
}

/// Mean and standard deviation of some numbers, however large or small they are; NaN where they are too few.
pub(crate) fn mean_and_deviation(numbers: &[f64]) -> (f64, f64) {
    if let Some(units) = Units::of([numbers]) {
        let (mean, deviation) = plain(&units.take_out(numbers));
        return (units.times(mean), units.times(deviation));
    }
    plain(numbers)
}

fn plain(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares: f64 = numbers.iter().map(|v| (v - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_of_very_large_and_small_numbers_are_numbers() {
        for unit in [1e300, 1e-300, 1.0] {
            let (mean, deviation) = mean_and_deviation(&[unit, 2.0 * unit, 3.0 * unit]);
            assert!((mean / unit - 2.0).abs() < 1e-12, "{mean}");
            assert!((deviation / unit - 1.0).abs() < 1e-12, "{deviation}");
        }
        assert!(mean_and_deviation(&[1.0]).1.is_nan());
    }
}
