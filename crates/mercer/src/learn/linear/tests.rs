//! Edges of ordinary least squares and ridge.

use mercer_linalg::{Csr, Matrix, dot};

use super::{LinearSolution, Ols, Ridge};
use crate::Error;
use crate::data::{Points, Records};
use crate::fit::{Cancel, FitContext, Note};
use crate::learn::margin::Bias;

/// Numbers in (−1, 1) without a pattern.
fn value(i: usize, j: usize) -> f64 {
    let mixed = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (j as u64 + 7).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ (mixed >> 32)) >> 11) as f64 / 2.0_f64.powi(52) - 1.0
}

fn rows(n: usize, d: usize) -> Matrix<f64> {
    Matrix::from_fn(n, d, value)
}

fn noisy(x: &Matrix<f64>, outputs: usize) -> Matrix<f64> {
    Matrix::from_fn(outputs, x.rows(), |k, i| {
        let slope = x.row(i).iter().enumerate();
        let sum: f64 = slope.map(|(j, x)| x * value(j, 100 + k)).sum();
        sum + 0.1 * value(i, 500 + k) + 1.0
    })
}

fn records(points: impl Into<Points>) -> Records {
    Records::from_points(points)
}

fn ols(x: &Matrix<f64>, y: &Matrix<f64>) -> LinearSolution {
    let solution = Ols::default().solve(&records(x.clone()), y, None, &FitContext::default());
    solution.expect("a solution")
}

fn ridge(lambda: f64, x: &Matrix<f64>, y: &Matrix<f64>) -> LinearSolution {
    let ridge = Ridge::default().lambda(lambda);
    let solution = ridge.solve(&records(x.clone()), y, None, &FitContext::default());
    solution.expect("a solution")
}

fn assert_near(found: &LinearSolution, expected: &LinearSolution, share: f64) {
    let size = |values: &[f64]| values.iter().fold(f64::MIN_POSITIVE, |m, v| v.abs().max(m));
    for (a, b) in [
        (found.weights.as_slice(), expected.weights.as_slice()),
        (&found.biases, &expected.biases),
    ] {
        let bound = share * size(b);
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() <= bound, "{a} instead of {b}");
        }
    }
}

fn alerts(solution: &LinearSolution) -> Vec<&str> {
    let notes = solution.notes.iter().filter(|n| n.is_alert());
    notes.map(Note::text).collect()
}

#[test]
fn forms_and_precisions_of_rows_agree() {
    for (n, d) in [(300, 7), (12, 40)] {
        let single = Matrix::from_fn(n, d, |i, j| {
            let x = value(i, j);
            if value(j, i) < 0.2 { 0.0 } else { x as f32 }
        });
        let double = single.cast::<f64>();
        let y = noisy(&double, 2);
        let weights: Vec<f64> = (0..n).map(|i| (i % 4) as f64).collect();
        let context = FitContext::default();
        for bias in [Bias::Free, Bias::None, Bias::Regularised] {
            for lambda in [0.0, 0.7] {
                let ridge = Ridge::default().lambda(lambda).bias(bias);
                let solve = |points: Points| {
                    let records = Records::from_points(points);
                    ridge.solve(&records, &y, Some(&weights), &context)
                };
                let expected = solve(double.clone().into()).expect("a solution");
                assert!(expected.violation < 1e-13, "{}", expected.violation);
                let found = solve(single.clone().into()).expect("a solution");
                assert_eq!(found, expected, "widening changes nothing");
                let sparse = Csr::from_dense(double.as_ref());
                assert_near(&solve(sparse.into()).expect("a solution"), &expected, 1e-11);
                let sparse = Csr::from_dense(single.as_ref());
                assert_near(&solve(sparse.into()).expect("a solution"), &expected, 1e-11);
            }
        }
    }
}

