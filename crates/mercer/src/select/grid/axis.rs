//! One axis of a grid: a setting and the values it takes.

use crate::{Error, Result};

/// Points of a range whose number was not given.
const DEFAULT_POINTS: usize = 7;
/// Ends of a range whose ratio reaches this are spaced by ratio.
const LOG_RATIO: f64 = 10.0;
/// More values than this on one axis are a slip of the keyboard.
const MOST_VALUES: usize = 1000;

/// How the values of an axis follow each other, which is how refinement halves the gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spacing {
    /// By equal ratios.
    Log,
    /// By equal differences.
    Linear,
}

/// A setting and the values it takes.
///
/// The text form is the same everywhere: `C=0.01..10000:10` is ten values, spaced by ratio
/// because both ends are positive and a factor of 10 or more apart; `nu=0.1..0.5:5` is spaced
/// evenly; a third part, `:log` or `:linear`, decides otherwise; `degree=2,3,4` lists values.
///
/// ```
/// use mercer::select::grid::Axis;
///
/// let axis: Axis = "C=0.01..100:5".parse()?;
/// assert_eq!(axis.values, [0.01, 0.1, 1.0, 10.0, 100.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The setting, as [`super::Tuning`] describes.
    pub name: String,
    /// The values, ascending and distinct.
    pub values: Vec<f64>,
    /// How they follow each other.
    pub spacing: Spacing,
}

impl Axis {
    /// Lists values.
    ///
    /// # Errors
    /// No value, or one that is not finite.
    pub fn list(name: &str, values: impl IntoIterator<Item = f64>) -> Result<Self> {
        let mut values: Vec<f64> = values.into_iter().collect();
        if let Some(bad) = values.iter().find(|v| !v.is_finite()) {
            return Err(Error::setting(&format!("grid of {name}"), bad, "finite"));
        }
        values.sort_by(f64::total_cmp);
        values.dedup();
        let (Some(first), Some(last)) = (values.first(), values.last()) else {
            return Err(Error::setting(
                &format!("grid of {name}"),
                "",
                "at least one value",
            ));
        };
        if values.len() > MOST_VALUES {
            let rule = format!("at most {MOST_VALUES} values");
            return Err(Error::setting(
                &format!("grid of {name}"),
                values.len(),
                &rule,
            ));
        }
        let spacing = if *first > 0.0 && last / first >= LOG_RATIO {
            Spacing::Log
        } else {
            Spacing::Linear
        };
        Ok(Self {
            name: name.to_owned(),
            values,
            spacing,
        })
    }

    /// Spaces values over a range, ends included.
    ///
    /// # Errors
    /// Ends that are not finite or in the wrong order, and ratios without positive ends.
    pub fn range(name: &str, low: f64, high: f64, points: usize, spacing: Spacing) -> Result<Self> {
        let whole = format!("{low}..{high}");
        let refuse = |rule: &str| Err(Error::setting(&format!("grid of {name}"), &whole, rule));
        if !(low.is_finite() && high.is_finite() && low <= high) {
            return refuse("two finite numbers, the smaller one first");
        }
        if points == 0 || points > MOST_VALUES {
            return refuse(&format!("a range of 1 to {MOST_VALUES} points"));
        }
        if spacing == Spacing::Log && low <= 0.0 {
            return refuse("positive at both ends to be spaced by ratio");
        }
        let last = (points - 1).max(1) as f64;
        let value = |k: usize| {
            let share = k as f64 / last;
            match spacing {
                // The ends are met digit for digit.
                _ if k == 0 => low,
                _ if k + 1 == points => high,
                Spacing::Log => short(low * (high / low).powf(share)),
                Spacing::Linear => short(low + (high - low) * share),
            }
        };
        let mut axis = Self::list(name, (0..points).map(value))?;
        axis.spacing = spacing;
        Ok(axis)
    }

