//! Learning without settings, from arrays and from columns of any kind.

use std::collections::BTreeMap;

use mercer::data::{EncodeOptions, Sample, Scaling, Table, Targets};
use mercer::recipe::{Prepared, Way, look};
use mercer::select::automatic::Automatic;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::array;
use crate::failure::raise;
use crate::fit::{Allowance, Numbers, targets};
use crate::model::Model;
use crate::rows::text_encodings;

/// Learns from a table: a list of columns, an array, or compressed sparse rows.
///
/// Columns become numbers as the command makes them: categories one-hot encoded, missing values
/// filled in and marked, numbers standardised where `scaled`. Columns that number or name rows are
/// left out, but for those `used`, where that is a list. `encode` says of columns how their texts
/// become numbers. Targets are as in `fit`; rows of one
/// group are held out together.
#[pyfunction]
#[pyo3(signature = (settings, x, *, scaled=true, sample=None, classes=None, labels=None, values=None,
    weights=None, groups=None, used=None, encode=None, threads=0, memory=None, seconds=None, seed=0))]
#[expect(clippy::too_many_arguments, reason = "the one way in, all by keyword")]
pub(crate) fn fit_automatic(
    py: Python<'_>,
    settings: &str,
    x: &Bound<'_, PyAny>,
    scaled: bool,
    sample: Option<&str>,
    classes: Option<PyReadonlyArray1<'_, i64>>,
    labels: Option<Vec<String>>,
    values: Option<Numbers<'_>>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    groups: Option<Vec<u32>>,
    used: Option<Vec<String>>,
    encode: Option<BTreeMap<String, String>>,
    threads: usize,
    memory: Option<u64>,
    seconds: Option<f64>,
    seed: u64,
) -> PyResult<Model> {
    let automatic: Automatic = serde_json::from_str(settings)
        .map_err(|e| PyValueError::new_err(format!("the settings cannot be used: {e}")))?;
    let sample: Option<Sample> = sample.map(str::parse).transpose().map_err(|e| raise(&e))?;
    let encode = text_encodings(encode.unwrap_or_default())?;
    let table = array::any_table(x)?;
    let targets = targets(classes, labels, values)?;
    let weights = crate::fit::weights(weights)?;
    let allowance = Allowance {
        threads,
        memory,
        seconds,
        seed,
        ..Allowance::default()
    };
    let fitted = allowance.run(py, false, move |context| {
        let context = context.restarted();
        let mut table = table;
        let notes = match used {
            Some(mut used) if automatic.kernel.is_none() => {
                used.extend(encode.keys().cloned());
                look(&mut table, &targets, &used)?
            }
            _ => Vec::new(),
        };
        let options = options(scaled).texts(encode);
        let way = (automatic.task, Way::Auto(automatic));
        let mut prepared = Prepared::of_columns(&table, targets, weights, &options, way)?;
        prepared.notes.splice(0..0, notes);
        prepared.sample = sample;
        prepared.groups = groups;
        prepared.fit(&context)
    })?;
    Ok(Model::new(fitted.model))
}

/// Turns columns into rows of numbers.
pub(crate) fn prepare(
    table: &Table,
    targets: Targets,
    weights: Option<Vec<f64>>,
    scaled: bool,
    automatic: Automatic,
) -> mercer::Result<Prepared> {
    let way = (automatic.task, Way::Auto(automatic));
    Prepared::of_columns(table, targets, weights, &options(scaled), way)
}

/// How columns become numbers.
pub(crate) fn options(scaled: bool) -> EncodeOptions {
    EncodeOptions::default().scaling(if scaled {
        Scaling::Standard
    } else {
        Scaling::None
    })
}
