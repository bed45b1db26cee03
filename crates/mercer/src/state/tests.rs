use std::sync::Arc;

use mercer_linalg::Precision;
use proptest::prelude::*;

use super::*;
use crate::data::{Categories, Column, Origin, Roles, Table, Values};
use crate::fit::FitContext;
use crate::learn::features::{Nystroem, RandomFeatures};
use crate::model::{Answers, Trained};
use crate::recipe::Recipe;

fn x(i: usize) -> f64 {
    10.0 * (i as f64 * 0.618_033_988_75).fract()
}

/// Rows of a table of numbers, a category and a target; some targets are missing where that is asked for.
fn table(rows: std::ops::Range<usize>, gaps: bool) -> Table {
    let kind = |i: usize| ["low", "mid", "high"][i * 31 % 3].to_owned();
    let y = |i: usize| {
        if gaps && i.is_multiple_of(17) {
            f64::NAN
        } else {
            x(i).sin() + (i * 31 % 3) as f64 + 0.1 * ((i * 7919 % 101) as f64 / 50.0 - 1.0)
        }
    };
    let columns = vec![
        Column::new("x", Values::Numeric(rows.clone().map(x).collect())),
        Column::new(
            "kind",
            Values::Categorical(Categories::from_names(
                rows.clone().map(|i| Some(kind(i))).collect::<Vec<_>>(),
            )),
        ),
        Column::new("y", Values::Numeric(rows.clone().map(y).collect())),
        Column::new(
            "c",
            Values::Categorical(Categories::from_names(
                rows.map(|i| Some(if x(i).sin() > 0.2 { "yes" } else { "no" }.to_owned()))
                    .collect::<Vec<_>>(),
            )),
        ),
    ];
    Table::try_new(columns, Origin::default()).unwrap()
}

fn roles(target: &str) -> Roles {
    let other = if target == "y" { "c" } else { "y" };
    Roles {
        targets: vec![target.to_owned()],
        drop: vec![other.to_owned()],
        drop_unlabelled: true,
        ..Roles::default()
    }
}

fn recipe(target: &str) -> Recipe {
    Recipe::new(roles(target)).with(Nystroem::default().components(Some(30)))
}

fn plan(target: &str, rows: usize, gaps: bool) -> Arc<Plan> {
    let context = FitContext::default();
    Arc::new(Plan::of(&recipe(target), table(0..rows, gaps), &context).unwrap())
}

fn state(plan: &Arc<Plan>, rows: std::ops::Range<usize>, gaps: bool) -> State {
    let place = Place::at(rows.start as u64);
    State::of(plan, table(rows, gaps), place, &FitContext::default()).unwrap()
}

fn values(model: &Trained) -> Vec<f64> {
    let found = model
        .predict(&table(5000..5100, false), &FitContext::default())
        .unwrap();
    match found.answers {
        Answers::Values(values) => values,
        _ => found.decisions.into_vec(),
    }
}

/// Largest difference of the sums of two states over what they can be at most: |Σ ab| ≤ √(Σ a² Σ b²).
fn sums_apart(one: &State, other: &State) -> f64 {
    let mut apart = 0.0_f64;
    for (one, other) in one.sums().folds().iter().zip(other.sums().folds()) {
        let (a, b) = (one.lower(), other.lower());
        let square = |i: usize| a[i * (i + 3) / 2];
        for i in 0..=one.features() + one.outputs() {
            for j in 0..=i {
                let place = i * (i + 1) / 2 + j;
                let most = (square(i) * square(j)).sqrt();
                apart = apart.max((a[place] - b[place]).abs() / most);
            }
        }
    }
    apart
}

#[test]
fn at_block_ends_pieces_are_the_whole_bit_for_bit_and_merged_states_to_rounding() {
    let context = FitContext::default();
    let cases = [
        (None, Precision::F64),
        (Some("rbf(gamma=9)"), Precision::F32),
    ];
    for (kernel, precision) in cases {
        let mut method = Nystroem::default().components(Some(30));
        if let Some(kernel) = kernel {
            method = method.kernel(kernel.parse().unwrap());
        }
        let recipe = Recipe::new(roles("y")).with(method);
        let plan = Arc::new(Plan::of(&recipe, table(0..14_000, true), &context).unwrap());
        assert_eq!(plan.features.precision, precision);
        let block = plan.block();
        assert!(block < 7000);
        let whole = state(&plan, 0..14_000, true);
        let mut pieces = State::new(Arc::clone(&plan));
        for start in (0..14_000).step_by(block) {
            let rows = start..(start + block).min(14_000);
            let place = Place::at(rows.start as u64);
            pieces.add(table(rows, true), place, &context).unwrap();
        }
        assert_eq!(pieces, whole);
        let mut merged = state(&plan, 0..block, true);
        merged.merge(&state(&plan, block..14_000, true)).unwrap();
        assert_eq!(merged.rows() + merged.unlabelled(), 14_000);
        assert_eq!(merged.spans(), whole.spans());
        // The products of some hundred rows are the same in any precision, and are added up in double precision, A + (B + C) in
        // place of (A + B) + C: some twenty sums, each off by 2⁻⁵³ at most.
        let apart = sums_apart(&whole, &merged);
        assert!(apart < 1e-14, "{apart}");
        // Solving multiplies that by up to n/(λ s), s the least eigenvalue of K_mm: 10¹⁰ where the kernel is smooth and
        // λ = 10⁻⁴. The noise of the targets is 0.06.
        let solve = |state: &State| values(&state.solve(&context).unwrap().model);
        let off = solve(&whole)
            .iter()
            .zip(solve(&merged))
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        assert!(off < 1e-4, "{off}");
    }
}

