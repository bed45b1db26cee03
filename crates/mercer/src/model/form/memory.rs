//! A Hopfield network: symmetric weights between columns, along which a row falls into a stored pattern.
//!
//! States are s ∈ {−1, 1}ⁿ with the energy E(s) = −½ sᵀWs. States are looked at one after another in the order of
//! the columns; one whose field h_i = Σ_j W_ij s_j has the other sign is turned over, which lowers E by 2|h_i|. So E never
//! rises, and passes end where nothing is turned over any more.

use std::collections::HashSet;

use mercer_linalg::{Matrix, Op, Par, Precision, axpy, dot, matvec};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Decide, Function, read_shape};
use crate::data::{Block, Encoder, FeatureGroup, Records};
use crate::fit::Cancel;
use crate::model::Tensors;
use crate::model::readout::Readout;
use crate::{Error, Result};

/// Multiplications below which threads cost more than they save.
const WORTH_THREADS: f64 = 1e7;

/// Share of the largest possible field below which one is zero.
const ROUNDING: f64 = 1e-13;

/// The weights of an associative memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    /// Symmetric, with zeros on the diagonal.
    pub weights: Matrix<f64>,
    /// The features that the states stand for.
    pub features: Vec<FeatureGroup>,
    /// Most passes of a recall.
    pub passes: usize,
    /// A number for every column: the recalled pattern.
    readout: Readout,
}

#[derive(Serialize, Deserialize)]
struct Shape {
    features: Vec<FeatureGroup>,
    passes: usize,
}

impl Memory {
    /// Puts a memory together.
    pub fn new(weights: Matrix<f64>, features: Vec<FeatureGroup>, passes: usize) -> Self {
        Self {
            weights,
            features,
            passes,
            readout: Readout::Values,
        }
    }

    /// Ws.
    fn fields(&self, states: &[f64], out: &mut [f64]) {
        let weights = self.weights.as_ref();
        matvec(1.0, weights, Op::None, states, 0.0, out, Par::Sequential);
    }

    /// Returns E(s) = −½ sᵀWs.
    pub fn energy(&self, states: &[f64]) -> f64 {
        let n = states.len();
        let mut fields = vec![0.0; n];
        self.fields(states, &mut fields);
        -0.5 * dot(states, &fields)
    }

    /// Turns states over until none wants to be; returns whether that was within the passes allowed.
    ///
    /// A state without a field stays as it is.
    pub fn recall(&self, states: &mut [f64]) -> bool {
        self.recall_watched(states, |_| {})
    }

    /// The same; who watches sees the states after every change.
    pub fn recall_watched(&self, states: &mut [f64], mut watch: impl FnMut(&[f64])) -> bool {
        let n = states.len();
        let mut fields = vec![0.0; n];
        self.fields(states, &mut fields);
        let largest = (self.weights.as_slice().iter()).fold(0.0, |most: f64, w| most.max(w.abs()));
        // What is smaller is the rounding of a field that is zero.
        let nothing = ROUNDING * largest * n as f64;
        for _ in 0..self.passes {
            let mut changed = false;
            for i in 0..n {
                if fields[i] * states[i] < -nothing {
                    states[i] = -states[i];
                    axpy(2.0 * states[i], self.weights.row(i), &mut fields);
                    changed = true;
                    watch(states);
                }
            }
            if !changed {
                return true;
            }
        }
        false
    }

    /// Returns rows of records as states: the signs of their numbers; 0 counts as positive.
    pub fn states(records: &Records) -> Matrix<f64> {
        let sign = |value: f64| if value < 0.0 { -1.0 } else { 1.0 };
        match records.features.points.widened() {
            Block::Dense(rows) => {
                Matrix::from_fn(rows.rows(), rows.columns(), |i, j| sign(rows.row(i)[j]))
            }
            Block::Sparse(rows) => {
                let dense = rows.to_dense();
                Matrix::from_fn(dense.rows(), dense.columns(), |i, j| sign(dense[(i, j)]))
            }
        }
    }
}

impl Function for Memory {
    const KIND: &'static str = "memory";

    fn readout(&self) -> &Readout {
        &self.readout
    }

    fn width(&self) -> usize {
        self.weights.rows()
    }

    fn decider(&self, _precision: Precision) -> Result<Box<dyn Decide>> {
        Ok(Box::new(self.clone()))
    }

    fn features(&self) -> &[FeatureGroup] {
        &self.features
    }

    fn columns_read<'a>(&self, encoder: &'a Encoder) -> HashSet<&'a str> {
        let columns = encoder.columns().iter();
        let read = columns.filter(|column| column.group().is_some());
        read.map(|column| column.name.as_str()).collect()
    }

    fn check(&self) -> Result<()> {
        let width: usize = self.features.iter().map(FeatureGroup::width).sum();
        let weights = &self.weights;
        if weights.rows() != width || weights.columns() != width || width == 0 {
            return Err(Error::model(format!(
                "{} by {} weights for {width} features",
                weights.rows(),
                weights.columns()
            )));
        }
        if weights.as_slice().iter().any(|w| !w.is_finite()) {
            return Err(Error::model("a weight is not finite"));
        }
        let symmetric = |i: usize| (0..i).all(|j| weights[(i, j)] == weights[(j, i)]);
        if !(0..width).all(|i| weights[(i, i)] == 0.0 && symmetric(i)) {
            return Err(Error::model(
                "the weights of a memory are symmetric with zeros on the diagonal",
            ));
        }
        if self.passes == 0 {
            return Err(Error::model("a recall has no pass"));
        }
        Ok(())
    }

    fn store(&self, tensors: &mut Tensors) -> Value {
        tensors.add_matrix("weights", &self.weights);
        let shape = Shape {
            features: self.features.clone(),
            passes: self.passes,
        };
        serde_json::to_value(shape).expect("a shape holds strings, numbers and lists")
    }

    fn load(shape: &Value, encoder: &Encoder, tensors: &mut Tensors) -> Result<Self> {
        let shape: Shape = read_shape(shape)?;
        let weights = tensors.take_matrix("weights")?;
        let model = Self::new(weights, encoder.with_words(shape.features), shape.passes);
        model.check()?;
        Ok(model)
    }
}

impl Decide for Memory {
    fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>> {
        let n = self.weights.rows();
        if records.features.points.columns() != n {
            return Err(Error::Length {
                what: "a row".to_owned(),
                found: records.features.points.columns(),
                expected: n,
                unit: "features",
            });
        }
        let mut out = Self::states(records);
        let row = |states: &mut [f64]| {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            self.recall(states);
            Ok(())
        };
        let lines = out.as_mut_slice();
        if par == Par::Sequential {
            lines.chunks_exact_mut(n).try_for_each(row)?;
        } else {
            lines.par_chunks_exact_mut(n).try_for_each(row)?;
        }
        Ok(out)
    }

    fn is_worth_threads(&self, rows: usize) -> bool {
        (rows * self.weights.as_slice().len()) as f64 >= WORTH_THREADS
    }
}
