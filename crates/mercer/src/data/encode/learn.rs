//! What each column's encoding learns from the training rows.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::arrive::{self, Faults, cell};
use super::cycle::{DAY, day_of_year, time_of_day, weekday};
use super::moments::moments;
use super::{
    Affine, ColumnEncoder, EncodeOptions, Encoding, Missing, Scaling, TextEncoding, graphs,
    vectors, words,
};
use crate::data::{Categories, ClassTargets, Column, Kind, MISSING_CODE, Table, Truths, Values};
use crate::fit::{Note, Warning, WarningCode, listed};
use crate::hint::{Hint, Word};
use crate::{Error, Result};

/// Ratio of standard deviations beyond which unscaled columns raise an alert: the smaller
/// column then adds less than 1e-8 of a squared distance.
const WIDEST_RATIO: f64 = 1e4;
/// Rows from which on "more categories than half the rows" says something.
const ROWS_FOR_HALF: usize = 20;

/// Encoders of all columns, columns left out, notes.
pub(super) struct Learnt {
    pub(super) columns: Vec<ColumnEncoder>,
    pub(super) dropped: Vec<String>,
    pub(super) notes: Vec<Note>,
    /// Features of words that a row has in the mean.
    pub(super) words_filled: f64,
}

/// How many copies rows stand for.
#[derive(Clone, Copy)]
pub(super) struct Copies<'a> {
    /// In units of the largest, which is what means and spreads take.
    pub(super) shares: &'a [f64],
    /// As they were given, for what counts rows.
    pub(super) given: &'a [f64],
}

/// Learns the encoding of every column.
pub(super) fn learn(
    table: &Table,
    copies: Option<Copies<'_>>,
    options: &EncodeOptions,
) -> Result<Learnt> {
    let weights = copies.map(|copies| copies.shares);
    for name in options.texts.keys() {
        table.column(name)?;
    }
    let mut learnt = Learnt {
        words_filled: 0.0,
        columns: Vec::new(),
        dropped: Vec::new(),
        notes: Vec::new(),
    };
    let mut spreads: Vec<(String, f64)> = Vec::new();
    let mut constant: Vec<String> = Vec::new();
    for column in table.columns() {
        let values = &column.values;
        if !matches!(values, Values::Vectors(_))
            && (0..values.len()).all(|row| values.is_missing(row))
        {
            learnt.dropped.push(column.name.clone());
            continue;
        }
        let missing = missing_rule(table, column, options)?;
        let mut range = None;
        let how = encoding_of_texts(column, options)?;
        let encoding = match values {
            _ if let Some(how) = how => learn_words(table, column, how, copies, &mut learnt)?,
            Values::Numeric(_) => {
                let numbers = arrive::numbers(table, column, None, &mut Faults::learning())?;
                let found = known(column, moments(numbers.iter().copied(), weights))?;
                range = Some([found.min, found.max]);
                if found.is_constant() {
                    constant.push(column.name.clone());
                } else {
                    spreads.push((column.name.clone(), found.deviation));
                }
                Encoding::Numeric {
                    map: Affine::from_moments(&found, options.scaling),
                    fill: found.mean,
                    missing,
                }
            }
            Values::Boolean(truths) => {
                let weight = |wanted: bool| -> f64 {
                    let rows = truths
                        .values
                        .iter()
                        .enumerate()
                        .filter(|(_, v)| **v == Some(wanted));
                    rows.map(|(row, _)| weights.map_or(1.0, |w| w[row])).sum()
                };
                let (no, yes) = (weight(false), weight(true));
                if no == 0.0 || yes == 0.0 {
                    constant.push(column.name.clone());
                }
                Encoding::Boolean {
                    words: (truths.words != Truths::WORDS).then(|| truths.words.clone()),
                    fill: yes > no,
                    missing,
                }
            }
            Values::Categorical(categories) => {
                let (levels, fill) = learn_levels(categories, weights);
                if levels.len() == 1 {
                    constant.push(column.name.clone());
                }
                let rows = column.values.len();
                note_levels(&column.name, rows, levels.len(), options, &mut learnt.notes);
                Encoding::Categorical {
                    levels,
                    fill,
                    missing,
                }
            }
            Values::Date(_) => {
                let learnt = learn_date(table, column, weights, options, missing)?;
                if !learnt.varies {
                    constant.push(column.name.clone());
                }
                range = Some(learnt.range);
                learnt.encoding
            }
            Values::Text(_) => {
                learnt.notes.push(text_note(&column.name));
                Encoding::Text
            }
            Values::Molecules(_) | Values::Graphs(_) => graphs::learn(table, column)?,
            Values::Nodes(list) => Encoding::Node {
                network: list.network.clone(),
            },
            Values::Vectors(points) => {
                let (encoding, deviations) = vectors::learn(
                    table,
                    &column.name,
                    &points.widened(),
                    weights,
                    options,
                    &mut learnt.notes,
                )?;
                let features = deviations.iter().enumerate().filter(|(_, d)| **d > 0.0);
                spreads.extend(features.map(|(j, d)| (format!("{}[{}]", column.name, j + 1), *d)));
                encoding
            }
        };
        learnt.columns.push(ColumnEncoder {
            name: column.name.clone(),
            constant: constant.last() == Some(&column.name),
            range,
            encoding,
        });
    }
    let notes = &mut learnt.notes;
    if let [first, ..] = &learnt.dropped[..] {
        let text = if learnt.dropped.len() == 1 {
            format!("column `{first}` is missing in every row and is left out")
        } else {
            let names = listed(&learnt.dropped);
            format!("columns {names} are missing in every row and are left out")
        };
        let warning = Warning::new(WarningCode::Missing, text).rows(table.rows());
        notes.push(warning.columns(learnt.dropped.clone()).into());
    }
    if let [first, ..] = &constant[..] {
        let text = if constant.len() == 1 {
            format!("column `{first}` is constant")
        } else {
            format!("columns {} are constant", listed(&constant))
        };
        notes.push(
            Warning::new(WarningCode::Constant, text)
                .columns(constant)
                .into(),
        );
    }
    if options.scaling == Scaling::None && !options.keep {
        note_spreads(&spreads, notes);
    }
    note_identical(table, notes);
    Ok(learnt)
}

