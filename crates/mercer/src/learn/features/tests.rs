use mercer_linalg::{Matrix, Precision};
use serde_json::Value;

use super::*;
use crate::data::{ClassTargets, Dataset, Records, Targets};
use crate::features::{FeatureMap, LandmarkMap, Landmarks};
use crate::fit::{FitContext, StopReason};
use crate::kernel::{KernelSpec, ResolvedKernel};
use crate::learn::Estimator;
use crate::learn::least_squares::{LsSvr, Strength};
use crate::model::{Answers, Form};
use crate::solver::moments::LeftOut;

const GOLDEN: f64 = 0.618_033_988_749_894_9;

fn point(i: usize) -> [f64; 2] {
    let i = i as f64;
    [
        3.0 * (i * GOLDEN).fract(),
        2.0 * (i * GOLDEN * GOLDEN).fract(),
    ]
}

fn value(i: usize) -> f64 {
    let [a, b] = point(i);
    (2.0 * a).sin() + 0.5 * b + 0.2 * ((i * 7919 % 101) as f64 / 50.0 - 1.0)
}

fn class(y: f64) -> u32 {
    u32::from(y >= 0.3) + u32::from(y >= 1.0)
}

fn points(rows: std::ops::Range<usize>) -> Records {
    let first = rows.start;
    Records::from_points(Matrix::from_fn(rows.len(), 2, |i, j| point(first + i)[j]))
}

fn numbers(rows: usize) -> Dataset {
    let targets = Targets::Real((0..rows).map(value).collect());
    Dataset::try_new(points(0..rows), targets).unwrap()
}

fn classes(rows: usize, count: u32) -> Dataset {
    let codes = (0..rows).map(|i| class(value(i)).min(count - 1)).collect();
    let labels = (0..count).map(|k| format!("c{k}")).collect();
    let targets = Targets::Classes(ClassTargets { codes, labels });
    Dataset::try_new(points(0..rows), targets).unwrap()
}

fn decisions(form: &Form, records: &Records) -> Matrix<f64> {
    let context = FitContext::default();
    form.predict(records, &context).unwrap().decisions
}

fn oracle() -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/oracle/feature_sums.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn listed(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_f64().unwrap())
        .collect()
}

/// The map with given rows as landmarks.
fn landmarks(data: &Dataset, rows: &[usize], precision: Precision) -> FeatureMap {
    let kernel: ResolvedKernel = "rbf(gamma=0.5)".parse().unwrap();
    let found = Landmarks {
        records: data.records.select(rows),
        rows: Some(rows.to_vec()),
        notes: Vec::new(),
        stop_reason: StopReason::Converged,
        evaluations: 0,
    };
    let context = FitContext::default();
    LandmarkMap::try_new(kernel, found, precision, &context)
        .unwrap()
        .into()
}

fn sums_of(plan: &FeaturePlan, data: &Dataset) -> FeatureSums {
    let mut sums = FeatureSums::new(plan);
    let rows = FeatureRows {
        records: &data.records,
        targets: &data.targets,
        weights: data.weights.as_deref(),
        place: Place::default(),
        rows: None,
    };
    sums.add(plan, &rows, &FitContext::default()).unwrap();
    sums
}

