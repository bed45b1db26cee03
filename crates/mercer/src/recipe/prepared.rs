//! Rows that are ready for learning.

use std::sync::Arc;

use super::Way;
use crate::Result;
use crate::data::{Dataset, EncodeOptions, Encoder, Table, Targets, Task};
use crate::fit::{FitContext, Fitted, Note};
use crate::model::Trained;

/// Rows ready for learning: records, targets, and what learns.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// What is to be learnt.
    pub task: Task,
    /// Names of the predicted columns.
    pub targets: Vec<String>,
    /// Name of the column that names rows.
    pub id: Option<String>,
    /// How columns became numbers.
    pub encoder: Encoder,
    /// The rows.
    pub data: Dataset,
    /// A group per row, where a column gives one.
    pub groups: Option<Vec<u32>>,
    /// What learns.
    pub way: Way,
    /// An earlier model to start from.
    pub earlier: Option<Arc<Trained>>,
    /// Choices made on the way.
    pub notes: Vec<Note>,
}

impl Prepared {
    /// Takes rows that are encoded already, with the encoder that makes such rows of new ones.
    pub fn of_rows(task: Task, encoder: Encoder, data: Dataset, way: Way) -> Self {
        Self {
            task,
            targets: Vec::new(),
            id: None,
            encoder,
            data,
            groups: None,
            way,
            earlier: None,
            notes: Vec::new(),
        }
    }

    /// Encodes the columns of a table whose targets are known.
    ///
    /// # Errors
    /// Columns that cannot be encoded; targets and weights of another length.
    pub fn of_columns(
        table: &Table,
        targets: Targets,
        weights: Option<Vec<f64>>,
        options: &EncodeOptions,
        (task, way): (Task, Way),
    ) -> Result<Self> {
        let (encoder, mut notes) = match &weights {
            Some(weights) => Encoder::fit_weighted(table, weights, options)?,
            None => Encoder::fit(table, options)?,
        };
        notes.extend(super::opened::standardised(options.scaling, &encoder));
        let records = encoder.transform(table)?.records;
        let mut data = Dataset::try_new(records, targets)?;
        if let Some(weights) = weights {
            data = data.with_weights(weights)?;
        }
        Ok(Self {
            notes,
            ..Self::of_rows(task, encoder, data, way)
        })
    }

    /// Learns.
    ///
    /// # Errors
    /// Rows that cannot be learnt from, bad settings.
    pub fn fit(self, context: &FitContext) -> Result<Fitted<Trained>> {
        let earlier = self.earlier.as_deref().map(|trained| &trained.form);
        let fitted = self
            .way
            .fit(&self.data, self.groups.as_deref(), earlier, context)?;
        let mut report = fitted.report;
        let mut notes = self.notes;
        notes.append(&mut report.notes);
        report.notes = notes;
        report.seconds = context.elapsed().as_secs_f64();
        let chosen = report.selection.as_ref().map(|s| s.chosen.model.clone());
        let method = chosen.unwrap_or_else(|| self.way.name().to_owned());
        let trained = Trained {
            targets: self.targets,
            id: self.id,
            ..Trained::new(
                self.task,
                &method,
                self.encoder,
                fitted.model,
                report.clone(),
            )
        };
        Ok(Fitted {
            model: trained,
            report,
        })
    }
}

impl Way {
    /// How columns become features.
    pub(super) fn encoding(&self) -> EncodeOptions {
        match self {
            Self::Auto(_) => EncodeOptions::default(),
            Self::Method(estimator) => (estimator.method().encoding)(),
        }
    }
}
