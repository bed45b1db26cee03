//! What trees of small tables must be.

use std::collections::BTreeMap;
use std::time::Duration;

use mercer_linalg::{CsrBuilder, Matrix, Par, Precision};
use proptest::prelude::*;

use super::{C45, Estimate, MissingValues, RuleMaking};
use crate::data::{ClassTargets, CodeColumn, Dataset, MISSING_CODE, Records, Targets};
use crate::fit::{Cancel, FitContext, Fitted, StopReason};
use crate::learn::Estimator;
use crate::model::{Form, TreeModel};

/// Rows of numbers with classes by code.
fn numbers(rows: &[&[f64]], classes: &[u32]) -> Dataset {
    let width = rows.first().map_or(0, |row| row.len());
    let values = rows.iter().flat_map(|row| row.iter().copied()).collect();
    let points = Matrix::from_vec(rows.len(), width, values);
    let most = classes.iter().max().map_or(0, |most| *most as usize);
    let targets = ClassTargets {
        labels: (0..=most.max(1)).map(|k| k.to_string()).collect(),
        codes: classes.to_vec(),
    };
    Dataset::try_new(Records::from_points(points), Targets::Classes(targets)).unwrap()
}

/// Rows of categories with classes by code.
fn categories(columns: &[&[u32]], classes: &[u32]) -> Dataset {
    let mut data = numbers(&vec![&[][..]; classes.len()], classes);
    data.records.codes = columns
        .iter()
        .enumerate()
        .map(|(k, codes)| CodeColumn {
            source: format!("c{k}"),
            codes: codes.to_vec(),
        })
        .collect();
    data
}

fn fit(settings: &C45, data: &Dataset) -> Fitted<TreeModel> {
    let fitted = settings.fit(data, &FitContext::default()).unwrap();
    Form::from(fitted.model.clone()).check().unwrap();
    fitted
}

/// Settings under which nothing but gain and purity ends growth.
fn whole() -> C45 {
    C45::default().prune(false).correction(false).min_rows(1)
}

fn probabilities(model: &TreeModel, data: &Dataset) -> Vec<Vec<f64>> {
    let form = Form::from(model.clone());
    let decider = form.decider(Precision::F64).unwrap();
    let decisions = decider
        .decisions(&data.records, Par::Sequential, &Cancel::default())
        .unwrap();
    let rows = 0..decisions.rows();
    rows.map(|row| form.readout().probabilities(decisions.row(row)).unwrap())
        .collect()
}

#[test]
fn greedy_gain_stops_at_exclusive_or_and_says_so() {
    let data = categories(&[&[0, 0, 1, 1], &[0, 1, 0, 1]], &[0, 1, 1, 0]);
    let fitted = fit(&whole(), &data);
    assert_eq!(fitted.model.nodes.len(), 1);
    let notes = &fitted.report.notes;
    assert!(
        notes.iter().any(|note| note.text().contains("XOR")),
        "{notes:?}"
    );
}

#[test]
fn weights_are_copies() {
    let rows: Vec<[f64; 2]> = (0..40)
        .map(|k| [f64::from(k * 7 % 13), f64::from(k * 5 % 11)])
        .collect();
    let classes: Vec<u32> = (0..40).map(|k| u32::from(k * 3 % 7 > 3)).collect();
    let copies: Vec<usize> = (0..40).flat_map(|k| vec![k; k % 4]).collect();
    let list: Vec<&[f64]> = rows.iter().map(|row| &row[..]).collect();
    let data = numbers(&list, &classes);
    let weighted = data
        .clone()
        .with_weights((0..40).map(|k| f64::from(k % 4)).collect());
    let one = fit(&C45::default(), &weighted.unwrap());
    let other = fit(&C45::default(), &data.select(&copies));
    assert_eq!(one.model.nodes, other.model.nodes);
}

