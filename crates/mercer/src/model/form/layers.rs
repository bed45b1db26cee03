//! Layers of gates: a = A(a W + b), one after the other.

use std::collections::HashSet;

use mercer_linalg::{Matrix, MatrixRef, Par, Precision};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::in_blocks::in_blocks;
use super::{Decide, Function, read_shape};
use crate::data::{Block, Encoder, FeatureGroup, Records};
use crate::fit::Cancel;
use crate::model::Tensors;
use crate::model::readout::{ClassReadout, Readout, ReadoutShape, Scheme, Sigmoid};
use crate::solver::network::{Activation, Rows, layer};
use crate::{Error, Result};

/// Records of one task: some hundred kilobytes of gates.
const BLOCK: usize = 256;
/// Multiplications below which threads cost more than they save.
const WORTH_THREADS: f64 = 1e7;

/// One layer of gates.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// A row for every input, a column for every gate.
    pub weights: Matrix<f64>,
    /// Constant of every gate.
    pub biases: Vec<f64>,
    /// What the gates make of their net inputs.
    pub activation: Activation,
}

/// A network of layers.
///
/// Numbers are the outputs of the last layer. Classes are told by its net inputs z: one sigmoid
/// is the probability of the second of two classes, and the decision −z speaks for the first;
/// several sigmoids have a class each, and z are the decisions; a softmax p has the log odds
/// log p − log(1 − p) of every class as decisions.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    /// The layers, from the inputs on.
    pub layers: Vec<Layer>,
    /// The features that enter the first layer.
    pub features: Vec<FeatureGroup>,
    /// What the decisions stand for.
    pub readout: Readout,
}

impl Layers {
    /// Returns the number of weights and constants.
    pub fn parameters(&self) -> usize {
        let of = |layer: &Layer| layer.weights.as_slice().len() + layer.biases.len();
        self.layers.iter().map(of).sum()
    }

    /// Returns the number of gates, hidden ones and outputs.
    pub fn gates(&self) -> usize {
        self.layers.iter().map(|layer| layer.biases.len()).sum()
    }

    /// Returns the outputs of the last layer for rows of numbers.
    ///
    /// # Errors
    /// Rows of another width.
    pub fn outputs(&self, rows: MatrixRef<'_, f64>) -> Result<Matrix<f64>> {
        let expected = self.inputs();
        if rows.columns() != expected {
            return Err(width_error(rows.columns(), expected));
        }
        let mut out = Matrix::zeros(rows.rows(), self.width());
        let last = self.layers.len() - 1;
        let width = self.width();
        for (b, out) in out.as_mut_slice().chunks_mut(BLOCK * width).enumerate() {
            run(&self.layers, last, Rows::Dense(rows), b * BLOCK, out);
            self.layers[last].activation.apply(out, width);
        }
        Ok(out)
    }

    /// How the classes of a classifier are read off the last layer.
    pub(crate) fn class_readout(labels: &[String], outputs: usize) -> Readout {
        Readout::Classes(ClassReadout {
            labels: labels.to_vec(),
            scheme: Scheme::one_or_rest(labels.len()),
            sigmoids: Some(vec![Sigmoid { a: -1.0, b: 0.0 }; outputs]),
            factors: None,
        })
    }

    fn inputs(&self) -> usize {
        self.layers.first().map_or(0, |layer| layer.weights.rows())
    }

