//! Plans and states: what parts of a table share, and what each of them adds.
//!
//! Python leads through the steps (`mercer.state`): [`EncoderSums`] of every part and rows drawn by [`row_keys`] make a
//! [`Plan`], the plan makes a [`State`] of every part, states merge, and one is solved. All of them are immutable and
//! travel as bytes with a checksum, so that schedulers may run a step twice.

use std::sync::Arc;

use mercer::data::{Categories, Column, Dataset, Origin, Roles, Table, Targets, Task, Values};
use mercer::features::RowKeys;
use mercer::fit::Note;
use mercer::learn::features::FeaturePlan;
use mercer::recipe::{Prepared, Way};
use mercer::select::kernels::{Candidate, default_candidates, select};
use mercer::state::Place;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::array;
use crate::automatic::options;
use crate::failure::{raise, raise_io};
use crate::fit::{Allowance, Numbers, estimator, targets};
use crate::model::Model;

/// What an encoder is made of, of some rows.
#[pyclass(frozen, module = "mercer._mercer")]
pub(crate) struct EncoderSums(mercer::data::EncoderSums);

#[pymethods]
impl EncoderSums {
    /// Looks at columns; weights mean copies.
    #[staticmethod]
    #[pyo3(signature = (x, *, weights=None, scaled=true))]
    fn of(
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        scaled: bool,
    ) -> PyResult<Self> {
        let table = array::any_table(x)?;
        let weights = crate::fit::weights(weights)?;
        let made = py.detach(|| -> mercer::Result<_> {
            let mut sums = mercer::data::EncoderSums::default();
            sums.add(&table, weights.as_deref(), &options(scaled))?;
            Ok(sums)
        });
        made.map(Self).map_err(|e| raise(&e))
    }

    /// Those of these rows and others after them.
    fn merge(&self, other: &Bound<'_, Self>) -> PyResult<Self> {
        let mut sums = self.0.clone();
        let merged = sums.merge(other.get().0.clone());
        merged.map_err(|e| raise(&e))?;
        Ok(Self(sums))
    }

    /// Rows that were looked at.
    #[getter]
    fn rows(&self) -> u64 {
        self.0.rows()
    }

    /// The sums as text.
    fn to_text(&self) -> String {
        serde_json::to_string(&self.0).expect("sums are numbers and names")
    }

    /// Reads the text of sums.
    #[staticmethod]
    fn from_text(text: &str) -> PyResult<Self> {
        let read = serde_json::from_str(text);
        read.map(Self)
            .map_err(|e| PyValueError::new_err(format!("these are no sums: {e}")))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_text")?, (slf.get().to_text(),)))
    }
}

/// Keys by which rows are drawn: those of the largest are a sample, each row in proportion to its weight.
///
/// They hang on the seed and the place of a row alone. Part 0 is the one sequence of all rows, others are parts whose
/// numbers of rows nobody knows beforehand.
#[pyfunction]
#[pyo3(signature = (count, *, first=0, part=0, seed=0, weights=None))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn row_keys<'py>(
    py: Python<'py>,
    count: usize,
    first: u64,
    part: u64,
    seed: u64,
    weights: Option<PyReadonlyArray1<'py, f64>>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let weights = match &weights {
        Some(weights) => Some(weights.as_slice()?),
        None => None,
    };
    // An odd factor moves every part to a seed of its own.
    let seed = seed ^ part.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut keys = RowKeys::from_row(seed, first);
    let key = |row: usize| keys.next_key(weights.map_or(1.0, |w| w[row]));
    Ok((0..count).map(key).collect::<Vec<f64>>().into_pyarray(py))
}

/// Rows of a block of so many features.
#[pyfunction]
pub(crate) fn block_rows(components: usize) -> usize {
    FeaturePlan::block_rows(components)
}

