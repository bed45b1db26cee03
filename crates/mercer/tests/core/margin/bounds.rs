//! Settings and rows at the edge of what makes sense.

use mercer::Error;
use mercer::fit::{Cancel, FitContext, StopReason};
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::margin::{NuSvc, OneClass, Svc, Svr};
use mercer::model::Form;
use std::time::{Duration, Instant};

use super::generate::{classification, dense, regression};

fn grid(n: usize) -> (Vec<Vec<f64>>, Vec<bool>) {
    let rows: Vec<Vec<f64>> = (0..n)
        .map(|i| vec![(i % 13) as f64, (i % 7) as f64])
        .collect();
    let labels = (0..n).map(|i| (i * i) % 5 < 2).collect();
    (rows, labels)
}

#[test]
fn every_bad_setting_is_named_at_once() {
    let (rows, labels) = grid(20);
    let error = Svc::default()
        .c(-1.0)
        .tolerance(0.0)
        .max_iterations(Some(0))
        .fit(&classification(&rows, &labels), &FitContext::default())
        .expect_err("three settings are bad");
    let text = error.to_string();
    for name in ["`c`", "`tolerance`", "`max_iterations`"] {
        assert!(text.contains(name), "{text}");
    }
}

#[test]
fn one_class_only_is_refused_by_name() {
    let (rows, _) = grid(5);
    let error = Svc::default()
        .fit(&classification(&rows, &[true; 5]), &FitContext::default())
        .expect_err("one class");
    assert!(error.to_string().contains("`a`"), "{error}");
}

#[test]
fn values_that_are_not_finite_are_named() {
    let rows = vec![vec![1.0, 2.0], vec![1.0, f64::NAN], vec![0.0, 1.0]];
    let error = Svc::default()
        .kernel(KernelSpec::rbf(1.0))
        .fit(
            &classification(&rows, &[true, false, true]),
            &FitContext::default(),
        )
        .expect_err("NaN");
    assert!(error.to_string().contains("row 2"), "{error}");
}

#[test]
fn huge_c_on_contradictory_rows_ends() {
    let rows = vec![vec![0.0], vec![0.0], vec![1.0], vec![2.0], vec![2.0]];
    let labels = [true, false, true, false, true];
    let fitted = Svc::default()
        .kernel(KernelSpec::rbf(1.0))
        .c(1e12)
        .fit(&classification(&rows, &labels), &FitContext::default())
        .expect("soft margins always exist");
    assert!(matches!(
        fitted.report.stop_reason,
        StopReason::Converged | StopReason::Stalled
    ));
    // Each contradictory pair costs at least 2 C.
    assert!(
        fitted.report.solver().objective >= 3.9e12,
        "{}",
        fitted.report.solver().objective
    );
}

#[test]
fn extreme_widths_give_constant_and_identity_kernels() {
    let (rows, labels) = grid(40);
    let data = classification(&rows, &labels);
    // The training rows, and one that is none of them.
    let mut all = rows.clone();
    all.push(vec![100.0, 100.0]);
    let decisions = |gamma: f64| {
        let fitted = Svc::default()
            .kernel(KernelSpec::rbf(gamma))
            .fit(&data, &FitContext::default())
            .expect("a legal width");
        assert_eq!(fitted.report.stop_reason, StopReason::Converged, "{gamma}");
        let bias = fitted.report.solver().problems[0].bias;
        let predictions = Form::Expansion(fitted.model)
            .predict(&dense(&all), &FitContext::default())
            .expect("the rows fit");
        (predictions.decisions.into_vec(), bias)
    };
    // k = 1 everywhere: every row gets the same result.
    let (wide, _) = decisions(1e-300);
    assert!(wide.iter().all(|d| (d - wide[0]).abs() < 1e-9), "{wide:?}");
    // k(x, z) = [x = z]: every row has a multiplier of its own, a new row has the bias alone.
    let (narrow, bias) = decisions(1e300);
    assert_eq!(narrow[40], bias);
    for (decision, label) in narrow.iter().zip(&labels) {
        assert!(if *label {
            *decision > bias
        } else {
            *decision < bias
        });
    }
}

