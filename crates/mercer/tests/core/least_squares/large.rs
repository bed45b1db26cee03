//! Models whose kernel matrix is only multiplied by, beside the same ones with its factor.

use std::time::Duration;

use mercer::data::{Dataset, Targets};
use mercer::fit::{FitContext, StopReason};
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::least_squares::{KernelRidge, LsSvc, LsSvr, SpectrumPart, Strength};
use mercer::model::Form;
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::Scheme;
use mercer_linalg::Matrix;

use super::machines::{classes, real, values};
use super::plain::{generator, normal, rows};

/// A limit that vectors fit into, but no factor of some hundred rows.
fn poor() -> FitContext {
    FitContext::default().threads(1).memory_limit(2_600_000)
}

fn table(n: usize) -> (Matrix<f64>, Vec<f64>) {
    let mut rng = generator(31);
    let x = rows(n, 2, &mut rng);
    let y = (0..n)
        .map(|i| (2.0 * x[(i, 0)]).sin() + 3.0 + 0.2 * normal(&mut rng))
        .collect();
    (x, y)
}

fn largest_difference(one: KernelExpansion, two: KernelExpansion, x: &Matrix<f64>) -> f64 {
    let one = values(&Form::Expansion(one), x);
    let two = values(&Form::Expansion(two), x);
    let pairs = one.as_slice().iter().zip(two.as_slice());
    pairs.fold(0.0, |m, (a, b)| f64::max(m, (a - b).abs()))
}

#[test]
fn kernel_ridge_without_a_factor_is_the_same_function() {
    let (x, y) = table(500);
    for free in [false, true] {
        let machine = KernelRidge::default()
            .kernel(KernelSpec::rbf(0.7))
            .strength(Strength::Lambda(0.1))
            .intercept(free);
        let data = real(&x, y.clone());
        let exact = machine.fit(&data, &FitContext::default()).expect("fits");
        assert!(exact.report.iterative.is_none());
        let found = machine.fit(&data, &poor()).expect("fits");
        let told = found.report.iterative.as_ref().expect("no factor");
        assert!(told.residual <= 1e-7 && told.iterations > 0);
        assert!(told.preconditioner_rank > 10 && told.estimate.is_none());
        assert_eq!(found.report.stop_reason, StopReason::Converged);
        assert!(found.report.solver().kkt_violation <= 1e-7);
        let objectives = (
            found.report.solver().objective,
            exact.report.solver().objective,
        );
        assert!(
            (objectives.0 / objectives.1 - 1.0).abs() < 1e-6,
            "{objectives:?}"
        );
        assert!(largest_difference(exact.model, found.model, &x) < 1e-5);
    }
}

#[test]
fn several_outputs_and_a_regularised_constant_share_the_passes() {
    let (x, y) = table(450);
    let targets = Matrix::from_fn(3, 450, |k, i| y[i] * (k + 1) as f64 + x[(i, 1)]);
    let machine = KernelRidge::default()
        .kernel(KernelSpec::rbf(0.7))
        .bias(mercer::learn::margin::Bias::Regularised)
        .strength(Strength::Lambda(0.5));
    let mut data = real(&x, y);
    data.targets = Targets::Several(targets);
    let exact = machine.fit(&data, &FitContext::default()).expect("fits");
    let found = machine.fit(&data, &poor()).expect("fits");
    assert!(found.report.iterative.is_some());
    assert!(largest_difference(exact.model, found.model, &x) < 1e-5);
}

#[test]
fn weights_count_as_copies_without_a_factor() {
    let (x, y) = table(420);
    let mut data = real(&x, y.clone());
    data.weights = Some((0..420).map(|i| 1.0 + (i % 3) as f64).collect());
    let ids: Vec<usize> = (0..420)
        .flat_map(|i| std::iter::repeat_n(i, 1 + i % 3))
        .collect();
    let copied = real(
        &Matrix::from_fn(ids.len(), 2, |k, c| x[(ids[k], c)]),
        ids.iter().map(|&i| y[i]).collect(),
    );
    let machine = LsSvr::default()
        .kernel(KernelSpec::rbf(0.7))
        .strength(Strength::Gamma(5.0));
    let one = machine.fit(&data, &poor()).expect("fits");
    let two = machine.fit(&copied, &poor()).expect("fits");
    assert!(one.report.iterative.is_some() && two.report.iterative.is_some());
    assert!(largest_difference(one.model, two.model, &x) < 1e-5);
}

