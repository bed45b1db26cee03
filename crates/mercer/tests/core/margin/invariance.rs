//! What must not change the result: order, copies, threads, memory, storage.

use mercer::data::Dataset;
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::margin::{Svc, Svr};
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::Scheme;
use proptest::prelude::*;

use super::generate::{classes, classification, dense, regression, rows, sparse, two_classes};

/// The width is left open: what is chosen from the rows must not depend on their order or
/// on how copies are written either.
fn machine() -> Svc {
    Svc::default().kernel(KernelSpec::rbf_auto()).c(3.0)
}

fn fit(data: &Dataset) -> KernelExpansion {
    fit_in(data, &FitContext::default())
}

fn fit_in(data: &Dataset, context: &FitContext) -> KernelExpansion {
    let fitted = machine().fit(data, context).expect("the problem is sound");
    function(fitted.model)
}

/// What predicts: the list of rows that support vectors stand for is about the way they were given.
fn function(mut model: KernelExpansion) -> KernelExpansion {
    model.copies = None;
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn row_order_does_not_matter((rows, labels) in two_classes(), seed in any::<u64>()) {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|i| (*i as u64 + 1).wrapping_mul(seed | 1));
        let data = classification(&rows, &labels);
        prop_assert_eq!(fit(&data.select(&order)), fit(&data));
    }

    #[test]
    fn weights_mean_copies((rows, labels) in two_classes(), weights in prop::collection::vec(0usize..4, 40)) {
        let mut weights: Vec<f64> = weights[..rows.len()].iter().map(|w| *w as f64).collect();
        weights[0] = weights[0].max(1.0);
        weights[1] = weights[1].max(1.0);
        let data = classification(&rows, &labels);
        let copies: Vec<usize> = (0..rows.len())
            .flat_map(|i| std::iter::repeat_n(i, weights[i] as usize))
            .collect();
        let weighted = data.clone().with_weights(weights).expect("weights are good");
        prop_assert_eq!(fit(&weighted), fit(&data.select(&copies)));
    }

    #[test]
    fn weight_zero_means_removed((rows, labels) in two_classes(), gone in 2usize..4) {
        let gone = gone.min(rows.len() - 1);
        let data = classification(&rows, &labels);
        let mut weights = vec![1.0; rows.len()];
        weights[gone] = 0.0;
        let kept: Vec<usize> = (0..rows.len()).filter(|i| *i != gone).collect();
        let weighted = data.clone().with_weights(weights).expect("weights are good");
        prop_assert_eq!(fit(&weighted), fit(&data.select(&kept)));
    }

    #[test]
    fn regression_weights_mean_copies(rows in rows(3..20, 2), weights in prop::collection::vec(1usize..4, 20)) {
        let y: Vec<f64> = rows.iter().map(|r| r[0] - 2.0 * r[1].abs()).collect();
        let data = regression(&rows, &y);
        let copies: Vec<usize> = (0..rows.len())
            .flat_map(|i| std::iter::repeat_n(i, weights[i]))
            .collect();
        let weighted = data
            .clone()
            .with_weights(weights[..rows.len()].iter().map(|w| *w as f64).collect())
            .expect("weights are good");
        let machine = Svr::default().kernel(KernelSpec::rbf(0.4)).c(3.0);
        let context = FitContext::default();
        let a = machine.fit(&weighted, &context).expect("the problem is sound");
        let b = machine.fit(&data.select(&copies), &context).expect("the problem is sound");
        prop_assert_eq!(function(a.model), function(b.model));
    }

    #[test]
    fn sparse_rows_give_the_same_machine((rows, labels) in two_classes()) {
        let context = FitContext::default();
        let tight = machine().tolerance(1e-8);
        let dual = |data: &Dataset| {
            tight.fit(data, &context).expect("the problem is sound").report.solver().problems[0].dual
        };
        let of_dense = dual(&classification(&rows, &labels));
        let data = Dataset::try_new(sparse(&rows), classes(&labels)).expect("lengths agree");
        prop_assert!((dual(&data) - of_dense).abs() <= 1e-6 * (1.0 + of_dense.abs()));
    }
}

/// Three overlapping classes with enough rows for several blocks and class pairs.
fn three_classes(n: usize) -> Dataset {
    classes_of(n, 5)
}

