//! `mercer models`.

use std::fmt::Write as _;

use mercer::learn::{Flag, METHODS, Method, Setting, methods_named, plain};
use serde_json::{Value, json};

use crate::args::ModelsArgs;
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::session::Session;

pub(super) fn run(args: &ModelsArgs, session: &Session) -> Result<()> {
    let chosen: Vec<&Method> = match &args.model {
        None => METHODS.to_vec(),
        Some(name) => {
            let found = methods_named(name);
            if found.is_empty() {
                let known = mercer::learn::method_names();
                return Err(Failure::unknown("model", name, &known));
            }
            found
        }
    };
    let output = session.output;
    if output.json {
        let models: Vec<Value> = chosen.iter().map(|method| object(method)).collect();
        return output.object(&json!({ "models": models }));
    }
    let mut page = Page::new(output.paint);
    if args.model.is_none() {
        page.heading("Models", "`mercer models NAME` lists the settings of one");
        page.block(&list(&chosen));
        page.heading("Choose", "")
            .block(
                "mercer fit DATA --target COL              tries several and keeps the best (auto)",
            )
            .block("mercer fit DATA --target COL --model svc  learns with this one");
    } else {
        for method in chosen {
            describe(&mut page, method);
        }
    }
    output.text(&page.finish())
}

/// One line per method.
fn list(methods: &[&Method]) -> String {
    let names: Vec<String> = methods.iter().map(|m| names(m).join(", ")).collect();
    let wide = |texts: &[String]| texts.iter().map(|t| t.chars().count()).max().unwrap_or(0);
    let tasks: Vec<String> = methods.iter().map(|m| tasks(m)).collect();
    let (first, second) = (wide(&names), wide(&tasks));
    let mut text = String::new();
    for ((method, name), tasks) in methods.iter().zip(&names).zip(&tasks) {
        let _ = writeln!(text, "{name:<first$}  {tasks:<second$}  {}", method.title);
    }
    text.trim_end().to_owned()
}

/// The names to choose a method by.
fn names(method: &Method) -> Vec<&'static str> {
    match method.aliases {
        [] => vec![method.name],
        aliases => aliases.iter().map(|(name, _)| *name).collect(),
    }
}

fn tasks(method: &Method) -> String {
    let tasks: Vec<&str> = method.tasks.iter().map(|task| task.name()).collect();
    tasks.join(", ")
}

/// A method with all its settings.
fn describe(page: &mut Page, method: &Method) {
    page.heading(&names(method).join(", "), method.title);
    page.block(method.summary);
    if !method.objective.is_empty() {
        page.item("minimises", method.objective);
    }
    page.item("tasks", &tasks(method));
    let classes: Vec<&str> = method.python.iter().map(|class| class.name).collect();
    if !classes.is_empty() {
        page.item("Python", &classes.join(", "));
    }
    let able = able(method);
    if !able.is_empty() {
        page.item("able", &able.join(", "));
    }
    page.heading("Settings", "");
    for setting in (method.settings)() {
        let flag = match setting.flag {
            Flag::On(name) | Flag::Off(name) => format!("--{name}"),
            Flag::None => format!("--set {}", setting.name),
            // An older name of another setting.
            Flag::Hidden(_) => continue,
        };
        let mut aside = setting.kind.words();
        if let Some(default) = default(method, &setting) {
            let _ = write!(aside, "; default {default}");
        }
        if setting.search.is_some() {
            aside.push_str("; searched by `mercer tune`");
        }
        page.item(&flag, setting.doc).block(&format!("    {aside}"));
    }
}

/// The default in words; `None` where a setting is left open.
fn default(method: &Method, setting: &Setting) -> Option<String> {
    let value = (method.default)(setting.name)?;
    (!value.is_null()).then(|| plain(&value))
}

/// What a method can do, in words.
fn able(method: &Method) -> Vec<&'static str> {
    let able = method.able;
    let words = [
        (able.probabilities, "probabilities"),
        (able.several_targets, "several targets"),
        (able.warm_start, "warm start"),
        (able.weights, "row weights"),
        (able.structures, "texts, graphs and nodes by their kernels"),
    ];
    let words = words.into_iter().filter(|(can, _)| *can);
    words.map(|(_, word)| word).collect()
}

fn object(method: &Method) -> Value {
    let settings: Vec<Value> = (method.settings)()
        .iter()
        .map(|setting| {
            json!({
                "name": setting.name,
                "flag": setting.flag.name().map(|name| format!("--{name}")),
                "python": setting.python,
                "kind": setting.kind.words(),
                "default": (method.default)(setting.name),
                "doc": setting.doc,
                "searched": setting.search.is_some(),
            })
        })
        .collect();
    let classes: Vec<&str> = method.python.iter().map(|class| class.name).collect();
    json!({
        "name": method.name,
        "names": method.names().collect::<Vec<_>>(),
        "title": method.title,
        "summary": method.summary,
        "objective": method.objective,
        "tasks": method.tasks,
        "classes": classes,
        "able": {
            "probabilities": method.able.probabilities,
            "several_targets": method.able.several_targets,
            "warm_start": method.able.warm_start,
            "weights": method.able.weights,
            "structures": method.able.structures,
        },
        "settings": settings,
    })
}
