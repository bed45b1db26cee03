//! A setting of a method with some values: numbers or words.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use super::axis::{Axis, Spacing};
use super::tunable::{self, axis_name};
use crate::learn::{AnyEstimator, Kind};
use crate::{Error, Result};

/// Any setting of a method, or a parameter of its kernel, with values to try.
///
/// The text form is that of an [`Axis`], such as `C=0.01..100:5` or `degree=2,3`, or a list of words:
/// `kernel=linear,rbf(gamma=0.1)`, `standardize=true,false`.
///
/// ```
/// use mercer::select::grid::Varied;
///
/// let varied: Varied = "kernel=linear,sum_of(a, b)".parse()?;
/// assert_eq!(varied.names(), ["linear", "sum_of(a, b)"]);
/// assert!("C=1..100:3".parse::<Varied>()?.numbers().is_some());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Varied {
    /// The setting.
    pub name: String,
    values: Values,
}

#[derive(Debug, Clone, PartialEq)]
enum Values {
    Numbers(Axis),
    Words(Vec<String>),
}

impl Varied {
    /// Returns the values as texts.
    pub fn names(&self) -> Vec<String> {
        match &self.values {
            Values::Numbers(axis) => axis.values.iter().map(ToString::to_string).collect(),
            Values::Words(words) => words.clone(),
        }
    }

    /// Returns the values and how they follow each other, where they are numbers.
    pub fn numbers(&self) -> Option<(&[f64], Spacing)> {
        match &self.values {
            Values::Numbers(axis) => Some((&axis.values, axis.spacing)),
            Values::Words(_) => None,
        }
    }

    /// Returns how many values there are.
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Numbers(axis) => axis.values.len(),
            Values::Words(words) => words.len(),
        }
    }

    /// Returns whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Gives a method the value at a place.
    ///
    /// # Errors
    /// A setting that the method does not have, a value that it does not allow.
    pub fn set(&self, place: usize, estimator: &mut AnyEstimator) -> Result<()> {
        match &self.values {
            Values::Numbers(axis) => {
                let value = axis.values[place];
                let one = Axis::list(&axis.name, [value])?;
                match tunable::find(&one, estimator) {
                    Ok(tunable) => tunable.set(estimator, value),
                    // What a search does not vary may be a setting all the same.
                    Err(Error::Unknown { known, .. }) => {
                        self.set_text(estimator, &crate::data::number_text(value), known)
                    }
                    Err(error) => Err(error),
                }
            }
            Values::Words(words) => self.set_text(estimator, &words[place], Vec::new()),
        }
    }

    /// Sets a value by its text, as users write it.
    fn set_text(
        &self,
        estimator: &mut AnyEstimator,
        text: &str,
        mut known: Vec<String>,
    ) -> Result<()> {
        let settings = estimator.settings();
        let is_named = |name: &'static str| name == self.name || axis_name(name) == self.name;
        let Some(setting) = settings.iter().find(|s| is_named(s.name)) else {
            for setting in &settings {
                let name = axis_name(setting.name).to_owned();
                if !known.contains(&name) {
                    known.push(name);
                }
            }
            return Err(Error::Unknown {
                kind: "setting",
                name: self.name.clone(),
                known,
            });
        };
        let value: Value = match setting.kind {
            Kind::Kernel => Kind::Kernel.parse("kernel", text, false)?,
            kind => kind.parse(setting.name, text, setting.optional)?,
        };
        estimator.set(setting.name, &value)
    }
}

impl fmt::Display for Varied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.names().join(","))
    }
}

impl FromStr for Varied {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let rule = "SETTING=VALUES, such as `C=0.1..1000:5` or `kernel=linear,rbf`";
        let Some((name, list)) = text.split_once('=') else {
            return Err(Error::setting("over", text, rule));
        };
        let name = name.trim().to_owned();
        if name.is_empty() {
            return Err(Error::setting("over", text, rule));
        }
        let words = split(list);
        let is_number = |word: &String| word.parse::<f64>().is_ok();
        let values = if list.contains("..") || words.iter().all(is_number) {
            Values::Numbers(Axis::parse_values(&name, list)?)
        } else if words.iter().any(String::is_empty) {
            return Err(Error::setting("over", text, rule));
        } else {
            Values::Words(words)
        };
        Ok(Self { name, values })
    }
}

/// The parts between commas outside of brackets.
fn split(list: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_usize;
    for letter in list.chars() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("never empty").push(letter);
    }
    parts.iter().map(|part| part.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::margin::Svc;

    fn set(text: &str, place: usize) -> Result<AnyEstimator> {
        let mut machine = AnyEstimator::Svc(Svc::default());
        text.parse::<Varied>()?.set(place, &mut machine)?;
        Ok(machine)
    }

    #[test]
    fn settings_of_all_kinds_are_set() {
        assert_eq!(set("C=1,10", 1).unwrap().get("c"), Some(10.0.into()));
        assert_eq!(
            set("tolerance=0.01", 0).unwrap().get("tolerance"),
            Some(0.01.into())
        );
        assert_eq!(
            set("probability=true,false", 0).unwrap().get("probability"),
            Some(true.into())
        );
        let kernel = set("kernel=linear,poly(degree=2, offset=1)", 1).unwrap();
        assert!(
            kernel.kernel_text().starts_with("poly(degree=2"),
            "{}",
            kernel.kernel_text()
        );
        assert!(set("gamma=0.5", 0).unwrap().kernel_text().contains("0.5"));
    }

    #[test]
    fn what_is_no_setting_is_refused_with_names() {
        let error = set("epsiln=1", 0).unwrap_err();
        assert!(error.to_string().contains("epsiln"), "{error}");
        assert!(set("probability=perhaps", 0).is_err());
        assert!(set("C=-1", 0).is_err());
        for text in ["C", "C=", "=1,2", "kernel=linear,,rbf", "C=1..0"] {
            assert!(text.parse::<Varied>().is_err(), "{text}");
        }
    }
}
