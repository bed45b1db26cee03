//! A table: named columns of equal length, and where their rows came from.

use super::{Column, Layout, Values};
use crate::{Error, Result};

/// Where a table's rows came from, so that errors can name file and line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Origin {
    /// The file's name, `standard input`, or empty for data made in memory.
    pub name: String,
    /// The one-based line on which each row starts; empty when there are no lines.
    pub lines: Vec<u32>,
}

/// Named, typed columns of equal length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    columns: Vec<Column>,
    rows: usize,
    origin: Origin,
    layout: Layout,
    /// Rows of the file before the first of these, where they are a part of it.
    before: Option<usize>,
}

impl Table {
    /// Creates a table from columns of equal length.
    ///
    /// # Errors
    /// Columns of different lengths, and names that occur twice.
    pub fn try_new(columns: Vec<Column>, origin: Origin) -> Result<Self> {
        let rows = columns.first().map_or(0, |c| c.values.len());
        let mut names = std::collections::HashSet::new();
        for column in &columns {
            if column.values.len() != rows {
                return Err(Error::Length {
                    what: format!("column `{}`", column.name),
                    found: column.values.len(),
                    expected: rows,
                    unit: "rows",
                });
            }
            if !names.insert(column.name.as_str()) {
                return Err(Error::Conflict {
                    what: format!("two columns are named `{}`", column.name),
                    cure: "give every column its own name".into(),
                });
            }
        }
        Ok(Self {
            columns,
            rows,
            origin,
            layout: Layout::default(),
            before: None,
        })
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the columns in file order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns where the rows came from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns how the file was read.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Sets how the file was read.
    pub fn set_layout(&mut self, layout: Layout) {
        self.layout = layout;
    }

    /// Says how many rows of the file stand before the first of these.
    pub fn set_before(&mut self, rows: usize) {
        self.before = Some(rows);
    }

    /// Returns how many rows of the file stand before the first of these.
    pub fn before(&self) -> usize {
        self.before.unwrap_or(0)
    }

    /// Returns the names of all columns in file order.
    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(|c| c.name.clone()).collect()
    }

    /// Returns a column by name.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the known names, when there is none.
    pub fn column(&self, name: &str) -> Result<&Column> {
        self.find(name).ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, name: &str) -> Error {
        Error::Unknown {
            kind: "column",
            name: name.to_owned(),
            known: self.names(),
        }
    }

    /// Returns a column by name, or `None`.
    pub fn find(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name == name)
    }

    /// Removes a column and returns it.
    ///
    /// # Errors
    /// [`Error::Unknown`] when there is none of that name.
    pub fn take(&mut self, name: &str) -> Result<Column> {
        let Some(index) = self.columns.iter().position(|c| c.name == name) else {
            return Err(self.unknown(name));
        };
        Ok(self.columns.remove(index))
    }

    /// Replaces the values of an existing column.
    ///
    /// # Errors
    /// An unknown name, or a length other than the table's.
    pub fn replace(&mut self, name: &str, values: Values) -> Result<()> {
        self.column(name)?;
        if values.len() != self.rows {
            return Err(Error::Length {
                what: format!("column `{name}`"),
                found: values.len(),
                expected: self.rows,
                unit: "rows",
            });
        }
        for column in &mut self.columns {
            if column.name == name {
                column.values = values;
                break;
            }
        }
        Ok(())
    }

    /// Returns a table with the given rows, in that order.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        let lines = if self.origin.lines.is_empty() {
            Vec::new()
        } else {
            rows.iter().map(|&r| self.origin.lines[r]).collect()
        };
        Self {
            columns: self
                .columns
                .iter()
                .map(|c| Column {
                    name: c.name.clone(),
                    values: c.values.select(rows),
                    reading: c.reading.clone(),
                })
                .collect(),
            rows: rows.len(),
            origin: Origin {
                name: self.origin.name.clone(),
                lines,
            },
            layout: self.layout.clone(),
            // Rows that do not follow each other have no common place.
            before: self
                .before
                .filter(|_| are_a_run(rows))
                .map(|before| before + rows.first().copied().unwrap_or(0)),
        }
    }

    /// Names the place of a row for an error message: file and line where known.
    pub fn place(&self, row: usize) -> String {
        match (self.origin.lines.get(row), self.origin.name.as_str()) {
            (Some(line), "") => format!("line {line}"),
            (Some(line), name) => format!("{name}, line {line}"),
            (None, "") => format!("row {}", self.before() + row + 1),
            (None, name) => format!("{name}, row {}", self.before() + row + 1),
        }
    }
}

/// Whether rows follow each other.
fn are_a_run(rows: &[usize]) -> bool {
    rows.windows(2).all(|pair| pair[1] == pair[0] + 1)
}
