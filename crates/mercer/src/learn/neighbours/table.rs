//! The lines of the table of methods.

use super::{Ib1, Ib2, Knn, Memorise, python};
use crate::data::{Dataset, EncodeOptions, Task, TextEncoding};
use crate::learn::{Able, Learner, Method, Settings};

/// One row decides: it has no weight.
const ABLE: Able = Able {
    probabilities: true,
    weights: false,
    ..Able::NUMBERS
};

/// Columns as they are; words of texts become numbers.
fn columns() -> EncodeOptions {
    EncodeOptions::raw().text(Some(TextEncoding::TFIDF))
}

static KNN: Method = Method {
    name: "knn",
    title: "k nearest neighbours",
    summary: "The nearest rows vote (IBk): categories and missing values as they are, numbers scaled, any kernel's distance; rows come and go without another fit.",
    objective: "",
    aliases: &[],
    tasks: &[Task::Regress, Task::Classify],
    able: Able {
        several_targets: true,
        structures: true,
        // Copies are counted among the neighbours.
        weights: true,
        ..ABLE
    },
    encoding: columns,
    settings: Knn::list,
    default: |name| Knn::default().get(name),
    python: python::KNN,
};

static IB1: Method = Method {
    name: "ib1",
    title: "nearest neighbour (IB1)",
    summary: "The class of the nearest row.",
    objective: "",
    aliases: &[],
    tasks: &[Task::Classify],
    able: ABLE,
    encoding: columns,
    settings: Ib1::list,
    default: |name| Ib1::default().get(name),
    python: python::IB1,
};

static IB2: Method = Method {
    name: "ib2",
    title: "condensed nearest neighbour (IB2)",
    summary: "The nearest of the rows that those before them misclassify; rows in the order in which they are given.",
    objective: "",
    aliases: &[],
    tasks: &[Task::Classify],
    able: ABLE,
    encoding: columns,
    settings: Ib2::list,
    default: |name| Ib2::default().get(name),
    python: python::IB2,
};

static MEMORISE: Method = Method {
    name: "memorise",
    title: "learner that memorises",
    summary: "The class of an equal row, and \"don't know\" elsewhere: the baseline of those who learn nothing.",
    objective: "",
    aliases: &[],
    tasks: &[Task::Classify],
    able: Able {
        structures: true,
        ..ABLE
    },
    encoding: EncodeOptions::raw,
    settings: Memorise::list,
    default: |name| Memorise::default().get(name),
    python: python::MEMORISE,
};

/// What it takes to look at every value once.
fn look(data: &Dataset) -> f64 {
    let columns = data.records.features.points.columns() + data.records.codes.len();
    data.len() as f64 * columns.max(1) as f64
}

/// Multiplications per pair of rows and column that the search for column weights takes.
const TRIES: f64 = 100.0;
/// Rows that it compares at most, and the share of rows that IB2 keeps.
const COMPARED: f64 = 600.0;
const KEPT: f64 = 0.1;

impl Learner for Knn {
    const METHOD: &'static Method = &KNN;

    fn work(&self, data: &Dataset) -> f64 {
        let weighing = if self.column_weights {
            let columns = look(data) / data.len().max(1) as f64;
            TRIES * (data.len() as f64).min(COMPARED).powi(2) * columns
        } else {
            0.0
        };
        look(data) + weighing
    }

    /// Under a kernel rows are encoded as for other kernels.
    fn encoding(&self) -> EncodeOptions {
        if self.has_kernel() {
            EncodeOptions::default()
        } else {
            columns()
        }
    }
}

impl Learner for Ib1 {
    const METHOD: &'static Method = &IB1;

    fn work(&self, data: &Dataset) -> f64 {
        look(data)
    }
}

impl Learner for Ib2 {
    const METHOD: &'static Method = &IB2;

    fn work(&self, data: &Dataset) -> f64 {
        look(data) * (1.0 + KEPT * data.len() as f64)
    }
}

impl Learner for Memorise {
    const METHOD: &'static Method = &MEMORISE;

    fn work(&self, data: &Dataset) -> f64 {
        look(data)
    }
}
