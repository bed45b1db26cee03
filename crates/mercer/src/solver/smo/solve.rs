//! The solver's loop: choose a working set, solve it, carry the change to all rows, shrink.
//!
//! A round takes the worst violators and free variables of the last round, solves the small
//! problem they form ([`Block`]), and adds the kernel rows of the variables that moved to the
//! decision values of all active rows. Variables that sat safely at a bound for a few rounds
//! are set aside with their rows. The rounds' changes are kept in a journal: before the
//! solver says "converged", rows that were set aside get what they missed, and everything is
//! looked at again.

use mercer_linalg::Real;
use mercer_linalg::descent::GROUP;

use super::block::Block;
use super::options::{Monitor, SmoOptions, Solution};
use super::working::{Chooser, Ends};
use super::{Coupling, DualProblem};
use crate::fit::{Progress, StopReason};
use crate::gram::{Gram, Proceed};
use crate::{Error, Result};

/// Problems up to this size are one block: its kernel values take 4 MiB of f32.
const WHOLE: usize = 1024;
/// Working variables of a round, as one in so many of all, and their bounds. Large sets see
/// more of the data, small ones compute fewer values that no step needs; measured on eight
/// sets of 1,000 to 50,000 rows.
const WORKING_SHARE: usize = 8;
const LEAST_WORKING: usize = 256;
const MOST_WORKING: usize = 1024;
/// A round goes on until violations inside it are this share of the worst one outside: the
/// rows outside have moved on by then, and more would be wasted.
const INNER_SHARE: f64 = 0.3;
/// Share of the tolerance below which a round never goes.
const INNER_FLOOR: f64 = 0.5;
/// Steps of a round per working variable, so that no round takes for ever.
const STEPS_PER_VARIABLE: u64 = 50;
/// Rounds in a row after which a settled variable is set aside.
const PATIENCE: u8 = 4;
/// Setting variables aside pays when it is at least one in this many.
const WORTH_SHRINKING: usize = 8;
/// Share of the tolerance that rounding of the running sums may reach before they are
/// computed anew.
const ALLOWED_DRIFT: f64 = 0.01;

/// Share of the largest residual or decision value below which violations are rounding.
pub const FINEST: f64 = 4.0 * f64::EPSILON;
/// Steps, and steps per variable, after which progress is looked at. A problem whose violation
/// has not halved, and which at this pace would close less than [`STUCK`] of its gap with all the
/// steps it has left, does not converge.
const WINDOW: u64 = 100_000;
const WINDOW_PER_VARIABLE: u64 = 2000;
const STUCK: f64 = 0.01;

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
    let mut run = Run::begin(gram, problem, start, options, monitor)?;
    let stop_reason = run.iterate(monitor);
    Ok(run.finish(stop_reason, monitor))
}

/// Bytes that the kernel values of working sets of a problem take.
pub fn working_bytes(variables: usize, element: usize) -> u64 {
    // A group of either sign is padded on its own.
    let padded = working_size(variables).next_multiple_of(GROUP) + GROUP;
    (padded * padded * element) as u64
}

/// Bytes of the lists that a problem is solved with, beside kernel values and the rows themselves.
///
/// A variable has sign, centre, bound, value and residual, a place among the active ones, the round
/// in which it was chosen and how long it is settled. A row has a decision value, its change, a
/// diagonal entry and two weights; its number, target and place in the data stand in lists of the
/// data given, of the distinct rows, and of those that are active.
pub fn list_bytes(variables: usize, rows: usize) -> u64 {
    const VARIABLE: usize = 5 * size_of::<f64>() + 2 * size_of::<u32>() + size_of::<u8>();
    const ROW: usize = 5 * size_of::<f64>() + u32::BITS as usize;
    (VARIABLE * variables + ROW * rows) as u64
}

fn working_size(variables: usize) -> usize {
    if variables <= WHOLE {
        variables
    } else {
        (variables / WORKING_SHARE).clamp(LEAST_WORKING, MOST_WORKING)
    }
}

