//! Projections beside scikit-learn's, on worked examples, and on rows that are no rows.

use std::path::PathBuf;

use mercer_linalg::{Csr, Matrix, Par, Precision};
use serde_json::Value;

use super::{Algorithm, AxesSolver, Contrast, Divisor, Ica, KernelPca, Pca, SourceVariance};
use super::{projected, projection_named};
use crate::data::{Dataset, Records, Targets};
use crate::fit::{FitContext, StopReason};
use crate::kernel::KernelSpec;
use crate::learn::{AnyEstimator, Estimator};
use crate::model::expansion::KernelExpansion;
use crate::model::{Form, Projection};

fn oracle() -> Value {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("tests/data/oracle/projection.json");
    let text = std::fs::read_to_string(path).expect("the answers are bundled");
    serde_json::from_str(&text).expect("JSON")
}

fn matrix(value: &Value) -> Matrix<f64> {
    let rows = value.as_array().expect("rows");
    let width = rows[0].as_array().expect("a row").len();
    Matrix::from_fn(rows.len(), width, |i, j| {
        rows[i][j].as_f64().expect("a number")
    })
}

fn numbers(value: &Value) -> Vec<f64> {
    let values = value.as_array().expect("a list").iter();
    values.map(|v| v.as_f64().expect("a number")).collect()
}

fn data(rows: Matrix<f64>) -> Dataset {
    Dataset::try_new(Records::from_points(rows), Targets::None).expect("rows")
}

fn near(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let size = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!(
            (a - b).abs() <= tolerance * size.max(1e-300),
            "{what}, place {k}: {a} instead of {b}"
        );
    }
}

fn coordinates(model: &Projection, rows: Matrix<f64>) -> Matrix<f64> {
    let form = Form::from(model.clone());
    let context = FitContext::default();
    let found = form.predict(&Records::from_points(rows), &context);
    found.expect("coordinates").decisions
}

fn kernel_coordinates(model: &KernelExpansion, rows: Matrix<f64>) -> Matrix<f64> {
    let form = Form::from(model.clone());
    let context = FitContext::default();
    let found = form.predict(&Records::from_points(rows), &context);
    found.expect("coordinates").decisions
}

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
        // Rows near 1e6 with a spread of 1e-3 have nine digits less.
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
fn kernel_components_are_those_of_scikit_learn() {
    let document = oracle();
    let cases = document["kernel_pca"].as_array().expect("cases");
    assert_eq!(cases.len(), 5);
    for case in cases {
        let id = case["id"].as_str().expect("an id");
        let rows = matrix(&case["rows"]);
        let kernel: KernelSpec = case["kernel"].as_str().unwrap().parse().unwrap();
        let count = case["components"].as_u64().map(|n| n as usize);
        let mut kpca = KernelPca::default().kernel(kernel).components(count);
        if let Some(ridge) = case["ridge"].as_f64() {
            kpca = kpca.restore(true).ridge(ridge);
        }
        let context = FitContext::default();
        let fitted = kpca.fit(&data(rows), &context).expect(id);
        assert_eq!(fitted.report.stop_reason, StopReason::Converged, "{id}");
        let told = fitted.report.projection.as_ref().expect("eigenvalues");
        // Blocks of single precision leave the digits of single precision, and less of a turn.
        let digits = if id == "many" { 1e-6 } else { 1e-9 };
        near(
            &told.eigenvalues,
            &numbers(&case["eigenvalues"]),
            digits,
            id,
        );
        let new = matrix(&case["new"]);
        let found = kernel_coordinates(&fitted.model, new);
        let expected = matrix(&case["coordinates"]);
        near(found.as_slice(), expected.as_slice(), 1e2 * digits, id);
        let vectors = matrix(&case["eigenvectors"]);
        for k in 0..told.eigenvalues.len() {
            let root = told.eigenvalues[k].sqrt();
            let line: Vec<f64> = fitted
                .model
                .coefficients
                .row(k)
                .iter()
                .map(|c| c * root)
                .collect();
            if told.eigenvalues[k] > 1e-3 * told.eigenvalues[0] {
                near(&line, vectors.row(k), 1e3 * digits, id);
            }
        }
        if case["back"].is_array() {
            let back = fitted
                .model
                .restore(&expected, &context.cancel)
                .expect("learnt");
            near(back.as_slice(), matrix(&case["back"]).as_slice(), 1e-8, id);
        }
    }
}

