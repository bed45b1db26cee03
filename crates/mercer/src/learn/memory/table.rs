//! The line of the table of methods.

use super::{Hopfield, python};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::learn::{Able, Learner, Method, Settings};

static HOPFIELD: Method = Method {
    name: "hopfield",
    title: "Hopfield network",
    summary: "Stores patterns of 1 and −1 and recalls the one that a new row is most like.",
    objective: "Σ −½ xᵀWx over the patterns",
    aliases: &[],
    tasks: &[Task::Embed],
    able: Able::NUMBERS,
    encoding: EncodeOptions::default,
    settings: Hopfield::list,
    default: |name| Hopfield::default().get(name),
    python: python::HOPFIELD,
};

impl Learner for Hopfield {
    const METHOD: &'static Method = &HOPFIELD;

    fn work(&self, data: &Dataset) -> f64 {
        let columns = data.records.features.points.columns() as f64;
        // Patterns are stored, and recalled once.
        2.0 * data.len() as f64 * columns * columns
    }
}
