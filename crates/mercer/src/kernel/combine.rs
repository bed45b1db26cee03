//! Sums, products and functions of bound kernels.
//!
//! The closure rules of kernels, applied block by block: parts write their own fused tiles,
//! and what joins them is one pass over a block small enough for the cache.

use std::sync::OnceLock;

use mercer_linalg::{Matrix, MatrixMut, Par, Precision, Real, Rows, exp_in_place};

use super::pairwise::{LARGEST_SINGLE, SMALLEST_SINGLE, UNIT};
use super::{BoundKernel, QuerySide, TileMut, fill};
use crate::Result;
use crate::data::Records;

/// Rows of a block: enough to keep a panel of the right side busy, few enough for the cache.
const BLOCK_ROWS: usize = 64;

/// A precision that tiles can be made of.
trait Single: Real {
    fn tile(block: MatrixMut<'_, Self>) -> TileMut<'_>;
}

impl Single for f32 {
    fn tile(block: MatrixMut<'_, Self>) -> TileMut<'_> {
        TileMut::F32(block)
    }
}

impl Single for f64 {
    fn tile(block: MatrixMut<'_, Self>) -> TileMut<'_> {
        TileMut::F64(block)
    }
}

/// Writes blocks of a part: its number, the rows, the columns, the block, the parallelism.
type WritePart<'a> = dyn Fn(usize, Rows<'_>, Rows<'_>, TileMut<'_>, Par) + Sync + 'a;

/// How several kernels become one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Joint {
    Sum,
    Product,
}

impl Joint {
    fn join<T: Real>(self, total: &mut [T], part: &[T]) {
        for (total, part) in total.iter_mut().zip(part) {
            match self {
                Self::Sum => *total += *part,
                Self::Product => *total *= *part,
            }
        }
    }

    fn tile(
        self,
        parts: usize,
        write: &WritePart<'_>,
        rows: &Rows<'_>,
        columns: &Rows<'_>,
        out: TileMut<'_>,
        par: Par,
    ) {
        match out {
            TileMut::F32(out) => self.blocks(parts, write, rows, columns, out, par),
            TileMut::F64(out) => self.blocks(parts, write, rows, columns, out, par),
        }
    }

    fn blocks<T: Single>(
        self,
        parts: usize,
        write: &WritePart<'_>,
        rows: &Rows<'_>,
        columns: &Rows<'_>,
        out: MatrixMut<'_, T>,
        par: Par,
    ) {
        each_block(rows, out, par, &|rows, mut block: MatrixMut<'_, T>, par| {
            write(
                0,
                rows.clone(),
                columns.clone(),
                T::tile(block.reborrow()),
                par,
            );
            let mut scratch = Matrix::zeros(block.rows(), block.columns());
            for part in 1..parts {
                let tile = T::tile(scratch.as_mut());
                write(part, rows.clone(), columns.clone(), tile, par);
                for row in 0..block.rows() {
                    self.join(block.row_mut(row), scratch.row(row));
                }
            }
        });
    }

    fn diagonal(
        self,
        parts: usize,
        part: &dyn Fn(usize, &mut [f64]),
        out: &mut [f64],
        precision: Precision,
    ) {
        part(0, out);
        let mut other = vec![0.0; out.len()];
        for index in 1..parts {
            part(index, &mut other);
            // Rounding a double-precision sum or product of two f32 gives the f32 one.
            self.join(out, &other);
            fill::round(out, precision);
        }
    }
}

/// Cuts a tile into blocks of rows; many blocks run side by side, few rows inside their parts.
fn each_block<T: Real>(
    rows: &Rows<'_>,
    out: MatrixMut<'_, T>,
    par: Par,
    write: &(impl Fn(Rows<'_>, MatrixMut<'_, T>, Par) + Sync),
) {
    let outside = par == Par::Rayon && out.rows() >= 4 * BLOCK_ROWS;
    let (outer, inner) = if outside {
        (Par::Rayon, Par::Sequential)
    } else {
        (Par::Sequential, par)
    };
    fill::blocks(
        out,
        outer,
        BLOCK_ROWS,
        &|start, mut part: MatrixMut<'_, T>| {
            let (count, width) = (part.rows(), part.columns());
            let mut from = 0;
            while from < count {
                let to = (from + BLOCK_ROWS).min(count);
                let block = part.reborrow().submatrix(from..to, 0..width);
                write(rows.slice(start + from..start + to), block, inner);
                from = to;
            }
        },
    );
}

