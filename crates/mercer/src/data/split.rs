//! Seeded splits of rows: a hold-out part, and folds for cross-validation.
//!
//! Classes keep their shares in every part. Real targets are sorted and dealt block by block,
//! so that every part spans their range. Rows of one group stay together. The same targets,
//! groups and seed give the same split; every part lists its rows in ascending order.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::Targets;
use super::random::{below, shuffle};
use crate::fit::{Note, Warning, WarningCode};
use crate::hint::{Hint, Word};
use crate::{Error, Result};

/// Rows to learn from and rows to evaluate on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holdout {
    /// Rows to learn from, ascending.
    pub train: Vec<usize>,
    /// Rows to evaluate on, ascending.
    pub test: Vec<usize>,
}

/// The test rows of each fold of a cross-validation.
#[derive(Debug, Clone, PartialEq)]
pub struct Folds {
    /// One list of ascending row numbers per fold; every row is in exactly one, or, in a forward
    /// chain, in one at most.
    pub test: Vec<Vec<usize>>,
    /// In a forward chain a fold learns from rows before its test rows only: this many are left
    /// out in between. `None` where it learns from all rows outside.
    pub gap: Option<usize>,
    /// Reasons for care, such as a class with fewer rows than folds.
    pub notes: Vec<Note>,
}

impl Folds {
    /// Returns the rows that a fold learns from, ascending: those outside, or those before it.
    pub fn train(&self, fold: usize) -> Vec<usize> {
        if let Some(gap) = self.gap {
            let first = self.test[fold].first().copied().unwrap_or(0);
            return (0..first.saturating_sub(gap)).collect();
        }
        let mut rows: Vec<usize> = (0..self.test.len())
            .filter(|&f| f != fold)
            .flat_map(|f| self.test[f].iter().copied())
            .collect();
        rows.sort_unstable();
        rows
    }

    /// Returns how many rows the numbers of the test rows reach over.
    pub fn rows(&self) -> usize {
        let last = self.test.iter().flatten().max();
        last.map_or(0, |row| row + 1)
    }

    /// Returns the rows that some fold tests, ascending: all of them but in a forward chain.
    pub fn tested(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = self.test.iter().flatten().copied().collect();
        rows.sort_unstable();
        rows
    }

    /// Returns the test rows to one training row, in the mean of the folds.
    pub fn ratio(&self) -> f64 {
        let folds = 0..self.test.len();
        let each = folds.map(|fold| self.test[fold].len() as f64 / self.train(fold).len() as f64);
        each.sum::<f64>() / self.test.len() as f64
    }
}

