//! What the trials led to, learnt from all rows.

use super::agenda::{Agenda, learning_seconds};
use crate::data::Dataset;
use crate::fit::{ConstantTrial, FitContext, Fitted, Note, SimpleTrial, Trial};
use crate::learn::AnyEstimator;
use crate::learn::least_squares::Strength;
use crate::learn::margin::ClassWeights;
use crate::model::Form;
use crate::{Error, Result};

/// Powers of ten by which the γ of the trials is lowered for all rows.
const TENS: usize = 16;

/// What the trials led to.
pub(super) struct Chosen {
    pub(super) estimator: AnyEstimator,
    pub(super) class_weights: ClassWeights,
    pub(super) trials: Vec<Trial>,
    pub(super) baseline: Option<ConstantTrial>,
    pub(super) simple: Option<SimpleTrial>,
    /// Nonconformity scores of held-out rows.
    pub(super) scores: Vec<f64>,
    /// √(μ Var y) of those rows, where the method has a posterior and predicts numbers.
    pub(super) deviations: Option<Vec<f64>>,
    /// Numbers of the kernel that were fitted to the rows.
    pub(super) fitted_numbers: usize,
    /// Whether the time limit cut the trials short.
    pub(super) is_cut: bool,
    pub(super) notes: Vec<Note>,
    /// What was planned, where trials were.
    pub(super) agenda: Option<Agenda>,
}

impl Chosen {
    /// Learns from all rows; a matrix that is singular to rounding is trusted less by tens.
    pub(super) fn learn(
        &mut self,
        counted: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        // What is learnt at last knows rows from class factors: probabilities count the former.
        self.estimator.weigh_classes(&self.class_weights);
        let mut last = context.clone();
        last.fitted_numbers = self.fitted_numbers;
        let last = match &self.agenda {
            Some(agenda) => agenda.finish(learning_seconds(&self.estimator, counted), &last),
            None => last,
        };
        let mut lowered = None;
        for _ in 0..TENS {
            match self.estimator.fit(counted, &last, None) {
                Err(Error::Kernel { .. }) => match lower(&mut self.estimator) {
                    Some(ratio) => lowered = Some(ratio),
                    None => break,
                },
                found => {
                    let found = found?;
                    self.notes.extend(lowered.map(|ratio| {
                        Note::Alert(format!(
                            "the γ of the trials leaves the matrix of all rows singular to rounding; γ = {ratio:.3e} is used"
                        ))
                    }));
                    return Ok(found);
                }
            }
        }
        self.estimator.fit(counted, &last, None)
    }
}

/// Divides a given γ by ten, and returns what it is then.
fn lower(estimator: &mut AnyEstimator) -> Option<f64> {
    let strength = match estimator {
        AnyEstimator::LsSvc(machine) => &mut machine.strength,
        AnyEstimator::LsSvr(machine) => &mut machine.strength,
        _ => return None,
    };
    let ratio = strength.given()? / 10.0;
    *strength = Strength::Gamma(ratio);
    Some(ratio)
}

/// Whether an error speaks against a method on these rows, and another one may do.
pub(super) fn is_of_method(error: &Error) -> bool {
    !matches!(
        error,
        Error::Cancelled | Error::OutOfTime | Error::Memory { .. } | Error::Data { .. }
    )
}
