use mercer_linalg::Matrix;
use serde_json::json;

use super::*;
use crate::data::{ClassTargets, Dataset, Records, Targets};
use crate::fit::{FitContext, StopReason};
use crate::kernel::KernelSpec;
use crate::learn::loss::{KernelRisk, Loss};
use crate::learn::{AnyEstimator, Estimator};
use crate::model::Form;

const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Points of a square whose classes overlap.
fn classes(rows: usize, count: u32) -> Dataset {
    let x = Matrix::from_fn(rows, 2, |i, j| {
        3.0 * (i as f64 * GOLDEN.powi(j as i32 + 1)).fract()
    });
    let code = |i: usize| {
        let noise = (i * 7919 % 101) as f64 / 101.0;
        let value = (2.0 * x[(i, 0)]).sin() + 0.5 * x[(i, 1)] + 0.8 * noise;
        (u32::from(value > 0.9) + u32::from(value > 1.6)).min(count - 1)
    };
    let codes = (0..rows).map(code).collect();
    let labels = (0..count).map(|k| format!("c{k}")).collect();
    let targets = Targets::Classes(ClassTargets { codes, labels });
    Dataset::try_new(Records::from_points(x), targets).expect("rows")
}

fn decisions(form: &Form, records: &Records) -> Matrix<f64> {
    let context = FitContext::default();
    form.predict(records, &context)
        .expect("predictions")
        .decisions
}

fn by(loss: FeatureLoss, lambda: f64, components: usize) -> Nystroem {
    Nystroem {
        kernel: KernelSpec::rbf(4.0),
        components: Some(components),
        loss,
        penalty: FeaturePenalty::Lambda(lambda),
        ..Nystroem::default()
    }
}

/// With all rows as landmarks the function is that of the kernel itself.
#[test]
fn all_landmarks_give_the_function_of_the_kernel() {
    let data = classes(120, 2);
    let lambda = 0.5;
    let pairs = [
        (FeatureLoss::Logistic, Loss::Logistic, 1.0 / lambda),
        // Its loss is twice as large as half of ours.
        (FeatureLoss::SquaredHinge, Loss::SquaredHinge, 0.5 / lambda),
    ];
    for (own, other, c) in pairs {
        let context = FitContext::default();
        let fitted = by(own, lambda, 120).fit(&data, &context).expect("a model");
        assert_eq!(fitted.report.stop_reason, StopReason::Converged);
        let exact = KernelRisk {
            kernel: KernelSpec::rbf(4.0),
            loss: other,
            c,
            ..KernelRisk::default()
        };
        let exact: Form = exact.fit(&data, &context).expect("a model").model.into();
        let (a, b) = (
            decisions(&fitted.model, &data.records),
            decisions(&exact, &data.records),
        );
        for row in 0..data.len() {
            let (a, b) = (a[(row, 0)], b[(row, 0)]);
            assert!((a.abs() - b.abs()).abs() < 1e-4, "{own:?}: {a} {b}");
        }
    }
}

#[test]
fn losses_of_classes_are_as_good_as_squares_and_no_thread_changes_them() {
    let data = classes(600, 3);
    let wrong = |loss: FeatureLoss, threads: usize| {
        let method = Nystroem {
            penalty: FeaturePenalty::default(),
            ..by(loss, 1.0, 60)
        };
        let context = FitContext::default().threads(threads);
        let fitted = method.fit(&data, &context).expect("a model");
        let told = fitted.report.features.expect("a report");
        (told.held_out_wrong.expect("a sample"), fitted.model)
    };
    let (squared, _) = wrong(FeatureLoss::Squared, 1);
    for loss in [FeatureLoss::Logistic, FeatureLoss::SquaredHinge] {
        let (one, model) = wrong(loss, 1);
        assert!(one < squared + 0.05, "{loss:?}: {one} and {squared}");
        assert!(model == wrong(loss, 2).1);
    }
}

#[test]
fn random_features_have_the_losses_too() {
    let data = classes(300, 2);
    let mut method = AnyEstimator::named("rff").expect("a method");
    for (name, value) in [("loss", json!("logistic")), ("components", json!(80))] {
        method.set(name, &value).expect("a setting");
    }
    let fitted = method
        .fit(&data, &FitContext::default(), None)
        .expect("a model");
    let solver = fitted.report.solver.expect("a solver");
    assert!(solver.iterations > 2 && solver.objective > 0.0);
    let told = fitted.report.features.expect("a report");
    assert!(told.held_out_wrong.expect("a sample") < 0.35);
    // The constant is free: what rows are pushed up by is what others are pushed down by.
    let found = decisions(&fitted.model, &data.records);
    let codes = &data.targets.classes().expect("classes").codes;
    let push: f64 = (0..data.len())
        .map(|row| {
            let y = if codes[row] == 0 { 1.0 } else { -1.0 };
            y / (1.0 + (y * found[(row, 0)]).exp())
        })
        .sum();
    assert!(push.abs() < 1e-2, "{push}");
}

#[test]
fn losses_are_refused_where_they_have_no_meaning() {
    let data = classes(60, 2);
    let numbers = Dataset {
        targets: Targets::Real((0..60).map(f64::from).collect()),
        ..data.clone()
    };
    let method = by(FeatureLoss::Logistic, 1.0, 20);
    let context = FitContext::default();
    let error = method.fit(&numbers, &context).expect_err("numbers");
    assert!(error.to_string().contains("logistic"), "{error}");
    let error = AnyEstimator::Nystroem(method)
        .feature_plan(&data, &context)
        .expect_err("parts");
    assert!(error.to_string().contains("logistic"), "{error}");
}
