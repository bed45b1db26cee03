//! Features of rows: one product with all frequencies, then cosines and sines while they are near.

use std::ops::Range;
use std::sync::OnceLock;

use mercer_linalg::{
    DenseRows, Epilogue, Matrix, MatrixMut, Par, Precision, Real, Rows, axpy, cos_sin_in_place,
    shifted_cos_in_place, tile,
};
use rayon::prelude::*;

use super::hadamard::Transform;
use super::map::{FourierMap, Frequencies};
use crate::data::{Block, Points, each};
use crate::{Error, Result};

/// Rows of one task: what a tile packs at a time.
const BLOCK: usize = 96;

/// Coordinates are cut to this size: such rows are infinitely far from all others, and angles stay finite.
const FARTHEST: f64 = 1e12;

/// A map with its frequencies packed, ready for rows.
pub(in crate::features) struct BoundFourier {
    map: FourierMap,
    single: OnceLock<Side<f32>>,
    double: OnceLock<Side<f64>>,
}

pub(in crate::features) struct Side<T> {
    product: Product<T>,
    offsets: Option<Vec<T>>,
    amplitude: T,
}

enum Product<T> {
    Dense {
        rows: DenseRows<T>,
        /// A row per column of the data, made when sparse rows arrive.
        columns: OnceLock<Matrix<T>>,
    },
    Structured(Transform<T>),
}

impl<T: Real> Side<T> {
    fn new(map: &FourierMap) -> Self {
        let product = match &map.frequencies {
            Frequencies::Dense(rows) => Product::Dense {
                rows: DenseRows::new(rows.as_ref(), None, None),
                columns: OnceLock::new(),
            },
            Frequencies::Structured(structured) => Product::Structured(Transform::new(structured)),
        };
        let offsets = map.offsets.as_ref();
        Self {
            product,
            offsets: offsets.map(|b| b.iter().map(|v| T::from_f64(*v)).collect()),
            amplitude: T::from_f64(map.amplitude),
        }
    }
}

/// A number in which features are written.
pub(in crate::features) trait Written: Real {
    fn side(bound: &BoundFourier) -> &Side<Self>;
}

impl Written for f32 {
    fn side(bound: &BoundFourier) -> &Side<Self> {
        bound.single.get_or_init(|| Side::new(&bound.map))
    }
}

impl Written for f64 {
    fn side(bound: &BoundFourier) -> &Side<Self> {
        bound.double.get_or_init(|| Side::new(&bound.map))
    }
}

impl BoundFourier {
    pub(in crate::features) fn new(map: &FourierMap, precision: Precision) -> Self {
        let bound = Self {
            map: map.clone(),
            single: OnceLock::new(),
            double: OnceLock::new(),
        };
        // Packed now rather than by the first of many threads.
        match precision {
            Precision::F32 => bound.pack::<f32>(),
            Precision::F64 => bound.pack::<f64>(),
        }
        bound
    }

    fn pack<T: Written>(&self) {
        if let Product::Dense { rows, .. } = &T::side(self).product {
            rows.prepare_right(Par::Sequential);
        }
    }

    /// Writes the features of a run of rows, row after row.
    pub(in crate::features) fn fill<T: Written>(
        &self,
        points: &Points,
        range: Range<usize>,
        out: &mut [T],
        par: Par,
    ) -> Result<()> {
        if points.columns() != self.map.shift.len() {
            return Err(Error::Length {
                what: "a row".to_owned(),
                found: points.columns(),
                expected: self.map.shift.len(),
                unit: "features",
            });
        }
        let width = self.map.width();
        let side = T::side(self);
        let task = |(k, out): (usize, &mut [T])| {
            let start = range.start + k * BLOCK;
            let rows = start..start + out.len() / width;
            each!(points, block => self.block(side, block, rows, out));
        };
        if par == Par::Sequential || range.len() <= BLOCK {
            out.chunks_mut(BLOCK * width).enumerate().for_each(task);
        } else {
            out.par_chunks_mut(BLOCK * width).enumerate().for_each(task);
        }
        Ok(())
    }

    fn block<T: Written, U: Real>(
        &self,
        side: &Side<T>,
        block: &Block<U>,
        rows: Range<usize>,
        out: &mut [T],
    ) {
        let (count, width) = (self.map.count(), self.map.width());
        match (&side.product, block) {
            (
                Product::Dense {
                    rows: packed,
                    columns,
                },
                Block::Sparse(values),
            ) if self.map.shift.iter().all(|m| *m == 0.0) => {
                let columns = columns.get_or_init(|| packed.as_matrix().to_transposed());
                for (row, out) in rows.zip(out.chunks_exact_mut(width)) {
                    let angles = &mut out[..count];
                    angles.fill(T::ZERO);
                    let (indices, values) = values.row(row);
                    for (&column, x) in indices.iter().zip(values) {
                        let column = column as usize;
                        let x = T::from_f64(self.coordinate(column, x.to_f64()));
                        axpy(x, columns.row(column), angles);
                    }
                }
            }
            (Product::Dense { rows: packed, .. }, _) => {
                let left = self.coordinates::<T, U>(block, rows.clone());
                let height = rows.len();
                tile(
                    &DenseRows::from_matrix(left),
                    Rows::Range(0..height),
                    packed,
                    Rows::Range(0..count),
                    &Epilogue::Dot,
                    MatrixMut::with_stride(height, count, width, out),
                    Par::Sequential,
                );
            }
            (Product::Structured(transform), _) => {
                let left = self.coordinates::<T, U>(block, rows);
                let mut work = Vec::new();
                for (k, out) in out.chunks_exact_mut(width).enumerate() {
                    transform.angles(left.row(k), &mut work, &mut out[..count]);
                }
            }
        }
        for out in out.chunks_exact_mut(width) {
            if let Some(offsets) = &side.offsets {
                shifted_cos_in_place(out, offsets, side.amplitude);
            } else {
                let (cosines, sines) = out.split_at_mut(count);
                cos_sin_in_place(cosines, sines, side.amplitude);
            }
        }
    }

    fn coordinate(&self, column: usize, x: f64) -> f64 {
        let value = (x - self.map.shift[column]) * self.map.units[column];
        value.clamp(-FARTHEST, FARTHEST)
    }

    /// Rows as frequencies meet them.
    fn coordinates<T: Real, U: Real>(&self, block: &Block<U>, rows: Range<usize>) -> Matrix<T> {
        let columns = self.map.shift.len();
        let mut left = Matrix::zeros(rows.len(), columns);
        for (k, row) in rows.enumerate() {
            let line = left.row_mut(k);
            match block {
                Block::Dense(all) => {
                    for (column, (to, x)) in line.iter_mut().zip(all.row(row)).enumerate() {
                        *to = T::from_f64(self.coordinate(column, x.to_f64()));
                    }
                }
                Block::Sparse(all) => {
                    for (column, to) in line.iter_mut().enumerate() {
                        *to = T::from_f64(self.coordinate(column, 0.0));
                    }
                    let (indices, values) = all.row(row);
                    for (&column, x) in indices.iter().zip(values) {
                        let value = self.coordinate(column as usize, x.to_f64());
                        line[column as usize] = T::from_f64(value);
                    }
                }
            }
        }
        left
    }
}
