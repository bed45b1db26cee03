//! Settings of learning methods: one truth for flags, Python parameters, searches and files.
//!
//! A parameter struct derives [`Settings`] from its fields. A group of settings that several methods
//! share, such as the solver's, implements it once and is a field of each.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::ClassWeights;
use crate::kernel::KernelSpec;
use crate::{Error, Result};

/// Something with named settings: the parameters of a method, or a group that methods share.
pub trait Settings {
    /// Lists the settings.
    fn list() -> Vec<Setting>
    where
        Self: Sized;

    /// Takes a value; `None` where there is no such setting.
    fn set(&mut self, name: &str, value: &Value) -> Option<Result<()>>;

    /// Returns a value; `None` where there is no such setting.
    fn get(&self, name: &str) -> Option<Value>;

    /// Collects every value that is outside its range.
    fn check(&self, errors: &mut Vec<Error>);

    /// Returns the kernel, where there is one.
    fn kernel(&self) -> Option<&KernelSpec> {
        None
    }

    /// Returns the kernel, to be changed.
    fn kernel_mut(&mut self) -> Option<&mut KernelSpec> {
        None
    }

    /// Returns the factors by class, to be changed.
    fn class_weights_mut(&mut self) -> Option<&mut ClassWeights> {
        None
    }
}

/// One setting of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The name in Rust, in files and after `--set`.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What it means, in one sentence without a period.
    pub doc: &'static str,
    /// The flag of the command.
    pub flag: Flag,
    /// The parameter of Python classes.
    pub python: &'static str,
    /// The range that a search without a grid covers.
    pub search: Option<Search>,
    /// Whether it may be left open.
    pub optional: bool,
    /// Settings that say the same in another way: at most one of them can be given.
    pub rivals: &'static [&'static str],
}

impl Setting {
    /// A setting that any name fits: no search, no rivals.
    pub const fn new(name: &'static str, kind: Kind, doc: &'static str) -> Self {
        Self {
            name,
            kind,
            doc,
            flag: Flag::On(name),
            python: name,
            search: None,
            optional: false,
            rivals: &[],
        }
    }
}

/// What a setting holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A number.
    Number(Range),
    /// A whole number of at least 1.
    Count,
    /// A list of whole numbers of at least 1.
    Counts,
    /// On or off.
    Switch,
    /// One of some words.
    Word(&'static [&'static str]),
    /// A kernel expression.
    Kernel,
    /// `equal`, `balanced`, or a factor by label.
    ClassWeights,
}

/// The numbers that a setting may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// Finite ones.
    Any,
    /// Above 0.
    Positive,
    /// 0 or above.
    NotNegative,
    /// Above 0 and at most 1.
    Share,
    /// Whole ones from 1.
    Count,
}

impl Range {
    /// Returns whether a number is inside.
    pub fn contains(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Self::Any => true,
                Self::Positive => value > 0.0,
                Self::NotNegative => value >= 0.0,
                Self::Share => value > 0.0 && value <= 1.0,
                Self::Count => value >= 1.0 && value.fract() == 0.0,
            }
    }

    /// Returns the range as the end of "it must be …".
    pub fn rule(self) -> &'static str {
        match self {
            Self::Any => "finite",
            Self::Positive => "positive and finite",
            Self::NotNegative => "finite and not negative",
            Self::Share => "above 0 and at most 1",
            Self::Count => "at least 1",
        }
    }

    /// Adds an error for a list with a number outside.
    pub(crate) fn check_all(self, name: &str, values: &[usize], errors: &mut Vec<Error>) {
        if let Some(value) = values.iter().find(|v| !self.contains(**v as f64)) {
            errors.push(Error::setting(name, value, self.rule()));
        }
    }

    /// Adds an error for a number outside.
    pub(crate) fn check(self, name: &str, value: f64, errors: &mut Vec<Error>) {
        if !self.contains(value) {
            errors.push(Error::setting(name, value, self.rule()));
        }
    }
}

/// How the command names a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flag {
    /// `--name VALUE`, or `--name` for what is on or off.
    On(&'static str),
    /// `--name` switches off what is on by default.
    Off(&'static str),
    /// An older name, which the help does not show.
    Hidden(&'static str),
    /// By `--set` only.
    None,
}

impl Flag {
    /// Returns the flag's name without dashes.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::On(name) | Self::Off(name) | Self::Hidden(name) => Some(name),
            Self::None => None,
        }
    }
}

