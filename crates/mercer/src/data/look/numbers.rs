//! Numbers and dates of a column: range, quartiles, shape.

use serde::Serialize;

/// Bars of a histogram: as many as fit beside the other columns of a line.
const BINS: usize = 12;

/// Numbers, or dates as seconds since 1970.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NumberLook {
    /// The smallest value.
    pub min: f64,
    /// A quarter of the values is below.
    pub lower_quartile: f64,
    /// Half of the values is below.
    pub median: f64,
    /// Three quarters of the values are below.
    pub upper_quartile: f64,
    /// The largest value.
    pub max: f64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation, of a sample.
    pub standard_deviation: f64,
    /// How many values lie in parts of equal width between the smallest and the largest.
    pub histogram: Vec<usize>,
    /// How many are different.
    #[serde(skip)]
    pub(super) distinct: usize,
}

impl NumberLook {
    /// Looks at numbers; `None` where all are missing.
    pub(super) fn of(values: &[f64]) -> Option<Self> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let count = sorted.len() as f64;
        // Halves keep sums of the largest numbers finite.
        let mean = sorted.iter().map(|v| v / count).sum::<f64>();
        let scale = (max / 2.0 - min / 2.0).max(f64::MIN_POSITIVE);
        let squares: f64 = sorted.iter().map(|v| ((v - mean) / scale).powi(2)).sum();
        let deviation = scale * (squares / (count - 1.0).max(1.0)).sqrt();
        let mut histogram = vec![0; if min == max { 1 } else { BINS }];
        let bins = histogram.len();
        for value in &sorted {
            let share = (value / 2.0 - min / 2.0) / scale;
            histogram[((share * bins as f64) as usize).min(bins - 1)] += 1;
        }
        Some(Self {
            min,
            lower_quartile: quantile(&sorted, 0.25),
            median: quantile(&sorted, 0.5),
            upper_quartile: quantile(&sorted, 0.75),
            max,
            mean,
            standard_deviation: if sorted.len() > 1 { deviation } else { 0.0 },
            histogram,
            distinct: 1 + sorted.windows(2).filter(|w| w[0] != w[1]).count(),
        })
    }
}

/// Interpolates between the two values around a share of the rows, as NumPy and R do.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (low, part) = (place.floor() as usize, place.fract());
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] * (1.0 - part) + sorted[high] * part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_numpy() {
        // numpy.quantile([3, 1, 4, 1, 5, 9, 2, 6], [.25, .5, .75]), mean, std(ddof=1).
        let look =
            NumberLook::of(&[3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, f64::NAN]).expect("some");
        assert_eq!(
            (look.lower_quartile, look.median, look.upper_quartile),
            (1.75, 3.5, 5.25)
        );
        assert_eq!((look.min, look.max, look.mean), (1.0, 9.0, 3.875));
        assert!((look.standard_deviation - 2.748_376_143_938_713).abs() < 1e-14);
        assert_eq!(
            (look.distinct, look.histogram.iter().sum::<usize>()),
            (7, 8)
        );
    }

    #[test]
    fn extremes_stay_finite() {
        assert_eq!(NumberLook::of(&[f64::NAN]), None);
        let one = NumberLook::of(&[2.0]).expect("one");
        assert_eq!((one.histogram, one.standard_deviation), (vec![1], 0.0));
        let wide = NumberLook::of(&[-f64::MAX, f64::MAX]).expect("two");
        assert!(wide.mean.is_finite());
        assert_eq!((wide.histogram[0], wide.histogram[11]), (1, 1));
    }
}
