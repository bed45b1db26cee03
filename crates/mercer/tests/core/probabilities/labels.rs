//! Labels follow probabilities and class factors; what is stored comes back.

use mercer::data::{Encoder, Storage, Task};
use mercer::fit::{FitReport, Fitted, Note};
use mercer::learn::least_squares::Strength;
use mercer::learn::margin::Svc;
use mercer::model::Trained;
use mercer::model::expansion::KernelExpansion;
use mercer_linalg::Matrix;

use super::points::{decisions, even, factor, fit, least_squares};

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
    let machine = fitted.model.readout.classes().expect("classes");
    (0..x.rows())
        .filter(|&row| {
            let by_sign = u32::from(values[(row, 0)] <= 0.0);
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
    let encoder = Encoder::identity(2, Storage::Dense);
    let form = fitted.model.into();
    Trained::new(Task::Classify, method, encoder, form, fitted.report)
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
    assert_eq!(again.form, whole.form);
    let mut broken = parts;
    broken.metadata = broken.metadata.replace("[4.0,1.0]", "[4.0]");
    assert!(Trained::from_parts(broken).is_err());
}
