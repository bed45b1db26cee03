//! Recursions over the letters of two strings, for eight pairs of strings side by side.
//!
//! A recursion runs along both strings and cannot be vectorised itself; eight of them fill the lanes of vector registers.
//! An entry is a property of its two strings: each pair is put into a fixed order, every sum has one order, products are
//! rounded before they are added, and places behind the end of a shorter string add zeros. So entries have the same bits
//! in any lane, next to any other pairs, and with any instruction set.

use crate::simd::{Kernel, Simd, dispatch};

/// Pairs of strings handled side by side.
pub const LANES: usize = 8;

/// Longest word of [`gap`].
pub const LONGEST: usize = 64;

/// Matches nothing, not even itself: fills places behind the end of a string.
const NOTHING: f64 = f64::NAN;

/// One number per pair.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Lane([f64; LANES]);

impl Lane {
    const ZERO: Self = Self([0.0; LANES]);
    const ONE: Self = Self([1.0; LANES]);

    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        for k in 0..LANES {
            self.0[k] += other.0[k];
        }
        self
    }

    #[inline(always)]
    fn times(mut self, other: Self) -> Self {
        for k in 0..LANES {
            self.0[k] *= other.0[k];
        }
        self
    }

    /// Keeps lanes where two symbols are equal; others become 0.
    #[inline(always)]
    fn where_equal(mut self, a: Self, b: Self) -> Self {
        for k in 0..LANES {
            self.0[k] = if a.0[k] == b.0[k] { self.0[k] } else { 0.0 };
        }
        self
    }

    /// Keeps lanes above a bound; others become 0.
    #[inline(always)]
    fn where_above(mut self, bound: f64) -> Self {
        for k in 0..LANES {
            self.0[k] = if self.0[k] > bound { self.0[k] } else { 0.0 };
        }
        self
    }
}

/// Memory of the recursions, kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    outer: Vec<Lane>,
    inner: Vec<Lane>,
    state: Vec<Lane>,
    factors: Vec<Lane>,
    exponents: Vec<[i64; LANES]>,
}

/// The shorter string first; of equally long ones the smaller.
fn in_order<'a>(x: &'a [u32], z: &'a [u32]) -> (&'a [u32], &'a [u32]) {
    if (x.len(), x) <= (z.len(), z) {
        (x, z)
    } else {
        (z, x)
    }
}

impl Scratch {
    /// Lays out the symbols of up to [`LANES`] pairs, padded to whole groups; gives the length of each inner string.
    fn fill(
        &mut self,
        pairs: &[(&[u32], &[u32])],
        outer_group: usize,
        inner_group: usize,
    ) -> [usize; LANES] {
        assert!(pairs.len() <= LANES, "{} pairs", pairs.len());
        let mut lengths = [0; LANES];
        let (mut rows, mut columns) = (0, 0);
        for (length, (x, z)) in lengths.iter_mut().zip(pairs) {
            rows = rows.max(x.len().min(z.len()));
            *length = x.len().max(z.len());
            columns = columns.max(*length);
        }
        self.outer.clear();
        self.outer
            .resize(rows.next_multiple_of(outer_group), Lane([NOTHING; LANES]));
        self.inner.clear();
        self.inner.resize(
            columns.next_multiple_of(inner_group),
            Lane([NOTHING; LANES]),
        );
        for (lane, &(x, z)) in pairs.iter().enumerate() {
            let (outer, inner) = in_order(x, z);
            for (place, &symbol) in self.outer.iter_mut().zip(outer) {
                place.0[lane] = f64::from(symbol);
            }
            for (place, &symbol) in self.inner.iter_mut().zip(inner) {
                place.0[lane] = f64::from(symbol);
            }
        }
        lengths
    }
}

/// Rows of the subsequence table done in one pass over the columns: partial sums stay in registers.
const ROWS: usize = 4;

/// Columns that share an exponent. From a column to the next, values grow at most by the factor 1 + |x|.
const BLOCK: usize = 32;

/// Values above this get a new exponent. Four rows multiply them by less than 2¹²⁸.
const LARGE: f64 = (1_u128 << 100) as f64 * (1_u128 << 100) as f64;

struct Subsequence<'a> {
    scratch: &'a mut Scratch,
}

