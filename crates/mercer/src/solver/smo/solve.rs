//! The solver's loop: select, step, shrink, verify.

use mercer_linalg::Real;

use super::active::Active;
use super::select::{
    Pair, best_partner, best_single, kernel_scale, least_falling, most_rising, single_curvature,
    worst_violators,
};
use super::{Coupling, DualProblem};
use crate::fit::{FitContext, Progress, StopReason};
use crate::gram::{Gram, GramRow};
use crate::{Error, Result};

/// When to stop and whether to set aside settled variables.
#[derive(Debug, Clone, PartialEq)]
pub struct SmoOptions {
    /// Largest KKT violation of a converged answer.
    pub tolerance: f64,
    /// Whether settled variables leave the active set.
    pub shrinking: bool,
    /// Largest number of steps.
    pub max_iterations: u64,
}

impl SmoOptions {
    /// Returns the step budget for a problem where the user set none: ten million, more for
    /// more than 100,000 rows. Problems that need more do not converge in sensible time.
    pub fn default_iterations(rows: usize) -> u64 {
        (100 * rows as u64).max(10_000_000)
    }
}

/// Watches budgets on behalf of a solver and passes progress on.
pub struct Monitor<'a> {
    /// The fit this solver is part of.
    pub context: &'a FitContext,
    /// What is being solved.
    pub stage: String,
    /// Share of the whole fit that was done before this solver started.
    pub share: Option<f64>,
}

impl Monitor<'_> {
    fn stop(&self) -> Option<StopReason> {
        if self.context.cancel.is_cancelled() {
            Some(StopReason::Cancelled)
        } else if self.context.out_of_time() {
            Some(StopReason::TimeLimit)
        } else {
            None
        }
    }
}

/// A point the solver stopped at.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The variables a_t.
    pub alpha: Vec<f64>,
    /// F_t of every variable, recomputed from the kernel at the end.
    pub residuals: Vec<f64>,
    /// Largest KKT violation over all variables.
    pub violation: f64,
    /// Value of the minimised objective.
    pub objective: f64,
    /// Steps taken.
    pub iterations: u64,
    /// Why the solver stopped.
    pub stop_reason: StopReason,
}

/// Violators on either side whose rows are computed along with a wanted one: fifteen rows in
/// all, which a sparse tile does in one pass over the data.
const PREFETCH: usize = 7;
/// Iterations between progress messages.
const TELL_EVERY: u64 = 1024;
/// Iterations between looks at the clock, which costs some 25 ns.
const CLOCK_EVERY: u64 = 16;

/// Solves a problem from a feasible start.
///
/// # Errors
/// Cancellation during the first evaluation of the residuals.
pub fn solve<T: Real>(
    gram: &dyn Gram<T>,
    problem: &DualProblem,
    start: Vec<f64>,
    options: &SmoOptions,
    monitor: &Monitor<'_>,
) -> Result<Solution> {
    debug_assert_eq!(start.len(), problem.len());
    debug_assert_eq!(gram.len(), problem.rows);
    let mut run = Run::begin(gram, problem, start, options)?;
    let stop_reason = run.iterate(monitor)?;
    run.finish(stop_reason)
}

/// The residuals that decide the next step in one group of variables.
struct Extremes {
    /// Position of the largest residual among variables that may rise.
    rising: Option<usize>,
    /// Its value.
    up: f64,
    /// The smallest residual among variables that may fall.
    down: f64,
}

struct Run<'a, T> {
    gram: &'a dyn Gram<T>,
    problem: &'a DualProblem,
    options: &'a SmoOptions,
    alpha: Vec<f64>,
    active: Active,
    scale: f64,
    iterations: u64,
    /// All residuals, while they are exact and all variables active.
    fresh: Option<Vec<f64>>,
    shrink_at: u64,
    /// Whether the look at all rows near convergence was already taken.
    near_look: bool,
    first_scratch: Vec<T>,
    second_scratch: Vec<T>,
}

impl<'a, T: Real> Run<'a, T> {
    fn begin(
        gram: &'a dyn Gram<T>,
        problem: &'a DualProblem,
        alpha: Vec<f64>,
        options: &'a SmoOptions,
    ) -> Result<Self> {
        let residuals = exact_residuals(gram, problem, &alpha)?;
        Ok(Self {
            active: Active::all(problem, &alpha, &residuals, gram.diagonal()),
            scale: kernel_scale(gram.diagonal()),
            shrink_at: shrink_interval(problem),
            gram,
            problem,
            options,
            alpha,
            iterations: 0,
            fresh: Some(residuals),
            near_look: false,
            first_scratch: Vec::new(),
            second_scratch: Vec::new(),
        })
    }

