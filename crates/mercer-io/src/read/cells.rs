//! A column of text cells, and how its kind is recognised.
//!
//! In this order, over all values that are not missing:
//!
//! 1. numeric, when every value is a number;
//! 2. boolean, when every value is `true`/`false`, `yes`/`no` or `t`/`f` of one pair in any
//!    case (`t` and `f` must both occur; 0 and 1 stay numbers);
//! 3. date, when every value is an ISO 8601 date or time;
//! 4. molecule, text or categorical, as [`kind_of_strings`] tells them apart; the categories of
//!    categories are in order.
//!
//! A column without any value is numeric.

use std::collections::HashMap;

use mercer::data::{Categories, Kind, MISSING_CODE, Truths, Values, kind_of_strings};
use mercer::hint::{Hint, Word};

use super::{ReadOptions, date, number};
use crate::error::shorten_bytes;
use crate::write::format_number;
use crate::{Error, Result};

/// Rows between two looks at the cancel flag.
pub(crate) const STRIDE: usize = 4096;

/// The texts that stand for a missing value.
pub(crate) struct Missing {
    texts: Vec<Vec<u8>>,
    /// Which first bytes occur, so that most values are told apart by one look.
    first: [bool; 256],
    empty: bool,
}

impl Missing {
    pub(crate) fn new(options: &ReadOptions) -> Self {
        let texts: Vec<Vec<u8>> = match &options.missing {
            Some(texts) => texts.iter().map(|t| t.trim().as_bytes().to_vec()).collect(),
            None => super::MISSING
                .iter()
                .map(|t| t.as_bytes().to_vec())
                .collect(),
        };
        Self::of(texts)
    }

    /// Only the given texts.
    pub(crate) fn of(texts: Vec<Vec<u8>>) -> Self {
        let mut first = [false; 256];
        for byte in texts.iter().filter_map(|t| t.first()) {
            first[usize::from(*byte)] = true;
        }
        let empty = texts.iter().any(Vec::is_empty);
        Self {
            texts,
            first,
            empty,
        }
    }

    pub(crate) fn is(&self, cell: &[u8]) -> bool {
        match cell.first() {
            None => self.empty,
            Some(&byte) => self.first[usize::from(byte)] && self.texts.iter().any(|t| t == cell),
        }
    }
}

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

    fn iter(&self) -> impl Iterator<Item = &[u8]> + Clone {
        let mut start = 0;
        self.lengths.iter().map(move |&length| {
            let cell = &self.bytes[start..start + length as usize];
            start += length as usize;
            cell
        })
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
    pub(crate) missing: &'a Missing,
    pub(crate) options: &'a ReadOptions,
    /// Whether `1,5` is a number.
    pub(crate) comma: bool,
}

