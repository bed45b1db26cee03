use super::*;
use crate::data::{Column, Origin, Roles, Table, Values};
use crate::fit::FitContext;
use crate::judge::Metric;
use crate::judge::{MoreRows, ValueVerdict};
use crate::learn::linear::Ols;
use crate::recipe::{Recipe, Wish};
use crate::select::grid::Varied;

/// A noisy plane in three columns.
fn table(rows: usize, noise: f64) -> Table {
    let mut state = 7_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
    };
    let x: Vec<Vec<f64>> = (0..3)
        .map(|_| (0..rows).map(|_| next()).collect())
        .collect();
    let y = (0..rows).map(|i| x[0][i] - 2.0 * x[1][i] + noise * next());
    let y: Vec<f64> = y.collect();
    let columns = ["a", "b", "c", "y"]
        .into_iter()
        .zip(x.into_iter().chain([y]));
    let column = |(name, values): (&str, Vec<f64>)| Column::new(name, Values::Numeric(values));
    Table::try_new(columns.map(column).collect(), Origin::default()).unwrap()
}

fn recipe() -> Recipe {
    Recipe::new(Roles {
        targets: vec!["y".to_owned()],
        ..Roles::default()
    })
}

#[test]
fn a_plane_needs_few_rows() {
    let recipe = recipe().with(Ols::default());
    let opened = recipe.open(table(400, 0.2)).unwrap();
    let found = learning_curve(&opened, &[], &Tracing::default(), &FitContext::default()).unwrap();
    let rows: Vec<usize> = found.points.iter().map(|p| p.rows).collect();
    assert_eq!(rows, [20, 40, 80, 160, 320]);
    assert_eq!(
        found.verdict.more_rows,
        MoreRows::DoNotHelp,
        "{}",
        found.verdict.reason
    );
    assert_eq!((found.folds_done, found.metric), (5, Metric::Rmse));
    // Training rows are fitted better than others, the more so the fewer they are.
    assert!(found.points[0].training.mean < found.points[0].held_out.mean);
    let some = [Part::Rows(50), Part::Share(1.0)];
    let two = learning_curve(&opened, &some, &Tracing::default(), &FitContext::default());
    assert_eq!(two.unwrap().points.len(), 2);
    let many = learning_curve(
        &opened,
        &[Part::Rows(5000)],
        &Tracing::default(),
        &FitContext::default(),
    );
    assert!(many.unwrap_err().to_string().contains("320"));
    assert!(Part::of(1.5).is_err() && Part::of(-1.0).is_err() && Part::of(f64::NAN).is_err());
}

#[test]
fn a_narrow_kernel_overfits_and_a_wide_one_underfits() {
    let mut recipe = recipe();
    recipe.wish = Wish::Named("krr".to_owned());
    let settings = [("kernel", "rbf"), ("lambda", "0.001")];
    for (name, text) in settings {
        let value = match name {
            "kernel" => serde_json::Value::from(text),
            _ => serde_json::Value::from(text.parse::<f64>().unwrap()),
        };
        recipe.settings.push((name.to_owned(), value));
    }
    let opened = recipe.open(table(120, 0.3)).unwrap();
    let over: Varied = "gamma=0.0001,0.1,1000".parse().unwrap();
    let found =
        validation_curve(&opened, &over, &Tracing::default(), &FitContext::default()).unwrap();
    let expected = [
        ValueVerdict::Underfits,
        ValueVerdict::Best,
        ValueVerdict::Overfits,
    ];
    assert_eq!(found.verdict.values, expected, "{}", found.verdict.reason);
    let unknown: Varied = "gama=1,2".parse().unwrap();
    let how = Tracing::default();
    assert!(validation_curve(&opened, &unknown, &how, &FitContext::default()).is_err());
}

#[test]
fn noise_is_chance_and_a_plane_is_not() {
    let recipe = recipe().with(Ols::default());
    let how = Tracing::default();
    let p = |noise: f64| {
        let opened = recipe.open(table(60, noise)).unwrap();
        let context = FitContext::default();
        permutation_test(&opened, 19, &how, &context)
            .unwrap()
            .1
            .p_value
    };
    assert_eq!(p(0.1), 0.05);
    assert!(p(1000.0) > 0.05);
}

#[test]
fn what_cannot_be_traced_is_refused() {
    let recipe = recipe().with(Ols::default());
    let opened = recipe.open(table(12, 0.1)).unwrap();
    let context = FitContext::default();
    assert!(learning_curve(&opened, &[], &Tracing::default(), &context).is_err());
    let wrong = Tracing {
        metric: Some(Metric::Accuracy),
        ..Tracing::default()
    };
    assert!(learning_curve(&opened, &[], &wrong, &context).is_err());
    assert!(permutation_test(&opened, 0, &Tracing::default(), &context).is_err());
}
