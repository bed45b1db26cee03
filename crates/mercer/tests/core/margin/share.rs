//! A share of margin errors on rows that contradict each other.

use mercer::fit::{FitContext, StopReason};
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::margin::NuSvc;

use super::generate::classification;

/// Two classes of which a quarter of the rows belong to both.
fn contradictions(n: usize) -> (Vec<Vec<f64>>, Vec<bool>) {
    let number = |i: usize, k: usize| ((i * k) % 101) as f64 / 50.0 - 1.0;
    let mut rows: Vec<Vec<f64>> = (0..n).map(|i| vec![number(i, 37), number(i, 59)]).collect();
    let mut labels: Vec<bool> = rows.iter().map(|r| r[0] > 0.0).collect();
    for i in 0..n / 4 {
        rows.push(rows[i].clone());
        labels.push(!labels[i]);
    }
    (rows, labels)
}

#[test]
fn hulls_that_meet_are_refused_at_every_tolerance() {
    let (rows, labels) = contradictions(48);
    let data = classification(&rows, &labels);
    for kernel in [KernelSpec::rbf(0.5), KernelSpec::linear()] {
        for tolerance in [1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-12] {
            for verify in [false, true] {
                let machine = NuSvc::default()
                    .kernel(kernel.clone())
                    .tolerance(tolerance)
                    .verify(verify);
                let context = FitContext::default();
                let small = machine.clone().nu(0.1).fit(&data, &context);
                let error = small.expect_err("the hulls meet").to_string();
                assert!(
                    error.contains("larger: at this value the margin of"),
                    "{error}"
                );
                let large = machine.nu(0.8).fit(&data, &context).expect("apart");
                assert_eq!(large.report.stop_reason, StopReason::Converged);
                let coefficients = large.model.coefficients.as_slice();
                assert!(coefficients.iter().all(|c| c.abs() < 1e3), "{tolerance}");
            }
        }
    }
}

#[test]
fn a_narrow_margin_is_found_at_a_coarse_tolerance() {
    // Kernel values of 1e-6: the tolerance alone says nothing about them.
    let rows: Vec<Vec<f64>> = (0..20).map(|i| vec![1e-3 * f64::from(i)]).collect();
    let labels: Vec<bool> = (0..20).map(|i| i >= 10).collect();
    let data = classification(&rows, &labels);
    let machine = NuSvc::default().kernel(KernelSpec::linear()).nu(0.1);
    let context = FitContext::default();
    let coarse = machine.clone().fit(&data, &context).expect("separable");
    let fine = machine
        .tolerance(1e-12)
        .fit(&data, &context)
        .expect("separable");
    let margin =
        |f: &mercer::fit::Fitted<_>| f.report.solver().problems[0].margin.expect("a margin");
    assert!((margin(&coarse) / margin(&fine) - 1.0).abs() < 0.2);
}
