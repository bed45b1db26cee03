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
