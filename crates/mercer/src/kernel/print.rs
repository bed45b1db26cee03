//! Prints kernel expressions so that reading them back gives the same expression.

use std::fmt::{Display, Formatter, Result, Write};

use super::lex::is_bare_name;
use super::{KernelSpec, Settings, Value};
use crate::data::ColumnRef;

/// How tightly an expression binds; a part that binds less than its place needs parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Tightness {
    Sum,
    Product,
    Power,
    Columns,
    Primary,
}

fn tightness(kernel: &KernelSpec) -> Tightness {
    match kernel {
        KernelSpec::Sum(_) => Tightness::Sum,
        KernelSpec::Product(_) | KernelSpec::Scaled { .. } => Tightness::Product,
        KernelSpec::Power { .. } => Tightness::Power,
        KernelSpec::On { .. } => Tightness::Columns,
        KernelSpec::Base { .. } | KernelSpec::Exp(_) | KernelSpec::Normalise(_) => {
            Tightness::Primary
        }
    }
}

fn part(f: &mut Formatter<'_>, kernel: &KernelSpec, least: Tightness) -> Result {
    if tightness(kernel) < least {
        write!(f, "({kernel})")
    } else {
        write!(f, "{kernel}")
    }
}

impl Display for KernelSpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Base { family, settings } => {
                f.write_str(family.name)?;
                parameters(f, family.parameters.iter().map(|p| p.name), settings)
            }
            Self::Scaled { factor, kernel } => {
                write!(f, "{}*", Number(*factor))?;
                part(f, kernel, Tightness::Product)
            }
            Self::Sum(kernels) => joined(f, kernels, " + ", Tightness::Product),
            Self::Product(kernels) => joined(f, kernels, "*", Tightness::Power),
            Self::Power { kernel, exponent } => {
                part(f, kernel, Tightness::Columns)?;
                write!(f, "^{exponent}")
            }
            Self::Exp(kernel) => write!(f, "exp({kernel})"),
            Self::Normalise(kernel) => write!(f, "normalise({kernel})"),
            Self::On { columns, kernel } => {
                part(f, kernel, Tightness::Primary)?;
                match columns.as_slice() {
                    [single] => {
                        f.write_char('@')?;
                        column(f, single)
                    }
                    several => {
                        f.write_str("@[")?;
                        for (index, each) in several.iter().enumerate() {
                            if index > 0 {
                                f.write_char(',')?;
                            }
                            column(f, each)?;
                        }
                        f.write_char(']')
                    }
                }
            }
        }
    }
}

fn joined(f: &mut Formatter<'_>, kernels: &[KernelSpec], mark: &str, least: Tightness) -> Result {
    for (index, kernel) in kernels.iter().enumerate() {
        if index > 0 {
            f.write_str(mark)?;
        }
        part(f, kernel, least)?;
    }
    Ok(())
}

fn parameters<'a>(
    f: &mut Formatter<'_>,
    names: impl Iterator<Item = &'a str>,
    settings: &Settings,
) -> Result {
    let mut first = true;
    for (index, name) in names.enumerate() {
        let value = settings.value(index);
        if value.is_open() {
            continue;
        }
        f.write_str(if first { "(" } else { ", " })?;
        first = false;
        write!(f, "{name}={value}")?;
    }
    if first { Ok(()) } else { f.write_char(')') }
}

fn column(f: &mut Formatter<'_>, column: &ColumnRef) -> Result {
    match column {
        ColumnRef::Name(name) => Quotable(name).fmt(f),
        ColumnRef::Position(position) => write!(f, "{position}"),
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Open => Ok(()),
            Self::Number(number) => Number(*number).fmt(f),
            Self::Numbers(numbers) => {
                f.write_char('[')?;
                for (index, number) in numbers.iter().enumerate() {
                    if index > 0 {
                        f.write_char(',')?;
                    }
                    Number(*number).fmt(f)?;
                }
                f.write_char(']')
            }
            Self::Word(word) => Quotable(word).fmt(f),
            Self::Flag(flag) => write!(f, "{flag}"),
        }
    }
}

/// A number in the fewest digits that read back as the same number.
pub(super) struct Number(pub(super) f64);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let text = format!("{:?}", self.0);
        f.write_str(text.strip_suffix(".0").unwrap_or(&text))
    }
}

/// A name, in quotes where it needs them.
struct Quotable<'a>(&'a str);

impl Display for Quotable<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if is_bare_name(self.0) {
            return f.write_str(self.0);
        }
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}
