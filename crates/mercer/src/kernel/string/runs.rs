//! `K(x, z) = Σ_{k=1}^{d} β_k Σ_i [x_i … x_{i+k−1} = z_i … z_{i+k−1}]` with `β_k = 2 (d − k + 1) / (d (d + 1))`.
//!
//! Words are compared at the same places (Rätsch & Sonnenburg 2004); a longer string is cut to the length of the other.
//! Sixty-four letters become one word of bits that say where the strings agree. Places where `k` letters agree are the
//! bits that survive `k − 1` shifts, so that a pair costs a few operations per length of its longest common run.

/// The weighted degree kernel of one degree.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WeightedDegree {
    /// `β_1, …, β_d`.
    weights: Vec<f64>,
    /// What a run of `r ≤ d` equal letters adds: `Σ_{k ≤ r} β_k (r − k + 1)`.
    runs: Vec<f64>,
}

/// Letters of a word of bits.
const WORD: usize = 64;

impl WeightedDegree {
    /// Makes the kernel of a degree, the length of the longest words that count.
    ///
    /// # Panics
    ///
    /// When the degree is 0.
    pub(super) fn new(degree: usize) -> Self {
        assert!(degree > 0, "degree {degree}");
        let d = degree as f64;
        let weights: Vec<f64> = (1..=degree)
            .map(|k| 2.0 * (degree - k + 1) as f64 / (d * (d + 1.0)))
            .collect();
        let (mut sum, mut run) = (0.0, 0.0);
        let mut runs = vec![0.0];
        for weight in &weights {
            sum += weight;
            run += sum;
            runs.push(run);
        }
        Self { weights, runs }
    }

    /// Computes the kernel of two strings.
    pub(super) fn value(&self, x: &[u32], z: &[u32]) -> f64 {
        let length = x.len().min(z.len());
        let (x, z) = (&x[..length], &z[..length]);
        if self.weights.len() > WORD {
            return self.by_runs(x, z);
        }
        let mut sum = 0.0;
        let mut parts = x.chunks(WORD).zip(z.chunks(WORD));
        let mut next = parts.next().map_or(0, |(x, z)| agreement(x, z));
        for _ in 0..length.div_ceil(WORD) {
            let here = next;
            next = parts.next().map_or(0, |(x, z)| agreement(x, z));
            let (mut places, mut following) = (here, next);
            for weight in &self.weights {
                if places == 0 {
                    break;
                }
                sum += weight * f64::from(places.count_ones());
                // Bit i of both words together, one letter further: runs of k letters become runs of k + 1.
                let one_further = places >> 1 | following << (WORD - 1);
                following &= following >> 1;
                places &= one_further;
            }
        }
        sum
    }

    /// Adds what each run of equal letters brings. Weights sum to 1: so much is each letter past the degree worth.
    fn by_runs(&self, x: &[u32], z: &[u32]) -> f64 {
        let degree = self.weights.len();
        let worth = |run: usize| match run.checked_sub(degree) {
            Some(more) => self.runs[degree] + more as f64,
            None => self.runs[run],
        };
        let (mut sum, mut run) = (0.0, 0);
        for (a, b) in x.iter().zip(z) {
            if a == b {
                run += 1;
            } else if run > 0 {
                sum += worth(run);
                run = 0;
            }
        }
        sum + worth(run)
    }
}

/// Ones where two strings of at most 64 letters agree.
#[inline]
fn agreement(x: &[u32], z: &[u32]) -> u64 {
    /// Moves the lowest bits of eight bytes into one byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let ((groups, rest), (other_groups, other_rest)) = (x.as_chunks::<8>(), z.as_chunks::<8>());
    let mut word = 0;
    for (at, (a, b)) in groups.iter().zip(other_groups).enumerate() {
        let mut bytes = [0_u8; 8];
        for k in 0..8 {
            bytes[k] = u8::from(a[k] == b[k]);
        }
        let bits = u64::from_le_bytes(bytes).wrapping_mul(GATHER) >> 56;
        word |= bits << (8 * at);
    }
    let start = 8 * groups.len();
    for (k, (a, b)) in rest.iter().zip(other_rest).enumerate() {
        word |= u64::from(a == b) << (start + k);
    }
    word
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(x: &[u32], z: &[u32], degree: usize) -> f64 {
        let length = x.len().min(z.len());
        let d = degree as f64;
        let mut sum = 0.0;
        for k in 1..=degree.min(length) {
            let same = (0..=length - k).filter(|&i| x[i..i + k] == z[i..i + k]);
            sum += 2.0 * (degree - k + 1) as f64 / (d * (d + 1.0)) * same.count() as f64;
        }
        sum
    }

    #[test]
    fn long_runs() {
        let string = vec![3; 300];
        for degree in [1, 20, 63, 64, 65, 200, 400] {
            let found = WeightedDegree::new(degree).value(&string, &string);
            let expected = plain(&string, &string, degree);
            assert!((found - expected).abs() <= 1e-12 * expected, "{degree}");
        }
    }

    proptest! {
        #![proptest_config(crate::properties::cases(3000))]
        #[test]
        fn value_counts_aligned_words(
            x in prop::collection::vec(0_u32..2, 0..150),
            z in prop::collection::vec(0_u32..2, 0..150),
            degree in prop::sample::select(vec![1, 2, 3, 5, 12, 64, 65, 130]),
            copied in 0_usize..150,
        ) {
            let mut z = z;
            let copied = copied.min(x.len()).min(z.len());
            z[..copied].copy_from_slice(&x[..copied]);
            let kernel = WeightedDegree::new(degree);
            let found = kernel.value(&x, &z);
            let expected = plain(&x, &z, degree);
            prop_assert!((found - expected).abs() <= 1e-12 * expected.max(1e-300));
            prop_assert_eq!(found.to_bits(), kernel.value(&z, &x).to_bits());
        }
    }
}
