//! `K(x, z) = Σ_{u ∈ x, v ∈ z} N(d(u, v))`: words of `length` letters, compared with up to `mismatches` wrong letters.
//!
//! `N(d)` is the number of words over an alphabet of σ letters within `m` mismatches of two words `u`, `v` at Hamming
//! distance `d`: with `a` of the `d` places equal to `u`, `b` equal to `v` and `c` wrong letters at common places,
//!
//! `N(d) = Σ C(d, a) C(d − a, b) (σ − 2)^{d−a−b} C(k − d, c) (σ − 1)^c` over `d − a + c ≤ m`, `d − b + c ≤ m`.
//!
//! It depends on `d` alone and is 0 above `2m`. As `C(k − d, j − d)` sets of `j` places hide all differences, the solution
//! of `N(d) = Σ_{j ≥ d} a_j C(k − d, j − d)` makes the kernel a sum over sparse features: a set `T` of places and a word
//! with these places blanked, with the weight `a_{|T|}`. Weights may be negative; the kernel is not.

use std::collections::HashMap;

use super::alphabet::{Alphabet, WordHash, bits};
use super::counts::Counts;

/// Parameters of the mismatch kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mismatch {
    /// Letters of a word.
    pub(super) length: usize,
    /// Wrong letters allowed in a word.
    pub(super) mismatches: usize,
    /// Letters of the alphabet, σ; all strings together have no more different symbols.
    pub(super) alphabet: usize,
}

/// Why features are not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// The length is not in 1..=64, or there are more mismatches than letters or than 8, or σ is not in 1..=65536.
    Parameters,
    /// The places that may be blanked give more than [`PATTERNS`] sets.
    Patterns,
    /// A word does not fit into 64 bits.
    Word {
        /// Bits that it takes.
        bits: usize,
    },
    /// The strings have more different symbols than the alphabet.
    Alphabet {
        /// Different symbols of the strings.
        symbols: usize,
    },
}

/// Most sets of blanked places; every word has a feature for each.
pub(super) const PATTERNS: usize = 1 << 14;

impl Mismatch {
    fn check(&self) -> Result<(), Refused> {
        let good = (1..=64).contains(&self.length)
            && self.mismatches <= self.length.min(8)
            && (1..=1 << 16).contains(&self.alphabet);
        if !good {
            return Err(Refused::Parameters);
        }
        let sets: f64 = (0..=self.blanks())
            .map(|j| choose(self.length, j) as f64)
            .sum();
        if sets > PATTERNS as f64 {
            return Err(Refused::Patterns);
        }
        let least = bits(self.alphabet) as usize * self.length;
        if least > 64 {
            return Err(Refused::Word { bits: least });
        }
        Ok(())
    }

    /// Bits of a symbol: as many as a word leaves room for, so that symbols beyond the alphabet
    /// have codes too.
    fn bits(&self) -> u32 {
        (64 / self.length as u32).min(24)
    }

    /// Most places that are blanked.
    fn blanks(&self) -> usize {
        (2 * self.mismatches).min(self.length)
    }

    /// The words within reach of two words at a distance.
    pub(crate) fn common(&self, distance: usize) -> i128 {
        let (k, m, d) = (self.length, self.mismatches, distance);
        let power = |base: usize, exponent: usize| (base as i128).pow(exponent as u32);
        let mut sum = 0;
        for a in 0..=d {
            for b in 0..=d - a {
                for c in 0..=k - d {
                    if d - a + c > m || d - b + c > m {
                        continue;
                    }
                    sum += choose(d, a)
                        * choose(d - a, b)
                        * power(self.alphabet.saturating_sub(2), d - a - b)
                        * choose(k - d, c)
                        * power(self.alphabet - 1, c);
                }
            }
        }
        sum
    }

    /// The weights `a_j` of features with `j` blanked places.
    fn weights(&self) -> Vec<f64> {
        let k = self.length;
        let mut weights = vec![0_i128; self.blanks() + 1];
        for d in (0..weights.len()).rev() {
            let longer: i128 = (d + 1..weights.len())
                .map(|j| weights[j] * choose(k - d, j - d))
                .sum();
            weights[d] = self.common(d) - longer;
        }
        weights.iter().map(|&weight| weight as f64).collect()
    }
}

