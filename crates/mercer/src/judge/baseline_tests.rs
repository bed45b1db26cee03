//! Verdicts beside a constant.

use mercer_linalg::Matrix;

use super::*;
use crate::data::ClassTargets;

fn values(answers: &[f64]) -> Predictions {
    Predictions {
        answers: Answers::Values(answers.to_vec()),
        decisions: Matrix::zeros(answers.len(), 1),
        notes: Vec::new(),
    }
}

fn classes(codes: Vec<u32>, first: Option<&[f64]>) -> Predictions {
    Predictions {
        decisions: Matrix::zeros(codes.len(), 1),
        answers: Answers::Classes {
            labels: vec!["no".to_owned(), "yes".to_owned()],
            codes,
            probabilities: first.map(|p| p.iter().map(|p| vec![*p, 1.0 - p]).collect()),
        },
        notes: Vec::new(),
    }
}

fn targets(yes: usize, rows: usize) -> Targets {
    Targets::Classes(ClassTargets {
        codes: (0..rows).map(|i| u32::from(i < yes)).collect(),
        labels: vec!["no".to_owned(), "yes".to_owned()],
    })
}

fn verdict(predictions: &Predictions, targets: &Targets) -> Baseline {
    let naive = Constant::of(targets, None).expect("a constant");
    let truth = Truth::Targets(targets.clone());
    compare(predictions, &truth, &naive, None, 0.95)
        .expect("alike")
        .expect("a baseline")
}

#[test]
fn the_sign_test_decides_about_classes() {
    // scipy.stats.binomtest: 5 of 5 has p = 0.0625, 6 of 6 has 0.03125.
    let found = |right: usize| {
        let codes = (0..40).map(|i| u32::from(i < right)).collect();
        verdict(&classes(codes, None), &targets(12, 40))
    };
    assert_eq!(found(5).verdict, Verdict::NotBetter);
    assert_eq!(found(6).verdict, Verdict::Better);
    assert!((found(6).share() - 0.5).abs() < 1e-12);
    assert_eq!(found(12).of(Metric::Accuracy), Some(0.7));
    // Twelve more rows wrong than the constant has.
    let worse = verdict(&classes(vec![1; 40], None), &targets(12, 40));
    assert_eq!(worse.verdict, Verdict::Worse);
}

#[test]
fn a_model_that_never_says_yes_may_still_know_something() {
    let telling: Vec<f64> = (0..100).map(|i| if i < 8 { 0.6 } else { 0.97 }).collect();
    let found = verdict(&classes(vec![0; 100], Some(&telling)), &targets(8, 100));
    assert_eq!(found.verdict, Verdict::ProbabilitiesOnly);
    let silent = vec![0.92; 100];
    let found = verdict(&classes(vec![0; 100], Some(&silent)), &targets(8, 100));
    assert_eq!(found.verdict, Verdict::NotBetter);
    assert_eq!(found.gains.of(Metric::Error).expect("a gain").value, 0.0);
}

#[test]
fn equal_gains_of_rounding_tell_nothing() {
    // Every row gains the same 2e-13: no spread, and an interval beside 0.
    let half = classes(vec![0; 20], Some(&[0.5 + 1e-13; 20]));
    let even = Constant::Class {
        code: 0,
        label: "no".to_owned(),
        shares: vec![0.5, 0.5],
    };
    let truth = Truth::Targets(targets(0, 20));
    let found = compare(&half, &truth, &even, None, 0.95);
    let found = found.expect("alike").expect("a baseline");
    assert!(found.gains.of(Metric::LogLoss).expect("a gain").low > 0.0);
    assert_eq!(found.verdict, Verdict::NotBetter);
}

#[test]
fn words_follow_from_the_interval_of_the_gain() {
    // Right in three of six rows, and in all of them: three rows apart prove nothing.
    let found = verdict(&classes(vec![1, 1, 1, 0, 0, 0], None), &targets(3, 6));
    let (metric, gain) = found.gain().expect("a gain");
    assert_eq!(metric, Metric::Error);
    assert!(gain.low < 0.0 && gain.value == 0.5);
    assert_eq!(found.verdict, Verdict::NotBetter);
    // Squared errors that are larger in the mean, by one row of six.
    let truth = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let mut answers = [3.5; 6];
    answers[0] = 9.0;
    let found = verdict(&values(&answers), &Targets::Real(truth.to_vec()));
    let (_, gain) = found.gain().expect("a gain");
    assert!(gain.value < 0.0 && gain.high > 0.0);
    assert_eq!(found.verdict, Verdict::NotBetter);
}

