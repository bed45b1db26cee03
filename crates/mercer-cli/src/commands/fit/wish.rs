//! From flags to a recipe.

use std::collections::BTreeMap;
use std::sync::Arc;

use mercer::data::{Roles, Scaling, Table, Task, TextEncoding};
use mercer::judge::Metric;
use mercer::learn::{AnyEstimator, Kind, METHODS, method_names, methods_named, plain};
use mercer::model::Trained;
use mercer::recipe::{Lagging, Recipe, Wish};
use serde_json::Value;

use crate::args::settings::{Given, listed};
use crate::args::{ColumnArgs, ModelArgs, ScaleArg};
use crate::failure::{Failure, Fault, Result};

/// Checks everything that can be checked without data.
pub(in crate::commands) fn check(flags: &ModelArgs) -> Result<()> {
    check_model(&flags.model)?;
    for (place, given) in flags.settings.0.iter().enumerate() {
        let rivals = METHODS
            .iter()
            .filter_map(|method| method.setting(given.name))
            .flat_map(|setting| setting.rivals);
        let rivals: Vec<&str> = rivals.copied().collect();
        let mut others = flags.settings.0[place + 1..].iter();
        if let Some(other) = others.find(|other| rivals.contains(&other.name)) {
            return Err(Failure::usage(
                format!(
                    "`--{}` and `--{}` both set the weight of errors",
                    given.flag, other.flag
                ),
                "give one of them; `--lambda` means C = 1/(2λn), `--hard` no finite C",
            ));
        }
        if given.name == "class_weights" && given.value.is_null() {
            return Err(Failure::usage(
                "`--class-weight balanced` sets all weights; single labels cannot be added",
                "give either `balanced` or LABEL=W for each label",
            ));
        }
    }
    if let Some(name) = named(flags) {
        check_flags(flags, name, name, "")?;
        if let Some(task) = flags.task {
            AnyEstimator::for_task(name, task).map_err(|error| Failure {
                hints: vec![format!(
                    "leave out `--task`, or choose a model for `{task}`"
                )],
                ..Failure::from(error)
            })?;
        }
    }
    settings(flags).map(drop)
}

/// Refuses another task than the one that a command is for and named after.
pub(super) fn refuse_other_task(flags: &ModelArgs, own: Task) -> Result<()> {
    match flags.task.filter(|task| *task != own) {
        Some(task) => Err(Failure::usage(
            format!("`mercer {own}` is for the task `{own}`, not `{task}`"),
            "leave out `--task`, or use `mercer fit`",
        )),
        None => Ok(()),
    }
}

/// Refuses a model that is not for the one task of a command.
pub(super) fn check_task(flags: &ModelArgs, task: Task, does: &str) -> Result<()> {
    let Some(name) = named(flags) else {
        return Ok(());
    };
    let suits = METHODS.iter().filter(|method| method.suits(task));
    let all: Vec<String> = suits.map(|method| format!("`{}`", method.name)).collect();
    AnyEstimator::for_task(name, task)
        .map(drop)
        .map_err(|error| match AnyEstimator::named(name) {
            Ok(_) => Failure {
                hints: vec![format!(
                    "use `mercer fit --model {name}`, or what {does}: {}",
                    all.join(", ")
                )],
                ..Failure::from(error)
            },
            Err(unknown) => unknown.into(),
        })
}

/// Refuses flags that `auto` does not know for a task.
pub(super) fn check_auto(flags: &ModelArgs, task: Task) -> Result<()> {
    if named(flags).is_some() {
        return Ok(());
    }
    let name = match task {
        Task::Regress => "svr",
        Task::Novelty => "one_class",
        Task::Cluster => "kmeans",
        Task::Embed => "pca",
        Task::Classify => "svc",
    };
    let aside = format!("; `auto` takes `{name}` for the task `{task}`");
    check_flags(flags, name, name, &aside)?;
    let others: Vec<String> = flags
        .settings
        .0
        .iter()
        .filter(|given| !["class_weights", "probability"].contains(&given.name))
        .map(|given| format!("`--{}`", given.flag))
        .collect();
    if flags.budget.is_some() && !others.is_empty() {
        return Err(Failure::usage(
            "`--budget` limits the trials of `auto`; with settings of a method there are none",
            format!("leave out `--budget`, or {}", others.join(", ")),
        ));
    }
    Ok(())
}

