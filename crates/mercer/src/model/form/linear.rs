//! A weight per feature: f(x) = ⟨w, x⟩ + b for every decision.

use std::collections::HashSet;

use mercer_linalg::{Matrix, Par, Precision, dot};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::in_blocks::in_blocks;
use super::spread::{SpreadShape, WeightSpread};
use super::{Decide, Function, read_shape};
use crate::data::{Block, Encoder, FeatureGroup, Points, Records};
use crate::fit::Cancel;
use crate::model::Tensors;
use crate::model::readout::{Readout, ReadoutShape};
use crate::{Error, Result};

/// Records of one task: some hundred kilobytes of dense rows.
const BLOCK: usize = 256;
/// Multiplications below which threads cost more than they save.
const WORTH_THREADS: f64 = 1e7;

/// Linear decisions.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearModel {
    /// One row of weights per decision, one column per feature.
    pub weights: Matrix<f64>,
    /// Constant of each decision.
    pub biases: Vec<f64>,
    /// The features that the columns of weights are for.
    pub features: Vec<FeatureGroup>,
    /// What the decisions stand for.
    pub readout: Readout,
    /// How sure the weights are, where that is known.
    pub spread: Option<WeightSpread>,
}

#[derive(Serialize, Deserialize)]
struct Shape {
    features: Vec<FeatureGroup>,
    readout: ReadoutShape,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spread: Option<SpreadShape>,
}

impl Function for LinearModel {
    const KIND: &'static str = "linear";

    fn readout(&self) -> &Readout {
        &self.readout
    }

    fn width(&self) -> usize {
        self.biases.len()
    }

    fn decider(&self, _precision: Precision) -> Result<Box<dyn Decide>> {
        Ok(Box::new(LinearDecider {
            weights: self.weights.clone(),
            biases: self.biases.clone(),
        }))
    }

    fn features(&self) -> &[FeatureGroup] {
        &self.features
    }

    fn columns_read<'a>(&self, encoder: &'a Encoder) -> HashSet<&'a str> {
        // A column whose weights are all 0 has no say.
        let mut start = 0;
        let mut read = HashSet::new();
        for column in encoder.columns() {
            let width = column.group().map_or(0, |group| group.width());
            let features = start..start + width;
            start += width;
            let counts = |d: usize| {
                let weights = self.weights.row(d).get(features.clone());
                weights.is_none_or(|weights| weights.iter().any(|w| *w != 0.0))
            };
            if width > 0 && (0..self.weights.rows()).any(counts) {
                read.insert(column.name.as_str());
            }
        }
        read
    }

    fn check(&self) -> Result<()> {
        let width: usize = self.features.iter().map(FeatureGroup::width).sum();
        if self.weights.columns() != width || self.weights.rows() != self.biases.len() {
            return Err(Error::model(format!(
                "{} by {} weights for {} decisions and {width} features",
                self.weights.rows(),
                self.weights.columns(),
                self.biases.len()
            )));
        }
        self.readout.check(self.biases.len())?;
        let mut numbers = self.weights.as_slice().iter().chain(&self.biases);
        if numbers.any(|w| !w.is_finite()) {
            return Err(Error::model("a weight is not finite"));
        }
        match &self.spread {
            Some(spread) => spread.check(width, self.biases.len()),
            None => Ok(()),
        }
    }

    fn store(&self, tensors: &mut Tensors) -> Value {
        tensors.add_matrix("weights", &self.weights);
        tensors.add_f64("biases", self.biases.clone());
        let shape = Shape {
            features: self.features.clone(),
            readout: self.readout.store(tensors),
            spread: self.spread.as_ref().map(|spread| spread.store(tensors)),
        };
        serde_json::to_value(shape).expect("a shape holds strings, numbers and lists")
    }

    fn load(shape: &Value, encoder: &Encoder, tensors: &mut Tensors) -> Result<Self> {
        let shape: Shape = read_shape(shape)?;
        let model = Self {
            weights: tensors.take_matrix("weights")?,
            biases: tensors.take_f64("biases")?,
            features: encoder.with_words(shape.features),
            readout: Readout::load(shape.readout, tensors)?,
            spread: shape
                .spread
                .map(|shape| WeightSpread::load(shape, tensors))
                .transpose()?,
        };
        model.check()?;
        Ok(model)
    }
}

/// Computes the products.
#[derive(Debug)]
struct LinearDecider {
    weights: Matrix<f64>,
    biases: Vec<f64>,
}

impl LinearDecider {
    /// Writes the decisions about the rows of a block.
    fn block(&self, points: &Points, start: usize, out: &mut [f64]) {
        let mut wide = Vec::new();
        for (k, out) in out.chunks_exact_mut(self.biases.len()).enumerate() {
            let row = start + k;
            match points {
                Points::Double(Block::Dense(m)) => self.dense(m.row(row), out),
                Points::Single(Block::Dense(m)) => {
                    wide.clear();
                    wide.extend(m.row(row).iter().map(|v| f64::from(*v)));
                    self.dense(&wide, out);
                }
                Points::Double(Block::Sparse(m)) => self.sparse(m.row(row), |v| *v, out),
                Points::Single(Block::Sparse(m)) => {
                    self.sparse(m.row(row), |v| f64::from(*v), out);
                }
            }
        }
    }

    fn dense(&self, values: &[f64], out: &mut [f64]) {
        for (d, out) in out.iter_mut().enumerate() {
            *out = self.biases[d] + dot(self.weights.row(d), values);
        }
    }

    fn sparse<T>(&self, row: (&[u32], &[T]), wide: impl Fn(&T) -> f64, out: &mut [f64]) {
        let (indices, values) = row;
        for (d, out) in out.iter_mut().enumerate() {
            let weights = self.weights.row(d);
            let terms = indices.iter().zip(values);
            let sum: f64 = terms.map(|(&c, v)| weights[c as usize] * wide(v)).sum();
            *out = self.biases[d] + sum;
        }
    }
}

impl Decide for LinearDecider {
    fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>> {
        let points = &records.features.points;
        if points.columns() != self.weights.columns() {
            return Err(Error::Length {
                what: "a row".to_owned(),
                found: points.columns(),
                expected: self.weights.columns(),
                unit: "features",
            });
        }
        let width = self.biases.len();
        let shape = [records.len(), width];
        in_blocks(shape, BLOCK, par, cancel, |first, out| {
            self.block(points, first, out);
        })
    }

    fn is_worth_threads(&self, rows: usize) -> bool {
        rows > BLOCK && (rows * self.weights.as_slice().len()) as f64 >= WORTH_THREADS
    }
}
