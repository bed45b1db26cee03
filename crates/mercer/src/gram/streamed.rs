//! A kernel matrix of which nothing is kept.

use mercer_linalg::{MatrixMut, Par};

use super::source::TileElement;
use super::{Gram, KernelSource, Proceed};

/// A kernel matrix whose values are computed where they are used and forgotten at once.
///
/// For kernels of a few dozen features this is faster than memory: reading a stored row takes
/// as long as computing it, and writing it the first time takes longer.
pub struct StreamedGram<'a, T> {
    source: KernelSource<'a>,
    diagonal: Vec<f64>,
    par: Par,
    element: std::marker::PhantomData<T>,
}

impl<'a, T: TileElement> StreamedGram<'a, T> {
    /// Prepares a kernel.
    pub fn new(source: KernelSource<'a>, par: Par) -> Self {
        Self {
            diagonal: source.diagonal::<T>(),
            source,
            par,
            element: std::marker::PhantomData,
        }
    }
}

impl<T: TileElement> Gram<T> for StreamedGram<'_, T> {
    fn len(&self) -> usize {
        self.source.len()
    }

    fn block(&self, rows: &[u32], columns: &[u32], out: MatrixMut<'_, T>) {
        self.source.block(rows, columns, out, self.par);
    }

    fn add_rows(
        &self,
        rows: &[u32],
        coefficients: &[f64],
        columns: Option<&[u32]>,
        out: &mut [f64],
        proceed: Proceed<'_>,
    ) -> bool {
        self.source
            .add_rows::<T>(rows, coefficients, columns, out, self.par, proceed)
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    fn evaluations(&self) -> u64 {
        self.source.evaluations()
    }

    fn peak_bytes(&self) -> u64 {
        KernelSource::summing_bytes::<T>(self.len(), self.par)
    }
}
