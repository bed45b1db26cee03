//! The one format in which the numbers of a column are written.

use super::affix::{is_currency, is_percent, is_unit};
use super::format::{Decimal, NumberFormat};
use super::odd::{Gaps, OddCells};
use super::reading::Doubt;
use crate::data::number;

/// Cells looked at before a column is searched for numbers.
const SAMPLE: usize = 64;

/// Decimal signs and separators that go together.
const STYLES: [(Decimal, char); 6] = [
    (Decimal::Point, ','),
    (Decimal::Comma, '.'),
    (Decimal::Point, ' '),
    (Decimal::Comma, ' '),
    (Decimal::Point, '\''),
    (Decimal::Comma, '\''),
];

/// What is known of a column beforehand.
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    pub(super) gaps: Gaps<'a>,
    /// The decimal sign, as the user says.
    pub(super) decimal: Option<Decimal>,
    /// Whether a decimal comma is likelier than separated thousands.
    pub(super) comma: bool,
    /// Whether a few cells may be odd.
    pub(super) lenient: bool,
}

/// A column read as numbers.
pub(super) struct Found {
    pub(super) values: Vec<f64>,
    /// `None` for numbers as programs write them.
    pub(super) format: Option<NumberFormat>,
    pub(super) grouped: bool,
    pub(super) odd_cells: OddCells,
    pub(super) doubt: Option<Doubt>,
}

/// Finds the format in which all cells but a few are numbers.
pub(super) fn find<'c, I>(cells: &I, told: Told<'_>) -> Option<Found>
where
    I: Iterator<Item = Option<&'c [u8]>> + Clone,
{
    let rows = cells.clone().count();
    let (prefix, suffix) = affixes(cells, rows, told.gaps)?;
    let mut found: Vec<(NumberFormat, Tried)> = Vec::new();
    for (decimal, group) in STYLES {
        if told.decimal.is_some_and(|d| d != decimal) {
            continue;
        }
        let format = NumberFormat {
            decimal,
            group,
            prefix: prefix.clone(),
            suffix: suffix.clone(),
        };
        if let Some(tried) = attempt(cells, rows, &format, told) {
            found.push((format, tried));
        }
    }
    let fewest = found.iter().map(|(_, t)| t.odd_cells.count).min()?;
    found.retain(|(_, tried)| tried.odd_cells.count == fewest);
    let (chosen, doubt) = choose(&found, told, cells);
    let (format, tried) = found.swap_remove(chosen);
    if tried.odd_cells.count > 0 && tried.odd_cells.are_codes(&tried.values) {
        return None;
    }
    let is_plain = tried.plain && told.decimal != Some(Decimal::Comma);
    Some(Found {
        values: tried.values,
        format: (!is_plain).then_some(format),
        grouped: tried.grouped,
        odd_cells: tried.odd_cells,
        doubt,
    })
}

/// Chooses among formats that read as many cells; a doubt where values differ.
fn choose<'c, I>(
    found: &[(NumberFormat, Tried)],
    told: Told<'_>,
    cells: &I,
) -> (usize, Option<Doubt>)
where
    I: Iterator<Item = Option<&'c [u8]>> + Clone,
{
    let same = |a: &Tried, b: &Tried| {
        let mut pairs = a.values.iter().zip(&b.values);
        pairs.all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()))
    };
    let first = &found[0];
    let Some(other) = found.iter().position(|(_, t)| !same(&first.1, t)) else {
        return (0, None);
    };
    // Numbers as programs write them are taken as such: 1.234 is below 2.
    if first.1.plain {
        return (0, None);
    }
    // The first format has commas between thousands or, where no cell has a comma, decimal points.
    // Amounts have two decimals if any; shares and measures may have three.
    let amounts = is_currency(&first.0.prefix) || is_currency(&first.0.suffix);
    let chosen = match first.1.grouped {
        true if told.comma || is_percent(&first.0.suffix) => other,
        false if amounts => other,
        _ => 0,
    };
    let rest = if chosen == 0 { other } else { 0 };
    let differs = |row: usize| found[0].1.values[row] != found[other].1.values[row];
    let example = cells
        .clone()
        .enumerate()
        .find(|(row, cell)| cell.is_some() && differs(*row));
    let doubt = example.map(|(row, cell)| Doubt::Decimal {
        example: String::from_utf8_lossy(cell.unwrap_or_default()).into_owned(),
        taken: found[chosen].1.values[row],
        other: found[rest].1.values[row],
        decimal: found[rest].0.decimal,
    });
    (chosen, doubt)
}

