//! The strings of a column, turned into values.

use super::format::Decimal;
use super::missing::MissingTexts;
use super::numbers::{self, Told};
use super::odd::{Gaps, OddCells};
use super::reading::{Doubt, Reading, Spelling};
use super::{dates, truths};
use crate::Error;
use crate::data::{Categories, Column, Kind, MISSING_CODE, Values, kind_of_strings, number};

/// Cells between two looks at whether to go on.
const STRIDE: usize = 4096;

/// The shortest number with zeros in front that may be a code: 01 to 12 are months.
const SHORTEST_CODE: usize = 4;

/// How the strings of a column are to be read; everything left out is recognised.
///
/// # Examples
/// ```
/// use mercer::data::recognise::{MissingTexts, Recognise};
/// use mercer::data::Values;
///
/// let missing = MissingTexts::default();
/// let amounts = ["$1,200.50", "$80", "n/a"].map(|cell| Some(cell.as_bytes()));
/// let read = Recognise::new(&missing).column(&amounts.into_iter())?;
/// let Values::Numeric(values) = read.values else {
///     panic!("numbers");
/// };
/// assert_eq!(values[..2], [1200.5, 80.0]);
/// assert!(values[2].is_nan());
/// # Ok::<(), mercer::data::recognise::Unread>(())
/// ```
#[derive(Clone, Copy)]
pub struct Recognise<'a> {
    /// The texts that stand for a missing value.
    pub missing: &'a MissingTexts,
    /// The kind, where it is known.
    pub kind: Option<Kind>,
    /// Whether the kind is that of a model: cells that do not fit are refused, never odd.
    pub strict: bool,
    /// How values are written, where it is known.
    pub spelling: Option<&'a Spelling>,
    /// The decimal sign, where the user says it.
    pub decimal: Option<Decimal>,
    /// Whether a decimal comma is likelier than separated thousands where both fit.
    pub comma: bool,
    /// The format of dates, where the user says it; other columns are not tried with it only.
    pub date_format: Option<&'a str>,
    /// Whether all that is neither number, boolean nor date is a name.
    pub names: bool,
    /// Asked now and then; true ends the reading.
    pub stop: Option<&'a dyn Fn() -> bool>,
}

/// Values, and what was noticed about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Recognised {
    /// The values.
    pub values: Values,
    /// What was noticed, where there is anything to tell.
    pub reading: Option<Reading>,
}

impl From<Values> for Recognised {
    fn from(values: Values) -> Self {
        Self {
            values,
            reading: None,
        }
    }
}

/// Why a column could not be read.
#[derive(Debug, Clone, PartialEq)]
pub enum Unread {
    /// A cell is not of the kind that was asked for.
    Misfit {
        /// The row, counted from 0.
        row: usize,
        /// What it is not, such as "a number".
        wanted: &'static str,
        /// The kind asked for.
        kind: Kind,
    },
    /// A number is not finite.
    Infinite {
        /// The row, counted from 0.
        row: usize,
    },
    /// Numbers may mean two things, and the model says not which.
    Ambiguous {
        /// The row, counted from 0.
        row: usize,
    },
    /// The caller asked to stop.
    Stopped,
}

impl<'a> Recognise<'a> {
    /// Recognises everything.
    pub fn new(missing: &'a MissingTexts) -> Self {
        Self {
            missing,
            kind: None,
            strict: false,
            spelling: None,
            decimal: None,
            comma: false,
            date_format: None,
            names: false,
            stop: None,
        }
    }

