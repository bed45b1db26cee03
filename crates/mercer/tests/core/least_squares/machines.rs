//! Kernel ridge and least-squares support vector machines as users meet them.

use mercer::data::{ClassTargets, Dataset, Records, Targets};
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::least_squares::{KernelRidge, LsSvc, LsSvr, Strength};
use mercer::learn::margin::Svc;
use mercer::model::readout::{Readout, Scheme};
use mercer::model::{Answers, Form, Predictor};
use mercer_linalg::{Matrix, Par, Precision};

use super::plain::{bordered, eliminate, generator, gram, normal, rows};

pub(crate) fn real(x: &Matrix<f64>, y: Vec<f64>) -> Dataset {
    Dataset::try_new(Records::from_points(x.clone()), Targets::Real(y)).expect("lengths agree")
}

pub(crate) fn classes(x: &Matrix<f64>, labels: &[&str]) -> Dataset {
    let targets = Targets::Classes(ClassTargets::from_labels(labels));
    Dataset::try_new(Records::from_points(x.clone()), targets).expect("lengths agree")
}

pub(crate) fn values(model: &Form, x: &Matrix<f64>) -> Matrix<f64> {
    let predictor = Predictor::of_form(model, Precision::F64).expect("bound");
    let records = Records::from_points(x.clone());
    predictor
        .decisions(&records, &FitContext::default())
        .expect("answers")
}

#[test]
fn kernel_ridge_is_its_formula() {
    let mut rng = generator(20);
    let x = rows(30, 2, &mut rng);
    let y: Vec<f64> = (0..30)
        .map(|i| x[(i, 0)] * 2.0 + normal(&mut rng))
        .collect();
    let new = rows(5, 2, &mut rng);
    let kernel: KernelSpec = "rbf(gamma=0.3)".parse().expect("a kernel");
    let fitted = KernelRidge::default()
        .kernel(kernel)
        .strength(Strength::Lambda(0.25))
        .fit(&real(&x, y.clone()), &FitContext::default())
        .expect("fits");
    assert!(fitted.report.solver().kkt_violation < 1e-11);
    let mut system = gram("rbf(gamma=0.3)", &x);
    for i in 0..30 {
        system[(i, i)] += 0.25;
    }
    let (v, _) = eliminate(&system, &y);
    let found = values(&Form::Expansion(fitted.model), &new);
    for r in 0..5 {
        let f: f64 = (0..30)
            .map(|i| {
                let square: f64 = (0..2).map(|c| (new[(r, c)] - x[(i, c)]).powi(2)).sum();
                v[i] * (-0.3 * square).exp()
            })
            .sum();
        assert!((found[(r, 0)] - f).abs() < 1e-9);
    }
}

#[test]
fn a_large_system_is_refined_to_the_asked_residual() {
    let mut rng = generator(21);
    let x = rows(1700, 3, &mut rng);
    let y: Vec<f64> = (0..1700)
        .map(|i| x[(i, 0)].sin() + 0.1 * normal(&mut rng))
        .collect();
    // Below λ ≈ ε‖K‖/tolerance no solution in double precision has a residual of 1e-10.
    for (lambda, most) in [(1.0, 1e-10), (1e-4, 1e-10), (1e-8, 1e-6)] {
        let fitted = KernelRidge::default()
            .kernel(KernelSpec::rbf(0.2))
            .strength(Strength::Lambda(lambda))
            .intercept(true)
            .fit(&real(&x, y.clone()), &FitContext::default())
            .expect("fits");
        let residual = fitted.report.solver().kkt_violation;
        assert!(residual <= most, "{lambda}: {residual}");
    }
}