/// A column read in one format.
struct Tried {
    values: Vec<f64>,
    odd_cells: OddCells,
    /// Whether all numbers are as programs write them.
    plain: bool,
    grouped: bool,
}

fn attempt<'c, I>(cells: &I, rows: usize, format: &NumberFormat, told: Told<'_>) -> Option<Tried>
where
    I: Iterator<Item = Option<&'c [u8]>> + Clone,
{
    let mut tried = Tried {
        values: Vec::with_capacity(rows),
        odd_cells: OddCells::default(),
        plain: true,
        grouped: false,
    };
    let (mut known, mut enclosed) = (0_usize, 0_usize);
    for (row, cell) in cells.clone().enumerate() {
        let Some(cell) = cell else {
            tried.values.push(f64::NAN);
            continue;
        };
        let text = std::str::from_utf8(cell).ok();
        let read = text.and_then(|text| format.read(text));
        let Some(written) = read.filter(|w| w.value.is_finite()) else {
            tried.values.push(f64::NAN);
            if told.gaps.has(cell) {
                continue;
            }
            if !told.lenient || !tried.odd_cells.take(row, cell, rows) {
                return None;
            }
            continue;
        };
        known += 1;
        enclosed += usize::from(written.enclosed);
        tried.grouped |= written.grouped;
        tried.plain &= number::parse(cell.trim_ascii()).is_some();
        tried.values.push(written.value);
    }
    // Parentheses around all numbers are decoration of another kind.
    let sound = known > 0 && enclosed < known && tried.odd_cells.are_few(known);
    sound.then_some(tried)
}

/// The prefix and suffix of the numbers in a sample; `None` where most cells are no numbers.
fn affixes<'c, I>(cells: &I, rows: usize, gaps: Gaps<'_>) -> Option<(String, String)>
where
    I: Iterator<Item = Option<&'c [u8]>> + Clone,
{
    let step = (rows / SAMPLE).max(1);
    let mut seen: Vec<((&str, &str), usize)> = Vec::new();
    let (mut looked, mut numbers) = (0, 0);
    let sample = cells.clone().step_by(step).flatten();
    for cell in sample.filter(|cell| !gaps.has(cell)) {
        looked += 1;
        let Some(pair) = std::str::from_utf8(cell).ok().and_then(around) else {
            continue;
        };
        numbers += 1;
        match seen.iter_mut().find(|(known, _)| *known == pair) {
            Some((_, count)) => *count += 1,
            None => seen.push((pair, 1)),
        }
    }
    if 2 * numbers < looked {
        return None;
    }
    let marked = seen.iter().filter(|(pair, _)| *pair != ("", ""));
    let common = marked.max_by_key(|(_, count)| *count);
    match common {
        // Marks that some numbers lack are none, unless they are currencies.
        Some((pair, count))
            if 2 * count > numbers || is_currency(pair.0) || is_currency(pair.1) =>
        {
            Some((pair.0.to_owned(), pair.1.to_owned()))
        }
        _ => Some(Default::default()),
    }
}

/// What stands before and after the digits of a cell, where that may be a number.
fn around(text: &str) -> Option<(&str, &str)> {
    let is_digit = |c: char| c.is_ascii_digit();
    let text = text.trim();
    let start = text.find(is_digit)?;
    let end = text.rfind(is_digit)? + 1;
    let inner = &text[start..end];
    let allowed = |c: char| {
        c.is_ascii_digit()
            || c.is_whitespace()
            || matches!(c, '.' | ',' | '\'' | '\u{2019}' | 'e' | 'E' | '-' | '+')
    };
    if !inner.chars().all(allowed) {
        return None;
    }
    let trim = |c: char| c.is_whitespace() || matches!(c, '-' | '+' | '\u{2212}' | '(' | ')');
    let before = text[..start].trim_matches(trim);
    // A decimal sign may come first or last: .5 and 5.
    let before = before.strip_suffix(['.', ',']).unwrap_or(before);
    let after = text[end..].trim_matches(trim);
    let after = after.strip_prefix(['.', ',']).unwrap_or(after).trim();
    let fits = (before.is_empty() || is_currency(before))
        && (after.is_empty() || is_currency(after) || is_percent(after) || is_unit(after));
    fits.then_some((before, after))
}
