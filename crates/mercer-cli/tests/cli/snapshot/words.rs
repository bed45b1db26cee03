//! Words that flags take where the command line does not declare them, and names of kernels.

use mercer::data::{Kind, Task};
use mercer_io::Format;

use super::record::{Names, compare};
use crate::harness::{Done, Folder};

/// Flags whose words an error lists; the file is not there.
const ASKING: [(&str, &str); 4] = [
    ("fit none.csv", "--model"),
    ("tune none.csv", "--metric"),
    ("export none.mercer -o out", "--to"),
    ("export none.mercer --to onnx", "--form"),
];

#[test]
fn flags_keep_their_words() {
    let folder = Folder::new();
    let mut names = Names::default();
    for (line, flag) in ASKING {
        for word in known(&folder.run(&format!("{line} {flag} ? --json"))) {
            try_word(&folder, line, flag, &word, &mut names);
        }
    }
    let formats = Format::ALL.iter();
    let formats: Vec<_> = formats
        .map(|format| ("--format", format.name().to_owned()))
        .collect();
    let tasks = Task::ALL.map(|task| ("--task", task.name().to_owned()));
    let kinds = Kind::NAMED.map(|(kind, _)| ("--kind", format!("COL={kind}")));
    let delimiters = ["tab", "\\t", "space", "comma", "semicolon", "pipe"];
    let delimiters = delimiters.map(|name| ("--delimiter", name.to_owned()));
    let single = [("--class-weight", "balanced"), ("--kernel", "auto")];
    let single = single.map(|(flag, word)| (flag, word.to_owned()));
    let all = [&formats[..], &tasks, &kinds, &delimiters, &single].concat();
    for (flag, word) in all {
        try_word(&folder, "fit none.csv", flag, &word, &mut names);
    }
    for command in ["cv", "tune"] {
        let line = format!("{command} none.csv");
        try_word(&folder, &line, "--folds", "loo", &mut names);
    }
    note_kernels(&folder, &mut names);
    compare("words.txt", &names);
}

/// The words that an error lists.
fn known(done: &Done) -> Vec<String> {
    let error = &done.object()["error"];
    let texts = error["hints"].as_array().expect("hints").iter();
    let mut texts = texts.chain([&error["message"]]).filter_map(|t| t.as_str());
    let list = texts.find_map(|text| text.split_once("known: "));
    let (_, list) = list.unwrap_or_else(|| panic!("no list in {error}"));
    list.split(", ").map(str::to_owned).collect()
}

fn try_word(folder: &Folder, line: &str, flag: &str, word: &str, names: &mut Names) {
    let done = folder.run(&format!("{line} {flag} {word} --json"));
    // A wrong word is wrong usage; one that is read leads on to the file that is not there.
    if done.code == 1 {
        let command = line.split(' ').next().expect("a command");
        names.add(format!("mercer {command} {flag}={word}"), "word");
    }
}

fn note_kernels(folder: &Folder, names: &mut Names) {
    let list = folder.run("kernel --list --json").json();
    let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
    for kernel in list["kernels"].as_array().expect("kernels") {
        let name = text(&kernel["name"]);
        names.add(format!("kernel {name}"), "family");
        for parameter in kernel["parameters"].as_array().expect("parameters") {
            let parameter = text(&parameter["name"]);
            names.add(format!("kernel {name}({parameter})"), "parameter");
        }
    }
}
