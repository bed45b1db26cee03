//! Draws whose values depend on the generator alone, not on a library's version.

use rand_chacha::rand_core::Rng;

/// A number below `bound`, each equally likely (Lemire 2019: multiply, reject the short end).
///
/// `bound` must be positive.
pub(crate) fn below(rng: &mut impl Rng, bound: usize) -> usize {
    let bound = bound as u64;
    let mut product = u128::from(rng.next_u64()) * u128::from(bound);
    if (product as u64) < bound {
        let short = bound.wrapping_neg() % bound;
        while (product as u64) < short {
            product = u128::from(rng.next_u64()) * u128::from(bound);
        }
    }
    (product >> 64) as usize
}

/// A number in (0, 1]: 53 random bits, never 0, so that its logarithm exists.
pub(crate) fn unit(rng: &mut impl Rng) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

/// A standard normal number (Box and Muller).
pub(crate) fn normal(rng: &mut impl Rng) -> f64 {
    let radius = (-2.0 * unit(rng).ln()).sqrt();
    radius * (std::f64::consts::TAU * unit(rng)).cos()
}

/// Puts values into random order (Fisher and Yates).
pub(crate) fn shuffle<T>(rng: &mut impl Rng, values: &mut [T]) {
    for last in (1..values.len()).rev() {
        values.swap(last, below(rng, last + 1));
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn every_number_is_as_likely() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut counts = [0; 3];
        for _ in 0..30_000 {
            counts[below(&mut rng, 3)] += 1;
        }
        assert!(counts.iter().all(|&c| (9_600..10_400).contains(&c)));
    }

    #[test]
    fn shuffling_keeps_every_value() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut values: Vec<usize> = (0..50).collect();
        shuffle(&mut rng, &mut values);
        assert_ne!(values, (0..50).collect::<Vec<_>>());
        values.sort_unstable();
        assert_eq!(values, (0..50).collect::<Vec<_>>());
        assert!((0..100).all(|_| {
            let u = unit(&mut rng);
            u > 0.0 && u <= 1.0
        }));
    }
}
