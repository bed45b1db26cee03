//! Series: windows, folds that never look ahead, forecasts.

use mercer::data::series::Lags;
use mercer::data::{Column, Origin, Roles, Table, Values};
use mercer::fit::FitContext;
use mercer::learn::AnyEstimator;
use mercer::learn::linear::{Ols, Ridge};
use mercer::learn::margin::Bias;
use mercer::model::{ForecastWay, Forecasting, Trained};
use mercer::recipe::{Lagging, Opened, Recipe};
use mercer::select::automatic::Automatic;
use mercer::select::folds::{self, Subsets as _};

fn table(y: &[f64]) -> Table {
    let column = Column::new("y", Values::Numeric(y.to_vec()));
    Table::try_new(vec![column], Origin::default()).expect("a table")
}

fn wave(times: usize) -> Vec<f64> {
    let noise = |t: usize| ((t * 7919 + 13) % 101) as f64 / 101.0 - 0.5;
    (0..times)
        .map(|t| 10.0 + 3.0 * (t as f64 / 12.0 * std::f64::consts::TAU).sin() + 0.4 * noise(t))
        .collect()
}

fn recipe(lags: usize, horizon: usize) -> Recipe {
    let roles = Roles {
        targets: vec!["y".to_owned()],
        ..Roles::default()
    };
    Recipe {
        lagging: Some(Lagging {
            lags: Lags::last(lags),
            horizon,
            time: None,
        }),
        ..Recipe::new(roles)
    }
}

fn fitted(recipe: &Recipe, y: &[f64]) -> Trained {
    recipe
        .fit(table(y), &FitContext::default())
        .expect("a model")
        .model
}

#[test]
fn powers_of_two_go_on() {
    let y = [1.0, 2.0, 4.0, 8.0, 16.0];
    let recipe = recipe(2, 1).with(Ols::default().bias(Bias::None));
    let trained = fitted(&recipe, &y);
    let weights = trained.form.linear().unwrap().weights.as_slice().to_vec();
    assert!(
        (weights[0] - 0.8).abs() < 1e-12 && (weights[1] - 1.6).abs() < 1e-12,
        "{weights:?}"
    );
    let how = Forecasting {
        steps: 2,
        ..Forecasting::default()
    };
    let found = trained
        .forecast(&table(&y), &how, &FitContext::default())
        .unwrap();
    assert!((found.values[0] - 32.0).abs() < 1e-9, "{:?}", found.values);
    assert!((found.values[1] - 64.0).abs() < 1e-9, "{:?}", found.values);
    assert_eq!(found.way, ForecastWay::Recursive);
}

/// Numbers of rows by the oldest value of their windows, which counts them.
fn numbers(opened: &Opened<'_>, lag: usize) -> Vec<usize> {
    let Values::Numeric(values) = &opened
        .features
        .column(&format!("y(t-{lag})"))
        .expect("a column")
        .values
    else {
        panic!("numbers");
    };
    values.iter().map(|v| *v as usize).collect()
}

#[test]
fn folds_never_look_ahead() {
    // The series counts: a value tells its place.
    let y: Vec<f64> = (0..60).map(f64::from).collect();
    let recipe = recipe(3, 1).with(Ridge::default());
    let opened = recipe.open(table(&y)).unwrap();
    let split = opened.folds(5, 7).unwrap();
    assert_eq!(split.test.len(), 5);
    folds::each(&opened, &split, |fold| {
        let latest = fold.train.targets().select(&[fold.train.rows() - 1]);
        let mercer::data::Targets::Real(latest) = latest else {
            panic!("numbers");
        };
        // The last target learnt from is known when the first test row is predicted: it is the last
        // value of its window at the latest.
        let first = numbers(&fold.test(), 1)[0];
        assert!(latest[0] as usize <= first, "{latest:?} {first}");
        Ok::<(), mercer::Error>(())
    })
    .unwrap();
    let split = opened.holdout(0.25, 3).unwrap();
    assert!(split.train.iter().max() < split.test.iter().min());
}

