//! Days and circles of points in time.

use std::f64::consts::TAU;

use super::graph::{Builder, Wire};

/// Seconds of a day.
const DAY: f64 = 86_400.0;
/// Days of 400 years, after which the calendar repeats.
const ERA: f64 = 146_097.0;
/// 2000-01-01, which starts an era, in days since 1970.
const ERA_START: f64 = 10_957.0;

/// Returns days since 1970, with their fractions.
pub(super) fn days(graph: &mut Builder, seconds: &Wire) -> Wire {
    let day = graph.number(DAY);
    graph.step("Div", [seconds, &day])
}

/// Returns the whole days since 1970.
fn whole_days(graph: &mut Builder, seconds: &Wire) -> Wire {
    let days = days(graph, seconds);
    graph.step("Floor", [&days])
}

/// Returns value − period·⌊value/period⌋.
fn remainder(graph: &mut Builder, value: &Wire, period: f64) -> Wire {
    let period = graph.number(period);
    let turns = graph.step("Div", [value, &period]);
    let whole = graph.step("Floor", [&turns]);
    let taken = graph.step("Mul", [&whole, &period]);
    graph.step("Sub", [value, &taken])
}

/// Returns the share of the day that has passed.
pub(super) fn time_of_day(graph: &mut Builder, seconds: &Wire) -> Wire {
    let passed = remainder(graph, seconds, DAY);
    let day = graph.number(DAY);
    graph.step("Div", [&passed, &day])
}

/// Returns the day of the week as a share of it, from Monday.
pub(super) fn weekday(graph: &mut Builder, seconds: &Wire) -> Wire {
    let days = whole_days(graph, seconds);
    // 1970-01-01 was a Thursday.
    let three = graph.number(3.0);
    let shifted = graph.step("Add", [&days, &three]);
    let day = remainder(graph, &shifted, 7.0);
    let seven = graph.number(7.0);
    graph.step("Div", [&day, &seven])
}

/// Returns the day of the year as a share of the year's days.
///
/// The first days of the 400 years of an era are a constant; the year is the last that
/// starts no later than the day.
pub(super) fn day_of_year(graph: &mut Builder, seconds: &Wire) -> Wire {
    let days = whole_days(graph, seconds);
    let start = graph.number(ERA_START);
    let since = graph.step("Sub", [&days, &start]);
    let day = remainder(graph, &since, ERA);
    let starts = graph.row(year_starts());
    let begun = graph.step("GreaterOrEqual", [&day, &starts]);
    let (zero, end) = (graph.number(0.0), graph.number(ERA));
    let first = graph.step("Where", [&begun, &starts, &zero]);
    let first = graph.reduce("ReduceMax", &first, 1, true);
    let next = graph.step("Where", [&begun, &end, &starts]);
    let next = graph.reduce("ReduceMin", &next, 1, true);
    let (passed, length) = (
        graph.step("Sub", [&day, &first]),
        graph.step("Sub", [&next, &first]),
    );
    graph.step("Div", [&passed, &length])
}

fn year_starts() -> Vec<f64> {
    let mut start = 0.0;
    (2000_u32..2400)
        .map(|year| {
            let leap =
                year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
            let this = start;
            start += if leap { 366.0 } else { 365.0 };
            this
        })
        .collect()
}

/// Returns sine and cosine of a share of a circle, both 0 where the date is missing.
pub(super) fn on_circle(
    graph: &mut Builder,
    share: &Wire,
    missing: &Wire,
    instead: f64,
) -> [Wire; 2] {
    let turn = graph.number(TAU);
    let angle = graph.step("Mul", [share, &turn]);
    let instead = graph.number(instead);
    ["Sin", "Cos"].map(|function| {
        let value = graph.step(function, [&angle]);
        graph.step("Where", [missing, &instead, &value])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_hundred_years_are_an_era() {
        let starts = year_starts();
        // 2001, 2004 and 2005; 2100 is no leap year.
        assert_eq!((starts[1], starts[4], starts[5]), (366.0, 1461.0, 1827.0));
        assert_eq!(starts[101] - starts[100], 365.0);
        assert_eq!(starts[399] + 365.0, ERA);
    }
}
