//! A quadratic problem over a subset of the rows of one stored kernel matrix.
//!
//! ```text
//! minimise  ½ βᵀKβ − cᵀβ   subject to  low ≤ β ≤ high,  Σβ fixed
//! ```
//!
//! Every variable belongs to a row; classification has one per row, with the label as centre c
//! and a box on its own side of zero, regression two per row, one class one per row with centre
//! 0. Rounds pick the variables that violate most, copy their small matrix, and move pairs in it
//! until little is left ([`mercer_linalg::pair_descent`]); where pairs creep, all free variables
//! move at once by one linear system ([`level_step`]). Then the decision values f = Kβ of
//! *all* rows follow in double precision. Held-out rows have no variable, but their decision
//! values are there when the problem is solved.

use mercer_linalg::{Matrix, PairProblem, axpy_wide, padded, pair_descent};

use super::rows::KernelRows;
use crate::fit::FitContext;
use crate::solver::smo::level_step;
use crate::{Error, Result};

/// Variables of a round at least: their matrix takes 256 KiB and stays in the second-level cache.
/// From 128 to 512 the time changes by a tenth.
const WORKING: usize = 256;
/// Share of a round's violation that is left for the next one.
const LEFT_OVER: f64 = 0.1;
/// Steps of a round per variable.
const STEPS: u64 = 100;
/// Steps per variable after which pairs have crept long enough.
const JUMP_AFTER: u64 = 20;
/// Jumps in a row.
const JUMPS: usize = 24;
/// Rounds after which a problem counts as too hard for single precision.
const MOST_ROUNDS: usize = 300;

/// A problem over some rows of a matrix.
pub(super) struct BoxProblem {
    /// The row of each variable.
    pub(super) rows: Vec<u32>,
    /// c of each variable.
    pub(super) centres: Vec<f64>,
    /// Lower ends of the box.
    pub(super) low: Vec<f64>,
    /// Upper ends of the box.
    pub(super) high: Vec<f64>,
}

/// A feasible point with its decision values.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// One value per variable.
    pub(super) beta: Vec<f64>,
    /// f = Kβ of every row of the matrix, held-out ones included.
    pub(super) decision: Vec<f64>,
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ending {
    /// The conditions hold within the tolerance; the constant of the decision.
    Solved {
        /// What is to be added to f.
        level: f64,
    },
    /// No step helps at this precision.
    Stalled,
    /// The work is used up.
    Cut,
    /// The time is up.
    OutOfTime,
}

/// Buffers that solves share.
#[derive(Default)]
pub(super) struct Workspace {
    matrix: Vec<f32>,
    residuals: Vec<f32>,
    beta: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    order: Vec<(f64, u32)>,
    falling: Vec<(f64, u32)>,
    index: Vec<u32>,
    /// The rows whose values the matrix holds.
    held: Vec<u32>,
    /// Multiplications so far, and how many there may be.
    pub(super) work: f64,
    most_work: f64,
}

impl Workspace {
    /// Allows so many multiplications from the time [`Workspace::work`] is set to zero.
    pub(super) fn bounded(most_work: f64) -> Self {
        Self {
            most_work,
            ..Self::default()
        }
    }

    /// Returns one without buffers that allows as much.
    pub(super) fn emptied(&self) -> Self {
        Self::bounded(self.most_work)
    }
}

impl BoxProblem {
    /// The largest residual that may rise and the smallest that may fall.
    fn extremes(&self, state: &State) -> (f64, f64) {
        let (mut top, mut bottom) = (f64::NEG_INFINITY, f64::INFINITY);
        for (t, &row) in self.rows.iter().enumerate() {
            let f = self.centres[t] - state.decision[row as usize];
            if state.beta[t] < self.high[t] {
                top = top.max(f);
            }
            if state.beta[t] > self.low[t] {
                bottom = bottom.min(f);
            }
        }
        (top, bottom)
    }

