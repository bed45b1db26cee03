//! The layers of a network, and how their numbers lie in one list.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Activation;

/// What is minimised, summed over the outputs of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// (a − y)²/2.
    Squared,
    /// −Σ y log a of a softmax; −y log a − (1 − y) log(1 − a) of sigmoids.
    CrossEntropy,
    /// a − y log a + y log y − y: half the deviance of counts, a the exponential of the net input.
    Poisson,
}

/// The layers of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct Architecture {
    /// Number of inputs, then the gates of every layer.
    pub sizes: Vec<usize>,
    /// The function of every layer.
    pub activations: Vec<Activation>,
    /// What is minimised.
    pub loss: Loss,
}

/// Where the numbers of a layer lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Weights: a row for every input, a column for every gate.
    pub weights: Range<usize>,
    /// A constant for every gate.
    pub biases: Range<usize>,
    /// Inputs of the layer.
    pub inputs: usize,
    /// Gates of the layer.
    pub gates: usize,
}

impl Architecture {
    /// Returns the number of layers, the inputs not counted.
    pub fn layers(&self) -> usize {
        self.activations.len()
    }

    /// Returns the number of outputs.
    pub fn outputs(&self) -> usize {
        self.sizes[self.sizes.len() - 1]
    }

    /// Returns where the numbers of every layer lie: weights, then constants.
    pub fn places(&self) -> Vec<Place> {
        let mut start = 0;
        let pairs = self.sizes.windows(2);
        pairs
            .map(|pair| {
                let (inputs, gates) = (pair[0], pair[1]);
                let middle = start + inputs * gates;
                let place = Place {
                    weights: start..middle,
                    biases: middle..middle + gates,
                    inputs,
                    gates,
                };
                start = middle + gates;
                place
            })
            .collect()
    }

    /// Returns the number of weights and constants.
    pub fn parameters(&self) -> usize {
        let pairs = self.sizes.windows(2);
        pairs.map(|pair| (pair[0] + 1) * pair[1]).sum()
    }
}