impl Column<'_> {
    /// Turns cells into values of a kind, or of the kind recognised.
    pub(crate) fn values(&self, cells: &Cells, kind: Option<Kind>) -> Result<Values> {
        match self.told(cells, kind) {
            Err(Error::Cell { .. } | Error::Entry { .. }) if self.options.is_known(self.name) => {
                self.texts_for(cells, kind)
            }
            other => other,
        }
    }

    /// Cells of a kind that not all of them have, as texts: those that have it as they are usually
    /// written, so that whoever reads them needs no rule of this file.
    fn texts_for(&self, cells: &Cells, kind: Option<Kind>) -> Result<Values> {
        let mut values = Vec::with_capacity(cells.lengths.len());
        for (row, cell) in cells.iter().enumerate() {
            self.pause(row)?;
            if self.missing.is(cell) {
                values.push(None);
                continue;
            }
            let plain = match kind {
                Some(Kind::Numeric) => number::parse(cell)
                    .or_else(|| number::parse_comma(cell).filter(|_| self.comma))
                    .map(format_number),
                Some(Kind::Date) => date::parse(cell).and_then(date::format),
                Some(Kind::Boolean) => truth(cell, true).map(|(_, value)| value.to_string()),
                _ => None,
            };
            values.push(Some(plain.unwrap_or_else(|| text_of(cell))));
        }
        Ok(Values::Text(values))
    }

    fn told(&self, cells: &Cells, kind: Option<Kind>) -> Result<Values> {
        match kind {
            None => self.recognise(cells),
            Some(Kind::Numeric) => match self.numbers(cells, false)? {
                Ok(values) => Ok(Values::Numeric(values)),
                Err(row) if self.comma => match self.numbers(cells, true)? {
                    Ok(values) => Ok(Values::Numeric(values)),
                    Err(_) => Err(self.misfit(cells, row, "a number", "numeric")),
                },
                Err(row) => Err(self.misfit(cells, row, "a number", "numeric")),
            },
            Some(Kind::Boolean) => match self.booleans(cells, true)? {
                Ok(values) => Ok(Values::Boolean(values)),
                Err(row) => Err(self.misfit(cells, row, "true or false", "boolean")),
            },
            Some(Kind::Date) => match self.dates(cells)? {
                Ok(values) => Ok(Values::Date(values)),
                Err(row) => Err(self.misfit(cells, row, "an ISO 8601 date", "date")),
            },
            Some(Kind::Text) => self.texts(cells),
            Some(Kind::Molecule) => self.texts(cells).map(molecules),
            Some(Kind::Categorical | Kind::Vectors | Kind::Graph | Kind::Node) => {
                self.categories(cells).map(Values::Categorical)
            }
        }
    }

    fn recognise(&self, cells: &Cells) -> Result<Values> {
        if let Ok(values) = self.numbers(cells, false)? {
            return Ok(Values::Numeric(values));
        }
        if self.comma
            && let Ok(values) = self.numbers(cells, true)?
        {
            return Ok(Values::Numeric(values));
        }
        if let Ok(values) = self.booleans(cells, false)? {
            return Ok(Values::Boolean(values));
        }
        if let Ok(values) = self.dates(cells)? {
            return Ok(Values::Date(values));
        }
        self.names(cells)
    }

    /// Texts or categories, whichever the values look like.
    pub(crate) fn names(&self, cells: &Cells) -> Result<Values> {
        let texts = cells.iter().map(|cell| {
            let known = !self.missing.is(cell);
            known.then(|| std::str::from_utf8(cell).unwrap_or_default())
        });
        match kind_of_strings(texts) {
            Kind::Molecule => self.texts(cells).map(molecules),
            Kind::Text => self.texts(cells),
            _ => self.categories(cells).map(Values::Categorical),
        }
    }

    /// Numbers, or the first row that is none. An infinity is an error once all are numbers.
    fn numbers(&self, cells: &Cells, comma: bool) -> Result<Result<Vec<f64>, usize>> {
        let mut values = Vec::with_capacity(cells.lengths.len());
        let mut infinite = None;
        for (row, cell) in cells.iter().enumerate() {
            self.pause(row)?;
            if self.missing.is(cell) {
                values.push(f64::NAN);
                continue;
            }
            let value = if comma {
                number::parse_comma(cell)
            } else {
                number::parse(cell)
            };
            let Some(value) = value else {
                return Ok(Err(row));
            };
            if value.is_infinite() && infinite.is_none() {
                infinite = Some((row, cell));
            }
            values.push(value);
        }
        if let Some((row, cell)) = infinite {
            let problem = format!("`{}` is not a finite number", shorten_bytes(cell));
            let cure = "give a finite number, or leave the field empty for a missing value";
            return Err(self.error(row, problem, cure.into()));
        }
        Ok(Ok(values))
    }

    /// Booleans, or the first row that is none; digits only where the user says so.
    fn booleans(&self, cells: &Cells, told: bool) -> Result<Result<Truths, usize>> {
        let mut values = Vec::with_capacity(cells.lengths.len());
        let mut pair = None;
        let mut seen: [Option<&[u8]>; 2] = [None; 2];
        for (row, cell) in cells.iter().enumerate() {
            self.pause(row)?;
            if self.missing.is(cell) {
                values.push(None);
                continue;
            }
            let Some((this, value)) = truth(cell, told) else {
                return Ok(Err(row));
            };
            if !told && *pair.get_or_insert(this) != this {
                return Ok(Err(row));
            }
            seen[usize::from(value)].get_or_insert(cell);
            values.push(Some(value));
        }
        let sure = told || pair != Some(Pair::Letter) || seen.iter().all(Option::is_some);
        let words = words(seen.map(|cell| cell.map(text_of)));
        Ok(if sure {
            Ok(Truths { values, words })
        } else {
            Err(0)
        })
    }

    fn dates(&self, cells: &Cells) -> Result<Result<Vec<f64>, usize>> {
        let mut values = Vec::with_capacity(cells.lengths.len());
        for (row, cell) in cells.iter().enumerate() {
            self.pause(row)?;
            if self.missing.is(cell) {
                values.push(f64::NAN);
                continue;
            }
            match date::parse(cell) {
                Some(value) => values.push(value),
                None => return Ok(Err(row)),
            }
        }
        Ok(Ok(values))
    }

    fn texts(&self, cells: &Cells) -> Result<Values> {
        let mut values = Vec::with_capacity(cells.lengths.len());
        for (row, cell) in cells.iter().enumerate() {
            self.pause(row)?;
            values.push((!self.missing.is(cell)).then(|| text_of(cell)));
        }
        Ok(Values::Text(values))
    }

    fn categories(&self, cells: &Cells) -> Result<Categories> {
        let mut codes = Vec::with_capacity(cells.lengths.len());
        let mut known: HashMap<&[u8], u32> = HashMap::new();
        for (row, cell) in cells.iter().enumerate() {
            self.pause(row)?;
            if self.missing.is(cell) {
                codes.push(MISSING_CODE);
                continue;
            }
            let next = known.len() as u32;
            codes.push(*known.entry(cell).or_insert(next));
        }
        let mut levels: Vec<(&[u8], u32)> = known.into_iter().collect();
        let numbers: Option<Vec<f64>> = levels.iter().map(|(l, _)| number::parse(l)).collect();
        if numbers.is_some() {
            // Names that are numbers sort by value, then by spelling.
            levels.sort_by(|(a, _), (b, _)| {
                let value = |l: &[u8]| number::parse(l).unwrap_or(f64::NAN);
                value(a).total_cmp(&value(b)).then_with(|| a.cmp(b))
            });
        } else {
            levels.sort_unstable();
        }
        let mut new_codes = vec![MISSING_CODE; levels.len()];
        for (new, (_, old)) in levels.iter().enumerate() {
            new_codes[*old as usize] = new as u32;
        }
        for code in &mut codes {
            *code = new_codes
                .get(*code as usize)
                .copied()
                .unwrap_or(MISSING_CODE);
        }
        let levels = levels.into_iter().map(|(l, _)| text_of(l)).collect();
        Ok(Categories { codes, levels })
    }

    fn pause(&self, row: usize) -> Result<()> {
        if row.is_multiple_of(STRIDE) {
            self.options.check_cancel()?;
        }
        Ok(())
    }

    fn misfit(&self, cells: &Cells, row: usize, wanted: &str, kind: &str) -> Error {
        let cell = cells.iter().nth(row).unwrap_or_default();
        let problem = format!("`{}` is not {wanted}", shorten_bytes(cell));
        let cure = format!("correct the value, or read the column as another kind than {kind}: ");
        let other = Word::Kind {
            column: self.name.to_owned(),
            kind: Kind::Categorical.name(),
        };
        self.error(row, problem, Hint::from(cure).word(other))
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

/// Texts that are SMILES.
fn molecules(values: Values) -> Values {
    match values {
        Values::Text(texts) => Values::Molecules(texts),
        other => other,
    }
}

/// Families of booleans; a column keeps to one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pair {
    Word,
    Answer,
    Letter,
    Told,
}

