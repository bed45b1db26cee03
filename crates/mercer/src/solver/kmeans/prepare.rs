//! Rows in a form of their own: distinct, in an order that their content decides, near the
//! origin, of size one.
//!
//! Copies and weights, and every order of the rows, lead to the same problem. Values are
//! multiplied by a power of two, which no digit notices, and dense columns are centred: squared
//! distances then neither overflow nor lose digits to an origin that is far away.

use std::cmp::Ordering;

use mercer_linalg::{Csr, DenseRows, Matrix, Real, SparseRows};

use super::space::Space;
use crate::data::{Block, Points, Records, each};
use crate::fit::FitContext;
use crate::{Error, Result};

/// Rows of one task; fixed, because sums go block by block.
pub(crate) const TASK_ROWS: usize = 1024;

/// Distinct rows with their copies.
pub(crate) struct Prepared {
    /// The rows, (x − shift)·scale.
    pub(crate) space: Space,
    /// How many copies each row stands for, times `weight_scale`.
    pub(crate) weights: Vec<f64>,
    /// A power of two.
    weight_scale: f64,
    /// Added to centres, in scaled units.
    shift: Vec<f64>,
    /// A power of two.
    scale: f64,
}

impl Prepared {
    /// Takes the rows that count.
    ///
    /// # Errors
    /// No numeric columns, values that are not finite, weights that are no counts of copies, and
    /// more memory than there is.
    pub(crate) fn try_new(
        records: &Records,
        weights: Option<&[f64]>,
        context: &FitContext,
    ) -> Result<(Self, usize)> {
        check_rows(records)?;
        check_weights(weights, records.len())?;
        let points = &records.features.points;
        let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
        let counting: Vec<u32> = (0..records.len())
            .filter(|&row| weight(row) > 0.0)
            .map(|row| row as u32)
            .collect();
        if counting.is_empty() {
            return Err(Error::rows(
                "there are no rows to learn from",
                "give at least one row with a positive weight",
            ));
        }
        check_memory(points, counting.len(), context)?;
        let counted = counting.len();
        let (sources, copies) = each!(points, block => merge(block, &counting, weight, context));
        let prepared = Self::of(points, &sources, copies, context);
        Ok((prepared, counted))
    }

