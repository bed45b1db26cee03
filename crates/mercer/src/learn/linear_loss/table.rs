//! The lines of the table of methods.

use super::{LinearSvc, LinearSvr, Logistic, python};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::learn::{Able, Learner, Method, Settings};

/// Some twenty steps, each a factor of all columns or some dozens of passes over the rows.
fn newton_work(data: &Dataset) -> f64 {
    let columns = data.records.features.points.columns();
    20.0 * data.len() as f64 * columns as f64 * columns.min(100) as f64
}

static LINEAR_SVC: Method = Method {
    name: "linear_svc",
    title: "linear support vector classification",
    summary: "A weight per column with a margin: ½‖w‖² + C Σ max(0, 1 − y f(x))², or without the square.",
    objective: "½‖w‖² + C Σ L(yf)",
    aliases: &[],
    tasks: &[Task::Classify],
    able: Able::NUMBERS,
    encoding: EncodeOptions::default,
    settings: LinearSvc::list,
    default: |name| LinearSvc::default().get(name),
    python: python::LINEAR_SVC,
};

impl Learner for LinearSvc {
    const METHOD: &'static Method = &LINEAR_SVC;

    fn work(&self, data: &Dataset) -> f64 {
        newton_work(data)
    }
}

static LINEAR_SVR: Method = Method {
    name: "linear_svr",
    title: "linear support vector regression",
    summary: "A weight per column with a tube: ½‖w‖² + C Σ max(0, |y − f(x)| − ε), or its square.",
    objective: "½‖w‖² + C Σ L(y − f)",
    aliases: &[],
    tasks: &[Task::Regress],
    able: Able::NUMBERS,
    encoding: EncodeOptions::default,
    settings: LinearSvr::list,
    default: |name| LinearSvr::default().get(name),
    python: python::LINEAR_SVR,
};

impl Learner for LinearSvr {
    const METHOD: &'static Method = &LINEAR_SVR;

    fn work(&self, data: &Dataset) -> f64 {
        newton_work(data)
    }
}

static LOGISTIC: Method = Method {
    name: "logistic",
    title: "logistic regression",
    summary: "Log-odds with a weight per column: ½‖w‖² + C Σ log(1 + exp(−y f(x))); several classes together, by softmax.",
    objective: "½‖w‖² − C Σ log P(y)",
    aliases: &[],
    tasks: &[Task::Classify],
    able: Able {
        probabilities: true,
        ..Able::NUMBERS
    },
    encoding: EncodeOptions::default,
    settings: Logistic::list,
    default: |name| Logistic::default().get(name),
    python: python::LOGISTIC,
};

impl Learner for Logistic {
    const METHOD: &'static Method = &LOGISTIC;

    fn work(&self, data: &Dataset) -> f64 {
        newton_work(data)
    }
}
