//! Comparisons that add up one term per column.

use super::pairwise::Compare;
use super::resolve::admit_vectors;
use crate::data::{Block, Records};
use crate::{Error, Result};

/// A function of a sum over columns: finish(Σ term(column, x, z)).
///
/// The term is 0 where both values are 0, so sparse rows need no zeros, and it is the same
/// when its two values change places.
pub(super) struct Additive<T, F> {
    /// The family, for errors.
    pub(super) name: &'static str,
    /// The term of one column.
    pub(super) term: T,
    /// What is made of the sum.
    pub(super) finish: F,
}

impl<T, F> Compare for Additive<T, F>
where
    T: Fn(usize, f64, f64) -> f64 + Send + Sync,
    F: Fn(f64) -> f64 + Send + Sync,
{
    type Rows = Block<f64>;

    fn take(&self, records: &Records) -> Result<Block<f64>> {
        admit_vectors(self.name, records)?;
        Ok(records.features.points.widened())
    }

    fn matches(&self, bound: &Block<f64>, new: &Block<f64>) -> Result<()> {
        same_width(bound.columns(), new.columns())
    }

    fn value(&self, left: &Block<f64>, i: usize, right: &Block<f64>, j: usize) -> f64 {
        (self.finish)(self.sum(left, i, right, j))
    }
}

impl<T: Fn(usize, f64, f64) -> f64, F> Additive<T, F> {
    fn sum(&self, left: &Block<f64>, i: usize, right: &Block<f64>, j: usize) -> f64 {
        let term = &self.term;
        match (left, right) {
            (Block::Dense(a), Block::Dense(b)) => {
                let pairs = a.row(i).iter().zip(b.row(j));
                pairs.enumerate().map(|(c, (x, z))| term(c, *x, *z)).sum()
            }
            (Block::Sparse(a), Block::Sparse(b)) => {
                let mut total = 0.0;
                merge(a.row(i), b.row(j), |c, x, z| total += term(c, x, z));
                total
            }
            (Block::Dense(a), Block::Sparse(b)) => mixed(a.row(i), b.row(j), term),
            (Block::Sparse(a), Block::Dense(b)) => {
                mixed(b.row(j), a.row(i), |c, z, x| term(c, x, z))
            }
        }
    }
}

/// Sums a term over a dense and a sparse row.
fn mixed(
    dense: &[f64],
    (indices, values): (&[u32], &[f64]),
    term: impl Fn(usize, f64, f64) -> f64,
) -> f64 {
    let mut next = 0;
    let mut total = 0.0;
    for (c, x) in dense.iter().enumerate() {
        let stored = indices.get(next).is_some_and(|&index| index as usize == c);
        let z = if stored { values[next] } else { 0.0 };
        next += usize::from(stored);
        total += term(c, *x, z);
    }
    total
}

/// Visits the columns in which at least one of two sparse rows is stored, in order.
pub(super) fn merge(
    left: (&[u32], &[f64]),
    right: (&[u32], &[f64]),
    mut visit: impl FnMut(usize, f64, f64),
) {
    let (mut p, mut q) = (0, 0);
    while p < left.0.len() || q < right.0.len() {
        let a = left.0.get(p).copied().unwrap_or(u32::MAX);
        let b = right.0.get(q).copied().unwrap_or(u32::MAX);
        let x = if a <= b { left.1[p] } else { 0.0 };
        let z = if b <= a { right.1[q] } else { 0.0 };
        visit(a.min(b) as usize, x, z);
        p += usize::from(a <= b);
        q += usize::from(b <= a);
    }
}

/// Refuses new rows whose width differs from the bound ones.
pub(super) fn same_width(expected: usize, found: usize) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(Error::Length {
        what: "a new row".to_owned(),
        found,
        expected,
        unit: "features",
    })
}
