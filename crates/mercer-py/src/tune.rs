//! Searching settings.

use mercer::judge::METRICS;
use mercer::select::grid::{Axis, FoldRule, Spacing, Tuning, read_metric};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use serde_json::json;

use crate::failure::raise;
use crate::fit::{Allowance, Numbers, dataset, estimator, fix_kernel, targets};
use crate::rows::TrainingRows;

/// Returns the metrics that settings can be searched by, as JSON: every name that one is known by,
/// scikit-learn's included, and the name it has here.
#[pyfunction]
pub(crate) fn search_metrics() -> String {
    let mut names = serde_json::Map::new();
    for entry in METRICS.iter().filter(|entry| !entry.searches.is_empty()) {
        for name in std::iter::once(&entry.name).chain(entry.aliases) {
            names.insert((*name).to_owned(), json!(entry.name));
        }
    }
    json!(names).to_string()
}

/// Searches a grid by cross-validation and returns the outcome as JSON.
///
/// `grid` lists axes in text form; none means a grid for what is open. `folds` 0 means
/// leave-one-out. Targets and `plain_scale` are as in `fit`.
#[pyfunction]
#[pyo3(signature = (settings, x, grid, *, folds=5, metric=None, refine=0, race=true, classes=None,
    labels=None, values=None, weights=None, groups=None, names=None, threads=0, memory=None,
    seconds=None, seed=0, callback=None, plain_scale=false))]
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
    values: Option<Numbers<'_>>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    groups: Option<Vec<u32>>,
    names: Option<Vec<String>>,
    threads: usize,
    memory: Option<u64>,
    seconds: Option<f64>,
    seed: u64,
    callback: Option<&Bound<'_, PyAny>>,
    plain_scale: bool,
) -> PyResult<String> {
    let mut estimator = estimator(settings)?;
    let targets = targets(classes, labels, values)?;
    let weights = crate::fit::weights(weights)?;
    let rows = TrainingRows::for_method(x, names.as_deref(), weights.as_deref(), &estimator)?;
    let chosen = if plain_scale {
        fix_kernel(&mut estimator, &rows.records)?
    } else {
        Vec::new()
    };
    let data = dataset(rows.records, targets, weights).map_err(|e| raise(&e))?;
    let axes: mercer::Result<Vec<Axis>> = grid.iter().map(|text| text.parse()).collect();
    let metric = metric.map(read_metric).transpose().map_err(|e| raise(&e))?;
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
    let allowance = Allowance {
        threads,
        memory,
        seconds,
        seed,
        callback,
    };
    let mut tuned = allowance.run(py, false, move |context| {
        tuning.run(&estimator, &data, context)
    })?;
    tuned.notes.splice(0..0, chosen);
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
        .map(|a| {
            let spacing = match a.spacing {
                Spacing::Log => "log",
                Spacing::Linear => "linear",
            };
            json!({"name": a.name, "values": a.values, "spacing": spacing})
        })
        .collect();
    let object = json!({
        "axes": axes,
        "metric": tuned.metric.name(),
        "is_loss": tuned.metric.is_loss(),
        "points": points,
        "best": tuned.best,
        "kernel": tuned.estimator.kernel_text(),
        "ranking": tuned.ranking(),
        "folds": tuned.folds,
        "seconds": tuned.seconds,
        "notes": tuned.notes.iter().map(mercer::fit::Note::text).collect::<Vec<_>>(),
    });
    Ok(object.to_string())
}