#[test]
fn missing_values_take_all_branches_or_one_of_their_own() {
    let x = f64::NAN;
    let rows: [&[f64]; 9] = [
        &[1.0],
        &[2.0],
        &[3.0],
        &[7.0],
        &[8.0],
        &[9.0],
        &[x],
        &[x],
        &[x],
    ];
    let data = numbers(&rows, &[0, 0, 0, 1, 1, 1, 2, 2, 2]);
    let shared = fit(&C45::default().prune(false), &data);
    let found = probabilities(&shared.model, &data);
    // Half of the three rows of class 2 went either way.
    assert!(
        (found[0][0] - (3.0 + 1.0 / 3.0) / 5.5).abs() < 1e-12,
        "{found:?}"
    );
    assert!((found[8][0] - 1.0 / 3.0).abs() < 1e-12, "{found:?}");
    let apart = fit(&C45::default().missing(MissingValues::Branch), &data);
    assert_eq!(apart.model.nodes.leaves(), 3);
    assert_eq!(apart.report.tree.unwrap().training_errors, 0.0);
    let found = probabilities(&apart.model, &data);
    assert!(
        (found[7][2] - (3.0 + 1.0 / 3.0) / 4.0).abs() < 1e-12,
        "{found:?}"
    );
}

#[test]
fn categories_that_training_lacks_count_as_missing() {
    let codes = [0, 0, 0, 1, 1, 1, 1, MISSING_CODE];
    let data = categories(&[&codes], &[0, 0, 0, 1, 1, 1, 1, 1]);
    let fitted = fit(&C45::default(), &data);
    let new = categories(&[&[0, 1, 7, MISSING_CODE, 0, 0, 0, 0]], &[0; 8]);
    let found = probabilities(&fitted.model, &new);
    assert_eq!(found[2], found[3]);
    assert!(
        found[2][0] > found[1][0] && found[2][0] < found[0][0],
        "{found:?}"
    );
}

#[test]
fn laplace_keeps_probabilities_from_being_certain() {
    let data = numbers(&[&[0.0], &[1.0], &[5.0], &[6.0]], &[0, 0, 1, 1]);
    let plain = probabilities(&fit(&C45::default(), &data).model, &data);
    let smooth = probabilities(&fit(&C45::default().laplace(true), &data).model, &data);
    assert!((plain[0][0] - 2.5 / 3.0).abs() < 1e-12, "{plain:?}");
    assert!((smooth[0][0] - 0.75).abs() < 1e-12, "{smooth:?}");
}

#[test]
fn rules_cover_what_the_tree_tells_apart() {
    let columns: [&[u32]; 2] = [&[0, 0, 0, 0, 1, 1, 1, 1], &[0, 0, 1, 1, 0, 0, 1, 1]];
    let data = categories(&columns, &[0, 0, 1, 1, 1, 1, 1, 1]);
    let fitted = fit(&C45::default().prune(false).rules(RuleMaking::All), &data);
    let rules = &fitted.model.rules;
    assert_eq!(rules.last().unwrap().conditions.len(), 0);
    assert!(rules.len() > 1);
    assert!(rules.iter().all(|rule| rule.errors == 0.0), "{rules:?}");
    assert!(
        fit(&C45::default().rules(RuleMaking::None), &data)
            .model
            .rules
            .is_empty()
    );
}

#[test]
fn smallest_tables_have_trees() {
    let one = fit(&C45::default(), &numbers(&[&[1.0]], &[0]));
    assert_eq!(one.model.nodes.leaves(), 1);
    let equal = fit(&whole(), &numbers(&[&[1.0], &[1.0], &[1.0]], &[0, 1, 1]));
    assert_eq!(equal.report.tree.unwrap().training_errors, 1.0);
    let huge = numbers(&[&[-1e308], &[-1e-308], &[1e-308], &[1e308]], &[0, 0, 1, 1]);
    assert_eq!(
        fit(&whole(), &huge).report.tree.unwrap().training_errors,
        0.0
    );
    let gone = numbers(&[&[f64::NAN], &[f64::NAN]], &[0, 1]);
    assert_eq!(fit(&C45::default(), &gone).model.nodes.leaves(), 1);
}

