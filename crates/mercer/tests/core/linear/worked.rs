//! Worked numbers of least squares, descent, MAP and the trade of bias for variance.

use mercer::data::{Dataset, Records, Targets};
use mercer::fit::{FitContext, Note, StopReason, WarningCode};
use mercer::learn::Estimator;
use mercer::learn::linear::{
    Descent, LinearSolution, LinearSolver, Ols, Penalty, PenaltyRule, Ridge, Schedule,
};
use mercer_linalg::{Csr, Matrix};

fn context() -> FitContext {
    FitContext::default()
}

fn row(values: &[f64]) -> Matrix<f64> {
    Matrix::from_vec(1, values.len(), values.to_vec())
}

fn records(rows: usize, values: &[f64]) -> Records {
    let columns = values.len() / rows;
    Records::from_points(Matrix::from_vec(rows, columns, values.to_vec()))
}

fn near(found: &[f64], expected: &[f64], bound: f64) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= bound, "{found:?} is not {expected:?}");
    }
}

/// The three rows of the Bayes lines: X = [[1, 0], [0, 1], [1, 1]], y = (1, 2, 3).
fn bayes() -> (Records, Matrix<f64>) {
    (
        records(3, &[1.0, 0.0, 0.0, 1.0, 1.0, 1.0]),
        row(&[1.0, 2.0, 3.0]),
    )
}

#[test]
fn least_squares_has_standard_errors_and_intervals() {
    let rows = records(3, &[0.0, 1.0, 2.0]);
    let y = row(&[1.0, 2.0, 2.0]);
    let found = Ols::default()
        .solve(&rows, &y, None, &context())
        .expect("a solution");
    near(&found.biases, &[7.0 / 6.0], 1e-12);
    near(found.weights.row(0), &[0.5], 1e-12);
    near(&found.objective, &[1.0 / 6.0], 1e-12);
    let errors = found.standard_errors.as_ref().expect("standard errors");
    near(&errors.biases, &[0.372_678], 5e-7);
    near(errors.weights.row(0), &[0.288_675], 5e-7);
    let spread = found.spread.as_ref().expect("a spread");
    near(
        &[spread.bias(0), spread.weight(0, 0)],
        &[0.372_678, 0.288_675],
        5e-7,
    );
    // scipy.stats.t.ppf(0.975, 1).
    near(&[spread.deviations(0.95)], &[12.706_204_736_174_7], 1e-8);
    let data = Dataset::try_new(rows, Targets::Real(y.row(0).to_vec())).expect("data");
    let fitted = Ols::default().fit(&data, &context()).expect("a fit");
    let told = fitted.report.linear.expect("a linear report");
    let constant = told.weights.last().expect("the constant");
    assert_eq!(constant.name, "constant");
    near(
        &[constant.upper - constant.weight],
        &[12.706_204_7 * 0.372_678],
        1e-5,
    );
    assert!(told.condition.is_some_and(|c| (c - 1.0).abs() < 1e-9));
}

#[test]
fn dependent_columns_are_named() {
    let rows = records(3, &[1.0, 1.0, 1.0, 1.0, 2.0, 2.0]);
    let y = row(&[1.0, 2.0, 3.0]);
    let found = Ols::default()
        .solve(&rows, &y, None, &context())
        .expect("a solution");
    assert_eq!(found.rank, Some(1));
    let warned = found.notes.iter().find_map(|note| match note {
        Note::Warning(warning) if warning.code == WarningCode::Collinear => Some(warning),
        _ => None,
    });
    let warning = warned.expect("a warning");
    assert_eq!(warning.columns.len(), 2);
    assert!(warning.text.contains("follows from"), "{}", warning.text);
    let ridge = Ridge::default().lambda(1.0).intercept(false);
    let found = ridge
        .solve(&rows, &y, None, &context())
        .expect("a solution");
    near(found.weights.row(0), &[9.0 / 13.0; 2], 1e-12);
    // Nearly dependent ones, too.
    let x = Matrix::from_fn(40, 3, |i, j| {
        let t = i as f64;
        [t.sin(), t.cos(), t.sin() + 1e-3 * (3.0 * t).cos()][j]
    });
    let y = Matrix::from_fn(1, 40, |_, i| (0.3 * i as f64).sin());
    let found = Ols::default().solve(&Records::from_points(x), &y, None, &context());
    assert_eq!(found.expect("a solution").inflated, [0, 2]);
}

