//! Ridge regression.

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use super::design::{Design, Scaling};
use super::input::Input;
use super::ols::Ols;
use super::penalty::{Penalty, PenaltyRule};
use super::solution::{Answer, LinearSolution, Penalised};
use super::spectrum::Spectrum;
use super::{conjugate, dual, normal, orthogonal};
use crate::data::{Records, brief_number};
use crate::fit::{FitContext, Note, StopReason};
use crate::learn::Settings;
use crate::learn::least_squares::too_few;
use crate::learn::margin::Bias;
use crate::{Error, Result};

/// Ridge regression: minimises Σ w_i (y_i − ⟨w, x_i⟩ − b)² + λ‖w‖².
///
/// The constant is not penalised unless it is [`Bias::Regularised`]. λ is scikit-learn's `alpha`.
/// Use it for linear functions of many or dependent columns. A Cholesky factor of the smaller of
/// XᵀX + λI and XXᵀ + λI, refined on the residuals: time grows with n d·min(n, d) for n rows of d
/// columns, memory with min(n, d)². Sparse rows stay sparse, and where columns are many conjugate gradients
/// take the place of factors: a few passes over the stored values a step. λ = 0 is [`Ols`].
///
/// It is the most probable w under y ~ N(⟨w, x⟩ + b, σ²) and w ~ N(0, τ²) with λ = σ²/τ². The
/// solution knows the whole posterior ([`LinearSolution::spread`]); the variance of the noise is given, or
/// the one of largest evidence at this λ: objective/(n − 1). λ may be found by evidence, by rows left out or by
/// generalised cross-validation ([`Penalty::By`]); [`Ridge::path`] has many λ at once.
///
/// # Examples
/// ```
/// use mercer::data::Records;
/// use mercer::fit::FitContext;
/// use mercer::learn::linear::Ridge;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(3, 1, vec![-1.0, 0.0, 1.0]);
/// let y = Matrix::from_vec(1, 3, vec![0.0, 2.0, 4.0]);
/// let records = Records::from_points(x);
/// let ridge = Ridge::default().lambda(2.0);
/// let solution = ridge.solve(&records, &y, None, &FitContext::default())?;
/// assert!((solution.weights[(0, 0)] - 1.0).abs() < 1e-12);
/// assert!((solution.biases[0] - 2.0).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Hoerl and Kennard, Ridge regression: biased estimation for nonorthogonal problems, 1970.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Ridge {
    /// λ, or how it is found.
    #[serde(rename = "lambda")]
    #[setting(group)]
    pub penalty: Penalty,
    /// The constant term of the prediction.
    #[setting(words("free", "none", "regularised"), python = "fit_intercept")]
    pub bias: Bias,
    /// Variance of the noise, where it is known: standard deviations of weights and predictions follow from it.
    #[serde(default)]
    #[setting(positive, unlisted)]
    pub noise: Option<f64>,
}

impl Default for Ridge {
    fn default() -> Self {
        Self {
            penalty: Penalty::Lambda(1.0),
            bias: Bias::Free,
            noise: None,
        }
    }
}

impl Ridge {
    /// Sets λ.
    #[must_use]
    pub fn lambda(self, lambda: f64) -> Self {
        self.penalty(Penalty::Lambda(lambda))
    }

    /// Sets whether a constant without penalty is part of f.
    pub fn intercept(self, intercept: bool) -> Self {
        self.bias(if intercept { Bias::Free } else { Bias::None })
    }

