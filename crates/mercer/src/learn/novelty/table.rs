//! The line of the table of methods.

use super::{Nearest, python};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::learn::{Able, Learner, Method, Settings};

static NEAREST: Method = Method {
    name: "nearest",
    title: "distance from the nearest rows",
    summary: "Novel is a row whose k-th nearest neighbour is farther away than that of most rows.",
    objective: "",
    aliases: &[],
    tasks: &[Task::Novelty],
    able: Able::NUMBERS,
    encoding: EncodeOptions::default,
    settings: Nearest::list,
    default: |name| Nearest::default().get(name),
    python: python::NEAREST,
};

impl Learner for Nearest {
    const METHOD: &'static Method = &NEAREST;

    fn work(&self, data: &Dataset) -> f64 {
        let columns = data.records.features.points.columns();
        (data.len() as f64).powi(2) * (columns as f64 + 4.0)
    }
}
