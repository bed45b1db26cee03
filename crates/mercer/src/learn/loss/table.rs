//! The lines of the table of methods.

use super::{KernelRisk, Klr, Loss, python};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::learn::least_squares::matrix_bytes;
use crate::learn::work::matrix_work;
use crate::learn::{Able, Learner, Method, Settings};

/// Newton steps of a smooth loss.
const NEWTON_STEPS: f64 = 10.0;

static KLR: Method = Method {
    name: "klr",
    title: "kernel logistic regression",
    summary: "Log-odds by maximum likelihood: ½‖f‖² + C Σ log(1 + exp(−y f(x))).",
    objective: "½‖f‖² + C Σ log(1 + exp(−yf))",
    aliases: &[],
    tasks: &[Task::Classify],
    able: Able {
        probabilities: true,
        ..Able::KERNEL
    },
    encoding: EncodeOptions::default,
    settings: Klr::list,
    default: |name| Klr::default().get(name),
    python: python::KLR,
};

impl Learner for Klr {
    const METHOD: &'static Method = &KLR;

    fn least_bytes(&self, rows: usize) -> u64 {
        matrix_bytes(rows)
    }

    fn work(&self, data: &Dataset) -> f64 {
        matrix_work(data, NEWTON_STEPS)
    }
}

static RISK: Method = Method {
    name: "risk",
    title: "regularised risk",
    summary: "Any convex loss in the space of a kernel: ½‖f‖² + C Σ L(y, f(x)).",
    objective: "½‖f‖² + C Σ L(y, f)",
    aliases: &[],
    tasks: &[Task::Classify, Task::Regress],
    able: Able {
        probabilities: true,
        ..Able::KERNEL
    },
    encoding: EncodeOptions::default,
    settings: KernelRisk::list,
    default: |name| KernelRisk::default().get(name),
    python: python::RISK,
};

impl Learner for KernelRisk {
    const METHOD: &'static Method = &RISK;

    fn task(&self) -> Task {
        self.loss.task()
    }

    fn suit(&mut self, task: Task) {
        if task == Task::Regress && self.loss == Loss::Logistic {
            self.loss = Loss::Squared;
        }
    }

    fn least_bytes(&self, rows: usize) -> u64 {
        matrix_bytes(rows)
    }

    fn work(&self, data: &Dataset) -> f64 {
        matrix_work(data, NEWTON_STEPS)
    }
}
