//! Numbers with gaps beside categories, column by column.

use mercer_linalg::{Matrix, Par};
use rayon::prelude::*;

use super::best::{Best, Found, Wanted};
use super::frame::Frame;
use super::metric::DistanceMetric;
use crate::data::MISSING_CODE;
use crate::fit::Cancel;
use crate::{Error, Result};

/// Rows whose sums wait together: 8 KiB of them.
const RUN: usize = 1024;
/// New rows of one task.
const BLOCK: usize = 16;

#[derive(Debug)]
struct Numbers {
    values: Vec<f64>,
    low: f64,
    high: f64,
}

#[derive(Debug)]
struct Codes {
    codes: Vec<u32>,
    /// What two categories that differ count as a difference of.
    size: f64,
}

/// Rows by column.
#[derive(Debug)]
pub(super) struct Mixed {
    rows: usize,
    metric: DistanceMetric,
    numbers: Vec<Numbers>,
    codes: Vec<Codes>,
}

impl Mixed {
    /// Takes the points of a frame, and the codes of its categories.
    pub(super) fn new(frame: &Frame, points: &Matrix<f64>, codes: &[&[u32]]) -> Self {
        let number = |j: usize| {
            let (low, high) = frame.ends(j);
            Numbers {
                values: (0..points.rows()).map(|row| points[(row, j)]).collect(),
                low,
                high,
            }
        };
        // Whitened directions have no gaps, and no ends either.
        let whitened = |j: usize| Numbers {
            values: (0..points.rows()).map(|row| points[(row, j)]).collect(),
            low: 0.0,
            high: 0.0,
        };
        let columns = 0..points.columns();
        let numbers = if frame.whitening.is_some() {
            columns.map(whitened).collect()
        } else {
            columns.map(number).collect()
        };
        let categories = codes.iter().zip(&frame.code_weights);
        Self {
            rows: points.rows(),
            metric: frame.metric,
            numbers,
            codes: categories
                .map(|(codes, weight)| Codes {
                    codes: codes.to_vec(),
                    size: frame.root(*weight),
                })
                .collect(),
        }
    }

    pub(super) fn work(&self) -> f64 {
        (self.rows * (self.numbers.len() + self.codes.len())) as f64 * 2.0
    }

    pub(super) fn search(
        &self,
        queries: &Matrix<f64>,
        codes: &[&[u32]],
        wanted: Wanted,
        par: Par,
        cancel: &Cancel,
    ) -> Result<Found> {
        let wanted = match wanted {
            Wanted::Nearest(k) => Wanted::Nearest(k.min(self.rows)),
            Wanted::Within(radius) => Wanted::Within(self.metric.of_distance(radius)),
        };
        let block = |start: usize| {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let mut found = Found {
                starts: vec![0],
                ..Found::default()
            };
            let mut sums = vec![0.0; RUN.min(self.rows)];
            for row in start..(start + BLOCK).min(queries.rows()) {
                let mut best = Best::new(wanted);
                for first in (0..self.rows).step_by(RUN) {
                    let sums = &mut sums[..RUN.min(self.rows - first)];
                    self.add_up(queries.row(row), codes, row, first, sums);
                    for (k, sum) in sums.iter().enumerate() {
                        if *sum <= best.limit().reduced {
                            best.offer(*sum, (first + k) as u32);
                        }
                    }
                }
                best.finish(|reduced| self.metric.distance(reduced), &mut found);
            }
            Ok(found)
        };
        let starts = (0..queries.rows()).step_by(BLOCK);
        let parts: Vec<Found> = if par == Par::Sequential {
            starts.map(block).collect::<Result<_>>()?
        } else {
            let starts: Vec<usize> = starts.collect();
            let parts = starts.into_par_iter().with_max_len(1).map(block);
            parts.collect::<Result<_>>()?
        };
        Ok(Found::joined(parts))
    }

    /// What a row and a run of rows from `first` on are compared by.
    fn add_up(&self, query: &[f64], codes: &[&[u32]], row: usize, first: usize, sums: &mut [f64]) {
        let measure = self.metric.measure();
        sums.fill(0.0);
        for (x, column) in query.iter().zip(&self.numbers) {
            let values = &column.values[first..first + sums.len()];
            let far = |x: f64| (x - column.low).max(column.high - x);
            if x.is_nan() {
                for (sum, z) in sums.iter_mut().zip(values) {
                    let size = if z.is_nan() {
                        column.high - column.low
                    } else {
                        far(*z)
                    };
                    *sum = measure.add_difference(*sum, size);
                }
            } else {
                let missing = far(*x);
                for (sum, z) in sums.iter_mut().zip(values) {
                    let size = if z.is_nan() { missing } else { (x - z).abs() };
                    *sum = measure.add_difference(*sum, size);
                }
            }
        }
        for (own, column) in codes.iter().zip(&self.codes) {
            let code = own[row];
            let others = &column.codes[first..first + sums.len()];
            for (sum, other) in sums.iter_mut().zip(others) {
                let same = code == *other && code != MISSING_CODE;
                let size = if same { 0.0 } else { column.size };
                *sum = measure.add_difference(*sum, size);
            }
        }
    }
}

/// What one column adds to the sums of two rows, for weights that are looked for.
pub(crate) fn column_term(frame: &Frame, feature: usize, x: f64, z: f64) -> f64 {
    let (low, high) = (frame.low[feature], frame.high[feature]);
    let far = |x: f64| (x - low).max(high - x);
    let size = match (x.is_nan(), z.is_nan()) {
        (true, true) => high - low,
        (true, false) => far(z),
        (false, true) => far(x),
        (false, false) => (x - z).abs(),
    };
    frame.metric.measure().add_difference(0.0, size)
}
