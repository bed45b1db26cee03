//! A fitted model as Python sees it: predictions, parts, files.

mod held;

pub(crate) use held::Model;

use std::collections::BTreeMap;
use std::path::PathBuf;

use mercer::data::{Block, Encoding, Records};
use mercer::fit::FitContext;
use mercer::model::readout::{Scheme, check_level};
use mercer::model::{Trained, WeightSpread};
use mercer_io::libsvm::{LibsvmModel, read_model, write_model};
use mercer_linalg::Matrix;
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::failure::{raise, raise_io};
use crate::fit::{Allowance, Numbers, targets};
use crate::importance::{self, Evaluated};
use crate::wording::Keywords;
use crate::{certain, explain, page, steps};

/// Kernel values below which a prediction is too quick to watch over.
const QUICK: usize = 1 << 20;

#[pymethods]
impl Model {
    /// Decision values, one row per row of `x`; to three digits unless `exact`.
    ///
    /// Rows are an array, compressed sparse rows, or a list of raw columns, which are matched
    /// by name and encoded as in training. What is odd about them is appended to `told`.
    #[pyo3(signature = (x, threads=0, exact=false, told=None))]
    fn decisions<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        threads: usize,
        exact: bool,
        told: Option<&Bound<'py, PyList>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let records = self.records(x, told)?;
        let predictor = self.predictor(exact).map_err(|e| raise(&e))?;
        let decisions = if records.len() * self.kept() <= QUICK {
            let context = FitContext::default().threads(threads);
            let answered = py.detach(move || predictor.decisions(&records, &context));
            answered.map_err(|e| raise(&e))?
        } else {
            let allowance = Allowance {
                threads,
                ..Allowance::default()
            };
            allowance.run(py, false, move |context| {
                predictor.decisions(&records, context)
            })?
        };
        matrix_to_array(py, decisions)
    }

    /// Variances of new targets, noise included, shaped as decisions; `None` where the model
    /// does not know.
    #[pyo3(signature = (x, threads=0))]
    fn target_variances<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        threads: usize,
    ) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let records = self.records(x, None)?;
        if self.spread().is_some() {
            let trained = self.shared();
            let allowance = Allowance {
                threads,
                ..Allowance::default()
            };
            let answered = allowance.run(py, false, move |context| {
                let model = trained.form.linear();
                let spread = model.and_then(|model| model.spread.as_ref());
                spread
                    .map(|spread| certain::linear_variances(spread, &records, context))
                    .transpose()
            })?;
            return answered.map(|m| matrix_to_array(py, m)).transpose();
        }
        self.ask(py, threads, move |certainty, context| {
            certain::target_variances(certainty, &records, context)
        })
    }

    /// Covariance of the weights of a linear model for noise of variance one, of the features
    /// alone; `None` where it is not known.
    #[getter]
    fn weight_covariance<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let of_features = |spread: &WeightSpread| {
            let width = spread.centre.len();
            let matrix = Matrix::from_fn(width, width, |i, j| spread.covariance[(i, j)]);
            matrix_to_array(py, matrix)
        };
        self.spread().map(of_features).transpose()
    }

    /// Variance of the noise of every target, where a linear model knows it.
    #[getter]
    fn noise_variances<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        let spread = self.spread()?;
        Some(spread.noise.clone().into_pyarray(py))
    }

    /// Standard deviation of the constant of every target, where a linear model knows it.
    #[getter]
    fn bias_deviations<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        let spread = self.spread()?;
        let all: Vec<f64> = (0..spread.noise.len()).map(|k| spread.bias(k)).collect();
        Some(all.into_pyarray(py))
    }

    /// How many standard deviations an interval of a level reaches, where a linear model knows
    /// its spread.
    fn weight_deviations(&self, level: f64) -> PyResult<Option<f64>> {
        check_level(level).map_err(|e| raise(&e))?;
        Ok(self.spread().map(|spread| spread.deviations(level)))
    }

    /// Probabilities of the positive class of every decision, moderated by how sure the model
    /// is; `None` where it does not know.
    #[pyo3(signature = (x, decisions, threads=0))]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "arguments of Python methods are owned"
    )]
    fn moderated<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        decisions: PyReadonlyArray2<'py, f64>,
        threads: usize,
    ) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let records = self.records(x, None)?;
        let shape = decisions.shape();
        let decisions = Matrix::from_vec(shape[0], shape[1], decisions.as_slice()?.to_vec());
        self.ask(py, threads, move |certainty, context| {
            certain::moderated(certainty, &records, &decisions, context)
        })
    }

    /// Which classes each row of decision values may stand for, so that the true one is among
    /// them with probability `level`, for every class by itself where that is asked for; `None` where
    /// no rows were held out.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "arguments of Python methods are owned"
    )]
    #[pyo3(signature = (decisions, level, per_class=false))]
    fn class_sets<'py>(
        &self,
        py: Python<'py>,
        decisions: PyReadonlyArray2<'py, f64>,
        level: f64,
        per_class: bool,
    ) -> PyResult<Option<Bound<'py, PyArray2<bool>>>> {
        check_level(level).map_err(|e| raise(&e))?;
        let classes = self.trained.labels().map_or(0, <[String]>::len);
        let rows = decisions.shape()[0];
        let decisions = decisions.as_slice()?;
        let model = self.expansion()?;
        let sets = py.detach(|| certain::class_sets(model, decisions, classes, level, per_class));
        sets.map(|sets| sets.into_pyarray(py).reshape([rows, classes]))
            .transpose()
    }

    /// Half the width of intervals that hold a new target with probability `level`; `None`
    /// where no rows were held out.
    fn half_width(&self, level: f64) -> PyResult<Option<f64>> {
        check_level(level).map_err(|e| raise(&e))?;
        let model = self.trained.form.expansion();
        Ok(model.and_then(|model| model.half_width(level)))
    }

    /// Half the width of such intervals in standard deviations of the row's target; `None` where the
    /// model tells no standard deviations.
    fn half_width_in_deviations(&self, level: f64) -> PyResult<Option<f64>> {
        check_level(level).map_err(|e| raise(&e))?;
        let model = self.trained.form.expansion();
        let left_out = model.and_then(|model| model.left_out.as_ref());
        Ok(left_out.and_then(|left_out| left_out.deviations(level)))
    }

    /// How wrong the method was on held-out rows, ascending, where that was measured.
    #[getter]
    fn left_out<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        let left_out = self.trained.form.expansion()?.left_out.as_ref()?;
        Some(left_out.scores().to_vec().into_pyarray(py))
    }

    /// The class code each row of decision values stands for, given the class probabilities
    /// where they are not those of the sigmoids.
    #[pyo3(signature = (decisions, probabilities=None))]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "arguments of Python methods are owned"
    )]
    fn codes<'py>(
        &self,
        py: Python<'py>,
        decisions: PyReadonlyArray2<'py, f64>,
        probabilities: Option<PyReadonlyArray2<'py, f64>>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let width = decisions.shape()[1].max(1);
        let decisions = decisions.as_slice()?;
        let Some(readout) = self.trained.form.readout().classes() else {
            return Ok(vec![-1; decisions.len() / width].into_pyarray(py));
        };
        let classes = readout.labels.len();
        let given = probabilities
            .as_ref()
            .map(PyReadonlyArray2::as_slice)
            .transpose()?;
        let codes: Vec<i64> = py.detach(|| {
            let rows = decisions.chunks_exact(width);
            let code = |(r, row): (usize, &[f64])| {
                i64::from(match given {
                    Some(all) => {
                        let known = all.get(r * classes..(r + 1) * classes);
                        readout.class_given(row, known)
                    }
                    None => readout.class(row),
                })
            };
            rows.enumerate().map(code).collect()
        });
        Ok(codes.into_pyarray(py))
    }

    /// The class probabilities each row of decision values stands for.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "arguments of Python methods are owned"
    )]
    fn probabilities<'py>(
        &self,
        py: Python<'py>,
        decisions: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let (rows, width) = (decisions.shape()[0], decisions.shape()[1].max(1));
        let readout = self.trained.form.readout();
        let Some(labels) = readout.labels().filter(|_| readout.has_probabilities()) else {
            return Ok(None);
        };
        let decisions = decisions.as_slice()?;
        let values: Vec<f64> = py.detach(|| {
            let rows = decisions.chunks_exact(width);
            rows.filter_map(|row| readout.probabilities(row))
                .flatten()
                .collect()
        });
        matrix_to_array(py, Matrix::from_vec(rows, labels.len(), values)).map(Some)
    }

    /// What is wrong with the data, or looks so: a code, the text, and what can be done about it.
    #[getter]
    fn warnings(&self) -> Vec<(&'static str, String, Option<String>)> {
        let told = |warning: &mercer::fit::Warning| {
            let hint = warning.hint().map(|hint| hint.text(&Keywords));
            (warning.code.name(), warning.text.clone(), hint)
        };
        self.trained.report.warnings().map(told).collect()
    }

    /// Name of the method, such as `svc`.
    #[getter]
    fn method(&self) -> &str {
        &self.trained.method
    }

    /// What the model is for, such as `classify`.
    #[getter]
    fn task(&self) -> String {
        self.trained.task.to_string()
    }

    /// The kernel with every parameter fixed; `None` where there is none.
    #[getter]
    fn kernel(&self) -> Option<String> {
        self.trained.kernel_text()
    }

    /// The labels as text, in the order of their codes.
    #[getter]
    fn labels(&self) -> Option<Vec<String>> {
        self.trained.labels().map(<[String]>::to_vec)
    }

    /// How several classes are told apart.
    #[getter]
    fn scheme(&self) -> Option<&'static str> {
        let classes = self.trained.form.readout().classes()?;
        Some(match classes.scheme {
            Scheme::OneVsOne => "ovo",
            Scheme::OneVsRest => "ovr",
            Scheme::Softmax => "softmax",
        })
    }

    /// How many rows of each class are support vectors; one number without classes.
    #[getter]
    fn class_sizes(&self) -> PyResult<Vec<usize>> {
        let merged = &self.expansion()?.class_sizes;
        Ok(self.apart().map_or(merged, |a| &a.class_sizes).clone())
    }

    /// Coefficients, one column per training row that is a support vector.
    #[getter]
    fn coefficients<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let merged = &self.expansion()?.coefficients;
        let coefficients = self.apart().map_or(merged, |a| &a.coefficients);
        matrix_to_array(py, coefficients.clone())
    }

    /// The constant of each decision.
    #[getter]
    fn biases<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        let biases = self.trained.form.biases()?;
        Some(biases.to_vec().into_pyarray(py))
    }

    /// The weights of a linear model, a row for each decision.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let model = self.trained.form.linear();
        let array = model.map(|model| matrix_to_array(py, model.weights.clone()));
        array.transpose()
    }

    /// The layers of a network: weights (a row per input), constants and the name of the gates.
    #[getter]
    #[expect(clippy::type_complexity, reason = "what Python takes apart")]
    fn layers<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<
        Option<
            Vec<(
                Bound<'py, PyArray2<f64>>,
                Bound<'py, PyArray1<f64>>,
                &'static str,
            )>,
        >,
    > {
        let Some(model) = self.trained.form.layers() else {
            return Ok(None);
        };
        let layers = model.layers.iter().map(|layer| {
            let weights = matrix_to_array(py, layer.weights.clone())?;
            let biases = layer.biases.clone().into_pyarray(py);
            Ok((weights, biases, layer.activation.name()))
        });
        layers.collect::<PyResult<Vec<_>>>().map(Some)
    }

    /// The largest distance of a row that is not novel, where novelty is a distance.
    #[getter]
    fn threshold(&self) -> Option<f64> {
        let form = &self.trained.form;
        let near = form.nearest().map(|model| model.threshold);
        near.or_else(|| form.residual().map(|model| model.threshold))
    }

    /// The prototypes, a row for each, where the model has some.
    #[getter]
    fn centres<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let model = self.trained.form.prototypes();
        let array = model.map(|model| matrix_to_array(py, model.centres()));
        array.transpose()
    }

    /// Factor of each class on its probability where labels are chosen; `None` means 1 each.
    #[getter]
    fn class_factors(&self) -> Option<Vec<f64>> {
        self.trained.form.readout().classes()?.factors.clone()
    }

    /// Slopes and offsets of the sigmoids, where there are probabilities.
    #[getter]
    fn sigmoids(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let sigmoids = self.trained.form.readout().classes()?.sigmoids.as_ref()?;
        Some(sigmoids.iter().map(|s| (s.a, s.b)).unzip())
    }

    /// The training rows that are support vectors: copies of equal ones apart.
    #[getter]
    fn support_rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let merged = self.expansion()?.support.ids.as_slice();
        let ids = self.apart().map_or(merged, |a| a.rows.as_slice());
        let ids = ids.iter().map(|&id| id as i32);
        Ok(ids.collect::<Vec<_>>().into_pyarray(py))
    }

    /// √k(x, x) of the rows of `support_rows`.
    fn support_lengths<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let roots = self.expansion()?.diagonal_roots().map_err(|e| raise(&e))?;
        let roots = match self.apart() {
            Some(apart) => apart.vectors.iter().map(|&v| roots[v]).collect(),
            None => roots,
        };
        Ok(roots.into_pyarray(py))
    }

    /// The rows of `support_rows` in double precision: an array, or `(values, indices, row_starts, columns)`.
    #[getter]
    fn support_vectors(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let support = &self.expansion()?.support;
        let points = match self.apart() {
            Some(apart) => &support.select(&apart.vectors).features.points,
            None => &support.features.points,
        };
        match points.widened() {
            Block::Dense(matrix) => {
                let array = matrix_to_array(py, matrix.to_matrix())?;
                Ok(array.into_any().unbind())
            }
            Block::Sparse(csr) => {
                let starts = csr.row_starts().iter().map(|&s| s as i32);
                let indices = csr.indices().iter().map(|&i| i as i32);
                let parts = (
                    csr.values().to_vec().into_pyarray(py),
                    indices.collect::<Vec<_>>().into_pyarray(py),
                    starts.collect::<Vec<_>>().into_pyarray(py),
                    csr.columns(),
                );
                Ok(parts.into_pyobject(py)?.into_any().unbind())
            }
        }
    }

    /// The number of features of a row.
    #[getter]
    fn width(&self) -> usize {
        self.trained.encoder.width()
    }

    /// The number of columns a row is given in, before any encoding.
    #[getter]
    fn input_width(&self) -> usize {
        self.column_names()
            .map_or(self.width(), |names| names.len())
    }

    /// The number of rows that were learnt from; 0 where another program does not tell.
    #[getter]
    fn rows(&self) -> usize {
        self.trained.report.rows
    }

    /// The names of the columns, where they have any.
    #[getter]
    fn column_names(&self) -> Option<Vec<String>> {
        let columns = self.trained.encoder.columns();
        if let [only] = columns
            && matches!(only.encoding, Encoding::Vectors { .. })
        {
            return None;
        }
        Some(columns.iter().map(|c| c.name.clone()).collect())
    }

    /// Name and kind of every column a row is given in.
    #[getter]
    fn column_kinds(&self) -> Vec<(String, &'static str)> {
        let columns = self.trained.encoder.input_columns().into_iter();
        columns.map(|(name, kind)| (name, kind.name())).collect()
    }

    /// How columns become features, as model files have it.
    #[getter]
    fn encoder(&self) -> PyResult<String> {
        serde_json::to_string(&self.trained.encoder)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The same model on columns that another encoder turns into the same features.
    fn with_encoder(&self, encoder: &str) -> PyResult<Self> {
        steps::with_encoder(&self.trained, encoder).map(Self::new)
    }

    /// What the score of rows with known targets loses without each column, as JSON. Classes are
    /// codes into the model's labels.
    #[pyo3(signature = (x, *, classes=None, values=None, weights=None, repeats=5, threads=0, seed=0))]
    #[expect(clippy::too_many_arguments, reason = "all by keyword")]
    fn importance(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        classes: Option<PyReadonlyArray1<'_, i64>>,
        values: Option<Numbers<'_>>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        repeats: usize,
        threads: usize,
        seed: u64,
    ) -> PyResult<String> {
        let evaluated = Evaluated {
            targets: targets(classes, self.labels(), values)?,
            weights: crate::fit::weights(weights)?,
            repeats,
        };
        let allowance = Allowance {
            threads,
            seed,
            ..Allowance::default()
        };
        importance::measure(py, self.shared(), x, evaluated, &allowance)
    }

    /// A page on how good the model is on rows with known targets, and alerts about the rows.
    /// Classes are codes into the model's labels; several numbers a row come as a matrix.
    #[pyo3(signature = (x, *, title, target, classes=None, values=None, weights=None, threads=0, seed=0))]
    #[expect(clippy::too_many_arguments, reason = "all by keyword")]
    fn page(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        title: &str,
        target: &str,
        classes: Option<PyReadonlyArray1<'_, i64>>,
        values: Option<Numbers<'_>>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        threads: usize,
        seed: u64,
    ) -> PyResult<(String, Vec<String>)> {
        let evaluated = Evaluated {
            targets: targets(classes, self.labels(), values)?,
            weights: crate::fit::weights(weights)?,
            repeats: 0,
        };
        let allowance = Allowance {
            threads,
            seed,
            ..Allowance::default()
        };
        page::render(
            py,
            &self.shared(),
            x,
            evaluated,
            [title, target],
            &allowance,
        )
    }

    /// What carries the prediction for the only row of `x`, as JSON.
    #[pyo3(signature = (x, threads=0))]
    fn explain(&self, py: Python<'_>, x: &Bound<'_, PyAny>, threads: usize) -> PyResult<String> {
        explain::explain(py, self.shared(), x, threads)
    }

    /// Whether rows pass unchanged from input to kernel, so that bare arrays can be predicted.
    #[getter]
    fn takes_arrays(&self) -> bool {
        self.trained.encoder.is_unchanged()
    }

    /// The account of the fit, as JSON.
    #[getter]
    fn report(&self) -> String {
        serde_json::to_string(&self.trained.report).unwrap_or_else(|_| "{}".to_owned())
    }

    /// Texts stored beside the model.
    #[getter]
    fn attributes(&self) -> BTreeMap<String, String> {
        self.trained.attributes.clone()
    }

    /// The same model with other texts beside it.
    fn with_attributes(&self, attributes: BTreeMap<String, String>) -> Self {
        Self::new(Trained {
            attributes,
            ..Trained::clone(&self.trained)
        })
    }

    /// The model as the bytes of a `.mercer` file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| mercer_io::model::to_bytes(&self.trained));
        Ok(PyBytes::new(py, &bytes.map_err(raise_io)?))
    }

    /// Reads the bytes of a `.mercer` file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let trained = py.detach(|| mercer_io::model::from_bytes(bytes));
        trained.map(Self::new).map_err(raise_io)
    }

    /// Writes a `.mercer` file.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "arguments of Python methods are owned"
    )]
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| mercer_io::model::save(&self.trained, &path))
            .map_err(raise_io)
    }

    /// Reads a `.mercer` file.
    #[staticmethod]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "arguments of Python functions are owned"
    )]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| mercer_io::model::load(&path))
            .map(Self::new)
            .map_err(raise_io)
    }

    /// The text of a LIBSVM model file.
    fn to_libsvm<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let model = LibsvmModel::from_trained(&self.trained).map_err(raise_io)?;
        let mut text = Vec::new();
        write_model(&model, &mut text, "LIBSVM model").map_err(raise_io)?;
        Ok(PyBytes::new(py, &text))
    }

    /// Reads the text of a LIBSVM model file; `width` is the number of features, where it is known.
    #[staticmethod]
    #[pyo3(signature = (text, name, width=None))]
    fn from_libsvm(
        py: Python<'_>,
        text: &[u8],
        name: &str,
        width: Option<usize>,
    ) -> PyResult<Self> {
        py.detach(|| read_model(text, name)?.into_trained(width))
            .map(Self::new)
            .map_err(raise_io)
    }

    /// The bytes of an ONNX model.
    fn to_onnx<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| mercer_io::onnx::to_bytes(&self.trained));
        Ok(PyBytes::new(py, &bytes.map_err(raise_io)?))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let py = slf.py();
        let bytes = slf.get().to_bytes(py)?;
        Ok((slf.get_type().getattr("from_bytes")?, (bytes,)))
    }

    fn __sizeof__(&self) -> usize {
        let form = &self.trained.form;
        let rows = form.rows_kept().map_or(form.width(), Records::len);
        8 * rows * self.trained.encoder.width()
    }
}

/// Writes a file in one step: a reader finds the old one or the new one.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn write_atomically(path: PathBuf, data: &[u8]) -> PyResult<()> {
    let written = mercer_io::write_atomically(&path, |out| {
        out.write_all(data).map_err(|source| mercer_io::Error::Io {
            file: path.display().to_string(),
            source,
        })
    });
    written.map_err(raise_io)
}

/// Hands a matrix over to NumPy without copying it.
pub(crate) fn matrix_to_array(
    py: Python<'_>,
    matrix: Matrix<f64>,
) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    matrix.into_vec().into_pyarray(py).reshape([rows, columns])
}
