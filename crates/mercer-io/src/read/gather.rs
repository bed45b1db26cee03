//! Columns that grow as rows name them, for formats whose cells have types of their own.

use std::collections::HashMap;

use mercer::data::{Column, Kind, Origin, Table, Truths, Values};

use super::cells::{self, Cells, Known};
use super::limit::Budget;
use super::lines::long_field;
use super::{ReadOptions, date};
use crate::error::shorten;
use crate::write::format_number;
use crate::{Error, Result};

/// One value of a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    Absent,
    Truth(bool),
    Number(f64),
    /// A whole number that a double does not hold, by its digits.
    Digits(String),
    /// Seconds since 1970; JSON has no such cells.
    #[cfg_attr(not(feature = "excel"), allow(dead_code))]
    Date(f64),
    Text(String),
}

/// What the cells of a column were declared as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Truth,
    Number,
    Date,
    Text,
}

/// A column so far.
#[derive(Default)]
struct Growing {
    cells: Vec<Cell>,
    /// The type of all cells that are there; `Text` where they differ.
    kind: Option<Type>,
}

/// Gathers rows whose values are named or counted.
pub(crate) struct Gather {
    pub(crate) names: Vec<String>,
    index: HashMap<String, usize>,
    columns: Vec<Growing>,
    rows: usize,
    lines: Vec<u32>,
    budget: Budget,
    file: String,
    options: ReadOptions,
    /// Fixed by the first chunk.
    known: HashMap<String, Known>,
}

/// Columns that any file may have; more are no table.
const MOST_COLUMNS: usize = 1 << 20;

