//! The result satisfies the KKT conditions, recomputed here from the formulas.

use mercer::fit::{FitContext, StopReason};
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::margin::{OneClass, Svc, Svr};
use mercer::model::Form;
use mercer::model::expansion::KernelExpansion;
use proptest::prelude::*;

use super::generate::{classification, dense, regression, rows, two_classes};

/// Decision values by the plain formula Σ β_i k(x_i, x) + b with a Gaussian kernel.
fn decide(model: &KernelExpansion, gamma: f64, row: &[f64]) -> f64 {
    let mercer::data::Block::Dense(support) = model.support.features.points.widened() else {
        panic!("dense rows stay dense");
    };
    let bias = model.biases[0];
    let coefficients = &model.coefficients;
    (0..support.rows())
        .map(|i| {
            let pairs = support.row(i).iter().zip(row);
            let distance: f64 = pairs.map(|(a, b)| (a - b).powi(2)).sum();
            coefficients[(0, i)] * (-gamma * distance).exp()
        })
        .sum::<f64>()
        + bias
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn classification_is_optimal(
        (rows, labels) in two_classes(),
        log_c in -2.0f64..3.0,
        gamma in 0.05f64..2.0,
    ) {
        let c = 10f64.powf(log_c);
        let tolerance = 1e-4;
        let fitted = Svc::default()
            .kernel(KernelSpec::rbf(gamma))
            .c(c)
            .tolerance(tolerance)
            .fit(&classification(&rows, &labels), &FitContext::default())
            .expect("the problem is sound");
        prop_assert_eq!(fitted.report.stop_reason, StopReason::Converged);
        prop_assert!(fitted.report.solver().kkt_violation <= tolerance);
        let problem = &fitted.report.solver().problems[0];
        let coefficients = &fitted.model.coefficients;
        // Σβ = 0 and 0 ≤ |β| ≤ C times the number of equal rows.
        let sum: f64 = coefficients.as_slice().iter().sum();
        prop_assert!(sum.abs() <= 1e-9 * c * rows.len() as f64, "{}", sum);
        let mercer::data::Block::Dense(support) = fitted.model.support.features.points.widened() else {
            panic!("dense rows stay dense");
        };
        for (i, beta) in coefficients.row(0).iter().enumerate() {
            let copies = rows.iter().filter(|row| row.as_slice() == support.row(i)).count();
            prop_assert!(copies > 0 && beta.abs() <= c * copies as f64 * (1.0 + 1e-12), "{} {}", beta, copies);
        }
        // Primal value by the formula is the reported one and bounds the dual from above.
        let hinge: f64 = rows
            .iter()
            .zip(&labels)
            .map(|(row, &label)| {
                let y = if label { 1.0 } else { -1.0 };
                (1.0 - y * decide(&fitted.model, gamma, row)).max(0.0)
            })
            .sum();
        let primal = 0.5 * problem.norm.powi(2) + c * hinge;
        // The solver may use kernel values whose decisions are off by a quarter of the
        // tolerance in every row.
        let rounding = 0.25 * c * tolerance * rows.len() as f64;
        prop_assert!((primal - problem.primal).abs() <= rounding + 1e-6 * (1.0 + primal.abs()));
        prop_assert!(problem.primal - problem.dual >= -1e-6 * (1.0 + primal.abs()));
        let allowed = c * tolerance * rows.len() as f64;
        prop_assert!(problem.gap() <= 2.0 * allowed + 1e-6 * (1.0 + primal.abs()));
    }

    #[test]
    fn regression_is_optimal(
        rows in rows(3..30, 2),
        slope in -2.0f64..2.0,
        epsilon in 0.0f64..0.5,
    ) {
        let y: Vec<f64> = rows.iter().map(|r| slope * r[0] + (3.0 * r[1]).sin()).collect();
        let tolerance = 1e-4;
        let fitted = Svr::default()
            .kernel(KernelSpec::rbf(0.5))
            .c(5.0)
            .epsilon(epsilon)
            .tolerance(tolerance)
            .fit(&regression(&rows, &y), &FitContext::default())
            .expect("the problem is sound");
        prop_assert_eq!(fitted.report.stop_reason, StopReason::Converged);
        let problem = &fitted.report.solver().problems[0];
        let loss: f64 = rows
            .iter()
            .zip(&y)
            .map(|(row, y)| ((y - decide(&fitted.model, 0.5, row)).abs() - epsilon).max(0.0))
            .sum();
        let primal = 0.5 * problem.norm.powi(2) + 5.0 * loss;
        let rounding = 0.25 * 5.0 * tolerance * rows.len() as f64;
        prop_assert!((primal - problem.primal).abs() <= rounding + 1e-6 * (1.0 + primal.abs()));
        let allowed = 2.0 * 5.0 * tolerance * rows.len() as f64;
        prop_assert!(problem.gap() <= allowed + 1e-6 * (1.0 + primal.abs()));
    }

    #[test]
    fn one_class_leaves_about_a_share_outside(
        rows in rows(5..40, 2),
        nu in 0.05f64..0.95,
    ) {
        let data = mercer::data::Dataset::try_new(dense(&rows), mercer::data::Targets::None)
            .expect("lengths agree");
        let fitted = OneClass::default()
            .kernel(KernelSpec::rbf(0.5))
            .nu(nu)
            .tolerance(1e-5)
            .fit(&data, &FitContext::default())
            .expect("the problem is sound");
        let outside = rows
            .iter()
            .filter(|row| decide(&fitted.model, 0.5, row) < -1e-4)
            .count();
        prop_assert!(outside as f64 <= nu * rows.len() as f64 + 1e-9);
        // At least as large a share is not inside: the support vectors.
        let not_inside = rows
            .iter()
            .filter(|row| decide(&fitted.model, 0.5, row) <= 1e-4)
            .count();
        prop_assert!(not_inside as f64 >= nu * rows.len() as f64 - 1e-9);
    }

    #[test]
    fn shrinking_does_not_change_the_optimum((rows, labels) in two_classes(), c in 0.1f64..100.0) {
        let data = classification(&rows, &labels);
        let machine = Svc::default().kernel(KernelSpec::rbf(0.3)).c(c).tolerance(1e-6);
        let dual = |shrinking| {
            let fitted = machine
                .clone()
                .shrinking(shrinking)
                .fit(&data, &FitContext::default())
                .expect("the problem is sound");
            fitted.report.solver().problems[0].dual
        };
        let (with, without) = (dual(true), dual(false));
        prop_assert!((with - without).abs() <= 1e-6 * (1.0 + with.abs()), "{} {}", with, without);
    }

    #[test]
    fn a_kernel_that_is_no_kernel_still_ends(
        (rows, labels) in two_classes(),
        scale in 0.1f64..5.0,
        offset in -2.0f64..2.0,
    ) {
        let fitted = Svc::default()
            .kernel(KernelSpec::sigmoid(scale, offset))
            .c(10.0)
            .fit(&classification(&rows, &labels), &FitContext::default())
            .expect("the problem is sound");
        prop_assert!(fitted.report.notes.iter().any(|n| n.text().contains("semidefinite")));
        prop_assert!(fitted.report.solver().iterations < 10_000_000);
    }
}