#[test]
fn answers_are_scikit_learns_at_the_same_landmarks() {
    let context = FitContext::default();
    let new = points(1000..1007);
    for (alpha, expected) in oracle().as_object().unwrap() {
        let lambda: f64 = alpha.parse().unwrap();
        let rows = listed(&expected["landmarks"]);
        let rows: Vec<usize> = rows.iter().map(|r| *r as usize).collect();
        let learn = |data: &Dataset| {
            let plan = FeaturePlan::new(landmarks(data, &rows, Precision::F64), data, true, 0);
            let plan = plan.unwrap();
            let penalty = FeaturePenalty::Lambda(lambda);
            plan.solve(&sums_of(&plan, data), penalty, &context)
                .unwrap()
                .model
        };
        // Features are in single precision.
        let close = |found: f64, wanted: f64| {
            assert!(
                (found - wanted).abs() < 2e-4,
                "λ = {alpha}: {found} {wanted}"
            );
        };
        let data = numbers(120);
        let found = decisions(&learn(&data), &new);
        for (i, wanted) in listed(&expected["predictions"]).into_iter().enumerate() {
            close(found[(i, 0)], wanted);
        }
        let weights = (0..120).map(|i| 1.0 + (i % 3) as f64).collect();
        let weighted = numbers(120).with_weights(weights).unwrap();
        let found = decisions(&learn(&weighted), &new);
        for (i, wanted) in listed(&expected["weighted"]).into_iter().enumerate() {
            close(found[(i, 0)], wanted);
        }
        let found = decisions(&learn(&classes(120, 3)), &new);
        for (i, wanted) in expected["decisions"].as_array().unwrap().iter().enumerate() {
            for (k, wanted) in listed(wanted).into_iter().enumerate() {
                close(found[(i, k)], wanted);
            }
        }
        // Folds that are given row by row.
        let plan = FeaturePlan::new(landmarks(&data, &rows, Precision::F64), &data, true, 0);
        let plan = plan.unwrap();
        let folds: Vec<_> = (0..4)
            .map(|f| {
                let members: Vec<usize> = (0..120).filter(|i| i % 4 == f).collect();
                sums_of(&plan, &data.select(&members)).total().unwrap()
            })
            .collect();
        let total = sums_of(&plan, &data).total().unwrap();
        let axes = plan.axes().unwrap();
        let par = mercer_linalg::Par::Sequential;
        let errors = LeftOut::new(&total, &folds, axes.as_ref(), true, par);
        let errors = errors.squared_errors(lambda, par, &|| true).unwrap();
        let wanted = expected["squared_error_of_folds"].as_f64().unwrap();
        assert!(
            (errors[0] / wanted - 1.0).abs() < 1e-3,
            "{} {wanted}",
            errors[0]
        );
    }
}

#[test]
fn any_root_gives_the_same_function() {
    let context = FitContext::default();
    let data = numbers(900);
    let kernel: ResolvedKernel = "rbf(gamma=300)".parse().unwrap();
    let rows: Vec<usize> = (0..30).collect();
    let found = || Landmarks::of_rows(&data.records, rows.clone()).unwrap();
    let symmetric =
        LandmarkMap::try_new(kernel.clone(), found(), Precision::F64, &context).unwrap();
    let triangular = LandmarkMap::for_sums(kernel, found(), &context).unwrap();
    assert!(symmetric.whitening != triangular.whitening);
    let learn = |map: &LandmarkMap, data: &Dataset| {
        let plan = FeaturePlan::new(map.clone().into(), data, true, 0).unwrap();
        assert_eq!(plan.precision, Precision::F32);
        let penalty = FeaturePenalty::default();
        plan.solve(&sums_of(&plan, data), penalty, &context)
            .unwrap()
    };
    // Rows that are one point leave most directions to rounding: eigenvectors are asked for then.
    let same = Records::from_points(Matrix::from_fn(40, 2, |i, j| {
        point(i % 2)[j] + 1e-3 * j as f64
    }));
    let same = Dataset::try_new(same, Targets::Real((0..40).map(value).collect())).unwrap();
    let new = points(2000..2030);
    // There the rounding of single precision decides, and equal eigenvalues have eigenvectors to choose from.
    for (data, apart) in [(&data, 1e-9), (&same, 1e-5)] {
        let (one, other) = (learn(&symmetric, data), learn(&triangular, data));
        let (one, other) = (decisions(&one.model, &new), decisions(&other.model, &new));
        for i in 0..30 {
            let (one, other) = (one[(i, 0)], other[(i, 0)]);
            assert!((one - other).abs() < apart, "{one} {other}");
        }
    }
}

