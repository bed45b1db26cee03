//! Learning.

use std::time::Duration;

use mercer::data::{ClassTargets, Dataset, Encoder, Records, Storage, Targets};
use mercer::fit::{Cancel, FitContext};
use mercer::model::{AnyEstimator, Trained};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::array;
use crate::failure::raise;
use crate::model::Model;
use crate::watch;

/// Rows that are learned in less time than waking a second thread is worth.
const FEW_ROWS: usize = 600;

/// Learns from rows.
///
/// `settings` is the JSON form of an estimator. `classes` are codes into `labels`; `values`
/// are numbers to predict; neither means novelty detection. `threads` 0 means all cores.
#[pyfunction]
#[pyo3(signature = (settings, x, *, classes=None, labels=None, values=None, weights=None,
    names=None, threads=0, memory=None, seconds=None, callback=None, earlier=None))]
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
    values: Option<PyReadonlyArray1<'_, f64>>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    names: Option<Vec<String>>,
    threads: usize,
    memory: Option<u64>,
    seconds: Option<f64>,
    callback: Option<&Bound<'_, PyAny>>,
    earlier: Option<PyRef<'_, Model>>,
) -> PyResult<Model> {
    let estimator: AnyEstimator = serde_json::from_str(settings)
        .map_err(|e| PyValueError::new_err(format!("the settings cannot be used: {e}")))?;
    let records = array::records(x, names.as_deref())?;
    let targets = match (classes, values) {
        (Some(classes), _) => Targets::Classes(ClassTargets {
            codes: classes.as_slice()?.iter().map(|&c| c as u32).collect(),
            labels: labels.unwrap_or_default(),
        }),
        (None, Some(values)) => Targets::Real(values.as_slice()?.to_vec()),
        (None, None) => Targets::None,
    };
    let encoder = encoder(&records, names.as_deref());
    let mut data = Dataset::try_new(records, targets).map_err(|e| raise(&e))?;
    if let Some(weights) = weights {
        let weights = weights.as_slice()?.to_vec();
        data = data.with_weights(weights).map_err(|e| raise(&e))?;
    }
    let quick = callback.is_none() && data.len() <= FEW_ROWS;
    let mut context = FitContext::default();
    if quick {
        context = context.threads(1);
    } else if threads > 0 {
        context = context.threads(threads);
    }
    if let Some(bytes) = memory {
        context = context.memory_limit(bytes);
    }
    // A time beyond the clock's range is no limit.
    context = context.time_limit(seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()));
    let earlier = earlier.map(|model| model.shared());
    let method = estimator.name().to_owned();
    let task = estimator.task();
    let work = move |context: &FitContext| {
        estimator.fit(&data, context, earlier.as_deref().map(|t| &t.model))
    };
    let fitted = if quick {
        watch::run_here(py, move |cancel| work(&context.cancel(cancel)))?
    } else {
        let cancel = Cancel::default();
        context = context.cancel(cancel.clone());
        watch::run(py, &cancel, callback, move |progress| {
            context.progress = progress;
            work(&context)
        })?
    }
    .map_err(|e| raise(&e))?;
    Ok(Model::new(Trained {
        task,
        method,
        target: None,
        id: None,
        encoder,
        model: fitted.model,
        attributes: std::collections::BTreeMap::new(),
        report: fitted.report,
    }))
}

/// The encoder that lets the command read the same columns from a file.
pub(crate) fn encoder(records: &Records, names: Option<&[String]>) -> Encoder {
    let points = &records.features.points;
    let storage = if points.is_sparse() {
        Storage::Sparse
    } else {
        Storage::Dense
    };
    match names {
        Some(names) => Encoder::unchanged(names, storage),
        None => Encoder::identity(points.columns(), storage),
    }
}
