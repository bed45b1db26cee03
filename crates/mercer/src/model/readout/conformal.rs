//! Conformal prediction: how wrong a model was on rows it had not seen.
//!
//! Conformal prediction by cross-validation (Vovk, Annals of Mathematics and Artificial
//! Intelligence 74, 2015): every training row is predicted by a model that was learnt without
//! its fold, and a nonconformity score tells how badly the truth fitted. Of n such scores the
//! ⌈(n + 1)·level⌉-th smallest bounds the score of a new row with about that probability,
//! whatever the distribution of the rows; without any assumption the promise is
//! 1 − 2(1 − level) (Barber et al., Annals of Statistics 49, 2021).
//!
//! A model that knows the standard deviation s(x) of a target has scores |y − f(x)|/s(x) as well
//! (normalised nonconformity: Papadopoulos, Vovk and Gammerman, Journal of Artificial Intelligence
//! Research 40, 2011). Intervals f(x) ± q·s(x) then keep the same promise, and are wide where a
//! row is unlike those that were learnt from.

use serde::{Deserialize, Serialize};

use super::{ClassReadout, Readout, Scheme, pairs};
use crate::special::normal_quantile;
use crate::{Error, Result};

/// Nonconformity scores of held-out rows, ascending.
///
/// For numbers a score is the absolute error; for classes it is how far the true class was
/// behind the others, negative where it was ahead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    scores: Vec<f64>,
    /// Absolute errors over the model's own standard deviation at that row, which it had not seen.
    relative: Option<Vec<f64>>,
}

impl LeftOut {
    /// Takes scores in any order; those that are no number are dropped. `None` without any.
    pub fn new(mut scores: Vec<f64>) -> Option<Self> {
        ascending(&mut scores);
        (!scores.is_empty()).then_some(Self {
            scores,
            relative: None,
        })
    }

    /// The same for numbers with the standard deviation of every target, where the model tells
    /// it. A row that is predicted without error has the score 0, however sure the model was.
    pub fn with_deviations(scores: Vec<f64>, deviations: Option<&[f64]>) -> Option<Self> {
        let over = |(score, deviation): (&f64, &f64)| {
            if *score == 0.0 {
                0.0
            } else {
                score / deviation
            }
        };
        let relative = deviations.map(|deviations| scores.iter().zip(deviations).map(over));
        let mut relative: Option<Vec<f64>> = relative.map(Iterator::collect);
        let known = scores.iter().filter(|s| s.is_finite()).count();
        if let Some(relative) = &mut relative {
            ascending(relative);
        }
        Some(Self {
            // One row without a deviation would narrow the intervals of all.
            relative: relative.filter(|r| r.len() == known),
            ..Self::new(scores)?
        })
    }

    /// Puts scores together again as a file has them.
    pub(in crate::model) fn from_parts(scores: Vec<f64>, relative: Option<Vec<f64>>) -> Self {
        Self { scores, relative }
    }

    /// Returns the scores relative to the model's own standard deviations, ascending.
    pub fn relative(&self) -> Option<&[f64]> {
        self.relative.as_deref()
    }

    /// Returns the scores, ascending.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// Returns what the score of a new row stays below with probability `level`; infinite where
    /// there are too few rows to say.
    pub fn bound(&self, level: f64) -> f64 {
        bound(&self.scores, level)
    }

    /// Returns the half-width of intervals in standard deviations of the model, so that they hold
    /// a new target with probability `level`; `None` for models that tell none.
    ///
    /// Where there are too few rows to say, it is that of a Gaussian, and no less than the worst
    /// of the held-out rows.
    pub fn deviations(&self, level: f64) -> Option<f64> {
        let relative = self.relative.as_ref()?;
        let found = bound(relative, level);
        if found.is_finite() {
            return Some(found);
        }
        let largest = relative.last().copied().unwrap_or(0.0);
        Some(normal_quantile(0.5 + level / 2.0).max(largest))
    }

    pub(in crate::model) fn check(&self) -> Result<()> {
        for scores in [Some(&self.scores), self.relative.as_ref()]
            .into_iter()
            .flatten()
        {
            let finite = scores.iter().all(|s| s.is_finite());
            if scores.is_empty() || !finite || !scores.is_sorted() {
                return Err(Error::model(
                    "the scores of held-out rows are not finite and ascending",
                ));
            }
        }
        if self.relative.as_ref().is_some_and(|r| r[0] < 0.0) {
            return Err(Error::model("an error of a held-out row is below 0"));
        }
        Ok(())
    }
}

/// Leaves what is no number out and sorts the rest.
fn ascending(scores: &mut Vec<f64>) {
    scores.retain(|s| s.is_finite());
    scores.sort_by(f64::total_cmp);
}

/// The ⌈(n + 1)·level⌉-th smallest of n scores.
fn bound(scores: &[f64], level: f64) -> f64 {
    let place = ((scores.len() + 1) as f64 * level).ceil() as usize;
    match place.checked_sub(1) {
        None => f64::NEG_INFINITY,
        Some(place) => scores.get(place).copied().unwrap_or(f64::INFINITY),
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
            Scheme::OneVsRest | Scheme::Softmax => {
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
    fn errors_count_in_standard_deviations() {
        let errors = vec![4.0, 1.0, 0.0, 9.0];
        let found = LeftOut::with_deviations(errors.clone(), Some(&[2.0, 1.0, 0.0, 1.5]));
        let found = found.expect("four scores");
        assert_eq!(found.relative(), Some(&[0.0, 1.0, 2.0, 6.0][..]));
        assert_eq!(found.deviations(0.6), Some(2.0));
        // Four rows do not tell what holds in 99 of 100 cases.
        assert_eq!(found.bound(0.99), f64::INFINITY);
        assert_eq!(found.deviations(0.99), Some(6.0));
        let without = LeftOut::with_deviations(errors.clone(), Some(&[2.0, 0.0, 1.0, 1.5]));
        assert_eq!(without.expect("scores").relative(), None);
        assert_eq!(
            LeftOut::with_deviations(errors, None).map(|l| l.deviations(0.5)),
            Some(None)
        );
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
