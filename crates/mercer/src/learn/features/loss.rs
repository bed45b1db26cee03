//! What decisions about classes cost.
//!
//! Newton's method meets a loss ℓ(y, f), y = ±1, at a point f as a square that touches it: ½ s (z − f)² with curvature s = ℓ″ and
//! target z = f − ℓ′/s. A step over all rows is then least squares with weights ws and targets z, which sums over rows solve.

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// Least curvature of a row that is told apart by far: larger ones than the loss has keep steps short, and gradients are exact.
const LEAST_CURVATURE: f64 = 1e-3;

/// The loss of methods on features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeatureLoss {
    /// (y − f)², numbers or classes as ±1: one walk over the rows.
    #[default]
    Squared,
    /// 2 log(1 + exp(−yf)), for classes.
    Logistic,
    /// max(0, 1 − yf)², for classes.
    SquaredHinge,
}

/// The square that touches a loss at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Touch {
    /// Half of the loss.
    pub(super) value: f64,
    /// s; 0 where the row has no say.
    pub(super) curvature: f64,
    /// z.
    pub(super) target: f64,
}

impl FeatureLoss {
    /// Returns the square that touches the loss of y = ±1 at f.
    pub(super) fn touch(self, y: f64, f: f64) -> Touch {
        let margin = y * f;
        match self {
            Self::Squared => Touch {
                value: 0.5 * (y - f).powi(2),
                curvature: 1.0,
                target: y,
            },
            Self::Logistic => {
                // Exponents are never positive.
                let small = (-margin.abs()).exp();
                let value = (-margin).max(0.0) + small.ln_1p();
                let wrong = if margin > 0.0 { small } else { 1.0 } / (1.0 + small);
                let curvature = (small / (1.0 + small).powi(2)).max(LEAST_CURVATURE);
                Touch {
                    value,
                    curvature,
                    target: f + y * wrong / curvature,
                }
            }
            // Where the row costs anything, (1 − yf)² = (y − f)².
            Self::SquaredHinge => {
                let short = (1.0 - margin).max(0.0);
                Touch {
                    value: 0.5 * short * short,
                    curvature: f64::from(u8::from(short > 0.0)),
                    target: y,
                }
            }
        }
    }

    /// Returns the curvature at f = 0, over that of the squared loss.
    pub(super) fn start_curvature(self) -> f64 {
        self.touch(1.0, 0.0).curvature
    }

    /// Returns what is minimised.
    pub(super) fn objective(self) -> &'static str {
        match self {
            Self::Squared => "Σ (y − f)² + λ‖f‖²",
            Self::Logistic => "Σ 2 log(1 + exp(−yf)) + λ‖f‖²",
            Self::SquaredHinge => "Σ max(0, 1 − yf)² + λ‖f‖²",
        }
    }

    /// The name as users write it.
    fn name(self) -> &'static str {
        match self {
            Self::Squared => "squared",
            Self::Logistic => "logistic",
            Self::SquaredHinge => "squared_hinge",
        }
    }

    /// Refuses a loss that sums of one walk over the rows do not have.
    ///
    /// # Errors
    /// [`Error::Unsupported`] with the name of the loss.
    pub(crate) fn check_one_walk(self) -> Result<()> {
        if self == Self::Squared {
            return Ok(());
        }
        Err(Error::Unsupported {
            what: format!(
                "the loss `{}` walks over the rows once for every step, and rows that come in parts are added up once",
                self.name()
            ),
            cure: "use the squared loss, or learn from rows that fit into memory".into(),
        })
    }

    /// The error of a loss for classes where targets are numbers.
    pub(super) fn for_classes(self) -> Error {
        Error::Conflict {
            what: format!(
                "the loss `{}` is for classes, and the target is a number",
                self.name()
            ),
            cure: "use the squared loss, or name the task `classify`".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_touch_losses_in_value_and_slope() {
        let losses = [
            FeatureLoss::Squared,
            FeatureLoss::Logistic,
            FeatureLoss::SquaredHinge,
        ];
        for loss in losses {
            for y in [-1.0, 1.0] {
                for f in [-30.0, -2.5, -0.3, 0.0, 0.7, 3.0, 40.0] {
                    let step = 1e-5;
                    let value = |f: f64| loss.touch(y, f).value;
                    let slope = (value(f + step) - value(f - step)) / (2.0 * step);
                    let touch = loss.touch(y, f);
                    let own = touch.curvature * (f - touch.target);
                    assert!(
                        (own - slope).abs() < 1e-4,
                        "{loss:?} {y} {f}: {own} {slope}"
                    );
                    assert!(touch.value.is_finite() && touch.target.is_finite());
                }
            }
        }
        assert_eq!(FeatureLoss::Logistic.start_curvature(), 0.25);
    }
}