    /// Solves for several outputs at once: `targets` has a row per output.
    ///
    /// # Errors
    /// λ below zero or not finite; lengths that differ, nothing to learn from, values that are not
    /// finite, weights below zero; [`Error::Memory`] where the factor does not fit, cancellation
    /// and the time limit.
    pub fn solve(
        &self,
        records: &Records,
        targets: &Matrix<f64>,
        weights: Option<&[f64]>,
        context: &FitContext,
    ) -> Result<LinearSolution> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let input = Input::try_new(records, targets, weights)?;
        let mut solution = context.install(|| self.solve_input(&input, context))??;
        let constant = usize::from(self.bias != Bias::None);
        solution.warn(records, input.rows(), input.points.columns() + constant);
        Ok(solution)
    }

    fn solve_input(&self, input: &Input, context: &FitContext) -> Result<LinearSolution> {
        match self.penalty {
            Penalty::Lambda(lambda) => self.solve_at(lambda, input, context),
            Penalty::By(rule) => {
                let lambda = self.found(rule, input, context)?;
                let mut solution = self.solve_at(lambda, input, context)?;
                solution.notes.push(Note::Choice(format!(
                    "λ = {} by the {}",
                    brief_number(lambda),
                    rule.words()
                )));
                Ok(solution)
            }
        }
    }

    /// The λ that a rule prefers.
    fn found(&self, rule: PenaltyRule, input: &Input, context: &FitContext) -> Result<f64> {
        let design = Design::try_new(input, self.bias, Scaling::Common, context)?;
        let copies = input.copies();
        if copies - f64::from(u8::from(self.bias.is_free())) <= 0.0 {
            return Err(too_few(input.rows(), copies, "lambda"));
        }
        if design.width() == 0 {
            return Ok(1.0);
        }
        let spectrum = Spectrum::new(&design, copies, context)?;
        let own = spectrum.best(&design, rule, input.weight_unit(), context)?;
        // Columns near the end of the range have penalties there, too.
        Ok((own * input.weight_unit() / design.one().powi(2)).min(f64::MAX))
    }

    fn solve_at(&self, lambda: f64, input: &Input, context: &FitContext) -> Result<LinearSolution> {
        let own = input.penalty(lambda);
        if own == 0.0 {
            let plain = Ols::default().bias(self.bias);
            return plain.solve_input(input, context);
        }
        let n = input.rows();
        let columns = input.points.columns() + usize::from(self.bias.is_regularised());
        let scaling = if columns <= n {
            Scaling::Large
        } else {
            Scaling::Common
        };
        let design = Design::try_new(input, self.bias, scaling, context)?;
        let penalties = design.penalties(own);
        let penalised = Penalised {
            lambda,
            penalties: &penalties,
            noise: self.noise,
        };
        if let Some(limit) = conjugate::budget(&design, true, context) {
            let found = conjugate::solve(&design, Some(&penalties), limit, context)?;
            // Slow steps mean a penalty near the rounding of the rows: factors refine on residuals.
            let slow = found.stop_reason == StopReason::IterationLimit;
            if !slow || !conjugate::fits(&design, true, context) {
                let (steps, stop_reason) = (found.steps, found.stop_reason);
                let answer = found.answer;
                let mut solution = answer.finish(input, &design, Some(&penalised), context)?;
                solution.conjugate_steps = Some(steps);
                solution.stop_reason = stop_reason;
                solution.notes.extend(found.notes);
                solution.notes.push(conjugate::told(steps, true));
                return Ok(solution);
            }
        }
        let mut note = None;
        let answer = if design.width() == 0 {
            Answer::empty(input.targets.rows(), true)
        } else if design.width() <= n {
            if let Some(answer) = normal::solve(&design, &penalties, context)? {
                answer
            } else {
                note = Some(by_factors());
                orthogonal::tall(&design, Some(&penalties), context)?
            }
        } else {
            if let Some(answer) = dual::solve(&design, penalties[0], context)? {
                answer
            } else {
                note = Some(by_factors());
                orthogonal::wide(&design, Some(penalties[0]), context)?
            }
        };
        let mut solution = answer.finish(input, &design, Some(&penalised), context)?;
        solution.notes.extend(note);
        Ok(solution)
    }
}

fn by_factors() -> Note {
    Note::Choice(
        "λ is below the rounding of the normal equations: solved by orthogonal factors of the rows"
            .to_owned(),
    )
}
