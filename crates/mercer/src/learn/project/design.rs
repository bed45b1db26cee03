//! Rows around their mean, as projections see them.
//!
//! X is the matrix of rows √w (x − m), m the mean with weights as copies; all of it is divided by a power
//! of two, so that no square leaves the numbers there are.

use std::ops::Range;

use mercer_linalg::{
    Csr, CsrBuilder, Matrix, MatrixRef, Op, Par, SharedMatrix, SquareRows, add_column_sums,
    add_square, add_square_sums, axpy, gemm,
};

use crate::data::{Block, Dataset, Records};
use crate::fit::FitContext;
use crate::learn::least_squares::{exponent_of, times_power};
use crate::{Error, Result};

/// Rows of a task.
const RUN: usize = 1024;

/// Rows with their weights, checked.
pub(super) struct Rows {
    points: Block<f64>,
    /// √w of every row; `None` where all are 1.
    roots: Option<Vec<f64>>,
    /// Sum of the weights.
    pub(super) total: f64,
    /// Means of the columns; zeros where none are taken out.
    pub(super) means: Vec<f64>,
    /// The power of two that entries of X are divided by.
    exponent: i32,
    /// Σ w ‖x − m‖², in units of 4^exponent; of rows that are settled.
    pub(super) squares: f64,
    /// Whether means are taken out.
    is_centred: bool,
    /// Whether the means are as good as they get.
    is_settled: bool,
}

/// Refuses values that are no numbers where they are looked at, and rows without a column or a weight.
fn check(records: &Records, weights: Option<&[f64]>, values: bool) -> Result<()> {
    let points = &records.features.points;
    if points.columns() == 0 {
        return Err(Error::rows(
            "there is no column of numbers to project",
            "give rows with numbers, or use a kernel that reads what there is",
        ));
    }
    let bad = if values {
        points.first_not_finite()
    } else {
        None
    };
    if let Some((row, column)) = bad {
        return Err(Error::Cell {
            place: format!("row {}", row + 1),
            column: records.features.name(column),
            problem: "the value is not a finite number".to_owned(),
            cure: "fill it in or leave the row out".into(),
        });
    }
    let counts = weights.map_or(records.len(), |w| w.iter().filter(|w| **w > 0.0).count());
    if counts == 0 {
        return Err(Error::rows(
            "there are no rows to learn from",
            "give at least one row with a positive weight",
        ));
    }
    Ok(())
}

impl Rows {
    /// Checks rows and finds their means, to rounding; `centred` is false where rows are taken as they are.
    pub(super) fn try_new(data: &Dataset, centred: bool, context: &FitContext) -> Result<Self> {
        let weights = data.weights.as_deref();
        // Whether dense values are finite is seen in their sums.
        let is_whole = weights.is_none_or(|w| w.iter().all(|w| *w > 0.0));
        let seen_later = is_whole && centred && !data.records.features.points.is_sparse();
        check(&data.records, weights, !seen_later)?;
        let mut points = data.records.features.points.widened();
        let mut weights = weights.map(<[f64]>::to_vec);
        if let Some(all) = weights.as_ref().filter(|w| w.contains(&0.0)) {
            let kept: Vec<usize> = (0..all.len()).filter(|&i| all[i] > 0.0).collect();
            points = points.select(&kept);
            weights = Some(kept.iter().map(|&i| all[i]).collect());
        }
        let weights = weights.filter(|w| w.iter().any(|w| *w != 1.0));
        let total = match &weights {
            Some(weights) => weights.iter().sum(),
            None => points.rows() as f64,
        };
        let (means, largest) = match &points {
            Block::Dense(rows) if centred => {
                // Near any row differences are as small as the spread, and keep their digits.
                let found = near_means(rows, rows.row(0), weights.as_deref(), total, context);
                if found.0.iter().all(|m| m.is_finite()) {
                    found
                } else {
                    check(&data.records, data.weights.as_deref(), true)?;
                    let zeros = vec![0.0; rows.columns()];
                    near_means(rows, &zeros, weights.as_deref(), total, context)
                }
            }
            _ => (vec![0.0; points.columns()], points.largest()),
        };
        let exponent = if largest > 0.0 {
            exponent_of(largest)
        } else {
            0
        };
        let is_sparse = matches!(points, Block::Sparse(_));
        let roots = weights.map(|w| w.into_iter().map(f64::sqrt).collect());
        let mut rows = Self {
            means,
            points,
            roots,
            total,
            exponent,
            squares: 0.0,
            is_centred: centred,
            is_settled: false,
        };
        if centred && is_sparse {
            rows.improve(context);
        }
        Ok(rows)
    }

