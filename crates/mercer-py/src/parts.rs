//! Models that another program has fitted.

use mercer::data::{Records, Task};
use mercer::fit::{FitReport, Note};
use mercer::kernel::ResolvedKernel;
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::{ClassReadout, Readout, Scheme, Sigmoid};
use mercer::model::{LinearModel, Prototypes, Trained};
use mercer_linalg::Matrix;
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::array;
use crate::failure::raise;
use crate::model::Model;

/// Puts a model together that another program has fitted.
#[pyfunction]
#[pyo3(signature = (method, kernel, support, rows, coefficients, biases, *, labels=None,
    class_sizes=None, sigmoids=None, names=None, note))]
#[expect(
    clippy::too_many_arguments,
    reason = "the parts of a model, by keyword"
)]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn model_from_parts(
    method: &str,
    kernel: &str,
    support: &Bound<'_, PyAny>,
    rows: PyReadonlyArray1<'_, i64>,
    coefficients: PyReadonlyArray2<'_, f64>,
    biases: Vec<f64>,
    labels: Option<Vec<String>>,
    class_sizes: Option<Vec<usize>>,
    sigmoids: Option<(Vec<f64>, Vec<f64>)>,
    names: Option<Vec<String>>,
    note: String,
) -> PyResult<Model> {
    let kernel: ResolvedKernel = kernel.parse().map_err(|e| raise(&e))?;
    let mut support = array::records(support, names.as_deref())?;
    support.ids = rows.as_slice()?.iter().map(|&r| r as u32).collect();
    let encoder = crate::rows::passing(&support, names.as_deref());
    let shape = coefficients.shape();
    let coefficients = Matrix::from_vec(shape[0], shape[1], coefficients.as_slice()?.to_vec());
    let (task, readout) = match (labels, method) {
        (Some(labels), _) => {
            let readout = ClassReadout {
                labels,
                scheme: Scheme::OneVsOne,
                sigmoids: sigmoids.map(|(slopes, offsets)| {
                    let pairs = slopes.into_iter().zip(offsets);
                    pairs.map(|(a, b)| Sigmoid { a, b }).collect()
                }),
                factors: None,
            };
            (Task::Classify, Readout::Classes(readout))
        }
        (None, "one_class") => (Task::Novelty, Readout::Novelty),
        (None, _) => (Task::Regress, Readout::Values),
    };
    let biases = match task {
        Task::Classify => biases,
        _ => vec![biases.first().copied().unwrap_or(0.0)],
    };
    let support_vectors = support.len();
    let mut model = KernelExpansion::new(kernel, support, coefficients, biases, readout);
    if let Some(class_sizes) = class_sizes {
        model.class_sizes = class_sizes;
    }
    model.check().map_err(|e| raise(&e))?;
    let report = FitReport::of_others(support_vectors, vec![Note::Alert(note)]);
    Ok(Model::new(Trained::new(
        task,
        method,
        encoder,
        model.into(),
        report,
    )))
}

/// Makes a model of cluster centres, which a fit may start from.
#[pyfunction]
pub(crate) fn model_from_centres(centres: &Bound<'_, PyAny>) -> PyResult<Model> {
    let rows = array::records(centres, None)?;
    let encoder = crate::rows::passing(&rows, None);
    let report = FitReport::of_others(0, Vec::new());
    let form = Prototypes::of_clusters(rows).into();
    let trained = Trained::new(Task::Cluster, "kmeans", encoder, form, report);
    Ok(Model::new(trained))
}

/// Makes a model of weights that tell classes apart, which passes of a perceptron may start from.
///
/// A row of weights speaks for the first of two classes, or each of more for its own.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn model_from_weights(
    weights: PyReadonlyArray2<'_, f64>,
    biases: Vec<f64>,
    labels: Vec<String>,
) -> PyResult<Model> {
    let shape = weights.shape();
    let weights = Matrix::from_vec(shape[0], shape[1], weights.as_slice()?.to_vec());
    let rows = Records::from_points(weights.clone());
    let encoder = crate::rows::passing(&rows, None);
    let readout = ClassReadout {
        scheme: if labels.len() == 2 {
            Scheme::OneVsOne
        } else {
            Scheme::OneVsRest
        },
        labels,
        sigmoids: None,
        factors: None,
    };
    let model = LinearModel {
        weights,
        biases,
        features: rows.features.groups,
        readout: Readout::Classes(readout),
        spread: None,
    };
    let report = FitReport::of_others(0, Vec::new());
    let trained = Trained::new(Task::Classify, "perceptron", encoder, model.into(), report);
    Ok(Model::new(trained))
}