fn truth(cell: &[u8], told: bool) -> Option<(Pair, bool)> {
    const PAIRS: [(&[u8], Pair, bool); 6] = [
        (b"true", Pair::Word, true),
        (b"false", Pair::Word, false),
        (b"yes", Pair::Answer, true),
        (b"no", Pair::Answer, false),
        (b"t", Pair::Letter, true),
        (b"f", Pair::Letter, false),
    ];
    const TOLD: [(&[u8], Pair, bool); 4] = [
        (b"1", Pair::Told, true),
        (b"0", Pair::Told, false),
        (b"y", Pair::Told, true),
        (b"n", Pair::Told, false),
    ];
    let more = if told { &TOLD[..] } else { &[] };
    PAIRS
        .iter()
        .chain(more)
        .find(|(text, _, _)| cell.eq_ignore_ascii_case(text))
        .map(|&(_, pair, value)| (pair, value))
}

/// The words of a column for false and true, as it spells them first; one that does not occur is
/// spelt like the other.
fn words(seen: [Option<String>; 2]) -> [String; 2] {
    const PAIRS: [[&str; 2]; 5] = [
        ["false", "true"],
        ["no", "yes"],
        ["f", "t"],
        ["n", "y"],
        ["0", "1"],
    ];
    let other = |word: &str, value: usize| {
        let pair = PAIRS
            .iter()
            .find(|p| p[1 - value].eq_ignore_ascii_case(word));
        let plain = pair.map_or(Truths::WORDS[value], |p| p[value]);
        let mut letters = word.chars();
        let first = letters.next().is_some_and(char::is_uppercase);
        match (first, letters.all(char::is_uppercase)) {
            (true, true) => plain.to_uppercase(),
            (true, false) => plain[..1].to_uppercase() + &plain[1..],
            (false, _) => plain.to_owned(),
        }
    };
    match seen {
        [Some(no), Some(yes)] => [no, yes],
        [Some(no), None] => [no.clone(), other(&no, 1)],
        [None, Some(yes)] => [other(&yes, 0), yes],
        [None, None] => Truths::WORDS.map(str::to_owned),
    }
}