#[test]
fn least_squares_classification_is_regression_on_labels() {
    let mut rng = generator(22);
    let x = rows(24, 2, &mut rng);
    let labels: Vec<&str> = (0..24)
        .map(|i| {
            if x[(i, 0)] + 0.5 * normal(&mut rng) > 0.0 {
                "in"
            } else {
                "out"
            }
        })
        .collect();
    let fitted = LsSvc::default()
        .kernel(KernelSpec::rbf(0.5))
        .strength(Strength::Gamma(3.0))
        .fit(&classes(&x, &labels), &FitContext::default())
        .expect("fits");
    let y: Vec<f64> = labels
        .iter()
        .map(|l| if *l == "in" { 1.0 } else { -1.0 })
        .collect();
    let (alpha, bias) = bordered(&gram("rbf(gamma=0.5)", &x), &y, 3.0);
    let found = values(&Form::Expansion(fitted.model), &x);
    let k = gram("rbf(gamma=0.5)", &x);
    for i in 0..24 {
        let f: f64 = (0..24).map(|j| alpha[j] * k[(i, j)]).sum::<f64>() + bias;
        assert!((found[(i, 0)] - f).abs() < 1e-8);
    }
}

#[test]
fn three_classes_are_told_apart_by_both_schemes() {
    let mut rng = generator(23);
    let centres = [[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]];
    let x = Matrix::from_fn(45, 2, |i, c| centres[i % 3][c] + normal(&mut rng));
    let names = ["a", "b", "c"];
    let labels: Vec<&str> = (0..45).map(|i| names[i % 3]).collect();
    for scheme in [Scheme::OneVsRest, Scheme::OneVsOne] {
        let fitted = LsSvc::default()
            .scheme(scheme)
            .fit(&classes(&x, &labels), &FitContext::default())
            .expect("fits");
        let model = Form::Expansion(fitted.model);
        let answers = model
            .predict(&Records::from_points(x.clone()), &FitContext::default())
            .expect("answers");
        let Answers::Classes {
            codes,
            probabilities: Some(probabilities),
            ..
        } = answers.answers
        else {
            panic!("classes with probabilities");
        };
        let right = (0..45).filter(|&i| codes[i] as usize == i % 3).count();
        assert!(right >= 44, "{scheme:?}: {right}");
        assert!(
            probabilities
                .iter()
                .all(|p| (p.iter().sum::<f64>() - 1.0).abs() < 1e-9)
        );
    }
}

#[test]
fn row_order_and_splitting_weights_change_nothing() {
    let mut rng = generator(24);
    let x = rows(20, 2, &mut rng);
    let y: Vec<f64> = (0..20).map(|i| x[(i, 0)] + normal(&mut rng)).collect();
    let fit = |data: &Dataset| {
        let fitted = LsSvr::default()
            .fit(data, &FitContext::default())
            .expect("fits");
        values(&Form::Expansion(fitted.model), &x)
    };
    let order: Vec<usize> = (0..20).rev().collect();
    let first = fit(&real(&x, y.clone()));
    let second = fit(&real(&x, y.clone()).select(&order));
    let twice: Vec<usize> = (0..20).chain([3, 3, 7]).collect();
    let copies = fit(&real(&x, y.clone()).select(&twice));
    let weights = (0..20)
        .map(|i| match i {
            3 => 3.0,
            7 => 2.0,
            _ => 1.0,
        })
        .collect();
    let weighted = fit(&real(&x, y).with_weights(weights).expect("weights"));
    for r in 0..20 {
        assert_eq!(first[(r, 0)], second[(r, 0)]);
        assert!((copies[(r, 0)] - weighted[(r, 0)]).abs() < 1e-9);
    }
}

#[test]
fn certainty_is_that_of_a_process_with_a_wide_constant() {
    let mut rng = generator(25);
    let x = rows(18, 1, &mut rng);
    let y: Vec<f64> = (0..18)
        .map(|i| x[(i, 0)].sin() + 0.2 * normal(&mut rng))
        .collect();
    let fitted = LsSvr::default()
        .kernel(KernelSpec::rbf(0.7))
        .fit(&real(&x, y), &FitContext::default())
        .expect("fits");
    let posterior = fitted.model.posterior.clone().expect("a posterior");
    let levels = posterior.levels[0];
    let certainty = fitted
        .model
        .certainty(Par::Sequential)
        .expect("regular")
        .expect("known");
    let new = rows(6, 1, &mut rng);
    let found = certainty
        .variances(&Records::from_points(new.clone()), Par::Sequential)
        .expect("variances");
    // K/μ + 10⁶ on all entries, noise 1/ζ.
    let kernel = |a: f64, b: f64| (-0.7 * (a - b) * (a - b)).exp() / levels.prior + 1e6;
    let system = Matrix::from_fn(18, 18, |i, j| {
        kernel(x[(i, 0)], x[(j, 0)]) + if i == j { levels.noise.recip() } else { 0.0 }
    });
    for r in 0..6 {
        let k: Vec<f64> = (0..18).map(|i| kernel(x[(i, 0)], new[(r, 0)])).collect();
        let (solved, _) = eliminate(&system, &k);
        let explained: f64 = k.iter().zip(&solved).map(|(a, b)| a * b).sum();
        let expected = kernel(new[(r, 0)], new[(r, 0)]) - explained;
        assert!(
            (found[(r, 0)] - expected).abs() < 1e-4 * expected,
            "{} {expected}",
            found[(r, 0)]
        );
    }
}

