//! Convex losses with their slopes and curvatures.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::data::Task;
use crate::learn::{Kind, Range, Setting, Settings, read_value};
use crate::{Error, Result};

/// A loss L(y, f). Classes are y = ±1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// log(1 + e^{−yf}): probabilities by maximum likelihood.
    Logistic,
    /// max(0, 1 − yf): the loss of support vector machines.
    Hinge,
    /// max(0, 1 − yf)².
    SquaredHinge,
    /// ½(y − f)².
    Squared,
    /// ½(y − f)² up to |y − f| = δ, linear beyond.
    Huber {
        /// δ.
        delta: f64,
    },
    /// max(0, |y − f| − ε): support vector regression's loss.
    Insensitive {
        /// ε.
        epsilon: f64,
    },
    /// Σ over y_i > y_j of max(0, 1 − f_i + f_j): a joint loss of all rows, which asks for an order.
    Ranking,
}

/// The width at which Huber's loss bends, where none is given: 1.345 standard deviations of normal
/// noise lose 5 % of efficiency (Huber, Robust Statistics, 1981), for targets in units of it.
const DELTA: f64 = 1.345;
/// The half-width of the tube, where none is given: that of support vector regression.
const EPSILON: f64 = 0.1;

impl Settings for Loss {
    fn list() -> Vec<Setting> {
        let names = &[
            "logistic",
            "hinge",
            "squared_hinge",
            "squared",
            "huber",
            "insensitive",
            "epsilon",
            "ranking",
        ];
        let number = |name, range, doc| Setting {
            optional: true,
            ..Setting::new(name, Kind::Number(range), doc)
        };
        vec![
            Setting::new(
                "loss",
                Kind::Word(names),
                "The loss that is minimised; `epsilon` is another name of `insensitive`",
            ),
            number("delta", Range::Positive, "Where the loss `huber` bends"),
            number(
                "epsilon",
                Range::NotNegative,
                "Half-width of the tube in which errors cost nothing",
            ),
        ]
    }

    fn set(&mut self, name: &str, value: &Value) -> Option<Result<()>> {
        let read = match name {
            "loss" => read_value::<String>(name, value).and_then(|word| {
                Ok(match (word.as_str(), *self) {
                    ("logistic", _) => Self::Logistic,
                    ("hinge", _) => Self::Hinge,
                    ("squared_hinge", _) => Self::SquaredHinge,
                    ("squared", _) => Self::Squared,
                    ("huber", own @ Self::Huber { .. })
                    | ("insensitive" | "epsilon", own @ Self::Insensitive { .. }) => own,
                    ("huber", _) => Self::Huber { delta: DELTA },
                    ("insensitive" | "epsilon", _) => Self::Insensitive { epsilon: EPSILON },
                    ("ranking", _) => Self::Ranking,
                    _ => return Err(Error::setting(name, word, "the name of a loss")),
                })
            }),
            "delta" => read_value(name, value).map(|delta| Self::Huber { delta }),
            "epsilon" => read_value(name, value).map(|epsilon| Self::Insensitive { epsilon }),
            _ => return None,
        };
        Some(read.map(|read| *self = read))
    }

    fn get(&self, name: &str) -> Option<Value> {
        let found = match (name, *self) {
            ("loss", _) => self.name().into(),
            ("delta", Self::Huber { delta }) => delta.into(),
            ("epsilon", Self::Insensitive { epsilon }) => epsilon.into(),
            ("delta" | "epsilon", _) => Value::Null,
            _ => return None,
        };
        Some(found)
    }

    fn check(&self, errors: &mut Vec<Error>) {
        match *self {
            Self::Huber { delta } => Range::Positive.check("delta", delta, errors),
            Self::Insensitive { epsilon } => Range::NotNegative.check("epsilon", epsilon, errors),
            _ => {}
        }
    }
}

/// Value, slope and curvature of a loss in f.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Local {
    pub(super) value: f64,
    pub(super) slope: f64,
    pub(super) curvature: f64,
}

