//! The loop over rows: w ← w + η y x at every mistake.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::settings::{AtZero, Perceptron, Variant};
use super::visits::{Held, Visit};
use crate::data::random::shuffle;
use crate::fit::{FitContext, StopReason};
use crate::{Error, Result};

/// Visits between two questions whether work may go on.
const GLANCE: usize = 256;

/// Where weights live: f(x) = ⟨w, x⟩ + b and what changes it.
pub(super) trait Space {
    /// Returns f of a row.
    fn value(&self, row: usize) -> f64;

    /// Adds a multiple of a row to the weights. Returns whether work may go on.
    fn add(&mut self, row: usize, change: f64, context: &FitContext) -> bool;

    /// Shrinks the weights before a visit, where a penalty does.
    fn shrink(&mut self) {}

    /// Moves the weights of a row's features towards 0 after a visit, where a penalty does.
    fn truncate(&mut self, _row: usize) {}

    /// Returns the penalty.
    fn penalty(&self) -> f64 {
        0.0
    }

    /// Notes that `visits` visits are over, before a change: the mean of the weights is
    /// w − (Σ visits · change · x) / all visits.
    fn note(&mut self, row: usize, change: f64, visits: u64);

    /// Keeps a copy of the present weights.
    fn keep(&mut self);

    /// Takes the copy for the weights.
    fn restore(&mut self);

    /// Takes the mean over all visits for the weights. Returns whether it could be computed.
    fn average(&mut self, visits: u64, context: &FitContext) -> bool;

    /// Returns ‖(w, b)‖².
    fn square(&self) -> f64;

    /// Returns ‖(x, 1)‖² of a row, ‖x‖² without a constant.
    fn row_square(&self, row: usize) -> f64;

    /// Returns whether all weights are numbers.
    fn is_finite(&self) -> bool;
}

/// What a run over the rows came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Run {
    /// R²: the largest ‖(x, 1)‖² of a row that was visited.
    pub(super) radius_square: f64,
    /// The margin of the last weights, where they are right about all rows and began at 0; 0 where a
    /// value is 0.
    pub(super) margin: Option<f64>,
    /// Rows that were on the wrong side when they were visited.
    pub(super) mistakes: u64,
    /// Passes over the rows, the last one perhaps cut short.
    pub(super) passes: u64,
    /// Why it ended.
    pub(super) stop_reason: StopReason,
}

impl AtZero {
    /// Whether a row of class `sign` with value `f` is a mistake.
    fn is_wrong(self, sign: f64, f: f64) -> bool {
        let z = sign * f;
        z < 0.0 || (z == 0.0 && (self == Self::Wrong || sign < 0.0))
    }
}

/// How many copies of rows would get the other class: 0 goes to the second one.
fn errors(space: &dyn Space, visits: &[Visit]) -> f64 {
    let wrong = visits.iter().filter(|visit| {
        let f = space.value(visit.row as usize);
        AtZero::Second.is_wrong(visit.sign, f)
    });
    wrong.map(|visit| visit.step).sum()
}

/// The best weights so far, by errors over all rows.
///
/// Weights are only tested once they have been right about more rows in a row than those in the
/// pocket were: good weights are right for long, and testing takes a whole pass.
struct Pocket {
    longest: u64,
    present: u64,
    errors: f64,
    is_tested: bool,
}

impl Pocket {
    fn new() -> Self {
        Self {
            longest: 0,
            present: 0,
            errors: f64::INFINITY,
            is_tested: false,
        }
    }

    /// Notes a visit.
    fn visited(&mut self, wrong: bool, space: &mut dyn Space, visits: &[Visit]) {
        if wrong {
            self.present = 0;
            self.is_tested = false;
            return;
        }
        self.present += 1;
        if self.present > self.longest && !self.is_tested {
            self.test(space, visits);
        }
        if self.is_tested {
            self.longest = self.longest.max(self.present);
        }
    }

    /// Compares the present weights with those in the pocket.
    fn test(&mut self, space: &mut dyn Space, visits: &[Visit]) {
        self.is_tested = true;
        let found = errors(space, visits);
        if found < self.errors {
            self.errors = found;
            space.keep();
        }
    }
}

/// Whether passes still help: scikit-learn's rule.
struct Patience<'a> {
    settings: &'a Perceptron,
    best: f64,
    idle: u64,
}