/// Rows that were set aside together.
struct Aside {
    rows: Vec<u32>,
    /// Length of the journal at that time.
    since: usize,
}

struct Run<'a, T> {
    gram: &'a dyn Gram<T>,
    problem: &'a DualProblem,
    options: &'a SmoOptions,
    /// The tolerance, or what rounding allows.
    tolerance: f64,
    alpha: Vec<f64>,
    /// f = Kβ of every row; of rows set aside, as it was then.
    decision: Vec<f64>,
    /// Variables in play, ascending.
    active: Vec<u32>,
    /// Their rows, ascending; `None` for all.
    rows: Option<Vec<u32>>,
    aside: Vec<Aside>,
    /// Changes of β since something was set aside.
    journal: Vec<(u32, f64)>,
    /// For how many rounds a variable was settled.
    settled: Vec<u8>,
    chooser: Chooser,
    scale: f64,
    iterations: u64,
    /// Sum of all movements, times the kernel's scale: bounds the rounding of f.
    moved: f64,
    progress: Watch,
    memory: Vec<T>,
}

/// What was gained since the present window of steps began.
#[derive(Default)]
struct Watch {
    gain: f64,
    since: u64,
    violation: f64,
}

impl<'a, T: Real> Run<'a, T> {
    fn begin(
        gram: &'a dyn Gram<T>,
        problem: &'a DualProblem,
        alpha: Vec<f64>,
        options: &'a SmoOptions,
        monitor: &Monitor<'_>,
    ) -> Result<Self> {
        let active = takes_part(problem);
        let size = working_size(active.len());
        let diagonal = gram.diagonal().iter();
        let mut run = Self {
            decision: Vec::new(),
            rows: None,
            aside: Vec::new(),
            journal: Vec::new(),
            settled: vec![0; problem.len()],
            chooser: Chooser::new(problem, size),
            scale: diagonal.fold(f64::MIN_POSITIVE, |scale, d| scale.max(d.abs())),
            iterations: 0,
            moved: 0.0,
            progress: Watch::default(),
            memory: Vec::new(),
            tolerance: options.tolerance,
            gram,
            problem,
            options,
            alpha,
            active,
        };
        let cancel = &monitor.context.cancel;
        if !run.refresh(&|| !cancel.is_cancelled()) {
            return Err(Error::Cancelled);
        }
        let values = problem.centres.iter().chain(&run.decision);
        let largest = values.fold(0.0_f64, |most, v| most.max(v.abs()));
        run.tolerance = options.tolerance.max(FINEST * largest);
        Ok(run)
    }

    fn iterate(&mut self, monitor: &Monitor<'_>) -> StopReason {
        let proceed = || monitor.stop().is_none();
        let (mut first, mut least) = (None, f64::INFINITY);
        loop {
            if let Some(reason) = monitor.stop() {
                return reason;
            }
            let residuals = self.residuals();
            let ends = Chooser::ends(self.problem, &self.alpha, &self.active, &residuals);
            let violation = Chooser::violation(self.problem, &ends);
            let first = *first.get_or_insert(violation);
            least = violation.min(least);
            monitor.context.tell(|| Progress {
                stage: monitor.stage.clone(),
                share: Some(monitor.share(first, least, self.tolerance)),
                iterations: self.iterations,
                violation: violation.is_finite().then_some(violation),
                phase: None,
            });
            if violation <= self.tolerance {
                if self.is_exact() {
                    return StopReason::Converged;
                }
                self.look_at_all(&proceed);
                continue;
            }
            if self.iterations >= self.options.max_iterations {
                return StopReason::IterationLimit;
            }
            if self.is_beyond_precision() || self.is_stuck(&residuals, &ends, violation) {
                return StopReason::Stalled;
            }
            if self.options.shrinking {
                self.shrink(&residuals, &ends);
            }
            match self.round(&residuals, &ends, violation, &proceed) {
                Round::Moved | Round::Interrupted => {}
                Round::Nothing if self.is_exact() => return StopReason::Stalled,
                Round::Nothing => {
                    self.look_at_all(&proceed);
                }
            }
        }
    }

