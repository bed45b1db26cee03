//! What a fit is given, in a form that copies and permutations do not change.

use mercer_linalg::{Csr, LinearRows, Real, dot};

use crate::data::{Block, ClassTargets, Dataset, Points, Records};
use crate::fit::{FitContext, Note};
use crate::learn::ClassWeights;
use crate::learn::centre::FarRows;
use crate::learn::margin::Bias;
use crate::solver::linear_loss::{Limits, Space};
use crate::{Error, Result};

/// Values whose squares and sums of squares stay far from the end of the range.
const LARGEST: f64 = 1e100;

/// Distinct rows of positive weight, ordered by a hash of what is in them.
pub(super) struct Input {
    /// The rows, with the columns that have a value.
    pub(super) rows: LinearRows,
    /// How many copies each stands for, times the factor of its class.
    pub(super) copies: Vec<f64>,
    /// The first row of the data that each was made from.
    pub(super) sources: Vec<u32>,
    /// The columns of the data; `None` where all are there.
    columns: Option<Vec<u32>>,
    features: usize,
    /// What was taken from the columns, where they are far from zero.
    means: Option<Vec<f64>>,
    /// What the user is told of far columns that the constant cannot make up for.
    pub(super) alert: Option<Note>,
}

impl Input {
    /// Checks and orders rows; `target` tells rows apart that may not be merged, `factor` multiplies
    /// their weights. A free constant takes the means of far columns on itself.
    ///
    /// # Errors
    /// Nothing to learn from, values that are not finite or beyond all measure.
    pub(super) fn try_new(
        data: &Dataset,
        bias: Bias,
        target: impl Fn(usize) -> u64,
        factor: impl Fn(usize) -> f64,
    ) -> Result<Self> {
        let points = &data.records.features.points;
        check(&data.records)?;
        let weight = |row: usize| factor(row) * data.weights.as_ref().map_or(1.0, |w| w[row]);
        let hash = |row: usize| match points {
            Points::Double(block) => hash(block, row, target(row)),
            Points::Single(block) => hash(block, row, target(row)),
        };
        let mut marks: Vec<(u64, u32)> = (0..data.len())
            .filter(|&row| weight(row) > 0.0)
            .map(|row| (hash(row), row as u32))
            .collect();
        if marks.is_empty() {
            return Err(Error::rows(
                "there are no rows to learn from",
                "give at least one row with a positive weight",
            ));
        }
        marks.sort_unstable();
        let same = |a: u32, b: u32| {
            let (a, b) = (a as usize, b as usize);
            target(a) == target(b)
                && match points {
                    Points::Double(block) => equal(block, a, b),
                    Points::Single(block) => equal(block, a, b),
                }
        };
        let (mut sources, mut copies) = (Vec::new(), Vec::new());
        let mut last_hash = None;
        // Rows of one hash are compared with all of them that differ: nearly always with one.
        let mut first_of_hash = 0;
        for (hash, row) in marks {
            if last_hash != Some(hash) {
                (last_hash, first_of_hash) = (Some(hash), sources.len());
            }
            let found = (first_of_hash..sources.len()).find(|&k| same(sources[k], row));
            if let Some(k) = found {
                copies[k] += weight(row as usize);
            } else {
                sources.push(row);
                copies.push(weight(row as usize));
            }
        }
        let far = FarRows::of(&data.records, Some(&sources));
        let why = match bias {
            Bias::Free => None,
            Bias::Regularised => Some("the constant is penalised and cannot make up for that"),
            Bias::None => Some("without a constant the function goes through zero"),
        };
        let alert = far.as_ref().zip(why).map(|(far, why)| {
            let why = format!("{why}, so that the solution may be of little use");
            far.alert(&why, Some("choose a free constant"))
        });
        let centred = far
            .filter(|_| bias == Bias::Free)
            .map(|far| far.centred(&data.records));
        let points = match &centred {
            Some(centred) => &centred.records.features.points,
            None => points,
        };
        let (rows, columns) = match points {
            Points::Double(Block::Dense(matrix)) => {
                (LinearRows::double(matrix.clone(), sources.clone()), None)
            }
            Points::Single(Block::Dense(matrix)) => {
                (LinearRows::single(matrix.clone(), sources.clone()), None)
            }
            Points::Double(Block::Sparse(csr)) => sparse(csr, &sources),
            Points::Single(Block::Sparse(csr)) => sparse(csr, &sources),
        };
        Ok(Self {
            rows,
            copies,
            sources,
            columns,
            features: points.columns(),
            means: centred.map(|centred| centred.means),
            alert,
        })
    }

