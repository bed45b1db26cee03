//! Feature maps: landmarks and frequencies that Python chose, and their parts.

use mercer::data::{Records, Targets, Task};
use mercer::features::{
    FeatureMap, FourierMap, Frequencies, FrequencyDraw, LandmarkMap, Landmarks,
};
use mercer::fit::{FitReport, Note};
use mercer::kernel::{KernelSpec, ResolvedKernel};
use mercer::learn::AnyEstimator;
use mercer::model::readout::Readout;
use mercer::model::{FeatureModel, Trained};
use mercer_linalg::{Matrix, Precision, dot};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::raise;
use crate::fit::{Allowance, dataset, estimator, own};
use crate::model::{Model, matrix_to_array};
use crate::rows::TrainingRows;

/// Landmarks as Python gives them: numbers of rows, or rows.
fn landmarks(
    rows: &TrainingRows,
    numbers: Option<PyReadonlyArray1<'_, i64>>,
    others: Option<&Bound<'_, PyAny>>,
    names: Option<&[String]>,
) -> PyResult<Landmarks> {
    let found = match (numbers, others) {
        (Some(numbers), None) => {
            let number = |&row: &i64| {
                usize::try_from(row)
                    .map_err(|_| PyValueError::new_err(format!("landmarks: there is no row {row}")))
            };
            let numbers = numbers.as_slice()?.iter().map(number);
            Landmarks::of_rows(&rows.records, numbers.collect::<PyResult<_>>()?)
        }
        (None, Some(others)) => Landmarks::given(own(&rows.others(others, names)?)),
        _ => {
            return Err(PyValueError::new_err(
                "give landmarks as numbers of rows or as rows",
            ));
        }
    };
    found.map_err(|e| raise(&e))
}

/// Learns Nyström features with landmarks that are given: numbers of rows of `x`, or other rows.
#[pyfunction]
#[pyo3(signature = (settings, x, *, rows=None, landmarks=None, names=None, threads=0, memory=None))]
#[expect(clippy::too_many_arguments, reason = "all by keyword")]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn fit_landmarks(
    py: Python<'_>,
    settings: &str,
    x: &Bound<'_, PyAny>,
    rows: Option<PyReadonlyArray1<'_, i64>>,
    landmarks: Option<&Bound<'_, PyAny>>,
    names: Option<Vec<String>>,
    threads: usize,
    memory: Option<u64>,
) -> PyResult<Model> {
    let any = estimator(settings)?;
    let training = TrainingRows::for_method(x, names.as_deref(), None, &any)?;
    let AnyEstimator::Nystroem(method) = any else {
        return Err(PyValueError::new_err("landmarks belong to `nystroem`"));
    };
    let landmarks = self::landmarks(&training, rows, landmarks, names.as_deref())?;
    let (encoder, notes) = (training.encoder, training.notes);
    let data = dataset(training.records, Targets::None, None).map_err(|e| raise(&e))?;
    let allowance = Allowance {
        threads,
        memory,
        ..Allowance::default()
    };
    let quick = allowance.is_quick(data.len());
    let fitted = allowance.run(py, quick, move |context| {
        method.fit_at(&data, landmarks, context)
    })?;
    let mut report = fitted.report;
    report.notes.splice(0..0, notes);
    let trained = Trained::new(Task::Embed, "nystroem", encoder, fitted.model, report);
    Ok(Model::new(trained))
}

/// Returns what landmarks leave of every row under a kernel.
#[pyfunction]
#[pyo3(signature = (text, x, rows=None, landmarks=None, names=None, threads=0))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn landmark_residuals<'py>(
    py: Python<'py>,
    text: &str,
    x: &Bound<'py, PyAny>,
    rows: Option<PyReadonlyArray1<'py, i64>>,
    landmarks: Option<&Bound<'py, PyAny>>,
    names: Option<Vec<String>>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let spec = KernelSpec::parse(text).map_err(|e| raise(&e))?;
    let training = TrainingRows::unchanged(x, names.as_deref(), None)?;
    let landmarks = self::landmarks(&training, rows, landmarks, names.as_deref())?;
    let records = training.records;
    let allowance = Allowance {
        threads,
        ..Allowance::default()
    };
    let found = allowance.run(py, false, move |context| {
        let (kernel, _) = spec.resolve(&records, None)?;
        context.install(|| {
            let map = LandmarkMap::try_new(kernel, landmarks, Precision::F64, context)?;
            map.residuals(&records, context)
        })?
    })?;
    Ok(found.into_pyarray(py))
}

