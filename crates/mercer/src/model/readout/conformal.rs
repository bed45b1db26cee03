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
//!
//! Of classes the promise can be kept for each by itself (label-conditional, or Mondrian: Vovk, 2012): a class is in
//! the set where it conforms as well as all but a share 1 − level of its own held-out rows. Rare classes are
//! then missed no more often than frequent ones; a class with too few rows to tell is in every set.

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
    /// The true class of every row, in the order of the scores.
    #[serde(default)]
    classes: Option<Vec<u32>>,
}

impl LeftOut {
    /// Takes scores in any order; those that are no number are dropped. `None` without any.
    pub fn new(mut scores: Vec<f64>) -> Option<Self> {
        ascending(&mut scores);
        (!scores.is_empty()).then_some(Self {
            scores,
            relative: None,
            classes: None,
        })
    }

    /// The same for classes, with the true class of every row.
    pub fn with_classes(scores: &[f64], codes: &[u32]) -> Option<Self> {
        if scores.len() != codes.len() {
            return Self::new(scores.to_vec());
        }
        let pairs = scores.iter().copied().zip(codes.iter().copied());
        let mut known: Vec<(f64, u32)> = pairs.filter(|(score, _)| score.is_finite()).collect();
        known.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        (!known.is_empty()).then(|| Self {
            scores: known.iter().map(|(score, _)| *score).collect(),
            relative: None,
            classes: Some(known.iter().map(|(_, class)| *class).collect()),
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
    pub(in crate::model) fn from_parts(
        scores: Vec<f64>,
        relative: Option<Vec<f64>>,
        classes: Option<Vec<u32>>,
    ) -> Self {
        Self {
            scores,
            relative,
            classes,
        }
    }

    /// Returns the true class of every row, in the order of the scores, where it is known.
    pub fn classes(&self) -> Option<&[u32]> {
        self.classes.as_deref()
    }

    /// Returns what the score of a new row of a class stays below with probability `level`, by the rows of
    /// that class alone; infinite where they are too few to say. `None` where classes are not known.
    pub fn bound_of_class(&self, class: u32, level: f64) -> Option<f64> {
        let own = self.scores.iter().zip(self.classes.as_ref()?);
        let own = own.filter(|(_, code)| **code == class);
        let own: Vec<f64> = own.map(|(score, _)| *score).collect();
        Some(bound(&own, level))
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
        if self
            .classes
            .as_ref()
            .is_some_and(|classes| classes.len() != self.scores.len())
        {
            return Err(Error::model(
                "the scores of held-out rows and their classes differ in number",
            ));
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

    /// Returns the same with a promise for every class: rows of each have it among theirs with probability
    /// `level`. `None` where the classes of held-out rows are not known.
    pub fn conditional_set(
        &self,
        readout: &Readout,
        decisions: &[f64],
        level: f64,
    ) -> Option<Vec<u32>> {
        let classes = readout.classes()?;
        let answer = classes.class(decisions);
        let mut set = Vec::new();
        for class in 0..classes.labels.len() as u32 {
            let bound = self.bound_of_class(class, level)?;
            if class == answer || classes.nonconformity(decisions, class as usize) <= bound {
                set.push(class);
            }
        }
        Some(set)
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
    fn every_class_has_a_bound_of_its_own() {
        let scores = [-2.0, -1.0, 0.5, 3.0, f64::NAN, -0.5];
        let found = LeftOut::with_classes(&scores, &[0, 0, 0, 1, 1, 1]).expect("scores");
        assert_eq!(found.scores(), [-2.0, -1.0, -0.5, 0.5, 3.0]);
        assert_eq!(found.classes(), Some(&[0, 0, 1, 0, 1][..]));
        assert_eq!(found.bound_of_class(0, 0.5), Some(-1.0));
        assert_eq!(found.bound_of_class(1, 0.5), Some(3.0));
        assert_eq!(found.bound_of_class(0, 0.9), Some(f64::INFINITY));
        assert_eq!(found.bound_of_class(7, 0.5), Some(f64::INFINITY));
        assert_eq!(
            LeftOut::new(vec![1.0]).and_then(|l| l.bound_of_class(0, 0.5)),
            None
        );
        let two = Readout::Classes(ClassReadout {
            labels: ["a", "b"].map(str::to_owned).to_vec(),
            scheme: Scheme::OneVsOne,
            sigmoids: None,
            factors: None,
        });
        // Behind by 1 as `b`: within the bound of its class, and beyond that of all.
        assert_eq!(found.conditional_set(&two, &[1.0], 0.5), Some(vec![0, 1]));
        assert_eq!(found.class_set(&two, &[1.0], 0.5), Some(vec![0]));
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
