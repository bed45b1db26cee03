//! Kohonen maps: theorems, worked numbers, invariances, bad input.

use std::time::Duration;

use mercer::Error;
use mercer::data::{Dataset, Records, Targets};
use mercer::fit::{Cancel, FitContext, StopReason};
use mercer::learn::Estimator;
use mercer::learn::cluster::{KMeans, MapInit, Som, TrainedMap, Training};
use mercer::model::{Form, Lattice};
use mercer_linalg::{Csr, Matrix};
use serde_json::Value;

use super::{groups, records};

fn map(rows: usize, columns: usize) -> Som {
    Som::default()
        .map_rows(Some(rows))
        .map_columns(Some(columns))
}

fn solve(method: &Som, x: &Matrix<f64>) -> TrainedMap {
    method
        .solve(&records(x), None, None, &FitContext::default())
        .expect("a map")
}

#[test]
fn the_worked_step_of_kohonen() {
    let one = records(&Matrix::from_vec(1, 1, vec![1.2]));
    let units = Matrix::from_vec(3, 1, vec![0.0, 1.0, 2.0]);
    for lattice in [Lattice::Hexagonal, Lattice::Rectangular] {
        let method = map(1, 3)
            .lattice(lattice)
            .training(Training::Online)
            .epochs(1)
            .rate(0.5)
            .radius(Some(1.0));
        let found = method
            .solve(&one, None, Some(&units), &FitContext::default())
            .expect("a map");
        let expected = [0.363_918_4, 1.1, 1.757_387_74];
        for (unit, expected) in found.units.as_slice().iter().zip(expected) {
            assert!((unit - expected).abs() < 5e-8, "{unit}");
        }
    }
}

#[test]
fn radius_zero_is_k_means_until_it_stands_still() {
    let x = groups(300, 3, 6, 11);
    let start = x.select_rows(&[0, 1, 2, 3, 4, 5]);
    let method = map(2, 3).epochs(60).radius(Some(1e-9)).last_radius(0.0);
    let found = method
        .solve(&records(&x), None, Some(&start), &FitContext::default())
        .expect("a map");
    let means = KMeans::default().clusters(6).tolerance(0.0);
    let means = means
        .solve(&records(&x), None, Some(&start), &FitContext::default())
        .expect("clusters");
    assert!((found.inertia - means.inertia).abs() < 1e-9 * means.inertia);
    for (a, b) in found.units.as_slice().iter().zip(means.centres.as_slice()) {
        assert!((a - b).abs() < 1e-9);
    }
}

#[test]
fn threads_order_and_copies_do_not_matter() {
    let x = groups(700, 4, 5, 3);
    for training in [Training::Batch, Training::Online] {
        for init in [MapInit::Pca, MapInit::Random] {
            let method = map(4, 6).training(training).init(init).epochs(4);
            let run = |records: &Records, weights: Option<&[f64]>, threads| {
                let context = FitContext::default().threads(threads);
                method
                    .solve(records, weights, None, &context)
                    .expect("a map")
            };
            let plain = run(&records(&x), None, 1);
            assert_eq!(plain, run(&records(&x), None, 3));
            let order: Vec<usize> = (0..700).map(|i| (i * 99 + 5) % 700).collect();
            let turned = run(&records(&x.select_rows(&order)), None, 2);
            assert_eq!(turned.units, plain.units);
            let weights: Vec<f64> = (0..700).map(|i| (i % 3) as f64).collect();
            let weighted = run(&records(&x), Some(&weights), 2);
            let copied: Vec<usize> = (0..700)
                .flat_map(|i| std::iter::repeat_n(i, i % 3))
                .collect();
            let copies = run(&records(&x.select_rows(&copied)), None, 2);
            assert_eq!(weighted.units, copies.units);
            assert_eq!(weighted.hits, copies.hits);
            assert_eq!(weighted.quantisation_error, copies.quantisation_error);
        }
    }
}

