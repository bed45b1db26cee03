//! Reads kernel expressions.
//!
//! ```text
//! sum     := product ('+' product)*
//! product := number '*' product | power ('*' power)*
//! power   := columns ('^' whole)?
//! columns := primary ('@' (column | '[' column (',' column)* ']'))?
//! primary := name ('(' arguments ')')? | 'exp' '(' sum ')' | 'normalise' '(' sum ')' | '(' sum ')'
//! ```
//!
//! Where no list could be meant, `K@a,b` stands for `K@[a,b]`.

use super::families;
use super::lex::{Placed, Token, syntax, tokens};
use super::{Family, KernelSpec, Settings, Value};
use crate::data::ColumnRef;
use crate::{Error, Result};

/// Deepest nesting: well below what a 2 MiB thread stack holds, well above human use.
const MAX_DEPTH: usize = 64;

/// Longest text in bytes: room for one scale per column of the widest dense tables.
const MAX_LENGTH: usize = 4 << 20;

/// Most kernels in one expression; each costs a pass over every tile.
const MAX_KERNELS: usize = 4096;

pub(super) fn parse(text: &str) -> Result<KernelSpec> {
    if text.len() > MAX_LENGTH {
        let start: String = text.chars().take(40).collect();
        return Err(syntax(
            &format!("{start}..."),
            1,
            format!(
                "the text has {} bytes; at most {MAX_LENGTH} are read",
                text.len()
            ),
        ));
    }
    let tokens = tokens(text)?;
    let mut parser = Parser {
        text,
        tokens: &tokens,
        at: 0,
        depth: 0,
        kernels: 0,
    };
    let kernel = parser.sum(true)?;
    parser.expect_end()?;
    Ok(kernel)
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Placed],
    at: usize,
    depth: usize,
    kernels: usize,
}

