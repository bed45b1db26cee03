//! Worked numbers, smallest cases and bad input.

use mercer_linalg::{CsrBuilder, Matrix};

use super::{ElasticNet, Lasso, LassoSolution, LassoSolver, PathGrid, Shrinkage};
use crate::Error;
use crate::data::{Dataset, Records, Targets};
use crate::fit::{BayesReport, Cancel, FitContext, Note, StopReason};
use crate::learn::linear::Ridge;
use crate::learn::{Estimator, Settings};

fn records(x: &Matrix<f64>) -> Records {
    Records::from_points(x.clone())
}

/// Numbers that repeat after a long time.
fn value(i: usize, j: usize) -> f64 {
    let mixed = (i * 7919 + j * 104_729 + i * j * 31) % 1009;
    mixed as f64 / 504.5 - 1.0
}

fn rows(n: usize, d: usize) -> Matrix<f64> {
    Matrix::from_fn(n, d, value)
}

fn noisy(x: &Matrix<f64>) -> Matrix<f64> {
    Matrix::from_fn(1, x.rows(), |_, i| {
        let signal: f64 = x.row(i).iter().step_by(3).sum();
        2.0 * signal + 1.0 + 0.3 * value(i, 7777)
    })
}

fn tight(lambda: f64) -> Lasso {
    Lasso::default()
        .shrinkage(Shrinkage::Lambda(lambda))
        .tolerance(1e-13)
        .max_iterations(100_000)
}

fn solved(lasso: &Lasso, x: &Matrix<f64>, y: &Matrix<f64>) -> LassoSolution {
    let solution = lasso.solve(&records(x), y, None, &FitContext::default());
    solution.expect("a solution")
}

fn alerts(solution: &LassoSolution) -> Vec<&str> {
    let notes = solution.notes.iter();
    notes.filter(|n| n.is_alert()).map(Note::text).collect()
}