    /// Takes some rows in the order given, equal ones apart; their values must be finite.
    pub(crate) fn of(
        points: &Points,
        sources: &[u32],
        mut copies: Vec<f64>,
        context: &FitContext,
    ) -> Self {
        let weight_scale = power_of_two(copies.iter().copied().fold(0.0, f64::max));
        for copies in &mut copies {
            *copies *= weight_scale;
        }
        let total: f64 = copies.iter().sum();
        let scale = power_of_two(each!(points, block => block.largest()));
        let (space, shift) = each!(points, block => match block {
            Block::Dense(rows) => {
                let row = |r: usize| rows.row(r);
                centred(row, sources, &copies, total, scale, rows.columns(), context)
            }
            Block::Sparse(rows) => compressed(rows, sources, &copies, total, scale),
        });
        space.pack(context.par());
        Self {
            space,
            weights: copies,
            weight_scale,
            shift,
            scale,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Centres given by the caller, as these rows see them.
    pub(crate) fn inward(&self, centres: &Matrix<f64>) -> Matrix<f64> {
        Matrix::from_fn(centres.rows(), centres.columns(), |i, j| {
            centres[(i, j)] * self.scale - self.shift[j]
        })
    }

    /// Centres as the caller sees them.
    pub(crate) fn outward(&self, centres: &Matrix<f64>) -> Matrix<f64> {
        Matrix::from_fn(centres.rows(), centres.columns(), |i, j| {
            (centres[(i, j)] + self.shift[j]) / self.scale
        })
    }

    /// A sum of weighted squared distances in the caller's units.
    pub(crate) fn inertia(&self, inertia: f64) -> f64 {
        // JSON has no infinity.
        (inertia / self.weight_scale / self.scale / self.scale).min(f64::MAX)
    }

    /// How many copies a row stands for.
    pub(crate) fn copies(&self, row: usize) -> f64 {
        self.weights[row] / self.weight_scale
    }

    /// A length in the caller's units.
    pub(crate) fn length(&self, length: f64) -> f64 {
        (length / self.scale).min(f64::MAX)
    }

    /// A sum of squared lengths in the caller's units.
    pub(crate) fn squared_length(&self, squared: f64) -> f64 {
        (squared / self.scale / self.scale).min(f64::MAX)
    }

    /// The mean of the rows, in scaled units; copies count.
    pub(crate) fn mean(&self, context: &FitContext) -> Vec<f64> {
        let total: f64 = self.weights.iter().sum();
        let parts = context.map(tasks(self.len()), |rows| {
            let mut sums = vec![0.0; self.space.columns()];
            for row in rows {
                self.space.add(row, self.weights[row] / total, &mut sums);
            }
            sums
        });
        let mut mean = vec![0.0; self.space.columns()];
        for part in &parts {
            add(&mut mean, part);
        }
        mean
    }

    /// The mean variance of the columns, in scaled units; copies count.
    pub(crate) fn mean_variance(&self, context: &FitContext) -> f64 {
        let (n, d) = (self.len(), self.space.columns());
        let total: f64 = self.weights.iter().sum();
        let parts = context.map(tasks(n), |rows| {
            let (mut sums, mut squares) = (vec![0.0; d], 0.0);
            for row in rows {
                self.space.add(row, self.weights[row], &mut sums);
                squares += self.weights[row] * self.space.norm(row);
            }
            (sums, squares)
        });
        let (mut sums, mut squares) = (vec![0.0; d], 0.0);
        for (part, square) in &parts {
            add(&mut sums, part);
            squares += square;
        }
        let means: f64 = sums.iter().map(|sum| (sum / total) * (sum / total)).sum();
        ((squares / total - means) / d as f64).max(0.0)
    }
}

/// Runs of rows, one per task.
pub(crate) fn tasks(rows: usize) -> Vec<std::ops::Range<usize>> {
    let starts = (0..rows).step_by(TASK_ROWS);
    starts.map(|s| s..(s + TASK_ROWS).min(rows)).collect()
}

fn add(sums: &mut [f64], part: &[f64]) {
    for (sum, part) in sums.iter_mut().zip(part) {
        *sum += part;
    }
}

/// Refuses rows without numbers, and values that are not finite.
pub(crate) fn check_rows(records: &Records) -> Result<()> {
    let features = &records.features;
    if features.points.columns() == 0 {
        return Err(Error::rows(
            "the rows have no numeric columns to measure distances by",
            "encode at least one column as numbers",
        ));
    }
    if let Some((row, column)) = features.points.first_not_finite() {
        return Err(Error::Cell {
            place: format!("row {}", row + 1),
            column: features.name(column),
            problem: "the value is not a finite number".to_owned(),
            cure: "replace or remove it before clustering".into(),
        });
    }
    Ok(())
}

fn check_weights(weights: Option<&[f64]>, rows: usize) -> Result<()> {
    let Some(weights) = weights else {
        return Ok(());
    };
    if weights.len() != rows {
        return Err(Error::Length {
            what: "the weight column".to_owned(),
            found: weights.len(),
            expected: rows,
            unit: "rows",
        });
    }
    if let Some(row) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
        return Err(Error::rows(
            format!("row {} has weight `{}`", row + 1, weights[row]),
            "weights must be finite and not negative",
        ));
    }
    Ok(())
}

/// Rows and their panels, bounds and labels.
fn check_memory(points: &Points, rows: usize, context: &FitContext) -> Result<()> {
    let stored = each!(points, block => block.values().len()) as u64;
    let numbers = if points.is_sparse() {
        stored
    } else {
        2 * stored
    };
    let (needed, limit) = (8 * numbers + 48 * rows as u64, context.most_memory());
    if needed > limit {
        return Err(Error::Memory {
            what: format!("a centred copy of {rows} rows"),
            needed,
            limit,
        });
    }
    Ok(())
}

/// The power of two that brings a magnitude near one.
///
/// Exponents stop at ±1000, so that its reciprocal is there too; squares of 2²⁴ do no harm.
pub(crate) fn power_of_two(largest: f64) -> f64 {
    if largest == 0.0 {
        return 1.0;
    }
    let exponent = ((largest.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    2.0_f64.powi(-exponent.clamp(-1000, 1000))
}

/// Puts equal rows together, in an order that the rows' content decides: one of each, and the
/// weight of all.
fn merge<T: Real>(
    block: &Block<T>,
    counting: &[u32],
    weight: impl Fn(usize) -> f64,
    context: &FitContext,
) -> (Vec<u32>, Vec<f64>) {
    let runs = tasks(counting.len());
    let hashed = context.map(runs, |run| {
        let rows = counting[run].iter();
        rows.map(|&row| (hash(block, row as usize), row)).collect()
    });
    let mut order: Vec<(u64, u32)> = hashed.into_iter().flat_map(|part: Vec<_>| part).collect();
    let content = |a: u32, b: u32| compare(block, a as usize, b as usize);
    order.sort_unstable_by(|a, b| {
        let hashes = a.0.cmp(&b.0);
        hashes.then_with(|| content(a.1, b.1).then(a.1.cmp(&b.1)))
    });
    let mut sources: Vec<u32> = Vec::with_capacity(order.len());
    let mut copies: Vec<f64> = Vec::with_capacity(order.len());
    let mut last = 0;
    for (hash, row) in order {
        match (sources.last(), copies.last_mut()) {
            (Some(&source), Some(copies)) if hash == last && content(source, row).is_eq() => {
                *copies += weight(row as usize);
            }
            _ => {
                sources.push(row);
                copies.push(weight(row as usize));
                last = hash;
            }
        }
    }
    (sources, copies)
}

/// The values of a row that are not zero, with their columns.
fn entries<T: Real>(block: &Block<T>, row: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
    let (indices, values): (&[u32], &[T]) = match block {
        Block::Dense(rows) => (&[], rows.row(row)),
        Block::Sparse(rows) => rows.row(row),
    };
    let dense = indices.is_empty();
    let column = move |at: usize| if dense { at as u32 } else { indices[at] };
    let all = values.iter().enumerate();
    let entries = all.map(move |(at, value)| (column(at), value.to_f64()));
    entries.filter(|entry| entry.1 != 0.0)
}

/// A number that equal rows share and others hardly ever do.
fn hash<T: Real>(block: &Block<T>, row: usize) -> u64 {
    // An odd constant with well mixed bits (2⁶⁴ over the golden ratio).
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    entries(block, row).fold(FACTOR, |hash, (column, value)| {
        let mixed = (hash ^ value.to_bits() ^ u64::from(column)).wrapping_mul(FACTOR);
        mixed ^ (mixed >> 29)
    })
}

fn compare<T: Real>(block: &Block<T>, a: usize, b: usize) -> Ordering {
    let (left, right) = (entries(block, a), entries(block, b));
    left.map(|(column, value)| (column, value.to_bits()))
        .cmp(right.map(|(column, value)| (column, value.to_bits())))
}

/// Dense rows around their mean.
fn centred<'a, T: Real>(
    row: impl Fn(usize) -> &'a [T] + Sync + Send,
    sources: &[u32],
    copies: &[f64],
    total: f64,
    scale: f64,
    columns: usize,
    context: &FitContext,
) -> (Space, Vec<f64>) {
    let n = sources.len();
    let parts = context.map(tasks(n), |rows| {
        let mut sums = vec![0.0; columns];
        for at in rows {
            let share = copies[at] / total;
            for (sum, value) in sums.iter_mut().zip(row(sources[at] as usize)) {
                *sum += share * (value.to_f64() * scale);
            }
        }
        sums
    });
    let mut shift = vec![0.0; columns];
    for part in &parts {
        add(&mut shift, part);
    }
    let mut values = vec![0.0; n * columns];
    let chunks: Vec<(usize, &mut [f64])> =
        values.chunks_mut(TASK_ROWS * columns).enumerate().collect();
    context.map(chunks, |(task, chunk)| {
        for (out, source) in chunk
            .chunks_exact_mut(columns)
            .zip(&sources[task * TASK_ROWS..])
        {
            let from = row(*source as usize).iter().zip(&shift);
            for (out, (value, shift)) in out.iter_mut().zip(from) {
                *out = value.to_f64() * scale - shift;
            }
        }
    });
    let rows = DenseRows::from_matrix(Matrix::from_vec(n, columns, values));
    (Space::Dense(rows), shift)
}

/// Sparse rows; only columns without a gap can be centred.
fn compressed<T: Real>(
    rows: &Csr<T>,
    sources: &[u32],
    copies: &[f64],
    total: f64,
    scale: f64,
) -> (Space, Vec<f64>) {
    let sources: Vec<usize> = sources.iter().map(|&s| s as usize).collect();
    let rows = rows.select_rows(&sources);
    let rows = rows.map(|_, value| value.to_f64() * scale);
    let mut counts = vec![0_usize; rows.columns()];
    let mut shift = vec![0.0; rows.columns()];
    for at in 0..rows.rows() {
        let (indices, values) = rows.row(at);
        for (&j, value) in indices.iter().zip(values) {
            counts[j as usize] += 1;
            shift[j as usize] += copies[at] / total * value;
        }
    }
    for (shift, count) in shift.iter_mut().zip(counts) {
        if count < rows.rows() {
            *shift = 0.0;
        }
    }
    let rows = rows.map(|j, value| value - shift[j as usize]);
    (Space::Sparse(SparseRows::from_csr(rows)), shift)
}
