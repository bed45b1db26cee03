//! `_estimators.py`: signatures, documentation and checks of the estimator classes.

use std::collections::{BTreeMap, BTreeSet};

use mercer::data::Task;
use mercer::learn::{Method, PythonClass};

use crate::parameter::Described;
use crate::text::{bracketed, indent, wrap};

/// Where names that the classes use come from: modules in the order of imports.
const IMPORTS: [(&str, &[&str]); 4] = [
    ("numbers", &["Integral", "Real"]),
    (
        "sklearn.utils._param_validation",
        &["Interval", "Options", "StrOptions"],
    ),
    (
        "._constraints",
        &[
            "COUNT",
            "FINITE",
            "FRACTION",
            "EXPONENT",
            "NOT_NEGATIVE",
            "POSITIVE",
            "SHARE",
            "WHOLE",
        ],
    ),
    (".kernels", &["Kernel"]),
];

/// Writes the module.
pub(crate) fn render() -> String {
    let body: String = crate::classes()
        .map(|(method, class)| format!("\n\n{}", render_class(method, class)))
        .collect();
    let names: Vec<&str> = crate::classes().map(|(_, class)| class.name).collect();
    let quoted: Vec<String> = sorted(&names)
        .iter()
        .map(|n| format!("    \"{n}\",\n"))
        .collect();
    let listed: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
    format!(
        "\"\"\"The estimators of the table of methods; what they do is in their base classes.\n\n\
         Written by ``MERCER_RECORD=1 cargo test -p mercer-py --test generated``: change the\n\
         table, not this file.\n\"\"\"\n\n{}\n__all__ = [\n{}]\n{body}\n\n\
         # The classes in the order of the table.\n{}\n",
        imports(&body),
        quoted.concat(),
        bracketed("CLASSES = (", &listed, ")", 0),
    )
}

/// The order of linters: constants, classes, the rest, each by letter.
fn sorted<'a>(names: &[&'a str]) -> Vec<&'a str> {
    let mut names = names.to_vec();
    names.sort_by_key(|name| {
        let is_constant = !name.chars().any(char::is_lowercase);
        (!is_constant, *name)
    });
    names
}

fn imports(body: &str) -> String {
    let mut bases: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (_, class) in crate::classes() {
        let (module, base) = module_and_name(class);
        bases.entry(format!(".{module}")).or_default().insert(base);
    }
    let of = |modules: &[(&str, &[&'static str])]| {
        let mut found: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for (module, names) in modules {
            let used = names.iter().filter(|name| has_word(body, name));
            let used: BTreeSet<&str> = used.copied().collect();
            if !used.is_empty() {
                found.insert((*module).to_owned(), used);
            }
        }
        found
    };
    bases.extend(of(&IMPORTS[2..]));
    let groups = [of(&IMPORTS[..1]), of(&IMPORTS[1..2]), bases];
    let lines = groups.iter().filter(|g| !g.is_empty()).map(|group| {
        let lines = group.iter().map(|(module, names)| {
            let names: Vec<&str> = names.iter().copied().collect();
            format!("from {module} import {}\n", sorted(&names).join(", "))
        });
        lines.collect::<String>()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether a name stands in a text as a word of its own.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_part(c)).any(|word| word == name)
}

/// The module and the name of a class's base.
pub(crate) fn module_and_name(class: &PythonClass) -> (&'static str, &'static str) {
    class.base.split_once('.').expect("a base has a module")
}

fn render_class(method: &Method, class: &PythonClass) -> String {
    let parameters = Described::all(method, class);
    let mut text = format!("class {}({}):\n", class.name, module_and_name(class).1);
    text += &docstring(class, &parameters);
    text += &format!(
        "    _method = \"{}\"\n    _task = \"{}\"\n",
        method.name, class.task
    );
    if method.able.warm_start {
        text += "    _continues = True\n";
    }
    let with_setting = || {
        parameters
            .iter()
            .filter_map(|p| p.setting.as_ref().map(|s| (p, s)))
    };
    let names: Vec<String> = with_setting()
        .map(|(p, s)| format!("\"{}\": \"{}\"", p.name, s.name))
        .collect();
    text += &bracketed("_setting_names = {", &names, "}\n", 4);
    // A class of coordinates has no score to search by.
    let is_scored = class.task != Task::Embed;
    let searched: Vec<String> = with_setting()
        .filter(|(_, s)| is_scored && s.search.is_some())
        .map(|(p, _)| format!("\"{}\"", p.name))
        .collect();
    if !searched.is_empty() {
        let comma = if searched.len() == 1 { "," } else { "" };
        text += &format!("    _searched = ({}{comma})\n", searched.join(", "));
    }
    text += "    _parameter_constraints: dict = {\n";
    for parameter in &parameters {
        let inner = parameter.constraint.trim_matches(['[', ']']).to_owned();
        let start = format!("\"{}\": [", parameter.name);
        text += &format!(
            "{},
",
            bracketed(&start, &[inner], "]", 8)
        );
    }
    text += "    }\n\n    def __init__(\n        self,\n";
    let mut by_name = false;
    for parameter in &parameters {
        if parameter.by_name && !by_name {
            text += "        *,\n";
            by_name = true;
        }
        text += &format!("        {}={},\n", parameter.name, parameter.default);
    }
    text += "    ):\n";
    for parameter in &parameters {
        text += &format!("        self.{0} = {0}\n", parameter.name);
    }
    text
}

fn docstring(class: &PythonClass, parameters: &[Described]) -> String {
    let mut paragraphs = class.about.split("\n\n");
    let mut text = format!("    \"\"\"{}\n", paragraphs.next().unwrap_or_default());
    for paragraph in paragraphs {
        text += &format!("\n{}\n", wrap(paragraph, 4));
    }
    text += "\n    Parameters\n    ----------\n";
    for parameter in parameters {
        text += &format!("    {}\n", parameter.headline());
        text += &format!("{}\n", wrap(&parameter.doc, 8));
    }
    for (title, part) in [
        ("Attributes", class.attributes),
        ("Examples", class.example),
    ] {
        let line = "-".repeat(title.len());
        text += &format!("\n    {title}\n    {line}\n{}\n", indent(part, 4));
    }
    text + "    \"\"\"\n\n"
}
