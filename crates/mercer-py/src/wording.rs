//! Settings, models and the like as Python calls them: by scikit-learn's names.

use mercer::hint::{Act, Word, Wording, either};
use mercer::learn::{METHODS, methods_named};

/// Python's words.
pub(crate) struct Keywords;

impl Wording for Keywords {
    fn word(&self, word: &Word) -> String {
        match word {
            Word::Setting(name) => format!("`{}`", self.setting(name)),
            Word::Set { setting, to } => format!("`{}=\"{to}\"`", self.setting(setting)),
            Word::Role(name) => match *name {
                "target" => "`y`".to_owned(),
                "weights" => "`sample_weight`".to_owned(),
                other => format!("`{other}`"),
            },
            Word::Task(name) => match *name {
                "classify" => "a classifier".to_owned(),
                "regress" => "a regressor".to_owned(),
                other => for_task(other),
            },
            Word::Models(names) => classes(names),
            Word::Kind { column, kind } => {
                let dtype = match *kind {
                    "numeric" => "float",
                    "boolean" => "\"boolean\"",
                    "categorical" => "\"category\"",
                    "date" => "\"datetime64[ns]\"",
                    _ => "str",
                };
                format!("`X[\"{column}\"].astype({dtype})`")
            }
            Word::Missing { column, texts } => {
                format!("`X[\"{column}\"].replace({texts:?}, None)`")
            }
            Word::DateFormat { column, format } => {
                format!("`pd.to_datetime(X[\"{column}\"], format=\"{format}\")`")
            }
            Word::Columns { role, columns } => {
                let names: Vec<String> = columns.iter().map(|c| format!("{c:?}")).collect();
                match *role {
                    "drop" => format!("`X.drop(columns=[{}])`", names.join(", ")),
                    other => format!("`{other}=[{}]`", names.join(", ")),
                }
            }
            Word::Act(act) => match act {
                Act::GiveTexts => "give strings, or name a column of strings after `@`",
                Act::GiveGraphs => "give graphs or SMILES, or name a column of them after `@`",
                Act::GiveNodes => "give what the `nodes` of `mercer.kernels.network` returns",
                Act::GiveModel => "give a file written by `mercer.save`",
                Act::ImportModel => "read it with `mercer.from_libsvm`",
                Act::ListKernels => "see `dir(mercer.kernels)`",
                Act::RepairMatrix => {
                    "give its matrix without the negative eigenvalues as `precomputed`"
                }
                Act::SkipRows => "leave the row out",
                Act::DropUnlabelled => "`X[~pandas.isna(y)]`, and `y` likewise",
                Act::MatchByPlace => "set `X.columns` to the names that the model was fitted with",
                Act::AllowLongFields => "read the file with pandas, and give the frame",
            }
            .to_owned(),
        }
    }

    fn setting<'a>(&self, name: &'a str) -> &'a str {
        match name {
            "memory" => "memory_limit",
            "threads" => "n_jobs",
            _ => {
                let settings = METHODS.iter().flat_map(|m| (m.settings)());
                let mut other = settings.filter(|s| s.name == name && s.python != name);
                other.next().map_or(name, |setting| setting.python)
            }
        }
    }
}

/// The classes of models, each once.
fn classes(names: &[&str]) -> String {
    let mut found: Vec<&str> = Vec::new();
    for name in names {
        let of_model: Vec<&str> = match *name {
            "auto" => vec!["KernelClassifier", "KernelRegressor"],
            name => {
                let methods = methods_named(name).into_iter();
                methods.flat_map(|m| m.python).map(|c| c.name).collect()
            }
        };
        for class in of_model {
            if !found.contains(&class) {
                found.push(class);
            }
        }
    }
    either(found.into_iter().map(|class| format!("`{class}`")))
}

/// The classes for a task.
fn for_task(task: &str) -> String {
    let classes = METHODS.iter().flat_map(|m| m.python);
    let suits = classes.filter(|class| class.task.to_string() == task);
    either(suits.map(|class| format!("`{}`", class.name)))
}
