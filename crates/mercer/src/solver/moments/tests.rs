use std::sync::Arc;

use mercer_linalg::{Matrix, Op, Par, gemm};
use proptest::prelude::*;

use super::*;
use crate::solver::least_squares::{Problem, Reduced, Spectrum};

const PAR: Par = Par::Sequential;

/// Five rows whose results were computed independently: features (x₁, x₂, x₁x₂) and labels.
fn five() -> (Matrix<f64>, Matrix<f64>) {
    let rows: [(f64, f64); 5] = [(0.0, 0.0), (2.0, 0.0), (0.0, 1.0), (2.0, 1.0), (1.0, 3.0)];
    let features = Matrix::from_fn(5, 3, |i, j| {
        [rows[i].0, rows[i].1, rows[i].0 * rows[i].1][j]
    });
    (
        features,
        Matrix::from_vec(1, 5, vec![1.0, -1.0, 1.0, -1.0, 1.0]),
    )
}

/// Some smooth features and targets with noise.
fn rows(n: usize, m: usize, outputs: usize) -> (Matrix<f64>, Matrix<f64>) {
    let at = |i: usize| (i as f64 * 0.618_033_988_75).fract();
    let features = Matrix::from_fn(n, m, |i, j| {
        (-(at(i) - (j as f64 + 0.5) / m as f64).powi(2) * 8.0).exp()
    });
    let targets = Matrix::from_fn(outputs, n, |k, i| {
        (6.0 * at(i) + k as f64).sin() + 0.3 * ((i * 7919 % 101) as f64 / 50.0 - 1.0)
    });
    (features, targets)
}

fn sums_of(
    features: &Matrix<f64>,
    targets: &Matrix<f64>,
    weights: Option<&[f64]>,
    rows: &[usize],
    origin: &Arc<Origin>,
) -> Moments {
    let mut sums = Moments::new(Arc::clone(origin));
    let addition = Addition {
        features: features.as_ref(),
        targets: targets.as_ref(),
        weights,
        rows,
    };
    sums.add(&addition, PAR);
    sums
}

fn all(n: usize) -> Vec<usize> {
    (0..n).collect()
}

fn near_mean(features: &Matrix<f64>, targets: &Matrix<f64>) -> Arc<Origin> {
    let n = features.rows();
    let mean = |j: usize| (0..n).map(|i| features[(i, j)]).sum::<f64>() / n as f64;
    let point = (0..features.columns()).map(|j| mean(j) as f32).collect();
    let mut origin = Origin::zero(features.columns(), targets.rows()).of_features(point);
    for k in 0..targets.rows() {
        origin = origin.of_target(k, targets.row(k));
    }
    Arc::new(origin)
}

fn kernel_of(features: &Matrix<f64>) -> Matrix<f64> {
    let n = features.rows();
    let mut gram = Matrix::zeros(n, n);
    let f = features.as_ref();
    gemm(1.0, f, Op::None, f, Op::Transpose, 0.0, gram.as_mut(), PAR);
    gram
}

fn close(a: f64, b: f64, within: f64) {
    assert!((a - b).abs() <= within * (1.0 + b.abs()), "{a} {b}");
}

#[test]
fn the_worked_numbers_come_from_sums_alone() {
    let (features, targets) = five();
    let origin = Arc::new(Origin::zero(3, 1));
    let sums = sums_of(&features, &targets, None, &all(5), &origin);
    let normal = sums.normal(None, true, PAR);
    let spectrum = normal.spectrum().unwrap();
    let expected = [0.424_481_92, 4.239_660_69, 13.335_857_39];
    for (value, expected) in spectrum.values().iter().zip(expected) {
        assert!((value - expected).abs() < 5e-9, "{value} {expected}");
    }
    let cost = spectrum.least_squares().cost(2.0);
    assert!((cost - 0.771_537_705_3).abs() < 5e-11, "{cost}");
    assert!((normal.reduced().unwrap().cost(2.0) - cost).abs() < 1e-12);
    let gram = kernel_of(&features);
    let problem = Problem {
        gram: gram.as_ref(),
        targets: &targets,
        weights: None,
        intercept: true,
    };
    let from_rows = Spectrum::new(&problem).unwrap().cost(2.0);
    assert!((from_rows - cost).abs() < 1e-12, "{from_rows} {cost}");
}

