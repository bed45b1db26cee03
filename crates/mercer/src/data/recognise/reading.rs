//! What was noticed while a column was read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::dates;
use super::format::{Decimal, NumberFormat};
use super::odd::{Odd, is_bound};
use crate::data::{Column, Kind, date, number, number_text};
use crate::fit::Note;
use crate::hint::{Hint, Word};

/// How the values of a column are written; models keep it for new rows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Spelling {
    /// How numbers are written; `None` as programs write them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<NumberFormat>,
    /// How dates are written, as a format of `strptime`; `None` as in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Texts that stood for a missing value here, beside the usual ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

impl Spelling {
    /// Returns whether values are written as programs write them.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether new rows can be read so.
    pub(crate) fn is_sound(&self) -> bool {
        let mut formats = self.date.iter();
        formats.all(|format| dates::check_date_format(format).is_none())
    }

    /// Returns whether a text stood for a missing value; where one bound such as `<5` did, all do.
    pub fn is_missing(&self, text: &str) -> bool {
        self.missing
            .iter()
            .any(|known| known == text || (is_bound(known) && is_bound(text)))
    }

    /// Reads a number.
    pub fn number(&self, text: &str) -> Option<f64> {
        let own = self.number.as_ref().and_then(|format| format.parse(text));
        own.or_else(|| number::parse(text.trim().as_bytes()))
    }

    /// Reads a date as seconds since 1970.
    pub fn date(&self, text: &str) -> Option<f64> {
        let own = self.date.as_ref().and_then(|f| dates::parse(f, text));
        own.or_else(|| date::parse(text.trim().as_bytes()))
    }
}

/// How columns are written, by name, where it is in a way of their own.
pub(crate) fn spellings(columns: &[Column]) -> BTreeMap<String, Spelling> {
    let read = columns.iter().filter_map(|column| {
        let spelling = column.reading.as_ref()?.spelling.clone();
        Some((column.name.clone(), spelling))
    });
    read.filter(|(_, spelling)| !spelling.is_plain()).collect()
}

/// What remains open after a column was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Doubt {
    /// Separators that may be decimal signs, in every cell.
    Decimal {
        /// A cell.
        example: String,
        /// What it was read as.
        taken: f64,
        /// What it may mean instead.
        other: f64,
        /// The decimal sign that gives the other meaning.
        decimal: Decimal,
    },
    /// Days that may be months, in every cell.
    DayOrMonth {
        /// A cell.
        example: String,
        /// The format that was taken.
        taken: String,
        /// The format that fits as well.
        other: String,
    },
    /// Numbers of equal length with zeros in front, which may be codes.
    Codes {
        /// A cell.
        example: String,
    },
}

/// What was noticed while a column was read from strings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// Cells that were not empty, odd ones included.
    pub known: usize,
    /// How values are written.
    pub spelling: Spelling,
    /// Whether thousands are separated.
    pub grouped: bool,
    /// The first cells that were read as missing although they hold a text.
    pub odd: Vec<Odd>,
    /// How many such cells there are.
    pub odd_count: usize,
    /// What remains open.
    pub doubt: Option<Doubt>,
}

impl Reading {
    /// Returns whether there is nothing to tell.
    pub fn is_plain(&self) -> bool {
        self.spelling.is_plain() && self.odd_count == 0 && self.doubt.is_none()
    }

    /// Adds the lines of rows.
    pub fn set_lines(&mut self, lines: &[u32]) {
        for odd in &mut self.odd {
            odd.line = lines.get(odd.row).copied();
        }
    }

