//! Features as coordinates: results of scikit-learn, files, threads and bad input.

use mercer_linalg::{Matrix, Precision, dot};
use serde_json::Value;

use super::{Nystroem, RandomFeatures};
use crate::data::{Dataset, Encoder, Records, Storage, Targets, Task};
use crate::features::{FeatureMap, FourierMap, FrequencyDraw, LandmarkRule, Landmarks};
use crate::fit::{FitContext, Note};
use crate::kernel::{KernelSpec, ResolvedKernel};
use crate::learn::project::projection_named;
use crate::learn::{AnyEstimator, Estimator};
use crate::model::{Form, Trained};

fn oracle() -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/oracle/features.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).expect("recorded results")).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list");
    list.iter().map(|v| v.as_f64().expect("a number")).collect()
}

fn matrix(value: &Value) -> Matrix<f64> {
    let rows: Vec<Vec<f64>> = value
        .as_array()
        .expect("rows")
        .iter()
        .map(numbers)
        .collect();
    Matrix::from_vec(rows.len(), rows[0].len(), rows.concat())
}

fn data(rows: Matrix<f64>) -> Dataset {
    Dataset::try_new(Records::from_points(rows), Targets::None).unwrap()
}

fn coordinates(form: &Form, rows: &Records) -> Matrix<f64> {
    let context = FitContext::default();
    form.predict(rows, &context).unwrap().decisions
}

fn near(found: &Matrix<f64>, wanted: &Matrix<f64>, tolerance: f64, what: &str) {
    assert_eq!(found.as_slice().len(), wanted.as_slice().len());
    for (a, b) in found.as_slice().iter().zip(wanted.as_slice()) {
        assert!((a - b).abs() <= tolerance, "{what}: {a} {b}");
    }
}

#[test]
fn landmarks_are_those_of_scikit_learn() {
    let oracle = oracle();
    let (rows, new) = (
        data(matrix(&oracle["rows"])),
        Records::from_points(matrix(&oracle["new"])),
    );
    for case in oracle["nystroem"].as_array().expect("cases") {
        let text = case["kernel"].as_str().unwrap();
        let kernel: KernelSpec = text.parse().unwrap();
        let chosen = numbers(&case["landmarks"])
            .iter()
            .map(|v| *v as usize)
            .collect();
        let landmarks = Landmarks::of_rows(&rows.records, chosen).unwrap();
        let method = Nystroem::default().kernel(kernel);
        let fitted = method
            .fit_at(&rows, landmarks, &FitContext::default())
            .unwrap();
        let model = fitted.model.expansion().expect("an expansion");
        near(&model.coefficients, &matrix(&case["root"]), 1e-8, text);
        near(
            &coordinates(&fitted.model, &new),
            &matrix(&case["features"]),
            1e-8,
            text,
        );
    }
}

#[test]
fn given_frequencies_are_those_of_scikit_learn() {
    let oracle = oracle();
    let rows = Records::from_points(matrix(&oracle["rows"]));
    let new = Records::from_points(matrix(&oracle["new"]));
    for case in oracle["rbf_sampler"].as_array().expect("cases") {
        let gamma = case["gamma"].as_f64().unwrap();
        let kernel: ResolvedKernel = format!("rbf(gamma={gamma})").parse().unwrap();
        let weights = matrix(&case["weights"]);
        let amplitude = (2.0 / weights.rows() as f64).sqrt();
        let offsets = numbers(&case["offsets"]);
        let map = FourierMap::given(&kernel, &rows.features, weights, offsets, amplitude).unwrap();
        let bound = FeatureMap::from(map).bind(Precision::F64).unwrap();
        let found = bound
            .features(&new, &FitContext::default().threads(1))
            .unwrap();
        near(&found, &matrix(&case["features"]), 1e-12, "frequencies");
    }
}

fn some_rows(n: usize) -> Matrix<f64> {
    Matrix::from_fn(n, 3, |i, c| (((i + 1) * (2 * c + 3)) % 41) as f64 / 13.0)
}

