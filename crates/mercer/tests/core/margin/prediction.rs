//! Results for new rows: close to the formula, and a property of the row alone.

use mercer::data::{ClassTargets, Dataset, Points, Records, Targets};
use mercer::fit::{Cancel, FitContext};
use mercer::kernel::{KernelSpec, TileMut};
use mercer::learn::Estimator;
use mercer::learn::margin::Svc;
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::Scheme;
use mercer_linalg::{Csr, Matrix, Par, Precision, Rows};

fn points(rows: usize, seed: usize) -> Matrix<f64> {
    let value = |i: usize, j: usize| ((i * 7 + j * 13 + seed) as f64 * 0.737).sin() * 2.0;
    Matrix::from_fn(rows, 4, |i, j| {
        value(i * i % 911, j) + if i % 3 == j { 1.0 } else { 0.0 }
    })
}

fn fit(kernel: &str, classes: usize, scheme: Scheme, sparse: bool) -> KernelExpansion {
    let rows = points(180, 5);
    let labels: Vec<String> = (0..180).map(|i| format!("{}", i % classes)).collect();
    let targets = Targets::Classes(ClassTargets::from_labels(&labels));
    let points = if sparse {
        Points::from(Csr::from_dense(rows.as_ref()))
    } else {
        Points::from(rows)
    };
    let data = Dataset::try_new(Records::from_points(points), targets).expect("180 rows");
    let kernel: KernelSpec = kernel.parse().expect("a kernel");
    let svc = Svc {
        scheme,
        ..Svc::default().kernel(kernel).c(1.0)
    };
    svc.fit(&data, &FitContext::default()).expect("a fit").model
}

/// Decisions by the plain formula in double precision.
fn expected(model: &KernelExpansion, rows: &Records) -> Matrix<f64> {
    let bound = model.kernel.bind(&model.support).expect("binds");
    let query = bound.query(rows).expect("same width");
    let mut k = Matrix::zeros(rows.len(), bound.len());
    let (all, support) = (Rows::Range(0..rows.len()), Rows::Range(0..bound.len()));
    query.tile(all, support, TileMut::F64(k.as_mut()), Par::Sequential);
    let KernelExpansion {
        class_sizes,
        coefficients,
        biases,
        ..
    } = model;
    let readout = model.readout.classes().expect("a classifier");
    let (labels, scheme) = (&readout.labels, readout.scheme);
    let classes: Vec<usize> = (0..labels.len())
        .flat_map(|c| std::iter::repeat_n(c, class_sizes[c]))
        .collect();
    let pairs: Vec<(usize, usize)> = (0..labels.len())
        .flat_map(|a| (a + 1..labels.len()).map(move |b| (a, b)))
        .collect();
    Matrix::from_fn(rows.len(), biases.len(), |row, d| {
        let coefficient = |sv: usize| match scheme {
            Scheme::OneVsRest | Scheme::Softmax => coefficients[(d, sv)],
            Scheme::OneVsOne => match pairs[d] {
                (a, b) if classes[sv] == a => coefficients[(b - 1, sv)],
                (a, b) if classes[sv] == b => coefficients[(a, sv)],
                _ => 0.0,
            },
        };
        let sum: f64 = (0..classes.len())
            .map(|sv| coefficient(sv) * k[(row, sv)])
            .sum();
        sum + biases[d]
    })
}

const BOTH: [Precision; 2] = [Precision::F32, Precision::F64];

fn decide(model: &KernelExpansion, rows: &Records, precision: Precision) -> Matrix<f64> {
    let predictor = model.predictor(precision).expect("binds");
    let decisions = predictor.decisions(rows, Par::Sequential, &Cancel::default());
    decisions.expect("same width")
}

const KERNELS: [&str; 6] = [
    "rbf",
    "poly(degree=3, offset=1)",
    "linear",
    "laplace",
    "2*rbf(gamma=0.1) + linear",
    "normalise(poly(degree=2))",
];