#[test]
fn the_worked_example_has_its_numbers() {
    let x = Matrix::from_vec(3, 2, vec![1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let y = Matrix::from_vec(1, 3, vec![1.0, 2.0, 3.0]);
    for solver in [LassoSolver::Descent, LassoSolver::Newton] {
        let at = |shrinkage| {
            let lasso = tight(0.0).shrinkage(shrinkage).intercept(false);
            solved(&lasso.solver(solver), &x, &y)
        };
        let prior = Shrinkage::Prior {
            sigma: 1.0,
            tau: 0.5,
        };
        for shrinkage in [Shrinkage::Lambda(4.0), prior, Shrinkage::Alpha(4.0 / 6.0)] {
            let found = at(shrinkage);
            assert!((found.lambda - 4.0).abs() < 1e-15);
            assert!((found.weights[(0, 0)] - 1.0 / 3.0).abs() < 1e-7);
            assert!((found.weights[(0, 1)] - 4.0 / 3.0).abs() < 1e-7);
        }
        let found = at(Shrinkage::Lambda(8.0));
        assert_eq!(found.weights[(0, 0)], 0.0);
        assert!((found.weights[(0, 1)] - 0.5).abs() < 1e-15);
        assert!(at(Shrinkage::Lambda(9.99)).nonzero() > 0);
        for lambda in [10.0, 11.0] {
            let none = at(Shrinkage::Lambda(lambda));
            assert_eq!(none.nonzero(), 0);
            assert_eq!(none.largest_lambda, 10.0);
            assert!(alerts(&none)[0].starts_with("all weights are zero"));
        }
        let identity = Matrix::from_vec(2, 2, vec![1.0, 0.0, 0.0, 1.0]);
        let y = Matrix::from_vec(1, 2, vec![3.0, 1.0]);
        let lasso = tight(4.0).intercept(false).solver(solver);
        assert_eq!(solved(&lasso, &identity, &y).weights.row(0), [1.0, 0.0]);
    }
}

#[test]
fn weights_are_copies_and_the_time_of_day_changes_nothing() {
    let x = rows(20, 6);
    let y = noisy(&x);
    let copies: Vec<usize> = (0..20).map(|i| i % 4).collect();
    let repeated: Vec<usize> = (0..20).flat_map(|i| vec![i; copies[i]]).collect();
    let weights: Vec<f64> = copies.iter().map(|c| *c as f64).collect();
    let many = x.select_rows(&repeated);
    let targets = Matrix::from_fn(1, repeated.len(), |_, i| y[(0, repeated[i])]);
    for shrinkage in [Shrinkage::Lambda(3.0), Shrinkage::Alpha(0.05)] {
        let lasso = tight(0.0).shrinkage(shrinkage);
        let context = FitContext::default();
        let one = lasso.solve(&records(&x), &y, Some(&weights), &context);
        let one = one.expect("a solution");
        let other = solved(&lasso, &many, &targets);
        assert!((one.lambda - other.lambda).abs() < 1e-12);
        assert!((one.biases[0] - other.biases[0]).abs() < 1e-7);
        for (a, b) in one.weights.row(0).iter().zip(other.weights.row(0)) {
            assert!((a - b).abs() < 1e-7);
        }
    }
}

#[test]
fn threads_change_no_bit() {
    let x = rows(300, 900);
    let y = noisy(&x);
    let solve = |threads| {
        let context = FitContext::default().threads(threads);
        let lasso = Lasso::default().shrinkage(Shrinkage::Alpha(0.02));
        lasso
            .solve(&records(&x), &y, None, &context)
            .expect("a solution")
    };
    assert_eq!(solve(1), solve(3));
}

#[test]
fn sizes_of_targets_and_columns_do_not_matter() {
    let x = rows(30, 5);
    let y = noisy(&x);
    let plain = solved(&tight(2.0), &x, &y);
    for exponent in [-300, 300] {
        let power = 2.0_f64.powi(exponent);
        let large = Matrix::from_fn(1, 30, |_, i| y[(0, i)] * power);
        let found = solved(&tight(2.0 * power), &x, &large);
        for (a, b) in found.weights.row(0).iter().zip(plain.weights.row(0)) {
            assert_eq!(*a, b * power);
        }
        let columns = Matrix::from_fn(30, 5, |i, j| x[(i, j)] * power);
        let found = solved(&tight(2.0 * power), &columns, &y);
        for (a, b) in found.weights.row(0).iter().zip(plain.weights.row(0)) {
            assert!((a * power - b).abs() < 1e-7, "{a} {b}");
        }
    }
}

#[test]
fn without_absolute_values_it_is_ridge() {
    let x = rows(30, 5);
    let y = noisy(&x);
    let context = FitContext::default();
    let net = ElasticNet::default().l1_ratio(0.0);
    let net = net.shrinkage(Shrinkage::Lambda(3.0));
    let found = net.solve(&records(&x), &y, None, &context);
    let ridge = Ridge::default().lambda(1.5);
    let ridge = ridge.solve(&records(&x), &y, None, &context);
    assert_eq!(
        found.expect("a solution").weights,
        ridge.expect("a solution").weights
    );
    let refused = tight(0.0).positive(true);
    let refused = refused.solve(&records(&x), &y, None, &context);
    assert!(matches!(refused, Err(Error::Conflict { .. })));
    // Of a signed ridge no closed form is known.
    let signed = net.positive(true).tolerance(1e-13).max_iterations(100_000);
    let signed = signed.solve(&records(&x), &y, None, &context);
    let signed = signed.expect("a solution");
    assert_eq!(signed.stop_reason, StopReason::Converged);
    assert!(signed.weights.row(0).iter().all(|w| *w >= 0.0));
}

#[test]
fn a_path_ends_where_a_single_fit_does() {
    let x = rows(40, 60);
    let y = noisy(&x);
    let lasso = tight(0.0);
    let context = FitContext::default();
    let grid = PathGrid::Ratios {
        count: 20,
        share: 1e-2,
    };
    let path = lasso.path(&records(&x), y.row(0), None, &grid, &context);
    let path = path.expect("a path");
    assert_eq!(path.points.len(), 20);
    assert!(path.points[0].weights.iter().all(|w| *w == 0.0));
    let last = path.points.last().expect("a point");
    assert!((last.lambda / path.points[0].lambda - 1e-2).abs() < 1e-12);
    let single = solved(&tight(last.lambda), &x, &y);
    let whole = path.points[0].objective;
    assert!((last.objective - single.objective[0]).abs() < 1e-12 * whole);
    for point in &path.points {
        assert!(point.gap <= 2.1e-13 * whole);
    }
}

#[test]
fn cross_validation_finds_a_penalty_that_predicts() {
    let x = rows(80, 20);
    let y = noisy(&x);
    let lasso = Lasso::default().shrinkage(Shrinkage::CrossValidation);
    let found = solved(&lasso, &x, &y);
    assert!(found.lambda > 0.0 && found.lambda < 0.5 * found.largest_lambda);
    assert!(found.notes.iter().any(|n| n.text().contains("5 folds")));
    let one = lasso.solve(
        &records(&rows(1, 2)),
        &Matrix::zeros(1, 1),
        None,
        &FitContext::default(),
    );
    assert!(one.expect_err("one row").to_string().contains("folds"));
}

#[test]
fn the_smallest_cases_leave_the_constant() {
    for (n, d) in [(1, 3), (4, 0), (2, 1)] {
        let x = Matrix::from_fn(n, d, |_, j| j as f64);
        let y = Matrix::from_fn(1, n, |_, i| 3.0 + i as f64);
        for lasso in [tight(1.0), tight(1.0).solver(LassoSolver::Newton)] {
            let solution = solved(&lasso, &x, &y);
            assert_eq!(solution.nonzero(), 0);
            assert!((solution.biases[0] - 3.0 - (n - 1) as f64 / 2.0).abs() < 1e-15);
            assert_eq!(solution.stop_reason, StopReason::Converged);
        }
    }
    let x = rows(6, 3);
    let constant = Matrix::from_fn(1, 6, |_, _| 5.0);
    let solution = solved(&tight(1.0), &x, &constant);
    assert_eq!((solution.nonzero(), solution.biases[0]), (0, 5.0));
    let wide = solved(&tight(0.1), &rows(5, 30), &noisy(&rows(5, 30)));
    assert!(alerts(&wide)[0].starts_with("there are 5 rows for 31 parameters"));
}

#[test]
fn a_million_sparse_columns_stay_sparse() {
    let mut builder = CsrBuilder::new(1_000_000);
    for i in 0..40_u32 {
        let row: Vec<(u32, f64)> = (0..20).map(|k| (k * 50_000 + i % 7 * 9, 1.0)).collect();
        builder.push_row(&row).expect("ascending columns");
    }
    let records = Records::from_points(builder.finish());
    let y = Matrix::from_fn(1, 40, |_, i| f64::from(u8::from(i % 7 == 2)));
    let little = FitContext::default().memory_limit(1 << 20);
    let lasso = Lasso::default().shrinkage(Shrinkage::Lambda(0.1));
    let found = lasso
        .solve(&records, &y, None, &little)
        .expect("a solution");
    assert_eq!(found.stop_reason, StopReason::Converged);
    assert!(found.nonzero() >= 1);
}

#[test]
fn an_earlier_model_is_a_start() {
    let x = rows(50, 80);
    let y = Targets::Real(noisy(&x).row(0).to_vec());
    let data = Dataset::try_new(records(&x), y).expect("rows and targets");
    let context = FitContext::default();
    let lasso = tight(1.0);
    let first = lasso.job().fit(&data, None, &context).expect("a model");
    let form = first.into_form();
    let lasso = lasso.tolerance(1e-10);
    let again = lasso.job().fit(&data, Some(&form.model), &context);
    let again = again.expect("a model");
    assert_eq!(again.report.penalty.expect("told").iterations, [1]);
    assert_eq!(
        Some(&again.model.weights),
        form.model.linear().map(|model| &model.weights)
    );
}

#[test]
fn what_cannot_be_used_is_named() {
    let x = rows(4, 2);
    let y = Matrix::from_fn(1, 4, |_, i| i as f64);
    let context = FitContext::default();
    let error = |lasso: Lasso, x: &Matrix<f64>| {
        let solution = lasso.solve(&records(x), &y, None, &context);
        solution.expect_err("bad input").to_string()
    };
    let mut bad = x.clone();
    bad[(2, 1)] = f64::NAN;
    assert!(error(tight(1.0), &bad).contains("row 3"));
    assert!(error(tight(-1.0), &x).contains("`lambda`"));
    assert!(error(tight(1.0).tolerance(f64::NAN), &x).contains("`tolerance`"));
    let net = ElasticNet::default().l1_ratio(1.5);
    let found = net.solve(&records(&x), &y, None, &context);
    assert!(
        found
            .expect_err("ρ above 1")
            .to_string()
            .contains("l1_ratio")
    );
    let cancel = Cancel::default();
    cancel.cancel();
    let stopped = FitContext::default().cancel(cancel);
    let found = tight(1.0).solve(&records(&x), &y, None, &stopped);
    assert_eq!(found.expect_err("stopped"), Error::Cancelled);
}

#[test]
fn few_passes_are_a_reason_to_care() {
    let x = rows(40, 60);
    let found = solved(&tight(0.01).max_iterations(2), &x, &noisy(&x));
    assert_eq!(found.stop_reason, StopReason::IterationLimit);
    assert!(alerts(&found).iter().any(|a| a.contains("stopped early")));
    assert!(found.gaps[0] > 0.0);
}

#[test]
fn settings_are_read_by_name() {
    let mut lasso = Lasso::default();
    let mut set = |name: &str, value: serde_json::Value| {
        lasso.set(name, &value).expect("known").expect("allowed");
        lasso.shrinkage
    };
    assert_eq!(set("lambda", 2.0.into()), Shrinkage::Lambda(2.0));
    set("sigma", 2.0.into());
    assert_eq!(set("tau", 4.0.into()).lambda_of(9.0), Some(2.0));
    assert_eq!(
        set("by", "cross_validation".into()),
        Shrinkage::CrossValidation
    );
    let text = serde_json::to_string(&lasso).expect("JSON");
    assert_eq!(serde_json::from_str::<Lasso>(&text).expect("JSON"), lasso);
}

/// −log p(y | w) − log p(w) up to a constant, with σ² and τ as they are told.
fn cost(x: &Matrix<f64>, y: &[f64], w: &[f64], b: f64, share: f64, told: &BayesReport) -> f64 {
    let (noise, scale) = (told.noise_variance[0], told.prior_scale[0]);
    let errors = y.iter().enumerate().map(|(i, y)| {
        let f: f64 = x.row(i).iter().zip(w).map(|(x, w)| x * w).sum();
        (y - f - b).powi(2)
    });
    let prior = w
        .iter()
        .map(|w| share * w.abs() + 0.5 * (1.0 - share) * w * w);
    errors.sum::<f64>() / (2.0 * noise) + prior.sum::<f64>() / scale
}

#[test]
fn weights_are_the_most_probable_under_the_prior_that_is_told() {
    let x = rows(40, 6);
    let y: Vec<f64> = noisy(&x).row(0).to_vec();
    let data = Dataset::try_new(records(&x), Targets::Real(y.clone())).expect("rows");
    let net = |share: f64| {
        ElasticNet::default()
            .shrinkage(Shrinkage::Lambda(8.0))
            .l1_ratio(share)
            .tolerance(1e-13)
            .max_iterations(100_000)
    };
    for share in [1.0, 0.4] {
        let fitted = net(share)
            .fit(&data, &FitContext::default())
            .expect("a fit");
        let told = fitted.report.bayes.expect("a reading");
        assert_eq!((told.lambda, told.rule.as_str()), (8.0, "2σ²/τ"));
        assert!((2.0 * told.noise_variance[0] / told.prior_scale[0] - 8.0).abs() < 1e-12);
        // The noise has a variance of 0.03, and weights are drawn to zero.
        assert!((0.02..0.5).contains(&told.noise_variance[0]), "{told:?}");
        let (best, bias) = (fitted.model.weights.row(0).to_vec(), fitted.model.biases[0]);
        let least = cost(&x, &y, &best, bias, share, &told);
        for j in 0..6 {
            for step in [-1e-3, 1e-3] {
                let mut other = best.clone();
                other[j] += step;
                assert!(cost(&x, &y, &other, bias, share, &told) > least);
            }
        }
    }
    // σ and τ that λ was made of are told as they were given; a penalty of squares alone is another method.
    let prior = Shrinkage::Prior {
        sigma: 1.0,
        tau: 0.5,
    };
    let lasso = Lasso::default().shrinkage(prior);
    let fitted = lasso.fit(&data, &FitContext::default()).expect("a fit");
    let told = fitted.report.bayes.expect("a reading");
    assert_eq!((told.noise_variance[0], told.prior_scale[0]), (1.0, 0.5));
    assert!(told.prior.contains("exp(−|w|/τ)") && told.prior_variance.is_empty());
    let squares = net(0.0).fit(&data, &FitContext::default());
    assert_eq!(squares.expect("a fit").report.bayes, None);
}
