//! Columns that number or name rows: they tell rows apart and nothing about others.
//!
//! A file sorted by class has row numbers that predict the class, and a model that learns from
//! them knows nothing of the next file. Measurements may be all different too, so the
//! rules ask for more than that: whole numbers that are a range, or a name that says so.

use std::collections::HashSet;

use crate::data::{Categories, Column, MISSING_CODE, Table, Values};

/// Rows below which distinct values say nothing.
const FEWEST_ROWS: usize = 20;
/// Share of rows with a value of their own from which on names are names of rows.
const OWN_NAME: f64 = 0.95;
/// The same for whole numbers in a column that is called an identifier: tables of visits repeat
/// a few patients.
const OWN_NUMBER: f64 = 0.9;

/// Words that make an identifier of a column of mostly different whole numbers.
const IDENTIFIERS: &[&str] = &[
    "id",
    "ids",
    "uid",
    "uuid",
    "guid",
    "pk",
    "identifier",
    "rowid",
    "rownames",
    "rowname",
    "caseid",
    "clientid",
    "customerid",
    "deviceid",
    "employeeid",
    "eventid",
    "itemid",
    "memberid",
    "objectid",
    "orderid",
    "patientid",
    "personid",
    "productid",
    "recordid",
    "sampleid",
    "sessionid",
    "studentid",
    "subjectid",
    "transactionid",
    "userid",
];
/// Words that do so where the numbers also leave few gaps.
const NUMBERS: &[&str] = &[
    "index",
    "idx",
    "no",
    "nr",
    "num",
    "number",
    "key",
    "case",
    "obs",
    "observation",
    "record",
    "sample",
    "subject",
    "patient",
    "customer",
    "row",
    "instance",
    "serial",
    "entry",
    "item",
    "line",
    "ref",
    "reference",
    "seq",
];
/// Words of what is measured or ordered in time: 1, 2, 3, … may be meant there.
const MEASURES: &[&str] = &[
    "time",
    "timestamp",
    "date",
    "datetime",
    "year",
    "yr",
    "month",
    "week",
    "day",
    "days",
    "hour",
    "hours",
    "minute",
    "minutes",
    "second",
    "seconds",
    "period",
    "quarter",
    "season",
    "epoch",
    "step",
    "tick",
    "age",
    "rank",
    "ranking",
    "position",
    "pos",
    "place",
    "score",
    "count",
    "counts",
    "total",
    "size",
    "length",
    "width",
    "height",
    "depth",
    "distance",
    "dose",
    "concentration",
    "temperature",
    "level",
    "price",
    "amount",
    "value",
    "lag",
    "cycle",
    "iteration",
    "frame",
];

/// What a column is instead of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// It counts rows.
    RowNumber,
    /// It names rows.
    Identifier,
}

/// Returns the columns that number or name rows.
pub fn identities(table: &Table) -> Vec<(String, Identity)> {
    let columns = table.columns();
    let made_up = columns.iter().filter(|c| is_made_up(&c.name)).count();
    // A file without a header has no names at all, which tells nothing of one of them.
    let has_names = made_up < columns.len();
    let found = columns.iter().filter_map(|column| {
        let unnamed = has_names && is_made_up(&column.name);
        Some((column.name.clone(), identity(column, unnamed)?))
    });
    found.collect()
}

/// Names that readers give to a column without one.
fn is_made_up(name: &str) -> bool {
    let name = name.trim();
    let numbered = |start: &str| {
        name.strip_prefix(start)
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    name.is_empty() || numbered("column_") || numbered("Unnamed: ")
}

fn identity(column: &Column, unnamed: bool) -> Option<Identity> {
    if column.values.len() < FEWEST_ROWS {
        return None;
    }
    let called = if unnamed {
        Called::Nothing
    } else {
        called(&column.name)
    };
    match &column.values {
        Values::Numeric(values) => of_numbers(values, called),
        Values::Categorical(categories) => {
            of_names(categories, called).then_some(Identity::Identifier)
        }
        Values::Text(texts) => {
            let texts: Option<Vec<&str>> = texts.iter().map(Option::as_deref).collect();
            are_codes(&texts?).then_some(Identity::Identifier)
        }
        _ => None,
    }
}

/// What the name of a column says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Called {
    /// There is no name.
    Nothing,
    Identifier,
    Number,
    Measure,
    /// Something else.
    Other,
}

fn called(name: &str) -> Called {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if has(IDENTIFIERS) {
        Called::Identifier
    } else if has(MEASURES) || name.trim().chars().count() == 1 {
        // Single letters are the variables of formulas; `#` is a number.
        if name.trim() == "#" {
            Called::Number
        } else {
            Called::Measure
        }
    } else if has(NUMBERS) {
        Called::Number
    } else {
        Called::Other
    }
}