impl<'a> Parser<'a> {
    fn token(&self) -> &'a Token {
        &self.tokens[self.at].token
    }

    fn advance(&mut self) {
        // The last token is the end, which nothing steps over.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn takes(&mut self, mark: char) -> bool {
        let found = *self.token() == Token::Mark(mark);
        if found {
            self.advance();
        }
        found
    }

    fn error(&self, problem: impl Into<String>) -> Error {
        syntax(self.text, self.tokens[self.at].position, problem)
    }

    fn expected(&self, what: &str) -> Error {
        self.error(format!(
            "{} found; {what} expected",
            self.token().describe()
        ))
    }

    fn require(&mut self, mark: char, what: &str) -> Result<()> {
        if self.takes(mark) {
            Ok(())
        } else {
            Err(self.expected(what))
        }
    }

    fn expect_end(&self) -> Result<()> {
        match self.token() {
            Token::End => Ok(()),
            Token::Mark('@') => Err(self.error(
                "`@` found; it belongs to one kernel, so put parentheses around what it applies to",
            )),
            Token::Mark('^') => Err(self.error("a power of a power needs parentheses")),
            _ => Err(self.expected("`+`, `*`, `^`, `@` or the end")),
        }
    }

    /// Runs a rule one level deeper.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            return Err(self.error(format!("more than {MAX_DEPTH} levels of nesting")));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    fn sum(&mut self, short: bool) -> Result<KernelSpec> {
        let first = self.product(short)?;
        if *self.token() != Token::Mark('+') {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.takes('+') {
            parts.push(self.product(short)?);
        }
        Ok(KernelSpec::Sum(parts))
    }

    fn product(&mut self, short: bool) -> Result<KernelSpec> {
        if let Token::Number(factor, _) = *self.token() {
            if factor <= 0.0 {
                return Err(self.error(format!("`{factor}` found; a factor must be positive")));
            }
            self.advance();
            self.require('*', "`*` and a kernel")?;
            let kernel = self.nested(|p| p.product(short))?;
            return Ok(kernel.scaled(factor));
        }
        let first = self.power(short)?;
        if *self.token() != Token::Mark('*') {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.takes('*') {
            if matches!(self.token(), Token::Number(..)) {
                return Err(self.error(format!(
                    "{} found; a factor stands before its kernel, as in `2*rbf`",
                    self.token().describe()
                )));
            }
            parts.push(self.power(short)?);
        }
        Ok(KernelSpec::Product(parts))
    }

    fn power(&mut self, short: bool) -> Result<KernelSpec> {
        let kernel = self.columns(short)?;
        if !self.takes('^') {
            return Ok(kernel);
        }
        let Token::Number(_, written) = self.token() else {
            return Err(self.expected("a whole number"));
        };
        let exponent = written.parse::<u32>().ok().filter(|e| *e > 0);
        let exponent = exponent.ok_or_else(|| {
            self.error(format!(
                "`{written}` found; a power must be a whole number from 1"
            ))
        })?;
        self.advance();
        Ok(kernel.power(exponent))
    }

    fn columns(&mut self, short: bool) -> Result<KernelSpec> {
        let kernel = self.primary(short)?;
        if !self.takes('@') {
            return Ok(kernel);
        }
        let mut columns = Vec::new();
        if self.takes('[') {
            loop {
                columns.push(self.column()?);
                if self.takes(']') {
                    break;
                }
                self.require(',', "`,` or `]`")?;
            }
        } else {
            columns.push(self.column()?);
            while short && self.takes(',') {
                columns.push(self.column()?);
            }
        }
        Ok(kernel.on(columns))
    }

    fn column(&mut self) -> Result<ColumnRef> {
        let column = match self.token() {
            Token::Name(name) | Token::Quoted(name) => ColumnRef::Name(name.clone()),
            Token::Number(_, written) => {
                let position = written.parse::<usize>().ok().filter(|p| *p > 0);
                ColumnRef::Position(position.ok_or_else(|| {
                    self.error(format!("`{written}` found; columns are counted from 1"))
                })?)
            }
            _ => return Err(self.expected("a column")),
        };
        self.advance();
        Ok(column)
    }

    fn primary(&mut self, short: bool) -> Result<KernelSpec> {
        if self.takes('(') {
            let kernel = self.nested(|p| p.sum(short))?;
            self.require(')', "`)`")?;
            return Ok(kernel);
        }
        let Token::Name(name) = self.token() else {
            return Err(self.expected("a kernel"));
        };
        self.kernels += 1;
        if self.kernels > MAX_KERNELS {
            return Err(self.error(format!("more than {MAX_KERNELS} kernels")));
        }
        match name.as_str() {
            "exp" => Ok(self.argument()?.exp()),
            "normalise" | "normalize" => Ok(self.argument()?.normalised()),
            name => {
                let family = families::find(name)?;
                self.advance();
                let settings = self.settings(family)?;
                Ok(KernelSpec::Base { family, settings })
            }
        }
    }

    /// Reads the one kernel in the parentheses of `exp` and `normalise`.
    fn argument(&mut self) -> Result<KernelSpec> {
        self.advance();
        self.require('(', "`(` and a kernel")?;
        let kernel = self.nested(|p| p.sum(false))?;
        self.require(')', "`)`")?;
        Ok(kernel)
    }

    fn settings(&mut self, family: &'static Family) -> Result<Settings> {
        let mut settings = Settings::open(family);
        if !self.takes('(') || self.takes(')') {
            return Ok(settings);
        }
        let mut positional = true;
        for place in 0.. {
            let start = self.at;
            let index = match self.parameter_name() {
                Some(name) => {
                    positional = false;
                    family.parameter(&name)?
                }
                None if positional => self.positional(family, place)?,
                None => return Err(self.expected("a parameter's name and `=`")),
            };
            if !settings.value(index).is_open() {
                let name = family.parameters[index].name;
                return Err(syntax(
                    self.text,
                    self.tokens[start].position,
                    format!("`{name}` is given twice"),
                ));
            }
            settings.set(index, self.value()?);
            if self.takes(')') {
                break;
            }
            self.require(',', "`,` or `)`")?;
        }
        family.check(&settings)?;
        Ok(settings)
    }

    /// Steps over `name =` and returns the name.
    fn parameter_name(&mut self) -> Option<String> {
        let Token::Name(name) = self.token() else {
            return None;
        };
        let name = name.clone();
        let next = self.tokens.get(self.at + 1)?;
        if next.token != Token::Mark('=') {
            return None;
        }
        self.advance();
        self.advance();
        Some(name)
    }

    /// Returns the parameter that an unnamed value stands for.
    fn positional(&self, family: &Family, place: usize) -> Result<usize> {
        let Some(parameter) = family.parameters.get(place) else {
            let count = family.parameters.len();
            return Err(self.error(format!("`{}` has only {count} parameters", family.name)));
        };
        let twin = family
            .parameters
            .iter()
            .find(|p| p.instead_of == Some(parameter.name) || parameter.instead_of == Some(p.name));
        match twin {
            Some(twin) => Err(self.error(format!(
                "an unnamed value could mean `{}` or `{}`; write the name and `=`",
                parameter.name, twin.name
            ))),
            None => Ok(place),
        }
    }

    fn value(&mut self) -> Result<Value> {
        let value = match self.token() {
            Token::Number(number, _) => Value::Number(*number),
            Token::Name(name) if name == "true" => Value::Flag(true),
            Token::Name(name) if name == "false" => Value::Flag(false),
            Token::Name(name) | Token::Quoted(name) => Value::Word(name.clone()),
            Token::Mark('[') => {
                self.advance();
                return self.numbers().map(Value::Numbers);
            }
            _ => return Err(self.expected("a number, a list or a word")),
        };
        self.advance();
        Ok(value)
    }

    fn numbers(&mut self) -> Result<Vec<f64>> {
        let mut numbers = Vec::new();
        loop {
            let Token::Number(number, _) = self.token() else {
                return Err(self.expected("a number"));
            };
            numbers.push(*number);
            self.advance();
            if self.takes(']') {
                return Ok(numbers);
            }
            self.require(',', "`,` or `]`")?;
        }
    }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
