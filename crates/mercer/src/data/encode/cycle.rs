//! Days and circles of a point in time.

use std::f64::consts::TAU;

/// Seconds of a day.
pub(super) const DAY: f64 = 86_400.0;
/// Days of 400 years, after which the calendar repeats.
const ERA: f64 = 146_097.0;

/// Share of the day that has passed, in [0, 1).
pub(super) fn time_of_day(seconds: f64) -> f64 {
    seconds.rem_euclid(DAY) / DAY
}

/// Day of the week as a share of it: 0 for Monday, 6/7 for Sunday.
pub(super) fn weekday(seconds: f64) -> f64 {
    // 1970-01-01 was a Thursday.
    ((seconds / DAY).floor() + 3.0).rem_euclid(7.0) / 7.0
}

/// Day of the year as a share of the year's days: 0 for 1 January.
pub(super) fn day_of_year(seconds: f64) -> f64 {
    // 2000-01-01 starts an era; it is day 10957.
    let mut day = ((seconds / DAY).floor() - 10_957.0).rem_euclid(ERA) as u32;
    let mut year = 2000;
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if day < length {
            return f64::from(day) / f64::from(length);
        }
        day -= length;
        year += 1;
    }
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Sine and cosine of a share of a circle.
pub(super) fn on_circle(share: f64) -> (f64, f64) {
    (TAU * share).sin_cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> f64 {
        text.parse::<jiff::Timestamp>().unwrap().as_second() as f64
    }

    #[test]
    fn parts_of_known_dates() {
        assert_eq!(time_of_day(seconds("2024-02-29T06:00:00Z")), 0.25);
        // 2024-02-29 was a Thursday, day 60 of 366; 1969-12-31 a Wednesday, the last day.
        assert_eq!(weekday(seconds("2024-02-29T06:00:00Z")), 3.0 / 7.0);
        assert_eq!(day_of_year(seconds("2024-02-29T06:00:00Z")), 59.0 / 366.0);
        assert_eq!(weekday(seconds("1969-12-31T23:59:59Z")), 2.0 / 7.0);
        assert_eq!(day_of_year(seconds("1969-12-31T23:59:59Z")), 364.0 / 365.0);
        assert_eq!(day_of_year(seconds("1900-03-01T00:00:00Z")), 59.0 / 365.0);
        assert_eq!(day_of_year(seconds("2100-01-01T00:00:00Z")), 0.0);
    }

    #[test]
    fn any_finite_number_has_parts() {
        for huge in [1e300, -1e300, f64::MAX] {
            assert!(time_of_day(huge).is_finite());
            assert!((0.0..1.0).contains(&weekday(huge)));
            assert!((0.0..1.0).contains(&day_of_year(huge)));
        }
    }
}
