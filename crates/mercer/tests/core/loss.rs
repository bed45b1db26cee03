//! Any loss, against the solvers made for one.

use mercer::data::{ClassTargets, Dataset, Records, Targets};
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::least_squares::{LsSvr, Strength};
use mercer::learn::loss::{KernelRisk, Loss};
use mercer::learn::margin::{Svc, Svr};
use mercer::model::{Form, Predictor};
use mercer_linalg::{Matrix, Precision};

use crate::least_squares::plain::{generator, normal, rows};

fn values(model: mercer::model::expansion::KernelExpansion, data: &Dataset) -> Vec<f64> {
    let model = Form::Expansion(model);
    let predictor = Predictor::of_form(&model, Precision::F64).expect("bound");
    let decisions = predictor.decisions(&data.records, &FitContext::default());
    decisions.expect("answers").into_vec()
}

fn two_classes() -> Dataset {
    let mut rng = generator(40);
    let x = rows(60, 2, &mut rng);
    let labels: Vec<&str> = (0..60)
        .map(|i| {
            if x[(i, 0)] + normal(&mut rng) > 0.0 {
                "a"
            } else {
                "b"
            }
        })
        .collect();
    let targets = Targets::Classes(ClassTargets::from_labels(&labels));
    Dataset::try_new(Records::from_points(x), targets).expect("lengths agree")
}

fn numbers() -> Dataset {
    let mut rng = generator(41);
    let x = rows(60, 2, &mut rng);
    let y = (0..60)
        .map(|i| x[(i, 0)].sin() + 0.3 * normal(&mut rng))
        .collect();
    Dataset::try_new(Records::from_points(x), Targets::Real(y)).expect("lengths agree")
}

fn close(left: &[f64], right: &[f64], tolerance: f64) {
    assert_eq!(left.len(), right.len());
    for (a, b) in left.iter().zip(right) {
        assert!((a - b).abs() < tolerance, "{a} {b}");
    }
}

#[test]
fn hinge_and_tube_agree_with_the_margin_machines() {
    let context = FitContext::default();
    let kernel = KernelSpec::rbf(0.5);
    let data = two_classes();
    let mut svc = Svc::default().kernel(kernel.clone()).c(2.0);
    svc.solver.tolerance = 1e-6;
    let exact = svc.fit(&data, &context).expect("fits");
    let risk = KernelRisk::default()
        .kernel(kernel.clone())
        .loss(Loss::Hinge)
        .c(2.0);
    let found = risk.fit(&data, &context).expect("fits");
    let (a, b) = (
        exact.report.solver().objective,
        found.report.solver().objective,
    );
    assert!((a - b).abs() < 1e-3 * a, "{a} {b}");
    close(
        &values(exact.model, &data),
        &values(found.model, &data),
        0.02,
    );

    let data = numbers();
    let mut svr = Svr::default().kernel(kernel.clone()).c(2.0).epsilon(0.1);
    svr.solver.tolerance = 1e-6;
    let exact = svr.fit(&data, &context).expect("fits");
    let loss = Loss::Insensitive { epsilon: 0.1 };
    let risk = KernelRisk::default().kernel(kernel).loss(loss).c(2.0);
    let found = risk.fit(&data, &context).expect("fits");
    let (a, b) = (
        exact.report.solver().objective,
        found.report.solver().objective,
    );
    assert!((a - b).abs() < 2e-3 * a, "{a} {b}");
    close(
        &values(exact.model, &data),
        &values(found.model, &data),
        0.02,
    );
}

#[test]
fn the_squared_loss_is_least_squares() {
    let context = FitContext::default();
    let data = numbers();
    let kernel = KernelSpec::rbf(0.5);
    let machine = LsSvr::default()
        .kernel(kernel.clone())
        .strength(Strength::Gamma(4.0));
    let exact = machine.fit(&data, &context).expect("fits");
    let risk = KernelRisk::default()
        .kernel(kernel.clone())
        .loss(Loss::Squared)
        .c(4.0);
    let found = risk.fit(&data, &context).expect("fits");
    close(
        &values(exact.model, &data),
        &values(found.model, &data),
        1e-8,
    );
    // A Huber loss that is never linear is the squared loss.
    let wide = Loss::Huber { delta: 1e3 };
    let risk = KernelRisk::default().kernel(kernel).loss(wide).c(4.0);
    let huber = risk.fit(&data, &context).expect("fits");
    let again = machine.fit(&data, &context).expect("fits");
    close(
        &values(again.model, &data),
        &values(huber.model, &data),
        1e-8,
    );
}

