//! Rows that new ones are near to or not: a decision is how much nearer than a threshold the k-th
//! neighbour is.

use std::collections::HashSet;

use mercer_linalg::{Matrix, Par, Precision};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Decide, Function, read_shape};
use crate::data::{Block, Encoder, FeatureGroup, Records};
use crate::fit::{Cancel, FitContext};
use crate::model::Tensors;
use crate::model::readout::Readout;
use crate::model::records_parts::{RecordsShape, from_tensors, to_tensors};
use crate::solver::kmeans::distances;
use crate::{Error, Result};

/// Multiplications below which threads cost more than they save.
const WORTH_THREADS: f64 = 1e7;
/// Distances held at a time: 8 MiB of them, half of the least memory that a fit can be limited to.
const CELLS: usize = 1 << 20;

/// Novelty by the distance from the k-th nearest row: f(x) = t − d_k(x), negative for novel rows.
#[derive(Debug, Clone, PartialEq)]
pub struct NearestNovelty {
    /// The rows that distances are measured from.
    pub rows: Records,
    /// How many copies each stands for; `None` means one each.
    pub weights: Option<Vec<f64>>,
    /// k.
    pub neighbours: usize,
    /// t.
    pub threshold: f64,
}

#[derive(Serialize, Deserialize)]
struct Shape {
    rows: RecordsShape,
    weighted: bool,
    neighbours: usize,
    threshold: f64,
}

impl NearestNovelty {
    fn decide(&self) -> Neighbours {
        let rows = match self.rows.features.points.widened() {
            Block::Dense(rows) => {
                Matrix::from_fn(rows.rows(), rows.columns(), |i, j| rows.row(i)[j])
            }
            Block::Sparse(rows) => rows.to_dense(),
        };
        Neighbours {
            rows,
            weights: self.weights.clone(),
            count: self.neighbours as f64,
            threshold: self.threshold,
        }
    }

    /// Returns the distance of every row from its k-th neighbour, one copy of the row left out.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub(crate) fn left_out(&self, context: &FitContext) -> Result<Vec<f64>> {
        let decide = self.decide();
        let n = self.rows.len();
        let mut found = Vec::with_capacity(n);
        let step = decide.rows_at_once();
        for start in (0..n).step_by(step) {
            context.check()?;
            let part = self.rows.slice(start..(start + step).min(n));
            let block = distances(&decide.rows, &part, context.par(), &context.cancel)?;
            let own = (0..part.len()).map(|i| decide.kth(block.row(i), Some(start + i)));
            found.extend(own);
        }
        Ok(found)
    }
}

impl Function for NearestNovelty {
    const KIND: &'static str = "nearest_novelty";

    fn readout(&self) -> &Readout {
        &Readout::Novelty
    }

    fn width(&self) -> usize {
        1
    }

    fn decider(&self, _precision: Precision) -> Result<Box<dyn Decide>> {
        Ok(Box::new(self.decide()))
    }

    fn features(&self) -> &[FeatureGroup] {
        &self.rows.features.groups
    }

    fn columns_read<'a>(&self, encoder: &'a Encoder) -> HashSet<&'a str> {
        let columns = encoder.columns().iter();
        let read = columns.filter(|column| column.group().is_some());
        read.map(|column| column.name.as_str()).collect()
    }

    fn check(&self) -> Result<()> {
        let positive = |weights: &Vec<f64>| weights.iter().all(|w| w.is_finite() && *w > 0.0);
        if let Some(weights) = &self.weights
            && !(weights.len() == self.rows.len() && positive(weights))
        {
            return Err(Error::model("the rows have no positive weight each"));
        }
        let copies = match &self.weights {
            Some(weights) => weights.iter().sum(),
            None => self.rows.len() as f64,
        };
        if self.neighbours == 0 || copies < self.neighbours as f64 {
            return Err(Error::model("there are fewer rows than neighbours"));
        }
        if !self.threshold.is_finite() {
            return Err(Error::model("the threshold is not finite"));
        }
        if self.rows.features.points.first_not_finite().is_some() {
            return Err(Error::model("a row is not finite"));
        }
        Ok(())
    }

    fn store(&self, tensors: &mut Tensors) -> Value {
        if let Some(weights) = &self.weights {
            tensors.add_f64("weights", weights.clone());
        }
        let shape = Shape {
            rows: to_tensors(&self.rows, "rows", tensors),
            weighted: self.weights.is_some(),
            neighbours: self.neighbours,
            threshold: self.threshold,
        };
        serde_json::to_value(shape).expect("a shape holds strings, numbers and lists")
    }

    fn load(shape: &Value, encoder: &Encoder, tensors: &mut Tensors) -> Result<Self> {
        let shape: Shape = read_shape(shape)?;
        let model = Self {
            rows: from_tensors(&shape.rows, encoder, "rows", tensors)?,
            weights: if shape.weighted {
                Some(tensors.take_f64("weights")?)
            } else {
                None
            },
            neighbours: shape.neighbours,
            threshold: shape.threshold,
        };
        model.check()?;
        Ok(model)
    }
}

/// Finds neighbours.
#[derive(Debug)]
struct Neighbours {
    rows: Matrix<f64>,
    weights: Option<Vec<f64>>,
    count: f64,
    threshold: f64,
}

impl Neighbours {
    fn rows_at_once(&self) -> usize {
        (CELLS / self.rows.rows().max(1)).clamp(1, 1024)
    }

    /// The distance within which there are k copies; one copy of `own` does not count.
    fn kth(&self, distances: &[f64], own: Option<usize>) -> f64 {
        let without = |row: usize| if own == Some(row) { 1.0 } else { 0.0 };
        let Some(weights) = &self.weights else {
            let place = self.count as usize - 1;
            let mut all: Vec<f64> = (0..distances.len())
                .filter(|&row| own != Some(row))
                .map(|row| distances[row])
                .collect();
            return if place < all.len() {
                *all.select_nth_unstable_by(place, f64::total_cmp).1
            } else {
                f64::INFINITY
            };
        };
        let mut order: Vec<usize> = (0..distances.len()).collect();
        order.sort_by(|&a, &b| distances[a].total_cmp(&distances[b]));
        let mut copies = 0.0;
        for row in order {
            copies += (weights[row] - without(row)).max(0.0);
            if copies >= self.count {
                return distances[row];
            }
        }
        f64::INFINITY
    }
}

impl Decide for Neighbours {
    fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>> {
        let n = records.len();
        let mut found = Vec::with_capacity(n);
        let step = self.rows_at_once();
        for start in (0..n).step_by(step) {
            let part = records.slice(start..(start + step).min(n));
            let block = distances(&self.rows, &part, par, cancel)?;
            let own = (0..part.len()).map(|i| self.threshold - self.kth(block.row(i), None));
            found.extend(own);
        }
        Ok(Matrix::from_vec(n, 1, found))
    }

    fn is_worth_threads(&self, rows: usize) -> bool {
        (rows * self.rows.as_slice().len()) as f64 >= WORTH_THREADS
    }
}
