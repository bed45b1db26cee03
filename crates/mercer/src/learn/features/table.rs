//! The lines of the table of methods.

use super::{Nystroem, RandomFeatures, python};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::learn::{Able, Learner, Method, Settings};

static NYSTROEM: Method = Method {
    name: "nystroem",
    title: "Nyström features",
    summary: "Coordinates in the span of landmarks, whose inner products are nearly any kernel.",
    objective: "",
    aliases: &[],
    tasks: &[Task::Embed],
    able: Able::KERNEL,
    encoding: EncodeOptions::default,
    settings: Nystroem::list,
    default: |name| Nystroem::default().get(name),
    python: python::NYSTROEM,
};

impl Learner for Nystroem {
    const METHOD: &'static Method = &NYSTROEM;

    fn work(&self, data: &Dataset) -> f64 {
        let n = data.len() as f64;
        let columns = data.records.features.points.columns() as f64;
        let m = self.components.unwrap_or(1000).min(data.len()) as f64;
        // Pivots among 20 rows for every landmark, the root of the kernel matrix, the coordinates.
        m * m * (n.min(20.0 * m) + 10.0 * m) + n * m * (columns + m)
    }
}

static RANDOM_FEATURES: Method = Method {
    name: "rff",
    title: "random features",
    summary: "Cosines and sines at random frequencies, whose inner products are nearly a kernel.",
    objective: "",
    aliases: &[],
    tasks: &[Task::Embed],
    able: Able::NUMBERS,
    encoding: EncodeOptions::default,
    settings: RandomFeatures::list,
    default: |name| RandomFeatures::default().get(name),
    python: python::RANDOM_FEATURES,
};

impl Learner for RandomFeatures {
    const METHOD: &'static Method = &RANDOM_FEATURES;

    fn work(&self, data: &Dataset) -> f64 {
        let width = self.components.unwrap_or(1000).min(1 << 20) as f64;
        let columns = data.records.features.points.columns() as f64;
        data.len() as f64 * width * (columns + 16.0) + width * columns * columns
    }
}
