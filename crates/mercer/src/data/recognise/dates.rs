//! The one format in which the dates of a column are written.

use jiff::fmt::strtime::BrokenDownTime;

use super::odd::{Gaps, OddCells};
use super::reading::Doubt;
use crate::data::date;

/// Cells from which formats are guessed.
const SAMPLE: usize = 64;

/// A column read as dates.
pub(super) struct Found {
    pub(super) values: Vec<f64>,
    /// `None` for ISO 8601.
    pub(super) format: Option<String>,
    pub(super) odd_cells: OddCells,
    pub(super) doubt: Option<Doubt>,
}

/// Reads a date in a format of `strptime`, as seconds since 1970; a time without offset is UTC.
pub(super) fn parse(format: &str, text: &str) -> Option<f64> {
    let read = BrokenDownTime::parse(format, text.trim()).ok()?;
    let moment = if read.hour().is_some() {
        read.to_datetime().ok()?
    } else {
        read.to_date()
            .ok()?
            .to_datetime(jiff::civil::Time::midnight())
    };
    // `%Y` also takes the 24 of 31.12.24, which is another format.
    if format.contains("%Y") && moment.year() < 1000 {
        return None;
    }
    let offset = read.offset().map_or(0, jiff::tz::Offset::seconds);
    let moment = moment.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
    Some(
        moment.as_second() as f64 - f64::from(offset) + f64::from(moment.subsec_nanosecond()) / 1e9,
    )
}

/// Says what is wrong with a date format of `strptime`; `None` where dates can be read with it.
pub fn check_date_format(format: &str) -> Option<String> {
    let sample = jiff::civil::date(2024, 12, 31).at(13, 45, 59, 0);
    let zoned = match sample.to_zoned(jiff::tz::TimeZone::UTC) {
        Ok(zoned) => zoned,
        Err(error) => return Some(error.to_string()),
    };
    let written = match BrokenDownTime::from(&zoned).to_string(format) {
        Ok(written) => written,
        Err(error) => return Some(error.to_string()),
    };
    match parse(format, &written) {
        Some(_) => None,
        None => Some("it does not say year, month and day".to_owned()),
    }
}

/// Reads cells as ISO 8601 dates, all but a few.
pub(super) fn iso<'c, I>(cells: &I, gaps: Gaps<'_>, lenient: bool) -> Option<Found>
where
    I: Iterator<Item = Option<&'c [u8]>> + Clone,
{
    let (values, odd_cells) = attempt(cells, gaps, lenient, |cell| date::parse(cell.trim_ascii()))?;
    Some(Found {
        values,
        format: None,
        odd_cells,
        doubt: None,
    })
}

/// Reads cells in a format, all but a few.
pub(super) fn in_format<'c, I>(
    cells: &I,
    gaps: Gaps<'_>,
    lenient: bool,
    format: &str,
) -> Option<Found>
where
    I: Iterator<Item = Option<&'c [u8]>> + Clone,
{
    let read = |cell: &[u8]| parse(format, std::str::from_utf8(cell).ok()?);
    let (values, odd_cells) = attempt(cells, gaps, lenient, read)?;
    Some(Found {
        values,
        format: Some(format.to_owned()),
        odd_cells,
        doubt: None,
    })
}

