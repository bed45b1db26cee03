use mercer_linalg::{CsrBuilder, Matrix};
use proptest::prelude::*;

use super::{AtZero, Penalty, Perceptron, Variant};
use crate::data::{ClassTargets, Dataset, Records, Targets};
use crate::fit::{Cancel, FitContext, Fitted, MarginSource, MistakeReport, StopReason};
use crate::kernel::KernelSpec;
use crate::learn::{Estimator, Settings};
use crate::model::Form;
use crate::{Error, Result};

fn data(rows: usize, values: &[f64], labels: &[&str]) -> Dataset {
    let x = Matrix::from_vec(rows, values.len() / rows, values.to_vec());
    let y = ClassTargets::from_labels(labels);
    Dataset::try_new(Records::from_points(x), Targets::Classes(y)).expect("equal lengths")
}

fn and() -> Dataset {
    data(
        4,
        &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0],
        &["0", "0", "0", "1"],
    )
}

fn xor() -> Dataset {
    data(
        4,
        &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0],
        &["a", "b", "b", "a"],
    )
}

fn fit(perceptron: &Perceptron, data: &Dataset) -> Fitted<Form> {
    let fitted = perceptron.fit(data, &FitContext::default());
    fitted.expect("rows that can be learnt from")
}

/// Until a pass is without mistakes, rows in their order.
fn in_order() -> Perceptron {
    Perceptron::default().shuffle(false).tolerance(None)
}

fn told(fitted: &Fitted<Form>) -> &MistakeReport {
    &fitted.report.mistakes.as_ref().expect("mistakes")[0]
}

/// The class codes that a model gives to rows.
fn codes(fitted: &Fitted<Form>, data: &Dataset) -> Vec<u32> {
    let decider = fitted.model.decider(mercer_linalg::Precision::F64);
    let decisions = decider
        .expect("a model")
        .decisions(
            &data.records,
            mercer_linalg::Par::Sequential,
            &Cancel::default(),
        )
        .expect("rows of the same shape");
    let code = |row: usize| fitted.model.readout().class(decisions.row(row));
    (0..data.len())
        .map(|row| code(row).expect("a class"))
        .collect()
}

fn errors(fitted: &Fitted<Form>, data: &Dataset) -> usize {
    let Targets::Classes(classes) = &data.targets else {
        unreachable!("the tests have classes");
    };
    let found = codes(fitted, data);
    found
        .iter()
        .zip(&classes.codes)
        .filter(|(a, b)| a != b)
        .count()
}

/// f(x) = ⟨w, x⟩ + b, positive for the second class.
fn weights(fitted: &Fitted<Form>) -> Vec<f64> {
    let model = fitted.model.linear().expect("a linear model");
    let all = std::iter::once(&model.biases[0]).chain(model.weights.row(0));
    all.map(|w| -w).collect()
}

#[test]
fn and_is_learnt_as_in_the_course() {
    // A(0) = 1, rows 00, 01, 10, 11: 11 mistakes, 6 passes, the last one clean.
    let fitted = fit(&in_order().at_zero(AtZero::Second), &and());
    assert_eq!(weights(&fitted), [-3.0, 2.0, 1.0]);
    let told = told(&fitted);
    assert_eq!((told.mistakes, told.passes), (11, 6));
    assert_eq!(told.margin_source, Some(MarginSource::HardMargin));
    assert!((told.bound.expect("separable") - 51.0).abs() < 1e-3);
    assert!((told.radius - 3.0_f64.sqrt()).abs() < 1e-12);
    assert_eq!(fitted.report.stop_reason, StopReason::Converged);
    assert_eq!(errors(&fitted, &and()), 0);
    let note = fitted
        .report
        .notes
        .last()
        .expect("a note")
        .text()
        .to_owned();
    assert!(
        note.contains("11 mistakes in 6 passes") && note.contains("= 51 "),
        "{note}"
    );
}

