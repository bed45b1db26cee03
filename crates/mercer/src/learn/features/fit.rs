//! Functions of features: a plan, one walk over the rows, a solution of sums.

use super::loss::FeatureLoss;
use super::penalty::FeaturePenalty;
use super::place::Place;
use super::plan::{FeaturePlan, FeatureTarget};
use super::sums::{FeatureRows, FeatureSums};
use super::{MadeMap, Nystroem, RandomFeatures};
use crate::data::{Dataset, Targets};
use crate::features::first_rows;
use crate::fit::{FitContext, Fitted, Note, Progress, StopReason};
use crate::learn::canonical::target_not_finite;
use crate::model::Form;
use crate::{Error, Result};

/// A plan that was made for rows, and how that went.
#[derive(Debug, Clone)]
pub struct MadePlan {
    /// The plan.
    pub plan: FeaturePlan,
    /// λ, or how it is found.
    pub penalty: FeaturePenalty,
    /// Choices made and reasons for care.
    pub notes: Vec<Note>,
    /// The time limit, where it left landmarks out.
    pub stop_reason: StopReason,
    /// Kernel values that were computed.
    pub evaluations: u64,
}

impl MadePlan {
    /// Returns how many rows of a longer table a plan is made from: twenty for every feature.
    pub fn rows_for(components: Option<usize>) -> usize {
        /// As many as landmarks are looked for among.
        const EACH: usize = 20;
        components
            .unwrap_or(super::settings::USUAL)
            .saturating_mul(EACH)
    }

    fn new(
        made: MadeMap,
        data: &Dataset,
        penalty: FeaturePenalty,
        context: &FitContext,
    ) -> Result<Self> {
        Ok(Self {
            plan: FeaturePlan::new(made.map, data, true, context.seed)?,
            penalty,
            notes: made.notes,
            stop_reason: made.stop_reason,
            evaluations: made.evaluations,
        })
    }

    /// Begins to add rows up.
    ///
    /// # Errors
    /// Sums that do not fit into memory.
    pub(crate) fn begin(self, context: &FitContext) -> Result<Learning> {
        let (needed, limit) = (self.plan.bytes(), context.most_memory());
        if needed > limit {
            return Err(Error::Memory {
                what: format!("the sums of {} features", self.plan.map.width()),
                needed,
                limit,
            });
        }
        Ok(Learning {
            sums: FeatureSums::new(&self.plan),
            made: self,
        })
    }

    /// Walks over the rows, once for the squared loss, and learns.
    fn learn_by(
        self,
        loss: FeatureLoss,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        if loss != FeatureLoss::Squared && matches!(self.plan.target, FeatureTarget::Values(_)) {
            return Err(loss.for_classes());
        }
        let mut learning = self.begin(context)?;
        let rows = FeatureRows {
            records: &data.records,
            targets: &data.targets,
            weights: data.weights.as_deref(),
            place: Place::default(),
            rows: None,
        };
        learning.sums.add(&learning.made.plan, &rows, context)?;
        if loss == FeatureLoss::Squared {
            learning.solve(context)
        } else {
            learning.descend(loss, data, context)
        }
    }
}

/// A plan with the sums of the rows so far.
#[derive(Debug)]
pub(crate) struct Learning {
    made: MadePlan,
    sums: FeatureSums,
}

impl Learning {
    /// Adds some rows of a table by their numbers, ascending; a few blocks of them are copied at a time. To be called inside of
    /// [`FitContext::install`].
    ///
    /// # Errors
    /// As [`FeatureSums::add`].
    pub(crate) fn add(
        &mut self,
        data: &Dataset,
        rows: &[usize],
        context: &FitContext,
    ) -> Result<()> {
        /// Blocks that are copied at once.
        const BLOCKS: usize = 8;
        let mut inner = context.clone();
        inner.progress = None;
        let mut done = 0;
        for some in rows.chunks(BLOCKS * self.made.plan.block) {
            context.check()?;
            let part = data.select(some);
            let own = FeatureRows {
                records: &part.records,
                targets: &part.targets,
                weights: part.weights.as_deref(),
                place: Place::default(),
                rows: Some(some),
            };
            self.sums.add(&self.made.plan, &own, &inner)?;
            done += some.len();
            context.tell(|| Progress {
                stage: "adding rows up".to_owned(),
                share: Some(done as f64 / rows.len() as f64),
                ..Progress::default()
            });
        }
        Ok(())
    }