impl Gather {
    pub(crate) fn new(file: String, options: &ReadOptions) -> Self {
        Self {
            names: Vec::new(),
            index: HashMap::new(),
            columns: Vec::new(),
            rows: 0,
            lines: Vec::new(),
            budget: Budget::new(options),
            file,
            options: options.clone(),
            known: HashMap::new(),
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the place of a named column; a new one lacks all values so far.
    pub(crate) fn column(&mut self, name: &str) -> Result<usize> {
        if let Some(&at) = self.index.get(name) {
            return Ok(at);
        }
        let at = self.names.len();
        if at >= MOST_COLUMNS {
            return Err(Error::Unsupported {
                file: self.file.clone(),
                problem: format!("there are more than {MOST_COLUMNS} columns"),
                cure: "give every row the same names".into(),
            });
        }
        self.names.push(name.to_owned());
        self.index.insert(name.to_owned(), at);
        self.columns.push(Growing::default());
        Ok(at)
    }

    /// Sets a value of the present row; returns whether it was still open.
    pub(crate) fn set(&mut self, column: usize, cell: Cell) -> Result<bool> {
        let bytes = size_of::<Cell>()
            + match &cell {
                Cell::Text(text) | Cell::Digits(text) => text.len(),
                _ => 0,
            };
        let growing = &mut self.columns[column];
        if growing.cells.len() > self.rows {
            return Ok(false);
        }
        // Rows that lacked the name take room, too.
        let gap = self.rows - growing.cells.len();
        self.budget
            .add(bytes + gap * size_of::<Cell>(), &self.file)?;
        growing.cells.resize(self.rows, Cell::Absent);
        let kind = match &cell {
            Cell::Absent => None,
            Cell::Truth(_) => Some(Type::Truth),
            Cell::Number(_) | Cell::Digits(_) => Some(Type::Number),
            Cell::Date(_) => Some(Type::Date),
            Cell::Text(_) => Some(Type::Text),
        };
        growing.kind = match (growing.kind, kind) {
            (None, kind) | (kind, None) => kind,
            (Some(a), Some(b)) if a == b => Some(a),
            _ => Some(Type::Text),
        };
        growing.cells.push(cell);
        Ok(true)
    }

    /// Ends the present row.
    pub(crate) fn end_row(&mut self, line: Option<usize>) -> Result<()> {
        self.budget.add(8, &self.file)?;
        self.rows += 1;
        if let Some(line) = line {
            self.lines.push(u32::try_from(line).unwrap_or(u32::MAX));
        }
        Ok(())
    }

    /// Returns the rows so far as a table, and starts anew with the same columns.
    pub(crate) fn take(&mut self) -> Result<Option<Table>> {
        if self.rows == 0 || self.names.is_empty() {
            return Ok(None);
        }
        self.options.check_names(&self.names)?;
        let lines = std::mem::take(&mut self.lines);
        let mut done = Vec::with_capacity(self.columns.len());
        for at in 0..self.columns.len() {
            let mut growing = std::mem::take(&mut self.columns[at]);
            growing.cells.resize(self.rows, Cell::Absent);
            let name = &self.names[at];
            let before = self.known.get(name);
            let column = self.read(at, growing, before, &lines)?;
            let known = Known::of(&column);
            self.known.entry(name.clone()).or_insert(known);
            done.push(column);
        }
        self.rows = 0;
        self.budget = Budget::new(&self.options);
        let name = self.file.clone();
        Ok(Some(Table::try_new(done, Origin { name, lines })?))
    }

    fn read(
        &self,
        at: usize,
        growing: Growing,
        before: Option<&Known>,
        lines: &[u32],
    ) -> Result<Column> {
        let name = &self.names[at];
        let kind = before
            .map(|b| b.kind)
            .or_else(|| self.options.kind_of(name));
        let cells = growing.cells;
        match (growing.kind, kind) {
            (Some(Type::Number), None | Some(Kind::Numeric)) => {
                let value = |cell: &Cell| match cell {
                    Cell::Number(value) => *value,
                    Cell::Digits(digits) => digits.parse().unwrap_or(f64::NAN),
                    _ => f64::NAN,
                };
                let values = Values::Numeric(cells.iter().map(value).collect());
                Ok(Column::new(name.clone(), values))
            }
            (Some(Type::Date), None | Some(Kind::Date)) => {
                let value = |cell: &Cell| match cell {
                    Cell::Date(value) => *value,
                    _ => f64::NAN,
                };
                let values = Values::Date(cells.iter().map(value).collect());
                Ok(Column::new(name.clone(), values))
            }
            (Some(Type::Truth), None | Some(Kind::Boolean)) => {
                let value = |cell: &Cell| match cell {
                    Cell::Truth(value) => Some(*value),
                    _ => None,
                };
                let values: Vec<Option<bool>> = cells.iter().map(value).collect();
                Ok(Column::new(
                    name.clone(),
                    Values::Boolean(Truths::from(values)),
                ))
            }
            _ => self.as_text(at, &cells, before, lines),
        }
    }

    /// Reads cells as the texts they would be in a file without types.
    fn as_text(
        &self,
        at: usize,
        cells: &[Cell],
        before: Option<&Known>,
        lines: &[u32],
    ) -> Result<Column> {
        let missing = self.options.missing_texts();
        let mut texts = Cells::default();
        for cell in cells {
            match cell {
                Cell::Absent => texts.push_missing(),
                Cell::Truth(value) => texts.push(if *value { b"true" } else { b"false" }),
                Cell::Number(value) => texts.push(format_number(*value).as_bytes()),
                Cell::Digits(text) => texts.push(text.as_bytes()),
                Cell::Date(value) => {
                    let text = date::format(*value).unwrap_or_else(|| format_number(*value));
                    texts.push(text.as_bytes());
                }
                Cell::Text(text) => {
                    if text.len() > self.options.max_field {
                        return Err(Error::Unsupported {
                            file: self.file.clone(),
                            problem: format!(
                                "a text in column `{}` is longer than {} bytes",
                                shorten(&self.names[at]),
                                self.options.max_field
                            ),
                            cure: long_field(),
                        });
                    }
                    texts.push(text.trim().as_bytes());
                }
            }
        }
        let column = cells::Column {
            name: &self.names[at],
            position: at + 1,
            file: &self.file,
            lines,
            missing: &missing,
            options: &self.options,
            comma: false,
        };
        column.read(&texts, before)
    }
}