    /// How the net inputs of the last layer become decisions.
    fn reading(&self) -> Reading {
        let activation = self.layers[self.layers.len() - 1].activation;
        match (&self.readout, activation) {
            (Readout::Classes(_), Activation::Softmax) => Reading::LogOdds,
            (Readout::Classes(_), _) if self.width() == 1 => Reading::Against,
            (Readout::Classes(_), _) => Reading::Net,
            _ => Reading::Output(activation),
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Reading {
    /// The outputs.
    Output(Activation),
    /// The net inputs.
    Net,
    /// Minus the net inputs.
    Against,
    /// log p − log(1 − p) of a softmax p.
    LogOdds,
}

impl Reading {
    fn apply(self, nets: &mut [f64], width: usize) {
        match self {
            Self::Output(activation) => activation.apply(nets, width),
            Self::Net => {}
            Self::Against => nets.iter_mut().for_each(|z| *z = -*z),
            Self::LogOdds => {
                for row in nets.chunks_exact_mut(width) {
                    log_odds(row);
                }
            }
        }
    }
}

/// z_k − log Σ_{j≠k} exp z_j: the log odds of a softmax, precise where it is near 1.
fn log_odds(row: &mut [f64]) {
    let nets = row.to_vec();
    for (k, out) in row.iter_mut().enumerate() {
        let others = nets.iter().enumerate().filter(|(j, _)| *j != k);
        let most = others
            .clone()
            .fold(f64::NEG_INFINITY, |m, (_, z)| m.max(*z));
        let sum: f64 = others.map(|(_, z)| (z - most).exp()).sum();
        *out = nets[k] - most - sum.ln();
    }
}

/// Writes the net inputs of layer `last` for a block of rows.
fn run(layers: &[Layer], last: usize, rows: Rows<'_>, start: usize, out: &mut [f64]) {
    let count = out.len() / layers[last].biases.len();
    let mut before: Vec<f64> = Vec::new();
    for (l, at) in layers[..=last].iter().enumerate() {
        let gates = at.biases.len();
        let (rows, first) = if l == 0 {
            (rows, start)
        } else {
            let inputs = at.weights.rows();
            (
                Rows::Dense(MatrixRef::from_slice(count, inputs, &before)),
                0,
            )
        };
        let range = first..first + count;
        if l == last {
            layer(
                rows,
                range,
                at.weights.as_ref(),
                &at.biases,
                Activation::Linear,
                out,
            );
        } else {
            let mut next = vec![0.0; count * gates];
            let weights = at.weights.as_ref();
            layer(rows, range, weights, &at.biases, at.activation, &mut next);
            before = next;
        }
    }
}

fn width_error(found: usize, expected: usize) -> Error {
    Error::Length {
        what: "a row".to_owned(),
        found,
        expected,
        unit: "features",
    }
}

#[derive(Serialize, Deserialize)]
struct Shape {
    activations: Vec<Activation>,
    features: Vec<FeatureGroup>,
    readout: ReadoutShape,
}

impl Function for Layers {
    const KIND: &'static str = "layers";

    fn readout(&self) -> &Readout {
        &self.readout
    }

    fn width(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.biases.len())
    }

    fn decider(&self, _precision: Precision) -> Result<Box<dyn Decide>> {
        Ok(Box::new(LayersDecider {
            layers: self.layers.clone(),
            reading: self.reading(),
        }))
    }

    fn features(&self) -> &[FeatureGroup] {
        &self.features
    }

    fn columns_read<'a>(&self, encoder: &'a Encoder) -> HashSet<&'a str> {
        // A column whose weights in the first layer are all 0 has no say.
        let weights = &self.layers[0].weights;
        let mut start = 0;
        let mut read = HashSet::new();
        for column in encoder.columns() {
            let width = column.group().map_or(0, |group| group.width());
            let mut features = start..start + width;
            start += width;
            let counts = |f: usize| f >= weights.rows() || weights.row(f).iter().any(|w| *w != 0.0);
            if features.any(counts) {
                read.insert(column.name.as_str());
            }
        }
        read
    }

    fn check(&self) -> Result<()> {
        let Some(last) = self.layers.last() else {
            return Err(Error::model("a network without a layer"));
        };
        let mut inputs: usize = self.features.iter().map(FeatureGroup::width).sum();
        for (number, layer) in (1..).zip(&self.layers) {
            let gates = layer.biases.len();
            if gates == 0 || layer.weights.rows() != inputs || layer.weights.columns() != gates {
                return Err(Error::model(format!(
                    "layer {number} has {} by {} weights for {inputs} inputs and {gates} gates",
                    layer.weights.rows(),
                    layer.weights.columns(),
                )));
            }
            let mut numbers = layer.weights.as_slice().iter().chain(&layer.biases);
            if numbers.any(|w| !w.is_finite()) {
                return Err(Error::model(format!(
                    "a weight of layer {number} is not finite"
                )));
            }
            if layer.activation == Activation::Softmax && number < self.layers.len() {
                return Err(Error::model("a softmax stands before the last layer"));
            }
            inputs = gates;
        }
        self.readout.check(last.biases.len())?;
        let suits = match (&self.readout, last.activation) {
            (Readout::Values, _) | (Readout::Classes(_), Activation::Sigmoid) => true,
            // One gate that is on for the second of two classes.
            (Readout::Classes(_), Activation::Threshold) => last.biases.len() == 1,
            (Readout::Classes(classes), Activation::Softmax) => classes.scheme == Scheme::OneVsRest,
            _ => false,
        };
        if suits {
            return Ok(());
        }
        Err(Error::model(format!(
            "a last layer of `{}` gates does not tell what is asked of it",
            last.activation.name()
        )))
    }

