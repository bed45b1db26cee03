//! Nothing of a model file is lost between reading it and writing it again.

use std::path::Path;

use mercer::fit::Note;
use mercer::model::{FORMAT_VERSION, Trained};
use mercer_io::model::{from_bytes, load, to_bytes};
use serde_json::Value;

use super::{model_files, short};

/// What another run may measure differently; only the first files tell it.
const MEASURED: [&str; 3] = ["seconds", "kernel_evaluations", "kernel_bytes"];

/// A model as its file tells it, without what files of today leave out.
fn read(path: &Path) -> Trained {
    let mut model = load(path).expect("a model");
    model.report = model.report.reproducible();
    model
}

/// The document and the bytes of the tensors of a file.
fn parts(bytes: &[u8]) -> (Value, Vec<u8>) {
    let length = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
    let header: Value = serde_json::from_slice(&bytes[8..8 + length]).expect("a header");
    let document = header["__metadata__"]["mercer"].as_str().expect("a text");
    let document = serde_json::from_str(document).expect("a document");
    (document, bytes[8 + length..].to_vec())
}

/// Lists what the first document says and the second does not.
fn lost(given: &Value, kept: &Value, path: &str, out: &mut Vec<String>) {
    match (given, kept) {
        (Value::Object(given), Value::Object(kept)) => {
            let entries = given.iter();
            for (key, value) in entries.filter(|(key, _)| !MEASURED.contains(&key.as_str())) {
                let kept = kept.get(key).unwrap_or(&Value::Null);
                lost(value, kept, &format!("{path}.{key}"), out);
            }
        }
        (Value::Array(given), Value::Array(kept)) if given.len() == kept.len() => {
            for (given, kept) in given.iter().zip(kept) {
                lost(given, kept, &format!("{path}[]"), out);
            }
        }
        _ if given == kept => {}
        _ => out.push(format!("{path}: {given} became {kept}")),
    }
}

/// Whether sigmoids that ran against their decisions were mended on the way.
fn is_mended(model: &Trained) -> bool {
    let mended = |note: &Note| note.text().contains("could run against the decisions");
    model.report.notes.iter().any(mended)
}

#[test]
fn a_model_written_again_is_the_same_model() {
    for path in model_files() {
        let model = read(&path);
        let bytes = to_bytes(&model).expect("a file");
        let again = from_bytes(&bytes).expect("the same model");
        // Gaps are NaN, which equals nothing; their bytes do.
        let same = again == model || to_bytes(&again).expect("a file") == bytes;
        assert!(same, "{} is another model", short(&path));
    }
}

#[test]
fn a_file_of_the_present_version_says_the_same_when_written_again() {
    let present = format!("v{FORMAT_VERSION}");
    let is_present =
        |path: &std::path::PathBuf| path.parent().is_some_and(|p| p.ends_with(&present));
    let (mut same, mut mended) = (0, 0);
    for path in model_files().into_iter().filter(is_present) {
        let model = read(&path);
        if is_mended(&model) {
            mended += 1;
            continue;
        }
        let (given, numbers) = parts(&std::fs::read(&path).expect("a file"));
        let (kept, same_numbers) = parts(&to_bytes(&model).expect("a file"));
        let mut told = Vec::new();
        lost(&given, &kept, "", &mut told);
        assert!(told.is_empty(), "{}: {told:?}", short(&path));
        assert!(
            numbers == same_numbers,
            "{} has other tensors",
            short(&path)
        );
        same += 1;
    }
    assert!(same > 0 && mended < same, "{same} files, {mended} mended");
}
