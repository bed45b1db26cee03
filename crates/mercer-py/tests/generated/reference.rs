//! The reference page of all methods.

use mercer::learn::{Able, Flag, METHODS, Method, Setting, plain};
use serde_json::Value;

use crate::signature;

/// Writes the page.
pub(crate) fn render() -> String {
    let mut text = String::from(
        "<!-- Written by `MERCER_RECORD=1 cargo test -p mercer-py --test generated`. -->\n\n\
         # Models\n\n\
         Every learning method with its settings. `--model NAME` chooses one in the command; a\n\
         setting without a flag of its own is given by `--set NAME=VALUE`. In Python every method\n\
         is a class with scikit-learn's interface.\n\n\
         | model | method | tasks | Python |\n|---|---|---|---|\n",
    );
    for method in METHODS {
        let names: Vec<String> = method.names().map(|n| format!("`{n}`")).collect();
        text += &format!(
            "| [{}](#{}) | {} | {} | {} |\n",
            names.join(", "),
            method.name,
            method.title,
            tasks(method),
            classes(method)
        );
    }
    for method in METHODS {
        text += &section(method);
    }
    text
}

fn tasks(method: &Method) -> String {
    let tasks: Vec<String> = method.tasks.iter().map(ToString::to_string).collect();
    tasks.join(", ")
}

fn classes(method: &Method) -> String {
    let names: Vec<String> = method
        .python
        .iter()
        .map(|c| format!("`{}`", c.name))
        .collect();
    names.join(", ")
}

fn section(method: &Method) -> String {
    let mut text = format!("\n## {}\n\n{}. ", method.name, capital(method.title));
    text += &format!("{}\n\n", method.summary);
    if !method.objective.is_empty() {
        text += &format!("* Minimises {}\n", method.objective);
    }
    text += &format!("* Tasks: {}\n", tasks(method));
    if !method.aliases.is_empty() {
        let names = method.aliases.iter();
        let names: Vec<String> = names.map(|(n, task)| format!("`{n}` ({task})")).collect();
        text += &format!("* Other names: {}\n", names.join(", "));
    }
    text += &format!("* Python: {}\n", classes(method));
    let able = abilities(method.able);
    if !able.is_empty() {
        text += &format!("* Also: {}\n", able.join(", "));
    }
    text +=
        "\n| setting | holds | default | command | Python | meaning |\n|---|---|---|---|---|---|\n";
    for setting in (method.settings)() {
        text += &line(method, &setting);
    }
    text
}

fn line(method: &Method, setting: &Setting) -> String {
    let default = match (method.default)(setting.name) {
        None | Some(Value::Null) => "–".to_owned(),
        Some(value) => format!("`{}`", plain(&value)),
    };
    let command = match setting.flag {
        Flag::On(name) | Flag::Off(name) => format!("`--{name}`"),
        Flag::Hidden(_) | Flag::None => format!("`--set {}=…`", setting.name),
    };
    let has = |class: &mercer::learn::PythonClass| {
        let listed = signature::parse(class.signature);
        listed.iter().any(|p| p.name == setting.python)
    };
    let python = if method.python.iter().any(has) {
        format!("`{}`", setting.python)
    } else {
        "–".to_owned()
    };
    format!(
        "| `{}` | {} | {default} | {command} | {python} | {} |\n",
        setting.name,
        setting.kind.words(),
        setting.doc
    )
}

fn abilities(able: Able) -> Vec<&'static str> {
    let all = [
        (able.probabilities, "class probabilities"),
        (able.several_targets, "several targets at once"),
        (able.warm_start, "warm starts"),
        (able.weights, "row weights"),
        (able.structures, "texts, graphs and nodes as rows"),
    ];
    all.iter()
        .filter(|(is, _)| *is)
        .map(|(_, what)| *what)
        .collect()
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}