/// Encodes rows that stand for all.
fn encoded(
    sums: &mercer::data::EncoderSums,
    table: &Table,
    targets: Targets,
    weights: Option<Vec<f64>>,
    scaled: bool,
) -> mercer::Result<(mercer::data::Encoder, Dataset, Vec<Note>)> {
    let (encoder, notes) = sums.encoder(&options(scaled))?;
    let mut data = Dataset::try_new(encoder.transform(table)?.records, targets)?;
    if let Some(weights) = weights {
        data = data.with_weights(weights)?;
    }
    Ok((encoder, data, notes))
}

fn task_of(targets: &Targets) -> Task {
    match targets {
        Targets::Classes(_) => Task::Classify,
        _ => Task::Regress,
    }
}

/// Ranks kernels by their evidence on rows that stand for all: name, kernel and log evidence of each, the best first.
#[pyfunction]
#[pyo3(signature = (sums, x, kernels=None, *, scaled=true, classes=None, labels=None, values=None,
    weights=None, threads=0, memory=None, seed=0))]
#[expect(clippy::too_many_arguments, reason = "all by keyword")]
pub(crate) fn rank_kernels(
    py: Python<'_>,
    sums: &Bound<'_, EncoderSums>,
    x: &Bound<'_, PyAny>,
    kernels: Option<Vec<String>>,
    scaled: bool,
    classes: Option<PyReadonlyArray1<'_, i64>>,
    labels: Option<Vec<String>>,
    values: Option<Numbers<'_>>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    threads: usize,
    memory: Option<u64>,
    seed: u64,
) -> PyResult<Vec<(String, String, f64)>> {
    let table = array::any_table(x)?;
    let targets = targets(classes, labels, values)?;
    let weights = crate::fit::weights(weights)?;
    let sums = sums.get().0.clone();
    let allowance = Allowance {
        threads,
        memory,
        seed,
        ..Allowance::default()
    };
    let selection = allowance.run(py, false, move |context| {
        let (_, data, _) = encoded(&sums, &table, targets, weights, scaled)?;
        let candidates = match kernels {
            None => default_candidates(&data.records)?,
            Some(texts) => texts
                .iter()
                .map(|text| Candidate::parse(text, &data.records))
                .collect::<mercer::Result<_>>()?,
        };
        select(&candidates, &data, context)
    })?;
    let told = |r: mercer::select::kernels::Ranked| (r.name, r.kernel.to_string(), r.log_evidence);
    Ok(selection.ranked.into_iter().map(told).collect())
}

/// What parts of a table have to share.
#[pyclass(frozen, module = "mercer._mercer")]
pub(crate) struct Plan(Arc<mercer::state::Plan>);