impl Kernel for Subsequence<'_> {
    type Output = ();

    // S(i, j) = S(i, j − 1) + [x_i = z_j] K(i − 1, j − 1),   K(i, j) = K(i − 1, j) + S(i, j),   K(i, 0) = K(0, j) = 1.
    #[inline(always)]
    fn run<S: Simd>(self) {
        let Scratch {
            outer,
            inner,
            state,
            factors,
            exponents,
        } = self.scratch;
        let blocks = inner.len() / BLOCK;
        state.clear();
        state.resize(inner.len(), Lane::ONE);
        factors.clear();
        factors.resize(blocks, Lane::ONE);
        exponents.clear();
        exponents.resize(blocks, [0; LANES]);
        let columns = inner.as_chunks::<BLOCK>().0;
        let values = state.as_chunks_mut::<BLOCK>().0;
        for letters in outer.as_chunks::<ROWS>().0 {
            let mut sums = [Lane::ZERO; ROWS];
            // K in the column before, of the row above each row.
            let mut corner = [Lane::ONE; ROWS];
            for block in 0..blocks {
                for row in 0..ROWS {
                    sums[row] = sums[row].times(factors[block]);
                    corner[row] = corner[row].times(factors[block]);
                }
                let (symbols, values) = (&columns[block], &mut values[block]);
                for column in 0..BLOCK {
                    let symbol = symbols[column];
                    let mut above = values[column];
                    for row in 0..ROWS {
                        let matched = corner[row].where_equal(letters[row], symbol);
                        sums[row] = sums[row].add(matched);
                        corner[row] = above;
                        above = above.add(sums[row]);
                    }
                    values[column] = above;
                }
            }
            let mut changed = false;
            for block in 0..blocks {
                // The last column of a block has its largest values.
                let largest = values[block][BLOCK - 1];
                let mut large = false;
                for lane in 0..LANES {
                    large |= largest.0[lane] > LARGE;
                }
                if large {
                    changed = true;
                    rescale(&mut values[block], &mut exponents[block]);
                }
            }
            if changed {
                let mut before = [0; LANES];
                for (factor, exponents) in factors.iter_mut().zip(exponents.iter()) {
                    for lane in 0..LANES {
                        factor.0[lane] = power_of_two(before[lane] - exponents[lane]);
                    }
                    before = *exponents;
                }
            }
        }
    }
}

/// Gives the large lanes of a block a new exponent. Powers of two change no digit.
fn rescale(values: &mut [Lane; BLOCK], exponents: &mut [i64; LANES]) {
    for lane in 0..LANES {
        let largest = values[BLOCK - 1].0[lane];
        if largest > LARGE {
            let (_, exponent) = parts(largest);
            let factor = power_of_two(-exponent);
            for value in values.iter_mut() {
                value.0[lane] *= factor;
            }
            exponents[lane] += exponent;
        }
    }
}

/// `2^exponent`, within the range of normal numbers.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}

/// A positive normal number as mantissa in [½, 1) and exponent.
fn parts(value: f64) -> (f64, i64) {
    let bits = value.to_bits();
    let exponent = (bits >> 52) as i64 - 1022;
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1022 << 52));
    (mantissa, exponent)
}

/// Counts the pairs of equal subsequences, the empty one included, of up to [`LANES`] pairs of strings.
///
/// A count is `mantissa · 2^exponent` with the mantissa in [½, 1): exact up to 2⁵³, of any size.
///
/// # Panics
///
/// When there are more pairs, or less places in `out` than pairs.
pub fn subsequence(pairs: &[(&[u32], &[u32])], scratch: &mut Scratch, out: &mut [(f64, i64)]) {
    let lengths = scratch.fill(pairs, ROWS, BLOCK);
    dispatch(Subsequence { scratch });
    for lane in 0..pairs.len() {
        out[lane] = match lengths[lane].checked_sub(1) {
            None => (0.5, 1),
            Some(column) => {
                let (mantissa, exponent) = parts(scratch.state[column].0[lane]);
                (mantissa, exponent + scratch.exponents[column / BLOCK][lane])
            }
        };
    }
}

/// Most rows of the gap table done in one pass.
const GAP_ROWS: usize = 2;

/// Sums are looked over for tiny values after so many letters.
const STRETCH: usize = 64;

/// Smaller sums become 0. They change no entry above 10⁻¹³⁰, and numbers below the normal ones would slow everything
/// down: a sum decays with each letter, below 10⁻³⁰⁸ after a thousand letters with decay ½.
const TINY: f64 = 1e-150;

