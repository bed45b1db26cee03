//! The linear kernel on rows that are far from zero.
//!
//! With a free constant the coefficients sum to zero, and shifting all rows changes nothing but
//! the constant:
//!
//! ```text
//! Σ β_i ⟨x_i − m, x − m⟩ + b = Σ β_i ⟨x_i, x⟩ + b − ⟨w, m⟩,   w = Σ β_i (x_i − m).
//! ```
//!
//! Kernel values of rows around 10⁸ hold no digit of their differences; those of rows around their
//! mean hold all of them.

use mercer_linalg::{Matrix, dot};

use super::settings::Bias;
use crate::data::{Block, Points, Records};
use crate::kernel::{KernelSpec, ResolvedKernel};

/// Rows are shifted when a column's mean is this many times its standard deviation: single
/// precision loses seven digits of sixteen there, and usual rows are left as they are.
const FAR: f64 = 1e3;

/// Rows around their mean.
pub(super) struct Centred {
    pub(super) records: Records,
    rows: Matrix<f64>,
    means: Vec<f64>,
    factor: f64,
}

impl Centred {
    /// Shifts the rows, where the kernel allows it and the rows need it.
    pub(super) fn of(kernel: &ResolvedKernel, records: &Records, bias: Bias) -> Option<Self> {
        let (family, factor) = match kernel.spec() {
            KernelSpec::Base { family, .. } => (family, 1.0),
            KernelSpec::Scaled { factor, kernel } => match &**kernel {
                KernelSpec::Base { family, .. } => (family, *factor),
                _ => return None,
            },
            _ => return None,
        };
        if family.name != "linear" || bias != Bias::Free || records.features.points.is_sparse() {
            return None;
        }
        let Block::Dense(points) = records.features.points.widened() else {
            return None;
        };
        let (n, d) = (points.rows(), points.columns());
        let mean = |j: usize| (0..n).map(|i| points.row(i)[j] / n as f64).sum::<f64>();
        let means: Vec<f64> = (0..d).map(mean).collect();
        let spread = |j: usize| {
            let far = |i: usize| (points.row(i)[j] - means[j]).abs();
            (0..n).map(far).fold(0.0, f64::max)
        };
        let far = |j: usize| means[j].abs() > FAR * spread(j);
        if !(0..d).any(far) {
            return None;
        }
        let rows = Matrix::from_fn(n, d, |i, j| points.row(i)[j] - means[j]);
        let mut shifted = records.clone();
        shifted.features.points = Points::from(rows.clone());
        Some(Self {
            records: shifted,
            rows,
            means,
            factor,
        })
    }

    /// What the constant of a decision loses when rows are where they were: ⟨w, m⟩. Coefficients
    /// come with the numbers of their rows.
    pub(super) fn shift(&self, beta: impl Iterator<Item = (usize, f64)>) -> f64 {
        beta.filter(|(_, b)| *b != 0.0)
            .map(|(row, b)| self.factor * b * dot(self.rows.row(row), &self.means))
            .sum()
    }
}