impl Patience<'_> {
    /// Takes the loss of a pass, the smaller the better; returns whether it was one idle pass too
    /// many.
    fn is_over(&mut self, loss: f64) -> bool {
        let Some(tolerance) = self.settings.tolerance else {
            return false;
        };
        if loss > self.best - tolerance {
            self.idle += 1;
        } else {
            self.idle = 0;
        }
        self.best = self.best.min(loss);
        self.idle >= self.settings.patience
    }
}

/// Visits rows until a pass is without mistakes, or passes do not help any more.
///
/// # Errors
/// Cancellation; weights beyond the range of numbers.
pub(super) fn run(
    space: &mut dyn Space,
    visits: &[Visit],
    held: &Held,
    settings: &Perceptron,
    stream: u64,
    context: &FitContext,
) -> Result<Run> {
    let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
    rng.set_stream(stream);
    let mut order: Vec<u32> = (0..visits.len() as u32).collect();
    let mut pocket = (settings.variant == Variant::Pocket).then(Pocket::new);
    let from_zero = space.square() == 0.0;
    if let Some(pocket) = pocket.as_mut().filter(|_| !from_zero) {
        // Weights of an earlier fit may be better than all that follow.
        pocket.test(space, visits);
    }
    let mut patience = Patience {
        settings,
        best: f64::INFINITY,
        idle: 0,
    };
    let squares = visits.iter().map(|v| space.row_square(v.row as usize));
    let mut done = Run {
        radius_square: squares.fold(0.0, f64::max),
        margin: None,
        mistakes: 0,
        passes: 0,
        stop_reason: StopReason::IterationLimit,
    };
    let mut count = 0_u64;
    'passes: while done.passes < settings.max_iterations {
        if settings.shuffle {
            shuffle(&mut rng, &mut order);
        }
        done.passes += 1;
        let (before, mut loss) = (done.mistakes, 0.0);
        for (place, &at) in order.iter().enumerate() {
            if place % GLANCE == 0 && !context.goes_on() {
                done.stop_reason = stopped(context)?;
                break 'passes;
            }
            let visit = &visits[at as usize];
            let row = visit.row as usize;
            let f = space.value(row);
            let wrong = settings.at_zero.is_wrong(visit.sign, f);
            loss += (-visit.sign * f).max(0.0) + space.penalty();
            space.shrink();
            if wrong {
                done.mistakes += 1;
                let change = visit.sign * visit.step;
                if settings.variant == Variant::Averaged {
                    space.note(row, change, count);
                }
                if !space.add(row, change, context) {
                    done.stop_reason = stopped(context)?;
                    break 'passes;
                }
            }
            space.truncate(row);
            count += 1;
            if let Some(pocket) = &mut pocket {
                pocket.visited(wrong, space, visits);
            }
        }
        if !space.is_finite() {
            return Err(Error::rows(
                format!(
                    "weights are beyond the range of numbers after pass {}",
                    done.passes
                ),
                "scale the columns, or use a smaller step",
            ));
        }
        if done.mistakes == before && settings.penalty.is_none() {
            done.stop_reason = StopReason::Converged;
            break;
        }
        let loss = if held.is_empty() {
            loss / visits.len() as f64
        } else {
            held.error(space)
        };
        if patience.is_over(loss) {
            done.stop_reason = StopReason::Stalled;
            break;
        }
    }
    if done.stop_reason == StopReason::Converged && from_zero {
        let values = visits.iter().map(|v| v.sign * space.value(v.row as usize));
        let least = values.fold(f64::INFINITY, f64::min);
        done.margin = Some((least / space.square().sqrt()).max(0.0));
    }
    if let Some(mut pocket) = pocket {
        if !pocket.is_tested {
            pocket.test(space, visits);
        }
        space.restore();
    }
    if settings.variant == Variant::Averaged && !space.average(count.max(1), context) {
        done.stop_reason = stopped(context)?;
    }
    Ok(done)
}

/// Why work may not go on; a fit that was cancelled has no model.
fn stopped(context: &FitContext) -> Result<StopReason> {
    match context.check() {
        Err(Error::Cancelled) => Err(Error::Cancelled),
        _ => Ok(StopReason::TimeLimit),
    }
}
