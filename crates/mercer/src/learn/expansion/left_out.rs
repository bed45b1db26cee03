//! Answers with a guarantee: how wrong a machine was on rows it had not seen.
//!
//! Conformal prediction by cross-validation (Vovk, Annals of Mathematics and Artificial
//! Intelligence 74, 2015): every training row is answered by a machine that was learnt without
//! its fold, and a score tells how strange the truth looked. Of n such scores the
//! ⌈(n + 1)·level⌉-th smallest bounds the score of a new row with about that probability,
//! whatever the distribution of the rows; without any assumption the promise is
//! 1 − 2(1 − level) (Barber et al., Annals of Statistics 49, 2021).

use serde::{Deserialize, Serialize};

use super::model::{KernelExpansion, Machine, Scheme, pairs};
use crate::{Error, Result};

/// Scores of left-out rows, ascending.
///
/// For numbers a score is the absolute error; for classes it is how far the true class was
/// behind the others, negative where it was ahead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    scores: Vec<f64>,
}

impl LeftOut {
    /// Takes scores in any order; those that are no number are left out. `None` without any.
    pub fn new(mut scores: Vec<f64>) -> Option<Self> {
        scores.retain(|s| s.is_finite());
        scores.sort_by(f64::total_cmp);
        (!scores.is_empty()).then_some(Self { scores })
    }

    /// Returns the scores, ascending.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// Returns what the score of a new row stays below with probability `level`; infinite where
    /// there are too few rows to say.
    pub fn bound(&self, level: f64) -> f64 {
        let place = ((self.scores.len() + 1) as f64 * level).ceil() as usize;
        match place.checked_sub(1) {
            None => f64::NEG_INFINITY,
            Some(place) => self.scores.get(place).copied().unwrap_or(f64::INFINITY),
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        let finite = self.scores.iter().all(|s| s.is_finite());
        if self.scores.is_empty() || !finite || !self.scores.is_sorted() {
            return Err(Error::model(
                "the scores of left-out rows are not finite and ascending",
            ));
        }
        Ok(())
    }
}

/// Checks a probability that an answer is to keep.
///
/// # Errors
/// Numbers outside (0, 1).
pub fn check_level(level: f64) -> Result<()> {
    if level > 0.0 && level < 1.0 {
        return Ok(());
    }
    Err(Error::setting(
        "level",
        level,
        "between 0 and 1, both excluded",
    ))
}

impl KernelExpansion {
    /// Returns half the width of intervals that hold a new target with probability `level`;
    /// `None` for models without scores of left-out rows, and for classifiers.
    pub fn half_width(&self, level: f64) -> Option<f64> {
        match self.machine {
            Machine::Regressor { .. } => self.left_out.as_ref().map(|l| l.bound(level)),
            Machine::Classifier { .. } | Machine::Novelty { .. } => None,
        }
    }

    /// Returns the classes that a row may belong to, so that the true one is among them with
    /// probability `level`; the answered class always is.
    pub fn class_set(&self, decisions: &[f64], level: f64) -> Option<Vec<u32>> {
        let bound = self.left_out.as_ref()?.bound(level);
        let answer = self.machine.class(decisions)?;
        let Machine::Classifier { labels, .. } = &self.machine else {
            return None;
        };
        let fits = |class: &u32| {
            *class == answer || self.machine.strangeness(decisions, *class as usize) <= bound
        };
        Some((0..labels.len() as u32).filter(fits).collect())
    }
}

impl Machine {
    /// Returns how far a class is behind the strongest of the others; 0 for other machines.
    pub fn strangeness(&self, decisions: &[f64], class: usize) -> f64 {
        let Self::Classifier { labels, scheme, .. } = self else {
            return 0.0;
        };
        match scheme {
            Scheme::OneVsRest => {
                let others = decisions.iter().enumerate().filter(|(k, _)| *k != class);
                others
                    .map(|(_, d)| d - decisions[class])
                    .fold(f64::NEG_INFINITY, f64::max)
            }
            Scheme::OneVsOne => {
                let duels = pairs(labels.len()).zip(decisions);
                let behind = duels.filter_map(|((a, b), d)| {
                    if a == class {
                        Some(-d)
                    } else if b == class {
                        Some(*d)
                    } else {
                        None
                    }
                });
                behind.fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_count_the_new_row_too() {
        let scores = LeftOut::new(vec![3.0, 1.0, f64::NAN, 2.0, 4.0]).expect("four scores");
        assert_eq!(scores.bound(0.2), 1.0);
        assert_eq!(scores.bound(0.5), 3.0);
        assert_eq!(scores.bound(0.8), 4.0);
        assert_eq!(scores.bound(0.81), f64::INFINITY);
        assert!(LeftOut::new(vec![f64::NAN]).is_none());
    }

    #[test]
    fn a_class_is_as_strange_as_its_worst_duel() {
        let machine = |scheme| Machine::Classifier {
            labels: ["a", "b", "c"].map(str::to_owned).to_vec(),
            scheme,
            class_sizes: vec![0; 3],
            coefficients: mercer_linalg::Matrix::zeros(2, 0),
            biases: vec![0.0; 3],
            sigmoids: None,
            factors: None,
        };
        // Duels (a, b), (a, c), (b, c).
        let duels = machine(Scheme::OneVsOne);
        assert_eq!(duels.strangeness(&[1.0, 0.5, -2.0], 0), -0.5);
        assert_eq!(duels.strangeness(&[1.0, 0.5, -2.0], 1), 2.0);
        assert_eq!(duels.strangeness(&[1.0, 0.5, -2.0], 2), 0.5);
        let rest = machine(Scheme::OneVsRest);
        assert_eq!(rest.strangeness(&[1.0, 0.5, -2.0], 0), -0.5);
        assert_eq!(rest.strangeness(&[1.0, 0.5, -2.0], 2), 3.0);
    }
}
