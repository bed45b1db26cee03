//! Principal axes.

use mercer_linalg::{Csr, Matrix};
use serde_json::Value;

use super::{coordinates, data, matrix, near, numbers, oracle};
use crate::data::{Dataset, Records, Targets};
use crate::fit::{FitContext, StopReason};
use crate::learn::Estimator;
use crate::learn::project::{AxesSolver, Divisor, Pca};

fn pca_of(case: &Value) -> Pca {
    let pca = Pca::default().whiten(case["whiten"] == true);
    match &case["components"] {
        Value::String(_) => pca.likeliest(true),
        Value::Number(n) if n.is_u64() => pca.components(n.as_u64().map(|n| n as usize)),
        Value::Number(share) => pca.explained(share.as_f64()),
        _ => pca,
    }
}

#[test]
fn axes_are_those_of_scikit_learn() {
    let document = oracle();
    let cases = document["pca"].as_array().expect("cases");
    assert_eq!(cases.len(), 8);
    for case in cases {
        let id = case["id"].as_str().expect("an id");
        let rows = matrix(&case["rows"]);
        let fitted = pca_of(case).fit(&data(rows), &FitContext::default());
        let fitted = fitted.expect(id);
        let told = fitted.report.projection.as_ref().expect("variances");
        // Rows near 1e6 with a standard deviation of 1e-3 have nine digits less.
        let digits = if id == "far" { 1e-5 } else { 1e-9 };
        assert_eq!(
            told.eigenvalues.len() as u64,
            case["found"].as_u64().unwrap(),
            "{id}"
        );
        near(&told.eigenvalues, &numbers(&case["variances"]), digits, id);
        for (k, v) in numbers(&case["variances"]).iter().enumerate() {
            let off = (told.eigenvalues[k] / v - 1.0).abs();
            assert!(off < digits.max(1e-6), "{id}: variance {k} is off by {off}");
        }
        near(&told.shares(), &numbers(&case["shares"]), digits, id);
        near(
            &told.singular_values,
            &numbers(&case["singular_values"]),
            digits,
            id,
        );
        let noise = case["noise"].as_f64().unwrap();
        assert!(
            (told.noise.unwrap() - noise).abs() <= digits * told.total,
            "{id}"
        );
        let axes = matrix(&case["axes"]);
        let model = &fitted.model;
        near(
            model.components.as_slice(),
            axes.as_slice(),
            1e3 * digits,
            id,
        );
        let new = matrix(&case["new"]);
        let found = coordinates(model, new);
        let expected = matrix(&case["coordinates"]);
        near(found.as_slice(), expected.as_slice(), 1e3 * digits, id);
        let back = model.restore(&expected).expect("as many");
        near(back.as_slice(), matrix(&case["back"]).as_slice(), 1e-9, id);
    }
}

#[test]
fn every_way_to_the_axes_is_the_same() {
    let document = oracle();
    for (case, count) in [(0, 3), (5, 4)] {
        let rows = matrix(&document["pca"][case]["rows"]);
        let sparse = Csr::from_dense(rows.as_ref());
        let exact = Pca::default()
            .components(Some(count))
            .axes(AxesSolver::Exact);
        let blocks = exact.clone().axes(AxesSolver::Randomised);
        let context = FitContext::default();
        let first = exact.fit(&data(rows.clone()), &context).unwrap();
        let sparse = Dataset::try_new(Records::from_points(sparse), Targets::None).unwrap();
        let others = [
            blocks.fit(&data(rows), &context).unwrap(),
            exact.fit(&sparse, &context).unwrap(),
            blocks.fit(&sparse, &context).unwrap(),
        ];
        for other in others {
            assert_eq!(other.report.stop_reason, StopReason::Converged);
            let (a, b) = (&first.model.components, &other.model.components);
            near(b.as_slice(), a.as_slice(), 1e-6, "axes");
            let values = |r: &crate::fit::FitReport| r.projection.clone().unwrap().eigenvalues;
            near(
                &values(&other.report),
                &values(&first.report),
                1e-9,
                "variances",
            );
        }
    }
}