#[test]
fn a_state_of_all_rows_is_the_fit_of_the_table() {
    for target in ["y", "c"] {
        let context = FitContext::default();
        let fitted = recipe(target)
            .fit(table(0..900, false), &context)
            .unwrap()
            .model;
        let solved = state(&plan(target, 900, false), 0..900, false)
            .solve(&context)
            .unwrap()
            .model;
        assert_eq!(fitted.form, solved.form);
        assert_eq!(fitted.encoder, solved.encoder);
        assert_eq!(
            (fitted.task, &fitted.targets),
            (solved.task, &solved.targets)
        );
        assert_eq!(fitted.report.features, solved.report.features);
    }
}

#[test]
fn plans_and_states_survive_their_parts() {
    for target in ["y", "c"] {
        let plan = plan(target, 300, false);
        let again = Plan::from_parts(plan.to_parts()).unwrap();
        assert_eq!(again, *plan);
        let state = state(&plan, 0..300, false);
        let loaded = State::from_parts(state.to_parts()).unwrap();
        assert_eq!(loaded, state);
        // The document of a state has its plan; a plan is no state.
        assert_eq!(Plan::from_parts(state.to_parts()).unwrap(), *plan);
        assert!(State::from_parts(plan.to_parts()).is_err());
        // States that were loaded apart merge.
        let mut first = loaded;
        let next = super::State::of(
            &Arc::new(again),
            table(300..500, false),
            Place::at(300),
            &FitContext::default(),
        );
        first.merge(&next.unwrap()).unwrap();
        assert_eq!(first.rows(), 500);
    }
    let context = FitContext::default();
    let recipe = Recipe::new(roles("y")).with(RandomFeatures::default().components(Some(40)));
    let plan = Arc::new(Plan::of(&recipe, table(0..300, false), &context).unwrap());
    let one = state(&plan, 0..300, false);
    assert_eq!(State::from_parts(one.to_parts()).unwrap(), one);
}

#[test]
fn damaged_parts_are_refused() {
    let state = state(&plan("y", 200, false), 0..200, false);
    let parts = state.to_parts();
    let broken = |from: &str, to: &str| {
        let mut parts = parts.clone();
        assert!(parts.metadata.contains(from), "{from}");
        parts.metadata = parts.metadata.replacen(from, to, 1);
        State::from_parts(parts).unwrap_err().to_string()
    };
    assert!(broken("\"seed\":0", "\"seed\":1").contains("not the one that was written"));
    assert!(broken("\"state_version\":1", "\"state_version\":9").contains("version 9"));
    assert!(broken("\"rows\":200", "\"rows\":201").contains("damaged"));
    let mut lost = parts.clone();
    lost.tensors.0.remove("sums.3");
    assert!(
        State::from_parts(lost)
            .unwrap_err()
            .to_string()
            .contains("sums.3")
    );
    let mut other = parts.clone();
    if let Some(crate::model::Tensor::F64 { values, .. }) = other.tensors.0.get_mut("sums.0") {
        values[0] = f64::NAN;
    }
    assert!(State::from_parts(other).is_err());
}