#[test]
fn a_model_that_is_chosen_has_folds_in_the_order_of_time() {
    let y = wave(160);
    let recipe = recipe(12, 1);
    let prepared = recipe.open(table(&y)).unwrap().prepare().unwrap();
    let mercer::recipe::Way::Auto(Automatic { chain, .. }) = &prepared.way else {
        panic!("a model that is chosen");
    };
    assert_eq!(*chain, Some(0));
    assert_eq!(prepared.chain(), Some(0));
    let trained = prepared.fit(&FitContext::default()).unwrap().model;
    let selection = trained.report.selection.as_ref().unwrap();
    // Of 148 windows 5 folds of 24 are tested.
    assert_eq!(selection.baseline.as_ref().unwrap().rows, 120);
    assert!(trained.series.is_some());
}

#[test]
fn what_comes_later_changes_no_earlier_error() {
    // Errors of the first folds stay when the end of the series is another one.
    let errors = |end: f64| {
        let mut y = wave(126);
        y[125] = end;
        let trained = fitted(&recipe(6, 1).with(Ridge::default()), &y);
        trained.series.unwrap().residuals[0].clone()
    };
    let (a, b) = (errors(0.0), errors(1000.0));
    assert_eq!(a.len(), 100);
    assert_eq!(a[..99], b[..99]);
    assert_ne!(a[99], b[99]);
}

#[test]
fn direct_steps_have_functions_of_their_own() {
    let y = wave(200);
    let truth = wave(206);
    let recipe = recipe(24, 6).with(Ridge::default().lambda(1e-2));
    let trained = fitted(&recipe, &y);
    let series = trained.series.as_ref().unwrap();
    assert_eq!(
        (series.horizon(), series.later.len(), series.residuals.len()),
        (6, 5, 6)
    );
    for way in [ForecastWay::Direct, ForecastWay::Recursive] {
        let how = Forecasting {
            steps: 6,
            way: Some(way),
            ..Forecasting::default()
        };
        let found = trained
            .forecast(&table(&y), &how, &FitContext::default())
            .unwrap();
        let intervals = found.intervals.unwrap();
        for step in 0..6 {
            assert!(
                (found.values[step] - truth[200 + step]).abs() < 0.8,
                "{way} {step}"
            );
            let [low, high] = intervals[step];
            assert!(low < found.values[step] && found.values[step] < high);
        }
    }
    let how = Forecasting {
        steps: 7,
        way: Some(ForecastWay::Direct),
        ..Forecasting::default()
    };
    assert!(
        trained
            .forecast(&table(&y), &how, &FitContext::default())
            .is_err()
    );
}

#[test]
fn intervals_hold_as_many_as_they_promise() {
    // y(t) = 0.8 y(t − 1) + noise.
    let mut state = 12_345_u64;
    let mut uniform = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut y = vec![0.0];
    for _ in 1..700 {
        let noise: f64 = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        y.push(0.8 * y[y.len() - 1] + noise);
    }
    let trained = fitted(&recipe(1, 3).with(Ols::default()), &y[..450]);
    for way in [ForecastWay::Direct, ForecastWay::Recursive] {
        let mut inside = [0; 3];
        for start in 450..650 {
            let how = Forecasting {
                steps: 3,
                way: Some(way),
                paths: 200,
                ..Forecasting::default()
            };
            let known = table(&y[..start]);
            let found = trained
                .forecast(&known, &how, &FitContext::default())
                .unwrap();
            for (step, [low, high]) in found.intervals.unwrap().into_iter().enumerate() {
                inside[step] += usize::from((low..=high).contains(&y[start + step]));
            }
        }
        for count in inside {
            assert!((166..=194).contains(&count), "{way}: {inside:?} of 200");
        }
    }
}