    /// Says what was noticed about a column; what calls for care is an alert.
    pub fn notes(&self, column: &str, kind: Kind) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.odd_count > 0 {
            let values = if kind == Kind::Date {
                "dates"
            } else {
                "numbers"
            };
            let text = format!(
                "column `{column}`: {} of {} values are {values}; {}: read as missing",
                self.known - self.odd_count,
                self.known,
                self.odd_words()
            );
            notes.push(Note::Alert(text));
        }
        match &self.doubt {
            Some(Doubt::Decimal {
                example,
                taken,
                other,
                ..
            }) => notes.push(Note::Alert(format!(
                "column `{column}`: `{example}` is read as {}, and all other values fit; it may mean {}",
                number_text(*taken),
                number_text(*other)
            ))),
            Some(Doubt::DayOrMonth {
                example,
                taken,
                other,
            }) => notes.push(Note::Alert(format!(
                "column `{column}`: no value tells day from month; `{example}` is read as `{taken}`, and may be `{other}`"
            ))),
            Some(Doubt::Codes { example }) => notes.push(Note::Choice(format!(
                "column `{column}`: values such as `{example}` are read as numbers; if they are codes, read it as categorical"
            ))),
            None => {}
        }
        if let Some(format) = &self.spelling.number {
            let words = format.words(self.grouped);
            let percent = if format.suffix == "%" {
                "; 5% is 5"
            } else {
                ""
            };
            notes.push(Note::Choice(format!(
                "column `{column}`: numbers are written {words}{percent}"
            )));
        }
        if let (Some(format), false) = (&self.spelling.date, self.has_doubt_about_days()) {
            notes.push(Note::Choice(format!(
                "column `{column}`: dates are written as `{format}`"
            )));
        }
        notes
    }

    fn has_doubt_about_days(&self) -> bool {
        matches!(self.doubt, Some(Doubt::DayOrMonth { .. }))
    }

    /// Names odd cells and their places.
    fn odd_words(&self) -> String {
        if let [only] = &self.odd[..] {
            return format!("{} holds `{}`", only.place(), only.text);
        }
        let mut seen: Vec<(&Odd, usize)> = Vec::new();
        for odd in &self.odd {
            match seen.iter_mut().find(|(first, _)| first.text == odd.text) {
                Some((_, count)) => *count += 1,
                None => seen.push((odd, 1)),
            }
        }
        // Counts are of all cells only while all are kept.
        let whole = self.odd.len() == self.odd_count;
        let words = seen.iter().map(|(odd, count)| match (count, whole) {
            (1, true) => format!("{} holds `{}`", odd.place(), odd.text),
            (count, true) => format!(
                "`{}` stands in {count} cells, first {}",
                odd.text,
                odd.place()
            ),
            _ => format!("`{}` stands first in {}", odd.text, odd.place()),
        });
        words.collect::<Vec<_>>().join(", ")
    }

    /// Returns what a user can say about a column, to settle or to change how it is read.
    pub fn hints(&self, column: &str) -> Vec<Hint> {
        let mut hints = Vec::new();
        let categorical = || Word::Kind {
            column: column.to_owned(),
            kind: Kind::Categorical.name(),
        };
        if self.odd_count > 0 {
            let texts = self.spelling.missing.clone();
            let missing = Word::Missing {
                column: column.to_owned(),
                texts,
            };
            hints.push(
                Hint::from("say that the text means a missing value with ")
                    .word(missing)
                    .then(", or that it is a value with ")
                    .word(categorical()),
            );
        }
        match &self.doubt {
            Some(Doubt::Decimal { decimal, .. }) => {
                let to = match decimal {
                    Decimal::Point => "point",
                    Decimal::Comma => "comma",
                };
                hints.push(Hint::from("the other meaning has ").word(Word::Set {
                    setting: "decimal",
                    to,
                }));
            }
            Some(Doubt::DayOrMonth { other, .. }) => {
                let other = Word::DateFormat {
                    column: column.to_owned(),
                    format: other.clone(),
                };
                hints.push(Hint::from("the other meaning has ").word(other));
            }
            Some(Doubt::Codes { .. }) => {
                hints.push(Hint::from("codes are read as such with ").word(categorical()));
            }
            None => {}
        }
        hints
    }
}