#[test]
fn logistic_probabilities_meet_the_class_shares() {
    // With a free constant the mean probability of a class is its share.
    let context = FitContext::default();
    let data = two_classes();
    let fitted = KernelRisk::default()
        .c(1.0)
        .fit(&data, &context)
        .expect("fits");
    assert!(
        fitted.report.solver().kkt_violation < 1e-7,
        "{}",
        fitted.report.solver().kkt_violation
    );
    let Targets::Classes(classes) = &data.targets else {
        panic!("classes");
    };
    let share = classes.counts()[0] as f64 / 60.0;
    let decisions = values(fitted.model, &data);
    let mean = decisions
        .iter()
        .map(|f| 1.0 / (1.0 + (-f).exp()))
        .sum::<f64>()
        / 60.0;
    assert!((mean - share).abs() < 1e-6, "{mean} {share}");
}

#[test]
fn gross_errors_bend_squared_more_than_huber() {
    let context = FitContext::default();
    let x = Matrix::from_fn(30, 1, |i, _| i as f64 / 10.0);
    let mut y: Vec<f64> = (0..30).map(|i| i as f64 / 10.0).collect();
    y[15] = 100.0;
    let data = Dataset::try_new(Records::from_points(x), Targets::Real(y)).expect("lengths");
    let worst = |loss: Loss| {
        let risk = KernelRisk::default()
            .kernel(KernelSpec::linear())
            .loss(loss)
            .c(1.0);
        let found = values(risk.fit(&data, &context).expect("fits").model, &data);
        let miss = |i: usize| (found[i] - i as f64 / 10.0).abs();
        (0..30).map(miss).fold(0.0, f64::max)
    };
    let (huber, squared) = (worst(Loss::Huber { delta: 0.2 }), worst(Loss::Squared));
    assert!(huber < 0.2 * squared, "{huber} {squared}");
}

/// ‖f‖^p/p + C Σ L of coefficients over a kernel matrix, from the formulas alone.
fn objective(gram: &Matrix<f64>, alpha: &[f64], y: &[f64], c: f64, power: f64, loss: Loss) -> f64 {
    let n = alpha.len();
    let f: Vec<f64> = (0..y.len())
        .map(|i| (0..n).map(|j| gram[(i, j)] * alpha[j]).sum())
        .collect();
    let square: f64 = (0..n)
        .flat_map(|i| (0..n).map(move |j| (i, j)))
        .map(|(i, j)| alpha[i] * gram[(i, j)] * alpha[j])
        .sum();
    let pairs = || (0..y.len()).flat_map(|i| (0..y.len()).map(move |j| (i, j)));
    let sum: f64 = match loss {
        Loss::Ranking => pairs()
            .filter(|&(i, j)| y[i] > y[j])
            .map(|(i, j)| (1.0 - f[i] + f[j]).max(0.0))
            .sum(),
        Loss::Squared => (0..y.len()).map(|i| 0.5 * (y[i] - f[i]).powi(2)).sum(),
        Loss::Huber { delta } => (0..y.len())
            .map(|i| {
                let e = (y[i] - f[i]).abs();
                if e <= delta {
                    0.5 * e * e
                } else {
                    delta * (e - 0.5 * delta)
                }
            })
            .sum(),
        Loss::Insensitive { epsilon } => (0..y.len())
            .map(|i| ((y[i] - f[i]).abs() - epsilon).max(0.0))
            .sum(),
        _ => unreachable!("losses of numbers"),
    };
    square.max(0.0).sqrt().powf(power) / power + c * sum
}

/// Points on a line with a kernel matrix over them and some more.
fn line(count: usize, more: usize) -> (Dataset, Vec<f64>, Matrix<f64>) {
    let place = |i: usize| {
        if i < count {
            i as f64 * 0.7
        } else {
            0.35 + (i - count) as f64 * 0.9
        }
    };
    let y: Vec<f64> = (0..count)
        .map(|i| (place(i)).sin() + 0.2 * i as f64)
        .collect();
    let all = count + more;
    let gram = Matrix::from_fn(all, all, |i, j| {
        (-0.5 * (place(i) - place(j)).powi(2)).exp()
    });
    let x = Matrix::from_fn(count, 1, |i, _| place(i));
    let data = Dataset::try_new(Records::from_points(x), Targets::Real(y.clone()));
    (data.expect("lengths agree"), y, gram)
}

