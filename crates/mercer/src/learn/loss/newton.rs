//! Newton's method for ½αᵀKα + C Σ w_i L(y_i, (Kα)_i + b).
//!
//! At the solution α_i = −C w_i L′(f_i). Linearised around the present f, with g = C w L′ and
//! h = C w L″, rows with h > 0 solve a weighted squared-loss problem and the others keep α = −g:
//!
//! ```text
//! (K + diag(1/h)) α + b 1 = f − g/h     on rows with h > 0, minus what the others add,
//! 1ᵀα = 0                                over all rows.
//! ```
//!
//! Steps are shortened until the objective falls. Losses with a kink are rounded off, less and
//! less, each stage starting from the last (Chapelle, Neural Computation 19, 2007).

use mercer_linalg::{Cholesky, Matrix, Op, axpy, dot, matvec};

use super::Loss;
use super::ranking::Pairs;
use crate::fit::{FitContext, StopReason};
use crate::{Error, Result};

/// Steps of a stage at most.
const STEPS: usize = 60;
/// Halvings of a step.
const SHORTER: usize = 30;
/// Half-widths to which kinks are rounded off, stage by stage.
const ROUNDS: [f64; 5] = [0.5, 0.1, 0.02, 4e-3, 1e-3];

/// One output to be learnt.
#[derive(Clone, Copy)]
pub(super) struct RiskProblem<'a> {
    pub(super) gram: &'a Matrix<f64>,
    pub(super) targets: &'a [f64],
    /// C·w of every row.
    pub(super) prices: &'a [f64],
    /// w of every row.
    pub(super) copies: &'a [f64],
    /// L with LLᵀ = K, for a joint loss.
    pub(super) root: Option<&'a Matrix<f64>>,
    pub(super) loss: Loss,
    pub(super) intercept: bool,
    /// Largest |α + C w L′| of a converged solution, over the largest weighted C.
    pub(super) tolerance: f64,
}

/// Where Newton's method stopped.
pub(super) struct RiskSolution {
    pub(super) alpha: Vec<f64>,
    pub(super) bias: f64,
    /// ½‖f‖² + C Σ w L, with the loss itself.
    pub(super) objective: f64,
    /// Largest violation of α = −C w L′ over the largest weighted C, for the rounded loss.
    pub(super) violation: f64,
    pub(super) norm: f64,
    /// Factor on the prices of the problem, 1 for the penalty ½‖f‖².
    pub(super) stretch: f64,
    pub(super) steps: u64,
    pub(super) stop_reason: StopReason,
}

/// Coefficients, constant and the function they make.
#[derive(Clone)]
struct State {
    alpha: Vec<f64>,
    /// Kα.
    values: Vec<f64>,
    bias: f64,
}

