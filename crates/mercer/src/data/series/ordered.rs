//! The columns of a series, taken out of a table in the order of time.

use super::clock::{sorted, unsorted};
use super::period::recognise;
use super::{Period, Windows};
use crate::data::{Table, Values};
use crate::fit::Note;
use crate::{Error, Result};

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
    pub(super) run: Vec<usize>,
    pub(super) places: Vec<String>,
}

impl Windows {
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
            notes.extend(clock.told_of_gaps(table, &order, times, &found));
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
pub(super) fn numbers<'t>(table: &'t Table, name: &str) -> Result<&'t [f64]> {
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
