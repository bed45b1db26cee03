//! Kernels bound to rows: what solvers and predictors evaluate.

use mercer_linalg::{MatrixMut, Par, Precision, Rows};

use crate::Result;
use crate::data::Records;

/// A block of kernel values to be written, in either precision.
pub enum TileMut<'a> {
    /// Single precision: what solvers cache.
    F32(MatrixMut<'a, f32>),
    /// Double precision.
    F64(MatrixMut<'a, f64>),
}

impl TileMut<'_> {
    /// Returns the precision of the values.
    pub fn precision(&self) -> Precision {
        match self {
            Self::F32(_) => Precision::F32,
            Self::F64(_) => Precision::F64,
        }
    }

    /// Returns a shorter borrow of the same block.
    pub fn reborrow(&mut self) -> TileMut<'_> {
        match self {
            Self::F32(out) => TileMut::F32(out.reborrow()),
            Self::F64(out) => TileMut::F64(out.reborrow()),
        }
    }
}

/// A kernel bound to a set of rows.
///
/// Norms, packed panels and dictionaries are computed once, on first use at a precision. An
/// entry depends on its two rows and the precision only: never on the shape of the tile it
/// is part of, nor on the number of threads; and k(i, j) equals k(j, i) bit for bit, as far
/// as a given matrix is symmetric.
pub trait BoundKernel: Send + Sync {
    /// Returns the number of bound rows.
    fn len(&self) -> usize;

    /// Returns whether no row is bound.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes k over a block of bound rows against bound rows.
    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, out: TileMut<'_>, par: Par);

    /// Writes k(i, i) of every bound row, as a tile of that precision would hold it.
    fn diagonal(&self, precision: Precision, out: &mut [f64]);

    /// Prepares new rows for comparison with the bound ones.
    ///
    /// # Errors
    /// Rows of another shape than the bound ones.
    fn query<'a>(&'a self, rows: &Records) -> Result<Box<dyn QuerySide + 'a>>;

    /// Bounds the error of an f32 entry, relative to the largest diagonal entry.
    ///
    /// Solvers choose the precision by it: cancellation in squared distances or large
    /// exponents make f32 entries wrong long before they look wrong.
    fn rounding_error(&self) -> f64;
}

/// New rows prepared for comparison with bound ones.
pub trait QuerySide: Send + Sync {
    /// Returns the number of new rows.
    fn len(&self) -> usize;

    /// Returns whether there is no new row.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes k over a block of new rows against bound rows.
    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, out: TileMut<'_>, par: Par);

    /// Writes k(x, x) of every new row; NaN where a given matrix does not hold it.
    fn diagonal(&self, precision: Precision, out: &mut [f64]);
}