#[test]
fn states_that_do_not_belong_together_are_refused_by_name() {
    let context = FitContext::default();
    let plan = plan("y", 300, false);
    let mut one = state(&plan, 0..300, false);
    let before = one.clone();
    let error = one
        .merge(&state(&plan, 299..310, false))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("rows 300 to 310") && error.contains("rows 1 to 300"),
        "{error}"
    );
    assert_eq!(one, before);
    let kernel = "rbf(gamma=9)".parse().unwrap();
    let other =
        Recipe::new(roles("y")).with(Nystroem::default().components(Some(30)).kernel(kernel));
    let other = Arc::new(Plan::of(&other, table(0..300, false), &context).unwrap());
    let error = one
        .merge(&state(&other, 300..400, false))
        .unwrap_err()
        .to_string();
    assert!(error.contains("rbf(gamma=9)"), "{error}");
    // Fewer features are made from fewer rows, of which a kernel of another width is found, unless it is given.
    let narrow = |method: Nystroem| {
        let recipe = Recipe::new(roles("y")).with(method.components(Some(10)));
        let plan = Arc::new(Plan::of(&recipe, table(0..300, false), &context).unwrap());
        let mut one = before.clone();
        let error = one.merge(&state(&plan, 300..400, false)).unwrap_err();
        assert_eq!(one, before);
        error.to_string()
    };
    let own = plan.features.map.kernel().to_string();
    let error = narrow(Nystroem::default());
    let both = format!("one has 30 features of the kernel `{own}`, the other 10 of `rbf(gamma=");
    assert!(error.contains(&both), "{error}");
    let error = narrow(Nystroem::default().kernel(own.parse().unwrap()));
    assert!(error.contains("30 features, the other 10"), "{error}");
    let random = Recipe::new(roles("y")).with(RandomFeatures::default());
    let random = Arc::new(Plan::of(&random, table(0..300, false), &context).unwrap());
    let error = one
        .merge(&state(&random, 300..400, false))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`nystroem`") && error.contains("`rff`"),
        "{error}"
    );
    // Methods that need all rows at once have no plan.
    let svr = Recipe::new(roles("y")).with(crate::learn::margin::Svr::default());
    let error = Plan::of(&svr, table(0..100, false), &context)
        .unwrap_err()
        .to_string();
    assert!(error.contains("`svr` cannot learn from sums"), "{error}");
}

#[test]
fn parts_of_one_class_and_empty_parts_merge() {
    let context = FitContext::default();
    let plan = plan("c", 400, false);
    let of_class = |wanted: bool| {
        let rows: Vec<usize> = (0..400).filter(|&i| (x(i).sin() > 0.2) == wanted).collect();
        table(0..400, false).select(&rows)
    };
    let (yes, no) = (of_class(true), of_class(false));
    let count = yes.rows() as u64;
    let mut both = State::of(&plan, yes, Place::at(0), &context).unwrap();
    assert_eq!(
        both.solve(&context).unwrap_err().to_string(),
        "all rows are of one class"
    );
    both.merge(&State::new(Arc::clone(&plan))).unwrap();
    both.merge(&State::of(&plan, no, Place { part: 1, row: 0 }, &context).unwrap())
        .unwrap();
    assert_eq!(both.spans().as_slice().len(), 2);
    assert_eq!(both.sums().class_copies().iter().sum::<f64>(), 400.0);
    assert!(both.sums().class_copies().contains(&(count as f64)));
    let model = both.solve(&context).unwrap().model;
    let found = model.predict(&table(1000..1200, false), &context).unwrap();
    let Answers::Classes { labels, codes, .. } = found.answers else {
        panic!("classes");
    };
    let right =
        (0..200).filter(|&i| (labels[codes[i] as usize] == "yes") == (x(1000 + i).sin() > 0.2));
    assert!(right.count() > 185);
    // A class that the plan has never heard of.
    let mut odd = table(400..410, false);
    odd.take("c").unwrap();
    let mut columns = odd.columns().to_vec();
    let names: Vec<Option<String>> = (0..10)
        .map(|i| Some(if i == 7 { "maybe" } else { "yes" }.to_owned()))
        .collect();
    columns.push(Column::new(
        "c",
        Values::Categorical(Categories::from_names(names)),
    ));
    let odd = Table::try_new(columns, Origin::default()).unwrap();
    let error = State::of(&plan, odd, Place::at(400), &context)
        .unwrap_err()
        .to_string();
    assert!(error.contains("maybe"), "{error}");
    let empty = State::new(plan).solve(&context).unwrap_err().to_string();
    assert!(empty.contains("no rows"), "{empty}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn any_cut_gives_the_same_model(cuts in proptest::collection::vec(1_usize..499, 0..4)) {
        let plan = plan("y", 500, false);
        let context = FitContext::default();
        let whole = values(&state(&plan, 0..500, false).solve(&context).unwrap().model);
        let mut cuts = cuts;
        cuts.extend([0, 500]);
        cuts.sort_unstable();
        cuts.dedup();
        let mut merged = State::new(Arc::clone(&plan));
        for pair in cuts.windows(2).rev() {
            merged.merge(&state(&plan, pair[0]..pair[1], false)).unwrap();
        }
        let parts = values(&merged.solve(&context).unwrap().model);
        for (a, b) in whole.iter().zip(&parts) {
            prop_assert!((a - b).abs() < 1e-4, "{a} {b}");
        }
    }
}