#[test]
fn passes_go_on_from_earlier_weights() {
    // Five passes and then a sixth are six.
    let first = fit(
        &in_order().at_zero(AtZero::Second).max_iterations(5),
        &and(),
    );
    let sixth = in_order().at_zero(AtZero::Second).max_iterations(1);
    let from = |data: &Dataset, earlier: &Form| {
        sixth.fit_from(data, earlier.linear(), &FitContext::default())
    };
    let again = from(&and(), &first.model).expect("the same classes and columns");
    assert_eq!(weights(&again), [-3.0, 2.0, 1.0]);
    assert_eq!(told(&again).mistakes, 0);
    // (R/γ)² counts mistakes from w = 0 on.
    assert_eq!((told(&again).bound, told(&again).margin), (None, None));
    // Rows of one class are enough: the model knows both.
    let mut one = and();
    one.targets = Targets::Classes(ClassTargets {
        labels: vec!["0".to_owned(), "1".to_owned()],
        codes: vec![1; 4],
    });
    let moved = from(&one, &again.model).expect("classes that the model has");
    assert!(weights(&moved)[0] > -3.0);
    assert!(sixth.fit(&one, &FitContext::default()).is_err());
    // Other classes, other columns, or a kernel.
    assert!(from(&xor(), &again.model).is_err());
    let narrow = data(2, &[0.0, 1.0], &["0", "1"]);
    let refused = from(&narrow, &again.model).expect_err("one column");
    assert!(refused.to_string().contains("over 2 features"), "{refused}");
    let kernel: KernelSpec = "rbf(gamma=1)".parse().expect("a kernel");
    let curved = sixth.clone().kernel(kernel);
    let linear = again.model.linear();
    assert!(
        curved
            .fit_from(&and(), linear, &FitContext::default())
            .is_err()
    );
}

#[test]
fn the_pocket_keeps_an_earlier_start_that_stays_the_best() {
    let first = fit(&in_order(), &and());
    let pocket = in_order().variant(Variant::Pocket).max_iterations(1);
    // One row says otherwise, and comes first.
    let noisy = data(
        5,
        &[1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0],
        &["0", "0", "0", "0", "1"],
    );
    let again = pocket.fit_from(&noisy, first.model.linear(), &FitContext::default());
    assert_eq!(weights(&again.expect("a fit")), weights(&first));
}