/// Sets a share of the rows aside.
///
/// The test part has the nearest whole number of rows, at least one and at most all but one;
/// every class keeps at least one row to learn from. With groups, whole groups are set aside
/// and the share is met as nearly as they allow.
///
/// # Errors
/// A share outside (0, 1), fewer than two rows or groups, lengths that differ.
pub fn holdout(
    rows: usize,
    targets: &Targets,
    share: f64,
    seed: u64,
    groups: Option<&[u32]>,
) -> Result<Holdout> {
    if !(share > 0.0 && share < 1.0) {
        let rule = "between 0 and 1, both excluded";
        return Err(Error::setting("holdout", share, rule));
    }
    check_lengths(rows, targets, groups)?;
    if rows < 2 {
        return Err(Error::rows(
            format!("{rows} row cannot be split into a training and a test part"),
            "give at least two rows",
        ));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut test = match groups {
        Some(groups) => holdout_groups(&mut rng, rows, targets, share, groups)?,
        None => holdout_rows(&mut rng, rows, targets, share),
    };
    test.sort_unstable();
    let mut is_test = vec![false; rows];
    for &row in &test {
        is_test[row] = true;
    }
    let train = (0..rows).filter(|&r| !is_test[r]).collect();
    Ok(Holdout { train, test })
}

/// Deals the rows into `k` folds whose sizes differ by at most one (without groups).
///
/// As many folds as rows is leave-one-out. A class with fewer rows than folds is noted: some
/// folds then evaluate without it, and one that has all of its rows learns without it.
///
/// # Errors
/// Fewer than two folds, more folds than rows or groups, lengths that differ.
pub fn folds(
    rows: usize,
    targets: &Targets,
    k: usize,
    seed: u64,
    groups: Option<&[u32]>,
) -> Result<Folds> {
    check_lengths(rows, targets, groups)?;
    if k < 2 {
        return Err(Error::setting("folds", k, "at least 2"));
    }
    if k > rows {
        let rule = format!("at most the number of rows, {rows}");
        return Err(Error::setting("folds", k, &rule));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let fold_of = match groups {
        Some(groups) => deal_groups(&mut rng, rows, targets, k, groups)?,
        None => deal_rows(&mut rng, rows, targets, k),
    };
    let mut test = vec![Vec::new(); k];
    for (row, fold) in fold_of.into_iter().enumerate() {
        test[fold].push(row);
    }
    let mut notes = Vec::new();
    if let Targets::Classes(classes) = targets
        && k < rows
    {
        for (label, count) in classes.labels.iter().zip(classes.counts()) {
            if count > 0 && count < k {
                let rows = if count == 1 { "row" } else { "rows" };
                let text = format!("class `{label}` has {count} {rows}, fewer than the {k} folds");
                notes.push(
                    Warning::new(WarningCode::RareClass, text)
                        .rows(count)
                        .into(),
                );
            }
        }
    }
    Ok(Folds {
        test,
        gap: None,
        notes,
    })
}

fn check_lengths(rows: usize, targets: &Targets, groups: Option<&[u32]>) -> Result<()> {
    let found = [
        ("the target", targets.len()),
        ("the group column", groups.map(<[u32]>::len)),
    ];
    for (what, length) in found {
        if let Some(found) = length
            && found != rows
        {
            return Err(Error::Length {
                what: what.to_owned(),
                found,
                expected: rows,
                unit: "rows",
            });
        }
    }
    Ok(())
}

/// Rows in random order inside each stratum; strata one after the other. Classes are strata;
/// other targets are one.
fn strata(rng: &mut ChaCha8Rng, rows: usize, targets: &Targets) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..rows).collect();
    shuffle(rng, &mut order);
    match targets {
        Targets::None | Targets::Several(_) => vec![order],
        Targets::Real(values) => {
            order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
            vec![order]
        }
        Targets::Classes(classes) => {
            let mut strata = vec![Vec::new(); classes.labels.len()];
            for row in order {
                strata[classes.codes[row] as usize].push(row);
            }
            strata
        }
    }
}

/// One row from each of `count` equal runs of a list: spans the range of a sorted list, and is
/// a random sample of a shuffled one.
fn one_per_run(rng: &mut ChaCha8Rng, list: &[usize], count: usize) -> Vec<usize> {
    (0..count)
        .map(|run| {
            let (start, end) = (run * list.len() / count, (run + 1) * list.len() / count);
            list[start + below(rng, end - start)]
        })
        .collect()
}

fn holdout_rows(rng: &mut ChaCha8Rng, rows: usize, targets: &Targets, share: f64) -> Vec<usize> {
    let wanted = ((share * rows as f64).round() as usize).clamp(1, rows - 1);
    let strata = strata(rng, rows, targets);
    let sizes: Vec<usize> = strata.iter().map(Vec::len).collect();
    let counts = apportion(&sizes, wanted);
    strata
        .iter()
        .zip(counts)
        .flat_map(|(stratum, count)| one_per_run(rng, stratum, count))
        .collect()
}

