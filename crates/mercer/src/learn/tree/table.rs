//! The line of the table of methods.

use super::{C45, python};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::learn::{Able, Learner, Method, Settings};

/// Operations a tree spends on every value: levels, and looking values up in each.
const TREE_LEVELS: f64 = 500.0;

static METHOD: Method = Method {
    name: "c45",
    title: "C4.5 decision tree",
    summary: "Tests of single columns by gain ratio, pruned by expected errors; categories and missing values as they are.",
    objective: "",
    aliases: &[],
    tasks: &[Task::Classify],
    able: Able {
        probabilities: true,
        ..Able::NUMBERS
    },
    encoding: EncodeOptions::raw,
    settings: C45::list,
    default: |name| C45::default().get(name),
    python: python::C45,
};

impl Learner for C45 {
    const METHOD: &'static Method = &METHOD;

    fn work(&self, data: &Dataset) -> f64 {
        let columns = data.records.features.points.columns() + data.records.codes.len();
        TREE_LEVELS * data.len() as f64 * columns as f64
    }
}
