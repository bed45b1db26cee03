//! Decisions, block by block of rows.

use mercer_linalg::{Matrix, Par};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use crate::fit::Cancel;
use crate::{Error, Result};

/// Makes a matrix of a line per row; `fill` gets the first row of a block and the numbers of its lines.
///
/// Blocks are the same for any number of threads.
pub(in crate::model::form) fn in_blocks(
    [rows, width]: [usize; 2],
    block: usize,
    par: Par,
    cancel: &Cancel,
    fill: impl Fn(usize, &mut [f64]) + Sync,
) -> Result<Matrix<f64>> {
    let mut out = Matrix::zeros(rows, width);
    let one = |(number, lines): (usize, &mut [f64])| {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        fill(number * block, lines);
        Ok(())
    };
    let length = block * width;
    if par == Par::Sequential {
        let mut blocks = out.as_mut_slice().chunks_mut(length).enumerate();
        blocks.try_for_each(one)?;
    } else {
        let blocks = out.as_mut_slice().par_chunks_mut(length).enumerate();
        blocks.try_for_each(one)?;
    }
    Ok(out)
}
