//! Where features and targets are measured from.

/// The origin o of features, and the origin t and unit u of every target.
///
/// Any will do: an origin near the means keeps sums small, and so their rounding. Sums can be added up where they have
/// the same one.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// o, a number per feature.
    pub features: Vec<f32>,
    /// t, a number per output.
    pub targets: Vec<f64>,
    /// u, a number per output, other than zero.
    pub units: Vec<f64>,
}

impl Origin {
    /// Features and targets as they are.
    pub fn zero(features: usize, outputs: usize) -> Self {
        Self {
            features: vec![0.0; features],
            targets: vec![0.0; outputs],
            units: vec![1.0; outputs],
        }
    }

    /// The same with features measured from a point.
    #[must_use]
    pub fn of_features(mut self, features: Vec<f32>) -> Self {
        self.features = features;
        self
    }

    /// The same with the origin of an output at the mean of some of its values, in the power of two next to their
    /// standard deviation; constants and values that are no numbers are measured in their own unit.
    #[must_use]
    pub fn of_target(mut self, output: usize, values: &[f64]) -> Self {
        let known: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        let largest = known.iter().fold(0.0_f64, |l, v| l.max(v.abs()));
        if largest == 0.0 {
            return self;
        }
        // Squares of numbers below one cannot overflow.
        let unit = power(largest);
        let n = known.len() as f64;
        let mean = known.iter().map(|v| v / unit).sum::<f64>() / n;
        let variance = known.iter().map(|v| (v / unit - mean).powi(2)).sum::<f64>() / n;
        let spread = variance.sqrt();
        self.targets[output] = mean * unit;
        self.units[output] = if spread > f64::EPSILON {
            power(spread * unit)
        } else {
            unit
        };
        self
    }

    /// Returns y from its value in units.
    pub fn target(&self, output: usize, value: f64) -> f64 {
        self.targets[output] + self.units[output] * value
    }
}

/// The power of two below a positive number, inside the range of normal numbers.
fn power(value: f64) -> f64 {
    value.log2().floor().clamp(-1000.0, 1000.0).exp2()
}
