//! Importance of columns beside scikit-learn's `permutation_importance`.

use mercer::data::{Column, Origin, Roles, Scaling, Table, Targets, Values};
use mercer::explain::{Importance, Permutation, importance};
use mercer::fit::FitContext;
use mercer::judge::{Metric, Truth};
use mercer::recipe::{Recipe, Wish};
use serde_json::{Value, json};

fn data(name: &str) -> String {
    let path = format!("{}/../../tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a bundled file")
}

/// A table of numbers with its target, the last column.
fn numbers(text: &str) -> (Table, Vec<f64>) {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let rows: Vec<Vec<f64>> = lines
        .map(|line| {
            line.split(',')
                .map(|c| c.parse().expect("a number"))
                .collect()
        })
        .collect();
    let column = |k: usize| rows.iter().map(|row| row[k]).collect::<Vec<f64>>();
    let columns = names.iter().enumerate();
    let columns = columns.map(|(k, name)| Column::new(*name, Values::Numeric(column(k))));
    let table = Table::try_new(columns.collect(), Origin::default()).expect("columns");
    (table, column(names.len() - 1))
}

fn ridge(target: &str, gamma: f64, lambda: f64) -> Recipe {
    let mut recipe = Recipe::new(Roles {
        targets: vec![target.to_owned()],
        ..Roles::default()
    });
    recipe.wish = Wish::Named("krr".to_owned());
    recipe.scaling = Some(Scaling::Standard);
    recipe.settings = vec![
        ("kernel".to_owned(), json!(format!("rbf(gamma={gamma})"))),
        ("lambda".to_owned(), json!(lambda)),
    ];
    recipe
}

fn measured(settings: &Permutation, context: &FitContext) -> (Value, Importance) {
    let record: Value = serde_json::from_str(&data("oracle/importance.json")).expect("JSON");
    let (table, y) = numbers(&data("sets/diabetes_efron.csv"));
    let rows = record["rows"].as_u64().expect("rows") as usize;
    let [gamma, alpha] = ["gamma", "alpha"].map(|k| record[k].as_f64().expect("a number"));
    let train: Vec<usize> = (0..rows).collect();
    let test: Vec<usize> = (rows..table.rows()).collect();
    let recipe = ridge("target", gamma, alpha);
    let model = recipe
        .fit(table.select(&train), context)
        .expect("a fit")
        .model;
    let truth = Truth::Targets(Targets::Real(y[rows..].to_vec()));
    let part = table.select(&test);
    let found = importance(&model, &part, &truth, None, settings, context);
    (record, found.expect("importance"))
}

#[test]
fn scikit_learn_finds_the_same() {
    let settings = Permutation::default().repeats(200);
    let (record, found) = measured(&settings, &FitContext::default());
    assert_eq!(found.metric, Metric::R2);
    let r2 = record["r2"].as_f64().expect("a number");
    // The same closed form in double precision on both sides.
    assert!((found.value - r2).abs() < 1e-8, "{} {r2}", found.value);
    let list = |key: &str| -> Vec<f64> {
        let values = record[key].as_array().expect("a list").iter();
        values.map(|v| v.as_f64().expect("a number")).collect()
    };
    let (means, deviations) = (list("mean"), list("deviation"));
    let names = record["columns"].as_array().expect("names");
    for (name, (mean, deviation)) in names.iter().zip(means.iter().zip(&deviations)) {
        let own = found
            .columns
            .iter()
            .find(|c| c.column == *name)
            .expect("a column");
        // Two means of 200 shuffles each: their difference has √(2/200) of one deviation.
        let allowed = 5.0 * deviation * (2.0 / 200.0_f64).sqrt();
        assert!(
            (own.loss - mean).abs() < allowed,
            "{name}: {} {mean}",
            own.loss
        );
        let ratio = own.standard_deviation / deviation;
        assert!((0.7..1.4).contains(&ratio), "{name}: {ratio}");
    }
    let mut order: Vec<usize> = (0..means.len()).collect();
    order.sort_by(|&a, &b| means[b].total_cmp(&means[a]));
    // The first four are apart by more than their errors.
    for (place, k) in order.iter().take(4).enumerate() {
        assert_eq!(names[*k], found.columns[place].column.as_str());
    }
}

#[test]
fn threads_change_nothing_and_work_is_bounded() {
    let settings = Permutation::default().repeats(3);
    let alone = measured(&settings, &FitContext::default().threads(1)).1;
    let both = measured(&settings, &FitContext::default().threads(2)).1;
    assert_eq!(alone, both);
    let few = measured(&settings.clone().work(2e7), &FitContext::default()).1;
    assert!(
        few.rows < alone.rows || few.repeats < alone.repeats,
        "{few:?}"
    );
    let none = measured(&settings.work(1.0), &FitContext::default()).1;
    assert!(none.columns.is_empty() && none.repeats == 0);
}

#[test]
fn parts_are_pooled_by_rows() {
    let settings = Permutation::default().repeats(2);
    let one = measured(&settings, &FitContext::default()).1;
    let mut other = one.clone();
    other.rows *= 3;
    for column in &mut other.columns {
        column.loss += 4.0;
    }
    let pooled = Importance::pool(vec![one.clone(), other]).expect("two parts");
    assert_eq!(pooled.rows, 4 * one.rows);
    for column in &one.columns {
        let found = pooled.columns.iter().find(|c| c.column == column.column);
        let found = found.expect("the column").loss;
        assert!((found - column.loss - 3.0).abs() < 1e-12, "{found}");
    }
    assert_eq!(Importance::pool(Vec::new()), None);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let (table, y) = numbers(&data("sets/diabetes_efron.csv"));
    let context = FitContext::default();
    let model = ridge("target", 0.1, 1.0)
        .fit(table.clone(), &context)
        .expect("a fit")
        .model;
    let ask = |truth: &Truth, settings: Permutation| {
        importance(&model, &table, truth, None, &settings, &context).map(drop)
    };
    let truth = Truth::Targets(Targets::Real(y.clone()));
    assert!(ask(&truth, Permutation::default().metric(Metric::LogLoss)).is_err());
    assert!(ask(&truth, Permutation::default().repeats(0)).is_err());
    assert!(ask(&Truth::Novel(vec![true; y.len()]), Permutation::default()).is_err());
    let short = Truth::Targets(Targets::Real(y[1..].to_vec()));
    assert!(ask(&short, Permutation::default()).is_err());
}