#[test]
fn new_rows_become_windows_and_files_keep_all_steps() {
    let y = wave(120);
    let trained = fitted(&recipe(4, 3).with(Ridge::default()), &y);
    let again = Trained::from_parts(trained.to_parts()).unwrap();
    assert_eq!(again.series, trained.series);
    let context = FitContext::default();
    let how = Forecasting {
        steps: 3,
        ..Forecasting::default()
    };
    let forecast = |model: &Trained| model.forecast(&table(&y), &how, &context).unwrap();
    assert_eq!(forecast(&trained), forecast(&again));
    // Rows 5 to 10 have four values before them.
    let found = trained.predict(&table(&y[..10]), &context).unwrap();
    assert_eq!(found.len(), 6);
}

#[test]
fn hostile_parts_are_refused() {
    let y = wave(60);
    let trained = fitted(&recipe(2, 2).with(Ridge::default()), &y);
    let broken = |change: &dyn Fn(&mut mercer::model::Parts)| {
        let mut parts = trained.to_parts();
        change(&mut parts);
        Trained::from_parts(parts).unwrap_err().to_string()
    };
    let told = broken(&|parts| {
        parts.tensors.0.remove("step1.residuals");
    });
    assert!(told.contains("step1.residuals"), "{told}");
    let told = broken(&|parts| {
        parts.metadata = parts.metadata.replace("\"horizon\":2", "\"horizon\":3");
    });
    assert!(told.contains("horizon"), "{told}");
    let told = broken(&|parts| {
        parts.metadata = parts.metadata.replace("\"lags\":[1,2]", "\"lags\":[1,3]");
    });
    assert!(told.contains("windows"), "{told}");
}

#[test]
fn bad_series_are_refused() {
    let refused = |recipe: &Recipe, y: &[f64]| {
        let error = recipe.open(table(y)).unwrap_err();
        error.to_string()
    };
    assert!(refused(&recipe(2, 1), &[3.0; 20]).contains("constant series"));
    assert!(refused(&recipe(12, 1), &wave(9)).contains("at least 14"));
    let classify = Recipe {
        task: Some(mercer::data::Task::Classify),
        ..recipe(2, 1)
    };
    assert!(refused(&classify, &wave(30)).contains("regression"));
    let grouped = Recipe {
        roles: Roles {
            groups: Some("y".to_owned()),
            ..recipe(2, 1).roles
        },
        ..recipe(2, 1)
    };
    assert!(refused(&grouped, &wave(30)).contains("groups"));
}

#[test]
fn every_method_of_regression_learns_a_series() {
    let y = wave(60);
    for method in mercer::learn::METHODS {
        if !method.suits(mercer::data::Task::Regress) {
            continue;
        }
        let estimator = AnyEstimator::for_task(method.name, mercer::data::Task::Regress).unwrap();
        // With other settings `risk` is for numbers.
        if !estimator.suits(mercer::data::Task::Regress) {
            continue;
        }
        let recipe = recipe(3, 2).with(estimator);
        let trained = fitted(&recipe, &y);
        let how = Forecasting {
            steps: 4,
            way: Some(ForecastWay::Recursive),
            paths: 50,
            ..Forecasting::default()
        };
        let found = trained.forecast(&table(&y), &how, &FitContext::default());
        let found = found.unwrap_or_else(|e| panic!("{}: {e}", method.name));
        assert_eq!(found.values.len(), 4, "{}", method.name);
        assert!(
            found.values.iter().all(|v| v.is_finite()),
            "{}",
            method.name
        );
    }
}

#[test]
fn threads_and_time_of_the_end_change_nothing() {
    let y = wave(140);
    let with = |threads: usize| {
        let context = FitContext::default().threads(threads);
        let trained = recipe(6, 2).fit(table(&y), &context).unwrap().model;
        let how = Forecasting {
            steps: 5,
            ..Forecasting::default()
        };
        trained.forecast(&table(&y), &how, &context).unwrap()
    };
    assert_eq!(with(1), with(2));
}

