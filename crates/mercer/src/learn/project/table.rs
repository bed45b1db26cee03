//! The lines of the table of methods.

use mercer_linalg::{Matrix, dot};

use super::{Ica, KernelPca, Pca, axes, kernel_pca, python};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::fit::{FitContext, Fitted};
use crate::learn::{Able, Learner, Method, Settings};
use crate::model::{Form, Projection};
use crate::{Error, Result};

static PCA: Method = Method {
    name: "pca",
    title: "principal component analysis",
    summary: "Coordinates along the axes of largest variance.",
    objective: "Σλ of the axes left out",
    aliases: &[],
    tasks: &[Task::Embed],
    able: Able::NUMBERS,
    encoding: EncodeOptions::default,
    settings: Pca::list,
    default: |name| Pca::default().get(name),
    python: python::PCA,
};

impl Learner for Pca {
    const METHOD: &'static Method = &PCA;

    fn work(&self, data: &Dataset) -> f64 {
        axes::exact_work(data.len(), data.records.features.points.columns())
    }
}

static KERNEL_PCA: Method = Method {
    name: "kpca",
    title: "kernel principal component analysis",
    summary: "Coordinates along the axes of largest variance in the space of a kernel.",
    objective: "Σλ of the components left out",
    aliases: &[],
    tasks: &[Task::Embed],
    able: Able::KERNEL,
    encoding: EncodeOptions::default,
    settings: KernelPca::list,
    default: |name| KernelPca::default().get(name),
    python: python::KERNEL_PCA,
};

impl Learner for KernelPca {
    const METHOD: &'static Method = &KERNEL_PCA;

    fn work(&self, data: &Dataset) -> f64 {
        let n = data.len();
        let columns = data.records.features.points.columns() as f64;
        let count = self.components.unwrap_or(n).min(n);
        let found = kernel_pca::by_blocks(n, count).min(kernel_pca::all_at_once(n));
        found + (n as f64).powi(2) * columns
    }
}

static ICA: Method = Method {
    name: "ica",
    title: "independent component analysis",
    summary: "Independent sources that rows are mixtures of, by FastICA.",
    objective: "",
    aliases: &[],
    tasks: &[Task::Embed],
    able: Able {
        warm_start: true,
        ..Able::NUMBERS
    },
    encoding: EncodeOptions::default,
    settings: Ica::list,
    default: |name| Ica::default().get(name),
    python: python::ICA,
};

impl Learner for Ica {
    const METHOD: &'static Method = &ICA;

    fn learn(
        &self,
        data: &Dataset,
        earlier: Option<&Form>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let start = match earlier.map(Form::projection) {
            Some(None) => {
                return Err(Error::Unsupported {
                    what: "the earlier model has no directions to start from".to_owned(),
                    cure: "give a model of `ica`".into(),
                });
            }
            Some(Some(model)) => Some(directions(model)),
            None => None,
        };
        let fitted = self.fit_from(data, start.as_ref(), context)?;
        Ok(fitted.into_form())
    }

    fn work(&self, data: &Dataset) -> f64 {
        /// Steps that most searches take.
        const STEPS: f64 = 30.0;
        let columns = data.records.features.points.columns();
        let count = self.components.unwrap_or(columns).min(columns) as f64;
        let steps = STEPS.min(self.max_iterations as f64);
        axes::exact_work(data.len(), columns)
            + steps * data.len() as f64 * count * (2.0 * count + 20.0)
    }
}

/// The directions W among white rows of components C = W K, K the whitening: its rows are orthogonal.
fn directions(model: &Projection) -> Matrix<f64> {
    let Some(whitening) = &model.whitening else {
        return model.components.clone();
    };
    let count = whitening.rows();
    Matrix::from_fn(count, count, |k, l| {
        let line = whitening.row(l);
        dot(model.components.row(k), line) / dot(line, line)
    })
}