fn five() -> Matrix<f64> {
    Matrix::from_vec(5, 2, vec![0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 2.0, 1.0, 1.0, 3.0])
}

#[test]
fn the_worked_example_of_kernel_components() {
    let kpca = KernelPca::default()
        .kernel(KernelSpec::rbf(0.25))
        .components(Some(2));
    let context = FitContext::default();
    let fitted = kpca.fit(&data(five()), &context).unwrap();
    let told = fitted.report.projection.as_ref().unwrap();
    assert!((told.eigenvalues[0] - 1.124_416_55).abs() < 5e-9);
    assert!((told.eigenvalues[1] - 1.037_267_1).abs() < 5e-9);
    assert!((told.shares().iter().sum::<f64>() - 0.844_876_27).abs() < 5e-9);
    let place = kernel_coordinates(&fitted.model, Matrix::from_vec(1, 2, vec![1.0, 1.0]));
    assert!(place[(0, 0)].abs() < 5e-9 && (place[(0, 1)].abs() - 0.095_592_99).abs() < 6e-9);
    let new = Records::from_points(Matrix::from_vec(2, 2, vec![1.0, 1.0, 9.0, 9.0]));
    let rest = fitted.model.residuals(&new, &context).unwrap();
    assert!((rest[0] - 0.223_729_02).abs() < 5e-9 && (rest[1] - 1.468_586_61).abs() < 5e-9);
    let plain = kpca.centred(false).fit(&data(five()), &context).unwrap();
    let told = plain.report.projection.unwrap();
    assert!((told.eigenvalues[0] - 2.523_476_73).abs() < 5e-9);
    assert!((told.eigenvalues[1] - 1.124_416_55).abs() < 5e-9);
}

#[test]
fn stored_and_streamed_products_are_the_same() {
    let rows = Matrix::from_fn(900, 4, |i, j| {
        (((i + 1) * (2 * j + 3) * 37) % 211) as f64 / 70.0
    });
    let kpca = KernelPca::default()
        .kernel(KernelSpec::rbf(0.3))
        .components(Some(6));
    let stored = kpca
        .fit(&data(rows.clone()), &FitContext::default())
        .unwrap();
    let streamed = kpca
        .fit(
            &data(rows.clone()),
            &FitContext::default().memory_limit(1 << 20),
        )
        .unwrap();
    let one = kpca
        .fit(&data(rows.clone()), &FitContext::default().threads(1))
        .unwrap();
    assert!(stored.report.kernel().kernel_bytes >= 900 * 900 * 2);
    assert!(streamed.report.kernel().kernel_bytes <= 16 << 20);
    assert!(
        streamed.report.kernel().kernel_evaluations > stored.report.kernel().kernel_evaluations
    );
    // Bit for bit: neither memory nor threads have a say.
    assert!(stored.model == streamed.model, "memory has a say");
    assert!(stored.model == one.model, "threads have a say");
    // The eigenvectors are what they are said to be: K_c v = λ v in double precision.
    let told = stored.report.projection.unwrap();
    assert!(told.residual <= 1e-7);
    let gram = stored
        .model
        .kernel
        .gram(&Records::from_points(rows), Par::Sequential)
        .unwrap();
    let n = 900;
    for (k, value) in told.eigenvalues.iter().enumerate() {
        let v: Vec<f64> = stored
            .model
            .coefficients
            .row(k)
            .iter()
            .map(|c| c * value.sqrt())
            .collect();
        let image: Vec<f64> = (0..n)
            .map(|i| mercer_linalg::dot(gram.row(i), &v))
            .collect();
        let mean = image.iter().sum::<f64>() / n as f64;
        let rest: f64 = (0..n)
            .map(|i| (image[i] - mean - value * v[i]).powi(2))
            .sum();
        assert!(rest.sqrt() < 1e-6 * told.eigenvalues[0], "{k}: {rest}");
    }
}

