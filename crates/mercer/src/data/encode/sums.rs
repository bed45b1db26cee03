//! What an encoder is made of, from tables that come one after the other.
//!
//! A file that does not fit into memory, or lies in parts in several places, is looked at part by part:
//! every part adds to means, spreads, ranges and categories, and an encoder follows from these alone. They
//! take a few numbers a column, and as many texts as there are categories.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::apply::block_storage;
use super::arrive::{self, Faults, cell};
use super::cycle::{DAY, day_of_year, time_of_day, weekday};
use super::learn::{note_levels, note_spreads, text_note};
use super::vectors::check_finite;
use super::weighed::Weighed;
use super::{Affine, ColumnEncoder, EncodeOptions, Encoder, Encoding, Missing, Scaling, Storage};
use crate::data::recognise::{Spelling, spellings};
use crate::data::{Block, ClassTargets, Column, Kind, MISSING_CODE, Table, Truths, Values};
use crate::fit::{Note, Warning, WarningCode, listed};
use crate::hint::{Hint, Word};
use crate::{Error, Result};

/// Categories that a column may have: more are names of rows, and would not fit into memory.
const MOST_LEVELS: usize = 100_000;

/// Sums over rows from which an [`Encoder`] follows.
///
/// Those of parts are added with [`EncoderSums::merge`]; the encoder is that of all rows to rounding.
///
/// # Examples
/// ```
/// use mercer::data::{Column, EncodeOptions, Encoder, EncoderSums, Origin, Table, Values};
///
/// let part = |numbers: &[f64]| {
///     let column = Column::new("x", Values::Numeric(numbers.to_vec()));
///     Table::try_new(vec![column], Origin::default())
/// };
/// let mut sums = EncoderSums::default();
/// sums.add(&part(&[1.0, 2.0])?, None, &EncodeOptions::default())?;
/// sums.add(&part(&[3.0, 6.0])?, None, &EncodeOptions::default())?;
/// let (encoder, _) = sums.encoder(&EncodeOptions::default())?;
/// let whole = Encoder::fit(&part(&[1.0, 2.0, 3.0, 6.0])?, &EncodeOptions::default())?.0;
/// assert_eq!(encoder, whole);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EncoderSums {
    rows: u64,
    weight: f64,
    columns: Vec<ColumnSums>,
    spellings: BTreeMap<String, Spelling>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ColumnSums {
    name: String,
    /// Rows without a value.
    missing: u64,
    found: Found,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Found {
    Numeric(Option<Weighed>),
    Boolean {
        words: [String; 2],
        /// Weight of false and of true.
        weights: [f64; 2],
    },
    /// The weight of every category.
    Categorical(BTreeMap<String, f64>),
    Date {
        days: Option<Weighed>,
        /// Time of day, weekday and day of the year.
        parts: [Varies; 3],
    },
    Text,
    Dense(Vec<Option<Weighed>>),
    Sparse {
        width: usize,
        /// Of the values that are stored, where they are scaled.
        features: BTreeMap<u32, Weighed>,
    },
}

/// Whether numbers differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Varies {
    first: Option<f64>,
    differs: bool,
}

impl Varies {
    fn add(&mut self, value: f64) {
        let first = *self.first.get_or_insert(value);
        self.differs |= first != value;
    }

    fn join(&mut self, other: Self) {
        self.differs |= other.differs;
        if let Some(value) = other.first {
            self.add(value);
        }
    }
}

impl EncoderSums {
    /// Returns the number of rows that were added.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Adds rows; a weight counts copies. The options say what the encoder will need.
    ///
    /// # Errors
    /// Other columns than before, an infinite value, a missing one that may not be filled in, more
    /// categories than can be kept, and columns that no sums tell enough of: words, molecules, graphs.
    pub fn add(
        &mut self,
        table: &Table,
        weights: Option<&[f64]>,
        options: &EncodeOptions,
    ) -> Result<()> {
        let columns = table.columns().iter();
        let columns = columns.map(|column| ColumnSums::of(table, column, weights, options));
        let part = Self {
            rows: table.rows() as u64,
            weight: weights.map_or(table.rows() as f64, |w| w.iter().sum()),
            columns: columns.collect::<Result<_>>()?,
            spellings: spellings(table.columns()),
        };
        self.merge(part)
    }

