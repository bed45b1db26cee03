//! Means with their standard errors.

/// A mean and how well it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Estimate {
    /// The mean.
    pub(crate) mean: f64,
    /// Its standard error; none of a single value.
    pub(crate) error: Option<f64>,
}

impl Estimate {
    /// The mean of values and its standard error, s / √n; none of nothing.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        if values.is_empty() {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Self {
            mean,
            error: (values.len() > 1).then(|| (squares / (count - 1.0) / count).sqrt()),
        })
    }

    /// The mean of independent estimates: errors add in squares. The error is none when that of
    /// any part is.
    pub(crate) fn average(parts: &[Self]) -> Option<Self> {
        let count = parts.len() as f64;
        if parts.is_empty() {
            return None;
        }
        let squares: Option<f64> = parts
            .iter()
            .map(|part| part.error.map(|error| error * error))
            .sum();
        Some(Self {
            mean: parts.iter().map(|part| part.mean).sum::<f64>() / count,
            error: squares.map(|sum| sum.sqrt() / count),
        })
    }

    /// On which side of zero it is: 1, −1, or 0 when it is within two standard errors.
    pub(crate) fn side(&self) -> i32 {
        match self.error {
            Some(error) if self.mean > 2.0 * error => 1,
            Some(error) if self.mean < -2.0 * error => -1,
            _ => 0,
        }
    }

    /// The estimate times a factor, with digits after the point.
    pub(crate) fn text(&self, factor: f64, digits: usize) -> String {
        self.with(&format!("{:.digits$}", self.mean * factor), factor, digits)
    }

    /// The same with a sign.
    pub(crate) fn signed(&self, factor: f64, digits: usize) -> String {
        let mean = self.mean * factor;
        let text = format!("{mean:+.digits$}").replace('-', "−");
        self.with(&text, factor, digits)
    }

    fn with(&self, mean: &str, factor: f64, digits: usize) -> String {
        match self.error {
            Some(error) => format!("{mean} ± {:.digits$}", error * factor),
            None => mean.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_means() {
        assert_eq!(Estimate::of(&[]), None);
        let single = Estimate::of(&[3.0]).unwrap();
        assert_eq!((single.mean, single.error), (3.0, None));
        // The squares of the deviations sum to 9; 9 / 3 / 4 is the square of the error.
        let four = Estimate::of(&[1.0, 2.0, 2.0, 5.0]).unwrap();
        assert_eq!(four.mean, 2.5);
        assert!((four.error.unwrap() - (9.0_f64 / 12.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn averages_of_estimates() {
        let estimate = |mean, error| Estimate { mean, error };
        let both = [estimate(1.0, Some(0.3)), estimate(3.0, Some(0.4))];
        let average = Estimate::average(&both).unwrap();
        assert_eq!(average.mean, 2.0);
        assert!((average.error.unwrap() - 0.25).abs() < 1e-15);
        let unknown = [estimate(1.0, Some(0.3)), estimate(3.0, None)];
        assert_eq!(Estimate::average(&unknown).unwrap().error, None);
        assert_eq!(Estimate::average(&[]), None);
    }

    #[test]
    fn two_errors_make_a_difference() {
        let side = |mean, error| Estimate { mean, error }.side();
        assert_eq!(side(2.1, Some(1.0)), 1);
        assert_eq!(side(1.9, Some(1.0)), 0);
        assert_eq!(side(-2.1, Some(1.0)), -1);
        assert_eq!(side(5.0, None), 0);
        assert_eq!(side(0.0, Some(0.0)), 0);
    }

    #[test]
    fn texts() {
        let estimate = Estimate {
            mean: -0.0123,
            error: Some(0.004),
        };
        assert_eq!(estimate.signed(100.0, 1), "−1.2 ± 0.4");
        let single = Estimate {
            mean: 0.91234,
            error: None,
        };
        assert_eq!(single.text(100.0, 2), "91.23");
        assert_eq!(single.signed(1.0, 2), "+0.91");
    }
}