#[test]
fn weights_are_copies() {
    for (n, d) in [(40, 5), (6, 15)] {
        let x = rows(n, d);
        let y = noisy(&x, 2);
        let weights: Vec<f64> = (0..n).map(|i| ((i * 5) % 3) as f64).collect();
        let copies: Vec<usize> = (0..n)
            .flat_map(|i| std::iter::repeat_n(i, weights[i] as usize))
            .collect();
        let many = x.select_rows(&copies);
        let targets = Matrix::from_fn(2, copies.len(), |k, i| y[(k, copies[i])]);
        let context = FitContext::default();
        for lambda in [0.0, 0.3] {
            let ridge = Ridge::default().lambda(lambda);
            let one = ridge.solve(&records(x.clone()), &y, Some(&weights), &context);
            let one = one.expect("a solution");
            let other = ridge.solve(&records(many.clone()), &targets, None, &context);
            let other = other.expect("a solution");
            assert_near(&one, &other, 1e-11);
            assert!((one.degrees_of_freedom - other.degrees_of_freedom).abs() < 1e-9);
            for (a, b) in one.objective.iter().zip(&other.objective) {
                assert!((a - b).abs() < 1e-11, "{a} {b}");
            }
            assert_eq!(
                one.standard_errors.is_some(),
                other.standard_errors.is_some()
            );
            if let (Some(a), Some(b)) = (&one.standard_errors, &other.standard_errors) {
                for (a, b) in a.weights.as_slice().iter().zip(b.weights.as_slice()) {
                    assert!((a / b - 1.0).abs() < 1e-10, "{a} {b}");
                }
            }
        }
    }
}

#[test]
fn threads_change_no_bit_and_order_only_rounding() {
    let x = rows(9000, 30);
    let y = noisy(&x, 2);
    let order: Vec<usize> = (0..9000).map(|i| (i * 4001) % 9000).collect();
    let turned = x.select_rows(&order);
    let targets = Matrix::from_fn(2, 9000, |k, i| y[(k, order[i])]);
    for lambda in [0.0, 2.0] {
        let solve = |x: &Matrix<f64>, y: &Matrix<f64>, threads| {
            let context = FitContext::default().threads(threads);
            let ridge = Ridge::default().lambda(lambda);
            ridge.solve(&records(x.clone()), y, None, &context)
        };
        let one = solve(&x, &y, 1).expect("a solution");
        assert_eq!(one, solve(&x, &y, 3).expect("a solution"));
        assert_near(
            &solve(&turned, &targets, 2).expect("a solution"),
            &one,
            1e-12,
        );
    }
    let wide = rows(90, 3000);
    let y = noisy(&wide, 1);
    for lambda in [0.0, 2.0] {
        let solve = |threads| {
            let context = FitContext::default().threads(threads);
            let ridge = Ridge::default().lambda(lambda);
            ridge.solve(&records(wide.clone()), &y, None, &context)
        };
        assert_eq!(solve(1).expect("a solution"), solve(3).expect("a solution"));
    }
}

#[test]
fn targets_of_any_size_have_the_same_digits() {
    for (n, d) in [(30, 4), (6, 9)] {
        let x = rows(n, d);
        let y = noisy(&x, 1);
        for lambda in [0.0, 1.0] {
            let plain = ridge(lambda, &x, &y);
            for exponent in [-830, -300, 300, 960] {
                let power = 2.0_f64.powi(exponent / 2);
                let scaled = Matrix::from_fn(1, n, |_, i| y[(0, i)] * power * power);
                let found = ridge(lambda, &x, &scaled);
                for (a, b) in found
                    .weights
                    .as_slice()
                    .iter()
                    .zip(plain.weights.as_slice())
                {
                    assert_eq!(*a, b * power * power);
                }
                assert_eq!(found.biases[0], plain.biases[0] * power * power);
                let lost = exponent.abs() > 512;
                let told = alerts(&found)
                    .iter()
                    .any(|a| a.contains("range of numbers"));
                // Rows that are met exactly have an objective of rounding, which may vanish.
                assert!(told == lost || n < d, "{exponent}");
            }
        }
    }
}