/// Returns the model's name, unless it is to be chosen.
pub(super) fn named(flags: &ModelArgs) -> Option<&str> {
    Some(flags.model.as_str()).filter(|m| *m != "auto")
}

/// Puts a recipe together for a table.
pub(in crate::commands) fn recipe(
    columns: &ColumnArgs,
    flags: &ModelArgs,
    labels: bool,
    earlier: Option<Trained>,
    table: &Table,
) -> Result<Recipe> {
    let mut recipe = Recipe::new(roles(columns, labels, table));
    recipe.task = flags.task;
    if let Some(name) = named(flags) {
        recipe.wish = Wish::Named(name.to_owned());
    }
    recipe.settings = settings(flags)?;
    recipe.scaling = match flags.scale {
        ScaleArg::Standard => Some(Scaling::Standard),
        ScaleArg::None => Some(Scaling::None),
        ScaleArg::Auto => None,
    };
    recipe.encode = encodings(columns)?;
    recipe.sample = flags.sample;
    recipe.positive.clone_from(&columns.positive);
    recipe.lagging = lagging(columns);
    recipe.earlier = earlier.map(Arc::new);
    recipe.project.clone_from(&flags.project);
    Ok(recipe)
}

/// How a series becomes windows, where lags are given.
pub(super) fn lagging(columns: &ColumnArgs) -> Option<Lagging> {
    Some(Lagging {
        lags: columns.lags.clone()?,
        horizon: columns.horizon.unwrap_or(1),
        time: columns.time.clone(),
    })
}

/// How texts of columns become numbers.
pub(super) fn encodings(columns: &ColumnArgs) -> Result<BTreeMap<String, TextEncoding>> {
    let mut all = BTreeMap::new();
    for (column, how) in &columns.encode {
        if all.insert(column.clone(), *how).is_some() {
            return Err(Failure::usage(
                format!("`--encode` is given twice for column `{column}`"),
                "give one expression for each column",
            ));
        }
    }
    Ok(all)
}

/// Sets what the trials of `auto` are compared by.
pub(super) fn compare_by(
    recipe: &mut Recipe,
    metric: Option<Metric>,
    flags: &ModelArgs,
) -> Result<()> {
    let Some(metric) = metric else {
        return Ok(());
    };
    if let Some(name) = named(flags) {
        return Err(Failure::usage(
            format!("`--metric` compares the trials of `auto`; the model is `{name}`"),
            "leave out `--metric` or `--model`; `mercer tune --metric` searches settings",
        ));
    }
    let metric = Value::from(metric.name());
    recipe.settings.push(("metric".to_owned(), metric));
    Ok(())
}

/// The columns' parts. Labels from a file of their own are the target; a name with commas is one
/// column where there is such a column, and several otherwise.
pub(super) fn roles(columns: &ColumnArgs, labels: bool, table: &Table) -> Roles {
    let targets = match &columns.target {
        Some(name) if table.find(name).is_none() && name.contains(',') => {
            name.split(',').map(|part| part.trim().to_owned()).collect()
        }
        Some(name) => vec![name.clone()],
        None if labels => table
            .columns()
            .first()
            .map(|c| c.name.clone())
            .into_iter()
            .collect(),
        None => Vec::new(),
    };
    Roles {
        targets,
        weights: columns.weights.clone(),
        groups: columns.groups.clone(),
        id: columns.id.clone(),
        drop: crate::named::columns(&columns.drop, table),
        used: crate::named::columns(&columns.used, table),
        drop_unlabelled: columns.drop_unlabelled,
    }
}

/// All settings that the flags give, by name.
fn settings(flags: &ModelArgs) -> Result<Vec<(String, Value)>> {
    let mut all: Vec<(String, Value)> = Vec::new();
    if let Some(kernel) = flags.kernel.as_deref().filter(|k| *k != "auto") {
        all.push((
            "kernel".to_owned(),
            Kind::Kernel.parse("kernel", kernel, false)?,
        ));
    }
    if let Some(budget) = flags.budget {
        all.push(("budget".to_owned(), Value::from(budget)));
    }
    for given in &flags.settings.0 {
        check_number(flags, given)?;
        all.push((given.name.to_owned(), given.value.clone()));
    }
    for (name, text) in &flags.set {
        let methods = match named(flags) {
            Some(model) => methods_named(model),
            None => METHODS.to_vec(),
        };
        let Some(setting) = methods.iter().find_map(|method| method.setting(name)) else {
            let mut known: Vec<&str> = Vec::new();
            for setting in methods.iter().flat_map(|method| (method.settings)()) {
                if !known.contains(&setting.name) {
                    known.push(setting.name);
                }
            }
            return Err(Failure::unknown("setting", name, &known));
        };
        let value = setting.kind.parse(name, text, setting.optional)?;
        if all.iter().any(|(other, _)| other == name) {
            return Err(Failure::usage(
                format!("`{name}` is set twice"),
                "give it once, by its flag or by `--set`",
            ));
        }
        all.push((name.clone(), value));
    }
    Ok(all)
}

