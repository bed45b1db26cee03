//! Ranking kernels by their evidence.

use mercer::data::{Targets, Task};
use mercer::fit::Note;
use mercer::select::automatic::Automatic;
use mercer::select::kernels::{
    Candidate, default_candidates, landscape, select_grouped, set_priors,
};
use mercer_report::evidence_figure;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::array;
use crate::automatic::prepare;
use crate::fit::{Allowance, Numbers, targets};

/// Ranks kernels and returns the table as JSON.
///
/// `kernels` are expressions whose free hyperparameters are fitted; none means the default ones.
/// Rows and targets are as in `fit_automatic`. With `picture` the evidence around the best kernel is drawn as well.
#[pyfunction]
#[pyo3(signature = (x, kernels=None, *, prior=None, scaled=true, classes=None, labels=None, values=None,
    weights=None, groups=None, picture=false, threads=0, memory=None, seed=0))]
#[expect(clippy::too_many_arguments, reason = "the one way in, all by keyword")]
pub(crate) fn select_kernels(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    kernels: Option<Vec<String>>,
    prior: Option<Vec<(String, f64)>>,
    scaled: bool,
    classes: Option<PyReadonlyArray1<'_, i64>>,
    labels: Option<Vec<String>>,
    values: Option<Numbers<'_>>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    groups: Option<Vec<u32>>,
    picture: bool,
    threads: usize,
    memory: Option<u64>,
    seed: u64,
) -> PyResult<String> {
    let table = array::any_table(x)?;
    let targets = targets(classes, labels, values)?;
    let weights = crate::fit::weights(weights)?;
    let allowance = Allowance {
        threads,
        memory,
        seed,
        ..Allowance::default()
    };
    let (selection, notes, svg) = allowance.run(py, false, move |context| {
        let task = match targets {
            Targets::Classes(_) => Task::Classify,
            _ => Task::Regress,
        };
        let encoded = prepare(&table, targets, weights, scaled, Automatic::new(task))?;
        let records = &encoded.data.records;
        let mut candidates = match kernels {
            None => default_candidates(records)?,
            Some(texts) => texts
                .iter()
                .map(|text| Candidate::parse(text, records))
                .collect::<mercer::Result<_>>()?,
        };
        if let Some(prior) = prior {
            set_priors(&mut candidates, &prior)?;
        }
        let selection = select_grouped(&candidates, &encoded.data, groups.as_deref(), context)?;
        let svg = if picture {
            let around = landscape(&selection.ranked[0], &encoded.data, context)?;
            Some(evidence_figure(&around).to_svg())
        } else {
            None
        };
        Ok((selection, encoded.notes, svg))
    })?;
    let table: Vec<Value> = selection
        .ranked
        .iter()
        .map(|r| {
            json!({
                "name": r.name,
                "kernel": r.kernel.to_string(),
                "log_evidence": r.log_evidence,
                "posterior": r.posterior,
                "ratio": r.ratio,
                "effective_parameters": r.effective_parameters,
                "loo_error": r.leave_one_out,
                "fitted_numbers": r.fitted_numbers,
                "is_integral": r.is_integral,
                "occam_error": r.occam_error,
                "closed_form": r.closed_form,
                "seconds": r.seconds,
            })
        })
        .collect();
    let notes: Vec<&str> = notes
        .iter()
        .chain(&selection.notes)
        .map(Note::text)
        .collect();
    Ok(json!({"table": table, "rows": selection.rows, "notes": notes, "svg": svg}).to_string())
}