    /// Whether entries of the kernel are too coarse for multipliers as large as these.
    fn is_beyond_precision(&self) -> bool {
        let squares: f64 = self.alpha.iter().map(|a| a * a).sum();
        squares.sqrt() > self.options.largest_norm
    }

    /// Whether a whole window of steps has brought next to nothing.
    fn is_stuck(&mut self, residuals: &[f64], ends: &[Ends; 2], violation: f64) -> bool {
        let window = WINDOW.max(WINDOW_PER_VARIABLE * self.problem.len() as u64);
        let steps = self.iterations - self.progress.since;
        if steps < window {
            return false;
        }
        let last = std::mem::replace(
            &mut self.progress,
            Watch {
                gain: 0.0,
                since: self.iterations,
                violation,
            },
        );
        let left = self.options.max_iterations.saturating_sub(self.iterations);
        let hoped = last.gain * left as f64 / steps as f64;
        let is_first = last.violation == 0.0;
        !is_first && violation > 0.5 * last.violation && hoped < STUCK * self.gap(residuals, ends)
    }

    /// How far the objective can be from the optimum, as far as active variables tell: each moves
    /// to the end of its box that its residual asks for.
    fn gap(&self, residuals: &[f64], ends: &[Ends; 2]) -> f64 {
        let problem = self.problem;
        let term = |(&t, &f): (&u32, &f64)| {
            let Ends { up, down } = ends[Chooser::group(problem, t)];
            let level = match problem.coupling {
                Coupling::None => 0.0,
                Coupling::Sum | Coupling::PerSign => f64::midpoint(up, down),
            };
            let (slope, a) = (f - level, self.alpha[t as usize]);
            let upper = problem.upper[t as usize];
            let rises = problem.signs[t as usize] * slope > 0.0;
            slope.abs() * if rises { upper - a } else { a }
        };
        self.active.iter().zip(residuals).map(term).sum()
    }

    fn residuals(&self) -> Vec<f64> {
        let rows = self.problem.rows;
        self.active
            .iter()
            .map(|&t| self.problem.centres[t as usize] - self.decision[t as usize % rows])
            .collect()
    }

    /// Solves one working set and carries the change to all active rows.
    fn round(
        &mut self,
        residuals: &[f64],
        ends: &[Ends; 2],
        violation: f64,
        proceed: Proceed<'_>,
    ) -> Round {
        let problem = self.problem;
        let active = &self.active;
        let working = self
            .chooser
            .choose(problem, &self.alpha, active, residuals, ends);
        let whole = working.len() == active.len() && self.aside.is_empty();
        let memory = std::mem::take(&mut self.memory);
        let decision = &self.decision;
        let residual = |t: u32| problem.centres[t as usize] - decision[t as usize % problem.rows];
        let (gram, scale) = (self.gram, self.scale);
        let mut block = Block::new(
            gram,
            problem,
            &working,
            &self.alpha,
            residual,
            scale,
            memory,
        );
        let tolerance = self.tolerance;
        let inner = if whole {
            tolerance
        } else {
            (INNER_FLOOR * tolerance).max(INNER_SHARE * violation)
        };
        let most = STEPS_PER_VARIABLE * working.len() as u64;
        let left = self.options.max_iterations - self.iterations;
        let steps = block.solve(inner, most.min(left), proceed);
        let mut moves: Vec<(u32, f64)> = Vec::new();
        let changed: Vec<(u32, f64)> = block
            .values()
            .filter(|&(t, a)| a != self.alpha[t as usize])
            .collect();
        let mut gain = 0.0;
        for ((t, a), (_, after)) in block.values().zip(block.residuals()) {
            let change = problem.signs[t as usize] * (a - self.alpha[t as usize]);
            gain += 0.5 * change * (residual(t) + after);
        }
        for &(t, a) in &changed {
            let change = problem.signs[t as usize] * (a - self.alpha[t as usize]);
            moves.push((t % problem.rows as u32, change));
        }
        let done = if whole && problem.len() == problem.rows && active.len() == problem.rows {
            for (t, f) in block.residuals() {
                self.decision[t as usize] = problem.centres[t as usize] - f;
            }
            true
        } else {
            self.carry(&moves, proceed)
        };
        self.memory = block.into_memory();
        if !done {
            return Round::Interrupted;
        }
        for &(t, a) in &changed {
            self.alpha[t as usize] = a;
        }
        self.iterations += steps;
        self.progress.gain += gain.max(0.0);
        self.moved += self.scale * moves.iter().map(|(_, c)| c.abs()).sum::<f64>();
        if !self.aside.is_empty() {
            self.journal.extend(&moves);
        }
        if changed.is_empty() {
            Round::Nothing
        } else {
            Round::Moved
        }
    }

