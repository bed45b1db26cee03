//! Moments of rows that come in parts.
//!
//! With weights w, means m and variances v of two parts, those of both together are (Chan, Golub and
//! LeVeque, The American Statistician 37, 1983)
//!
//! ```text
//! w = w₁ + w₂,   m = m₁ + (m₂ − m₁)·w₂/w,   v = (w₁v₁ + w₂v₂)/w + (m₂ − m₁)²·w₁w₂/w²
//! ```

use serde::{Deserialize, Serialize};

use super::moments::{Moments, moments, unit_factor};

/// Moments with the weight of the rows they are of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Weighed {
    pub(super) moments: Moments,
    pub(super) weight: f64,
}

impl Weighed {
    /// Those of numbers; `None` where all are missing.
    pub(super) fn of(
        values: impl Iterator<Item = f64> + Clone,
        weights: Option<&[f64]>,
    ) -> Option<Self> {
        let found = moments(values.clone(), weights)?;
        let known = values.enumerate().filter(|(_, v)| v.is_finite());
        let weight = known.map(|(row, _)| weights.map_or(1.0, |w| w[row])).sum();
        Some(Self {
            moments: found,
            weight,
        })
    }

    /// One number so many times.
    pub(super) fn constant(value: f64, weight: f64) -> Self {
        Self {
            moments: Moments {
                mean: value,
                deviation: 0.0,
                min: value,
                max: value,
            },
            weight,
        }
    }

    /// Those of both.
    pub(super) fn and(self, other: Self) -> Self {
        let (a, b) = (self.moments, other.moments);
        let weight = self.weight + other.weight;
        let (min, max) = (a.min.min(b.min), a.max.max(b.max));
        if weight <= 0.0 || min == max {
            // Equal numbers have exactly their own mean.
            let moments = Moments { min, max, ..a };
            return Self { moments, weight };
        }
        // Squares of numbers near 1 neither overflow nor vanish.
        let factor = unit_factor(min.abs().max(max.abs()));
        let (own, others) = (self.weight / weight, other.weight / weight);
        let gap = (b.mean - a.mean) * factor;
        let square = |deviation: f64| (deviation * factor).powi(2);
        let variance =
            own * square(a.deviation) + others * square(b.deviation) + gap * gap * own * others;
        let mean = a.mean + gap / factor * others;
        Self {
            moments: Moments {
                mean: mean.clamp(min, max),
                deviation: variance.sqrt() / factor,
                min,
                max,
            },
            weight,
        }
    }

    /// Adds others, where there are any.
    pub(super) fn join(into: &mut Option<Self>, other: Option<Self>) {
        *into = match (into.take(), other) {
            (Some(own), Some(other)) => Some(own.and(other)),
            (own, other) => own.or(other),
        };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_are_the_whole(
            values in prop::collection::vec((-1e6..1e6f64, 0.1..5.0f64), 2..60),
            cut in 1usize..59,
            far in prop::sample::select(vec![0.0, 1e9, -3e11]),
        ) {
            let numbers: Vec<f64> = values.iter().map(|v| v.0 + far).collect();
            let weights: Vec<f64> = values.iter().map(|v| v.1).collect();
            let cut = cut.min(numbers.len() - 1);
            let of = |range: std::ops::Range<usize>| {
                Weighed::of(numbers[range.clone()].iter().copied(), Some(&weights[range])).unwrap()
            };
            let whole = of(0..numbers.len());
            let parts = of(0..cut).and(of(cut..numbers.len()));
            let (a, b) = (whole.moments, parts.moments);
            prop_assert_eq!((a.min, a.max), (b.min, b.max));
            prop_assert!((a.mean - b.mean).abs() <= 1e-12 * (1e6 + far.abs()));
            prop_assert!((a.deviation - b.deviation).abs() <= 1e-10 * a.deviation + 1e-15 * far.abs());
            prop_assert!((whole.weight - parts.weight).abs() < 1e-9);
        }
    }

    #[test]
    fn extremes_stay_finite() {
        let huge = Weighed::constant(1e300, 1.0).and(Weighed::constant(-1e300, 1.0));
        assert_eq!((huge.moments.mean, huge.moments.deviation), (0.0, 1e300));
        let same = Weighed::constant(0.1, 3.0).and(Weighed::constant(0.1, 4.0));
        assert_eq!(
            (same.moments.mean, same.moments.deviation, same.weight),
            (0.1, 0.0, 7.0)
        );
    }
}
