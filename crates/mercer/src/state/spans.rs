//! Which rows were seen.

use serde::{Deserialize, Serialize};

use crate::learn::features::Place;
use crate::{Error, Result};

/// A run of rows of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// Number of the part; 0 where the rows are one sequence.
    pub part: u64,
    /// Number of the first row, counted from 0.
    pub first: u64,
    /// Number of the row after the last.
    pub end: u64,
}

impl Span {
    /// The rows of a table that begins at a place.
    pub fn of(place: Place, rows: usize) -> Self {
        Self {
            part: place.part,
            first: place.row,
            end: place.row + rows as u64,
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.part == other.part && self.first < other.end && other.first < self.end
    }
}

impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rows {} to {}", self.first + 1, self.end)?;
        if self.part > 0 {
            write!(f, " of part {}", self.part)?;
        }
        Ok(())
    }
}

/// Runs of rows that do not overlap, in order; those that follow each other are one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<Span>", into = "Vec<Span>")]
pub struct Spans(Vec<Span>);

impl Spans {
    /// Returns the runs.
    pub fn as_slice(&self) -> &[Span] {
        &self.0
    }

    /// Returns how many rows there are.
    pub fn rows(&self) -> u64 {
        self.0.iter().map(|span| span.end - span.first).sum()
    }

    /// Adds a run.
    ///
    /// # Errors
    /// Rows that are there already.
    pub fn add(&mut self, span: Span) -> Result<()> {
        if span.end <= span.first {
            return Ok(());
        }
        if let Some(there) = self.0.iter().find(|there| there.overlaps(&span)) {
            return Err(Error::Conflict {
                what: format!("{span} are to be added, and {there} are in already: some rows would count twice"),
                cure: "add every row once: parts of a table need the numbers of their rows in the whole".into(),
            });
        }
        let place = self.0.partition_point(|there| *there < span);
        self.0.insert(place, span);
        let mut joined: Vec<Span> = Vec::with_capacity(self.0.len());
        for span in self.0.drain(..) {
            match joined.last_mut() {
                Some(last) if last.part == span.part && last.end == span.first => {
                    last.end = span.end;
                }
                _ => joined.push(span),
            }
        }
        self.0 = joined;
        Ok(())
    }

    /// Checks that all runs of another list can be added.
    ///
    /// # Errors
    /// Rows that both have.
    pub fn check_apart(&self, other: &Self) -> Result<()> {
        let mut both = self.clone();
        other.0.iter().try_for_each(|span| both.add(*span))
    }

    /// Adds the runs of another list.
    ///
    /// # Errors
    /// Rows that both have; nothing is added then.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        let mut both = self.clone();
        other.0.iter().try_for_each(|span| both.add(*span))?;
        *self = both;
        Ok(())
    }
}

impl TryFrom<Vec<Span>> for Spans {
    type Error = Error;

    fn try_from(spans: Vec<Span>) -> Result<Self> {
        let mut all = Self::default();
        spans.into_iter().try_for_each(|span| all.add(span))?;
        Ok(all)
    }
}

impl From<Spans> for Vec<Span> {
    fn from(spans: Spans) -> Self {
        spans.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_join_and_refuse_rows_twice() {
        let span = |part, first, end| Span { part, first, end };
        let mut spans = Spans::default();
        for (first, end) in [(10, 20), (0, 5), (5, 10), (30, 40)] {
            spans.add(span(0, first, end)).unwrap();
        }
        spans.add(span(1, 0, 7)).unwrap();
        spans.add(span(1, 7, 7)).unwrap();
        assert_eq!(
            spans.as_slice(),
            [span(0, 0, 20), span(0, 30, 40), span(1, 0, 7)]
        );
        assert_eq!(spans.rows(), 37);
        let error = spans.add(span(0, 19, 30)).unwrap_err().to_string();
        assert!(
            error.starts_with("rows 20 to 30 are to be added, and rows 1 to 20"),
            "{error}"
        );
        let mut other = Spans::default();
        other.add(span(0, 20, 25)).unwrap();
        other.add(span(0, 35, 36)).unwrap();
        let before = spans.clone();
        assert!(spans.merge(&other).is_err());
        assert_eq!(spans, before);
    }
}
