//! From records to neighbours.

use std::sync::OnceLock;

use mercer_linalg::Par;

use super::best::{Found, Wanted};
use super::by_kernel::ByKernel;
use super::frame::Frame;
use super::index::{Index, IndexChoice};
use super::metric::DistanceMetric;
use super::mixed::Mixed;
use crate::data::{Points, Records};
use crate::fit::Cancel;
use crate::kernel::ResolvedKernel;
use crate::{Error, Result};

/// Rows prepared to be searched, from many threads at once.
#[derive(Debug)]
pub struct Searcher {
    way: Way,
    rows: usize,
}

#[expect(clippy::large_enum_variant, reason = "there is one of it in a search")]
#[derive(Debug)]
enum Way {
    /// Numbers without gaps; rows with gaps are compared column by column.
    Plain {
        frame: Box<Frame>,
        index: Index,
        mixed: OnceLock<Mixed>,
    },
    Mixed {
        frame: Box<Frame>,
        mixed: Mixed,
    },
    Kernel(ByKernel),
}

impl Searcher {
    /// Prepares rows that are compared by their columns.
    pub(crate) fn by_columns(
        frame: &Frame,
        records: &Records,
        choice: IndexChoice,
    ) -> Result<Self> {
        let points = frame.points(&records.features.points)?;
        let has_gaps = points.as_slice().iter().any(|value| value.is_nan());
        let frame = Box::new(frame.clone());
        let way = if has_gaps || !frame.codes.is_empty() {
            let mixed = Mixed::new(&frame, &points, &codes(&frame, records)?);
            Way::Mixed { frame, mixed }
        } else {
            Way::Plain {
                index: Index::new(points, frame.metric, choice),
                frame,
                mixed: OnceLock::new(),
            }
        };
        Ok(Self {
            way,
            rows: records.len(),
        })
    }

    /// Prepares rows that are compared by a kernel.
    pub(crate) fn by_kernel(kernel: &ResolvedKernel, records: &Records) -> Result<Self> {
        Ok(Self {
            way: Way::Kernel(ByKernel::new(kernel, records)?),
            rows: records.len(),
        })
    }

    /// Returns the number of rows that are searched.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Returns about how many multiplications the search for one row takes.
    pub(crate) fn work(&self) -> f64 {
        match &self.way {
            Way::Plain { index, .. } => index.work(),
            Way::Mixed { mixed, .. } => mixed.work(),
            Way::Kernel(kernel) => kernel.work(),
        }
    }

    /// Finds the neighbours of records among the rows.
    ///
    /// # Errors
    /// Records of another shape, values that cannot be compared; cancellation.
    pub fn search(
        &self,
        records: &Records,
        wanted: Wanted,
        par: Par,
        cancel: &Cancel,
    ) -> Result<Found> {
        if let Some((row, column)) = records.features.points.first_infinite() {
            return Err(cell(records, row, column, "the value is infinite"));
        }
        match &self.way {
            Way::Kernel(kernel) => kernel.search(records, wanted, par, cancel),
            Way::Mixed { frame, mixed } => {
                let points = frame.points(&records.features.points)?;
                let codes = codes(frame, records)?;
                mixed.search(&points, &codes, wanted, par, cancel)
            }
            Way::Plain {
                frame,
                index,
                mixed,
            } => {
                let queries = frame.points(&records.features.points)?;
                let gaps: Vec<usize> = (0..queries.rows())
                    .filter(|&row| queries.row(row).iter().any(|v| v.is_nan()))
                    .collect();
                let Some(&first) = gaps.first() else {
                    return index.search(&queries, wanted, par, cancel);
                };
                if frame.whitening.is_some() || frame.metric == DistanceMetric::Cosine {
                    let values = &records.features.points;
                    let column = column_of_gap(values, first);
                    return Err(cell(records, first, column, "the value is missing"));
                }
                let mixed = if let Some(mixed) = mixed.get() {
                    mixed
                } else {
                    let made = Mixed::new(frame, index.points(), &[]);
                    mixed.get_or_init(|| made)
                };
                let others: Vec<usize> = (0..queries.rows())
                    .filter(|row| gaps.binary_search(row).is_err())
                    .collect();
                let with = queries.select_rows(&gaps);
                let without = queries.select_rows(&others);
                let with = mixed.search(&with, &[], wanted, par, cancel)?;
                let without = index.search(&without, wanted, par, cancel)?;
                Ok(merged(&gaps, &with, &without))
            }
        }
    }

    /// Finds the neighbours of the rows themselves, each without itself; `records` are the rows.
    ///
    /// # Errors
    /// As [`Searcher::search`].
    pub fn search_others(
        &self,
        records: &Records,
        wanted: Wanted,
        par: Par,
        cancel: &Cancel,
    ) -> Result<Found> {
        let more = match wanted {
            Wanted::Nearest(k) => Wanted::Nearest(k + 1),
            within @ Wanted::Within(_) => within,
        };
        let all = self.search(records, more, par, cancel)?;
        let mut found = Found {
            starts: vec![0],
            ..Found::default()
        };
        for row in 0..all.len() {
            let (near, distances) = all.of(row);
            // Of many rows equal to this one it may not be among the nearest itself.
            let skipped = near.iter().position(|other| *other as usize == row);
            let end = match (skipped, wanted) {
                (None, Wanted::Nearest(k)) => near.len().min(k),
                _ => near.len(),
            };
            for k in (0..end).filter(|k| Some(*k) != skipped) {
                found.rows.push(near[k]);
                found.distances.push(distances[k]);
            }
            found.starts.push(found.rows.len());
        }
        Ok(found)
    }
}

/// The lists of rows with gaps and of those without, in the order of all rows.
fn merged(gaps: &[usize], with: &Found, without: &Found) -> Found {
    let mut all = Found {
        starts: vec![0],
        ..Found::default()
    };
    let (mut one, mut other) = (0, 0);
    for row in 0..with.len() + without.len() {
        let (rows, distances) = if gaps.get(one) == Some(&row) {
            one += 1;
            with.of(one - 1)
        } else {
            other += 1;
            without.of(other - 1)
        };
        all.rows.extend_from_slice(rows);
        all.distances.extend_from_slice(distances);
        all.starts.push(all.rows.len());
    }
    all
}

/// The codes of every category of a frame.
fn codes<'a>(frame: &Frame, records: &'a Records) -> Result<Vec<&'a [u32]>> {
    let of = |source: &String| {
        let found = records.codes.iter().find(|codes| codes.source == *source);
        let found = found.map(|codes| codes.codes.as_slice());
        found.ok_or_else(|| Error::Unknown {
            kind: "column",
            name: source.clone(),
            known: records.codes.iter().map(|c| c.source.clone()).collect(),
        })
    };
    frame.codes.iter().map(of).collect()
}

fn column_of_gap(points: &Points, row: usize) -> usize {
    let line = points.slice(row..row + 1);
    line.first_not_finite().map_or(0, |(_, column)| column)
}

fn cell(records: &Records, row: usize, column: usize, problem: &str) -> Error {
    Error::Cell {
        place: format!("row {}", row + 1),
        column: records.features.name(column),
        problem: problem.to_owned(),
        cure: "give a finite number".into(),
    }
}
