//! What a row of decision values stands for.

use mercer_linalg::Matrix;

use super::coupling::couple;
use super::model::{Machine, Scheme, pairs};
use super::sigmoid::Sigmoid;

impl Machine {
    /// Returns the class code a row of decisions stands for.
    ///
    /// Where the machine gives probabilities the answer is the most probable class, so that
    /// labels never contradict them; otherwise votes or the largest decision count, and ties
    /// go to the first class.
    pub fn class(&self, decisions: &[f64]) -> Option<u32> {
        let probabilities = self.probabilities(decisions);
        self.class_given(decisions, probabilities.as_deref())
    }

    /// Returns the class code of a row whose probabilities are known.
    pub(crate) fn class_given(
        &self,
        decisions: &[f64],
        probabilities: Option<&[f64]>,
    ) -> Option<u32> {
        let Self::Classifier { labels, scheme, .. } = self else {
            return None;
        };
        if let Some(probabilities) = probabilities {
            return Some(first_largest(probabilities));
        }
        match scheme {
            // Two classes have one vote; a decision that is no number goes to the second.
            Scheme::OneVsOne if labels.len() == 2 => Some(1 - u32::from(decisions[0] > 0.0)),
            Scheme::OneVsOne => {
                let mut votes = vec![0.0; labels.len()];
                for (d, (a, b)) in pairs(labels.len()).enumerate() {
                    votes[if decisions[d] > 0.0 { a } else { b }] += 1.0;
                }
                Some(first_largest(&votes))
            }
            Scheme::OneVsRest => Some(first_largest(decisions)),
        }
    }

    /// Returns class probabilities for a row of decisions, where the machine has them.
    pub fn probabilities(&self, decisions: &[f64]) -> Option<Vec<f64>> {
        let Self::Classifier {
            labels,
            scheme,
            sigmoids: Some(sigmoids),
            ..
        } = self
        else {
            return None;
        };
        let k = labels.len();
        match scheme {
            Scheme::OneVsOne if k == 2 => {
                let p = sigmoids[0].probability(decisions[0]);
                Some(vec![p, 1.0 - p])
            }
            Scheme::OneVsOne => Some(couple(&pairwise(sigmoids, decisions, k))),
            Scheme::OneVsRest => {
                let raw: Vec<f64> = sigmoids
                    .iter()
                    .zip(decisions)
                    .map(|(s, d)| s.probability(*d))
                    .collect();
                let sum: f64 = raw.iter().sum();
                Some(if sum > 0.0 {
                    raw.iter().map(|p| p / sum).collect()
                } else {
                    vec![1.0 / k as f64; k]
                })
            }
        }
    }
}

fn pairwise(sigmoids: &[Sigmoid], decisions: &[f64], k: usize) -> Matrix<f64> {
    // Pairs are kept away from certainty, or coupling would divide by zero.
    const CERTAIN: f64 = 1e-7;
    let mut r = Matrix::zeros(k, k);
    for (d, (a, b)) in pairs(k).enumerate() {
        let p = sigmoids[d]
            .probability(decisions[d])
            .clamp(CERTAIN, 1.0 - CERTAIN);
        r[(a, b)] = p;
        r[(b, a)] = 1.0 - p;
    }
    r
}

fn first_largest(values: &[f64]) -> u32 {
    let mut best = 0;
    for (k, v) in values.iter().enumerate() {
        if *v > values[best] {
            best = k;
        }
    }
    best as u32
}