    /// Adds what was found in other rows, which come after these.
    ///
    /// # Errors
    /// Other columns, and more categories than can be kept.
    pub fn merge(&mut self, other: Self) -> Result<()> {
        if self.rows == 0 {
            *self = other;
            return Ok(());
        }
        if other.rows == 0 {
            return Ok(());
        }
        let names =
            |sums: &Self| -> Vec<String> { sums.columns.iter().map(|c| c.name.clone()).collect() };
        if names(self) != names(&other) {
            return Err(Error::Columns {
                missing: names(self)
                    .into_iter()
                    .filter(|name| !names(&other).contains(name))
                    .collect(),
                known: names(&other),
                needed: names(self),
            });
        }
        for (own, other) in self.columns.iter_mut().zip(other.columns) {
            own.join(other)?;
        }
        self.rows += other.rows;
        self.weight += other.weight;
        for (name, spelling) in other.spellings {
            self.spellings.entry(name).or_insert(spelling);
        }
        Ok(())
    }

    /// Makes the encoder, and says what a user should know.
    ///
    /// # Errors
    /// No rows, and no column that has a value.
    pub fn encoder(&self, options: &EncodeOptions) -> Result<(Encoder, Vec<Note>)> {
        options.check()?;
        if self.rows == 0 {
            return Err(Error::rows(
                "there are no rows to learn from",
                "give a file with at least one row below its header",
            ));
        }
        let (mut columns, mut dropped, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        let (mut constant, mut spreads) = (Vec::new(), Vec::new());
        for column in &self.columns {
            let is_vectors = matches!(column.found, Found::Dense(_) | Found::Sparse { .. });
            if column.missing == self.rows && !is_vectors {
                dropped.push(column.name.clone());
                continue;
            }
            let made = column.encoder(self, options, &mut notes)?;
            if made.encoder.constant {
                constant.push(column.name.clone());
            }
            spreads.extend(made.spreads);
            columns.push(made.encoder);
        }
        if columns.is_empty() {
            return Err(Error::rows(
                "there is no column to learn from",
                "give at least one feature column that has values",
            ));
        }
        if !dropped.is_empty() {
            let text = match &dropped[..] {
                [one] => format!("column `{one}` is missing in every row and is left out"),
                several => format!(
                    "columns {} are missing in every row and are left out",
                    listed(several)
                ),
            };
            let warning = Warning::new(WarningCode::Missing, text);
            notes.push(warning.columns(dropped.clone()).into());
        }
        if !constant.is_empty() {
            let text = match &constant[..] {
                [one] => format!("column `{one}` is constant"),
                several => format!("columns {} are constant", listed(several)),
            };
            let warning = Warning::new(WarningCode::Constant, text);
            notes.push(warning.columns(constant).into());
        }
        if options.scaling == Scaling::None && !options.keep {
            note_spreads(&spreads, &mut notes);
        }
        let storage = block_storage(&columns, 0.0);
        let encoder = Encoder::try_new(columns, storage, dropped)?;
        Ok((encoder.spelt(self.spellings.clone()), notes))
    }
}

impl EncoderSums {
    /// Rows that are added at a time wherever sums are to be the same bit for bit.
    pub const BLOCK: usize = 4096;

    /// Returns whether sums tell all that an encoder of a table needs.
    pub fn suit(table: &Table, options: &EncodeOptions) -> bool {
        let summed = |column: &Column| match &column.values {
            Values::Molecules(_) | Values::Graphs(_) | Values::Nodes(_) => false,
            Values::Text(_) => options.text.is_none(),
            _ => true,
        };
        options.texts.is_empty() && table.columns().iter().all(summed)
    }

    /// Adds the rows of a table up block by block, as rows are that come from a file.
    ///
    /// # Errors
    /// As [`EncoderSums::add`].
    pub(crate) fn of(
        table: &Table,
        weights: Option<&[f64]>,
        options: &EncodeOptions,
    ) -> Result<Self> {
        let mut sums = Self::default();
        for start in (0..table.rows()).step_by(Self::BLOCK) {
            let end = (start + Self::BLOCK).min(table.rows());
            let rows: Vec<usize> = (start..end).collect();
            let part = if rows.len() == table.rows() {
                table.clone()
            } else {
                table.select(&rows)
            };
            sums.add(&part, weights.map(|w| &w[start..end]), options)?;
        }
        Ok(sums)
    }

