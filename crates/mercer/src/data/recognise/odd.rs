//! A few cells among numbers or dates that are neither.

use super::missing::MissingTexts;
use super::reading::Spelling;
use crate::data::number;

/// Numbers that a column must have before a cell among them counts as odd rather than as a name.
const FEWEST_VALUES: usize = 10;
/// One cell in so many may be odd. A column of 20 has room for one `unknown`; categories that
/// matter are more frequent.
const ONE_IN: usize = 20;
/// Spellings of odd cells; more of them are names.
const MOST_TEXTS: usize = 3;
/// Whole numbers up to which a column may hold codes.
const MOST_CODES: usize = 20;
/// Characters of a code.
const LONGEST_CODE: usize = 3;
/// Odd cells that are kept with their text.
const KEPT: usize = 10;

/// A cell that was read as missing because the others are numbers or dates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Odd {
    /// The row, counted from 0 where the column was read.
    pub row: usize,
    /// The line of a file, where there are lines.
    pub line: Option<u32>,
    /// What stands there.
    pub text: String,
}

impl Odd {
    /// Names the place of the cell: `line 10`, or `row 9` where there are no lines.
    pub fn place(&self) -> String {
        match self.line {
            Some(line) => format!("line {line}"),
            None => format!("row {}", self.row + 1),
        }
    }
}

/// Odd cells of a column, as they are found.
#[derive(Debug, Default)]
pub(super) struct OddCells {
    pub(super) first: Vec<Odd>,
    pub(super) count: usize,
    /// Different texts; of bounds such as `<5` only the first.
    pub(super) texts: Vec<String>,
    bounds: bool,
}

impl OddCells {
    /// Takes a cell in; returns whether the column may still be one of values.
    pub(super) fn take(&mut self, row: usize, cell: &[u8], rows: usize) -> bool {
        let text = String::from_utf8_lossy(cell);
        self.count += 1;
        if self.first.len() < KEPT {
            self.first.push(Odd {
                row,
                line: None,
                text: text.clone().into_owned(),
            });
        }
        let bound = is_bound(&text);
        let is_known = (bound && self.bounds) || self.texts.iter().any(|t| *t == text);
        if !is_known {
            self.texts.push(text.into_owned());
        }
        self.bounds |= bound;
        self.count <= (rows / ONE_IN).max(1) && self.texts.len() <= MOST_TEXTS
    }

    /// Whether so many values outweigh the odd cells.
    pub(super) fn are_few(&self, values: usize) -> bool {
        self.count == 0
            || (values >= FEWEST_VALUES
                && (self.count == 1 || ONE_IN * self.count <= values + self.count))
    }

    /// Whether numbers and odd cells look like codes: few whole numbers, and texts as short as
    /// they.
    pub(super) fn are_codes(&self, values: &[f64]) -> bool {
        let short = |text: &String| {
            text.chars().count() <= LONGEST_CODE && text.chars().all(char::is_alphanumeric)
        };
        if !self.texts.iter().any(short) {
            return false;
        }
        let mut different: Vec<f64> = Vec::new();
        for &value in values.iter().filter(|v| !v.is_nan()) {
            if value.fract() != 0.0 {
                return false;
            }
            if !different.contains(&value) {
                different.push(value);
                if different.len() > MOST_CODES {
                    return false;
                }
            }
        }
        true
    }
}

/// Whether a text bounds a number: `<5`, `> 100`, `≤1`.
pub(super) fn is_bound(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['<', '>', '\u{2264}', '\u{2265}']) else {
        return false;
    };
    let rest = rest.strip_prefix('=').unwrap_or(rest).trim_start();
    number::parse(rest.replace(',', ".").as_bytes()).is_some()
}

/// Tells the cells without a value from others, in a column of numbers or dates.
#[derive(Clone, Copy)]
pub(super) struct Gaps<'a> {
    pub(super) missing: &'a MissingTexts,
    pub(super) spelling: Option<&'a Spelling>,
}

impl Gaps<'_> {
    /// Whether a cell that cannot be read stands for nothing.
    pub(super) fn has(&self, cell: &[u8]) -> bool {
        let cell = cell.trim_ascii();
        if self.missing.is_among_values(cell) {
            return true;
        }
        let (Some(spelling), Ok(text)) = (self.spelling, std::str::from_utf8(cell)) else {
            return false;
        };
        spelling.is_missing(text)
    }
}
