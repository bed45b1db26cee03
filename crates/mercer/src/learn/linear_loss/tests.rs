//! Against scikit-learn and LIBLINEAR, and edges.

use std::path::PathBuf;
use std::time::Duration;

use mercer_linalg::{Csr, Matrix};
use serde_json::{Map, Value};

use super::{
    HingeLoss, LinearSvc, LinearSvr, Logistic, MarginPenalty, MultiClass, Penalty, TubeLoss,
};
use crate::Error;
use crate::data::{ClassTargets, Dataset, Points, Records, Targets};
use crate::fit::{Cancel, FitContext, Fitted, StopReason};
use crate::learn::margin::Bias;
use crate::learn::{AnyEstimator, ClassWeights, Estimator};
use crate::model::{Form, LinearModel};

/// Numbers in (−1, 1) without a pattern.
fn value(i: usize, j: usize) -> f64 {
    let mixed = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (j as u64 + 7).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ (mixed >> 32)) >> 11) as f64 / 2.0_f64.powi(52) - 1.0
}

fn data(points: impl Into<Points>, targets: Targets) -> Dataset {
    Dataset::try_new(Records::from_points(points), targets).expect("rows and targets")
}

fn classes(codes: impl Iterator<Item = u32>) -> Targets {
    let labels: Vec<String> = codes.map(|code| code.to_string()).collect();
    Targets::Classes(ClassTargets::from_labels(&labels))
}

/// Noisy classes of so many rows.
fn sample(n: usize, d: usize, k: u32) -> Dataset {
    let x = Matrix::from_fn(n, d, value);
    let code = |i: usize| {
        let f = x[(i, 0)] - 0.5 * x[(i, d - 1)] + 0.5 * value(i, 900) + 1.5;
        ((f / 3.0 * f64::from(k)) as u32).min(k - 1)
    };
    let targets = classes((0..n).map(code));
    data(x, targets)
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
    let columns = rows.first().map_or(0, Vec::len);
    Matrix::from_vec(rows.len(), columns, rows.into_iter().flatten().collect())
}

#[test]
fn weights_are_those_of_scikit_learn() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("tests/data/oracle/linear_loss.json");
    let text = std::fs::read_to_string(path).expect("the results are bundled");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let cases = document["cases"].as_array().expect("cases");
    assert!(cases.len() > 40);
    for (number, case) in cases.iter().enumerate() {
        let name = case["method"].as_str().expect("a name");
        let mut settings: Map<String, Value> =
            case["settings"].as_object().expect("settings").clone();
        let hinge = settings.get("loss").is_some_and(|loss| loss == "hinge");
        let tube = name == "linear_svr" && settings.get("loss").is_none();
        // An edge leaves the solution less certain than its objective, and LIBLINEAR too.
        let (tolerance, bound) = if hinge || tube {
            (1e-12, 2e-5)
        } else {
            (1e-15, 1e-6)
        };
        settings.insert("tolerance".to_owned(), tolerance.into());
        let estimator = AnyEstimator::with_settings(name, &settings).expect("settings");
        let x = matrix(&document["tables"][case["rows"].as_u64().expect("a number") as usize]);
        let y = numbers(&case["y"]);
        let targets = if name == "linear_svr" {
            Targets::Real(y)
        } else {
            classes(y.iter().map(|y| *y as u32))
        };
        let sparse = Csr::from_dense(x.as_ref());
        for points in [Points::from(x), Points::from(sparse)] {
            let mut rows = data(points, targets.clone());
            if !case["weights"].is_null() {
                rows = rows
                    .with_weights(numbers(&case["weights"]))
                    .expect("weights");
            }
            let fitted = estimator
                .fit(&rows, &FitContext::default(), None)
                .expect("a fit");
            let Form::Linear(model) = &fitted.model else {
                panic!("a linear form");
            };
            let coefficients = matrix(&case["coef"]);
            let two = name != "linear_svr" && coefficients.rows() == 1;
            let sign = if two { -1.0 } else { 1.0 };
            let expected = numbers(&case["intercept"]);
            let report = fitted.report.solver();
            let place = format!(
                "case {number}, {name} {settings:?}, gap {}",
                report.dual_gap
            );
            for k in 0..coefficients.rows() {
                for (a, b) in model.weights.row(k).iter().zip(coefficients.row(k)) {
                    assert!((sign * a - b).abs() < bound, "{place}: {} {b}", sign * a);
                }
                let b = expected[k.min(expected.len() - 1)];
                assert!(
                    (sign * model.biases[k] - b).abs() < bound,
                    "{place}: {} {b}",
                    model.biases[k]
                );
            }
        }
    }
}

