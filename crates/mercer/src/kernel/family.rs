//! Kernel families: each declares itself once, and parser, help and checks follow from it.

use super::{BoundKernel, Settings, Value};
use crate::data::Records;
use crate::{Error, Result};

/// What part of the records a family reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// The numeric block.
    Vectors,
    /// Categorical codes.
    Codes,
    /// Texts.
    Texts,
    /// Graphs.
    Graphs,
    /// Nodes of a network.
    Nodes,
    /// The rows of a kernel matrix.
    Matrix,
}

/// Whether the Gram matrices of a family are positive semidefinite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Definiteness {
    /// On every set of rows.
    Always,
    /// As the user's matrix is.
    AsGiven,
    /// Not on every set of rows.
    NotInGeneral,
}

/// Which numbers a parameter may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// Any finite number.
    Finite,
    /// Finite and above zero.
    Positive,
    /// Finite and at least zero.
    NotNegative,
    /// A whole number from 1 to this bound.
    Count(u32),
    /// A whole number from 0 to this bound.
    Steps(u32),
    /// Above 0 and at most 1.
    Share,
    /// One of a few numbers.
    OneOf(&'static [f64]),
}

impl Rule {
    /// Returns whether the rule allows a number.
    pub fn allows(self, number: f64) -> bool {
        number.is_finite()
            && match self {
                Self::Finite => true,
                Self::Positive => number > 0.0,
                Self::NotNegative => number >= 0.0,
                Self::Count(most) => {
                    number.fract() == 0.0 && (1.0..=f64::from(most)).contains(&number)
                }
                Self::Steps(most) => {
                    number.fract() == 0.0 && (0.0..=f64::from(most)).contains(&number)
                }
                Self::Share => number > 0.0 && number <= 1.0,
                Self::OneOf(allowed) => allowed.contains(&number),
            }
    }

    /// Returns the rule as the end of "it must be ...".
    pub fn text(self) -> String {
        match self {
            Self::Finite => "finite".to_owned(),
            Self::Positive => "positive and finite".to_owned(),
            Self::NotNegative => "finite and not negative".to_owned(),
            Self::Count(most) => format!("a whole number from 1 to {most}"),
            Self::Steps(most) => format!("a whole number from 0 to {most}"),
            Self::Share => "above 0 and at most 1".to_owned(),
            Self::OneOf(allowed) => {
                let names: Vec<String> = allowed.iter().map(ToString::to_string).collect();
                format!("one of {}", names.join(", "))
            }
        }
    }
}

/// What a parameter may hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Allowed {
    /// One number.
    Number(Rule),
    /// One number, or a list with one number per feature.
    Scale(Rule),
    /// A list with one number per feature.
    List(Rule),
    /// One of these words.
    Word(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
}

/// A number chosen for a parameter, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// The number.
    pub number: f64,
    /// The rule that gave it, as in "`gamma` of rbf is 0.5: ...".
    pub why: String,
}

/// The rows that parameters are chosen from.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// The rows.
    pub records: &'a Records,
    /// How many copies each row stands for; `None` means one each.
    pub weights: Option<&'a [f64]>,
}