#[test]
fn evidence_from_sums_is_that_of_the_kernel_matrix() {
    let (features, targets) = rows(80, 7, 2);
    let gram = kernel_of(&features);
    let weights: Vec<f64> = (0..80).map(|i| 1.0 + (i % 3) as f64).collect();
    for weights in [None, Some(weights.as_slice())] {
        for intercept in [true, false] {
            let origin = Arc::new(Origin::zero(7, 2).of_features(vec![0.5; 7]));
            let sums = sums_of(&features, &targets, weights, &all(80), &origin);
            let normal = sums.normal(None, intercept, PAR);
            let problem = Problem {
                gram: gram.as_ref(),
                targets: &targets,
                weights,
                intercept,
            };
            let (from_rows, other) = (
                Spectrum::new(&problem).unwrap(),
                Reduced::new(&problem).unwrap(),
            );
            let spectrum = normal.spectrum().unwrap().least_squares();
            let reduced = normal.reduced().unwrap();
            for ratio in [1e-3, 0.1, 1.0, 30.0] {
                let expected = from_rows.cost(ratio);
                close(spectrum.cost(ratio), expected, 1e-9);
                close(reduced.cost(ratio), expected, 1e-9);
                close(reduced.gcv(ratio), other.gcv(ratio), 1e-9);
                let parameters = from_rows.effective_parameters(ratio);
                close(reduced.effective_parameters(ratio), parameters, 1e-9);
                close(other.effective_parameters(ratio), parameters, 1e-9);
            }
            close(
                reduced.best_ratio().unwrap().ln(),
                from_rows.best_ratio().unwrap().ln(),
                1e-4,
            );
            close(
                reduced.log_evidence().unwrap(),
                from_rows.log_evidence().unwrap(),
                1e-7,
            );
            let solved = problem.solve(2.0, PAR).unwrap();
            let solution = normal.solve(0.5, PAR).unwrap();
            for (a, b) in solution.levels().iter().zip(solved.levels()) {
                close(a.noise, b.noise, 1e-8);
                close(a.prior, b.prior, 1e-8);
            }
        }
    }
}

#[test]
fn origins_and_units_do_not_change_answers() {
    let (features, targets) = rows(120, 6, 2);
    let plain = Arc::new(Origin::zero(6, 2));
    let near = near_mean(&features, &targets);
    for intercept in [true, false] {
        let solve = |origin: &Arc<Origin>| {
            let sums = sums_of(&features, &targets, None, &all(120), origin);
            let normal = sums.normal(None, intercept, PAR);
            let cost = normal.reduced().unwrap().cost(3.0) + normal.unit_cost();
            (normal.solve(0.1, PAR).unwrap(), cost)
        };
        let ((one, cost), (other, same)) = (solve(&plain), solve(&near));
        for (a, b) in one
            .coefficients
            .as_slice()
            .iter()
            .zip(other.coefficients.as_slice())
        {
            close(*a, *b, 1e-8);
        }
        for k in 0..2 {
            close(one.biases[k], other.biases[k], 1e-8);
            close(one.residuals[k], other.residuals[k], 1e-8);
            close(one.objectives[k], other.objectives[k], 1e-8);
        }
        close(cost, same, 1e-9);
    }
}

#[test]
fn folds_from_sums_are_refits() {
    let (features, targets) = rows(60, 5, 2);
    let origin = near_mean(&features, &targets);
    let fold = |f: usize| -> Vec<usize> { (0..60).filter(|i| i % 4 == f).collect() };
    let of = |rows: &[usize]| sums_of(&features, &targets, None, rows, &origin);
    let folds: Vec<Moments> = (0..4).map(|f| of(&fold(f))).collect();
    let total = of(&all(60));
    for intercept in [true, false] {
        let found = LeftOut::new(&total, &folds, None, intercept, PAR)
            .squared_errors(0.2, PAR, &|| true)
            .unwrap();
        let mut expected = [0.0; 2];
        for f in 0..4 {
            let rest: Vec<usize> = (0..60).filter(|i| i % 4 != f).collect();
            let solution = of(&rest)
                .normal(None, intercept, PAR)
                .solve(0.2, PAR)
                .unwrap();
            for i in fold(f) {
                for (k, sum) in expected.iter_mut().enumerate() {
                    let value = mercer_linalg::dot(solution.coefficients.row(k), features.row(i));
                    *sum += (targets[(k, i)] - value - solution.biases[k]).powi(2);
                }
            }
        }
        for (found, expected) in found.iter().zip(expected) {
            close(*found, expected, 1e-9);
        }
    }
    // A fold of all rows leaves nothing to learn from.
    assert!(LeftOut::new(&total, std::slice::from_ref(&total), None, true, PAR).is_empty());
}

#[test]
fn weights_are_copies_and_zero_is_no_row() {
    let (features, targets) = rows(12, 3, 1);
    let origin = Arc::new(Origin::zero(3, 1));
    let weights: Vec<f64> = (0..12).map(|i| [0.0, 1.0, 4.0][i % 3]).collect();
    let weighted = sums_of(&features, &targets, Some(&weights), &all(12), &origin);
    let copies: Vec<usize> = (0..12)
        .flat_map(|i| std::iter::repeat_n(i, weights[i] as usize))
        .collect();
    let copied = sums_of(&features, &targets, None, &copies, &origin);
    assert_eq!((weighted.rows(), weighted.copies()), (8, 20.0));
    for (a, b) in weighted.lower().iter().zip(copied.lower()) {
        close(*a, b, 1e-12);
    }
}