/// Splits `wanted` over strata in proportion to their sizes (largest remainders), leaving one
/// row in each as long as `wanted` allows.
fn apportion(sizes: &[usize], wanted: usize) -> Vec<usize> {
    let rows: usize = sizes.iter().sum();
    let quota: Vec<f64> = sizes
        .iter()
        .map(|&size| size as f64 * wanted as f64 / rows as f64)
        .collect();
    let mut counts: Vec<usize> = quota
        .iter()
        .zip(sizes)
        .map(|(q, &size)| (q.floor() as usize).min(size.saturating_sub(1)))
        .collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by(|&a, &b| quota[b].fract().total_cmp(&quota[a].fract()));
    // First pass by remainder, later passes wherever there is room; the last row of a
    // stratum goes only when nothing else is left.
    for spare in [1, 0] {
        loop {
            let mut moved = false;
            for &stratum in &order {
                let given: usize = counts.iter().sum();
                if given < wanted && counts[stratum] + spare < sizes[stratum] {
                    counts[stratum] += 1;
                    moved = true;
                }
            }
            if !moved {
                break;
            }
        }
    }
    counts
}

fn deal_rows(rng: &mut ChaCha8Rng, rows: usize, targets: &Targets, k: usize) -> Vec<usize> {
    let strata = strata(rng, rows, targets);
    let sorted = matches!(targets, Targets::Real(_));
    let mut fold_of = vec![0; rows];
    let mut hand: Vec<usize> = (0..k).collect();
    // Dealing goes on across strata, so that sizes of folds differ by one at most.
    for (position, &row) in strata.iter().flatten().enumerate() {
        if position % k == 0 && sorted {
            shuffle(rng, &mut hand);
        }
        fold_of[row] = hand[position % k];
    }
    fold_of
}

/// Rows of each group by class; groups in random order, larger ones first.
struct GroupTable {
    members: Vec<Vec<usize>>,
    /// Rows per class, for each group.
    counts: Vec<Vec<f64>>,
    /// Rows per class over all groups.
    totals: Vec<f64>,
}

fn group_table(rng: &mut ChaCha8Rng, rows: usize, targets: &Targets, groups: &[u32]) -> GroupTable {
    let mut by_group: std::collections::BTreeMap<u32, Vec<usize>> =
        std::collections::BTreeMap::new();
    for row in 0..rows {
        by_group.entry(groups[row]).or_default().push(row);
    }
    let mut members: Vec<Vec<usize>> = by_group.into_values().collect();
    shuffle(rng, &mut members);
    members.sort_by_key(|m| std::cmp::Reverse(m.len()));
    let (classes, class_of): (usize, Box<dyn Fn(usize) -> usize>) = match targets {
        Targets::Classes(c) => (c.labels.len(), Box::new(|row| c.codes[row] as usize)),
        _ => (1, Box::new(|_| 0)),
    };
    let mut totals = vec![0.0; classes];
    let counts: Vec<Vec<f64>> = members
        .iter()
        .map(|m| {
            let mut count = vec![0.0; classes];
            for &row in m {
                count[class_of(row)] += 1.0;
                totals[class_of(row)] += 1.0;
            }
            count
        })
        .collect();
    GroupTable {
        members,
        counts,
        totals,
    }
}

/// Sends each group, largest first, where Σ over classes of (rows/total)² grows least.
fn deal_groups(
    rng: &mut ChaCha8Rng,
    rows: usize,
    targets: &Targets,
    k: usize,
    groups: &[u32],
) -> Result<Vec<usize>> {
    let table = group_table(rng, rows, targets, groups);
    let number = table.members.len();
    if k > number {
        let rule = format!("at most the number of groups, {number}");
        return Err(Error::setting("folds", k, &rule));
    }
    let mut held = vec![vec![0.0; table.totals.len()]; k];
    let mut members = vec![0usize; k];
    let mut fold_of = vec![0; rows];
    for (index, group) in table.members.iter().enumerate() {
        let growth = |fold: usize| -> f64 {
            (0..table.totals.len())
                .filter(|&c| table.totals[c] > 0.0)
                .map(|c| {
                    let (have, more) = (held[fold][c], table.counts[index][c]);
                    more * (2.0 * have + more) / table.totals[c].powi(2)
                })
                .sum()
        };
        // An empty fold must not stay empty when the groups left are just enough.
        let empty = members.iter().filter(|&&m| m == 0).count();
        let forced = number - index <= empty;
        let fold = (0..k)
            .filter(|&f| !forced || members[f] == 0)
            .map(|f| (growth(f), f))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(0, |(_, f)| f);
        members[fold] += 1;
        for (have, more) in held[fold].iter_mut().zip(&table.counts[index]) {
            *have += more;
        }
        for &row in group {
            fold_of[row] = fold;
        }
    }
    Ok(fold_of)
}

