//! Targets as the squared loss sees them.

use mercer_linalg::Matrix;

use crate::data::{Dataset, Targets};
use crate::{Error, Result};

/// One row of numbers per output, centred on nothing.
///
/// Two classes are one output of ±1, more are one output each of +1 inside and −1 outside;
/// numbers are divided by their standard deviation, so that precisions do not depend on the unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Outputs {
    /// The numbers.
    pub values: Matrix<f64>,
    /// The unit that numbers were divided by; 1 for classes.
    pub unit: f64,
}

impl Outputs {
    /// Takes the targets of a data set.
    ///
    /// # Errors
    /// No targets, a target that is not finite, a single class, targets that are all equal.
    pub fn of(data: &Dataset) -> Result<Self> {
        match &data.targets {
            Targets::None | Targets::Several(_) => Err(Error::rows(
                "there is no one target to predict",
                "name a target column",
            )),
            Targets::Classes(classes) => {
                let counts = classes.counts();
                let k = counts.len();
                if counts.iter().filter(|&&c| c > 0).count() < 2 {
                    return Err(Error::rows(
                        "all rows belong to one class",
                        "give rows of at least two classes",
                    ));
                }
                let outputs = if k == 2 { 1 } else { k };
                let values = Matrix::from_fn(outputs, data.len(), |o, i| {
                    if classes.codes[i] as usize == o {
                        1.0
                    } else {
                        -1.0
                    }
                });
                Ok(Self { values, unit: 1.0 })
            }
            Targets::Real(values) => {
                if let Some(row) = values.iter().position(|v| !v.is_finite()) {
                    return Err(Error::rows(
                        format!("the target of row {} is not a finite number", row + 1),
                        "replace or remove it before fitting",
                    ));
                }
                let n = values.len().max(1) as f64;
                let mean = values.iter().map(|v| v / n).sum::<f64>();
                let most = values.iter().fold(0.0_f64, |m, v| m.max((v - mean).abs()));
                let spread = if most > 0.0 {
                    let sum: f64 = values.iter().map(|v| ((v - mean) / most).powi(2)).sum();
                    most * (sum / n).sqrt()
                } else {
                    0.0
                };
                // What rounding makes of equal numbers is no spread.
                let size = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
                if !(spread > 1e-12 * size && spread.is_finite()) {
                    return Err(Error::rows(
                        "the target is the same for all rows",
                        "there is nothing to learn; choose another target column",
                    ));
                }
                Ok(Self {
                    values: Matrix::from_fn(1, values.len(), |_, i| values[i] / spread),
                    unit: spread,
                })
            }
        }
    }

    /// Returns the numbers of some rows.
    pub fn select(&self, rows: &[usize]) -> Matrix<f64> {
        Matrix::from_fn(self.values.rows(), rows.len(), |o, i| {
            self.values[(o, rows[i])]
        })
    }
}
