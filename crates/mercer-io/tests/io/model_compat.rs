//! Every model file ever released loads and predicts as it did.
//!
//! `tests/data/models/vN` holds pairs `NAME.mercer` and `NAME.json`: a model, rows and the
//! answers of the version that wrote it (`examples/write_model_fixtures.rs`).

use std::path::{Path, PathBuf};

use mercer::data::Kind;
use mercer::fit::FitContext;
use mercer::model::Answers;
use mercer_io::model::{ChecksumState, inspect, load};
use mercer_io::{Format, ReadOptions, Source, read};
use serde_json::Value;

/// Predictions may differ by rounding between machines, no more.
const TOLERANCE: f64 = 1e-9;

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list").iter();
    list.map(|v| v.as_f64().expect("a number")).collect()
}

fn assert_close(found: &[f64], expected: &Value, what: &str) {
    let expected = numbers(expected);
    assert_eq!(found.len(), expected.len(), "{what}");
    for (f, e) in found.iter().zip(expected) {
        assert!(
            (f - e).abs() <= TOLERANCE * (1.0 + e.abs()),
            "{what}: {f} is not {e}"
        );
    }
}

fn check(path: &Path) {
    let what = path.display().to_string();
    let text = std::fs::read_to_string(path.with_extension("json")).expect("expected answers");
    let expected: Value = serde_json::from_str(&text).expect("JSON");
    let model = load(path).unwrap_or_else(|e| panic!("{what}: {e}"));
    let seen = inspect(path).expect("described");
    assert_eq!(seen.checksum_state, ChecksumState::Matches, "{what}");
    assert_eq!(expected["kernel"], model.kernel_text(), "{what}");

    let rows = expected["rows"].as_str().expect("rows as text").to_owned();
    let vectors = seen.columns.iter().any(|c| c.kind == Kind::Vectors);
    let mut options = ReadOptions::default();
    if vectors {
        options.format = Some(Format::Libsvm);
    } else {
        options.kinds = seen
            .columns
            .iter()
            .map(|c| (c.name.clone(), c.kind))
            .collect();
    }
    let table = read(&Source::bytes("rows", rows.into_bytes()), &options).expect("rows");
    let found = model
        .predict(&table, &FitContext::default())
        .expect("answers");
    for (row, decisions) in expected["decisions"]
        .as_array()
        .expect("rows")
        .iter()
        .enumerate()
    {
        assert_close(found.decisions.row(row), decisions, &what);
    }
    match &found.answers {
        Answers::Classes {
            labels,
            codes,
            probabilities,
        } => {
            let names: Vec<&str> = codes.iter().map(|&c| labels[c as usize].as_str()).collect();
            assert_eq!(serde_json::json!(names), expected["answers"], "{what}");
            match probabilities {
                None => assert!(expected["probabilities"].is_null(), "{what}"),
                Some(rows) => {
                    for (row, probabilities) in rows.iter().enumerate() {
                        assert_close(probabilities, &expected["probabilities"][row], &what);
                    }
                }
            }
        }
        Answers::Values(values) => assert_close(values, &expected["answers"], &what),
        Answers::Novelty { novel } => {
            assert_eq!(serde_json::json!(novel), expected["answers"], "{what}");
        }
    }
}

#[test]
fn released_models_still_predict_the_same() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models");
    for version in 1..=mercer::model::FORMAT_VERSION {
        let folder = folder.join(format!("v{version}"));
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        paths.retain(|p| p.extension().is_some_and(|e| e == "mercer"));
        paths.sort();
        assert!(paths.len() >= 5, "{}", folder.display());
        for path in &paths {
            check(path);
        }
    }
}