/// What happens to a parameter that was left out.
#[derive(Clone, Copy)]
pub enum Fallback {
    /// It takes this number.
    Number(f64),
    /// It takes this word.
    Word(&'static str),
    /// It takes this switch position.
    Flag(bool),
    /// It is chosen from the data; the settings hold what is fixed so far.
    Data(fn(&Settings, &Sample<'_>) -> Result<Chosen>),
    /// It stays out: another parameter stands for it, or the kernel works without.
    Absent,
}

/// One parameter of a family.
pub struct Parameter {
    /// The name as users write it.
    pub name: &'static str,
    /// What it does, in a few words.
    pub meaning: &'static str,
    /// What it may hold.
    pub allowed: Allowed,
    /// What happens when it is left out.
    pub fallback: Fallback,
    /// How the default is described in help.
    pub default: &'static str,
    /// A parameter that says the same in other units; only one of both may be given.
    pub instead_of: Option<&'static str>,
}

/// Binds a kernel with complete settings to rows that were admitted.
pub type Bind = fn(&Settings, &Records) -> Result<Box<dyn BoundKernel>>;

/// A family of kernels.
pub struct Family {
    /// The name as users write it.
    pub name: &'static str,
    /// What it is for, in one sentence.
    pub summary: &'static str,
    /// The equation.
    pub formula: &'static str,
    /// The parameters, in positional order.
    pub parameters: &'static [Parameter],
    /// The words "parameter of `name`", for errors.
    pub parameter_kind: &'static str,
    /// What it reads.
    pub input: Input,
    /// Whether its Gram matrices are positive semidefinite.
    pub definiteness: Definiteness,
    /// Binds the normalised kernel, where values leave the range of f64 long before their
    /// ratios do.
    pub normalised: Option<Bind>,
    /// Refuses rows the family cannot compare, with row, column and cure.
    pub admit: fn(&Settings, &Records) -> Result<()>,
    /// Binds the kernel to rows that were admitted; the settings are complete.
    pub bind: Bind,
}

impl std::fmt::Debug for Family {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Family {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Family {
    /// Returns the position of a parameter in the list.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the names of all parameters.
    pub fn parameter(&self, name: &str) -> Result<usize> {
        let found = self.parameters.iter().position(|p| p.name == name);
        found.ok_or_else(|| Error::Unknown {
            kind: self.parameter_kind,
            name: name.to_owned(),
            known: self.parameters.iter().map(|p| p.name.to_owned()).collect(),
        })
    }

    /// Checks the values that were given, all at once.
    ///
    /// # Errors
    /// Values of the wrong kind or outside their range, and two values for one thing.
    pub fn check(&self, settings: &Settings) -> Result<()> {
        let mut errors = Vec::new();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let value = settings.value(index);
            errors.extend(parameter.check(value).err());
            let Some(twin) = parameter.instead_of else {
                continue;
            };
            if !value.is_open() && self.is_given(twin, settings) {
                errors.push(Error::Conflict {
                    what: format!(
                        "`{}` of {} and `{twin}` say the same thing and are both given",
                        parameter.name, self.name
                    ),
                    cure: format!("give only one of `{}` and `{twin}`", parameter.name).into(),
                });
            }
        }
        Error::collect(errors)
    }

    fn is_given(&self, name: &str, settings: &Settings) -> bool {
        let index = self.parameters.iter().position(|p| p.name == name);
        index.is_some_and(|index| !settings.value(index).is_open())
    }

    /// Returns whether a parameter may stay open: another stands for it, or none is needed.
    pub(super) fn may_stay_open(&self, index: usize, settings: &Settings) -> bool {
        let parameter = &self.parameters[index];
        let twin_given = self.parameters.iter().enumerate().any(|(other, p)| {
            p.instead_of == Some(parameter.name) && !settings.value(other).is_open()
        });
        twin_given || matches!(parameter.fallback, Fallback::Absent)
    }
}

impl Parameter {
    fn check(&self, value: &Value) -> Result<()> {
        let refuse = |value: String, rule: &str| Err(Error::setting(self.name, value, rule));
        match (value, self.allowed) {
            (Value::Number(number), Allowed::Number(rule) | Allowed::Scale(rule)) => {
                if rule.allows(*number) {
                    Ok(())
                } else {
                    refuse(number.to_string(), &rule.text())
                }
            }
            (Value::Numbers(numbers), Allowed::Scale(rule) | Allowed::List(rule)) => {
                match numbers.iter().find(|n| !rule.allows(**n)) {
                    Some(number) => refuse(number.to_string(), &rule.text()),
                    None if numbers.is_empty() => refuse("[]".to_owned(), "one number or more"),
                    None => Ok(()),
                }
            }
            (Value::Word(word), Allowed::Word(words)) if words.contains(&word.as_str()) => Ok(()),
            (Value::Open, _) | (Value::Flag(_), Allowed::Flag) => Ok(()),
            (value, allowed) => refuse(value.to_string(), &allowed.text()),
        }
    }
}

impl Allowed {
    /// Returns what is allowed as the end of "it must be ...".
    pub fn text(self) -> String {
        match self {
            Self::Number(rule) => format!("one number, {}", rule.text()),
            Self::Scale(rule) => format!("one number or one per feature, {}", rule.text()),
            Self::List(rule) => format!("a list with one number per feature, {}", rule.text()),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::Flag => "`true` or `false`".to_owned(),
        }
    }
}
