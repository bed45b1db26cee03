//! Columns that arrive as another kind than the model learnt from.
//!
//! A reader guesses kinds anew for every file: codes that were names may arrive as numbers,
//! booleans as names, an empty column as anything. What can be read as the kind needed is;
//! the first cell that cannot is named.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::data::print::{MISSING, number_text};
use crate::data::recognise::truth_value;
use crate::data::recognise::{MISSING_VALUES, Spelling};
use crate::data::{Categories, Column, Kind, MISSING_CODE, Table, Values};
use crate::hint::{Act, Hint, Word};
use crate::{Error, Result};

/// A category that the training rows did not have.
pub(super) const UNSEEN_CODE: u32 = MISSING_CODE - 1;

pub(super) fn cell(
    table: &Table,
    column: &str,
    row: usize,
    problem: String,
    cure: impl Into<Hint>,
) -> Error {
    Error::Cell {
        place: table.place(row),
        column: column.to_owned(),
        problem,
        cure: cure.into(),
    }
}

/// What happens to cells that cannot be read: the first one ends the work, or all are listed and
/// count as missing.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// Whether rows are learnt from, none of which is skipped.
    learning: bool,
    /// Rows with what is wrong with them, where they are listed.
    listed: Option<Vec<(usize, Error)>>,
}

impl Faults {
    /// Every fault is listed.
    pub(super) fn listed() -> Self {
        Self {
            learning: false,
            listed: Some(Vec::new()),
        }
    }

    /// The first fault in rows to learn from ends the work.
    pub(super) fn learning() -> Self {
        Self {
            learning: true,
            listed: None,
        }
    }

    /// Takes a fault; returns it where nothing goes on after it.
    pub(super) fn add(&mut self, row: usize, fault: Error) -> Result<()> {
        match &mut self.listed {
            None => Err(fault),
            Some(listed) => {
                listed.push((row, fault));
                Ok(())
            }
        }
    }

    /// The faults by row, the first of every row.
    pub(super) fn by_row(self) -> Vec<(usize, Error)> {
        let mut listed = self.listed.unwrap_or_default();
        listed.sort_by_key(|(row, _)| *row);
        listed.dedup_by_key(|(row, _)| *row);
        listed
    }
}

/// What to do about a cell that is not of the kind that a model learnt.
fn mend(learnt: &str) -> Hint {
    Hint::from(format!(
        "the model learnt {learnt} from this column: correct the cell, or "
    ))
    .word(Word::Act(Act::SkipRows))
}

fn wrong_kind(column: &Column, expected: Kind) -> Error {
    Error::ColumnKind {
        column: column.name.clone(),
        found: column.kind().to_string(),
        expected: expected.to_string(),
    }
}

fn all_missing(values: &Values) -> bool {
    (0..values.len()).all(|row| values.is_missing(row))
}

/// The text of a row as a reader of files would take it: without the spaces around it, and
/// `None` where it stands for a missing value.
fn known(values: &Values, row: usize) -> Option<String> {
    let text = values.text(row)?;
    let trimmed = text.trim();
    (!MISSING.contains(&trimmed)).then(|| trimmed.to_owned())
}

/// The text of a row of numbers or dates: there `-` is missing, too.
fn known_value(values: &Values, row: usize, spelling: &Spelling) -> Option<String> {
    let given =
        |text: &String| !MISSING_VALUES.contains(&text.as_str()) && !spelling.is_missing(text);
    known(values, row).filter(given)
}