/// Finds the national form in which all cells but a few are dates.
pub(super) fn find<'c, I>(cells: &I, gaps: Gaps<'_>, lenient: bool) -> Option<Found>
where
    I: Iterator<Item = Option<&'c [u8]>> + Clone,
{
    let mut formats: Vec<String> = Vec::new();
    let rows = cells.clone().count();
    let (mut looked, mut dates) = (0, 0);
    let step = (rows / SAMPLE).max(1);
    let sample = cells.clone().step_by(step).flatten();
    for cell in sample.filter(|cell| !gaps.has(cell)) {
        looked += 1;
        let Ok(text) = std::str::from_utf8(cell) else {
            continue;
        };
        let fitting = formats_of(text.trim());
        dates += usize::from(!fitting.is_empty());
        for format in fitting {
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
    }
    if 2 * dates < looked {
        return None;
    }
    let mut best: Option<Found> = None;
    for format in formats {
        let Some(found) = in_format(cells, gaps, lenient, &format) else {
            continue;
        };
        match &mut best {
            Some(first) if found.odd_cells.count > first.odd_cells.count => {}
            // The first of two that fit alike is kept, and the other one told.
            Some(first) if found.odd_cells.count == first.odd_cells.count => {
                let differ = |(a, b): (&f64, &f64)| a != b && !a.is_nan() && !b.is_nan();
                let mut pairs = first.values.iter().zip(&found.values);
                if let Some(row) = pairs.position(differ) {
                    let cell = cells.clone().nth(row).flatten().unwrap_or_default();
                    first.doubt = Some(Doubt::DayOrMonth {
                        example: String::from_utf8_lossy(cell).into_owned(),
                        taken: first.format.clone().unwrap_or_default(),
                        other: format,
                    });
                }
            }
            _ => best = Some(found),
        }
    }
    best
}

fn attempt<'c, I>(
    cells: &I,
    gaps: Gaps<'_>,
    lenient: bool,
    read: impl Fn(&[u8]) -> Option<f64>,
) -> Option<(Vec<f64>, OddCells)>
where
    I: Iterator<Item = Option<&'c [u8]>> + Clone,
{
    let rows = cells.clone().count();
    let mut values = Vec::with_capacity(rows);
    let mut odd_cells = OddCells::default();
    let mut known = 0;
    for (row, cell) in cells.clone().enumerate() {
        let value = cell.and_then(&read);
        values.push(value.unwrap_or(f64::NAN));
        match (cell, value) {
            (_, Some(_)) => known += 1,
            (Some(cell), None)
                if !gaps.has(cell) && (!lenient || !odd_cells.take(row, cell, rows)) =>
            {
                return None;
            }
            _ => {}
        }
    }
    (known > 0 && odd_cells.are_few(known)).then_some((values, odd_cells))
}

/// The formats in which a text may be a date: two where day and month cannot be told apart.
fn formats_of(text: &str) -> Vec<String> {
    let (day, time) = split_time(text);
    let Some(time) = time_format(time) else {
        return Vec::new();
    };
    let days: Vec<&str> = match fields(day)[..] {
        [
            Part::Digits(4),
            Part::Sign(a),
            Part::Digits(1..=2),
            Part::Sign(b),
            Part::Digits(1..=2),
        ] if a == b => match a {
            '/' => vec!["%Y/%m/%d"],
            '.' => vec!["%Y.%m.%d"],
            _ => Vec::new(),
        },
        [
            Part::Digits(1..=2),
            Part::Sign(a),
            Part::Digits(1..=2),
            Part::Sign(b),
            Part::Digits(4),
        ] if a == b => match a {
            '/' => vec!["%m/%d/%Y", "%d/%m/%Y"],
            '.' => vec!["%d.%m.%Y"],
            '-' => vec!["%d-%m-%Y", "%m-%d-%Y"],
            _ => Vec::new(),
        },
        // Version numbers are written with fewer digits.
        [
            Part::Digits(2),
            Part::Sign(a),
            Part::Digits(2),
            Part::Sign(b),
            Part::Digits(2),
        ] if a == b => match a {
            '/' => vec!["%m/%d/%y", "%d/%m/%y"],
            '.' => vec!["%d.%m.%y"],
            _ => Vec::new(),
        },
        [
            Part::Digits(1..=2),
            Part::Sign(a @ ('-' | ' ' | '/')),
            Part::Month(long),
            Part::Sign(b),
            Part::Digits(4),
        ] if a == b => match (a, long) {
            ('-', false) => vec!["%d-%b-%Y"],
            ('-', true) => vec!["%d-%B-%Y"],
            ('/', false) => vec!["%d/%b/%Y"],
            (' ', false) => vec!["%d %b %Y"],
            (' ', true) => vec!["%d %B %Y"],
            _ => Vec::new(),
        },
        [
            Part::Digits(1..=2),
            Part::Sign('-'),
            Part::Month(false),
            Part::Sign('-'),
            Part::Digits(2),
        ] => {
            vec!["%d-%b-%y"]
        }
        [
            Part::Month(long),
            Part::Sign(' '),
            Part::Digits(1..=2),
            Part::Sign(','),
            Part::Digits(4),
        ] => {
            vec![if long { "%B %d, %Y" } else { "%b %d, %Y" }]
        }
        [
            Part::Month(long),
            Part::Sign(' '),
            Part::Digits(1..=2),
            Part::Sign(' '),
            Part::Digits(4),
        ] => {
            vec![if long { "%B %d %Y" } else { "%b %d %Y" }]
        }
        _ => Vec::new(),
    };
    let formats = days.into_iter().map(|day| format!("{day}{time}"));
    formats
        .filter(|format| parse(format, text).is_some())
        .collect()
}

