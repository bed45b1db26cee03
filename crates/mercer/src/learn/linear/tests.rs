//! Edges of ordinary least squares and ridge.

use mercer_linalg::{Csr, Matrix, dot};

use super::{Descent, LinearSolution, LinearSolver, Ols, Ridge};
use crate::Error;
use crate::data::{Points, Records};
use crate::fit::{Cancel, FitContext, Note, StopReason};
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
    // Steps need no more than the rows, where factors are refused.
    let factors = by(LinearSolver::Factors);
    let refused = factors.solve(&records(csr.clone()), &y, None, &little);
    assert!(matches!(refused, Err(Error::Memory { .. })));
    let found = Ols::default().solve(&records(csr.clone()), &y, None, &little);
    assert_near(
        &found.expect("a solution"),
        &solved(&factors, csr, &y),
        1e-9,
    );
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

/// Sparse rows without a pattern: about one value in a hundred is there.
fn scattered(n: usize, d: usize) -> Matrix<f64> {
    Matrix::from_fn(n, d, |i, j| {
        if value(i + 31, 3 * j + 1) > 0.98 || (i + j) % d == 0 {
            1.0 + value(i, j)
        } else {
            0.0
        }
    })
}

fn by(solver: LinearSolver) -> Ols {
    Ols::default().descent(Descent::default().solver(solver))
}

fn solved(ols: &Ols, x: impl Into<Points>, y: &Matrix<f64>) -> LinearSolution {
    let solution = ols.solve(&records(x), y, None, &FitContext::default());
    solution.expect("a solution")
}

#[test]
fn many_sparse_columns_are_solved_by_conjugate_gradients() {
    let x = scattered(2400, 700);
    let y = noisy(&x, 2);
    let sparse = Csr::from_dense(x.as_ref());
    let expected = solved(&by(LinearSolver::Factors), sparse.clone(), &y);
    assert_eq!(expected.conjugate_steps, None);
    let found = solved(&Ols::default(), sparse.clone(), &y);
    assert!(
        found.conjugate_steps.is_some_and(|s| s < 200),
        "{:?}",
        found.conjugate_steps
    );
    assert_near(&found, &expected, 1e-9);
    assert!(found.violation < 1e-12, "{}", found.violation);
    assert_eq!(found.rank, Some(700));
    assert_eq!(found.degrees_of_freedom, 701.0);
    assert!(found.standard_errors.is_none() && expected.standard_errors.is_some());
    assert!(alerts(&found).is_empty(), "{:?}", alerts(&found));
    let told = found
        .notes
        .iter()
        .any(|n| n.text().contains("standard errors"));
    assert!(told, "{:?}", found.notes);
    for threads in [1, 2] {
        let context = FitContext::default().threads(threads);
        let again = Ols::default().solve(&records(sparse.clone()), &y, None, &context);
        let again = again.expect("a solution");
        assert_eq!(
            (&again.weights, &again.biases),
            (&found.weights, &found.biases),
            "{threads} threads"
        );
    }
}

#[test]
fn ridge_on_many_sparse_columns_agrees_with_its_factors() {
    for (n, d) in [(2600, 1300), (1250, 3000)] {
        let x = scattered(n, d);
        let y = noisy(&x, 1);
        let sparse = Csr::from_dense(x.as_ref());
        let solve = |points: Points| {
            let ridge = Ridge::default().lambda(0.5);
            let solution = ridge.solve(&records(points), &y, None, &FitContext::default());
            solution.expect("a solution")
        };
        let expected = solve(x.clone().into());
        let found = solve(sparse.into());
        assert!(found.conjugate_steps.is_some() && expected.conjugate_steps.is_none());
        assert_near(&found, &expected, 1e-9);
        let (a, b) = (found.degrees_of_freedom, expected.degrees_of_freedom);
        // Two standard deviations of the estimate by one random direction.
        assert!((a - b).abs() < 2.0 * (2.0 * b).sqrt(), "{a} instead of {b}");
    }
}

#[test]
fn conjugate_gradients_find_the_least_norm_and_say_what_they_know() {
    // The last column is the first one once more.
    let mut x = scattered(2400, 700);
    for i in 0..2400 {
        x[(i, 699)] = x[(i, 0)];
    }
    let y = noisy(&x, 1);
    let sparse = Csr::from_dense(x.as_ref());
    let expected = solved(&by(LinearSolver::Factors), sparse.clone(), &y);
    let found = solved(&Ols::default(), sparse, &y);
    assert!(found.conjugate_steps.is_some());
    assert_near(&found, &expected, 1e-8);
    assert_eq!((found.rank, expected.rank), (None, Some(699)));
    let told = alerts(&found);
    assert!(told[0].contains("combinations of each other"), "{told:?}");

    // More columns than rows: rows are met exactly.
    let x = scattered(420, 9000);
    let y = noisy(&x, 1);
    let sparse = Csr::from_dense(x.as_ref());
    let expected = solved(&by(LinearSolver::Factors), sparse.clone(), &y);
    let found = solved(&Ols::default(), sparse, &y);
    assert!(found.conjugate_steps.is_some());
    assert_near(&found, &expected, 1e-8);
    assert!(found.objective[0] < 1e-18 * dot(y.row(0), y.row(0)));
    assert!(alerts(&found)[0].contains("420 rows for 9001 parameters"));
}