#[test]
fn moderated_probabilities_follow_the_classes() {
    let mut rng = generator(26);
    let x = Matrix::from_fn(
        60,
        1,
        |i, _| if i < 40 { 0.0 } else { 3.0 } + normal(&mut rng),
    );
    let labels: Vec<&str> = (0..60).map(|i| if i < 40 { "a" } else { "b" }).collect();
    let fitted = LsSvc::default()
        .fit(&classes(&x, &labels), &FitContext::default())
        .expect("fits");
    let model = Form::Expansion(fitted.model.clone());
    let certainty = fitted
        .model
        .certainty(Par::Sequential)
        .expect("regular")
        .expect("known");
    let new = Matrix::from_vec(3, 1, vec![-0.5, 1.5, 3.5]);
    let decisions = values(&model, &new);
    let records = Records::from_points(new);
    let p = certainty
        .moderated(&records, &decisions, None, Par::Sequential)
        .expect("probabilities");
    assert!(p[(0, 0)] > 0.9 && p[(2, 0)] < 0.1, "{p:?}");
    let equal = [[0.5, 0.5]];
    let fair = certainty
        .moderated(&records, &decisions, Some(&equal), Par::Sequential)
        .expect("probabilities");
    assert!(
        fair[(1, 0)] < p[(1, 0)],
        "two rows of a for one of b must count"
    );
}

