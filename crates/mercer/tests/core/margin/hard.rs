//! The hard margin: exact geometry, and a proof when there is none.

use mercer::Error;
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::margin::{Bias, Svc};
use mercer::model::expansion::KernelExpansion;
use proptest::prelude::*;

use super::generate::{classification, two_classes};

fn linear_weights(model: &KernelExpansion) -> (Vec<f64>, f64) {
    let mercer::data::Block::Dense(support) = model.support.features.points.widened() else {
        panic!("dense rows stay dense");
    };
    let (coefficients, biases) = (&model.coefficients, &model.biases);
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
        let margin = fitted.report.solver().problems[0].margin.expect("a margin");
        prop_assert!(
            (smallest - margin).abs() <= 1e-4 * margin,
            "{} {} {:?}",
            smallest,
            margin,
            fitted.report.solver().problems[0]
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
                prop_assert!(fitted.report.solver().problems[0].bounded_support_vectors == 0);
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
    assert!(error.hints().iter().any(|h| h.to_string().contains("soft")));
}

#[test]
fn advice_fits_the_kernel_and_the_rows() {
    let hints = |kernel, rows: &[Vec<f64>], labels: &[bool]| {
        let machine = Svc::default().kernel(kernel).hard();
        let error = machine
            .fit(&classification(rows, labels), &FitContext::default())
            .expect_err("not separable");
        let hints: Vec<String> = error.hints().iter().map(ToString::to_string).collect();
        hints.join("; ")
    };
    // Equal rows of two classes are one point to every kernel: none helps.
    let equal = [vec![1.0, 2.0], vec![1.0, 2.0], vec![3.0, 4.0]];
    let told = hints(KernelSpec::rbf(1.0), &equal, &[true, false, true]);
    assert!(
        told.contains("soft margin") && !told.contains("kernel"),
        "{told}"
    );
    let between = [vec![1.0], vec![3.0], vec![2.0]];
    let told = hints(KernelSpec::linear(), &between, &[true, true, false]);
    assert!(
        told.contains("`rbf`") && told.contains("larger gamma"),
        "{told}"
    );
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
    let (a, b) = (
        hard.report.solver().problems[0].norm,
        soft.report.solver().problems[0].norm,
    );
    assert!((a - b).abs() < 1e-4 * a, "{a} {b}");
}

/// Example 16.1 of the lecture notes: |x| > 2 by a plane over (x, x²).
fn parabola(most: i32) -> (Vec<Vec<f64>>, Vec<bool>) {
    let rows: Vec<Vec<f64>> = (-most..=most)
        .map(|x| vec![f64::from(x), f64::from(x * x)])
        .collect();
    let labels = rows.iter().map(|r| r[0].abs() > 2.0).collect();
    (rows, labels)
}

#[test]
fn rows_far_away_hide_no_margin() {
    for most in [10, 300, 700, 1000] {
        let (rows, labels) = parabola(most);
        let fitted = Svc::default()
            .kernel(KernelSpec::linear())
            .hard()
            .fit(&classification(&rows, &labels), &FitContext::default())
            .unwrap_or_else(|e| panic!("up to {most}: {e}"));
        let (w, b) = linear_weights(&fitted.model);
        // The border is x² = 6.5, half-way between 4 and 9.
        assert!((-b / w[1] - 6.5).abs() < 1e-2, "up to {most}: {w:?} {b}");
        let margin = fitted.report.solver().problems[0].margin.expect("a margin");
        assert!((margin - 2.5).abs() < 1e-2, "up to {most}: {margin}");
    }
}

#[test]
fn rows_far_away_hide_no_margin_with_a_regularised_bias() {
    for most in [10, 100, 300, 600, 1000] {
        let (rows, labels) = parabola(most);
        let fitted = Svc::default()
            .kernel(KernelSpec::linear())
            .hard()
            .bias(Bias::Regularised)
            .fit(&classification(&rows, &labels), &FitContext::default())
            .unwrap_or_else(|e| panic!("up to {most}: {e}"));
        // min w² + b² subject to 4w + b ≤ −1, 9w + b ≥ 1: w = 0.4, b = −2.6.
        let (w, b) = linear_weights(&fitted.model);
        assert!(
            w[0].abs() < 1e-2 && (w[1] - 0.4).abs() < 1e-2 && (b + 2.6).abs() < 2e-2,
            "up to {most}: {w:?} {b}"
        );
        let objective = fitted.report.solver().objective;
        assert!((objective - 3.46).abs() < 2e-2, "up to {most}: {objective}");
    }
}

#[test]
fn a_column_of_large_numbers_hides_no_margin() {
    let rows: Vec<Vec<f64>> = (0..40)
        .map(|i| {
            vec![
                f64::from(i * 7919 % 41) * 25_000.0,
                if i % 2 == 0 { 1.0 } else { -1.0 },
            ]
        })
        .collect();
    let labels: Vec<bool> = rows.iter().map(|r| r[1] > 0.0).collect();
    let fitted = Svc::default()
        .kernel(KernelSpec::linear())
        .hard()
        .fit(&classification(&rows, &labels), &FitContext::default())
        .expect("separable by the second column");
    let margin = fitted.report.solver().problems[0].margin.expect("a margin");
    assert!((margin - 1.0).abs() < 1e-2, "{margin}");
}

#[test]
fn rows_that_nearly_agree_are_separated_or_refused_for_precision() {
    // Distances in the feature space of 1e-6 can be told in double precision, 1e-12 cannot.
    let near = |distance: f64| {
        let rows = vec![vec![0.0], vec![distance], vec![1.0]];
        Svc::default().kernel(KernelSpec::rbf(0.5)).hard().fit(
            &classification(&rows, &[true, false, true]),
            &FitContext::default(),
        )
    };
    let fitted = near(1e-6).expect("the rows differ");
    let margin = fitted.report.solver().problems[0].margin.expect("a margin");
    // Half the distance of the two rows, less what the third one takes away.
    assert!((1e-7..=5.1e-7).contains(&margin), "{margin}");
    let error = near(1e-12)
        .expect_err("beyond double precision")
        .to_string();
    assert!(error.contains("beyond this precision"), "{error}");
    let equal = near(0.0).expect_err("a contradiction").to_string();
    assert!(equal.contains("same point"), "{equal}");
}

#[test]
fn a_refusal_through_the_origin_speaks_of_multiples() {
    let refused = |rows: &[Vec<f64>], labels: &[bool], bias| {
        Svc::default()
            .kernel(KernelSpec::linear())
            .hard()
            .bias(bias)
            .fit(&classification(rows, labels), &FitContext::default())
            .expect_err("no plane through the origin")
            .to_string()
    };
    let text = refused(&[vec![1.0], vec![2.0]], &[true, false], Bias::None);
    assert!(
        text.contains("positive multiples of row 1 of the first and of row 2 of the second meet"),
        "{text}"
    );
    assert!(text.contains("through the origin"), "{text}");
    // A row at the origin is on no side of any plane through it.
    let (rows, labels) = parabola(1000);
    let text = refused(&rows, &labels, Bias::None);
    assert!(
        text.contains("lies at the origin") && text.contains("never on the right side"),
        "{text}"
    );
    assert!(
        !text.contains("no rows") && !text.contains("below"),
        "{text}"
    );
}

#[test]
fn the_margin_of_a_regularised_bias_is_the_distance_to_the_plane() {
    // The plane x = 1.5 is half away from both rows, although ‖(w, b)‖ = √13.
    let rows = vec![vec![1.0], vec![2.0]];
    let data = classification(&rows, &[true, false]);
    let machine = Svc::default()
        .kernel(KernelSpec::linear())
        .bias(Bias::Regularised)
        .tolerance(1e-6);
    let hard = machine.clone().hard().fit(&data, &FitContext::default());
    let hard = hard.expect("separable").report;
    assert!(
        (hard.solver().objective - 6.5).abs() < 1e-3,
        "{}",
        hard.solver().objective
    );
    let soft = machine.c(1e6).fit(&data, &FitContext::default());
    let soft = soft.expect("sound").report;
    for report in [hard, soft] {
        let margin = report.solver().problems[0].margin.expect("a margin");
        assert!((margin - 0.5).abs() < 1e-4, "{margin}");
    }
}
