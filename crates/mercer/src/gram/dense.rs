//! A kernel matrix held in memory as a whole.

use std::ops::Range;

use mercer_linalg::{Matrix, MatrixMut, Par, Real};
use rayon::prelude::*;

use super::source::TileElement;
use super::{Gram, GramRow, KernelSource, accumulate};
use crate::fit::Cancel;
use crate::{Error, Result};

/// Rows of a block; a block row of f32 stays in the second-level cache.
const BLOCK: usize = 256;

/// A stored kernel matrix.
pub struct DenseGram<T> {
    matrix: Matrix<T>,
    diagonal: Vec<f64>,
    evaluations: u64,
    par: Par,
}

impl<T: TileElement> DenseGram<T> {
    /// Computes the matrix, half of it by symmetry.
    ///
    /// # Errors
    /// Cancellation.
    pub fn try_new(source: &KernelSource<'_>, par: Par, cancel: &Cancel) -> Result<Self> {
        let n = source.len();
        let mut matrix = Matrix::zeros(n, n);
        let fill = |(block, rows): (usize, &mut [T])| {
            if cancel.is_cancelled() {
                return;
            }
            let first = block * BLOCK;
            let height = rows.len() / n;
            // Only columns from the diagonal block on; the rest is mirrored below.
            let tile = MatrixMut::from_slice(height, n, rows).submatrix(0..height, first..n);
            source.fill_block(first..first + height, tile, first);
        };
        let chunk = (BLOCK * n).max(1);
        match par {
            Par::Sequential => matrix
                .as_mut_slice()
                .chunks_mut(chunk)
                .enumerate()
                .for_each(fill),
            Par::Rayon => matrix
                .as_mut_slice()
                .par_chunks_mut(chunk)
                .enumerate()
                .for_each(fill),
        }
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        mirror(&mut matrix);
        let diagonal = (0..n).map(|i| matrix[(i, i)].to_f64()).collect();
        Ok(Self {
            matrix,
            diagonal,
            evaluations: source.evaluations(),
            par,
        })
    }

    /// Returns the sub-matrix of some runs of rows.
    #[must_use]
    pub fn subset(&self, spans: &[Range<usize>], par: Par) -> Self {
        let n = spans.iter().map(ExactSizeIterator::len).sum();
        let mut values = Vec::with_capacity(n * n);
        for i in spans.iter().cloned().flatten() {
            let row = self.matrix.row(i);
            for span in spans {
                values.extend_from_slice(&row[span.clone()]);
            }
        }
        let matrix = Matrix::from_vec(n, n, values);
        Self {
            diagonal: (0..n).map(|i| matrix[(i, i)].to_f64()).collect(),
            matrix,
            evaluations: 0,
            par,
        }
    }

    /// Returns how many bytes a matrix of `n` rows takes.
    pub fn bytes(n: usize) -> u64 {
        (n as u64) * (n as u64) * size_of::<T>() as u64
    }
}

/// Copies the upper triangle onto the lower one, block by block.
fn mirror<T: Real>(matrix: &mut Matrix<T>) {
    let n = matrix.rows();
    let values = matrix.as_mut_slice();
    for row_block in (0..n).step_by(BLOCK) {
        for column_block in (0..=row_block).step_by(BLOCK) {
            for i in row_block..(row_block + BLOCK).min(n) {
                for j in column_block..(column_block + BLOCK).min(i) {
                    values[i * n + j] = values[j * n + i];
                }
            }
        }
    }
}

impl<T: TileElement> Gram<T> for DenseGram<T> {
    fn len(&self) -> usize {
        self.matrix.rows()
    }

    fn row(&self, i: usize) -> GramRow<'_, T> {
        GramRow::Borrowed(self.matrix.row(i))
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }

    fn peak_bytes(&self) -> u64 {
        Self::bytes(self.len())
    }

    fn apply(&self, v: &[f64]) -> Result<Vec<f64>> {
        let mut out = vec![0.0; self.len()];
        let (coefficients, rows): (Vec<f64>, Vec<GramRow<'_, T>>) = v
            .iter()
            .enumerate()
            .filter(|(_, c)| **c != 0.0)
            .map(|(i, &c)| (c, self.row(i)))
            .unzip();
        accumulate(&coefficients, &rows, &mut out, self.par);
        Ok(out)
    }
}