#[test]
fn decisions_agree_with_the_formula() {
    let new = Records::from_points(points(150, 77));
    for kernel in KERNELS {
        for (classes, scheme) in [
            (2, Scheme::OneVsOne),
            (4, Scheme::OneVsOne),
            (4, Scheme::OneVsRest),
        ] {
            for sparse in [false, true] {
                let model = fit(kernel, classes, scheme, sparse);
                let wanted = expected(&model, &new);
                // Single precision promises three digits, double precision all but rounding.
                for (precision, tolerance) in [(Precision::F32, 4e-4), (Precision::F64, 1e-11)] {
                    let found = decide(&model, &new, precision);
                    for (f, g) in found.as_slice().iter().zip(wanted.as_slice()) {
                        let close = (f - g).abs() <= tolerance * g.abs().max(1.0);
                        assert!(close, "{kernel} in {precision}: {f} {g}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_gauss_machine_is_answered_in_single_precision() {
    let model = fit("rbf", 2, Scheme::OneVsOne, false);
    let chosen = |precision| model.predictor(precision).expect("binds").precision();
    assert_eq!(chosen(Precision::F32), Precision::F32);
    assert_eq!(chosen(Precision::F64), Precision::F64);
}

#[test]
fn a_row_alone_gets_the_answer_it_gets_among_others() {
    let mut table = points(230, 3);
    // One row beyond single precision, one beyond all support vectors.
    table[(100, 1)] = 1e19;
    table[(101, 1)] = 50.0;
    for kernel in KERNELS {
        for sparse in [false, true] {
            let model = fit(kernel, 3, Scheme::OneVsOne, false);
            let rows = Records::from_points(if sparse {
                Points::from(Csr::from_dense(table.as_ref()))
            } else {
                Points::from(table.clone())
            });
            for precision in BOTH {
                let all = decide(&model, &rows, precision);
                for row in [0, 1, 95, 96, 100, 101, 102, 229] {
                    let alone = decide(&model, &rows.select(&[row]), precision);
                    assert_eq!(alone.row(0), all.row(row), "{kernel}, row {row}");
                }
                let some = decide(&model, &rows.slice(90..110), precision);
                assert_eq!(some.row(12), all.row(102));
            }
        }
    }
}

#[test]
fn threads_do_not_change_answers() {
    let many = Records::from_points(points(250_000, 9));
    for kernel in ["rbf", "poly(degree=3, offset=1)", "linear"] {
        let model = fit(kernel, 3, Scheme::OneVsOne, false);
        for precision in BOTH {
            let predictor = model.predictor(precision).expect("binds");
            // The cheaper the kernel, the more rows it takes before threads are started.
            let enough = (1..=250).map(|k| 1000 * k);
            let enough = enough.filter(|&n| predictor.is_worth_threads(n)).min();
            let rows = many.slice(0..enough.expect("some number of rows"));
            let answer = |threads| {
                let context = FitContext::default().threads(threads);
                let work = || predictor.decisions(&rows, context.par(), &Cancel::default());
                context.install(work).expect("threads").expect("same width")
            };
            assert_eq!(answer(1), answer(2), "{kernel}");
        }
    }
}

#[test]
fn a_bad_row_is_named_by_its_number() {
    for kernel in ["rbf", "linear"] {
        let mut table = points(400, 9);
        table[(250, 2)] = f64::NAN;
        let model = fit(kernel, 2, Scheme::OneVsOne, false);
        let predictor = model.predictor(Precision::F32).expect("binds");
        let rows = Records::from_points(table);
        let error = predictor.decisions(&rows, Par::Sequential, &Cancel::default());
        let text = error.expect_err("not a number").to_string();
        assert!(text.starts_with("row 251, column `x[3]`"), "{text}");
    }
}

#[test]
fn cancelling_stops() {
    let model = fit("rbf", 2, Scheme::OneVsOne, false);
    let cancel = Cancel::default();
    cancel.cancel();
    let predictor = model.predictor(Precision::F32).expect("binds");
    let rows = Records::from_points(points(10, 9));
    assert!(
        predictor
            .decisions(&rows, Par::Sequential, &cancel)
            .is_err()
    );
}