/// Weights of scikit-learn 1.9.1, from `tests/data/oracle/perceptron.py`.
#[test]
fn weights_are_those_of_scikit_learn_in_the_order_of_rows() {
    let oracle = include_str!("../../../../../tests/data/oracle/perceptron.json");
    let oracle: serde_json::Value = serde_json::from_str(oracle).expect("JSON");
    let list = |value: &serde_json::Value| -> Vec<f64> {
        let list = value.as_array().expect("a list").iter();
        list.map(|v| v.as_f64().expect("a number")).collect()
    };
    let x: Vec<f64> = oracle["x"]
        .as_array()
        .expect("rows")
        .iter()
        .flat_map(list)
        .collect();
    let rows = oracle["x"].as_array().expect("rows").len();
    let mut compared = 0;
    for case in oracle["cases"].as_array().expect("cases") {
        let labels: Vec<&str> = oracle[case["target"].as_str().expect("a name")]
            .as_array()
            .expect("labels")
            .iter()
            .map(|label| label.as_str().expect("a label"))
            .collect();
        let data = data(rows, &x, &labels);
        let mut settings = Perceptron::default().shuffle(false);
        for (name, value) in case["settings"].as_object().expect("settings") {
            settings
                .set(name, value)
                .expect("a setting")
                .expect("a value");
        }
        let fitted = fit(&settings, &data);
        let model = fitted.model.linear().expect("a linear model");
        let turn = if model.biases.len() == 1 { -1.0 } else { 1.0 };
        let theirs = case["coef"].as_array().expect("weights");
        assert_eq!(theirs.len(), model.biases.len());
        for (k, theirs) in theirs.iter().enumerate() {
            for (ours, theirs) in model.weights.row(k).iter().zip(list(theirs)) {
                assert!(
                    (turn * ours - theirs).abs() < 1e-9,
                    "{case}: {ours} {theirs}"
                );
                compared += 1;
            }
        }
        for (ours, theirs) in model.biases.iter().zip(list(&case["intercept"])) {
            assert!((turn * ours - theirs).abs() < 1e-9, "{case}");
        }
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn a_kernel_separates_what_no_line_does() {
    let data = xor();
    let line = fit(&Perceptron::default(), &data);
    assert!(errors(&line, &data) > 0);
    assert_eq!(line.report.stop_reason, StopReason::Stalled);
    assert_eq!(told(&line).bound, None);
    for kernel in ["rbf(gamma=1)", "poly(degree=2, offset=1)"] {
        let kernel: KernelSpec = kernel.parse().expect("an expression");
        for variant in [Variant::Plain, Variant::Pocket] {
            let settings = in_order().kernel(kernel.clone()).variant(variant);
            let fitted = fit(&settings, &data);
            assert_eq!(errors(&fitted, &data), 0);
            assert!(fitted.model.expansion().is_some());
            let told = told(&fitted);
            assert!(told.mistakes as f64 <= told.bound.expect("separable"));
        }
    }
}

#[test]
fn kernel_and_weights_are_the_same_perceptron() {
    // The linear kernel by another name: coefficients instead of weights.
    let kernel: KernelSpec = "poly(degree=1, offset=0, scale=1)"
        .parse()
        .expect("an expression");
    let rows: Vec<f64> = (0..60).map(|i| f64::from(i * 37 % 23 - 11) / 8.0).collect();
    let labels: Vec<&str> = (0..30).map(|i| ["x", "y", "z"][i * 7 / 3 % 3]).collect();
    let data = data(30, &rows, &labels);
    for variant in [Variant::Plain, Variant::Pocket, Variant::Averaged] {
        for shuffle in [false, true] {
            let settings = Perceptron::default().variant(variant).shuffle(shuffle);
            let line = fit(&settings, &data);
            let dual = fit(&settings.kernel(kernel.clone()), &data);
            assert_eq!(told(&line).mistakes, told(&dual).mistakes);
            assert_eq!(codes(&line, &data), codes(&dual, &data));
            let gap = line.report.solver().objective - dual.report.solver().objective;
            assert!(gap.abs() < 1e-9, "{gap}");
        }
    }
}

#[test]
fn copies_are_weights_and_order_is_of_no_account_where_it_is_random() {
    let one = data(
        6,
        &[0.0, 1.0, 2.0, 0.5, 3.0, 1.0, -1.0, 2.0, 2.0, 2.0, 0.0, 1.0],
        &["a", "b", "b", "a", "b", "a"],
    );
    let merged = data(
        5,
        &[2.0, 2.0, 0.0, 1.0, 2.0, 0.5, 3.0, 1.0, -1.0, 2.0],
        &["b", "a", "b", "b", "a"],
    )
    .with_weights(vec![1.0, 2.0, 1.0, 1.0, 1.0])
    .expect("weights");
    let settings = Perceptron::default().tolerance(None);
    assert_eq!(
        weights(&fit(&settings, &one)),
        weights(&fit(&settings, &merged))
    );
    let other = FitContext::default().seed(7);
    let again = settings.fit(&one, &other).expect("rows");
    assert_eq!(errors(&again, &one), 0);
    for threads in [1, 2] {
        let context = FitContext::default().threads(threads);
        let fitted = settings.fit(&one, &context).expect("rows");
        assert_eq!(weights(&fitted), weights(&fit(&settings, &one)));
    }
}

#[test]
fn sparse_rows_are_the_same_rows() {
    let dense = and();
    let mut builder = CsrBuilder::new(2);
    for row in [
        vec![],
        vec![(1, 1.0)],
        vec![(0, 1.0)],
        vec![(0, 1.0), (1, 1.0)],
    ] {
        builder.push_row(&row).expect("ascending columns");
    }
    let mut sparse = dense.clone();
    sparse.records = Records::from_points(builder.finish());
    for penalty in [None, Some(Penalty::L2)] {
        let settings = Perceptron::default().shuffle(false).penalty(penalty);
        assert_eq!(
            weights(&fit(&settings, &dense)),
            weights(&fit(&settings, &sparse))
        );
    }
}

#[test]
fn small_and_extreme_rows() {
    // Two rows, an empty column, numbers of any size.
    for scale in [1e-150, 1.0, 1e100] {
        let two = data(2, &[0.0, scale, 0.0, -scale], &["a", "b"]);
        let fitted = fit(&Perceptron::default(), &two);
        assert_eq!(errors(&fitted, &two), 0, "{scale}");
    }
    // The same row in both classes: no end, and the pocket is right about one of them.
    let same = data(2, &[1.0, 1.0], &["a", "b"]);
    let fitted = fit(
        &in_order().max_iterations(20).variant(Variant::Pocket),
        &same,
    );
    assert_eq!(fitted.report.stop_reason, StopReason::IterationLimit);
    assert_eq!(errors(&fitted, &same), 1);
    assert!(fitted.report.notes.iter().any(crate::fit::Note::is_alert));
    let beyond = data(2, &[1e300, -1e300], &["a", "b"]);
    let error = Perceptron::default()
        .step(1e300)
        .fit(&beyond, &FitContext::default());
    assert!(error.is_err_and(|e| e.to_string().contains("range")));
}

#[test]
fn early_stopping_sets_rows_aside() {
    let rows: Vec<f64> = (0..200).map(|i| f64::from(i * 37 % 101) - 50.0).collect();
    let labels: Vec<&str> = rows
        .iter()
        .map(|x| if *x > 0.0 { "up" } else { "down" })
        .collect();
    let data = data(200, &rows, &labels);
    let settings = Perceptron::default().early_stopping(true);
    let fitted = fit(&settings, &data);
    assert!(errors(&fitted, &data) < 20);
    let refused = settings.validation(1.0).fit(&data, &FitContext::default());
    assert!(refused.is_err_and(|e| e.to_string().contains("`validation`")));
}

#[test]
fn what_cannot_be_used_is_named() {
    let refused = |settings: Perceptron, data: &Dataset| -> String {
        let done: Result<Fitted<Form>> = settings.fit(data, &FitContext::default());
        done.expect_err("bad input").to_string()
    };
    let usual = Perceptron::default;
    let rbf: KernelSpec = "rbf(gamma=1)".parse().expect("an expression");
    let cases = [
        (usual().step(0.0), "`step`"),
        (usual().l1_ratio(1.5), "`l1_ratio`"),
        (usual().lambda(-1.0), "`lambda`"),
        (usual().penalty(Some(Penalty::L1)).kernel(rbf), "penalty"),
        (
            usual()
                .penalty(Some(Penalty::L2))
                .variant(Variant::Averaged),
            "penalty",
        ),
    ];
    for (settings, word) in cases {
        let said = refused(settings, &and());
        assert!(said.contains(word), "{said}");
    }
    let nan = data(2, &[f64::NAN, 1.0], &["a", "b"]);
    assert!(refused(usual(), &nan).contains("row 1"));
    let one = data(2, &[0.0, 1.0], &["a", "a"]);
    assert!(refused(usual(), &one).contains("class"));
    let mut numbers = and();
    numbers.targets = Targets::Real(vec![0.0; 4]);
    assert!(refused(usual(), &numbers).contains("class"));
    let cancel = Cancel::default();
    cancel.cancel();
    let stopped = usual().fit(&and(), &FitContext::default().cancel(cancel));
    assert_eq!(stopped.expect_err("stopped"), Error::Cancelled);
    let late = FitContext::default().time_limit(Some(std::time::Duration::ZERO));
    let late = usual().fit(&and(), &late).expect("weights 0");
    assert_eq!(late.report.stop_reason, StopReason::TimeLimit);
}

#[test]
fn settings_survive_a_file() {
    let settings = in_order()
        .variant(Variant::Pocket)
        .penalty(Some(Penalty::Elasticnet));
    let text = serde_json::to_string(&settings).expect("JSON");
    assert_eq!(
        serde_json::from_str::<Perceptron>(&text).expect("JSON"),
        settings
    );
}

/// Rows in the plane on both sides of a line, at some distance from it.
fn separable() -> impl Strategy<Value = Dataset> {
    let row = (-5.0..5.0_f64, -5.0..5.0_f64);
    let rows = proptest::collection::vec(row, 4..40);
    (
        rows,
        0.0..std::f64::consts::TAU,
        -2.0..2.0_f64,
        0.2..1.0_f64,
    )
        .prop_filter_map("rows of both classes", |(rows, angle, offset, gap)| {
            let (mut values, mut labels) = (Vec::new(), Vec::new());
            for (x, y) in rows {
                let distance: f64 = x * angle.cos() + y * angle.sin() - offset;
                if distance.abs() > gap {
                    values.extend([x, y]);
                    labels.push(if distance > 0.0 { "over" } else { "under" });
                }
            }
            let both = labels.contains(&"over") && labels.contains(&"under");
            both.then(|| data(labels.len(), &values, &labels))
        })
}

/// Any rows in the plane with any labels.
fn any_rows() -> impl Strategy<Value = Dataset> {
    let row = (-3..4_i32, -3..4_i32, proptest::bool::ANY);
    proptest::collection::vec(row, 2..30).prop_filter_map("rows of both classes", |rows| {
        let values: Vec<f64> = rows
            .iter()
            .flat_map(|(x, y, _)| [f64::from(*x), f64::from(*y)])
            .collect();
        let labels: Vec<&str> = rows.iter().map(|r| if r.2 { "a" } else { "b" }).collect();
        let both = labels.contains(&"a") && labels.contains(&"b");
        both.then(|| data(rows.len(), &values, &labels))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Novikoff's theorem, for any order and both rules at 0.
    #[test]
    fn mistakes_on_separable_rows_stay_within_the_bound(
        data in separable(), shuffle in proptest::bool::ANY, second in proptest::bool::ANY,
    ) {
        let rule = if second { AtZero::Second } else { AtZero::Wrong };
        let settings = in_order().shuffle(shuffle).at_zero(rule).max_iterations(1_000_000);
        let fitted = fit(&settings, &data);
        let told = told(&fitted);
        prop_assert_eq!(fitted.report.stop_reason, StopReason::Converged);
        prop_assert_eq!(errors(&fitted, &data), 0);
        let bound = told.bound.expect("separable");
        prop_assert!((told.mistakes as f64) <= bound * (1.0 + 1e-6), "{:?}", told);
    }

    /// The pocket sees the last weights, too.
    #[test]
    fn the_pocket_is_never_worse_than_the_last_weights(
        data in any_rows(), shuffle in proptest::bool::ANY,
    ) {
        let settings = Perceptron::default().shuffle(shuffle).max_iterations(30);
        let plain = fit(&settings, &data);
        let pocket = fit(&settings.variant(Variant::Pocket), &data);
        prop_assert!(errors(&pocket, &data) <= errors(&plain, &data));
        prop_assert_eq!(told(&pocket).mistakes, told(&plain).mistakes);
    }
}

#[test]
fn rows_far_from_zero_are_told_of() {
    let about = |origin: f64| {
        let values: Vec<f64> = [0.0, 1.0, 4.0, 5.0].map(|v| origin + v).to_vec();
        let fitted = fit(
            &Perceptron::default(),
            &data(4, &values, &["a", "a", "b", "b"]),
        );
        let notes = &fitted.report.notes;
        notes
            .iter()
            .any(|n| n.is_alert() && n.text().contains("from zero"))
    };
    assert!(about(1e8) && !about(0.0));
}
