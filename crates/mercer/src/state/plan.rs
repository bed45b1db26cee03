//! What parts of a table have to share.

use crate::data::{Encoder, Roles, Table, Targets, Task, make_targets};
use crate::fit::{FitContext, Note, StopReason};
use crate::learn::features::{FeaturePenalty, FeaturePlan};
use crate::recipe::{Prepared, Recipe, Way};
use crate::{Error, Result};
use mercer_linalg::Matrix;

use super::fingerprint::fingerprint;

/// Columns, encoder, kernel, feature map, target and folds: everything that has to be settled before parts of a table can be
/// added up apart from each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What is learnt.
    pub task: Task,
    /// Name of the method: `nystroem` or `rff`.
    pub method: String,
    /// Which column plays which part.
    pub roles: Roles,
    /// Turns columns into records.
    pub encoder: Encoder,
    /// The feature map, the target, the folds.
    pub features: FeaturePlan,
    /// λ, or how it is found.
    pub penalty: FeaturePenalty,
    /// Choices made on the way.
    pub notes: Vec<Note>,
    /// What the time limit cut short.
    pub stop_reason: StopReason,
    /// Tells plans apart.
    fingerprint: String,
}

impl Plan {
    /// Makes a plan from rows that stand for all: the whole table, or a sample.
    ///
    /// # Errors
    /// Columns that do not fit their roles, a method other than those on features, settings that it does not have, rows that
    /// cannot be learnt from.
    pub fn of(recipe: &Recipe, sample: Table, context: &FitContext) -> Result<Self> {
        let opened = recipe.open(sample)?;
        let roles = Roles {
            targets: opened.target_names().to_vec(),
            ..recipe.roles.clone()
        };
        Self::of_rows(opened.prepare()?, roles, context)
    }

    /// Makes a plan from rows that are encoded already; the classes are those that their targets list.
    ///
    /// # Errors
    /// As [`Plan::of`].
    pub fn of_rows(prepared: Prepared, roles: Roles, context: &FitContext) -> Result<Self> {
        let refused = |what: String| Error::Unsupported {
            what,
            cure: "learn from the rows at once".into(),
        };
        let Way::Method(estimator) = &prepared.way else {
            return Err(refused(
                "a plan needs a method on features, such as `nystroem` or `rff`".to_owned(),
            ));
        };
        if prepared.project.is_some() || prepared.steps.is_some() || prepared.earlier.is_some() {
            return Err(refused(
                "rows of a plan are learnt from as they are, without a projection, windows or an earlier model".to_owned(),
            ));
        }
        let made = context.install(|| estimator.feature_plan(&prepared.data, context))??;
        let made = made.ok_or_else(|| {
            refused(format!(
                "`{}` cannot learn from sums over rows; `nystroem` and `rff` can",
                estimator.name()
            ))
        })?;
        let mut notes = prepared.notes;
        notes.extend(made.notes);
        Ok(Self::new(
            (prepared.task, estimator.name().to_owned()),
            roles,
            prepared.encoder,
            made.plan,
            made.penalty,
            (notes, made.stop_reason),
        ))
    }

    pub(super) fn new(
        (task, method): (Task, String),
        roles: Roles,
        encoder: Encoder,
        features: FeaturePlan,
        penalty: FeaturePenalty,
        (notes, stop_reason): (Vec<Note>, StopReason),
    ) -> Self {
        let bare = Self {
            task,
            method,
            roles,
            encoder,
            features,
            penalty,
            // What was said on the way is no part of what is computed.
            notes: Vec::new(),
            stop_reason: StopReason::Converged,
            fingerprint: String::new(),
        };
        Self {
            fingerprint: fingerprint(&bare.to_parts()),
            notes,
            stop_reason,
            ..bare
        }
    }

    /// Returns what tells this plan from others: the same for equal plans.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Returns the rows of a block: parts that end at multiples of it and are added to one state in order make the state of the
    /// whole, bit for bit; states that are merged make it to rounding.
    pub fn block(&self) -> usize {
        self.features.block
    }

    /// Returns the bytes that a state and its solution take.
    pub fn bytes(&self) -> u64 {
        self.features.bytes()
    }

    /// Says what is different about another plan, as the end of a sentence.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        if self.fingerprint == other.fingerprint {
            return None;
        }
        let (a, b) = (&self.features, &other.features);
        let kernels = (a.map.kernel().to_string(), b.map.kernel().to_string());
        let widths = (a.map.width(), b.map.width());
        Some(if self.method != other.method {
            format!(
                "one is of `{}`, the other of `{}`",
                self.method, other.method
            )
        } else if self.roles != other.roles {
            "columns have other roles".to_owned()
        } else if self.encoder != other.encoder {
            "columns are encoded in another way".to_owned()
        } else if kernels.0 != kernels.1 && widths.0 != widths.1 {
            // The number of features decides from how many rows a kernel is found: either may be the cause of the other.
            format!(
                "one has {} features of the kernel `{}`, the other {} of `{}`",
                widths.0, kernels.0, widths.1, kernels.1
            )
        } else if kernels.0 != kernels.1 {
            format!(
                "one has the kernel `{}`, the other `{}`",
                kernels.0, kernels.1
            )
        } else if widths.0 != widths.1 {
            format!("one has {} features, the other {}", widths.0, widths.1)
        } else if a.map != b.map {
            "their landmarks or frequencies are different".to_owned()
        } else if a.target != b.target {
            "they have other classes or targets".to_owned()
        } else {
            "their folds, origins or settings are different".to_owned()
        })
    }

    /// The targets of rows in terms of the plan.
    pub(super) fn targets(&self, columns: &[crate::data::Column]) -> Result<Targets> {
        let labels = self.features.labels();
        match columns {
            [] => Ok(Targets::None),
            [one] => make_targets(one, self.task, labels),
            several => {
                let mut all = Vec::new();
                let mut length = 0;
                for column in several {
                    if let Targets::Real(values) = make_targets(column, self.task, None)? {
                        length = values.len();
                        all.extend(values);
                    }
                }
                Ok(Targets::Several(Matrix::from_vec(
                    several.len(),
                    length,
                    all,
                )))
            }
        }
    }
}