/// Draws frequencies of a kernel for so many columns, one per row.
#[pyfunction]
pub(crate) fn draw_frequencies<'py>(
    py: Python<'py>,
    text: &str,
    columns: usize,
    count: usize,
    seed: u64,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let kernel: ResolvedKernel = text.parse().map_err(|e| raise(&e))?;
    let rows = Records::from_points(Matrix::<f64>::zeros(0, columns));
    let draw = FrequencyDraw::Orthogonal;
    let map = py
        .detach(|| FourierMap::draw(&kernel, &rows.features, count, draw, seed))
        .map_err(|e| raise(&e))?;
    matrix_to_array(py, frequencies(&map))
}

/// Frequencies in the units of the columns.
fn frequencies(map: &FourierMap) -> Matrix<f64> {
    let Frequencies::Dense(rows) = &map.frequencies else {
        return Matrix::zeros(0, map.shift.len());
    };
    Matrix::from_fn(rows.rows(), rows.columns(), |k, c| {
        rows[(k, c)] * map.units[c]
    })
}

/// Makes a model of frequencies, one per row, and offsets that are given.
#[pyfunction]
#[pyo3(signature = (text, x, weights, offsets, names=None, threads=0))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn fourier_model(
    py: Python<'_>,
    text: &str,
    x: &Bound<'_, PyAny>,
    weights: PyReadonlyArray2<'_, f64>,
    offsets: PyReadonlyArray1<'_, f64>,
    names: Option<Vec<String>>,
    threads: usize,
) -> PyResult<Model> {
    let kernel: ResolvedKernel = text.parse().map_err(|e| raise(&e))?;
    let training = TrainingRows::unchanged(x, names.as_deref(), None)?;
    let shape = weights.shape();
    let weights = Matrix::from_vec(shape[0], shape[1], weights.as_slice()?.to_vec());
    let offsets = offsets.as_slice()?.to_vec();
    let (records, encoder) = (training.records, training.encoder);
    let allowance = Allowance {
        threads,
        ..Allowance::default()
    };
    let (model, report) = allowance.run(py, true, move |context| {
        let amplitude = (2.0 / weights.rows() as f64).sqrt();
        let features = &records.features;
        let map = FourierMap::given(&kernel, features, weights, offsets, amplitude)?;
        let map = FeatureMap::from(map);
        let found = context.install(|| map.measured_error(&records, context))??;
        let note = format!(
            "inner products of features are off the kernel by {:.2e} (root mean square) and {:.2e} at most, on pairs of {} rows",
            found.root_mean_square, found.largest, found.rows
        );
        let model = FeatureModel {
            map,
            features: features.groups.clone(),
            readout: Readout::Coordinates,
        };
        let report = FitReport::of_rows(records.len(), vec![Note::Choice(note)], context);
        Ok((model, report))
    })?;
    let trained = Trained::new(Task::Embed, "rff", encoder, model.into(), report);
    Ok(Model::new(trained))
}

/// Returns frequencies, one per column, and offsets of random Fourier features by name.
#[pyfunction]
pub(crate) fn fourier_parts<'py>(py: Python<'py>, model: &Model) -> PyResult<Bound<'py, PyDict>> {
    let trained = model.shared();
    let Some(FeatureMap::Fourier(map)) = trained.form.feature_map() else {
        let kind = trained.form.kind();
        return Err(PyAttributeError::new_err(format!(
            "a model of the form `{kind}` has no frequencies"
        )));
    };
    let rows = frequencies(map);
    let parts = PyDict::new(py);
    if let Some(offsets) = &map.offsets {
        // Angles are counted from the mean of the rows.
        let turned = offsets.iter().enumerate().map(|(k, b)| {
            let angle = b - dot(rows.row(k), &map.shift) % std::f64::consts::TAU;
            angle.rem_euclid(std::f64::consts::TAU)
        });
        parts.set_item("offsets", turned.collect::<Vec<_>>().into_pyarray(py))?;
    }
    parts.set_item("weights", matrix_to_array(py, rows.transposed())?)?;
    parts.set_item("width", map.width())?;
    Ok(parts)
}