    /// Reads the cells of a column; `None` and the texts for it are missing.
    ///
    /// # Errors
    /// A cell that is not of the kind asked for, an infinite number among numbers.
    pub fn column<'c, I>(&self, cells: &I) -> Result<Recognised, Unread>
    where
        I: Iterator<Item = Option<&'c [u8]>> + Clone,
    {
        let missing = self.missing;
        let known = cells
            .clone()
            .map(move |cell| cell.filter(|cell| !missing.is(cell.trim_ascii())));
        match self.kind {
            None => self.recognise(cells, &known),
            Some(Kind::Numeric) => self.told_numbers(cells, &known),
            Some(Kind::Boolean) => match truths::read(&known, true) {
                Ok(truths) => Ok(Values::Boolean(truths).into()),
                Err(row) => Err(Unread::Misfit {
                    row,
                    wanted: "true or false",
                    kind: Kind::Boolean,
                }),
            },
            Some(Kind::Date) => self.told_dates(&known),
            Some(Kind::Text) => self.texts(&known).map(|t| Values::Text(t).into()),
            Some(Kind::Molecule) => self.texts(&known).map(|t| Values::Molecules(t).into()),
            Some(Kind::Categorical | Kind::Vectors | Kind::Graph | Kind::Node) => self
                .categories(&known)
                .map(|c| Values::Categorical(c).into()),
        }
    }

