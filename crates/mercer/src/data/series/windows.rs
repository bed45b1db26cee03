//! Sliding windows over a series.

use serde::{Deserialize, Serialize};

use super::period::recognise;
use super::{Lags, Period};
use crate::data::{Column, Kind, Origin, Table, Values, number_text};
use crate::fit::Note;
use crate::{Error, Result};

/// Windows without which nothing can be learnt.
const FEWEST: usize = 2;

/// A column with the lags that windows take of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowInput {
    /// Its name.
    pub column: String,
    /// How many steps back, ascending.
    pub lags: Vec<usize>,
}

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

/// How a series becomes a table: earlier values in, the next one out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Windows {
    /// The column that is predicted.
    pub target: String,
    /// The columns that windows are made of.
    pub inputs: Vec<WindowInput>,
    /// Steps ahead that have a model of their own.
    pub horizon: usize,
    /// The column of times, where there is one.
    pub clock: Option<Clock>,
}

/// The columns of a series, in the order of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The target; NaN where it is missing, empty where there is none.
    pub target: Vec<f64>,
    /// The values of every input.
    pub inputs: Vec<Vec<f64>>,
    /// The times.
    pub times: Option<Vec<f64>>,
    /// The row of the table that each comes from.
    pub order: Vec<usize>,
    /// For every row, the first one that no gap parts it from.
    run: Vec<usize>,
    places: Vec<String>,
}

/// Windows by the rows whose target they lead to.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// The row of the series that each window leads to.
    pub at: Vec<usize>,
    /// A column per input and lag, the oldest value first.
    pub columns: Vec<Column>,
}

/// A series as a table of regression.
#[derive(Debug, Clone, PartialEq)]
pub struct Arranged {
    /// Windows, their target, and the columns that were to be carried along.
    pub table: Table,
    /// For every step beyond the first, the target at that step; NaN where it is not known.
    pub ahead: Vec<Vec<f64>>,
    /// What was noticed.
    pub notes: Vec<Note>,
}

impl Windows {
    /// Settles which columns windows are made of.
    ///
    /// # Errors
    /// Columns that are not there or hold no numbers; a horizon of 0; times that are missing or
    /// occur twice.
    pub fn settle(
        lags: &Lags,
        horizon: usize,
        time: Option<&str>,
        target: &str,
        table: &Table,
    ) -> Result<Self> {
        if horizon == 0 {
            return Err(Error::setting("horizon", horizon, "at least 1"));
        }
        let mut inputs: Vec<WindowInput> = Vec::new();
        for lagged in &lags.columns {
            let column = lagged.column.as_deref().unwrap_or(target);
            numbers(table, column)?;
            match inputs.iter_mut().find(|input| input.column == column) {
                Some(input) => input.lags.extend(&lagged.lags),
                None => inputs.push(WindowInput {
                    column: column.to_owned(),
                    lags: lagged.lags.clone(),
                }),
            }
        }
        for input in &mut inputs {
            input.lags.sort_unstable();
            input.lags.dedup();
        }
        let clock = match time {
            None => None,
            Some(name) if name == target => {
                return Err(Error::Conflict {
                    what: format!("column `{name}` is to be the target and the time"),
                    cure: "name two columns".into(),
                });
            }
            Some(name) => {
                let column = table.column(name)?;
                let is_date = match column.kind() {
                    Kind::Date => true,
                    Kind::Numeric => false,
                    other => {
                        return Err(Error::ColumnKind {
                            column: name.to_owned(),
                            found: other.name().to_owned(),
                            expected: "a date or a number".to_owned(),
                        });
                    }
                };
                Some(Clock {
                    column: name.to_owned(),
                    is_date,
                    period: None,
                })
            }
        };
        let mut windows = Self {
            target: target.to_owned(),
            inputs,
            horizon,
            clock,
        };
        if let Some(clock) = &windows.clock {
            let times = sorted(table, clock)?.1;
            let period = recognise(&times, clock.is_date).period;
            windows.clock = windows.clock.map(|clock| Clock { period, ..clock });
        }
        Ok(windows)
    }

    /// Returns the steps that the oldest value of a window lies back.
    pub fn longest(&self) -> usize {
        let lags = self.inputs.iter().flat_map(|input| &input.lags);
        lags.copied().max().unwrap_or(0)
    }

