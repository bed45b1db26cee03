//! What some rows add to a plan.

use std::sync::Arc;

use super::plan::Plan;
use super::spans::{Span, Spans};
use crate::data::{Assigned, Table};
use crate::fit::{FitContext, Fitted, Note};
use crate::learn::features::{FeatureRows, FeatureSums, Place};
use crate::model::Trained;
use crate::{Error, Result};

/// Sums over some rows of a table under a plan.
///
/// The state of a union is the merge of states; merging is exact to rounding, and the same bit for bit in the same order.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    pub(super) plan: Arc<Plan>,
    pub(super) sums: FeatureSums,
    /// The rows that were seen.
    pub(super) spans: Spans,
    /// Rows that were left out because their target is missing.
    pub(super) unlabelled: u64,
}

impl State {
    /// The state of no rows.
    pub fn new(plan: Arc<Plan>) -> Self {
        Self {
            sums: FeatureSums::new(&plan.features),
            plan,
            spans: Spans::default(),
            unlabelled: 0,
        }
    }

    /// The state of the rows of a table that begins at a place.
    ///
    /// # Errors
    /// As [`State::add`].
    pub fn of(plan: &Arc<Plan>, rows: Table, place: Place, context: &FitContext) -> Result<Self> {
        let mut state = Self::new(Arc::clone(plan));
        state.add(rows, place, context)?;
        Ok(state)
    }

    /// Returns the plan.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Returns the runs of rows that were seen.
    pub fn spans(&self) -> &Spans {
        &self.spans
    }

    /// Returns how many rows were added up.
    pub fn rows(&self) -> u64 {
        self.sums.rows()
    }

    /// Returns how many rows were left out because their target is missing.
    pub fn unlabelled(&self) -> u64 {
        self.unlabelled
    }

    /// Returns the sums themselves.
    pub fn sums(&self) -> &FeatureSums {
        &self.sums
    }

    /// Adds the rows of a table that begins at a place. After an error the state is to be thrown away.
    ///
    /// Rows without any target are none; other columns than the plan's are not looked at.
    ///
    /// # Errors
    /// Rows that were seen already, columns that are missing or of another kind, classes that the plan does not know, values
    /// that are not finite; cancellation and the time limit.
    pub fn add(&mut self, rows: Table, place: Place, context: &FitContext) -> Result<()> {
        let given = rows.rows();
        if given == 0 {
            return Ok(());
        }
        self.spans.add(Span::of(place, given))?;
        let Assigned {
            features,
            targets,
            weights,
            rows,
            ..
        } = self.plan.roles.assign_part(rows)?;
        self.unlabelled += (given - rows.len()) as u64;
        if rows.is_empty() {
            return Ok(());
        }
        let targets = self.plan.targets(&targets)?;
        let records = self.plan.encoder.transform(&features)?.records;
        drop(features);
        let rows = FeatureRows {
            records: &records,
            targets: &targets,
            weights: weights.as_deref(),
            place,
            rows: (rows.len() < given).then_some(&rows),
        };
        context.install(|| self.sums.add(&self.plan.features, &rows, context))?
    }

    /// Adds another state.
    ///
    /// # Errors
    /// A state of another plan, naming what is different; rows that are in both. This state is unchanged then.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if !Arc::ptr_eq(&self.plan, &other.plan)
            && let Some(difference) = self.plan.difference(&other.plan)
        {
            return Err(Error::Conflict {
                what: format!("the states are of different plans: {difference}"),
                cure: "make all states by the same plan".into(),
            });
        }
        self.spans.check_apart(&other.spans)?;
        self.sums.merge(&other.sums)?;
        self.spans.merge(&other.spans)?;
        self.unlabelled += other.unlabelled;
        Ok(())
    }

    /// Makes a model of the rows, none of which is looked at again.
    ///
    /// # Errors
    /// No rows, or rows of one class; cancellation and the time limit.
    pub fn solve(&self, context: &FitContext) -> Result<Fitted<Trained>> {
        let plan = &*self.plan;
        let fitted =
            context.install(|| plan.features.solve(&self.sums, plan.penalty, context))??;
        let mut report = fitted.report;
        report.notes.splice(0..0, plan.notes.iter().cloned());
        report.stop_reason = report.stop_reason.worse(plan.stop_reason);
        if self.unlabelled > 0 {
            report.notes.push(Note::Alert(format!(
                "{} rows are left out: their target is missing",
                self.unlabelled
            )));
        }
        report.seconds = context.elapsed().as_secs_f64();
        let model = Trained {
            targets: plan.roles.targets.clone(),
            id: plan.roles.id.clone(),
            ..Trained::new(
                plan.task,
                &plan.method,
                plan.encoder.clone(),
                fitted.model,
                report.clone(),
            )
        };
        Ok(Fitted { model, report })
    }
}
