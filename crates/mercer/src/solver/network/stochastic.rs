//! Backpropagation row by row, in small batches, or over all rows at once.
//!
//! With the gradient g of a batch and the step α a weight moves by
//!
//! ```text
//! w ← w − α g + β (w − w₋)                      momentum, w₋ the weight before
//! w ← w − α g + β (β (w − w₋) − α g)            looking ahead (Nesterov), from the same v
//! w ← w − α √(1−γᵗ)/(1−βᵗ) m/(√v + ε)           Adam
//! ```
//!
//! (Sutskever and others, On the importance of initialization and momentum in deep learning, 2013;
//! Kingma and Ba, Adam, 2015.) An epoch that ends in a loss that is no number, or beyond
//! all bounds, is undone: steps are half as long, from the weights that the epoch of least loss began with. (A loss
//! is that before the steps of its batch, so that a sound epoch may have ended far away.)

use mercer_linalg::{MomentStep, dot, moment_step};
use rand_chacha::ChaCha8Rng;

use super::course::{Course, Ending};
use super::pass::{Batch, Problem, Room};

/// Halvings of the step before a descent is given up.
const HALVINGS: u32 = 20;
/// Growth of the loss over that of the start that counts as divergence.
const BEYOND: f64 = 1e6;
/// Step at which the adaptive schedule ends.
const SHORTEST: f64 = 1e-6;
/// What the adaptive schedule divides the step by.
const SHORTER: f64 = 5.0;

/// How a gradient becomes a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// The last step counts on.
    Momentum {
        /// β: share of the last step.
        momentum: f64,
        /// Whether the gradient is that of the place the last step leads to.
        ahead: bool,
    },
    /// Steps by running moments of the gradient.
    Adam {
        /// Share of the first moment that is kept.
        first: f64,
        /// Share of the second moment that is kept.
        second: f64,
        /// Added to the root of the second moment.
        epsilon: f64,
    },
}

/// How the length of steps changes; Adam has its own way and keeps it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Schedule {
    /// It does not.
    Constant,
    /// Divided by (t + 1)^power after t rows.
    Inverse {
        /// The power.
        power: f64,
    },
    /// Divided by five whenever the loss does not improve.
    Adaptive,
}

/// A descent in batches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stochastic {
    /// How a gradient becomes a step.
    pub rule: Rule,
    /// How the length of steps changes.
    pub schedule: Schedule,
    /// Length of the first steps.
    pub step: f64,
    /// Rows of a batch.
    pub batch: usize,
    /// Whether rows are put into another order in every epoch.
    pub shuffle: bool,
    /// Most epochs.
    pub epochs: u64,
    /// Improvement of the loss or score that counts as one.
    pub tolerance: f64,
    /// Epochs without improvement that end the descent.
    pub patience: u64,
}

/// Judges weights by rows that are held out; larger is better.
pub type Judge<'a> = &'a mut dyn FnMut(&[f64]) -> f64;

/// What a rule remembers.
struct Memory {
    first: Vec<f64>,
    second: Vec<f64>,
    steps: u64,
}

