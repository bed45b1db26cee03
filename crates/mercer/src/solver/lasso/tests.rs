//! Optimality conditions, and results that do not hang on how they were found.

use mercer_linalg::{Matrix, dot};
use proptest::prelude::*;

use super::{Columns, Descent, Limits, Penalty, Problem, SparseColumns, newton};
use crate::fit::{FitContext, StopReason};

const TIGHT: Limits = Limits {
    tolerance: 1e-13,
    passes: 200_000,
    screening: true,
};

/// Columns of a matrix given by column, centred.
fn centred(matrix: &Matrix<f64>) -> Matrix<f64> {
    let means: Vec<f64> = (0..matrix.rows())
        .map(|j| matrix.row(j).iter().sum::<f64>() / matrix.columns() as f64)
        .collect();
    Matrix::from_fn(matrix.rows(), matrix.columns(), |j, i| {
        matrix[(j, i)] - means[j]
    })
}

/// The same columns, zeros left out and means beside them.
fn sparse(matrix: &Matrix<f64>) -> SparseColumns {
    let n = matrix.columns();
    let mut columns = SparseColumns {
        starts: vec![0],
        rows: Vec::new(),
        values: Vec::new(),
        shifts: Vec::new(),
        roots: vec![1.0; n],
        total: n as f64,
    };
    for j in 0..matrix.rows() {
        for (i, value) in matrix.row(j).iter().enumerate() {
            if *value != 0.0 {
                columns.rows.push(i as u32);
                columns.values.push(*value);
            }
        }
        columns.starts.push(columns.rows.len());
        columns
            .shifts
            .push(matrix.row(j).iter().sum::<f64>() / n as f64);
    }
    columns
}

fn squares(matrix: &Matrix<f64>) -> Vec<f64> {
    let rows = (0..matrix.rows()).map(|j| matrix.row(j));
    rows.map(|row| dot(row, row)).collect()
}

/// How far the optimality conditions are from being met, relative to ‖x_j‖‖y‖.
fn violation(x: &Matrix<f64>, y: &[f64], w: &[f64], penalty: Penalty, positive: bool) -> f64 {
    let mut r = y.to_vec();
    for (j, w) in w.iter().enumerate() {
        mercer_linalg::axpy(-w, x.row(j), &mut r);
    }
    let mut worst: f64 = 0.0;
    for (j, &w) in w.iter().enumerate() {
        let slope = dot(x.row(j), &r) - penalty.square * w;
        let miss = if w != 0.0 {
            (slope - penalty.absolute * w.signum()).abs()
        } else if positive {
            (slope - penalty.absolute).max(0.0)
        } else {
            (slope.abs() - penalty.absolute).max(0.0)
        };
        worst = worst.max(miss / (dot(x.row(j), x.row(j)) * dot(y, y)).sqrt());
    }
    worst
}

