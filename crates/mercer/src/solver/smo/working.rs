//! Which variables are worked on next.
//!
//! The worst violators alone are a bad choice: they resemble each other, and what suits them
//! spoils the rest. A sample of all violators speaks for those, and free variables of the
//! last set go on adapting to the newcomers.

use super::{Coupling, DualProblem};

/// Extremes of the residuals in one group of variables that share a constraint.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    /// Largest residual among variables that may rise.
    pub(super) up: f64,
    /// Smallest residual among variables that may fall.
    pub(super) down: f64,
}

impl Ends {
    const NONE: Self = Self {
        up: f64::NEG_INFINITY,
        down: f64::INFINITY,
    };
}

/// The worst violators fill one place in so many.
const WORST: usize = 4;
/// Violators chosen by chance fill one place in so many.
const SAMPLED: usize = 4;

/// Chooses working sets.
pub(super) struct Chooser {
    /// Largest number of working variables.
    size: usize,
    /// The last working set, its newest members first.
    last: Vec<u32>,
    /// Round in which a variable was last chosen.
    stamp: Vec<u32>,
    round: u32,
    /// Candidates as (badness, tie breaker, variable).
    candidates: Vec<(f64, u32, u32)>,
}

/// Spreads ties over the data: rows are sorted by content, and neighbours say the same.
fn spread(t: u32) -> u32 {
    // Knuth's multiplicative hash.
    t.wrapping_mul(2_654_435_769)
}

impl Chooser {
    pub(super) fn new(problem: &DualProblem, size: usize) -> Self {
        Self {
            size,
            last: Vec::new(),
            stamp: vec![0; problem.len()],
            round: 0,
            candidates: Vec::new(),
        }
    }

    /// The groups of variables that share a constraint, by sign.
    pub(super) fn group(problem: &DualProblem, t: u32) -> usize {
        usize::from(problem.coupling == Coupling::PerSign && problem.signs[t as usize] < 0.0)
    }

    /// Finds the extremes of both groups.
    pub(super) fn ends(
        problem: &DualProblem,
        alpha: &[f64],
        active: &[u32],
        residuals: &[f64],
    ) -> [Ends; 2] {
        let mut ends = [Ends::NONE; 2];
        for (&t, &f) in active.iter().zip(residuals) {
            let ends = &mut ends[Self::group(problem, t)];
            let a = alpha[t as usize];
            if f > ends.up && problem.can_rise(t as usize, a) {
                ends.up = f;
            }
            if f < ends.down && problem.can_fall(t as usize, a) {
                ends.down = f;
            }
        }
        if problem.coupling == Coupling::None {
            // Without a constraint every variable is measured against zero.
            let worst = ends[0].up.max(-ends[0].down).max(0.0);
            ends[0] = Ends {
                up: worst,
                down: -worst,
            };
        }
        ends
    }

    /// Largest violation.
    pub(super) fn violation(problem: &DualProblem, [first, second]: &[Ends; 2]) -> f64 {
        let violation = match problem.coupling {
            Coupling::None => first.up,
            Coupling::Sum | Coupling::PerSign => {
                (first.up - first.down).max(second.up - second.down)
            }
        };
        violation.max(0.0)
    }

    /// Chooses the next working set.
    pub(super) fn choose(
        &mut self,
        problem: &DualProblem,
        alpha: &[f64],
        active: &[u32],
        residuals: &[f64],
        ends: &[Ends; 2],
    ) -> Vec<u32> {
        if active.len() <= self.size {
            return active.to_vec();
        }
        self.round += 1;
        let groups = match problem.coupling {
            Coupling::PerSign => 2,
            Coupling::Sum | Coupling::None => 1,
        };
        let worst = self.size / (WORST * 2 * groups);
        let sample = self.size / (SAMPLED * 2 * groups);
        let mut chosen: Vec<u32> = Vec::with_capacity(self.size);
        for group in 0..groups {
            let Ends { up, down } = ends[group];
            let (high, low) = match problem.coupling {
                Coupling::None => (0.0, 0.0),
                Coupling::Sum | Coupling::PerSign => (up, down),
            };
            for rising in [true, false] {
                self.candidates.clear();
                for (&t, &f) in active.iter().zip(residuals) {
                    let wanted = if rising { f > low } else { f < high };
                    if !wanted || Self::group(problem, t) != group {
                        continue;
                    }
                    let a = alpha[t as usize];
                    let allowed = if rising {
                        problem.can_rise(t as usize, a)
                    } else {
                        problem.can_fall(t as usize, a)
                    };
                    if allowed && self.stamp[t as usize] != self.round {
                        let badness = if rising { f } else { -f };
                        self.candidates
                            .push((badness, spread(t ^ (self.round << 20)), t));
                    }
                }
                self.take(worst, sample, &mut chosen);
            }
        }
        for &t in &self.last {
            if chosen.len() >= self.size {
                break;
            }
            let a = alpha[t as usize];
            let free = a > 0.0 && a < problem.upper[t as usize];
            if free && self.stamp[t as usize] != self.round {
                self.stamp[t as usize] = self.round;
                chosen.push(t);
            }
        }
        self.last.clone_from(&chosen);
        chosen
    }

    /// Takes the worst candidates, and some at random from the rest.
    fn take(&mut self, worst: usize, sample: usize, chosen: &mut Vec<u32>) {
        let order = |a: &(f64, u32, u32), b: &(f64, u32, u32)| {
            b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1))
        };
        if self.candidates.len() > worst {
            self.candidates.select_nth_unstable_by(worst, order);
            let rest = &mut self.candidates[worst..];
            let by_chance = |a: &(f64, u32, u32), b: &(f64, u32, u32)| a.1.cmp(&b.1);
            if rest.len() > sample {
                rest.select_nth_unstable_by(sample, by_chance);
                self.candidates.truncate(worst + sample);
            }
        }
        // The order of a working set decides about ties later on.
        self.candidates.sort_unstable_by(order);
        for &(_, _, t) in &self.candidates {
            self.stamp[t as usize] = self.round;
            chosen.push(t);
        }
    }
}
