//! `K(x, z) = |{(I, J) : x_I = z_J}|`: pairs of equal subsequences, the empty one included.
//!
//! `S(i, j) = S(i, j − 1) + [x_i = z_j] K(i − 1, j − 1)` and `K(i, j) = K(i − 1, j) + S(i, j)`, from
//! `K(i, 0) = K(0, j) = 1`: time |x||z|. Counts pass the range of `f64` near 500 letters and are kept as [`Scaled`].

use super::scaled::Scaled;
use mercer_linalg::lanes::{self, LANES, Scratch};

/// Fills the table of `K` for all prefixes of `x` (columns) and `z` (rows) in plain numbers.
pub(super) fn table(x: &[u32], z: &[u32]) -> Vec<Vec<f64>> {
    let mut table = vec![vec![1.0; x.len() + 1]; z.len() + 1];
    for j in 1..=z.len() {
        let mut sum = 0.0;
        for i in 1..=x.len() {
            if x[i - 1] == z[j - 1] {
                sum += table[j - 1][i - 1];
            }
            table[j][i] = table[j - 1][i] + sum;
        }
    }
    table
}

/// Computes the kernel of two strings; without rounding up to 2⁵³.
pub(super) fn value(x: &[u32], z: &[u32]) -> Scaled {
    let mut out = [Scaled::default()];
    pairs(&[(x, z)], &mut out);
    out[0]
}

/// Computes the kernel of one string with others. Entries have the bits of [`value`].
///
/// # Panics
///
/// When `out` and `others` differ in length.
pub(super) fn block(x: &[u32], others: &[&[u32]], out: &mut [Scaled]) {
    let list: Vec<(&[u32], &[u32])> = others.iter().map(|&z| (x, z)).collect();
    pairs(&list, out);
}

/// Computes the kernel of many pairs. Entries have the bits of [`value`].
///
/// # Panics
///
/// When `out` and `list` differ in length.
pub(super) fn pairs(list: &[(&[u32], &[u32])], out: &mut [Scaled]) {
    assert_eq!(list.len(), out.len(), "places for entries");
    let mut scratch = Scratch::default();
    let mut counts = [(0.0, 0); LANES];
    for places in super::gapped::by_size(list).chunks(LANES) {
        let mut group: [(&[u32], &[u32]); LANES] = [(&[], &[]); LANES];
        for (pair, &place) in group.iter_mut().zip(places) {
            *pair = list[place as usize];
        }
        lanes::subsequence(&group[..places.len()], &mut scratch, &mut counts);
        for (&(mantissa, exponent), &place) in counts.iter().zip(places) {
            out[place as usize] = Scaled { mantissa, exponent };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    fn plain(x: &[u32], z: &[u32]) -> f64 {
        let words = |string: &[u32]| {
            let mut words: HashMap<Vec<u32>, f64> = HashMap::new();
            for chosen in 0..1_u32 << string.len() {
                let letters = string.iter().enumerate();
                let word = letters.filter(|(k, _)| chosen >> k & 1 == 1);
                *words.entry(word.map(|(_, &s)| s).collect()).or_default() += 1.0;
            }
            words
        };
        let other = words(z);
        words(x)
            .iter()
            .map(|(word, count)| count * other.get(word).unwrap_or(&0.0))
            .sum()
    }

    fn symbols(word: &str) -> Vec<u32> {
        word.bytes().map(u32::from).collect()
    }

    #[test]
    fn table_of_beere_and_bert() {
        let (x, z) = (symbols("BEERE"), symbols("BERT"));
        let expected = [
            [1, 1, 1, 1, 1, 1],
            [1, 2, 2, 2, 2, 2],
            [1, 2, 4, 6, 6, 8],
            [1, 2, 4, 6, 12, 14],
            [1, 2, 4, 6, 12, 14],
        ];
        let expected = expected.map(|row| row.map(f64::from).to_vec());
        assert_eq!(table(&x, &z), expected);
        for j in 0..=z.len() {
            for i in 0..=x.len() {
                assert_eq!(value(&x[..i], &z[..j]).to_f64(), expected[j][i]);
            }
        }
    }

    #[test]
    fn normalised_values_of_long_strings() {
        let string = |seed: u64, length: usize| -> Vec<u32> {
            let mut state = seed;
            let mut next = || {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 60) as u32 % 4
            };
            (0..length).map(|_| next()).collect()
        };
        let strings = [
            string(1, 2000),
            string(2, 2000),
            string(3, 1700),
            vec![1; 2000],
        ];
        let views: Vec<&[u32]> = strings.iter().map(Vec::as_slice).collect();
        for (i, x) in views.iter().enumerate() {
            let mut row = [Scaled::default(); 4];
            block(x, &views, &mut row);
            for (j, z) in views.iter().enumerate() {
                let ratio = Scaled::ratio(row[j], value(x, x), value(z, z));
                assert!((0.0..=1.0).contains(&ratio));
                assert_eq!(i == j, ratio == 1.0);
            }
        }
        // Pairs of equal subsequences of one letter n times: C(2n, n).
        let log: f64 = (1..=2000)
            .map(|k| (f64::from(2000 + k) / f64::from(k)).ln())
            .sum();
        assert!((value(views[3], views[3]).log() - log).abs() < 1e-9);
    }

    proptest! {
        #![proptest_config(crate::properties::cases(2000))]
        #[test]
        fn value_counts_pairs(
            x in prop::collection::vec(0_u32..3, 0..11),
            z in prop::collection::vec(0_u32..3, 0..11),
        ) {
            let expected = plain(&x, &z);
            prop_assert_eq!(value(&x, &z).to_f64(), expected);
            prop_assert_eq!(value(&x, &z), value(&z, &x));
            prop_assert_eq!(table(&x, &z)[z.len()][x.len()], expected);
        }

        #[test]
        fn blocks_have_the_bits_of_values(
            x in prop::collection::vec(0_u32..3, 0..100),
            others in prop::collection::vec(prop::collection::vec(0_u32..3, 0..100), 0..20),
        ) {
            let views: Vec<&[u32]> = others.iter().map(Vec::as_slice).collect();
            let mut out = vec![Scaled::default(); views.len()];
            block(&x, &views, &mut out);
            for (found, z) in out.iter().zip(&views) {
                prop_assert_eq!(*found, value(&x, z));
                let plain = table(&x, z)[z.len()][x.len()];
                prop_assert!((found.to_f64() - plain).abs() <= 1e-13 * plain);
            }
        }
    }
}
