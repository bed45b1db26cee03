//! Copies of operands, and what is done to their columns.

#![expect(unsafe_code, reason = "operands are raw parts")]

use crate::backend::Raw;
use crate::real::Real;

/// A copy of an operand, column by column.
pub(super) struct Panel<T> {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) values: Vec<T>,
}

impl<T: Real> Panel<T> {
    pub(super) fn zeros(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            values: vec![T::ZERO; rows * columns],
        }
    }

    /// # Safety
    /// The parts describe valid memory.
    pub(super) unsafe fn read(raw: Raw<*const T>) -> Self {
        let mut read = Self::zeros(raw.rows, raw.columns);
        for j in 0..raw.columns {
            for (i, value) in read.column_mut(j).iter_mut().enumerate() {
                let place = i as isize * raw.row_stride + j as isize * raw.column_stride;
                // SAFETY: promised by the caller.
                *value = unsafe { *raw.pointer.offset(place) };
            }
        }
        read
    }

    /// # Safety
    /// The parts describe valid memory.
    pub(super) unsafe fn read_mut(raw: Raw<*mut T>) -> Self {
        // SAFETY: promised by the caller.
        unsafe {
            Self::read(Raw {
                pointer: raw.pointer.cast_const(),
                rows: raw.rows,
                columns: raw.columns,
                row_stride: raw.row_stride,
                column_stride: raw.column_stride,
            })
        }
    }

    /// # Safety
    /// The parts describe valid memory of the same shape.
    pub(super) unsafe fn write(&self, raw: Raw<*mut T>) {
        for j in 0..raw.columns {
            for (i, value) in self.column(j).iter().enumerate() {
                let place = i as isize * raw.row_stride + j as isize * raw.column_stride;
                // SAFETY: promised by the caller.
                unsafe { *raw.pointer.offset(place) = *value };
            }
        }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> T {
        self.values[column * self.rows + row]
    }

    pub(super) fn column(&self, column: usize) -> &[T] {
        &self.values[column * self.rows..(column + 1) * self.rows]
    }

    pub(super) fn column_mut(&mut self, column: usize) -> &mut [T] {
        &mut self.values[column * self.rows..(column + 1) * self.rows]
    }

    /// Two columns, the first before the second.
    pub(super) fn pair(&mut self, first: usize, second: usize) -> (&mut [T], &mut [T]) {
        let (head, tail) = self.values.split_at_mut(second * self.rows);
        let start = first * self.rows;
        (&mut head[start..start + self.rows], &mut tail[..self.rows])
    }

    pub(super) fn transposed(&self) -> Self {
        let mut turned = Self::zeros(self.columns, self.rows);
        for j in 0..self.rows {
            for (i, value) in turned.column_mut(j).iter_mut().enumerate() {
                *value = self.at(j, i);
            }
        }
        turned
    }
}

pub(super) fn add_times<T: Real>(into: &mut [T], factor: T, from: &[T]) {
    for (x, y) in into.iter_mut().zip(from) {
        *x += factor * *y;
    }
}

pub(super) fn inner<T: Real>(one: &[T], other: &[T]) -> T {
    one.iter().zip(other).map(|(x, y)| *x * *y).sum()
}

/// ‖x‖ without squares that leave the range.
pub(super) fn norm<T: Real>(values: &[T]) -> T {
    let largest = values
        .iter()
        .fold(T::ZERO, |m, v| if v.abs() > m { v.abs() } else { m });
    if largest == T::ZERO || !largest.is_finite() {
        return largest;
    }
    let square: T = values.iter().map(|v| (*v / largest) * (*v / largest)).sum();
    largest * square.sqrt()
}

/// Rotates two columns: (c x + s y, c y − s x).
pub(super) fn rotate<T: Real>(x: &mut [T], y: &mut [T], c: T, s: T) {
    for (a, b) in x.iter_mut().zip(y) {
        let (old, other) = (*a, *b);
        *a = c * old + s * other;
        *b = c * other - s * old;
    }
}