fn classes_of(n: usize, columns: usize) -> Dataset {
    // Between -1 and 1, and no two rows are equal: equal ones would be merged.
    let value = |i: usize, k: usize| {
        let mixed = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (k as u64 + 1).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    let rows: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..columns).map(|k| value(i, k)).collect())
        .collect();
    let names: Vec<String> = rows
        .iter()
        .map(|r| ((r[0] + r[1] * r[2] + 3.0) as u32 % 3).to_string())
        .collect();
    let targets = mercer::data::ClassTargets::from_labels(&names);
    Dataset::try_new(dense(&rows), mercer::data::Targets::Classes(targets)).expect("lengths agree")
}

#[test]
fn threads_and_memory_do_not_change_a_byte() {
    let data = three_classes(900);
    for machine in [
        machine().probability(true),
        machine().scheme(Scheme::OneVsRest),
    ] {
        let fit = |context: &FitContext| machine.fit(&data, context).expect("a sound problem");
        let one = fit(&FitContext::default().threads(1));
        let two = fit(&FitContext::default().threads(2));
        assert_eq!(one.report.distinct_rows, 900);
        // One working set in double precision, but not two.
        let poor = fit(&FitContext::default().threads(2).memory_limit(9_000_000));
        assert_eq!(one.model, two.model);
        assert_eq!(one.model, poor.model);
        assert_eq!(
            one.report.solver().objective.to_bits(),
            two.report.solver().objective.to_bits()
        );
        assert!(
            poor.report.kernel().kernel_bytes <= 9_000_000,
            "{}",
            poor.report.kernel().kernel_bytes
        );
    }
}

#[test]
fn kept_rows_do_not_change_a_byte() {
    // 70 columns make kernel rows worth keeping; 3 MB hold a third of them.
    let data = classes_of(1100, 70);
    let machine = machine().scheme(Scheme::OneVsRest);
    let fit = |context: &FitContext| machine.fit(&data, context).expect("a sound problem");
    let one = fit(&FitContext::default().threads(1));
    let two = fit(&FitContext::default().threads(2));
    let poor = fit(&FitContext::default().threads(2).memory_limit(3_000_000));
    assert_eq!(one.model, two.model);
    assert_eq!(one.model, poor.model);
    assert!(poor.report.kernel().kernel_bytes <= 3_000_000);
    // Rows that were not kept were computed again: the limit was felt.
    assert!(poor.report.kernel().kernel_evaluations > two.report.kernel().kernel_evaluations);
}

#[test]
fn a_budget_below_a_working_set_is_refused() {
    let error = machine()
        .fit(
            &three_classes(900),
            &FitContext::default().memory_limit(1000),
        )
        .expect_err("a working set takes more");
    assert!(matches!(error, mercer::Error::Memory { .. }), "{error}");
}

#[test]
fn a_warm_start_needs_fewer_steps_and_ends_the_same() {
    let data = three_classes(600);
    let context = FitContext::default();
    let tight = machine().tolerance(1e-5);
    let first = tight.fit(&data, &context).expect("a sound problem");
    let again = tight
        .fit_from(&data, &context, Some(&first.model))
        .expect("a sound problem");
    assert!(again.report.solver().iterations * 10 <= first.report.solver().iterations);
    let change = (again.report.solver().objective - first.report.solver().objective).abs();
    assert!(change <= 1e-4 * first.report.solver().objective);
    // A price nearby: from half the price the way is as long as from nothing.
    let near = tight.clone().c(3.3);
    let cold = near.fit(&data, &context).expect("a sound problem");
    let warm = near
        .fit_from(&data, &context, Some(&first.model))
        .expect("a sound problem");
    assert!(warm.report.solver().iterations < cold.report.solver().iterations);
    let change = (warm.report.solver().objective - cold.report.solver().objective).abs();
    assert!(change <= 1e-4 * cold.report.solver().objective);
}

#[test]
fn a_model_keeps_nothing_its_kernel_does_not_read() {
    let mut data = three_classes(60);
    data.records.texts.push(mercer::data::TextColumn {
        source: "diary".to_owned(),
        texts: (0..60).map(|i| format!("private {i}").into()).collect(),
    });
    let model = fit(&data);
    assert!(model.support.texts.is_empty());
    // New rows still carry the column; the kernel looks past it.
    let answers = mercer::model::Form::Expansion(model)
        .predict(&data.records, &FitContext::default())
        .expect("the rows fit");
    assert_eq!(answers.len(), 60);
}
