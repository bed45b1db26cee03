//! Kernels that compare two rows at a time, in double precision.
//!
//! The way for kernels that no matrix product computes, and for widths so small that
//! squared distances from dot products would be all rounding error.

use mercer_linalg::{MatrixMut, Par, Precision, Real, Rows};

use super::{BoundKernel, QuerySide, TileMut, fill};
use crate::Result;
use crate::data::Records;

/// Half the distance from 1 to the next f32: the largest relative error of rounding to f32.
pub(super) const UNIT: f64 = f32::EPSILON as f64 / 2.0;

/// Largest kernel value that f32 holds with room for sums.
pub(super) const LARGEST_SINGLE: f64 = 1e37;

/// Smallest largest value that keeps all its digits in f32.
pub(super) const SMALLEST_SINGLE: f64 = 1e-30;

/// A function of two rows, to be bound by [`Pairwise`].
///
/// Values must not depend on anything but the two rows, and k(x, z) must have the bits of k(z, x):
/// add up in an order that is the same for both. Whether matrices of it are positive semidefinite
/// is for the family to say; [`check_gram`](super::check_gram) looks at one.
pub trait Compare: Send + Sync {
    /// What is kept of rows.
    type Rows: Send + Sync;

    /// Takes from records what the comparison needs.
    ///
    /// # Errors
    /// Records that cannot be compared.
    fn take(&self, records: &Records) -> Result<Self::Rows>;

    /// Checks that new rows go with bound ones; without a check, all do.
    ///
    /// # Errors
    /// Rows of another shape.
    fn matches(&self, _bound: &Self::Rows, _new: &Self::Rows) -> Result<()> {
        Ok(())
    }

    /// Returns k of row `i` of one set and row `j` of another, which is bound.
    fn value(&self, left: &Self::Rows, i: usize, right: &Self::Rows, j: usize) -> f64;

    /// Returns k of a row of a set that is not bound with itself.
    fn own(&self, rows: &Self::Rows, i: usize) -> f64 {
        self.value(rows, i, rows, i)
    }

    /// Writes k of row `i` of one set and each of some rows of another, which is bound.
    fn row(
        &self,
        left: &Self::Rows,
        i: usize,
        right: &Self::Rows,
        columns: &Rows<'_>,
        out: &mut [f64],
    ) {
        for (j, value) in out.iter_mut().enumerate() {
            *value = self.value(left, i, right, columns.get(j));
        }
    }

    /// Returns k of each of the first rows of the bound set with itself.
    fn diagonal(&self, rows: &Self::Rows, count: usize) -> Vec<f64> {
        (0..count).map(|i| self.value(rows, i, rows, i)).collect()
    }

    /// Returns how many products of numbers a value is worth, as far as it is many.
    fn cost(&self, _rows: &Self::Rows) -> usize {
        1
    }

    /// Returns a bound on |k|, where the diagonal is none.
    fn largest(&self, _rows: &Self::Rows) -> Option<f64> {
        None
    }
}

/// A comparison bound to rows.
pub struct Pairwise<C: Compare> {
    compare: C,
    rows: C::Rows,
    /// k of every bound row with itself.
    diagonal: Vec<f64>,
    cost: usize,
    rounding: f64,
}

impl<C: Compare> Pairwise<C> {
    /// Binds a comparison to rows.
    ///
    /// # Errors
    /// Records that cannot be compared.
    pub fn try_new(compare: C, records: &Records) -> Result<Self> {
        let rows = compare.take(records)?;
        let diagonal = compare.diagonal(&rows, records.len());
        let top = diagonal.iter().copied().fold(0.0, f64::max);
        let largest = compare.largest(&rows).unwrap_or(top);
        let rounding = single_rounding(largest, top);
        Ok(Self {
            cost: compare.cost(&rows).max(1),
            compare,
            rows,
            diagonal,
            rounding,
        })
    }

    /// Writes a block of values of some rows with bound ones.
    fn write(
        &self,
        left: &C::Rows,
        rows: &Rows<'_>,
        columns: &Rows<'_>,
        out: TileMut<'_>,
        par: Par,
    ) {
        let bound = &self.rows;
        match out {
            TileMut::F64(out) => fill::dear_rows(out, par, self.cost, &|i, out| {
                self.compare.row(left, rows.get(i), bound, columns, out);
            }),
            TileMut::F32(out) => fill::dear_rows(out, par, self.cost, &|i, out: &mut [f32]| {
                let mut wide = vec![0.0; out.len()];
                self.compare
                    .row(left, rows.get(i), bound, columns, &mut wide);
                for (out, value) in out.iter_mut().zip(wide) {
                    *out = value as f32;
                }
            }),
        }
    }

    /// Writes the block of a run of rows with itself, of which half is computed.
    fn write_symmetric(&self, run: &std::ops::Range<usize>, out: TileMut<'_>, par: Par) {
        fn mirror<T: Real>(mut out: MatrixMut<'_, T>) {
            for i in 1..out.rows() {
                for j in 0..i {
                    let value = out.row(j)[i];
                    out.row_mut(i)[j] = value;
                }
            }
        }
        let half = |i: usize, out: &mut [f64]| {
            let columns = Rows::Range(run.start + i..run.end);
            let rows = &self.rows;
            self.compare.row(rows, run.start + i, rows, &columns, out);
        };
        match out {
            TileMut::F64(mut out) => {
                let half = |i: usize, out: &mut [f64]| half(i, &mut out[i..]);
                fill::dear_rows(out.reborrow(), par, self.cost, &half);
                mirror(out);
            }
            TileMut::F32(mut out) => {
                let half = |i: usize, out: &mut [f32]| {
                    let mut wide = vec![0.0; out.len() - i];
                    half(i, &mut wide);
                    for (out, value) in out[i..].iter_mut().zip(wide) {
                        *out = value as f32;
                    }
                };
                fill::dear_rows(out.reborrow(), par, self.cost, &half);
                mirror(out);
            }
        }
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
        self.diagonal.len()
    }

    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, out: TileMut<'_>, par: Par) {
        match (&rows, &columns) {
            (Rows::Range(run), Rows::Range(same)) if run == same && self.cost > 1 => {
                self.write_symmetric(run, out, par);
            }
            _ => self.write(&self.rows, &rows, &columns, out, par),
        }
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        out.copy_from_slice(&self.diagonal);
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
        self.bound.write(&self.rows, &rows, &columns, out, par);
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        for (i, value) in out.iter_mut().enumerate() {
            *value = self.bound.compare.own(&self.rows, i);
        }
        fill::round(out, precision);
    }
}