/// Says who reads a column of texts.
pub(super) fn text_note(column: &str) -> Note {
    Note::Choice(format!(
        "text column `{column}` is read by string kernels only, such as `spectrum`; vector kernels do not see it"
    ))
}

fn known<T>(column: &Column, found: Option<T>) -> Result<T> {
    found.ok_or_else(|| {
        Error::rows(
            format!("column `{}` has no value", column.name),
            "drop the column",
        )
    })
}

fn missing_rule(table: &Table, column: &Column, options: &EncodeOptions) -> Result<Missing> {
    let first = (0..table.rows()).find(|&row| column.values.is_missing(row));
    match first {
        _ if !can_be_filled(&column.values) => Ok(Missing::Fill),
        _ if options.keep => Ok(Missing::Keep),
        None if options.impute => Ok(Missing::Unexpected),
        None => Ok(Missing::Refuse),
        Some(_) if options.impute && options.indicators => Ok(Missing::Flag),
        Some(_) if options.impute => Ok(Missing::Fill),
        Some(row) => {
            let problem = "the value is missing".to_owned();
            let cure = "fill it in, drop the row, or let missing values be imputed";
            Err(cell(table, &column.name, row, problem, cure))
        }
    }
}

/// What becomes of a column of texts; `None` for other columns, and for texts left to kernels.
fn encoding_of_texts(column: &Column, options: &EncodeOptions) -> Result<Option<TextEncoding>> {
    match (options.texts.get(&column.name), &column.values) {
        (Some(how), Values::Text(_) | Values::Categorical(_)) => Ok(Some(*how)),
        (None, Values::Text(_)) => Ok(options.text),
        (None, _) => Ok(None),
        (Some(how), _) => Err(Error::Conflict {
            what: format!(
                "column `{}` is to be encoded as `{how}`, which is for texts; it is {}",
                column.name,
                column.kind()
            ),
            cure: Hint::from("leave its encoding out, or read the column with ").word(Word::Kind {
                column: column.name.clone(),
                kind: Kind::Text.name(),
            }),
        }),
    }
}

/// Learns the words of a column, and tells what became of it.
fn learn_words(
    table: &Table,
    column: &Column,
    how: TextEncoding,
    copies: Option<Copies<'_>>,
    learnt: &mut Learnt,
) -> Result<Encoding> {
    let copies = copies.map(|copies| copies.given);
    let found = words::learn(&column.values, how, copies, table.bytes())?;
    learnt.words_filled += found.filled;
    let (name, width) = (&column.name, found.words.width());
    if width == 0 {
        let text = if how.least > 1 {
            format!(
                "no word of column `{name}` is in {} texts: it has no features",
                how.least
            )
        } else {
            format!("column `{name}` has no word of two letters or more: it has no features")
        };
        learnt.notes.push(Note::Alert(text));
        return Ok(Encoding::Words(found.words));
    }
    let runs = match how.ngrams {
        1 => String::new(),
        most => format!(" and runs of up to {most}"),
    };
    learnt.notes.push(Note::Choice(match found.hashed {
        None => {
            let plural = if width == 1 { "word" } else { "words" };
            format!("texts of column `{name}` become features of {width} {plural}{runs}: `{how}`")
        }
        Some(different) => format!(
            "texts of column `{name}` have more than {different} words{runs}; they share {width} features by hash, with a sign: `{how}`",
            different = different - 1
        ),
    }));
    Ok(Encoding::Words(found.words))
}

/// Whether a missing value is replaced by a number or a category.
fn can_be_filled(values: &Values) -> bool {
    matches!(
        values,
        Values::Numeric(_) | Values::Boolean(_) | Values::Categorical(_) | Values::Date(_)
    )
}