    fn iterate(&mut self, monitor: &Monitor<'_>) -> Result<StopReason> {
        loop {
            if monitor.context.cancel.is_cancelled() {
                return Ok(StopReason::Cancelled);
            }
            if self.iterations.is_multiple_of(CLOCK_EVERY)
                && let Some(reason) = monitor.stop()
            {
                return Ok(reason);
            }
            let scan = self.scan();
            let violation = self.violation(&scan);
            if self.iterations.is_multiple_of(TELL_EVERY) {
                monitor.context.tell(|| Progress {
                    stage: monitor.stage.clone(),
                    share: monitor.share,
                    iterations: self.iterations,
                    violation: violation.is_finite().then_some(violation),
                });
            }
            if violation <= self.options.tolerance {
                if self.fresh.is_some() {
                    return Ok(StopReason::Converged);
                }
                self.refresh()?;
                continue;
            }
            if self.iterations >= self.options.max_iterations {
                return Ok(StopReason::IterationLimit);
            }
            if self.options.shrinking && self.iterations >= self.shrink_at {
                self.shrink_at = self.iterations + shrink_interval(self.problem);
                if !self.near_look && violation <= 10.0 * self.options.tolerance {
                    self.near_look = true;
                    self.refresh()?;
                } else {
                    self.shrink(&scan);
                }
                continue;
            }
            if !self.step(&scan) {
                // Nothing moves at this precision. Rounding may have spoilt the residuals,
                // so only a look at fresh ones can tell.
                if self.fresh.is_some() {
                    return Ok(StopReason::Stalled);
                }
                self.refresh()?;
                continue;
            }
            self.iterations += 1;
        }
    }

    /// Ranges of active positions that share a constraint.
    fn groups(&self) -> [std::ops::Range<usize>; 2] {
        let (split, n) = (self.active.positive, self.active.len());
        match self.problem.coupling {
            Coupling::PerSign => [0..split, split..n],
            Coupling::Sum | Coupling::None => [0..n, n..n],
        }
    }

    /// Looks for the extremes of the residuals in each group.
    fn scan(&self) -> [Extremes; 2] {
        self.groups().map(|range| {
            let rising = most_rising(&self.active, range.clone());
            Extremes {
                rising: rising.map(|(k, _)| k),
                up: rising.map_or(f64::NEG_INFINITY, |(_, v)| v),
                down: least_falling(&self.active, range).unwrap_or(f64::INFINITY),
            }
        })
    }

    /// Largest violation over the active variables.
    fn violation(&self, [first, second]: &[Extremes; 2]) -> f64 {
        match self.problem.coupling {
            Coupling::None => first.up.max(-first.down).max(0.0),
            Coupling::Sum | Coupling::PerSign => {
                let other = second.up - second.down;
                (first.up - first.down).max(other).max(0.0)
            }
        }
    }

    /// Moves one variable or pair; returns whether anything changed.
    fn step(&mut self, scan: &[Extremes; 2]) -> bool {
        match self.problem.coupling {
            Coupling::None => self.step_single(),
            Coupling::Sum | Coupling::PerSign => self.step_pair(scan),
        }
    }