#[pymethods]
impl Plan {
    /// Makes a plan: encoders from sums over all rows, kernel and landmarks from rows that stand for them.
    ///
    /// `settings` is a JSON object as in `fit`; `roles` are the names of the targets, and of the weights where rows have them.
    #[staticmethod]
    #[pyo3(signature = (settings, sums, x, *, roles, scaled=true, classes=None, labels=None, values=None,
        weights=None, threads=0, memory=None, seconds=None, seed=0))]
    #[expect(clippy::too_many_arguments, reason = "the one way in, all by keyword")]
    fn of(
        py: Python<'_>,
        settings: &str,
        sums: &Bound<'_, EncoderSums>,
        x: &Bound<'_, PyAny>,
        roles: (Vec<String>, Option<String>),
        scaled: bool,
        classes: Option<PyReadonlyArray1<'_, i64>>,
        labels: Option<Vec<String>>,
        values: Option<Numbers<'_>>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        threads: usize,
        memory: Option<u64>,
        seconds: Option<f64>,
        seed: u64,
    ) -> PyResult<Self> {
        let estimator = estimator(settings)?;
        let table = array::any_table(x)?;
        let targets = targets(classes, labels, values)?;
        let weights = crate::fit::weights(weights)?;
        let sums = sums.get().0.clone();
        let roles = Roles {
            targets: roles.0,
            weights: roles.1,
            ..Roles::default()
        };
        let allowance = Allowance {
            threads,
            memory,
            seconds,
            seed,
            ..Allowance::default()
        };
        let plan = allowance.run(py, false, move |context| {
            let task = task_of(&targets);
            let (encoder, data, notes) = encoded(&sums, &table, targets, weights, scaled)?;
            let mut prepared = Prepared::of_rows(task, encoder, data, Way::Method(estimator));
            prepared.notes = notes;
            mercer::state::Plan::of_rows(prepared, roles, &context.restarted())
        })?;
        Ok(Self(Arc::new(plan)))
    }

    /// The state of rows that stand at a place; without rows that of none.
    #[pyo3(signature = (x=None, *, classes=None, values=None, weights=None, part=0, first=0, threads=0))]
    #[expect(clippy::too_many_arguments, reason = "all by keyword")]
    fn state(
        &self,
        py: Python<'_>,
        x: Option<&Bound<'_, PyAny>>,
        classes: Option<PyReadonlyArray1<'_, i64>>,
        values: Option<Numbers<'_>>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        part: u64,
        first: u64,
        threads: usize,
    ) -> PyResult<State> {
        let plan = Arc::clone(&self.0);
        let Some(x) = x else {
            return Ok(State(mercer::state::State::new(plan)));
        };
        let mut columns = array::any_columns(x)?;
        let labels = plan.features.labels().map(<[String]>::to_vec);
        let sides = targets(classes, labels, values)?;
        columns.extend(self.sides(sides)?);
        if let Some(name) = &plan.roles.weights {
            let weights = crate::fit::weights(weights)?.ok_or_else(|| {
                PyValueError::new_err(
                    "the plan was made for rows with weights: give `sample_weight`",
                )
            })?;
            columns.push(Column::new(name.clone(), Values::Numeric(weights)));
        } else if weights.is_some() {
            return Err(PyValueError::new_err(
                "the plan was made for rows without weights: give `sample_weight` to it, too",
            ));
        }
        let table = Table::try_new(columns, Origin::default()).map_err(|e| raise(&e))?;
        let allowance = Allowance {
            threads,
            ..Allowance::default()
        };
        let quick = allowance.is_quick(table.rows());
        let place = Place { part, row: first };
        let state = allowance.run(py, quick, move |context| {
            mercer::state::State::of(&plan, table, place, context)
        })?;
        Ok(State(state))
    }

    /// What tells this plan from others.
    #[getter]
    fn fingerprint(&self) -> &str {
        self.0.fingerprint()
    }

    /// Rows of a block.
    #[getter]
    fn block(&self) -> usize {
        self.0.block()
    }

    /// Bytes that a state takes, and its solution.
    #[getter]
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// The method: `nystroem` or `rff`.
    #[getter]
    fn method(&self) -> &str {
        &self.0.method
    }

    /// The kernel, with every parameter fixed.
    #[getter]
    fn kernel(&self) -> String {
        self.0.features.map.kernel().to_string()
    }

    /// The number of features.
    #[getter]
    fn components(&self) -> usize {
        self.0.features.map.width()
    }

    /// The labels of the classes.
    #[getter]
    fn labels(&self) -> Option<Vec<String>> {
        self.0.features.labels().map(<[String]>::to_vec)
    }

    /// The plan as bytes of a file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| mercer_io::state::plan_to_bytes(&self.0));
        Ok(PyBytes::new(py, &bytes.map_err(raise_io)?))
    }

    /// Reads such bytes, or those of a state.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let plan = py.detach(|| mercer_io::state::plan_from_bytes(bytes));
        plan.map(|plan| Self(Arc::new(plan))).map_err(raise_io)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = slf.get().to_bytes(slf.py())?;
        Ok((slf.get_type().getattr("from_bytes")?, (bytes,)))
    }

    fn __sizeof__(&self) -> usize {
        let columns = self.0.encoder.width();
        8 * self.0.features.map.width() * (columns + self.0.features.map.width())
    }
}

