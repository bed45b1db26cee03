//! Numbers that parameters are chosen from: variance and typical distances.

use mercer_linalg::Real;

use super::additive::merge;
use super::print::Number;
use super::{Chosen, Sample};
use crate::data::{Block, Points, Records, each};

/// Rows looked at for typical distances: 125 000 pairs fix a median to a fraction of a per cent.
const SAMPLE_ROWS: usize = 500;

/// Multiplications allowed for typical distances, a fraction of a second's work.
const SAMPLE_WORK: usize = 100_000_000;

/// Returns the variance over all entries, zeros and copies included, as scikit-learn's
/// `X.var()`.
pub(super) fn variance(points: &Points, weights: Option<&[f64]>) -> f64 {
    each!(points, block => block_variance(block, weights))
}

fn block_variance<T: Real>(block: &Block<T>, weights: Option<&[f64]>) -> f64 {
    let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
    let values = |row: usize| block.row_values(row).iter().map(|v| v.to_f64());
    let rows = 0..block.rows();
    let count = block.columns() as f64 * rows.clone().map(weight).sum::<f64>();
    let largest = block.largest();
    if largest == 0.0 || count == 0.0 {
        return 0.0;
    }
    // Dividing by the largest entry keeps the squares of 1e200 finite.
    let sum = |row: usize| values(row).map(|v| v / largest).sum::<f64>();
    let mean = rows.clone().map(|r| weight(r) * sum(r)).sum::<f64>() / count;
    let squares = |row: usize| {
        let stored = values(row);
        let zeros = (block.columns() - stored.len()) as f64;
        let around: f64 = stored.map(|v| (v / largest - mean).powi(2)).sum();
        around + zeros * mean * mean
    };
    let total: f64 = rows.map(|r| weight(r) * squares(r)).sum();
    total / count * largest * largest
}

/// Returns 1/(columns × variance), the width that scikit-learn calls `scale`.
pub(super) fn inverse_spread(sample: &Sample<'_>) -> Chosen {
    let points = &sample.records.features.points;
    let variance = variance(points, sample.weights);
    let spread = points.columns() as f64 * variance;
    // Rounding leaves a constant table a variance of about (ε · value)², which is no spread.
    if variance == 0.0 || is_constant(points) {
        return Chosen {
            number: 1.0,
            why: "all values are equal, so that the variance is 0".to_owned(),
        };
    }
    Chosen {
        number: (1.0 / spread).clamp(f64::MIN_POSITIVE, f64::MAX),
        why: "1/(columns × variance), as nothing was given".to_owned(),
    }
}

fn is_constant(points: &Points) -> bool {
    let cells = points.rows() * points.columns();
    each!(points, block => {
        let values = block.values();
        values.len() == cells && values.windows(2).all(|w| w[0] == w[1])
    })
}

/// Returns the median of a distance over pairs of evenly spaced rows.
///
/// The distance of two sparse rows is taken over the columns where either is stored, so it
/// must be 0 where both values are 0.
pub(super) fn median_distance(
    records: &Records,
    name: &str,
    term: impl Fn(f64, f64) -> f64,
    finish: impl Fn(f64) -> f64,
) -> Chosen {
    let sample = sample(&records.features.points);
    let mut distances = Vec::with_capacity(sample.rows() * sample.rows() / 2);
    for i in 0..sample.rows() {
        for j in 0..i {
            distances.push(finish(distance(&sample, i, j, &term)));
        }
    }
    distances.retain(|d| d.is_finite());
    distances.sort_unstable_by(f64::total_cmp);
    let rows = sample.rows();
    // Many equal rows can make the median 0, which is no length.
    let positive = &distances[distances.partition_point(|d| *d <= 0.0)..];
    let median = match distances.get(distances.len() / 2) {
        Some(median) if *median > 0.0 => Some(*median),
        _ => positive.get(positive.len() / 2).copied(),
    };
    match median {
        Some(number) => Chosen {
            number,
            why: format!("the median {name} distance of {rows} rows, as nothing was given"),
        },
        None => Chosen {
            number: 1.0,
            why: format!("no two of {rows} rows looked at differ"),
        },
    }
}