#[test]
fn columns_of_any_size_and_place_are_solved() {
    let n = 50;
    let plain = rows(n, 4);
    let y = noisy(&plain, 1);
    let expected = ols(&plain, &y);
    // Scaled by powers of two, the weights are the same numbers.
    for powers in [[0, 40, -40, 3], [0, 500, -500, 0], [-700, 900, 0, 1]] {
        let x = Matrix::from_fn(n, 4, |i, j| plain[(i, j)] * 2.0_f64.powi(powers[j]));
        let found = ols(&x, &y);
        assert_eq!(found.rank, Some(4), "{powers:?}");
        for j in 0..4 {
            let weight = found.weights[(0, j)] * 2.0_f64.powi(powers[j]);
            assert!(
                (weight - expected.weights[(0, j)]).abs() < 1e-12,
                "{powers:?}"
            );
        }
    }
    // Moved far away, what is left of the digits of the values decides.
    for place in [1e6, 1e10] {
        let x = Matrix::from_fn(n, 4, |i, j| plain[(i, j)] + place * (j + 1) as f64);
        let back = Matrix::from_fn(n, 4, |i, j| x[(i, j)] - place * (j + 1) as f64);
        let expected = ols(&back, &y);
        assert_near_weights(&ols(&x, &y), &expected, 1e-12);
        assert_near_weights(&ridge(0.5, &x, &y), &ridge(0.5, &back, &y), 1e-12);
        let sparse = records(Csr::from_dense(x.as_ref()));
        let found = Ridge::default().lambda(0.5);
        let found = found.solve(&sparse, &y, None, &FitContext::default());
        assert_near_weights(&found.expect("a solution"), &ridge(0.5, &back, &y), 1e-12);
    }
    let large = Matrix::from_fn(n, 4, |i, j| {
        plain[(i, j)] * if j == 1 { 1e200 } else { 1.0 }
    });
    let found = ridge(1.0, &large, &y);
    assert!(found.violation < 1e-13 && found.weights[(0, 1)].abs() > 1e-202);
}

fn assert_near_weights(found: &LinearSolution, expected: &LinearSolution, share: f64) {
    let pairs = found
        .weights
        .as_slice()
        .iter()
        .zip(expected.weights.as_slice());
    for (a, b) in pairs {
        assert!(
            (a - b).abs() <= share * b.abs().max(0.1),
            "{a} instead of {b}"
        );
    }
}

#[test]
fn dependent_columns_are_counted_and_share_their_weight() {
    let base = rows(60, 3);
    for place in [0.0, 1e5] {
        // Copies, sums, a constant that rounding blurs, zeros.
        let x = Matrix::from_fn(60, 7, |i, j| match j {
            0..=2 => base[(i, j)] + place,
            3 => base[(i, 0)] + place,
            4 => (base[(i, 1)] + place) + (base[(i, 2)] + place),
            5 => {
                if i % 2 == 0 {
                    0.1 + 0.2
                } else {
                    0.3
                }
            }
            _ => 0.0,
        });
        let y = noisy(&base, 1);
        let solution = ols(&x, &y);
        assert_eq!(solution.rank, Some(3), "{place}");
        assert_eq!(solution.degrees_of_freedom, 4.0);
        assert!(solution.standard_errors.is_none());
        let told = alerts(&solution);
        assert!(told[0].starts_with("4 of 7 columns"), "{told:?}");
        let w = solution.weights.row(0);
        assert!((w[0] - w[3]).abs() < 1e-8, "{w:?}");
        // Least norm: orthogonal to the null vector x₁ + x₂ − x₄.
        assert!((w[1] + w[2] - w[4]).abs() < 1e-8, "{w:?}");
        assert_eq!(&w[5..], &[0.0, 0.0]);
        let plain = ols(&base, &y);
        assert!((solution.objective[0] / plain.objective[0] - 1.0).abs() < 1e-9);
        // A small penalty leads there, too, as long as it hides what rounding left of the sums.
        let small = ridge(1e-5, &x, &y);
        assert_near_weights(&small, &solution, 1e-4);
    }
}

#[test]
fn few_rows_are_met_by_the_least_weights() {
    let x = rows(5, 12);
    let y = noisy(&x, 2);
    let solution = ols(&x, &y);
    assert_eq!(solution.rank, Some(4));
    let told = alerts(&solution);
    assert!(told[0].starts_with("8 of 12 columns"), "{told:?}");
    assert!(
        told[1].starts_with("there are 5 rows for 13 parameters"),
        "{told:?}"
    );
    for k in 0..2 {
        for i in 0..5 {
            let f = dot(solution.weights.row(k), x.row(i)) + solution.biases[k];
            assert!((f - y[(k, i)]).abs() < 1e-13);
        }
        let length = dot(solution.weights.row(k), solution.weights.row(k));
        let shrunk = ridge(1e-8, &x, &y);
        let other = dot(shrunk.weights.row(k), shrunk.weights.row(k));
        assert!((length / other - 1.0).abs() < 1e-6);
    }
}

