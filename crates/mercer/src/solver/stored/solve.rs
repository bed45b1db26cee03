//! Rounds on small working sets.
//!
//! A round picks the variables that violate most, copies their small matrix, and moves pairs in it
//! until little is left ([`mercer_linalg::pair_descent`]); where pairs creep, all free variables
//! move at once ([`jump`]). Then the decision values f = Kβ of *all* rows follow in double
//! precision.

use std::ops::Range;

use mercer_linalg::{PairProblem, axpy_wide, padded, pair_descent};

use super::{State, StoredProblem};
use crate::fit::FitContext;
use crate::gram::KernelRows;
use crate::solver::jump::{Jump, SmallProblem, jump};
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

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Ending {
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
pub(crate) struct Workspace {
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
    pub(crate) work: f64,
    most_work: f64,
}

impl Workspace {
    /// Allows so many multiplications from the time [`Workspace::work`] is set to zero.
    pub(crate) fn bounded(most_work: f64) -> Self {
        Self {
            most_work,
            ..Self::default()
        }
    }

    /// Gives the memory back; the bound stays.
    pub(crate) fn release(&mut self) {
        *self = Self::bounded(self.most_work);
    }
}

/// Solves a problem from a feasible start, in place.
///
/// # Errors
/// Cancellation.
pub(crate) fn solve(
    kernel: &mut KernelRows<'_>,
    problem: &StoredProblem,
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
fn choose(problem: &StoredProblem, state: &State, space: &mut Workspace) {
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
    problem: &StoredProblem,
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
            let (reached, free) = jump(&mut Working {
                problem: &small,
                beta,
                residuals,
            });
            // A Cholesky factor, and the rows of what moved.
            space.work += (free as f64).powi(3) / 6.0 + (free * stride) as f64;
            if reached != Jump::Cut {
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

/// The variables of a round in the middle of their solution.
struct Working<'w> {
    problem: &'w PairProblem<'w>,
    beta: &'w mut [f64],
    residuals: &'w mut [f32],
}

impl SmallProblem for Working<'_> {
    fn free_places(&self) -> Vec<usize> {
        let PairProblem { low, high, .. } = self.problem;
        let free = |&i: &usize| self.beta[i] > low[i] && self.beta[i] < high[i];
        (0..self.beta.len()).filter(free).collect()
    }

    fn groups(&self) -> Vec<Range<usize>> {
        std::iter::once(0..self.beta.len()).collect()
    }

    fn kernel_value(&self, row: usize, column: usize) -> f64 {
        f64::from(self.problem.matrix[row * self.residuals.len() + column])
    }

    fn scale(&self, free: &[usize]) -> f64 {
        let largest = |s: f64, &i: &usize| s.max(self.kernel_value(i, i));
        free.iter().fold(f64::MIN_POSITIVE, largest)
    }

    fn residual(&self, place: usize) -> f64 {
        f64::from(self.residuals[place])
    }

    fn room(&self, place: usize, up: bool) -> f64 {
        if up {
            self.problem.high[place] - self.beta[place]
        } else {
            self.beta[place] - self.problem.low[place]
        }
    }

    fn shift(&mut self, place: usize, length: f64) -> f64 {
        let (low, high) = (self.problem.low[place], self.problem.high[place]);
        let old = self.beta[place];
        self.beta[place] = if length.abs() >= self.room(place, length > 0.0) {
            if length > 0.0 { high } else { low }
        } else {
            (old + length).clamp(low, high)
        };
        self.beta[place] - old
    }

    fn carry(&mut self, moves: &[(usize, f64)]) {
        let stride = self.residuals.len();
        for &(place, moved) in moves {
            let row = &self.problem.matrix[place * stride..(place + 1) * stride];
            for (residual, k) in self.residuals.iter_mut().zip(row) {
                *residual -= moved as f32 * k;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;
    use crate::learn::margin::{OneClass, Svc, Svr};
    use crate::solver::smo::DualProblem;

    const ROWS: usize = 60;
    const TOLERANCE: f64 = 1e-4;

    /// A Gaussian kernel on points of a spiral.
    fn kernel() -> Matrix<f32> {
        let point = |i: usize| {
            let t = 0.2 * i as f64;
            [t * t.cos(), t * (1.3 * t).sin()]
        };
        Matrix::from_fn(ROWS, ROWS, |i, j| {
            let (x, z) = (point(i), point(j));
            let squared = (x[0] - z[0]).powi(2) + (x[1] - z[1]).powi(2);
            (-0.3 * squared).exp() as f32
        })
    }

    /// Solves on every second row, and holds the solution against its definition.
    fn solved(dual: &DualProblem, beta: Vec<f64>) -> (StoredProblem, State) {
        let rows: Vec<u32> = (0..ROWS as u32).step_by(2).collect();
        let matrix = kernel();
        let problem = StoredProblem::of(dual, &rows);
        let mut kernel = KernelRows::from_matrix(matrix.clone());
        let mut state = State::at(&problem, beta, &mut kernel);
        let mut space = Workspace::bounded(f64::INFINITY);
        let context = FitContext::default();
        let (sum, before) = (state.beta.iter().sum::<f64>(), problem.objective(&state));
        let ending = solve(
            &mut kernel,
            &problem,
            &mut state,
            TOLERANCE,
            &mut space,
            &context,
        );
        let ending = ending.expect("nobody cancels");
        assert!(matches!(ending, Ending::Solved { .. }), "{ending:?}");
        let (top, bottom) = problem.extremes(&state);
        assert!(top - bottom <= TOLERANCE);
        assert!(problem.objective(&state) < before);
        assert!((state.beta.iter().sum::<f64>() - sum).abs() < 1e-6);
        for row in 0..ROWS {
            let terms = problem.rows.iter().zip(&state.beta);
            let f: f64 = terms
                .map(|(&r, b)| b * f64::from(matrix[(r as usize, row)]))
                .sum();
            assert!((f - state.decision[row]).abs() < 1e-6, "row {row}");
        }
        (problem, state)
    }

    #[test]
    fn duals_of_all_kinds_are_solved() {
        let half = ROWS / 2;
        for c in [0.5, 50.0, 1e4] {
            let svc = Svc::default().dual(c, half / 3, &vec![1.0; half]);
            let (problem, state) = solved(&svc, vec![0.0; half]);
            let boxes = problem.low.iter().zip(&problem.high).zip(&state.beta);
            assert!(boxes.clone().all(|((l, h), b)| l <= b && b <= h));
            let y: Vec<f64> = (0..half).map(|i| (0.4 * i as f64).sin()).collect();
            let svr = Svr::default().dual(c, &y, &vec![1.0; half]);
            solved(&svr, vec![0.0; 2 * half]);
        }
        let one = OneClass::default().nu(0.3);
        let weights: Vec<f64> = (0..half).map(|i| 1.0 + (i % 3) as f64).collect();
        let dual = one.dual(&weights);
        solved(&dual, one.start(&dual));
    }

    #[test]
    fn work_is_bounded() {
        let dual = Svc::default().dual(1e4, 10, &[1.0; ROWS / 2]);
        let rows: Vec<u32> = (0..ROWS as u32 / 2).collect();
        let problem = StoredProblem::of(&dual, &rows);
        let mut kernel = KernelRows::from_matrix(kernel());
        let mut state = State::at(&problem, vec![0.0; rows.len()], &mut kernel);
        let mut space = Workspace::bounded(0.0);
        space.work = 1.0;
        let context = FitContext::default();
        let ending = solve(
            &mut kernel,
            &problem,
            &mut state,
            1e-9,
            &mut space,
            &context,
        );
        assert_eq!(ending, Ok(Ending::Cut));
    }

    #[test]
    fn a_jump_levels_the_free_and_stops_at_a_bound() {
        let stride = padded(3);
        let mut matrix = vec![0.0_f32; 3 * stride];
        for (i, row) in [[1.0, 0.5, 0.2], [0.5, 1.0, 0.3], [0.2, 0.3, 1.0]]
            .iter()
            .enumerate()
        {
            matrix[i * stride..i * stride + 3].copy_from_slice(row);
        }
        let (low, mut high) = ([-1.0; 3], [1.0; 3]);
        let start: Vec<f32> = [0.4_f32, -0.3, 0.1]
            .into_iter()
            .chain(std::iter::repeat_n(0.0, stride - 3))
            .collect();
        let (mut beta, mut residuals) = ([0.0; 3], start.clone());
        let problem = PairProblem {
            matrix: &matrix,
            low: &low,
            high: &high,
        };
        let reached = jump(&mut Working {
            problem: &problem,
            beta: &mut beta,
            residuals: &mut residuals,
        });
        assert_eq!(reached, (Jump::Whole, 3));
        assert!((beta.iter().sum::<f64>()).abs() < 1e-6);
        assert!((residuals[0] - residuals[1]).abs() < 1e-5);
        assert!((residuals[0] - residuals[2]).abs() < 1e-5);
        high[0] = 0.1;
        let problem = PairProblem {
            matrix: &matrix,
            low: &low,
            high: &high,
        };
        let (mut beta, mut residuals) = ([0.0; 3], start);
        let reached = jump(&mut Working {
            problem: &problem,
            beta: &mut beta,
            residuals: &mut residuals,
        });
        assert_eq!(reached.0, Jump::Cut);
        assert_eq!(beta[0].to_bits(), high[0].to_bits());
    }
}
