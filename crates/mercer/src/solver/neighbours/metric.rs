//! Distances as sums over columns.

use mercer_linalg::Measure;
use serde::{Deserialize, Serialize};

/// How far apart two rows are.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DistanceMetric {
    /// √Σ (x − z)².
    #[default]
    Euclidean,
    /// Σ |x − z|.
    Manhattan,
    /// max |x − z|.
    Chebyshev,
    /// (Σ |x − z|ᵖ)^(1/p).
    Minkowski(f64),
    /// 1 − ⟨x, z⟩ / (‖x‖ ‖z‖); 1 where a row is zero.
    Cosine,
}

impl DistanceMetric {
    /// Returns the metric of an exponent by its own name where it has one.
    #[must_use]
    pub fn of_exponent(p: f64) -> Self {
        if p == 1.0 {
            Self::Manhattan
        } else if p == 2.0 {
            Self::Euclidean
        } else if p.is_infinite() {
            Self::Chebyshev
        } else {
            Self::Minkowski(p)
        }
    }

    /// Returns the metric in words.
    pub fn text(self) -> String {
        match self {
            Self::Euclidean => "euclidean".to_owned(),
            Self::Manhattan => "manhattan".to_owned(),
            Self::Chebyshev => "chebyshev".to_owned(),
            Self::Minkowski(p) => format!("minkowski with exponent {p}"),
            Self::Cosine => "cosine".to_owned(),
        }
    }

    /// The sum that is compared instead of the distance.
    pub(super) fn measure(self) -> Measure {
        match self {
            Self::Euclidean => Measure::Squared,
            Self::Manhattan => Measure::Absolute,
            Self::Chebyshev => Measure::Largest,
            Self::Minkowski(p) => Measure::Power(p),
            Self::Cosine => Measure::Dot,
        }
    }

    /// What is compared, made of a sum over the columns.
    pub(super) fn reduced(self, sum: f64) -> f64 {
        match self {
            Self::Cosine => (1.0 - sum).clamp(0.0, 2.0),
            _ => sum,
        }
    }

    /// The distance, made of what is compared.
    pub(super) fn distance(self, reduced: f64) -> f64 {
        match self {
            Self::Euclidean => reduced.sqrt(),
            Self::Minkowski(p) => reduced.powf(1.0 / p),
            _ => reduced,
        }
    }

    /// What a distance is compared as.
    pub(super) fn of_distance(self, distance: f64) -> f64 {
        match self {
            Self::Euclidean => distance * distance,
            Self::Minkowski(p) => distance.powf(p),
            _ => distance,
        }
    }

    /// The power of a difference that a column weight multiplies; `None` where columns have no
    /// terms of their own.
    pub(crate) fn exponent(self) -> Option<f64> {
        match self {
            Self::Euclidean => Some(2.0),
            Self::Manhattan => Some(1.0),
            Self::Minkowski(p) => Some(p),
            Self::Chebyshev | Self::Cosine => None,
        }
    }

    /// What is compared of two rows without gaps.
    pub(super) fn pair(self, x: &[f64], z: &[f64]) -> f64 {
        let measure = self.measure();
        let pairs = x.iter().zip(z);
        let sum = match measure {
            Measure::Squared => pairs.fold(0.0, |sum, (x, z)| sum + (x - z) * (x - z)),
            _ => pairs.fold(0.0, |sum, (x, z)| measure.add(sum, *x, *z)),
        };
        self.reduced(sum)
    }
}
