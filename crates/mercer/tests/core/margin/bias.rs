//! The three ways to treat the constant term.

use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::margin::{Bias, Svc, Svr};
use proptest::prelude::*;

use super::generate::{classification, regression, rows, two_classes};

fn appended(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    rows.iter()
        .map(|r| r.iter().copied().chain([1.0]).collect())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn regularised_means_a_constant_feature((rows, labels) in two_classes(), c in 0.1f64..10.0) {
        let context = FitContext::default();
        let machine = Svc::default().kernel(KernelSpec::linear()).c(c).tolerance(1e-7);
        let regularised = machine
            .clone()
            .bias(Bias::Regularised)
            .fit(&classification(&rows, &labels), &context)
            .expect("sound");
        let homogeneous = machine
            .bias(Bias::None)
            .fit(&classification(&appended(&rows), &labels), &context)
            .expect("sound");
        let (a, b) = (&regularised.report.solver().problems[0], &homogeneous.report.solver().problems[0]);
        prop_assert!((a.dual - b.dual).abs() <= 1e-5 * (1.0 + a.dual.abs()));
        prop_assert_eq!(homogeneous.model.biases[0], 0.0);
    }

    #[test]
    fn regression_knows_them_too(rows in rows(3..20, 2)) {
        let y: Vec<f64> = rows.iter().map(|r| 5.0 + r[0]).collect();
        let context = FitContext::default();
        let machine = Svr::default().kernel(KernelSpec::linear()).c(10.0).tolerance(1e-6);
        let dual = |machine: Svr, rows: &[Vec<f64>]| {
            machine.fit(&regression(rows, &y), &context).expect("sound").report.solver().problems[0].dual
        };
        let a = dual(machine.clone().bias(Bias::Regularised), &rows);
        let b = dual(machine.bias(Bias::None), &appended(&rows));
        prop_assert!((a - b).abs() <= 1e-4 * (1.0 + a.abs()), "{} {}", a, b);
    }
}

#[test]
fn free_and_regularised_bias_differ_far_from_the_origin() {
    let rows = vec![vec![10.0], vec![11.0]];
    let data = classification(&rows, &[false, true]);
    let fit = |bias| {
        Svc::default()
            .kernel(KernelSpec::linear())
            .c(1e3)
            .bias(bias)
            .tolerance(1e-6)
            .fit(&data, &FitContext::default())
            .expect("sound")
            .report
            .solver()
            .objective
    };
    // Free: w = 2, whatever the offset: ½w² = 2. Regularised pays for b = −21 as well.
    assert!((fit(Bias::Free) - 2.0).abs() < 1e-2);
    assert!(fit(Bias::Regularised) > 100.0);
}

#[test]
fn lambda_is_another_name_for_c() {
    let rows: Vec<Vec<f64>> = (0..20)
        .map(|i| vec![f64::from(i % 7), f64::from(i % 3)])
        .collect();
    let labels: Vec<bool> = (0..20).map(|i| i % 4 == 0).collect();
    let data = classification(&rows, &labels);
    let context = FitContext::default();
    let lambda = 0.05;
    let a = Svc::default()
        .lambda(lambda)
        .fit(&data, &context)
        .expect("sound");
    let b = Svc::default()
        .c(1.0 / (2.0 * lambda * 20.0))
        .fit(&data, &context)
        .expect("sound");
    assert_eq!(a.model, b.model);
}