fn descended(descent: Descent, x: &Records, y: &Matrix<f64>) -> LinearSolution {
    let ols = Ols::default().descent(descent);
    ols.solve(x, y, None, &context()).expect("a solution")
}

fn steps(solver: LinearSolver, step: f64, epochs: usize) -> Descent {
    let descent = Descent::default().solver(solver).step(Some(step));
    descent.epochs(epochs).shuffle(false)
}

#[test]
fn batch_steps_are_those_of_the_book_and_stable_below_the_limit() {
    let (x, y) = (records(3, &[0.0, 1.0, 2.0]), row(&[1.0, 3.0, 5.0]));
    let found = descended(steps(LinearSolver::Batch, 0.1, 1), &x, &y);
    near(
        &[found.biases[0], found.weights[(0, 0)]],
        &[0.9, 1.3],
        1e-12,
    );
    assert_eq!(found.stop_reason, StopReason::IterationLimit);
    let limit = found.gradient.expect("steps").limit;
    near(&[limit], &[0.279_240_78], 5e-9);
    let found = descended(steps(LinearSolver::Batch, 0.2764, 5000), &x, &y);
    assert_eq!(found.stop_reason, StopReason::Converged);
    near(&[found.biases[0], found.weights[(0, 0)]], &[1.0, 2.0], 1e-4);
    let found = descended(steps(LinearSolver::Batch, 0.2820, 5000), &x, &y);
    assert_eq!(found.stop_reason, StopReason::Diverged);
    assert!(
        found
            .notes
            .iter()
            .any(|n| n.is_alert() && n.text().contains("too long"))
    );
    assert!(found.weights[(0, 0)].is_finite() && found.gradient.expect("steps").epochs < 5000);
    // Steps of no given length are safe.
    let found = descended(Descent::default().solver(LinearSolver::Batch), &x, &y);
    assert_eq!(found.stop_reason, StopReason::Converged);
}

#[test]
fn online_steps_are_those_of_the_book() {
    let (x, y) = (records(3, &[0.0, 1.0, 2.0]), row(&[1.0, 3.0, 5.0]));
    let prefix = [[0.1, 0.0], [0.39, 0.29], [0.793, 1.096]];
    for (rows, expected) in prefix.iter().enumerate() {
        let kept: Vec<usize> = (0..=rows).collect();
        let part = x.select(&kept);
        let targets = row(&y.row(0)[..=rows]);
        let found = descended(steps(LinearSolver::Online, 0.1, 1), &part, &targets);
        near(&[found.biases[0], found.weights[(0, 0)]], expected, 1e-12);
    }
    let sparse = Records::from_points(Csr::from_dense(
        Matrix::from_vec(3, 1, vec![0.0, 1.0, 2.0]).as_ref(),
    ));
    let found = descended(steps(LinearSolver::Online, 0.1, 1), &sparse, &y);
    near(&[found.biases[0], found.weights[(0, 0)]], &prefix[2], 1e-12);
    // Rows that agree with one line: online steps reach it.
    let free = Descent::default().solver(LinearSolver::Online).epochs(4000);
    let found = descended(free.clone(), &x, &y);
    assert_eq!(found.stop_reason, StopReason::Converged);
    near(&[found.biases[0], found.weights[(0, 0)]], &[1.0, 2.0], 1e-3);
    let again = descended(free, &x, &y);
    assert_eq!(found.weights, again.weights, "a seed gives one order");
    let far = descended(steps(LinearSolver::Online, 50.0, 400), &x, &y);
    assert_eq!(far.stop_reason, StopReason::Diverged);
    let slow = steps(LinearSolver::Online, 0.3, 20_000).schedule(Schedule::Root);
    assert!(descended(slow, &x, &y).violation < 1e-3);
}

