//! Sigmoids for support vector machines.
//!
//! The decision values come from cross-validation, or the sigmoid would be too sure of itself. Folds
//! are stratified, so that the shares of the classes outside a fold say nothing about the rows in
//! it, and copies are dealt, not weights: a class factor of 2 makes no second row that could tell
//! the first one's class.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::binary::{Binary, Outcome, Rule};
use super::settings::SolverSettings;
use crate::Result;
use crate::data::random::shuffle;
use crate::model::readout::{Origin, Sigmoid};

/// Folds of the cross-validation that feeds the sigmoid.
const FOLDS: usize = 5;

/// Fits a sigmoid on cross-validated decisions that share the problem's kernel rows.
///
/// A fold takes copies of rows away: a row that stands for many loses some in every fold, as if
/// they were rows of their own, and learns with (m − held)·c for m copies of class factor c. Its
/// solver starts from the multipliers of the whole problem.
/// Returns the sigmoid and the steps taken.
pub(super) fn calibrate(
    rule: Rule,
    binary: &mut Binary<'_>,
    whole: &Outcome,
    solver: &SolverSettings,
    seed: u64,
) -> Result<(Sigmoid, u64)> {
    let n = binary.weights.len();
    let mut evaluated = Evaluated::default();
    let mut steps = 0;
    let rest = binary.span.clone();
    let folds = deal_copies(&binary.copies, binary.positives, seed);
    for (fold, held) in folds.iter().enumerate() {
        let factor = |i: usize| binary.factors.get(i).copied().unwrap_or(1.0);
        let weights: Vec<f64> = (0..n)
            .map(|i| (binary.copies[i] - held[i]) * factor(i))
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
            let start = fold_start(&whole.alpha, &weights, &binary.weights, binary.positives);
            binary.workspace.share(1.0 / (FOLDS - fold) as f64);
            let share = |fold: usize| fold as f64 / FOLDS as f64 * (rest.end - rest.start);
            binary.span = rest.start + share(fold)..rest.start + share(fold + 1);
            let stage = format!("{}, probabilities {} of {FOLDS}", binary.name(), fold + 1);
            match rule.solve(binary, &weights, Some(start), solver, &stage) {
                Ok(outcome) => {
                    steps += outcome.iterations;
                    outcome.decision
                }
                // A share ν that fits all rows may not fit a fold: such a fold tells nothing.
                Err(crate::Error::Setting { .. }) if matches!(rule, Rule::Nu { .. }) => {
                    vec![f64::NAN; n]
                }
                Err(error) => return Err(error),
            }
        };
        for i in (0..n).filter(|&i| held[i] > 0.0) {
            evaluated.decisions.push(fold_decisions[i]);
            evaluated.positive.push(i < binary.positives);
            evaluated.copies.push(held[i]);
            evaluated.factors.extend(binary.factors.get(i));
        }
    }
    let origin = Origin {
        fitted: binary.workspace.fitted_numbers(),
        factors: &evaluated.factors,
    };
    let sigmoid = Sigmoid::fit(
        &evaluated.decisions,
        &evaluated.positive,
        &evaluated.copies,
        &origin,
    );
    Ok((sigmoid, steps))
}

/// Decisions about held-out copies.
#[derive(Default)]
struct Evaluated {
    decisions: Vec<f64>,
    positive: Vec<bool>,
    copies: Vec<f64>,
    /// Class factors; empty for ones only.
    factors: Vec<f64>,
}

/// Multipliers of the whole problem without the held-out rows, balanced again.
fn fold_start(alpha: &[f64], weights: &[f64], all: &[f64], positives: usize) -> Vec<f64> {
    let kept = weights.iter().zip(all);
    let mut start: Vec<f64> = alpha
        .iter()
        .zip(kept)
        .map(|(a, (w, all))| if *w == *all { *a } else { a * (w / all) })
        .collect();
    super::warm::balance(&mut start, positives);
    start
}

/// Deals the copies that the rows of each class stand for out to the folds, in a seeded random
/// order of the rows; returns what every fold takes from every row.
fn deal_copies(copies: &[f64], positives: usize, seed: u64) -> Vec<Vec<f64>> {
    let n = copies.len();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut folds = vec![vec![0.0; n]; FOLDS];
    for range in [0..positives, positives..n] {
        let mut rows: Vec<usize> = range.collect();
        shuffle(&mut rng, &mut rows);
        let mut next = 0;
        for row in rows {
            let copies = copies[row];
            // All folds get the same number of whole copies, the next folds one of the rest
            // each; what is less than a copy goes along with the last of them.
            let rounds = (copies / FOLDS as f64).floor();
            let rest = copies - rounds * FOLDS as f64;
            for fold in &mut folds {
                fold[row] = rounds;
            }
            let pieces = (rest.floor() as usize).max(usize::from(rounds == 0.0));
            for piece in 0..pieces {
                folds[(next + piece) % FOLDS][row] += 1.0;
            }
            let last = (next + pieces.max(1) - 1) % FOLDS;
            folds[last][row] += rest - pieces as f64;
            next += pieces;
        }
    }
    folds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_dealt_like_rows() {
        let weights = [1.0, 1.0, 7.0, 0.25, 2.5, 1.0, 1000.0, 4.0];
        let folds = deal_copies(&weights, 5, 3);
        for (row, weight) in weights.iter().enumerate() {
            let parts: Vec<f64> = folds.iter().map(|fold| fold[row]).collect();
            assert!(parts.iter().all(|p| *p >= 0.0), "{parts:?}");
            assert!(
                (parts.iter().sum::<f64>() - weight).abs() < 1e-9,
                "{parts:?}"
            );
            let (most, least) = parts
                .iter()
                .fold((0.0_f64, f64::MAX), |(m, l), p| (m.max(*p), l.min(*p)));
            assert!(most - least <= 2.0, "{parts:?}");
        }
        let single: Vec<usize> = (0..8).filter(|&r| weights[r] <= 1.0).collect();
        for row in single {
            assert_eq!(folds.iter().filter(|fold| fold[row] > 0.0).count(), 1);
        }
    }
}