/// How a search treats a setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Search {
    /// Whether larger values give smoother models, to which ties go.
    pub larger_is_smoother: bool,
    /// The values that are tried where nobody names any.
    pub grid: Grid,
}

/// The values of a setting that a search tries where nobody names any.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Grid {
    /// None: the setting stays as it is.
    Fixed,
    /// From, to, how many, in equal steps.
    Linear(f64, f64, usize),
    /// From, to, how many, in equal ratios.
    Log(f64, f64, usize),
    /// Weights of errors: 0.01 to 10,000 for classes; 0.1 to 1,000 for numbers, in units of their
    /// standard deviation.
    Regularisation,
}

/// Takes a value of a field from JSON.
pub(crate) fn read_value<T: DeserializeOwned>(name: &str, value: &Value) -> Result<T> {
    serde_json::from_value(value.clone()).map_err(|e| {
        let text = e.to_string();
        // serde tells what it met and what it expected, then where, which is of no use here.
        let rule = text.split(" at line ").next().unwrap_or(&text);
        Error::Setting {
            name: name.to_owned(),
            value: plain(value),
            rule: format!("of another kind: {rule}"),
        }
    })
}

/// Gives a value of a field as JSON.
pub(crate) fn write_value<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

/// What a list of counts looks like.
const COUNTS: &str = "whole numbers of at least 1 with commas between, or `none`";

/// A value as users write it.
pub fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) if list.is_empty() => "none".to_owned(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

impl Kind {
    /// Reads a value that was written as text.
    ///
    /// # Errors
    /// Text that is no value of this kind.
    pub fn parse(self, name: &str, text: &str, optional: bool) -> Result<Value> {
        if optional && text == "none" {
            return Ok(Value::Null);
        }
        let wrong = |rule: &str| Error::setting(name, text, rule);
        match self {
            Self::Number(range) => {
                let number: f64 = text.parse().map_err(|_| wrong("a number"))?;
                if !range.contains(number) {
                    return Err(wrong(range.rule()));
                }
                Ok(Value::from(number))
            }
            Self::Count => {
                let number: u64 = text.parse().map_err(|_| wrong("a whole number"))?;
                if number == 0 {
                    return Err(wrong(Range::Count.rule()));
                }
                Ok(Value::from(number))
            }
            Self::Counts if text == "none" => Ok(Value::Array(Vec::new())),
            Self::Counts => {
                let counts = text.split(',').map(|part| part.trim().parse::<u64>().ok());
                let counts: Option<Vec<u64>> = counts.map(|n| n.filter(|n| *n > 0)).collect();
                counts.map(Value::from).ok_or_else(|| wrong(COUNTS))
            }
            Self::Switch => match text {
                "true" | "on" | "yes" => Ok(Value::Bool(true)),
                "false" | "off" | "no" => Ok(Value::Bool(false)),
                _ => Err(wrong("`true` or `false`")),
            },
            Self::Word(words) if words.contains(&text) => Ok(Value::from(text)),
            Self::Word(words) => Err(wrong(&format!("one of {}", words.join(", ")))),
            Self::Kernel => {
                text.parse::<KernelSpec>()?;
                Ok(Value::from(text))
            }
            Self::ClassWeights => class_weights(name, text),
        }
    }

    /// Returns the kind in words, as the help of a flag shows it.
    pub fn words(self) -> String {
        match self {
            Self::Number(range) => format!("a number, {}", range.rule()),
            Self::Count => "a whole number of at least 1".to_owned(),
            Self::Counts => COUNTS.to_owned(),
            Self::Switch => "true or false".to_owned(),
            Self::Word(words) => words.join(", "),
            Self::Kernel => "a kernel expression".to_owned(),
            Self::ClassWeights => "`balanced`, or LABEL=FACTOR,…".to_owned(),
        }
    }
}

/// Reads `equal`, `balanced` or `a=2,b=0.5`.
fn class_weights(name: &str, text: &str) -> Result<Value> {
    if text == "equal" || text == "balanced" {
        return Ok(Value::from(text));
    }
    let mut factors = serde_json::Map::new();
    for part in text.split(',') {
        let factor = part.rsplit_once('=').and_then(|(label, factor)| {
            let factor: f64 = factor.trim().parse().ok()?;
            Some((label.trim().to_owned(), factor))
        });
        let Some((label, factor)) = factor else {
            return Err(Error::setting(name, text, "`balanced`, or LABEL=FACTOR,…"));
        };
        factors.insert(label, Value::from(factor));
    }
    Ok(serde_json::json!({ "given": factors }))
}
