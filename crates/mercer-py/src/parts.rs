//! Models that another program has fitted.

use std::collections::BTreeMap;

use mercer::data::Task;
use mercer::fit::{FitReport, Note};
use mercer::kernel::ResolvedKernel;
use mercer::learn::expansion::{KernelExpansion, Machine, Scheme, Sigmoid};
use mercer::model::{AnyModel, Trained};
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
    let bias = biases.first().copied().unwrap_or(0.0);
    let (task, machine) = match (labels, method) {
        (Some(labels), _) => (
            Task::Classify,
            Machine::Classifier {
                labels,
                scheme: Scheme::OneVsOne,
                class_sizes: class_sizes.unwrap_or_default(),
                coefficients,
                biases,
                sigmoids: sigmoids.map(|(slopes, offsets)| {
                    let pairs = slopes.into_iter().zip(offsets);
                    pairs.map(|(a, b)| Sigmoid { a, b }).collect()
                }),
                factors: None,
            },
        ),
        (None, "one_class") => (Task::Novelty, Machine::Novelty { coefficients, bias }),
        (None, _) => {
            let biases = vec![bias];
            (
                Task::Regress,
                Machine::Regressor {
                    coefficients,
                    biases,
                },
            )
        }
    };
    let support_vectors = support.len();
    let model = KernelExpansion {
        kernel,
        support,
        machine,
        posterior: None,
        left_out: None,
        copies: None,
    };
    model.check().map_err(|e| raise(&e))?;
    Ok(Model::new(Trained {
        task,
        method: method.to_owned(),
        target: None,
        id: None,
        encoder,
        model: AnyModel::Expansion(model),
        attributes: BTreeMap::new(),
        report: FitReport::of_others(support_vectors, vec![Note::Alert(note)]),
    }))
}
