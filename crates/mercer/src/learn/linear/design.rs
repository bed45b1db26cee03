//! Rows as least squares sees them: √w (x − mean), in units in which squares are numbers.
//!
//! Dense rows are centred whenever a block of them is filled in. Sparse rows stay sparse: with
//! the means m, ⟨x − m, v⟩ = ⟨x, v⟩ − ⟨m, v⟩. That difference has no digits where a column lies
//! far from zero, which no column with a zero in it does; the others are centred value by value.

use std::ops::Range;

use mercer_linalg::{Csr, CsrBuilder, Matrix, Real, SharedMatrix};

use super::centre::{Columns, Sums, runs};
use super::input::Input;
use super::solution::{Spread, TOLD, norm};
use crate::Result;
use crate::data::{Block, Points, each};
use crate::fit::FitContext;
use crate::learn::least_squares::{exponent_of, times_power};
use crate::learn::margin::Bias;
use crate::model::WeightSpread;

/// Powers of two within which columns stay as they are: sums of squares of any number of rows are
/// far from the ends of the range there.
const SAFE: i32 = 200;

/// Which columns may be multiplied by a power of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scaling {
    /// Each that is very large or very small.
    Each,
    /// Each that is very large: a penalty on a small column would leave the range.
    Large,
    /// All by the same power, so that the norm of the weights keeps its meaning.
    Common,
}

enum Source {
    Double(SharedMatrix<f64>),
    Single(SharedMatrix<f32>),
    /// Kept columns alone, a constant appended, multiplied by their factors.
    Sparse(Csr<f64>),
}

/// Rows and targets of one problem.
pub(super) struct Design {
    source: Source,
    rows: usize,
    roots: Option<Vec<f64>>,
    total: f64,
    /// Columns of the data that vary, or are not zero where there is no centring.
    kept: Vec<usize>,
    /// The others with their values, in units of the data.
    left_out: Vec<(usize, f64)>,
    features: usize,
    /// Powers of two of the kept columns, and as numbers.
    exponents: Vec<i32>,
    factors: Vec<f64>,
    /// Whether rows have no weights and columns no powers.
    as_given: bool,
    means: Vec<f64>,
    rests: Vec<f64>,
    /// What is subtracted from sparse columns as a whole.
    shifts: Vec<f64>,
    norms: Vec<f64>,
    noise: Vec<f64>,
    /// The value of the appended feature.
    one: f64,
    /// How the constant is treated.
    pub(super) bias: Bias,
    /// Targets as the rows: weighted and perhaps centred, one row per output.
    pub(super) targets: Matrix<f64>,
    target_means: Vec<f64>,
    target_norms: Vec<f64>,
}

