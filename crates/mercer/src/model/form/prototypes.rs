//! Rows that stand for others: the nearest one names the prediction.

use std::collections::HashSet;

use mercer_linalg::{Matrix, Par, Precision};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Decide, Function, read_shape};
use crate::data::{Block, Encoder, FeatureGroup, Records};
use crate::fit::Cancel;
use crate::model::Tensors;
use crate::model::readout::{Readout, ReadoutShape};
use crate::model::records_parts::{RecordsShape, from_tensors, to_tensors};
use crate::solver::kmeans::distances;
use crate::{Error, Result};

/// Multiplications below which threads cost more than they save.
const WORTH_THREADS: f64 = 1e7;

/// Prototypes; a decision is the distance from one of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Prototypes {
    /// The prototypes.
    pub rows: Records,
    /// What the nearest one stands for.
    pub readout: Readout,
}

impl Prototypes {
    /// Returns the numbers of the prototypes, a row for each.
    pub fn centres(&self) -> Matrix<f64> {
        match self.rows.features.points.widened() {
            Block::Dense(rows) => {
                Matrix::from_fn(rows.rows(), rows.columns(), |i, j| rows.row(i)[j])
            }
            Block::Sparse(rows) => rows.to_dense(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Shape {
    rows: RecordsShape,
    readout: ReadoutShape,
}

impl Function for Prototypes {
    const KIND: &'static str = "prototypes";

    fn readout(&self) -> &Readout {
        &self.readout
    }

    fn width(&self) -> usize {
        self.rows.len()
    }

    fn decider(&self, _precision: Precision) -> Result<Box<dyn Decide>> {
        Ok(Box::new(Distances {
            prototypes: self.centres(),
        }))
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
        if self.rows.is_empty() {
            return Err(Error::model("there is no prototype"));
        }
        self.readout.check(self.rows.len())?;
        if self.rows.features.points.first_not_finite().is_some() {
            return Err(Error::model("a prototype is not finite"));
        }
        Ok(())
    }

    fn store(&self, tensors: &mut Tensors) -> Value {
        let shape = Shape {
            rows: to_tensors(&self.rows, "rows", tensors),
            readout: self.readout.store(tensors),
        };
        serde_json::to_value(shape).expect("a shape holds strings, numbers and lists")
    }

    fn load(shape: &Value, encoder: &Encoder, tensors: &mut Tensors) -> Result<Self> {
        let shape: Shape = read_shape(shape)?;
        let model = Self {
            rows: from_tensors(&shape.rows, encoder, "rows", tensors)?,
            readout: Readout::load(shape.readout, tensors)?,
        };
        model.check()?;
        Ok(model)
    }
}

/// Computes the distances.
#[derive(Debug)]
struct Distances {
    prototypes: Matrix<f64>,
}

impl Decide for Distances {
    fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>> {
        distances(&self.prototypes, records, par, cancel)
    }

    fn is_worth_threads(&self, rows: usize) -> bool {
        (rows * self.prototypes.as_slice().len()) as f64 >= WORTH_THREADS
    }
}
