//! A sample of rows that is the same however the rows came in.
//!
//! Every row has a key, a hash of where it stands; the rows of the smallest keys are the sample. It is uniform, and the
//! sample of a union is the sample of both samples: it can be merged as sums can. It keeps the features of its rows, so that what is
//! learnt without their fold can be asked about them when all sums are there.

use mercer_linalg::Matrix;

use crate::{Error, Result};

/// Rows in a sample: enough for intervals of 99 % and for the two numbers of a sigmoid.
const WITNESSES: usize = 4096;

/// Rows of a sample, in the order of their keys.
#[derive(Debug, Clone, PartialEq)]
pub struct Witnesses {
    pub(super) width: usize,
    pub(super) outputs: usize,
    pub(super) rows: Vec<Witness>,
}

/// A row of the sample.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Witness {
    pub(super) key: u64,
    pub(super) fold: u32,
    pub(super) weight: f64,
    pub(super) targets: Vec<f64>,
    pub(super) features: Vec<f64>,
}

/// A sample as files have it.
#[derive(Debug, Clone)]
pub(crate) struct StoredWitnesses {
    pub(crate) keys: Vec<u64>,
    pub(crate) folds: Vec<u32>,
    pub(crate) weights: Vec<f64>,
    /// A row for every row.
    pub(crate) targets: Matrix<f64>,
    pub(crate) features: Matrix<f64>,
}

impl Witnesses {
    /// The sample in lists.
    pub(crate) fn store(&self) -> StoredWitnesses {
        let rows = &self.rows;
        StoredWitnesses {
            keys: rows.iter().map(|row| row.key).collect(),
            folds: rows.iter().map(|row| row.fold).collect(),
            weights: rows.iter().map(|row| row.weight).collect(),
            targets: Matrix::from_fn(rows.len(), self.outputs, |i, k| rows[i].targets[k]),
            features: self.features(),
        }
    }

    /// Puts a sample together again.
    pub(super) fn load(
        stored: StoredWitnesses,
        (width, outputs): (usize, usize),
        folds: usize,
    ) -> Result<Self> {
        let StoredWitnesses {
            keys,
            folds: of,
            weights,
            targets,
            features,
        } = stored;
        let count = keys.len();
        let shape = |rows: usize, columns: usize, wanted: usize| {
            rows == count && (columns == wanted || count == 0)
        };
        if of.len() != count
            || weights.len() != count
            || !shape(targets.rows(), targets.columns(), outputs)
            || !shape(features.rows(), features.columns(), width)
        {
            return Err(misfit());
        }
        let row = |i: usize| Witness {
            key: keys[i],
            fold: of[i],
            weight: weights[i],
            targets: targets.row(i).to_vec(),
            features: features.row(i).to_vec(),
        };
        let found = Self {
            width,
            outputs,
            rows: (0..count).map(row).collect(),
        };
        found.check(folds)?;
        Ok(found)
    }

    pub(super) fn new(width: usize, outputs: usize) -> Self {
        Self {
            width,
            outputs,
            rows: Vec::new(),
        }
    }

    /// Returns how many rows are kept.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether no row is kept.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns whether a row of this key would be kept.
    pub(super) fn takes(&self, key: u64) -> bool {
        self.rows.len() < WITNESSES || self.rows.last().is_some_and(|last| key < last.key)
    }

    /// Adds rows, keeps those of the smallest keys.
    pub(super) fn add(&mut self, more: Vec<Witness>) {
        if more.is_empty() {
            return;
        }
        self.rows.extend(more);
        self.rows.sort_by_key(|row| row.key);
        self.rows.truncate(WITNESSES);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.add(other.rows.clone());
    }

    /// The features, a row each.
    fn features(&self) -> Matrix<f64> {
        let mut values = Vec::with_capacity(self.rows.len() * self.width);
        for row in &self.rows {
            values.extend_from_slice(&row.features);
        }
        Matrix::from_vec(self.rows.len(), self.width, values)
    }

    /// Checks what a file says.
    fn check(&self, folds: usize) -> Result<()> {
        let ordered = self.rows.windows(2).all(|pair| pair[0].key <= pair[1].key);
        let fits = |row: &Witness| {
            row.targets.len() == self.outputs
                && row.features.len() == self.width
                && (row.fold as usize) < folds
                && row.weight.is_finite()
                && row.weight > 0.0
                && row.targets.iter().all(|y| y.is_finite())
                && row.features.iter().all(|x| x.is_finite())
        };
        if ordered && self.rows.len() <= WITNESSES && self.rows.iter().all(fits) {
            return Ok(());
        }
        Err(misfit())
    }
}

fn misfit() -> Error {
    Error::model("the sample of rows does not fit the sums")
}
