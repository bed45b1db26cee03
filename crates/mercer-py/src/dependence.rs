//! How predictions depend on single columns, and on pairs of them.

use mercer::explain::{
    Dependence, DependenceOptions, DependenceSurface, dependence, dependence_surface,
};
use mercer_plot::Figure;
use mercer_report::{dependence_map, dependence_plot};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::array;
use crate::fit::Allowance;
use crate::model::Model;

/// Averages predictions over the values of one column or of two, as JSON.
#[pyfunction]
#[pyo3(signature = (model, x, columns, *, resolution, quantiles, curves=0, centred=false, decision=false, level=0.95, threads=0))]
#[expect(clippy::too_many_arguments, reason = "all by keyword")]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn partial_dependence(
    py: Python<'_>,
    model: &Model,
    x: &Bound<'_, PyAny>,
    columns: Vec<String>,
    resolution: usize,
    quantiles: [f64; 2],
    curves: usize,
    centred: bool,
    decision: bool,
    level: f64,
    threads: usize,
) -> PyResult<String> {
    let trained = model.shared();
    let table = array::any_table(x)?;
    let options = DependenceOptions::default()
        .resolution(resolution)
        .quantiles(quantiles[0], quantiles[1])
        .curves(curves)
        .decision(decision)
        .level(level);
    let allowance = Allowance {
        threads,
        ..Allowance::default()
    };
    match &columns[..] {
        [column] => {
            let column = column.clone();
            let found = allowance.run(py, false, move |context| {
                dependence(&trained, &table, &column, &options, context)
            })?;
            text(&if centred { found.centred() } else { found })
        }
        [one, other] => {
            let pair = [one.clone(), other.clone()];
            let found = allowance.run(py, false, move |context| {
                let pair = pair.each_ref().map(String::as_str);
                dependence_surface(&trained, &table, pair, &options, context)
            })?;
            text(&found)
        }
        others => Err(PyValueError::new_err(format!(
            "`features` names {} columns; predictions are traced over one or two",
            others.len()
        ))),
    }
}

/// Draws what `partial_dependence` returns as an SVG file.
#[pyfunction]
pub(crate) fn dependence_svg(found: &str) -> PyResult<String> {
    let curves: serde_json::Result<Dependence> = serde_json::from_str(found);
    if let Ok(curves) = curves {
        return Ok(dependence_plot(&[curves], None).to_svg());
    }
    let surface: DependenceSurface = serde_json::from_str(found).map_err(|error| {
        let text = format!("`found` is not what `partial_dependence` returns: {error}");
        PyValueError::new_err(text)
    })?;
    Ok(dependence_map(&surface, None).to_svg())
}

fn text(found: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(found).map_err(|error| PyValueError::new_err(error.to_string()))
}
