//! Projections beside scikit-learn's, on worked examples, and on rows that are no rows.

mod axes;
mod components;
mod limits;
mod sources;

use std::path::PathBuf;

use mercer_linalg::Matrix;
use serde_json::Value;

use crate::data::{Dataset, Records, Targets};
use crate::fit::FitContext;
use crate::model::expansion::KernelExpansion;
use crate::model::{Form, Projection};

fn oracle() -> Value {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("tests/data/oracle/projection.json");
    let text = std::fs::read_to_string(path).expect("the results are bundled");
    serde_json::from_str(&text).expect("JSON")
}

fn matrix(value: &Value) -> Matrix<f64> {
    let rows = value.as_array().expect("rows");
    let width = rows[0].as_array().expect("a row").len();
    Matrix::from_fn(rows.len(), width, |i, j| {
        rows[i][j].as_f64().expect("a number")
    })
}

fn numbers(value: &Value) -> Vec<f64> {
    let values = value.as_array().expect("a list").iter();
    values.map(|v| v.as_f64().expect("a number")).collect()
}

fn data(rows: Matrix<f64>) -> Dataset {
    Dataset::try_new(Records::from_points(rows), Targets::None).expect("rows")
}

fn near(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let size = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!(
            (a - b).abs() <= tolerance * size.max(1e-300),
            "{what}, place {k}: {a} instead of {b}"
        );
    }
}

fn coordinates(model: &Projection, rows: Matrix<f64>) -> Matrix<f64> {
    let form = Form::from(model.clone());
    let context = FitContext::default();
    let found = form.predict(&Records::from_points(rows), &context);
    found.expect("coordinates").decisions
}

fn kernel_coordinates(model: &KernelExpansion, rows: Matrix<f64>) -> Matrix<f64> {
    let form = Form::from(model.clone());
    let context = FitContext::default();
    let found = form.predict(&Records::from_points(rows), &context);
    found.expect("coordinates").decisions
}

fn five() -> Matrix<f64> {
    Matrix::from_vec(5, 2, vec![0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 2.0, 1.0, 1.0, 3.0])
}
