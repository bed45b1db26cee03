//! Components in the space of a kernel.

use mercer_linalg::{Matrix, Par};

use super::{data, five, kernel_coordinates, matrix, near, numbers, oracle};
use crate::data::{Dataset, Records, Targets};
use crate::fit::{FitContext, StopReason};
use crate::kernel::KernelSpec;
use crate::learn::Estimator;
use crate::learn::project::KernelPca;
use crate::model::Form;

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
    let kernel: KernelSpec = "normalise(spectrum(length=2))".parse().unwrap();
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