    /// Reads the values of an axis, the part after the equals sign.
    ///
    /// # Errors
    /// Text that is neither a range nor a list of numbers.
    pub fn parse_values(name: &str, text: &str) -> Result<Self> {
        let number = |part: &str| -> Result<f64> {
            let rule = "a list such as `1,10,100` or a range such as `0.01..100:5`";
            let parsed = part.trim().parse::<f64>().ok();
            parsed.ok_or_else(|| Error::setting(&format!("grid of {name}"), text, rule))
        };
        let Some((low, rest)) = text.split_once("..") else {
            let values: Result<Vec<f64>> = text.split(',').map(number).collect();
            return Self::list(name, values?);
        };
        let mut parts = rest.split(':');
        let (low, high) = (number(low)?, number(parts.next().unwrap_or_default())?);
        let mut points = DEFAULT_POINTS;
        let mut spacing = if low > 0.0 && high / low >= LOG_RATIO {
            Spacing::Log
        } else {
            Spacing::Linear
        };
        for part in parts {
            match part.trim() {
                "log" => spacing = Spacing::Log,
                "linear" | "lin" => spacing = Spacing::Linear,
                count => {
                    points = count.parse().map_err(|_| {
                        let rule = "followed by a number of points, `log` or `linear`";
                        Error::setting(&format!("grid of {name}"), text, rule)
                    })?;
                }
            }
        }
        Self::range(name, low, high, points, spacing)
    }

    /// Returns the values next to a value at half the distance of its neighbours.
    pub(super) fn around(&self, value: f64) -> Vec<f64> {
        let Some(place) = self.values.iter().position(|v| *v == value) else {
            return vec![value];
        };
        if self.values.len() < 2 {
            return vec![value];
        }
        let below = place.checked_sub(1).map(|k| self.values[k]);
        let above = self.values.get(place + 1).copied();
        let halfway = |to: f64| match self.spacing {
            Spacing::Log => short((value * to).sqrt()),
            Spacing::Linear => short(f64::midpoint(value, to)),
        };
        // At the edge of the grid the search goes on beyond it, by half a step.
        let beyond = |inner: f64| match self.spacing {
            Spacing::Log => short(value * (value / inner).sqrt()),
            Spacing::Linear => short(value + (value - inner) / 2.0),
        };
        let down = below.map_or_else(|| above.map(beyond), |b| Some(halfway(b)));
        let up = above.map_or_else(|| below.map(beyond), |a| Some(halfway(a)));
        let mut values: Vec<f64> = down.into_iter().chain([value]).chain(up).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    }
}

impl std::str::FromStr for Axis {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let Some((name, values)) = text.split_once('=') else {
            let rule = "SETTING=VALUES, such as `C=0.1..1000:5` or `degree=2,3`";
            return Err(Error::setting("grid", text, rule));
        };
        Self::parse_values(name.trim(), values)
    }
}

/// Rounds to twelve digits: `0.1` instead of `0.10000000000000002`.
fn short(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<f64> {
        text.parse::<Axis>().unwrap().values
    }

    #[test]
    fn ranges_and_lists() {
        assert_eq!(
            values("C=0.01..10000:7"),
            [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0]
        );
        assert_eq!(values("nu=0.1..0.5:5"), [0.1, 0.2, 0.3, 0.4, 0.5]);
        assert_eq!(values("degree=4,2,3,2"), [2.0, 3.0, 4.0]);
        assert_eq!(values("C=1..100:3:linear"), [1.0, 50.5, 100.0]);
        assert_eq!(values("x=-1..1:3"), [-1.0, 0.0, 1.0]);
        assert_eq!(values("C=5"), [5.0]);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "C",
            "C=",
            "C=a",
            "C=3..1:4",
            "C=1..2:0",
            "C=1..10:x",
            "C=-1..1:3:log",
            "C=inf",
            "C=1..2:99999",
        ] {
            assert!(text.parse::<Axis>().is_err(), "{text}");
        }
    }

    #[test]
    fn neighbours_are_halfway() {
        let axis: Axis = "C=1..10000:3".parse().unwrap();
        assert_eq!(axis.around(100.0), [10.0, 100.0, 1000.0]);
        assert_eq!(axis.around(1.0), [0.1, 1.0, 10.0]);
        let even: Axis = "nu=0.2,0.4".parse().unwrap();
        assert_eq!(even.around(0.4), [0.3, 0.4, 0.5]);
    }
}
