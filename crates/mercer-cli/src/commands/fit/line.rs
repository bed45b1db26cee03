//! The command line that learns what a search found.

use std::ffi::{OsStr, OsString};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use mercer::data::{Scaling, Task};
use mercer::learn::{AnyEstimator, Flag, Kind, Setting, plain};
use serde_json::Value;

use crate::args::whole_line;

/// Arguments that the search or this line decides.
const DECIDED: [&str; 14] = [
    "data", "task", "model", "kernel", "set", "scale", "folds", "output", "report", "force",
    "metric", "card", "budget", "verbose",
];

/// Words the `mercer fit` line of an estimator: what it is, and everything the present command was
/// told of the data. Pasted, it learns the same model and scores it on the same folds.
pub(super) fn fit_line(
    estimator: &AnyEstimator,
    task: Task,
    scaling: Scaling,
    folds: usize,
) -> String {
    let told: Vec<OsString> = std::env::args_os().collect();
    let mut words: Vec<OsString> = vec!["mercer".into(), "fit".into()];
    words.extend(of_data(&whole_line(), &told));
    words.extend(of_estimator(estimator, task).into_iter().map(Into::into));
    let scale = match scaling {
        Scaling::Standard => "standard",
        _ => "none",
    };
    words.extend(["--scale", scale, "--folds"].map(Into::into));
    words.push(folds.to_string().into());
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// The command as it was given, for those who want to give it again.
pub(super) fn given() -> String {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("mercer {}", words.join(" "))
}

/// The method of a line without what was told of the data.
pub(super) fn settled(estimator: &AnyEstimator, task: Task) -> String {
    let told: Vec<OsString> = std::env::args_os().collect();
    let mut words: Vec<OsString> = vec!["mercer".into(), "fit".into()];
    words.extend(of_data(&whole_line(), &told));
    words.extend(of_estimator(estimator, task).into_iter().map(Into::into));
    // What is chosen is chosen on standardised columns.
    words.extend(["--scale", "standard"].map(Into::into));
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// What was told of the data: the table, and every flag that `mercer fit` knows as well, but for
/// those of the method.
fn of_data(cli: &Command, told: &[OsString]) -> Vec<OsString> {
    let Ok(matches) = cli.clone().try_get_matches_from(told) else {
        return Vec::new();
    };
    let (Some((name, matches)), Some(fit)) = (matches.subcommand(), cli.find_subcommand("fit"))
    else {
        return Vec::new();
    };
    let own = cli.find_subcommand(name).into_iter();
    let mut words: Vec<OsString> = matches
        .get_raw("data")
        .into_iter()
        .flatten()
        .map(Into::into)
        .collect();
    let settings: Vec<&str> = crate::args::settings::listed()
        .iter()
        .map(|l| l.flag)
        .collect();
    // What all commands have says how results are printed, nothing of the data.
    let own = own.flat_map(Command::get_arguments);
    for arg in own.filter(|arg| !arg.is_global_set()) {
        let id = arg.get_id().as_str();
        let known = fit
            .get_arguments()
            .any(|other| other.get_id() == arg.get_id());
        let was_told = matches.value_source(id) == Some(ValueSource::CommandLine);
        if known && was_told && !DECIDED.contains(&id) && !settings.contains(&id) {
            words.extend(flag(arg, matches));
        }
    }
    words
}

/// A flag as it was given.
fn flag(arg: &Arg, matches: &ArgMatches) -> Vec<OsString> {
    let (id, Some(long)) = (arg.get_id().as_str(), arg.get_long()) else {
        return Vec::new();
    };
    let name = OsString::from(format!("--{long}"));
    if !arg.get_action().takes_values() {
        return vec![name];
    }
    let values: Vec<&OsStr> = matches.get_raw(id).into_iter().flatten().collect();
    let with = |value: OsString| {
        // A value with a dash in front would pass for a flag of its own.
        if value.to_string_lossy().starts_with('-') {
            let mut whole = name.clone();
            whole.push("=");
            whole.push(value);
            vec![whole]
        } else {
            vec![name.clone(), value]
        }
    };
    match arg.get_value_delimiter() {
        Some(between) => with(values.join(OsStr::new(&between.to_string()))),
        None => values
            .into_iter()
            .flat_map(|v| with(v.to_owned()))
            .collect(),
    }
}

/// The method with every setting that is not its default.
fn of_estimator(estimator: &AnyEstimator, task: Task) -> Vec<String> {
    let method = estimator.method();
    let name = method.aliases.iter().find(|(_, of)| *of == task);
    let name = name.map_or(method.name, |(alias, _)| alias);
    let mut words = vec!["--model".to_owned(), name.to_owned()];
    if method.tasks.len() > 1 {
        words.extend(["--task".to_owned(), task.to_string()]);
    }
    let mut told: Vec<&str> = Vec::new();
    for setting in estimator.settings() {
        // Of settings that say the same thing one is enough.
        if setting.rivals.iter().any(|rival| told.contains(rival)) {
            continue;
        }
        let Some(value) = estimator.get(setting.name) else {
            continue;
        };
        if setting.kind == Kind::Kernel {
            words.extend(["--kernel".to_owned(), estimator.kernel_text()]);
        } else if (method.default)(setting.name) != Some(value.clone()) {
            words.extend(of_setting(&setting, &value));
            told.push(setting.name);
        }
    }
    words
}

fn of_setting(setting: &Setting, value: &Value) -> Vec<String> {
    let by_name = || {
        vec![
            "--set".to_owned(),
            format!("{}={}", setting.name, plain(value)),
        ]
    };
    let Some(flag) = setting.flag.name().filter(|_| !value.is_null()) else {
        return by_name();
    };
    let flag = format!("--{flag}");
    match setting.kind {
        Kind::Switch => {
            let turns_off = matches!(setting.flag, Flag::Off(_));
            match value.as_bool() {
                Some(on) if on != turns_off => vec![flag],
                _ => by_name(),
            }
        }
        Kind::ClassWeights => match value["given"].as_object() {
            None => vec![flag, plain(value)],
            Some(factors) => factors
                .iter()
                .flat_map(|(label, factor)| [flag.clone(), format!("{label}={factor}")])
                .collect(),
        },
        _ => vec![flag, plain(value)],
    }
}

/// A word that a shell takes for one.
fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &[&str]) -> Vec<OsString> {
        line.iter().map(Into::into).collect()
    }

    #[test]
    fn what_was_told_of_the_data_is_repeated() {
        let line = told(&[
            "mercer",
            "tune",
            "my table.csv",
            "-t",
            "kind",
            "--drop",
            "a,b",
            "--kind",
            "x=text",
            "--kind",
            "z=date",
            "--grid",
            "C=1,2",
            "--positive=-1",
            "--model",
            "svc",
            "--c",
            "3",
            "--json",
            "--no-header",
            "-o",
            "m.mercer",
            "--seed",
            "7",
        ]);
        let words = of_data(&whole_line(), &line);
        let words: Vec<String> = words.iter().map(|w| quoted(w)).collect();
        let text = words.join(" ");
        for part in [
            "'my table.csv'",
            "--target kind",
            "--drop a,b",
            "--kind x=text --kind z=date",
            "--positive=-1",
            "--no-header",
            "--seed 7",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        for part in ["--grid", "--json", "svc", "m.mercer", "--c"] {
            assert!(!text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn settings_are_told_where_they_are_not_the_default() {
        let mut estimator = AnyEstimator::named("svc").expect("a method");
        let value = Value::from(0.125);
        estimator.set("c", &value).expect("a setting");
        let words = of_estimator(&estimator, Task::Classify);
        assert_eq!(&words[..2], ["--model", "svc"]);
        assert!(words.windows(2).any(|w| w == ["--c", "0.125"]), "{words:?}");
        assert!(!words.iter().any(|w| w == "--tolerance"), "{words:?}");
        let other = AnyEstimator::for_task("lssvm", Task::Regress).expect("a method");
        assert_eq!(of_estimator(&other, Task::Regress)[1], "lssvm");
    }

    #[test]
    fn shells_read_words_back() {
        assert_eq!(quoted(OsStr::new("rbf(gamma=0.1)")), "'rbf(gamma=0.1)'");
        assert_eq!(quoted(OsStr::new("a'b")), "'a'\\''b'");
        assert_eq!(quoted(OsStr::new("C=1")), "C=1");
    }
}
