//! A plan from a first pass over rows that are read in parts.

use super::Plan;
use crate::data::Dataset;
use crate::fit::FitContext;
use crate::recipe::survey::Surveyed;
use crate::recipe::{Prepared, Way};
use crate::{Error, Result};

impl Plan {
    /// Makes a plan of what a first pass has found: encoder and classes are those of all rows, the kernel and the
    /// landmarks those of the rows that were drawn.
    ///
    /// # Errors
    /// A method other than those on features, rows that cannot be learnt from.
    pub fn of_survey(surveyed: Surveyed, context: &FitContext) -> Result<Self> {
        let Surveyed {
            roles,
            task,
            labels,
            estimator,
            encoder,
            drawn,
            notes,
            ..
        } = surveyed;
        let targets = drawn.make_targets(task, &labels)?;
        let records = encoder.transform(&drawn.features)?.records;
        let mut data = Dataset::try_new(records, targets)?;
        if let Some(weights) = drawn.weights {
            data = data.with_weights(weights)?;
        }
        let mut way = Way::Method(estimator);
        let readable = way.make_readable(&data.records);
        let mut prepared = Prepared::of_rows(task, encoder, data, way);
        prepared.targets.clone_from(&roles.targets);
        prepared.notes = notes;
        prepared.notes.extend(readable);
        if roles.targets.is_empty() {
            return Err(Error::rows(
                "rows that are read in parts need a target to learn",
                crate::hint::Hint::from("name it with ").word(crate::hint::Word::Role("target")),
            ));
        }
        Self::of_rows(prepared, roles, context)
    }
}