    fn gaps(&self) -> Gaps<'a> {
        Gaps {
            missing: self.missing,
            spelling: self.spelling,
        }
    }

    fn told(&self) -> Told<'a> {
        Told {
            gaps: self.gaps(),
            decimal: self.decimal,
            comma: self.comma,
            lenient: !self.strict,
        }
    }

    fn recognise<'c, I, K>(&self, cells: &I, known: &K) -> Result<Recognised, Unread>
    where
        I: Iterator<Item = Option<&'c [u8]>> + Clone,
        K: Iterator<Item = Option<&'c [u8]>> + Clone,
    {
        if let Plain::Numbers(values) = self.plain(cells, known)? {
            return Ok(self.numeric(values, known));
        }
        if let Some(spelling) = self.spelling
            && let Some(values) = self.as_spelt(known, spelling)
        {
            return Ok(Values::Numeric(values).into());
        }
        if let Some(format) = self.spelling.and_then(|s| s.date.as_deref())
            && let Some(found) = dates::in_format(known, self.gaps(), false, format)
        {
            return Ok(Values::Date(found.values).into());
        }
        if let Ok(truths) = truths::read(known, false) {
            return Ok(Values::Boolean(truths).into());
        }
        if let Some(found) = dates::iso(known, self.gaps(), false) {
            return Ok(self.date(found, known));
        }
        self.pause()?;
        if let Some(format) = self.date_format
            && let Some(found) = dates::in_format(known, self.gaps(), true, format)
        {
            return Ok(self.date(found, known));
        }
        // Numbers and dates all of one format come before those with odd cells among them.
        let found = numbers::find(known, self.told());
        self.pause()?;
        if let Some(found) = found {
            return Ok(self.formatted(found, known));
        }
        let iso = dates::iso(known, self.gaps(), true);
        if let Some(found) = iso.or_else(|| dates::find(known, self.gaps(), true)) {
            return Ok(self.date(found, known));
        }
        self.pause()?;
        self.named(known)
    }

    /// Texts, molecules or categories, whichever the values look like.
    fn named<'c, K>(&self, known: &K) -> Result<Recognised, Unread>
    where
        K: Iterator<Item = Option<&'c [u8]>> + Clone,
    {
        let texts = known
            .clone()
            .map(|cell| cell.map(|cell| std::str::from_utf8(cell).unwrap_or_default()));
        let kind = if self.names {
            Kind::Categorical
        } else {
            kind_of_strings(texts)
        };
        Ok(match kind {
            Kind::Molecule => Values::Molecules(self.texts(known)?),
            Kind::Text => Values::Text(self.texts(known)?),
            _ => Values::Categorical(self.categories(known)?),
        }
        .into())
    }

    /// Numbers as programs write them, the common case.
    fn plain<'c, I, K>(&self, cells: &I, known: &K) -> Result<Plain, Unread>
    where
        I: Iterator<Item = Option<&'c [u8]>> + Clone,
        K: Iterator<Item = Option<&'c [u8]>> + Clone,
    {
        let has_own = self.spelling.is_some_and(|s| s.number.is_some());
        if self.decimal == Some(Decimal::Comma) || has_own {
            return Ok(match known.clone().position(|cell| cell.is_some()) {
                Some(row) => Plain::Other(row),
                None => Plain::Numbers(vec![f64::NAN; known.clone().count()]),
            });
        }
        let gaps = self.gaps();
        let mut values = Vec::with_capacity(cells.size_hint().0);
        let mut infinite = None;
        let (mut any, mut weak) = (false, None);
        for (row, cell) in cells.clone().enumerate() {
            if row.is_multiple_of(STRIDE) {
                self.pause()?;
            }
            let Some(cell) = cell else {
                values.push(f64::NAN);
                continue;
            };
            // Few cells are missing, and a number never is.
            let value = number::parse(cell);
            if let Some(value) = value.filter(|_| !self.missing.is(cell)) {
                if value.is_infinite() && infinite.is_none() {
                    infinite = Some(row);
                }
                any = true;
                values.push(value);
                continue;
            }
            let trimmed = cell.trim_ascii();
            values.push(f64::NAN);
            if self.missing.is(trimmed) {
                continue;
            }
            if gaps.has(cell) {
                weak.get_or_insert(row);
                continue;
            }
            match number::parse(trimmed) {
                Some(value) if value.is_finite() => {
                    any = true;
                    values[row] = value;
                }
                _ => return Ok(Plain::Other(row)),
            }
        }
        // Where `-` stands alone it is a name.
        if let (false, Some(row)) = (any, weak)
            && self.kind.is_none()
        {
            return Ok(Plain::Other(row));
        }
        match infinite {
            Some(row) => Err(Unread::Infinite { row }),
            None => Ok(Plain::Numbers(values)),
        }
    }

    fn numeric<'c, K>(&self, values: Vec<f64>, known: &K) -> Recognised
    where
        K: Iterator<Item = Option<&'c [u8]>> + Clone,
    {
        let reading = codes(known).map(|example| Reading {
            known: values.iter().filter(|v| !v.is_nan()).count(),
            doubt: Some(Doubt::Codes { example }),
            ..Reading::default()
        });
        Recognised {
            values: Values::Numeric(values),
            reading: reading.filter(|_| self.kind.is_none()),
        }
    }

    fn formatted<'c, K>(&self, found: numbers::Found, known: &K) -> Recognised
    where
        K: Iterator<Item = Option<&'c [u8]>> + Clone,
    {
        let spelling = Spelling {
            number: found.format,
            date: None,
            missing: self.learnt(&found.odd_cells),
        };
        let mut reading = self.reading(spelling, found.odd_cells, found.doubt, known);
        reading.grouped = found.grouped;
        Recognised {
            values: Values::Numeric(found.values),
            reading: (!reading.is_plain()).then_some(reading),
        }
    }

    fn date<'c, K>(&self, found: dates::Found, known: &K) -> Recognised
    where
        K: Iterator<Item = Option<&'c [u8]>> + Clone,
    {
        let spelling = Spelling {
            number: None,
            date: found.format,
            missing: self.learnt(&found.odd_cells),
        };
        let reading = self.reading(spelling, found.odd_cells, found.doubt, known);
        Recognised {
            values: Values::Date(found.values),
            reading: (!reading.is_plain()).then_some(reading),
        }
    }

    /// The texts for a missing value that the column has of its own.
    fn learnt(&self, odd_cells: &OddCells) -> Vec<String> {
        let before = self.spelling.map(|s| s.missing.clone());
        let mut all = before.unwrap_or_default();
        for text in &odd_cells.texts {
            if !all.contains(text) {
                all.push(text.clone());
            }
        }
        all
    }

    fn reading<'c, K>(
        &self,
        spelling: Spelling,
        odd_cells: OddCells,
        doubt: Option<Doubt>,
        known: &K,
    ) -> Reading
    where
        K: Iterator<Item = Option<&'c [u8]>> + Clone,
    {
        let gaps = self.gaps();
        let cells = known.clone().flatten();
        Reading {
            known: cells.filter(|cell| !gaps.has(cell)).count(),
            spelling,
            grouped: false,
            odd: odd_cells.first,
            odd_count: odd_cells.count,
            doubt,
        }
    }

    /// Numbers, because somebody says so.
    fn told_numbers<'c, I, K>(&self, cells: &I, known: &K) -> Result<Recognised, Unread>
    where
        I: Iterator<Item = Option<&'c [u8]>> + Clone,
        K: Iterator<Item = Option<&'c [u8]>> + Clone,
    {
        if let Some(spelling) = self.spelling.filter(|s| s.number.is_some())
            && let Some(values) = self.as_spelt(known, spelling)
        {
            return Ok(Values::Numeric(values).into());
        }
        let row = match self.plain(cells, known)? {
            Plain::Numbers(values) => return Ok(self.numeric(values, known)),
            Plain::Other(row) => row,
        };
        match numbers::find(known, self.told()) {
            Some(found) if self.strict && found.doubt.is_some() => Err(Unread::Ambiguous { row }),
            Some(found) => Ok(self.formatted(found, known)),
            None => Err(Unread::Misfit {
                row: self.first_misfit(known).unwrap_or(row),
                wanted: "a number",
                kind: Kind::Numeric,
            }),
        }
    }

    fn as_spelt<'c, K>(&self, known: &K, spelling: &Spelling) -> Option<Vec<f64>>
    where
        K: Iterator<Item = Option<&'c [u8]>> + Clone,
    {
        let gaps = self.gaps();
        let format = spelling.number.as_ref()?;
        let read = |cell: Option<&[u8]>| {
            let Some(cell) = cell else {
                return Some(f64::NAN);
            };
            let value = format.parse(std::str::from_utf8(cell).ok()?);
            let value = value.filter(|v| v.is_finite());
            value.or_else(|| gaps.has(cell).then_some(f64::NAN))
        };
        known.clone().map(read).collect()
    }

    /// The first cell that is a number in no format.
    fn first_misfit<'c, K>(&self, known: &K) -> Option<usize>
    where
        K: Iterator<Item = Option<&'c [u8]>> + Clone,
    {
        let gaps = self.gaps();
        let spelling = self.spelling.cloned().unwrap_or_default();
        known.clone().position(|cell| {
            cell.is_some_and(|cell| {
                let one = std::iter::once(Some(cell));
                let text = std::str::from_utf8(cell).unwrap_or_default();
                spelling.number(text).is_none()
                    && !gaps.has(cell)
                    && numbers::find(&one, self.told()).is_none()
            })
        })
    }

    /// Dates, because somebody says so.
    fn told_dates<'c, K>(&self, known: &K) -> Result<Recognised, Unread>
    where
        K: Iterator<Item = Option<&'c [u8]>> + Clone,
    {
        let (gaps, lenient) = (self.gaps(), !self.strict);
        let empty = known.clone().flatten().all(|cell| gaps.has(cell));
        if empty {
            return Ok(Values::Date(vec![f64::NAN; known.clone().count()]).into());
        }
        let own = self.spelling.and_then(|s| s.date.as_deref());
        if let Some(format) = self.date_format.or(own) {
            let found = dates::in_format(known, gaps, lenient, format);
            if let Some(found) = found {
                return Ok(self.date(found, known));
            }
        }
        let found = dates::iso(known, gaps, lenient);
        // A format that was named is not replaced by a guess.
        let guess = || {
            let free = self.date_format.is_none();
            free.then(|| dates::find(known, gaps, lenient)).flatten()
        };
        if let Some(found) = found.or_else(guess) {
            return Ok(self.date(found, known));
        }
        let spelling = Spelling {
            date: self.date_format.or(own).map(str::to_owned),
            ..Spelling::default()
        };
        let none = |cell: &[u8]| {
            let text = std::str::from_utf8(cell).unwrap_or_default();
            !gaps.has(cell)
                && spelling.date(text).is_none()
                && dates::find(&std::iter::once(Some(cell)), gaps, false).is_none()
        };
        let row = known.clone().position(|cell| cell.is_some_and(none));
        Err(Unread::Misfit {
            row: row.unwrap_or(0),
            wanted: "a date",
            kind: Kind::Date,
        })
    }

    fn texts<'c, K>(&self, known: &K) -> Result<Vec<Option<String>>, Unread>
    where
        K: Iterator<Item = Option<&'c [u8]>> + Clone,
    {
        let mut values = Vec::with_capacity(known.size_hint().0);
        for (row, cell) in known.clone().enumerate() {
            if row.is_multiple_of(STRIDE) {
                self.pause()?;
            }
            values.push(cell.map(text_of));
        }
        Ok(values)
    }

    fn categories<'c, K>(&self, known: &K) -> Result<Categories, Unread>
    where
        K: Iterator<Item = Option<&'c [u8]>> + Clone,
    {
        let mut codes = Vec::with_capacity(known.size_hint().0);
        let mut seen: std::collections::HashMap<&[u8], u32> = std::collections::HashMap::new();
        for (row, cell) in known.clone().enumerate() {
            if row.is_multiple_of(STRIDE) {
                self.pause()?;
            }
            let Some(cell) = cell else {
                codes.push(MISSING_CODE);
                continue;
            };
            let next = seen.len() as u32;
            codes.push(*seen.entry(cell).or_insert(next));
        }
        let mut levels: Vec<(&[u8], u32)> = seen.into_iter().collect();
        if levels.iter().all(|(l, _)| number::parse(l).is_some()) {
            // Names that are numbers sort by value, then by spelling.
            levels.sort_by(|(a, _), (b, _)| {
                let value = |l: &[u8]| number::parse(l).unwrap_or(f64::NAN);
                value(a).total_cmp(&value(b)).then_with(|| a.cmp(b))
            });
        } else {
            levels.sort_unstable();
        }
        let mut places = vec![MISSING_CODE; levels.len()];
        for (place, (_, code)) in levels.iter().enumerate() {
            places[*code as usize] = place as u32;
        }
        for code in &mut codes {
            *code = places.get(*code as usize).copied().unwrap_or(MISSING_CODE);
        }
        let levels = levels.into_iter().map(|(l, _)| text_of(l)).collect();
        Ok(Categories { codes, levels })
    }

    fn pause(&self) -> Result<(), Unread> {
        match self.stop {
            Some(stop) if stop() => Err(Unread::Stopped),
            _ => Ok(()),
        }
    }
}