    /// Adds the kernel rows of changed β to the decision values of active rows.
    fn carry(&mut self, moves: &[(u32, f64)], proceed: Proceed<'_>) -> bool {
        let (rows, coefficients): (Vec<u32>, Vec<f64>) = moves.iter().copied().unzip();
        let columns = self.rows.as_deref();
        add(
            self.gram,
            &rows,
            &coefficients,
            columns,
            &mut self.decision,
            proceed,
        )
    }

    /// Sets aside variables that were settled for a few rounds: at a bound, and pushed against
    /// it by more than the worst violation.
    fn shrink(&mut self, residuals: &[f64], ends: &[Ends; 2]) {
        let problem = self.problem;
        let mut ready = 0;
        for (&t, &f) in self.active.iter().zip(residuals) {
            let Ends { up, down } = ends[Chooser::group(problem, t)];
            let a = self.alpha[t as usize];
            let (rises, falls) = (
                problem.can_rise(t as usize, a),
                problem.can_fall(t as usize, a),
            );
            let settled = (!rises && f > up) || (!falls && f < down);
            let count = &mut self.settled[t as usize];
            *count = if settled { count.saturating_add(1) } else { 0 };
            ready += usize::from(*count >= PATIENCE);
        }
        if ready * WORTH_SHRINKING < self.active.len() || ready < WHOLE / 2 {
            return;
        }
        let before = self.active_rows();
        let settled = &self.settled;
        self.active.retain(|&t| settled[t as usize] < PATIENCE);
        let after = rows_of(problem, &self.active);
        let gone: Vec<u32> = {
            let mut kept = after.iter().peekable();
            let is_gone = |r: &u32| {
                while kept.next_if(|k| *k < r).is_some() {}
                kept.peek() != Some(&r)
            };
            before.into_iter().filter(is_gone).collect()
        };
        self.aside.push(Aside {
            rows: gone,
            since: self.journal.len(),
        });
        self.rows = Some(after);
    }

    fn active_rows(&self) -> Vec<u32> {
        self.rows
            .clone()
            .unwrap_or_else(|| (0..self.problem.rows as u32).collect())
    }

    /// Whether all rows are in play and their decision values as good as new.
    fn is_exact(&self) -> bool {
        self.aside.is_empty() && !self.has_drifted()
    }

    fn has_drifted(&self) -> bool {
        f64::EPSILON * self.moved > ALLOWED_DRIFT * self.tolerance
    }