/// Reads a column as numbers, NaN where missing.
pub(super) fn numbers<'a>(
    table: &Table,
    column: &'a Column,
    spelling: Option<&Spelling>,
    faults: &mut Faults,
) -> Result<Cow<'a, [f64]>> {
    let plain = Spelling::default();
    let spelling = spelling.unwrap_or(&plain);
    let values = match &column.values {
        Values::Numeric(values) => Cow::Borrowed(values.as_slice()),
        Values::Boolean(truths) => truths
            .values
            .iter()
            .map(|v| v.map_or(f64::NAN, |b| f64::from(u8::from(b))))
            .collect(),
        Values::Categorical(_) | Values::Text(_) | Values::Nodes(_) => {
            let mut values = Vec::with_capacity(column.values.len());
            for row in 0..column.values.len() {
                let Some(text) = known_value(&column.values, row, spelling) else {
                    values.push(f64::NAN);
                    continue;
                };
                let value = spelling.number(&text);
                if value.is_none() {
                    let problem = format!("`{text}` is not a number");
                    let fault = cell(table, &column.name, row, problem, mend("numbers"));
                    faults.add(row, fault)?;
                }
                values.push(value.unwrap_or(f64::NAN));
            }
            Cow::Owned(values)
        }
        Values::Date(values) if all_missing(&column.values) => Cow::Borrowed(values.as_slice()),
        _ => return Err(wrong_kind(column, Kind::Numeric)),
    };
    refuse_infinite(table, column, values, faults)
}

/// Reads a column as seconds since 1970, NaN where missing.
pub(super) fn dates<'a>(
    table: &Table,
    column: &'a Column,
    spelling: Option<&Spelling>,
    faults: &mut Faults,
) -> Result<Cow<'a, [f64]>> {
    let plain = Spelling::default();
    let spelling = spelling.unwrap_or(&plain);
    let values = match &column.values {
        Values::Date(values) => Cow::Borrowed(values.as_slice()),
        Values::Vectors(_) | Values::Graphs(_) => return Err(wrong_kind(column, Kind::Date)),
        other => {
            let mut values = Vec::with_capacity(other.len());
            for row in 0..other.len() {
                let Some(text) = known_value(other, row, spelling) else {
                    values.push(f64::NAN);
                    continue;
                };
                let value = spelling.date(&text);
                if value.is_none() {
                    let form = spelling.date.as_deref().unwrap_or("2024-12-31");
                    let problem = format!("`{text}` is not a date such as {form}");
                    let fault = cell(table, &column.name, row, problem, mend("dates"));
                    faults.add(row, fault)?;
                }
                values.push(value.unwrap_or(f64::NAN));
            }
            Cow::Owned(values)
        }
    };
    refuse_infinite(table, column, values, faults)
}

/// Lets no infinite value pass.
fn refuse_infinite<'a>(
    table: &Table,
    column: &Column,
    mut values: Cow<'a, [f64]>,
    faults: &mut Faults,
) -> Result<Cow<'a, [f64]>> {
    let infinite: Vec<usize> = (0..values.len())
        .filter(|&row| values[row].is_infinite())
        .collect();
    for row in infinite {
        let problem = format!("the value is `{}`", values[row]);
        let cure = if faults.learning {
            "leave the cell empty or give it a finite value".into()
        } else {
            Hint::from("give a finite value, leave the cell empty, or ")
                .word(Word::Act(Act::SkipRows))
        };
        faults.add(row, cell(table, &column.name, row, problem, cure))?;
        values.to_mut()[row] = f64::NAN;
    }
    Ok(values)
}

/// Reads a column as booleans.
pub(super) fn booleans<'a>(
    table: &Table,
    column: &'a Column,
    words: Option<&[String; 2]>,
    faults: &mut Faults,
) -> Result<Cow<'a, [Option<bool>]>> {
    match &column.values {
        Values::Boolean(truths) => Ok(Cow::Borrowed(truths.values.as_slice())),
        Values::Vectors(_) | Values::Graphs(_) => Err(wrong_kind(column, Kind::Boolean)),
        Values::Date(_) if !all_missing(&column.values) => Err(wrong_kind(column, Kind::Boolean)),
        other => {
            let mut values = Vec::with_capacity(other.len());
            for row in 0..other.len() {
                let text = known(other, row);
                let value = text.as_deref().and_then(truth_value);
                if let (Some(text), None) = (&text, value) {
                    let [no, yes] = words.map_or(["false", "true"], |w| [&w[0], &w[1]]);
                    let problem = format!("`{text}` is neither `{no}` nor `{yes}`");
                    let learnt = format!("`{no}` and `{yes}`");
                    let fault = cell(table, &column.name, row, problem, mend(&learnt));
                    faults.add(row, fault)?;
                }
                values.push(value);
            }
            Ok(Cow::Owned(values))
        }
    }
}