    /// Returns the names of the columns of windows, the oldest value of an input first.
    pub fn names(&self) -> Vec<String> {
        let of = |input: &WindowInput| -> Vec<String> {
            let lags = input.lags.iter().rev();
            lags.map(|lag| format!("{}(t-{lag})", input.column))
                .collect()
        };
        self.inputs.iter().flat_map(of).collect()
    }

    /// Returns whether a table has windows already.
    pub fn are_in(&self, table: &Table) -> bool {
        self.names().iter().all(|name| table.find(name).is_some())
    }

    /// Returns whether windows look at earlier values of the target.
    pub fn reads_target(&self) -> bool {
        self.inputs.iter().any(|input| input.column == self.target)
    }

    /// Takes the columns of a series out of a table and puts them in the order of time.
    ///
    /// # Errors
    /// Columns that are not there or hold no numbers, times that are missing or occur twice.
    pub fn series(&self, table: &Table) -> Result<(Series, Vec<Note>)> {
        let mut notes = Vec::new();
        let (order, times) = match &self.clock {
            None => ((0..table.rows()).collect(), None),
            Some(clock) => {
                let (order, times) = sorted(table, clock)?;
                notes.extend(unsorted(table, clock, &order));
                (order, Some(times))
            }
        };
        let pick = |values: &[f64]| -> Vec<f64> { order.iter().map(|&row| values[row]).collect() };
        let mut inputs = Vec::new();
        for input in &self.inputs {
            inputs.push(pick(numbers(table, &input.column)?));
        }
        let target = match table.find(&self.target) {
            None if !self.reads_target() => Vec::new(),
            _ => pick(numbers(table, &self.target)?),
        };
        let mut run = vec![0; order.len()];
        if let (Some(clock), Some(times)) = (&self.clock, &times) {
            let found = recognise(times, clock.is_date);
            notes.extend(self.told_of_times(table, &order, times, &found));
            // Holidays are no gaps of weekdays.
            if found.period != Some(Period::Weekdays) {
                for (row, _) in found.gaps {
                    run[row..].fill(row);
                }
            }
        }
        let places = order.iter().map(|&row| table.place(row)).collect();
        let series = Series {
            target,
            inputs,
            times,
            order,
            run,
            places,
        };
        Ok((series, notes))
    }

