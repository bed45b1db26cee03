//! Rows that are far from zero, under kernels of dot products.

use mercer::data::{ClassTargets, Dataset, Points, Records, Targets, Task};
use mercer::fit::{FitContext, Fitted, Note, StopReason};
use mercer::kernel::KernelSpec;
use mercer::learn::AnyEstimator;
use mercer::model::Form;
use mercer_linalg::{Matrix, Par};
use serde_json::json;

/// Sixteenths, which numbers around 10⁸ hold exactly.
fn rows(n: usize, offset: f64) -> Records {
    let cell = |i: usize, j: usize| {
        let step = if j == 0 { i * 37 % 61 } else { i * 17 % 53 };
        offset + step as f64 / 16.0
    };
    Records::from_points(Points::from(Matrix::from_fn(n, 2, cell)))
}

/// 2x₀ − x₁, and something that no line follows.
fn level(i: usize) -> f64 {
    let (x, z) = ((i * 37 % 61) as f64 / 16.0, (i * 17 % 53) as f64 / 16.0);
    2.0 * (x - 1.9) - (z - 1.6) + 0.25 * (i as f64).sin()
}

fn targets(n: usize, task: Task) -> Targets {
    match task {
        Task::Classify => {
            let label = |i: usize| if level(i) > 0.0 { "a" } else { "b" };
            let labels: Vec<&str> = (0..n).map(label).collect();
            Targets::Classes(ClassTargets::from_labels(&labels))
        }
        _ => Targets::Real((0..n).map(level).collect()),
    }
}

fn fit(method: &str, kernel: &str, task: Task, n: usize, offset: f64) -> Fitted<Form> {
    let mut estimator = AnyEstimator::for_task(method, task).expect("a method");
    estimator.set_kernel(kernel.parse::<KernelSpec>().expect("a kernel"));
    if method == "krr" {
        estimator.set("bias", &json!("free")).expect("a setting");
    }
    if ["svr", "nu_svr", "svc"].contains(&method) && kernel.ends_with("linear") {
        // Weights are known to the root of the gap only.
        let finer = estimator.set("tolerance", &json!(1e-6));
        finer.expect("a setting");
    }
    let data = Dataset::try_new(rows(n, offset), targets(n, task)).expect("rows");
    estimator
        .fit(&data, &FitContext::default(), None)
        .unwrap_or_else(|e| panic!("{method} at {offset}: {e}"))
}

#[test]
fn machines_with_a_free_constant_do_not_mind_where_rows_lie() {
    const ROWS: usize = 60;
    let machines = [
        ("svr", Task::Regress),
        ("nu_svr", Task::Regress),
        ("gp", Task::Regress),
        ("krr", Task::Regress),
        ("risk", Task::Regress),
        ("svc", Task::Classify),
        ("lssvm", Task::Classify),
        ("krr", Task::Classify),
        ("klr", Task::Classify),
    ];
    for (method, task) in machines {
        for kernel in ["linear", "0.5*linear"] {
            let decisions = |offset: f64| {
                let model = fit(method, kernel, task, ROWS, offset).model;
                let predicted = model.predict(&rows(ROWS, offset), &FitContext::default());
                predicted.expect("predictions").decisions
            };
            let (near, far) = (decisions(0.0), decisions(1e8));
            for (a, b) in near.as_slice().iter().zip(far.as_slice()) {
                // Far more than solvers leave open, and far less than rounding at 10⁸ would.
                let allowed = 1e-2 * a.abs().max(1.0);
                assert!((a - b).abs() < allowed, "{method} {kernel}: {a} {b}");
            }
        }
    }
}

#[test]
fn reports_tell_the_constant_of_rows_as_they_were_given() {
    let fitted = fit("svr", "linear", Task::Regress, 60, 1e8);
    let model = fitted.model.expansion().expect("an expansion");
    assert_eq!(fitted.report.solver().problems[0].bias, model.biases[0]);
    // f is of the size of the targets, and ⟨w, x⟩ of the size of 10⁸.
    assert!(model.biases[0].abs() > 1e6, "{}", model.biases[0]);
    assert!(model.origin.is_some());
    let near = fit("svr", "linear", Task::Regress, 60, 50.0);
    assert!(
        near.model
            .expansion()
            .expect("an expansion")
            .origin
            .is_none()
    );
}

#[test]
fn variances_do_not_mind_either() {
    let variances = |offset: f64| {
        let model = fit("gp", "linear", Task::Regress, 60, offset).model;
        let model = model.expansion().expect("an expansion").clone();
        let certainty = model.certainty(Par::Sequential).expect("a factor");
        let certainty = certainty.expect("a posterior");
        certainty
            .variances(&rows(60, offset), Par::Sequential)
            .expect("variances")
    };
    let (near, far) = (variances(0.0), variances(1e8));
    for (a, b) in near.as_slice().iter().zip(far.as_slice()) {
        assert!((a - b).abs() < 1e-2 * a, "{a} {b}");
    }
}

#[test]
fn a_matrix_that_lost_its_digits_is_refused_by_its_columns() {
    let mut estimator = AnyEstimator::for_task("gp", Task::Regress).expect("a method");
    estimator.set_kernel("poly(degree=3)".parse::<KernelSpec>().expect("a kernel"));
    let data = Dataset::try_new(rows(100, 1e8), targets(100, Task::Regress)).expect("rows");
    match estimator.fit(&data, &FitContext::default(), None) {
        Ok(fitted) => assert!(tells_of_columns(&fitted.report.notes)),
        Err(error) => {
            assert!(error.to_string().contains("columns `"), "{error}");
            let hints = format!("{:?}", error.hints());
            assert!(hints.contains("centre or standardise"), "{hints}");
        }
    }
}

fn tells_of_columns(notes: &[Note]) -> bool {
    notes
        .iter()
        .any(|note| matches!(note, Note::Alert(text) if text.contains("centre or standardise")))
}

#[test]
fn other_kernels_say_which_digits_are_lost_and_come_to_an_end() {
    let far = fit("svr", "poly(degree=3)", Task::Regress, 250, 1e8);
    assert_eq!(far.report.stop_reason, StopReason::Stalled);
    assert!(far.report.solver().iterations < 1_000_000);
    assert!(tells_of_columns(&far.report.notes));
    let near = fit("svr", "poly(degree=2)", Task::Regress, 60, 0.0);
    assert!(!tells_of_columns(&near.report.notes));
}