    /// Says which columns have missing values that are filled in.
    pub fn filled_in(&self) -> Option<Note> {
        let some =
            |c: &&ColumnSums| c.missing > 0 && c.missing < self.rows && c.found.can_be_filled();
        let gaps = self.columns.iter().filter(some);
        let gaps: Vec<String> = gaps
            .map(|c| format!("`{}` ({})", c.name, c.missing))
            .collect();
        let shown = gaps.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
        let more = if gaps.len() > 8 { ", …" } else { "" };
        (!gaps.is_empty()).then(|| {
            Note::Choice(format!(
                "missing values are filled in and marked by a feature of their own: {shown}{more}"
            ))
        })
    }
}

impl Found {
    fn can_be_filled(&self) -> bool {
        !matches!(self, Self::Text | Self::Dense(_) | Self::Sparse { .. })
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Numeric(_) => Kind::Numeric,
            Self::Boolean { .. } => Kind::Boolean,
            Self::Categorical(_) => Kind::Categorical,
            Self::Date { .. } => Kind::Date,
            Self::Text => Kind::Text,
            Self::Dense(_) | Self::Sparse { .. } => Kind::Vectors,
        }
    }
}

/// The encoder of a column, with the spread of its features.
struct Made {
    encoder: ColumnEncoder,
    spreads: Vec<(String, f64)>,
}

impl ColumnSums {
    fn of(
        table: &Table,
        column: &Column,
        weights: Option<&[f64]>,
        options: &EncodeOptions,
    ) -> Result<Self> {
        let values = &column.values;
        let rows = 0..values.len();
        let missing = rows.filter(|&row| values.is_missing(row)).count() as u64;
        let found = Self::look(table, column, weights, options)?;
        if missing > 0 && !options.impute && !options.keep && found.can_be_filled() {
            let row = (0..values.len()).find(|&row| values.is_missing(row));
            let problem = "the value is missing".to_owned();
            let cure = "fill it in, drop the row, or let missing values be imputed";
            return Err(cell(table, &column.name, row.unwrap_or(0), problem, cure));
        }
        Ok(Self {
            name: column.name.clone(),
            missing,
            found,
        })
    }

    fn look(
        table: &Table,
        column: &Column,
        weights: Option<&[f64]>,
        options: &EncodeOptions,
    ) -> Result<Found> {
        let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
        let has_words = |options: &EncodeOptions| {
            let by_name = options.texts.contains_key(&column.name);
            by_name || (column.kind() == Kind::Text && options.text.is_some())
        };
        if has_words(options) {
            return Err(unsummed(column, "words of texts are counted"));
        }
        Ok(match &column.values {
            Values::Numeric(_) => {
                let numbers = arrive::numbers(table, column, None, &mut Faults::learning())?;
                Found::Numeric(Weighed::of(numbers.iter().copied(), weights))
            }
            Values::Boolean(truths) => {
                let mut sums = [0.0; 2];
                for (row, value) in truths.values.iter().enumerate() {
                    if let Some(value) = value {
                        sums[usize::from(*value)] += weight(row);
                    }
                }
                Found::Boolean {
                    words: truths.words.clone(),
                    weights: sums,
                }
            }
            Values::Categorical(categories) => {
                let mut sums: Vec<Option<f64>> = vec![None; categories.levels.len()];
                for (row, &code) in categories.codes.iter().enumerate() {
                    if code != MISSING_CODE {
                        *sums[code as usize].get_or_insert(0.0) += weight(row);
                    }
                }
                let levels = categories.levels.iter().cloned().zip(sums);
                let known = levels.filter_map(|(level, sum)| Some((level, sum?)));
                Found::Categorical(known.collect())
            }
            Values::Date(_) => {
                let seconds = arrive::dates(table, column, None, &mut Faults::learning())?;
                let mut parts = [Varies::default(); 3];
                for &s in seconds.iter().filter(|s| !s.is_nan()) {
                    parts[0].add(time_of_day(s));
                    parts[1].add(weekday(s));
                    parts[2].add(day_of_year(s));
                }
                Found::Date {
                    days: Weighed::of(seconds.iter().map(|s| s / DAY), weights),
                    parts,
                }
            }
            Values::Text(_) => Found::Text,
            Values::Vectors(points) => {
                let points = points.widened();
                check_finite(
                    table,
                    &column.name,
                    &points,
                    options.impute,
                    &mut Faults::learning(),
                )?;
                match &points {
                    Block::Dense(matrix) => {
                        let features = (0..matrix.columns()).map(|feature| {
                            let values = (0..matrix.rows()).map(|row| matrix[(row, feature)]);
                            Weighed::of(values, weights)
                        });
                        Found::Dense(features.collect())
                    }
                    Block::Sparse(matrix) => {
                        let mut features: BTreeMap<u32, Weighed> = BTreeMap::new();
                        // Only scales are learnt of sparse vectors.
                        let rows = match options.scaling {
                            Scaling::None => 0,
                            _ => matrix.rows(),
                        };
                        for row in 0..rows {
                            let (indices, values) = matrix.row(row);
                            for (&j, &v) in indices.iter().zip(values) {
                                let one = Weighed::constant(v, weight(row));
                                features
                                    .entry(j)
                                    .and_modify(|sum| *sum = sum.and(one))
                                    .or_insert(one);
                            }
                        }
                        Found::Sparse {
                            width: matrix.columns(),
                            features,
                        }
                    }
                }
            }
            Values::Molecules(_) | Values::Graphs(_) | Values::Nodes(_) => {
                return Err(unsummed(column, "graphs are compared with each other"));
            }
        })
    }