    /// Tells of gaps, and of times without a period.
    fn told_of_times(
        &self,
        table: &Table,
        order: &[usize],
        times: &[f64],
        found: &super::period::Found,
    ) -> Option<Note> {
        let clock = self.clock.as_ref()?;
        let Some(period) = found.period else {
            return (times.len() > 2).then(|| {
                Note::Alert(format!(
                    "the times of `{}` are not evenly spaced: lags count rows",
                    clock.column
                ))
            });
        };
        let (row, missing) = found.gaps.first()?;
        let words = period.words(clock.is_date);
        let all: u64 = found.gaps.iter().map(|(_, missing)| missing).sum();
        let text = clock.text(times[*row]);
        if period == Period::Weekdays {
            return Some(Note::Choice(format!(
                "`{}` has weekdays; {all} are missing, which is no gap, the first before {text} ({})",
                clock.column,
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
            clock.column
        )))
    }

    /// Makes the windows of a series that are whole: no value of theirs is missing, and none lies
    /// beyond a gap.
    pub fn made(&self, series: &Series) -> Made {
        let whole = |row: &usize| self.is_whole(series, *row);
        let at: Vec<usize> = (0..series.order.len()).filter(whole).collect();
        let values = |input: usize, lag: usize| -> Vec<f64> {
            at.iter()
                .map(|&row| series.inputs[input][row - lag])
                .collect()
        };
        let mut columns = Vec::new();
        let mut names = self.names().into_iter();
        for (place, input) in self.inputs.iter().enumerate() {
            for &lag in input.lags.iter().rev() {
                let name = names.next().unwrap_or_default();
                columns.push(Column::new(name, Values::Numeric(values(place, lag))));
            }
        }
        Made { at, columns }
    }

    fn is_whole(&self, series: &Series, row: usize) -> bool {
        let mut lags = self
            .inputs
            .iter()
            .zip(&series.inputs)
            .flat_map(|(input, values)| {
                let of = move |lag: &usize| row.checked_sub(*lag).map(|at| (at, values[at]));
                input.lags.iter().map(of)
            });
        lags.all(|found| found.is_some_and(|(at, value)| at >= series.run[row] && !value.is_nan()))
    }

    /// Makes the windows of a table that does not have them yet, whether their targets are known or
    /// not; `None` where it has.
    ///
    /// # Errors
    /// Those of [`Windows::series`]; a series without a whole window.
    pub fn in_place(&self, table: &Table) -> Result<Option<Table>> {
        if self.are_in(table) {
            return Ok(None);
        }
        self.windows(table).map(|(windows, _)| Some(windows))
    }

    /// Makes the window of one row of a table that does not have windows yet; `None` where it has.
    ///
    /// # Errors
    /// Those of [`Windows::in_place`]; a row whose earlier values are not all there.
    pub fn of_row(&self, table: &Table, row: usize) -> Result<Option<Table>> {
        if self.are_in(table) {
            return Ok(None);
        }
        let (windows, rows) = self.windows(table)?;
        if let Some(place) = rows.iter().position(|of| *of == row) {
            return Ok(Some(windows.select(&[place])));
        }
        let last = rows.last().map_or(0, |last| last + 1);
        Err(Error::rows(
            format!(
                "row {} lacks some of the values before it that a window of {} steps needs",
                row + 1,
                self.longest()
            ),
            format!("choose a later row, such as row {last}"),
        ))
    }

    /// All windows of a table, and the row of each.
    fn windows(&self, table: &Table) -> Result<(Table, Vec<usize>)> {
        let (series, _) = self.series(table)?;
        let Made { at, columns } = self.made(&series);
        if at.is_empty() {
            return Err(Error::rows(
                format!(
                    "no row has all values that a window of {} steps needs",
                    self.longest()
                ),
                "give the rows before those that are to be predicted, too",
            ));
        }
        let rows: Vec<usize> = at.iter().map(|&row| series.order[row]).collect();
        let lines = match &table.origin().lines[..] {
            [] => Vec::new(),
            lines => rows.iter().map(|&row| lines[row]).collect(),
        };
        let origin = Origin {
            name: table.origin().name.clone(),
            lines,
        };
        Ok((Table::try_new(columns, origin)?, rows))
    }

    /// Makes a table of regression: windows whose target is known, with some columns of their rows.
    ///
    /// # Errors
    /// A series that is shorter than its lags, or has no whole window; those of
    /// [`Windows::series`].
    pub fn arrange(&self, table: &Table, carried: &[&str]) -> Result<Arranged> {
        let (series, mut notes) = self.series(table)?;
        if series.target.is_empty() {
            numbers(table, &self.target)?;
        }
        let needed = self.longest() + self.horizon + FEWEST - 1;
        let rows = series.order.len();
        if rows < needed {
            return Err(Error::rows(
                format!(
                    "{} too few for a lag of {} and a horizon of {}: at least {needed} are needed",
                    if rows == 1 {
                        "1 row is".to_owned()
                    } else {
                        format!("{rows} rows are")
                    },
                    self.longest(),
                    self.horizon
                ),
                "use fewer lags, or give more rows",
            ));
        }
        notes.extend(self.told_of_missing(&series));
        let Made { at, columns } = self.made(&series);
        let keep: Vec<usize> = (0..at.len())
            .filter(|&place| !series.target[at[place]].is_nan())
            .collect();
        if keep.len() < FEWEST {
            return Err(Error::rows(
                format!(
                    "{} of {} steps without a gap or a missing value",
                    if keep.is_empty() {
                        "there is no window"
                    } else {
                        "there is one window"
                    },
                    self.longest() + 1
                ),
                "fill in what is missing, use fewer lags, or give more rows",
            ));
        }
        let at: Vec<usize> = keep.iter().map(|&place| at[place]).collect();
        let mut columns: Vec<Column> = columns
            .into_iter()
            .map(|column| Column::new(column.name, column.values.select(&keep)))
            .collect();
        let of_rows: Vec<usize> = at.iter().map(|&row| series.order[row]).collect();
        for name in std::iter::once(&self.target.as_str()).chain(carried) {
            let column = table.column(name)?;
            columns.push(Column {
                name: column.name.clone(),
                values: column.values.select(&of_rows),
                reading: column.reading.clone(),
            });
        }
        let origin = Origin {
            name: table.origin().name.clone(),
            lines: match &table.origin().lines[..] {
                [] => Vec::new(),
                lines => of_rows.iter().map(|&row| lines[row]).collect(),
            },
        };
        let ahead = |step: usize| -> Vec<f64> {
            let value = |&row: &usize| series.ahead(row, step).unwrap_or(f64::NAN);
            at.iter().map(value).collect()
        };
        notes.extend(self.told_of_others(table, carried));
        Ok(Arranged {
            ahead: (2..=self.horizon).map(ahead).collect(),
            table: Table::try_new(columns, origin)?,
            notes,
        })
    }

    /// Tells of values that are missing, but for targets after the last one that is known.
    fn told_of_missing(&self, series: &Series) -> Option<Note> {
        let last = series.target.iter().rposition(|v| !v.is_nan())?;
        let of = |values: &[f64]| -> Vec<usize> {
            (0..=last).filter(|&row| values[row].is_nan()).collect()
        };
        let inputs = self.inputs.iter().zip(&series.inputs);
        let mut columns: Vec<(&str, Vec<usize>)> = inputs
            .map(|(input, values)| (input.column.as_str(), of(values)))
            .collect();
        if !self.reads_target() {
            columns.push((&self.target, of(&series.target)));
        }
        columns.retain(|(_, missing)| !missing.is_empty());
        let (column, missing) = columns.first()?;
        let others = match columns.len() {
            1 => String::new(),
            more => format!(", and values of {} more columns", more - 1),
        };
        let first = &series.places[missing[0]];
        Some(Note::Alert(format!(
            "{first}: `{column}` is missing there{}{others}; windows that would hold a missing value are left out",
            match missing.len() {
                1 => String::new(),
                rows => format!(" and in {} more rows", rows - 1),
            }
        )))
    }

    /// Tells of columns that no window reads.
    fn told_of_others(&self, table: &Table, carried: &[&str]) -> Option<Note> {
        let clock = self.clock.as_ref().map(|clock| clock.column.as_str());
        let is_read = |name: &str| {
            name == self.target
                || clock == Some(name)
                || carried.contains(&name)
                || self.inputs.iter().any(|input| input.column == name)
        };
        let others = table.columns().iter().map(|c| c.name.as_str());
        let others: Vec<&str> = others.filter(|name| !is_read(name)).collect();
        (!others.is_empty()).then(|| {
            Note::Choice(format!(
                "windows are made of {} alone; {} not read: what it will be when a forecast is made is not known, unless lags of it are named",
                crate::fit::listed(&self.inputs.iter().map(|i| i.column.as_str()).collect::<Vec<_>>()),
                match &others[..] {
                    [one] => format!("`{one}` is"),
                    several => format!("{} are", crate::fit::listed(several)),
                }
            ))
        })
    }
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
}

impl Series {
    /// Returns the target some steps after the first that a row's window leads to; `None` where it
    /// is not known, or lies beyond a gap.
    pub fn ahead(&self, row: usize, step: usize) -> Option<f64> {
        let at = row + step - 1;
        let value = *self.target.get(at)?;
        (self.run[at] == self.run[row] && !value.is_nan()).then_some(value)
    }

