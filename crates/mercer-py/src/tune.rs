//! Searching settings.

use std::time::Duration;

use mercer::data::{ClassTargets, Dataset, Targets};
use mercer::fit::{Cancel, FitContext};
use mercer::model::AnyEstimator;
use mercer::tune::{Axis, FoldRule, Tuning};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::json;

use crate::array;
use crate::failure::raise;
use crate::watch;

/// Searches a grid by cross-validation and returns the outcome as JSON.
///
/// `grid` lists axes in text form; none means a grid for what is open. `folds` 0 means
/// leave-one-out. Targets are as in `fit`.
#[pyfunction]
#[pyo3(signature = (settings, x, grid, *, folds=5, metric=None, refine=0, race=true, classes=None,
    labels=None, values=None, weights=None, groups=None, names=None, threads=0, memory=None,
    seconds=None, seed=0, callback=None))]
#[expect(clippy::too_many_arguments, reason = "the one way in, all by keyword")]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn tune(
    py: Python<'_>,
    settings: &str,
    x: &Bound<'_, PyAny>,
    grid: Vec<String>,
    folds: usize,
    metric: Option<&str>,
    refine: usize,
    race: bool,
    classes: Option<PyReadonlyArray1<'_, i64>>,
    labels: Option<Vec<String>>,
    values: Option<PyReadonlyArray1<'_, f64>>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    groups: Option<Vec<u32>>,
    names: Option<Vec<String>>,
    threads: usize,
    memory: Option<u64>,
    seconds: Option<f64>,
    seed: u64,
    callback: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
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
    let mut data = Dataset::try_new(records, targets).map_err(|e| raise(&e))?;
    if let Some(weights) = weights {
        let weights = weights.as_slice()?.to_vec();
        data = data.with_weights(weights).map_err(|e| raise(&e))?;
    }
    let axes: mercer::Result<Vec<Axis>> = grid.iter().map(|text| text.parse()).collect();
    let metric = metric.map(str::parse).transpose().map_err(|e| raise(&e))?;
    let tuning = Tuning {
        axes: axes.map_err(|e| raise(&e))?,
        folds: match folds {
            0 => FoldRule::LeaveOneOut,
            k => FoldRule::Count(k),
        },
        metric,
        refine,
        race,
        groups,
        ..Tuning::default()
    };
    let cancel = Cancel::default();
    let mut context = FitContext::default().cancel(cancel.clone()).seed(seed);
    if threads > 0 {
        context = context.threads(threads);
    }
    if let Some(bytes) = memory {
        context = context.memory_limit(bytes);
    }
    context = context.time_limit(seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()));
    let tuned = watch::run(py, &cancel, callback, move |progress| {
        context.progress = progress;
        tuning.run(&estimator, &data, &context)
    })?
    .map_err(|e| raise(&e))?;
    let points: Vec<serde_json::Value> = tuned
        .points
        .iter()
        .map(|p| {
            json!({
                "values": p.values,
                "score": p.mean,
                "standard_error": p.standard_error,
                "folds": p.folds,
                "status": p.status.name(),
                "round": p.round,
            })
        })
        .collect();
    let axes: Vec<serde_json::Value> = tuned
        .axes
        .iter()
        .map(|a| json!({"name": a.name, "values": a.values}))
        .collect();
    let object = json!({
        "axes": axes,
        "metric": tuned.metric.name(),
        "is_loss": tuned.metric.is_loss(),
        "points": points,
        "best": tuned.best,
        "kernel": tuned.estimator.kernel().to_string(),
        "ranking": tuned.ranking(),
        "folds": tuned.folds,
        "seconds": tuned.seconds,
        "notes": tuned.notes.iter().map(mercer::fit::Note::text).collect::<Vec<_>>(),
    });
    Ok(object.to_string())
}
