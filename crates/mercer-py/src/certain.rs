//! How sure a model is: variances, moderated probabilities, prediction sets.

use mercer::data::Records;
use mercer::fit::FitContext;
use mercer::model::WeightSpread;
use mercer::model::expansion::{Certainty, KernelExpansion};
use mercer_linalg::Matrix;

/// New rows that are predicted at a time: their comparison with all support vectors is held twice.
const BLOCK: usize = 1024;

/// Variances of new targets, noise included: one row per record, one column per decision.
pub(crate) fn target_variances(
    certainty: &Certainty,
    records: &Records,
    context: &FitContext,
) -> mercer::Result<Matrix<f64>> {
    let noise = certainty.noise_variances();
    by_blocks(records, noise.len(), context, |_, part| {
        let variances = certainty.variances(part, context.par())?;
        Ok(Matrix::from_fn(part.len(), noise.len(), |r, d| {
            variances[(r, d)] + noise[d]
        }))
    })
}

/// Variances of new targets of a linear function, noise included.
pub(crate) fn linear_variances(
    spread: &WeightSpread,
    records: &Records,
    context: &FitContext,
) -> mercer::Result<Matrix<f64>> {
    let unscaled = context.install(|| spread.unscaled_variances(records, context.par()))??;
    let noise = &spread.noise;
    Ok(Matrix::from_fn(records.len(), noise.len(), |r, d| {
        noise[d] * (unscaled[r] + 1.0)
    }))
}

/// Probabilities of the positive class of every decision, moderated by the certainty.
pub(crate) fn moderated(
    certainty: &Certainty,
    records: &Records,
    decisions: &Matrix<f64>,
    context: &FitContext,
) -> mercer::Result<Matrix<f64>> {
    let width = decisions.columns();
    by_blocks(records, width, context, |start, part| {
        let own = Matrix::from_fn(part.len(), width, |r, d| decisions[(start + r, d)]);
        certainty.moderated(part, &own, None, context.par())
    })
}

/// Predictions for runs of rows, so that memory does not grow with their number.
fn by_blocks(
    records: &Records,
    width: usize,
    context: &FitContext,
    answer: impl Fn(usize, &Records) -> mercer::Result<Matrix<f64>> + Send + Sync,
) -> mercer::Result<Matrix<f64>> {
    context.install(|| {
        let mut values = Vec::with_capacity(records.len() * width);
        for start in (0..records.len()).step_by(BLOCK) {
            if context.cancel.is_cancelled() {
                return Err(mercer::Error::Cancelled);
            }
            let part = records.slice(start..records.len().min(start + BLOCK));
            values.extend(answer(start, &part)?.into_vec());
        }
        Ok(Matrix::from_vec(records.len(), width, values))
    })?
}

/// Which classes a row may belong to, for every row of decisions; `None` where nothing was left
/// out to tell.
pub(crate) fn class_sets(
    model: &KernelExpansion,
    decisions: &[f64],
    classes: usize,
    level: f64,
    per_class: bool,
) -> Option<Vec<bool>> {
    let width = model.decisions().max(1);
    let mut sets = Vec::with_capacity(decisions.len() / width * classes);
    for row in decisions.chunks_exact(width) {
        let set = if per_class {
            model.conditional_set(row, level)?
        } else {
            model.class_set(row, level)?
        };
        sets.extend((0..classes as u32).map(|class| set.contains(&class)));
    }
    Some(sets)
}
