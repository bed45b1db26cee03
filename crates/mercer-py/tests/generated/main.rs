//! The files of the Python package that are made from the table of methods.
//!
//! Estimator classes, their stubs and the reference page are written from `mercer::learn::METHODS`.
//! `MERCER_RECORD=1 cargo test -p mercer-py --test generated` writes them again; without it the
//! test fails where one of them is stale.

#![expect(
    clippy::format_push_string,
    clippy::format_collect,
    reason = "texts are put together once, where speed does not matter"
)]

mod classes;
mod own;
mod parameter;
mod reference;
mod signature;
mod stubs;
mod text;

use std::path::PathBuf;

use mercer::data::Task;
use mercer::learn::{METHODS, Method, PythonClass};
use serde_json::Value;

use parameter::Described;

/// Lines that a message shows of a stale file.
const SHOWN: usize = 3;

/// The longest line of a generated Python file.
const COLUMNS: usize = 100;

/// Every class with its method, in the order of the table.
fn classes() -> impl Iterator<Item = (&'static Method, &'static PythonClass)> {
    METHODS
        .iter()
        .flat_map(|method| method.python.iter().map(move |class| (*method, class)))
}

/// The files with their places in the repository.
fn files() -> Vec<(PathBuf, String)> {
    let package = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let root = package.join("../..");
    vec![
        (
            package.join("python/mercer/_estimators.py"),
            classes::render(),
        ),
        (
            package.join("python/mercer/_estimators.pyi"),
            stubs::render(),
        ),
        (root.join("docs/reference/models.md"), reference::render()),
    ]
}

/// The first lines in which two texts differ.
fn difference(old: &str, new: &str) -> String {
    let (mut old, mut new) = (old.lines(), new.lines());
    let mut said = String::new();
    let mut shown = 0;
    for number in 1.. {
        let (before, after) = (old.next(), new.next());
        if (before, after) == (None, None) || shown == SHOWN {
            break;
        }
        if before != after {
            shown += 1;
            let of = |line: Option<&str>| line.unwrap_or("(end)").to_owned();
            said += &format!(
                "  {number}: - {}\n  {number}: + {}\n",
                of(before),
                of(after)
            );
        }
    }
    said
}

#[test]
fn generated_files_are_current() {
    let record = std::env::var("MERCER_RECORD").is_ok_and(|v| v == "1");
    let mut stale = String::new();
    for (path, text) in files() {
        let present = std::fs::read_to_string(&path).unwrap_or_default();
        if present == text {
            continue;
        }
        if record {
            let folder = path.parent().expect("a file has a folder");
            std::fs::create_dir_all(folder).expect("the folder can be made");
            std::fs::write(&path, &text).expect("the file can be written");
        } else {
            stale += &format!("{}\n{}", path.display(), difference(&present, &text));
        }
    }
    assert!(
        stale.is_empty(),
        "stale; write with MERCER_RECORD=1 cargo test -p mercer-py --test generated\n{stale}"
    );
}

/// Features are a class of their own in Python, as in scikit-learn: any estimator may follow them.
#[test]
fn every_method_has_a_class_for_its_first_task() {
    for method in METHODS {
        let is_for = |task| task == method.tasks[0] || task == Task::Embed;
        let has = method.python.iter().any(|c| is_for(c.task));
        assert!(has, "`{}` has no Python class", method.name);
    }
}

/// Overrides that nothing reads, and names that are given twice, are slips.
#[test]
fn what_is_said_of_parameters_is_used() {
    let mut names: Vec<&str> = classes().map(|(_, class)| class.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), classes().count(), "two classes of one name");
    for (_, class) in classes() {
        let listed = signature::parse(class.signature);
        for parameter in class.parameters {
            let known = listed.iter().any(|p| p.name == parameter.name);
            assert!(
                known,
                "{} has no parameter `{}`",
                class.name, parameter.name
            );
        }
    }
}

/// A parameter that is a setting and nothing more has the setting's default.
#[test]
fn defaults_are_those_of_the_table() {
    let mut compared = 0;
    for (method, class) in classes() {
        for parameter in Described::all(method, class) {
            let Some(setting) = parameter.setting.filter(|_| parameter.is_plain) else {
                continue;
            };
            let ours = (method.default)(setting.name).unwrap_or(Value::Null);
            let theirs = python_value(&parameter.default);
            let place = format!("{}({})", class.name, parameter.name);
            match (ours.as_f64(), theirs.as_f64()) {
                (Some(a), Some(b)) => assert!((a - b).abs() < 1e-15, "{place}: {a} and {b}"),
                _ => assert_eq!(ours, theirs, "{place}"),
            }
            compared += 1;
        }
    }
    assert!(compared > 20, "only {compared} defaults were compared");
}

/// Reads a literal of Python.
fn python_value(text: &str) -> Value {
    match text {
        "None" => Value::Null,
        "True" => Value::Bool(true),
        "False" => Value::Bool(false),
        other => serde_json::from_str(other).unwrap_or_else(|_| panic!("`{other}` is no literal")),
    }
}

#[test]
fn lines_of_python_fit() {
    for text in [classes::render(), stubs::render()] {
        for line in text.lines() {
            assert!(line.chars().count() <= COLUMNS, "{line}");
            assert_eq!(line, line.trim_end(), "blanks at the end of a line");
        }
    }
}

#[test]
fn differences_are_short() {
    assert_eq!(
        difference("a\nb", "a\nc\nd"),
        "  2: - b\n  2: + c\n  3: - (end)\n  3: + d\n"
    );
    let many: String = (0..100).map(|i| format!("{i}\n")).collect();
    assert_eq!(difference("", &many).lines().count(), 2 * SHOWN);
}