fn choose(n: usize, k: usize) -> i128 {
    (0..k).fold(1, |value, i| {
        value * (n as i128 - i as i128) / (i as i128 + 1)
    })
}

/// A set of blanked places.
#[derive(Clone, Debug)]
struct Pattern {
    /// Ones at the letters that are kept.
    mask: u64,
    weight: f64,
    features: HashMap<u64, u32, WordHash>,
}

/// The blanked words of bound strings, numbered by first occurrence.
#[derive(Clone, Debug)]
pub(super) struct Dictionary {
    parameters: Mismatch,
    alphabet: Alphabet,
    patterns: Vec<Pattern>,
    /// Weight of each feature.
    pub(super) weights: Vec<f64>,
}

impl Dictionary {
    /// Numbers the features of all strings and counts them in each.
    pub(super) fn learn(
        strings: &[&[u32]],
        parameters: Mismatch,
    ) -> Result<(Self, Counts), Refused> {
        parameters.check()?;
        let alphabet = Alphabet::of(strings);
        if alphabet.size() > parameters.alphabet {
            let symbols = alphabet.size();
            return Err(Refused::Alphabet { symbols });
        }
        let mut dictionary = Self {
            parameters,
            alphabet,
            patterns: patterns(&parameters),
            weights: Vec::new(),
        };
        let mut counts = Counts::new();
        let mut found = Vec::new();
        for string in strings {
            found.clear();
            let words = dictionary.words(string)?;
            for pattern in &mut dictionary.patterns {
                for word in &words {
                    let feature = pattern.features.entry(word & pattern.mask);
                    found.push(*feature.or_insert_with(|| {
                        dictionary.weights.push(pattern.weight);
                        dictionary.weights.len() as u32 - 1
                    }));
                }
            }
            counts.push(&mut found);
        }
        Ok((dictionary, counts))
    }

    /// Counts the features of the dictionary in other strings.
    ///
    /// Also gives, for each string, the part of `K(x, x)` from features that the dictionary does not have; it may be
    /// negative.
    pub(super) fn apply(&self, strings: &[&[u32]]) -> Result<(Counts, Vec<f64>), Refused> {
        let mut counts = Counts::new();
        let mut own = Vec::with_capacity(strings.len());
        let (mut found, mut unknown) = (Vec::new(), Vec::new());
        for string in strings {
            found.clear();
            let words = self.words(string)?;
            let mut sum = 0.0;
            for pattern in &self.patterns {
                unknown.clear();
                for word in &words {
                    let blanked = word & pattern.mask;
                    match pattern.features.get(&blanked) {
                        Some(&feature) => found.push(feature),
                        None => unknown.push(blanked),
                    }
                }
                unknown.sort_unstable();
                let squares = unknown
                    .chunk_by(|a, b| a == b)
                    .map(|same| (same.len() * same.len()) as f64);
                sum += pattern.weight * squares.sum::<f64>();
            }
            counts.push(&mut found);
            own.push(sum);
        }
        Ok((counts, own))
    }

    /// The packed words of a string. Symbols that the dictionary does not know have codes behind the known ones.
    fn words(&self, string: &[u32]) -> Result<Vec<u64>, Refused> {
        let length = self.parameters.length;
        let bits = self.parameters.bits();
        let mask = u64::MAX >> (64 - bits * length as u32);
        let mut strange: Vec<u32> = Vec::new();
        let mut words = Vec::with_capacity((string.len() + 1).saturating_sub(length));
        let mut word = 0_u64;
        for (at, &symbol) in string.iter().enumerate() {
            let code = self.alphabet.rank(symbol).map_or_else(
                || {
                    let place = strange.iter().position(|&s| s == symbol);
                    let place = place.unwrap_or_else(|| {
                        strange.push(symbol);
                        strange.len() - 1
                    });
                    (self.alphabet.size() + place) as u64
                },
                u64::from,
            );
            let symbols = self.alphabet.size() + strange.len();
            if symbols > 1 << bits {
                return Err(Refused::Alphabet { symbols });
            }
            word = word.checked_shl(bits).unwrap_or(0) | code;
            if at + 1 >= length {
                words.push(word & mask);
            }
        }
        Ok(words)
    }
}