/// Sets a group aside when that brings every class nearer to its share.
fn holdout_groups(
    rng: &mut ChaCha8Rng,
    rows: usize,
    targets: &Targets,
    share: f64,
    groups: &[u32],
) -> Result<Vec<usize>> {
    let table = group_table(rng, rows, targets, groups);
    if table.members.len() < 2 {
        return Err(Error::rows(
            "all rows belong to one group, which cannot be split",
            Hint::from("name another column with ")
                .word(Word::Role("groups"))
                .then(", or none"),
        ));
    }
    let mut lacking: Vec<f64> = table.totals.iter().map(|t| t * share).collect();
    let mut taken = vec![false; table.members.len()];
    for (index, counts) in table.counts.iter().enumerate() {
        // Σ (lack − count)²/total < Σ lack²/total, class by class.
        let gain: f64 = (0..lacking.len())
            .filter(|&c| table.totals[c] > 0.0)
            .map(|c| counts[c] * (2.0 * lacking[c] - counts[c]) / table.totals[c])
            .sum();
        if gain > 0.0 {
            taken[index] = true;
            for (lack, count) in lacking.iter_mut().zip(counts) {
                *lack -= count;
            }
        }
    }
    // The smallest group comes last; it makes sure that neither side is empty.
    let last = taken.len() - 1;
    if taken.iter().all(|t| !t) {
        taken[last] = true;
    } else if taken.iter().all(|&t| t) {
        taken[last] = false;
    }
    Ok(table
        .members
        .iter()
        .zip(&taken)
        .filter(|(_, taken)| **taken)
        .flat_map(|(members, _)| members.iter().copied())
        .collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::ClassTargets;

    fn classes(codes: &[u32], k: u32) -> Targets {
        Targets::Classes(ClassTargets {
            codes: codes.to_vec(),
            labels: (0..k).map(|c| c.to_string()).collect(),
        })
    }

    fn assert_partition(test: &[Vec<usize>], rows: usize) {
        let mut all: Vec<usize> = test.iter().flatten().copied().collect();
        all.sort_unstable();
        assert_eq!(all, (0..rows).collect::<Vec<_>>());
    }

    #[test]
    fn shares_of_classes_are_kept() {
        let codes: Vec<u32> = (0..150).map(|i| i / 50).collect();
        let targets = classes(&codes, 3);
        let split = holdout(150, &targets, 0.2, 1, None).unwrap();
        assert_eq!((split.train.len(), split.test.len()), (120, 30));
        for class in 0..3 {
            assert_eq!(
                split.test.iter().filter(|&&r| codes[r] == class).count(),
                10
            );
        }
    }

    #[test]
    fn a_rare_class_stays_in_training() {
        let targets = classes(&[0, 0, 0, 0, 0, 0, 0, 1], 2);
        for seed in 0..20 {
            let split = holdout(8, &targets, 0.5, seed, None).unwrap();
            assert!(split.train.contains(&7), "{split:?}");
            assert_eq!(split.test.len(), 4);
        }
    }

    #[test]
    fn real_targets_span_their_range_in_every_fold() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let found = folds(100, &Targets::Real(values), 5, 3, None).unwrap();
        for fold in &found.test {
            assert_eq!(fold.len(), 20);
            assert!(fold[0] < 5 && fold[19] >= 95, "{fold:?}");
        }
    }

    #[test]
    fn leave_one_out_is_rows_folds() {
        let targets = classes(&[0, 1, 0, 1, 1], 2);
        let found = folds(5, &targets, 5, 0, None).unwrap();
        assert!(found.test.iter().all(|f| f.len() == 1));
        assert!(found.notes.is_empty());
        assert_eq!(found.train(0).len(), 4);
    }

    #[test]
    fn too_many_folds_are_refused_and_small_classes_noted() {
        let targets = classes(&[0, 0, 0, 0, 1], 2);
        assert!(folds(5, &targets, 6, 0, None).is_err());
        assert!(folds(5, &targets, 1, 0, None).is_err());
        let found = folds(5, &targets, 3, 0, None).unwrap();
        assert_eq!(
            found.notes[0].text(),
            "class `1` has 1 row, fewer than the 3 folds"
        );
        assert!(folds(5, &targets, 2, 0, Some(&[0; 5])).is_err());
        assert!(holdout(5, &targets, 0.5, 0, Some(&[0; 5])).is_err());
        assert!(holdout(1, &Targets::None, 0.5, 0, None).is_err());
        assert!(holdout(5, &targets, 1.0, 0, None).is_err());
        assert!(holdout(4, &targets, 0.5, 0, None).is_err());
    }

    #[test]
    fn seeds_change_the_split() {
        let a = folds(40, &Targets::None, 4, 1, None).unwrap();
        assert_eq!(a, folds(40, &Targets::None, 4, 1, None).unwrap());
        assert_ne!(a, folds(40, &Targets::None, 4, 2, None).unwrap());
    }

    proptest! {
        #[test]
        fn folds_partition_and_balance(
            codes in prop::collection::vec(0u32..4, 2..60), k in 2usize..8, seed in any::<u64>(),
        ) {
            prop_assume!(k <= codes.len());
            let real: Vec<f64> = codes.iter().map(|&c| f64::from(c)).collect();
            for targets in [classes(&codes, 4), Targets::Real(real), Targets::None] {
                let found = folds(codes.len(), &targets, k, seed, None).unwrap();
                assert_partition(&found.test, codes.len());
                let sizes: Vec<usize> = found.test.iter().map(Vec::len).collect();
                let (min, max) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
                prop_assert!(max - min <= 1);
                if let Targets::Classes(c) = &targets {
                    for class in 0..4 {
                        let counts: Vec<usize> = found.test.iter()
                            .map(|f| f.iter().filter(|&&r| c.codes[r] == class).count()).collect();
                        prop_assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1);
                    }
                }
            }
        }

        #[test]
        fn groups_are_never_split(
            rows in prop::collection::vec((0u32..3, 0u32..8), 4..60), k in 2usize..4, seed in any::<u64>(),
        ) {
            let codes: Vec<u32> = rows.iter().map(|r| r.0).collect();
            let groups: Vec<u32> = rows.iter().map(|r| r.1).collect();
            let distinct: std::collections::HashSet<u32> = groups.iter().copied().collect();
            prop_assume!(distinct.len() >= k);
            let targets = classes(&codes, 3);
            let found = folds(rows.len(), &targets, k, seed, Some(&groups)).unwrap();
            assert_partition(&found.test, rows.len());
            prop_assert!(found.test.iter().all(|f| !f.is_empty()));
            for group in distinct {
                let holders = found.test.iter().filter(|f| f.iter().any(|&r| groups[r] == group)).count();
                prop_assert_eq!(holders, 1);
            }
            let split = holdout(rows.len(), &targets, 0.3, seed, Some(&groups)).unwrap();
            prop_assert!(!split.train.is_empty() && !split.test.is_empty());
            prop_assert!(split.train.iter().all(|&a| split.test.iter().all(|&b| groups[a] != groups[b])));
        }

        #[test]
        fn holdout_meets_its_share(codes in prop::collection::vec(0u32..4, 2..80), share in 0.01..0.99f64, seed in any::<u64>()) {
            let n = codes.len();
            let split = holdout(n, &classes(&codes, 4), share, seed, None).unwrap();
            prop_assert_eq!(split.test.len(), ((share * n as f64).round() as usize).clamp(1, n - 1));
            prop_assert_eq!(split.train.len() + split.test.len(), n);
        }
    }
}
