//! From a table to a trained model.

use std::collections::BTreeMap;

use super::{AnyEstimator, AnyModel, Trained};
use crate::automatic::Automatic;
use crate::data::{
    Assigned, Column, Dataset, EncodeOptions, Encoder, Records, Roles, Scaling, Table, Targets,
    Task, infer_task, make_targets,
};
use crate::fit::{FitContext, Fitted, Note};
use crate::kernel::KernelSpec;
use crate::select::usual_kernel;
use crate::{Error, Result};

/// How a table becomes a model.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// Which column plays which part.
    pub roles: Roles,
    /// What to learn; `None` is told from the target.
    pub task: Option<Task>,
    /// The method; `None` chooses one.
    pub estimator: Option<AnyEstimator>,
    /// How columns become numbers; `None` standardises for `auto` only.
    pub scaling: Option<Scaling>,
    /// The label that counts as positive in a two-class problem.
    pub positive: Option<String>,
    /// An earlier model to start from.
    pub earlier: Option<Trained>,
}

impl Recipe {
    /// Learns from a table with everything chosen automatically.
    pub fn new(roles: Roles) -> Self {
        Self {
            roles,
            task: None,
            estimator: None,
            scaling: None,
            positive: None,
            earlier: None,
        }
    }

    /// Decides what is to be learnt from a target column.
    ///
    /// # Errors
    /// A task that needs a target without one, a method made for another task.
    pub fn decide_task(&self, assigned: &Assigned, notes: &mut Vec<Note>) -> Result<Task> {
        let with_target = |e: &AnyEstimator| e.task_with(assigned.target.as_ref());
        let of_estimator = self.estimator.as_ref().map(with_target);
        if let (Some(asked), Some(estimator)) = (self.task, &self.estimator)
            && !estimator.suits(asked)
        {
            return Err(Error::Conflict {
                what: format!(
                    "`{}` is for the task `{}`, not `{asked}`",
                    estimator.name(),
                    estimator.task()
                ),
                cure: "choose a model for the task, or leave out one of the two".to_owned(),
            });
        }
        let task = match (self.task.or(of_estimator), &assigned.target) {
            (Some(task), _) => task,
            (None, Some(target)) => {
                let (task, note) = infer_task(target);
                notes.push(note);
                task
            }
            (None, None) => {
                return Err(Error::Conflict {
                    what: "there is no target column".to_owned(),
                    cure: format!(
                        "name it with `--target`, one of: {}; or ask for `--task novelty`",
                        assigned.features.names().join(", ")
                    ),
                });
            }
        };
        if task.needs_target() && assigned.target.is_none() {
            return Err(Error::Conflict {
                what: format!("the task `{task}` needs a target column"),
                cure: "name it with `--target`".to_owned(),
            });
        }
        if !matches!(task, Task::Classify | Task::Regress | Task::Novelty) {
            return Err(Error::Unsupported {
                what: format!("the task `{task}` is not available in this version"),
                cure: "use `classify`, `regress` or `novelty`".to_owned(),
            });
        }
        Ok(task)
    }

    /// Makes the targets of assigned columns.
    ///
    /// # Errors
    /// Targets that do not fit the task.
    pub fn targets(&self, assigned: &Assigned, task: Task) -> Result<Targets> {
        let Some(target) = &assigned.target else {
            return Ok(Targets::None);
        };
        let targets = make_targets(target, task, None)?;
        match (&self.positive, targets) {
            (Some(label), Targets::Classes(classes)) => {
                Ok(Targets::Classes(classes.with_positive(label)?))
            }
            (_, targets) => Ok(targets),
        }
    }

    /// Encodes a table for learning.
    ///
    /// # Errors
    /// Columns that do not fit their roles, targets that do not fit the task.
    pub fn prepare(&self, table: Table) -> Result<Prepared> {
        let mut assigned = drop_weightless(self.roles.assign(table)?);
        let mut notes = std::mem::take(&mut assigned.notes);
        let task = self.decide_task(&assigned, &mut notes)?;
        let targets = self.targets(&assigned, task)?;
        let automatic = self.estimator.is_none();
        let scaling = self.scaling.unwrap_or(if automatic {
            Scaling::Standard
        } else {
            Scaling::None
        });
        let options = EncodeOptions {
            scaling,
            ..EncodeOptions::default()
        };
        let encoder = if let Some(earlier) = &self.earlier {
            notes.push(Note::Choice(
                "columns are encoded as in the earlier model".to_owned(),
            ));
            earlier.encoder.clone()
        } else {
            let (encoder, encoder_notes) = match &assigned.weights {
                Some(weights) => Encoder::fit_weighted(&assigned.features, weights, &options)?,
                None => Encoder::fit(&assigned.features, &options)?,
            };
            notes.extend(encoder_notes);
            let numbers = encoder.width() > 0;
            if scaling == Scaling::Standard && numbers {
                notes.push(Note::Choice(
                    "numeric columns are standardised: mean 0, spread 1 over the training rows"
                        .to_owned(),
                ));
            }
            encoder
        };
        let records = encoder.transform(&assigned.features)?.records;
        let estimator = if let Some(estimator) = &self.estimator {
            readable(estimator.clone(), &records, &mut notes)
        } else {
            AnyEstimator::Auto(Automatic::new(task))
        };
        let mut data = Dataset::try_new(records, targets)?;
        if let Some(weights) = assigned.weights.take() {
            data = data.with_weights(weights)?;
        }
        Ok(Prepared {
            task,
            target: self.roles.target.clone(),
            id: self.roles.id.clone(),
            encoder,
            data,
            groups: assigned.groups,
            estimator,
            notes,
        })
    }