    fn store(&self, tensors: &mut Tensors) -> Value {
        for (l, layer) in self.layers.iter().enumerate() {
            tensors.add_matrix(&format!("weights_{l}"), &layer.weights);
            tensors.add_f64(&format!("biases_{l}"), layer.biases.clone());
        }
        let shape = Shape {
            activations: self.layers.iter().map(|layer| layer.activation).collect(),
            features: self.features.clone(),
            readout: self.readout.store(tensors),
        };
        serde_json::to_value(shape).expect("a shape holds strings, numbers and lists")
    }

    fn load(shape: &Value, _encoder: &Encoder, tensors: &mut Tensors) -> Result<Self> {
        let shape: Shape = read_shape(shape)?;
        let take = |(l, activation): (usize, &Activation)| {
            Ok(Layer {
                weights: tensors.take_matrix(&format!("weights_{l}"))?,
                biases: tensors.take_f64(&format!("biases_{l}"))?,
                activation: *activation,
            })
        };
        let layers: Result<Vec<Layer>> = shape.activations.iter().enumerate().map(take).collect();
        let model = Self {
            layers: layers?,
            features: shape.features,
            readout: Readout::load(shape.readout, tensors)?,
        };
        model.check()?;
        Ok(model)
    }
}

/// Computes the decisions, block by block.
#[derive(Debug)]
struct LayersDecider {
    layers: Vec<Layer>,
    reading: Reading,
}

impl Decide for LayersDecider {
    fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>> {
        let points = &records.features.points;
        let expected = self.layers[0].weights.rows();
        if points.columns() != expected {
            return Err(width_error(points.columns(), expected));
        }
        let last = self.layers.len() - 1;
        let width = self.layers[last].biases.len();
        let block = points.widened();
        let rows = match &block {
            Block::Dense(rows) => Rows::Dense(rows.as_ref()),
            Block::Sparse(rows) => Rows::Sparse(rows),
        };
        let shape = [records.len(), width];
        in_blocks(shape, BLOCK, par, cancel, |first, out| {
            run(&self.layers, last, rows, first, out);
            self.reading.apply(out, width);
        })
    }

    fn is_worth_threads(&self, rows: usize) -> bool {
        let weights: usize = self.layers.iter().map(|l| l.weights.as_slice().len()).sum();
        rows > BLOCK && (rows * weights) as f64 >= WORTH_THREADS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(activation: Activation, readout: Readout) -> Layers {
        let weights = |n, m| Matrix::from_fn(n, m, |i, j| (i as f64 - 0.7 * j as f64).sin());
        Layers {
            layers: vec![
                Layer {
                    weights: weights(2, 4),
                    biases: vec![0.1, -0.2, 0.3, 0.0],
                    activation: Activation::Tanh,
                },
                Layer {
                    weights: weights(4, 3),
                    biases: vec![0.5, 0.0, -0.5],
                    activation,
                },
            ],
            features: Records::from_points(Matrix::<f64>::zeros(1, 2))
                .features
                .groups,
            readout,
        }
    }

    #[test]
    fn log_odds_become_the_softmax_again() {
        let labels = ["a", "b", "c"].map(str::to_owned);
        let model = of(Activation::Softmax, Layers::class_readout(&labels, 3));
        model.check().expect("a network");
        let x = Matrix::from_vec(2, 2, vec![0.3, -1.0, 30.0, 200.0]);
        let expected = model.outputs(x.as_ref()).expect("two columns");
        let decider = model.decider(Precision::F64).expect("a network");
        let records = Records::from_points(x);
        let found = decider.decisions(&records, Par::Sequential, &Cancel::default());
        let found = found.expect("two columns");
        let classes = model.readout.classes().expect("classes");
        for row in 0..2 {
            let p = classes.probabilities(found.row(row)).expect("sigmoids");
            for (p, q) in p.iter().zip(expected.row(row)) {
                assert!((p - q).abs() < 1e-14, "{p} {q}");
            }
        }
    }

    #[test]
    fn networks_that_cannot_be_are_refused() {
        let sound = of(Activation::Linear, Readout::Values);
        assert!(sound.check().is_ok());
        let broken: [fn(&mut Layers); 6] = [
            |m| m.layers.clear(),
            |m| m.layers[0].biases.truncate(2),
            |m| m.layers[1].weights = Matrix::zeros(3, 3),
            |m| m.layers[1].biases[0] = f64::NAN,
            |m| m.layers[0].activation = Activation::Softmax,
            |m| m.readout = Readout::Clusters,
        ];
        for (k, breaks) in broken.iter().enumerate() {
            let mut model = sound.clone();
            breaks(&mut model);
            assert!(model.check().is_err(), "{k}");
        }
        let labels = ["a", "b", "c"].map(str::to_owned);
        let linear = of(Activation::Linear, Layers::class_readout(&labels, 3));
        assert!(linear.check().is_err());
    }
}