/// n, d, entries with many zeros, targets, κ/κ_max, μ/κ, signs.
fn problems() -> impl Strategy<Value = (Matrix<f64>, Vec<f64>, f64, f64, bool)> {
    (3_usize..25, 1_usize..40).prop_flat_map(|(n, d)| {
        let entry = prop_oneof![Just(0.0), -3.0..3.0];
        (
            proptest::collection::vec(entry, n * d),
            proptest::collection::vec(-5.0..5.0, n),
            0.02..0.9,
            prop_oneof![Just(0.0), 0.1..2.0],
            any::<bool>(),
        )
            .prop_map(move |(values, mut y, share, square, positive)| {
                // A column that varies in any case.
                let x = Matrix::from_fn(d, n, |j, i| {
                    values[j * n + i] + f64::from(u8::from(i == j % n))
                });
                let mean = y.iter().sum::<f64>() / n as f64;
                y.iter_mut().for_each(|y| *y -= mean);
                (x, y, share, square, positive)
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_way_leads_to_the_optimum((x, y, share, square, positive) in problems()) {
        let context = FitContext::default().threads(1);
        let filled = centred(&x);
        let lengths = squares(&filled);
        prop_assume!(lengths.iter().all(|l| *l > 1e-6));
        let dense = Columns::Dense(filled.clone());
        let sparse = Columns::Sparse(sparse(&x));
        let mut answers = Vec::new();
        let mut penalty = Penalty { absolute: 0.0, square: 0.0 };
        for columns in [&dense, &sparse] {
            let problem = Problem { columns, squares: &lengths, targets: &y, positive };
            for screening in [true, false] {
                let limits = Limits { screening, ..TIGHT };
                let mut descent = Descent::new(&problem, limits, &context);
                let largest = descent.largest();
                prop_assume!(largest > 1e-3);
                let absolute = share * largest;
                penalty = Penalty { absolute, square: square * absolute };
                let outcome = descent.solve(penalty);
                prop_assert_eq!(outcome.stop_reason, StopReason::Converged);
                prop_assert!(outcome.certificate.gap() <= TIGHT.tolerance * dot(&y, &y));
                answers.push((outcome.certificate, descent.weights));
            }
            let start = vec![0.0; x.rows()];
            let (weights, outcome) = newton(&problem, penalty, TIGHT, start, &context);
            prop_assert_eq!(outcome.stop_reason, StopReason::Converged);
            answers.push((outcome.certificate, weights));
        }
        let first = answers[0].0.primal;
        for (certificate, weights) in &answers {
            prop_assert!((certificate.primal - first).abs() <= 1e-12 * dot(&y, &y));
            // A miss m lowers P by m²/2‖x‖², which is at most the gap.
            let miss = violation(&filled, &y, weights, penalty, positive);
            prop_assert!(miss < 1e-6, "{}", miss);
        }
    }
}

#[test]
fn all_weights_are_zero_from_the_largest_penalty_on() {
    let x = Matrix::from_fn(4, 6, |j, i| ((i * 7 + j * 3) % 5) as f64);
    let filled = centred(&x);
    let columns = Columns::Dense(filled.clone());
    let lengths = squares(&filled);
    let y = [1.0, -2.0, 0.5, 1.5, -1.0, 0.0];
    for positive in [false, true] {
        let problem = Problem {
            columns: &columns,
            squares: &lengths,
            targets: &y,
            positive,
        };
        let context = FitContext::default();
        let mut descent = Descent::new(&problem, TIGHT, &context);
        let largest = descent.largest();
        for (share, is_zero) in [(1.0, true), (0.99, false)] {
            descent.solve(Penalty {
                absolute: share * largest,
                square: 0.0,
            });
            assert_eq!(descent.weights.iter().all(|w| *w == 0.0), is_zero);
        }
    }
}

/// The gap of the dual point that weights give by themselves, as a share of ‖y‖².
fn own_gap(x: &Matrix<f64>, y: &[f64], w: &[f64], absolute: f64) -> f64 {
    let mut r = y.to_vec();
    for (j, w) in w.iter().enumerate() {
        mercer_linalg::axpy(-w, x.row(j), &mut r);
    }
    let largest = (0..x.rows()).fold(0.0_f64, |most, j| most.max(dot(x.row(j), &r).abs()));
    let (length, fitted) = (dot(&r, &r), dot(y, &r));
    let primal = 0.5 * length + absolute * w.iter().map(|w| w.abs()).sum::<f64>();
    let scale = (absolute / largest).min(fitted / length);
    (primal - (scale * fitted - 0.5 * scale * scale * length)) / dot(y, y)
}

#[test]
fn the_gap_of_a_path_can_be_computed_from_its_weights() {
    let (n, d) = (120, 400);
    // Counts of words: most are rare, and many stand together.
    let x = Matrix::from_fn(d, n, |j, i| {
        let mixed = (i * 7919 + j * 104_729 + i * j * 31 + i * i * 17) % 1009;
        let share = 1 + 1009 / (j + 3);
        if mixed < share {
            1.0 + (mixed % 3) as f64
        } else {
            0.0
        }
    });
    let filled = centred(&x);
    let kept: Vec<usize> = (0..d)
        .filter(|&j| dot(filled.row(j), filled.row(j)) > 1e-6)
        .collect();
    let (x, filled) = (x.select_rows(&kept), filled.select_rows(&kept));
    let y: Vec<f64> = (0..n)
        .map(|i| if (i * i) % 7 < 3 { 1.0 } else { -1.0 })
        .collect();
    let mean = y.iter().sum::<f64>() / n as f64;
    let y: Vec<f64> = y.iter().map(|y| y - mean).collect();
    let context = FitContext::default().threads(1);
    let lengths = squares(&filled);
    for columns in [Columns::Sparse(sparse(&x)), Columns::Dense(filled.clone())] {
        let problem = Problem {
            columns: &columns,
            squares: &lengths,
            targets: &y,
            positive: false,
        };
        for tolerance in [1e-3, 1e-4] {
            let limits = Limits { tolerance, ..TIGHT };
            let mut descent = Descent::new(&problem, limits, &context);
            let largest = descent.largest();
            for step in 0..60 {
                let absolute = largest * 0.89_f64.powi(step);
                let square = 0.0;
                let outcome = descent.solve(Penalty { absolute, square });
                assert_eq!(outcome.stop_reason, StopReason::Converged);
                let gap = own_gap(&filled, &y, &descent.weights, absolute);
                assert!(gap <= tolerance * (1.0 + 1e-6), "{step}: {gap:e}");
            }
        }
    }
}