/// Results of NumPy and scikit-learn: `tests/data/oracle/series.py`.
fn answers() -> serde_json::Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/oracle/series.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).expect("answers")).expect("JSON")
}

fn list(value: &serde_json::Value) -> Vec<f64> {
    let all = value.as_array().expect("a list").iter();
    all.map(|v| v.as_f64().expect("a number")).collect()
}

#[track_caller]
fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        // Both solve least squares to rounding; four steps feed it back.
        assert!((a - b).abs() < 1e-8 * b.abs().max(1.0), "{a}, not {b}");
    }
}

#[test]
fn forecasts_and_errors_are_those_of_scikit_learn() {
    let answers = answers();
    let y = list(&answers["series"]);
    let trained = fitted(&recipe(3, 3).with(Ols::default()), &y);
    let forecast = |way, steps| {
        let how = Forecasting {
            steps,
            way: Some(way),
            ..Forecasting::default()
        };
        trained
            .forecast(&table(&y), &how, &FitContext::default())
            .unwrap()
            .values
    };
    near(
        &forecast(ForecastWay::Recursive, 4),
        &list(&answers["recursive"]),
    );
    near(&forecast(ForecastWay::Direct, 3), &list(&answers["direct"]));
    let residuals = &trained.series.as_ref().unwrap().residuals;
    for (own, expected) in residuals
        .iter()
        .zip(answers["residuals"].as_array().unwrap())
    {
        near(own, &list(expected));
    }
}

#[test]
fn folds_in_the_order_of_time_are_those_of_scikit_learn() {
    let answers = answers();
    let split = mercer::data::forward_chain(77, 5, 2).unwrap();
    for (fold, expected) in answers["folds"].as_array().unwrap().iter().enumerate() {
        assert_eq!(
            split.train(fold).len() as u64,
            expected[0].as_u64().unwrap()
        );
        let test: Vec<f64> = split.test[fold].iter().map(|&row| row as f64).collect();
        assert_eq!(test, list(&expected[1]));
    }
}

#[test]
fn neighbours_are_those_of_scikit_learn() {
    use mercer::data::{Dataset, Records, Targets};
    use mercer::learn::Estimator as _;
    use mercer::learn::novelty::Nearest;
    use mercer_linalg::Matrix;

    let answers = answers();
    let records = |name: &str| {
        let rows: Vec<Vec<f64>> = answers[name].as_array().unwrap().iter().map(list).collect();
        Records::from_points(Matrix::from_fn(rows.len(), 3, |i, j| rows[i][j]))
    };
    let data = Dataset::try_new(records("rows"), Targets::None).unwrap();
    for k in [1, 4] {
        let model = Nearest {
            neighbours: k,
            share: 0.1,
        };
        let context = FitContext::default();
        let model = model.fit(&data, &context).unwrap().model;
        // Four of forty rows are beyond the threshold.
        let mut own = list(&answers["own"][k.to_string()]);
        own.sort_by(f64::total_cmp);
        near(&[model.threshold], &[own[35]]);
        let threshold = model.threshold;
        let form = mercer::model::Form::from(model);
        let found = form.predict(&records("new"), &context).unwrap();
        let distances: Vec<f64> = (0..12)
            .map(|i| threshold - found.decisions[(i, 0)])
            .collect();
        near(&distances, &list(&answers["kth"][k.to_string()]));
    }
}

/// Trials of step h leave out the h − 1 windows whose targets are not known when the first test
/// window is predicted; windows too few for that are learnt from with a smaller gap.
#[test]
fn a_long_horizon_of_few_windows_is_learnt() {
    let y = wave(16);
    let trained = fitted(&recipe(3, 9), &y);
    let how = Forecasting {
        steps: 9,
        ..Forecasting::default()
    };
    let found = trained.forecast(&table(&y), &how, &FitContext::default());
    assert_eq!(found.expect("a forecast").values.len(), 9);
}
