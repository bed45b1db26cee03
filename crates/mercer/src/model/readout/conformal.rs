//! Conformal prediction: how wrong a model was on rows it had not seen.
//!
//! Conformal prediction by cross-validation (Vovk, Annals of Mathematics and Artificial
//! Intelligence 74, 2015): every training row is predicted by a model that was learnt without
//! its fold, and a nonconformity score tells how badly the truth fitted. Of n such scores the
//! ⌈(n + 1)·level⌉-th smallest bounds the score of a new row with about that probability,
//! whatever the distribution of the rows; without any assumption the promise is
//! 1 − 2(1 − level) (Barber et al., Annals of Statistics 49, 2021).

use serde::{Deserialize, Serialize};

use super::{ClassReadout, Readout, Scheme, pairs};
use crate::{Error, Result};

/// Nonconformity scores of held-out rows, ascending.
///
/// For numbers a score is the absolute error; for classes it is how far the true class was
/// behind the others, negative where it was ahead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    scores: Vec<f64>,
}

impl LeftOut {
    /// Takes scores in any order; those that are no number are dropped. `None` without any.
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

    pub(in crate::model) fn check(&self) -> Result<()> {
        let finite = self.scores.iter().all(|s| s.is_finite());
        if self.scores.is_empty() || !finite || !self.scores.is_sorted() {
            return Err(Error::model(
                "the scores of held-out rows are not finite and ascending",
            ));
        }
        Ok(())
    }
}

/// Checks a probability that an interval or set is to keep.
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

impl LeftOut {
    /// Returns half the width of intervals that hold a new target with probability `level`;
    /// `None` where no number is predicted.
    pub fn half_width(&self, readout: &Readout, level: f64) -> Option<f64> {
        matches!(readout, Readout::Values).then(|| self.bound(level))
    }

    /// Returns the classes that a row may belong to, so that the true one is among them with
    /// probability `level`; the predicted class always is.
    pub fn class_set(&self, readout: &Readout, decisions: &[f64], level: f64) -> Option<Vec<u32>> {
        let classes = readout.classes()?;
        let bound = self.bound(level);
        let answer = classes.class(decisions);
        let fits = |class: &u32| {
            *class == answer || classes.nonconformity(decisions, *class as usize) <= bound
        };
        Some((0..classes.labels.len() as u32).filter(fits).collect())
    }
}

impl ClassReadout {
    /// Returns the nonconformity score of a class: how far it is behind the strongest of the
    /// others.
    pub fn nonconformity(&self, decisions: &[f64], class: usize) -> f64 {
        match self.scheme {
            Scheme::OneVsRest => {
                let others = decisions.iter().enumerate().filter(|(k, _)| *k != class);
                others
                    .map(|(_, d)| d - decisions[class])
                    .fold(f64::NEG_INFINITY, f64::max)
            }
            Scheme::OneVsOne => {
                let by_pair = pairs(self.labels.len()).zip(decisions);
                let behind = by_pair.filter_map(|((a, b), d)| {
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
    fn a_class_conforms_as_its_worst_pair_does() {
        let readout = |scheme| ClassReadout {
            labels: ["a", "b", "c"].map(str::to_owned).to_vec(),
            scheme,
            sigmoids: None,
            factors: None,
        };
        // Pairs (a, b), (a, c), (b, c).
        let pairwise = readout(Scheme::OneVsOne);
        assert_eq!(pairwise.nonconformity(&[1.0, 0.5, -2.0], 0), -0.5);
        assert_eq!(pairwise.nonconformity(&[1.0, 0.5, -2.0], 1), 2.0);
        assert_eq!(pairwise.nonconformity(&[1.0, 0.5, -2.0], 2), 0.5);
        let rest = readout(Scheme::OneVsRest);
        assert_eq!(rest.nonconformity(&[1.0, 0.5, -2.0], 0), -0.5);
        assert_eq!(rest.nonconformity(&[1.0, 0.5, -2.0], 2), 3.0);
    }
}