/// All sets of places with a weight that is not 0.
fn patterns(parameters: &Mismatch) -> Vec<Pattern> {
    let bits = parameters.bits();
    let letter = u64::MAX >> (64 - bits);
    let mut patterns = Vec::new();
    for (blanks, &weight) in parameters.weights().iter().enumerate() {
        if weight == 0.0 {
            continue;
        }
        let mut places: Vec<usize> = (0..blanks).collect();
        loop {
            let blanked = places
                .iter()
                .fold(0, |mask, &place| mask | letter << (place as u32 * bits));
            patterns.push(Pattern {
                mask: !blanked,
                weight,
                features: HashMap::default(),
            });
            // The next set in lexicographic order: the last place that can move does, those behind it follow.
            let movable = (0..blanks)
                .rev()
                .find(|&k| places[k] < parameters.length - blanks + k);
            let Some(k) = movable else { break };
            places[k] += 1;
            for later in k + 1..blanks {
                places[later] = places[later - 1] + 1;
            }
        }
    }
    patterns
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn distance(u: &[u32], v: &[u32]) -> usize {
        u.iter().zip(v).filter(|(a, b)| a != b).count()
    }

    /// Goes through all words over the alphabet.
    fn plain(x: &[u32], z: &[u32], parameters: &Mismatch) -> f64 {
        let Mismatch {
            length,
            mismatches,
            alphabet,
        } = *parameters;
        let near = |string: &[u32], word: &[u32]| {
            let words = string.windows(length);
            words.filter(|u| distance(u, word) <= mismatches).count() as f64
        };
        (0..alphabet.pow(length as u32))
            .map(|mut code| {
                let word: Vec<u32> = (0..length)
                    .map(|_| {
                        let symbol = code % alphabet;
                        code /= alphabet;
                        symbol as u32
                    })
                    .collect();
                near(x, &word) * near(z, &word)
            })
            .sum()
    }

    #[test]
    fn large_parameters_are_refused() {
        let learn = |length, mismatches, alphabet| {
            let parameters = Mismatch {
                length,
                mismatches,
                alphabet,
            };
            Dictionary::learn(&[&[0, 1, 2]], parameters)
                .map(|_| ())
                .err()
        };
        assert_eq!(learn(0, 0, 4), Some(Refused::Parameters));
        assert_eq!(learn(3, 4, 4), Some(Refused::Parameters));
        assert_eq!(learn(30, 3, 4), Some(Refused::Patterns));
        assert_eq!(learn(20, 1, 20), Some(Refused::Word { bits: 100 }));
        assert_eq!(learn(3, 1, 2), Some(Refused::Alphabet { symbols: 3 }));
        assert_eq!(learn(8, 2, 20), None);
    }

    proptest! {
        #![proptest_config(crate::properties::cases(1500))]
        #[test]
        fn features_give_the_kernel(
            bound in prop::collection::vec(prop::collection::vec(0_u32..3, 0..11), 0..4),
            new in prop::collection::vec(prop::collection::vec(0_u32..4, 0..11), 0..3),
            length in 1_usize..5,
            fewer in 0_usize..5,
        ) {
            let parameters = Mismatch { length, mismatches: length.saturating_sub(fewer), alphabet: 4 };
            let bound: Vec<&[u32]> = bound.iter().map(Vec::as_slice).collect();
            let new: Vec<&[u32]> = new.iter().map(Vec::as_slice).collect();
            let (dictionary, rows) = Dictionary::learn(&bound, parameters).unwrap();
            let (others, own) = dictionary.apply(&new).unwrap();
            let weight = |feature: u32| dictionary.weights[feature as usize];
            for (i, x) in bound.iter().enumerate() {
                for (j, z) in bound.iter().enumerate() {
                    prop_assert_eq!(rows.product(i, &rows, j, weight), plain(x, z, &parameters));
                }
                for (j, z) in new.iter().enumerate() {
                    prop_assert_eq!(rows.product(i, &others, j, weight), plain(x, z, &parameters));
                }
            }
            for (j, z) in new.iter().enumerate() {
                let found = others.product(j, &others, j, weight) + own[j];
                prop_assert_eq!(found, plain(z, z, &parameters));
            }
        }
    }
}