/// Objectives to the digits that saga has; weights are the less certain ones.
#[test]
fn absolute_penalties_and_joint_classes_are_those_of_scikit_learn() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("tests/data/oracle/linear_absolute.json");
    let text = std::fs::read_to_string(path).expect("the results are bundled");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let cases = document["cases"].as_array().expect("cases");
    assert!(cases.len() > 30);
    for (number, case) in cases.iter().enumerate() {
        let name = case["method"].as_str().expect("a name");
        let mut settings: Map<String, Value> =
            case["settings"].as_object().expect("settings").clone();
        settings.insert("tolerance".to_owned(), 1e-11.into());
        let estimator = AnyEstimator::with_settings(name, &settings).expect("settings");
        let x = matrix(&document["tables"][case["rows"].as_u64().expect("a number") as usize]);
        let targets = classes(numbers(&case["y"]).iter().map(|y| *y as u32));
        let sparse = Csr::from_dense(x.as_ref());
        for points in [Points::from(x), Points::from(sparse)] {
            let mut rows = data(points, targets.clone());
            if !case["weights"].is_null() {
                rows = rows
                    .with_weights(numbers(&case["weights"]))
                    .expect("weights");
            }
            let fitted = estimator
                .fit(&rows, &FitContext::default(), None)
                .expect("a fit");
            let Form::Linear(model) = &fitted.model else {
                panic!("a linear form");
            };
            let place = format!("case {number}, {name} {settings:?}");
            let report = fitted.report.solver();
            assert_eq!(fitted.report.stop_reason, StopReason::Converged, "{place}");
            let theirs = case["objective"].as_f64().expect("a number");
            let off = (report.objective - theirs) / theirs;
            assert!(off < 1e-8, "{place}: {} {theirs}", report.objective);
            assert!(off > -1e-6, "{place}: {} {theirs}", report.objective);
            let coefficients = matrix(&case["coef"]);
            let sign = if coefficients.rows() == 1 { -1.0 } else { 1.0 };
            for k in 0..coefficients.rows() {
                for (a, b) in model.weights.row(k).iter().zip(coefficients.row(k)) {
                    assert!((sign * a - b).abs() < 1e-3, "{place}: {} {b}", sign * a);
                }
            }
        }
    }
}

#[test]
fn a_large_absolute_penalty_leaves_no_weight() {
    let rows = sample(60, 5, 3);
    let fitted = Logistic::default()
        .penalty(Penalty::L1)
        .c(1e-4)
        .fit(&rows, &FitContext::default())
        .expect("a fit");
    assert!(fitted.model.weights.as_slice().iter().all(|w| *w == 0.0));
    assert!(fitted.model.biases.iter().any(|b| *b != 0.0));
    assert_eq!(fitted.report.stop_reason, StopReason::Converged);
}

