//! Results that scikit-learn's KMeans gave from the same first centres.
//!
//! Centres agree to 1e-9 of the largest number in the rows, which is what far rows leave of double
//! precision; single precision was computed as such there, hence 1e-4.

use std::path::PathBuf;

use mercer::data::Records;
use mercer::fit::{Cancel, FitContext, Note, StopReason};
use mercer::learn::cluster::{KMeans, distances, nearest};
use mercer_linalg::{Csr, Matrix, Par};
use serde_json::Value;

fn read(name: &str) -> Value {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("tests/data/oracle").join(name);
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

fn labels(value: &Value) -> Vec<u32> {
    let labels = value.as_array().expect("labels").iter();
    labels
        .map(|l| l.as_u64().expect("a label") as u32)
        .collect()
}

fn rows(case: &Value, field: &str) -> Records {
    let dense = matrix(&case[field]);
    if case["sparse"] == true {
        Records::from_points(Csr::from_dense(dense.as_ref()))
    } else if case["single"] == true {
        Records::from_points(dense.cast::<f32>())
    } else {
        Records::from_points(dense)
    }
}

#[test]
fn from_the_same_centres_the_same_clusters() {
    let document = read("kmeans.json");
    let cases = document["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 16);
    for case in cases {
        let id = case["id"].as_str().expect("an id");
        let tolerance = if case["single"] == true { 1e-4 } else { 1e-9 };
        let weights: Option<Vec<f64>> = case["weights"]
            .as_array()
            .map(|w| w.iter().map(|w| w.as_f64().expect("a weight")).collect());
        let start = matrix(&case["start"]);
        let records = rows(case, "rows");
        let found = KMeans::default()
            .clusters(start.rows())
            .tolerance(case["tolerance"].as_f64().expect("a tolerance"))
            .max_iterations(case["max_iterations"].as_u64().expect("a number"))
            .solve(
                &records,
                weights.as_deref(),
                Some(&start),
                &FitContext::default(),
            )
            .expect(id);
        assert_eq!(found.labels, labels(&case["labels"]), "{id}");
        assert_eq!(Some(found.iterations), case["iterations"].as_u64(), "{id}");
        let largest = matrix(&case["rows"])
            .as_slice()
            .iter()
            .fold(1.0_f64, |most, v| most.max(v.abs()));
        let centres = matrix(&case["centres"]);
        for (a, b) in found.centres.as_slice().iter().zip(centres.as_slice()) {
            assert!((a - b).abs() <= tolerance * largest, "{id}: {a} and {b}");
        }
        let inertia = case["inertia"].as_f64().expect("a number");
        assert!(
            (found.inertia - inertia).abs() <= tolerance * inertia,
            "{id}: {} and {inertia}",
            found.inertia
        );
        let warned = found
            .notes
            .iter()
            .any(|note| matches!(note, Note::Alert(text) if text.contains("clusters have rows")));
        assert_eq!(Some(warned), case["warned"].as_bool(), "{id}");
        let reason = if id == "three_iterations" {
            StopReason::IterationLimit
        } else {
            StopReason::Converged
        };
        assert_eq!(found.stop_reason, reason, "{id}");
        if case["new"].is_array() {
            let new = rows(case, "new");
            let cancel = Cancel::default();
            let (codes, squares) =
                nearest(&found.centres, &new, Par::Sequential, &cancel).expect(id);
            assert_eq!(codes, labels(&case["new_labels"]), "{id}");
            let all = distances(&found.centres, &new, Par::Rayon, &cancel).expect(id);
            let wanted = matrix(&case["new_distances"]);
            for i in 0..all.rows() {
                for (a, b) in all.row(i).iter().zip(wanted.row(i)) {
                    assert!((a - b).abs() <= 1e-9 * largest, "{id}: {a} and {b}");
                }
                let nearest = all[(i, codes[i] as usize)];
                assert!(
                    (squares[i].sqrt() - nearest).abs() <= 1e-12 * largest,
                    "{id}"
                );
            }
        }
    }
}
