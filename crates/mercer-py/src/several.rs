//! Learning several outputs from the same rows, whose order is kept.

use std::collections::BTreeMap;

use mercer::data::{Records, Task};
use mercer::fit::{FitContext, Fitted};
use mercer::learn::expansion::{KernelExpansion, Machine};
use mercer::learn::squared::{KernelRidge, Strength};
use mercer::model::{AnyEstimator, AnyModel, Trained};
use mercer_linalg::Matrix;
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure::raise;
use crate::fit::{Allowance, estimator, own};
use crate::model::Model;
use crate::rows::TrainingRows;

/// Learns a kernel ridge regression of every row of `values` on the rows of `x`.
///
/// `alphas` gives each output its own λ; otherwise one factor serves all of them. Every row of
/// `x` becomes a support vector in its place, with coefficients 0 where its weight is 0.
#[pyfunction]
#[pyo3(signature = (settings, x, values, *, weights=None, alphas=None, names=None, threads=0,
    memory=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "the way in of one method, by keyword"
)]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn fit_several(
    py: Python<'_>,
    settings: &str,
    x: &Bound<'_, PyAny>,
    values: PyReadonlyArray2<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    alphas: Option<Vec<f64>>,
    names: Option<Vec<String>>,
    threads: usize,
    memory: Option<u64>,
) -> PyResult<Model> {
    let AnyEstimator::KernelRidge(machine) = estimator(settings)? else {
        return Err(PyValueError::new_err(
            "only kernel ridge regression learns several outputs",
        ));
    };
    let weights = crate::fit::weights(weights)?;
    let rows = TrainingRows::unchanged(x, names.as_deref(), weights.as_deref())?;
    let records = rows.records;
    let shape = values.shape();
    let job = Several {
        machine,
        targets: Matrix::from_vec(shape[0], shape[1], values.as_slice()?.to_vec()),
        weights,
        alphas,
    };
    let allowance = Allowance {
        threads,
        memory,
        ..Allowance::default()
    };
    let quick = allowance.is_quick(records.len());
    let mut fitted = allowance.run(py, quick, move |context| job.fit(&records, context))?;
    fitted.report.notes.splice(0..0, rows.notes);
    fitted.model.check().map_err(|e| raise(&e))?;
    Ok(Model::new(Trained {
        task: Task::Regress,
        method: "krr".to_owned(),
        target: None,
        id: None,
        encoder: rows.encoder,
        model: AnyModel::Expansion(fitted.model),
        attributes: BTreeMap::new(),
        report: fitted.report,
    }))
}

/// A regression of several outputs.
struct Several {
    machine: KernelRidge,
    /// One row per output.
    targets: Matrix<f64>,
    weights: Option<Vec<f64>>,
    /// λ of every output, where they differ.
    alphas: Option<Vec<f64>>,
}

impl Several {
    fn fit(
        &self,
        records: &Records,
        context: &FitContext,
    ) -> mercer::Result<Fitted<KernelExpansion>> {
        let rows = records.len();
        let weight = |row: usize| self.weights.as_ref().map_or(1.0, |w| w[row]);
        let kept: Vec<usize> = (0..rows).filter(|&row| weight(row) > 0.0).collect();
        let weights: Option<Vec<f64>> = self
            .weights
            .as_ref()
            .map(|w| kept.iter().map(|&row| w[row]).collect());
        let part = records.select(&kept);
        let solve = |machine: &KernelRidge, outputs: &[usize]| {
            let targets = Matrix::from_fn(outputs.len(), kept.len(), |k, i| {
                self.targets[(outputs[k], kept[i])]
            });
            machine.fit_several(&part, &targets, weights.as_deref(), context)
        };
        let outputs: Vec<usize> = (0..self.targets.rows()).collect();
        let mut fitted = match &self.alphas {
            None => solve(&self.machine, &outputs)?,
            Some(alphas) => {
                let each = outputs.iter().zip(alphas).map(|(&k, &alpha)| {
                    let machine = self.machine.clone().strength(Strength::Lambda(alpha));
                    solve(&machine, &[k])
                });
                stack(each.collect::<mercer::Result<_>>()?)
            }
        };
        if kept.len() < rows {
            spread(&mut fitted.model, &kept, records);
        }
        Ok(fitted)
    }
}

/// Makes one model of models with one output each.
fn stack(parts: Vec<Fitted<KernelExpansion>>) -> Fitted<KernelExpansion> {
    let several = parts.len() > 1;
    let lines: Vec<(Vec<f64>, f64)> = parts
        .iter()
        .map(|part| match &part.model.machine {
            Machine::Regressor {
                coefficients,
                biases,
            } => (coefficients.row(0).to_vec(), biases[0]),
            Machine::Classifier { .. } | Machine::Novelty { .. } => {
                unreachable!("kernel ridge predicts numbers")
            }
        })
        .collect();
    let mut parts = parts.into_iter();
    let mut all = parts.next().expect("there is at least one output");
    for part in parts {
        let (report, other) = (&mut all.report, part.report);
        report.objective += other.objective;
        report.dual_gap += other.dual_gap;
        report.kkt_violation = report.kkt_violation.max(other.kkt_violation);
        report.iterations += other.iterations;
        report.kernel_evaluations += other.kernel_evaluations;
        report.seconds += other.seconds;
        report.problems.extend(other.problems);
    }
    if several {
        // The outputs have no ratio in common.
        all.model.posterior = None;
        for (k, problem) in all.report.problems.iter_mut().enumerate() {
            problem.name = format!("{}, output {}", problem.name, k + 1);
        }
    }
    all.model.machine = Machine::Regressor {
        coefficients: Matrix::from_fn(lines.len(), all.model.support.len(), |k, i| lines[k].0[i]),
        biases: lines.iter().map(|line| line.1).collect(),
    };
    all
}

/// Gives rows without weight their place among the support vectors.
fn spread(model: &mut KernelExpansion, kept: &[usize], records: &Records) {
    let Machine::Regressor { coefficients, .. } = &mut model.machine else {
        return;
    };
    let mut wide = Matrix::zeros(coefficients.rows(), records.len());
    for k in 0..coefficients.rows() {
        for (place, &row) in kept.iter().enumerate() {
            wide[(k, row)] = coefficients[(k, place)];
        }
    }
    *coefficients = wide;
    model.support = own(records);
    model.posterior = None;
}