/// Cuts the time of day off; it starts with an hour before the first colon.
fn split_time(text: &str) -> (&str, &str) {
    let Some(colon) = text.find(':') else {
        return (text, "");
    };
    match text[..colon].rfind([' ', 'T', 't']) {
        Some(cut) => text.split_at(cut),
        None => (text, ""),
    }
}

/// The format of a time of day with what stands before it; `None` for something else.
fn time_format(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        return Some("");
    }
    let half = text.trim_end().to_ascii_lowercase();
    let half = half.ends_with("am") || half.ends_with("pm");
    let seconds = text.matches(':').count() == 2;
    let fraction = seconds && text.rfind(':').is_some_and(|at| text[at..].contains('.'));
    let letter = text.starts_with(['T', 't']);
    Some(match (letter, half, seconds, fraction) {
        (false, false, false, _) => " %H:%M",
        (false, false, true, false) => " %H:%M:%S",
        (false, false, true, true) => " %H:%M:%S%.f",
        (false, true, false, _) => " %I:%M %p",
        (false, true, true, _) => " %I:%M:%S %p",
        (true, false, false, _) => "T%H:%M",
        (true, false, true, false) => "T%H:%M:%S",
        (true, false, true, true) => "T%H:%M:%S%.f",
        (true, true, ..) => return None,
    })
}

/// A piece of a date.
#[derive(Clone, Copy)]
enum Part {
    Digits(usize),
    /// A month by name; whether the name is whole.
    Month(bool),
    Sign(char),
}

/// The pieces of a date; empty for what is none.
fn fields(text: &str) -> Vec<Part> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let same = |n: fn(&char) -> bool| rest.chars().take_while(n).map(char::len_utf8).sum();
        let length: usize = if c.is_ascii_digit() {
            same(char::is_ascii_digit)
        } else if c.is_ascii_alphabetic() {
            same(char::is_ascii_alphabetic)
        } else {
            c.len_utf8()
        };
        let (part, after) = rest.split_at(length);
        rest = after;
        parts.push(if c.is_ascii_digit() {
            Part::Digits(length)
        } else if c.is_ascii_alphabetic() {
            let name = part.to_ascii_lowercase();
            let Some(month) = MONTHS.iter().find(|m| **m == name || m[..3] == *name) else {
                return Vec::new();
            };
            Part::Month(month.len() > 3 && **month == name)
        } else {
            // A comma has its space with it.
            rest = if c == ',' { rest.trim_start() } else { rest };
            Part::Sign(c)
        });
        if parts.len() > 5 {
            return Vec::new();
        }
    }
    parts
}