    /// Puts weights of the columns that are there among all of them.
    pub(super) fn spread(&self, weights: impl Iterator<Item = f64>, out: &mut [f64]) {
        match &self.columns {
            None => out
                .iter_mut()
                .zip(weights)
                .for_each(|(out, weight)| *out = weight),
            Some(columns) => {
                for (column, weight) in columns.iter().zip(weights) {
                    out[*column as usize] = weight;
                }
            }
        }
    }

    /// The constant of a function of the rows as they were given.
    pub(super) fn constant(&self, constant: f64, weights: &[f64]) -> f64 {
        match &self.means {
            Some(means) => constant - dot(weights, means),
            None => constant,
        }
    }

    /// Number of columns of the data.
    pub(super) fn features(&self) -> usize {
        self.features
    }

    /// The rows with a constant and the penalty of C, and the unit of the objective: the larger
    /// of C and 1, so that neither prices nor penalties leave the range of numbers.
    pub(super) fn space(&self, c: Option<f64>, bias: Bias, scale: f64) -> (Space<'_>, f64) {
        let (penalty, unit) = match c {
            None => (0.0, 1.0),
            Some(c) if c >= 1.0 => (1.0 / c, c),
            Some(_) => (1.0, 1.0),
        };
        let space = Space {
            rows: &self.rows,
            constant: match bias {
                Bias::Free => 1.0,
                Bias::Regularised => scale,
                Bias::None => 0.0,
            },
            penalty,
            constant_penalty: if bias == Bias::Free { 0.0 } else { penalty },
        };
        (space, unit)
    }

    /// The prices of the rows in that unit.
    pub(super) fn prices(&self, c: Option<f64>) -> Vec<f64> {
        let factor = c.unwrap_or(1.0).min(1.0);
        self.copies.iter().map(|copies| factor * copies).collect()
    }
}

/// The classes of a data set with the factor of each.
///
/// # Errors
/// Targets that are no classes, a class without rows, factors of unknown classes.
pub(super) fn classes<'a>(
    data: &'a Dataset,
    weights: &ClassWeights,
) -> Result<(&'a ClassTargets, Vec<f64>)> {
    let classes = data.targets.classes().ok_or_else(|| {
        Error::rows(
            "classification needs a class for every row",
            "give a target column with classes, or use regression",
        )
    })?;
    let mut totals = vec![0.0; classes.labels.len()];
    for (row, code) in classes.codes.iter().enumerate() {
        totals[*code as usize] += data.weights.as_ref().map_or(1.0, |w| w[row]);
    }
    if totals.len() < 2 || totals.iter().any(|total| *total <= 0.0) {
        return Err(Error::rows(
            "every class needs at least one row",
            "remove labels without rows; at least two classes are needed",
        ));
    }
    let factors = weights.factors(classes, &totals)?;
    Ok((classes, factors))
}

/// When solvers stop: their own number of steps where none is given.
pub(super) fn limits(tolerance: f64, given: Option<u64>, usual: u64, seed: u64) -> Limits {
    Limits {
        tolerance,
        iterations: given.unwrap_or(usual),
        seed,
    }
}

/// One thread where waking others takes longer than what they would save; results are the same.
pub(super) fn on_worthwhile_threads(context: FitContext, data: &Dataset) -> FitContext {
    /// Multiplications of a pass over the rows that take a few hundred microseconds.
    const WORTH: usize = 400_000;
    fn work<T: Real>(block: &Block<T>) -> usize {
        match block {
            // Eight at once, and a factor of the columns in each step.
            Block::Dense(matrix) => matrix.as_slice().len() * matrix.columns().div_ceil(8),
            Block::Sparse(csr) => csr.values().len(),
        }
    }
    let work = match &data.records.features.points {
        Points::Double(block) => work(block),
        Points::Single(block) => work(block),
    };
    let functions = match data.targets.classes() {
        Some(classes) if classes.labels.len() > 2 => classes.labels.len(),
        _ => 1,
    };
    if work.saturating_mul(functions) < WORTH {
        context.threads(1)
    } else {
        context
    }
}

