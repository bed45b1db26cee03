//! `.mercer` files: the same bytes, the same results, and every kind of damage refused.

use std::path::Path;

use mercer::data::{Block, Encoder, Points, Records, Roles, Storage, Table};
use mercer::fit::FitContext;
use mercer::learn::AnyEstimator;
use mercer::model::Trained;
use mercer::recipe::{Recipe, Wish};
use mercer_io::model::{ChecksumState, export_json, from_bytes, inspect, load, save, to_bytes};
use mercer_io::{Error, ReadOptions, Source, read};
use mercer_linalg::Csr;
use proptest::prelude::*;

fn table() -> Table {
    let mut text = "size,colour,note,kind\n".to_owned();
    for i in 0..30 {
        let colour = ["red", "green", "blue"][i % 3];
        let kind = if (i * 7) % 5 < 2 { "rose" } else { "lily" };
        text.extend([format!(
            "{},{colour},word{i} and more of them {i},{kind}\n",
            (i * 13) % 17
        )]);
    }
    read(
        &Source::bytes("t.csv", text.into_bytes()),
        &ReadOptions::default(),
    )
    .expect("CSV")
}

fn trained() -> Trained {
    let roles = Roles {
        targets: vec!["kind".to_owned()],
        ..Roles::default()
    };
    let mut recipe = Recipe::new(roles);
    recipe.wish = Wish::Given(AnyEstimator::named("ls_svc").expect("a method"));
    let fitted = recipe.fit(table(), &FitContext::default());
    let mut model = fitted.expect("learnt").model;
    // The kernel reads no texts, but files can hold them.
    let margin = model.form.expansion_mut().expect("an expansion");
    let rows = margin.support.len();
    margin.support.texts.push(mercer::data::TextColumn {
        source: "note".to_owned(),
        texts: (0..rows).map(|i| "é".repeat(i % 3).into()).collect(),
    });
    margin.support.codes.push(mercer::data::CodeColumn {
        source: "colour".to_owned(),
        codes: (0..rows as u32).collect(),
    });
    model
}

fn bytes() -> &'static [u8] {
    static BYTES: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    BYTES.get_or_init(|| to_bytes(&trained()).expect("finite"))
}

fn header(bytes: &[u8]) -> String {
    let length = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
    String::from_utf8(bytes[8..8 + length].to_vec()).expect("text")
}

/// A file with another header and the same tensors.
fn with_header(bytes: &[u8], header_text: &str) -> Vec<u8> {
    let old = header(bytes).len();
    let mut out = (header_text.len() as u64).to_le_bytes().to_vec();
    out.extend_from_slice(header_text.as_bytes());
    out.extend_from_slice(&bytes[8 + old..]);
    out
}

fn refusal(bytes: &[u8]) -> String {
    let error = from_bytes(bytes).expect_err("refused");
    assert!(!error.hints().is_empty(), "{error}");
    error.to_string()
}

#[test]
fn a_model_survives() {
    let model = trained();
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("a.mercer");
    save(&model, &path).expect("written");
    let back = load(&path).expect("readable");
    // The file keeps everything but what only one run can measure.
    let mut kept = model.clone();
    kept.report = model.report.reproducible();
    assert_eq!(back, kept);
    assert_eq!(
        to_bytes(&back).expect("finite"),
        std::fs::read(&path).expect("file")
    );
    let context = FitContext::default();
    assert_eq!(
        back.predict(&table(), &context).expect("answers"),
        model.predict(&table(), &context).expect("answers")
    );
}

#[test]
fn the_same_model_gives_the_same_bytes() {
    let model = trained();
    let first = to_bytes(&model).expect("finite");
    for _ in 0..5 {
        assert_eq!(to_bytes(&model.clone()).expect("finite"), first);
    }
}

#[test]
fn other_readers_of_safetensors_see_the_tensors() {
    let file = safetensors::SafeTensors::deserialize(bytes()).expect("a safetensors file");
    let view = file.tensor("coefficients").expect("stored");
    assert_eq!(view.dtype(), safetensors::Dtype::F64);
    let (_, metadata) = safetensors::SafeTensors::read_metadata(bytes()).expect("a header");
    let strings = metadata.metadata().as_ref().expect("strings");
    assert_eq!(strings["format_version"], "2");
    assert_eq!(strings["checksum"].len(), 64);
    let start = 8 + header(bytes()).len();
    assert_eq!(start % 8, 0, "tensors are aligned");
}

#[test]
fn a_failure_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("a.mercer");
    let mut model = trained();
    save(&model, &path).expect("written");
    let old = std::fs::read(&path).expect("file");
    let solver = model.report.solver.as_mut().expect("a solver");
    solver.objective = f64::INFINITY;
    assert!(save(&model, &path).is_err(), "JSON has no infinity");
    assert_eq!(std::fs::read(&path).expect("file"), old);
    assert_eq!(std::fs::read_dir(folder.path()).expect("folder").count(), 1);
}

