//! Values of kernel parameters.

use super::Family;

/// The value of one kernel parameter.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// Left out: chosen from the data.
    #[default]
    Open,
    /// One number.
    Number(f64),
    /// One number per feature.
    Numbers(Vec<f64>),
    /// One of a fixed set of words.
    Word(String),
    /// A switch.
    Flag(bool),
}

impl Value {
    /// Returns whether the value was left out.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Open)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<Vec<f64>> for Value {
    fn from(numbers: Vec<f64>) -> Self {
        Self::Numbers(numbers)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Self::Word(word.to_owned())
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Open, Into::into)
    }
}

/// One value for each parameter of a family, in the family's order.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings(Vec<Value>);

impl Settings {
    /// Leaves every parameter open.
    pub fn open(family: &Family) -> Self {
        Self(vec![Value::Open; family.parameters.len()])
    }

    /// Returns the value of the parameter at a position of the family's list.
    pub fn value(&self, parameter: usize) -> &Value {
        self.0.get(parameter).unwrap_or(&Value::Open)
    }

    /// Sets the parameter at a position of the family's list.
    ///
    /// # Panics
    /// A position beyond the list.
    pub fn set(&mut self, parameter: usize, value: impl Into<Value>) {
        self.0[parameter] = value.into();
    }

    /// Returns a parameter that holds one number.
    pub fn number(&self, parameter: usize) -> Option<f64> {
        match self.value(parameter) {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns whether a switch is on.
    pub fn flag(&self, parameter: usize) -> bool {
        matches!(self.value(parameter), Value::Flag(true))
    }

    /// Returns whether a parameter holds the given word.
    pub fn is_word(&self, parameter: usize, word: &str) -> bool {
        matches!(self.value(parameter), Value::Word(w) if w == word)
    }
}