#[test]
fn settings_that_do_not_go_together_are_refused() {
    let rows = sample(20, 3, 2);
    let context = FitContext::default();
    let hinge = LinearSvc::default()
        .loss(HingeLoss::Hinge)
        .penalty(MarginPenalty::L1);
    assert!(hinge.fit(&rows, &context).is_err());
    let joint = LinearSvc::default()
        .multi_class(MultiClass::CrammerSinger)
        .bias(Bias::Free);
    assert!(joint.fit(&rows, &context).is_err());
    let beyond = Logistic::default()
        .penalty(Penalty::ElasticNet)
        .l1_ratio(1.5);
    assert!(beyond.fit(&rows, &context).is_err());
}

fn every() -> Vec<AnyEstimator> {
    vec![
        LinearSvc::default().into(),
        LinearSvc::default().penalty(MarginPenalty::L1).into(),
        LinearSvc::default()
            .multi_class(MultiClass::CrammerSinger)
            .into(),
        Logistic::default().penalty(Penalty::L1).into(),
        LinearSvc::default().loss(HingeLoss::Hinge).into(),
        LinearSvc::default()
            .loss(HingeLoss::Hinge)
            .bias(Bias::Free)
            .into(),
        Logistic::default().into(),
        LinearSvr::default().epsilon(0.1).into(),
        LinearSvr::default()
            .loss(TubeLoss::SquaredEpsilonInsensitive)
            .into(),
    ]
}

fn fit(estimator: &AnyEstimator, rows: &Dataset, threads: usize) -> Fitted<Form> {
    let rows = if estimator.name() == "linear_svr" {
        let x = rows.records.clone();
        let y = (0..rows.len()).map(|i| value(i, 3) + 0.5).collect();
        Dataset {
            weights: rows.weights.clone(),
            ..Dataset::try_new(x, Targets::Real(y)).expect("numbers")
        }
    } else {
        rows.clone()
    };
    let context = FitContext::default().threads(threads);
    estimator.fit(&rows, &context, None).expect("a fit")
}

#[test]
fn threads_change_no_bit() {
    let dense = sample(4000, 12, 3);
    let Points::Double(block) = &dense.records.features.points else {
        panic!("double precision");
    };
    let wide = Matrix::from_fn(3000, 300, |i, j| {
        if (i * 7 + j * 13) % 20 == 0 {
            value(i, j)
        } else {
            0.0
        }
    });
    let sparse = data(
        Points::from(Csr::from_dense(wide.as_ref())),
        dense.targets.select(&(0..3000).collect::<Vec<_>>()),
    );
    assert_eq!(block.rows(), 4000);
    for rows in [&dense, &sparse] {
        for mut estimator in every() {
            // Every kind of pass has had its turn by then; descent on all classes takes long for more.
            estimator
                .set("tolerance", &1e-4_f64.into())
                .expect("a number");
            let (one, two) = (fit(&estimator, rows, 1), fit(&estimator, rows, 2));
            assert_eq!(one.model, two.model, "{estimator:?}");
            assert_eq!(one.report.reproducible(), two.report.reproducible());
        }
    }
}

#[test]
fn permutations_and_copies_change_no_bit() {
    let rows = sample(120, 4, 3);
    let mut order: Vec<usize> = (0..120).collect();
    order.sort_by_key(|i| (i * 37) % 120);
    let weights: Vec<f64> = (0..120).map(|i| (i % 3) as f64).collect();
    let weighted = rows.clone().with_weights(weights).expect("weights");
    let copies: Vec<usize> = (0..120)
        .flat_map(|i| std::iter::repeat_n(i, i % 3))
        .collect();
    for estimator in every().into_iter().filter(|e| e.name() != "linear_svr") {
        let plain = fit(&estimator, &rows, 1);
        assert_eq!(plain.model, fit(&estimator, &rows.select(&order), 1).model);
        let (light, heavy) = (
            fit(&estimator, &weighted, 1),
            fit(&estimator, &rows.select(&copies), 1),
        );
        assert_eq!(light.model, heavy.model, "{estimator:?}");
        assert_eq!(heavy.report.distinct_rows, 80);
    }
}

