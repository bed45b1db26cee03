//! Tests that nothing a document says is lost on the way through the frozen structs.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::document::Document;

/// The fewest documents among the recorded models.
const FEWEST_MODELS: usize = 81;
/// The fewest among the recorded pickles.
const FEWEST_PICKLES: usize = 25;

/// Parses text that must be sound.
pub(super) fn parsed<T: DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// Lists the paths of what one value says and the other does not.
fn lost(given: &Value, kept: &Value, path: &str, out: &mut Vec<String>) {
    match (given, kept) {
        (Value::Object(given), Value::Object(kept)) => {
            for (key, value) in given {
                let path = format!("{path}.{key}");
                match kept.get(key) {
                    Some(kept) => lost(value, kept, &path, out),
                    None => out.push(path),
                }
            }
        }
        (Value::Array(given), Value::Array(kept)) if given.len() == kept.len() => {
            for (k, (given, kept)) in given.iter().zip(kept).enumerate() {
                lost(given, kept, &format!("{path}[{k}]"), out);
            }
        }
        _ if given == kept => {}
        _ => out.push(format!("{path}: {given} became {kept}")),
    }
}

/// Lists what of a document the frozen structs do not keep.
fn lost_of(document: &str) -> Vec<String> {
    let frozen: Document = parsed(document);
    let kept = serde_json::to_value(frozen).expect("JSON");
    let mut out = Vec::new();
    lost(&parsed(document), &kept, "", &mut out);
    out
}

fn recorded(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data")
        .join(folder)
}

/// The documents of version 1 in a folder of files; a pickle has the bytes of a model inside.
fn documents(folder: &str, ending: &str) -> Vec<(String, String)> {
    const START: &[u8] = b"{\"__metadata__\":";
    let entries = std::fs::read_dir(recorded(folder)).expect("a folder");
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.extension().is_none_or(|e| e != ending) {
            continue;
        }
        let bytes = std::fs::read(&path).expect("a file");
        for at in 8..bytes.len().saturating_sub(START.len()) {
            if !bytes[at..].starts_with(START) {
                continue;
            }
            let length = bytes[at - 8..at].try_into().expect("eight bytes");
            let end = at + u64::from_le_bytes(length) as usize;
            let header: Value = serde_json::from_slice(&bytes[at..end]).expect("a header");
            let document = header["__metadata__"]["mercer"].as_str();
            let document = document.expect("a document").to_owned();
            if parsed::<Value>(&document)["format_version"] == 1 {
                found.push((path.display().to_string(), document));
            }
        }
    }
    found
}

fn keep_all(documents: &[(String, String)]) {
    for (name, document) in documents {
        assert_eq!(lost_of(document), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn every_key_of_recorded_models_is_known() {
    let models = documents("models/v1", "mercer");
    assert!(models.len() >= FEWEST_MODELS, "{} models", models.len());
    keep_all(&models);
    let hostile = documents("models/hostile", "mercer");
    assert!(hostile.len() >= 11, "{} models", hostile.len());
    keep_all(&hostile);
}

#[test]
fn every_key_of_recorded_pickles_is_known() {
    let pickles = documents("net/pickles", "pickle");
    assert!(pickles.len() >= FEWEST_PICKLES, "{} models", pickles.len());
    keep_all(&pickles);
}

#[test]
fn what_nobody_knows_is_found_and_ignored() {
    let models = documents("models/v1", "mercer");
    let (_, text) = models
        .iter()
        .find(|(name, _)| name.ends_with("auto_classes.mercer"))
        .expect("a model");
    let known: Document = parsed(text);
    let mut document: Value = parsed(text);
    for at in [
        "",
        "/encoder",
        "/encoder/columns/0",
        "/encoder/columns/0/map",
        "/machine",
        "/support",
        "/support/groups/0",
        "/posterior",
        "/posterior/levels/0",
        "/report",
        "/report/problems/0",
        "/report/notes/0",
        "/report/evidence",
        "/report/trials/0",
    ] {
        document.pointer_mut(at).expect("a place")["surplus"] = json!(1);
    }
    let text = document.to_string();
    assert_eq!(parsed::<Document>(&text), known);
    let lost = lost_of(&text);
    assert_eq!(lost.len(), 14, "{lost:?}");
    assert!(lost.contains(&".report.trials[0].surplus".to_owned()));
}

#[test]
fn frozen_structs_know_nothing_of_the_library() {
    let files = [
        ("document", include_str!("document.rs")),
        ("encoder", include_str!("encoder.rs")),
        ("machine", include_str!("machine.rs")),
        ("records", include_str!("records.rs")),
        ("report", include_str!("report.rs")),
    ];
    for (name, text) in files {
        let (frozen, _) = text.split_once("#[cfg(test)]").expect("tests below");
        for word in ["crate::", "super::super", "mercer_linalg"] {
            assert!(!frozen.contains(word), "{name} names {word}");
        }
    }
}
