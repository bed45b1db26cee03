//! Ordinary least squares.

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use super::conjugate::{self, Conjugated};
use super::descent::{Descent, LinearSolver};
use super::design::{Design, Scaling};
use super::gradient::{Descended, descend};
use super::input::Input;
use super::orthogonal;
use super::solution::{Answer, LinearSolution};
use crate::data::Records;
use crate::fit::{FitContext, StopReason};
use crate::learn::Settings;
use crate::learn::margin::Bias;
use crate::{Error, Result};

/// Ordinary least squares: minimises Σ w_i (y_i − ⟨w, x_i⟩ − b)².
///
/// Where columns depend on each other there are many solutions; the one of least ‖w‖ is returned,
/// as scikit-learn's `LinearRegression` does. A regularised constant counts in that norm. Use it
/// where columns are few and rows are many, and standard errors are wanted; [`super::Ridge`]
/// otherwise. Time grows with n d², memory with d² for n rows of d columns; with
/// more columns than rows with n² d and n d. Sparse rows of many columns are solved by
/// conjugate gradients, a few passes over the stored values a step, where that is cheaper
/// ([`LinearSolver::Auto`]); rank and standard errors are then known in part or not at all.
///
/// [`LinearSolver::Batch`] and [`LinearSolver::Online`] find the same weights by steps down the slope, rows as they
/// are and a constant being a feature 1; [`StopReason::Diverged`](crate::fit::StopReason::Diverged) where
/// steps are too long.
///
/// # Examples
/// ```
/// use mercer::data::Records;
/// use mercer::fit::FitContext;
/// use mercer::learn::linear::Ols;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_fn(5, 1, |i, _| i as f64);
/// let y = Matrix::from_vec(1, 5, vec![1.0, 3.0, 5.0, 7.0, 9.0]);
/// let records = Records::from_points(x);
/// let solution = Ols::default().solve(&records, &y, None, &FitContext::default())?;
/// assert!((solution.weights[(0, 0)] - 2.0).abs() < 1e-12);
/// assert!((solution.biases[0] - 1.0).abs() < 1e-12);
/// assert_eq!(solution.rank, Some(1));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Golub and Van Loan, Matrix Computations, 4th edition, chapter 5.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Ols {
    /// The constant term of the prediction.
    #[setting(words("free", "none", "regularised"), python = "fit_intercept")]
    pub bias: Bias,
    /// How the weights are found, and the steps of a solver that descends.
    #[serde(default)]
    #[setting(group)]
    pub descent: Descent,
}

impl Ols {
    /// Sets whether there is a constant.
    pub fn intercept(self, intercept: bool) -> Self {
        self.bias(if intercept { Bias::Free } else { Bias::None })
    }

    /// Solves for several outputs at once: `targets` has a row per output.
    ///
    /// # Errors
    /// Lengths that differ, nothing to learn from, values that are not finite, weights below zero;
    /// [`crate::Error::Memory`] where the factors do not fit, cancellation and the time limit.
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

    /// Solves what was checked before.
    pub(super) fn solve_input(
        &self,
        input: &Input,
        context: &FitContext,
    ) -> Result<LinearSolution> {
        if let LinearSolver::Batch | LinearSolver::Online = self.descent.solver {
            return self.descend_input(input, context);
        }
        let free = usize::from(self.bias.is_free());
        let ones = usize::from(self.bias.is_regularised());
        let features = input.points.columns();
        // The constant takes one row's worth.
        let rows = input.rows() - free;
        let scaling = if features + ones <= rows {
            Scaling::Each
        } else {
            Scaling::Common
        };
        let design = Design::try_new(input, self.bias, scaling, context)?;
        if design.width() > 0
            && let Some(found) = self.by_steps(&design, context)?
        {
            let (steps, stop_reason) = (found.steps, found.stop_reason);
            let mut solution = found.answer.finish(input, &design, None, context)?;
            solution.conjugate_steps = Some(steps);
            solution.stop_reason = stop_reason;
            solution.notes.extend(found.notes);
            solution.notes.push(conjugate::told(steps, false));
            return Ok(solution);
        }
        let answer = if design.width() == 0 {
            Answer::empty(input.targets.rows(), false)
        } else if design.width() <= rows {
            orthogonal::tall(&design, None, context)?
        } else {
            orthogonal::wide(&design, None, context)?
        };
        answer.finish(input, &design, None, context)
    }

    /// Conjugate gradients, where they are wanted or cheaper than factors and reach the solution.
    fn by_steps(&self, design: &Design, context: &FitContext) -> Result<Option<Conjugated>> {
        let chosen = self.descent.solver == LinearSolver::Conjugate;
        let limit = match self.descent.solver {
            LinearSolver::Conjugate => Some(self.descent.epochs as u64),
            LinearSolver::Auto => conjugate::budget(design, false, context),
            _ => None,
        };
        let Some(limit) = limit else {
            return Ok(None);
        };
        let found = conjugate::solve(design, None, limit, context)?;
        // Slow steps mean nearly dependent columns, which factors are made for.
        let kept = chosen
            || found.stop_reason != StopReason::IterationLimit
            || !conjugate::fits(design, false, context);
        Ok(kept.then_some(found))
    }

    /// Steps down the slope, a constant being a feature 1.
    fn descend_input(&self, input: &Input, context: &FitContext) -> Result<LinearSolution> {
        let bias = match self.bias {
            Bias::None => Bias::None,
            Bias::Free | Bias::Regularised => Bias::Regularised,
        };
        let design = Design::try_new(input, bias, Scaling::Common, context)?;
        let unit = input.step_unit() / design.one().powi(2);
        let Descended {
            answer,
            report,
            stop_reason,
            notes,
        } = descend(&design, &self.descent, unit, context)?;
        let mut solution = answer.finish(input, &design, None, context)?;
        solution.gradient = Some(report);
        solution.stop_reason = stop_reason;
        solution.notes.extend(notes);
        Ok(solution)
    }
}
