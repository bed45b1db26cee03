//! The distance of the times of a series.

use serde::{Deserialize, Serialize};

use crate::data::date::{civil, from_civil};
use crate::data::number_text;

const DAY: f64 = 86_400.0;
/// Distances that differ by less than this share of one are the same.
const SAME: f64 = 1e-6;

/// The distance of one time to the next.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// So many seconds, or so much of a number.
    Step(f64),
    /// So many months of the calendar; twelve are a year.
    Months(u32),
    /// One day, Saturdays and Sundays left out.
    Weekdays,
}

/// What ascending times are like.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    /// Their distance; `None` where they have no one.
    pub(super) period: Option<Period>,
    /// Periods that are missing before a time, by its number.
    pub(super) gaps: Vec<(usize, u64)>,
}

/// Recognises the distance of ascending times.
pub(super) fn recognise(times: &[f64], are_dates: bool) -> Found {
    let periods = if are_dates {
        let step = usual(times);
        vec![months(times), weekdays(times), step]
    } else {
        vec![usual(times)]
    };
    for period in periods.into_iter().flatten() {
        let steps: Option<Vec<u64>> = times
            .windows(2)
            .map(|pair| period.steps(pair[0], pair[1]))
            .collect();
        let Some(steps) = steps else {
            continue;
        };
        let gaps = steps.iter().enumerate().filter(|(_, steps)| **steps > 1);
        return Found {
            period: Some(period),
            gaps: gaps.map(|(i, steps)| (i + 1, steps - 1)).collect(),
        };
    }
    Found {
        period: None,
        gaps: Vec::new(),
    }
}

/// The distance that most neighbours have.
fn usual(times: &[f64]) -> Option<Period> {
    let mut all: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    all.sort_by(f64::total_cmp);
    let mut best = (0, f64::NAN);
    let mut start = 0;
    for end in 0..all.len() {
        while all[end] - all[start] > SAME * all[end] {
            start += 1;
        }
        let count = end - start + 1;
        if count > best.0 {
            best = (count, all[start + count / 2]);
        }
    }
    (2 * best.0 > all.len() && best.1 > 0.0).then_some(Period::Step(best.1))
}

/// Whole months, where all times stand on one day of the month, or on the last one.
fn months(times: &[f64]) -> Option<Period> {
    let dates: Vec<(i64, i64, i64, f64)> = times.iter().map(|t| civil(*t)).collect();
    let (_, _, day, second) = *dates.first()?;
    let is_last = |(i, date): (usize, &(i64, i64, i64, f64))| civil(times[i] + DAY).1 != date.1;
    let on_one_day = dates.iter().all(|d| d.2 == day && d.3 == second);
    let on_last = dates.iter().enumerate().all(is_last) && dates.iter().all(|d| d.3 == second);
    if !on_one_day && !on_last {
        return None;
    }
    let count = |d: &(i64, i64, i64, f64)| 12 * d.0 + d.1;
    let mut all: Vec<i64> = dates
        .windows(2)
        .map(|p| count(&p[1]) - count(&p[0]))
        .collect();
    all.sort_unstable();
    let middle = *all.get(all.len() / 2)?;
    u32::try_from(middle)
        .ok()
        .filter(|m| *m > 0)
        .map(Period::Months)
}

/// Days without Saturdays and Sundays.
fn weekdays(times: &[f64]) -> Option<Period> {
    let is_weekday = |t: &f64| weekday(*t) < 5;
    let day = usual(times) == Some(Period::Step(DAY));
    let over_weekend = times.windows(2).any(|p| p[1] - p[0] == 3.0 * DAY);
    (day && over_weekend && times.iter().all(is_weekday)).then_some(Period::Weekdays)
}

/// 0 is a Monday.
fn weekday(seconds: f64) -> i64 {
    ((seconds / DAY).floor() as i64 + 3).rem_euclid(7)
}

impl Period {
    /// Returns how many periods lie between two times; `None` where it is no whole number above 0.
    pub fn steps(self, from: f64, to: f64) -> Option<u64> {
        match self {
            Self::Step(step) => {
                let steps = (to - from) / step;
                let whole = steps.round();
                (whole >= 1.0 && (steps - whole).abs() <= SAME * whole.max(1.0) * 10.0)
                    .then_some(whole as u64)
            }
            Self::Months(months) => {
                let (a, b) = (civil(from), civil(to));
                let apart = 12 * (b.0 - a.0) + b.1 - a.1;
                let months = i64::from(months);
                (apart > 0 && apart % months == 0).then_some((apart / months) as u64)
            }
            Self::Weekdays => {
                let days = (to - from) / DAY;
                if days < 1.0 || days.fract() != 0.0 {
                    return None;
                }
                // Whole weeks have five of them.
                let days = days as i64;
                let rest = (1..=days % 7).filter(|d| (weekday(from) + d) % 7 < 5);
                Some((5 * (days / 7)) as u64 + rest.count() as u64)
            }
        }
    }