#[test]
fn bad_settings_and_rows_are_refused() {
    let data = numbers(&[&[1.0], &[f64::INFINITY]], &[0, 1]);
    let context = FitContext::default();
    assert!(C45::default().fit(&data, &context).is_err());
    let data = numbers(&[&[1.0], &[2.0]], &[0, 1]);
    for bad in [
        C45::default().confidence(0.6),
        C45::default().confidence(0.0),
        C45::default().min_rows(0),
        C45::default().max_depth(Some(0)),
    ] {
        assert!(bad.fit(&data, &context).is_err(), "{bad:?}");
    }
    let mut one_class = data.clone();
    one_class.targets = Targets::Classes(ClassTargets {
        labels: vec!["a".to_owned()],
        codes: vec![0, 0],
    });
    assert!(C45::default().fit(&one_class, &context).is_err());
    let nobody = data.with_weights(vec![0.0, 0.0]).unwrap();
    assert!(C45::default().fit(&nobody, &context).is_err());
}

#[test]
fn a_time_limit_cuts_growth_and_is_told() {
    let data = numbers(&[&[0.0], &[1.0], &[5.0], &[6.0]], &[0, 0, 1, 1]);
    let late = FitContext::default().time_limit(Some(Duration::ZERO));
    let fitted = C45::default().fit(&data, &late).unwrap();
    assert_eq!(fitted.report.stop_reason, StopReason::TimeLimit);
    assert_eq!(fitted.model.nodes.leaves(), 1);
}

#[test]
fn depth_is_bounded_and_the_stump_stands_beside() {
    let rows: Vec<[f64; 2]> = (0..64).map(|k| [f64::from(k), f64::from(k % 8)]).collect();
    let classes: Vec<u32> = (0..64)
        .map(|k| u32::from((k / 16 + k % 2) % 2 == 0))
        .collect();
    let list: Vec<&[f64]> = rows.iter().map(|row| &row[..]).collect();
    let data = numbers(&list, &classes);
    let fitted = fit(&whole().max_depth(Some(2)), &data);
    assert!(fitted.model.nodes.depth() <= 2);
    let stump = fitted.model.stump.expect("a split at the root");
    assert_eq!(stump.depth(), 1);
    let told = fitted.report.tree.unwrap().stump_errors.unwrap();
    assert_eq!(stump.training_errors(), told);
}

#[test]
fn threads_do_not_change_the_tree() {
    let rows: Vec<[f64; 40]> = (0..4000)
        .map(|k| std::array::from_fn(|j| f64::from((k * (2 * j as u32 + 3)) % 997)))
        .collect();
    let classes: Vec<u32> = (0..4000).map(|k| k * 31 % 5 / 2).collect();
    let list: Vec<&[f64]> = rows.iter().map(|row| &row[..]).collect();
    let data = numbers(&list, &classes);
    let settings = C45::default().max_depth(Some(4)).estimate(Estimate::Exact);
    let with = |threads: usize| {
        let context = FitContext::default().threads(threads);
        settings.fit(&data, &context).unwrap().model
    };
    assert_eq!(with(1), with(2));
}