/// Refuses a column that cannot be read as texts.
pub(super) fn check_texts(column: &Column) -> Result<()> {
    match &column.values {
        Values::Vectors(_) | Values::Graphs(_) => Err(wrong_kind(column, Kind::Text)),
        Values::Date(_) if !all_missing(&column.values) => Err(wrong_kind(column, Kind::Text)),
        _ => Ok(()),
    }
}

/// Reads a column as texts.
pub(super) fn texts(column: &Column) -> Result<Vec<Arc<str>>> {
    check_texts(column)?;
    let values = &column.values;
    Ok((0..values.len())
        .map(|row| values.text(row).unwrap_or_default().into())
        .collect())
}

/// The bits of a number; both zeros have the same.
fn bits(value: f64) -> u64 {
    (value + 0.0).to_bits()
}

/// Reads a column as codes into a list of categories; [`UNSEEN_CODE`] where the category is not
/// there.
///
/// A category matches by its text; numbers and booleans also by what they mean, so that `1`
/// finds `01` or `1.0`, and `true` finds `yes`.
pub(super) fn codes(column: &Column, levels: &[String]) -> Result<Vec<u32>> {
    let by_text: HashMap<&str, u32> = levels.iter().map(String::as_str).zip(0..).collect();
    let find_text = |text: &str| by_text.get(text).copied();
    match &column.values {
        Values::Vectors(_) | Values::Graphs(_) => Err(wrong_kind(column, Kind::Categorical)),
        Values::Date(_) if !all_missing(&column.values) => {
            Err(wrong_kind(column, Kind::Categorical))
        }
        Values::Categorical(Categories {
            codes,
            levels: given,
        }) => {
            let known: Vec<u32> = given
                .iter()
                .map(|level| find_text(level).unwrap_or(UNSEEN_CODE))
                .collect();
            Ok(codes
                .iter()
                .map(|&code| known.get(code as usize).copied().unwrap_or(MISSING_CODE))
                .collect())
        }
        Values::Numeric(values) | Values::Date(values) => {
            // Later entries win: the first of two equal levels, and a canonical text over any.
            let mut by_number: HashMap<u64, u32> = HashMap::new();
            for (level, code) in levels.iter().zip(0..levels.len() as u32).rev() {
                if let Ok(number) = level.parse::<f64>() {
                    by_number.insert(bits(number), code);
                }
            }
            for (level, code) in levels.iter().zip(0..) {
                if let Ok(number) = level.parse::<f64>()
                    && number_text(number) == *level
                {
                    by_number.insert(bits(number), code);
                }
            }
            Ok(values
                .iter()
                .map(|&value| {
                    if value.is_nan() {
                        return MISSING_CODE;
                    }
                    by_number.get(&bits(value)).copied().unwrap_or(UNSEEN_CODE)
                })
                .collect())
        }
        Values::Boolean(truths) => {
            let code = |value: bool| {
                let means_it = |level: &&String| truth_value(level) == Some(value);
                let same = levels.iter().find(means_it).and_then(|l| find_text(l));
                find_text(&truths.words[usize::from(value)])
                    .or_else(|| find_text(&value.to_string()))
                    .or(same)
                    .unwrap_or(UNSEEN_CODE)
            };
            let found = [code(false), code(true)];
            Ok(truths
                .values
                .iter()
                .map(|v| v.map_or(MISSING_CODE, |b| found[usize::from(b)]))
                .collect())
        }
        Values::Text(_) | Values::Molecules(_) | Values::Nodes(_) => {
            let code = |text: String| find_text(&text).unwrap_or(UNSEEN_CODE);
            let values = &column.values;
            Ok((0..values.len())
                .map(|row| values.text(row).map_or(MISSING_CODE, code))
                .collect())
        }
    }
}
