//! The hard margin: exact geometry, and a proof when there is none.

use mercer::Error;
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::expansion::{KernelExpansion, Machine};
use mercer::learn::margin::{Bias, Svc};
use proptest::prelude::*;

use super::generate::{classification, two_classes};

fn linear_weights(model: &KernelExpansion) -> (Vec<f64>, f64) {
    let mercer::data::Block::Dense(support) = model.support.features.points.widened() else {
        panic!("dense rows stay dense");
    };
    let Machine::Classifier {
        coefficients,
        biases,
        ..
    } = &model.machine
    else {
        panic!("a classifier");
    };
    let mut w = vec![0.0; support.columns()];
    for i in 0..support.rows() {
        for (w, x) in w.iter_mut().zip(support.row(i)) {
            *w += coefficients[(0, i)] * x;
        }
    }
    (w, biases[0])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_margin_is_the_measured_distance((rows, labels) in two_classes()) {
        // Pushing the classes apart along the first axis makes them separable.
        let rows: Vec<Vec<f64>> = rows
            .iter()
            .zip(&labels)
            .map(|(r, l)| vec![r[0] + if *l { 4.0 } else { -4.0 }, r[1], r[2]])
            .collect();
        let fitted = Svc::default()
            .kernel(KernelSpec::linear())
            .hard()
            .tolerance(1e-6)
            .fit(&classification(&rows, &labels), &FitContext::default())
            .expect("separable by construction");
        let (w, b) = linear_weights(&fitted.model);
        let norm = w.iter().map(|v| v * v).sum::<f64>().sqrt();
        let smallest = rows
            .iter()
            .zip(&labels)
            .map(|(row, l)| {
                let f: f64 = row.iter().zip(&w).map(|(x, w)| x * w).sum::<f64>() + b;
                (if *l { f } else { -f }) / norm
            })
            .fold(f64::INFINITY, f64::min);
        let margin = fitted.report.problems[0].margin.expect("a margin");
        prop_assert!(
            (smallest - margin).abs() <= 1e-4 * margin,
            "{} {} {:?}",
            smallest,
            margin,
            fitted.report.problems[0]
        );
        prop_assert!((1.0 / norm - margin).abs() <= 1e-4 * margin);
    }

    #[test]
    fn rbf_separates_unless_equal_rows_disagree((rows, labels) in two_classes()) {
        let contradiction = (0..rows.len()).any(|i| {
            (0..i).any(|j| rows[i] == rows[j] && labels[i] != labels[j])
        });
        let result = Svc::default()
            .kernel(KernelSpec::rbf(4.0))
            .hard()
            .fit(&classification(&rows, &labels), &FitContext::default());
        match result {
            Ok(fitted) => {
                prop_assert!(!contradiction);
                prop_assert!(fitted.report.problems[0].bounded_support_vectors == 0);
            }
            Err(Error::NotSeparable { evidence, .. }) => {
                prop_assert!(contradiction, "{}", evidence);
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}

#[test]
fn overlapping_classes_are_refused_with_rows() {
    // The point 2 of class b lies between 1 and 3 of class a.
    let rows = vec![vec![1.0], vec![3.0], vec![2.0], vec![9.0]];
    let error = Svc::default()
        .kernel(KernelSpec::linear())
        .hard()
        .fit(
            &classification(&rows, &[true, true, false, false]),
            &FitContext::default(),
        )
        .expect_err("not separable");
    let text = error.to_string();
    assert!(
        text.contains("rows 1, 2") || text.contains("rows 2, 1"),
        "{text}"
    );
    assert!(text.contains("row 3"), "{text}");
    assert!(error.hints().iter().any(|h| h.contains("soft")));
}

#[test]
fn without_bias_the_plane_passes_through_the_origin() {
    // Separable with a bias, not without: both classes on one side of the origin.
    let rows = vec![vec![1.0], vec![2.0]];
    let data = classification(&rows, &[true, false]);
    let machine = |bias| {
        Svc::default()
            .kernel(KernelSpec::linear())
            .hard()
            .bias(bias)
    };
    assert!(
        machine(Bias::Free)
            .fit(&data, &FitContext::default())
            .is_ok()
    );
    let error = machine(Bias::None)
        .fit(&data, &FitContext::default())
        .expect_err("no plane through the origin separates");
    assert!(matches!(error, Error::NotSeparable { .. }));
    let regularised = machine(Bias::Regularised)
        .tolerance(1e-6)
        .fit(&data, &FitContext::default())
        .expect("(x, 1) is separable through the origin");
    let (w, b) = linear_weights(&regularised.model);
    // min w² + b² subject to w + b ≥ 1 and 2w + b ≤ −1: w = −2, b = 3.
    assert!(
        (w[0] + 2.0).abs() < 1e-3 && (b - 3.0).abs() < 1e-3,
        "{w:?} {b}"
    );
}

#[test]
fn a_soft_margin_with_large_c_is_the_hard_one() {
    let rows: Vec<Vec<f64>> = (0..30)
        .map(|i| vec![f64::from(i % 6), f64::from(i / 6)])
        .collect();
    let labels: Vec<bool> = rows.iter().map(|r| r[0] + r[1] > 4.2).collect();
    let data = classification(&rows, &labels);
    let context = FitContext::default();
    let machine = Svc::default().kernel(KernelSpec::linear()).tolerance(1e-6);
    let hard = machine
        .clone()
        .hard()
        .fit(&data, &context)
        .expect("separable");
    let soft = machine.c(1e6).fit(&data, &context).expect("sound");
    let (a, b) = (hard.report.problems[0].norm, soft.report.problems[0].norm);
    assert!((a - b).abs() < 1e-4 * a, "{a} {b}");
}
