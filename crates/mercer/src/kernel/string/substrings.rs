//! `K(x, z) = 1 + Σ_u decay^|u| · occ_x(u) · occ_z(u)` over words `u ≠ ε` with `minimum ≤ |u| ≤ maximum`.
//!
//! All suffixes of both strings are sorted together. Words with the same occurrences form an interval of that order, so
//! that one pass with a stack of open intervals adds every product once: time linear in the letters of both strings.

#[cfg(test)]
use super::lengths::{Lengths, Total};
#[cfg(test)]
use super::suffix::Suffixes;

/// An interval of sorted suffixes that share `depth` letters, with its suffixes in either string.
#[derive(Clone, Copy)]
#[cfg(test)]
struct Open {
    depth: u32,
    left: u32,
    right: u32,
}

/// Computes the kernel of two strings; without rounding, except for the last one, when the decay is 1.
///
/// The pair is put into a fixed order first: `value(x, z)` and `value(z, x)` have the same bits.
#[cfg(test)]
pub(super) fn value(x: &[u32], z: &[u32], lengths: &Lengths) -> f64 {
    let (x, z) = if (x.len(), x) <= (z.len(), z) {
        (x, z)
    } else {
        (z, x)
    };
    let suffixes = Suffixes::of(&[x, z]);
    let border = suffixes.starts[1];
    let ceiling = lengths.ceiling();
    let mut total = Total::default();
    let mut stack = vec![Open {
        depth: 0,
        left: 0,
        right: 0,
    }];
    let ends = suffixes.common.iter().skip(1).copied().chain([0]);
    for (&start, common) in suffixes.order.iter().zip(ends) {
        let depth = common.min(ceiling);
        let own = u32::from(start < border);
        let mut carried = (own, 1 - own);
        while let Some(top) = stack.pop_if(|top| top.depth > depth) {
            carried.0 += top.left;
            carried.1 += top.right;
            let outer = stack.last().map_or(0, |open| open.depth).max(depth);
            let occurrences = u64::from(carried.0) * u64::from(carried.1);
            if occurrences > 0 {
                total.add(lengths, outer, top.depth, occurrences);
            }
        }
        match stack.last_mut() {
            Some(top) if top.depth == depth => {
                top.left += carried.0;
                top.right += carried.1;
            }
            _ => stack.push(Open {
                depth,
                left: carried.0,
                right: carried.1,
            }),
        }
    }
    total.plus(1)
}

/// Fills the tables of `K₀`, the common suffixes, and of `K` for all prefixes of `x` (columns) and `z` (rows).
///
/// `K₀(xa, zb) = 1 + [a = b] K₀(x, z)` and `K(x, za) = K(x, z) + Σ_{k: x_k = a} K₀(x_{1..k−1}, z)`: every word counts 1.
pub(super) fn tables(x: &[u32], z: &[u32]) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let mut suffixes = vec![vec![1.0; x.len() + 1]; z.len() + 1];
    let mut words = suffixes.clone();
    for j in 1..=z.len() {
        let mut sum = 0.0;
        for i in 1..=x.len() {
            if x[i - 1] == z[j - 1] {
                suffixes[j][i] += suffixes[j - 1][i - 1];
                sum += suffixes[j - 1][i - 1];
            }
            words[j][i] = words[j - 1][i] + sum;
        }
    }
    (suffixes, words)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(x: &[u32], z: &[u32], lengths: &Lengths) -> f64 {
        let mut sum = 1.0;
        for length in 1..=x.len().min(z.len()) {
            if length < lengths.minimum || length > lengths.maximum {
                continue;
            }
            let pairs = x
                .windows(length)
                .map(|u| z.windows(length).filter(|v| *v == u).count())
                .sum::<usize>();
            sum += lengths.decay.powi(length as i32) * pairs as f64;
        }
        sum
    }

    fn symbols(word: &str) -> Vec<u32> {
        word.bytes().map(u32::from).collect()
    }

    #[test]
    fn tables_of_beere_and_bert() {
        let (x, z) = (symbols("BEERE"), symbols("BERT"));
        let (suffixes, words) = tables(&x, &z);
        let expected = [
            [1, 1, 1, 1, 1, 1],
            [1, 2, 1, 1, 1, 1],
            [1, 1, 3, 2, 1, 2],
            [1, 1, 1, 1, 3, 1],
            [1, 1, 1, 1, 1, 1],
        ];
        assert_eq!(suffixes, expected.map(|row| row.map(f64::from).to_vec()));
        let expected = [
            [1, 1, 1, 1, 1, 1],
            [1, 2, 2, 2, 2, 2],
            [1, 2, 4, 5, 5, 6],
            [1, 2, 4, 5, 7, 8],
            [1, 2, 4, 5, 7, 8],
        ];
        assert_eq!(words, expected.map(|row| row.map(f64::from).to_vec()));
        for j in 0..=z.len() {
            for i in 0..=x.len() {
                let found = value(&x[..i], &z[..j], &Lengths::default());
                assert_eq!(found, words[j][i]);
            }
        }
    }

    #[test]
    fn one_letter_only_is_exact_beyond_doubles() {
        // Σ_l (n − l + 1)² = n(n + 1)(2n + 1)/6, past 2⁵³.
        let n = 400_000_u128;
        let string = vec![9; n as usize];
        let expected = (1 + n * (n + 1) * (2 * n + 1) / 6) as f64;
        assert_eq!(value(&string, &string, &Lengths::default()), expected);
    }

    #[test]
    fn long_edges_have_the_geometric_sum() {
        let string: Vec<u32> = (0..3000).collect();
        for decay in [0.3, 0.999, 1.0 - 1e-9] {
            let lengths = Lengths::default().decay(decay);
            let expected: f64 = 1.0
                + (1..=3000)
                    .rev()
                    .map(|l| decay.powi(l) * f64::from(3001 - l))
                    .sum::<f64>();
            let found = value(&string, &string, &lengths);
            assert!((found - expected).abs() <= 1e-11 * expected, "{decay}");
        }
    }

    proptest! {
        #![proptest_config(crate::properties::cases(4000))]
        #[test]
        fn value_counts_words(
            x in prop::collection::vec(0_u32..3, 0..13),
            z in prop::collection::vec(0_u32..3, 0..13),
            decay in prop::sample::select(vec![1.0, 0.5, 0.9]),
            minimum in 0_usize..4,
            extra in prop::sample::select(vec![0, 1, 3, usize::MAX]),
        ) {
            let lengths = Lengths { decay, minimum, maximum: minimum.saturating_add(extra) };
            let found = value(&x, &z, &lengths);
            let expected = plain(&x, &z, &lengths);
            prop_assert!((found - expected).abs() <= 1e-14 * expected);
            prop_assert_eq!(found.to_bits(), value(&z, &x, &lengths).to_bits());
            let whole = value(&x, &z, &Lengths::default());
            prop_assert_eq!(whole, tables(&x, &z).1[z.len()][x.len()]);
        }
    }
}
