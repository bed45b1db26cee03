//! A model of another loss than the squared one.

use mercer_linalg::Matrix;

use super::loss::FeatureLoss;
use super::newton::{Learnt, Walk};
use super::penalty::FeaturePenalty;
use super::plan::FeaturePlan;
use super::sums::FeatureSums;
use crate::Result;
use crate::data::Dataset;
use crate::fit::{
    FeatureReport, FitContext, FitReport, Fitted, KernelReport, Note, SolverReport, StopReason,
};
use crate::model::Form;
use crate::solver::moments;

impl FeaturePlan {
    /// Minimises a loss over the rows of a data set; `sums` are those of the squared loss of the same rows.
    ///
    /// λ, where it is not given, is that of the squared loss times the curvature that the loss has where it starts, so that about as
    /// many parameters are effective. Runs in the caller's thread pool.
    ///
    /// # Errors
    /// As [`FeaturePlan::solve`].
    pub(super) fn descend(
        &self,
        sums: &FeatureSums,
        penalty: FeaturePenalty,
        (loss, data): (FeatureLoss, &Dataset),
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let par = context.par();
        let total = sums.total()?;
        self.check_rows(sums, &total)?;
        let axes = self.axes()?;
        let mut notes = vec![Note::Choice(format!("minimises {}", loss.objective()))];
        let (rule, lambda) = match penalty {
            FeaturePenalty::Lambda(lambda) => (None, lambda),
            FeaturePenalty::By(_) => {
                let normal = total.normal(axes.as_ref(), self.intercept, par);
                let folds =
                    moments::LeftOut::new(&total, &sums.folds, axes.as_ref(), self.intercept, par);
                context.check()?;
                let mut told = Vec::new();
                let found = self.chosen(&normal, &folds, penalty, context, &mut told)?;
                let lambda = found.lambda * loss.start_curvature();
                // What is said of λ is of the squared loss; reasons for care are of the features.
                notes.extend(told.into_iter().filter(Note::is_alert));
                notes.push(Note::Choice(format!(
                    "λ = {lambda:.4e}: as many effective parameters as with the squared loss"
                )));
                (found.rule, lambda)
            }
        };
        let walk = Walk {
            plan: self,
            bound: self.bind()?,
            axes,
            data,
            sides: self.sides(&data.targets)?,
            loss,
            lambda,
        };
        let outputs = 0..self.outputs();
        let learnt: Vec<Learnt> = outputs
            .map(|k| walk.learn(k, context))
            .collect::<Result<_>>()?;
        let decide = |fold: usize, features: &[f64]| -> Option<Vec<f64>> {
            let one = |one: &Learnt| Some(one.without[fold].as_ref()?.at(features));
            learnt.iter().map(one).collect()
        };
        let mut readout = self.readout();
        let (left_out, wrong) = self.look_back(sums, &decide, &mut readout, context);
        let converged = learnt.iter().all(|one| one.converged);
        let walks: usize = learnt.iter().map(|one| one.walks).sum();
        let rows = usize::try_from(sums.rows).unwrap_or(usize::MAX);
        let each = sums.rows.saturating_mul(self.map.width() as u64);
        let report = FitReport {
            distinct_rows: usize::try_from(total.rows()).unwrap_or(usize::MAX),
            stop_reason: if converged {
                StopReason::Converged
            } else {
                StopReason::IterationLimit
            },
            solver: Some(SolverReport {
                // JSON has no infinity.
                objective: learnt
                    .iter()
                    .map(|one| one.objective)
                    .sum::<f64>()
                    .min(f64::MAX),
                dual_gap: f64::NAN,
                kkt_violation: f64::NAN,
                iterations: walks as u64,
                problems: Vec::new(),
            }),
            kernel: Some(KernelReport {
                support_vectors: self.map.width(),
                kernel_evaluations: each.saturating_mul(1 + walks as u64),
                kernel_bytes: self.bytes(),
            }),
            features: Some(FeatureReport {
                components: self.map.width(),
                directions: learnt.iter().map(|one| one.directions).max().unwrap_or(0),
                lambda: learnt.iter().map(|one| one.lambda).fold(lambda, f64::max),
                found_by: rule.map(|rule| rule.words().to_owned()),
                effective_parameters: learnt
                    .iter()
                    .map(|one| one.effective_parameters)
                    .fold(0.0, f64::max),
                noise_variance: Vec::new(),
                log_evidence: None,
                folds: if left_out.is_some() { self.folds } else { 0 },
                held_out_error: None,
                held_out_wrong: wrong,
            }),
            ..FitReport::of_rows(rows, notes, context)
        };
        let width = self.map.width();
        let weights = Matrix::from_fn(learnt.len(), width, |k, j| {
            learnt[k].function.coefficients[j]
        });
        let biases = learnt.iter().map(|one| one.function.bias).collect();
        Ok(Fitted {
            model: self.form((weights, biases), readout, left_out),
            report,
        })
    }
}
