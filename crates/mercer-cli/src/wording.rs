//! Settings, models and the like as the command calls them: by their flags.

use mercer::fit::{Note, Warning};
use mercer::hint::{Act, Word, Wording, either};
use serde_json::{Value, json};

/// The command's words.
pub(crate) struct Flags;

impl Wording for Flags {
    fn word(&self, word: &Word) -> String {
        match word {
            Word::Setting(name) | Word::Role(name) => format!("`{}`", flag(name)),
            Word::Set { setting, to } => format!("`{} {to}`", flag(setting)),
            Word::Task(name) => format!("`--task {name}`"),
            // One flag for all of them, before the first.
            Word::Models(names) => either(names.iter().enumerate().map(|(at, name)| match at {
                0 => format!("`--model {name}`"),
                _ => format!("`{name}`"),
            })),
            Word::Kind { column, kind } => format!("`--kind {column}={kind}`"),
            // The usual texts stay missing, too.
            Word::Missing { texts, .. } => format!("`--missing {}`", quoted("default", texts)),
            Word::DateFormat { column, format } => {
                format!("`--date-format '{column}={format}'`")
            }
            Word::Columns { role, columns } => {
                format!("`{} {}`", flag(role), for_shell(&columns.join(",")))
            }
            Word::Act(act) => match act {
                Act::GiveTexts => "read the column as text: `--kind COLUMN=text`",
                Act::GiveGraphs => {
                    "read the column as molecules: `--kind COLUMN=molecule`, or give a folder of graphs"
                }
                Act::GiveNodes => {
                    "give a list of edges and a list of nodes: `mercer fit EDGES --nodes NODES`"
                }
                Act::GiveModel => "give a file written by `mercer fit -o FILE.mercer`",
                Act::ImportModel => "convert it with `mercer import`",
                Act::ListKernels => "see `mercer kernel --list`",
                Act::RepairMatrix => "repair the matrix with `mercer gram`",
                Act::SkipRows => {
                    "skip such rows: `mercer predict` and `mercer score` take `--on-error skip`"
                }
                Act::DropUnlabelled => "`--drop-unlabelled`",
                Act::MatchByPlace => {
                    "say `--no-header`: columns are then taken in the order in which the model learnt them"
                }
                Act::AllowLongFields => "raise `--max-field`",
            }
            .to_owned(),
        }
    }
}

/// A list for a shell, in quotes where it needs them.
fn quoted(first: &str, texts: &[String]) -> String {
    let list = texts
        .iter()
        .fold(first.to_owned(), |list, text| list + "," + text);
    let plain = |c: char| c.is_alphanumeric() || ",._/-".contains(c);
    if list.chars().all(plain) {
        list
    } else {
        format!("'{}'", list.replace('\'', "'\\''"))
    }
}

fn flag(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

/// A note in the command's words: a warning with what can be done.
pub(crate) fn told(note: &Note) -> String {
    mercer_report::told_note(note, &Flags)
}

/// A flag with its value as it is typed.
pub(crate) fn bare(word: &Word) -> String {
    Flags.word(word).trim_matches('`').to_owned()
}

/// A warning as `--json` shows it.
pub(crate) fn warning_object(warning: &Warning) -> Value {
    let hints: Vec<String> = warning.hint().iter().map(|h| h.text(&Flags)).collect();
    json!({
        "code": warning.code.name(),
        "columns": warning.columns,
        "rows": warning.rows,
        "text": warning.text,
        "hints": hints,
    })
}

/// A value as a shell reads it: quoted where it has more than letters, digits and a few signs.
fn for_shell(value: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-.,:/%+=".contains(c);
    if !value.is_empty() && value.chars().all(plain) {
        return value.to_owned();
    }
    format!("'{}'", value.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "calls stay short")]
    fn said(word: Word) -> String {
        Flags.word(&word)
    }

    #[test]
    fn settings_and_roles_are_flags() {
        assert_eq!(said(Word::Setting("max_seconds")), "`--max-seconds`");
        assert_eq!(said(Word::Role("target")), "`--target`");
        assert_eq!(said(Word::Task("novelty")), "`--task novelty`");
        let scale = Word::Set {
            setting: "scale",
            to: "none",
        };
        assert_eq!(said(scale), "`--scale none`");
        let kind = Word::Kind {
            column: "age".to_owned(),
            kind: "text",
        };
        assert_eq!(said(kind), "`--kind age=text`");
        let columns = |names: &[&str]| Word::Columns {
            role: "use",
            columns: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        assert_eq!(said(columns(&["id", "nr"])), "`--use id,nr`");
        assert_eq!(said(columns(&["my id"])), "`--use 'my id'`");
        assert_eq!(said(columns(&["it's"])), r"`--use 'it'\''s'`");
        let models = Word::Models(&["svc", "svr", "one_class"]);
        assert_eq!(said(models), "`--model svc`, `svr` or `one_class`");
    }

    /// Advice that names a flag which is not there would be worse than none.
    #[test]
    fn flags_that_hints_name_are_there() {
        let command = crate::args::whole_line();
        let fit = command.find_subcommand("fit").expect("`mercer fit`");
        let settings = [
            "c",
            "memory",
            "max_seconds",
            "positive",
            "scale",
            "decimal",
            "missing",
            "class_weight",
            "max_field",
            "folds",
        ];
        let roles = ["target", "weights", "groups", "id", "drop", "use"];
        for name in settings.into_iter().chain(roles) {
            let found = fit
                .get_arguments()
                .any(|a| a.get_long() == Some(name.replace('_', "-").as_str()));
            assert!(found, "there is no flag for `{name}`");
        }
    }
}
