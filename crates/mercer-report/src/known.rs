//! An evaluation on rows whose targets are known.

use mercer::data::{Table, Targets};
use mercer::explain::{Importance, Permutation, importance};
use mercer::fit::{FitContext, Note};
use mercer::judge::{self, Banded, Constant, Coverage, Metric, Truth};
use mercer::model::{Predictions, Trained};
use mercer::{Error, Result};

use crate::evaluation::{Evaluation, Rows, Worst};
use crate::input::Evidence;

/// Multiplications for the importance of columns: less than a tenth of a second.
pub const IMPORTANCE_WORK: f64 = 4e8;

/// Multiplications for measured coverage where it was asked for: some seconds.
pub const COVERAGE_WORK: f64 = 2e10;
/// The same where nobody asked: about a tenth of a second.
pub const UNASKED_COVERAGE_WORK: f64 = 1.5e9;
/// The level of intervals and sets whose coverage is measured, as `predict` has it.
pub const LEVEL: f64 = 0.9;

/// Rows whose targets are known.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The columns that a model reads.
    pub features: &'a Table,
    /// What is true, in the terms of the predictions.
    pub truth: &'a Truth,
    /// Names of the targets.
    pub names: &'a [String],
    /// How many copies each row stands for.
    pub weights: Option<&'a [f64]>,
}

impl Known<'_> {
    fn targets(&self) -> Option<&Targets> {
        match self.truth {
            Truth::Targets(targets) => Some(targets),
            Truth::Novel(_) => None,
        }
    }
}

impl Evaluation {
    /// Scores predictions beside a constant; where the rows come from is left to the caller.
    ///
    /// # Errors
    /// Predictions that do not belong to the rows; cancellation.
    pub fn of(
        rows: &Known<'_>,
        predictions: &Predictions,
        constant: Option<&Constant>,
        importance: Option<Importance>,
        confidence: f64,
        context: &FitContext,
    ) -> Result<Self> {
        let (truth, weights) = (rows.truth, rows.weights);
        let baseline = match constant {
            Some(constant) => judge::compare(predictions, truth, constant, weights, confidence)?,
            None => None,
        };
        let scores = judge::score(predictions, truth, rows.names, weights, confidence, context)?;
        let (evidence, worst) = match rows.targets() {
            Some(targets) => (
                Evidence::of(predictions, targets),
                Worst::of(predictions, targets, rows.features, importance.as_ref()),
            ),
            None => (None, Vec::new()),
        };
        Ok(Self {
            scores,
            rows: Rows::Folds,
            how: String::new(),
            baseline,
            notes: Vec::new(),
            evidence,
            each: Vec::new(),
            models: Vec::new(),
            worst,
            importance,
            coverage: None,
        })
    }

    /// Judges by the metric that was asked for, where there is one, beside a constant in the same metric.
    #[must_use]
    pub fn judged_by(mut self, asked: Option<Metric>) -> Self {
        if let Some(metric) = asked {
            let evaluated = self.baseline.take().map(|b| b.by(metric, &self.scores));
            self.baseline = evaluated;
        }
        self
    }

    /// Evaluates a model on rows that it is not known to have learnt from, `how` they were chosen in
    /// words. The baseline is the best constant on these very rows.
    ///
    /// # Errors
    /// Rows that the model cannot read; cancellation.
    pub fn of_model(
        trained: &Trained,
        rows: &Known<'_>,
        how: String,
        confidence: f64,
        context: &FitContext,
    ) -> Result<Self> {
        let mut predictions = trained.answers(rows.features, context)?;
        let worth = column_worth(trained, rows, IMPORTANCE_WORK, context)?;
        let constant = rows
            .targets()
            .and_then(|targets| Constant::of(targets, rows.weights));
        let mut notes = std::mem::take(&mut predictions.notes);
        let share = rows
            .targets()
            .and_then(|targets| trained.share_seen(rows.features, targets));
        notes.extend(share.and_then(learnt_from).map(Note::Alert));
        let coverage = coverage(trained, rows, &predictions, COVERAGE_WORK, context)?;
        let found = Self::of(
            rows,
            &predictions,
            constant.as_ref(),
            worth,
            confidence,
            context,
        )?;
        let found = found.judged_by(judge::asked(trained));
        Ok(Self {
            rows: Rows::HeldOut,
            how,
            notes,
            coverage,
            ..found
        })
    }
}

/// How often the intervals or sets of a model hold the truth of some rows; nothing where it gives none, or
/// so much work allows too few rows.
///
/// # Errors
/// Rows that the model cannot read; cancellation.
pub fn coverage(
    trained: &Trained,
    rows: &Known<'_>,
    predictions: &Predictions,
    work: f64,
    context: &FitContext,
) -> Result<Option<Coverage>> {
    let Some(targets) = rows.targets() else {
        return Ok(None);
    };
    let banded = Banded::of(trained, rows.features, predictions, LEVEL, work, context)?;
    match banded {
        Some(banded) => banded.coverage(targets),
        None => Ok(None),
    }
}

/// What the columns of a model are worth on some rows; nothing where there is one column, or too
/// little work for all of them.
///
/// # Errors
/// Rows that the model cannot read; cancellation.
pub fn column_worth(
    trained: &Trained,
    rows: &Known<'_>,
    work: f64,
    context: &FitContext,
) -> Result<Option<Importance>> {
    let features = rows.features;
    if rows.targets().is_none() || features.columns().len() < 2 || features.rows() < 2 {
        return Ok(None);
    }
    let settings = Permutation::default().work(work);
    let found = importance(
        trained,
        features,
        rows.truth,
        rows.weights,
        &settings,
        context,
    );
    let found = match found {
        Err(Error::OutOfTime) => return Ok(None),
        found => found?,
    };
    let told = found.value.is_finite() && !found.columns.is_empty();
    Ok(told.then_some(found))
}

/// Says that a model has learnt from this share of the rows it is evaluated on; nothing where so few
/// may be alike by chance.
pub fn learnt_from(share: f64) -> Option<String> {
    const WORTH_TELLING: f64 = 0.2;
    let rows = if share == 1.0 {
        "the model has learnt from these rows".to_owned()
    } else {
        format!(
            "the model has learnt from about {:.0} % of these rows",
            100.0 * share
        )
    };
    (share >= WORTH_TELLING).then(|| format!("{rows}: expect lower scores on new ones"))
}