    /// Learns from the rows so far. To be called inside of [`FitContext::install`].
    ///
    /// # Errors
    /// As [`FeaturePlan::solve`].
    pub(crate) fn solve(&self, context: &FitContext) -> Result<Fitted<Form>> {
        let made = &self.made;
        let fitted = made.plan.solve(&self.sums, made.penalty, context)?;
        Ok(self.told(fitted))
    }

    /// Learns by another loss; the sums so far, which are those of all rows, have the sample and λ.
    fn descend(
        &self,
        loss: FeatureLoss,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let made = &self.made;
        let fitted = made
            .plan
            .descend(&self.sums, made.penalty, (loss, data), context)?;
        Ok(self.told(fitted))
    }

    /// Adds how the plan was made.
    fn told(&self, mut fitted: Fitted<Form>) -> Fitted<Form> {
        let made = &self.made;
        let report = &mut fitted.report;
        report.notes.splice(0..0, made.notes.iter().cloned());
        report.stop_reason = report.stop_reason.worse(made.stop_reason);
        if let Some(kernel) = &mut report.kernel {
            kernel.kernel_evaluations += made.evaluations;
        }
        fitted
    }
}

impl Nystroem {
    /// Settles map, target and folds for rows that stand for all. To be called inside of [`FitContext::install`].
    ///
    /// # Errors
    /// Every bad setting at once; rows that cannot be learnt from; cancellation and the time limit.
    pub fn plan(&self, data: &Dataset, context: &FitContext) -> Result<MadePlan> {
        check(data)?;
        let some = standing_for_all(data, self.components, context.seed);
        let data = some.as_ref().unwrap_or(data);
        let weights = data.weights.as_deref();
        // What single precision cannot hold is seen from all eigenvalues, and so in double precision.
        let made = self.map_for_sums(&data.records, weights, context)?;
        MadePlan::new(made, data, self.penalty, context)
    }

    /// Learns classes or numbers.
    pub(super) fn learn_targets(
        &self,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        context.install(|| self.plan(data, context)?.learn_by(self.loss, data, context))?
    }
}

impl RandomFeatures {
    /// Settles map, target and folds for rows that stand for all. To be called inside of [`FitContext::install`].
    ///
    /// # Errors
    /// Every bad setting at once; rows that cannot be learnt from; cancellation and the time limit.
    pub fn plan(&self, data: &Dataset, context: &FitContext) -> Result<MadePlan> {
        check(data)?;
        let some = standing_for_all(data, self.components, context.seed);
        let data = some.as_ref().unwrap_or(data);
        let made = self.map(&data.records, data.weights.as_deref(), context)?;
        MadePlan::new(made, data, self.penalty, context)
    }

    /// Learns classes or numbers.
    pub(super) fn learn_targets(
        &self,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        context.install(|| self.plan(data, context)?.learn_by(self.loss, data, context))?
    }
}

/// Rows of which kernel, landmarks and origins are made where there are many: those of the largest keys, which are the same
/// where rows are read from a file in parts. `None` where all are.
fn standing_for_all(data: &Dataset, components: Option<usize>, seed: u64) -> Option<Dataset> {
    let count = MadePlan::rows_for(components);
    if data.len() <= count {
        return None;
    }
    let weight = |row: usize| data.weights.as_ref().map_or(1.0, |w| w[row]);
    let mut rows = first_rows(data.len(), weight, count, seed);
    rows.sort_unstable();
    Some(data.select(&rows))
}

fn check(data: &Dataset) -> Result<()> {
    if data.is_empty() || data.total_weight() <= 0.0 {
        return Err(Error::rows(
            "there are no rows to learn from",
            "give at least one row with a positive weight",
        ));
    }
    let odd = match &data.targets {
        Targets::Real(values) => values.iter().position(|y| !y.is_finite()),
        Targets::Several(values) => {
            let odd = |row: &usize| (0..values.rows()).any(|k| !values[(k, *row)].is_finite());
            (0..values.columns()).find(odd)
        }
        Targets::Classes(_) | Targets::None => None,
    };
    odd.map_or(Ok(()), |row| Err(target_not_finite(row)))
}
