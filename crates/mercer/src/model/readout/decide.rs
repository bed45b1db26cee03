//! What a row of decision values stands for.

use mercer_linalg::Matrix;

use super::coupling::couple;
use super::{ClassReadout, Readout, Scheme, Sigmoid, pairs};

impl ClassReadout {
    /// Returns the class code a row of decisions stands for.
    ///
    /// Where there are probabilities P it is the class of largest c P, c the class
    /// factors, so that labels never contradict them; classes that tie go to the larger decision,
    /// or the votes. Otherwise these alone count; of two classes a decision of 0 means the second, as in
    /// LIBSVM. What is left goes to the first class.
    pub fn class(&self, decisions: &[f64]) -> u32 {
        let probabilities = self.probabilities(decisions);
        self.class_given(decisions, probabilities.as_deref())
    }

    /// Returns the class code of a row whose probabilities are known, from these sigmoids or from
    /// elsewhere; `None` as probabilities asks for the class by decisions alone.
    pub fn class_given(&self, decisions: &[f64], probabilities: Option<&[f64]>) -> u32 {
        let Some(probabilities) = probabilities else {
            return self.class_by_decisions(decisions);
        };
        let score = |k: usize| probabilities[k] * self.factors.as_ref().map_or(1.0, |f| f[k]);
        let scores: Vec<f64> = (0..probabilities.len()).map(score).collect();
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut tied = (0..scores.len()).filter(|&k| scores[k] >= best);
        let Some(first) = tied.next() else {
            // Probabilities of decisions that are no number are none.
            return self.class_by_decisions(decisions);
        };
        let Some(second) = tied.next() else {
            return first as u32;
        };
        let strengths = self.strengths(decisions);
        let stronger = |best: usize, k: usize| {
            if strengths[k] > strengths[best] {
                k
            } else {
                best
            }
        };
        tied.fold(stronger(first, second), stronger) as u32
    }

    /// Returns the class code by the sign of the decision, the largest one, or the votes.
    pub(crate) fn class_by_decisions(&self, decisions: &[f64]) -> u32 {
        if self.scheme == Scheme::OneVsOne && self.labels.len() == 2 {
            // Two classes have one vote; a decision that is no number goes to the second.
            return 1 - u32::from(decisions[0] > 0.0);
        }
        first_largest(&self.strengths(decisions))
    }

    /// How strongly decisions speak for each class: the decision itself, or the votes of pairs.
    fn strengths(&self, decisions: &[f64]) -> Vec<f64> {
        let classes = self.labels.len();
        match self.scheme {
            Scheme::OneVsOne if classes == 2 => vec![decisions[0], -decisions[0]],
            Scheme::OneVsOne => {
                let mut votes = vec![0.0; classes];
                for (d, (a, b)) in pairs(classes).enumerate() {
                    votes[if decisions[d] > 0.0 { a } else { b }] += 1.0;
                }
                votes
            }
            Scheme::OneVsRest | Scheme::Softmax => decisions.to_vec(),
        }
    }