#[test]
fn a_metric_that_was_asked_for_has_its_own_verdict() {
    // 100 rows, 10 of them `yes`: nine of these are found, at the price of 30 false alarms.
    let codes: Vec<u32> = (0..100)
        .map(|i| u32::from(i < 9 || (10..40).contains(&i)))
        .collect();
    let (predictions, targets) = (classes(codes, None), targets(10, 100));
    let found = verdict(&predictions, &targets);
    assert_eq!(found.verdict, Verdict::Worse);
    let truth = Truth::Targets(targets);
    let context = crate::fit::FitContext::default();
    let names = ["y".to_owned()];
    let scores = super::super::score(&predictions, &truth, &names, None, 0.95, &context);
    let scores = scores.expect("scores");
    let found = found.by(Metric::BalancedAccuracy, &scores);
    assert_eq!(found.judged_by, Metric::BalancedAccuracy);
    assert_eq!(found.of(Metric::BalancedAccuracy), Some(0.5));
    assert_eq!(found.verdict, Verdict::Better);
    let own = f64::midpoint(0.9, 60.0 / 90.0);
    assert!((found.share() - (own - 0.5) / 0.5).abs() < 1e-12);
    // Unknown metrics change nothing.
    let same = found.clone().by(Metric::R2, &scores);
    assert_eq!(same, found);
}

#[test]
fn numbers_beside_the_mean() {
    let truth: Vec<f64> = (0..50).map(f64::from).collect();
    let near: Vec<f64> = truth.iter().map(|t| t + 1.0).collect();
    let of = |answers: &[f64]| verdict(&values(answers), &Targets::Real(truth.clone()));
    let found = of(&near);
    assert_eq!(found.verdict, Verdict::Better);
    assert!((found.share() - (1.0 - 1.0 / 208.25)).abs() < 1e-12);
    let far: Vec<f64> = truth.iter().map(|t| 49.0 - t).collect();
    assert_eq!(of(&far).verdict, Verdict::Worse);
    assert_eq!(of(&[24.5; 50]).verdict, Verdict::NotBetter);
    assert_eq!(of(&[24.6; 50]).verdict, Verdict::NotBetter);
    assert_eq!(found.of(Metric::R2), Some(0.0));
}

#[test]
fn numbers_of_any_size_are_judged_alike() {
    for unit in [1e-200, 1e153, 1e300] {
        let truth: Vec<f64> = (0..50).map(|i| unit * f64::from(i)).collect();
        let near: Vec<f64> = truth.iter().map(|t| t + unit).collect();
        let found = verdict(&values(&near), &Targets::Real(truth.clone()));
        assert_eq!(found.verdict, Verdict::Better, "{unit}");
        assert!((found.share() - (1.0 - 1.0 / 208.25)).abs() < 1e-9);
        let rmse = found.of(Metric::Rmse).expect("a root") / unit;
        assert!((rmse - 208.25_f64.sqrt()).abs() < 1e-9, "{rmse}");
        let equal = vec![unit; 50];
        let found = verdict(&values(&equal), &Targets::Real(equal.clone()));
        assert_eq!(found.verdict, Verdict::NothingToLearn, "{unit}");
    }
}

#[test]
fn equal_targets_leave_nothing_to_learn() {
    let truth = vec![0.1; 30];
    for answers in [vec![0.1; 30], vec![0.1 + 1e-16; 30], vec![0.3; 30]] {
        let found = verdict(&values(&answers), &Targets::Real(truth.clone()));
        assert_eq!(found.verdict, Verdict::NothingToLearn);
        assert_eq!(found.of(Metric::R2), None);
    }
    let mut other = truth.clone();
    other[3] = 0.1 + 1e-9;
    let found = verdict(&values(&other), &Targets::Real(other.clone()));
    assert_ne!(found.verdict, Verdict::NothingToLearn);
}

#[test]
fn few_rows_prove_nothing() {
    let one = verdict(&values(&[3.0]), &Targets::Real(vec![3.0]));
    assert_eq!(one.verdict, Verdict::NothingToLearn);
    let two = verdict(&values(&[1.0, 2.0]), &Targets::Real(vec![1.0, 2.0]));
    assert_eq!(two.gains.of(Metric::Mse).expect("a gain").value, 0.25);
    assert_eq!(two.verdict, Verdict::NotBetter);
    let weights = [0.0, 0.0];
    let naive = Constant::of(&Targets::Real(vec![1.0]), None).expect("a constant");
    let truth = Truth::Targets(Targets::Real(vec![1.0, 2.0]));
    let found = compare(&values(&[1.0, 2.0]), &truth, &naive, Some(&weights), 0.95);
    assert_eq!(
        found.expect("alike").expect("one").verdict,
        Verdict::NotBetter
    );
}
