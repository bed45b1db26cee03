//! Every layout against sums written out.

use super::*;
use crate::csr::Csr;

/// Five rows of four columns with zeros among them; ones alone where asked for.
fn table(ones: bool) -> Matrix<f64> {
    Matrix::from_fn(5, 4, |i, j| match (i * 3 + j * 5) % 4 {
        0 => 0.0,
        _ if ones => 1.0,
        other => other as f64 - 2.25 * (i as f64),
    })
}

fn sparse(csr: &Csr<f64>) -> LinearRows {
    let starts = csr.row_starts().to_vec();
    LinearRows::sparse(
        csr.columns(),
        starts,
        csr.indices().to_vec(),
        csr.values().to_vec(),
    )
}

fn layouts(matrix: &Matrix<f64>) -> Vec<LinearRows> {
    let order: Vec<u32> = (0..matrix.rows() as u32).collect();
    vec![
        LinearRows::double(matrix.clone().into(), order.clone()),
        LinearRows::single(matrix.cast::<f32>().into(), order),
        sparse(&Csr::from_dense(matrix.as_ref())),
    ]
}

#[test]
fn all_layouts_agree_with_plain_sums() {
    for ones in [false, true] {
        let matrix = table(ones);
        for rows in layouts(&matrix) {
            for outputs in [1, 3] {
                let weights: Vec<f64> = (0..4 * outputs).map(|k| k as f64 - 3.5).collect();
                let mut found = vec![0.0; 3 * outputs];
                rows.products(1..4, outputs, &weights, &mut found);
                let factors: Vec<f64> = (0..3 * outputs).map(|k| 0.5 * k as f64).collect();
                let mut sums = vec![1.0; 4 * outputs];
                rows.combine(1..4, outputs, &factors, &mut sums);
                for k in 0..outputs {
                    for i in 1..4 {
                        let sum: f64 = (0..4)
                            .map(|j| matrix[(i, j)] * weights[j * outputs + k])
                            .sum();
                        assert!((found[(i - 1) * outputs + k] - sum).abs() < 1e-12);
                    }
                    for j in 0..4 {
                        let each = (1..4).map(|i| matrix[(i, j)] * factors[(i - 1) * outputs + k]);
                        let sum = 1.0 + each.sum::<f64>();
                        assert!((sums[j * outputs + k] - sum).abs() < 1e-12);
                    }
                }
            }
            let factors = [0.0, 2.0, 0.25];
            let mut square = Matrix::zeros(5, 5);
            rows.add_squares(1..4, &factors, &mut square);
            let mut diagonal = vec![0.0; 4];
            rows.add_diagonal(1..4, &factors, &mut diagonal);
            for a in 0..4 {
                for b in 0..=a {
                    let each = (1..4).map(|i| factors[i - 1] * matrix[(i, a)] * matrix[(i, b)]);
                    assert!((square[(a, b)] - each.sum::<f64>()).abs() < 1e-12);
                }
                assert!((square[(a, a)] - diagonal[a]).abs() < 1e-12);
            }
            let norms = rows.squared_norms();
            let each = matrix.row(2).iter().map(|v| v * v);
            assert!((norms[2] - each.sum::<f64>()).abs() < 1e-12);
        }
    }
}

#[test]
fn coordinate_descent_finds_the_optimum_of_two_rows() {
    // Rows ±1 with targets 1: w = 1 with α = ½ each, or the caps where they are smaller.
    for (cap, expected) in [(10.0, 1.0), (0.25, 0.5)] {
        for rows in layouts(&Matrix::from_vec(2, 1, vec![1.0, -1.0])) {
            let side = |row: u32, sign: f64| Side {
                row,
                sign,
                target: 1.0,
                cap,
                shift: 0.0,
                square: 1.0,
            };
            let sides = [side(0, 1.0), side(1, -1.0)];
            let (mut multipliers, mut weights) = ([0.0; 2], [0.0; 2]);
            let mut state = Sides {
                sides: &sides,
                constant: 0.0,
                multipliers: &mut multipliers,
                weights: &mut weights,
            };
            let mut order = vec![0, 1];
            for _ in 0..3 {
                let free = (f64::INFINITY, f64::NEG_INFINITY);
                rows.descend(&mut state, &mut order, free);
            }
            assert_eq!(weights, [expected, 0.0]);
        }
    }
}
