//! Dense rows prepared once for tiles.

#![expect(unsafe_code, reason = "panels are written by several tasks")]

use std::sync::OnceLock;

use crate::matrix::{Matrix, MatrixMut, MatrixRef};
use crate::par::Par;
use crate::real::Real;
use crate::shared_matrix::SharedMatrix;
use crate::simd::{Kernel, Simd, Vector, dispatch};
use crate::tile::buffer::{Buffer, with_scratch};
use crate::tile::epilogue::Epilogue;
use crate::tile::micro::DEPTH;
use crate::tile::pack::pack_panel;
use crate::tile::rows::Rows;

/// Dense data points prepared for tiles: rows, squared norms and, once used as a right side, interleaved panels.
///
/// Memory: the rows, and as much again for the panels.
#[derive(Clone, Debug)]
pub struct DenseRows<T> {
    rows: SharedMatrix<T>,
    /// Padded with zeros to whole panels.
    norms: Vec<T>,
    /// `[panel][column][row of the panel]`, built outside the cell, so that no thread waits for another inside it.
    panels: OnceLock<Buffer<T>>,
}

impl<T: Real> DenseRows<T> {
    /// Converts `(x - shift) * scale`, computed in double precision and rounded once.
    ///
    /// # Panics
    ///
    /// When `shift` or `scale` has not one value per column.
    pub fn new<U: Real>(
        rows: MatrixRef<'_, U>,
        shift: Option<&[f64]>,
        scale: Option<&[f64]>,
    ) -> Self {
        let columns = rows.columns();
        assert!(
            shift.is_none_or(|shift| shift.len() == columns),
            "one shift per column"
        );
        assert!(
            scale.is_none_or(|scale| scale.len() == columns),
            "one scale per column"
        );
        let mut values = Vec::with_capacity(rows.rows() * columns);
        for i in 0..rows.rows() {
            let row = rows.row(i).iter();
            match (shift, scale) {
                (None, None) => values.extend(row.map(|&x| T::from_f64(x.to_f64()))),
                (Some(shift), None) => {
                    values.extend(row.zip(shift).map(|(&x, &a)| T::from_f64(x.to_f64() - a)));
                }
                (None, Some(scale)) => {
                    values.extend(row.zip(scale).map(|(&x, &b)| T::from_f64(x.to_f64() * b)));
                }
                (Some(shift), Some(scale)) => values.extend(
                    row.zip(shift)
                        .zip(scale)
                        .map(|((&x, &a), &b)| T::from_f64((x.to_f64() - a) * b)),
                ),
            }
        }
        Self::from_matrix(Matrix::from_vec(rows.rows(), columns, values))
    }

    /// Converts rows as [`DenseRows::new`] does, without a copy where nothing is to be converted.
    ///
    /// # Panics
    ///
    /// When `shift` or `scale` has not one value per column.
    pub fn from_shared<U: Real>(
        rows: &SharedMatrix<U>,
        shift: Option<&[f64]>,
        scale: Option<&[f64]>,
    ) -> Self {
        match rows.in_precision() {
            Some(rows) if shift.is_none() && scale.is_none() => Self::from_matrix(rows),
            _ => Self::new(rows.as_ref(), shift, scale),
        }
    }

    /// Prepares rows that are already in the right precision.
    pub fn from_matrix(rows: impl Into<SharedMatrix<T>>) -> Self {
        let mut prepared = Self {
            rows: rows.into(),
            norms: Vec::new(),
            panels: OnceLock::new(),
        };
        let mut norms = vec![T::ZERO; prepared.rows().div_ceil(T::PANEL) * T::PANEL];
        with_scratch(T::PANEL * prepared.columns(), |scratch| {
            dispatch(Norms {
                rows: &prepared,
                panel: scratch.as_mut_slice(),
                out: &mut norms,
            });
        });
        prepared.norms = norms;
        prepared
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows.rows()
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.rows.columns()
    }

