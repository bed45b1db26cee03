//! The lines of the table of methods.

use super::{KernelPcaNovelty, Nearest, python};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::learn::project::KernelPca;
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

static KERNEL_PCA_NOVELTY: Method = Method {
    name: "kpca_novelty",
    title: "distance from kernel principal components",
    summary: "Novel is a row that the first components in the space of a kernel do not reach.",
    objective: "Σλ of the components left out",
    aliases: &[],
    tasks: &[Task::Novelty],
    able: Able::KERNEL,
    encoding: EncodeOptions::default,
    settings: KernelPcaNovelty::list,
    default: |name| KernelPcaNovelty::default().get(name),
    python: python::KERNEL_PCA_NOVELTY,
};

impl Learner for KernelPcaNovelty {
    const METHOD: &'static Method = &KERNEL_PCA_NOVELTY;

    fn work(&self, data: &Dataset) -> f64 {
        // The components of all rows, and five times those of four fifths.
        const FITS: f64 = 5.0;
        let components = KernelPca {
            components: self.components.or(Some(64)),
            ..KernelPca::default()
        };
        FITS * components.work(data)
    }
}