#[test]
fn all_rows_as_landmarks_are_kernel_ridge() {
    let data = numbers(60);
    let context = FitContext::default();
    let all: Vec<usize> = (0..60).collect();
    let plan = FeaturePlan::new(landmarks(&data, &all, Precision::F64), &data, true, 0).unwrap();
    let penalty = FeaturePenalty::Lambda(0.1);
    let found = plan
        .solve(&sums_of(&plan, &data), penalty, &context)
        .unwrap()
        .model;
    let whole = LsSvr::default()
        .kernel("rbf(gamma=0.5)".parse::<KernelSpec>().unwrap())
        .strength(Strength::Lambda(0.1))
        .fit(&data, &context)
        .unwrap();
    let new = points(500..530);
    let (found, whole) = (
        decisions(&found, &new),
        decisions(&whole.model.into(), &new),
    );
    for i in 0..30 {
        let (found, whole) = (found[(i, 0)], whole[(i, 0)]);
        assert!((found - whole).abs() < 2e-3, "{found} {whole}");
    }
}

#[test]
fn evidence_finds_a_penalty_and_folds_agree_with_it() {
    let data = numbers(400);
    let fit = |penalty| {
        let model = Nystroem::default().components(Some(40)).penalty(penalty);
        model.fit(&data, &FitContext::default()).unwrap()
    };
    let told = |rule| fit(FeaturePenalty::By(rule)).report.features.unwrap();
    let (evidence, folds, gcv) = (
        told(FeatureRule::Evidence),
        told(FeatureRule::Folds),
        told(FeatureRule::Gcv),
    );
    // The noise is uniform on ±0.2.
    let noise = evidence.noise_variance[0];
    assert!((noise / (0.04 / 3.0) - 1.0).abs() < 0.3, "{noise}");
    assert!(evidence.log_evidence.is_some() && folds.log_evidence.is_none());
    let errors = [&evidence, &folds, &gcv].map(|t| t.held_out_error.unwrap());
    assert!(errors.iter().all(|e| *e < 0.14), "{errors:?}");
    assert!(
        errors[1] <= errors[0] * 1.0001 && errors[1] <= errors[2] * 1.0001,
        "{errors:?}"
    );
    assert_eq!(evidence.folds, 5);
    // A model at a penalty of the ends is worse.
    let far = fit(FeaturePenalty::Lambda(1e6)).report.features.unwrap();
    assert!(far.held_out_error.unwrap() > 2.0 * errors[1]);
}

#[test]
fn threads_change_no_bit_and_order_only_rounding() {
    let data = numbers(9000);
    for model in [
        Nystroem::default().components(Some(60)),
        Nystroem::default().components(Some(200)),
    ] {
        let fit = |threads| {
            model
                .fit(&data, &FitContext::default().threads(threads))
                .unwrap()
        };
        let (one, two) = (fit(1), fit(2));
        assert_eq!(one.model, two.model);
        assert_eq!(one.report.features, two.report.features);
    }
    let model = RandomFeatures::default().components(Some(100));
    let fit = |threads| {
        model
            .fit(&data, &FitContext::default().threads(threads))
            .unwrap()
    };
    assert_eq!(fit(1).model, fit(2).model);
}

#[test]
fn both_methods_learn_numbers_with_intervals() {
    let data = numbers(3000);
    let context = FitContext::default();
    let nystroem = Nystroem::default()
        .components(Some(80))
        .fit(&data, &context)
        .unwrap();
    let rff = RandomFeatures::default()
        .components(Some(300))
        .fit(&data, &context)
        .unwrap();
    assert_eq!(nystroem.model.kind(), "expansion");
    assert_eq!(rff.model.kind(), "chain");
    let new = points(7000..9000);
    for fitted in [nystroem, rff] {
        let direct = fitted.model.expansion().and_then(|m| m.left_out.as_ref());
        let chained = fitted.model.chain().and_then(|m| m.left_out.as_ref());
        let half = direct.or(chained).unwrap().bound(0.9);
        let found = decisions(&fitted.model, &new);
        let inside = (0..2000).filter(|&i| (found[(i, 0)] - value(7000 + i)).abs() <= half);
        let share = inside.count() as f64 / 2000.0;
        assert!((share - 0.9).abs() < 0.03, "{share}");
    }
}