impl Column {
    /// Makes a column of strings by the rules of [`super::Recognise`]; with `names`, what is neither
    /// number, boolean nor date is categorical.
    ///
    /// # Errors
    /// A number that is not finite, among numbers.
    pub fn of_strings<'s, I>(name: &str, strings: &I, names: bool) -> crate::Result<Self>
    where
        I: Iterator<Item = Option<&'s str>> + Clone,
    {
        let missing = MissingTexts::default();
        let recognise = Recognise {
            names,
            ..Recognise::new(&missing)
        };
        let cells = strings.clone().map(|text| text.map(str::as_bytes));
        match recognise.column(&cells) {
            Ok(found) => Ok(Self::recognised(name, found, &[])),
            Err(
                Unread::Misfit { row, .. } | Unread::Infinite { row } | Unread::Ambiguous { row },
            ) => {
                let text = strings.clone().nth(row).flatten().unwrap_or_default();
                Err(Error::Cell {
                    place: format!("row {}", row + 1),
                    column: name.to_owned(),
                    problem: format!("`{text}` is not a finite number"),
                    cure: "give a finite number, or none for a missing value".into(),
                })
            }
            Err(Unread::Stopped) => unreachable!("nobody asks to stop"),
        }
    }
}

/// What a look for plain numbers gives.
enum Plain {
    Numbers(Vec<f64>),
    /// The first row that is none.
    Other(usize),
}

/// A cell with zeros in front, where all cells are as many digits.
fn codes<'c, K>(known: &K) -> Option<String>
where
    K: Iterator<Item = Option<&'c [u8]>> + Clone,
{
    let mut cells = known.clone().flatten();
    let is_padded = |cell: &[u8]| {
        cell.len() >= SHORTEST_CODE && cell[0] == b'0' && cell.iter().all(u8::is_ascii_digit)
    };
    let length = cells.next()?.len();
    if length < SHORTEST_CODE {
        return None;
    }
    let mut padded = None;
    for cell in known.clone().flatten() {
        if cell.len() != length || !cell.iter().all(u8::is_ascii_digit) {
            return None;
        }
        if padded.is_none() && is_padded(cell) {
            padded = Some(text_of(cell));
        }
    }
    padded
}

fn text_of(cell: &[u8]) -> String {
    String::from_utf8_lossy(cell).into_owned()
}
