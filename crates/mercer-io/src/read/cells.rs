//! Text cells of one column, and how they are read: by the rules of [`mercer::data::recognise`].

use mercer::data::recognise::{MissingTexts, Recognise, Spelling, Unread};
use mercer::data::{self, Kind};
use mercer::hint::{Hint, Word};

use super::ReadOptions;
use crate::error::shorten_bytes;
use crate::{Error, Result};

/// Rows between two looks at the cancel flag.
pub(crate) const STRIDE: usize = 4096;

/// The length of a cell that is not there.
const ABSENT: u32 = u32::MAX;

/// The cells of one column, one after the other.
#[derive(Default)]
pub(crate) struct Cells {
    bytes: Vec<u8>,
    lengths: Vec<u32>,
}

impl Cells {
    pub(crate) fn push(&mut self, cell: &[u8]) {
        self.bytes.extend_from_slice(cell);
        // Fields are limited to `max_field`, which is checked to fit.
        self.lengths.push(cell.len() as u32);
    }

    /// Adds a cell that is missing by itself, whatever texts stand for that.
    pub(crate) fn push_missing(&mut self) {
        self.lengths.push(ABSENT);
    }

    fn iter(&self) -> impl Iterator<Item = Option<&[u8]>> + Clone {
        let mut start = 0;
        self.lengths.iter().map(move |&length| {
            if length == ABSENT {
                return None;
            }
            let cell = &self.bytes[start..start + length as usize];
            start += length as usize;
            Some(cell)
        })
    }
}

/// How a column was read, for the chunks that follow.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) kind: Kind,
    pub(crate) spelling: Spelling,
}

impl Known {
    pub(crate) fn of(column: &data::Column) -> Self {
        let reading = column.reading.as_ref();
        Self {
            kind: column.kind(),
            spelling: reading.map(|r| r.spelling.clone()).unwrap_or_default(),
        }
    }
}

/// What a column is read with, and where its rows come from.
pub(crate) struct Column<'a> {
    pub(crate) name: &'a str,
    /// One-based position in the file.
    pub(crate) position: usize,
    pub(crate) file: &'a str,
    /// The line of each row; empty where there are no lines.
    pub(crate) lines: &'a [u32],
    pub(crate) missing: &'a MissingTexts,
    pub(crate) options: &'a ReadOptions,
    /// Whether a decimal comma is likelier than separated thousands where both fit.
    pub(crate) comma: bool,
}

