//! Learning.

use std::collections::BTreeMap;
use std::time::Duration;

use mercer::data::{ClassTargets, Dataset, Records, Targets};
use mercer::fit::{Cancel, FitContext, Note};
use mercer::learn::AnyEstimator;
use mercer::recipe::{Prepared, Way};
use mercer_linalg::Matrix;
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::failure::raise;
use crate::model::Model;
use crate::rows::TrainingRows;
use crate::watch;

/// Rows that are learned in less time than waking a second thread is worth.
const FEW_ROWS: usize = 600;

/// What a call from Python may use, and who listens to it.
#[derive(Default)]
pub(crate) struct Allowance<'a, 'py> {
    /// Threads; 0 means all cores.
    pub(crate) threads: usize,
    /// Bytes for kernel values.
    pub(crate) memory: Option<u64>,
    /// Seconds.
    pub(crate) seconds: Option<f64>,
    /// Seed of everything random.
    pub(crate) seed: u64,
    /// Hears of progress.
    pub(crate) callback: Option<&'a Bound<'py, PyAny>>,
}

impl Allowance<'_, '_> {
    /// Runs work within these limits; what is `quick` stays on the calling thread.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        quick: bool,
        work: impl FnOnce(&FitContext) -> mercer::Result<T> + Send + 'static,
    ) -> PyResult<T> {
        let mut context = FitContext::default().seed(self.seed);
        if quick {
            context = context.threads(1);
        } else if self.threads > 0 {
            context = context.threads(self.threads);
        }
        if let Some(bytes) = self.memory {
            context = context.memory_limit(bytes);
        }
        // A time beyond the clock's range is no limit.
        let limit = self
            .seconds
            .and_then(|s| Duration::try_from_secs_f64(s).ok());
        context = context.time_limit(limit);
        if quick {
            watch::run_here(py, move |cancel| work(&context.cancel(cancel)))?
        } else {
            let cancel = Cancel::default();
            context = context.cancel(cancel.clone());
            let late = watch::late(limit);
            watch::run(py, &cancel, self.callback, late, move |progress| {
                context.progress = progress;
                work(&context)
            })?
        }
        .map_err(|e| raise(&e))
    }

    /// Tells whether so many rows are learnt sooner on one thread than on several.
    pub(crate) fn is_quick(&self, rows: usize) -> bool {
        self.callback.is_none() && rows <= FEW_ROWS
    }
}

/// Reads a method with its settings: a flat object with the method's name as `model`.
pub(crate) fn estimator(settings: &str) -> PyResult<AnyEstimator> {
    let read: Result<Map<String, Value>, _> = serde_json::from_str(settings);
    let mut settings =
        read.map_err(|e| PyValueError::new_err(format!("the settings cannot be used: {e}")))?;
    let model = settings.remove("model");
    let name = model.as_ref().and_then(Value::as_str).unwrap_or_default();
    AnyEstimator::with_settings(name, &settings).map_err(|e| raise(&e))
}

/// Numbers to predict: one for each row, or a line of them for each output.
#[derive(FromPyObject)]
pub(crate) enum Numbers<'py> {
    One(PyReadonlyArray1<'py, f64>),
    Several(PyReadonlyArray2<'py, f64>),
}

/// Takes targets: codes into labels, numbers, or nothing.
pub(crate) fn targets(
    classes: Option<PyReadonlyArray1<'_, i64>>,
    labels: Option<Vec<String>>,
    values: Option<Numbers<'_>>,
) -> PyResult<Targets> {
    Ok(match (classes, values) {
        (Some(classes), _) => Targets::Classes(ClassTargets {
            codes: classes.as_slice()?.iter().map(|&c| c as u32).collect(),
            labels: labels.unwrap_or_default(),
        }),
        (None, Some(Numbers::One(values))) => Targets::Real(values.as_slice()?.to_vec()),
        (None, Some(Numbers::Several(values))) => {
            let shape = values.shape();
            let values = values.as_slice()?.to_vec();
            Targets::Several(Matrix::from_vec(shape[0], shape[1], values))
        }
        (None, None) => Targets::None,
    })
}

/// Takes row weights.
pub(crate) fn weights(weights: Option<PyReadonlyArray1<'_, f64>>) -> PyResult<Option<Vec<f64>>> {
    Ok(match weights {
        Some(weights) => Some(weights.as_slice()?.to_vec()),
        None => None,
    })
}

/// Joins rows, targets and weights.
pub(crate) fn dataset(
    records: Records,
    targets: Targets,
    weights: Option<Vec<f64>>,
) -> mercer::Result<Dataset> {
    let data = Dataset::try_new(records, targets)?;
    match weights {
        Some(weights) => data.with_weights(weights),
        None => Ok(data),
    }
}

/// Learns from rows.
///
/// `settings` is a JSON object: the method as `model`, and its settings by name. Rows are an array, compressed sparse rows, or a
/// list of columns, which are encoded without scaling. `classes` are codes into `labels`; `values`
/// are numbers to predict, a line for each output where there are several; neither means novelty
/// detection or clusters. `threads` 0 means all cores. With
/// `plain_scale` the kernel is fixed on the rows as they stand, whatever they weigh. `encode` says of columns
/// how their texts become numbers; other columns may then be of any kind.
#[pyfunction]
#[pyo3(signature = (settings, x, *, classes=None, labels=None, values=None, weights=None,
    names=None, threads=0, memory=None, seconds=None, seed=0, callback=None, earlier=None,
    plain_scale=false, encode=None))]