    /// One row.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        self.rows.row(row)
    }

    /// All rows.
    pub fn as_matrix(&self) -> MatrixRef<'_, T> {
        self.rows.as_ref()
    }

    /// Squared norms, equal to the dot product of a row with itself bit for bit.
    pub fn squared_norms(&self) -> &[T] {
        &self.norms[..self.rows()]
    }

    /// Squared norms padded to whole panels.
    pub(crate) fn padded_norms(&self) -> &[T] {
        &self.norms
    }

    /// Values of the kernel on the diagonal, bit for bit those of a tile.
    ///
    /// # Panics
    ///
    /// When `out` has not one place per row.
    pub fn diagonal(&self, epilogue: &Epilogue, out: &mut [T]) {
        assert_eq!(out.len(), self.rows(), "one value per row");
        let finite = |row: usize| self.row(row).iter().all(|value| value.is_finite());
        epilogue.diagonal(self.squared_norms(), finite, out);
    }

    /// Builds the panels now instead of at the first use as a right side.
    pub fn prepare_right(&self, par: Par) {
        self.panels(par);
    }

    /// The panels, built on first use.
    pub(crate) fn panels(&self, par: Par) -> &[T] {
        if let Some(panels) = self.panels.get() {
            return panels.as_slice();
        }
        let built = pack_panels(self, &Rows::Range(0..self.rows()), par);
        self.panels.get_or_init(|| built).as_slice()
    }
}

/// Packs rows into whole panels.
pub(crate) fn pack_panels<T: Real>(source: &DenseRows<T>, rows: &Rows<'_>, par: Par) -> Buffer<T> {
    let mut buffer = Buffer::zeros(rows.len().div_ceil(T::PANEL) * T::PANEL * source.columns());
    pack_panels_into(source, rows, buffer.as_mut_slice(), par);
    buffer
}

/// Packs rows into whole panels of a slice of that size.
pub(crate) fn pack_panels_into<T: Real>(
    source: &DenseRows<T>,
    rows: &Rows<'_>,
    out: &mut [T],
    par: Par,
) {
    let panels = rows.len().div_ceil(T::PANEL);
    let length = T::PANEL * source.columns();
    let mut view = MatrixMut::from_slice(panels, length, out);
    let raw = view.raw();
    par.if_worth(4.0 * (panels * length) as f64)
        .for_each(panels, |p| {
            let rows = rows.slice(p * T::PANEL..((p + 1) * T::PANEL).min(rows.len()));
            // SAFETY: panel `p` is inside the slice and belongs to this task alone.
            let panel = unsafe { std::slice::from_raw_parts_mut(raw.at(p, 0), length) };
            pack_panel(source, &rows, panel);
        });
}

struct Norms<'a, T> {
    rows: &'a DenseRows<T>,
    panel: &'a mut [T],
    out: &'a mut [T],
}

impl<T: Real> Kernel for Norms<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let (n, columns) = (self.rows.rows(), self.rows.columns());
        for (p, norms) in self.out.chunks_exact_mut(T::PANEL).enumerate() {
            let rows = Rows::Range(p * T::PANEL..((p + 1) * T::PANEL).min(n));
            pack_panel(self.rows, &rows, self.panel);
            for start in (0..columns).step_by(DEPTH) {
                let depth = DEPTH.min(columns - start);
                // SAFETY: the block is inside the panel, and `S` is present because `dispatch` chose it.
                unsafe { norm_block::<S, T>(&self.panel[start * T::PANEL..], depth, norms) };
            }
        }
    }
}

/// Adds the squared norms of one block of a panel, with the chain of the micro-kernel.
#[inline(always)]
unsafe fn norm_block<S: Simd, T: Real>(panel: &[T], depth: usize, norms: &mut [T]) {
    let mut column = 0;
    while column < T::PANEL {
        // SAFETY: promised by the caller: `depth` lines of `PANEL` numbers, and the instruction set.
        unsafe {
            let mut sum = T::Vector::<S>::zero();
            for k in 0..depth {
                let x = T::Vector::<S>::load(panel.as_ptr().add(k * T::PANEL + column));
                sum = x.mul_add(x, sum);
            }
            // Zero plus the first block is that block: a sum of squares is never minus zero.
            let to = norms.as_mut_ptr().add(column);
            T::Vector::<S>::load(to).add(sum).store(to);
        }
        column += T::Vector::<S>::LANES;
    }
}
