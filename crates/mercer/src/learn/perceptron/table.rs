//! The line of the table of methods.

use super::fit::no_weights;
use super::{Perceptron, python};
use crate::Result;
use crate::data::{Dataset, EncodeOptions, Task};
use crate::fit::{FitContext, Fitted};
use crate::learn::{Able, Learner, Method, Settings};
use crate::model::Form;

/// Passes over the rows.
const PASSES: f64 = 20.0;

static PERCEPTRON: Method = Method {
    name: "perceptron",
    title: "perceptron",
    summary: "A threshold gate that learns from its mistakes: w ← w + η y x; at most (R/γ)² of them where classes can be separated.",
    objective: "Σ max(0, −yf)",
    aliases: &[],
    tasks: &[Task::Classify],
    able: Able {
        warm_start: true,
        ..Able::KERNEL
    },
    encoding: EncodeOptions::default,
    settings: Perceptron::list,
    default: |name| Perceptron::default().get(name),
    python: python::PERCEPTRON,
};

impl Learner for Perceptron {
    const METHOD: &'static Method = &PERCEPTRON;

    fn learn(
        &self,
        data: &Dataset,
        earlier: Option<&Form>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let start = earlier.map(|form| form.linear().ok_or_else(no_weights));
        self.fit_from(data, start.transpose()?, context)
    }

    fn work(&self, data: &Dataset) -> f64 {
        PASSES * data.len() as f64 * data.records.features.points.columns() as f64
    }
}