/// Cells are checked to be UTF-8 when their line is read.
fn text_of(cell: &[u8]) -> String {
    String::from_utf8_lossy(cell).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[&str], kind: Option<Kind>, comma: bool) -> Result<Values> {
        let mut cells = Cells::default();
        for text in texts {
            cells.push(text.as_bytes());
        }
        let options = ReadOptions::default();
        let lines: Vec<u32> = (2..).take(texts.len()).collect();
        Column {
            name: "age",
            position: 1,
            file: "a.csv",
            lines: &lines,
            missing: &Missing::new(&options),
            options: &options,
            comma,
        }
        .values(&cells, kind)
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
        assert_eq!(kind(&["y", "n"]), Kind::Categorical);
        assert_eq!(kind(&["2024-01-31", "NA", "2024-01-31T10:00Z"]), Kind::Date);
        assert_eq!(kind(&["2024-01-31", "2024-02-30"]), Kind::Categorical);
        assert_eq!(kind(&["1,000", "2"]), Kind::Categorical);
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
            "a.csv, line 3, column `age`: `x` is not an ISO 8601 date"
        );
        let error = column(&["maybe"], Some(Kind::Boolean), false).expect_err("no truth");
        assert_eq!(
            error.to_string(),
            "a.csv, line 2, column `age`: `maybe` is not true or false"
        );
        let values = column(&["1", "0", "Yes"], Some(Kind::Boolean), false).expect("told");
        let Values::Boolean(truths) = values else {
            panic!("truth values");
        };
        assert_eq!(truths.values, [Some(true), Some(false), Some(true)]);
        assert_eq!(truths.words, ["0", "1"]);
        let values = column(&["1", "NA"], Some(Kind::Text), false).expect("told");
        assert_eq!(values, Values::Text(vec![Some("1".into()), None]));
    }

    #[test]
    fn decimal_commas_need_consent() {
        assert_eq!(
            column(&["1,5", "2"], None, true).expect("read"),
            Values::Numeric(vec![1.5, 2.0])
        );
        assert_eq!(
            column(&["1,5", "2.5"], None, true).expect("read").kind(),
            Kind::Categorical
        );
    }
}