#[test]
fn the_evidence_is_estimated_with_its_error() {
    let (x, y) = table(600);
    let data = real(&x, y);
    for by in [Strength::Evidence, Strength::Gcv] {
        let machine = LsSvr::default().kernel(KernelSpec::rbf(0.7)).strength(by);
        let exact = machine.fit(&data, &FitContext::default()).expect("fits");
        let context = FitContext::default().threads(1).memory_limit(4_000_000);
        let found = machine.fit(&data, &context).expect("fits");
        let known = exact.report.evidence.as_ref().expect("found");
        let guess = found.report.evidence.as_ref().expect("found");
        let told = found.report.iterative.as_ref().expect("no factor");
        let estimate = told.estimate.as_ref().expect("an estimate");
        let off = (guess.ratio / known.ratio).ln().abs();
        let allowed = if by == Strength::Evidence {
            4.0 * estimate.log_ratio_error + 0.02
        } else {
            0.3
        };
        assert!(off < allowed, "{off} {estimate:?}");
        assert!(estimate.log_evidence_error.is_finite() && estimate.passes > 0);
        let parameters = (guess.effective_parameters, known.effective_parameters);
        assert!(
            (parameters.0 / parameters.1 - 1.0).abs() < 0.1,
            "{parameters:?}"
        );
        // No row was left out, and nothing pretends that one was.
        assert!(guess.leave_one_out.is_nan() && !known.leave_one_out.is_nan());
        assert!(found.model.posterior.is_none() && found.model.left_out.is_none());
        let text = serde_json::to_string(&found.report).expect("a document");
        assert!(!text.contains("leave_one_out"));
        assert!(largest_difference(exact.model, found.model, &x) < 0.1);
    }
}

fn three(n: usize) -> (Matrix<f64>, Dataset) {
    let (x, _) = table(n);
    let labels: Vec<&str> = (0..n)
        .map(|i| match (x[(i, 0)] > 0.3, x[(i, 1)] > 0.0) {
            (true, _) => "a",
            (false, true) => "b",
            (false, false) => "c",
        })
        .collect();
    let data = classes(&x, &labels);
    (x, data)
}

#[test]
fn classes_are_told_apart_without_a_factor() {
    let (x, data) = three(700);
    for scheme in [Scheme::OneVsRest, Scheme::OneVsOne] {
        let machine = LsSvc::default()
            .kernel(KernelSpec::rbf(0.7))
            .scheme(scheme)
            .strength(Strength::Gamma(3.0));
        let exact = machine.fit(&data, &FitContext::default()).expect("fits");
        let found = machine.fit(&data, &poor()).expect("fits");
        assert!(found.report.iterative.is_some());
        let alerts = found.report.notes.iter().filter(|n| n.is_alert());
        assert!(scheme == Scheme::OneVsOne || alerts.count() == 1);
        let off = largest_difference(exact.model, found.model, &x);
        assert!(off < 1e-5, "{scheme:?} {off}");
    }
}

#[test]
fn what_needs_a_factor_says_so() {
    let (x, y) = table(500);
    let data = real(&x, y);
    let left_out = LsSvr::default().strength(Strength::LeaveOneOut);
    let found = left_out.fit(&data, &poor());
    assert!(matches!(found, Err(mercer::Error::Memory { .. })));
    let kept = LsSvr::default().keep(Some(0.5)).fit(&data, &poor());
    assert!(matches!(kept, Err(mercer::Error::Memory { .. })));
    let nothing = FitContext::default().memory_limit(1000);
    let found = KernelRidge::default()
        .kernel(KernelSpec::rbf(0.7))
        .fit(&data, &nothing);
    assert!(matches!(found, Err(mercer::Error::Memory { .. })));
}

#[test]
fn a_time_limit_is_told() {
    let (x, y) = table(500);
    let late = poor().time_limit(Some(Duration::ZERO));
    let found = KernelRidge::default()
        .kernel(KernelSpec::rbf(0.7))
        .fit(&real(&x, y), &late);
    match found {
        Err(error) => assert!(matches!(error, mercer::Error::OutOfTime), "{error}"),
        Ok(fitted) => assert_eq!(fitted.report.stop_reason, StopReason::TimeLimit),
    }
}

#[test]
fn leading_eigenvalues_find_the_same_regularisation() {
    let (x, y) = table(300);
    let data = real(&x, y);
    let machine = LsSvr::default().kernel(KernelSpec::rbf(0.3));
    let exact = machine.fit(&data, &FitContext::default()).expect("fits");
    let known = exact.report.evidence.as_ref().expect("found").ratio;
    for spectrum in [SpectrumPart::Truncated, SpectrumPart::Em] {
        for context in [FitContext::default(), poor()] {
            let part = machine.clone().spectrum(spectrum).eigenvalues(Some(60));
            let found = part.fit(&data, &context).expect("fits");
            let ratio = found.report.evidence.as_ref().expect("found").ratio;
            assert!((ratio / known - 1.0).abs() < 1e-3, "{ratio} {known}");
            let told = |note: &&mercer::fit::Note| note.text().contains("leading eigenvalues");
            assert!(found.report.notes.iter().any(|n| told(&n)));
        }
    }
    // What another setting undoes is refused.
    for machine in [
        machine.clone().eigenvalues(Some(5)),
        machine
            .clone()
            .spectrum(SpectrumPart::Em)
            .strength(Strength::Gamma(1.0)),
        machine
            .spectrum(SpectrumPart::Truncated)
            .strength(Strength::LeaveOneOut),
    ] {
        assert!(machine.fit(&data, &FitContext::default()).is_err());
    }
}
