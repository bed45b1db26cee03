//! Files of plans and states.

use std::sync::Arc;

use mercer::data::{Column, Origin, Roles, Table, Values};
use mercer::fit::FitContext;
use mercer::learn::features::Nystroem;
use mercer::recipe::Recipe;
use mercer::state::{Place, Plan, State};
use mercer_io::state::{
    load_plan, load_state, plan_from_bytes, save_plan, save_state, state_from_bytes, state_to_bytes,
};

fn table(rows: std::ops::Range<usize>) -> Table {
    let x: Vec<f64> = rows.map(|i| i as f64 / 50.0).collect();
    let y = x.iter().map(|x| (2.0 * x).sin()).collect();
    let columns = vec![
        Column::new("x", Values::Numeric(x)),
        Column::new("y", Values::Numeric(y)),
    ];
    Table::try_new(columns, Origin::default()).expect("columns of one length")
}

fn plan() -> Arc<Plan> {
    let roles = Roles {
        targets: vec!["y".to_owned()],
        ..Roles::default()
    };
    let recipe = Recipe::new(roles).with(Nystroem::default().components(Some(15)));
    Arc::new(Plan::of(&recipe, table(0..200), &FitContext::default()).expect("a plan"))
}

#[test]
fn parts_are_added_up_apart_and_merged_from_files() {
    let context = FitContext::default();
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let plan = plan();
    save_plan(&plan, &path("p.state")).expect("written");
    for (name, rows) in [("a.state", 0..120), ("b.state", 120..200)] {
        let plan = Arc::new(load_plan(&path("p.state")).expect("read"));
        let place = Place::at(rows.start as u64);
        let state = State::of(&plan, table(rows), place, &context).expect("rows");
        save_state(&state, &path(name)).expect("written");
    }
    let mut merged = load_state(&path("a.state")).expect("read");
    merged
        .merge(&load_state(&path("b.state")).expect("read"))
        .expect("merged");
    let model = merged.solve(&context).expect("a model").model;
    let bytes = mercer_io::model::to_bytes(&model).expect("a model file");
    let again = mercer_io::model::from_bytes(&bytes).expect("the model");
    assert_eq!(again.form, model.form);
    assert_eq!(model.report.rows, 200);
}

#[test]
fn files_that_are_cut_or_changed_are_refused() {
    let context = FitContext::default();
    let state = State::of(&plan(), table(0..200), Place::at(0), &context).expect("rows");
    let bytes = state_to_bytes(&state).expect("bytes");
    assert_eq!(state_from_bytes(&bytes).expect("the state"), state);
    assert!(plan_from_bytes(&bytes).is_ok());
    for length in [0, 5, 9, 200, bytes.len() / 2, bytes.len() - 1] {
        assert!(state_from_bytes(&bytes[..length]).is_err(), "{length}");
    }
    let mut changed = bytes.clone();
    let last = changed.len() - 9;
    changed[last] ^= 1;
    let error = state_from_bytes(&changed).expect_err("changed").to_string();
    assert!(error.contains("checksum"), "{error}");
    // A model is no state, and a state no model.
    let model = state.solve(&context).expect("a model").model;
    let model = mercer_io::model::to_bytes(&model).expect("bytes");
    let error = state_from_bytes(&model).expect_err("a model").to_string();
    assert!(error.contains("not a mercer state"), "{error}");
    let error = mercer_io::model::from_bytes(&bytes)
        .expect_err("a state")
        .to_string();
    assert!(error.contains("not a mercer model"), "{error}");
}
