//! A trained model prepared once for many predictions.

use std::collections::BTreeSet;

use mercer_linalg::{Matrix, Par, Precision};

use super::readout::Readout;
use super::{Answers, Decide, Form, Predictions, Trained};
use crate::Result;
use crate::data::series::Windows;
use crate::data::{Encoded, Encoder, Records, Storage, Table};
use crate::fit::FitContext;

/// A trained model with its kernel bound, for servers and bindings that predict often.
///
/// It owns all it needs, and many threads may use it at once.
///
/// ```
/// use mercer::data::{ClassTargets, Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::margin::Svc;
/// use mercer::model::{Form, Predictor};
/// use mercer_linalg::{Matrix, Precision};
///
/// let rows = Records::from_points(Matrix::from_vec(4, 1, vec![0.0, 1.0, 4.0, 5.0]));
/// let classes = ClassTargets::from_labels(&["low", "low", "high", "high"]);
/// let data = Dataset::try_new(rows, Targets::Classes(classes))?;
/// let context = FitContext::default();
/// let model = Form::from(Svc::default().fit(&data, &context)?.model);
///
/// let predictor = Predictor::of_form(&model, Precision::F32)?;
/// let new = Records::from_points(Matrix::from_vec(1, 1, vec![4.5]));
/// assert_eq!(predictor.predict_records(&new, &context)?.len(), 1);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug)]
pub struct Predictor {
    encoder: Option<Encoder>,
    /// How rows of a series become windows.
    windows: Option<Windows>,
    /// Columns that may be absent.
    optional: BTreeSet<String>,
    work: Box<dyn Decide>,
    readout: Readout,
    /// Decision values of a row.
    width: usize,
}

impl Trained {
    /// Prepares the model for many predictions.
    ///
    /// In double precision predictions are those of [`Trained::predict`]; in single precision
    /// decisions keep three digits, as [`super::expansion::ExpansionPredictor`] describes, and come faster.
    ///
    /// # Errors
    /// A kernel that cannot be bound to the stored support vectors.
    pub fn predictor(&self, precision: Precision) -> Result<Predictor> {
        Ok(Predictor {
            encoder: Some(self.encoder.clone()),
            windows: self.series.as_ref().map(|series| series.windows.clone()),
            optional: self.optional_columns(),
            ..Predictor::of_form(&self.form, precision)?
        })
    }
}

impl Predictor {
    /// Prepares a form without an encoder, for records.
    ///
    /// # Errors
    /// A kernel that cannot be bound to the stored support vectors.
    pub fn of_form(form: &Form, precision: Precision) -> Result<Self> {
        Ok(Self {
            encoder: None,
            windows: None,
            optional: BTreeSet::new(),
            work: form.decider(precision)?,
            readout: form.readout().clone(),
            width: form.width(),
        })
    }

    /// Returns what the decisions stand for.
    pub fn readout(&self) -> &Readout {
        &self.readout
    }

    /// Predicts the rows of a table, whose columns are matched by name.
    ///
    /// # Errors
    /// A missing column or one of the wrong kind; cancellation; a model without an encoder.
    pub fn predict(&self, table: &Table, context: &FitContext) -> Result<Predictions> {
        let encoded = self.encode(table)?;
        let mut predictions = self.predict_records(&encoded.records, context)?;
        predictions.notes = encoded.notes;
        Ok(predictions)
    }

    /// Predicts as [`Predictor::predict`] does, for many rows and classes: where a row has more
    /// decisions than classes, they are not kept and [`Predictions::decisions`] has no columns.
    ///
    /// # Errors
    /// Those of [`Predictor::predict`].
    pub fn answers(&self, table: &Table, context: &FitContext) -> Result<Predictions> {
        let encoded = self.encode(table)?;
        Ok(Predictions {
            notes: encoded.notes,
            ..self.answers_for(&encoded.records, context)?
        })
    }

    /// Predicts records as [`Predictor::answers`] does a table.
    ///
    /// # Errors
    /// Those of [`Predictor::predict_records`].
    pub fn answers_for(&self, records: &Records, context: &FitContext) -> Result<Predictions> {
        let classes = self.readout.labels().map_or(usize::MAX, <[String]>::len);
        if self.width <= classes {
            return self.predict_records(records, context);
        }
        let rows = records.len();
        let step = self.rows_at_once();
        let mut all: Option<Answers> = None;
        for start in (0..rows).step_by(step) {
            let part = records.slice(start..(start + step).min(rows));
            let found = self.predict_records(&part, context)?.answers;
            match &mut all {
                None => all = Some(found),
                Some(all) => all.append(found),
            }
        }
        Ok(Predictions {
            answers: all.unwrap_or_else(|| self.readout.answers(&Matrix::zeros(0, self.width))),
            decisions: Matrix::zeros(rows, 0),
            notes: Vec::new(),
        })
    }

    /// Returns how many rows to predict at a time, so that their decisions and features stay
    /// within some megabytes.
    pub fn rows_at_once(&self) -> usize {
        /// Decisions and features: 16 and 32 MiB of them. Rows: enough for full kernel blocks.
        const DECISIONS: usize = 1 << 21;
        const FEATURES: usize = 1 << 22;
        const ROWS: usize = 8192;
        let decisions = DECISIONS / self.width.max(1);
        let dense = self
            .encoder
            .as_ref()
            .filter(|e| e.storage() == Storage::Dense);
        let features = FEATURES / dense.map_or(1, Encoder::width).max(1);
        decisions.min(features).clamp(1, ROWS)
    }

    /// Predicts records made by the model's encoder.
    ///
    /// Few rows are predicted on the calling thread, many in a pool of the context's threads.
    ///
    /// # Errors
    /// Records of another shape; cancellation.
    pub fn predict_records(&self, records: &Records, context: &FitContext) -> Result<Predictions> {
        self.with_threads(records, context, |par| self.answer(records, context, par))
    }

    /// Returns one row of decision values per record, as
    /// [`super::expansion::ExpansionPredictor::decisions`] describes them.
    ///
    /// # Errors
    /// Records of another shape; cancellation.
    pub fn decisions(&self, records: &Records, context: &FitContext) -> Result<Matrix<f64>> {
        self.with_threads(records, context, |par| {
            self.work.decisions(records, par, &context.cancel)
        })
    }

    fn encode(&self, table: &Table) -> Result<Encoded> {
        let Some(encoder) = &self.encoder else {
            return Err(crate::Error::Unsupported {
                what: "this model has no encoder for tables".to_owned(),
                cure: "give it records".into(),
            });
        };
        let windows = self.windows.as_ref();
        match windows.map(|w| w.in_place(table)).transpose()?.flatten() {
            Some(windows) => encoder.transform_for(&windows, &self.optional),
            None => encoder.transform_for(table, &self.optional),
        }
    }

    fn with_threads<R: Send>(
        &self,
        records: &Records,
        context: &FitContext,
        work: impl Fn(Par) -> Result<R> + Send + Sync,
    ) -> Result<R> {
        if self.work.is_worth_threads(records.len()) {
            context.install(|| work(context.par()))?
        } else {
            work(Par::Sequential)
        }
    }

    /// Predicts in the caller's thread pool.
    pub(super) fn answer(
        &self,
        records: &Records,
        context: &FitContext,
        par: Par,
    ) -> Result<Predictions> {
        let decisions = self.work.decisions(records, par, &context.cancel)?;
        Ok(Predictions {
            answers: self.readout.answers(&decisions),
            decisions,
            notes: Vec::new(),
        })
    }
}