impl Column<'_> {
    /// Turns cells into a column: as chunks before were read, as the options say, or as is
    /// recognised.
    pub(crate) fn read(&self, cells: &Cells, before: Option<&Known>) -> Result<data::Column> {
        let options = self.options;
        let told = options.told_kind(self.name);
        let known = options.spelling_of(self.name);
        let stop = || options.check_cancel().is_err();
        let date_format = options.date_format_of(self.name);
        let named = date_format.filter(|(own, _)| *own).map(|_| Kind::Date);
        // What a model knows holds for every chunk, whatever the first one held.
        let by_model = options
            .is_known(self.name)
            .then(|| options.kind_of(self.name))
            .flatten();
        let recognise = Recognise {
            kind: by_model
                .or(before.map(|b| b.kind))
                .or(told)
                .or(named)
                .or_else(|| options.kind_of(self.name)),
            strict: before.is_some() || (told.is_none() && options.kind_of(self.name).is_some()),
            spelling: match by_model {
                Some(_) => known.or(before.map(|b| &b.spelling)),
                None => before.map(|b| &b.spelling).or(known),
            },
            decimal: options.decimal,
            comma: self.comma,
            date_format: date_format.map(|(_, format)| format),
            stop: Some(&stop),
            ..Recognise::new(self.missing)
        };
        match recognise.column(&cells.iter()) {
            Ok(found) => Ok(data::Column::recognised(self.name, found, self.lines)),
            // The model names the cells that do not fit.
            Err(Unread::Misfit { .. } | Unread::Infinite { .. }) if by_model.is_some() => {
                let texts = Recognise {
                    kind: Some(Kind::Text),
                    ..recognise
                };
                let found = texts.column(&cells.iter());
                let found = found.map_err(|unread| self.failure(cells, &unread))?;
                Ok(data::Column::recognised(self.name, found, self.lines))
            }
            Err(unread) => Err(self.failure(cells, &unread)),
        }
    }

    fn failure(&self, cells: &Cells, unread: &Unread) -> Error {
        let shown = |row: usize| {
            let cell = cells.iter().nth(row).flatten().unwrap_or_default();
            shorten_bytes(cell)
        };
        match *unread {
            Unread::Misfit { row, wanted, kind } => {
                let text = shown(row);
                let problem = format!("`{text}` is not {wanted}");
                let cure =
                    format!("correct the value, or read the column as another kind than {kind}: ");
                let mut cure = Hint::from(cure).word(Word::Kind {
                    column: self.name.to_owned(),
                    kind: Kind::Categorical.name(),
                });
                if kind != Kind::Boolean {
                    cure = cure.then("; say that it means a missing value with ").word(
                        Word::Missing {
                            column: self.name.to_owned(),
                            texts: vec![text],
                        },
                    );
                }
                self.error(row, problem, cure)
            }
            Unread::Infinite { row } => {
                let problem = format!("`{}` is not a finite number", shown(row));
                let cure = "give a finite number, or leave the field empty for a missing value";
                self.error(row, problem, cure.into())
            }
            Unread::Ambiguous { row } => {
                let problem = format!(
                    "`{}` may have a decimal comma or separated thousands",
                    shown(row)
                );
                let set = |to| Word::Set {
                    setting: "decimal",
                    to,
                };
                let cure = Hint::from("say which with ")
                    .word(set("comma"))
                    .then(" or ")
                    .word(set("point"));
                self.error(row, problem, cure)
            }
            Unread::Stopped => match self.options.check_cancel() {
                Err(error) => error,
                Ok(()) => Error::io("the data", std::io::ErrorKind::Interrupted.into()),
            },
        }
    }

    fn error(&self, row: usize, problem: String, cure: Hint) -> Error {
        let Some(&line) = self.lines.get(row) else {
            return Error::Entry {
                file: self.file.to_owned(),
                row: row + 1,
                column: format!("`{}`", self.name),
                problem,
                cure,
            };
        };
        Error::Cell {
            file: self.file.to_owned(),
            line: line as usize,
            column: self.name.to_owned(),
            position: self.position,
            problem,
            cure,
        }
    }
}

#[cfg(test)]
mod tests {
    use mercer::data::{MISSING_CODE, Values};

    use super::*;

    fn column(texts: &[&str], kind: Option<Kind>, comma: bool) -> Result<Values> {
        let mut cells = Cells::default();
        for text in texts {
            cells.push(text.as_bytes());
        }
        let mut options = ReadOptions::default();
        options
            .kinds
            .extend(kind.map(|kind| ("age".to_owned(), kind)));
        let lines: Vec<u32> = (2..).take(texts.len()).collect();
        Column {
            name: "age",
            position: 1,
            file: "a.csv",
            lines: &lines,
            missing: &options.missing_texts(),
            options: &options,
            comma,
        }
        .read(&cells, None)
        .map(|column| column.values)
    }

    fn kind(texts: &[&str]) -> Kind {
        column(texts, None, false).expect("readable").kind()
    }

    #[test]
    fn kinds_are_recognised() {
        assert_eq!(kind(&["1", "-2.5", "?", "1e3"]), Kind::Numeric);
        assert_eq!(kind(&["0", "1"]), Kind::Numeric);
        assert_eq!(kind(&["?", "NA", ""]), Kind::Numeric);
        assert_eq!(kind(&["True", "FALSE", ""]), Kind::Boolean);
        assert_eq!(kind(&["yes", "no"]), Kind::Boolean);
        assert_eq!(kind(&["t", "f"]), Kind::Boolean);
        assert_eq!(kind(&["t", "t"]), Kind::Categorical);
        assert_eq!(kind(&["yes", "false"]), Kind::Categorical);
        assert_eq!(kind(&["y", "n"]), Kind::Boolean);
        assert_eq!(kind(&["2024-01-31", "NA", "2024-01-31T10:00Z"]), Kind::Date);
        assert_eq!(kind(&["2024-01-31", "2024-02-30"]), Kind::Categorical);
        assert_eq!(kind(&["1,000", "2"]), Kind::Numeric);
        assert_eq!(kind(&["1,00", "2.5"]), Kind::Categorical);
        assert_eq!(kind(&["a", "inf"]), Kind::Categorical);
    }

