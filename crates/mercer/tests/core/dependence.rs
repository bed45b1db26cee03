//! How predictions depend on single columns: what averages, shapes and bands have in common.

use mercer::Error;
use mercer::data::{Categories, Column, Origin, Roles, Table, Values};
use mercer::explain::{DependenceOptions, Grid, Response, dependence, dependence_surface};
use mercer::fit::FitContext;
use mercer::model::{Answers, Trained};
use mercer::recipe::{Recipe, Wish};
use serde_json::json;

/// y = sin 2a + ½b² + [colour is red], with a little noise; `kind` says whether it is large, middling or small.
fn table() -> Table {
    let rows = 90;
    let spread = |i: usize, by: usize| ((i * by) % rows) as f64 / rows as f64 * 4.0 - 2.0;
    let a: Vec<f64> = (0..rows).map(|i| spread(i, 37)).collect();
    let b: Vec<f64> = (0..rows).map(|i| spread(i, 61)).collect();
    let colours: Vec<&str> = (0..rows).map(|i| ["red", "green", "blue"][i % 3]).collect();
    let y: Vec<f64> = (0..rows)
        .map(|i| {
            let red = f64::from(u8::from(colours[i] == "red"));
            (2.0 * a[i]).sin() + 0.5 * b[i] * b[i] + red + 0.05 * (97.0 * i as f64).sin()
        })
        .collect();
    let kinds = y.iter().map(|y| match y {
        y if *y > 1.5 => "large",
        y if *y > 0.5 => "middling",
        _ => "small",
    });
    let names = |list: Vec<&str>| {
        let names: Vec<Option<String>> = list.iter().map(|n| Some((*n).to_owned())).collect();
        Values::Categorical(Categories::from_names(names.iter().map(Option::as_deref)))
    };
    let columns = vec![
        Column::new("a", Values::Numeric(a)),
        Column::new("b", Values::Numeric(b)),
        Column::new("kind", names(kinds.collect())),
        Column::new("colour", names(colours)),
        Column::new("y", Values::Numeric(y)),
    ];
    Table::try_new(columns, Origin::default()).expect("columns of one length")
}

fn fitted(target: &str, method: &str, kernel: Option<&str>) -> (Trained, Table) {
    let mut table = table();
    let other = if target == "y" { "kind" } else { "y" };
    table.take(other).expect("a column");
    let mut recipe = Recipe::new(Roles {
        targets: vec![target.to_owned()],
        ..Roles::default()
    });
    recipe.wish = Wish::Named(method.to_owned());
    recipe.settings = kernel
        .map(|kernel| ("kernel".to_owned(), json!(kernel)))
        .into_iter()
        .collect();
    let model = recipe.fit(table.clone(), &FitContext::default());
    (model.expect("a fit").model, table)
}

const SUM: &str = "rbf(gamma=1)@a + rbf(gamma=0.5)@b + linear@colour";