#[test]
fn one_row_and_no_columns_leave_the_constant() {
    for (n, d) in [(1, 3), (4, 0), (1, 1)] {
        let x = rows(n, d);
        let y = Matrix::from_fn(1, n, |_, i| 3.0 + i as f64);
        let mean = 3.0 + (n - 1) as f64 / 2.0;
        for solution in [ols(&x, &y), ridge(1.0, &x, &y)] {
            assert!(solution.weights.as_slice().iter().all(|w| *w == 0.0));
            assert!((solution.biases[0] - mean).abs() < 1e-15);
            assert_eq!(solution.degrees_of_freedom, 1.0);
        }
        let none = Ols::default().intercept(false);
        let found = none.solve(&records(x.clone()), &y, None, &FitContext::default());
        assert_eq!(found.expect("a solution").biases, [0.0]);
    }
}

#[test]
fn a_regularised_constant_is_one_more_column() {
    for (n, d) in [(40, 4), (5, 9)] {
        let x = rows(n, d);
        let y = noisy(&x, 1);
        let longer = Matrix::from_fn(n, d + 1, |i, j| if j < d { x[(i, j)] } else { 1.0 });
        let context = FitContext::default();
        for lambda in [0.0, 3.0] {
            let one = Ridge::default().lambda(lambda).bias(Bias::Regularised);
            let one = one.solve(&records(x.clone()), &y, None, &context);
            let one = one.expect("a solution");
            let other = Ridge::default().lambda(lambda).intercept(false);
            let other = other.solve(&records(longer.clone()), &y, None, &context);
            let other = other.expect("a solution");
            let (w, b) = other.weights.row(0).split_at(d);
            for (a, b) in one.weights.row(0).iter().zip(w) {
                assert!((a - b).abs() < 1e-12);
            }
            assert!((one.biases[0] - b[0]).abs() < 1e-12);
            assert!((one.objective[0] - other.objective[0]).abs() < 1e-12);
            assert_eq!(one.degrees_of_freedom, other.degrees_of_freedom);
        }
    }
}

#[test]
fn both_sides_of_the_square_give_the_same_ridge() {
    // One column more or less changes the factor that is taken, a column of zeros nothing else.
    let x = rows(8, 8);
    let wide = Matrix::from_fn(
        8,
        10,
        |i, j| if j < 8 { x[(i, j)] } else { 1e-9 * value(i, j) },
    );
    let y = noisy(&x, 2);
    let (primal, dual) = (ridge(0.01, &x, &y), ridge(0.01, &wide, &y));
    for k in 0..2 {
        for j in 0..8 {
            let miss = primal.weights[(k, j)] - dual.weights[(k, j)];
            assert!(miss.abs() < 1e-10, "{miss}");
        }
    }
    assert!((primal.degrees_of_freedom - dual.degrees_of_freedom).abs() < 1e-10);
    assert!((primal.condition / dual.condition - 1.0).abs() < 0.05);
}

#[test]
fn a_penalty_below_rounding_goes_to_orthogonal_factors() {
    let base = rows(40, 3);
    for (n, d) in [(40, 5), (3, 5)] {
        let x = Matrix::from_fn(n, d, |i, j| base[(i, j % 3)] * 1e3);
        let y = noisy(&x, 1);
        let solution = ridge(1e-22, &x, &y);
        let chosen = |note: &Note| note.text().contains("orthogonal factors");
        assert!(solution.notes.iter().any(chosen), "{:?}", solution.notes);
        let least = ols(&x, &y);
        assert_near_weights(&solution, &least, 1e-9);
        assert!((solution.degrees_of_freedom - least.degrees_of_freedom).abs() < 1e-6);
    }
}