#[test]
fn texts_have_components() {
    let words = [
        "banana", "bananas", "bandana", "cherry", "cherries", "sherry",
    ];
    let data = Dataset::try_new(Records::from_texts(words), Targets::None).unwrap();
    let kernel: KernelSpec = "normalise(spectrum(n=2))"
        .parse()
        .unwrap_or_else(|_| "spectrum".parse().unwrap());
    let fitted = KernelPca::default()
        .kernel(kernel)
        .components(Some(2))
        .fit(&data, &FitContext::default())
        .unwrap();
    let form = Form::from(fitted.model);
    let places = form
        .predict(
            &Records::from_texts(["banana", "cherry"]),
            &FitContext::default(),
        )
        .unwrap()
        .decisions;
    // Fruits of one kind lie on one side.
    assert!(places[(0, 0)] * places[(1, 0)] < 0.0);
}

#[test]
fn noise_is_taken_off() {
    // A ring with noise: rows near it come back onto it.
    let angle = |i: usize| i as f64 * 0.21;
    let noise = |i: usize| 0.08 * ((i * 7919 % 31) as f64 / 15.0 - 1.0);
    let ring = Matrix::from_fn(90, 2, |i, j| {
        let r = 1.0 + noise(i);
        if j == 0 {
            r * angle(i).cos()
        } else {
            r * angle(i).sin()
        }
    });
    let kpca = KernelPca::default()
        .kernel(KernelSpec::rbf(1.0))
        .components(Some(6))
        .restore(true)
        .ridge(0.01);
    let context = FitContext::default();
    let fitted = kpca.fit(&data(ring), &context).unwrap();
    let off = Records::from_points(Matrix::from_vec(
        3,
        2,
        vec![1.3, 0.0, 0.0, -0.75, -0.9, 0.9],
    ));
    let found = fitted.model.denoise(&off, &context).unwrap();
    assert_eq!(found.unsettled, 0);
    for k in 0..3 {
        let length = found.rows.row(k).iter().map(|v| v * v).sum::<f64>().sqrt();
        assert!((length - 1.0).abs() < 0.1, "{k}: {length}");
    }
    let rest = fitted.model.residuals(&off, &context).unwrap();
    let cleaned = fitted
        .model
        .residuals(&Records::from_points(found.rows), &context)
        .unwrap();
    assert!(
        cleaned.iter().zip(&rest).all(|(a, b)| a < b),
        "{cleaned:?} {rest:?}"
    );
    // Another kernel needs the way back to be learnt.
    let poly: KernelSpec = "poly(degree=2)".parse().unwrap();
    let plain = KernelPca::default().kernel(poly).components(Some(2));
    let plain = plain.fit(&data(five()), &context).unwrap();
    assert!(plain.model.denoise(&off, &context).is_err());
    assert!(
        plain
            .model
            .restore(&Matrix::zeros(1, 2), &context.cancel)
            .is_err()
    );
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len() as f64;
    let (ma, mb) = (a.iter().sum::<f64>() / n, b.iter().sum::<f64>() / n);
    let sum = |f: &dyn Fn(usize) -> f64| (0..a.len()).map(f).sum::<f64>();
    let ab = sum(&|i| (a[i] - ma) * (b[i] - mb));
    let (aa, bb) = (sum(&|i| (a[i] - ma).powi(2)), sum(&|i| (b[i] - mb).powi(2)));
    ab / (aa * bb).sqrt()
}

#[test]
fn the_worked_example_of_independent_components() {
    let source = |t: usize, k: usize| {
        if k == 0 {
            // The sign of 0 is 0, as at t = 0.
            let wave = (std::f64::consts::TAU * t as f64 / 97.0).sin();
            if wave == 0.0 { 0.0 } else { wave.signum() }
        } else {
            (t % 61) as f64 / 30.5 - 1.0
        }
    };
    let mixing = [[1.0, 1.0], [0.5, 2.0]];
    let rows = Matrix::from_fn(2000, 2, |t, j| {
        mixing[j][0] * source(t, 0) + mixing[j][1] * source(t, 1)
    });
    let context = FitContext::default();
    let best = |places: &Matrix<f64>, k: usize| {
        let own: Vec<f64> = (0..2000).map(|t| source(t, k)).collect();
        (0..2)
            .map(|j| {
                correlation(&own, &(0..2000).map(|t| places[(t, j)]).collect::<Vec<_>>()).abs()
            })
            .fold(0.0, f64::max)
    };
    for algorithm in [Algorithm::Symmetric, Algorithm::Deflation] {
        for contrast in [Contrast::LogCosh, Contrast::Exp, Contrast::Cube] {
            let ica = Ica::default().algorithm(algorithm).contrast(contrast);
            let fitted = ica.fit(&data(rows.clone()), &context).unwrap();
            assert_eq!(fitted.report.stop_reason, StopReason::Converged);
            let places = coordinates(&fitted.model, rows.clone());
            for k in 0..2 {
                let found = best(&places, k);
                assert!(found > 0.9999, "{algorithm:?} {contrast:?} {k}: {found}");
            }
        }
    }
    let pca = Pca::default().fit(&data(rows.clone()), &context).unwrap();
    let places = coordinates(&pca.model, rows);
    let least = best(&places, 0).min(best(&places, 1));
    assert!((least - 0.766).abs() < 0.001, "{least}");
}

