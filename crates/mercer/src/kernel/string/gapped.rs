//! `K(x, z) = Σ_{I, J} decay^{span(I) + span(J)}` over index tuples of `length` places with `x_I = z_J`.
//!
//! The span of `i_1 < … < i_p` is `i_p − i_1 + 1`. Time length·|x||z| by sums that decay with each letter
//! (Lodhi et al. 2002). Decay 1 counts subsequences of that length; a small decay leaves substrings.

use mercer_linalg::lanes::{self, LANES, Scratch};

/// Parameters of the gap kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gap {
    /// Letters of a word, in 1..=64.
    pub(super) length: usize,
    /// Factor per letter that an occurrence spans, in (0, 1].
    pub(super) decay: f64,
}

/// Computes the kernels of all word lengths up to `gap.length`, the shortest first, by the plain recursion.
#[cfg(test)]
pub(super) fn table(x: &[u32], z: &[u32], gap: &Gap) -> Vec<f64> {
    let decay = gap.decay;
    // Sums over words that end at or before a pair of places, with the span counted up to that pair.
    let mut before = vec![vec![1.0; z.len() + 1]; x.len() + 1];
    let mut kernels = Vec::with_capacity(gap.length);
    for _ in 0..gap.length {
        let mut sums = vec![vec![0.0; z.len() + 1]; x.len() + 1];
        let mut kernel = 0.0;
        for i in 1..=x.len() {
            let mut sum = 0.0;
            for j in 1..=z.len() {
                sum *= decay;
                if x[i - 1] == z[j - 1] {
                    let word = decay * decay * before[i - 1][j - 1];
                    kernel += word;
                    sum += word;
                }
                sums[i][j] = decay * sums[i - 1][j] + sum;
            }
        }
        kernels.push(kernel);
        before = sums;
    }
    kernels
}

/// Computes the kernel of two strings.
///
/// # Panics
///
/// When `gap.length` is not in 1..=64.
pub(super) fn value(x: &[u32], z: &[u32], gap: &Gap) -> f64 {
    let mut out = [0.0];
    pairs(&[(x, z)], gap, &mut out);
    out[0]
}

/// Computes the kernel of one string with others. Entries have the bits of [`value`].
///
/// # Panics
///
/// When `out` and `others` differ in length, or `gap.length` is not in 1..=64.
pub(super) fn block(x: &[u32], others: &[&[u32]], gap: &Gap, out: &mut [f64]) {
    let list: Vec<(&[u32], &[u32])> = others.iter().map(|&z| (x, z)).collect();
    pairs(&list, gap, out);
}

/// Computes the kernel of many pairs. Entries have the bits of [`value`].
///
/// # Panics
///
/// When `out` and `list` differ in length, or `gap.length` is not in 1..=64.
pub(super) fn pairs(list: &[(&[u32], &[u32])], gap: &Gap, out: &mut [f64]) {
    assert_eq!(list.len(), out.len(), "places for entries");
    let mut scratch = Scratch::default();
    let mut values = [0.0; LANES];
    for places in by_size(list).chunks(LANES) {
        let mut group: [(&[u32], &[u32]); LANES] = [(&[], &[]); LANES];
        for (pair, &place) in group.iter_mut().zip(places) {
            *pair = list[place as usize];
        }
        let group = &group[..places.len()];
        lanes::gap(group, gap.length, gap.decay, &mut scratch, &mut values);
        for (&value, &place) in values.iter().zip(places) {
            out[place as usize] = value;
        }
    }
}

/// Places of pairs, by size: lanes side by side wait for the longest pair among them.
pub(crate) fn by_size(list: &[(&[u32], &[u32])]) -> Vec<u32> {
    let mut places: Vec<u32> = (0..list.len() as u32).collect();
    places.sort_by_key(|&place| {
        let (x, z) = list[place as usize];
        (x.len().min(z.len()), x.len().max(z.len()))
    });
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Adds `decay^{span + span}` over all tuples of both strings.
    fn plain(x: &[u32], z: &[u32], gap: &Gap) -> f64 {
        let tuples = |string: &[u32]| -> Vec<(Vec<u32>, f64)> {
            (1..1_u32 << string.len())
                .filter(|chosen| chosen.count_ones() as usize == gap.length)
                .map(|chosen| {
                    let letters = string.iter().enumerate();
                    let word = letters.filter(|(k, _)| chosen >> k & 1 == 1);
                    let span = 32 - chosen.leading_zeros() - chosen.trailing_zeros();
                    let weight = gap.decay.powi(span as i32);
                    (word.map(|(_, &s)| s).collect(), weight)
                })
                .collect()
        };
        let (own, others) = (tuples(x), tuples(z));
        let same = own.iter().flat_map(|(u, a)| {
            others
                .iter()
                .filter(move |o| o.0 == *u)
                .map(move |o| a * o.1)
        });
        same.sum()
    }

    #[test]
    fn cat_and_car_share_one_word() {
        let symbols = |word: &str| word.bytes().map(u32::from).collect::<Vec<u32>>();
        let (x, z) = (symbols("cat"), symbols("car"));
        let gap = Gap {
            length: 2,
            decay: 0.5,
        };
        assert_eq!(value(&x, &z, &gap), 0.5_f64.powi(4));
        let own = 2.0 * 0.5_f64.powi(4) + 0.5_f64.powi(6);
        assert_eq!(value(&x, &x, &gap), own);
    }

    proptest! {
        #![proptest_config(crate::properties::cases(1000))]
        #[test]
        fn value_sums_over_tuples(
            x in prop::collection::vec(0_u32..3, 0..9),
            z in prop::collection::vec(0_u32..3, 0..9),
            length in 1_usize..6,
            decay in prop::sample::select(vec![1.0, 0.5, 0.9, 0.1]),
        ) {
            let gap = Gap { length, decay };
            let expected = plain(&x, &z, &gap);
            let found = value(&x, &z, &gap);
            prop_assert!((found - expected).abs() <= 1e-13 * expected);
            prop_assert_eq!(found.to_bits(), value(&z, &x, &gap).to_bits());
            let kernels = table(&x, &z, &gap);
            prop_assert!((kernels[length - 1] - expected).abs() <= 1e-13 * expected);
        }

        #[test]
        fn blocks_have_the_bits_of_values(
            x in prop::collection::vec(0_u32..3, 0..100),
            others in prop::collection::vec(prop::collection::vec(0_u32..3, 0..70), 0..12),
            length in 1_usize..20,
        ) {
            let gap = Gap { length, decay: 0.8 };
            let views: Vec<&[u32]> = others.iter().map(Vec::as_slice).collect();
            let mut out = vec![0.0; views.len()];
            block(&x, &views, &gap, &mut out);
            for (found, z) in out.iter().zip(&views) {
                prop_assert_eq!(found.to_bits(), value(&x, z, &gap).to_bits());
                let plain = table(&x, z, &gap)[length - 1];
                prop_assert!((found - plain).abs() <= 1e-12 * plain);
            }
        }
    }
}