    /// Returns the time so many periods later.
    pub fn after(self, time: f64, steps: u64) -> f64 {
        match self {
            Self::Step(step) => time + step * steps as f64,
            Self::Months(months) => {
                let (year, month, day, second) = civil(time);
                let was_last = civil(time + DAY).1 != month;
                let count = 12 * year + month - 1 + i64::from(months) * steps as i64;
                let (year, month) = (count.div_euclid(12), count.rem_euclid(12) + 1);
                // The last day stays the last, whatever the month's length.
                let days = crate::data::date::days_in_month(year, month);
                let day = if was_last { days } else { day.min(days) };
                from_civil(year, month, day) + second
            }
            Self::Weekdays => {
                let mut time = time;
                for _ in 0..steps {
                    time += DAY;
                    while weekday(time) >= 5 {
                        time += DAY;
                    }
                }
                time
            }
        }
    }

    /// Returns the period in words.
    pub fn words(self, are_dates: bool) -> String {
        let counted = |count: f64, unit: &str| {
            if count == 1.0 {
                format!("1 {unit}")
            } else {
                format!("{} {unit}s", number_text(count))
            }
        };
        match self {
            Self::Months(months) if months % 12 == 0 => counted(f64::from(months / 12), "year"),
            Self::Months(3) => "1 quarter".to_owned(),
            Self::Months(months) => counted(f64::from(months), "month"),
            Self::Weekdays => "1 weekday".to_owned(),
            Self::Step(step) if !are_dates => number_text(step),
            Self::Step(step) => {
                let units = [
                    (7.0 * DAY, "week"),
                    (DAY, "day"),
                    (3600.0, "hour"),
                    (60.0, "minute"),
                ];
                let whole = |(size, _): &&(f64, &str)| (step / size).fract() == 0.0;
                match units.iter().find(whole) {
                    Some((size, unit)) => counted(step / size, unit),
                    None => counted(step, "second"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::date::{format, parse};

    fn dates(texts: &[&str]) -> Vec<f64> {
        let read = texts.iter().map(|text| parse(text.as_bytes()));
        read.map(|time| time.expect("a date")).collect()
    }

    fn found(texts: &[&str]) -> (String, Vec<(usize, u64)>) {
        let found = recognise(&dates(texts), true);
        let words = found.period.map_or(String::new(), |p| p.words(true));
        (words, found.gaps)
    }

    #[test]
    fn periods_are_recognised() {
        let words = |texts: &[&str]| found(texts).0;
        assert_eq!(words(&["2020-01-01", "2020-01-02", "2020-01-03"]), "1 day");
        assert_eq!(
            words(&["2020-01-31", "2020-02-29", "2020-03-31"]),
            "1 month"
        );
        assert_eq!(
            words(&["2019-11-15", "2019-12-15", "2020-01-15"]),
            "1 month"
        );
        assert_eq!(
            words(&["2020-01-01", "2020-04-01", "2020-07-01"]),
            "1 quarter"
        );
        assert_eq!(words(&["2018-01-01", "2019-01-01", "2020-01-01"]), "1 year");
        assert_eq!(words(&["2020-01-06", "2020-01-13", "2020-01-20"]), "1 week");
        let days = [
            "2020-01-02",
            "2020-01-03",
            "2020-01-06",
            "2020-01-07",
            "2020-01-08",
        ];
        assert_eq!(found(&days), ("1 weekday".to_owned(), vec![]));
        let quarters = ["2020-01-01T00:00", "2020-01-01T00:15", "2020-01-01T00:30"];
        assert_eq!(words(&quarters), "15 minutes");
    }

    #[test]
    fn gaps_are_counted_and_uneven_times_have_no_period() {
        let days = [
            "2020-01-01",
            "2020-01-02",
            "2020-01-05",
            "2020-01-06",
            "2020-01-07",
        ];
        assert_eq!(found(&days), ("1 day".to_owned(), vec![(2, 2)]));
        let uneven = recognise(&[0.0, 1.0, 2.0, 3.5, 4.5], false);
        assert_eq!((uneven.period, uneven.gaps), (None, vec![]));
        let numbers = recognise(&[0.1, 0.2, 0.3, 0.6], false);
        assert_eq!(numbers.gaps, [(3, 2)]);
        assert_eq!(recognise(&[1.0], false).period, None);
    }

    #[test]
    fn later_times_follow() {
        let after = |text: &str, period: Period, steps: u64| {
            format(period.after(dates(&[text])[0], steps)).expect("a date")
        };
        assert_eq!(after("2020-01-31", Period::Months(1), 1), "2020-02-29");
        assert_eq!(after("2020-02-29", Period::Months(1), 1), "2020-03-31");
        assert_eq!(after("2019-12-15", Period::Months(3), 2), "2020-06-15");
        assert_eq!(after("2020-01-03", Period::Weekdays, 1), "2020-01-06");
        assert_eq!(after("2020-01-03", Period::Weekdays, 6), "2020-01-13");
        assert_eq!(Period::Step(0.5).after(1.0, 3), 2.5);
        let friday = dates(&["2020-01-03", "2020-01-13"]);
        assert_eq!(Period::Weekdays.steps(friday[0], friday[1]), Some(6));
    }
}