    /// Returns class probabilities for a row of decisions, where there are sigmoids or a softmax.
    pub fn probabilities(&self, decisions: &[f64]) -> Option<Vec<f64>> {
        if self.scheme == Scheme::Softmax {
            return Some(softmax(decisions));
        }
        let sigmoids = self.sigmoids.as_ref()?;
        let k = self.labels.len();
        match self.scheme {
            Scheme::OneVsOne if k == 2 => {
                let p = sigmoids[0].probability(decisions[0]);
                Some(vec![p, 1.0 - p])
            }
            Scheme::OneVsOne => Some(couple(&pairwise(sigmoids, decisions, k))),
            Scheme::OneVsRest | Scheme::Softmax => {
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

impl Readout {
    /// Returns the class code a row of decisions stands for; `None` without classes.
    pub fn class(&self, decisions: &[f64]) -> Option<u32> {
        self.classes().map(|classes| classes.class(decisions))
    }

    /// Returns class probabilities for a row of decisions, where there are any.
    pub fn probabilities(&self, decisions: &[f64]) -> Option<Vec<f64>> {
        self.classes()?.probabilities(decisions)
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

/// exp(f_k) / Σ exp(f), without overflow.
fn softmax(decisions: &[f64]) -> Vec<f64> {
    let largest = decisions.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let raw: Vec<f64> = decisions.iter().map(|f| (f - largest).exp()).collect();
    let sum: f64 = raw.iter().sum();
    raw.iter().map(|p| p / sum).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn readout(
        k: usize,
        scheme: Scheme,
        sigmoids: &[Sigmoid],
        factors: Option<&[f64]>,
    ) -> ClassReadout {
        ClassReadout {
            labels: (0..k).map(|k| k.to_string()).collect(),
            scheme,
            sigmoids: Some(sigmoids.to_vec()),
            factors: factors.map(<[f64]>::to_vec),
        }
    }

    #[test]
    fn factors_move_labels_and_leave_probabilities() {
        let sigmoid = [Sigmoid { a: -1.0, b: 0.0 }];
        let plain = readout(2, Scheme::OneVsOne, &sigmoid, None);
        let dear = readout(2, Scheme::OneVsOne, &sigmoid, Some(&[1.0, 3.0]));
        // P of the first class is 0.73 at 1 and 0.88 at 2; the border is at 0.75.
        for (f, expected) in [(1.0, 1), (2.0, 0), (-0.1, 1)] {
            assert_eq!(dear.class(&[f]), expected);
            assert_eq!(plain.class(&[f]), u32::from(f < 0.0));
            assert_eq!(dear.probabilities(&[f]), plain.probabilities(&[f]));
        }
        assert_eq!(dear.class_by_decisions(&[1.0]), 0);
    }

    #[test]
    fn ties_go_to_the_larger_decision_then_to_the_first_class() {
        let even = Sigmoid { a: 0.0, b: 0.0 };
        let two = readout(2, Scheme::OneVsOne, &[even], None);
        for (f, expected) in [(0.5, 0), (-0.5, 1), (0.0, 0)] {
            assert_eq!(two.class(&[f]), expected);
        }
        let rest = readout(3, Scheme::OneVsRest, &[even; 3], None);
        assert_eq!(rest.class(&[-0.5, 0.1, 0.3]), 2);
        assert_eq!(rest.class(&[0.1, 0.1, 0.1]), 0);
        let doubled = readout(3, Scheme::OneVsRest, &[even; 3], Some(&[1.0, 2.0, 2.0]));
        assert_eq!(doubled.class(&[9.0, 0.1, 0.3]), 2);
        // The pairs are (0, 1), (0, 2), (1, 2).
        let by_pairs = readout(3, Scheme::OneVsOne, &[even; 3], None);
        assert_eq!(by_pairs.class(&[-1.0, 1.0, 1.0]), 1);
        assert_eq!(by_pairs.class(&[1.0, -1.0, 1.0]), 0);
    }

    #[test]
    fn a_row_on_the_border_goes_to_the_second_class() {
        let mut two = readout(2, Scheme::OneVsOne, &[], None);
        two.sigmoids = None;
        for (f, expected) in [(1e-300, 0), (0.0, 1), (-0.0, 1), (-1e-300, 1)] {
            assert_eq!(two.class(&[f]), expected, "{f}");
        }
    }

    #[test]
    fn a_softmax_is_a_distribution_and_never_overflows() {
        let readout = ClassReadout {
            labels: ["a", "b", "c"].map(str::to_owned).to_vec(),
            scheme: Scheme::Softmax,
            sigmoids: None,
            factors: None,
        };
        let found = readout
            .probabilities(&[0.0, 2.0_f64.ln(), 0.0])
            .expect("shares");
        for (p, expected) in found.iter().zip([0.25, 0.5, 0.25]) {
            assert!((p - expected).abs() < 1e-15, "{found:?}");
        }
        let far = readout
            .probabilities(&[1e308, -1e308, 0.0])
            .expect("shares");
        assert_eq!(far, [1.0, 0.0, 0.0]);
        assert_eq!(readout.class(&[1.0, 3.0, 2.0]), 1);
    }

    #[test]
    fn constant_pairs_couple_to_the_shares() {
        let shares = [0.6, 0.3, 0.1];
        let sigmoids: Vec<Sigmoid> = pairs(3)
            .map(|(a, b)| Sigmoid::constant(shares[a] / (shares[a] + shares[b])))
            .collect();
        let coupled = readout(3, Scheme::OneVsOne, &sigmoids, None);
        let found = coupled.probabilities(&[0.3, -2.0, 1.0]).expect("sigmoids");
        for (p, share) in found.iter().zip(shares) {
            assert!((p - share).abs() < 5e-3, "{p} {share}");
        }
    }
}
