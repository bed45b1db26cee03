//! Scores of shuffled targets.

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::trace::{Spread, Tracing, checked_metric, one_turn};
use crate::data::random::shuffle;
use crate::data::{ClassTargets, Targets};
use crate::fit::FitContext;
use crate::judge::{Chance, Metric};
use crate::recipe::Opened;
use crate::{Error, Result};

/// Scores shuffled targets, as often as asked, on the same folds: could the score be chance?
///
/// Within groups, targets are shuffled among the rows of each. A time limit ends that early; the p-value is
/// one for every number of shufflings.
///
/// # Errors
/// As [`learning_curve`](super::learning_curve); a time limit before the first shuffling was scored.
pub fn permutation_test(
    opened: &Opened<'_>,
    shufflings: usize,
    how: &Tracing,
    context: &FitContext,
) -> Result<(Metric, Chance)> {
    let metric = checked_metric(how.metric, opened.task)?;
    if shufflings == 0 {
        return Err(Error::setting("permutations", 0, "at least 1"));
    }
    let split = opened.folds(how.folds, context.seed)?;
    let scored = |rows: &Opened<'_>, number: usize| -> Result<f64> {
        let mut scores = Vec::new();
        for fold in 0..split.test.len() {
            let stage = match number {
                0 => format!("true targets, fold {}", fold + 1),
                n => format!("shuffling {n} of {shufflings}, fold {}", fold + 1),
            };
            let all = (shufflings + 1) * split.test.len();
            let here = context.turn(&stage, number * split.test.len() + fold, all);
            let train = split.train(fold);
            let parts = (&train[..], &split.test[fold][..]);
            let turn = one_turn(rows, parts, metric, &here, |prepared| {
                how.arrange(prepared);
                Ok(())
            })?;
            scores.push(turn.held_out);
        }
        Ok(Spread::of(scores).mean)
    };
    let score = scored(opened, 0)?;
    let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
    let mut found = Vec::with_capacity(shufflings);
    for number in 1..=shufflings {
        let order = shuffled(opened, &mut rng);
        let mut other = opened.clone();
        other.targets = permuted(&opened.targets, &order);
        match scored(&other, number) {
            Err(Error::OutOfTime) if !found.is_empty() => break,
            score => found.push(score?),
        }
    }
    Ok((metric, Chance::of(score, found, metric.entry().better)?))
}

/// Which row every row takes its target from: any other, or one of its group.
fn shuffled(opened: &Opened<'_>, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..opened.rows()).collect();
    let Some(groups) = &opened.groups else {
        shuffle(rng, &mut order);
        return order;
    };
    let mut by_group: BTreeMap<u32, Vec<usize>> = BTreeMap::default();
    for (row, group) in groups.iter().enumerate() {
        by_group.entry(*group).or_default().push(row);
    }
    for rows in by_group.values() {
        let mut mixed = rows.clone();
        shuffle(rng, &mut mixed);
        for (row, from) in rows.iter().zip(mixed) {
            order[*row] = from;
        }
    }
    order
}

/// Targets in another order; classes keep their codes.
fn permuted(targets: &Targets, order: &[usize]) -> Targets {
    match targets {
        Targets::Classes(classes) => Targets::Classes(ClassTargets {
            codes: order.iter().map(|&row| classes.codes[row]).collect(),
            labels: classes.labels.clone(),
        }),
        other => other.select(order),
    }
}