    fn join(&mut self, other: Self) -> Result<()> {
        self.missing += other.missing;
        let (own_kind, kind) = (self.found.kind(), other.found.kind());
        match (&mut self.found, other.found) {
            (Found::Numeric(own), Found::Numeric(more)) => Weighed::join(own, more),
            (Found::Boolean { weights: own, .. }, Found::Boolean { weights, .. }) => {
                own[0] += weights[0];
                own[1] += weights[1];
            }
            (Found::Categorical(own), Found::Categorical(more)) => {
                for (level, weight) in more {
                    *own.entry(level).or_insert(0.0) += weight;
                }
                if own.len() > MOST_LEVELS {
                    return Err(Error::rows(
                        format!(
                            "column `{}` has more than {MOST_LEVELS} categories",
                            self.name
                        ),
                        Hint::from("leave it out: ")
                            .word(Word::Role("drop"))
                            .then("; if it holds texts, read it with ")
                            .word(Word::Kind {
                                column: self.name.clone(),
                                kind: Kind::Text.name(),
                            }),
                    ));
                }
            }
            (
                Found::Date { days, parts },
                Found::Date {
                    days: more,
                    parts: others,
                },
            ) => {
                Weighed::join(days, more);
                for (own, other) in parts.iter_mut().zip(others) {
                    own.join(other);
                }
            }
            (Found::Text, Found::Text) => {}
            (Found::Dense(own), Found::Dense(more)) if own.len() == more.len() => {
                for (own, more) in own.iter_mut().zip(more) {
                    Weighed::join(own, more);
                }
            }
            (
                Found::Sparse { width, features },
                Found::Sparse {
                    width: more,
                    features: others,
                },
            ) => {
                *width = (*width).max(more);
                for (feature, sum) in others {
                    features
                        .entry(feature)
                        .and_modify(|own| *own = own.and(sum))
                        .or_insert(sum);
                }
            }
            _ => {
                return Err(Error::ColumnKind {
                    column: self.name.clone(),
                    found: kind.to_string(),
                    expected: format!("{own_kind}, as in the rows before"),
                });
            }
        }
        Ok(())
    }