#[test]
fn many_rows_and_columns_go_by_products() {
    // Five directions and noise.
    let (n, d) = (1500, 700);
    let rows = Matrix::from_fn(n, d, |i, j| {
        let wave = |k: usize| {
            ((i * (k + 3) % 101) as f64 / 50.0 - 1.0) * ((j * (k + 7) % 53) as f64 / 26.0 - 1.0)
        };
        (0..5).map(|k| wave(k) / (k + 1) as f64).sum::<f64>()
            + 1e-3 * ((i * 31 + j * 17) % 29) as f64
    });
    let pca = Pca::default().components(Some(3));
    let context = FitContext::default();
    let found = pca.fit(&data(rows.clone()), &context).unwrap();
    assert!(
        found.report.solver().iterations > 0,
        "blocks are faster here"
    );
    let told = found.report.projection.unwrap();
    assert!(told.residual <= 1e-7);
    let exact = pca
        .axes(AxesSolver::Exact)
        .fit(&data(rows), &context)
        .unwrap();
    let expected = exact.report.projection.unwrap();
    near(&told.eigenvalues, &expected.eigenvalues, 1e-9, "variances");
    assert!((told.total / expected.total - 1.0).abs() < 1e-12);
}

#[test]
fn the_worked_example_of_whitening() {
    // (2,1), (1,2), (−2,−1), (−1,−2), divided by n: variances 4.5 and 0.5, error with one axis 0.5.
    let rows = Matrix::from_vec(4, 2, vec![2.0, 1.0, 1.0, 2.0, -2.0, -1.0, -1.0, -2.0]);
    let pca = Pca::default().divisor(Divisor::Rows);
    let fitted = pca
        .fit(&data(rows.clone()), &FitContext::default())
        .unwrap();
    let told = fitted.report.projection.unwrap();
    near(&told.eigenvalues, &[4.5, 0.5], 1e-12, "variances");
    let one = pca.clone().components(Some(1));
    let one = one
        .fit(&data(rows.clone()), &FitContext::default())
        .unwrap();
    assert!((one.report.solver().objective - 0.5).abs() < 1e-12);
    let back = one
        .model
        .restore(&coordinates(&one.model, rows.clone()))
        .unwrap();
    let error: f64 = back
        .as_slice()
        .iter()
        .zip(rows.as_slice())
        .map(|(a, b)| (a - b).powi(2))
        .sum();
    assert!((error / 4.0 - 0.5).abs() < 1e-12);
    let white = pca.whiten(true);
    let white = white
        .fit(&data(rows.clone()), &FitContext::default())
        .unwrap();
    for value in coordinates(&white.model, rows).as_slice() {
        assert!((value.abs() - 1.0).abs() < 1e-12, "{value}");
    }
}

#[test]
fn rows_far_from_zero_and_columns_that_do_not_vary() {
    // Whole numbers, so that the shift rounds nothing; three blocks of rows.
    let value = |i: usize, j: usize| match j {
        4 => 0.0,
        _ => ((i * (7 + 6 * j) + j * i * i) % 23) as f64,
    };
    let fit = |shift: f64, threads: usize| {
        let rows = Matrix::from_fn(2500, 5, |i, j| {
            value(i, j) + shift + if j == 4 { 0.1 } else { 0.0 }
        });
        let context = FitContext::default().threads(threads);
        Pca::default().fit(&data(rows), &context).expect("axes")
    };
    let near_zero = fit(0.0, 1);
    let variances = |fitted: &crate::fit::Fitted<crate::model::Projection>| {
        let told = fitted.report.projection.as_ref().expect("variances");
        assert!((told.eigenvalues.iter().sum::<f64>() / told.total - 1.0).abs() < 1e-12);
        told.eigenvalues.clone()
    };
    let expected = variances(&near_zero);
    assert_eq!(expected[4], 0.0);
    let far = fit(f64::from(1 << 30), 2);
    near(&variances(&far), &expected, 1e-12, "variances");
    let mean =
        |fitted: &crate::fit::Fitted<crate::model::Projection>, j: usize| fitted.model.mean[j];
    for j in 0..4 {
        let exact = (0..2500).map(|i| value(i, j)).sum::<f64>() / 2500.0;
        assert!((mean(&near_zero, j) - exact).abs() < 1e-12);
        assert!((mean(&far, j) - exact - f64::from(1 << 30)).abs() < 1e-6);
    }
    assert_eq!(near_zero.model, fit(0.0, 2).model);
    assert_eq!(far.model, fit(f64::from(1 << 30), 1).model);
    // Every row is the same: nothing is left of rounding.
    let same = data(Matrix::from_fn(5000, 3, |_, j| 0.1 + j as f64));
    let told = Pca::default()
        .fit(&same, &FitContext::default())
        .expect("axes");
    assert_eq!(told.report.projection.expect("variances").total, 0.0);
}
