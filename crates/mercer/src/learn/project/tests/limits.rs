//! Weights, threads, limits, and rows that are none.

use mercer_linalg::{Matrix, Par, Precision};
use serde_json::Value;

use super::{coordinates, data, five, kernel_coordinates, matrix, near, oracle};
use crate::data::Records;
use crate::fit::{FitContext, StopReason};
use crate::kernel::KernelSpec;
use crate::learn::project::{Ica, KernelPca, Pca, projected, projection_named};
use crate::learn::{AnyEstimator, Estimator};
use crate::model::Form;

#[test]
fn weights_are_copies() {
    let document = oracle();
    let rows = matrix(&document["pca"][0]["rows"]);
    let weights: Vec<f64> = (0..rows.rows()).map(|i| (i % 4) as f64).collect();
    let copies: Vec<usize> = (0..rows.rows()).flat_map(|i| vec![i; i % 4]).collect();
    let weighed = data(rows.clone()).with_weights(weights).unwrap();
    let copied = data(rows.select_rows(&copies));
    let context = FitContext::default();
    let pca = Pca::default().components(Some(3));
    let (a, b) = (
        pca.fit(&weighed, &context).unwrap(),
        pca.fit(&copied, &context).unwrap(),
    );
    near(
        a.model.components.as_slice(),
        b.model.components.as_slice(),
        1e-9,
        "axes",
    );
    let values = |r: &crate::fit::FitReport| r.projection.clone().unwrap().eigenvalues;
    near(&values(&a.report), &values(&b.report), 1e-12, "variances");
    for centred in [true, false] {
        let kernel = KernelSpec::rbf(0.1);
        let kpca = KernelPca::default()
            .kernel(kernel)
            .components(Some(3))
            .centred(centred);
        let (a, b) = (
            kpca.fit(&weighed, &context).unwrap(),
            kpca.fit(&copied, &context).unwrap(),
        );
        near(&values(&a.report), &values(&b.report), 1e-10, "eigenvalues");
        let total = |r: &crate::fit::FitReport| r.projection.clone().unwrap().total;
        assert!((total(&a.report) / total(&b.report) - 1.0).abs() < 1e-10);
        let new = matrix(&document["pca"][0]["new"]);
        let (x, y) = (
            kernel_coordinates(&a.model, new.clone()),
            kernel_coordinates(&b.model, new.clone()),
        );
        near(x.as_slice(), y.as_slice(), 1e-8, "coordinates");
        let new = Records::from_points(new);
        let (x, y) = (
            a.model.residuals(&new, &context).unwrap(),
            b.model.residuals(&new, &context).unwrap(),
        );
        near(&x, &y, 1e-9, "residuals");
    }
    let ica = Ica::default().tolerance(1e-10);
    let start = matrix(&document["ica"]["start"]);
    let mixed = matrix(&document["ica"]["rows"]);
    let weights: Vec<f64> = (0..mixed.rows()).map(|i| (i % 3) as f64).collect();
    let copies: Vec<usize> = (0..mixed.rows()).flat_map(|i| vec![i; i % 3]).collect();
    let weighed = data(mixed.clone()).with_weights(weights).unwrap();
    let copied = data(mixed.select_rows(&copies));
    let a = ica.fit_from(&weighed, Some(&start), &context).unwrap();
    let b = ica.fit_from(&copied, Some(&start), &context).unwrap();
    near(
        a.model.components.as_slice(),
        b.model.components.as_slice(),
        1e-6,
        "sources",
    );
}

