//! The lines of the table of methods.

use super::{Nystroem, RandomFeatures, python};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::learn::{Able, Learner, Method, Settings};

static NYSTROEM: Method = Method {
    name: "nystroem",
    title: "least squares on Nyström features",
    summary: "Σ (y − f(x))² + λ‖f‖² in the span of landmarks, for any kernel and any number of rows; without a target, coordinates in that span.",
    objective: "Σ(y − f)² + λ‖f‖²",
    aliases: &[],
    tasks: &[Task::Regress, Task::Classify, Task::Embed],
    able: Able {
        probabilities: true,
        several_targets: true,
        ..Able::KERNEL
    },
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
    title: "least squares on random features",
    summary: "Σ (y − f(x))² + λ‖f‖² over cosines and sines at random frequencies, for any number of rows; without a target, these as coordinates.",
    objective: "Σ(y − f)² + λ‖f‖²",
    aliases: &[],
    tasks: &[Task::Regress, Task::Classify, Task::Embed],
    able: Able {
        probabilities: true,
        several_targets: true,
        ..Able::NUMBERS
    },
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
