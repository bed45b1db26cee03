//! The lines of the table of methods.

use super::{Ols, Ridge, python};
use crate::data::{EncodeOptions, Task};
use crate::learn::{Able, Learner, Method, Settings};

static OLS: Method = Method {
    name: "ols",
    title: "ordinary least squares",
    summary: "A weight per column, by rank-revealing factors; of many solutions the one of least norm.",
    objective: "Σ(y − f)²",
    aliases: &[],
    tasks: &[Task::Regress],
    able: Able {
        several_targets: true,
        ..Able::NUMBERS
    },
    encoding: EncodeOptions::default,
    settings: Ols::list,
    default: |name| Ols::default().get(name),
    python: python::OLS,
};

impl Learner for Ols {
    const METHOD: &'static Method = &OLS;
}

static RIDGE: Method = Method {
    name: "ridge",
    title: "ridge regression",
    summary: "A weight per column with a penalty on their squares.",
    objective: "Σ(y − f)² + λ‖w‖²",
    aliases: &[],
    tasks: &[Task::Regress],
    able: Able {
        several_targets: true,
        ..Able::NUMBERS
    },
    encoding: EncodeOptions::default,
    settings: Ridge::list,
    default: |name| Ridge::default().get(name),
    python: python::RIDGE,
};

impl Learner for Ridge {
    const METHOD: &'static Method = &RIDGE;
}