fn distance(sample: &Block<f64>, i: usize, j: usize, term: impl Fn(f64, f64) -> f64) -> f64 {
    match sample {
        Block::Dense(m) => {
            let pairs = m.row(i).iter().zip(m.row(j));
            pairs.map(|(a, b)| term(*a, *b)).sum()
        }
        Block::Sparse(m) => {
            let mut total = 0.0;
            merge(m.row(i), m.row(j), |_, x, z| total += term(x, z));
            total
        }
    }
}

/// Returns evenly spaced rows, few enough for the work allowed.
fn sample(points: &Points) -> Block<f64> {
    let n = points.rows();
    let width = if points.is_sparse() {
        2 * each!(points, block => block.values().len()) / n.max(1)
    } else {
        points.columns()
    };
    let affordable = (2 * SAMPLE_WORK / width.max(1)).isqrt().max(20);
    let count = n.min(SAMPLE_ROWS).min(affordable);
    let rows: Vec<usize> = (0..count).map(|k| k * n / count.max(1)).collect();
    points.select(&rows).widened()
}

/// Writes a number for a note: short, since the exact value stands in the kernel.
pub(super) fn short(number: f64) -> String {
    let magnitude = number.abs();
    if magnitude != 0.0 && !(1e-4..1e6).contains(&magnitude) {
        return format!("{number:.3e}");
    }
    let digits = (3 - magnitude.max(1e-4).log10().floor() as i32).clamp(0, 8);
    let scale = 10.0_f64.powi(digits);
    Number((number * scale).round() / scale).to_string()
}

#[cfg(test)]
mod tests {
    use mercer_linalg::{Csr, Matrix};

    use super::*;

    #[test]
    fn variance_counts_zeros() {
        let dense = Matrix::from_vec(2, 3, vec![0.0, 2.0, 0.0, 4.0, 0.0, 0.0]);
        let sparse = Points::from(Csr::from_dense(dense.as_ref()));
        let expected = 20.0 / 6.0 - 1.0;
        assert!((variance(&Points::from(dense), None) - expected).abs() < 1e-12);
        assert!((variance(&sparse, None) - expected).abs() < 1e-12);
    }

    fn width(points: Points) -> f64 {
        let records = Records::from_points(points);
        inverse_spread(&Sample {
            records: &records,
            weights: None,
        })
        .number
    }

    #[test]
    fn weights_count_as_copies() {
        let once = Points::from(Matrix::from_vec(2, 2, vec![1.0, 2.0, 0.0, 5.0]));
        let copies = once.select(&[0, 0, 0, 1]);
        let weighted = variance(&once, Some(&[3.0, 1.0]));
        assert!((weighted - variance(&copies, None)).abs() < 1e-12);
    }

    #[test]
    fn huge_and_constant_values_give_a_usable_width() {
        for value in [1e200, 0.0, 0.1, 1e-200] {
            let points = Points::from(Matrix::from_vec(2, 2, vec![value; 4]));
            assert_eq!(width(points), 1.0);
            let points = Points::from(Matrix::from_vec(2, 1, vec![value, -1.0]));
            let width = width(points);
            assert!(width.is_finite() && width > 0.0);
        }
    }

    #[test]
    fn median_is_the_same_for_sparse_rows() {
        let dense = Matrix::from_fn(30, 5, |i, j| ((i * 7 + j * 3) % 4) as f64);
        let sparse = Points::from(Csr::from_dense(dense.as_ref()));
        let median = |points| {
            let records = Records::from_points(points);
            median_distance(&records, "", |x, z| (x - z).abs(), |d| d).number
        };
        assert_eq!(median(Points::from(dense)), median(sparse));
    }

    #[test]
    fn equal_rows_have_no_median() {
        let points = Points::from(Matrix::<f64>::zeros(4, 2));
        let chosen = median_distance(
            &Records::from_points(points),
            "",
            |x, z| (x - z).abs(),
            |d| d,
        );
        assert_eq!(chosen.number, 1.0);
    }

    #[test]
    fn notes_round_numbers() {
        assert_eq!(short(0.012_345_678), "0.01235");
        assert_eq!(short(1.0), "1");
        assert_eq!(short(1234.567), "1235");
        assert_eq!(short(1e-9), "1.000e-9");
    }
}
