//! Every model file ever released loads and predicts as it did.
//!
//! `tests/data/models/vN` holds pairs `NAME.mercer` and `NAME.json`: a model, rows and the
//! results of the version that wrote it (`examples/write_model_fixtures`). Where the present
//! machine has the instruction set and the platform of the recording one, results must be the
//! same bit by bit. A change that is meant is recorded in `CHANGELOG.md`; see
//! `tests/data/README.md`.

mod ask;
mod compare;
mod coverage;
mod rewritten;

use std::path::{Path, PathBuf};

use mercer::data::Kind;
use mercer::model::{FORMAT_VERSION, Trained};
use mercer_io::Format;
use mercer_io::model::{ChecksumState, inspect, load};
use serde_json::{Value, json};

use self::ask::Rows;
use self::compare::{Closeness, differences};

/// What rounding on another machine may change: sums of a few dozen products.
const OTHER_MACHINE: f64 = 1e-12;

/// The same for the first files, which do not tell the machine of their results.
const UNKNOWN_MACHINE: f64 = 1e-9;

/// What the first files tell of every row.
const FIRST_PARTS: [&str; 3] = ["decisions", "answers", "probabilities"];

/// What all others tell; `null` where the model does not know it.
const PARTS: [&str; 8] = [
    "decisions",
    "answers",
    "probabilities",
    "variances",
    "moderated",
    "std",
    "intervals",
    "sets",
];

/// The model files of all versions.
fn model_files() -> Vec<PathBuf> {
    let models = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models");
    let mut paths = Vec::new();
    for version in 1..=FORMAT_VERSION {
        let folder = models.join(format!("v{version}"));
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        paths.extend(entries.map(|entry| entry.expect("an entry of the folder").path()));
    }
    paths.sort();
    let is_model = |path: &PathBuf| path.extension().is_some_and(|e| e == "mercer");
    let is_alone = |path: &&PathBuf| {
        let other = if is_model(path) { "json" } else { "mercer" };
        !path.with_extension(other).exists()
    };
    let alone: Vec<String> = paths.iter().filter(is_alone).map(|p| short(p)).collect();
    assert!(
        alone.is_empty(),
        "one of a pair is missing beside {alone:?}"
    );
    paths.retain(is_model);
    paths
}

/// A file's name with the folder of its version.
fn short(path: &Path) -> String {
    let mut parts: Vec<_> = path.components().rev().take(2).collect();
    parts.reverse();
    parts.iter().collect::<PathBuf>().display().to_string()
}

/// The recorded results beside a model file.
fn recorded(path: &Path) -> Value {
    let path = path.with_extension("json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Asks a model again; returns what differs.
fn check(path: &Path) -> Vec<String> {
    let name = short(path);
    let expected = recorded(path);
    let model = load(path).unwrap_or_else(|e| panic!("{name}: {e}"));
    let seen = inspect(path).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(seen.checksum_state, ChecksumState::Matches, "{name}");
    assert_eq!(expected["kernel"], json!(model.kernel_text()), "{name}");

    let machine = &expected["machine"];
    let (parts, closeness) = if machine.is_null() {
        (&FIRST_PARTS[..], Closeness::Within(UNKNOWN_MACHINE))
    } else if *machine == ask::machine() {
        (&PARTS[..], Closeness::Bits)
    } else {
        (&PARTS[..], Closeness::Within(OTHER_MACHINE))
    };
    let rows = rows(&expected, &model);
    let found = ask::answers(&model, &rows).unwrap_or_else(|e| panic!("{name}: {e}"));
    let unknown = found.keys().find(|part| !PARTS.contains(&part.as_str()));
    assert_eq!(unknown, None, "a result that is not compared");
    let told = differences(&found, &expected, parts, closeness);
    told.iter().map(|d| format!("{name}, {d}")).collect()
}

/// The rows of a record; the first ones do not name their format.
fn rows(expected: &Value, model: &Trained) -> Rows {
    let mut told = expected.clone();
    if told["format"].is_null() {
        let columns = model.encoder.input_columns();
        let vectors = columns.iter().any(|(_, kind)| *kind == Kind::Vectors);
        let format = if vectors { Format::Libsvm } else { Format::Csv };
        told["format"] = format.name().into();
    }
    serde_json::from_value(told).expect("rows with a format")
}

#[test]
fn released_models_still_predict_the_same() {
    let told: Vec<String> = model_files().iter().flat_map(|path| check(path)).collect();
    assert!(
        told.is_empty(),
        "{} results differ:\n{}",
        told.len(),
        told.join("\n")
    );
}