#[expect(clippy::too_many_arguments, reason = "the one way in, all by keyword")]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn fit(
    py: Python<'_>,
    settings: &str,
    x: &Bound<'_, PyAny>,
    classes: Option<PyReadonlyArray1<'_, i64>>,
    labels: Option<Vec<String>>,
    values: Option<Numbers<'_>>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    names: Option<Vec<String>>,
    threads: usize,
    memory: Option<u64>,
    seconds: Option<f64>,
    seed: u64,
    callback: Option<&Bound<'_, PyAny>>,
    earlier: Option<PyRef<'_, Model>>,
    plain_scale: bool,
    encode: Option<BTreeMap<String, String>>,
) -> PyResult<Model> {
    let mut estimator = estimator(settings)?;
    let weights = self::weights(weights)?;
    let mut rows = match encode {
        Some(encode) => TrainingRows::worded(x, weights.as_deref(), encode)?,
        None => TrainingRows::for_method(x, names.as_deref(), weights.as_deref(), &estimator)?,
    };
    if plain_scale {
        rows.notes
            .extend(fix_kernel(&mut estimator, &rows.records)?);
    }
    let targets = targets(classes, labels, values)?;
    let data = dataset(rows.records, targets, weights).map_err(|e| raise(&e))?;
    let earlier = earlier.map(|model| model.shared());
    let task = estimator.task_on(&data.targets);
    let allowance = Allowance {
        threads,
        memory,
        seconds,
        seed,
        callback,
    };
    let quick = allowance.is_quick(data.len());
    let prepared = Prepared {
        earlier,
        notes: rows.notes,
        ..Prepared::of_rows(task, rows.encoder, data, Way::Method(estimator))
    };
    let trained = allowance.run(py, quick, move |context| {
        let rows = prepared.data.len();
        let mut trained = prepared.fit(&context.restarted())?.model;
        // Methods that keep all rows may hold those of Python, which may be written to later.
        let model = trained.form.expansion_mut();
        if let Some(model) = model.filter(|model| model.support.len() == rows) {
            model.support = own(&model.support);
        }
        if let Some(model) = trained.form.neighbours_mut() {
            model.rows = own(&model.rows);
        }
        Ok(trained)
    })?;
    Ok(Model::new(trained))
}

/// Fixes the open parameters of a kernel from rows without their weights, as scikit-learn's
/// `gamma="scale"` does; returns what was chosen.
pub(crate) fn fix_kernel(estimator: &mut AnyEstimator, records: &Records) -> PyResult<Vec<Note>> {
    let Some(kernel) = estimator.kernel() else {
        return Ok(Vec::new());
    };
    let (kernel, notes) = kernel.resolve(records, None).map_err(|e| raise(&e))?;
    estimator.set_kernel(kernel.spec().clone());
    Ok(notes)
}

/// Copies rows, so that nobody can write to those of a model.
pub(crate) fn own(records: &Records) -> Records {
    records.select(&(0..records.len()).collect::<Vec<_>>())
}
