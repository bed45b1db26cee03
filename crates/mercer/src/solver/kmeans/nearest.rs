//! New rows and the centres they are nearest to.

use std::ops::Range;

use mercer_linalg::{DenseRows, Matrix, MatrixMut, Par, Real, Rows, SparseRows};
use rayon::prelude::*;

use super::prepare::{TASK_ROWS, check_rows, power_of_two};
use super::space::{Centres, Scratch, Space};
use crate::data::{Block, Points, Records, each};
use crate::fit::Cancel;
use crate::{Error, Result};

/// Below this share of ‖x‖² + ‖c‖² a squared distance is computed from differences: what a product
/// of matrices leaves is then short of seven digits.
const LOST: f64 = 1e-8;

/// Number of a task with its labels and squared distances.
type Part<'a> = (usize, (&'a mut [u32], &'a mut [f64]));

/// Returns for every row the number of its nearest centre and the squared distance to it.
///
/// Of centres at one distance the first is the nearest. What is found for a row depends on the row and
/// the centres alone.
///
/// # Errors
/// Rows of another width than the centres, values that are not finite, no centres, cancellation.
pub fn nearest(
    centres: &Matrix<f64>,
    records: &Records,
    par: Par,
    cancel: &Cancel,
) -> Result<(Vec<u32>, Vec<f64>)> {
    let frame = Frame::try_new(centres, records)?;
    let n = records.len();
    let (mut codes, mut squares) = (vec![0; n], vec![0.0; n]);
    let parts = codes
        .chunks_mut(TASK_ROWS)
        .zip(squares.chunks_mut(TASK_ROWS));
    let parts: Vec<Part<'_>> = parts.enumerate().collect();
    let work = |(task, (codes, squares)): Part<'_>| {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let first = task * TASK_ROWS;
        let space = frame.space(first..first + codes.len());
        let within = &frame.centres;
        let mut scratch = Scratch::default();
        let all = Rows::Range(0..codes.len());
        space.nearest(within, &all, &mut scratch, |at, nearest| {
            let squared = space.squared(at, within, nearest.centre as usize);
            codes[at] = nearest.centre;
            squares[at] = squared / frame.scale / frame.scale;
        });
        Ok(())
    };
    run(parts, work, par)?;
    Ok((codes, squares))
}

/// Returns the distances of all rows to all centres, a line per row.
///
/// # Errors
/// As [`nearest`].
pub fn distances(
    centres: &Matrix<f64>,
    records: &Records,
    par: Par,
    cancel: &Cancel,
) -> Result<Matrix<f64>> {
    let frame = Frame::try_new(centres, records)?;
    let k = centres.rows();
    let mut out = Matrix::zeros(records.len(), k);
    let parts: Vec<(usize, &mut [f64])> = out
        .as_mut_slice()
        .chunks_mut(TASK_ROWS * k)
        .enumerate()
        .collect();
    let work = |(task, out): (usize, &mut [f64])| {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let first = task * TASK_ROWS;
        let n = out.len() / k;
        let space = frame.space(first..first + n);
        let within = &frame.centres;
        let step = Space::block_rows(k);
        let mut values = vec![0.0; k * step];
        for start in (0..n).step_by(step) {
            let width = step.min(n - start);
            let values = &mut values[..k * width];
            let block = MatrixMut::from_slice(k, width, &mut *values);
            space.block(within, Rows::Range(start..start + width), block);
            for at in 0..width {
                let row = start + at;
                for c in 0..k {
                    let squared = values[c * width + at];
                    let lost = LOST * (space.norm(row) + within.norm(c));
                    out[row * k + c] = if squared > lost && squared.is_finite() {
                        squared.sqrt() / frame.scale
                    } else {
                        frame.distance(first + row, c)
                    };
                }
            }
        }
        Ok(())
    };
    run(parts, work, par)?;
    Ok(out)
}

fn run<T: Send>(
    parts: Vec<T>,
    work: impl Fn(T) -> Result<()> + Sync + Send,
    par: Par,
) -> Result<()> {
    match par {
        Par::Sequential => parts.into_iter().try_for_each(work),
        Par::Rayon => parts.into_par_iter().with_max_len(1).try_for_each(work),
    }
}

/// Rows and centres around the mean of the centres, in units of their size.
struct Frame<'a> {
    given: &'a Matrix<f64>,
    points: &'a Points,
    /// In scaled units; none for sparse rows, whose zeros are to stay.
    shift: Vec<f64>,
    /// A power of two.
    scale: f64,
    centres: Centres,
}

impl<'a> Frame<'a> {
    fn try_new(centres: &'a Matrix<f64>, records: &'a Records) -> Result<Self> {
        let points = &records.features.points;
        if points.columns() != centres.columns() {
            return Err(Error::Length {
                what: "the table of new rows".to_owned(),
                found: points.columns(),
                expected: centres.columns(),
                unit: "numeric columns",
            });
        }
        check_rows(records)?;
        if centres.rows() == 0 {
            return Err(Error::model("it has no centres"));
        }
        let largest = centres
            .as_slice()
            .iter()
            .fold(0.0, |most: f64, c| most.max(c.abs()));
        let scale = power_of_two(largest);
        let k = centres.rows() as f64;
        let mut shift = vec![0.0; centres.columns()];
        if !points.is_sparse() {
            for c in 0..centres.rows() {
                for (shift, value) in shift.iter_mut().zip(centres.row(c)) {
                    *shift += value * scale / k;
                }
            }
        }
        let inner = Matrix::from_fn(centres.rows(), centres.columns(), |i, j| {
            centres[(i, j)] * scale - shift[j]
        });
        Ok(Self {
            given: centres,
            points,
            shift,
            scale,
            centres: Centres::new(inner, !points.is_sparse()),
        })
    }

    fn space(&self, rows: Range<usize>) -> Space {
        let part = self.points.slice(rows);
        each!(&part, block => match block {
            Block::Dense(rows) => {
                let values = Matrix::from_fn(rows.rows(), rows.columns(), |i, j| {
                    rows[(i, j)].to_f64() * self.scale - self.shift[j]
                });
                Space::Dense(DenseRows::from_matrix(values))
            }
            Block::Sparse(rows) => {
                let values = rows.map(|_, value| value.to_f64() * self.scale);
                Space::Sparse(SparseRows::from_csr(values))
            }
        })
    }

    /// One distance from differences, in units of the largest of them.
    fn distance(&self, row: usize, centre: usize) -> f64 {
        let half: Vec<f64> = match &self.points {
            Points::Double(block) => halves(block, row, self.given.row(centre)),
            Points::Single(block) => halves(block, row, self.given.row(centre)),
        };
        let largest = half.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        let scale = power_of_two(largest);
        let squares: f64 = half.iter().map(|v| (v * scale) * (v * scale)).sum();
        2.0 * (squares.sqrt() / scale)
    }
}

/// Half the differences of a row and a centre: halves do not overflow.
fn halves<T: Real>(block: &Block<T>, row: usize, centre: &[f64]) -> Vec<f64> {
    let mut out: Vec<f64> = centre.iter().map(|c| -0.5 * c).collect();
    match block {
        Block::Dense(rows) => {
            for (out, value) in out.iter_mut().zip(rows.row(row)) {
                *out += 0.5 * value.to_f64();
            }
        }
        Block::Sparse(rows) => {
            let (indices, values) = rows.row(row);
            for (&j, value) in indices.iter().zip(values) {
                out[j as usize] += 0.5 * value.to_f64();
            }
        }
    }
    out
}
