//! What a gate makes of its net input.

use mercer_linalg::{
    GateSlope, exp_in_place, rectify_in_place, sigmoid_in_place, tanh_in_place, times_gate_slope,
};
use serde::{Deserialize, Serialize};

/// The function of a layer's gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// x itself.
    #[serde(alias = "identity")]
    Linear,
    /// 1/(1 + exp(−x)).
    #[serde(alias = "logistic")]
    Sigmoid,
    /// The hyperbolic tangent.
    Tanh,
    /// max(0, x).
    Relu,
    /// 1 where x ≥ 0, and 0 elsewhere.
    Threshold,
    /// exp(x) over the sum of all gates of the layer.
    Softmax,
    /// exp(x).
    Exponential,
}

impl Activation {
    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Sigmoid => "sigmoid",
            Self::Tanh => "tanh",
            Self::Relu => "relu",
            Self::Threshold => "threshold",
            Self::Softmax => "softmax",
            Self::Exponential => "exponential",
        }
    }

    /// Replaces net inputs by outputs; rows of `width` gates follow each other.
    pub fn apply(self, values: &mut [f64], width: usize) {
        match self {
            Self::Linear => {}
            Self::Sigmoid => sigmoid_in_place(values),
            Self::Tanh => tanh_in_place(values),
            Self::Relu => rectify_in_place(values),
            Self::Threshold => {
                for value in values {
                    *value = f64::from(u8::from(*value >= 0.0));
                }
            }
            Self::Softmax => softmax(values, width.max(1), |_, _| {}),
            Self::Exponential => exp_in_place(values),
        }
    }

    /// Multiplies values by the slopes of gates that have given `outputs`.
    ///
    /// A threshold has the slope 0 wherever it has one. A softmax has no slope of single gates; it
    /// is treated together with its loss.
    pub(super) fn times_slope(self, outputs: &[f64], values: &mut [f64]) {
        match self {
            Self::Linear | Self::Softmax => {}
            Self::Sigmoid => times_gate_slope(GateSlope::Sigmoid, outputs, values),
            Self::Tanh => times_gate_slope(GateSlope::Tanh, outputs, values),
            Self::Relu => times_gate_slope(GateSlope::Rectifier, outputs, values),
            Self::Threshold => values.fill(0.0),
            Self::Exponential => {
                for (value, output) in values.iter_mut().zip(outputs) {
                    *value *= output;
                }
            }
        }
    }
}

/// exp(x)/Σ exp(x) of every row, without overflow; `told` hears of each row log Σ exp(x − max x), by its number.
pub(super) fn softmax(values: &mut [f64], width: usize, mut told: impl FnMut(usize, f64)) {
    for row in values.chunks_exact_mut(width) {
        let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        row.iter_mut().for_each(|value| *value -= most);
    }
    exp_in_place(values);
    for (number, row) in values.chunks_exact_mut(width).enumerate() {
        let sum: f64 = row.iter().sum();
        told(number, sum.ln());
        row.iter_mut().for_each(|value| *value /= sum);
    }
}