#[test]
fn files_of_other_kinds_are_told() {
    assert!(refusal(b"").contains("it has only 0 bytes"));
    assert!(refusal(b"1,2,3\n4,5,6\n").contains("does not start like a safetensors file"));
    assert!(refusal(b"\x80\x04\x95\x10\0\0\0\0\0\0\0}\x94.").contains("not a mercer model"));
    let error = from_bytes(b"svm_type c_svc\nkernel_type rbf\n").expect_err("LIBSVM");
    assert_eq!(error.hints(), ["import it as a model of LIBSVM"]);
    let plain = b"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}} ";
    let mut file = (plain.len() as u64).to_le_bytes().to_vec();
    file.extend_from_slice(plain);
    file.push(7);
    assert!(refusal(&file).contains("a safetensors file, but not a mercer model"));
    assert!(matches!(
        load(Path::new("no/such.mercer")),
        Err(Error::NotFound { .. })
    ));
    let folder = tempfile::tempdir().expect("folder");
    assert!(
        load(folder.path())
            .expect_err("a folder")
            .to_string()
            .contains("this is a folder")
    );
}

#[test]
fn damage_is_told() {
    let good = bytes();
    for cut in [9, 20, good.len() / 2, good.len() - 1] {
        let message = refusal(&good[..cut]);
        assert!(
            message.contains(&format!("it is cut off after {cut} bytes")),
            "{message}"
        );
    }
    let mut long = good.to_vec();
    long.push(0);
    assert!(refusal(&long).contains("goes on after its last tensor"));
    let mut flipped = good.to_vec();
    *flipped.last_mut().expect("bytes") ^= 1;
    assert!(refusal(&flipped).contains("its checksum does not match"));
    let text = header(good).replacen("mercer 0", "mercer 9", 1);
    assert!(refusal(&with_header(good, &text)).contains("its checksum does not match"));
}

#[test]
fn versions_from_the_future_are_refused() {
    let text = header(bytes()).replace("\"format_version\":\"2\"", "\"format_version\":\"3\"");
    let error = from_bytes(&with_header(bytes(), &text)).expect_err("newer");
    assert!(
        error
            .to_string()
            .contains("format version 3; this program reads versions 1 to 2")
    );
    assert_eq!(error.hints(), ["install a newer mercer"]);
    let text = header(bytes()).replace("\"format_version\":\"2\"", "\"format_version\":\"x\"");
    assert!(refusal(&with_header(bytes(), &text)).contains("its format version is `x`"));
}