#[test]
fn sparse_rows_are_the_same_rows() {
    let x = groups(200, 8, 4, 5);
    let x = Matrix::from_fn(
        200,
        8,
        |i, j| if (i + j) % 3 == 0 { x[(i, j)] } else { 0.0 },
    );
    for training in [Training::Batch, Training::Online] {
        let method = map(3, 4).training(training).epochs(5);
        let dense = solve(&method, &x);
        let sparse = Records::from_points(Csr::from_dense(x.as_ref()));
        let sparse = method
            .solve(&sparse, None, None, &FitContext::default())
            .expect("a map");
        for (a, b) in dense.units.as_slice().iter().zip(sparse.units.as_slice()) {
            assert!((a - b).abs() < 1e-8, "{a} and {b}");
        }
    }
}

#[test]
fn a_sheet_is_unfolded() {
    // A grid of places in a plane that is bent in three dimensions.
    let x = Matrix::from_fn(900, 3, |i, j| {
        let (a, b) = ((i % 30) as f64 / 30.0, (i / 30) as f64 / 30.0);
        [a, b, 0.3 * a * b][j]
    });
    for training in [Training::Batch, Training::Online] {
        for lattice in [Lattice::Hexagonal, Lattice::Rectangular] {
            let found = solve(&map(8, 8).training(training).lattice(lattice), &x);
            assert!(
                found.topographic_error < 0.05,
                "{}",
                found.topographic_error
            );
            assert!(
                found.quantisation_error < 0.1,
                "{}",
                found.quantisation_error
            );
            assert_eq!(found.hits.iter().sum::<f64>(), 900.0);
            assert_eq!(found.stop_reason, StopReason::Converged);
        }
    }
}

#[test]
fn what_is_left_open_follows_the_rows() {
    let x = groups(400, 3, 2, 7);
    let found = solve(&Som::default(), &x);
    let units = found.grid.len() as f64;
    assert!((70.0..=130.0).contains(&units), "{units}");
    assert!(found.grid.columns >= found.grid.rows);
    let text = |part: &str| found.notes.iter().any(|note| note.text().contains(part));
    assert!(text("a map of") && text("first radius"));
}

#[test]
fn equal_rows_one_row_and_one_unit() {
    let same = Matrix::from_fn(20, 2, |_, j| 3.0 + j as f64);
    for method in [map(3, 3), map(1, 1), map(3, 3).init(MapInit::Random)] {
        for training in [Training::Batch, Training::Online] {
            let found = solve(&method.clone().training(training), &same);
            assert!(found.quantisation_error < 1e-12);
            assert!((found.units[(0, 0)] - 3.0).abs() < 1e-12);
        }
    }
    let one = solve(&map(2, 2), &Matrix::from_vec(1, 1, vec![7.0]));
    assert!((one.units[(3, 0)] - 7.0).abs() < 1e-12);
    let far = groups(50, 2, 3, 9);
    let far = Matrix::from_fn(50, 2, |i, j| far[(i, j)] * 2.0_f64.powi(500));
    assert!(
        solve(&map(3, 3), &far)
            .units
            .as_slice()
            .iter()
            .all(|v| v.is_finite())
    );
}

#[test]
fn bad_input_is_refused() {
    let context = FitContext::default();
    let x = groups(10, 2, 2, 5);
    let refused = |method: &Som, rows: &Records| match method.solve(rows, None, None, &context) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("an error expected"),
    };
    let both = refused(&map(0, 3).epochs(0), &records(&x));
    assert!(
        both.contains("map_rows") && both.contains("epochs"),
        "{both}"
    );
    assert!(refused(&map(1 << 13, 1 << 13), &records(&x)).contains("map_columns"));
    let mut holes = x.clone();
    holes[(4, 1)] = f64::NAN;
    assert!(refused(&map(2, 2), &records(&holes)).contains("row 5"));
    let wrong = Matrix::zeros(3, 2);
    assert!(
        map(2, 2)
            .solve(&records(&x), None, Some(&wrong), &context)
            .is_err()
    );
    let late = FitContext::default().time_limit(Some(Duration::ZERO));
    let start = x.select_rows(&[0, 1, 2, 3]);
    let found = map(2, 2).solve(&records(&x), None, Some(&start), &late);
    assert_eq!(found.expect("a start").stop_reason, StopReason::TimeLimit);
    let cancel = Cancel::default();
    cancel.cancel();
    let stopped = map(2, 2).solve(
        &records(&x),
        None,
        None,
        &FitContext::default().cancel(cancel),
    );
    assert_eq!(stopped, Err(Error::Cancelled));
}

