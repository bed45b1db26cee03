//! The line of the table of methods.

use super::{Perceptron, python};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::learn::{Able, Learner, Method, Settings};

/// Passes over the rows.
const PASSES: f64 = 20.0;

static PERCEPTRON: Method = Method {
    name: "perceptron",
    title: "perceptron",
    summary: "A threshold gate that learns from its mistakes: w ← w + η y x; at most (R/γ)² of them where classes can be separated.",
    objective: "Σ max(0, −yf)",
    aliases: &[],
    tasks: &[Task::Classify],
    able: Able::KERNEL,
    encoding: EncodeOptions::default,
    settings: Perceptron::list,
    default: |name| Perceptron::default().get(name),
    python: python::PERCEPTRON,
};

impl Learner for Perceptron {
    const METHOD: &'static Method = &PERCEPTRON;

    fn work(&self, data: &Dataset) -> f64 {
        PASSES * data.len() as f64 * data.records.features.points.columns() as f64
    }
}