#[test]
fn announced_sizes_are_not_believed() {
    let mut file = bytes().to_vec();
    file[..8].copy_from_slice(&99_999_999_u64.to_le_bytes());
    assert!(refusal(&file).contains("is cut off"));
    file[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(refusal(&file).contains("does not start like"));
    for shape in [
        "[2305843009213693951]",
        "[18446744073709551615,2]",
        "[4294967296,4294967296]",
    ] {
        let header = format!(
            "{{\"__metadata__\":{{\"mercer\":\"{{}}\",\"checksum\":\"\",\"format_version\":\"1\"}},\
             \"a\":{{\"dtype\":\"F64\",\"shape\":{shape},\"data_offsets\":[0,18446744073709551608]}}}}"
        );
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(header.as_bytes());
        assert!(refusal(&file).contains("header cannot be read"));
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.mercer");
        std::fs::write(&path, &file).expect("written");
        assert!(load(&path).is_err());
    }
    let header = "{\"__metadata__\":{\"mercer\":\"{}\",\"checksum\":\"\",\"format_version\":\"1\"},\
         \"a\":{\"dtype\":\"F64\",\"shape\":[100000000000],\"data_offsets\":[0,800000000000]}}";
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend_from_slice(header.as_bytes());
    assert!(refusal(&file).contains("is cut off"));
}

#[test]
fn single_precision_support_vectors_stay_single() {
    for sparse in [false, true] {
        let mut model = trained();
        let margin = model.form.expansion_mut().expect("an expansion");
        let single = match margin.support.features.points.widened().cast::<f32>() {
            Block::Dense(m) if sparse => Block::Sparse(Csr::from_dense(m.as_ref())),
            block => block,
        };
        if sparse {
            model.encoder = Encoder::identity(single.columns(), Storage::Sparse);
            margin.support = Records::from_points(Points::from(single));
        } else {
            margin.support.features.points = single.into();
        }
        let bytes = to_bytes(&model).expect("finite");
        assert!(header(&bytes).contains("\"dtype\":\"F32\""));
        assert_eq!(from_bytes(&bytes).expect("sound").form, model.form);
    }
}

#[test]
fn zeros_that_are_not_in_the_file_are_not_made() {
    let width = u32::MAX as usize;
    for kernel in ["precomputed", "linear@[1]"] {
        let mut model = trained();
        let margin = model.form.expansion_mut().expect("an expansion");
        let rows = margin.support.len();
        let empty =
            Csr::<f64>::try_new(width, vec![0; rows + 1], Vec::new(), Vec::new()).expect("sound");
        margin.support = Records::from_points(Points::from(empty));
        margin.kernel = kernel.parse().expect("a kernel");
        model.encoder = Encoder::identity(width, Storage::Sparse);
        // What cannot be read back is not written.
        let message = to_bytes(&model).expect_err("refused").to_string();
        assert!(
            message.contains("support vectors hold 0 numbers"),
            "{message}"
        );
    }
}

#[test]
fn an_encoder_that_does_not_fit_is_refused() {
    let mut model = trained();
    model.encoder = Encoder::identity(3, Storage::Dense);
    let bytes = to_bytes(&model).expect("finite");
    let message = refusal(&bytes);
    assert!(
        message.contains("the encoder makes other features"),
        "{message}"
    );
}

#[test]
fn inspection_needs_a_sound_checksum() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("a.mercer");
    std::fs::write(&path, bytes()).expect("written");
    let found = inspect(&path).expect("readable");
    assert_eq!(found.checksum_state, ChecksumState::Matches);
    assert_eq!(found.bytes, bytes().len() as u64);
    assert_eq!((found.format_version, found.method.as_str()), (2, "ls_svc"));
    assert_eq!(
        found.labels.as_deref(),
        Some(&["lily".to_owned(), "rose".to_owned()][..])
    );
    assert_eq!(found.target.as_deref(), Some("kind"));
    assert!(found.probabilities);
    let columns: Vec<String> = found
        .columns
        .iter()
        .map(|c| format!("{}: {}", c.name, c.kind))
        .collect();
    assert_eq!(
        columns,
        ["size: numeric", "colour: categorical", "note: text"]
    );
    assert_eq!(found.report.as_ref().map(|r| r.rows), Some(30));
    let stored: u64 = found.tensors.iter().map(|t| t.bytes).sum();
    assert!(stored < found.bytes);
    assert!(
        found
            .tensors
            .iter()
            .any(|t| t.name == "biases" && t.shape == [1])
    );
    let json = serde_json::to_value(&found).expect("JSON");
    assert_eq!(json["checksum_state"], "matches");
    assert_eq!(json["task"], "classify");

    let mut flipped = bytes().to_vec();
    *flipped.last_mut().expect("bytes") ^= 1;
    std::fs::write(&path, flipped).expect("written");
    let refused = inspect(&path).expect_err("changed").to_string();
    assert!(refused.contains("its checksum does not match"), "{refused}");
    let loading = load(&path).expect_err("changed").to_string();
    assert_eq!(refused, loading);
}

#[test]
fn json_holds_everything() {
    let model = trained();
    let document = export_json(&model).expect("finite");
    let text = serde_json::to_string(&document).expect("JSON");
    let back: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(back, document, "numbers read back");
    let margin = model.form.expansion().expect("an expansion");
    let coefficients = &margin.coefficients;
    for (j, value) in coefficients.row(0).iter().enumerate() {
        let stored = back["decision"]["coefficients"][0][j]
            .as_f64()
            .expect("a number");
        assert_eq!(stored.to_bits(), value.to_bits());
    }
    assert_eq!(back["decision"]["kind"], "classifier");
    assert_eq!(back["support"]["rows"], margin.support.len());
    assert_eq!(back["features"][0], "size");
    assert_eq!(back["kernel"], model.kernel_text().expect("a kernel"));
    assert_eq!(
        back["support"]["texts"]["note"].as_array().map(Vec::len),
        Some(margin.support.len())
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn truncations_are_refused(share in 0.0..1.0_f64) {
        let end = (bytes().len() as f64 * share) as usize;
        prop_assert!(from_bytes(&bytes()[..end]).is_err());
    }

    #[test]
    fn any_change_is_refused(place in any::<u32>(), byte in any::<u8>()) {
        let mut file = bytes().to_vec();
        let at = place as usize % file.len();
        prop_assume!(file[at] != byte);
        // Spaces pad the header; a tab there changes nothing.
        prop_assume!(!(file[at] == b' ' && byte.is_ascii_whitespace()));
        file[at] = byte;
        prop_assert!(from_bytes(&file).is_err());
    }
}
