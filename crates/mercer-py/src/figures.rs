//! Figures of models and kernels, the same that the command draws.

use mercer::data::Targets;
use mercer::fit::Note;
use mercer::judge::Truth;
use mercer::kernel::KernelSpec;
use mercer_plot::Figure;
use mercer_report::{
    Compared, Cut, PathModel, boundary, coefficient_path, kernel_matrix, kernel_spectrum,
    known_lambda, told_note,
};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::array;
use crate::failure::raise;
use crate::fit::{Allowance, Numbers, targets};
use crate::model::Model;
use crate::rows::TrainingRows;
use crate::wording::Keywords;

/// A figure as an SVG file, what is told of it as JSON, and alerts.
type Drawn = (String, String, Vec<String>);

fn alerts(notes: &[Note]) -> Vec<String> {
    let alerts = notes.iter().filter(|note| note.is_alert());
    alerts.map(|note| told_note(note, &Keywords)).collect()
}

/// Draws where a model decides. Axes are two columns by name, two projections, or left to choose.
///
/// `classes` are codes into the labels of a classifier, `novel` marks rows for a novelty detector.
#[pyfunction]
#[pyo3(signature = (model, x, *, classes=None, novel=None, columns=None, projections=false, threads=0, seed=0))]
#[expect(clippy::too_many_arguments, reason = "all by keyword")]
pub(crate) fn boundary_picture(
    py: Python<'_>,
    model: &Model,
    x: &Bound<'_, PyAny>,
    classes: Option<PyReadonlyArray1<'_, i64>>,
    novel: Option<Vec<bool>>,
    columns: Option<[String; 2]>,
    projections: bool,
    threads: usize,
    seed: u64,
) -> PyResult<Drawn> {
    let trained = model.shared();
    let table = array::any_table(x)?;
    let labels = trained.labels().map(<[String]>::to_vec);
    let truth = match (classes, novel) {
        (Some(classes), _) => Some(Truth::Targets(targets(Some(classes), labels, None)?)),
        (None, Some(novel)) => Some(Truth::Novel(novel)),
        (None, None) => None,
    };
    let cut = match columns {
        Some(names) => Cut::Columns(names),
        None if projections => Cut::Projections,
        None => Cut::Best,
    };
    let allowance = Allowance {
        threads,
        seed,
        ..Allowance::default()
    };
    let (figure, notes) = allowance.run(py, false, move |context| {
        boundary(&trained, &table, truth.as_ref(), &cut, context)
    })?;
    let told = json!({
        "title": figure.title,
        "note": figure.note,
        "axes": figure.names,
        "rows": figure.rows.len(),
        "wrong": figure.rows.iter().filter(|row| row.is_wrong).count(),
        "support_vectors": figure.rows.iter().filter(|row| row.is_support).count(),
    });
    Ok((figure.to_svg(), told.to_string(), alerts(&notes)))
}

/// Draws the `matrix` of a kernel or its `spectrum`, over rows that are sorted by their targets. The kernel is that
/// of a model, or a text.
#[pyfunction]
#[pyo3(signature = (what, x, *, model=None, text=None, names=None, classes=None, labels=None, values=None,
    target=None, penalty=None, threads=0, seed=0))]
#[expect(clippy::too_many_arguments, reason = "all by keyword")]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn kernel_picture(
    py: Python<'_>,
    what: &str,
    x: &Bound<'_, PyAny>,
    model: Option<PyRef<'_, Model>>,
    text: Option<&str>,
    names: Option<Vec<String>>,
    classes: Option<PyReadonlyArray1<'_, i64>>,
    labels: Option<Vec<String>>,
    values: Option<Numbers<'_>>,
    target: Option<String>,
    penalty: Option<f64>,
    threads: usize,
    seed: u64,
) -> PyResult<Drawn> {
    let targets: Targets = targets(classes, labels, values)?;
    let (kernel, records, known) = if let Some(model) = model {
        let trained = model.shared();
        let table = array::any_table(x)?;
        let records = trained.encode(&table).map_err(|e| raise(&e))?.records;
        let expansion = trained.form.need_expansion("a kernel matrix is that of");
        let kernel = expansion.map_err(|e| raise(&e))?.kernel.clone();
        (kernel, records, known_lambda(&trained))
    } else {
        let text = text.ok_or_else(|| PyValueError::new_err("a kernel is needed"))?;
        let records = TrainingRows::unchanged(x, names.as_deref(), None)?.records;
        let spec = KernelSpec::parse(text).map_err(|e| raise(&e))?;
        let (kernel, _) = spec.resolve(&records, None).map_err(|e| raise(&e))?;
        (kernel, records, None)
    };
    let is_spectrum = what == "spectrum";
    let allowance = Allowance {
        threads,
        seed,
        ..Allowance::default()
    };
    let (svg, told) = allowance.run(py, false, move |context| {
        let compared = Compared {
            kernel: &kernel,
            records: &records,
            targets: &targets,
            target: target.as_deref(),
        };
        if is_spectrum {
            let figure = kernel_spectrum(&compared, penalty.or(known), context)?;
            let told = json!({
                "title": figure.title,
                "note": figure.note,
                "eigenvalues": figure.eigenvalues,
                "lambda": figure.level,
                "effective_dimension": figure.dimension,
            });
            return Ok((figure.to_svg(), told));
        }
        let figure = kernel_matrix(&compared, context)?;
        let told = json!({
            "title": figure.title,
            "note": figure.note,
            "rows": figure.values.len().isqrt(),
        });
        Ok((figure.to_svg(), told))
    })?;
    Ok((svg, told.to_string(), Vec::new()))
}

/// Draws coefficients over λ: of the elastic net with a share of absolute values, or of ridge without one.
#[pyfunction]
#[pyo3(signature = (x, values, *, l1_ratio=None, names=None, penalty=None, threads=0))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn path_picture(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    values: PyReadonlyArray1<'_, f64>,
    l1_ratio: Option<f64>,
    names: Option<Vec<String>>,
    penalty: Option<f64>,
    threads: usize,
) -> PyResult<Drawn> {
    let records = TrainingRows::unchanged(x, names.as_deref(), None)?.records;
    let values = values.as_slice()?.to_vec();
    let model = l1_ratio.map_or(PathModel::Ridge, |l1_ratio| PathModel::ElasticNet {
        l1_ratio,
    });
    let allowance = Allowance {
        threads,
        ..Allowance::default()
    };
    let figure = allowance.run(py, false, move |context| {
        coefficient_path(model, &records, &values, penalty, context)
    })?;
    let lines: Vec<Value> = figure
        .lines
        .iter()
        .map(|(name, values)| json!({ "name": name, "values": values }))
        .collect();
    let told = json!({
        "title": figure.title,
        "note": figure.note,
        "lambdas": figure.at,
        "coefficients": lines,
        "lambda": figure.chosen,
    });
    Ok((figure.to_svg(), told.to_string(), Vec::new()))
}