    /// Adds to the means what rounding left of them.
    fn improve(&mut self, context: &FitContext) {
        let rest = self.mean_beside(context);
        for (mean, rest) in self.means.iter_mut().zip(rest) {
            *mean += rest;
        }
    }

    /// Settles means and spread, where the sums of a covariance have not done so.
    pub(super) fn settle(&mut self, context: &FitContext) {
        if self.is_settled {
            return;
        }
        if self.is_centred {
            self.improve(context);
        }
        self.squares = self.spread(context);
        self.is_settled = true;
    }

    /// The number of rows of positive weight.
    pub(super) fn len(&self) -> usize {
        self.points.rows()
    }

    pub(super) fn columns(&self) -> usize {
        self.points.columns()
    }

    /// √w of every row; `None` where all are 1.
    pub(super) fn roots(&self) -> Option<&[f64]> {
        self.roots.as_deref()
    }

    fn is_sparse(&self) -> bool {
        matches!(self.points, Block::Sparse(_))
    }

    /// A square in the units of X as a square of the data.
    pub(super) fn square(&self, value: f64) -> f64 {
        times_power(value, 2 * self.exponent)
    }

    /// A length in the units of X as a length of the data.
    pub(super) fn length(&self, value: f64) -> f64 {
        times_power(value, self.exponent)
    }

    fn unit(&self) -> f64 {
        times_power(1.0, -self.exponent)
    }

    fn root(&self, row: usize) -> f64 {
        self.roots.as_ref().map_or(1.0, |roots| roots[row])
    }

    /// Sums over rows, run by run, in the order of the runs.
    fn sums(
        &self,
        width: usize,
        context: &FitContext,
        add: impl Fn(usize, &mut [f64]) + Sync,
    ) -> Vec<f64> {
        let parts = context.map(runs(self.len()), |run| {
            let mut sums = vec![0.0; width];
            for row in run {
                add(row, &mut sums);
            }
            sums
        });
        let mut all = vec![0.0; width];
        for part in parts {
            for (sum, part) in all.iter_mut().zip(part) {
                *sum += part;
            }
        }
        all
    }

    /// Means of x − m for the means m there are.
    fn mean_beside(&self, context: &FitContext) -> Vec<f64> {
        let means = &self.means;
        let mut sums = self.sums(self.columns(), context, |row, sums| {
            let weight = self.root(row).powi(2) / self.total;
            match &self.points {
                Block::Dense(rows) => {
                    for ((sum, x), mean) in sums.iter_mut().zip(rows.row(row)).zip(means) {
                        *sum += weight * (x - mean);
                    }
                }
                Block::Sparse(rows) => {
                    let (indices, values) = rows.row(row);
                    for (&j, x) in indices.iter().zip(values) {
                        sums[j as usize] += weight * x;
                    }
                }
            }
        });
        if self.is_sparse() {
            for (sum, mean) in sums.iter_mut().zip(means) {
                *sum -= mean;
            }
        }
        sums
    }

    /// Σ w ‖x − m‖² in the units of X.
    fn spread(&self, context: &FitContext) -> f64 {
        let unit = self.unit();
        let of_means: f64 = self.means.iter().map(|m| (m * unit).powi(2)).sum();
        let sums = self.sums(1, context, |row, sums| {
            let weight = self.root(row).powi(2);
            let square: f64 = match &self.points {
                Block::Dense(rows) => {
                    let pairs = rows.row(row).iter().zip(&self.means);
                    pairs.map(|(x, mean)| ((x - mean) * unit).powi(2)).sum()
                }
                Block::Sparse(rows) => {
                    let (indices, values) = rows.row(row);
                    let beside = indices.iter().zip(values).map(|(&j, x)| {
                        let mean = self.means[j as usize] * unit;
                        (x * unit - mean).powi(2) - mean * mean
                    });
                    of_means + beside.sum::<f64>()
                }
            };
            sums[0] += weight * square;
        });
        sums[0].max(0.0)
    }

