//! `rank: symbols → 0, 1, …, size − 1`, and the hash of packed words.

use std::hash::{BuildHasherDefault, Hasher};

/// The symbols of some strings, numbered in rising order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alphabet {
    symbols: Vec<u32>,
    /// Rank of each small symbol, or [`Alphabet::UNKNOWN`].
    table: Vec<u32>,
}

impl Alphabet {
    const UNKNOWN: u32 = u32::MAX;
    /// Symbols below this are looked up in a table: bytes and most characters of living scripts.
    const SMALL: u32 = 1 << 14;

    pub(crate) fn of(strings: &[&[u32]]) -> Self {
        let mut symbols: Vec<u32> = Vec::new();
        let mut seen = vec![false; Self::SMALL as usize];
        for &symbol in strings.iter().flat_map(|string| string.iter()) {
            match seen.get_mut(symbol as usize) {
                Some(true) => (),
                Some(new) => {
                    *new = true;
                    symbols.push(symbol);
                }
                None => symbols.push(symbol),
            }
        }
        symbols.sort_unstable();
        symbols.dedup();
        let small = symbols.partition_point(|&symbol| symbol < Self::SMALL);
        let end = small.checked_sub(1).map_or(0, |last| symbols[last] + 1);
        let mut table = vec![Self::UNKNOWN; end as usize];
        for (rank, &symbol) in symbols[..small].iter().enumerate() {
            table[symbol as usize] = rank as u32;
        }
        Self { symbols, table }
    }

    pub(crate) fn size(&self) -> usize {
        self.symbols.len()
    }

    #[inline]
    pub(crate) fn rank(&self, symbol: u32) -> Option<u32> {
        match self.table.get(symbol as usize) {
            Some(&Self::UNKNOWN) => None,
            Some(&rank) => Some(rank),
            None if symbol < Self::SMALL => None,
            None => self.symbols.binary_search(&symbol).ok().map(|r| r as u32),
        }
    }
}

/// Bits that number `count` different things; at least 1.
pub(crate) fn bits(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).max(1).leading_zeros()
}

/// Builds a [`WordHasher`].
pub(crate) type WordHash = BuildHasherDefault<WordHasher>;

/// Folds the 128-bit product with an odd constant: quick, and all bits of a word reach all bits of the hash.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WordHasher(u64);

impl WordHasher {
    /// The fractional digits of the golden ratio.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    #[inline]
    fn fold(&mut self, value: u64) {
        let product =
            u128::from(self.0.rotate_left(23) ^ value ^ 0x5bd1_e995) * u128::from(Self::FACTOR);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let (whole, rest) = bytes.as_chunks::<8>();
        for &chunk in whole {
            self.fold(u64::from_le_bytes(chunk));
        }
        for &byte in rest {
            self.fold(u64::from(byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.fold(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_small_and_large_symbols() {
        let alphabet = Alphabet::of(&[&[70_000, 4, 9], &[4, u32::MAX]]);
        assert_eq!(alphabet.size(), 4);
        let ranks = [4, 9, 70_000, u32::MAX].map(|s| alphabet.rank(s));
        assert_eq!(ranks, [Some(0), Some(1), Some(2), Some(3)]);
        for unknown in [0, 5, 10, 16_383, 16_384, 70_001] {
            assert_eq!(alphabet.rank(unknown), None);
        }
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 256, 257].map(bits),
            [1, 1, 1, 2, 2, 3, 8, 9]
        );
    }
}
