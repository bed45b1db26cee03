//! ISO 8601 dates and times.

/// Seconds of a day.
const DAY: i64 = 86_400;

/// Parses `2024-01-31`, optionally with `T12:30`, seconds, a fraction, and `Z` or an offset.
///
/// A space may stand for the `T`. The result is in seconds since 1970-01-01T00:00:00Z; a time
/// without offset is taken as UTC. A leap second counts as the second after it.
pub fn parse(text: &[u8]) -> Option<f64> {
    let mut rest = Rest(text);
    let year = rest.digits(4)?;
    rest.byte(b'-')?;
    let month = rest.digits(2)?;
    rest.byte(b'-')?;
    let day = rest.digits(2)?;
    if !(1..=12).contains(&month) || day < 1 || day > days_in_month(year, month) {
        return None;
    }
    let midnight = days_from_civil(year, month, day) * DAY;
    if rest.0.is_empty() {
        return Some(midnight as f64);
    }
    rest.byte(b'T')
        .or_else(|| rest.byte(b't'))
        .or_else(|| rest.byte(b' '))?;
    let hour = rest.digits(2)?;
    rest.byte(b':')?;
    let minute = rest.digits(2)?;
    let mut second = 0;
    let mut fraction = 0.0;
    if rest.byte(b':').is_some() {
        second = rest.digits(2)?;
        if rest.byte(b'.').or_else(|| rest.byte(b',')).is_some() {
            fraction = rest.fraction()?;
        }
    }
    let whole_day = hour == 24 && minute == 0 && second == 0 && fraction == 0.0;
    if (hour > 23 && !whole_day) || minute > 59 || second > 60 {
        return None;
    }
    let offset = rest.offset()?;
    if !rest.0.is_empty() {
        return None;
    }
    let seconds = midnight + hour * 3600 + minute * 60 + second - offset;
    Some(seconds as f64 + fraction)
}

/// What is left to read; every method takes from the front or leaves it as it is.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn byte(&mut self, byte: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }

    fn digits(&mut self, n: usize) -> Option<i64> {
        let (digits, rest) = self.0.split_at_checked(n)?;
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        self.0 = rest;
        Some(digits.iter().fold(0, |v, d| v * 10 + i64::from(d - b'0')))
    }

    fn fraction(&mut self) -> Option<f64> {
        let n = self.0.iter().take_while(|b| b.is_ascii_digit()).count();
        // Nanoseconds are the finest that occurs; a double holds less for present dates.
        if n == 0 || n > 12 {
            return None;
        }
        Some(self.digits(n)? as f64 / 10_f64.powi(n as i32))
    }

    /// `Z`, `+01`, `+0130`, `+01:30` or nothing, in seconds.
    fn offset(&mut self) -> Option<i64> {
        if self.0.is_empty() || self.byte(b'Z').or_else(|| self.byte(b'z')).is_some() {
            return Some(0);
        }
        let sign = if self.byte(b'+').is_some() {
            1
        } else {
            self.byte(b'-')?;
            -1
        };
        let hours = self.digits(2)?;
        let minutes = if self.0.is_empty() {
            0
        } else {
            let _ = self.byte(b':');
            self.digits(2)?
        };
        (hours <= 23 && minutes <= 59).then_some(sign * (hours * 3600 + minutes * 60))
    }
}

/// Days of a month.
pub(crate) fn days_in_month(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 in the proleptic Gregorian calendar.
///
/// The year starts in March, so that the leap day comes last: month `m` of that year starts on
/// day `(153 m + 2) / 5`, and year `y` on day `365 y + y/4 - y/100 + y/400`.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let shifted = (month + 9) % 12;
    let year = if month <= 2 { year - 1 } else { year };
    let years = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // 719 468 days lie between 0000-03-01 and 1970-01-01.
    years + (153 * shifted + 2) / 5 + day - 1 - 719_468
}