#[test]
fn a_map_goes_on_from_an_earlier_one() {
    let x = groups(200, 3, 4, 2);
    let data = Dataset::try_new(records(&x), Targets::None).expect("rows");
    let context = FitContext::default();
    let first = map(3, 4).fit(&data, &context).expect("a map");
    let start = first.model.centres();
    let units = first.model.unit_distances().expect("a map");
    assert!(units.iter().all(|d| *d > 0.0) && units.len() == 12);
    let later = map(3, 4).epochs(1).radius(Some(0.5));
    let again = later
        .fit_from(&data, Some(&start), &context)
        .expect("a map");
    assert_eq!(again.model.grid, first.model.grid);
    let report = again.report.map.expect("an account");
    assert!(report.quantisation_error <= 1.01 * first.report.map.expect("one").quantisation_error);
    assert_eq!(Form::from(again.model).width(), 12);
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list").iter();
    list.map(|v| v.as_f64().expect("a number")).collect()
}

fn matrix(value: &Value) -> Matrix<f64> {
    let rows: Vec<Vec<f64>> = value
        .as_array()
        .expect("rows")
        .iter()
        .map(numbers)
        .collect();
    Matrix::from_vec(rows.len(), rows[0].len(), rows.concat())
}

fn recorded(part: &str) -> Vec<Value> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/oracle/maps.json"
    );
    let text = std::fs::read_to_string(path).expect("recorded results");
    let all: Value = serde_json::from_str(&text).expect("JSON");
    all[part].as_array().expect("cases").clone()
}

/// The map of a recorded case.
fn of_case(case: &Value) -> Som {
    let count = |name: &str| case[name].as_u64().expect("a count") as usize;
    let lattice = match case["lattice"].as_str() {
        Some("hexagonal") => Lattice::Hexagonal,
        _ => Lattice::Rectangular,
    };
    map(count("rows"), count("columns")).lattice(lattice)
}

#[test]
fn errors_and_the_u_matrix_are_those_of_minisom() {
    let cases = recorded("minisom");
    assert!(cases.len() >= 2);
    for case in cases {
        let units = matrix(&case["units"]);
        // Steps too short to move anything.
        let method = of_case(&case)
            .training(Training::Online)
            .epochs(1)
            .rate(1e-300);
        let data = Dataset::try_new(records(&matrix(&case["x"])), Targets::None).expect("rows");
        let fitted = method
            .fit_from(&data, Some(&units), &FitContext::default())
            .expect("a map");
        let told = fitted.report.map.expect("an account");
        let expected = |name: &str| case[name].as_f64().expect("a number");
        assert!((told.quantisation_error - expected("quantisation")).abs() < 1e-12);
        assert!((told.topographic_error - expected("topographic")).abs() < 1e-12);
        let near = fitted.model.unit_distances().expect("a map");
        let largest = near.iter().copied().fold(0.0, f64::max);
        for (found, expected) in near.iter().zip(numbers(&case["u_matrix"])) {
            assert!((found / largest - expected).abs() < 1e-12, "{}", case["id"]);
        }
    }
}

#[test]
fn batch_maps_are_those_of_the_plain_formula() {
    let cases = recorded("batch");
    assert!(cases.len() >= 3);
    for case in cases {
        let radii = numbers(&case["radii"]);
        let method = of_case(&case)
            .epochs(case["epochs"].as_u64().expect("a count"))
            .radius(Some(radii[0]))
            .last_radius(radii[1]);
        let weights = numbers(&case["weights"]);
        let found = method
            .solve(
                &records(&matrix(&case["x"])),
                Some(&weights),
                Some(&matrix(&case["start"])),
                &FitContext::default(),
            )
            .expect("a map");
        let expected = matrix(&case["units"]);
        for (a, b) in found.units.as_slice().iter().zip(expected.as_slice()) {
            assert!((a - b).abs() < 1e-9, "{}: {a} and {b}", case["id"]);
        }
    }
}