    /// Writes some rows of X.
    pub(super) fn write(&self, run: Range<usize>, out: &mut [f64]) {
        let (width, unit) = (self.columns(), self.unit());
        for (row, out) in run.zip(out.chunks_exact_mut(width)) {
            let factor = self.root(row) * unit;
            match &self.points {
                Block::Dense(rows) => {
                    for ((out, x), mean) in out.iter_mut().zip(rows.row(row)).zip(&self.means) {
                        *out = (x - mean) * factor;
                    }
                }
                Block::Sparse(rows) => {
                    for (out, mean) in out.iter_mut().zip(&self.means) {
                        *out = -mean * factor;
                    }
                    let (indices, values) = rows.row(row);
                    for (&j, x) in indices.iter().zip(values) {
                        out[j as usize] = (x - self.means[j as usize]) * factor;
                    }
                }
            }
        }
    }

    /// X as a whole.
    pub(super) fn dense(&self, context: &FitContext) -> Matrix<f64> {
        let width = self.columns();
        let mut out = Matrix::zeros(self.len(), width);
        let parts: Vec<_> = out
            .as_mut_slice()
            .chunks_mut(RUN * width)
            .enumerate()
            .collect();
        context.map(parts, |(k, part)| {
            let first = k * RUN;
            self.write(first..first + part.len() / width, part);
        });
        out
    }

    /// XᵀX, both triangles; means and spread are settled by the way.
    pub(super) fn covariance(&mut self, context: &FitContext) -> Result<Matrix<f64>> {
        let Block::Dense(rows) = self.points.clone() else {
            self.settle(context);
            return self.written_squares(context);
        };
        let mut square = self.squares_beside(&rows, context)?;
        if !self.is_centred || self.is_settled {
            self.settle(context);
            return Ok(leading_part(&square, self.columns()));
        }
        if !self.take_out_rest(&mut square) {
            // Columns whose spread is no more than the rounding of their means.
            self.settle(context);
            square = self.squares_beside(&rows, context)?;
        }
        let square = leading_part(&square, self.columns());
        if !self.is_settled {
            self.squares = (0..self.columns()).map(|j| square[(j, j)]).sum();
            self.is_settled = true;
        }
        Ok(square)
    }

    /// Takes ρ, the mean of the rows of X that rounding left, out of Σ v vᵀ with v = (x, √w): Σ (x − ρ)(x − ρ)ᵀ = Σ x xᵀ − Σw ρρᵀ.
    ///
    /// False where that would cancel digits; sums and means are then as they were.
    fn take_out_rest(&mut self, square: &mut Matrix<f64>) -> bool {
        /// Largest share of a sum of squares that is taken out: three digits of rounding, not of the spread.
        const SHARE: f64 = 1e-3;
        let width = self.columns();
        let rest: Vec<f64> = square.row(width)[..width]
            .iter()
            .map(|s| s / self.total)
            .collect();
        let is_small = |j: usize| {
            let taken = self.total * rest[j] * rest[j];
            taken == 0.0 || taken < SHARE * square[(j, j)]
        };
        if !(0..width).all(is_small) {
            return false;
        }
        for i in 0..width {
            for j in 0..=i {
                square[(i, j)] -= self.total * rest[i] * rest[j];
            }
            self.means[i] += times_power(rest[i], self.exponent);
        }
        true
    }

    /// Σ v vᵀ over rows v = (x, √w), x a row of X; the lower triangle.
    fn squares_beside(
        &self,
        rows: &SharedMatrix<f64>,
        context: &FitContext,
    ) -> Result<Matrix<f64>> {
        /// Columns up to which runs of rows are worth more threads than blocks of columns.
        const NARROW: usize = 384;
        let width = self.columns() + 1;
        let all: Vec<usize> = (0..RUN.min(self.len())).collect();
        // Every row is multiplied by √w and the unit of X, the last column by √w alone.
        let beside = Matrix::from_fn(all.len(), 1, |_, _| times_power(1.0, self.exponent));
        let units = vec![self.unit(); all.len()];
        let add = |run: Range<usize>, sum: &mut Matrix<f64>, par: Par| {
            let roots: Vec<f64>;
            let factors = match &self.roots {
                None => &units[..run.len()],
                Some(all) => {
                    roots = all[run.clone()].iter().map(|r| r * self.unit()).collect();
                    &roots
                }
            };
            let asked = SquareRows {
                left: rows.as_ref().submatrix(run.clone(), 0..width - 1),
                shift: &self.means,
                beside: beside.as_ref().submatrix(0..run.len(), 0..1),
                factors: Some(factors),
                rows: &all[..run.len()],
            };
            add_square_sums(&asked, sum.as_mut(), par);
        };
        let mut sum = Matrix::zeros(width, width);
        if width <= NARROW {
            // Every task has a sum of its own; they are as few as keeps them small.
            let parts = context.map(groups(self.len(), 16), |task| -> Result<Matrix<f64>> {
                let mut part = Matrix::zeros(width, width);
                for run in runs_of(task) {
                    context.check()?;
                    add(run, &mut part, Par::Sequential);
                }
                Ok(part)
            });
            for part in parts {
                let part = part?;
                for (sum, part) in sum.as_mut_slice().iter_mut().zip(part.as_slice()) {
                    *sum += part;
                }
            }
        } else {
            for run in runs(self.len()) {
                context.check()?;
                add(run, &mut sum, context.par());
            }
        }
        Ok(sum)
    }