/// The words of a name in lower case: `PassengerId`, `passenger_id` and `passenger id` have the
/// same two.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in name.chars() {
        if c.is_alphabetic() {
            let starts = !last.is_alphabetic() || (last.is_lowercase() && c.is_uppercase());
            if starts {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        last = c;
    }
    words
}

fn of_numbers(values: &[f64], called: Called) -> Option<Identity> {
    /// Whole numbers beyond are not exact.
    const EXACT: f64 = 9e15;
    if called == Called::Measure {
        return None;
    }
    let whole = |v: &f64| v.fract() == 0.0 && v.abs() <= EXACT;
    if !values.iter().all(whole) {
        return None;
    }
    let n = values.len();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let span = most - least + 1.0;
    let is_range = span == n as f64 && are_different(values, least);
    if is_range && (called != Called::Other || least == 0.0 || least == 1.0) {
        return Some(Identity::RowNumber);
    }
    if called == Called::Other {
        return None;
    }
    let distinct = values.iter().map(|v| (v + 0.0).to_bits());
    let distinct = distinct.collect::<HashSet<u64>>().len();
    let all = distinct == n;
    match called {
        // What is left of an index after rows were drawn or dropped.
        Called::Nothing if all && least >= 0.0 => Some(Identity::RowNumber),
        Called::Identifier if distinct as f64 >= OWN_NUMBER * n as f64 => {
            Some(Identity::Identifier)
        }
        Called::Number if all && span <= 2.0 * n as f64 => Some(Identity::Identifier),
        _ => None,
    }
}

/// Whether whole numbers that span as many values as there are rows are all different.
fn are_different(values: &[f64], least: f64) -> bool {
    let mut seen = vec![false; values.len()];
    values
        .iter()
        .all(|v| !std::mem::replace(&mut seen[(v - least) as usize], true))
}

fn of_names(categories: &Categories, called: Called) -> bool {
    let n = categories.codes.len();
    let known = categories.codes.iter().filter(|c| **c != MISSING_CODE);
    let distinct = known.copied().collect::<HashSet<u32>>();
    if (distinct.len() as f64) < OWN_NAME * n as f64 {
        return false;
    }
    // Amounts and dates that no reader understood are no names.
    let names = distinct.iter().map(|c| &categories.levels[*c as usize]);
    let measured = names.filter(|name| is_measured(name)).count();
    called == Called::Identifier || 2 * measured < distinct.len()
}

/// Whether a text is a number, amount, date or time in some spelling.
fn is_measured(text: &str) -> bool {
    /// Letters of a unit or a currency.
    const UNIT: usize = 3;
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let signs = text.chars().any(|c| ".,/:%$€£¥'<>~".contains(c));
    digits > 0 && letters <= UNIT && signs
}