impl Plan {
    /// Targets as the columns that the plan looks for.
    fn sides(&self, targets: Targets) -> PyResult<Vec<Column>> {
        let names = self.0.roles.targets.iter();
        Ok(match targets {
            Targets::Classes(classes) => {
                let values = Values::Categorical(Categories {
                    codes: classes.codes,
                    levels: classes.labels,
                });
                names
                    .map(|name| Column::new(name.clone(), values.clone()))
                    .collect()
            }
            Targets::Real(values) => names
                .map(|name| Column::new(name.clone(), Values::Numeric(values.clone())))
                .collect(),
            Targets::Several(values) => names
                .zip(0..values.rows())
                .map(|(name, k)| Column::new(name.clone(), Values::Numeric(values.row(k).to_vec())))
                .collect(),
            Targets::None => return Err(PyValueError::new_err("rows of a plan need targets")),
        })
    }
}

/// Sums over some rows under a plan.
#[pyclass(frozen, module = "mercer._mercer")]
pub(crate) struct State(mercer::state::State);

#[pymethods]
impl State {
    /// The state of these rows and of others, added in this order.
    #[pyo3(signature = (*others))]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "arguments of Python methods are owned"
    )]
    fn merge(&self, py: Python<'_>, others: Vec<Bound<'_, Self>>) -> PyResult<Self> {
        let others: Vec<&mercer::state::State> = others.iter().map(|o| &o.get().0).collect();
        let merged = py.detach(|| -> mercer::Result<_> {
            let mut sums = self.0.clone();
            others.iter().try_for_each(|other| sums.merge(other))?;
            Ok(sums)
        });
        merged.map(Self).map_err(|e| raise(&e))
    }

    /// Makes a model of the rows.
    #[pyo3(signature = (*, threads=0, memory=None, seconds=None, seed=0))]
    fn solve(
        &self,
        py: Python<'_>,
        threads: usize,
        memory: Option<u64>,
        seconds: Option<f64>,
        seed: u64,
    ) -> PyResult<Model> {
        let allowance = Allowance {
            threads,
            memory,
            seconds,
            seed,
            ..Allowance::default()
        };
        let state = self.0.clone();
        let mut fitted = allowance.run(py, false, move |context| {
            Ok(state.solve(&context.restarted())?.model)
        })?;
        // Targets have no name in Python, as after any other fit.
        fitted.targets.clear();
        Ok(Model::new(fitted))
    }

    /// Rows that were added up.
    #[getter]
    fn rows(&self) -> u64 {
        self.0.rows()
    }

    /// The runs of rows that were seen: part, first row, row after the last.
    #[getter]
    fn spans(&self) -> Vec<(u64, u64, u64)> {
        let spans = self.0.spans().as_slice().iter();
        spans.map(|s| (s.part, s.first, s.end)).collect()
    }

    /// The copies of every class; empty without classes.
    #[getter]
    fn class_copies(&self) -> Vec<f64> {
        self.0.sums().class_copies().to_vec()
    }

    /// The plan.
    #[getter]
    fn plan(&self) -> Plan {
        Plan(Arc::clone(self.0.plan()))
    }

    /// The state and its plan as bytes of a file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| mercer_io::state::state_to_bytes(&self.0));
        Ok(PyBytes::new(py, &bytes.map_err(raise_io)?))
    }

    /// Reads such bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let state = py.detach(|| mercer_io::state::state_from_bytes(bytes));
        state.map(Self).map_err(raise_io)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = slf.get().to_bytes(slf.py())?;
        Ok((slf.get_type().getattr("from_bytes")?, (bytes,)))
    }

    fn __sizeof__(&self) -> usize {
        let plan = self.0.plan();
        let width = plan.features.map.width() + plan.features.outputs() + 1;
        8 * width * width * plan.features.folds
    }
}
