//! The subsequence kernel as a textbook has it: one pair at a time, one table, one thread.
//!
//! The number of pairs of equal subsequences of the first i symbols of x and the first j of z is
//!
//! ```text
//! K(i, j) = K(i−1, j) + K(i, j−1) − [x_i ≠ z_j]·K(i−1, j−1),   K(i, 0) = K(0, j) = 1
//! ```
//!
//! and grows like 4^length, so that rows carry a power of two beside them.

use mercer_linalg::Matrix;

/// Rows are divided by 2 to this power once they exceed it.
const STEP: i32 = 512;

/// A number times a power of two.
#[derive(Debug, Clone, Copy)]
struct Large {
    part: f64,
    power: i32,
}

/// The number of pairs of equal subsequences.
fn count(x: &[u8], z: &[u8]) -> Large {
    let width = z.len() + 1;
    let mut table = vec![1.0_f64; (x.len() + 1) * width];
    let mut power = 0;
    let mut first = 1.0;
    for (i, symbol) in x.iter().enumerate() {
        let (above, below) = table.split_at_mut((i + 1) * width);
        let above = &above[i * width..];
        let row = &mut below[..width];
        row[0] = first;
        for j in 0..z.len() {
            let corner = if *symbol == z[j] { 0.0 } else { above[j] };
            row[j + 1] = above[j + 1] + row[j] - corner;
        }
        if row[width - 1] > 2.0_f64.powi(STEP) {
            let scale = 2.0_f64.powi(-STEP);
            for value in row.iter_mut() {
                *value *= scale;
            }
            first *= scale;
            power += STEP;
        }
    }
    Large {
        part: table[table.len() - 1],
        power,
    }
}

/// The normalised matrix; the lower half is copied from the upper.
pub(crate) fn subsequence_matrix(texts: &[String]) -> Matrix<f64> {
    let own: Vec<Large> = texts
        .iter()
        .map(|text| count(text.as_bytes(), text.as_bytes()))
        .collect();
    let n = texts.len();
    let mut out = Matrix::zeros(n, n);
    for i in 0..n {
        out[(i, i)] = 1.0;
        for j in i + 1..n {
            let value = count(texts[i].as_bytes(), texts[j].as_bytes());
            let part = value.part / (own[i].part.sqrt() * own[j].part.sqrt());
            let power = f64::from(value.power) - 0.5 * f64::from(own[i].power + own[j].power);
            out[(i, j)] = part * power.exp2();
            out[(j, i)] = out[(i, j)];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_counts() {
        // "", a, b, ab in both.
        assert_eq!(count(b"ab", b"ab").part, 4.0);
        // "", a twice, b twice, ab.
        assert_eq!(count(b"ab", b"ba").part, 3.0);
        assert_eq!(count(b"", b"abc").part, 1.0);
        assert_eq!(count(b"aa", b"aa").part, 6.0);
    }

    #[test]
    fn long_texts_keep_their_size() {
        let texts = ["a".repeat(2000), "a".repeat(1999), "b".repeat(7)];
        let matrix = subsequence_matrix(&texts);
        // C(3999, 1999) / sqrt(C(4000, 2000) C(3998, 1999)): neighbours are nearly equal.
        assert!((matrix[(0, 1)] - 1.0).abs() < 1e-3, "{}", matrix[(0, 1)]);
        assert!(matrix[(0, 2)] >= 0.0 && matrix[(0, 2)] < 1e-300);
    }
}