/// Goes down from `at`.
///
/// `score` judges weights by rows that are held out, larger is better; the best weights are
/// then those that `at` ends with. `goes_on` hears of every epoch and its loss, and is asked
/// before every batch of a long one.
pub fn stochastic(
    problem: &Problem<'_>,
    at: &mut [f64],
    settings: &Stochastic,
    rng: &mut ChaCha8Rng,
    mut score: Option<Judge<'_>>,
    goes_on: &mut dyn FnMut(u64, f64) -> bool,
) -> Course {
    let count = problem.rows.count();
    let mut order: Vec<usize> = (0..count).collect();
    let mut course = Course::new();
    let mut memory = Memory::of(at.len());
    let mut gradient = vec![0.0; at.len()];
    let mut room = Room::default();
    let mut best = at.to_vec();
    let (mut best_loss, mut best_score) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut kept = at.to_vec();
    let (mut least, mut lowest) = (f64::INFINITY, at.to_vec());
    let mut unit = settings.step;
    let mut step = settings.step;
    let mut idle = 0;
    let mut start = None;
    while course.steps < settings.epochs {
        kept.copy_from_slice(at);
        if settings.shuffle {
            crate::data::random::shuffle(rng, &mut order);
        }
        let mut sum = 0.0;
        let mut told = false;
        for rows in order.chunks(settings.batch.max(1)) {
            if !goes_on(
                course.steps,
                course.losses.last().copied().unwrap_or(f64::NAN),
            ) {
                told = true;
                break;
            }
            let batch = if rows.len() == count && !settings.shuffle {
                Batch::All
            } else {
                Batch::Listed(rows)
            };
            let loss = problem.evaluate(batch, at, &mut gradient, &mut room);
            sum += loss * rows.len() as f64;
            memory.step(settings.rule, step, &gradient, at);
        }
        if told {
            course.ending = Ending::Told;
            break;
        }
        let loss = sum / count as f64;
        let first = *start.get_or_insert(loss);
        let bound = BEYOND * (1.0 + f64::max(first, 0.0));
        let sound = loss.is_finite() && loss <= bound && dot(at, at).is_finite();
        if !sound {
            at.copy_from_slice(&lowest);
            memory = Memory::of(at.len());
            if !first.is_finite() {
                start = None;
            }
            course.halvings += 1;
            unit *= 0.5;
            step *= 0.5;
            if course.halvings >= HALVINGS {
                course.ending = Ending::Diverged;
                break;
            }
            continue;
        }
        if loss < least {
            least = loss;
            lowest.copy_from_slice(&kept);
        }
        course.steps += 1;
        course.losses.push(loss);
        if let Some(score) = &mut score {
            let reached = score(at);
            course.scores.push(reached);
            idle = if reached < best_score + settings.tolerance {
                idle + 1
            } else {
                0
            };
            if reached > best_score {
                best_score = reached;
                best.copy_from_slice(at);
            }
        } else {
            idle = if loss > best_loss - settings.tolerance {
                idle + 1
            } else {
                0
            };
            best_loss = best_loss.min(loss);
        }
        let momentum = matches!(settings.rule, Rule::Momentum { .. });
        if let (Schedule::Inverse { power }, true) = (settings.schedule, momentum) {
            let rows = course.steps as f64 * count as f64;
            step = unit / (rows + 1.0).powf(power);
        }
        if idle > settings.patience {
            if settings.schedule == Schedule::Adaptive && momentum && step > SHORTEST {
                step /= SHORTER;
                idle = 0;
            } else {
                course.ending = Ending::Converged;
                break;
            }
        }
    }
    if score.is_some() {
        at.copy_from_slice(&best);
    } else if course.halvings > 0 {
        // The loss after the last steps was not seen yet.
        let reached = problem.evaluate(Batch::All, at, &mut gradient, &mut room);
        if !(reached <= least) {
            at.copy_from_slice(&lowest);
        }
    }
    course
}

impl Memory {
    fn of(count: usize) -> Self {
        Self {
            first: vec![0.0; count],
            second: vec![0.0; count],
            steps: 0,
        }
    }

    /// Moves weights by the gradient of a batch.
    fn step(&mut self, rule: Rule, step: f64, gradient: &[f64], at: &mut [f64]) {
        self.steps += 1;
        match rule {
            Rule::Momentum { momentum, ahead } => {
                let velocities = self.first.iter_mut().zip(gradient);
                for (w, (v, g)) in at.iter_mut().zip(velocities) {
                    *v = momentum * *v - step * g;
                    *w += if ahead { momentum * *v - step * g } else { *v };
                }
            }
            Rule::Adam {
                first,
                second,
                epsilon,
            } => {
                let t = i32::try_from(self.steps).unwrap_or(i32::MAX);
                let length = step * (1.0 - second.powi(t)).sqrt() / (1.0 - first.powi(t));
                let numbers = MomentStep {
                    length,
                    first,
                    second,
                    epsilon,
                };
                moment_step(numbers, gradient, &mut self.first, &mut self.second, at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn momentum_adds_a_share_of_the_last_step() {
        // E = (w₁² + 25 w₂²)/2 from (10, 1), α = 0.03, β = 0.5.
        let mut at = vec![10.0, 1.0];
        let mut memory = Memory::of(2);
        let rule = Rule::Momentum {
            momentum: 0.5,
            ahead: false,
        };
        for expected in [[9.7, 0.25], [9.259, -0.3125], [8.76073, -0.359_375]] {
            let gradient = [at[0], 25.0 * at[1]];
            memory.step(rule, 0.03, &gradient, &mut at);
            for (found, expected) in at.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{at:?}");
            }
        }
    }
}