#[test]
fn classes_have_probabilities() {
    let context = FitContext::default();
    for count in [2, 3] {
        let data = classes(2000, count);
        let fitted = Nystroem::default()
            .components(Some(80))
            .fit(&data, &context)
            .unwrap();
        let told = fitted.report.features.unwrap();
        assert!(told.held_out_wrong.unwrap() < 0.15, "{told:?}");
        let answers = fitted
            .model
            .predict(&points(5000..6000), &context)
            .unwrap()
            .answers;
        let Answers::Classes {
            codes,
            probabilities,
            ..
        } = answers
        else {
            panic!("classes");
        };
        let right = (0..1000).filter(|&i| codes[i] == class(value(5000 + i)).min(count - 1));
        let right = right.count() as f64 / 1000.0;
        let sure: f64 = probabilities
            .unwrap()
            .iter()
            .zip(&codes)
            .map(|(p, c)| p[*c as usize])
            .sum::<f64>()
            / 1000.0;
        assert!(
            right > 0.85 && (right - sure).abs() < 0.06,
            "{right} {sure}"
        );
    }
}

#[test]
fn weights_are_copies() {
    let context = FitContext::default();
    let rows: Vec<usize> = (0..50).collect();
    let weights: Vec<f64> = (0..50).map(|i| (i % 3) as f64).collect();
    let copies: Vec<usize> = rows
        .iter()
        .flat_map(|&i| std::iter::repeat_n(i, i % 3))
        .collect();
    let data = numbers(50);
    let plan = FeaturePlan::new(
        landmarks(&data, &rows[..20], Precision::F64),
        &data,
        true,
        0,
    );
    let plan = plan.unwrap();
    let learn = |data: &Dataset| {
        let penalty = FeaturePenalty::Lambda(0.5);
        let fitted = plan
            .solve(&sums_of(&plan, data), penalty, &context)
            .unwrap();
        decisions(&fitted.model, &points(300..320))
    };
    let (weighted, copied) = (
        learn(&data.clone().with_weights(weights).unwrap()),
        learn(&data.select(&copies)),
    );
    for (a, b) in weighted.as_slice().iter().zip(copied.as_slice()) {
        assert!((a - b).abs() < 1e-5, "{a} {b}");
    }
}

