//! A plan from a first pass over rows that are read in parts.

use super::Plan;
use crate::data::Dataset;
use crate::fit::{FitContext, Note};
use crate::learn::AnyEstimator;
use crate::recipe::survey::Surveyed;
use crate::recipe::{Prepared, Way};
use crate::select::automatic::{Automatic, landmarks_for};
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
            mut estimator,
            automatic,
            encoder,
            rows,
            drawn,
            mut notes,
        } = surveyed;
        let targets = drawn.make_targets(task, &labels)?;
        let mut records = encoder.transform(&drawn.features)?.records;
        if let Some(numbers) = &drawn.numbers {
            // Landmarks are known by the row of the whole table that they are.
            let id = |number: &u64| u32::try_from(*number).unwrap_or(u32::MAX);
            records.ids = numbers.iter().map(id).collect();
        }
        let mut data = Dataset::try_new(records, targets)?;
        if let Some(weights) = drawn.weights {
            data = data.with_weights(weights)?;
        }
        if let Some(automatic) = automatic {
            notes.extend(choose(&automatic, &mut estimator, &data, rows, context)?);
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

/// Chooses a kernel by rows that stand for all, and as many landmarks as time and memory have room for.
fn choose(
    automatic: &Automatic,
    estimator: &mut AnyEstimator,
    data: &Dataset,
    rows: u64,
    context: &FitContext,
) -> Result<Vec<Note>> {
    let (kernel, mut notes) = automatic.choose_kernel(data, context)?;
    notes.push(Note::Choice(format!(
        "no model is named: least squares on features of `{kernel}`, which learns from parts"
    )));
    estimator.set_kernel(kernel);
    if let AnyEstimator::Nystroem(method) = estimator
        && method.components.is_none()
    {
        let count = usize::try_from(rows).unwrap_or(usize::MAX);
        let columns = data.records.features.points.columns();
        let outputs = data.targets.classes().map_or(1, |c| c.labels.len());
        let found = landmarks_for(count, columns, outputs, context);
        // Where there is no room, the plan says what it would take.
        method.components = found.map(|m| m.min(data.len()));
    }
    Ok(notes)
}