impl Loss {
    /// Returns the loss's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Logistic => "logistic",
            Self::Hinge => "hinge",
            Self::SquaredHinge => "squared_hinge",
            Self::Squared => "squared",
            Self::Huber { .. } => "huber",
            Self::Insensitive { .. } => "insensitive",
            Self::Ranking => "ranking",
        }
    }

    /// Returns the task the loss is for.
    pub fn task(self) -> Task {
        match self {
            Self::Logistic | Self::Hinge | Self::SquaredHinge => Task::Classify,
            Self::Squared | Self::Huber { .. } | Self::Insensitive { .. } | Self::Ranking => {
                Task::Regress
            }
        }
    }

    /// Returns whether the loss has a kink, which Newton's method needs rounded off.
    pub(super) fn has_kink(self) -> bool {
        matches!(self, Self::Hinge | Self::Insensitive { .. } | Self::Ranking)
    }

    /// Returns the loss itself.
    pub(super) fn value(self, y: f64, f: f64) -> f64 {
        match self {
            Self::Hinge => (1.0 - y * f).max(0.0),
            Self::Insensitive { epsilon } => ((y - f).abs() - epsilon).max(0.0),
            smooth => smooth.local(y, f, 1.0).value,
        }
    }

    /// Returns value, slope and curvature, with kinks rounded to parabolas of half-width
    /// `round` (Chapelle, Neural Computation 19, 2007).
    pub(super) fn local(self, y: f64, f: f64, round: f64) -> Local {
        match self {
            Self::Logistic => {
                let t = y * f;
                // log(1 + e^{−t}) without overflow on either side.
                let value = (-t.abs()).exp().ln_1p() + (-t).max(0.0);
                let p = if t >= 0.0 {
                    (-t).exp() / (1.0 + (-t).exp())
                } else {
                    1.0 / (1.0 + t.exp())
                };
                Local {
                    value,
                    slope: -y * p,
                    curvature: p * (1.0 - p),
                }
            }
            Self::Hinge => {
                let bend = ramp(1.0 - y * f, round);
                Local {
                    slope: -y * bend.slope,
                    ..bend
                }
            }
            Self::SquaredHinge => {
                let miss = (1.0 - y * f).max(0.0);
                Local {
                    value: miss * miss,
                    slope: -2.0 * y * miss,
                    curvature: if miss > 0.0 { 2.0 } else { 0.0 },
                }
            }
            Self::Squared => Local {
                value: 0.5 * (y - f).powi(2),
                slope: f - y,
                curvature: 1.0,
            },
            Self::Huber { delta } => {
                let e = f - y;
                if e.abs() <= delta {
                    Local {
                        value: 0.5 * e * e,
                        slope: e,
                        curvature: 1.0,
                    }
                } else {
                    Local {
                        value: delta * (e.abs() - 0.5 * delta),
                        slope: delta * e.signum(),
                        curvature: 0.0,
                    }
                }
            }
            Self::Insensitive { epsilon } => {
                let e = f - y;
                let (up, down) = (ramp(e - epsilon, round), ramp(-e - epsilon, round));
                Local {
                    value: up.value + down.value,
                    slope: up.slope - down.slope,
                    curvature: up.curvature + down.curvature,
                }
            }
            // A joint loss has none of single rows: `ranking` has its sums.
            Self::Ranking => Local {
                value: 0.0,
                slope: 0.0,
                curvature: 0.0,
            },
        }
    }
}

/// max(0, t), with a parabola between −round and round.
pub(super) fn ramp(t: f64, round: f64) -> Local {
    if t <= -round {
        Local {
            value: 0.0,
            slope: 0.0,
            curvature: 0.0,
        }
    } else if t >= round {
        Local {
            value: t,
            slope: 1.0,
            curvature: 0.0,
        }
    } else {
        Local {
            value: (t + round).powi(2) / (4.0 * round),
            slope: (t + round) / (2.0 * round),
            curvature: 1.0 / (2.0 * round),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_and_curvatures_are_those_of_the_values() {
        const H: f64 = 1e-5;
        let losses = [
            Loss::Logistic,
            Loss::Hinge,
            Loss::SquaredHinge,
            Loss::Squared,
            Loss::Huber { delta: 0.7 },
            Loss::Insensitive { epsilon: 0.2 },
        ];
        for loss in losses {
            for y in [-1.0, 1.0] {
                for step in -30..30 {
                    let f = 0.1 * f64::from(step) + 0.033;
                    let at = |f: f64| loss.local(y, f, 0.3);
                    let (here, up, down) = (at(f), at(f + H), at(f - H));
                    let slope = (up.value - down.value) / (2.0 * H);
                    assert!((slope - here.slope).abs() < 1e-5, "{loss:?} {y} {f}");
                    let curvature = (up.slope - down.slope) / (2.0 * H);
                    assert!(
                        (curvature - here.curvature).abs() < 1e-4,
                        "{loss:?} {y} {f}"
                    );
                }
            }
        }
    }

    #[test]
    fn extreme_values_stay_numbers() {
        for f in [1e300, -1e300, 1e4, -1e4] {
            let local = Loss::Logistic.local(1.0, f, 1.0);
            assert!(local.value >= 0.0 && !local.value.is_nan(), "{f}");
            assert!((0.0..=1.0).contains(&-local.slope), "{f}");
        }
    }
}