#[test]
fn classes_that_are_separated_need_a_penalty() {
    let x = Matrix::from_vec(4, 1, vec![0.0, 1.0, 4.0, 5.0]);
    let rows = data(x, classes([0, 0, 1, 1].into_iter()));
    let free = Logistic::default().penalty(Penalty::None);
    let fitted = free.fit(&rows, &FitContext::default()).expect("a result");
    assert_ne!(fitted.report.stop_reason, StopReason::Converged);
    let told = fitted
        .report
        .notes
        .iter()
        .any(|n| n.is_alert() && n.text().contains("separates"));
    assert!(told, "{:?}", fitted.report.notes);
    // Where classes overlap there is a solution, found by the slopes being zero.
    let rows = sample(200, 3, 2);
    let fitted = free
        .tolerance(1e-14)
        .fit(&rows, &FitContext::default())
        .expect("a result");
    assert_eq!(fitted.report.stop_reason, StopReason::Converged);
    assert!(fitted.report.solver().kkt_violation < 1e-5);
    assert!(fitted.report.notes.iter().all(|n| !n.is_alert()));
}

#[test]
fn any_price_of_errors_has_an_answer() {
    let rows = sample(100, 3, 2);
    for c in [1e-300, 1e-12, 1e12, 1e300] {
        for estimator in every() {
            let mut estimator = estimator;
            estimator.set("c", &c.into()).expect("a number");
            let fitted = fit(&estimator, &rows, 1);
            let Form::Linear(model) = &fitted.model else {
                panic!("a linear form");
            };
            assert!(
                model.weights.as_slice().iter().all(|w| w.is_finite()),
                "{estimator:?}"
            );
            if c < 1.0 {
                assert!(
                    model.weights.as_slice().iter().all(|w| w.abs() < 1e-9),
                    "{estimator:?}"
                );
            }
        }
    }
}

#[test]
fn a_million_columns_are_no_more_than_their_values() {
    let (mut starts, mut indices) = (vec![0_usize], Vec::new());
    for i in 0..200_u32 {
        indices.extend([i % 2, 10 + i * 17, 500_000 + i, 999_999]);
        starts.push(indices.len());
    }
    let values = vec![1.0; indices.len()];
    let csr = Csr::try_new(1_000_000, starts, indices, values).expect("rows");
    let rows = data(Points::from(csr), classes((0..200).map(|i| i % 2)));
    for estimator in every() {
        let fitted = fit(&estimator, &rows, 2);
        let Form::Linear(model) = &fitted.model else {
            panic!("a linear form");
        };
        assert_eq!(model.weights.columns(), 1_000_000);
        assert_eq!(
            fitted.report.stop_reason,
            StopReason::Converged,
            "{estimator:?}"
        );
        assert_eq!(model.weights[(0, 2)], 0.0);
        if estimator.name() != "linear_svr" {
            // The first class has column 0, the second column 1.
            assert!(model.weights[(0, 0)] > 0.1 && model.weights[(0, 1)] < -0.1);
        }
    }
}

#[test]
fn what_cannot_be_learnt_from_is_refused() {
    let context = FitContext::default();
    let error = |rows: &Dataset| {
        Logistic::default()
            .fit(rows, &context)
            .expect_err("refused")
    };
    let one = data(
        Matrix::from_vec(2, 1, vec![1.0, 2.0]),
        classes([1, 1].into_iter()),
    );
    assert!(error(&one).to_string().contains("every class needs"));
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let rows = data(
            Matrix::from_vec(2, 1, vec![bad, 2.0]),
            classes([0, 1].into_iter()),
        );
        assert!(matches!(error(&rows), Error::Cell { .. }), "{bad}");
    }
    let numbers = data(
        Matrix::from_vec(2, 1, vec![1.0, 2.0]),
        Targets::Real(vec![1.0, 2.0]),
    );
    assert!(error(&numbers).to_string().contains("class for every row"));
    let none = numbers
        .clone()
        .with_weights(vec![0.0, 0.0])
        .expect("weights");
    assert!(LinearSvr::default().fit(&none, &context).is_err());
    let wrong = LinearSvc::default().c(-1.0).tolerance(0.0);
    let text = wrong.fit(&one, &context).expect_err("settings").to_string();
    assert!(text.contains('c') && text.contains("tolerance"), "{text}");
}