/// Returns the largest diagonal entry, from f32 values where they can hold it.
fn top(kernel: &dyn BoundKernel) -> f64 {
    let mut diagonal = vec![0.0; kernel.len()];
    let mut largest = |precision| {
        kernel.diagonal(precision, &mut diagonal);
        diagonal.iter().fold(0.0_f64, |m, v| m.max(v.abs()))
    };
    let single = largest(Precision::F32);
    if (SMALLEST_SINGLE..LARGEST_SINGLE).contains(&single) {
        single
    } else {
        largest(Precision::F64)
    }
}

/// Relates an absolute error to the largest value, where f32 holds such values.
fn relative(error: f64, top: f64) -> f64 {
    if error == 0.0 {
        return 0.0;
    }
    if (SMALLEST_SINGLE..LARGEST_SINGLE).contains(&top) {
        error / top
    } else {
        f64::INFINITY
    }
}

/// A sum or product of kernels bound to the same rows.
pub(super) struct Joined {
    joint: Joint,
    parts: Vec<Box<dyn BoundKernel>>,
    rounding: OnceLock<f64>,
}

impl Joined {
    /// Joins at least one part.
    pub(super) fn new(joint: Joint, parts: Vec<Box<dyn BoundKernel>>) -> Self {
        Self {
            joint,
            parts,
            rounding: OnceLock::new(),
        }
    }

    fn bound_rounding(&self) -> f64 {
        let tops: Vec<f64> = self.parts.iter().map(|p| top(p.as_ref())).collect();
        let errors = self.parts.iter().zip(&tops);
        let errors = errors.map(|(p, top)| {
            if *top == 0.0 {
                0.0
            } else {
                p.rounding_error() * top
            }
        });
        let own = self.parts.len() as f64 * UNIT;
        let error = match self.joint {
            Joint::Sum => errors.sum::<f64>() + own * tops.iter().sum::<f64>(),
            Joint::Product => {
                let exact: f64 = tops.iter().product();
                let off: f64 = errors.zip(&tops).map(|(e, t)| e + t).product();
                off * (1.0 + own) - exact
            }
        };
        relative(error, top(self))
    }
}

impl BoundKernel for Joined {
    fn len(&self) -> usize {
        self.parts[0].len()
    }

    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, out: TileMut<'_>, par: Par) {
        let write = |part: usize, rows: Rows<'_>, columns: Rows<'_>, out: TileMut<'_>, par| {
            self.parts[part].tile(rows, columns, out, par);
        };
        self.joint
            .tile(self.parts.len(), &write, &rows, &columns, out, par);
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        let part = |index: usize, out: &mut [f64]| self.parts[index].diagonal(precision, out);
        self.joint.diagonal(self.parts.len(), &part, out, precision);
    }

    fn query<'a>(&'a self, rows: &Records) -> Result<Box<dyn QuerySide + 'a>> {
        let parts = self
            .parts
            .iter()
            .map(|p| p.query(rows))
            .collect::<Result<_>>()?;
        Ok(Box::new(JoinedQuery {
            joint: self.joint,
            parts,
        }))
    }

    fn rounding_error(&self) -> f64 {
        *self.rounding.get_or_init(|| self.bound_rounding())
    }
}

struct JoinedQuery<'a> {
    joint: Joint,
    parts: Vec<Box<dyn QuerySide + 'a>>,
}

impl QuerySide for JoinedQuery<'_> {
    fn len(&self) -> usize {
        self.parts[0].len()
    }

    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, out: TileMut<'_>, par: Par) {
        let write = |part: usize, rows: Rows<'_>, columns: Rows<'_>, out: TileMut<'_>, par| {
            self.parts[part].tile(rows, columns, out, par);
        };
        self.joint
            .tile(self.parts.len(), &write, &rows, &columns, out, par);
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        let part = |index: usize, out: &mut [f64]| self.parts[index].diagonal(precision, out);
        self.joint.diagonal(self.parts.len(), &part, out, precision);
    }
}

