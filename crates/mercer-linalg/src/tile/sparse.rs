//! Sparse rows prepared once for tiles.

use crate::csr::Csr;
use crate::matrix::MatrixRef;
use crate::real::Real;
use crate::simd::{Kernel, Simd, dispatch};
use crate::tile::epilogue::Epilogue;

/// Sparse data points prepared for tiles: compressed rows and squared norms.
#[derive(Clone, Debug)]
pub struct SparseRows<T> {
    rows: Csr<T>,
    norms: Vec<T>,
    finite: Vec<bool>,
    all_finite: bool,
}

impl<T: Real> SparseRows<T> {
    /// Converts `x * scale`, computed in double precision and rounded once.
    ///
    /// The column numbers are shared with `rows`, and the values too where nothing is to be converted.
    ///
    /// # Panics
    ///
    /// When `scale` has not one value per column.
    pub fn new<U: Real>(rows: &Csr<U>, scale: Option<&[f64]>) -> Self {
        assert!(
            scale.is_none_or(|scale| scale.len() == rows.columns()),
            "scale"
        );
        Self::from_csr(match scale {
            None => rows.cast(),
            Some(scale) => rows.map(|j, value| T::from_f64(value.to_f64() * scale[j as usize])),
        })
    }

    /// Converts dense rows: queries of a model that was trained on sparse ones.
    ///
    /// # Panics
    ///
    /// When `scale` has not one value per column.
    pub fn from_dense<U: Real>(rows: MatrixRef<'_, U>, scale: Option<&[f64]>) -> Self {
        Self::new(&Csr::from_dense(rows), scale)
    }

    /// Prepares rows that are already in the right precision.
    pub fn from_csr(rows: Csr<T>) -> Self {
        let mut norms = vec![T::ZERO; rows.rows()];
        dispatch(Norms {
            rows: &rows,
            norms: &mut norms,
        });
        let finite: Vec<bool> = (0..rows.rows())
            .map(|i| rows.row(i).1.iter().all(|value| value.is_finite()))
            .collect();
        Self {
            all_finite: finite.iter().all(|&finite| finite),
            rows,
            norms,
            finite,
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows.rows()
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.rows.columns()
    }

    /// Column numbers and values of one row.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    #[inline]
    pub fn row(&self, row: usize) -> (&[u32], &[T]) {
        self.rows.row(row)
    }

    /// All rows.
    pub fn as_csr(&self) -> &Csr<T> {
        &self.rows
    }

    /// Squared norms, equal to the dot product of a row with itself bit for bit.
    pub fn squared_norms(&self) -> &[T] {
        &self.norms
    }

    /// Whether no row holds infinities or NaN.
    pub(crate) fn all_finite(&self) -> bool {
        self.all_finite
    }

    /// Whether a row holds neither infinities nor NaN.
    pub(crate) fn is_finite(&self, row: usize) -> bool {
        self.all_finite || self.finite[row]
    }

    /// Values of the kernel on the diagonal, bit for bit those of a tile.
    ///
    /// # Panics
    ///
    /// When `out` has not one place per row.
    pub fn diagonal(&self, epilogue: &Epilogue, out: &mut [T]) {
        assert_eq!(out.len(), self.rows(), "one value per row");
        epilogue.diagonal(self.squared_norms(), |row| self.is_finite(row), out);
        for (row, out) in out.iter_mut().enumerate() {
            if !self.is_finite(row) {
                *out = T::NAN;
            }
        }
    }
}

struct Norms<'a, T> {
    rows: &'a Csr<T>,
    norms: &'a mut [T],
}

impl<T: Real> Kernel for Norms<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        for (i, norm) in self.norms.iter_mut().enumerate() {
            let mut sum = T::ZERO;
            for &value in self.rows.row(i).1 {
                sum = S::mul_add(value, value, sum);
            }
            *norm = sum;
        }
    }
}