    /// Learns.
    ///
    /// # Errors
    /// Columns that do not fit their roles, rows that cannot be learnt from, bad settings.
    pub fn fit(&self, table: Table, context: &FitContext) -> Result<Fitted<Trained>> {
        let context = context.restarted();
        let prepared = self.prepare(table)?;
        prepared.fit(&context, self.earlier.as_ref().map(|t| &t.model))
    }
}

/// Gives a method whose own kernel would find no number to read the usual kernel for the columns
/// there are.
fn readable(mut estimator: AnyEstimator, records: &Records, notes: &mut Vec<Note>) -> AnyEstimator {
    let numbers = records.features.points.columns() > 0;
    let automatic = matches!(estimator, AnyEstimator::Auto(_));
    let own = AnyEstimator::named(estimator.name()).map(|own| own.kernel().clone());
    let own = own.unwrap_or_else(|_| KernelSpec::rbf_auto());
    if !numbers && !automatic && *estimator.kernel() == own {
        let kernel = usual_kernel(records);
        if kernel != KernelSpec::rbf_auto() {
            notes.push(Note::Choice(format!(
                "the kernel is `{kernel}`: there are no numbers to compare"
            )));
            *estimator.kernel_mut() = kernel;
        }
    }
    estimator
}

/// A table ready for learning: records, targets, and the method to use on them.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// What is to be learnt.
    pub task: Task,
    /// Name of the predicted column.
    pub target: Option<String>,
    /// Name of the column that names rows.
    pub id: Option<String>,
    /// How columns became numbers.
    pub encoder: Encoder,
    /// The rows.
    pub data: Dataset,
    /// A group per row, where a column gives one.
    pub groups: Option<Vec<u32>>,
    /// The method.
    pub estimator: AnyEstimator,
    /// Choices made on the way.
    pub notes: Vec<Note>,
}

impl Prepared {
    /// Learns with the present method.
    ///
    /// # Errors
    /// Rows that cannot be learnt from, bad settings.
    pub fn fit(self, context: &FitContext, earlier: Option<&AnyModel>) -> Result<Fitted<Trained>> {
        let fitted = self.estimator.fit(&self.data, context, earlier)?;
        let mut report = fitted.report;
        let mut notes = self.notes;
        notes.append(&mut report.notes);
        report.notes = notes;
        report.seconds = context.elapsed().as_secs_f64();
        let method = report.chosen.as_deref().unwrap_or(&self.estimator);
        let trained = Trained {
            task: self.task,
            method: method.name().to_owned(),
            target: self.target,
            id: self.id,
            encoder: self.encoder,
            model: fitted.model,
            attributes: BTreeMap::new(),
            report: report.clone(),
        };
        Ok(Fitted {
            model: trained,
            report,
        })
    }
}

/// Removes rows of weight 0, so that they have no say in encoders and kernel parameters.
fn drop_weightless(assigned: Assigned) -> Assigned {
    let Some(weights) = &assigned.weights else {
        return assigned;
    };
    let kept: Vec<usize> = (0..weights.len()).filter(|&r| weights[r] > 0.0).collect();
    if kept.len() == weights.len() || kept.is_empty() {
        return assigned;
    }
    Assigned {
        features: assigned.features.select(&kept),
        target: assigned
            .target
            .map(|t| Column::new(t.name, t.values.select(&kept))),
        weights: Some(kept.iter().map(|&r| weights[r]).collect()),
        groups: assigned
            .groups
            .map(|g| kept.iter().map(|&r| g[r]).collect()),
        ids: assigned
            .ids
            .map(|ids| kept.iter().map(|&r| ids[r].clone()).collect()),
        rows: kept.iter().map(|&r| assigned.rows[r]).collect(),
        notes: assigned.notes,
    }
}
