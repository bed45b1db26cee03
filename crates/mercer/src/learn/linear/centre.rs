//! Means and lengths of columns.
//!
//! A mean m is found first, then the mean δ of x − m: together they are exact to the spread of a
//! column, however far from zero it lies. Sums go by fixed runs of rows.

use std::ops::Range;

use mercer_linalg::{Csr, Real, SharedMatrix};

use crate::fit::FitContext;

/// Numbers of every column.
pub(super) struct Columns {
    /// Means, rounded.
    pub(super) means: Vec<f64>,
    /// What rounding left of the means.
    pub(super) rests: Vec<f64>,
    /// √Σ w (x − mean)².
    pub(super) norms: Vec<f64>,
}

/// Rows in which sums are made: `weights` are copies, `factors` multiply columns.
pub(super) struct Sums<'a> {
    pub(super) weights: Option<&'a [f64]>,
    pub(super) total: f64,
    pub(super) factors: &'a [f64],
    /// Whether means are wanted; otherwise they are zero.
    pub(super) centred: bool,
}

/// Runs of rows that are summed side by side: a fixed number, whatever the threads.
pub(super) fn runs(rows: usize, most: usize) -> Vec<Range<usize>> {
    let count = most.clamp(1, rows.max(1));
    let start = |run: usize| run * rows / count;
    (0..count).map(|run| start(run)..start(run + 1)).collect()
}

/// Sums over rows, run by run, in the order of the runs.
fn over_rows<T: Real>(
    matrix: &SharedMatrix<T>,
    numbers: usize,
    context: &FitContext,
    add: impl Fn(usize, &[T], &mut [f64]) + Sync,
) -> Vec<f64> {
    /// Rows that are worth a task of their own.
    const TASK: usize = 2048;
    let runs = runs(matrix.rows(), (matrix.rows() / TASK).min(16));
    let parts = context.map(runs, |run| {
        let mut sums = vec![0.0; numbers];
        for i in run {
            add(i, matrix.row(i), &mut sums);
        }
        sums
    });
    let mut sums = vec![0.0; numbers];
    for part in parts {
        for (sum, part) in sums.iter_mut().zip(part) {
            *sum += part;
        }
    }
    sums
}

impl Sums<'_> {
    fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }

    /// The numbers of dense columns.
    pub(super) fn dense<T: Real>(&self, matrix: &SharedMatrix<T>, context: &FitContext) -> Columns {
        let (width, factors) = (matrix.columns(), self.factors);
        let mut means = vec![0.0; width];
        if self.centred {
            means = over_rows(matrix, width, context, |i, row, sums| {
                let weight = self.weight(i);
                for ((sum, x), factor) in sums.iter_mut().zip(row).zip(factors) {
                    *sum += weight * (x.to_f64() * factor);
                }
            });
            means.iter_mut().for_each(|m| *m /= self.total);
        }
        // Σ w (x − m) and Σ w (x − m)² in one pass: with m the mean but for its rounding, the second
        // one loses (Σ w) δ² and no digits.
        let mut sums = over_rows(matrix, 2 * width, context, |i, row, sums| {
            let weight = self.weight(i);
            let (firsts, squares) = sums.split_at_mut(width);
            let each = firsts.iter_mut().zip(squares).zip(row).zip(factors);
            for ((((first, square), x), factor), mean) in each.zip(&means) {
                let value = x.to_f64() * factor - mean;
                *first += weight * value;
                *square += weight * (value * value);
            }
        });
        let squares = sums.split_off(width);
        let mut rests = sums;
        if self.centred {
            rests.iter_mut().for_each(|r| *r /= self.total);
        } else {
            rests.fill(0.0);
        }
        let pairs = squares.into_iter().zip(&rests);
        let norms = pairs.map(|(square, rest)| (square - self.total * rest * rest).max(0.0).sqrt());
        Columns {
            norms: norms.collect(),
            means,
            rests,
        }
    }

    /// Calls `add` with column, weight and value of all that is stored.
    fn each(&self, csr: &Csr<f64>, mut add: impl FnMut(usize, f64, f64)) {
        for i in 0..csr.rows() {
            let weight = self.weight(i);
            let (indices, values) = csr.row(i);
            for (&j, value) in indices.iter().zip(values) {
                add(j as usize, weight, value * self.factors[j as usize]);
            }
        }
    }

    /// The numbers of sparse columns, and whether each has a stored value in every row.
    pub(super) fn sparse(&self, csr: &Csr<f64>) -> (Columns, Vec<bool>) {
        let width = csr.columns();
        let mut stored = vec![0_usize; width];
        let mut weighed = vec![0.0; width];
        let (mut means, mut rests) = (vec![0.0; width], vec![0.0; width]);
        self.each(csr, |j, weight, value| {
            stored[j] += 1;
            weighed[j] += weight;
            means[j] += weight * value;
        });
        let full: Vec<bool> = stored.iter().map(|&count| count == csr.rows()).collect();
        // Weight of the rows in which nothing is stored.
        let silent = |j: usize| {
            if full[j] {
                0.0
            } else {
                (self.total - weighed[j]).max(0.0)
            }
        };
        if self.centred {
            means.iter_mut().for_each(|m| *m /= self.total);
        } else {
            means.fill(0.0);
        }
        // As for dense columns: the squares about a rounded mean lose (Σ w) δ².
        let mut squares = vec![0.0; width];
        self.each(csr, |j, weight, value| {
            let value = value - means[j];
            rests[j] += weight * value;
            squares[j] += weight * (value * value);
        });
        for j in 0..width {
            let silent = silent(j);
            squares[j] += silent * (means[j] * means[j]);
            rests[j] = if self.centred {
                (rests[j] - silent * means[j]) / self.total
            } else {
                0.0
            };
            squares[j] = (squares[j] - self.total * rests[j] * rests[j]).max(0.0);
        }
        let norms = squares.into_iter().map(f64::sqrt).collect();
        let columns = Columns {
            means,
            rests,
            norms,
        };
        (columns, full)
    }
}
