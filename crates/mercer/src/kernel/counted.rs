//! Kernels of counted features: k(x, z) = constant + Σ_f weight_f·x_f·z_f.
//!
//! Words of a text and subtrees of a graph are such features. Rows hold the few they have, so a
//! block of values is a product of two sparse matrices. A feature of one bound row alone meets
//! nothing but itself: a row may keep such features as one number that is added to k(x, x), which
//! is also what becomes of features that new rows have and bound rows do not.

use std::collections::HashMap;

use mercer_linalg::{
    Csr, CsrBuilder, Epilogue, Matrix, MatrixMut, Par, Precision, Rows, SparseRows, sparse_tile,
};

use super::pairwise::single_rounding;
use super::{BoundKernel, QuerySide, TileMut, fill};
use crate::Result;
use crate::data::Records;

/// Features of some rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Counts {
    /// The features of every row by ascending number, with how often they occur.
    pub(super) rows: Vec<Vec<(u32, f64)>>,
    /// What the features that are not listed add to k(x, x); empty means nothing.
    pub(super) own: Vec<f64>,
}

/// Features of bound rows, and what each counts for.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Known {
    /// The features of the bound rows.
    pub(super) counts: Counts,
    /// The weight of every feature that rows can have.
    pub(super) weights: Vec<f64>,
}

/// Features of new rows.
pub(super) struct Found {
    /// The features of the new rows.
    pub(super) counts: Counts,
    /// The bound rows again, where their features had to be numbered anew.
    pub(super) bound: Option<Known>,
}

/// What counts the features of rows.
pub(super) trait Counting: Send + Sync {
    /// Counts the features of new rows that bound rows have.
    ///
    /// # Errors
    /// Rows that have no such features.
    fn count(&self, records: &Records) -> Result<Found>;
}

/// Counted features bound to rows.
struct Counted {
    counting: Box<dyn Counting>,
    constant: f64,
    sides: Sides,
    diagonal: Vec<f64>,
    rounding: f64,
}

/// The two factors of the product.
struct Sides {
    left: SparseRows<f64>,
    right: SparseRows<f64>,
    factors: Option<Factors>,
}

/// What the features of either side are multiplied by.
#[derive(Clone)]
struct Factors {
    left: Vec<f64>,
    right: Vec<f64>,
}

impl Factors {
    /// Divides weights between the two sides: whole numbers go to one of them, where they make
    /// no rounding error, others to both alike, so that k(x, z) and k(z, x) are the same sum.
    fn of(weights: &[f64]) -> Option<Self> {
        if weights.iter().all(|w| *w == 1.0) {
            return None;
        }
        if weights.iter().all(|w| w.fract() == 0.0) {
            return Some(Self {
                left: vec![1.0; weights.len()],
                right: weights.to_vec(),
            });
        }
        let roots: Vec<f64> = weights.iter().map(|w| w.sqrt()).collect();
        Some(Self {
            left: roots.clone(),
            right: roots,
        })
    }
}

impl Sides {
    fn new(known: &Known) -> Self {
        let rows = sparse(&known.counts.rows, known.weights.len());
        let factors = Factors::of(&known.weights);
        let times = |by: &[f64]| rows.map(|feature, count| count * by[feature as usize]);
        let (left, right) = match &factors {
            None => (rows.clone(), rows),
            Some(factors) => (times(&factors.left), times(&factors.right)),
        };
        Self {
            left: SparseRows::from_csr(left),
            right: SparseRows::from_csr(right),
            factors,
        }
    }

    /// Brings new rows into the form of the left side.
    fn new_left(&self, counts: &Counts) -> SparseRows<f64> {
        let rows = sparse(&counts.rows, self.left.columns());
        SparseRows::from_csr(match &self.factors {
            None => rows,
            Some(by) => rows.map(|feature, count| count * by.left[feature as usize]),
        })
    }

    /// k(x, x) of rows, in the order in which a tile adds it up.
    fn diagonal(&self, counts: &Counts, constant: f64) -> Vec<f64> {
        let square = |&(feature, count): &(u32, f64), sum: f64| match &self.factors {
            None => count.mul_add(count, sum),
            Some(Factors { left, right }) => {
                let feature = feature as usize;
                (count * left[feature]).mul_add(count * right[feature], sum)
            }
        };
        let own = |row: usize| counts.own.get(row).copied().unwrap_or(0.0);
        let sum = |(row, features): (usize, &Vec<(u32, f64)>)| {
            let shared = features.iter().fold(0.0, |sum, f| square(f, sum));
            shared + constant + own(row)
        };
        counts.rows.iter().enumerate().map(sum).collect()
    }
}

