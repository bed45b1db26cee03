//! Settings, models and the like as the command calls them: by their flags.

use mercer::hint::{Act, Word, Wording, either};

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
            }
            .to_owned(),
        }
    }
}

fn flag(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

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
        let models = Word::Models(&["svc", "svr", "one_class"]);
        assert_eq!(said(models), "`--model svc`, `svr` or `one_class`");
    }

    /// Advice that names a flag which is not there would be worse than none.
    #[test]
    fn flags_that_hints_name_are_there() {
        let command = crate::args::Cli::command();
        let fit = command.find_subcommand("fit").expect("`mercer fit`");
        let settings = ["c", "memory", "max_seconds", "positive", "scale"];
        let roles = ["target", "weights", "groups", "id", "drop"];
        for name in settings.into_iter().chain(roles) {
            let found = fit
                .get_arguments()
                .any(|a| a.get_long() == Some(name.replace('_', "-").as_str()));
            assert!(found, "there is no flag for `{name}`");
        }
    }
}
