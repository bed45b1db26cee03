//! Models whose document claims more than their tensors hold: refused, at once and for a reason.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mercer_io::model::{from_bytes, inspect, load};
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models")
}

/// A model file taken apart: the document, and name, type, shape and bytes of every tensor.
struct Parts {
    document: Value,
    tensors: Vec<(String, String, Vec<u64>, Vec<u8>)>,
}

impl Parts {
    fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).expect("a file");
        let length = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
        let header: Value = serde_json::from_slice(&bytes[8..8 + length]).expect("JSON");
        let data = &bytes[8 + length..];
        let document = header["__metadata__"]["mercer"].as_str().expect("a text");
        let tensor = |(name, info): (&String, &Value)| {
            let number = |v: &Value| v.as_u64().expect("a number");
            let at = |k: usize| number(&info["data_offsets"][k]) as usize;
            let shape = info["shape"].as_array().expect("a list");
            let dtype = info["dtype"].as_str().expect("a text").to_owned();
            let bytes = data[at(0)..at(1)].to_vec();
            (
                name.clone(),
                dtype,
                shape.iter().map(number).collect(),
                bytes,
            )
        };
        let entries = header.as_object().expect("an object").iter();
        let mut tensors: Vec<_> = entries
            .filter(|(name, _)| *name != "__metadata__")
            .map(tensor)
            .collect();
        tensors.sort();
        Self {
            document: serde_json::from_str(document).expect("JSON"),
            tensors,
        }
    }

    fn tensor(&mut self, name: &str) -> &mut (String, String, Vec<u64>, Vec<u8>) {
        let found = self.tensors.iter_mut().find(|t| t.0 == name);
        found.expect("a tensor")
    }

    /// Claims a width in all three places.
    fn widen(&mut self, width: u64) {
        self.document["encoder"]["columns"][0]["width"] = json!(width);
        self.document["support"]["columns"] = json!(width);
        self.document["support"]["groups"][0]["parts"]["numbered"] = json!(width);
    }

    /// The file, with the checksum of what it says.
    fn write(mut self) -> Vec<u8> {
        fn sized(hasher: &mut blake3::Hasher, bytes: &[u8]) {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        }
        self.tensors.sort();
        let document = self.document.to_string();
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"mercer model\0");
        hasher.update(&1_u32.to_le_bytes());
        sized(&mut hasher, document.as_bytes());
        let (mut entries, mut data) = (serde_json::Map::new(), Vec::new());
        for (name, dtype, shape, bytes) in &self.tensors {
            sized(&mut hasher, name.as_bytes());
            sized(&mut hasher, dtype.as_bytes());
            hasher.update(&(shape.len() as u64).to_le_bytes());
            for extent in shape {
                hasher.update(&extent.to_le_bytes());
            }
            sized(&mut hasher, bytes);
            let ends = [data.len(), data.len() + bytes.len()];
            data.extend_from_slice(bytes);
            let entry = json!({ "dtype": dtype, "shape": shape, "data_offsets": ends });
            entries.insert(name.clone(), entry);
        }
        let checksum = hasher.finalize().to_hex().to_string();
        let about = json!({ "checksum": checksum, "format_version": "1", "mercer": document });
        entries.insert("__metadata__".to_owned(), about);
        let header = Value::Object(entries).to_string();
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(header.as_bytes());
        file.extend_from_slice(&data);
        file
    }
}

fn sparse() -> Parts {
    Parts::read(&folder().join("hostile/hang_columns.mercer"))
}