#[test]
fn weights_are_copies_of_steps() {
    let (x, y) = (records(3, &[0.3, 1.0, 2.0]), row(&[1.0, 3.0, 4.0]));
    let copies = x.select(&[0, 0, 1, 2, 2, 2]);
    let repeated = row(&[1.0, 1.0, 3.0, 4.0, 4.0, 4.0]);
    for solver in [LinearSolver::Batch, LinearSolver::Online] {
        let ols = Ols::default().descent(steps(solver, 0.05, 7));
        let one = ols.solve(&x, &y, Some(&[2.0, 1.0, 3.0]), &context());
        let one = one.expect("a solution");
        let other = ols.solve(&copies, &repeated, None, &context());
        let other = other.expect("a solution");
        near(&one.biases, &other.biases, 1e-12);
        near(one.weights.row(0), other.weights.row(0), 1e-12);
    }
}

#[test]
fn ridge_is_the_most_probable_and_knows_its_posterior() {
    let (x, y) = bayes();
    let plain = Ols::default()
        .intercept(false)
        .solve(&x, &y, None, &context());
    near(
        plain.expect("a solution").weights.row(0),
        &[1.0, 2.0],
        1e-12,
    );
    // σ² = 1, τ² = 0.5.
    let ridge = Ridge::default()
        .lambda(2.0)
        .noise(Some(1.0))
        .intercept(false);
    let found = ridge.solve(&x, &y, None, &context()).expect("a solution");
    near(found.weights.row(0), &[0.733_333_3, 1.066_666_7], 5e-8);
    let spread = found.spread.as_ref().expect("a posterior");
    let expected = [4.0, -1.0, -1.0, 4.0].map(|v| v / 15.0);
    near(spread.covariance.as_slice(), &expected, 1e-12);
    let trade = found.bias_variance[0];
    // Bias (−4/15, −14/15), trace of the variance 52/225, mean squared error 88/75 < 4/3.
    near(&[trade.squared_bias], &[(16.0 + 196.0) / 225.0], 1e-12);
    near(&[trade.variance], &[52.0 / 225.0], 1e-12);
    near(
        &[trade.squared_bias + trade.variance],
        &[88.0 / 75.0],
        1e-12,
    );
    near(&[trade.least_squares], &[4.0 / 3.0], 1e-12);
    let data = Dataset::try_new(x, Targets::Real(y.row(0).to_vec())).expect("data");
    let report = ridge.fit(&data, &context()).expect("a fit").report;
    let told = report.bayes.expect("a reading");
    near(
        &[told.lambda, told.prior_variance[0], told.noise_variance[0]],
        &[2.0, 0.5, 1.0],
        1e-12,
    );
    assert_eq!(told.rule, "σ²/τ²");
}

/// Rows with noise, wider or narrower than long.
fn noisy(n: usize, d: usize) -> (Records, Matrix<f64>) {
    let value = |i: usize, j: usize| ((i * 37 + j * 101 + i * i * 7 + 3 * i * j) as f64).sin();
    let x = Matrix::from_fn(n, d, value);
    let y = Matrix::from_fn(1, n, |_, i| {
        1.0 + x[(i, 0)] - 2.0 * x[(i, 1)] + 0.5 * value(i, d + 5)
    });
    (Records::from_points(x), y)
}

#[test]
fn a_path_has_the_solutions_and_errors_of_single_fits() {
    let lambdas = [1e-3, 0.1, 2.0, 50.0];
    for (n, d) in [(30, 4), (9, 25)] {
        let (x, y) = noisy(n, d);
        for intercept in [true, false] {
            let ridge = Ridge::default().intercept(intercept);
            let path = ridge
                .path(&x, &y, None, &lambdas, &context())
                .expect("a path");
            for (point, &lambda) in path.iter().zip(&lambdas) {
                let one = ridge.clone().lambda(lambda);
                let found = one.solve(&x, &y, None, &context()).expect("a solution");
                near(point.weights.row(0), found.weights.row(0), 1e-9);
                near(&point.biases, &found.biases, 1e-9);
                near(
                    &[point.degrees_of_freedom],
                    &[found.degrees_of_freedom],
                    1e-8,
                );
                let mut left_out = 0.0;
                for i in 0..n {
                    let others: Vec<usize> = (0..n).filter(|&r| r != i).collect();
                    let part = x.select(&others);
                    let targets = Matrix::from_fn(1, n - 1, |_, r| y[(0, others[r])]);
                    let found = one.solve(&part, &targets, None, &context()).expect("a fit");
                    let row = x.select(&[i]);
                    let values = row.features.points.widened();
                    let mercer::data::Block::Dense(values) = values else {
                        unreachable!("dense rows")
                    };
                    let f = mercer_linalg::dot(values.row(0), found.weights.row(0));
                    left_out += (y[(0, i)] - f - found.biases[0]).powi(2) / n as f64;
                }
                let share = point.leave_one_out / left_out - 1.0;
                assert!(share.abs() < 1e-6, "{n} {d} {lambda} {intercept}: {share}");
            }
        }
    }
}