#[test]
fn columns_that_are_nearly_equal_are_told() {
    let mut x = scattered(2400, 700);
    for i in 0..2400 {
        x[(i, 699)] = x[(i, 0)] * (1.0 + 1e-9 * value(i, 9));
    }
    let y = noisy(&x, 1);
    let sparse = Csr::from_dense(x.as_ref());
    let found = solved(&Ols::default(), sparse.clone(), &y);
    let expected = solved(&by(LinearSolver::Factors), sparse.clone(), &y);
    assert_eq!((found.rank, expected.rank), (None, Some(700)));
    assert!(alerts(&found)[0].contains("or nearly so"));
    // One parameter more or less is all that their difference is good for.
    assert!(found.objective[0] < 1.01 * expected.objective[0]);
    // Asked for by name, steps end at their limit and say so.
    let descent = Descent::default().solver(LinearSolver::Conjugate).epochs(5);
    let found = solved(&Ols::default().descent(descent), sparse, &y);
    assert_eq!(found.stop_reason, StopReason::IterationLimit);
    assert!(alerts(&found)[0].contains("not converged after 5 steps"));
}

#[test]
fn conjugate_gradients_by_name_take_any_rows_and_weights_as_copies() {
    let x = rows(60, 7);
    let y = noisy(&x, 5);
    let weights: Vec<f64> = (0..60).map(|i| ((i * 5) % 3) as f64).collect();
    let context = FitContext::default();
    for bias in [Bias::Free, Bias::None, Bias::Regularised] {
        let solve = |solver: LinearSolver, points: Points| {
            let ols = by(solver).bias(bias);
            let solution = ols.solve(&records(points), &y, Some(&weights), &context);
            solution.expect("a solution")
        };
        let expected = solve(LinearSolver::Factors, x.clone().into());
        let sparse = Csr::from_dense(x.as_ref());
        for points in [x.clone().into(), sparse.into()] {
            let found = solve(LinearSolver::Conjugate, points);
            assert_near(&found, &expected, 1e-10);
            assert_eq!(found.rank, Some(7));
        }
    }
    // Nothing to explain, and one row.
    let zero = Matrix::zeros(1, 60);
    let found = solved(&by(LinearSolver::Conjugate), x.clone(), &zero);
    assert!(found.weights.as_slice().iter().all(|w| *w == 0.0));
    let one = solved(
        &by(LinearSolver::Conjugate),
        rows(1, 3),
        &Matrix::from_vec(1, 1, vec![2.0]),
    );
    assert_eq!(one.biases, [2.0]);
    let cancel = Cancel::default();
    cancel.cancel();
    let stopped = FitContext::default().cancel(cancel);
    let result = by(LinearSolver::Conjugate).solve(&records(x), &y, None, &stopped);
    assert!(matches!(result, Err(Error::Cancelled)));
}

#[test]
fn a_path_from_a_tridiagonal_form_is_that_of_single_fits() {
    for (n, d) in [(420, 230), (220, 500)] {
        let x = rows(n, d);
        let y = noisy(&x, 2);
        let weights: Vec<f64> = (0..n).map(|i| (1 + i % 3) as f64).collect();
        let lambdas = [1e-3, 0.1, 7.0, 1e4];
        let context = FitContext::default();
        let path =
            Ridge::default().path(&records(x.clone()), &y, Some(&weights), &lambdas, &context);
        for point in path.expect("a path") {
            let ridge = Ridge::default().lambda(point.lambda);
            let one = ridge.solve(&records(x.clone()), &y, Some(&weights), &context);
            let one = one.expect("a solution");
            let size = one
                .weights
                .as_slice()
                .iter()
                .fold(0.0_f64, |m, w| m.max(w.abs()));
            for (a, b) in point.weights.as_slice().iter().zip(one.weights.as_slice()) {
                assert!((a - b).abs() < 1e-8 * size, "{a} instead of {b}");
            }
            let (a, b) = (point.degrees_of_freedom, one.degrees_of_freedom);
            assert!((a - b).abs() < 1e-8 * b, "{a} instead of {b}");
            assert!(point.leave_one_out > 0.0 && point.gcv > 0.0);
        }
    }
}