    /// Gives rows set aside what they missed and puts every variable in play; does nothing
    /// when interrupted.
    fn look_at_all(&mut self, proceed: Proceed<'_>) -> bool {
        if self.has_drifted() {
            return self.refresh(proceed);
        }
        let mut missed = vec![0.0; self.problem.rows];
        let mut end = self.journal.len();
        // From the last to the first: each group missed the changes after it.
        while let Some(group) = self.aside.pop() {
            for &(row, change) in &self.journal[group.since..end] {
                missed[row as usize] += change;
            }
            end = end.min(group.since);
            let (rows, coefficients) = nonzero(&missed);
            let columns = Some(&group.rows[..]);
            let decision = &mut self.decision;
            if !add(self.gram, &rows, &coefficients, columns, decision, proceed) {
                self.aside.push(group);
                return false;
            }
            // Its rows take part again, so that an interruption later finds them current.
            let mut rows = self.active_rows();
            rows.extend(&group.rows);
            rows.sort_unstable();
            self.rows = Some(rows);
        }
        self.activate_all();
        true
    }

    fn activate_all(&mut self) {
        self.aside.clear();
        self.journal.clear();
        self.rows = None;
        self.settled.fill(0);
        self.active = takes_part(self.problem);
    }

    /// Recomputes all decision values from the kernel and puts every variable in play.
    fn refresh(&mut self, proceed: Proceed<'_>) -> bool {
        let (rows, coefficients) = nonzero(&self.problem.coefficients(&self.alpha));
        let mut decision = vec![0.0; self.problem.rows];
        if !rows.is_empty()
            && !self
                .gram
                .add_rows(&rows, &coefficients, None, &mut decision, proceed)
        {
            return false;
        }
        self.decision = decision;
        self.moved = 0.0;
        self.activate_all();
        true
    }

    fn finish(mut self, stop_reason: StopReason, monitor: &Monitor<'_>) -> Solution {
        let cancel = &monitor.context.cancel;
        if !self.is_exact() && !self.look_at_all(&|| !cancel.is_cancelled()) {
            // A cancelled run has no time for rows set aside: theirs are as good as unknown.
            for group in &self.aside {
                for &row in &group.rows {
                    self.decision[row as usize] = f64::NAN;
                }
            }
        }
        let residuals = self.problem.residuals(&self.decision);
        Solution {
            violation: self.problem.violation(&self.alpha, &residuals),
            objective: self.problem.objective(&self.alpha, &residuals),
            alpha: self.alpha,
            residuals,
            iterations: self.iterations,
            stop_reason,
        }
    }
}

/// What a round came to.
enum Round {
    Moved,
    /// Nothing moves at this precision.
    Nothing,
    /// The change was not carried to all rows, and is dropped.
    Interrupted,
}

/// Variables whose box is not a point.
fn takes_part(problem: &DualProblem) -> Vec<u32> {
    (0..problem.len() as u32)
        .filter(|&t| problem.upper[t as usize] > 0.0)
        .collect()
}

/// Rows of ascending variables, each once, ascending.
fn rows_of(problem: &DualProblem, variables: &[u32]) -> Vec<u32> {
    let mut rows: Vec<u32> = variables.iter().map(|t| t % problem.rows as u32).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

fn nonzero(values: &[f64]) -> (Vec<u32>, Vec<f64>) {
    let numbered = values.iter().enumerate().filter(|(_, v)| **v != 0.0);
    numbered.map(|(i, &v)| (i as u32, v)).unzip()
}

/// Adds Σ c_k K(r_k, ·) to the decision values of some rows, or leaves all as they were.
fn add<T: Real>(
    gram: &dyn Gram<T>,
    rows: &[u32],
    coefficients: &[f64],
    columns: Option<&[u32]>,
    decision: &mut [f64],
    proceed: Proceed<'_>,
) -> bool {
    if rows.is_empty() {
        return true;
    }
    let mut sums = vec![0.0; columns.map_or(decision.len(), <[u32]>::len)];
    if !gram.add_rows(rows, coefficients, columns, &mut sums, proceed) {
        return false;
    }
    match columns {
        None => {
            for (f, sum) in decision.iter_mut().zip(sums) {
                *f += sum;
            }
        }
        Some(columns) => {
            for (&row, sum) in columns.iter().zip(sums) {
                decision[row as usize] += sum;
            }
        }
    }
    true
}