/// Whether texts are codes: one word each, all different and of one pattern that has digits
/// (`C10234`, `ORD-2024-000123`), or hexadecimal of one length (hashes, UUIDs).
fn are_codes(texts: &[&str]) -> bool {
    /// Digits that a code has at least.
    const DIGITS: usize = 3;
    /// Digits of the shortest hash.
    const HASH: usize = 8;
    let distinct: HashSet<&str> = texts.iter().copied().collect();
    if distinct.len() < texts.len() || texts.iter().any(|t| t.contains(char::is_whitespace)) {
        return false;
    }
    let pattern = |text: &str| -> String {
        let sign = |c: char| match c {
            c if c.is_ascii_digit() => '9',
            c if c.is_alphabetic() => 'a',
            c => c,
        };
        text.chars().map(sign).collect()
    };
    let first = pattern(texts[0]);
    let digits = first.chars().filter(|c| *c == '9').count();
    if digits >= DIGITS && texts.iter().all(|t| pattern(t) == first) {
        return true;
    }
    let is_hex = |text: &&str| {
        text.len() == texts[0].len() && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-')
    };
    let has_digits = texts
        .iter()
        .filter(|t| t.contains(|c: char| c.is_ascii_digit()));
    texts[0].len() >= HASH && has_digits.count() * 10 >= texts.len() * 9 && texts.iter().all(is_hex)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Origin;

    fn alone(name: &str, values: Values) -> Option<Identity> {
        let rows = values.len();
        let other = Column::new("height", Values::Numeric(vec![0.5; rows]));
        let table = Table::try_new(vec![Column::new(name, values), other], Origin::default());
        let found = identities(&table.unwrap());
        found.into_iter().find(|f| f.0 == name).map(|f| f.1)
    }

    fn numbers(name: &str, value: impl Fn(usize) -> f64) -> Option<Identity> {
        alone(name, Values::Numeric((0..50).map(value).collect()))
    }

    fn names(name: &str, value: impl Fn(usize) -> String) -> Option<Identity> {
        let names: Vec<String> = (0..60).map(value).collect();
        let categories = Categories::from_names(names.iter().map(|n| Some(n.as_str())));
        alone(name, Values::Categorical(categories))
    }

    fn texts(value: impl Fn(usize) -> String) -> Option<Identity> {
        alone(
            "notes",
            Values::Text((0..60).map(|i| Some(value(i))).collect()),
        )
    }

    #[test]
    fn counters_are_row_numbers() {
        let counter = Some(Identity::RowNumber);
        assert_eq!(numbers("id", |i| i as f64), counter);
        assert_eq!(numbers("customer_id", |i| 100_000.0 + i as f64), counter);
        assert_eq!(numbers("foo", |i| 1.0 + i as f64), counter);
        assert_eq!(numbers("foo", |i| ((i * 7) % 50) as f64), counter);
        assert_eq!(numbers("", |i| 3.0 * i as f64), counter);
        assert_eq!(numbers("Unnamed: 0", |i| (i * i) as f64), counter);
        assert_eq!(numbers("column_1", |i| i as f64), counter);
    }

    #[test]
    fn measurements_are_not() {
        assert_eq!(numbers("income", |i| 20_000.5 + 31.0 * i as f64), None);
        assert_eq!(numbers("income", |i| 20_000.0 + 31.0 * i as f64), None);
        assert_eq!(numbers("year", |i| 1950.0 + i as f64), None);
        assert_eq!(numbers("time", |i| i as f64), None);
        assert_eq!(numbers("x", |i| i as f64), None);
        assert_eq!(numbers("rank", |i| 1.0 + i as f64), None);
        assert_eq!(numbers("foo", |i| 7.0 + i as f64), None);
        assert_eq!(numbers("id", |i| (i % 9) as f64), None);
        assert_eq!(numbers("citric acid", |i| 3.0 * i as f64), None);
        assert_eq!(numbers("number", |i| 31.0 * i as f64), None);
        assert_eq!(
            numbers("id", |i| if i == 3 { f64::NAN } else { i as f64 }),
            None
        );
        let few = Values::Numeric((0..19).map(f64::from).collect());
        assert_eq!(alone("id", few), None);
    }

    #[test]
    fn identifiers_by_name_may_have_gaps_and_repeat() {
        let identifier = Some(Identity::Identifier);
        assert_eq!(numbers("PassengerId", |i| 17.0 * i as f64), identifier);
        assert_eq!(numbers("user id", |i| 17.0 * i.max(3) as f64), identifier);
        assert_eq!(
            numbers("sample_no", |i| 300.0 + i as f64),
            Some(Identity::RowNumber)
        );
        assert_eq!(
            numbers("sample_no", |i| 10.0 + (i + i / 3) as f64),
            identifier
        );
    }

    #[test]
    fn names_of_rows_are_identifiers_and_amounts_are_not() {
        let identifier = Some(Identity::Identifier);
        assert_eq!(
            names("customer_id", |i| format!("C{}", 10_000 + i)),
            identifier
        );
        assert_eq!(names("animal", |i| format!("beast {i}")), identifier);
        assert_eq!(names("country", |i| format!("land {}", i / 2)), None);
        assert_eq!(names("income", |i| format!("${},{:03}.50", i, 7 * i)), None);
        assert_eq!(names("income", |i| format!("{i}.{i:03},10 EUR")), None);
        assert_eq!(
            names("signup", |i| format!("11/{}/20{}", 1 + i % 28, 10 + i)),
            None
        );
    }

    #[test]
    fn codes_are_told_from_texts_and_sequences() {
        let identifier = Some(Identity::Identifier);
        let uuid = |i: usize| format!("{:08x}-12ab-4cd0-9e8f-{:012x}", 77 * i, 991 * i);
        assert_eq!(texts(uuid), identifier);
        assert_eq!(texts(|i| format!("ORD-2024-{i:06}")), identifier);
        assert_eq!(
            texts(|i| format!("{:032x}", 0x1234_5678_9abc_u64 * (i as u64 + 1))),
            identifier
        );
        assert_eq!(texts(|i| format!("the cat number {i} sat on a mat")), None);
        let letter = |i: usize, k: usize| ['A', 'C', 'G', 'T'][(i * i * 7 + k * (i + 3)) % 4];
        assert_eq!(texts(|i| (0..60).map(|k| letter(i, k)).collect()), None);
    }

    #[test]
    fn a_table_without_names_says_nothing_of_one() {
        let column = |k: usize| {
            let values = (0..50).map(|i| (3 * i + k * i) as f64).collect();
            Column::new(format!("column_{k}"), Values::Numeric(values))
        };
        let table = Table::try_new(vec![column(1), column(2)], Origin::default()).unwrap();
        assert_eq!(identities(&table), []);
    }
}
