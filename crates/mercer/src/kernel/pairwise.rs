//! Kernels that compare two rows at a time, in double precision.
//!
//! The way for kernels that no matrix product computes, and for widths so small that
//! squared distances from dot products would be all rounding error.

use mercer_linalg::{Par, Precision, Rows};

use super::{BoundKernel, QuerySide, TileMut, fill};
use crate::Result;
use crate::data::Records;

/// Half the distance from 1 to the next f32: the largest relative error of rounding to f32.
pub(super) const UNIT: f64 = f32::EPSILON as f64 / 2.0;

/// Largest kernel value that f32 holds with room for sums.
pub(super) const LARGEST_SINGLE: f64 = 1e37;

/// Smallest largest value that keeps all its digits in f32.
pub(super) const SMALLEST_SINGLE: f64 = 1e-30;

/// A function of two rows.
pub(super) trait Compare: Send + Sync {
    /// What is kept of rows.
    type Rows: Send + Sync;

    /// Takes from records what the comparison needs.
    ///
    /// # Errors
    /// Records that cannot be compared.
    fn take(&self, records: &Records) -> Result<Self::Rows>;

    /// Checks that new rows go with bound ones.
    ///
    /// # Errors
    /// Rows of another shape.
    fn matches(&self, bound: &Self::Rows, new: &Self::Rows) -> Result<()>;

    /// Returns k of row `i` of one set and row `j` of another, which is bound.
    fn value(&self, left: &Self::Rows, i: usize, right: &Self::Rows, j: usize) -> f64;

    /// Returns k of a row of a set that is not bound with itself.
    fn own(&self, rows: &Self::Rows, i: usize) -> f64 {
        self.value(rows, i, rows, i)
    }

    /// Returns a bound on |k|, where the diagonal is none.
    fn largest(&self, _rows: &Self::Rows) -> Option<f64> {
        None
    }
}

/// A comparison bound to rows.
pub(super) struct Pairwise<C: Compare> {
    compare: C,
    rows: C::Rows,
    len: usize,
    rounding: f64,
}

impl<C: Compare> Pairwise<C> {
    pub(super) fn try_new(compare: C, records: &Records) -> Result<Self> {
        let rows = compare.take(records)?;
        let len = records.len();
        let diagonal = (0..len).map(|i| compare.value(&rows, i, &rows, i));
        let top = diagonal.fold(0.0_f64, f64::max);
        let largest = compare.largest(&rows).unwrap_or(top);
        let rounding = single_rounding(largest, top);
        Ok(Self {
            compare,
            rows,
            len,
            rounding,
        })
    }
}

/// Bounds the error of rounding values to f32, relative to the largest diagonal entry.
pub(super) fn single_rounding(largest: f64, top: f64) -> f64 {
    if largest == 0.0 {
        0.0
    } else if largest < LARGEST_SINGLE && top > SMALLEST_SINGLE {
        UNIT * largest / top
    } else {
        f64::INFINITY
    }
}

impl<C: Compare> BoundKernel for Pairwise<C> {
    fn len(&self) -> usize {
        self.len
    }

    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, out: TileMut<'_>, par: Par) {
        fill::entries(out, par, &|i, j| {
            let (i, j) = (rows.get(i), columns.get(j));
            self.compare.value(&self.rows, i, &self.rows, j)
        });
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        for (i, value) in out.iter_mut().enumerate() {
            *value = self.compare.value(&self.rows, i, &self.rows, i);
        }
        fill::round(out, precision);
    }

    fn query<'a>(&'a self, rows: &Records) -> Result<Box<dyn QuerySide + 'a>> {
        let new = self.compare.take(rows)?;
        self.compare.matches(&self.rows, &new)?;
        Ok(Box::new(PairwiseQuery {
            bound: self,
            rows: new,
            len: rows.len(),
        }))
    }

    fn rounding_error(&self) -> f64 {
        self.rounding
    }
}

struct PairwiseQuery<'a, C: Compare> {
    bound: &'a Pairwise<C>,
    rows: C::Rows,
    len: usize,
}

impl<C: Compare> QuerySide for PairwiseQuery<'_, C> {
    fn len(&self) -> usize {
        self.len
    }

    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, out: TileMut<'_>, par: Par) {
        let bound = self.bound;
        fill::entries(out, par, &|i, j| {
            let (i, j) = (rows.get(i), columns.get(j));
            bound.compare.value(&self.rows, i, &bound.rows, j)
        });
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        for (i, value) in out.iter_mut().enumerate() {
            *value = self.bound.compare.own(&self.rows, i);
        }
        fill::round(out, precision);
    }
}
