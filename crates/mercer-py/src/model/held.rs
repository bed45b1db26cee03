//! A trained model with what is made of it once: bound kernels, factors, rows to be searched.

use std::sync::{Arc, OnceLock};

use mercer::data::Records;
use mercer::fit::{FitContext, Note};
use mercer::model::expansion::{Certainty, KernelExpansion, Unmerged};
use mercer::model::{Predictor, Searcher, Trained, WeightSpread};
use mercer_linalg::{Matrix, Precision};
use numpy::PyArray2;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::matrix_to_array;
use crate::array;
use crate::failure::raise;
use crate::fit::Allowance;

/// Support vectors below which double precision is as quick as single.
const FEW: usize = 512;

/// A fitted model.
#[pyclass(frozen, module = "mercer._mercer")]
pub(crate) struct Model {
    pub(super) trained: Arc<Trained>,
    /// The kernel bound to the support vectors, from the first prediction on: for predictions of
    /// three digits, and for exact ones.
    predictors: [OnceLock<Arc<Predictor>>; 2],
    /// The factor of the kernel matrix, from the first question of how sure the model is.
    certainty: Arc<OnceLock<Certainty>>,
    /// The support vectors with copies of equal rows apart, from the first look at them.
    apart: OnceLock<Option<Unmerged>>,
    /// Rows prepared to be searched, from the first search on.
    searcher: OnceLock<Arc<Searcher>>,
}

impl Model {
    pub(crate) fn new(trained: Trained) -> Self {
        Self {
            trained: Arc::new(trained),
            predictors: [OnceLock::new(), OnceLock::new()],
            certainty: Arc::default(),
            apart: OnceLock::new(),
            searcher: OnceLock::new(),
        }
    }

    pub(crate) fn shared(&self) -> Arc<Trained> {
        Arc::clone(&self.trained)
    }

    /// The kernel expansion, for what only one has.
    pub(super) fn expansion(&self) -> PyResult<&KernelExpansion> {
        self.trained.form.expansion().ok_or_else(|| {
            PyAttributeError::new_err(format!(
                "a model of the form `{}` has no support vectors",
                self.trained.form.kind()
            ))
        })
    }

    pub(super) fn apart(&self) -> Option<&Unmerged> {
        let model = self.trained.form.expansion()?;
        self.apart.get_or_init(|| model.unmerged()).as_ref()
    }

    /// How sure the weights of a linear model are.
    pub(super) fn spread(&self) -> Option<&WeightSpread> {
        self.trained.form.linear()?.spread.as_ref()
    }

    /// Rows prepared to be searched.
    pub(crate) fn searcher(&self) -> mercer::Result<Option<Arc<Searcher>>> {
        let Some(model) = self.trained.form.neighbours() else {
            return Ok(None);
        };
        if let Some(searcher) = self.searcher.get() {
            return Ok(Some(Arc::clone(searcher)));
        }
        let made = Arc::new(model.searcher()?);
        Ok(Some(Arc::clone(self.searcher.get_or_init(|| made))))
    }

    /// How many rows of the model each new row is compared with.
    pub(super) fn kept(&self) -> usize {
        self.trained.form.rows_kept().map_or(1, Records::len)
    }

    pub(super) fn predictor(&self, exact: bool) -> mercer::Result<Arc<Predictor>> {
        // A model of another program must predict as that program does, borders included.
        let taken_over = self.trained.report.rows == 0;
        let (place, precision) = if exact || taken_over || self.kept() < FEW {
            (&self.predictors[1], Precision::F64)
        } else {
            (&self.predictors[0], Precision::F32)
        };
        if let Some(predictor) = place.get() {
            return Ok(Arc::clone(predictor));
        }
        let made = Arc::new(self.trained.predictor(precision)?);
        Ok(Arc::clone(place.get_or_init(|| made)))
    }

    /// Takes rows as the model's kernel sees them; reasons for care go to `told`.
    pub(crate) fn records(
        &self,
        x: &Bound<'_, PyAny>,
        told: Option<&Bound<'_, PyList>>,
    ) -> PyResult<Records> {
        if !x.is_instance_of::<PyList>() && self.takes_arrays() {
            return array::records(x, self.column_names().as_deref());
        }
        let encoded = self.trained.encode(&array::any_table(x)?);
        let encoded = encoded.map_err(|e| raise(&e))?;
        if let Some(told) = told {
            for note in &encoded.notes {
                if let Note::Alert(text) = note {
                    told.append(text)?;
                }
            }
        }
        Ok(encoded.records)
    }

    /// Asks the model how sure it is; `None` where it cannot tell.
    pub(super) fn ask<'py>(
        &self,
        py: Python<'py>,
        threads: usize,
        answer: impl FnOnce(&Certainty, &FitContext) -> mercer::Result<Matrix<f64>> + Send + 'static,
    ) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let allowance = Allowance {
            threads,
            ..Allowance::default()
        };
        let (trained, certainty) = (self.shared(), Arc::clone(&self.certainty));
        let answered = allowance.run(py, false, move |context| {
            if certainty.get().is_none() {
                let made = match trained.form.expansion() {
                    Some(model) => context.install(|| model.certainty(context.par()))??,
                    None => None,
                };
                if let Some(made) = made {
                    certainty.get_or_init(|| made);
                }
            }
            let known = certainty.get();
            known.map(|known| answer(known, context)).transpose()
        })?;
        answered.map(|m| matrix_to_array(py, m)).transpose()
    }
}
