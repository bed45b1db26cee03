//! The permutation test: could the score be chance?
//!
//! Where targets have nothing to do with the rows, shuffling them changes nothing, and the score of the
//! true targets is as likely as any of the shuffled ones to be the best. Of N shufflings and the truth itself
//! the share that scores at least as well is a p-value for every N (Phipson and Smyth, 2010; Ojala and
//! Garriga, 2010).

use serde::Serialize;

use super::Better;
use crate::{Error, Result};

/// A score beside those of shuffled targets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chance {
    /// The score of the true targets.
    pub score: f64,
    /// Those of shuffled targets.
    pub shuffled: Vec<f64>,
    /// Probability that shuffled targets score at least as well: (1 + those that do)/(1 + all).
    pub p_value: f64,
}

impl Chance {
    /// Holds a score against those of shuffled targets; undefined ones count as no better.
    ///
    /// # Errors
    /// No shuffled score, or a score that is not known.
    pub fn of(score: f64, shuffled: Vec<f64>, better: Better) -> Result<Self> {
        if shuffled.is_empty() || score.is_nan() {
            return Err(Error::rows(
                "there is no score, or none of shuffled targets, to hold against each other",
                "shuffle at least once, and use a metric that the rows define",
            ));
        }
        let as_good = shuffled.iter().filter(|other| match better {
            Better::Higher => **other >= score,
            Better::Lower => **other <= score,
        });
        let p_value = (1 + as_good.count()) as f64 / (1 + shuffled.len()) as f64;
        Ok(Self {
            score,
            shuffled,
            p_value,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_truth_counts_as_one_of_the_shuffles() {
        let found = Chance::of(0.9, vec![0.5, 0.9, 0.4, f64::NAN], Better::Higher).unwrap();
        assert_eq!(found.p_value, 2.0 / 5.0);
        let loss = Chance::of(0.1, vec![0.5; 99], Better::Lower).unwrap();
        assert_eq!(loss.p_value, 0.01);
        assert!(Chance::of(0.1, Vec::new(), Better::Lower).is_err());
        assert!(Chance::of(f64::NAN, vec![1.0], Better::Lower).is_err());
    }
}
