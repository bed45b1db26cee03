//! Which variables are worked on next.
//!
//! The worst violators alone are a bad choice: they resemble each other, and what suits them
//! spoils the rest. A sample of all violators speaks for those, and free variables of the
//! last set go on adapting to the newcomers.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

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
                let mut violators = Violators::new(worst, sample);
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
                        violators.offer(Violator {
                            badness: if rising { f } else { -f },
                            chance: spread(t ^ (self.round << 20)),
                            variable: t,
                        });
                    }
                }
                for t in violators.chosen() {
                    self.stamp[t as usize] = self.round;
                    chosen.push(t);
                }
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
}

/// A variable that violates the optimality conditions.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Violator {
    badness: f64,
    /// Decides between equals, and who is taken by chance.
    chance: u32,
    variable: u32,
}

/// Ordered from the worst to the least bad.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ByBadness(Violator);

impl Eq for ByBadness {}

impl Ord for ByBadness {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.0, other.0);
        let by_badness = b.badness.total_cmp(&a.badness);
        by_badness.then_with(|| a.chance.cmp(&b.chance))
    }
}

impl PartialOrd for ByBadness {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Ordered by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ByChance(Violator);

impl Eq for ByChance {}

impl Ord for ByChance {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.chance.cmp(&other.0.chance)
    }
}

impl PartialOrd for ByChance {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The first so many of all items offered; a list of all would be as long as the data.
struct First<T> {
    most: usize,
    heap: BinaryHeap<T>,
}

impl<T: Ord> First<T> {
    fn new(most: usize) -> Self {
        Self {
            most,
            heap: BinaryHeap::with_capacity(most),
        }
    }

    /// Takes an item in; returns the one that has no place.
    fn offer(&mut self, item: T) -> Option<T> {
        if self.heap.len() < self.most {
            self.heap.push(item);
            return None;
        }
        match self.heap.peek_mut() {
            Some(mut last) if item < *last => Some(std::mem::replace(&mut *last, item)),
            _ => Some(item),
        }
    }
}

/// The worst violators, and some of the others by chance.
struct Violators {
    worst: First<ByBadness>,
    sample: First<ByChance>,
}

impl Violators {
    fn new(worst: usize, sample: usize) -> Self {
        Self {
            worst: First::new(worst),
            sample: First::new(sample),
        }
    }

    fn offer(&mut self, violator: Violator) {
        if let Some(ByBadness(other)) = self.worst.offer(ByBadness(violator)) {
            self.sample.offer(ByChance(other));
        }
    }

    /// Returns the variables, worst first: the order of a working set decides about ties later on.
    fn chosen(self) -> impl Iterator<Item = u32> {
        let mut all = self.worst.heap.into_vec();
        all.extend(self.sample.heap.into_iter().map(|ByChance(v)| ByBadness(v)));
        all.sort_unstable();
        all.into_iter().map(|ByBadness(v)| v.variable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_are_taken_and_some_of_the_rest_by_chance() {
        let all: Vec<Violator> = (0..5000)
            .map(|t| Violator {
                badness: f64::from(t * 7919 % 613),
                chance: spread(t),
                variable: t,
            })
            .collect();
        for (worst, sample) in [(60, 40), (4990, 40), (6000, 10), (1, 1)] {
            let mut violators = Violators::new(worst, sample);
            all.iter().for_each(|v| violators.offer(*v));
            let found: Vec<u32> = violators.chosen().collect();
            let mut sorted: Vec<ByBadness> = all.iter().copied().map(ByBadness).collect();
            sorted.sort();
            let rest = sorted.split_off(worst.min(sorted.len()));
            let mut rest: Vec<ByChance> = rest.into_iter().map(|v| ByChance(v.0)).collect();
            rest.sort();
            sorted.extend(rest.into_iter().take(sample).map(|v| ByBadness(v.0)));
            sorted.sort();
            let expected: Vec<u32> = sorted.iter().map(|v| v.0.variable).collect();
            assert_eq!(found, expected, "{worst} {sample}");
        }
    }
}
