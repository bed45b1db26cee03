//! A trained model: encoder, form and report.

use std::collections::{BTreeMap, BTreeSet};

use mercer_linalg::Precision;

use super::{Form, Predictions, Predictor, SeriesModel};
use crate::data::{Encoded, Encoder, Records, Seen, Table, Targets, Task};
use crate::fit::{FitContext, FitReport};
use crate::{Error, Result};

/// Everything needed to predict raw rows: the only thing saved and served.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// What the model is for.
    pub task: Task,
    /// Name of the method, such as `svc`.
    pub method: String,
    /// Names of the predicted columns.
    pub targets: Vec<String>,
    /// Name of the column that names rows, where one was given.
    pub id: Option<String>,
    /// Turns raw columns into records.
    pub encoder: Encoder,
    /// What was learnt.
    pub form: Form,
    /// What a program that made the model wants to find again: short texts by name, which
    /// nothing else reads. Names start with the program's, such as `python.params`.
    pub attributes: BTreeMap<String, String>,
    /// How rows of a series become windows, and what later steps are, where it is one.
    pub series: Option<SeriesModel>,
    /// Marks of the rows that it learnt from, where they came from a table.
    pub seen: Option<Seen>,
    /// How the fit went.
    pub report: FitReport,
}

impl Trained {
    /// Puts a model together from what was learnt and what it was learnt from.
    pub fn new(task: Task, method: &str, encoder: Encoder, form: Form, report: FitReport) -> Self {
        Self {
            task,
            method: method.to_owned(),
            targets: Vec::new(),
            id: None,
            encoder,
            form,
            attributes: BTreeMap::new(),
            series: None,
            seen: None,
            report,
        }
    }

    /// Returns the name of the predicted column, where there is one.
    pub fn target(&self) -> Option<&str> {
        self.targets.first().map(String::as_str)
    }

    /// Returns the class labels, where the model tells classes apart.
    pub fn labels(&self) -> Option<&[String]> {
        self.form.readout().labels()
    }

    /// Returns the kernel as an expression; `None` where there is none.
    pub fn kernel_text(&self) -> Option<String> {
        self.form.kernel_text()
    }

    /// Predicts the rows of a table, whose columns are matched by name.
    ///
    /// # Errors
    /// A missing column or one of the wrong kind; cancellation.
    pub fn predict(&self, table: &Table, context: &FitContext) -> Result<Predictions> {
        self.predictor(self.usual_precision())?
            .predict(table, context)
    }

    /// Predicts as [`Trained::predict`] does, without decisions where a row has more of them than
    /// there are classes: rows times pairs of classes may be more than memory holds.
    ///
    /// # Errors
    /// Those of [`Trained::predict`].
    pub fn answers(&self, table: &Table, context: &FitContext) -> Result<Predictions> {
        self.predictor(self.usual_precision())?
            .answers(table, context)
    }

    /// Returns the precision in which predictions are made where nobody asks for one: double, but for
    /// models of a sample, whose rows are many and whose draw moves decisions by far more than the
    /// rounding of single precision.
    pub fn usual_precision(&self) -> Precision {
        if self.report.drawn_from.is_some() {
            Precision::F32
        } else {
            Precision::F64
        }
    }

    /// Encodes the rows of a table; columns that have no say may be absent.
    ///
    /// # Errors
    /// A missing column or one of the wrong kind.
    pub fn encode(&self, table: &Table) -> Result<Encoded> {
        let optional = self.optional_columns();
        match self.windows_of(table)? {
            Some(windows) => self.encoder.transform_for(&windows, &optional),
            None => self.encoder.transform_for(table, &optional),
        }
    }

    /// Returns the windows of a table that has a series and not its windows: a row for every row
    /// whose earlier values are all known. `None` where rows are predicted as they are.
    ///
    /// # Errors
    /// Columns that are not there, times that are missing or occur twice.
    pub fn windows_of(&self, table: &Table) -> Result<Option<Table>> {
        match &self.series {
            Some(series) => series.windows.in_place(table),
            None => Ok(None),
        }
    }

    /// Returns one row of a table as the model reads it: the window that ends there where it is one
    /// of a series, and the row itself otherwise.
    ///
    /// # Errors
    /// Those of [`Trained::windows_of`]; a row whose earlier values are not all there.
    pub fn row_of(&self, table: &Table, row: usize) -> Result<Table> {
        let window = match &self.series {
            Some(series) => series.windows.of_row(table, row)?,
            None => None,
        };
        Ok(window.unwrap_or_else(|| table.select(&[row])))
    }

    /// Returns the rows of a table that cannot be predicted because of a cell, each with what is
    /// wrong with it, in order.
    ///
    /// # Errors
    /// What is wrong with the table as a whole, such as a missing column.
    pub fn unreadable(&self, table: &Table) -> Result<Vec<(usize, Error)>> {
        self.encoder.unreadable(table, &self.optional_columns())
    }

    /// Returns the share of some rows that the model learnt from, as far as its marks tell; `None`
    /// where they do not.
    pub fn share_seen(&self, table: &Table, targets: &Targets) -> Option<f64> {
        self.encoder.share_of(self.seen.as_ref()?, table, targets)
    }

    /// Returns the columns that new rows may lack: those that the model does not read, and those
    /// that had one value in training, which then stands in.
    pub fn optional_columns(&self) -> BTreeSet<String> {
        let read = self.form.columns_read(&self.encoder);
        let columns = self.encoder.columns().iter();
        let optional = columns.filter(|c| c.is_constant() || !read.contains(c.name.as_str()));
        optional.map(|c| c.name.clone()).collect()
    }

    /// Predicts records made by this model's encoder.
    ///
    /// The kernel is bound anew with every call; [`Trained::predictor`] binds it once.
    ///
    /// # Errors
    /// Records of another shape; cancellation.
    pub fn predict_records(&self, records: &Records, context: &FitContext) -> Result<Predictions> {
        Predictor::of_form(&self.form, Precision::F64)?.predict_records(records, context)
    }
}

impl Form {
    /// Predicts records; runs in the caller's thread pool.
    ///
    /// # Errors
    /// Records of another shape; cancellation.
    pub fn predict(&self, records: &Records, context: &FitContext) -> Result<Predictions> {
        Predictor::of_form(self, Precision::F64)?.answer(records, context, context.par())
    }
}