fn numbers(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// The crafted models that are kept as files, by name.
fn crafted() -> Vec<(&'static str, Parts)> {
    let with = |edit: &dyn Fn(&mut Parts)| {
        let mut parts = sparse();
        edit(&mut parts);
        parts
    };
    let kernel = |text: &'static str, width: u64| {
        with(&|parts| {
            parts.widen(width);
            parts.document["kernel"] = json!(text);
            // All values in [0, 1], where splines live.
            let (_, _, shape, bytes) = parts.tensor("support.values");
            *bytes = numbers(&vec![0.5; shape[0] as usize]);
        })
    };
    vec![
        ("overlap_zeros", kernel("overlap", 1_000_000)),
        ("spline_zeros", kernel("spline", 1_000_000)),
        ("precomputed_zeros", kernel("precomputed", 1_000_000)),
        (
            "nested_columns",
            kernel("normalise(2*(rbf(gamma=0.1)@x)) + linear", 4_000_000),
        ),
        (
            "dense_without_rows",
            with(&|parts| {
                parts.widen(2_000_000);
                parts.document["kernel"] = json!("rbf(gamma=0.1)");
                parts.document["encoder"]["storage"] = json!("dense");
                parts.document["encoder"]["columns"][0]["storage"] = json!("dense");
                parts.document["support"]["sparse"] = json!(false);
                parts.document["support"]["rows"] = json!(0);
                parts.document["machine"]["class_sizes"] = json!([0, 0, 0]);
                parts.tensors.retain(|t| !t.0.starts_with("support."));
                let mut tensor = |name: &str, dtype: &str, shape: Vec<u64>| {
                    let tensor = (name.to_owned(), dtype.to_owned(), shape, Vec::new());
                    parts.tensors.push(tensor);
                };
                tensor("support.dense", "F64", vec![0, 2_000_000]);
                tensor("support.ids", "U32", vec![0]);
                let coefficients = parts.tensor("coefficients");
                (coefficients.2, coefficients.3) = (vec![2, 0], Vec::new());
            }),
        ),
        (
            "scores_not_finite",
            with(&|parts| {
                parts.widen(60);
                let scores = numbers(&[0.5, f64::NAN, f64::INFINITY]);
                let tensor = ("left_out".to_owned(), "F64".to_owned(), vec![3], scores);
                parts.tensors.push(tensor);
            }),
        ),
        (
            "coefficients_overflow",
            with(&|parts| {
                parts.widen(60);
                let coefficients = parts.tensor("coefficients");
                coefficients.3 = numbers(&[1e308; 160]);
            }),
        ),
        (
            "coefficients_not_finite",
            with(&|parts| {
                parts.widen(60);
                let coefficients = parts.tensor("coefficients");
                coefficients.3 = numbers(&[f64::INFINITY; 160]);
            }),
        ),
    ]
}

/// Writes the files anew; `cargo test -p mercer-io --test io -- --ignored hostile`.
#[test]
#[ignore = "writes the files that the other tests read"]
fn hostile_models_are_written() {
    for (name, parts) in crafted() {
        let path = folder().join(format!("hostile/{name}.mercer"));
        std::fs::write(path, parts.write()).expect("written");
    }
}

#[test]
fn claims_without_tensors_are_refused_at_once() {
    let entries = std::fs::read_dir(folder().join("hostile")).expect("a folder");
    let models = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "mercer"));
    let mut count = 0;
    for path in models {
        count += 1;
        let started = Instant::now();
        let error = load(&path).expect_err("refused");
        assert!(inspect(&path).is_err(), "{}", path.display());
        let text = error.to_string();
        assert!(!text.contains("checksum"), "{text}");
        let spent = started.elapsed();
        assert!(spent < Duration::from_secs(1), "{text}: {spent:?}");
    }
    assert!(count >= 11, "{count} models");
}

#[test]
fn every_crafted_model_has_its_reason() {
    let reasons = [
        ("overlap_zeros", "would store 80 by 1000000 zeros"),
        ("spline_zeros", "would store 80 by 1000000 zeros"),
        ("precomputed_zeros", "would store 80 by 1000000 zeros"),
        ("nested_columns", "selects among 4000000 features"),
        ("dense_without_rows", "it claims 2000000 features"),
        ("scores_not_finite", "a score of a held-out row is not"),
        ("coefficients_overflow", "decisions are beyond f64"),
        ("coefficients_not_finite", "a coefficient is not finite"),
    ];
    for (name, parts) in crafted() {
        let (_, reason) = reasons.iter().find(|r| r.0 == name).expect("a reason");
        let text = from_bytes(&parts.write()).expect_err(name).to_string();
        assert!(text.contains(reason), "{name}: {text}");
    }
}

#[test]
fn a_wide_linear_model_answers_without_its_zeros() {
    let mut parts = sparse();
    parts.widen(4_000_000_000);
    parts.document["kernel"] = json!("linear");
    let wide = from_bytes(&parts.write()).expect("width alone is no fault");
    let mut parts = sparse();
    parts.widen(60);
    parts.document["kernel"] = json!("linear");
    let narrow = from_bytes(&parts.write()).expect("sound");
    let rows = std::fs::read(folder().join("hostile/rows.libsvm")).expect("rows");
    let source = mercer_io::Source::bytes("rows.libsvm", rows);
    let table = mercer_io::read(&source, &mercer_io::ReadOptions::default()).expect("rows");
    let context = mercer::fit::FitContext::default();
    let [wide, narrow] = [&wide, &narrow].map(|model| {
        let answers = model.predict(&table, &context).expect("answers");
        answers.decisions
    });
    for (a, b) in wide.as_slice().iter().zip(narrow.as_slice()) {
        assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{a} {b}");
    }
}
