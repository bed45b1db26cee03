//! Sliding windows over a series.

use serde::{Deserialize, Serialize};

use super::Lags;
use super::clock::{Clock, sorted};
use super::ordered::{Series, numbers};
use super::period::recognise;
use crate::data::{Column, Kind, Origin, Table, Values};
use crate::{Error, Result};

/// A column with the lags that windows take of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowInput {
    /// Its name.
    pub column: String,
    /// How many steps back, ascending.
    pub lags: Vec<usize>,
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

/// Windows by the rows whose target they lead to.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// The row of the series that each window leads to.
    pub at: Vec<usize>,
    /// A column per input and lag, the oldest value first.
    pub columns: Vec<Column>,
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
        Ok((Table::try_new(columns, origin_of(table, &rows))?, rows))
    }
}

/// The origin of some rows of a table.
pub(super) fn origin_of(table: &Table, rows: &[usize]) -> Origin {
    Origin {
        name: table.origin().name.clone(),
        lines: match &table.origin().lines[..] {
            [] => Vec::new(),
            lines => rows.iter().map(|&row| lines[row]).collect(),
        },
    }
}