/// Coefficients by the place of their row.
fn coefficients(model: &mercer::model::expansion::KernelExpansion, count: usize) -> Vec<f64> {
    let mut alpha = vec![0.0; count];
    let mercer::data::Block::Dense(support) = model.support.features.points.widened() else {
        unreachable!("dense rows")
    };
    for s in 0..support.rows() {
        let place = (support[(s, 0)] / 0.7).round() as usize;
        alpha[place] = model.coefficients[(0, s)];
    }
    alpha
}

#[test]
fn two_rows_are_ranked_by_half_each() {
    // ½‖f‖² + max(0, 1 − f₁ + f₂) with K = I.
    let x = Matrix::from_vec(2, 1, vec![0.0, 1000.0]);
    let data = Dataset::try_new(Records::from_points(x), Targets::Real(vec![1.0, 0.0]));
    let data = data.expect("lengths agree");
    let risk = KernelRisk::default()
        .kernel(KernelSpec::rbf(1.0))
        .loss(Loss::Ranking);
    let fitted = risk.fit(&data, &FitContext::default()).expect("a fit");
    let value = fitted.report.solver().objective;
    assert!((value - 0.25).abs() < 1e-9, "{value}");
    close(&values(fitted.model, &data), &[0.5, -0.5], 1e-6);
    // One row, and rows that tie, ask for nothing.
    for y in [vec![3.0], vec![3.0, 3.0]] {
        let x = Matrix::from_fn(y.len(), 1, |i, _| i as f64);
        let data = Dataset::try_new(Records::from_points(x), Targets::Real(y));
        let data = data.expect("lengths agree");
        let fitted = risk.fit(&data, &FitContext::default()).expect("a fit");
        assert!(values(fitted.model, &data).iter().all(|f| *f == 0.0));
    }
}

#[test]
fn no_function_outside_the_span_does_better() {
    // The representer theorem: for every loss, a joint one among them, and every increasing g.
    let (count, more) = (9, 4);
    let (data, y, gram) = line(count, more);
    let losses = [
        Loss::Squared,
        Loss::Huber { delta: 0.3 },
        Loss::Insensitive { epsilon: 0.1 },
        Loss::Ranking,
    ];
    for loss in losses {
        for power in [1.0, 1.5, 2.0, 3.0] {
            let c = 2.0;
            let risk = KernelRisk::default()
                .kernel(KernelSpec::rbf(0.5))
                .loss(loss)
                .c(c)
                .power(power)
                .intercept(false);
            let fitted = risk.fit(&data, &FitContext::default()).expect("a fit");
            let mut alpha = coefficients(&fitted.model, count);
            alpha.resize(count + more, 0.0);
            let best = objective(&gram, &alpha, &y, c, power, loss);
            let told = fitted.report.solver().objective;
            assert!(
                (best / told - 1.0).abs() < 1e-6,
                "{loss:?} {power}: {best} {told}"
            );
            // Kinks are rounded off within a thousandth: no more than a quarter of that a term.
            let terms = match loss {
                Loss::Ranking => count * (count - 1) / 2,
                Loss::Insensitive { .. } => count,
                _ => 0,
            };
            let slack = c * terms as f64 * 2.5e-4 + 1e-9 * best;
            for place in 0..count + more {
                for size in [1e-4, 1e-2, 0.3] {
                    for sign in [-1.0, 1.0] {
                        let mut other = alpha.clone();
                        other[place] += sign * size;
                        let value = objective(&gram, &other, &y, c, power, loss);
                        assert!(
                            value >= best - slack,
                            "{loss:?} {power} {place}: {value} {best}"
                        );
                    }
                }
            }
        }
    }
    let steep = KernelRisk::default().loss(Loss::Squared).power(0.5);
    let error = steep
        .fit(&data, &FitContext::default())
        .expect_err("no such penalty");
    assert!(error.to_string().contains("`power`"), "{error}");
}

#[test]
fn a_steep_penalty_leaves_the_constant() {
    let (data, _, _) = line(9, 0);
    let risk = KernelRisk::default().loss(Loss::Squared).c(1e-3).power(1.0);
    let fitted = risk.fit(&data, &FitContext::default()).expect("a fit");
    let found = values(fitted.model, &data);
    assert!(
        found.iter().all(|f| (f - found[0]).abs() < 1e-12),
        "{found:?}"
    );
}

#[test]
fn log_odds_are_read_as_a_posterior() {
    let data = two_classes();
    let risk = KernelRisk::default().c(3.0);
    let fitted = risk.fit(&data, &FitContext::default()).expect("a fit");
    let told = fitted.report.bayes.expect("a reading");
    assert_eq!(
        (told.lambda, &told.prior_variance[..]),
        (1.0 / 3.0, &[3.0][..])
    );
}
