//! The keys of the objects that `--json` prints: `tests/data/net/json_keys.txt`.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use super::record::{Names, compare};
use super::scenes::SCENES;
use crate::harness::{Done, Folder, finish};

/// Ends of paths under which the user's own names are keys: labels, columns, settings, and the
/// tables that a kernel of the user's choice has.
const MAPS: [&str; 8] = [
    ".probabilities[]",
    ".params",
    ".tables",
    ".class_weights.given",
    ".support.codes",
    ".support.texts",
    ".support.graphs",
    ".support.nodes",
];

/// Scenes side by side; every command has one thread.
const WORKERS: usize = 2;

/// A folder, and the keys of all objects that were printed in it.
pub(super) struct Scene {
    pub(super) folder: Folder,
    keys: Names,
}

impl Scene {
    fn new() -> Self {
        Self {
            folder: Folder::new(),
            keys: Names::default(),
        }
    }

    fn run(&self, line: &str) -> Done {
        let mut command = self.folder.command(line.split_whitespace());
        command.arg("--json").env("MERCER_NUM_THREADS", "1");
        finish(command.spawn().expect("started"), None)
    }

    /// Runs a command that succeeds.
    #[track_caller]
    pub(super) fn tell(&mut self, line: &str) -> &mut Self {
        let done = self.run(line);
        assert_eq!(done.code, 0, "{line}: {}{}", done.out, done.err);
        self.note(line, &done.object())
    }

    /// Runs a command that fails; all of them say so in one and the same way.
    #[track_caller]
    pub(super) fn refuse(&mut self, line: &str) -> &mut Self {
        let done = self.run(line);
        assert_ne!(done.code, 0, "{line}: {}", done.out);
        let object = done.object();
        note(&mut self.keys, "error:", &object);
        self
    }

    /// Notes the object that a command wrote into a file.
    pub(super) fn read(&mut self, line: &str, file: &str) -> &mut Self {
        let object = serde_json::from_str(&self.folder.get(file)).expect("JSON");
        self.note(line, &object)
    }

    fn note(&mut self, line: &str, object: &Value) -> &mut Self {
        let command = line.split(' ').next().expect("a command");
        // What is exported as JSON is a model, not the account of the export.
        let model = object["format"] == "mercer-json";
        let to = if model { " --to json" } else { "" };
        note(&mut self.keys, &format!("{command}{to}:"), object);
        self
    }
}

/// Notes the paths below a value, with the types of what is found there.
fn note(keys: &mut Names, path: &str, value: &Value) {
    match value {
        // Which settings were chosen is up to the data; each method has its own, in all commands.
        Value::Object(settings) if path.ends_with(".chosen") => {
            let method = settings["model"].as_str().expect("a name");
            note(keys, &format!("chosen {method}:"), value);
        }
        Value::Array(items) => {
            for item in items {
                note_at(keys, format!("{path}[]"), item);
            }
        }
        Value::Object(fields) => {
            let is_map = MAPS.iter().any(|end| path.ends_with(end));
            for (key, field) in fields {
                let key = if is_map { "{}" } else { key };
                let space = if path.ends_with(':') { " " } else { "" };
                note_at(keys, format!("{path}{space}.{key}"), field);
            }
        }
        _ => {}
    }
}

fn note_at(keys: &mut Names, path: String, value: &Value) {
    note(keys, &path, value);
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    keys.add(path, kind);
}

#[test]
fn objects_keep_their_keys() {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut keys = Names::default();
        while let Some(play) = SCENES.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut scene = Scene::new();
            play(&mut scene);
            keys.merge(&scene.keys);
        }
        keys
    };
    let mut keys = Names::default();
    std::thread::scope(|scope| {
        let workers = [(); WORKERS].map(|()| scope.spawn(work));
        for worker in workers {
            keys.merge(&worker.join().expect("every command as expected"));
        }
    });
    compare("json_keys.txt", &keys);
}

#[test]
fn paths_of_an_object() {
    let object = serde_json::json!({"a": [{"b": 1}, {"b": null}], "tables": {"K": [[true]]}});
    let mut keys = Names::default();
    note(&mut keys, "c:", &object);
    let expected = "c: .a array\nc: .a[] object\nc: .a[].b null|number\nc: .tables object\n\
                    c: .tables.{} array\nc: .tables.{}[] array\nc: .tables.{}[][] boolean\n";
    assert_eq!(keys.text(), expected);
}