    /// Returns the last row whose target is known.
    pub fn last_known(&self) -> Option<usize> {
        self.target.iter().rposition(|v| !v.is_nan())
    }

    /// Returns the first row of those without a gap up to a row.
    pub fn run_of(&self, row: usize) -> usize {
        self.run[row]
    }

    /// Returns the place of a row in its file.
    pub fn place(&self, row: usize) -> &str {
        &self.places[row]
    }
}

/// The numbers of a column.
fn numbers<'t>(table: &'t Table, name: &str) -> Result<&'t [f64]> {
    let column = table.column(name)?;
    let Values::Numeric(values) = &column.values else {
        return Err(Error::ColumnKind {
            column: name.to_owned(),
            found: column.kind().name().to_owned(),
            expected: "a column of numbers".to_owned(),
        });
    };
    if let Some(row) = values.iter().position(|v| v.is_infinite()) {
        return Err(Error::Cell {
            place: table.place(row),
            column: name.to_owned(),
            problem: format!("the value is `{}`", values[row]),
            cure: "give it a finite value, or none".into(),
        });
    }
    Ok(values)
}

/// The rows in the order of time, with their times.
fn sorted(table: &Table, clock: &Clock) -> Result<(Vec<usize>, Vec<f64>)> {
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
fn unsorted(table: &Table, clock: &Clock, order: &[usize]) -> Option<Note> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: &[(&str, &[f64])]) -> Table {
        let column =
            |(name, values): &(&str, &[f64])| Column::new(*name, Values::Numeric(values.to_vec()));
        let rows = columns[0].1.len() as u32;
        let origin = Origin {
            name: "s.csv".to_owned(),
            lines: (2..rows + 2).collect(),
        };
        Table::try_new(columns.iter().map(column).collect(), origin).unwrap()
    }

    fn settle(lags: &str, horizon: usize, time: Option<&str>, table: &Table) -> Windows {
        let lags = lags.parse().unwrap();
        Windows::settle(&lags, horizon, time, "y", table).unwrap()
    }

    fn values(table: &Table, name: &str) -> Vec<f64> {
        numbers(table, name).unwrap().to_vec()
    }

    #[test]
    fn powers_of_two_make_three_windows() {
        let table = table(&[("y", &[1.0, 2.0, 4.0, 8.0, 16.0])]);
        let windows = settle("2", 1, None, &table);
        let made = windows.arrange(&table, &[]).unwrap();
        assert_eq!(made.table.names(), ["y(t-2)", "y(t-1)", "y"]);
        assert_eq!(values(&made.table, "y(t-2)"), [1.0, 2.0, 4.0]);
        assert_eq!(values(&made.table, "y(t-1)"), [2.0, 4.0, 8.0]);
        assert_eq!(values(&made.table, "y"), [4.0, 8.0, 16.0]);
        assert_eq!(made.table.origin().lines, [4, 5, 6]);
        assert!(made.notes.is_empty() && made.ahead.is_empty());
    }

    #[test]
    fn later_steps_know_their_own_targets() {
        let table = table(&[("y", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])]);
        let made = settle("1", 3, None, &table).arrange(&table, &[]).unwrap();
        assert_eq!(values(&made.table, "y"), [2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(made.ahead[0][..4], [3.0, 4.0, 5.0, 6.0]);
        assert!(made.ahead[0][4].is_nan() && made.ahead[1][3].is_nan());
    }

    #[test]
    fn times_are_sorted_and_gaps_are_not_crossed() {
        let table = table(&[
            ("t", &[2.0, 1.0, 3.0, 4.0, 7.0, 8.0, 9.0]),
            ("y", &[20.0, 10.0, 30.0, 40.0, 70.0, 80.0, 90.0]),
            ("z", &[0.0; 7]),
        ]);
        let windows = settle("1,2", 1, Some("t"), &table);
        assert_eq!(
            windows.clock.as_ref().unwrap().period,
            Some(Period::Step(1.0))
        );
        let made = windows.arrange(&table, &[]).unwrap();
        assert_eq!(values(&made.table, "y"), [30.0, 40.0, 90.0]);
        assert_eq!(values(&made.table, "y(t-1)"), [20.0, 30.0, 80.0]);
        let told: Vec<&str> = made.notes.iter().map(Note::text).collect();
        assert!(told[0].contains("s.csv, line 3 is the first"), "{told:?}");
        assert!(
            told[1].starts_with("s.csv, line 6: 2 of `t` are missing before 7"),
            "{told:?}"
        );
        assert!(told[2].contains("`z` is not read"), "{told:?}");
    }

    #[test]
    fn missing_values_leave_windows_out_and_are_told() {
        let nan = f64::NAN;
        let table = table(&[("y", &[1.0, 2.0, nan, 4.0, 5.0, 7.0, nan])]);
        let made = settle("1", 1, None, &table).arrange(&table, &[]).unwrap();
        assert_eq!(values(&made.table, "y"), [2.0, 5.0, 7.0]);
        // The last one is a target to be forecast.
        assert!(
            made.notes[0]
                .text()
                .starts_with("s.csv, line 4: `y` is missing there; ")
        );
    }

    #[test]
    fn bad_series_are_refused() {
        let refused = |table: &Table, lags: &str| {
            let error = settle(lags, 1, None, table)
                .arrange(table, &[])
                .unwrap_err();
            error.to_string()
        };
        let short = table(&[("y", &[1.0, 2.0, 3.0])]);
        assert!(refused(&short, "12").contains("at least 14 are needed"));
        let holes = table(&[("y", &[1.0, f64::NAN, 2.0, f64::NAN, 3.0, f64::NAN])]);
        assert!(refused(&holes, "1").contains("no window of 2 steps"));
        let twice = table(&[("t", &[1.0, 1.0, 2.0]), ("y", &[1.0, 2.0, 3.0])]);
        let lags = "1".parse().unwrap();
        let error = Windows::settle(&lags, 1, Some("t"), "y", &twice).unwrap_err();
        assert!(error.to_string().contains("line 3"), "{error}");
        assert!(Windows::settle(&lags, 0, None, "y", &twice).is_err());
        assert!(Windows::settle(&lags, 1, Some("y"), "y", &twice).is_err());
        assert!(Windows::settle(&lags, 1, None, "nothing", &twice).is_err());
    }
}
