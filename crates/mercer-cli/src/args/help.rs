//! Which flags `-h` shows: the common ones; `--help` shows all that have an effect.

use clap::{Command, CommandFactory};

use super::Cli;

/// Flags that most fits need.
const COMMON: [&str; 15] = [
    "class-weight",
    "drop",
    "folds",
    "help",
    "holdout",
    "json",
    "kernel",
    "max-seconds",
    "metric",
    "model",
    "output",
    "positive",
    "report",
    "target",
    "verbose",
];

/// Flags of commands that read a model: it knows its columns, and draws nothing at random.
const WITHOUT_EFFECT: [(&str, &[&str]); 4] = [
    ("predict", &["seed", "labels", "kind"]),
    ("score", &["seed", "kind"]),
    ("report", &["kind"]),
    ("explain", &["seed", "labels", "kind"]),
];

/// The command line with the flags of all commands.
pub(crate) fn whole_line() -> Command {
    let mut cli = Cli::command();
    cli.build();
    cli
}

/// Brings the help of a command in order; all flags are still read.
pub(super) fn in_order(mut command: Command) -> Command {
    if ["fit", "cv", "tune"].contains(&command.get_name()) {
        command = command
            .mut_args(|arg| {
                let rare = arg.get_long().is_some_and(|long| !COMMON.contains(&long));
                arg.hide_short_help(rare)
            })
            .before_help("`-h` lists the common flags, `--help` all of them.");
    }
    let mut known = WITHOUT_EFFECT.iter();
    let known = known.find(|(name, _)| command.get_name() == *name);
    if let Some((_, flags)) = known {
        command = command.mut_args(|arg| {
            let idle = arg.get_long().is_some_and(|long| flags.contains(&long));
            if idle { arg.hide(true) } else { arg }
        });
    }
    with_negative_numbers(command)
}

/// Lets every flag have a negative number as its value: whether that is one, its own parser tells,
/// with what is allowed; the line's parser would take it for an unknown flag.
fn with_negative_numbers(command: Command) -> Command {
    command
        .mut_args(|arg| {
            let is_flag = arg.get_long().is_some() || arg.get_short().is_some();
            let plain = is_flag && arg.get_action().takes_values();
            let open = arg.is_allow_hyphen_values_set() || arg.is_allow_negative_numbers_set();
            if plain && !open {
                arg.allow_negative_numbers(true)
            } else {
                arg
            }
        })
        .mut_subcommands(with_negative_numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_of_a_fit_fits_a_screen() {
        let mut cli = whole_line();
        let fit = cli.find_subcommand_mut("fit").expect("fit");
        let (short, long) = (fit.render_help(), fit.render_long_help());
        let (short, long) = (short.to_string(), long.to_string());
        assert!(short.lines().count() <= 60, "{}", short.lines().count());
        assert!(short.contains("--target") && !short.contains("--delimiter"));
        assert!(long.contains("--delimiter") && long.contains("--seed"));
    }

    #[test]
    fn negative_numbers_reach_the_flags_that_refuse_them() {
        for (flag, rule) in [
            ("--max-seconds", "positive number of seconds"),
            ("--memory", "a size such as"),
            ("--holdout", "between 0 and 1"),
            ("--threads", "not in 1..=1024"),
            ("--folds", "invalid"),
        ] {
            let line = ["mercer", "fit", "d.csv", flag, "-1"];
            let error = Cli::command().try_get_matches_from(line).expect_err(flag);
            let text = error.to_string();
            assert!(text.contains(flag) && text.contains(rule), "{text}");
            assert!(!text.contains("unexpected argument"), "{text}");
        }
    }

    #[test]
    fn idle_flags_are_hidden_and_read() {
        let mut cli = whole_line();
        for (name, flags) in WITHOUT_EFFECT {
            let help = cli.find_subcommand_mut(name).expect("a command");
            let help = help.render_long_help().to_string();
            for flag in flags {
                assert!(!help.contains(&format!("--{flag} ")), "{name} --{flag}");
            }
        }
        let line = ["mercer", "predict", "m", "d", "--seed", "1"];
        assert!(cli.try_get_matches_from(line).is_ok());
    }
}