#[test]
fn a_far_point_moves_least_squares_and_not_the_margin() {
    // The first seed's picture: more rows far on their own side.
    let mut points = vec![[-1.0, 0.0], [-1.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
    let mut labels = vec!["left", "left", "right", "right"];
    let boundary = |points: &[[f64; 2]], labels: &[&str], margin: bool| {
        let x = Matrix::from_fn(points.len(), 2, |i, c| points[i][c]);
        let data = classes(&x, labels);
        let model = if margin {
            let svc = Svc::default().kernel(KernelSpec::linear()).c(1e3);
            svc.fit(&data, &FitContext::default()).expect("fits").model
        } else {
            let machine = LsSvc::default()
                .kernel(KernelSpec::linear())
                .strength(Strength::Gamma(1e3));
            machine
                .fit(&data, &FitContext::default())
                .expect("fits")
                .model
        };
        // Where the plane crosses the line through (0, ½) and (1, ½).
        let line = Matrix::from_vec(2, 2, vec![0.0, 0.5, 1.0, 0.5]);
        let f = values(&Form::Expansion(model), &line);
        f[(0, 0)] / (f[(0, 0)] - f[(1, 0)])
    };
    let before = [
        boundary(&points, &labels, true),
        boundary(&points, &labels, false),
    ];
    for height in [0.0, 0.25, 0.5, 0.75, 1.0] {
        points.push([20.0, height]);
        labels.push("right");
    }
    let after = [
        boundary(&points, &labels, true),
        boundary(&points, &labels, false),
    ];
    assert!(
        (after[0] - before[0]).abs() < 1e-3,
        "the margin stays: {before:?} {after:?}"
    );
    assert!(
        (after[1] - before[1]).abs() > 0.5,
        "least squares moves: {before:?} {after:?}"
    );
}

#[test]
fn pruning_keeps_the_share_that_was_asked_for() {
    let mut rng = generator(27);
    let x = rows(80, 1, &mut rng);
    let y: Vec<f64> = (0..80)
        .map(|i| x[(i, 0)].sin() + 0.1 * normal(&mut rng))
        .collect();
    let fitted = LsSvr::default()
        .keep(Some(0.25))
        .fit(&real(&x, y.clone()), &FitContext::default())
        .expect("fits");
    assert_eq!(fitted.model.support.len(), 20);
    assert_eq!(fitted.model.readout, Readout::Values);
    let found = values(&Form::Expansion(fitted.model), &x);
    let error: f64 = (0..80).map(|i| (found[(i, 0)] - y[i]).powi(2)).sum::<f64>() / 80.0;
    assert!(error.sqrt() < 0.3, "{error}");
}

#[test]
fn hard_input_gets_an_answer_or_a_reason() {
    let context = FitContext::default();
    let same = Matrix::from_fn(6, 2, |_, _| 1.0);
    let y = vec![0.0, 1.0, 0.0, 1.0, 0.0, 1.0];
    // All rows equal: only the constant is left to learn.
    let refused = LsSvr::default().fit(&real(&same, y.clone()), &context);
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("same for all pairs")
    );
    let given = LsSvr::default()
        .kernel(KernelSpec::rbf(1.0))
        .strength(Strength::Gamma(1.0))
        .fit(&real(&same, y), &context)
        .expect("one system");
    let found = values(&Form::Expansion(given.model), &same);
    assert!((found[(0, 0)] - 0.5).abs() < 1e-9);
    // Two and three rows.
    for n in [2, 3] {
        let x = Matrix::from_fn(n, 1, |i, _| i as f64);
        let labels: Vec<&str> = (0..n).map(|i| if i == 0 { "a" } else { "b" }).collect();
        LsSvc::default()
            .fit(&classes(&x, &labels), &context)
            .expect("a result");
    }
    // No noise at all: γ runs to its bound and says so.
    let x = Matrix::from_fn(30, 1, |i, _| i as f64 / 10.0);
    let exact: Vec<f64> = (0..30).map(|i| (i as f64 / 10.0).sin()).collect();
    let fitted = LsSvr::default()
        .kernel(KernelSpec::rbf(1.0))
        .fit(&real(&x, exact.clone()), &context)
        .expect("a result");
    let found = values(&Form::Expansion(fitted.model), &x);
    assert!((0..30).all(|i| (found[(i, 0)] - exact[i]).abs() < 1e-3));
    // A kernel that is not positive semidefinite.
    let indefinite = LsSvr::default()
        .kernel("sigmoid(scale=5, offset=-3)".parse().expect("a kernel"))
        .strength(Strength::Gamma(1e6))
        .fit(&real(&x, exact), &context);
    assert!(indefinite.is_err());
}

#[test]
fn targets_of_any_size_give_the_same_function() {
    let mut random = generator(41);
    let x = rows(25, 2, &mut random);
    let y: Vec<f64> = (0..25)
        .map(|i| (2.0 * x[(i, 0)]).sin() + 0.1 * normal(&mut random))
        .collect();
    let kernel = KernelSpec::rbf(0.2);
    let context = FitContext::default();
    let at = |scale: f64| {
        let scaled: Vec<f64> = y.iter().map(|v| v * scale).collect();
        let data = real(&x, scaled);
        let ridge = KernelRidge::default().kernel(kernel.clone());
        let machine = LsSvr::default().kernel(kernel.clone());
        [
            ridge.clone().fit(&data, &context),
            ridge
                .strength(Strength::Evidence)
                .intercept(true)
                .fit(&data, &context),
            machine.clone().fit(&data, &context),
            machine.strength(Strength::Gamma(10.0)).fit(&data, &context),
        ]
        .map(|fitted| {
            let model = fitted.unwrap_or_else(|e| panic!("at {scale:e}: {e}")).model;
            let found = values(&Form::Expansion(model), &x);
            (0..25).map(|i| found.row(i)[0]).collect::<Vec<f64>>()
        })
    };
    let plain = at(1.0);
    for scale in [1e-250, 1e-200, 1e-160, 1e100, 1e154, 1e200, 1e290] {
        for (plain, scaled) in plain.iter().zip(at(scale)) {
            for (p, s) in plain.iter().zip(scaled) {
                assert!(
                    (s / scale - p).abs() <= 1e-6 * (1.0 + p.abs()),
                    "{scale:e}: {s:e} {p}"
                );
            }
        }
    }
}