#[test]
fn the_smallest_data_have_answers_or_reasons() {
    let context = FitContext::default();
    let fit = |data: &Dataset, model: &Nystroem| model.fit(data, &context);
    // One landmark, constant targets, rows that are all equal.
    let one = fit(&numbers(50), &Nystroem::default().components(Some(1))).unwrap();
    assert_eq!(one.report.features.unwrap().components, 1);
    let flat = Dataset::try_new(points(0..30), Targets::Real(vec![7.0; 30])).unwrap();
    let model = fit(&flat, &Nystroem::default()).unwrap().model;
    let found = decisions(&model, &points(40..45));
    assert!(
        found.as_slice().iter().all(|f| (f - 7.0).abs() < 1e-4),
        "{found:?}"
    );
    let same = Records::from_points(Matrix::from_fn(20, 1, |_, _| 3.0));
    let targets = Targets::Real((0..20).map(f64::from).collect());
    let same = Dataset::try_new(same, targets).unwrap();
    let kernel: KernelSpec = "rbf(gamma=1)".parse().unwrap();
    let model = fit(&same, &Nystroem::default().kernel(kernel)).unwrap();
    let found = decisions(
        &model.model,
        &Records::from_points(Matrix::from_vec(1, 1, vec![3.0])),
    );
    assert!((found[(0, 0)] - 9.5).abs() < 1e-3, "{found:?}");
    // One row says nothing of noise; at a given λ it is the answer.
    let single = numbers(1);
    assert!(fit(&single, &Nystroem::default()).is_err());
    let given = Nystroem::default().penalty(FeaturePenalty::Lambda(1.0));
    let found = decisions(&fit(&single, &given).unwrap().model, &points(0..1));
    assert!((found[(0, 0)] - value(0)).abs() < 1e-5);
    // Two rows, and four of an exclusive or.
    let two = fit(&numbers(2), &given).unwrap();
    assert!(
        decisions(&two.model, &points(0..2))
            .as_slice()
            .iter()
            .all(|f| f.is_finite())
    );
    let corners = Matrix::from_vec(4, 2, vec![0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
    let targets = ClassTargets::from_labels(&["a", "a", "b", "b"]);
    let xor = Dataset::try_new(Records::from_points(corners), Targets::Classes(targets)).unwrap();
    let kernel: KernelSpec = "rbf(gamma=1)".parse().unwrap();
    let model = fit(&xor, &given.clone().kernel(kernel)).unwrap().model;
    let found = decisions(&model, &xor.records);
    let signs: Vec<bool> = (0..4).map(|i| found[(i, 0)] > 0.0).collect();
    assert_eq!(signs, [true, true, false, false]);
    // One class is no classification.
    let mut lone = classes(30, 2);
    if let Targets::Classes(classes) = &mut lone.targets {
        classes.codes.fill(1);
    }
    let error = fit(&lone, &Nystroem::default()).unwrap_err().to_string();
    assert_eq!(error, "all rows are of one class");
    // Several numbers at once.
    let several = Matrix::from_fn(2, 80, |k, i| value(i) * (k as f64 * 1e6 + 1.0));
    let data = Dataset::try_new(points(0..80), Targets::Several(several)).unwrap();
    let model = fit(&data, &Nystroem::default().components(Some(30)))
        .unwrap()
        .model;
    let found = decisions(&model, &points(0..80));
    for i in 0..80 {
        assert!((found[(i, 1)] / 1_000_001.0 - found[(i, 0)]).abs() < 1e-3);
    }
    // Targets at the ends of the range.
    for scale in [1e-200, 1e200] {
        let targets = Targets::Real((0..80).map(|i| scale * value(i)).collect());
        let data = Dataset::try_new(points(0..80), targets).unwrap();
        let model = fit(&data, &Nystroem::default().components(Some(30)))
            .unwrap()
            .model;
        let found = decisions(&model, &points(0..80));
        let off = (0..80).map(|i| (found[(i, 0)] / scale - value(i)).abs());
        assert!(off.fold(0.0, f64::max) < 0.5);
    }
}

#[test]
fn a_rare_class_and_noise_keep_their_shares() {
    let context = FitContext::default();
    let codes: Vec<u32> = (0..2000).map(|i| u32::from(i * 7919 % 1009 < 20)).collect();
    let share = codes.iter().map(|c| f64::from(*c)).sum::<f64>() / 2000.0;
    let labels = vec!["often".to_owned(), "rare".to_owned()];
    let targets = Targets::Classes(ClassTargets { codes, labels });
    let data = Dataset::try_new(points(0..2000), targets).unwrap();
    let fitted = Nystroem::default()
        .components(Some(50))
        .fit(&data, &context)
        .unwrap();
    let answers = fitted
        .model
        .predict(&points(3000..3500), &context)
        .unwrap()
        .answers;
    let Answers::Classes {
        probabilities: Some(found),
        ..
    } = answers
    else {
        panic!("probabilities");
    };
    let mean = found.iter().map(|p| p[1]).sum::<f64>() / 500.0;
    assert!((mean - share).abs() < 0.01, "{mean} {share}");
    assert!(found.iter().all(|p| p[1] < 0.2));
}