#[test]
fn single_precision_is_close_and_rank_is_noticed() {
    let (features, targets) = rows(3000, 40, 1);
    let origin = near_mean(&features, &targets);
    let exact = sums_of(&features, &targets, None, &all(3000), &origin);
    let narrow: Matrix<f32> = features.cast();
    let mut single = Moments::new(Arc::clone(&origin));
    let addition = Addition {
        features: narrow.as_ref(),
        targets: targets.as_ref(),
        weights: None,
        rows: &all(3000),
    };
    single.add(&addition, PAR);
    // K_mm^-½ of forty Gaussians side by side: most of its columns are rounding.
    let gram = Matrix::from_fn(40, 40, |i, j| {
        (-((i as f64 - j as f64) / 40.0).powi(2) * 8.0).exp()
    });
    let eigen = mercer_linalg::SymmetricEigen::new(gram.as_ref()).unwrap();
    let first = eigen.values.iter().position(|v| *v > 1e-10).unwrap();
    let map = Matrix::from_fn(40, 40 - first, |i, j| {
        eigen.vectors[(i, first + j)] / eigen.values[first + j].sqrt()
    });
    let (one, other) = (
        exact.normal(Some(&map), true, PAR),
        single.normal(Some(&map), true, PAR),
    );
    assert!(
        other.width() < one.width() && other.width() > 4,
        "{}",
        other.width()
    );
    // What is kept is solved at any λ without raising it.
    for lambda in [1e-3, 1.0] {
        let solution = other.solve(lambda, PAR).unwrap();
        assert_eq!(solution.lambda, lambda);
    }
    // At a penalty above what is lost the result is that of double precision.
    let (a, b) = (one.solve(1.0, PAR).unwrap(), other.solve(1.0, PAR).unwrap());
    let (exactly, nearly) = (
        exact.squared_errors(&a).unwrap()[0],
        exact.squared_errors(&b).unwrap()[0],
    );
    assert!((nearly / exactly - 1.0).abs() < 0.01, "{exactly} {nearly}");
}

#[test]
fn the_smallest_cases_have_answers() {
    let origin = Arc::new(Origin::zero(1, 1));
    let none = Moments::new(Arc::clone(&origin));
    assert_eq!(none.normal(None, true, PAR).freedom(), -1.0);
    let x = Matrix::from_vec(1, 1, vec![3.0]);
    let y = Matrix::from_vec(1, 1, vec![7.0]);
    let one = sums_of(&x, &y, None, &[0], &origin);
    let solution = one.normal(None, true, PAR).solve(1.0, PAR).unwrap();
    assert_eq!((solution.weights[(0, 0)], solution.biases[0]), (0.0, 7.0));
    // A constant target leaves nothing to explain.
    let x = Matrix::from_vec(4, 1, vec![1.0, 2.0, 3.0, 4.0]);
    let y = Matrix::from_vec(1, 4, vec![5.0; 4]);
    let constant = sums_of(&x, &y, None, &all(4), &origin);
    let solution = constant.normal(None, true, PAR).solve(1.0, PAR).unwrap();
    assert!(solution.weights[(0, 0)].abs() < 1e-12 && (solution.biases[0] - 5.0).abs() < 1e-12);
    let origin = Origin::zero(1, 1).of_target(0, y.row(0));
    assert_eq!((origin.targets[0], origin.units[0]), (5.0, 4.0));
}

#[test]
fn other_origins_are_refused() {
    let mut one = Moments::new(Arc::new(Origin::zero(2, 1)));
    assert!(
        one.merge(&Moments::new(Arc::new(Origin::zero(3, 1))))
            .is_err()
    );
    let shifted = Origin::zero(2, 1).of_features(vec![1.0, 0.0]);
    assert!(one.merge(&Moments::new(Arc::new(shifted))).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn merged_parts_are_the_whole(
        n in 1_usize..40,
        m in 1_usize..6,
        cut in 0.0_f64..1.0,
        values in proptest::collection::vec(-10_i32..10, 40 * 7),
        weighed in any::<bool>(),
    ) {
        let features = Matrix::from_fn(n, m, |i, j| f64::from(values[i * 7 + j]));
        let targets = Matrix::from_fn(1, n, |_, i| f64::from(values[i * 7 + 6]));
        let weights: Vec<f64> = (0..n).map(|i| [1.0, 4.0, 0.0, 9.0][i % 4]).collect();
        let weights = weighed.then_some(weights.as_slice());
        let origin = Arc::new(Origin::zero(m, 1).of_features(vec![1.0; m]));
        let of = |rows: &[usize]| sums_of(&features, &targets, weights, rows, &origin);
        let (first, rest): (Vec<usize>, Vec<usize>) =
            (0..n).partition(|i| (*i as f64) < cut * n as f64);
        let whole = of(&all(n));
        let (a, b) = (of(&first), of(&rest));
        let mut merged = a.clone();
        merged.merge(&b).unwrap();
        // Whole numbers are added up without rounding.
        prop_assert_eq!(&merged, &whole);
        let mut turned = b.clone();
        turned.merge(&a).unwrap();
        prop_assert_eq!(&turned, &whole);
        prop_assert_eq!(&whole.without(&b).lower(), &a.lower());
        let stored = Moments::from_parts(
            Arc::clone(&origin), whole.rows(), whole.copies(), whole.epsilon(), &whole.lower(),
        ).unwrap();
        prop_assert_eq!(stored, whole);
    }
}
