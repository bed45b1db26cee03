//! Kernel k-means.

use mercer::data::{Dataset, Records, Targets};
use mercer::fit::{FitContext, Note};
use mercer::learn::Estimator;
use mercer::learn::cluster::{KMeans, KernelKMeans};
use mercer::model::{Answers, Form};
use mercer_linalg::Matrix;

use super::{groups, records};

fn data(records: Records) -> Dataset {
    Dataset::try_new(records, Targets::None).expect("rows")
}

fn method(clusters: usize, kernel: &str) -> KernelKMeans {
    let kernel = kernel.parse().expect("a kernel");
    KernelKMeans::default().clusters(clusters).kernel(kernel)
}

fn clusters(form: &Form, rows: &Records) -> Vec<u32> {
    let found = form.predict(rows, &FitContext::default()).expect("answers");
    match found.answers {
        Answers::Clusters { codes, .. } => codes,
        _ => panic!("clusters"),
    }
}

/// Whether two lists of numbers name the same groups.
fn same(a: &[u32], b: &[u32]) -> bool {
    let pairs = |i: usize, j: usize| (a[i] == a[j]) == (b[i] == b[j]);
    (0..a.len()).all(|i| (0..i).all(|j| pairs(i, j)))
}

#[test]
fn the_linear_kernel_is_k_means() {
    let x = groups(150, 3, 4, 6);
    let context = FitContext::default();
    let fitted = method(4, "linear")
        .fit(&data(records(&x)), &context)
        .expect("clusters");
    let means = KMeans::default().clusters(4).starts(Some(10));
    let means = means
        .solve(&records(&x), None, None, &context)
        .expect("clusters");
    let objective = fitted.report.solver.as_ref().expect("an account").objective;
    assert!(
        (objective - means.inertia).abs() < 1e-8 * means.inertia,
        "{objective}"
    );
    let form = Form::from(fitted.model);
    assert!(same(&clusters(&form, &records(&x)), &means.labels));
    // New rows go to the nearest mean.
    let new = groups(40, 3, 7, 1);
    let nearest = mercer::learn::cluster::nearest(
        &means.centres,
        &records(&new),
        mercer_linalg::Par::Sequential,
        &context.cancel,
    );
    let all: Vec<u32> = [
        clusters(&form, &records(&x)),
        clusters(&form, &records(&new)),
    ]
    .concat();
    let expected = [means.labels, nearest.expect("rows").0].concat();
    assert!(same(&all, &expected));
}

#[test]
fn the_objective_never_rises() {
    let x = groups(120, 2, 9, 2);
    for kernel in [
        "rbf(gamma=0.3)",
        "linear",
        "poly(degree=2)",
        "laplace(scale=2.5)",
    ] {
        let mut last = f64::INFINITY;
        for steps in 1..12 {
            let fitted = method(5, kernel)
                .starts(1)
                .max_iterations(steps)
                .fit(&data(records(&x)), &FitContext::default())
                .expect("clusters");
            let objective = fitted.report.solver.expect("an account").objective;
            assert!(
                objective <= last * (1.0 + 1e-12),
                "{kernel}: {objective} after {last}"
            );
            last = objective;
        }
    }
}

#[test]
fn xor_parts_and_texts_do() {
    // Four groups around (±1, ±1): the product of the columns tells two pairs of them apart.
    let corners = Matrix::from_fn(80, 2, |i, j| {
        let sign = if (i >> j) % 2 == 0 { 1.0 } else { -1.0 };
        sign + 0.1 * ((i * (3 + j)) % 7) as f64 / 7.0
    });
    let fitted = method(2, "poly(degree=2, offset=0, scale=1)")
        .fit(&data(records(&corners)), &FitContext::default())
        .expect("clusters");
    let found = clusters(&Form::from(fitted.model), &records(&corners));
    let pairs: Vec<u32> = (0..80).map(|i| (i ^ (i >> 1)) % 2).collect();
    assert!(same(&found, &pairs), "{found:?}");
    let words = ["banana", "bananas", "ananas", "kernel", "kernels", "kern"];
    let fitted = method(2, "normalise(spectrum(length=2))")
        .fit(&data(Records::from_texts(words)), &FitContext::default())
        .expect("clusters");
    let found = clusters(&Form::from(fitted.model), &Records::from_texts(words));
    assert!(same(&found, &[0, 0, 0, 1, 1, 1]), "{found:?}");
}

#[test]
fn threads_memory_order_and_copies_do_not_matter() {
    let x = groups(90, 2, 5, 3);
    let fit = |rows: &Dataset, context: &FitContext| {
        method(5, "rbf(gamma=0.2)")
            .fit(rows, context)
            .expect("clusters")
    };
    let plain = fit(&data(records(&x)), &FitContext::default().threads(1));
    let other = FitContext::default().threads(3).memory_limit(1000);
    assert_eq!(fit(&data(records(&x)), &other).model, plain.model);
    let order: Vec<usize> = (0..90).map(|i| (i * 7 + 1) % 90).collect();
    let turned = fit(&data(records(&x)).select(&order), &FitContext::default());
    assert_eq!(turned.model.coefficients, plain.model.coefficients);
    let weights: Vec<f64> = (0..90).map(|i| 1.0 + (i % 2) as f64).collect();
    let copied: Vec<usize> = (0..90)
        .flat_map(|i| std::iter::repeat_n(i, 1 + i % 2))
        .collect();
    let weighted = data(records(&x)).with_weights(weights).expect("weights");
    let copies = data(records(&x)).select(&copied);
    let (a, b) = (fit(&weighted, &other), fit(&copies, &other));
    assert_eq!(a.model.coefficients, b.model.coefficients);
}

#[test]
fn few_rows_and_odd_kernels() {
    let context = FitContext::default();
    let x = Matrix::from_fn(12, 1, |i, _| (i % 3) as f64);
    let fitted = method(5, "rbf(gamma=1)")
        .fit(&data(records(&x)), &context)
        .expect("clusters");
    assert_eq!(fitted.model.decisions(), 3);
    let told = |note: &Note| note.text().contains("3 of 5 clusters have rows");
    assert!(
        fitted.report.notes.iter().any(told),
        "{:?}",
        fitted.report.notes
    );
    let one = method(1, "linear")
        .fit(&data(records(&x)), &context)
        .expect("a cluster");
    let objective = one.report.solver.expect("an account").objective;
    assert!((objective - 8.0).abs() < 1e-12, "{objective}");
    let many = method(13, "linear").fit(&data(records(&x)), &context);
    assert!(many.expect_err("rows").to_string().contains("at most 12"));
    // Not positive semidefinite: it ends, whatever the objective does.
    let x = groups(40, 2, 4, 2);
    let odd = method(3, "sigmoid(scale=0.5, offset=-2)").fit(&data(records(&x)), &context);
    assert!(odd.is_ok());
}