    /// Returns a kernel row; when it must be computed, rows of the worst violators are
    /// computed along with it.
    fn row(&self, row: u32) -> GramRow<'a, T> {
        let gram = self.gram;
        if !gram.is_held(row as usize) {
            let held = |k: usize| gram.is_held(self.active.rows[k] as usize);
            let likely = worst_violators(&self.active, PREFETCH, |k| !held(k));
            let mut rows: Vec<u32> = vec![row];
            rows.extend(likely.into_iter().map(|k| self.active.rows[k]));
            rows.sort_unstable();
            rows.dedup();
            gram.prefetch(&rows);
        }
        gram.row(row as usize)
    }

    fn step_pair(&mut self, scan: &[Extremes; 2]) -> bool {
        let mut best: Option<(Pair, GramRow<'_, T>)> = None;
        for (range, extremes) in self.groups().into_iter().zip(scan) {
            let Some(rising) = extremes.rising else {
                continue;
            };
            let row = self.row(self.active.rows[rising]);
            let view = self.active.view(&row, &mut self.first_scratch);
            let Some(pair) = best_partner(&self.active, range, rising, view, self.scale) else {
                continue;
            };
            if best.as_ref().is_none_or(|(b, _)| pair.gain > b.gain) {
                best = Some((pair, row));
            }
        }
        let Some((pair, rising_row)) = best else {
            return false;
        };
        let difference = self.active.residuals[pair.rising] - self.active.residuals[pair.falling];
        let room = self
            .room(pair.rising, true)
            .min(self.room(pair.falling, false));
        let length = (difference / pair.curvature).min(room);
        let rise = self.shift(pair.rising, length);
        let fall = self.shift(pair.falling, -length);
        if rise == 0.0 && fall == 0.0 {
            return false;
        }
        let falling_row = self.row(self.active.rows[pair.falling]);
        let first = self.active.view(&rising_row, &mut self.first_scratch);
        let second = self.active.view(&falling_row, &mut self.second_scratch);
        for ((f, a), b) in self.active.residuals.iter_mut().zip(first).zip(second) {
            *f -= rise * a.to_f64() + fall * b.to_f64();
        }
        self.fresh = None;
        true
    }

    fn step_single(&mut self) -> bool {
        let Some(k) = best_single(&self.active, self.scale) else {
            return false;
        };
        let f = self.active.residuals[k];
        let wanted = f.abs() / single_curvature(&self.active, k, self.scale);
        let length = wanted.min(self.room(k, f > 0.0));
        let moved = self.shift(k, length.copysign(f));
        if moved == 0.0 {
            return false;
        }
        let row = self.row(self.active.rows[k]);
        let view = self.active.view(&row, &mut self.first_scratch);
        for (f, a) in self.active.residuals.iter_mut().zip(view) {
            *f -= moved * a.to_f64();
        }
        self.fresh = None;
        true
    }

    /// How far β at a position can move up or down.
    fn room(&self, position: usize, up: bool) -> f64 {
        let t = self.active.ids[position] as usize;
        if up == (self.problem.signs[t] > 0.0) {
            self.problem.upper[t] - self.alpha[t]
        } else {
            self.alpha[t]
        }
    }

    /// Moves β at a position, lands exactly on bounds, and returns the movement of β that
    /// the rounded variable really made.
    fn shift(&mut self, position: usize, length: f64) -> f64 {
        let t = self.active.ids[position] as usize;
        let sign = self.problem.signs[t];
        let old = self.alpha[t];
        let upper = self.problem.upper[t];
        let room = self.room(position, length > 0.0);
        let new = if length.abs() >= room {
            if sign * length > 0.0 { upper } else { 0.0 }
        } else {
            (old + sign * length).clamp(0.0, upper)
        };
        self.alpha[t] = new;
        self.active.mark(position, self.problem, &self.alpha);
        sign * (new - old)
    }

    /// Sets aside variables that sit at a bound and are pushed against it by more than the
    /// worst violation.
    fn shrink(&mut self, [first, second]: &[Extremes; 2]) {
        let (mut up, mut down) = (first.up, first.down);
        if self.problem.coupling == Coupling::None {
            let worst = up.max(-down).max(0.0);
            (up, down) = (worst, -worst);
        }
        let (other_up, other_down) = (second.up, second.down);
        let split = self.active.positive;
        let per_sign = self.problem.coupling == Coupling::PerSign;
        self.active.shrink(self.problem, |active, k| {
            let (up, down) = if per_sign && k >= split {
                (other_up, other_down)
            } else {
                (up, down)
            };
            let f = active.residuals[k];
            let rises = active.rise[k] == 0.0;
            let falls = active.fall[k] == 0.0;
            (falls && !rises && f > up) || (rises && !falls && f < down)
        });
        self.fresh = None;
    }

    /// Recomputes all residuals from the kernel and activates every variable.
    fn refresh(&mut self) -> Result<()> {
        let residuals = exact_residuals(self.gram, self.problem, &self.alpha)?;
        self.active = Active::all(self.problem, &self.alpha, &residuals, self.gram.diagonal());
        self.fresh = Some(residuals);
        self.shrink_at = self.iterations + shrink_interval(self.problem);
        Ok(())
    }

    fn finish(mut self, stop_reason: StopReason) -> Result<Solution> {
        let exact = match self.fresh.take() {
            Some(residuals) => Some(residuals),
            None => match exact_residuals(self.gram, self.problem, &self.alpha) {
                Err(Error::Cancelled) if stop_reason == StopReason::Cancelled => None,
                other => Some(other?),
            },
        };
        // A cancelled run has no time for exact residuals: those of active variables are
        // current, the others are as good as unknown.
        let residuals = exact.unwrap_or_else(|| {
            let mut residuals = vec![f64::NAN; self.problem.len()];
            for (&t, &f) in self.active.ids.iter().zip(&self.active.residuals) {
                residuals[t as usize] = f;
            }
            residuals
        });
        let alpha = std::mem::take(&mut self.alpha);
        Ok(Solution {
            violation: self.problem.violation(&alpha, &residuals),
            objective: self.problem.objective(&alpha, &residuals),
            alpha,
            residuals,
            iterations: self.iterations,
            stop_reason,
        })
    }
}

fn shrink_interval(problem: &DualProblem) -> u64 {
    // The rhythm of the literature: often enough to pay, rarely enough to cost nothing.
    (problem.len() as u64).clamp(1, 1000)
}

fn exact_residuals<T: Real>(
    gram: &dyn Gram<T>,
    problem: &DualProblem,
    alpha: &[f64],
) -> Result<Vec<f64>> {
    let beta = problem.coefficients(alpha);
    Ok(problem.residuals(&gram.apply(&beta)?))
}
