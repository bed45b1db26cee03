//! Learning several outputs from the same rows, whose order is kept.

use mercer::data::{Records, Task};
use mercer::fit::{FitContext, Fitted};
use mercer::learn::AnyEstimator;
use mercer::learn::least_squares::{KernelRidge, Strength};
use mercer::model::Trained;
use mercer::model::expansion::KernelExpansion;
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
    let form = fitted.model.into();
    Ok(Model::new(Trained::new(
        Task::Regress,
        "krr",
        rows.encoder,
        form,
        fitted.report,
    )))
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
    let line = |part: &Fitted<KernelExpansion>| {
        let model = &part.model;
        (model.coefficients.row(0).to_vec(), model.biases[0])
    };
    let lines: Vec<(Vec<f64>, f64)> = parts.iter().map(line).collect();
    let slope = |part: &Fitted<KernelExpansion>| part.model.slopes.clone().map(Matrix::into_vec);
    let slopes: Option<Vec<Vec<f64>>> = parts.iter().map(slope).collect();
    let mut parts = parts.into_iter();
    let mut all = parts.next().expect("there is at least one output");
    for part in parts {
        let (report, other) = (&mut all.report, part.report);
        report.seconds += other.seconds;
        if let (Some(own), Some(other)) = (&mut report.kernel, other.kernel) {
            own.kernel_evaluations += other.kernel_evaluations;
        }
        if let (Some(own), Some(other)) = (&mut report.solver, other.solver) {
            own.objective += other.objective;
            own.dual_gap += other.dual_gap;
            own.kkt_violation = own.kkt_violation.max(other.kkt_violation);
            own.iterations += other.iterations;
            own.problems.extend(other.problems);
        }
    }
    if several {
        // The outputs have no ratio in common.
        all.model.posterior = None;
        all.report.bayes = None;
        let problems = all.report.solver.iter_mut().flat_map(|s| &mut s.problems);
        for (k, problem) in problems.enumerate() {
            problem.name = format!("{}, output {}", problem.name, k + 1);
        }
    }
    let support = all.model.support.len();
    all.model.coefficients = Matrix::from_fn(lines.len(), support, |k, i| lines[k].0[i]);
    all.model.biases = lines.iter().map(|line| line.1).collect();
    all.model.slopes = slopes.map(|slopes| {
        let width = slopes.first().map_or(0, Vec::len);
        Matrix::from_vec(slopes.len(), width, slopes.into_iter().flatten().collect())
    });
    all
}

/// Gives rows without weight their place among the support vectors.
fn spread(model: &mut KernelExpansion, kept: &[usize], records: &Records) {
    let coefficients = &mut model.coefficients;
    let mut wide = Matrix::zeros(coefficients.rows(), records.len());
    for k in 0..coefficients.rows() {
        for (place, &row) in kept.iter().enumerate() {
            wide[(k, row)] = coefficients[(k, place)];
        }
    }
    *coefficients = wide;
    model.support = own(records);
    model.class_sizes = vec![records.len()];
    model.posterior = None;
}