/// Categories that occur, ordered like labels, and the code of the most frequent one.
fn learn_levels(categories: &Categories, weights: Option<&[f64]>) -> (Vec<String>, u32) {
    let mut frequency = vec![0.0; categories.levels.len()];
    let mut occurs = vec![false; categories.levels.len()];
    for (row, &code) in categories.codes.iter().enumerate() {
        if code != MISSING_CODE {
            frequency[code as usize] += weights.map_or(1.0, |w| w[row]);
            occurs[code as usize] = true;
        }
    }
    let weight_of: HashMap<&str, f64> = categories
        .levels
        .iter()
        .map(String::as_str)
        .zip(frequency)
        .collect();
    let present: Vec<&str> = categories
        .levels
        .iter()
        .zip(&occurs)
        .filter(|(_, occurs)| **occurs)
        .map(|(level, _)| level.as_str())
        .collect();
    // The order of labels does not depend on the order of rows.
    let levels = ClassTargets::from_labels(&present).labels;
    let mut best = 0;
    for code in 1..levels.len() {
        if weight_of[levels[code].as_str()] > weight_of[levels[best].as_str()] {
            best = code;
        }
    }
    (levels, best as u32)
}

pub(super) fn note_levels(
    column: &str,
    rows: usize,
    levels: usize,
    options: &EncodeOptions,
    notes: &mut Vec<Note>,
) {
    if levels > options.max_levels || (rows >= ROWS_FOR_HALF && 2 * levels > rows) {
        let text = format!(
            "column `{column}` has {levels} categories in {rows} rows; an identifier is better dropped, free text better declared as text"
        );
        let warning = Warning::new(WarningCode::ManyCategories, text);
        notes.push(warning.columns([column]).into());
    }
}

/// What a column of dates teaches.
struct LearntDate {
    encoding: Encoding,
    /// Whether the dates differ.
    varies: bool,
    /// The first and the last, in seconds since 1970.
    range: [f64; 2],
}

fn learn_date(
    table: &Table,
    column: &Column,
    weights: Option<&[f64]>,
    options: &EncodeOptions,
    missing: Missing,
) -> Result<LearntDate> {
    let seconds = arrive::dates(table, column, None, &mut Faults::learning())?;
    let found = known(column, moments(seconds.iter().map(|s| s / DAY), weights))?;
    let varies = |part: fn(f64) -> f64| {
        let mut shares = seconds.iter().filter(|s| !s.is_nan()).map(|&s| part(s));
        let first = shares.next();
        shares.any(|s| Some(s) != first)
    };
    let encoding = Encoding::Date {
        map: Affine::from_moments(&found, options.scaling),
        fill: found.mean,
        missing,
        time_of_day: varies(time_of_day),
        weekday: varies(weekday),
        day_of_year: varies(day_of_year),
    };
    Ok(LearntDate {
        encoding,
        varies: !found.is_constant(),
        range: [found.min * DAY, found.max * DAY],
    })
}

pub(super) fn note_spreads(spreads: &[(String, f64)], notes: &mut Vec<Note>) {
    let by_size = |a: &&(String, f64), b: &&(String, f64)| a.1.total_cmp(&b.1);
    let (smallest, largest) = (
        spreads.iter().min_by(by_size),
        spreads.iter().max_by(by_size),
    );
    if let (Some(small), Some(large)) = (smallest, largest)
        && large.1 / small.1 > WIDEST_RATIO
    {
        let text = format!(
            "columns are not scaled and differ in size: `{}` varies by {:.1e}, `{}` by {:.1e}; the larger drowns the smaller",
            small.0, small.1, large.0, large.1
        );
        let warning = Warning::new(WarningCode::Unscaled, text).columns([&small.0, &large.0]);
        notes.push(warning.into());
    }
}

/// Tells of columns with the same numbers, all copies of one together; constants are told of elsewhere.
pub(super) fn note_identical(table: &Table, notes: &mut Vec<Note>) {
    let mut alike: Vec<Vec<&Column>> = Vec::new();
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for column in table.columns() {
        let Values::Numeric(values) = &column.values else {
            continue;
        };
        let mut known = values.iter().filter(|v| !v.is_nan());
        let Some(first) = known.next() else {
            continue;
        };
        if known.all(|v| v == first) {
            continue;
        }
        let mut hasher = DefaultHasher::new();
        for v in values {
            v.to_bits().hash(&mut hasher);
        }
        let hash = hasher.finish();
        let same = |other: &Column| match &other.values {
            Values::Numeric(o) => o
                .iter()
                .zip(values)
                .all(|(a, b)| a.to_bits() == b.to_bits()),
            _ => false,
        };
        let groups = places.entry(hash).or_default();
        if let Some(&group) = groups.iter().find(|&&group| same(alike[group][0])) {
            alike[group].push(column);
        } else {
            groups.push(alike.len());
            alike.push(vec![column]);
        }
    }
    for columns in alike.iter().filter(|columns| columns.len() > 1) {
        let names: Vec<&String> = columns.iter().map(|c| &c.name).collect();
        let text = format!("columns {} are identical", listed(&names));
        let warning = Warning::new(WarningCode::EqualColumns, text);
        notes.push(warning.columns(names).into());
    }
}
