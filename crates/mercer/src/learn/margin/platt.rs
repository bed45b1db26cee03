//! Sigmoids for margin machines.
//!
//! The decision values come from cross-validation, or the sigmoid would be too sure of itself.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::binary::{Binary, Outcome, Rule};
use super::settings::SolverSettings;
use crate::Result;
use crate::data::random::shuffle;
use crate::learn::expansion::Sigmoid;

/// Folds of the cross-validation that feeds the sigmoid.
const FOLDS: usize = 5;

/// Fits a sigmoid on cross-validated decisions that share the problem's kernel rows.
///
/// A fold leaves rows out by giving them weight 0; its solver starts from the multipliers of
/// the whole problem. Returns the sigmoid and the steps taken.
pub(super) fn calibrate(
    rule: Rule,
    binary: &mut Binary<'_>,
    whole: &Outcome,
    solver: &SolverSettings,
    seed: u64,
) -> Result<(Sigmoid, u64)> {
    let n = binary.weights.len();
    let folds = assign_folds(binary.positives, n, seed);
    let mut decisions = vec![0.0; n];
    let mut steps = 0;
    for fold in 0..FOLDS {
        let weights: Vec<f64> = (0..n)
            .map(|i| {
                if folds[i] == fold {
                    0.0
                } else {
                    binary.weights[i]
                }
            })
            .collect();
        let left = |range: std::ops::Range<usize>| range.into_iter().any(|i| weights[i] > 0.0);
        let constant = match (left(0..binary.positives), left(binary.positives..n)) {
            (true, true) => None,
            (true, false) => Some(1.0),
            (false, true) => Some(-1.0),
            (false, false) => Some(0.0),
        };
        let fold_decisions = if let Some(value) = constant {
            vec![value; n]
        } else {
            let start = fold_start(&whole.alpha, &weights, binary.positives);
            let stage = format!("{}, probabilities {} of {FOLDS}", binary.name(), fold + 1);
            match rule.solve(binary, &weights, Some(start), solver, &stage) {
                Ok(outcome) => {
                    steps += outcome.iterations;
                    outcome.decision
                }
                // A share ν that fits all rows may not fit a fold: such a fold tells nothing.
                Err(crate::Error::Setting { .. }) if matches!(rule, Rule::Nu { .. }) => {
                    whole.decision.clone()
                }
                Err(error) => return Err(error),
            }
        };
        for i in (0..n).filter(|&i| folds[i] == fold) {
            decisions[i] = fold_decisions[i];
        }
    }
    let positive: Vec<bool> = (0..n).map(|i| i < binary.positives).collect();
    let sigmoid = Sigmoid::fit(&decisions, &positive, &binary.weights);
    Ok((sigmoid, steps))
}

/// Multipliers of the whole problem without the left-out rows, balanced again.
fn fold_start(alpha: &[f64], weights: &[f64], positives: usize) -> Vec<f64> {
    let mut start: Vec<f64> = alpha
        .iter()
        .zip(weights)
        .map(|(a, w)| if *w > 0.0 { *a } else { 0.0 })
        .collect();
    super::warm::balance(&mut start, positives);
    start
}

/// Deals the rows of each class out to the folds in a seeded random order.
fn assign_folds(positives: usize, n: usize, seed: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut folds = vec![0; n];
    for range in [0..positives, positives..n] {
        let mut rows: Vec<usize> = range.collect();
        shuffle(&mut rng, &mut rows);
        for (k, row) in rows.into_iter().enumerate() {
            folds[row] = k % FOLDS;
        }
    }
    folds
}