#[test]
fn rules_find_the_best_penalty_of_a_grid() {
    for (n, d) in [(40, 6), (12, 30)] {
        let (x, y) = noisy(n, d);
        let grid: Vec<f64> = (-40..60)
            .map(|p| 10.0_f64.powf(f64::from(p) / 10.0))
            .collect();
        let path = Ridge::default()
            .path(&x, &y, None, &grid, &context())
            .expect("a path");
        for rule in [PenaltyRule::LeaveOneOut, PenaltyRule::Gcv] {
            let score = |p: &mercer::learn::linear::LinearPathPoint| match rule {
                PenaltyRule::Gcv => p.gcv,
                _ => p.leave_one_out,
            };
            let best = path.iter().min_by(|a, b| score(a).total_cmp(&score(b)));
            let best = best.expect("points");
            let ridge = Ridge::default().penalty(Penalty::By(rule));
            let found = ridge.solve(&x, &y, None, &context()).expect("a solution");
            let lambda = found.lambda.expect("a penalty");
            let at = Ridge::default().path(&x, &y, None, &[lambda], &context());
            let own = score(&at.expect("a point")[0]);
            assert!(
                own <= score(best) * (1.0 + 1e-6),
                "{rule:?} {lambda} {}",
                best.lambda
            );
        }
        // At the optimum of the evidence 2μE_W = γ_eff − 1 and 2ζE_D = n − γ_eff.
        let ridge = Ridge::default().penalty(Penalty::By(PenaltyRule::Evidence));
        let found = ridge.solve(&x, &y, None, &context()).expect("a solution");
        let (lambda, noise) = (found.lambda.expect("a penalty"), found.noise[0]);
        let square: f64 = found.weights.row(0).iter().map(|w| w * w).sum();
        let effective = found.degrees_of_freedom;
        if lambda < 1e3 {
            let prior = lambda * square / noise;
            assert!(
                (prior / (effective - 1.0) - 1.0).abs() < 1e-4,
                "{prior} {effective}"
            );
            let residual = (found.objective[0] - lambda * square) / noise;
            assert!((residual / (n as f64 - effective) - 1.0).abs() < 1e-4);
        }
    }
}

#[test]
fn small_and_degenerate_rows_have_penalties_too() {
    for rule in [
        PenaltyRule::Evidence,
        PenaltyRule::LeaveOneOut,
        PenaltyRule::Gcv,
    ] {
        let ridge = Ridge::default().penalty(Penalty::By(rule));
        // A constant target, constant columns, two rows.
        for (x, y) in [
            (records(3, &[0.0, 1.0, 2.0]), row(&[2.0, 2.0, 2.0])),
            (records(3, &[1.0, 1.0, 1.0]), row(&[1.0, 2.0, 3.0])),
            (records(2, &[0.0, 1.0]), row(&[1.0, 2.0])),
            (
                records(3, &[1e150, 2e150, 4e150]),
                row(&[1e-200, 3e-200, 2e-200]),
            ),
        ] {
            let found = ridge.solve(&x, &y, None, &context()).expect("a solution");
            assert!(
                found.weights.as_slice().iter().all(|w| w.is_finite()),
                "{rule:?}"
            );
        }
        let one = ridge.solve(&records(1, &[1.0]), &row(&[2.0]), None, &context());
        assert!(one.is_err());
    }
}