impl Design {
    /// Makes the rows of a problem.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub(super) fn try_new(
        input: &Input,
        bias: Bias,
        scaling: Scaling,
        context: &FitContext,
    ) -> Result<Self> {
        let weights = input.weights.as_deref();
        let rows = input.rows();
        let total = weights.map_or(rows as f64, |weights| weights.iter().sum());
        let (exponents, common) = column_exponents(&input.points, scaling, context);
        let factors: Vec<f64> = exponents.iter().map(|&e| 2.0_f64.powi(e)).collect();
        let sums = Sums {
            weights,
            total,
            factors: &factors,
            centred: bias.is_free(),
        };
        let mut full = Vec::new();
        let (source, columns) = match &input.points {
            Points::Double(Block::Dense(rows)) => {
                (Source::Double(rows.clone()), sums.dense(rows, context))
            }
            Points::Single(Block::Dense(rows)) => {
                (Source::Single(rows.clone()), sums.dense(rows, context))
            }
            sparse => {
                let Block::Sparse(csr) = sparse.widened() else {
                    unreachable!("dense rows were met above");
                };
                let (columns, stored) = sums.sparse(&csr);
                full = stored;
                (Source::Sparse(csr), columns)
            }
        };
        context.check()?;
        let size = total.sqrt();
        // A spread below the rounding of the values is none: the column is constant.
        let varies = |&j: &usize| {
            columns.norms[j] > f64::EPSILON * size * (columns.means[j] + columns.rests[j]).abs()
                && columns.norms[j] > 0.0
        };
        let features = columns.norms.len();
        let kept: Vec<usize> = (0..features).filter(varies).collect();
        let pick = |values: &[f64]| kept.iter().map(|&j| values[j]).collect::<Vec<f64>>();
        let Columns {
            means,
            rests,
            norms,
        } = &columns;
        let mut design = Self {
            source,
            rows,
            roots: weights.map(|weights| weights.iter().map(|w| w.sqrt()).collect()),
            total,
            features,
            exponents: kept.iter().map(|&j| exponents[j]).collect(),
            factors: pick(&factors),
            as_given: weights.is_none() && exponents.iter().all(|e| *e == 0),
            means: pick(means),
            rests: pick(rests),
            shifts: Vec::new(),
            norms: pick(norms),
            noise: kept
                .iter()
                .map(|&j| 1.0 + size * means[j].abs() / norms[j])
                .collect(),
            left_out: (0..features)
                .filter(|j| !varies(j))
                .map(|j| (j, (means[j] + rests[j]) / factors[j]))
                .collect(),
            kept,
            one: common,
            bias,
            targets: Matrix::zeros(0, 0),
            target_means: Vec::new(),
            target_norms: Vec::new(),
        };
        if design.has_ones() {
            design.norms.push(size * design.one);
            design.noise.push(1.0);
        }
        if let Source::Sparse(csr) = &design.source {
            let csr = csr.clone();
            design.source = Source::Sparse(design.prepared(&csr, &full));
        }
        design.set_targets(input);
        Ok(design)
    }

    /// Sparse rows in the units of the design; notes what is to be subtracted from them.
    fn prepared(&mut self, csr: &Csr<f64>, full: &[bool]) -> Csr<f64> {
        let mut places = vec![u32::MAX; self.features];
        for (place, &j) in self.kept.iter().enumerate() {
            places[j] = place as u32;
        }
        self.shifts = (0..self.kept.len())
            .map(|place| {
                if full[self.kept[place]] {
                    0.0
                } else {
                    self.means[place] + self.rests[place]
                }
            })
            .collect();
        self.shifts.resize(self.width(), 0.0);
        let moved = full.contains(&true) || self.exponents.iter().any(|e| *e != 0);
        if self.has_all_columns() && !self.has_ones() && !moved {
            return csr.clone();
        }
        let last = self.kept.len() as u32;
        let mut builder = CsrBuilder::new(self.width());
        let mut row = Vec::new();
        for i in 0..self.rows {
            row.clear();
            let (indices, values) = csr.row(i);
            for (&j, value) in indices.iter().zip(values) {
                let place = places[j as usize];
                if place == u32::MAX {
                    continue;
                }
                let at = place as usize;
                let value = value * self.factors[at];
                let value = if full[j as usize] {
                    value - self.means[at] - self.rests[at]
                } else {
                    value
                };
                row.push((place, value));
            }
            if self.has_ones() {
                row.push((last, self.one));
            }
            builder
                .push_row(&row)
                .expect("columns ascend as they did before");
        }
        builder.finish()
    }

    fn set_targets(&mut self, input: &Input) {
        let (outputs, n) = (input.targets.rows(), self.rows);
        let weight = |i: usize| input.weights.as_deref().map_or(1.0, |weights| weights[i]);
        self.targets = Matrix::zeros(outputs, n);
        for k in 0..outputs {
            let y = input.targets.row(k);
            let (mut mean, mut rest) = (0.0, 0.0);
            if self.bias.is_free() {
                let sum = |from: f64| (0..n).map(|i| weight(i) * (y[i] - from)).sum::<f64>();
                mean = sum(0.0) / self.total;
                rest = sum(mean) / self.total;
            }
            self.target_means.push(mean + rest);
            for i in 0..n {
                self.targets[(k, i)] = self.root(i) * (y[i] - mean - rest);
            }
            self.target_norms.push(norm(self.targets.row(k)));
        }
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns, the appended one among them.
    pub(super) fn width(&self) -> usize {
        self.kept.len() + usize::from(self.has_ones())
    }

    /// Columns of the data that are columns here.
    pub(super) fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// What all columns are multiplied by, with [`Scaling::Common`].
    pub(super) fn unit(&self) -> f64 {
        self.one
    }

    /// Whether a constant feature is appended.
    pub(super) fn has_ones(&self) -> bool {
        self.bias.is_regularised()
    }

    /// Whether no column of the data was left out.
    pub(super) fn has_all_columns(&self) -> bool {
        self.kept.len() == self.features
    }

    /// Columns of the data that say nothing.
    pub(super) fn left_out(&self) -> impl Iterator<Item = usize> + '_ {
        self.left_out.iter().map(|(column, _)| *column)
    }

    /// The column of the data that a column was; `None` for an appended one.
    pub(super) fn place(&self, column: usize) -> Option<usize> {
        self.kept.get(column).copied()
    }

    /// The number that stands for a feature 1: the factor of all columns where it is common.
    pub(super) fn one(&self) -> f64 {
        self.one
    }

    /// Columns of the data that the others explain to 99 % and more, given the diagonal of
    /// (XᵀX)⁻¹: a variance inflation factor of 100.
    pub(super) fn inflated(&self, variances: &[f64]) -> Vec<usize> {
        const INFLATED: f64 = 100.0;
        let places = variances.iter().zip(&self.norms).zip(&self.kept);
        places
            .filter(|((variance, norm), _)| *variance * (*norm * *norm) > INFLATED)
            .map(|(_, &column)| column)
            .collect()
    }

    /// The spread of the weights in units of the data; columns that say nothing keep the prior of a
    /// penalty `lambda`. `None` where columns are many or numbers leave their range.
    pub(super) fn weight_spread(
        &self,
        input: &Input,
        spread: &Spread,
        noise: Vec<f64>,
        freedom: Option<f64>,
        lambda: f64,
    ) -> Option<WeightSpread> {
        let own = spread
            .covariance
            .as_ref()
            .filter(|_| self.features <= TOLD)?;
        let width = self.features + usize::from(self.has_ones());
        let place = |c: usize| self.kept.get(c).copied().unwrap_or(self.features);
        let power = |c: usize| self.exponents.get(c).copied().unwrap_or(0);
        let scale = |c: usize| if c < self.kept.len() { 1.0 } else { self.one };
        let mut covariance = Matrix::zeros(width, width);
        for i in 0..own.rows() {
            for j in 0..own.rows() {
                let value = own[(i, j)] * scale(i) * scale(j);
                let units = power(i) + power(j) - 2 * input.weight_exponent;
                covariance[(place(i), place(j))] = times_power(value, units);
            }
        }
        let mut centre = vec![0.0; self.features];
        if self.bias.is_free() {
            for ((&j, mean), factor) in self.kept.iter().zip(self.means()).zip(&self.factors) {
                centre[j] = mean / factor;
            }
        }
        for &(j, value) in &self.left_out {
            covariance[(j, j)] = lambda.recip();
            if self.bias.is_free() {
                centre[j] = value;
            }
        }
        let constant = if self.bias.is_free() {
            times_power(self.total.recip(), -2 * input.weight_exponent)
        } else {
            0.0
        };
        let found = WeightSpread {
            covariance,
            centre,
            constant,
            noise,
            freedom,
        };
        let mut numbers = found.covariance.as_slice().iter().chain(&found.centre);
        let finite = numbers.all(|v| v.is_finite())
            && found.noise.iter().all(|v| v.is_finite())
            && found.constant.is_finite();
        finite.then_some(found)
    }

    /// Sum of the weights.
    pub(super) fn total(&self) -> f64 {
        self.total
    }

    /// √w of a row.
    pub(super) fn root(&self, row: usize) -> f64 {
        self.roots.as_deref().map_or(1.0, |roots| roots[row])
    }

    /// Lengths of the columns.
    pub(super) fn norms(&self) -> &[f64] {
        &self.norms
    }

    /// By how much the rounding of a column's values exceeds that of its centred values.
    pub(super) fn noise(&self) -> &[f64] {
        &self.noise
    }

    /// Means of the columns; none for an appended one.
    pub(super) fn means(&self) -> impl Iterator<Item = f64> + '_ {
        self.means.iter().zip(&self.rests).map(|(m, r)| m + r)
    }

    /// Penalties of the columns in their units.
    pub(super) fn penalties(&self, lambda: f64) -> Vec<f64> {
        let ones = self.has_ones().then_some(self.one);
        let factors = self.factors.iter().copied().chain(ones);
        factors.map(|factor| lambda * factor * factor).collect()
    }

    /// Rows that are stored sparsely, with what is to be subtracted from each.
    pub(super) fn sparse(&self) -> Option<(&Csr<f64>, &[f64])> {
        match &self.source {
            Source::Sparse(csr) => Some((csr, &self.shifts)),
            _ => None,
        }
    }

    /// Fills a block of rows in, row by row.
    pub(super) fn fill(&self, rows: Range<usize>, columns: Range<usize>, out: &mut [f64]) {
        match &self.source {
            Source::Double(matrix) => self.fill_dense(matrix, rows, columns, out),
            Source::Single(matrix) => self.fill_dense(matrix, rows, columns, out),
            Source::Sparse(csr) => self.fill_sparse(csr, rows, columns, out),
        }
    }

    fn fill_dense<T: Real>(
        &self,
        matrix: &SharedMatrix<T>,
        rows: Range<usize>,
        columns: Range<usize>,
        out: &mut [f64],
    ) {
        let width = columns.len();
        let data = columns.start..columns.end.min(self.kept.len());
        let (means, rests) = (&self.means[data.clone()], &self.rests[data.clone()]);
        let factors = &self.factors[data.clone()];
        for (i, out) in rows.zip(out.chunks_exact_mut(width)) {
            let root = self.root(i);
            let row = matrix.row(i);
            let numbers = factors.iter().zip(means.iter().zip(rests));
            if self.as_given && self.has_all_columns() {
                let values = out.iter_mut().zip(&row[data.clone()]);
                for ((to, x), (mean, rest)) in values.zip(means.iter().zip(rests)) {
                    *to = x.to_f64() - mean - rest;
                }
            } else if self.has_all_columns() {
                let values = out.iter_mut().zip(&row[data.clone()]);
                for ((to, x), (factor, (mean, rest))) in values.zip(numbers) {
                    *to = root * (x.to_f64() * factor - mean - rest);
                }
            } else {
                let values = out.iter_mut().zip(&self.kept[data.clone()]);
                for ((to, &j), (factor, (mean, rest))) in values.zip(numbers) {
                    *to = root * (row[j].to_f64() * factor - mean - rest);
                }
            }
            if data.len() < width {
                out[width - 1] = root * self.one;
            }
        }
    }

    fn fill_sparse(
        &self,
        csr: &Csr<f64>,
        rows: Range<usize>,
        columns: Range<usize>,
        out: &mut [f64],
    ) {
        let shifts = &self.shifts[columns.clone()];
        for (i, out) in rows.zip(out.chunks_exact_mut(columns.len())) {
            let root = self.root(i);
            for (to, shift) in out.iter_mut().zip(shifts) {
                *to = -root * shift;
            }
            let (indices, values) = csr.row(i);
            let first = indices.partition_point(|&j| (j as usize) < columns.start);
            for (&j, value) in indices[first..].iter().zip(&values[first..]) {
                let j = j as usize;
                if j >= columns.end {
                    break;
                }
                out[j - columns.start] = root * (value - self.shifts[j]);
            }
        }
    }

    /// The largest |slope| of an output relative to column and target.
    pub(super) fn violation(&self, output: usize, slope: &[f64]) -> f64 {
        let size = self.target_norms[output];
        if size == 0.0 {
            return 0.0;
        }
        let each = slope.iter().zip(&self.norms);
        each.fold(0.0, |most, (s, norm)| (s.abs() / (norm * size)).max(most))
    }

    /// Weights as number and power of two, with the columns of the data they belong to, and the
    /// constant of an output.
    pub(super) fn in_data_units<'a>(
        &'a self,
        weights: &'a [f64],
        output: usize,
    ) -> (impl Iterator<Item = (usize, (f64, i32))> + 'a, f64) {
        let bias = match self.bias {
            Bias::Free => {
                let terms = self.means().zip(weights).map(|(m, w)| (-m, *w));
                compensated_sum(self.target_means[output], terms)
            }
            Bias::Regularised => self.ones_in_data_units(weights),
            Bias::None => 0.0,
        };
        (self.columns_in_data_units(weights), bias)
    }

    /// Values of columns as number and power of two, with the columns of the data.
    pub(super) fn columns_in_data_units<'a>(
        &'a self,
        values: &'a [f64],
    ) -> impl Iterator<Item = (usize, (f64, i32))> + 'a {
        let units = values.iter().copied().zip(self.exponents.iter().copied());
        self.kept.iter().copied().zip(units)
    }

    /// The value of the appended column.
    pub(super) fn ones_in_data_units(&self, values: &[f64]) -> f64 {
        values[self.kept.len()] * self.one
    }
}