    #[test]
    fn truth_values_keep_their_spelling() {
        let words = |texts: &[&str]| match column(texts, None, false).expect("readable") {
            Values::Boolean(truths) => truths.words,
            other => panic!("{other:?}"),
        };
        assert_eq!(words(&["yes", "?", "no"]), ["no", "yes"]);
        assert_eq!(words(&["NO", "YES"]), ["NO", "YES"]);
        assert_eq!(words(&["True", "False", "true"]), ["False", "True"]);
        assert_eq!(words(&["F", "T"]), ["F", "T"]);
        assert_eq!(words(&["YES", "YES"]), ["NO", "YES"]);
        assert_eq!(words(&["No"]), ["No", "Yes"]);
    }

    #[test]
    fn text_is_long_and_mostly_distinct() {
        assert_eq!(kind(&["the cat sat", "a dog ran away"]), Kind::Text);
        assert_eq!(kind(&["the cat sat"; 4]), Kind::Categorical);
        let ids: Vec<String> = (0..51).map(|i| format!("sequence-{i:05}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        assert_eq!(kind(&ids), Kind::Text);
        assert_eq!(kind(&ids[..50]), Kind::Categorical);
    }

    #[test]
    fn levels_are_sorted() {
        let Values::Categorical(c) = column(&["b", "?", "a", "b"], None, false).expect("read")
        else {
            panic!("categorical");
        };
        assert_eq!(c.levels, ["a", "b"]);
        assert_eq!(c.codes, [1, MISSING_CODE, 0, 1]);
        let Values::Categorical(c) =
            column(&["10", "9"], Some(Kind::Categorical), false).expect("read")
        else {
            panic!("categorical");
        };
        assert_eq!(c.levels, ["9", "10"]);
    }

    #[test]
    fn infinities_are_named() {
        for text in ["1e400", "-inf"] {
            let error = column(&["1", text], None, false).expect_err("infinite");
            assert_eq!(
                error.to_string(),
                format!("a.csv, line 3, column `age`: `{text}` is not a finite number")
            );
            assert_eq!(error.hints().len(), 1);
        }
    }

    #[test]
    fn told_kinds_are_kept() {
        let error = column(&["1", "x"], Some(Kind::Numeric), false).expect_err("no number");
        assert_eq!(
            error.to_string(),
            "a.csv, line 3, column `age`: `x` is not a number"
        );
        let error = column(&["2024-01-01", "x"], Some(Kind::Date), false).expect_err("no date");
        assert_eq!(
            error.to_string(),
            "a.csv, line 3, column `age`: `x` is not a date"
        );
        let error = column(&["maybe"], Some(Kind::Boolean), false).expect_err("no truth");
        assert_eq!(
            error.to_string(),
            "a.csv, line 2, column `age`: `maybe` is not true or false"
        );
        let values = column(&["1", "0", "Yes"], Some(Kind::Boolean), false).expect("told");
        let Values::Boolean(truths) = values else {
            panic!("booleans");
        };
        assert_eq!(truths.values, [Some(true), Some(false), Some(true)]);
        assert_eq!(truths.words, ["0", "1"]);
        let values = column(&["1", "NA"], Some(Kind::Text), false).expect("told");
        assert_eq!(values, Values::Text(vec![Some("1".into()), None]));
    }

    #[test]
    fn decimal_commas_are_likelier_beside_semicolons() {
        assert_eq!(
            column(&["1,5", "2"], None, true).expect("read"),
            Values::Numeric(vec![1.5, 2.0])
        );
        let texts = ["1,234", "2,500"];
        let read = |comma| column(&texts, None, comma).expect("read");
        assert_eq!(read(true), Values::Numeric(vec![1.234, 2.5]));
        assert_eq!(read(false), Values::Numeric(vec![1234.0, 2500.0]));
        assert_eq!(
            column(&["1,5", "2.5"], None, true).expect("read").kind(),
            Kind::Categorical
        );
    }
}
