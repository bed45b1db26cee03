//! A series as a table of regression.

use super::ordered::{Series, numbers};
use super::windows::{Made, Windows, origin_of};
use crate::data::{Column, Table};
use crate::fit::{Note, listed};
use crate::{Error, Result};

/// Windows without which nothing can be learnt.
const FEWEST: usize = 2;

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
        let origin = origin_of(table, &of_rows);
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
                listed(&self.inputs.iter().map(|i| i.column.as_str()).collect::<Vec<_>>()),
                match &others[..] {
                    [one] => format!("`{one}` is"),
                    several => format!("{} are", listed(several)),
                }
            ))
        })
    }
}
