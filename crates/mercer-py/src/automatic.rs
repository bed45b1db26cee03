//! Learning without settings, from arrays and from columns of any kind.

use mercer::data::{Dataset, EncodeOptions, Encoder, Scaling, Table, Targets};
use mercer::fit::Note;
use mercer::model::Prepared;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::array;
use crate::fit::{Allowance, dataset, estimator, targets};
use crate::model::Model;
use crate::rows::TrainingRows;

/// Learns from a table: a list of columns, an array, or compressed sparse rows.
///
/// Columns become numbers as the command makes them: categories as indicators, missing values
/// filled in and marked, numbers standardised where `scaled`. Targets are as in `fit`.
#[pyfunction]
#[pyo3(signature = (settings, x, *, scaled=true, classes=None, labels=None, values=None,
    weights=None, threads=0, memory=None, seconds=None, seed=0))]
#[expect(clippy::too_many_arguments, reason = "the one way in, all by keyword")]
pub(crate) fn fit_automatic(
    py: Python<'_>,
    settings: &str,
    x: &Bound<'_, PyAny>,
    scaled: bool,
    classes: Option<PyReadonlyArray1<'_, i64>>,
    labels: Option<Vec<String>>,
    values: Option<PyReadonlyArray1<'_, f64>>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    threads: usize,
    memory: Option<u64>,
    seconds: Option<f64>,
    seed: u64,
) -> PyResult<Model> {
    let estimator = estimator(settings)?;
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
        let encoded = encode(&table, targets, weights, scaled)?;
        let prepared = Prepared {
            task: estimator.task(),
            target: None,
            id: None,
            encoder: encoded.encoder,
            data: encoded.data,
            groups: None,
            estimator,
            notes: encoded.notes,
        };
        prepared.fit(&context, None)
    })?;
    Ok(Model::new(fitted.model))
}

/// A table as the kernels see it.
pub(crate) struct EncodedTable {
    pub(crate) encoder: Encoder,
    pub(crate) data: Dataset,
    pub(crate) notes: Vec<Note>,
}

/// Turns columns into rows of numbers.
pub(crate) fn encode(
    table: &Table,
    targets: Targets,
    weights: Option<Vec<f64>>,
    scaled: bool,
) -> mercer::Result<EncodedTable> {
    let scaling = if scaled {
        Scaling::Standard
    } else {
        Scaling::None
    };
    let options = EncodeOptions::default().scaling(scaling);
    let TrainingRows {
        records,
        encoder,
        mut notes,
    } = TrainingRows::encoded(table, weights.as_deref(), &options)?;
    if scaled && encoder.width() > 0 {
        notes.push(Note::Choice(
            "numbers are scaled to mean 0 and spread 1; sparse ones keep their zeros".to_owned(),
        ));
    }
    Ok(EncodedTable {
        encoder,
        data: dataset(records, targets, weights)?,
        notes,
    })
}