#[test]
fn what_cannot_be_used_is_named() {
    let x = rows(4, 2);
    let y = Matrix::from_fn(1, 4, |_, i| i as f64);
    let context = FitContext::default();
    let solve = |x: &Matrix<f64>, y: &Matrix<f64>, weights: Option<&[f64]>| {
        let solution = Ols::default().solve(&records(x.clone()), y, weights, &context);
        solution.expect_err("bad input").to_string()
    };
    let mut bad = x.clone();
    bad[(2, 1)] = f64::NAN;
    assert!(solve(&bad, &y, None).contains("row 3"));
    let mut bad = y.clone();
    bad[(0, 1)] = f64::INFINITY;
    assert!(solve(&x, &bad, None).contains("row 2"));
    assert!(solve(&x, &y, Some(&[1.0, -1.0, 1.0, 1.0])).contains("row 2"));
    assert!(solve(&x, &y, Some(&[1.0])).contains("1 rows"));
    assert!(solve(&x, &y, Some(&[0.0; 4])).contains("no rows"));
    assert!(solve(&x, &Matrix::zeros(0, 4), None).contains("nothing to learn"));
    let negative = Ridge::default().lambda(-1.0);
    let error = negative.solve(&records(x.clone()), &y, None, &context);
    assert!(error.expect_err("bad λ").to_string().contains("`lambda`"));
    let cancel = Cancel::default();
    cancel.cancel();
    let stopped = FitContext::default().cancel(cancel);
    for lambda in [0.0, 1.0] {
        let ridge = Ridge::default().lambda(lambda);
        let error = ridge.solve(&records(x.clone()), &y, None, &stopped);
        assert_eq!(error.expect_err("stopped"), Error::Cancelled);
    }
}

#[test]
fn wide_sparse_rows_are_solved_in_little_memory() {
    // 60 rows of 20,000 columns: 9.6 MB as dense numbers.
    let mut builder = mercer_linalg::CsrBuilder::new(20_000);
    for i in 0..60_u32 {
        let row: Vec<(u32, f64)> = (0..40)
            .map(|k| (k * 500 + i % 7 * 9 + i % 11, 1.0))
            .collect();
        builder.push_row(&row).expect("ascending columns");
    }
    let csr = builder.finish();
    let y = Matrix::from_fn(1, 60, |_, i| value(i, 3));
    let little = FitContext::default().memory_limit(1 << 20);
    let found = Ridge::default().solve(&records(csr.clone()), &y, None, &little);
    let found = found.expect("the matrix of 60 rows fits");
    let dense = ridge(1.0, &csr.to_dense(), &y);
    assert_near(&found, &dense, 1e-11);
    let refused = Ols::default().solve(&records(csr), &y, None, &little);
    assert!(matches!(refused, Err(Error::Memory { .. })), "{refused:?}");
}

#[test]
fn settings_survive_a_file() {
    let ridge = Ridge::default().lambda(0.25).bias(Bias::Regularised);
    let text = serde_json::to_string(&ridge).expect("JSON");
    assert_eq!(serde_json::from_str::<Ridge>(&text).expect("JSON"), ridge);
    assert_eq!(
        serde_json::from_str::<Ols>(r#"{"bias":"none"}"#)
            .expect("JSON")
            .bias,
        Bias::None
    );
}

#[test]
fn many_sparse_columns_have_the_answer_of_dense_ones() {
    let (n, d) = (1100, 1400);
    // Ten words of a row, the first ones in most rows.
    let x = Matrix::from_fn(n, d, |i, j| {
        let share = 2.0 / (j + 2) as f64;
        if value(i, j).abs() < share {
            1.0 + value(j, i)
        } else {
            0.0
        }
    });
    let y = noisy(&x, 2);
    let sparse: Points = Csr::from_dense(x.as_ref()).into();
    let context = FitContext::default();
    for (lambda, bias) in [(3.0, Bias::Free), (0.2, Bias::Regularised)] {
        let ridge = Ridge::default().lambda(lambda).bias(bias);
        let found = ridge.solve(&records(sparse.clone()), &y, None, &context);
        let found = found.expect("a solution");
        let text = |n: &Note| n.text().contains("conjugate gradients");
        assert!(found.notes.iter().any(text), "{:?}", found.notes);
        let expected = ridge.solve(&records(x.clone()), &y, None, &context);
        let expected = expected.expect("a solution");
        assert_near(&found, &expected, 1e-9);
        let parameters = expected.degrees_of_freedom;
        // Three deviations of the estimate.
        let bound = 3.0 * (2.0 * parameters / 32.0).sqrt();
        assert!((found.degrees_of_freedom - parameters).abs() < bound);
        assert!((found.condition / expected.condition - 1.0).abs() < 0.2);
    }
}