#[test]
fn rows_that_are_no_rows() {
    let context = FitContext::default();
    let one = data(Matrix::from_vec(1, 2, vec![1.0, 2.0]));
    let equal = data(Matrix::from_vec(3, 2, vec![1.0, 2.0, 1.0, 2.0, 1.0, 2.0]));
    let nan = data(Matrix::from_vec(2, 2, vec![1.0, f64::NAN, 0.0, 1.0]));
    for (name, rows) in [("one row", &one), ("equal rows", &equal)] {
        let found = Pca::default().fit(rows, &context).expect(name);
        let told = found.report.projection.unwrap();
        assert!(
            told.total == 0.0 && told.eigenvalues.iter().all(|v| *v == 0.0),
            "{name}"
        );
        assert!(
            found
                .report
                .notes
                .iter()
                .any(|n| n.text().contains("equal")),
            "{name}"
        );
        let white = Pca::default().whiten(true).fit(rows, &context).expect(name);
        let places = coordinates(&white.model, Matrix::from_vec(1, 2, vec![1.0, 2.0]));
        assert!(places.as_slice().iter().all(|v| *v == 0.0));
        assert!(Ica::default().fit(rows, &context).is_err(), "{name}");
        let kernel = KernelPca::default().kernel(KernelSpec::rbf(1.0));
        assert!(kernel.fit(rows, &context).is_err(), "{name}");
        let asked = kernel.components(Some(1)).fit(rows, &context).expect(name);
        assert!(
            asked.report.notes.iter().any(crate::fit::Note::is_alert),
            "{name}"
        );
    }
    let error = Pca::default().fit(&nan, &context).unwrap_err().to_string();
    assert!(error.contains("row 1"), "{error}");
    assert!(KernelPca::default().fit(&nan, &context).is_err());
    assert!(Ica::default().fit(&nan, &context).is_err());
    let error = Pca::default()
        .components(Some(3))
        .fit(&equal, &context)
        .unwrap_err()
        .to_string();
    assert!(error.contains("at most 2"), "{error}");
    assert!(
        Pca::default()
            .components(Some(0))
            .fit(&equal, &context)
            .is_err()
    );
    let twice = Pca::default().components(Some(1)).explained(Some(0.5));
    assert!(twice.fit(&equal, &context).is_err());
    // A constant column beside others has no part in any axis.
    let constant = Matrix::from_fn(6, 3, |i, j| {
        if j == 1 {
            7.0
        } else {
            ((i * (j + 2)) % 5) as f64
        }
    });
    let found = Pca::default()
        .components(Some(2))
        .fit(&data(constant), &context)
        .unwrap();
    assert!((0..2).all(|k| found.model.components[(k, 1)].abs() < 1e-12));
    // Columns of numbers at the ends of what there is.
    let large = data(Matrix::from_fn(5, 2, |i, j| {
        ((i * (j + 1)) % 4) as f64 * 1e200
    }));
    let told = Pca::default()
        .fit(&large, &context)
        .map(|f| f.report.projection.unwrap());
    assert!(told.is_err() || told.unwrap().singular_values[0].is_finite());
}

#[test]
fn limits_end_a_search_and_are_told() {
    let rows = Matrix::from_fn(800, 6, |i, j| {
        (((i + 1) * (2 * j + 3) * 37) % 211) as f64 / 70.0
    });
    let kpca = KernelPca {
        kernel: KernelSpec::rbf(3.0),
        max_iterations: Some(1),
        components: Some(8),
        ..KernelPca::default()
    };
    let found = kpca.fit(&data(rows), &FitContext::default()).unwrap();
    assert_eq!(found.report.stop_reason, StopReason::IterationLimit);
    assert!(
        found
            .report
            .notes
            .iter()
            .any(|n| n.text().contains("not converged"))
    );
    assert!(found.report.projection.unwrap().residual > 1e-7);
    let document = oracle();
    let mixed = matrix(&document["ica"]["rows"]);
    let short = Ica::default().max_iterations(1).tolerance(0.0);
    let found = short.fit(&data(mixed), &FitContext::default()).unwrap();
    assert_eq!(found.report.stop_reason, StopReason::IterationLimit);
    let cancelled = FitContext::default();
    cancelled.cancel.cancel();
    assert!(Pca::default().fit(&data(five()), &cancelled).is_err());
}

#[test]
fn projections_by_name() {
    let named = |text: &str| projection_named(text).map(|e| (e.name(), e.get("components")));
    assert_eq!(named("pca=10").unwrap(), ("pca", Some(10.into())));
    assert_eq!(named("kpca=20").unwrap(), ("kpca", Some(20.into())));
    assert_eq!(named("ica").unwrap(), ("ica", Some(Value::Null)));
    assert_eq!(
        projection_named("whiten").unwrap().get("whiten"),
        Some(true.into())
    );
    assert!(named("pca=0").is_err() && named("svd=3").is_err() && named("pca=x").is_err());
    let svc = AnyEstimator::named("svc").unwrap();
    assert!(projected(&svc, &data(five()), &FitContext::default()).is_err());
}

#[test]
fn predictions_do_not_depend_on_threads() {
    let rows = Matrix::from_fn(3000, 40, |i, j| ((i * (j + 3)) % 97) as f64 / 10.0);
    let wide = data(rows.clone());
    let one = FitContext::default().threads(1);
    let two = FitContext::default().threads(2);
    let pca = Pca::default().components(Some(5));
    assert_eq!(
        pca.fit(&wide, &one).unwrap().model,
        pca.fit(&wide, &two).unwrap().model
    );
    let ica = Ica::default().components(Some(5)).max_iterations(5);
    let (a, b) = (
        ica.fit(&wide, &one).unwrap().model,
        ica.fit(&wide, &two).unwrap().model,
    );
    assert_eq!(a, b);
    let form = Form::from(a);
    let decider = form.decider(Precision::F64).unwrap();
    let records = Records::from_points(rows);
    let alone = decider
        .decisions(&records, Par::Sequential, &one.cancel)
        .unwrap();
    let shared = two
        .install(|| decider.decisions(&records, Par::Rayon, &two.cancel))
        .unwrap()
        .unwrap();
    assert_eq!(alone, shared);
}
