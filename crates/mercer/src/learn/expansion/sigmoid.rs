//! Probabilities from decision values: Platt's sigmoid.
//!
//! P(+ | f) = 1 / (1 + exp(A f + B)), with A and B maximising the likelihood of smoothed
//! targets t₊ = (N₊+1)/(N₊+2), t₋ = 1/(N₋+2) (Platt 1999), by Newton's method with the
//! overflow-free forms of Lin, Lin and Weng (Machine Learning 68, 2007).

use serde::{Deserialize, Serialize};

/// A fitted sigmoid.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sigmoid {
    /// Slope; negative when larger decisions mean the positive class.
    pub a: f64,
    /// Offset.
    pub b: f64,
}

impl Sigmoid {
    /// Returns the probability of the positive class.
    pub fn probability(&self, decision: f64) -> f64 {
        let x = self.a * decision + self.b;
        if x >= 0.0 {
            (-x).exp() / (1.0 + (-x).exp())
        } else {
            1.0 / (1.0 + x.exp())
        }
    }

    /// Fits a sigmoid to decision values of rows that are `positive` or not.
    pub(crate) fn fit(decisions: &[f64], positive: &[bool], weights: &[f64]) -> Self {
        let total = |side: bool| -> f64 {
            let members = positive.iter().zip(weights);
            members.filter(|(p, _)| **p == side).map(|(_, w)| w).sum()
        };
        let (plus, minus) = (total(true), total(false));
        let (high, low) = ((plus + 1.0) / (plus + 2.0), 1.0 / (minus + 2.0));
        let targets: Vec<f64> = positive
            .iter()
            .map(|&p| if p { high } else { low })
            .collect();
        let likelihood = Likelihood {
            decisions,
            targets: &targets,
            weights,
        };
        likelihood.minimise(Self {
            a: 0.0,
            b: ((minus + 1.0) / (plus + 1.0)).ln(),
        })
    }
}

/// The negative log-likelihood of a sigmoid.
struct Likelihood<'a> {
    decisions: &'a [f64],
    targets: &'a [f64],
    weights: &'a [f64],
}

impl Likelihood<'_> {
    fn rows(&self) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        let rows = self.decisions.iter().zip(self.targets).zip(self.weights);
        rows.map(|((f, t), w)| (*f, *t, *w))
    }

    fn value(&self, s: Sigmoid) -> f64 {
        self.rows()
            .map(|(f, t, w)| {
                let x = f * s.a + s.b;
                let loss = if x >= 0.0 {
                    t * x + (-x).exp().ln_1p()
                } else {
                    (t - 1.0) * x + x.exp().ln_1p()
                };
                w * loss
            })
            .sum()
    }

    fn minimise(&self, start: Sigmoid) -> Sigmoid {
        // Ridge on the Hessian: keeps the step defined when all decisions are equal.
        const RIDGE: f64 = 1e-12;
        const GRADIENT_TOLERANCE: f64 = 1e-8;
        const SMALLEST_STEP: f64 = 1e-10;
        let mut at = start;
        let mut value = self.value(at);
        for _ in 0..100 {
            let (mut haa, mut hbb, mut hab, mut ga, mut gb) = (RIDGE, RIDGE, 0.0, 0.0, 0.0);
            for (f, t, w) in self.rows() {
                let p = at.probability(f);
                let curvature = w * p * (1.0 - p);
                haa += f * f * curvature;
                hbb += curvature;
                hab += f * curvature;
                let slope = w * (t - p);
                ga += f * slope;
                gb += slope;
            }
            if ga.abs() < GRADIENT_TOLERANCE && gb.abs() < GRADIENT_TOLERANCE {
                break;
            }
            let determinant = haa * hbb - hab * hab;
            let da = -(hbb * ga - hab * gb) / determinant;
            let db = -(haa * gb - hab * ga) / determinant;
            let slope = ga * da + gb * db;
            let mut length = 1.0;
            let moved = loop {
                let next = Sigmoid {
                    a: at.a + length * da,
                    b: at.b + length * db,
                };
                let next_value = self.value(next);
                if next_value < value + 1e-4 * length * slope {
                    at = next;
                    value = next_value;
                    break true;
                }
                length /= 2.0;
                if length < SMALLEST_STEP {
                    break false;
                }
            };
            if !moved {
                break;
            }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sigmoid_recovers_known_probabilities() {
        // Rows at ±1 with 80 % of each side on its own side: P(+|1) tends to 0.8.
        let mut decisions = Vec::new();
        let mut positive = Vec::new();
        for (f, p, copies) in [
            (1.0, true, 800),
            (1.0, false, 200),
            (-1.0, false, 800),
            (-1.0, true, 200),
        ] {
            for _ in 0..copies {
                decisions.push(f);
                positive.push(p);
            }
        }
        let sigmoid = Sigmoid::fit(&decisions, &positive, &vec![1.0; decisions.len()]);
        assert!((sigmoid.probability(1.0) - 0.8).abs() < 2e-3);
        assert!((sigmoid.probability(-1.0) - 0.2).abs() < 2e-3);
    }

    #[test]
    fn equal_decisions_give_the_class_share() {
        let sigmoid = Sigmoid::fit(&[0.0; 4], &[true, false, false, false], &[1.0; 4]);
        // Platt's targets are (1 + 1)/(1 + 2) for one positive row and 1/(3 + 2) for three others:
        // their mean is the share of the class, drawn towards one half.
        let share = (2.0 / 3.0 + 3.0 / 5.0) / 4.0;
        let p = sigmoid.probability(0.0);
        assert!((p - share).abs() < 1e-4, "{p} {share}");
    }

    #[test]
    fn extreme_decisions_stay_probabilities() {
        let sigmoid = Sigmoid { a: -1e300, b: 3.0 };
        for f in [1e300, -1e300, 0.0] {
            let p = sigmoid.probability(f);
            assert!((0.0..=1.0).contains(&p), "{p}");
        }
    }
}
