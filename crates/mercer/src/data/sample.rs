//! Some rows that stand for all.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use super::Targets;
use super::random::shuffle;
use crate::{Error, Result};

/// Rows that every class keeps where it has them: enough for folds to have some each.
const LEAST_OF_CLASS: usize = 10;

/// How many of the rows are learnt from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Sample {
    /// All of them.
    All,
    /// So many, drawn at random.
    Rows(usize),
}

impl FromStr for Sample {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Self::All);
        }
        // A number may be written as mercer prints it.
        let digits: String = text.chars().filter(|c| !matches!(c, ',' | '_')).collect();
        match digits.parse() {
            Ok(rows) if rows > 0 => Ok(Self::Rows(rows)),
            _ => Err(Error::setting(
                "sample",
                text,
                "a number of rows such as 20000, or `all`",
            )),
        }
    }
}

impl TryFrom<String> for Sample {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Sample> for String {
    fn from(sample: Sample) -> Self {
        sample.to_string()
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Rows(rows) => write!(f, "{rows}"),
        }
    }
}

/// Draws so many rows, ascending: classes in proportion, but ten rows of each at least where it
/// has them.
///
/// The same targets and seed give the same rows.
pub fn sample(rows: usize, targets: &Targets, count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    if count >= rows {
        return order;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    shuffle(&mut rng, &mut order);
    if let Targets::Classes(classes) = targets {
        let counts = classes.counts();
        let mut seen = vec![0_usize; counts.len()];
        // The k-th of m rows of a class belongs at (k + ½)/m of the way; its first ones come first.
        let place = |row: &usize| {
            let class = classes.codes[*row] as usize;
            seen[class] += 1;
            if seen[class] <= LEAST_OF_CLASS {
                0.0
            } else {
                (seen[class] as f64 - 0.5) / counts[class] as f64
            }
        };
        let places: Vec<f64> = order.iter().map(place).collect();
        let mut placed: Vec<(f64, usize)> = places.into_iter().zip(order).collect();
        placed.sort_by(|a, b| a.0.total_cmp(&b.0));
        order = placed.into_iter().map(|(_, row)| row).collect();
    }
    order.truncate(count);
    order.sort_unstable();
    order
}

/// Puts some rows into an order whose every beginning stands for all of them: at random, classes in
/// proportion. With groups, whole groups follow each other.
///
/// The same rows, targets and seed give the same order.
pub fn spread_order(
    rows: &[usize],
    targets: &Targets,
    groups: Option<&[u32]>,
    seed: u64,
) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut order = rows.to_vec();
    shuffle(&mut rng, &mut order);
    if let Some(groups) = groups {
        // A group stands where its first row does.
        let mut place: BTreeMap<u32, usize> = BTreeMap::new();
        for (k, &row) in order.iter().enumerate() {
            place.entry(groups[row]).or_insert(k);
        }
        order.sort_by_key(|&row| place[&groups[row]]);
        return order;
    }
    let Targets::Classes(classes) = targets else {
        return order;
    };
    let mut counts = vec![0_usize; classes.labels.len()];
    for &row in rows {
        counts[classes.codes[row] as usize] += 1;
    }
    let mut seen = vec![0_usize; counts.len()];
    let mut placed: Vec<(f64, usize)> = Vec::with_capacity(order.len());
    for row in order {
        let class = classes.codes[row] as usize;
        // The first row of every class comes first, so that no beginning lacks one for long.
        let place = seen[class] as f64 / counts[class] as f64;
        seen[class] += 1;
        placed.push((place, row));
    }
    placed.sort_by(|a, b| a.0.total_cmp(&b.0));
    placed.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ClassTargets;

    fn classes(counts: &[(&str, usize)]) -> Targets {
        let labels = counts.iter().flat_map(|(l, n)| std::iter::repeat_n(*l, *n));
        Targets::Classes(ClassTargets::from_labels(&labels.collect::<Vec<_>>()))
    }

    #[test]
    fn classes_keep_their_shares_and_none_is_lost() {
        let targets = classes(&[("a", 7000), ("b", 2970), ("c", 28), ("d", 2)]);
        let drawn = sample(10_000, &targets, 1000, 3);
        assert_eq!(drawn.len(), 1000);
        assert!(drawn.is_sorted_by(|a, b| a < b));
        let of = |from: usize, to: usize| drawn.iter().filter(|r| (from..to).contains(r)).count();
        assert!((690..=700).contains(&of(0, 7000)), "{}", of(0, 7000));
        assert!((285..=300).contains(&of(7000, 9970)));
        assert_eq!((of(9970, 9998), of(9998, 10_000)), (10, 2));
    }

    #[test]
    fn every_beginning_of_an_order_stands_for_all() {
        let targets = classes(&[("a", 70), ("b", 30)]);
        let rows: Vec<usize> = (0..100).collect();
        let order = spread_order(&rows, &targets, None, 1);
        for part in [10, 20, 50] {
            let a = order[..part].iter().filter(|r| **r < 70).count();
            assert!(a.abs_diff(part * 7 / 10) <= 1, "{part}: {a}");
        }
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, rows);
        let groups: Vec<u32> = (0..100).map(|r| r % 7).collect();
        let grouped = spread_order(&rows, &targets, Some(&groups), 1);
        let mut runs: Vec<u32> = grouped.iter().map(|&r| groups[r]).collect();
        runs.dedup();
        assert_eq!(runs.len(), 7);
    }

    #[test]
    fn seeds_decide() {
        let targets = Targets::Real((0..500).map(f64::from).collect());
        let drawn = |seed| sample(500, &targets, 50, seed);
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        assert_eq!(sample(500, &targets, 500, 1).len(), 500);
        assert_eq!(sample(500, &targets, 9000, 1).len(), 500);
    }

    #[test]
    fn numbers_of_rows_are_read_as_they_are_printed() {
        assert_eq!("20,000".parse::<Sample>().ok(), Some(Sample::Rows(20_000)));
        assert_eq!("ALL".parse::<Sample>().ok(), Some(Sample::All));
        for wrong in ["0", "-5", "half", "", "0.5"] {
            assert!(wrong.parse::<Sample>().is_err(), "{wrong}");
        }
        let text = serde_json::to_string(&Sample::Rows(7)).expect("JSON");
        assert_eq!(
            serde_json::from_str::<Sample>(&text).ok(),
            Some(Sample::Rows(7))
        );
    }
}
