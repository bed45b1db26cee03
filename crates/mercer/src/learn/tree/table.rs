//! The line of the table of methods.

use super::{C45, python};
use crate::data::{EncodeOptions, Task};
use crate::learn::{Able, Learner, Method, Settings};

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
}
