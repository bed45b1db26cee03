//! The pairs of places that a string kernel counts, one by one.
//!
//! `subsequence` counts pairs (I, I') of index sets with x_I = z_I', `substring` those whose sets are runs.

use super::table::Pair;
use super::{embeddings, lengths, subsequence, substring, substrings};
use crate::hint::{Hint, Word};
use crate::kernel::KernelSpec;
use crate::{Error, Result};

/// Pairs that are listed at most: nobody reads more.
const MOST: f64 = 10_000.0;

/// Places in two texts, counted from 1, that spell the same word.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexPair {
    /// The symbols of the word, joined.
    pub word: String,
    /// Places in the first and in the second text, ascending.
    pub places: [Vec<usize>; 2],
}

impl KernelSpec {
    /// Returns the pairs of equal words that `subsequence` or `substring` counts in two texts: short words
    /// first, then by their places in the first text, then in the second.
    ///
    /// # Errors
    /// Other kernels, words that do not count 1 each, and texts with more than 10,000 pairs.
    pub fn index_pairs(&self, first: &str, second: &str) -> Result<Vec<IndexPair>> {
        let none = || Error::Unsupported {
            what: format!("kernel `{self}` does not count pairs of equal words"),
            cure: Hint::from("`subsequence` and `substring` with weight 1 do; leave out ")
                .word(Word::Setting("pairs")),
        };
        let Self::Base { family, settings } = self else {
            return Err(none());
        };
        family.check(settings)?;
        let (pair, count, runs) = match family.name {
            "subsequence" => {
                let pair = Pair::read(settings, subsequence::READING, first, second);
                let table = embeddings::table(&pair.sequences[0], &pair.sequences[1]);
                (pair, last(&table), false)
            }
            "substring" if substring::lengths(settings) == lengths::Lengths::default() => {
                let pair = Pair::read(settings, substring::READING, first, second);
                let (_, table) = substrings::tables(&pair.sequences[0], &pair.sequences[1]);
                (pair, last(&table), true)
            }
            _ => return Err(none()),
        };
        if !(count <= MOST) {
            return Err(Error::Unsupported {
                what: format!("there are {count} pairs, of which {MOST} could be listed"),
                cure: "give shorter texts".into(),
            });
        }
        let [x, z] = &pair.sequences;
        let mut all = vec![[Vec::new(), Vec::new()]];
        let mut level = all.clone();
        while !level.is_empty() {
            level = longer(&level, x, z, runs);
            all.extend_from_slice(&level);
        }
        Ok(all
            .into_iter()
            .map(|places| IndexPair {
                word: places[0]
                    .iter()
                    .map(|&i| pair.symbols[0][i].as_str())
                    .collect(),
                places: places.map(|set| set.into_iter().map(|i| i + 1).collect()),
            })
            .collect())
    }
}

/// The kernel's value: the entry of both whole texts.
fn last(table: &[Vec<f64>]) -> f64 {
    let row = table.last().and_then(|row| row.last());
    row.copied().unwrap_or(1.0)
}

/// All pairs of one symbol more, in order.
fn longer(level: &[[Vec<usize>; 2]], x: &[u32], z: &[u32], runs: bool) -> Vec<[Vec<usize>; 2]> {
    let mut found = Vec::new();
    for [own, other] in level {
        let next = |set: &Vec<usize>| set.last().map_or(0, |last| last + 1);
        let (from, other_from) = (next(own), next(other));
        // A run goes on at the very next place, unless it begins here.
        let ends = |start: usize, length: usize| {
            if runs && !own.is_empty() {
                length.min(start + 1)
            } else {
                length
            }
        };
        for i in from..ends(from, x.len()) {
            for j in other_from..ends(other_from, z.len()) {
                if x[i] == z[j] {
                    let with = |set: &Vec<usize>, place: usize| {
                        let mut set = set.clone();
                        set.push(place);
                        set
                    };
                    found.push([with(own, i), with(other, j)]);
                }
            }
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(kernel: &str, a: &str, b: &str) -> Vec<[Vec<usize>; 2]> {
        let kernel: KernelSpec = kernel.parse().expect("a kernel");
        let found = kernel.index_pairs(a, b).expect("short words");
        found.into_iter().map(|pair| pair.places).collect()
    }

    fn sets(list: &[(&[usize], &[usize])]) -> Vec<[Vec<usize>; 2]> {
        let each = list.iter();
        each.map(|(a, b)| [a.to_vec(), b.to_vec()]).collect()
    }

    /// The lists of the course, in its order.
    #[test]
    fn pairs_of_examples_16_12_and_16_13() {
        let fourteen = sets(&[
            (&[], &[]),
            (&[1], &[1]),
            (&[2], &[2]),
            (&[2], &[3]),
            (&[2], &[5]),
            (&[3], &[4]),
            (&[1, 2], &[1, 2]),
            (&[1, 2], &[1, 3]),
            (&[1, 2], &[1, 5]),
            (&[1, 3], &[1, 4]),
            (&[2, 3], &[2, 4]),
            (&[2, 3], &[3, 4]),
            (&[1, 2, 3], &[1, 2, 4]),
            (&[1, 2, 3], &[1, 3, 4]),
        ]);
        assert_eq!(pairs("subsequence", "BERT", "BEERE"), fourteen);
        let eight = sets(&[
            (&[], &[]),
            (&[1], &[1]),
            (&[2], &[2]),
            (&[2], &[3]),
            (&[2], &[5]),
            (&[3], &[4]),
            (&[1, 2], &[1, 2]),
            (&[2, 3], &[3, 4]),
        ]);
        assert_eq!(pairs("substring", "BERT", "BEERE"), eight);
    }

    #[test]
    fn there_are_as_many_as_the_kernel_says() {
        for kernel in ["subsequence", "substring"] {
            for (a, b) in [("abab", "baab"), ("", "x"), ("aaa", "aaaa"), ("no", "yes")] {
                let spec: KernelSpec = kernel.parse().expect("a kernel");
                let tables = spec.prefix_tables(a, b).expect("tables");
                let value = last(&tables[tables.len() - 1].values);
                let found = pairs(kernel, a, b).len() as f64;
                assert_eq!(found, value, "{kernel} {a} {b}");
            }
        }
    }

    #[test]
    fn long_texts_and_other_kernels_are_refused() {
        let kernel: KernelSpec = "subsequence".parse().expect("a kernel");
        let long = "a".repeat(40);
        assert!(kernel.index_pairs(&long, &long).is_err());
        let kernel: KernelSpec = "spectrum".parse().expect("a kernel");
        assert!(kernel.index_pairs("a", "a").is_err());
    }
}