fn methods() -> Vec<AnyEstimator> {
    let rbf = || KernelSpec::rbf(0.4);
    let mut all: Vec<AnyEstimator> = vec![
        RandomFeatures::default()
            .kernel("poly(degree=2, scale=0.2)".parse().unwrap())
            .components(Some(32))
            .into(),
        RandomFeatures::default()
            .kernel("matern(2.5, 2)".parse().unwrap())
            .components(Some(9))
            .into(),
    ];
    for draw in [
        FrequencyDraw::Orthogonal,
        FrequencyDraw::Independent,
        FrequencyDraw::Structured,
        FrequencyDraw::Quasi,
    ] {
        let method = RandomFeatures::default().kernel(rbf()).components(Some(40));
        all.push(method.frequencies(draw).into());
    }
    for rule in [
        LandmarkRule::Pivoted,
        LandmarkRule::Uniform,
        LandmarkRule::SquaredDiagonal,
        LandmarkRule::Kmeans,
    ] {
        all.push(
            Nystroem::default()
                .kernel(rbf())
                .components(Some(12))
                .landmarks(rule)
                .into(),
        );
    }
    all
}

#[test]
fn files_keep_every_bit_and_threads_change_none() {
    let rows = data(some_rows(300));
    for method in methods() {
        let fit = |threads| {
            let context = FitContext::default().threads(threads).seed(9);
            method.fit(&rows, &context, None).unwrap()
        };
        let (one, two) = (fit(1), fit(2));
        assert_eq!(one.model, two.model, "{method:?}");
        assert_eq!(one.model.task(), Task::Embed);
        let found = coordinates(&one.model, &rows.records);
        assert_eq!(found, coordinates(&two.model, &rows.records));
        // Rows alone are as rows among others.
        let alone = coordinates(&one.model, &rows.records.select(&[17]));
        assert_eq!(alone.row(0), found.row(17), "{method:?}");
        let encoder = Encoder::identity(3, Storage::Dense);
        let trained = Trained::new(Task::Embed, method.name(), encoder, one.model, one.report);
        let again = Trained::from_parts(trained.to_parts()).unwrap();
        assert_eq!(coordinates(&again.form, &rows.records), found, "{method:?}");
        let told = trained
            .report
            .notes
            .iter()
            .any(|note| note.text().contains("off the kernel"));
        assert!(told, "{method:?}");
    }
}

#[test]
fn the_bound_is_told_for_independent_frequencies_alone() {
    let rows = data(some_rows(50));
    let told = |kernel: &str, draw| {
        let kernel: KernelSpec = kernel.parse().unwrap();
        let method = RandomFeatures::default().kernel(kernel).frequencies(draw);
        let fitted = method.fit(&rows, &FitContext::default()).unwrap();
        let notes: Vec<String> = fitted
            .report
            .notes
            .iter()
            .map(|n| n.text().to_owned())
            .collect();
        notes.join("\n")
    };
    let plain = told("rbf(gamma=0.5)", FrequencyDraw::Independent);
    assert!(
        plain.contains("with probability") && plain.contains("pairs of features bring"),
        "{plain}"
    );
    assert!(told("laplace(1)", FrequencyDraw::Independent).contains("no bound"));
    assert!(!told("rbf(gamma=0.5)", FrequencyDraw::Orthogonal).contains("with probability"));
}