fn check(records: &Records) -> Result<()> {
    let points = &records.features.points;
    let cell = |(row, column): (usize, usize), problem: &str, cure: &'static str| Error::Cell {
        place: format!("row {}", row + 1),
        column: records.features.name(column),
        problem: problem.to_owned(),
        cure: cure.into(),
    };
    if let Some(at) = points.first_not_finite() {
        let cure = "replace or remove it before fitting";
        return Err(cell(at, "the value is not a finite number", cure));
    }
    let large = match points {
        Points::Double(block) => first_large(block),
        Points::Single(_) => None,
    };
    if let Some(at) = large {
        let cure = "divide the column by a power of ten, or standardise it";
        return Err(cell(
            at,
            "the square of the value leaves the range of numbers",
            cure,
        ));
    }
    Ok(())
}

fn first_large(block: &Block<f64>) -> Option<(usize, usize)> {
    match block {
        Block::Dense(matrix) => {
            let width = matrix.columns().max(1);
            let at = matrix.as_slice().iter().position(|v| v.abs() > LARGEST)?;
            Some((at / width, at % width))
        }
        Block::Sparse(csr) => {
            let at = csr.values().iter().position(|v| v.abs() > LARGEST)?;
            let row = csr.row_starts().partition_point(|start| *start <= at) - 1;
            Some((row, csr.indices()[at] as usize))
        }
    }
}

/// Chosen rows without stored zeros, and the columns they have values in where those are few.
fn sparse<T: Real>(csr: &Csr<T>, sources: &[u32]) -> (LinearRows, Option<Vec<u32>>) {
    let mut used = vec![false; csr.columns()];
    let mut stored = 0;
    for &row in sources {
        let (indices, values) = csr.row(row as usize);
        for (index, value) in indices.iter().zip(values) {
            if value.to_f64() != 0.0 {
                used[*index as usize] = true;
                stored += 1;
            }
        }
    }
    let columns: Vec<u32> = (0..csr.columns() as u32)
        .filter(|&j| used[j as usize])
        .collect();
    let few = columns.len() < csr.columns();
    let mut places: Vec<u32> = Vec::new();
    if few {
        places = vec![0; csr.columns()];
        for (place, column) in columns.iter().enumerate() {
            places[*column as usize] = place as u32;
        }
    }
    let whole = !csr.values().iter().any(|value| value.to_f64() == 0.0);
    let mut starts = Vec::with_capacity(sources.len() + 1);
    let (mut all, mut kept) = (Vec::with_capacity(stored), Vec::with_capacity(stored));
    starts.push(0);
    for &row in sources {
        let (indices, values) = csr.row(row as usize);
        if whole {
            all.extend_from_slice(indices);
            kept.extend(values.iter().map(|value| value.to_f64()));
        } else {
            for (index, value) in indices.iter().zip(values) {
                let value = value.to_f64();
                if value != 0.0 {
                    all.push(*index);
                    kept.push(value);
                }
            }
        }
        starts.push(all.len());
    }
    if few {
        for index in &mut all {
            *index = places[*index as usize];
        }
    }
    let width = if few { columns.len() } else { csr.columns() };
    let rows = LinearRows::sparse(width, starts, all, kept);
    (rows, few.then_some(columns))
}

/// Mixes a number into a hash: the finaliser of a multiplicative congruence.
fn mix(hash: u64, value: u64) -> u64 {
    let mixed = (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 29)
}

/// A hash of a target and the values other than zero with their columns, in two chains that do not wait for
/// each other.
fn hash<T: Real>(block: &Block<T>, row: usize, target: u64) -> u64 {
    let (mut next, mut after) = (mix(0x2545_F491_4F6C_DD1D, target), 0);
    let mut add = |column: usize, value: T| {
        let value = value.to_f64();
        if value != 0.0 {
            let place = (column as u64).wrapping_mul(0xD1B5_4A32_D192_ED03);
            let grown = mix(next, place ^ value.to_bits());
            (next, after) = (after, grown);
        }
    };
    match block {
        Block::Dense(matrix) => {
            for (column, value) in matrix.row(row).iter().enumerate() {
                add(column, *value);
            }
        }
        Block::Sparse(csr) => {
            let (indices, values) = csr.row(row);
            for (column, value) in indices.iter().zip(values) {
                add(*column as usize, *value);
            }
        }
    }
    mix(mix(next, 1), after)
}

/// Whether two rows have the same values; stored zeros are as good as none.
fn equal<T: Real>(block: &Block<T>, a: usize, b: usize) -> bool {
    match block {
        Block::Dense(matrix) => matrix.row(a) == matrix.row(b),
        Block::Sparse(csr) => {
            let entries = |row: usize| {
                let (indices, values) = csr.row(row);
                let pairs = indices.iter().zip(values);
                pairs.filter(|(_, value)| value.to_f64() != 0.0)
            };
            entries(a).eq(entries(b))
        }
    }
}
