//! Numbers for distinct sequences of integers, in the order in which they are first seen.
//!
//! All sequences lie one after another in a single buffer. The table finds candidates by hash and decides by content, so two
//! sequences share a number only when they are equal.

/// Marks an empty slot; also one more than the largest possible number of sequences.
const EMPTY: u32 = u32::MAX;

/// Odd multiplier with well-mixed bits: 2⁶⁴ divided by the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// A set of integer sequences, each with a number.
#[derive(Debug, Clone)]
pub(super) struct Interner {
    /// All sequences, one after another.
    values: Vec<u32>,
    /// Where each sequence ends.
    ends: Vec<usize>,
    /// Upper hash bits of each sequence: most wrong candidates are refused without a look at the content.
    hashes: Vec<u32>,
    /// Numbers by slot, a power of two of them, at most half in use.
    slots: Vec<u32>,
}

impl Default for Interner {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            ends: Vec::new(),
            hashes: Vec::new(),
            slots: vec![EMPTY; 16],
        }
    }
}

impl PartialEq for Interner {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values && self.ends == other.ends
    }
}

impl Interner {
    /// Returns the number of distinct sequences.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no sequences.
    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the sequence with a number.
    pub(super) fn sequence(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = if number == 0 {
            0
        } else {
            self.ends[number - 1]
        };
        &self.values[start..self.ends[number]]
    }

    /// Returns all sequences by number.
    #[cfg(test)]
    pub(super) fn sequences(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|number| self.sequence(number as u32))
    }

    /// Returns the number of a sequence, where it is known.
    pub(super) fn find(&self, sequence: &[u32]) -> Option<u32> {
        self.probe(sequence, hash(sequence)).ok()
    }

    /// Returns the number of a sequence, which is added where it is new.
    pub(super) fn intern(&mut self, sequence: &[u32]) -> u32 {
        let full = hash(sequence);
        match self.probe(sequence, full) {
            Ok(number) => number,
            Err(slot) => self.add(sequence, full, slot),
        }
    }

    /// Forgets every sequence and keeps the memory.
    pub(super) fn clear(&mut self) {
        if !self.is_empty() {
            self.values.clear();
            self.ends.clear();
            self.hashes.clear();
            self.slots.fill(EMPTY);
        }
    }

    /// Returns the number of a sequence, or the empty slot where it belongs.
    fn probe(&self, sequence: &[u32], full: u64) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let short = (full >> 32) as u32;
        let mut slot = full as usize & mask;
        loop {
            let number = self.slots[slot];
            if number == EMPTY {
                return Err(slot);
            }
            if self.hashes[number as usize] == short && self.sequence(number) == sequence {
                return Ok(number);
            }
            slot = (slot + 1) & mask;
        }
    }

    fn add(&mut self, sequence: &[u32], full: u64, slot: usize) -> u32 {
        let number = self.len() as u32;
        assert!(number < EMPTY, "fewer than 2³² − 1 distinct sequences");
        self.values.extend_from_slice(sequence);
        self.ends.push(self.values.len());
        self.hashes.push((full >> 32) as u32);
        self.slots[slot] = number;
        if 2 * self.len() > self.slots.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        let size = 4 * self.slots.len();
        self.slots.clear();
        self.slots.resize(size, EMPTY);
        for number in 0..self.len() as u32 {
            let mut slot = hash(self.sequence(number)) as usize & (size - 1);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = number;
        }
    }
}

impl<'a> FromIterator<&'a [u32]> for Interner {
    fn from_iter<I: IntoIterator<Item = &'a [u32]>>(sequences: I) -> Self {
        let mut all = Self::default();
        for sequence in sequences {
            all.intern(sequence);
        }
        all
    }
}

/// Multiply and fold: the high half of each product goes back into the low half, where the slot is read.
fn hash(sequence: &[u32]) -> u64 {
    let mut state = sequence.len() as u64;
    for &value in sequence {
        state = (state ^ u64::from(value)).wrapping_mul(MULTIPLIER);
        state ^= state >> 32;
    }
    let mixed = state.wrapping_mul(MULTIPLIER);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn the_empty_sequence_is_one_too() {
        let mut all = Interner::default();
        assert_eq!(all.find(&[]), None);
        assert_eq!(all.intern(&[0]), 0);
        assert_eq!(all.intern(&[]), 1);
        assert_eq!(all.intern(&[0, 0]), 2);
        assert_eq!(all.find(&[]), Some(1));
        assert_eq!(all.sequence(1), [0_u32; 0]);
    }

    proptest! {
        #[test]
        fn numbers_follow_first_sight(list in prop::collection::vec(prop::collection::vec(0_u32..4, 0..5), 0..300)) {
            let mut all = Interner::default();
            let mut expected: HashMap<Vec<u32>, u32> = HashMap::new();
            for sequence in &list {
                let next = expected.len() as u32;
                let number = *expected.entry(sequence.clone()).or_insert(next);
                prop_assert_eq!(all.intern(sequence), number);
            }
            prop_assert_eq!(all.len(), expected.len());
            for (sequence, number) in &expected {
                prop_assert_eq!(all.find(sequence), Some(*number));
                prop_assert_eq!(all.sequence(*number), sequence.as_slice());
            }
            let again: Interner = all.sequences().collect();
            prop_assert_eq!(&again, &all);
            all.clear();
            prop_assert!(all.is_empty());
            prop_assert!(list.iter().all(|sequence| all.find(sequence).is_none()));
        }
    }
}