/// Year, month and day of a number of days from 1970-01-01.
fn date_of(days: i64) -> (i64, i64, i64) {
    // A year that is surely not too late, then walk to the right one.
    let mut year = 1969 + days.div_euclid(366).min(days.div_euclid(365));
    while days_from_civil(year + 1, 1, 1) <= days {
        year += 1;
    }
    let starts = |month: &i64| days_from_civil(year, *month, 1) <= days;
    let month = (1..=12).rev().find(starts).unwrap_or(1);
    (year, month, days - days_from_civil(year, month, 1) + 1)
}

/// Year, month, day and second of the day of seconds since 1970.
pub(crate) fn civil(seconds: f64) -> (i64, i64, i64, f64) {
    // Years 0001 to 9999, as texts of dates have.
    let seconds = seconds.clamp(-62_135_596_800.0, 253_402_300_799.0);
    let days = (seconds / DAY as f64).floor();
    let (year, month, day) = date_of(days as i64);
    (year, month, day, seconds - days * DAY as f64)
}

/// Seconds since 1970 of the beginning of a day.
pub(crate) fn from_civil(year: i64, month: i64, day: i64) -> f64 {
    (days_from_civil(year, month, day) * DAY) as f64
}

/// Writes seconds since 1970 as `2024-01-31` or `2024-01-31T12:30:00Z`; `None` out of range.
pub fn format(seconds: f64) -> Option<String> {
    // Years 0001 to 9999.
    if !(-62_135_596_800.0..253_402_300_800.0).contains(&seconds) {
        return None;
    }
    let whole = seconds.floor();
    let (days, second) = (
        (whole as i64).div_euclid(DAY),
        (whole as i64).rem_euclid(DAY),
    );
    let (year, month, day) = date_of(days);
    let date = format!("{year:04}-{month:02}-{day:02}");
    let fraction = seconds - whole;
    if second == 0 && fraction == 0.0 {
        return Some(date);
    }
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    // Shortest digits that give the same number of seconds back.
    let fraction = (1..=9)
        .map(|digits| format!("{fraction:.digits$}"))
        .find(|text| {
            text.parse()
                .is_ok_and(|f: f64| f < 1.0 && whole + f == seconds)
        })
        .filter(|_| fraction != 0.0)
        .map(|text| text[1..].to_owned())
        .unwrap_or_default();
    Some(format!(
        "{date}T{hour:02}:{minute:02}:{second:02}{fraction}Z"
    ))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Option<f64> {
        parse(text.as_bytes())
    }

    #[test]
    fn known_instants() {
        assert_eq!(at("1970-01-01"), Some(0.0));
        assert_eq!(at("2000-03-01"), Some(951_868_800.0));
        assert_eq!(at("2024-02-29T12:30:15Z"), Some(1_709_209_815.0));
        assert_eq!(at("2024-02-29 12:30:15.25"), Some(1_709_209_815.25));
        assert_eq!(at("2024-02-29T12:30+01:30"), Some(1_709_204_400.0));
        assert_eq!(at("2024-02-29T12:30-0130"), Some(1_709_215_200.0));
        assert_eq!(at("2024-02-29T24:00"), Some(1_709_251_200.0));
        assert_eq!(at("0001-01-01"), Some(-62_135_596_800.0));
    }

    #[test]
    fn other_texts_are_not_dates() {
        for text in [
            "",
            "2024",
            "2024-13-01",
            "2023-02-29",
            "2024-00-10",
            "2024-01-00",
            "24-01-01",
            "2024/01/01",
            "2024-01-01T",
            "2024-01-01T25:00",
            "2024-01-01T12",
            "2024-01-01T12:60",
            "2024-01-01x",
            "2024-01-01T12:00:00.",
            "2024-01-01T12:00+99:00",
            "2024-01-01T24:01",
            "31.01.2024",
        ] {
            assert_eq!(at(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn writing_and_reading_is_identity(seconds in -62_135_596_800_i64..253_402_300_800) {
            let text = format(seconds as f64).expect("in range");
            prop_assert_eq!(at(&text), Some(seconds as f64));
        }

        #[test]
        fn arbitrary_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..30)) {
            let _ = parse(&bytes);
        }
    }

    #[test]
    fn fractions_are_written() {
        assert_eq!(format(0.25).as_deref(), Some("1970-01-01T00:00:00.25Z"));
        assert_eq!(format(f64::NAN), None);
    }
}