#[test]
fn the_smallest_tables_have_answers() {
    let context = FitContext::default();
    let two = data(
        Matrix::from_vec(2, 2, vec![0.0, 1.0, 0.0, 3.0]),
        classes([0, 1].into_iter()),
    );
    for estimator in every().into_iter().filter(|e| e.name() != "linear_svr") {
        let fitted = estimator.fit(&two, &context, None).expect("a fit");
        assert_eq!(
            fitted.report.stop_reason,
            StopReason::Converged,
            "{estimator:?}"
        );
        let Form::Linear(model) = &fitted.model else {
            panic!("a linear form");
        };
        // The column of zeros has no say, and a smaller second one speaks for the first class.
        assert_eq!(model.weights[(0, 0)], 0.0);
        // log(1 + e^−(w+b)) + log(1 + e^(3w+b)) has the slope 3/2 − 1/2 = 1 by w at w = b = 0: where |w| costs 1
        // that is just not enough to move it.
        assert!(model.weights[(0, 1)] <= 0.0);
        let mut dear = estimator;
        dear.set("c", &2.0_f64.into()).expect("a number");
        let Form::Linear(model) = dear.fit(&two, &context, None).expect("a fit").model else {
            panic!("a linear form");
        };
        assert!(model.weights[(0, 1)] < 0.0, "{dear:?}");
    }
    let one = data(Matrix::from_vec(1, 1, vec![2.0]), Targets::Real(vec![3.0]));
    for loss in [
        TubeLoss::EpsilonInsensitive,
        TubeLoss::SquaredEpsilonInsensitive,
    ] {
        let line = LinearSvr::default().loss(loss).bias(Bias::Free).c(100.0);
        let model: LinearModel = line.fit(&one, &context).expect("a fit").model;
        assert!(model.weights[(0, 0)].abs() < 1e-4, "{model:?}");
        assert!((model.biases[0] - 3.0).abs() < 1e-4, "{model:?}");
    }
    let empty = data(Matrix::<f64>::zeros(3, 0), classes([0, 1, 1].into_iter()));
    let model = Logistic::default()
        .fit(&empty, &context)
        .expect("a fit")
        .model;
    // Nothing but the shares of the classes: log(1/2).
    assert!((model.biases[0] + 2.0_f64.ln()).abs() < 1e-3, "{model:?}");
}

#[test]
fn a_fit_that_may_not_go_on_says_so() {
    let rows = sample(300, 5, 2);
    let cancel = Cancel::default();
    cancel.cancel();
    let stopped = FitContext::default().cancel(cancel);
    let late = FitContext::default().time_limit(Some(Duration::ZERO));
    for estimator in every() {
        for (context, reason) in [
            (&stopped, StopReason::Cancelled),
            (&late, StopReason::TimeLimit),
        ] {
            if estimator.name() != "linear_svr" {
                let fitted = estimator.fit(&rows, context, None).expect("what there is");
                assert_eq!(fitted.report.stop_reason, reason);
            }
        }
    }
    let few = Logistic::default().max_iterations(Some(1)).tolerance(1e-14);
    let fitted = few
        .fit(&rows, &FitContext::default())
        .expect("what there is");
    assert_eq!(fitted.report.stop_reason, StopReason::IterationLimit);
    assert_eq!(fitted.report.solver().iterations, 1);
    let alert = fitted.report.notes.iter().find(|note| note.is_alert());
    let text = alert.expect("an alert").text();
    assert!(
        text.starts_with("not converged (iteration_limit)"),
        "{text}"
    );
    assert!(text.contains("more iterations"), "{text}");
}

