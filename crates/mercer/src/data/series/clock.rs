//! The column of times: rows in its order, and what is odd about it.

use serde::{Deserialize, Serialize};

use super::Period;
use super::period::Found;
use crate::data::{Table, Values, number_text};
use crate::fit::Note;
use crate::{Error, Result};

/// The column of times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// Its name.
    pub column: String,
    /// Whether it has dates; otherwise numbers.
    pub is_date: bool,
    /// The distance of one time to the next; `None` where they are not evenly spaced.
    pub period: Option<Period>,
}

impl Clock {
    /// Returns a time as it is written.
    pub fn text(&self, time: f64) -> String {
        let date = self
            .is_date
            .then(|| crate::data::date::format(time))
            .flatten();
        date.unwrap_or_else(|| number_text(time))
    }

    /// Tells of gaps, and of times without a period.
    pub(super) fn told_of_gaps(
        &self,
        table: &Table,
        order: &[usize],
        times: &[f64],
        found: &Found,
    ) -> Option<Note> {
        let Some(period) = found.period else {
            return (times.len() > 2).then(|| {
                Note::Alert(format!(
                    "the times of `{}` are not evenly spaced: lags count rows",
                    self.column
                ))
            });
        };
        let (row, missing) = found.gaps.first()?;
        let words = period.words(self.is_date);
        let all: u64 = found.gaps.iter().map(|(_, missing)| missing).sum();
        let text = self.text(times[*row]);
        if period == Period::Weekdays {
            return Some(Note::Choice(format!(
                "`{}` has weekdays; {all} are missing, which is no gap, the first before {text} ({})",
                self.column,
                table.place(order[*row])
            )));
        }
        let more = match found.gaps.len() {
            1 => String::new(),
            gaps => format!(" ({all} in {gaps} gaps in all)"),
        };
        let verb = if *missing == 1 { "is" } else { "are" };
        Some(Note::Alert(format!(
            "{}: {missing} of `{}` {verb} missing before {text}, one every {words}{more}; no window reaches over a gap",
            table.place(order[*row]),
            self.column
        )))
    }
}

/// The rows in the order of time, with their times.
pub(super) fn sorted(table: &Table, clock: &Clock) -> Result<(Vec<usize>, Vec<f64>)> {
    let column = table.column(&clock.column)?;
    let times = match &column.values {
        Values::Date(times) if clock.is_date => times,
        Values::Numeric(times) if !clock.is_date => times,
        _ => {
            return Err(Error::ColumnKind {
                column: clock.column.clone(),
                found: column.kind().name().to_owned(),
                expected: if clock.is_date { "date" } else { "numeric" }.to_owned(),
            });
        }
    };
    let refused = |row: usize, problem: String, cure: &str| Error::Cell {
        place: table.place(row),
        column: clock.column.clone(),
        problem,
        cure: cure.into(),
    };
    if let Some(row) = times.iter().position(|t| !t.is_finite()) {
        let problem = "the time is missing or not finite".to_owned();
        return Err(refused(row, problem, "give every row its time"));
    }
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|&a, &b| times[a].total_cmp(&times[b]).then(a.cmp(&b)));
    if let Some(pair) = order.windows(2).find(|p| times[p[0]] == times[p[1]]) {
        let text = clock.text(times[pair[0]]);
        return Err(refused(
            pair[1],
            format!(
                "the time {text} was there before ({})",
                table.place(pair[0])
            ),
            "give every time once; several series are a file each",
        ));
    }
    let times = order.iter().map(|&row| times[row]).collect();
    Ok((order, times))
}

/// Tells of rows that were not in the order of time.
pub(super) fn unsorted(table: &Table, clock: &Clock, order: &[usize]) -> Option<Note> {
    if order.is_sorted() {
        return None;
    }
    let mut place = vec![0; order.len()];
    for (at, &row) in order.iter().enumerate() {
        place[row] = at;
    }
    let row = (1..place.len()).find(|&row| place[row] < place[row - 1])?;
    // A file that begins with the last time is as good as one in order.
    let backwards = order.iter().rev().is_sorted();
    let how = if backwards {
        "the latest time comes first".to_owned()
    } else {
        format!("{} is the first before its turn", table.place(row))
    };
    Some(Note::Choice(format!(
        "rows are sorted by `{}`: {how}",
        clock.column
    )))
}
