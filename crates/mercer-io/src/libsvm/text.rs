//! Lines and words of a model file, with their places.

use std::io::{BufRead, Read};

use crate::error::shorten_bytes;
use crate::{Error, Result};

/// The longest line, in bytes: a support vector of ten million values.
const MAX_LINE: usize = 256 << 20;

/// Advice for text that LIBSVM does not write.
pub(super) const WRITE_AGAIN: &str = "save the model again with LIBSVM 3.0 or later";

/// Reads a model file line by line.
pub(super) struct Text<R> {
    file: String,
    reader: R,
    /// The number of the line read last.
    pub(super) number: usize,
    /// Whether the line read last had a line end.
    pub(super) ended: bool,
    line: Vec<u8>,
}

/// A word of a line and where it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    /// The one-based character position.
    pub(super) column: usize,
}

/// What can be said about a place without knowing the file.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) column: usize,
    pub(super) problem: String,
    pub(super) cure: &'static str,
}

impl Fault {
    pub(super) fn new(column: usize, problem: impl Into<String>, cure: &'static str) -> Self {
        Self {
            column,
            problem: problem.into(),
            cure,
        }
    }
}

impl<R: BufRead> Text<R> {
    pub(super) fn new(reader: R, file: &str) -> Self {
        Self {
            file: file.to_owned(),
            reader,
            number: 0,
            ended: true,
            line: Vec::new(),
        }
    }

    /// Reads the next line that is not blank; returns whether there was one.
    pub(super) fn advance(&mut self) -> Result<bool> {
        loop {
            self.line.clear();
            let read = self
                .reader
                .by_ref()
                .take(MAX_LINE as u64 + 1)
                .read_until(b'\n', &mut self.line)
                .map_err(|e| Error::io(&self.file, e))?;
            if read == 0 {
                return Ok(false);
            }
            self.number += 1;
            self.ended = self.line.last() == Some(&b'\n');
            if self.line.len() > MAX_LINE {
                let problem = format!("the line is longer than {MAX_LINE} bytes");
                return Err(self.place(Fault::new(1, problem, WRITE_AGAIN)));
            }
            if let Some(at) = self.line.iter().position(|b| !b.is_ascii() || *b == 0) {
                let from = self.line[..at]
                    .iter()
                    .rposition(u8::is_ascii_whitespace)
                    .map_or(0, |k| k + 1);
                let problem = format!(
                    "`{}` is not text of a LIBSVM model",
                    shorten_bytes(&self.line[from..])
                );
                return Err(self.place(Fault::new(at + 1, problem, WRITE_AGAIN)));
            }
            if !self.line.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }

    /// Returns the line read last.
    pub(super) fn line(&self) -> &str {
        std::str::from_utf8(&self.line).unwrap_or_default()
    }

    /// Names file and line of a fault.
    pub(super) fn place(&self, fault: Fault) -> Error {
        self.place_at(self.number, fault)
    }

    /// Names file and any line of a fault.
    pub(super) fn place_at(&self, line: usize, fault: Fault) -> Error {
        Error::Syntax {
            file: self.file.clone(),
            line: line.max(1),
            column: fault.column,
            problem: fault.problem,
            cure: fault.cure.into(),
        }
    }
}

/// Splits a line of ASCII at its spaces.
pub(super) fn words(line: &str) -> impl Iterator<Item = Word<'_>> {
    line.split_ascii_whitespace().map(move |text| Word {
        text,
        column: text.as_ptr() as usize - line.as_ptr() as usize + 1,
    })
}

impl Word<'_> {
    /// Reads a finite number.
    pub(super) fn number(self) -> Result<f64, Fault> {
        match self.text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(self.fault("is not a finite number")),
        }
    }

    /// Reads a whole number of a size that fits.
    pub(super) fn whole<T: std::str::FromStr>(self, rule: &str) -> Result<T, Fault> {
        let digits = self.text.strip_prefix(['-', '+']).unwrap_or(self.text);
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let value = if plain { self.text.parse().ok() } else { None };
        value.ok_or_else(|| self.fault(&format!("is not {rule}")))
    }

    /// Builds a fault about this word.
    pub(super) fn fault(self, problem: &str) -> Fault {
        let shown = shorten_bytes(self.text.as_bytes());
        Fault::new(self.column, format!("`{shown}` {problem}"), WRITE_AGAIN)
    }
}
