//! Values as rows of a table.

use super::tree::Tree;
use crate::error::shorten;
use crate::read::gather::{Cell, Gather};
use crate::{Error, Result};

/// Adds values to a table as rows.
pub(super) struct Rows {
    pub(super) gather: Gather,
    pub(super) file: String,
    /// Whether a first list of texts holds names; recognised by the next row where it is not said.
    pub(super) header: Option<bool>,
    /// The first list, which may hold names, and its line.
    waiting: Option<(Vec<Tree>, Option<usize>)>,
    /// How many values a list has, once one came.
    width: Option<usize>,
    count: usize,
}

impl Rows {
    pub(super) fn new(gather: Gather, file: String, header: Option<bool>) -> Self {
        Self {
            gather,
            file,
            header,
            waiting: None,
            width: None,
            count: 0,
        }
    }

    /// Adds an object or a list as a row.
    pub(super) fn add(&mut self, row: Tree, line: Option<usize>) -> Result<()> {
        self.count += 1;
        match row {
            Tree::Map(entries) if self.width.is_none() => {
                self.object(entries, "")?;
                self.gather.end_row(line)
            }
            Tree::List(items) if self.width.is_some() || self.count == 1 => self.list(items, line),
            Tree::Map(_) => Err(self.odd("is an object among lists", line)),
            Tree::List(_) => Err(self.odd("is a list among objects", line)),
            Tree::Leaf(_) => Err(self.odd("is a single value", line)),
        }
    }

    /// Ends the rows; a first list that waited is a row.
    pub(super) fn end(&mut self) -> Result<()> {
        if let Some((items, line)) = self.waiting.take() {
            self.counted(items, line)?;
        }
        Ok(())
    }

    fn object(&mut self, entries: Vec<(String, Tree)>, prefix: &str) -> Result<()> {
        for (key, value) in entries {
            let name = format!("{prefix}{key}");
            match value {
                Tree::Leaf(cell) => {
                    let at = self.gather.column(&name)?;
                    if !self.gather.set(at, cell)? {
                        let problem = format!("`{}` is given twice", shorten(&name));
                        return Err(self.fault(problem, "name every value of a row once"));
                    }
                }
                Tree::Map(inner) => self.object(inner, &format!("{name}."))?,
                Tree::List(_) => {
                    let problem = format!("`{}` holds a list", shorten(&name));
                    let cure = "spread lists over values of their own, or leave them out";
                    return Err(self.fault(problem, cure));
                }
            }
        }
        Ok(())
    }

    fn list(&mut self, items: Vec<Tree>, line: Option<usize>) -> Result<()> {
        let Some(width) = self.width else {
            self.width = Some(items.len());
            let texts = items.iter().all(|i| matches!(i, Tree::Leaf(Cell::Text(_))));
            match self.header {
                Some(true) => return self.names(items),
                None if texts && !items.is_empty() => self.waiting = Some((items, line)),
                _ => return self.counted(items, line),
            }
            return Ok(());
        };
        if items.len() != width {
            return Err(Error::FieldCount {
                file: self.file.clone(),
                line: line.unwrap_or(self.count),
                found: items.len(),
                expected: width,
                cure: "give every row as many values; `null` where one is missing".into(),
            });
        }
        if let Some((first, at)) = self.waiting.take() {
            // Names stand on top of something that is no text.
            if items
                .iter()
                .any(|i| !matches!(i, Tree::Leaf(Cell::Text(_))))
            {
                self.names(first)?;
            } else {
                self.counted(first, at)?;
            }
        }
        self.counted(items, line)
    }

    /// Takes texts as names of columns.
    pub(super) fn names(&mut self, items: Vec<Tree>) -> Result<()> {
        self.width = Some(items.len());
        for (at, item) in items.into_iter().enumerate() {
            let name = match item {
                Tree::Leaf(Cell::Text(text)) if !text.is_empty() => text,
                Tree::Leaf(Cell::Number(number)) => crate::write::format_number(number),
                _ => format!("column_{}", at + 1),
            };
            if self.gather.column(&name)? != at {
                let problem = format!("two columns are named `{}`", shorten(&name));
                return Err(self.fault(problem, "give every column its own name"));
            }
        }
        Ok(())
    }

    fn counted(&mut self, items: Vec<Tree>, line: Option<usize>) -> Result<()> {
        let named = self.gather.names.len() == items.len();
        for (at, item) in items.into_iter().enumerate() {
            let Tree::Leaf(cell) = item else {
                return Err(self.odd("holds a list or an object", line));
            };
            let column = if named {
                at
            } else {
                self.gather.column(&format!("column_{}", at + 1))?
            };
            self.gather.set(column, cell)?;
        }
        self.gather.end_row(line)
    }

    fn odd(&self, problem: &str, line: Option<usize>) -> Error {
        let place = match line {
            Some(line) => format!("line {line}"),
            None => format!("row {}", self.count),
        };
        let cure = "write every row as an object of named values, or every one as a list";
        self.fault(format!("{place} {problem}"), cure)
    }

    pub(super) fn fault(&self, problem: String, cure: &str) -> Error {
        Error::Unsupported {
            file: self.file.clone(),
            problem,
            cure: cure.into(),
        }
    }
}