    /// The residual that free variables share; without any, the middle of what is allowed.
    fn level(&self, state: &State) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for (t, &row) in self.rows.iter().enumerate() {
            if state.beta[t] > self.low[t] && state.beta[t] < self.high[t] {
                sum += self.centres[t] - state.decision[row as usize];
                count += 1.0;
            }
        }
        if count > 0.0 {
            return sum / count;
        }
        match self.extremes(state) {
            (top, bottom) if top.is_finite() && bottom.is_finite() => f64::midpoint(top, bottom),
            (top, _) if top.is_finite() => top,
            (_, bottom) if bottom.is_finite() => bottom,
            _ => 0.0,
        }
    }

    /// ½ βᵀKβ − cᵀβ.
    pub(super) fn objective(&self, state: &State) -> f64 {
        let terms = self.rows.iter().enumerate();
        terms
            .map(|(t, &row)| state.beta[t] * (0.5 * state.decision[row as usize] - self.centres[t]))
            .sum()
    }
}

/// Solves a problem from a feasible start, in place.
///
/// # Errors
/// Cancellation.
pub(super) fn solve_on_gram(
    kernel: &mut KernelRows<'_>,
    problem: &BoxProblem,
    state: &mut State,
    tolerance: f64,
    space: &mut Workspace,
    context: &FitContext,
) -> Result<Ending> {
    for _ in 0..MOST_ROUNDS {
        if context.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if context.out_of_time() {
            return Ok(Ending::OutOfTime);
        }
        let (top, bottom) = problem.extremes(state);
        let violation = top - bottom;
        if violation.is_nan() || violation <= tolerance {
            let level = problem.level(state);
            return Ok(Ending::Solved { level });
        }
        if space.work > space.most_work {
            return Ok(Ending::Cut);
        }
        let middle = f64::midpoint(top, bottom);
        choose(problem, state, space);
        let aim = if space.order.len() == problem.rows.len() {
            0.9 * tolerance
        } else {
            (0.9 * tolerance).max(LEFT_OVER * violation)
        };
        if !round(kernel, problem, state, middle, aim, space, context) {
            return Ok(Ending::Stalled);
        }
    }
    Ok(Ending::Stalled)
}