impl RiskProblem<'_> {
    /// Minimises.
    ///
    /// # Errors
    /// A kernel matrix that is not positive semidefinite; cancellation, and a time limit that
    /// ends before the first step.
    pub(super) fn solve(&self, context: &FitContext) -> Result<RiskSolution> {
        let n = self.targets.len();
        let mut state = State {
            alpha: vec![0.0; n],
            values: vec![0.0; n],
            bias: self.first_bias(),
        };
        let rounds: &[f64] = if self.loss.has_kink() {
            &ROUNDS
        } else {
            &[1.0]
        };
        let mut steps = 0;
        let mut stop_reason = StopReason::Converged;
        let mut last = rounds[0];
        for round in rounds {
            last = *round;
            let (taken, reason) = self.descend(&mut state, *round, context)?;
            steps += taken;
            stop_reason = reason;
            if reason == StopReason::TimeLimit {
                break;
            }
        }
        if steps == 0 && stop_reason == StopReason::TimeLimit {
            return Err(Error::OutOfTime);
        }
        let round = last;
        let square = dot(&state.alpha, &state.values).max(0.0);
        let loss = self.loss_itself(&state.values, state.bias);
        Ok(RiskSolution {
            objective: 0.5 * square + loss,
            violation: self.violation(&state, round),
            norm: square.sqrt(),
            stretch: 1.0,
            steps,
            stop_reason,
            alpha: state.alpha,
            bias: state.bias,
        })
    }

    /// The pairs of a joint loss.
    fn pairs(&self) -> Option<Pairs<'_>> {
        (self.loss == Loss::Ranking).then_some(Pairs {
            targets: self.targets,
            prices: self.prices,
            copies: self.copies,
        })
    }

    /// C Σ w L at f = values + bias.
    fn loss_itself(&self, values: &[f64], bias: f64) -> f64 {
        if let Some(pairs) = self.pairs() {
            return pairs.value(values);
        }
        let of = |i: usize| {
            let f = values[i] + bias;
            self.prices[i] * self.loss.value(self.targets[i], f)
        };
        (0..values.len()).map(of).sum()
    }

    /// The loss of a function that is constant.
    pub(super) fn loss_of_constant(&self, bias: f64) -> f64 {
        self.loss_itself(&vec![0.0; self.targets.len()], bias)
    }

    /// A constant that is best or nearly best alone.
    fn first_bias(&self) -> f64 {
        if !self.intercept {
            return 0.0;
        }
        let total: f64 = self.prices.iter().sum();
        dot(self.prices, self.targets) / total
    }

    fn objective(&self, state: &State, round: f64) -> f64 {
        let square = 0.5 * dot(&state.alpha, &state.values);
        if let Some(pairs) = self.pairs() {
            return square + pairs.rounded(&state.values, round);
        }
        let loss: f64 = (0..self.targets.len())
            .map(|i| {
                let f = state.values[i] + state.bias;
                self.prices[i] * self.loss.local(self.targets[i], f, round).value
            })
            .sum();
        square + loss
    }

    fn violation(&self, state: &State, round: f64) -> f64 {
        let most = self.prices.iter().fold(0.0_f64, |m, p| m.max(*p));
        if let Some(pairs) = self.pairs() {
            let slopes = pairs.slopes(&state.values, round);
            let misses = slopes.iter().zip(&state.alpha).map(|(g, a)| (a + g).abs());
            return misses.fold(0.0, f64::max) / most;
        }
        let miss = |i: usize| {
            let f = state.values[i] + state.bias;
            let slope = self.loss.local(self.targets[i], f, round).slope;
            (state.alpha[i] + self.prices[i] * slope).abs()
        };
        let largest = (0..self.targets.len()).map(miss).fold(0.0, f64::max);
        largest / most
    }

    fn descend(
        &self,
        state: &mut State,
        round: f64,
        context: &FitContext,
    ) -> Result<(u64, StopReason)> {
        let mut objective = self.objective(state, round);
        for step in 0..STEPS {
            if step > 0 && self.violation(state, round) <= self.tolerance {
                return Ok((step as u64, StopReason::Converged));
            }
            let target = match self.newton_point(state, round, context) {
                Ok(target) => target,
                Err(Error::OutOfTime) => return Ok((step as u64, StopReason::TimeLimit)),
                Err(error) => return Err(error),
            };
            let mut length = 1.0;
            let mut moved = false;
            for _ in 0..SHORTER {
                let next = between(state, &target, length);
                let value = self.objective(&next, round);
                // An objective that stays may be rounding. Then the violation has to fall, or steps
                // would go to and fro between two points of a joint loss.
                let closer = || self.violation(&next, round) < self.violation(state, round);
                if value <= objective - 1e-12 * objective.abs()
                    || (length == 1.0 && value <= objective && closer())
                {
                    (*state, objective) = (next, value);
                    moved = true;
                    break;
                }
                length *= 0.5;
            }
            if !moved {
                let fine = self.violation(state, round) <= self.tolerance.sqrt();
                let reason = if fine {
                    StopReason::Converged
                } else {
                    StopReason::Stalled
                };
                return Ok((step as u64, reason));
            }
        }
        Ok((STEPS as u64, StopReason::IterationLimit))
    }

    /// The minimum of the quadratic that touches the objective at the present point.
    fn newton_point(&self, state: &State, round: f64, context: &FitContext) -> Result<State> {
        context.check()?;
        let par = context.par();
        let n = self.targets.len();
        if let (Some(pairs), Some(root)) = (self.pairs(), self.root) {
            let alpha = pairs.newton(&state.values, root, round, context)?;
            return Ok(self.state(alpha, 0.0, context));
        }
        let mut alpha = vec![0.0; n];
        let mut active: Vec<usize> = Vec::new();
        let mut working: Vec<(f64, f64)> = Vec::new();
        for i in 0..n {
            let f = state.values[i] + state.bias;
            let local = self.loss.local(self.targets[i], f, round);
            let (g, h) = (
                self.prices[i] * local.slope,
                self.prices[i] * local.curvature,
            );
            // A curvature that rounding would lose beside K is none.
            if h > 1e-12 * (1.0 + g.abs()) {
                active.push(i);
                working.push((h, f - g / h));
            } else {
                alpha[i] = -g;
            }
        }
        let mut bias = state.bias;
        if !active.is_empty() {
            let m = active.len();
            let mut matrix = Matrix::from_fn(m, m, |i, j| self.gram[(active[i], active[j])]);
            for (i, (h, _)) in working.iter().enumerate() {
                matrix[(i, i)] += h.recip();
            }
            let indefinite = || {
                Error::rows(
                    "the kernel matrix is not positive semidefinite",
                    "choose a positive semidefinite kernel, or repair the matrix",
                )
            };
            let factor = Cholesky::factor_while(matrix, par, &|| context.goes_on())
                .map_err(|_| context.check().err().unwrap_or_else(indefinite))?;
            let mut right: Vec<f64> = (0..m)
                .map(|i| working[i].1 - dot(self.gram.row(active[i]), &alpha))
                .collect();
            factor.solve_vector(&mut right, par);
            if self.intercept {
                let mut unit = vec![1.0; m];
                factor.solve_vector(&mut unit, par);
                let fixed: f64 = alpha.iter().sum();
                bias = (right.iter().sum::<f64>() + fixed) / unit.iter().sum::<f64>();
                axpy(-bias, &unit, &mut right);
            } else {
                bias = 0.0;
            }
            for (&row, value) in active.iter().zip(right) {
                alpha[row] = value;
            }
        }
        Ok(self.state(alpha, bias, context))
    }

    /// Coefficients with the function they make.
    fn state(&self, alpha: Vec<f64>, bias: f64, context: &FitContext) -> State {
        let mut values = vec![0.0; alpha.len()];
        matvec(
            1.0,
            self.gram.as_ref(),
            Op::None,
            &alpha,
            0.0,
            &mut values,
            context.par(),
        );
        State {
            alpha,
            values,
            bias,
        }
    }
}

fn between(from: &State, to: &State, length: f64) -> State {
    let mix = |a: &[f64], b: &[f64]| -> Vec<f64> {
        a.iter().zip(b).map(|(a, b)| a + length * (b - a)).collect()
    };
    State {
        alpha: mix(&from.alpha, &to.alpha),
        values: mix(&from.values, &to.values),
        bias: from.bias + length * (to.bias - from.bias),
    }
}
