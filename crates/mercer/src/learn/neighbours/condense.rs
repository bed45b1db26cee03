//! IB2: rows that those before them misclassify.

use mercer_linalg::Par;

use crate::data::Records;
use crate::fit::FitContext;
use crate::solver::neighbours::{Frame, IndexChoice, Searcher, Wanted};
use crate::{Error, Result};

/// Rows that are asked about at a time.
const BATCH: usize = 256;

/// The rows that are kept, and whether all were visited.
pub(super) struct Kept {
    pub(super) rows: Vec<usize>,
    pub(super) finished: bool,
}

/// Visits rows in order and keeps those whose nearest kept row is of another class.
///
/// A batch is compared with all rows that were kept before it at once; rows that it adds are
/// compared with the rest of the batch as they come. Ties go to the row that was kept first, which is the
/// one with the lower number.
pub(super) fn condense(
    records: &Records,
    classes: &[u32],
    frame: &Frame,
    context: &FitContext,
) -> Result<Kept> {
    let n = records.len();
    let mut kept: Vec<usize> = vec![0];
    let mut start = 1;
    while start < n {
        if !context.goes_on() {
            if context.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            return Ok(Kept {
                rows: kept,
                finished: false,
            });
        }
        let end = (start + BATCH).min(n);
        let own = records.select(&kept);
        let searcher = Searcher::by_columns(frame, &own, IndexChoice::Auto)?;
        let batch = records.slice(start..end);
        let one = Wanted::Nearest(1);
        let found = searcher.search(&batch, one, context.par(), &context.cancel)?;
        let mut nearest: Vec<(f64, usize)> = (0..batch.len())
            .map(|row| {
                let (rows, distances) = found.of(row);
                (distances[0], kept[rows[0] as usize])
            })
            .collect();
        for place in 0..batch.len() {
            let row = start + place;
            if classes[nearest[place].1] == classes[row] {
                continue;
            }
            kept.push(row);
            let rest = batch.slice(place + 1..batch.len());
            if rest.is_empty() {
                break;
            }
            // The new row is a neighbour of the rest of its batch.
            let new =
                Searcher::by_columns(frame, &records.slice(row..row + 1), IndexChoice::Brute)?;
            let found = new.search(&rest, one, Par::Sequential, &context.cancel)?;
            for (k, nearest) in nearest[place + 1..].iter_mut().enumerate() {
                let distance = found.distances[k];
                if distance < nearest.0 {
                    *nearest = (distance, row);
                }
            }
        }
        start = end;
    }
    Ok(Kept {
        rows: kept,
        finished: true,
    })
}