/// Picks the variables of a round: half of those that may rise, by residual, and half of those
/// that may fall. The worst pair is always among them, which is what convergence rests on.
fn choose(problem: &BoxProblem, state: &State, space: &mut Workspace) {
    space.order.clear();
    space.falling.clear();
    for (t, &row) in problem.rows.iter().enumerate() {
        let f = problem.centres[t] - state.decision[row as usize];
        if state.beta[t] < problem.high[t] {
            space.order.push((f, t as u32));
        }
        if state.beta[t] > problem.low[t] {
            space.falling.push((-f, t as u32));
        }
    }
    let rank = |a: &(f64, u32), b: &(f64, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    // Free variables must meet each other, or rounds undo each other's work; half as many places
    // again are for those that become free.
    let free = (space.order.len() + space.falling.len()).saturating_sub(problem.rows.len());
    let half = WORKING.max(free + free / 2) / 2;
    let movable = |t: &usize| problem.low[*t] < problem.high[*t];
    if 3 * half > problem.rows.len() {
        // All at once: the matrix is copied once and serves every C of this fold.
        let all = (0..problem.rows.len()).filter(movable);
        space.order.clear();
        space.order.extend(all.map(|t| (0.0, t as u32)));
        return;
    }
    for side in [&mut space.order, &mut space.falling] {
        if side.len() > half {
            side.select_nth_unstable_by(half - 1, rank);
            side.truncate(half);
        }
    }
    space.order.append(&mut space.falling);
    space.order.sort_unstable_by_key(|(_, t)| *t);
    space.order.dedup_by_key(|(_, t)| *t);
}

/// Solves the small problem of the chosen variables; returns whether anything moved.
fn round(
    kernel: &mut KernelRows<'_>,
    problem: &BoxProblem,
    state: &mut State,
    middle: f64,
    aim: f64,
    space: &mut Workspace,
    context: &FitContext,
) -> bool {
    let chosen = &space.order;
    let q = chosen.len();
    let stride = padded(q);
    kernel.prepare(chosen.iter().map(|&(_, t)| problem.rows[t as usize]));
    if space.matrix.len() < q * stride {
        space.matrix.resize(q * stride, 0.0);
    }
    space.residuals.clear();
    space.residuals.resize(stride, 0.0);
    space.beta.clear();
    space.low.clear();
    space.high.clear();
    space.index.clear();
    let rows = chosen.iter().map(|&(_, t)| problem.rows[t as usize]);
    space.index.extend(rows);
    if space.held != space.index {
        for (k, &row) in space.index.iter().enumerate() {
            let row = kernel.row(row);
            let out = &mut space.matrix[k * stride..(k + 1) * stride];
            for (out, &column) in out.iter_mut().zip(&space.index) {
                *out = row[column as usize];
            }
        }
        space.held.clone_from(&space.index);
    }
    for (k, &(_, t)) in chosen.iter().enumerate() {
        let t = t as usize;
        let f = problem.centres[t] - state.decision[problem.rows[t] as usize];
        space.residuals[k] = (f - middle) as f32;
        space.beta.push(state.beta[t]);
        space.low.push(problem.low[t]);
        space.high.push(problem.high[t]);
    }
    let small = PairProblem {
        matrix: &space.matrix[..q * stride],
        low: &space.low,
        high: &space.high,
    };
    let patience = JUMP_AFTER * q as u64;
    let mut steps = 0;
    while steps < STEPS * q as u64 && context.goes_on() {
        let (beta, residuals) = (&mut space.beta, &mut space.residuals);
        let taken = pair_descent(&small, beta, residuals, aim, patience);
        // A step passes over the residuals, the gains and two rows.
        space.work += 3.0 * (taken * q as u64) as f64;
        steps += taken;
        if taken < patience {
            break;
        }
        // A jump that a bound has cut leaves one free variable fewer for the next.
        for _ in 0..JUMPS {
            steps += 1;
            let (work, is_cut) = jump(&small, beta, residuals);
            space.work += work;
            if !is_cut {
                break;
            }
        }
    }
    if steps == 0 {
        return false;
    }
    let mut moved = false;
    for (k, &(_, t)) in chosen.iter().enumerate() {
        let t = t as usize;
        let change = space.beta[k] - state.beta[t];
        if change != 0.0 {
            moved = true;
            state.beta[t] = space.beta[k];
            space.work += state.decision.len() as f64;
            axpy_wide(change, kernel.row(problem.rows[t]), &mut state.decision);
        }
    }
    moved
}

/// Moves all free variables to where their residuals are equal, as far as the box allows; returns
/// the multiplications and whether a bound cut the way short.
fn jump(problem: &PairProblem<'_>, beta: &mut [f64], residuals: &mut [f32]) -> (f64, bool) {
    let stride = residuals.len();
    let PairProblem { matrix, low, high } = *problem;
    let free: Vec<usize> = (0..beta.len())
        .filter(|&i| beta[i] > low[i] && beta[i] < high[i])
        .collect();
    let m = free.len();
    if m < 2 {
        return (0.0, false);
    }
    let entry = |i: usize, j: usize| f64::from(matrix[i * stride + j]);
    let scale = free
        .iter()
        .fold(f64::MIN_POSITIVE, |s, &i| s.max(entry(i, i)));
    let small = Matrix::from_fn(m, m, |i, j| entry(free[i], free[j]));
    let aims: Vec<f64> = free.iter().map(|&i| f64::from(residuals[i])).collect();
    let mut work = (m as f64).powi(3) / 6.0;
    let Some(step) = level_step(small, scale, aims, &[vec![1.0; m]]) else {
        return (work, false);
    };
    // The first bound on the way cuts the step.
    let room = |i: usize, beta: f64, d: f64| {
        if d > 0.0 {
            high[i] - beta
        } else {
            beta - low[i]
        }
    };
    let mut length: f64 = 1.0;
    for (&i, &d) in free.iter().zip(&step) {
        if d.abs() * length > room(i, beta[i], d) {
            length = room(i, beta[i], d) / d.abs();
        }
    }
    for (&i, &d) in free.iter().zip(&step) {
        let wanted = beta[i] + length * d;
        let new = if length * d.abs() >= room(i, beta[i], d) {
            if d > 0.0 { high[i] } else { low[i] }
        } else {
            wanted.clamp(low[i], high[i])
        };
        let moved = (new - beta[i]) as f32;
        beta[i] = new;
        let row = &matrix[i * stride..(i + 1) * stride];
        for (residual, k) in residuals.iter_mut().zip(row) {
            *residual -= moved * k;
        }
    }
    work += (m * stride) as f64;
    (work, length < 1.0)
}