#[test]
fn an_iteration_limit_is_reported() {
    let rows: Vec<Vec<f64>> = (0..200)
        .map(|i| vec![f64::from(i % 17), f64::from(i % 13)])
        .collect();
    let labels: Vec<bool> = (0..200).map(|i| i % 3 == 0).collect();
    let fitted = Svc::default()
        .c(1e4)
        .max_iterations(Some(5))
        .fit(&classification(&rows, &labels), &FitContext::default())
        .expect("the problem is sound");
    assert_eq!(fitted.report.stop_reason, StopReason::IterationLimit);
    assert!(fitted.report.solver().kkt_violation > 1e-3);
    assert!(
        fitted
            .report
            .notes
            .iter()
            .any(|n| n.text().contains("not converged"))
    );
    let answers = Form::Expansion(fitted.model).predict(&dense(&rows), &FitContext::default());
    assert_eq!(answers.expect("the rows fit").len(), 200);
}

#[test]
fn prices_beyond_all_reason_still_converge() {
    // Almost all rows are free: pairs of variables creep.
    let x: Vec<Vec<f64>> = (0..160)
        .map(|i| {
            let t = f64::from(i) / 8.0;
            vec![t.sin(), (1.7 * t).cos(), (0.3 * t).sin()]
        })
        .collect();
    let y: Vec<f64> = (0..160)
        .map(|i| f64::from(i * 37 % 101) + 10.0 * x[i as usize][0])
        .collect();
    let machine = Svr::default()
        .kernel(KernelSpec::rbf(0.3))
        .c(1e6)
        .epsilon(0.1);
    let report = machine
        .fit(&regression(&x, &y), &FitContext::default())
        .expect("fits")
        .report;
    assert_eq!(report.stop_reason, StopReason::Converged);
    assert!(
        report.solver().kkt_violation <= 1e-3,
        "{}",
        report.solver().kkt_violation
    );
    // Pairs alone need 287,000 steps.
    assert!(
        report.solver().iterations < 150_000,
        "{}",
        report.solver().iterations
    );
}
