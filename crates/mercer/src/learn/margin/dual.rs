//! The dual problem of each machine, stated once: for fits, and for the folds of a search.
//!
//! Rows come as weights, those of their classes included; a row's variable may grow to C times
//! its weight, and a row of weight 0 takes no part.

use super::binary::Rule;
use super::settings::Bias;
use super::{OneClass, Svc, Svr};
use crate::model::readout::Scheme;
use crate::solver::smo::{Coupling, DualProblem};

/// Upper bound of the weights of whole hulls: above their sum 1, so that every positive weight is
/// free.
const UNREACHED: f64 = 2.0;

/// One decision: which class is positive, and against whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Subproblem {
    pub(crate) positive: usize,
    /// The other class of a pair; `None` for all others.
    pub(crate) negative: Option<usize>,
}

/// The decisions that tell some classes apart.
pub(crate) fn subproblems(scheme: Scheme, classes: &[usize]) -> Vec<Subproblem> {
    match scheme {
        Scheme::OneVsOne => {
            let firsts = classes.iter().enumerate();
            let pairs = firsts.flat_map(|(place, &positive)| {
                let others = classes[place + 1..].iter();
                others.map(move |&negative| Subproblem {
                    positive,
                    negative: Some(negative),
                })
            });
            pairs.collect()
        }
        Scheme::OneVsRest | Scheme::Softmax => {
            let alone = classes.iter().map(|&positive| Subproblem {
                positive,
                negative: None,
            });
            alone.collect()
        }
    }
}

/// Labels +1 for so many rows, −1 for the others.
pub(super) fn signs(positives: usize, rows: usize) -> Vec<f64> {
    let sign = |row: usize| if row < positives { 1.0 } else { -1.0 };
    (0..rows).map(sign).collect()
}

impl Rule {
    /// The problem of two classes, the rows of the positive one first.
    pub(super) fn dual(self, positives: usize, weights: &[f64]) -> DualProblem {
        let signs = signs(positives, weights.len());
        match self {
            // Σα − ½ αᵀQα with α ≤ Cw.
            Self::Soft { c, bias } => DualProblem {
                rows: signs.len(),
                centres: signs.clone(),
                upper: weights.iter().map(|w| c * w).collect(),
                coupling: coupling(bias),
                signs,
            },
            // The nearest points of two hulls that the weights reduce.
            Self::Nu { .. } => hulls(signs, weights.to_vec(), Coupling::PerSign),
            // Those of whole hulls; without a free constant that of one hull and the origin, where
            // the kernel has the labels in it.
            Self::Hard { bias } => {
                let upper = weights.iter();
                let upper = upper.map(|w| if *w > 0.0 { UNREACHED } else { 0.0 });
                let upper: Vec<f64> = upper.collect();
                match bias {
                    Bias::Free => hulls(signs, upper, Coupling::PerSign),
                    Bias::None | Bias::Regularised => {
                        hulls(vec![1.0; upper.len()], upper, Coupling::Sum)
                    }
                }
            }
        }
    }
}

impl Svc {
    /// The problem of two classes with a soft margin, the rows of the positive one first.
    pub(crate) fn dual(&self, c: f64, positives: usize, weights: &[f64]) -> DualProblem {
        let bias = self.bias;
        Rule::Soft { c, bias }.dual(positives, weights)
    }
}

impl Svr {
    /// The problem of a tube of half-width ε around the prediction.
    pub(crate) fn dual(&self, c: f64, targets: &[f64], weights: &[f64]) -> DualProblem {
        tube(c, self.epsilon, targets, weights, coupling(self.bias))
    }
}

impl OneClass {
    /// The problem of a region with all rows but a share ν.
    #[expect(clippy::unused_self, reason = "ν is in the start, whose sum stays")]
    pub(crate) fn dual(&self, weights: &[f64]) -> DualProblem {
        hulls(vec![1.0; weights.len()], weights.to_vec(), Coupling::Sum)
    }

    /// A feasible start: the sum of all variables is ν times that of the weights.
    pub(crate) fn start(&self, problem: &DualProblem) -> Vec<f64> {
        let total: f64 = problem.upper.iter().sum();
        fill_up(&problem.upper, self.nu * total)
    }
}

/// The shortest way between points of hulls, or from one to the origin.
fn hulls(signs: Vec<f64>, upper: Vec<f64>, coupling: Coupling) -> DualProblem {
    DualProblem {
        rows: signs.len(),
        centres: vec![0.0; signs.len()],
        upper,
        coupling,
        signs,
    }
}

/// Two variables per row: one pulls the prediction up, one pulls it down.
pub(super) fn tube(
    c: f64,
    epsilon: f64,
    targets: &[f64],
    weights: &[f64],
    coupling: Coupling,
) -> DualProblem {
    let n = targets.len();
    let up = targets.iter().map(|v| v - epsilon);
    let down = targets.iter().map(|v| v + epsilon);
    let upper: Vec<f64> = weights.iter().map(|w| c * w).collect();
    DualProblem {
        rows: n,
        signs: signs(n, 2 * n),
        centres: up.chain(down).collect(),
        upper: [upper.clone(), upper].concat(),
        coupling,
    }
}

/// Sums that a step keeps with this constant term.
pub(super) fn coupling(bias: Bias) -> Coupling {
    match bias {
        Bias::Free => Coupling::Sum,
        Bias::None | Bias::Regularised => Coupling::None,
    }
}

/// Spreads a sum over boxes, filling them one after the other.
pub(super) fn fill_up(upper: &[f64], mut sum: f64) -> Vec<f64> {
    upper
        .iter()
        .map(|&u| {
            let part = u.min(sum);
            sum -= part;
            part
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_by_pairs_and_against_the_rest() {
        let pair = |positive, negative| Subproblem {
            positive,
            negative: Some(negative),
        };
        let found = subproblems(Scheme::OneVsOne, &[0, 2, 3]);
        assert_eq!(found, [pair(0, 2), pair(0, 3), pair(2, 3)]);
        let rest: Vec<usize> = subproblems(Scheme::OneVsRest, &[0, 2])
            .iter()
            .map(|subproblem| subproblem.positive)
            .collect();
        assert_eq!(rest, [0, 2]);
    }

    #[test]
    fn boxes_are_filled_in_order() {
        assert_eq!(fill_up(&[1.0, 2.0, 3.0], 2.5), [1.0, 1.5, 0.0]);
    }

    #[test]
    fn a_tube_has_two_variables_a_row() {
        let svr = Svr::default().epsilon(0.5);
        let problem = svr.dual(2.0, &[1.0, 3.0], &[1.0, 2.0]);
        assert_eq!(problem.centres, [0.5, 2.5, 1.5, 3.5]);
        assert_eq!(problem.upper, [2.0, 4.0, 2.0, 4.0]);
        assert_eq!(problem.signs, [1.0, 1.0, -1.0, -1.0]);
    }
}
