//! ⟨x_i, x_j⟩ of the columns that were ever in a working set.
//!
//! In single precision they take half the time. Descent adds them to slopes that were exact when it began, so
//! that they blur what has changed since then, and nothing else.

use mercer_linalg::{Matrix, MatrixMut, MatrixRef, Op, Par, Real, add_rows, gemm};

use super::columns::Columns;

/// Slopes that stay in the first-level cache beside the rows of the products.
const TILE: usize = 1024;
/// A column without a place.
const NONE: u32 = u32::MAX;

/// Products of some columns, each with a place of its own.
pub(super) struct Table<T> {
    /// The place of every column.
    places: Vec<u32>,
    /// The column of every place.
    pub(super) columns: Vec<u32>,
    /// The columns themselves, one after the other.
    copies: Vec<T>,
    /// Rows of `stride` products.
    values: Vec<T>,
    stride: usize,
}

impl<T: Real> Table<T> {
    pub(super) fn new(columns: usize) -> Self {
        Self {
            places: vec![NONE; columns],
            columns: Vec::new(),
            copies: Vec::new(),
            values: Vec::new(),
            stride: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn has(&self, column: usize) -> bool {
        self.places[column] != NONE
    }

    /// Products of a place with all places.
    #[inline]
    pub(super) fn row(&self, place: usize) -> &[T] {
        &self.values[place * self.stride..][..self.columns.len()]
    }

    /// ‖x‖² of a place.
    #[inline]
    pub(super) fn square(&self, place: usize) -> f64 {
        self.values[place * self.stride + place].to_f64()
    }

    /// Adds step · products of every place in a list to the slopes from the place `first` on.
    pub(super) fn carry(&self, places: &[usize], steps: &[f64], slopes: &mut [f64], first: usize) {
        let mut rows: Vec<&[T]> = Vec::with_capacity(places.len());
        for (tile, slopes) in slopes.chunks_mut(TILE).enumerate() {
            let start = first + tile * TILE;
            rows.clear();
            let all = places.iter().map(|&place| self.row(place));
            rows.extend(all.map(|row| &row[start..][..slopes.len()]));
            add_rows(steps, &rows, slopes);
        }
    }

    /// Keeps some places, in their order.
    pub(super) fn keep(&mut self, kept: &[usize], rows: usize) {
        for &column in &self.columns {
            self.places[column as usize] = NONE;
        }
        // Places ascend, so that what is written was read before.
        for (to, &from) in kept.iter().enumerate() {
            for (other, &place) in kept.iter().enumerate() {
                self.values[to * self.stride + other] = self.values[from * self.stride + place];
            }
            self.copies
                .copy_within(from * rows..(from + 1) * rows, to * rows);
            self.columns[to] = self.columns[from];
            self.places[self.columns[to] as usize] = to as u32;
        }
        self.columns.truncate(kept.len());
        self.copies.truncate(kept.len() * rows);
    }

    /// Gives columns places.
    pub(super) fn add(&mut self, columns: &Columns, more: &[u32], par: Par) {
        let Columns::Dense(matrix) = columns else {
            unreachable!("sparse columns need no table");
        };
        let (before, rows) = (self.len(), columns.rows());
        for &column in more {
            self.places[column as usize] = self.columns.len() as u32;
            self.columns.push(column);
            let values = matrix.row(column as usize).iter();
            self.copies.extend(values.map(|value| T::from_f64(*value)));
        }
        let after = self.len();
        self.make_room(before, after);
        let all = MatrixRef::from_slice(after, rows, &self.copies);
        let new = MatrixRef::from_slice(after - before, rows, &self.copies[before * rows..]);
        let out = MatrixMut::with_stride(
            after - before,
            after,
            self.stride,
            &mut self.values[before * self.stride..],
        );
        gemm(T::ONE, new, Op::None, all, Op::Transpose, T::ZERO, out, par);
        for place in before..after {
            for other in 0..before {
                self.values[other * self.stride + place] = self.values[place * self.stride + other];
            }
        }
    }

    fn make_room(&mut self, before: usize, after: usize) {
        if after > self.stride {
            let stride = (after + after / 4).next_multiple_of(8);
            let mut values = vec![T::ZERO; stride * stride];
            for place in 0..before {
                let row = &self.values[place * self.stride..][..before];
                values[place * stride..][..before].copy_from_slice(row);
            }
            self.values = values;
            self.stride = stride;
        }
    }

    /// The products of some places among each other.
    pub(super) fn part(&self, places: &[usize]) -> Matrix<f64> {
        let mut part = Matrix::zeros(places.len(), places.len());
        for (to, &from) in places.iter().enumerate() {
            let row = self.row(from);
            for (value, &place) in part.row_mut(to).iter_mut().zip(places) {
                *value = row[place].to_f64();
            }
        }
        part
    }
}
