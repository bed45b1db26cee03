//! Rows drawn by keys that hang on the seed and the row's number alone.
//!
//! Row i has the key ln(u_i)/weight_i, u_i uniform; the rows of the largest keys are a sample without replacement, each
//! next one in proportion to its weight (Efraimidis and Spirakis 2006). Who reads rows in pieces keeps the largest keys so far and finds
//! the same rows.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::data::random::unit;

/// The keys of rows, from any row on.
#[derive(Debug, Clone)]
pub struct RowKeys {
    rng: ChaCha8Rng,
}

impl RowKeys {
    /// Starts at a row.
    pub fn from_row(seed: u64, row: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // A key takes two words of 32 bits.
        rng.set_word_pos(2 * u128::from(row));
        Self { rng }
    }

    /// Returns the key of the next row, whose weight must not be negative; −∞ for a row without any.
    pub fn next_key(&mut self, weight: f64) -> f64 {
        let uniform = unit(&mut self.rng);
        if weight > 0.0 {
            uniform.ln() / weight
        } else {
            f64::NEG_INFINITY
        }
    }
}

/// Returns the rows of the largest keys, at most `count` of them and none without a weight, in the order of the keys.
pub fn first_rows(
    rows: usize,
    weight: impl Fn(usize) -> f64,
    count: usize,
    seed: u64,
) -> Vec<usize> {
    let mut keys = RowKeys::from_row(seed, 0);
    let mut all: Vec<(f64, usize)> = (0..rows)
        .map(|row| (keys.next_key(weight(row)), row))
        .filter(|(key, _)| *key > f64::NEG_INFINITY)
        .collect();
    let order = |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    if count < all.len() {
        all.select_nth_unstable_by(count, order);
        all.truncate(count);
    }
    all.sort_unstable_by(order);
    all.into_iter().map(|(_, row)| row).collect()
}

/// Returns the probabilities p_i = K_ii²/Σ K_jj² of Drineas and Mahoney (2005); equal ones where the diagonal is 0.
pub fn squared_diagonal_shares(diagonal: &[f64]) -> Vec<f64> {
    // Divided by the largest first: squares may leave f64.
    let top = diagonal.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if top == 0.0 {
        return vec![1.0 / diagonal.len().max(1) as f64; diagonal.len()];
    }
    let squares: Vec<f64> = diagonal.iter().map(|v| (v / top).powi(2)).collect();
    let total: f64 = squares.iter().sum();
    squares.iter().map(|v| v / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_do_not_hang_on_where_reading_starts() {
        let mut all = RowKeys::from_row(5, 0);
        let keys: Vec<f64> = (0..100).map(|_| all.next_key(1.0)).collect();
        let mut later = RowKeys::from_row(5, 37);
        assert!((37..100).all(|row| later.next_key(1.0) == keys[row]));
        let mut other = RowKeys::from_row(6, 0);
        assert_ne!(other.next_key(1.0), keys[0]);
    }

    #[test]
    fn rows_come_in_proportion_to_their_weights() {
        let weights = [1.0, 2.0, 0.0, 5.0];
        let mut counts = [0; 4];
        for seed in 0..8000 {
            let rows = first_rows(4, |row| weights[row], 1, seed);
            counts[rows[0]] += 1;
        }
        assert_eq!(counts[2], 0);
        for (count, weight) in counts.iter().zip(weights) {
            // Four standard errors of a share of 8000 draws.
            let share = f64::from(*count) / 8000.0;
            assert!((share - weight / 8.0).abs() < 0.023, "{counts:?}");
        }
        assert_eq!(first_rows(4, |row| weights[row], 9, 0).len(), 3);
    }

    #[test]
    fn shares_of_the_course() {
        let linear = squared_diagonal_shares(&[1.0, 4.0, 9.0]);
        let wanted = [1.0 / 98.0, 16.0 / 98.0, 81.0 / 98.0];
        for (found, wanted) in linear.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-15);
        }
        assert_eq!(squared_diagonal_shares(&[0.0, 0.0]), [0.5, 0.5]);
    }
}
