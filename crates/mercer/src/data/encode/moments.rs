//! Mean, standard deviation and range of numbers of any size.

use serde::{Deserialize, Serialize};

/// What is known of a column's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Moments {
    pub(super) mean: f64,
    /// Standard deviation over the rows (division by their number).
    pub(super) deviation: f64,
    pub(super) min: f64,
    pub(super) max: f64,
}

impl Moments {
    /// Whether the numbers are equal up to rounding: ten units in the last place.
    pub(super) fn is_constant(&self) -> bool {
        let largest = self.min.abs().max(self.max.abs());
        self.min == self.max || self.deviation <= 10.0 * f64::EPSILON * largest
    }
}

/// A power of two that brings numbers up to `largest` near 1, so that squares neither overflow
/// nor vanish; multiplying by it is exact.
pub(super) fn unit_factor(largest: f64) -> f64 {
    if largest == 0.0 || !largest.is_finite() {
        return 1.0;
    }
    let exponent = largest.log2().floor().clamp(-1000.0, 1000.0) as i32;
    2.0_f64.powi(-exponent)
}

/// Sums with the rounding errors carried along (Neumaier 1974).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    sum: f64,
    carried: f64,
}

impl Sum {
    pub(super) fn add(&mut self, value: f64) {
        let next = self.sum + value;
        self.carried += if self.sum.abs() >= value.abs() {
            (self.sum - next) + value
        } else {
            (value - next) + self.sum
        };
        self.sum = next;
    }

    pub(super) fn value(self) -> f64 {
        self.sum + self.carried
    }
}

/// Moments of the finite numbers among `values`; `None` when there are none.
///
/// Two passes over numbers scaled near 1: x̄ = Σwx/Σw, then Σw(x−x̄)²/Σw.
pub(super) fn moments(
    values: impl Iterator<Item = f64> + Clone,
    weights: Option<&[f64]>,
) -> Option<Moments> {
    let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
    let known = values.enumerate().filter(|(_, v)| v.is_finite());
    let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
    for (_, v) in known.clone() {
        min = min.min(v);
        max = max.max(v);
    }
    if min > max {
        return None;
    }
    if min == max {
        // Equal numbers have exactly their own mean; adding zero turns -0 into 0.
        return Some(Moments {
            mean: min + 0.0,
            deviation: 0.0,
            min,
            max,
        });
    }
    let factor = unit_factor(min.abs().max(max.abs()));
    let (mut sum, mut total) = (Sum::default(), Sum::default());
    for (row, v) in known.clone() {
        sum.add(weight(row) * v * factor);
        total.add(weight(row));
    }
    let total = total.value();
    let mean = sum.value() / total;
    let (mut squares, mut rest) = (Sum::default(), Sum::default());
    for (row, v) in known {
        let gap = v * factor - mean;
        squares.add(weight(row) * gap * gap);
        rest.add(weight(row) * gap);
    }
    // What the rounded mean left over is taken out of mean and variance.
    let shift = rest.value() / total;
    let variance = (squares.value() / total - shift * shift).max(0.0);
    Some(Moments {
        mean: ((mean + shift) / factor).clamp(min, max),
        deviation: variance.sqrt() / factor,
        min,
        max,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(values: &[f64]) -> Moments {
        moments(values.iter().copied(), None).unwrap()
    }

    #[test]
    fn huge_and_tiny_numbers_neither_overflow_nor_vanish() {
        let huge = of(&[1e300, -1e300, 1e300, -1e300]);
        assert_eq!((huge.mean, huge.deviation), (0.0, 1e300));
        let tiny = of(&[1e-300, 3e-300]);
        assert!((tiny.mean / 2e-300 - 1.0).abs() < 1e-14);
        assert!((tiny.deviation / 1e-300 - 1.0).abs() < 1e-14);
        let largest = of(&[f64::MAX, -f64::MAX]);
        assert!(largest.mean.abs() < 1.0 && largest.deviation.is_finite());
        assert!(of(&[5e-324, 0.0]).deviation.is_finite());
    }

    #[test]
    fn a_large_offset_loses_no_digits() {
        let values: Vec<f64> = (0..1000).map(|i| 1e9 + f64::from(i % 2)).collect();
        let found = of(&values);
        assert_eq!((found.mean, found.deviation), (1e9 + 0.5, 0.5));
        assert!(!found.is_constant());
    }

    #[test]
    fn rounding_noise_is_constant() {
        assert!(of(&[0.1 + 0.2, 0.3, 0.3]).is_constant());
        assert!(of(&[7.0; 3]).is_constant());
        assert_eq!(of(&[0.1; 7]).mean, 0.1);
        assert!(moments([f64::NAN].into_iter(), None).is_none());
    }

    proptest! {
        #[test]
        fn weights_are_copies(rows in prop::collection::vec((-1e6..1e6f64, 1usize..5), 1..30)) {
            let values: Vec<f64> = rows.iter().map(|r| r.0).collect();
            let weights: Vec<f64> = rows.iter().map(|r| r.1 as f64).collect();
            let copies: Vec<f64> = rows.iter().flat_map(|r| std::iter::repeat_n(r.0, r.1)).collect();
            let a = moments(values.iter().copied(), Some(&weights)).unwrap();
            let b = of(&copies);
            prop_assert!((a.mean - b.mean).abs() <= 1e-9);
            prop_assert!((a.deviation - b.deviation).abs() <= 1e-9);
        }
    }
}