#[test]
fn unscaled_columns_converge() {
    let (rows, labels) = grid(120);
    let rows: Vec<Vec<f64>> = rows
        .iter()
        .map(|r| vec![1e9 + 1e8 * r[0], 1e-9 * r[1]])
        .collect();
    for kernel in [KernelSpec::rbf_auto(), KernelSpec::rbf(1e-17)] {
        let fitted = Svc::default()
            .kernel(kernel)
            .c(100.0)
            .fit(&classification(&rows, &labels), &FitContext::default())
            .expect("sound");
        assert_eq!(fitted.report.stop_reason, StopReason::Converged);
        assert!(fitted.report.solver().kkt_violation <= 1e-3);
    }
}

#[test]
fn constant_rows_and_targets_have_an_answer() {
    let rows = vec![vec![5.0]; 6];
    let fitted = Svc::default()
        .fit(
            &classification(&rows, &[true, true, true, true, false, false]),
            &FitContext::default(),
        )
        .expect("soft margins always exist");
    assert_eq!(fitted.report.stop_reason, StopReason::Converged);
    let fitted = Svr::default()
        .fit(&regression(&rows, &[7.0; 6]), &FitContext::default())
        .expect("a constant is learnable");
    assert!((fitted.report.solver().problems[0].bias - 7.0).abs() <= 0.1 + 1e-9);
}

#[test]
fn infeasible_nu_is_refused_with_its_limit() {
    let rows: Vec<Vec<f64>> = (0..10).map(|i| vec![f64::from(i)]).collect();
    let labels: Vec<bool> = (0..10).map(|i| i == 0).collect();
    let error = NuSvc::default()
        .nu(0.5)
        .fit(&classification(&rows, &labels), &FitContext::default())
        .expect_err("a tenth of the rows is positive");
    assert!(error.to_string().contains("at most 0.2"), "{error}");
}

#[test]
fn one_row_is_enough_for_novelty() {
    let data =
        mercer::data::Dataset::try_new(dense(&[vec![1.0, 2.0]]), mercer::data::Targets::None)
            .expect("lengths agree");
    let fitted = OneClass::default()
        .fit(&data, &FitContext::default())
        .expect("one row");
    assert_eq!(fitted.report.kernel().support_vectors, 1);
}

#[test]
fn cancellation_and_time_limits_end_a_fit_within_a_second() {
    let (rows, _) = grid(3000);
    let rows: Vec<Vec<f64>> = rows
        .iter()
        .enumerate()
        .map(|(i, r)| vec![r[0] + i as f64 * 1e-3, r[1]])
        .collect();
    let labels: Vec<bool> = (0..rows.len()).map(|i| (i * 7919) % 11 < 5).collect();
    let data = classification(&rows, &labels);
    let machine = Svc::default()
        .kernel(KernelSpec::linear())
        .c(1e8)
        .tolerance(1e-9);
    let cancel = Cancel::default();
    let context = FitContext::default().cancel(cancel.clone());
    let worker = std::thread::spawn({
        let (machine, data) = (machine.clone(), data.clone());
        move || machine.fit(&data, &context)
    });
    std::thread::sleep(Duration::from_millis(300));
    let asked = Instant::now();
    cancel.cancel();
    match worker.join().expect("no panic") {
        Ok(fitted) => assert_eq!(fitted.report.stop_reason, StopReason::Cancelled),
        Err(error) => assert_eq!(error, Error::Cancelled),
    }
    // 100 ms is the promise; a loaded test machine gets some slack.
    assert!(
        asked.elapsed() < Duration::from_secs(1),
        "{:?}",
        asked.elapsed()
    );
    let context = FitContext::default().time_limit(Some(Duration::from_millis(200)));
    let started = Instant::now();
    let fitted = machine.fit(&data, &context).expect("a usable model");
    assert!(
        started.elapsed() < Duration::from_millis(1200),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(fitted.report.stop_reason, StopReason::TimeLimit);
    assert!(
        fitted
            .report
            .notes
            .iter()
            .any(|n| n.text().contains("time limit"))
    );
}