#[test]
fn factors_of_classes_are_weights_of_rows() {
    let rows = sample(150, 3, 2);
    let Targets::Classes(targets) = &rows.targets else {
        panic!("classes");
    };
    let factors = ClassWeights::Given([("1".to_owned(), 3.0)].into());
    let weights = targets
        .codes
        .iter()
        .map(|&c| if c == 1 { 3.0 } else { 1.0 })
        .collect();
    let weighted = rows.clone().with_weights(weights).expect("weights");
    let context = FitContext::default();
    let one = LinearSvc::default()
        .class_weights(factors)
        .fit(&rows, &context)
        .expect("a fit");
    let other = LinearSvc::default()
        .fit(&weighted, &context)
        .expect("a fit");
    assert_eq!(one.model, other.model);
}

/// Rows moved by so much.
fn moved(rows: &Dataset, by: f64) -> Dataset {
    let points = rows.records.features.points.widened();
    let x = Matrix::from_fn(rows.len(), points.columns(), |i, j| match &points {
        crate::data::Block::Dense(m) => m.row(i)[j] + by,
        crate::data::Block::Sparse(_) => panic!("dense rows"),
    });
    data(x, rows.targets.clone())
}

#[test]
fn a_free_constant_takes_on_where_rows_lie() {
    let near = sample(120, 3, 2);
    let free: [AnyEstimator; 4] = [
        Logistic::default().into(),
        LinearSvc::default().bias(Bias::Free).into(),
        LinearSvc::default()
            .loss(HingeLoss::Hinge)
            .bias(Bias::Free)
            .into(),
        LinearSvr::default().bias(Bias::Free).into(),
    ];
    for estimator in free {
        let here = fit(&estimator, &near, 1);
        let there = fit(&estimator, &moved(&near, 1e8), 1);
        let name = estimator.name();
        assert_eq!(there.report.stop_reason, StopReason::Converged, "{name}");
        assert!(
            !there
                .report
                .notes
                .iter()
                .any(|n| n.text().contains("from zero"))
        );
        let weights = |fitted: &Fitted<Form>| {
            let linear = fitted.model.linear().expect("weights");
            (linear.weights.row(0).to_vec(), linear.biases[0])
        };
        let ((here, constant), (there, moved)) = (weights(&here), weights(&there));
        // Values around 10⁸ have a spacing of 1.5e-8; the solvers stop at a gap of 1e-6.
        for (a, b) in here.iter().zip(&there) {
            assert!((a - b).abs() < 1e-3 * a.abs().max(1.0), "{name}: {a} {b}");
        }
        let back = moved + 1e8 * there.iter().sum::<f64>();
        assert!((back - constant).abs() < 1e-2, "{name}: {back} {constant}");
    }
}

#[test]
fn a_penalised_constant_says_that_rows_lie_too_far() {
    let near = sample(120, 3, 2);
    for estimator in every() {
        let free =
            estimator.name() == "logistic" || format!("{estimator:?}").contains("bias: Free");
        let told = |rows: &Dataset| {
            let context = FitContext::default().time_limit(Some(Duration::from_secs(20)));
            let rows = match estimator.name() {
                "linear_svr" => {
                    let y = (0..rows.len()).map(|i| value(i, 3)).collect();
                    Dataset::try_new(rows.records.clone(), Targets::Real(y)).expect("numbers")
                }
                _ => rows.clone(),
            };
            let fitted = estimator.fit(&rows, &context, None).expect("a fit");
            let alerts = fitted.report.notes.iter().filter(|n| n.is_alert());
            alerts
                .filter(|n| n.text().contains("free constant"))
                .count()
        };
        assert_eq!(told(&near), 0, "{estimator:?}");
        let far = usize::from(!free);
        assert_eq!(told(&moved(&near, 1e5)), far, "{estimator:?}");
    }
}