#[test]
fn sources_are_those_of_scikit_learn() {
    let document = oracle();
    let rows = matrix(&document["ica"]["rows"]);
    let start = matrix(&document["ica"]["start"]);
    let cases = document["ica"]["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 12);
    for case in cases {
        let id = case["id"].as_str().unwrap();
        let setting = |name: &str| case[name].clone();
        let ica = Ica {
            algorithm: serde_json::from_value(setting("algorithm")).unwrap(),
            contrast: serde_json::from_value(setting("contrast")).unwrap(),
            variance: serde_json::from_value(setting("variance")).unwrap(),
            steepness: case["steepness"].as_f64().unwrap(),
            max_iterations: 400,
            tolerance: 1e-10,
            ..Ica::default()
        };
        let found = ica.fit_from(&data(rows.clone()), Some(&start), &FitContext::default());
        let found = found.expect(id);
        let model = &found.model;
        let whitening = model.whitening.as_ref().unwrap();
        near(
            whitening.as_slice(),
            matrix(&case["whitening"]).as_slice(),
            1e-9,
            id,
        );
        near(&model.mean, &numbers(&case["mean"]), 1e-12, id);
        near(
            model.components.as_slice(),
            matrix(&case["components"]).as_slice(),
            1e-7,
            id,
        );
        let mixing = matrix(&case["mixing"]).transposed();
        near(model.way_back().as_slice(), mixing.as_slice(), 1e-7, id);
        let steps = found
            .report
            .solver()
            .iterations
            .abs_diff(case["iterations"].as_u64().unwrap());
        assert!(steps <= 2, "{id}: {steps} steps more or less");
    }
    let white = Ica {
        variance: SourceVariance::Arbitrary,
        ..Ica::default()
    };
    assert!(
        white
            .clone()
            .steepness(3.0)
            .fit(&data(rows.clone()), &FitContext::default())
            .is_err()
    );
    let wrong = Matrix::zeros(2, 2);
    assert!(
        white
            .fit_from(&data(rows), Some(&wrong), &FitContext::default())
            .is_err()
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
fn kernels_that_are_none_are_told() {
    let context = FitContext::default();
    let sigmoid: KernelSpec = "sigmoid(scale=1, offset=-1, form=tanh)".parse().unwrap();
    let rows = Matrix::from_fn(40, 2, |i, j| ((i * (3 * j + 5)) % 17) as f64 / 4.0 - 2.0);
    let found = KernelPca::default()
        .kernel(sigmoid)
        .components(Some(3))
        .fit(&data(rows.clone()), &context)
        .unwrap();
    assert!(
        found
            .report
            .notes
            .iter()
            .any(|n| n.text().contains("negative eigenvalues"))
    );
    // A kernel that is 0 everywhere.
    let zeros = Matrix::zeros(4, 2);
    let linear = KernelPca::default().components(Some(2));
    let found = linear.fit(&data(zeros), &context).unwrap();
    let told = found.report.projection.unwrap();
    assert_eq!(told.eigenvalues, [0.0, 0.0]);
    // More components than rows.
    let few = KernelPca::default()
        .kernel(KernelSpec::rbf(0.5))
        .components(Some(9));
    let found = few.fit(&data(five()), &context).unwrap();
    assert_eq!(found.model.decisions(), 5);
    assert!(
        found
            .report
            .notes
            .iter()
            .any(|n| n.text().contains("instead of 9"))
    );
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
