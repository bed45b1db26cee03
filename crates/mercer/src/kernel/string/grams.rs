//! `K(x, z) = Σ_{|u| = length} occ_x(u) · occ_z(u)`: words of one length, as sparse features.
//!
//! Words are numbered by a dictionary learned from bound strings. They are packed into 64 bits where they fit and kept
//! whole where they do not: the index is exact either way.

use std::collections::HashMap;

use super::alphabet::{Alphabet, WordHash, bits};
use super::counts::Counts;

const NONE: u32 = u32::MAX;

/// Words of at most so many bits are looked up in a table.
const DIRECT: u32 = 18;

#[derive(Clone, Debug)]
enum Index {
    Direct(Vec<u32>),
    Packed(HashMap<u64, u32, WordHash>),
    Whole(HashMap<Box<[u32]>, u32, WordHash>),
}

/// The words of bound strings, numbered by first occurrence.
#[derive(Clone, Debug)]
pub(super) struct Dictionary {
    length: usize,
    alphabet: Alphabet,
    /// Bits of a letter.
    bits: u32,
    index: Index,
    features: u32,
}

impl Dictionary {
    /// Numbers the words of `length` letters of all strings and counts them in each.
    ///
    /// # Panics
    ///
    /// When `length` is 0.
    pub(super) fn learn(strings: &[&[u32]], length: usize) -> (Self, Counts) {
        assert!(length > 0, "length {length}");
        let alphabet = Alphabet::of(strings);
        let bits = bits(alphabet.size());
        let index = match u32::try_from(length).ok().and_then(|l| l.checked_mul(bits)) {
            Some(word) if word <= DIRECT => Index::Direct(vec![NONE; 1 << word]),
            Some(word) if word <= 64 => Index::Packed(HashMap::default()),
            _ => Index::Whole(HashMap::default()),
        };
        let mut dictionary = Self {
            length,
            alphabet,
            bits,
            index,
            features: 0,
        };
        let mut counts = Counts::new();
        let mut found = Vec::new();
        for string in strings {
            found.clear();
            dictionary.number(string, &mut found);
            counts.push(&mut found);
        }
        (dictionary, counts)
    }

    /// Number of words.
    pub(super) fn features(&self) -> usize {
        self.features as usize
    }

    fn number(&mut self, string: &[u32], found: &mut Vec<u32>) {
        let Self {
            length,
            alphabet,
            bits,
            index,
            features,
        } = self;
        let mut next = || {
            *features += 1;
            *features - 1
        };
        match index {
            Index::Direct(table) => packed(string, *length, *bits, alphabet, |_, word| {
                let feature = &mut table[word.expect("symbols are known") as usize];
                if *feature == NONE {
                    *feature = next();
                }
                found.push(*feature);
            }),
            Index::Packed(map) => packed(string, *length, *bits, alphabet, |_, word| {
                let word = word.expect("symbols are known");
                found.push(*map.entry(word).or_insert_with(&mut next));
            }),
            Index::Whole(map) => {
                for word in string.windows(*length) {
                    let feature = map.get(word).copied().unwrap_or_else(|| {
                        let feature = next();
                        map.insert(word.into(), feature);
                        feature
                    });
                    found.push(feature);
                }
            }
        }
    }

    /// Counts the words of the dictionary in other strings.
    ///
    /// Also gives, for each string, the part of `K(x, x)` from words that the dictionary does not have.
    pub(super) fn apply(&self, strings: &[&[u32]]) -> (Counts, Vec<f64>) {
        let mut counts = Counts::new();
        let mut own = Vec::with_capacity(strings.len());
        let (mut found, mut unknown) = (Vec::new(), Vec::<&[u32]>::new());
        for string in strings {
            found.clear();
            unknown.clear();
            let mut sort = |at: usize, feature: Option<u32>| match feature {
                Some(feature) => found.push(feature),
                None => unknown.push(&string[at..at + self.length]),
            };
            let (length, bits, alphabet) = (self.length, self.bits, &self.alphabet);
            match &self.index {
                Index::Direct(table) => packed(string, length, bits, alphabet, |at, word| {
                    let feature = word.map(|word| table[word as usize]);
                    sort(at, feature.filter(|&feature| feature != NONE));
                }),
                Index::Packed(map) => packed(string, length, bits, alphabet, |at, word| {
                    sort(at, word.and_then(|word| map.get(&word).copied()));
                }),
                Index::Whole(map) => {
                    for (at, word) in string.windows(length).enumerate() {
                        sort(at, map.get(word).copied());
                    }
                }
            }
            counts.push(&mut found);
            unknown.sort_unstable();
            let squares = unknown
                .chunk_by(|a, b| a == b)
                .map(|same| (same.len() * same.len()) as f64);
            own.push(squares.sum());
        }
        (counts, own)
    }
}

/// Calls `visit` with the start of every word and its packed letters, or nothing when it has an unknown symbol.
fn packed(
    string: &[u32],
    length: usize,
    bits: u32,
    alphabet: &Alphabet,
    mut visit: impl FnMut(usize, Option<u64>),
) {
    let mask = u64::MAX >> (64 - bits * length as u32);
    let (mut word, mut known) = (0_u64, 0_usize);
    for (at, &symbol) in string.iter().enumerate() {
        match alphabet.rank(symbol) {
            Some(rank) => {
                word = word.checked_shl(bits).unwrap_or(0) | u64::from(rank);
                known += 1;
            }
            None => known = 0,
        }
        if at + 1 >= length {
            visit(at + 1 - length, (known >= length).then_some(word & mask));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::lengths::Lengths;
    use super::super::substrings;
    use super::*;

    fn check(bound: &[Vec<u32>], new: &[Vec<u32>], length: usize) {
        let bound: Vec<&[u32]> = bound.iter().map(Vec::as_slice).collect();
        let new: Vec<&[u32]> = new.iter().map(Vec::as_slice).collect();
        let (dictionary, rows) = Dictionary::learn(&bound, length);
        let (others, own) = dictionary.apply(&new);
        let lengths = Lengths::default().minimum(length).maximum(length);
        let plain = |x: &[u32], z: &[u32]| substrings::value(x, z, &lengths) - 1.0;
        for (i, x) in bound.iter().enumerate() {
            for (j, z) in bound.iter().enumerate() {
                assert_eq!(rows.product(i, &rows, j, |_| 1.0), plain(x, z));
            }
            for (j, z) in new.iter().enumerate() {
                assert_eq!(rows.product(i, &others, j, |_| 1.0), plain(x, z));
            }
        }
        for (j, z) in new.iter().enumerate() {
            assert_eq!(others.product(j, &others, j, |_| 1.0) + own[j], plain(z, z));
        }
    }

    proptest! {
        #![proptest_config(crate::properties::cases(2000))]
        #[test]
        fn counts_give_the_kernel(
            bound in prop::collection::vec(prop::collection::vec(0_u32..3, 0..13), 0..4),
            new in prop::collection::vec(prop::collection::vec(0_u32..4, 0..13), 0..4),
            length in prop::sample::select(vec![1, 2, 3, 5, 13]),
        ) {
            check(&bound, &new, length);
            // With six bits a letter, words are looked up in a table, packed into 64 bits, or kept whole.
            let mut padded = bound.clone();
            padded.push((0..60).collect());
            check(&padded, &new, length);
        }
    }
}