/// `P` bounds the word length and `R` is the number of rows in one pass, so that sums stay in registers.
struct Gap<'a, const P: usize, const R: usize> {
    scratch: &'a mut Scratch,
    length: usize,
    decay: f64,
}

impl<const P: usize, const R: usize> Kernel for Gap<'_, P, R> {
    type Output = Lane;

    // With R_0 = 1 and λ per letter that is skipped since the first one of a word,
    // S_q(i, j) = λ S_q(i, j − 1) + [x_i = z_j] R_{q−1}(i − 1, j − 1),   R_q(i, j) = λ R_q(i − 1, j) + S_q(i, j),
    // K_p = λ^{2p} Σ_{i,j} [x_i = z_j] R_{p−1}(i − 1, j − 1). Place q of the arrays holds R_q; place 0 stays 1.
    #[inline(always)]
    fn run<S: Simd>(self) -> Lane {
        let Scratch {
            outer,
            inner,
            state,
            ..
        } = self.scratch;
        let decay = Lane([self.decay; LANES]);
        let last = if P > 8 { self.length - 1 } else { P - 1 };
        let mut start = [Lane::ZERO; P];
        start[0] = Lane::ONE;
        state.clear();
        state.resize(inner.len() * P, Lane::ZERO);
        let state = state.as_chunks_mut::<P>().0;
        state.fill(start);
        let mut totals = [Lane::ZERO; R];
        for (pass, letters) in outer.as_chunks::<R>().0.iter().enumerate() {
            if (pass * R).is_multiple_of(STRETCH) {
                for value in state.as_flattened_mut() {
                    *value = value.where_above(TINY);
                }
            }
            let mut sums = [[Lane::ZERO; P]; R];
            let mut corner = [start; R];
            for (symbols, values) in inner.chunks(STRETCH).zip(state.chunks_mut(STRETCH)) {
                for row in 0..R {
                    for q in 1..P {
                        sums[row][q] = sums[row][q].where_above(TINY);
                    }
                }
                for (symbol, value) in symbols.iter().zip(values) {
                    if R == 1 {
                        let (sums, corner) = (&mut sums[0], &mut corner[0]);
                        let matched = corner[last].where_equal(letters[0], *symbol);
                        totals[0] = totals[0].add(matched);
                        extend(value, sums, corner, (letters[0], *symbol), decay);
                        continue;
                    }
                    // Short words leave registers for a copy, which two rows use.
                    let mut column = *value;
                    for row in 0..R {
                        let matched = corner[row][last].where_equal(letters[row], *symbol);
                        totals[row] = totals[row].add(matched);
                        let (sums, corner) = (&mut sums[row], &mut corner[row]);
                        extend(&mut column, sums, corner, (letters[row], *symbol), decay);
                    }
                    *value = column;
                }
            }
        }
        totals.into_iter().reduce(Lane::add).unwrap_or(Lane::ZERO)
    }
}

/// Takes the sums of all word lengths from the row above to a row, in one column.
#[inline(always)]
fn extend<const P: usize>(
    column: &mut [Lane; P],
    sums: &mut [Lane; P],
    corner: &mut [Lane; P],
    (letter, symbol): (Lane, Lane),
    decay: Lane,
) {
    // Longest words first: the corner of the next shorter ones is still that of the column before.
    for q in (1..P).rev() {
        let matched = corner[q - 1].where_equal(letter, symbol);
        let sum = sums[q].times(decay).add(matched);
        let above = column[q];
        sums[q] = sum;
        column[q] = above.times(decay).add(sum);
        corner[q] = above;
    }
}