/// Turns a date pattern of Java, as ARFF files declare them, into one of `strptime`; `None` where
/// it has parts that dates do not have there.
pub fn date_format_of_java(pattern: &str) -> Option<String> {
    let mut format = String::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\'' {
            // Quotes surround letters that stand for themselves.
            for literal in chars.by_ref().take_while(|c| *c != '\'') {
                format.push(literal);
            }
            continue;
        }
        if !c.is_ascii_alphabetic() || c == 'T' {
            format.push_str(if c == '%' { "%%" } else { "" });
            if c != '%' {
                format.push(c);
            }
            continue;
        }
        let mut count = 1;
        while chars.next_if_eq(&c).is_some() {
            count += 1;
        }
        if c == 'S' {
            // Digits after the point of the seconds, which `%.f` has with it.
            if !format.ends_with("%S.") {
                return None;
            }
            format.pop();
            format.push_str("%.f");
            continue;
        }
        format.push_str(match (c, count) {
            ('y' | 'u', 2) => "%y",
            ('y' | 'u', _) => "%Y",
            ('M' | 'L', 1 | 2) => "%m",
            ('M' | 'L', 3) => "%b",
            ('M' | 'L', _) => "%B",
            ('d', _) => "%d",
            ('H', _) => "%H",
            ('h', _) => "%I",
            ('m', _) => "%M",
            ('s', _) => "%S",
            ('a', _) => "%p",
            ('E', 1..=3) => "%a",
            ('E', _) => "%A",
            ('Z', _) => "%z",
            ('X', _) => "%:z",
            _ => return None,
        });
    }
    check_date_format(&format).is_none().then_some(format)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_apart() {
        for (text, expected) in [
            ("11/26/2023", &["%m/%d/%Y"][..]),
            ("26/11/2023", &["%d/%m/%Y"]),
            ("1/2/2023", &["%m/%d/%Y", "%d/%m/%Y"]),
            ("26.11.2023", &["%d.%m.%Y"]),
            ("26.11.23", &["%d.%m.%y"]),
            ("2023/11/26", &["%Y/%m/%d"]),
            ("26-Nov-2023", &["%d-%b-%Y"]),
            ("Nov 26, 2023", &["%b %d, %Y"]),
            ("26 November 2023", &["%d %B %Y"]),
            ("26.11.2023 14:05", &["%d.%m.%Y %H:%M"]),
            ("11/26/2023 2:05:10 PM", &["%m/%d/%Y %I:%M:%S %p"]),
        ] {
            assert_eq!(formats_of(text), expected, "{text}");
        }
        for text in [
            "",
            "1.2.3",
            "12",
            "31/31/2023",
            "30.02.2023",
            "10.0.12.1",
            "Foo 1, 2023",
            "1/2",
            "12:30",
            "26-11-23",
            "12/345/6789",
            "2023-11-26x",
        ] {
            assert!(formats_of(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn moments() {
        assert_eq!(parse("%d.%m.%Y", "26.11.2023"), Some(1_700_956_800.0));
        assert_eq!(
            parse("%m/%d/%Y %I:%M %p", "11/26/2023 2:30 PM"),
            Some(1_700_956_800.0 + 14.5 * 3600.0)
        );
        assert_eq!(
            parse("%d.%m.%Y %H:%M %z", "26.11.2023 02:00 +0200"),
            Some(1_700_956_800.0)
        );
        assert_eq!(parse("%d.%m.%Y", "26.11.23"), None);
        assert_eq!(parse("%d.%m.%Y", "31.02.2023"), None);
    }

    #[test]
    fn patterns_of_java() {
        for (pattern, format) in [
            ("dd/MM/yyyy", "%d/%m/%Y"),
            ("dd.MM.yyyy HH:mm", "%d.%m.%Y %H:%M"),
            ("yyyy-MM-dd'T'HH:mm:ss", "%Y-%m-%dT%H:%M:%S"),
            ("yyyy-MM-dd HH:mm:ss.SSS", "%Y-%m-%d %H:%M:%S%.f"),
            ("dd-MMM-yy", "%d-%b-%y"),
        ] {
            assert_eq!(date_format_of_java(pattern).as_deref(), Some(format));
        }
        assert_eq!(date_format_of_java("QQ/yyyy"), None);
        assert_eq!(date_format_of_java("HH:mm"), None);
    }

    #[test]
    fn formats_are_checked() {
        assert_eq!(check_date_format("%d/%m/%Y"), None);
        assert_eq!(check_date_format("%Y-%m-%d %H:%M"), None);
        assert!(check_date_format("%d/%m").is_some());
        assert!(check_date_format("%!").is_some());
        assert!(check_date_format("dd/mm/yyyy").is_some());
    }
}