#[test]
fn numbers_of_features_are_told_where_they_differ() {
    let rows = data(some_rows(20));
    let context = FitContext::default();
    let has = |notes: &[Note], text: &str| notes.iter().any(|note| note.text().contains(text));
    let odd = RandomFeatures::default()
        .components(Some(7))
        .fit(&rows, &context)
        .unwrap();
    assert_eq!(odd.model.width(), 8);
    assert!(has(&odd.report.notes, "8 features instead of 7"));
    let poly = RandomFeatures::default()
        .kernel(KernelSpec::poly(2, 1.0, 0.1))
        .components(Some(100));
    let poly = poly.fit(&rows, &context).unwrap();
    assert_eq!(poly.model.width(), 128);
    let open = Nystroem::default()
        .landmarks(LandmarkRule::Uniform)
        .fit(&rows, &context)
        .unwrap();
    assert_eq!(open.model.width(), 20);
    let many = Nystroem::default()
        .components(Some(21))
        .fit(&rows, &context)
        .unwrap();
    assert!(has(&many.report.notes, "landmarks instead of 21"));
    let one = Nystroem::default()
        .components(Some(1))
        .fit(&rows, &context)
        .unwrap();
    assert_eq!(one.model.width(), 1);
}

#[test]
fn what_cannot_be_is_refused() {
    let context = FitContext::default();
    let rows = data(some_rows(5));
    let linear = RandomFeatures::default()
        .kernel(KernelSpec::linear())
        .fit(&rows, &context);
    let error = linear.unwrap_err();
    assert!(error.to_string().contains("`linear`"), "{error}");
    assert!(error.hints()[0].to_string().contains("`nystroem`"));
    assert!(
        RandomFeatures::default()
            .components(Some(0))
            .fit(&rows, &context)
            .is_err()
    );
    assert!(
        Nystroem::default()
            .components(Some(0))
            .fit(&rows, &context)
            .is_err()
    );
    let none = data(Matrix::zeros(0, 3));
    assert!(Nystroem::default().fit(&none, &context).is_err());
    assert!(RandomFeatures::default().fit(&none, &context).is_err());
    let missing = data(Matrix::from_vec(2, 1, vec![f64::NAN, 1.0]));
    assert!(Nystroem::default().fit(&missing, &context).is_err());
    assert!(RandomFeatures::default().fit(&missing, &context).is_err());
    context.cancel.cancel();
    assert!(Nystroem::default().fit(&rows, &context).is_err());
}

#[test]
fn constant_columns_and_single_rows_have_features() {
    let context = FitContext::default();
    for rows in [
        Matrix::from_vec(1, 2, vec![3.0, 4.0]),
        Matrix::from_vec(3, 1, vec![7.0; 3]),
    ] {
        let rows = data(rows);
        for method in [
            AnyEstimator::from(Nystroem::default()),
            AnyEstimator::from(RandomFeatures::default()),
        ] {
            let fitted = method.fit(&rows, &context, None).unwrap();
            let found = coordinates(&fitted.model, &rows.records);
            // Equal rows, whose kernel value is 1.
            let last = rows.len() - 1;
            assert!(
                (dot(found.row(0), found.row(last)) - 1.0).abs() < 1e-9,
                "{method:?}"
            );
        }
    }
}

#[test]
fn projections_are_read_by_name() {
    for (text, name) in [
        ("nystroem=20", "nystroem"),
        ("rff=30", "rff"),
        ("rff", "rff"),
    ] {
        let method = projection_named(text).unwrap();
        assert_eq!(method.name(), name);
        assert!(crate::learn::project::check(&method).is_ok());
    }
    assert!(
        projection_named("nystrom=20").unwrap_err().hints()[0]
            .to_string()
            .contains("nystroem")
    );
}

#[test]
fn residuals_of_coordinates_are_those_of_the_landmarks() {
    let rows = data(Matrix::from_vec(4, 1, vec![0.0, 1.0, 2.0, 3.0]));
    let landmarks = Landmarks::of_rows(&rows.records, vec![0, 3]).unwrap();
    let method = Nystroem::default().kernel(KernelSpec::rbf(0.5));
    let context = FitContext::default();
    let fitted = method.fit_at(&rows, landmarks, &context).unwrap();
    let model = fitted.model.expansion().unwrap();
    let left = model.residuals(&rows.records, &context).unwrap();
    assert!((left.iter().sum::<f64>() - 1.231_162_49).abs() < 5e-9);
}