/// Refuses numbers that JSON has none of, infinity above all, by the rule of the setting.
fn check_number(flags: &ModelArgs, given: &Given) -> Result<()> {
    let Value::String(text) = &given.value else {
        return Ok(());
    };
    let methods = match named(flags) {
        Some(model) => methods_named(model),
        None => METHODS.to_vec(),
    };
    let mut settings = methods.iter().filter_map(|m| m.setting(given.name));
    let number = settings.find(|setting| matches!(setting.kind, Kind::Number(_)));
    let Some(setting) = number else {
        return Ok(());
    };
    let Err(error) = setting.kind.parse(given.name, text, setting.optional) else {
        return Ok(());
    };
    let mut failure = Failure::from(error);
    if given.name == "c" && text.parse::<f64>() == Ok(f64::INFINITY) {
        let reads = |flag: &str| methods.iter().any(|method| method.reads(flag));
        let mut penalties = methods.iter().filter_map(|m| m.setting("penalty"));
        let is_free = |kind: Kind| matches!(kind, Kind::Word(words) if words.contains(&"none"));
        let hint = if reads("hard") {
            "a margin without errors is `--hard`"
        } else if penalties.any(|setting| is_free(setting.kind)) {
            "weights without a price are `--penalty none`"
        } else {
            "the larger it is, the less the penalty counts: give a number such as `1e6`"
        };
        failure.hints.push(hint.to_owned());
    }
    Err(failure)
}

/// Refuses flags that no method of a name reads.
fn check_flags(flags: &ModelArgs, name: &str, shown: &str, aside: &str) -> Result<()> {
    let methods = methods_named(name);
    let reads = |flag: &str| methods.iter().any(|method| method.reads(flag));
    let mut unread: Vec<(String, Vec<&str>)> = listed()
        .iter()
        .filter(|listed| {
            let given = flags.settings.0.iter().any(|g| g.flag == listed.flag);
            given && !reads(listed.flag)
        })
        .map(|listed| (format!("`--{}`", listed.flag), listed.models()))
        .collect();
    if flags.budget.is_some() && named(flags).is_some() {
        unread.push(("`--budget`".to_owned(), vec!["auto"]));
    }
    if flags.kernel.is_some() && !reads("kernel") {
        let users = METHODS.iter().filter(|method| method.reads("kernel"));
        unread.push(("`--kernel`".to_owned(), users.map(|m| m.shown()).collect()));
    }
    if unread.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = unread.iter().map(|(flag, _)| flag.as_str()).collect();
    let verb = if names.len() == 1 {
        "is no setting"
    } else {
        "are no settings"
    };
    Err(Failure {
        fault: Fault::Usage,
        code: "usage",
        message: format!("{} {verb} of `{shown}`{aside}", names.join(", ")),
        hints: unread
            .iter()
            .map(|(flag, models)| {
                if flag == "`--proba`" && methods.iter().any(|m| m.able.probabilities) {
                    return format!("`{shown}` has probabilities without it: `mercer predict --proba`");
                }
                let gamma = flags.settings.0.iter().find(|given| given.flag == "gamma");
                match gamma.filter(|_| flag == "`--gamma`" && reads("kernel")) {
                    // Most who write it mean the width of a kernel.
                    Some(given) => format!(
                        "the width of a Gaussian kernel is part of the kernel: `--kernel 'rbf(gamma={})'`",
                        plain(&given.value)
                    ),
                    None => format!("{flag} is used by {}", models.join(", ")),
                }
            })
            .collect(),
    })
}

/// Refuses names that are no model.
pub(super) fn check_model(name: &str) -> Result<()> {
    let mut names = vec!["auto"];
    names.extend(method_names());
    if name == "auto" || !methods_named(name).is_empty() {
        return Ok(());
    }
    Err(Failure::unknown("model", name, &names))
}