fn mean_prediction(model: &Trained, table: &Table) -> f64 {
    let found = model.predict(table, &FitContext::default());
    let Answers::Values(values) = found.expect("predictions").answers else {
        panic!("a model of numbers");
    };
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn shapes_of_sums_differ_from_means_by_a_constant() {
    let context = FitContext::default();
    let options = DependenceOptions::default().resolution(7);
    for (method, kernel) in [("lssvm", Some(SUM)), ("svr", Some(SUM)), ("ridge", None)] {
        let (model, table) = fitted("y", method, kernel);
        let mean = mean_prediction(&model, &table);
        for column in ["a", "b", "colour"] {
            let found = dependence(&model, &table, column, &options, &context);
            let found = found.expect("a dependence");
            let shape = found.shape.expect("a sum over columns");
            assert_eq!(found.response, Response::Prediction);
            for (own, average) in shape.values.iter().zip(&found.outputs[0].average) {
                let error = (average - mean - own).abs();
                assert!(error < 1e-8, "{method}, {column}: {error}");
            }
            // Support vector machines do not know how sure they are.
            assert_eq!(shape.deviations.is_some(), method != "svr", "{method}");
        }
    }
    let (model, table) = fitted("y", "lssvm", Some("rbf(gamma=0.3)"));
    let found = dependence(&model, &table, "a", &options, &context).expect("a dependence");
    assert_eq!(found.shape, None);
}

#[test]
fn a_band_holds_what_was_put_in() {
    let (model, table) = fitted("y", "lssvm", Some(SUM));
    let options = DependenceOptions::default().resolution(25);
    let context = FitContext::default();
    let found = dependence(&model, &table, "a", &options, &context).expect("a dependence");
    let Grid::Numbers { values, deciles } = &found.grid else {
        panic!("numbers");
    };
    assert_eq!(deciles.len(), 9);
    let Values::Numeric(rows) = &table.column("a").expect("a column").values else {
        panic!("numbers");
    };
    let truth = |x: f64| (2.0 * x).sin();
    let level = rows.iter().map(|x| truth(*x)).sum::<f64>() / rows.len() as f64;
    let shape = found.shape.expect("a sum over columns");
    let half_widths = shape.half_widths.expect("a band");
    let held = values.iter().zip(shape.values.iter().zip(&half_widths));
    let held = held.filter(|(x, (own, half))| (truth(**x) - level - *own).abs() <= **half);
    assert!(held.count() >= 18, "95 % of 25 places, and some luck");
    assert!(half_widths.iter().all(|half| *half > 0.0 && *half < 0.4));
    let wider = options.level(0.999);
    let wider = dependence(&model, &table, "a", &wider, &context).expect("a dependence");
    let wider = wider.shape.and_then(|shape| shape.half_widths);
    assert!(wider.expect("a band")[3] > half_widths[3]);
}

#[test]
fn probabilities_of_classes_add_up_to_one() {
    let (model, table) = fitted("kind", "lssvm", None);
    let context = FitContext::default();
    let options = DependenceOptions::default().resolution(5);
    let found = dependence(&model, &table, "colour", &options, &context).expect("a dependence");
    assert_eq!(found.response, Response::Probability);
    let names: Vec<_> = found.outputs.iter().map(|o| o.name.as_deref()).collect();
    assert_eq!(names, [Some("large"), Some("middling"), Some("small")]);
    let Grid::Levels { levels, counts } = &found.grid else {
        panic!("levels");
    };
    assert_eq!(*levels, ["blue", "green", "red"]);
    assert_eq!(*counts, [30, 30, 30]);
    for place in 0..3 {
        let sum: f64 = found.outputs.iter().map(|o| o.average[place]).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }
    let decisions = options.clone().decision(true);
    let found = dependence(&model, &table, "a", &decisions, &context).expect("a dependence");
    assert_eq!(found.response, Response::Decision);
    assert_eq!((found.outputs.len(), found.shape), (3, None));
}

#[test]
fn curves_are_of_rows_and_their_mean_is_the_average() {
    let (model, table) = fitted("y", "lssvm", Some("rbf(gamma=0.3)"));
    let context = FitContext::default();
    let options = DependenceOptions::default().resolution(6);
    let all = dependence(&model, &table, "b", &options.clone().curves(1000), &context);
    let all = all.expect("a dependence");
    assert_eq!(all.curve_rows, (0..90).collect::<Vec<_>>());
    let curves = &all.outputs[0];
    for place in 0..6 {
        let mean = curves.individual.iter().map(|c| c[place]).sum::<f64>() / 90.0;
        assert!((mean - curves.average[place]).abs() < 1e-12);
    }
    let some = dependence(&model, &table, "b", &options.clone().curves(9), &context);
    let some = some.expect("a dependence");
    assert_eq!(
        some.outputs[0].individual[4],
        curves.individual[some.curve_rows[4]]
    );
    let centred = all.clone().centred();
    assert!(centred.outputs[0].individual.iter().all(|c| c[0] == 0.0));
    let moved = centred.outputs[0].average[5] - (curves.average[5] - curves.average[0]);
    assert!(moved.abs() < 1e-12);
    // Less work averages fewer rows, and the same ones every time.
    let small = options.work(1.0);
    let [one, two] = [1, 2].map(|threads| {
        let context = FitContext::default().threads(threads);
        dependence(&model, &table, "b", &small, &context).expect("a dependence")
    });
    assert_eq!((one.rows, one.clone()), (50, two));
}

#[test]
fn surfaces_of_sums_have_parallel_lines() {
    let (model, table) = fitted("y", "lssvm", Some(SUM));
    let context = FitContext::default();
    let options = DependenceOptions::default().resolution(5);
    let found = dependence_surface(&model, &table, ["a", "colour"], &options, &context);
    let found = found.expect("a surface");
    let lines = &found.outputs[0].average;
    assert_eq!((lines.len(), lines[0].len(), found.rows), (5, 3, 90));
    for line in lines {
        let step = (line[2] - line[0]) - (lines[0][2] - lines[0][0]);
        assert!(step.abs() < 1e-9, "{step}");
    }
    let alone = dependence(&model, &table, "a", &options, &context).expect("a dependence");
    let first = alone.outputs[0].average[0];
    let mean = lines[0].iter().sum::<f64>() / 3.0;
    // Every colour has a third of the rows.
    assert!((mean - first).abs() < 1e-9, "{mean} {first}");
}

#[test]
fn what_cannot_be_traced_is_refused() {
    let (model, table) = fitted("y", "lssvm", Some(SUM));
    let context = FitContext::default();
    let options = DependenceOptions::default();
    let refused = |column: &str, options: &DependenceOptions| {
        dependence(&model, &table, column, options, &context).expect_err("refused")
    };
    assert!(matches!(refused("c", &options), Error::Unknown { .. }));
    let coarse = options.clone().resolution(1);
    assert!(matches!(refused("a", &coarse), Error::Setting { .. }));
    let both = coarse.quantiles(0.9, 0.2);
    assert!(matches!(refused("a", &both), Error::Settings { .. }));
    let twice = dependence_surface(&model, &table, ["a", "a"], &options, &context);
    assert!(matches!(twice, Err(Error::Conflict { .. })));
    let empty = dependence(&model, &table.select(&[]), "a", &options, &context);
    assert!(matches!(empty, Err(Error::Rows { .. })));
}