/// A function of one kernel value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Map {
    /// factor·k + offset.
    Affine { factor: f64, offset: f64 },
    /// k to a whole power.
    Power(u32),
    /// exp(k).
    Exp,
}

impl Map {
    fn apply<T: Real>(self, values: &mut [T]) {
        match self {
            Self::Exp => exp_in_place(values),
            Self::Affine { factor, offset } => {
                for value in values {
                    // In f64, where factors beyond f32 do not turn 0 into NaN.
                    *value = T::from_f64(value.to_f64() * factor + offset);
                }
            }
            Self::Power(exponent) => {
                let exponent = i32::try_from(exponent).unwrap_or(i32::MAX);
                for value in values {
                    *value = T::from_f64(value.to_f64().powi(exponent));
                }
            }
        }
    }

    fn tile(self, mut out: TileMut<'_>, par: Par) {
        match &mut out {
            TileMut::F32(out) => fill::rows(out.reborrow(), par, &|_, row| self.apply(row)),
            TileMut::F64(out) => fill::rows(out.reborrow(), par, &|_, row| self.apply(row)),
        }
    }

    fn diagonal(self, precision: Precision, out: &mut [f64]) {
        match precision {
            Precision::F64 => self.apply(out),
            Precision::F32 => {
                let mut single: Vec<f32> = out.iter().map(|v| *v as f32).collect();
                self.apply(&mut single);
                for (out, value) in out.iter_mut().zip(single) {
                    *out = f64::from(value);
                }
            }
        }
    }
}

/// A function of a bound kernel.
pub(super) struct Mapped {
    map: Map,
    kernel: Box<dyn BoundKernel>,
    rounding: OnceLock<f64>,
}

impl Mapped {
    pub(super) fn new(map: Map, kernel: Box<dyn BoundKernel>) -> Self {
        Self {
            map,
            kernel,
            rounding: OnceLock::new(),
        }
    }

    fn bound_rounding(&self) -> f64 {
        let inner = self.kernel.rounding_error();
        let largest = top(self.kernel.as_ref());
        let error = if largest == 0.0 { 0.0 } else { inner * largest };
        let top = top(self);
        let error = match self.map {
            Map::Affine { factor, offset } => {
                factor * error + 2.0 * UNIT * (factor * largest + offset.abs())
            }
            Map::Power(exponent) => {
                let share = if largest == 0.0 { 0.0 } else { error / largest };
                let grown = (f64::from(exponent) * share.ln_1p()).exp_m1();
                (grown + UNIT) * top
            }
            Map::Exp => (error.exp_m1() + (4.0 + largest) * UNIT) * top,
        };
        relative(error, top)
    }
}

impl BoundKernel for Mapped {
    fn len(&self) -> usize {
        self.kernel.len()
    }

    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, mut out: TileMut<'_>, par: Par) {
        self.kernel.tile(rows, columns, out.reborrow(), par);
        self.map.tile(out, par);
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        self.kernel.diagonal(precision, out);
        self.map.diagonal(precision, out);
    }

    fn query<'a>(&'a self, rows: &Records) -> Result<Box<dyn QuerySide + 'a>> {
        Ok(Box::new(MappedQuery {
            map: self.map,
            kernel: self.kernel.query(rows)?,
        }))
    }

    fn rounding_error(&self) -> f64 {
        *self.rounding.get_or_init(|| self.bound_rounding())
    }
}

struct MappedQuery<'a> {
    map: Map,
    kernel: Box<dyn QuerySide + 'a>,
}

impl QuerySide for MappedQuery<'_> {
    fn len(&self) -> usize {
        self.kernel.len()
    }

    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, mut out: TileMut<'_>, par: Par) {
        self.kernel.tile(rows, columns, out.reborrow(), par);
        self.map.tile(out, par);
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        self.kernel.diagonal(precision, out);
        self.map.diagonal(precision, out);
    }
}

#[cfg(test)]
#[path = "combine_tests.rs"]
mod tests;
