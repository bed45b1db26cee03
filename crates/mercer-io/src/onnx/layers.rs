//! Layers of gates by plain operators.

use mercer::model::readout::Readout;
use mercer::model::{Activation, Layers};

use super::graph::{Builder, Wire};
use super::product::product;

/// Returns the decisions of a network from its features, \[N, features\].
pub(super) fn decide(graph: &mut Builder, features: &Wire, model: &Layers) -> Wire {
    let mut value = features.clone();
    let last = model.layers.len() - 1;
    for (l, layer) in model.layers.iter().enumerate() {
        let sums = product(graph, &value, &layer.weights);
        let biases = graph.row(layer.biases.clone());
        value = graph.step("Add", [&sums, &biases]);
        if l < last {
            value = gates(graph, &value, layer.activation);
        }
    }
    let last = &model.layers[last];
    match (&model.readout, last.activation) {
        (Readout::Classes(_), Activation::Softmax) => log_odds(graph, &value, last.biases.len()),
        // One sigmoid speaks for the second of two classes, decisions speak for the first.
        (Readout::Classes(_), _) if last.biases.len() == 1 => graph.step("Neg", [&value]),
        (Readout::Classes(_), _) => value,
        (_, activation) => gates(graph, &value, activation),
    }
}

/// What gates make of their net inputs; by steps that runtimes have in double precision.
fn gates(graph: &mut Builder, net: &Wire, activation: Activation) -> Wire {
    match activation {
        Activation::Linear => net.clone(),
        Activation::Sigmoid => {
            let one = graph.number(1.0);
            let minus = graph.step("Neg", [net]);
            let power = graph.step("Exp", [&minus]);
            let below = graph.step("Add", [&power, &one]);
            graph.step("Div", [&one, &below])
        }
        Activation::Tanh => graph.step("Tanh", [net]),
        Activation::Relu => graph.step("Relu", [net]),
        Activation::Threshold => {
            let zero = graph.number(0.0);
            let on = graph.step("GreaterOrEqual", [net, &zero]);
            graph.indicator(&on)
        }
        Activation::Softmax => {
            let most = graph.reduce("ReduceMax", net, 1, true);
            let shifted = graph.step("Sub", [net, &most]);
            let powers = graph.step("Exp", [&shifted]);
            let sum = graph.sum(&powers, 1, true);
            graph.step("Div", [&powers, &sum])
        }
        Activation::Exponential => graph.step("Exp", [net]),
    }
}

/// z_k − log Σ_{j≠k} exp z_j of every gate, as mercer computes it.
fn log_odds(graph: &mut Builder, nets: &Wire, width: usize) -> Wire {
    let columns: Vec<Wire> = (0..width)
        .map(|k| {
            let own = graph.integers(vec![k as i64]);
            let own = graph.gather(nets, &own, 1);
            let others = (0..width).filter(|&j| j != k).map(|j| j as i64);
            let others = graph.integers(others.collect());
            let others = graph.gather(nets, &others, 1);
            let most = graph.reduce("ReduceMax", &others, 1, true);
            let shifted = graph.step("Sub", [&others, &most]);
            let powers = graph.step("Exp", [&shifted]);
            let sum = graph.sum(&powers, 1, true);
            let log = graph.step("Log", [&sum]);
            let rest = graph.step("Add", [&most, &log]);
            graph.step("Sub", [&own, &rest])
        })
        .collect();
    graph.beside(&columns)
}