    /// XᵀX of rows that are written out, both triangles.
    fn written_squares(&self, context: &FitContext) -> Result<Matrix<f64>> {
        let width = self.columns();
        let mut sum = Matrix::zeros(width, width);
        let mut block = vec![0.0; RUN * width];
        for run in runs(self.len()) {
            context.check()?;
            let block = &mut block[..run.len() * width];
            self.write(run.clone(), block);
            let rows = MatrixRef::from_slice(run.len(), width, block);
            add_square(rows, Op::Transpose, sum.as_mut(), context.par());
        }
        mirror(&mut sum);
        Ok(sum)
    }

    /// The matrix to multiply by.
    pub(super) fn design(&self, context: &FitContext) -> Design {
        match &self.points {
            Block::Dense(_) => Design::Dense(self.dense(context)),
            Block::Sparse(rows) => {
                let unit = self.unit();
                let roots: Vec<f64> = (0..rows.rows()).map(|i| self.root(i)).collect();
                let mut scaled = CsrBuilder::new(rows.columns());
                let mut line = Vec::new();
                for (i, root) in roots.iter().enumerate() {
                    let (indices, values) = rows.row(i);
                    line.clear();
                    let pairs = indices.iter().zip(values);
                    line.extend(pairs.map(|(&j, x)| (j, x * unit * root)));
                    scaled
                        .push_row(&line)
                        .expect("the columns of sparse rows ascend");
                }
                let rows = scaled.finish();
                Design::Sparse {
                    columns: transposed(&rows),
                    rows,
                    means: self.means.iter().map(|m| m * unit).collect(),
                    roots,
                }
            }
        }
    }
}

/// X, to be multiplied by.
#[expect(clippy::large_enum_variant, reason = "there is one of it in a fit")]
pub(super) enum Design {
    /// As it is.
    Dense(Matrix<f64>),
    /// Sparse rows whose means are taken out of products.
    Sparse {
        rows: Csr<f64>,
        columns: Csr<f64>,
        means: Vec<f64>,
        roots: Vec<f64>,
    },
}

impl Design {
    pub(super) fn rows(&self) -> usize {
        match self {
            Self::Dense(x) => x.rows(),
            Self::Sparse { rows, .. } => rows.rows(),
        }
    }

    pub(super) fn columns(&self) -> usize {
        match self {
            Self::Dense(x) => x.columns(),
            Self::Sparse { rows, .. } => rows.columns(),
        }
    }

    /// X · b.
    pub(super) fn times(&self, b: &Matrix<f64>, par: Par) -> Matrix<f64> {
        match self {
            Self::Dense(x) => {
                let mut out = Matrix::zeros(x.rows(), b.columns());
                let (x, b) = (x.as_ref(), b.as_ref());
                gemm(1.0, x, Op::None, b, Op::None, 0.0, out.as_mut(), par);
                out
            }
            Self::Sparse {
                rows, means, roots, ..
            } => {
                let shift = combined(means, b);
                sparse_times(rows, b, par, |i, out| axpy(-roots[i], &shift, out))
            }
        }
    }

    /// Xᵀ · y.
    pub(super) fn transposed_times(&self, y: &Matrix<f64>, par: Par) -> Matrix<f64> {
        match self {
            Self::Dense(x) => crate::solver::subspace::inner(x, y, par),
            Self::Sparse {
                columns,
                means,
                roots,
                ..
            } => {
                let shift = combined(roots, y);
                sparse_times(columns, y, par, |j, out| axpy(-means[j], &shift, out))
            }
        }
    }
}

