//! The LASSO and the elastic net against scikit-learn.

use std::path::PathBuf;

use mercer::data::{Points, Records};
use mercer::fit::FitContext;
use mercer::learn::linear::{ElasticNet, LassoSolver, Shrinkage};
use mercer_linalg::{Csr, Matrix};
use serde_json::Value;

use super::{matrix, numbers};

/// scikit-learn's results are at a gap of 1e-14 of the squares of the targets; weights are then right
/// to about the root of that.
const CLOSE: f64 = 1e-6;

#[test]
fn weights_are_scikit_learns_on_dense_and_sparse_rows_by_both_solvers() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("tests/data/oracle/lasso.json");
    let text = std::fs::read_to_string(path).expect("the results are bundled");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    for case in document["cases"].as_array().expect("cases") {
        let rows = matrix(&case["rows"]);
        let targets = numbers(&case["targets"]);
        let targets = Matrix::from_vec(1, targets.len(), targets);
        let weights = (!case["weights"].is_null()).then(|| numbers(&case["weights"]));
        let sparse: Points = Csr::from_dense(rows.as_ref()).into();
        for points in [rows.into(), sparse] {
            let records = Records::from_points(points);
            for answer in case["answers"].as_array().expect("answers") {
                for solver in [LassoSolver::Descent, LassoSolver::Newton] {
                    let net = ElasticNet::default()
                        .shrinkage(Shrinkage::Alpha(answer["alpha"].as_f64().expect("α")))
                        .l1_ratio(answer["l1_ratio"].as_f64().expect("ρ"))
                        .intercept(answer["intercept"].as_bool().expect("a constant or not"))
                        .positive(answer["positive"].as_bool().expect("a sign or not"))
                        .tolerance(1e-15)
                        .max_iterations(100_000)
                        .solver(solver);
                    let context = FitContext::default();
                    let found = net.solve(&records, &targets, weights.as_deref(), &context);
                    let found = found.expect("a solution");
                    let pairs = found.weights.row(0).iter().zip(numbers(&answer["weights"]));
                    for (a, b) in pairs {
                        assert!((a - b).abs() < CLOSE, "{}: {net:?} {a} {b}", case["id"]);
                    }
                    let bias = answer["bias"].as_f64().expect("a number");
                    assert!((found.biases[0] - bias).abs() < 10.0 * CLOSE, "{net:?}");
                }
            }
        }
    }
}
