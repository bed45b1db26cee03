//! The lines of the table of methods.

use super::{KernelRidge, LsSvc, LsSvr, matrix_bytes, python};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::learn::work::matrix_work;
use crate::learn::{Able, Learner, Method, Settings};

static LS_SVC: Method = Method {
    name: "ls_svc",
    title: "least-squares support vector classification",
    summary: "The squared loss on ±1, with C by evidence: ½‖f‖² + (C/2) Σ (y − f(x))².",
    objective: "½‖f‖² + ½C Σ(y − f)²",
    aliases: &[("lssvm", Task::Classify)],
    tasks: &[Task::Classify],
    able: Able {
        probabilities: true,
        ..Able::KERNEL
    },
    encoding: EncodeOptions::default,
    settings: LsSvc::list,
    default: |name| LsSvc::default().get(name),
    python: python::LS_SVC,
};

impl Learner for LsSvc {
    const METHOD: &'static Method = &LS_SVC;

    fn least_bytes(&self, rows: usize) -> u64 {
        matrix_bytes(rows)
    }

    fn work(&self, data: &Dataset) -> f64 {
        matrix_work(data, 1.0)
    }
}

static LS_SVR: Method = Method {
    name: "ls_svr",
    title: "least-squares support vector regression",
    summary: "The mean of a Gaussian process, with C by evidence: ½‖f‖² + (C/2) Σ (y − f(x))².",
    objective: "½‖f‖² + ½C Σ(y − f)²",
    aliases: &[("lssvm", Task::Regress), ("gp", Task::Regress)],
    tasks: &[Task::Regress],
    able: Able::KERNEL,
    encoding: EncodeOptions::default,
    settings: LsSvr::list,
    default: |name| LsSvr::default().get(name),
    python: python::LS_SVR,
};

impl Learner for LsSvr {
    const METHOD: &'static Method = &LS_SVR;

    fn least_bytes(&self, rows: usize) -> u64 {
        matrix_bytes(rows)
    }

    fn work(&self, data: &Dataset) -> f64 {
        matrix_work(data, 1.0)
    }
}

static KRR: Method = Method {
    name: "krr",
    title: "kernel ridge regression",
    summary: "Σ (y − f(x))² + λ‖f‖² with kernel linear, λ = 1 and no constant; classes by its sign.",
    objective: "Σ(y − f)² + λ‖f‖²",
    aliases: &[],
    tasks: &[Task::Regress, Task::Classify],
    able: Able {
        several_targets: true,
        ..Able::KERNEL
    },
    encoding: EncodeOptions::default,
    settings: KernelRidge::list,
    default: |name| KernelRidge::default().get(name),
    python: python::KRR,
};

impl Learner for KernelRidge {
    const METHOD: &'static Method = &KRR;

    fn least_bytes(&self, rows: usize) -> u64 {
        matrix_bytes(rows)
    }

    fn work(&self, data: &Dataset) -> f64 {
        matrix_work(data, 1.0)
    }
}