/// Computes the gap kernel of up to [`LANES`] pairs of strings for words of `length` letters.
///
/// # Panics
///
/// When there are more pairs, less places in `out` than pairs, or `length` is not in 1..=[`LONGEST`].
pub fn gap(
    pairs: &[(&[u32], &[u32])],
    length: usize,
    decay: f64,
    scratch: &mut Scratch,
    out: &mut [f64],
) {
    scratch.fill(pairs, GAP_ROWS, 1);
    macro_rules! with {
        ($bound:literal, $rows:literal) => {
            dispatch(Gap::<$bound, $rows> {
                scratch,
                length,
                decay,
            })
        };
    }
    let totals = match length {
        1 => with!(1, 2),
        2 => with!(2, 2),
        3 => with!(3, 2),
        4 => with!(4, 2),
        5 => with!(5, 1),
        6 => with!(6, 1),
        7 => with!(7, 1),
        8 => with!(8, 1),
        9..=16 => with!(16, 1),
        17..=LONGEST => with!(64, 1),
        _ => panic!("length {length}"),
    };
    let mut weight = 1.0;
    for _ in 0..length {
        weight *= decay * decay;
    }
    for lane in 0..pairs.len() {
        out[lane] = weight * totals.0[lane];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::tests::on_every_isa;

    fn strings(seed: u64, count: usize, longest: u64, letters: u64) -> Vec<Vec<u32>> {
        let mut state = seed;
        let mut next = move |bound: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        (0..count)
            .map(|_| {
                let length = next(longest + 1);
                (0..length).map(|_| next(letters) as u32).collect()
            })
            .collect()
    }

    #[test]
    fn entries_depend_on_their_strings_alone() {
        let mut strings = strings(1, 24, 90, 3);
        strings.push(Vec::new());
        strings.push(strings[0].iter().map(|s| s + 7).collect());
        let mut alone = Vec::new();
        let mut scratch = Scratch::default();
        for x in &strings {
            for z in &strings {
                let mut counts = [(0.0, 0)];
                subsequence(&[(x, z)], &mut scratch, &mut counts);
                let gaps: Vec<f64> = [1, 2, 4, 8, 11]
                    .iter()
                    .map(|&length| {
                        let mut value = [0.0];
                        gap(&[(x, z)], length, 0.7, &mut scratch, &mut value);
                        value[0]
                    })
                    .collect();
                alone.push((counts[0], gaps));
            }
        }
        on_every_isa(|set| {
            let mut scratch = Scratch::default();
            let pairs: Vec<(&[u32], &[u32])> = strings
                .iter()
                .flat_map(|x| strings.iter().map(|z| (z.as_slice(), x.as_slice())))
                .collect();
            for (group, (pairs, alone)) in pairs.chunks(LANES).zip(alone.chunks(LANES)).enumerate()
            {
                let mut counts = [(0.0, 0); LANES];
                subsequence(pairs, &mut scratch, &mut counts);
                for (count, alone) in counts.iter().zip(alone) {
                    assert_eq!(*count, alone.0, "{set:?} {group}");
                }
                for (k, length) in [1, 2, 4, 8, 11].into_iter().enumerate() {
                    let mut values = [0.0; LANES];
                    gap(pairs, length, 0.7, &mut scratch, &mut values);
                    for (value, alone) in values.iter().zip(alone) {
                        assert_eq!(value.to_bits(), alone.1[k].to_bits(), "{set:?} {length}");
                    }
                }
            }
        });
    }

    #[test]
    fn distant_letters_do_not_slow_down_or_vanish() {
        // One common letter, then thousands of others: sums decay below the normal numbers.
        let x: Vec<u32> = [1].into_iter().chain((0..3000).map(|k| 10 + k)).collect();
        let z: Vec<u32> = [1].into_iter().chain((0..3000).map(|k| 9000 + k)).collect();
        let mut value = [0.0];
        let mut scratch = Scratch::default();
        gap(&[(&x, &z)], 1, 0.5, &mut scratch, &mut value);
        assert_eq!(value[0], 0.25);
        gap(&[(&x, &z)], 2, 0.5, &mut scratch, &mut value);
        assert_eq!(value[0], 0.0);
        assert!(
            scratch
                .state
                .iter()
                .all(|lane| lane.0[0] == 0.0 || lane.0[0].is_normal())
        );
    }

    #[test]
    fn every_block_keeps_its_own_scale() {
        // Equal letters of the halves are counted by C(2n, n) either way, past the range of doubles, with small values
        // between: K = C(2n, n) + C(2n, n) − 1.
        let half = 700;
        let x: Vec<u32> = (0..2 * half).map(|k| u32::from(k >= half)).collect();
        let z: Vec<u32> = (0..2 * half).map(|k| u32::from(k < half)).collect();
        let mut log = 1.0; // log₂ of the two equal terms
        for k in 1..=half {
            log += (f64::from(half + k) / f64::from(k)).log2();
        }
        let mut count = [(0.0, 0)];
        subsequence(&[(&x, &z)], &mut Scratch::default(), &mut count);
        let found = count[0].0.log2() + count[0].1 as f64;
        assert!((found - log).abs() < 1e-9, "{found} {log}");
    }
}