#[test]
fn trees_that_no_fit_makes_are_refused() {
    type Break = (&'static str, fn(&mut TreeModel));
    let data = categories(&[&[0, 0, 1, 1, 1, 0]], &[0, 0, 1, 1, 1, 0]);
    let sound = fit(&C45::default(), &data).model;
    assert_eq!(sound.nodes.len(), 3);
    let broken: [Break; 12] = [
        ("a child before its parent", |m| {
            m.nodes.first_children[0] = 0;
        }),
        ("children beyond the end", |m| m.nodes.first_children[0] = 2),
        ("too few branches", |m| m.nodes.child_counts[0] = 1),
        ("a column that is not there", |m| m.nodes.columns[0] = 9),
        ("a leaf with children", |m| m.nodes.child_counts[1] = 2),
        ("a threshold of no size", |m| {
            m.nodes.thresholds[0] = f64::NAN;
        }),
        ("a negative count", |m| m.nodes.counts[(1, 0)] = -1.0),
        ("an endless count", |m| {
            m.nodes.counts[(0, 0)] = f64::INFINITY;
        }),
        ("a root without rows", |m| {
            m.nodes.counts.row_mut(0).fill(0.0);
        }),
        ("a strange mark", |m| m.nodes.missing_branches[0] = 7),
        ("a rule for no class", |m| m.rules[0].class = 8),
        ("a list that is too short", |m| {
            m.nodes.thresholds.pop();
        }),
    ];
    for (what, spoil) in broken {
        let mut model = sound.clone();
        spoil(&mut model);
        assert!(Form::from(model).check().is_err(), "{what}");
    }
    // A chain deeper than any that is grown.
    let deep = 600;
    let mut chain = sound.clone();
    let nodes = &mut chain.nodes;
    let inner = |k: usize| k % 2 == 1 || k == 0;
    let count = 2 * deep + 1;
    nodes.columns = (0..count)
        .map(|k| {
            if inner(k) && k < count - 2 {
                0
            } else {
                u32::MAX
            }
        })
        .collect();
    nodes.thresholds = vec![0.0; count];
    nodes.missing_branches = vec![0; count];
    nodes.counts = Matrix::from_fn(count, 2, |_, _| 1.0);
    let mut next = 1;
    nodes.first_children = Vec::new();
    nodes.child_counts = Vec::new();
    for k in 0..count {
        let splits = nodes.columns[k] == 0;
        nodes.first_children.push(if splits { next } else { 0 });
        nodes.child_counts.push(if splits { 2 } else { 0 });
        next += if splits { 2 } else { 0 };
    }
    let error = Form::from(chain).check().unwrap_err().to_string();
    assert!(error.contains("deeper"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Without pruning a tree errs on contradictions alone, unless gain stopped it.
    #[test]
    fn the_whole_tree_reaches_the_smallest_attainable_error(
        rows in prop::collection::vec(([0_u8..4, 0..4, 0..4], 0_u32..3), 1..40)
    ) {
        let values: Vec<[f64; 3]> = rows.iter().map(|(row, _)| row.map(f64::from)).collect();
        let list: Vec<&[f64]> = values.iter().map(|row| &row[..]).collect();
        let classes: Vec<u32> = rows.iter().map(|(_, class)| *class).collect();
        let fitted = fit(&whole(), &numbers(&list, &classes));
        let mut groups: BTreeMap<[u8; 3], [usize; 3]> = BTreeMap::new();
        for (row, class) in &rows {
            groups.entry(*row).or_default()[*class as usize] += 1;
        }
        let least: usize = groups.values().map(|c| c.iter().sum::<usize>() - c.iter().max().unwrap()).sum();
        let found = fitted.report.tree.unwrap().training_errors;
        let stopped = fitted.report.notes.iter().any(|note| note.text().contains("XOR"));
        prop_assert!(found >= least as f64 - 1e-9);
        prop_assert!(stopped || (found - least as f64).abs() < 1e-9, "{} {}", found, least);
    }
}

#[test]
fn columns_of_sparse_rows_that_are_always_zero_cost_nothing() {
    // Ten million columns of which one tells the classes apart.
    let mut rows = CsrBuilder::new(10_000_000);
    let codes: Vec<u32> = (0..20).map(|i| i % 2).collect();
    for &code in &codes {
        rows.push_row(&[(9_000_000, f64::from(code) + 1.0)])
            .unwrap();
    }
    let targets = ClassTargets {
        labels: vec!["a".to_owned(), "b".to_owned()],
        codes,
    };
    let rows = Records::from_points(rows.finish());
    let data = Dataset::try_new(rows, Targets::Classes(targets)).unwrap();
    let context = FitContext::default().memory_limit(100_000);
    let fitted = C45::default().fit(&data, &context).unwrap();
    assert_eq!(fitted.model.columns.len(), 1);
    assert_eq!(fitted.model.nodes.len(), 3);
}
