//! Division by the root of both diagonals: k(x, z)/√(k(x, x)·k(z, z)).
//!
//! A row with k(x, x) ≤ 0 has value 0 with every row, itself included.

use std::sync::OnceLock;

use mercer_linalg::{Par, Precision, Real, Rows};

use super::pairwise::UNIT;
use super::{BoundKernel, QuerySide, TileMut, fill};
use crate::data::Records;
use crate::{Error, Result};

/// A bound kernel divided by the root of its diagonals.
pub(super) struct Normalised {
    kernel: Box<dyn BoundKernel>,
    single: OnceLock<Vec<f64>>,
    double: OnceLock<Vec<f64>>,
}

impl Normalised {
    pub(super) fn new(kernel: Box<dyn BoundKernel>) -> Self {
        Self {
            kernel,
            single: OnceLock::new(),
            double: OnceLock::new(),
        }
    }

    fn diagonals(&self, precision: Precision) -> &[f64] {
        let cell = match precision {
            Precision::F32 => &self.single,
            Precision::F64 => &self.double,
        };
        cell.get_or_init(|| {
            let mut values = vec![0.0; self.kernel.len()];
            self.kernel.diagonal(precision, &mut values);
            values
        })
    }
}

/// Divides one value; the root of a square is exact, so k(x, x) becomes exactly 1.
#[inline]
fn divide(value: f64, left: f64, right: f64) -> f64 {
    if !(left > 0.0 && right > 0.0) {
        return 0.0;
    }
    let square = left * right;
    let root = if (1e-290..1e290).contains(&square) {
        square.sqrt()
    } else if left == right {
        left
    } else {
        left.sqrt() * right.sqrt()
    };
    value / root
}

fn divide_rows<T: Real>(
    out: mercer_linalg::MatrixMut<'_, T>,
    (rows, left): (&Rows<'_>, &[f64]),
    (columns, right): (&Rows<'_>, &[f64]),
    par: Par,
) {
    let right: Vec<f64> = columns.iter().map(|j| right[j]).collect();
    fill::rows(out, par, &|i, row: &mut [T]| {
        let left = left[rows.get(i)];
        for (value, &right) in row.iter_mut().zip(&right) {
            *value = T::from_f64(divide(value.to_f64(), left, right));
        }
    });
}

fn divide_tile(out: TileMut<'_>, left: (&Rows<'_>, &[f64]), right: (&Rows<'_>, &[f64]), par: Par) {
    match out {
        TileMut::F32(out) => divide_rows(out, left, right, par),
        TileMut::F64(out) => divide_rows(out, left, right, par),
    }
}

fn own(diagonal: &[f64], out: &mut [f64]) {
    for (out, value) in out.iter_mut().zip(diagonal) {
        *out = divide(*value, *value, *value);
    }
}

impl BoundKernel for Normalised {
    fn len(&self) -> usize {
        self.kernel.len()
    }

    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, mut out: TileMut<'_>, par: Par) {
        let diagonals = self.diagonals(out.precision());
        self.kernel
            .tile(rows.clone(), columns.clone(), out.reborrow(), par);
        divide_tile(out, (&rows, diagonals), (&columns, diagonals), par);
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        own(self.diagonals(precision), out);
    }

    fn query<'a>(&'a self, rows: &Records) -> Result<Box<dyn QuerySide + 'a>> {
        let kernel = self.kernel.query(rows)?;
        let mut double = vec![0.0; kernel.len()];
        kernel.diagonal(Precision::F64, &mut double);
        if double.iter().any(|value| value.is_nan()) {
            return Err(Error::Unsupported {
                what: "a given matrix does not hold k(x, x) of new rows, which `normalise` needs"
                    .to_owned(),
                cure: "normalise the matrix before it is given".into(),
            });
        }
        Ok(Box::new(NormalisedQuery {
            bound: self,
            kernel,
            single: OnceLock::new(),
            double,
        }))
    }

    fn rounding_error(&self) -> f64 {
        let mut diagonal = self.diagonals(Precision::F32);
        // What f32 cannot hold, f64 tells how small or large it is.
        if diagonal.iter().any(|v| *v <= 0.0 || !v.is_finite()) {
            diagonal = self.diagonals(Precision::F64);
        }
        let positive = diagonal.iter().copied().filter(|v| *v > 0.0);
        let smallest = positive.fold(f64::INFINITY, f64::min);
        let largest = diagonal.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return 0.0;
        }
        // The value is off by this share of the smallest root, and so is each root by half.
        2.0 * self.kernel.rounding_error() * largest / smallest + 2.0 * UNIT
    }
}

struct NormalisedQuery<'a> {
    bound: &'a Normalised,
    kernel: Box<dyn QuerySide + 'a>,
    single: OnceLock<Vec<f64>>,
    double: Vec<f64>,
}

impl NormalisedQuery<'_> {
    fn diagonals(&self, precision: Precision) -> &[f64] {
        match precision {
            Precision::F64 => &self.double,
            Precision::F32 => self.single.get_or_init(|| {
                let mut values = vec![0.0; self.kernel.len()];
                self.kernel.diagonal(precision, &mut values);
                values
            }),
        }
    }
}

impl QuerySide for NormalisedQuery<'_> {
    fn len(&self) -> usize {
        self.kernel.len()
    }

    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, mut out: TileMut<'_>, par: Par) {
        let precision = out.precision();
        self.kernel
            .tile(rows.clone(), columns.clone(), out.reborrow(), par);
        let (left, right) = (self.diagonals(precision), self.bound.diagonals(precision));
        divide_tile(out, (&rows, left), (&columns, right), par);
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        own(self.diagonals(precision), out);
    }
}
