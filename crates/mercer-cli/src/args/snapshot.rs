//! The names on the command line, which scripts rely on: `tests/data/net/commands.txt`.

// The tests of the binary compare other names by the same rule.
#[path = "../../tests/cli/snapshot/record.rs"]
mod record;

use clap::{Arg, ArgAction, Command};

use record::{Names, compare};

#[test]
fn commands_and_flags_keep_their_names() {
    // Only a built command has `--help`, and `--json` everywhere.
    let root = super::whole_line();
    let mut names = Names::default();
    note_command("mercer", &root, &mut names);
    compare("commands.txt", &names);
}

fn note_command(path: &str, command: &Command, names: &mut Names) {
    names.add(path, "command");
    // `help` repeats all other commands.
    if path.ends_with(" help") {
        return;
    }
    for arg in command.get_arguments() {
        note_arg(path, arg, names);
    }
    for inner in command.get_subcommands() {
        // An alias is as good a name: whoever renames a command keeps all old lines by one.
        let all = std::iter::once(inner.get_name()).chain(inner.get_all_aliases());
        for name in all {
            note_command(&format!("{path} {name}"), inner, names);
        }
    }
}

fn note_arg(path: &str, arg: &Arg, names: &mut Names) {
    for spelling in spellings(arg) {
        let name = format!("{path} {spelling}");
        for kind in kinds(arg) {
            names.add(&name, kind);
        }
        for value in arg.get_possible_values() {
            for word in value.get_name_and_aliases() {
                names.add(format!("{name}={word}"), "word");
            }
        }
    }
}

/// Every way to write an argument: place and name, or long and short flags with their aliases.
fn spellings(arg: &Arg) -> Vec<String> {
    if let Some(place) = arg.get_index() {
        let value = arg.get_value_names().and_then(|names| names.first());
        let value = value.map_or(arg.get_id().as_str(), |name| name.as_str());
        return vec![format!("{place}:{value}")];
    }
    let long = arg.get_long().into_iter();
    let long = long.chain(arg.get_all_aliases().unwrap_or_default());
    let short = arg.get_short().into_iter();
    let short = short.chain(arg.get_all_short_aliases().unwrap_or_default());
    let long = long.map(|name| format!("--{name}"));
    long.chain(short.map(|name| format!("-{name}"))).collect()
}

fn kinds(arg: &Arg) -> Vec<&'static str> {
    let kinds = [
        ("argument", arg.is_positional()),
        ("optional", arg.is_positional() && !arg.is_required_set()),
        ("switch", !arg.get_action().takes_values()),
        (
            "value",
            !arg.is_positional() && arg.get_action().takes_values(),
        ),
        ("list", arg.get_value_delimiter().is_some()),
        ("repeatable", matches!(arg.get_action(), ArgAction::Append)),
    ];
    let kinds = kinds.into_iter().filter(|(_, holds)| *holds);
    kinds.map(|(kind, _)| kind).collect()
}