    fn encoder(
        &self,
        all: &EncoderSums,
        options: &EncodeOptions,
        notes: &mut Vec<Note>,
    ) -> Result<Made> {
        let missing = match (self.missing > 0, options.impute) {
            _ if !self.found.can_be_filled() => Missing::Fill,
            _ if options.keep => Missing::Keep,
            (false, true) => Missing::Unexpected,
            (_, false) => Missing::Refuse,
            (true, true) if options.indicators => Missing::Flag,
            (true, true) => Missing::Fill,
        };
        let (mut constant, mut range, mut spreads) = (false, None, Vec::new());
        let encoding = match &self.found {
            Found::Numeric(numbers) => {
                let found = self.known(*numbers)?.moments;
                range = Some([found.min, found.max]);
                constant = found.is_constant();
                if !constant {
                    spreads.push((self.name.clone(), found.deviation));
                }
                Encoding::Numeric {
                    map: Affine::from_moments(&found, options.scaling),
                    fill: found.mean,
                    missing,
                }
            }
            Found::Boolean { words, weights } => {
                let [no, yes] = *weights;
                constant = no == 0.0 || yes == 0.0;
                Encoding::Boolean {
                    words: (*words != Truths::WORDS).then(|| words.clone()),
                    fill: yes > no,
                    missing,
                }
            }
            Found::Categorical(sums) => {
                let names: Vec<&str> = sums.keys().map(String::as_str).collect();
                // The order of labels does not depend on the order of rows.
                let levels = ClassTargets::from_labels(&names).labels;
                constant = levels.len() == 1;
                note_levels(&self.name, all.rows as usize, levels.len(), options, notes);
                let mut fill = 0;
                for code in 1..levels.len() {
                    if sums[&levels[code]] > sums[&levels[fill]] {
                        fill = code;
                    }
                }
                Encoding::Categorical {
                    levels,
                    fill: fill as u32,
                    missing,
                }
            }
            Found::Date { days, parts } => {
                let found = self.known(*days)?.moments;
                range = Some([found.min * DAY, found.max * DAY]);
                constant = found.is_constant();
                Encoding::Date {
                    map: Affine::from_moments(&found, options.scaling),
                    fill: found.mean,
                    missing,
                    time_of_day: parts[0].differs,
                    weekday: parts[1].differs,
                    day_of_year: parts[2].differs,
                }
            }
            Found::Text => {
                notes.push(text_note(&self.name));
                Encoding::Text
            }
            Found::Dense(features) => {
                for (place, found) in features.iter().enumerate() {
                    let spread = found.map_or(0.0, |f| f.moments.deviation);
                    if spread > 0.0 {
                        spreads.push((format!("{}[{}]", self.name, place + 1), spread));
                    }
                }
                dense(features, options)
            }
            Found::Sparse { width, features } => Encoding::Vectors {
                width: *width,
                storage: Storage::Sparse,
                fill: Vec::new(),
                shift: Vec::new(),
                scale: sparse_scales(*width, features, all.weight, options.scaling),
                offset: 0.0,
            },
        };
        Ok(Made {
            encoder: ColumnEncoder {
                name: self.name.clone(),
                constant,
                range,
                encoding,
            },
            spreads,
        })
    }

    fn known(&self, found: Option<Weighed>) -> Result<Weighed> {
        found.ok_or_else(|| {
            Error::rows(
                format!("column `{}` has no value", self.name),
                "drop the column",
            )
        })
    }
}

fn dense(features: &[Option<Weighed>], options: &EncodeOptions) -> Encoding {
    let maps: Vec<Affine> = features
        .iter()
        .map(|found| match found {
            Some(found) => Affine::from_moments(&found.moments, options.scaling),
            None => Affine::IDENTITY,
        })
        .collect();
    let scaled = options.scaling != Scaling::None;
    let list = |value: fn(&Affine) -> f64| -> Vec<f64> {
        let values = maps.iter().map(value);
        values.filter(|_| scaled).collect()
    };
    let means = features.iter().map(|f| f.map_or(0.0, |f| f.moments.mean));
    Encoding::Vectors {
        width: features.len(),
        storage: Storage::Dense,
        shift: list(|m| m.shift),
        scale: list(|m| m.scale),
        fill: means.filter(|_| options.impute).collect(),
        offset: match options.scaling {
            Scaling::MinMax { low, .. } => low,
            _ => 0.0,
        },
    }
}

/// Scales of sparse features: zeros that are not stored count.
fn sparse_scales(
    width: usize,
    features: &BTreeMap<u32, Weighed>,
    weight: f64,
    scaling: Scaling,
) -> Vec<f64> {
    let usable = |s: f64| if s.is_finite() && s > 0.0 { s } else { 1.0 };
    let scale = |found: &Weighed| {
        let largest = found.moments.min.abs().max(found.moments.max.abs());
        match scaling {
            Scaling::None => 1.0,
            Scaling::MinMax { low, high } => usable(largest / low.abs().max(high.abs())),
            Scaling::Standard => {
                let zeros = Weighed::constant(0.0, (weight - found.weight).max(0.0));
                let deviation = found.and(zeros).moments.deviation;
                // Equal stored values give rounding noise, not a scale.
                let is_noise = deviation <= 10.0 * f64::EPSILON * largest;
                usable(if is_noise { 1.0 } else { deviation })
            }
        }
    };
    if scaling == Scaling::None {
        return Vec::new();
    }
    let mut scales = vec![1.0; width];
    for (&feature, found) in features {
        scales[feature as usize] = scale(found);
    }
    scales
}

/// Refuses a column that no sums tell enough of.
fn unsummed(column: &Column, why: &str) -> Error {
    Error::Unsupported {
        what: format!(
            "column `{}` ({}) cannot be learnt from a file that is read in parts: {why}",
            column.name,
            column.kind()
        ),
        cure: Hint::from("leave it out: ")
            .word(Word::Role("drop"))
            .then("; or learn from rows that fit into memory"),
    }
}
