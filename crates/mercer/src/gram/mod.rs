//! Access to a kernel matrix that may never exist in memory.
//!
//! A solver sees a [`Gram`]: blocks on demand, the diagonal from the same source, and sums
//! of rows. [`StreamedGram`] computes every value where it is used, [`StoredGram`] also keeps
//! rows within a byte budget, [`SignedGram`] multiplies by labels; [`GramProduct`] multiplies blocks of columns; `distances` has rows that are
//! made of distances, for searches over widths. An entry is the same bit
//! for bit whichever of them delivers it, so memory limits never change a result.

mod distances;
mod lru;
mod product;
mod signed;
mod source;
mod stored;
mod streamed;

pub(crate) use distances::{Distance, Distances, KernelRows, radial, whole};
pub use product::GramProduct;
pub use signed::SignedGram;
pub use source::{KernelSource, TileElement};
pub use stored::StoredGram;
pub use streamed::StreamedGram;

use mercer_linalg::{MatrixMut, Real};

pub use mercer_linalg::Proceed;

/// An n × n symmetric kernel matrix.
pub trait Gram<T: Real>: Send + Sync {
    /// Returns n.
    fn len(&self) -> usize;

    /// Returns whether there are no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the block of some rows against some columns.
    fn block(&self, rows: &[u32], columns: &[u32], out: MatrixMut<'_, T>);

    /// Adds Σ_k c_k K(r_k, ·) to `out`, in double precision and in the order of k.
    ///
    /// `out` has one place per column of `columns`, or n places without them. Returns whether
    /// all was added; otherwise `out` is worthless.
    fn add_rows(
        &self,
        rows: &[u32],
        coefficients: &[f64],
        columns: Option<&[u32]>,
        out: &mut [f64],
        proceed: Proceed<'_>,
    ) -> bool;

    /// Returns the diagonal, equal to the entries that blocks hold.
    fn diagonal(&self) -> &[f64];

    /// Returns how many kernel values were computed so far.
    fn evaluations(&self) -> u64;

    /// Returns the largest number of bytes held at one time.
    fn peak_bytes(&self) -> u64;
}
