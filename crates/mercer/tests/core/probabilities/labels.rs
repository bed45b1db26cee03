//! Labels follow probabilities and class factors; what is stored comes back.

use std::collections::BTreeMap;

use mercer::data::{Encoder, Records, Storage, Task};
use mercer::fit::{FitReport, Fitted, Note};
use mercer::learn::expansion::{KernelExpansion, Machine, Sigmoid};
use mercer::learn::margin::Svc;
use mercer::learn::squared::Strength;
use mercer::model::{AnyModel, Trained};
use mercer_linalg::Matrix;

use super::points::{decisions, even, factor, fit, least_squares, noise, probabilities};

/// Rare rows at one end, so that probabilities are below a half where decisions are above 0.
fn uneven() -> (Matrix<f64>, Vec<bool>) {
    let x = even(1, 150);
    let positive = (0..150)
        .map(|i| x[(i, 0)] > 0.75 && (7 * i) % 10 < 6)
        .collect();
    (x, positive)
}

fn differing(report: &FitReport) -> Option<&str> {
    let notes = report.notes.iter().map(Note::text);
    notes.into_iter().find(|n| n.contains("get another class"))
}

fn count(fitted: &Fitted<KernelExpansion>, x: &Matrix<f64>) -> usize {
    let values = decisions(&fitted.model, x);
    let machine = &fitted.model.machine;
    (0..x.rows())
        .filter(|&row| {
            let by_sign = Some(u32::from(values[(row, 0)] <= 0.0));
            machine.class(values.row(row)) != by_sign
        })
        .count()
}

#[test]
fn rows_that_differ_from_the_sign_are_counted() {
    let (x, positive) = uneven();
    let mut seen = 0;
    for on_a in [1.0, 0.2, 4.0] {
        let machine =
            least_squares("rbf(gamma=5)", Strength::Gamma(2.0)).class_weights(factor(on_a));
        let svc = Svc::default()
            .kernel("rbf(gamma=5)".parse().expect("a kernel"))
            .class_weights(factor(on_a));
        for fitted in [
            fit(&machine, &x, &positive),
            fit(&svc.clone().probability(true), &x, &positive),
        ] {
            let expected = count(&fitted, &x);
            let found = differing(&fitted.report).map(|n| n.split(' ').next().expect("a number"));
            assert_eq!(found.unwrap_or("0"), expected.to_string());
            seen += usize::from(expected > 0);
        }
        // Without probabilities the sign decides, and there is nothing to tell.
        let plain = fit(&svc, &x, &positive);
        assert_eq!((count(&plain, &x), differing(&plain.report)), (0, None));
    }
    assert!(seen >= 2, "{seen}");
}

fn trained(fitted: Fitted<KernelExpansion>, method: &str) -> Trained {
    Trained {
        task: Task::Classify,
        method: method.to_owned(),
        target: None,
        id: None,
        encoder: Encoder::identity(2, Storage::Dense),
        model: AnyModel::Expansion(fitted.model),
        attributes: BTreeMap::new(),
        report: fitted.report,
    }
}

#[test]
fn class_factors_are_stored_where_there_are_any() {
    let (x, positive) = uneven();
    let machine = least_squares("rbf(gamma=5)", Strength::Gamma(2.0));
    let plain = trained(fit(&machine, &x, &positive), "ls_svc").to_parts();
    assert!(!plain.metadata.contains("class_factors"));
    let weighted = machine.class_weights(factor(4.0));
    let whole = trained(fit(&weighted, &x, &positive), "ls_svc");
    let parts = whole.to_parts();
    assert!(parts.metadata.contains("\"class_factors\":[4.0,1.0]"));
    let again = Trained::from_parts(parts.clone()).expect("whole");
    assert_eq!(again.model, whole.model);
    let mut broken = parts;
    broken.metadata = broken.metadata.replace("[4.0,1.0]", "[4.0]");
    assert!(Trained::from_parts(broken).is_err());
}

#[test]
fn reversed_sigmoids_of_older_files_are_read_as_shares() {
    let (x, positive) = noise(60);
    let fitted = fit(
        &least_squares("rbf(gamma=1)", Strength::Evidence),
        &x,
        &positive,
    );
    let mut old = trained(fitted, "ls_svc");
    let AnyModel::Expansion(model) = &mut old.model;
    if let Machine::Classifier { sigmoids, .. } = &mut model.machine {
        *sigmoids = Some(vec![Sigmoid { a: 900.0, b: 360.0 }]);
    }
    let read = Trained::from_parts(old.to_parts()).expect("whole");
    let AnyModel::Expansion(model) = &read.model;
    for p in probabilities(model, &x) {
        assert!((p - 0.3).abs() < 1e-12, "{p}");
    }
    let alert = |n: &Note| matches!(n, Note::Alert(text) if text.contains("shares"));
    assert!(read.report.notes.iter().any(alert));
    // Records are answered as before.
    let records = Records::from_points(x);
    let context = mercer::fit::FitContext::default();
    assert_eq!(
        read.predict_records(&records, &context)
            .expect("answers")
            .len(),
        60
    );
}