#[test]
fn logistic_weights_are_the_most_probable_under_the_prior_that_is_told() {
    let data = sample(80, 3, 2);
    let x = data.records.features.points.widened();
    let crate::data::Block::Dense(x) = x else {
        unreachable!("dense rows");
    };
    let Targets::Classes(classes) = &data.targets else {
        unreachable!("classes");
    };
    for (penalty, share) in [
        (Penalty::L2, 0.0),
        (Penalty::L1, 1.0),
        (Penalty::ElasticNet, 0.5),
    ] {
        let method = Logistic::default().penalty(penalty).c(0.7).tolerance(1e-12);
        let fitted = method.fit(&data, &FitContext::default()).expect("a fit");
        let told = fitted.report.bayes.expect("a reading");
        let cost = |w: &[f64]| {
            let losses = classes.codes.iter().enumerate().map(|(i, &code)| {
                let f: f64 = x.row(i).iter().zip(w).map(|(x, w)| x * w).sum();
                let sign = if code == 0 { 1.0 } else { -1.0 };
                (-sign * (f + fitted.model.biases[0])).exp().ln_1p()
            });
            let prior = w.iter().map(|w| {
                if let [variance] = told.prior_variance[..] {
                    w * w / (2.0 * variance)
                } else {
                    (share * w.abs() + 0.5 * (1.0 - share) * w * w) / told.prior_scale[0]
                }
            });
            losses.sum::<f64>() + prior.sum::<f64>()
        };
        let best = fitted.model.weights.row(0).to_vec();
        for j in 0..3 {
            for step in [-1e-3, 1e-3] {
                let mut other = best.clone();
                other[j] += step;
                assert!(cost(&other) > cost(&best), "{penalty:?} {j} {step}");
            }
        }
    }
    let several = Logistic::default().fit(&sample(60, 3, 3), &FitContext::default());
    let told = several.expect("a fit").report.bayes.expect("a reading");
    assert_eq!(told.prior_variance, [1.0; 3]);
    assert!(told.likelihood.contains("Σ exp"));
    let free = Logistic::default().penalty(Penalty::None);
    let free = free.fit(&data, &FitContext::default()).expect("a fit");
    assert_eq!(free.report.bayes, None);
}

#[test]
fn few_rows_and_weights_that_are_not_zero_are_counted() {
    let data = sample(12, 30, 2);
    let notes = |fitted: Fitted<LinearModel>| {
        let notes = fitted.report.notes.into_iter();
        notes
            .map(|note| (note.is_alert(), note.text().to_owned()))
            .collect::<Vec<_>>()
    };
    let told = |fitted: crate::Result<Fitted<LinearModel>>| notes(fitted.expect("a fit"));
    let context = FitContext::default();
    let few = "there are 12 rows for 31 parameters";
    let plain = told(Logistic::default().fit(&data, &context));
    assert!(
        plain
            .iter()
            .any(|(alert, text)| !alert && text.starts_with(few))
    );
    let free = told(
        Logistic::default()
            .penalty(Penalty::None)
            .fit(&data, &context),
    );
    assert!(
        free.iter()
            .any(|(alert, text)| *alert && text.starts_with(few)),
        "{free:?}"
    );
    let sparse = LinearSvc::default()
        .penalty(MarginPenalty::L1)
        .fit(&data, &context);
    let sparse = sparse.expect("a fit");
    let nonzero = sparse
        .model
        .weights
        .as_slice()
        .iter()
        .filter(|w| **w != 0.0)
        .count();
    let text = format!("{nonzero} of 30 weights are not zero");
    assert!(notes(sparse).iter().any(|(_, told)| *told == text));
    let enough = told(LinearSvc::default().fit(&sample(40, 3, 2), &context));
    assert!(
        enough.iter().all(|(_, text)| !text.contains("parameters")),
        "{enough:?}"
    );
}
