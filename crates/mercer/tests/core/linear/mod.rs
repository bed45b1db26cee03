//! Ordinary least squares and ridge against scikit-learn.

mod lasso;
mod worked;

use std::path::PathBuf;

use mercer::data::{Points, Records};
use mercer::fit::FitContext;
use mercer::learn::linear::{LinearSolution, Ols, Ridge};
use mercer_linalg::{Csr, Matrix};
use serde_json::Value;

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list");
    list.iter().map(|v| v.as_f64().expect("a number")).collect()
}

fn matrix(value: &Value) -> Matrix<f64> {
    let rows: Vec<Vec<f64>> = value
        .as_array()
        .expect("rows")
        .iter()
        .map(numbers)
        .collect();
    let columns = rows.first().map_or(0, Vec::len);
    Matrix::from_vec(rows.len(), columns, rows.into_iter().flatten().collect())
}

struct Case {
    id: String,
    forms: Vec<(&'static str, Records)>,
    targets: Matrix<f64>,
    weights: Option<Vec<f64>>,
    answers: Vec<Value>,
}

fn cases() -> Vec<Case> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("tests/data/oracle/linear.json");
    let text = std::fs::read_to_string(path).expect("the results are bundled");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let cases = document["cases"].as_array().expect("a list of cases");
    let each = cases.iter().map(|case| {
        let rows = matrix(&case["rows"]);
        let sparse = Csr::from_dense(rows.as_ref());
        // Every problem is solved from both forms, whichever scikit-learn was given.
        let forms: [(&str, Points); 2] = [("dense", rows.into()), ("sparse", sparse.into())];
        Case {
            id: case["id"].as_str().expect("a name").to_owned(),
            forms: forms
                .into_iter()
                .map(|(form, points)| (form, Records::from_points(points)))
                .collect(),
            targets: matrix(&case["targets"]),
            weights: (!case["weights"].is_null()).then(|| numbers(&case["weights"])),
            answers: case["answers"].as_array().expect("answers").clone(),
        }
    });
    each.collect()
}

fn solved(case: &Case, records: &Records, answer: &Value) -> LinearSolution {
    let intercept = answer["intercept"].as_bool().expect("true or false");
    let (targets, weights) = (&case.targets, case.weights.as_deref());
    let context = FitContext::default();
    let solution = if answer["estimator"] == "ols" {
        let ols = Ols::default().intercept(intercept);
        ols.solve(records, targets, weights, &context)
    } else {
        let lambda = answer["lambda"].as_f64().expect("a number");
        let ridge = Ridge::default().lambda(lambda).intercept(intercept);
        ridge.solve(records, targets, weights, &context)
    };
    solution.expect("a solution")
}

/// Requires numbers to agree to a share of the largest.
fn assert_close(found: &[f64], expected: &[f64], share: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let size = expected.iter().fold(1e-12_f64, |m, v| m.max(v.abs()));
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= share * size, "{what}: {a} instead of {b}");
    }
}

#[test]
fn weights_constants_and_objectives_are_those_of_scikit_learn() {
    for case in cases() {
        for answer in &case.answers {
            for (form, records) in &case.forms {
                let what = format!(
                    "{} {} {} {} {form}",
                    case.id, answer["estimator"], answer["lambda"], answer["intercept"]
                );
                let solution = solved(&case, records, answer);
                let expected = matrix(&answer["coefficients"]);
                let objective = numbers(&answer["objective"]);
                // Columns around 10⁴ without a constant have condition number 10⁶, which the
                // peer's weights lose as digits, too.
                let share = if case.id == "means" { 1e-8 } else { 1e-9 };
                for k in 0..expected.rows() {
                    let found = solution.weights.row(k);
                    assert_close(found, expected.row(k), share, &what);
                }
                let levels = numbers(&answer["intercepts"]);
                let bound = if case.id == "means" { 1e-7 } else { 1e-9 };
                assert_close(&solution.biases, &levels, bound, &what);
                // Rows that are met exactly leave rounding behind.
                let scale = case.targets.as_slice().iter().map(|y| y * y).sum::<f64>();
                for (found, expected) in solution.objective.iter().zip(&objective) {
                    let miss = (found - expected).abs();
                    assert!(miss <= 1e-10 * scale, "{what}: {found} {expected}");
                }
                // Predictions of such columns are small differences of large numbers.
                let rounding = if case.id == "means" { 1e-11 } else { 1e-13 };
                assert!(
                    solution.violation < rounding,
                    "{what}: {}",
                    solution.violation
                );
            }
        }
    }
}

#[test]
fn ranks_and_standard_errors_are_those_of_numpy() {
    let mut compared = 0;
    for case in cases() {
        for answer in case.answers.iter().filter(|a| a["estimator"] == "ols") {
            for (form, records) in &case.forms {
                let what = format!("{} {} {form}", case.id, answer["intercept"]);
                let solution = solved(&case, records, answer);
                let rank = answer["rank"].as_u64().expect("a rank") as usize;
                assert_eq!(solution.rank, Some(rank), "{what}");
                let free = answer["intercept"].as_bool().expect("true or false");
                let freedom = rank as f64 + f64::from(u8::from(free));
                assert_eq!(solution.degrees_of_freedom, freedom, "{what}");
                let expected = &answer["standard_errors"];
                let Some(errors) = &solution.standard_errors else {
                    assert!(expected.is_null(), "{what}");
                    continue;
                };
                for (k, expected) in expected.as_array().expect("errors").iter().enumerate() {
                    let mut found = errors.weights.row(k).to_vec();
                    found.extend(free.then_some(errors.biases[k]));
                    let expected = numbers(expected);
                    for (found, expected) in found.iter().zip(&expected) {
                        let miss = (found / expected - 1.0).abs();
                        assert!(miss < 1e-8, "{what}: {found} {expected}");
                    }
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 20, "{compared}");
}