fn sparse(rows: &[Vec<(u32, f64)>], width: usize) -> Csr<f64> {
    let mut builder = CsrBuilder::new(width);
    for row in rows {
        builder
            .push_row(row)
            .expect("features are listed by ascending number");
    }
    builder.finish()
}

/// Binds counted features.
pub(super) fn bind(
    counting: impl Counting + 'static,
    known: &Known,
    constant: f64,
) -> Box<dyn BoundKernel> {
    let sides = Sides::new(known);
    let diagonal = sides.diagonal(&known.counts, constant);
    let largest = diagonal.iter().copied().fold(0.0, f64::max);
    Box::new(Counted {
        counting: Box::new(counting),
        constant,
        sides,
        diagonal,
        rounding: single_rounding(largest, largest),
    })
}

/// Writes a block in double precision, rounded where it is asked for in single.
fn write(
    left: (&SparseRows<f64>, &Rows<'_>),
    right: (&SparseRows<f64>, &Rows<'_>),
    constant: f64,
    mut out: MatrixMut<'_, f64>,
    par: Par,
) {
    let (rows, columns) = (left.1.clone(), right.1.clone());
    sparse_tile(
        left.0,
        rows,
        right.0,
        columns,
        &Epilogue::Dot,
        out.reborrow(),
        par,
    );
    if constant != 0.0 {
        for row in 0..out.rows() {
            for value in out.row_mut(row) {
                *value += constant;
            }
        }
    }
}

fn in_double(
    (rows, columns): (usize, usize),
    out: TileMut<'_>,
    work: impl FnOnce(MatrixMut<'_, f64>),
) {
    match out {
        TileMut::F64(out) => work(out),
        TileMut::F32(mut out) => {
            let mut wide = Matrix::zeros(rows, columns);
            work(wide.as_mut());
            for row in 0..rows {
                for (to, from) in out.row_mut(row).iter_mut().zip(wide.row(row)) {
                    *to = *from as f32;
                }
            }
        }
    }
}

/// Calls `meet` with the place of every pair of equal row numbers.
fn meetings(rows: &Rows<'_>, columns: &Rows<'_>, mut meet: impl FnMut(usize, usize, usize)) {
    match columns {
        Rows::Range(range) => {
            for (i, row) in rows.iter().enumerate().filter(|(_, r)| range.contains(r)) {
                meet(i, row - range.start, row);
            }
        }
        Rows::Ids(_) => {
            let mut places: HashMap<usize, Vec<usize>> = HashMap::new();
            for (i, row) in rows.iter().enumerate() {
                places.entry(row).or_default().push(i);
            }
            for (j, column) in columns.iter().enumerate() {
                for &i in places.get(&column).into_iter().flatten() {
                    meet(i, j, column);
                }
            }
        }
    }
}

impl BoundKernel for Counted {
    fn len(&self) -> usize {
        self.diagonal.len()
    }

    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, out: TileMut<'_>, par: Par) {
        in_double((rows.len(), columns.len()), out, |mut out| {
            let Sides { left, right, .. } = &self.sides;
            write(
                (left, &rows),
                (right, &columns),
                self.constant,
                out.reborrow(),
                par,
            );
            meetings(&rows, &columns, |i, j, row| {
                out.row_mut(i)[j] = self.diagonal[row];
            });
        });
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        out.copy_from_slice(&self.diagonal);
        fill::round(out, precision);
    }

    fn query<'a>(&'a self, rows: &Records) -> Result<Box<dyn QuerySide + 'a>> {
        let Found { counts, bound } = self.counting.count(rows)?;
        let own_sides = bound.as_ref().map(Sides::new);
        let sides = own_sides.as_ref().unwrap_or(&self.sides);
        Ok(Box::new(CountedQuery {
            bound: self,
            left: sides.new_left(&counts),
            diagonal: sides.diagonal(&counts, self.constant),
            right: own_sides.map(|sides| sides.right),
        }))
    }

    fn rounding_error(&self) -> f64 {
        self.rounding
    }
}

struct CountedQuery<'a> {
    bound: &'a Counted,
    left: SparseRows<f64>,
    /// The bound rows, where their features were numbered anew.
    right: Option<SparseRows<f64>>,
    diagonal: Vec<f64>,
}

impl QuerySide for CountedQuery<'_> {
    fn len(&self) -> usize {
        self.diagonal.len()
    }

    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, out: TileMut<'_>, par: Par) {
        let right = self.right.as_ref().unwrap_or(&self.bound.sides.right);
        in_double((rows.len(), columns.len()), out, |out| {
            write(
                (&self.left, &rows),
                (right, &columns),
                self.bound.constant,
                out,
                par,
            );
        });
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        out.copy_from_slice(&self.diagonal);
        fill::round(out, precision);
    }
}