/// factorsᵀ · b.
fn combined(factors: &[f64], b: &Matrix<f64>) -> Vec<f64> {
    let mut out = vec![0.0; b.columns()];
    for (i, factor) in factors.iter().enumerate() {
        axpy(*factor, b.row(i), &mut out);
    }
    out
}

/// The product of sparse rows with a matrix, each row finished by `end`.
fn sparse_times(
    rows: &Csr<f64>,
    b: &Matrix<f64>,
    par: Par,
    end: impl Fn(usize, &mut [f64]) + Sync,
) -> Matrix<f64> {
    /// Rows of a task.
    const TASK: usize = 256;
    let width = b.columns();
    let mut out = Matrix::zeros(rows.rows(), width);
    let lines: Vec<std::sync::Mutex<&mut [f64]>> = out
        .as_mut_slice()
        .chunks_mut(TASK * width.max(1))
        .map(std::sync::Mutex::new)
        .collect();
    par.for_each(lines.len(), |task| {
        let Ok(mut lines) = lines[task].lock() else {
            return;
        };
        for (k, out) in lines.chunks_exact_mut(width).enumerate() {
            let row = task * TASK + k;
            let (indices, values) = rows.row(row);
            for (&j, value) in indices.iter().zip(values) {
                axpy(*value, b.row(j as usize), out);
            }
            end(row, out);
        }
    });
    drop(lines);
    out
}

/// The columns of sparse rows as rows.
fn transposed(rows: &Csr<f64>) -> Csr<f64> {
    let mut starts = vec![0_usize; rows.columns() + 1];
    for &j in rows.indices() {
        starts[j as usize + 1] += 1;
    }
    for j in 0..rows.columns() {
        starts[j + 1] += starts[j];
    }
    let mut next = starts.clone();
    let mut indices = vec![0_u32; rows.nnz()];
    let mut values = vec![0.0; rows.nnz()];
    for i in 0..rows.rows() {
        let (columns, own) = rows.row(i);
        for (&j, value) in columns.iter().zip(own) {
            let place = next[j as usize];
            indices[place] = i as u32;
            values[place] = *value;
            next[j as usize] += 1;
        }
    }
    Csr::try_new(rows.rows(), starts, indices, values).expect("rows were visited in order")
}

/// Means near a shift, and the largest magnitude of a value: sums over fixed runs of rows, in their order.
fn near_means(
    rows: &SharedMatrix<f64>,
    shift: &[f64],
    weights: Option<&[f64]>,
    total: f64,
    context: &FitContext,
) -> (Vec<f64>, f64) {
    let width = rows.columns();
    let parts = context.map(runs(rows.rows()), |run| {
        let mut sums = vec![0.0; width];
        let part = rows.as_ref().submatrix(run.clone(), 0..width);
        let weights = weights.map(|w| &w[run]);
        let largest = add_column_sums(part, shift, weights, total.recip(), &mut sums);
        (sums, largest)
    });
    let (mut means, mut largest) = (shift.to_vec(), 0.0_f64);
    let mut all = vec![0.0; width];
    for (sums, most) in parts {
        largest = largest.max(most);
        for (sum, part) in all.iter_mut().zip(sums) {
            *sum += part;
        }
    }
    for (mean, sum) in means.iter_mut().zip(all) {
        *mean += sum;
    }
    (means, largest)
}

/// The first columns and rows of a lower triangle, both triangles.
fn leading_part(square: &Matrix<f64>, width: usize) -> Matrix<f64> {
    Matrix::from_fn(width, width, |i, j| square[(i.max(j), i.min(j))])
}

/// Copies the lower triangle to the upper one.
pub(super) fn mirror(square: &mut Matrix<f64>) {
    for i in 0..square.rows() {
        for j in 0..i {
            square[(j, i)] = square[(i, j)];
        }
    }
}

/// Runs of rows, each a task or a step of one.
fn runs(rows: usize) -> Vec<Range<usize>> {
    runs_of(0..rows)
}

fn runs_of(rows: Range<usize>) -> Vec<Range<usize>> {
    let end = rows.end;
    rows.step_by(RUN)
        .map(|start| start..(start + RUN).min(end))
        .collect()
}

/// As many groups of whole runs, a fixed number whatever the threads.
fn groups(rows: usize, most: usize) -> Vec<Range<usize>> {
    let steps = rows.div_ceil(RUN).max(1);
    let count = steps.min(most);
    let start = |k: usize| (k * steps / count * RUN).min(rows);
    (0..count).map(|k| start(k)..start(k + 1)).collect()
}