/// Powers of two for all columns, and the number that stands for the feature 1.
fn column_exponents(points: &Points, scaling: Scaling, context: &FitContext) -> (Vec<i32>, f64) {
    let width = points.columns();
    let exponent = |size: f64| if size == 0.0 { 0 } else { exponent_of(size) };
    // Powers beyond this are no numbers themselves.
    let opposite = |e: i32| (-e).clamp(-1000, 1000);
    if scaling == Scaling::Common {
        let e = exponent(each!(points, block => block.largest()));
        let e = if e.abs() > SAFE { opposite(e) } else { 0 };
        return (vec![e; width], 2.0_f64.powi(e));
    }
    // Small columns beside large ones are found column by column.
    let sizes = column_sizes(points, context);
    let exponents = sizes.into_iter().map(|size| {
        let e = exponent(size);
        let extreme = match scaling {
            Scaling::Each => e.abs() > SAFE,
            _ => e > SAFE,
        };
        if extreme { opposite(e) } else { 0 }
    });
    (exponents.collect(), 1.0)
}

/// The largest magnitude of every column.
fn column_sizes(points: &Points, context: &FitContext) -> Vec<f64> {
    let mut sizes = vec![0.0_f64; points.columns()];
    each!(points, block => match block {
        Block::Dense(matrix) => {
            let parts = context.map(runs(matrix.rows(), (matrix.rows() / 4096).min(16)), |run| {
                let mut sizes = vec![0.0_f64; matrix.columns()];
                for i in run {
                    for (size, x) in sizes.iter_mut().zip(matrix.row(i)) {
                        let x = x.to_f64().abs();
                        *size = if x > *size { x } else { *size };
                    }
                }
                sizes
            });
            for part in parts {
                for (size, part) in sizes.iter_mut().zip(part) {
                    *size = size.max(part);
                }
            }
        }
        Block::Sparse(csr) => {
            for (&j, x) in csr.indices().iter().zip(csr.values()) {
                let size = &mut sizes[j as usize];
                *size = size.max(x.to_f64().abs());
            }
        }
    });
    sizes
}

/// start + Σ a b with the roundings of products and sums added at the end: constants of columns
/// far from zero are small differences of large numbers.
fn compensated_sum(start: f64, terms: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut sum, mut rest) = (start, 0.0);
    for (a, b) in terms {
        let product = a * b;
        let lost = a.mul_add(b, -product);
        let next = sum + product;
        let part = next - sum;
        rest += (sum - (next - part)) + (product - part) + lost;
        sum = next;
    }
    sum + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_keep_what_cancels() {
        let terms = [(1e16, 3.0), (1.0, 0.125), (-1e16, 3.0)];
        assert_eq!(compensated_sum(0.0, terms.into_iter()), 0.125);
    }
}
