//! Access to a kernel matrix that may never exist in memory.
//!
//! A solver sees a [`Gram`]: rows on demand, the diagonal from the same source, and exact
//! products K·v. [`DenseGram`] holds the whole matrix, [`CachedGram`] keeps as many rows as
//! a byte budget allows, [`SignedGram`] multiplies by labels. An entry is the same bit for
//! bit whichever of them delivers it, so memory limits never change an answer.

mod cached;
mod dense;
mod lru;
mod signed;
mod source;

pub use cached::CachedGram;
pub use dense::DenseGram;
pub use signed::SignedGram;
pub use source::{KernelSource, TileElement};

use std::ops::{Deref, Range};
use std::sync::Arc;

use mercer_linalg::{Par, Real};
use rayon::prelude::*;

use crate::Result;

/// One row of a kernel matrix, held for as long as the value lives.
pub enum GramRow<'a, T> {
    /// A row of a stored matrix.
    Borrowed(&'a [T]),
    /// A row shared with a cache that may forget it meanwhile.
    Shared(Arc<Vec<T>>),
}

impl<T> Deref for GramRow<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Borrowed(row) => row,
            Self::Shared(row) => row,
        }
    }
}

/// An n × n symmetric kernel matrix.
pub trait Gram<T: Real>: Send + Sync {
    /// Returns n.
    fn len(&self) -> usize;

    /// Returns whether there are no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a whole row.
    fn row(&self, i: usize) -> GramRow<'_, T>;

    /// Returns whether a row can be had without computing it.
    fn is_held(&self, _i: usize) -> bool {
        true
    }

    /// Computes rows that are likely to be asked for next, all at once: a block of rows costs
    /// little more than one, because the data pass through memory only once.
    fn prefetch(&self, _rows: &[u32]) {}

    /// Returns the diagonal, equal to the entries that rows hold.
    fn diagonal(&self) -> &[f64];

    /// Returns how many kernel values were computed so far.
    fn evaluations(&self) -> u64;

    /// Returns the largest number of bytes held at one time.
    fn peak_bytes(&self) -> u64;

    /// Computes K·v in double precision, adding the rows in ascending order.
    ///
    /// # Errors
    /// Cancellation.
    fn apply(&self, v: &[f64]) -> Result<Vec<f64>>;
}

/// Columns whose sums one task accumulates; fixed, so that threads change nothing.
const SUM_BLOCK: usize = 4096;

/// Adds `Σ_k coefficients[k] · rows[k]` to `out`, in the order of k for every column.
pub(crate) fn accumulate<T: Real>(
    coefficients: &[f64],
    rows: &[GramRow<'_, T>],
    out: &mut [f64],
    par: Par,
) {
    let add = |(block, out): (usize, &mut [f64])| {
        let span: Range<usize> = block * SUM_BLOCK..block * SUM_BLOCK + out.len();
        for (&c, row) in coefficients.iter().zip(rows) {
            for (o, k) in out.iter_mut().zip(&row[span.clone()]) {
                *o += c * k.to_f64();
            }
        }
    };
    match par {
        Par::Sequential => out.chunks_mut(SUM_BLOCK).enumerate().for_each(add),
        Par::Rayon => out.par_chunks_mut(SUM_BLOCK).enumerate().for_each(add),
    }
}
