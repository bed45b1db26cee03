//! The lines of the table of methods.

use mercer_linalg::Matrix;

use super::{KMeans, KernelKMeans, Lvq, Som, python};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::fit::{FitContext, Fitted};
use crate::learn::work::matrix_work;
use crate::learn::{Able, Learner, Method, Settings};
use crate::model::Form;
use crate::{Error, Result};

static KMEANS: Method = Method {
    name: "kmeans",
    title: "k-means",
    summary: "Centres and clusters around them, by Lloyd's iteration from k-means++ starts.",
    objective: "Σ ‖x − c‖²",
    aliases: &[],
    tasks: &[Task::Cluster],
    able: Able {
        warm_start: true,
        ..Able::NUMBERS
    },
    encoding: EncodeOptions::default,
    settings: KMeans::list,
    default: |name| KMeans::default().get(name),
    python: python::KMEANS,
};

impl Learner for KMeans {
    const METHOD: &'static Method = &KMEANS;

    fn learn(
        &self,
        data: &Dataset,
        earlier: Option<&Form>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let start = centres(earlier, "kmeans")?;
        let fitted = self.fit_from(data, start.as_ref(), context)?;
        Ok(fitted.into_form())
    }

    fn work(&self, data: &Dataset) -> f64 {
        // Some twenty iterations at most look at all centres, until bounds settle the rows.
        passes(data, self.clusters, 20 * self.starts.unwrap_or(1) as u64)
    }
}

/// The centres or units of an earlier model, where there is one.
fn centres(earlier: Option<&Form>, method: &str) -> Result<Option<Matrix<f64>>> {
    match earlier.map(Form::prototypes) {
        Some(Some(model)) if model.classes.is_none() => Ok(Some(model.centres())),
        Some(_) => Err(Error::Unsupported {
            what: "the earlier model has no centres to start from".to_owned(),
            cure: format!("give a model of `{method}`").into(),
        }),
        None => Ok(None),
    }
}

/// Multiplications of passes over all rows with so many centres.
fn passes(data: &Dataset, centres: usize, passes: u64) -> f64 {
    let columns = data.records.features.points.columns();
    data.len() as f64 * (columns * centres) as f64 * passes as f64
}

static KERNEL_KMEANS: Method = Method {
    name: "kernel_kmeans",
    title: "kernel k-means",
    summary: "Clusters around means in the space of a kernel, for rings, texts, graphs and nodes.",
    objective: "Σ ‖φ(x) − m‖²",
    aliases: &[],
    tasks: &[Task::Cluster],
    able: Able::KERNEL,
    encoding: EncodeOptions::default,
    settings: KernelKMeans::list,
    default: |name| KernelKMeans::default().get(name),
    python: python::KERNEL_KMEANS,
};

impl Learner for KernelKMeans {
    const METHOD: &'static Method = &KERNEL_KMEANS;

    fn work(&self, data: &Dataset) -> f64 {
        let rows = data.len() as f64;
        // Sums follow the rows that move: some twenty passes' worth a start.
        matrix_work(data, 0.0) + 20.0 * self.starts as f64 * rows * rows
    }
}

static SOM: Method = Method {
    name: "som",
    title: "Kohonen map",
    summary: "Units on a grid that follow the rows, so that neighbours are alike: a map of many columns.",
    objective: "Σ ‖x − m‖²",
    aliases: &[],
    tasks: &[Task::Cluster],
    able: Able {
        warm_start: true,
        ..Able::NUMBERS
    },
    encoding: EncodeOptions::default,
    settings: Som::list,
    default: |name| Som::default().get(name),
    python: python::SOM,
};

impl Learner for Som {
    const METHOD: &'static Method = &SOM;

    fn learn(
        &self,
        data: &Dataset,
        earlier: Option<&Form>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let start = centres(earlier, "som")?;
        let fitted = self.fit_from(data, start.as_ref(), context)?;
        Ok(fitted.into_form())
    }

    fn work(&self, data: &Dataset) -> f64 {
        let usual = 5.0 * (data.len() as f64).sqrt();
        let units = match (self.map_rows, self.map_columns) {
            (Some(rows), Some(columns)) => rows.saturating_mul(columns),
            _ => usual as usize,
        };
        passes(data, units, self.epochs)
    }
}

static LVQ: Method = Method {
    name: "lvq",
    title: "learning vector quantisation",
    summary: "A few prototypes for every class; a row is of the class of the nearest.",
    objective: "share of training rows that are nearest to a prototype of another class",
    aliases: &[],
    tasks: &[Task::Classify],
    able: Able::NUMBERS,
    encoding: EncodeOptions::default,
    settings: Lvq::list,
    default: |name| Lvq::default().get(name),
    python: python::LVQ,
};

impl Learner for Lvq {
    const METHOD: &'static Method = &LVQ;

    fn work(&self, data: &Dataset) -> f64 {
        let classes = data.targets.classes().map_or(2, |c| c.labels.len());
        passes(
            data,
            self.prototypes.saturating_mul(classes),
            self.epochs + 10,
        )
    }
}
