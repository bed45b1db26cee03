//! Where a row stands among all rows, and what follows from it.

/// Where rows stand: the first of them in a part of the data, and what part that is.
///
/// Folds, blocks and samples go by it, so that they are the same however rows are read. Parts whose numbers of rows
/// are not known beforehand have numbers of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Number of the part; 0 where the rows are one sequence.
    pub part: u64,
    /// Number of the first row in it.
    pub row: u64,
}

impl Place {
    /// The place of a row of a single sequence.
    pub fn at(row: u64) -> Self {
        Self { part: 0, row }
    }

    /// The place so many rows further on.
    #[must_use]
    pub fn after(self, rows: usize) -> Self {
        Self {
            row: self.row + rows as u64,
            ..self
        }
    }

    /// A number that looks drawn at random.
    fn hash(self, seed: u64, use_for: u64) -> u64 {
        let mut sum = mix(seed ^ use_for);
        sum = mix(sum ^ self.part);
        mix(sum ^ self.row)
    }

    /// The fold of the row here.
    pub fn fold(self, seed: u64, folds: usize) -> usize {
        (self.hash(seed, 0x666f_6c64) % folds.max(1) as u64) as usize
    }

    /// The key by which the row here is drawn.
    pub(super) fn key(self, seed: u64) -> u64 {
        self.hash(seed, 0x006b_6579)
    }
}

/// A step of `SplitMix64` (Steele, Lea and Flood 2014).
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_are_even_and_hang_on_the_place_alone() {
        let mut counts = [0; 5];
        for row in 0..10_000 {
            counts[Place::at(row).fold(7, 5)] += 1;
        }
        assert!(
            counts.iter().all(|c| (1800..2200).contains(c)),
            "{counts:?}"
        );
        assert_eq!(Place::at(3).after(4).fold(7, 5), Place::at(7).fold(7, 5));
        let other = (0..100).filter(|&row| {
            let part = Place { part: 1, row };
            part.fold(7, 5) != Place::at(row).fold(7, 5)
        });
        assert!(other.count() > 50);
    }
}
