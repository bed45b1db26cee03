//! Which flags `-h` shows: the common ones; `--help` shows all that have an effect.

use clap::{Arg, Command, CommandFactory};

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

/// The command line with its help in order; all flags are still read.
pub(crate) fn command_line() -> Command {
    let mut cli = Cli::command();
    for name in ["fit", "cv", "tune"] {
        cli = cli.mut_subcommand(name, |command| {
            command
                .mut_args(|arg| {
                    let rare = arg.get_long().is_some_and(|long| !COMMON.contains(&long));
                    arg.hide_short_help(rare)
                })
                .before_help("`-h` lists the common flags, `--help` all of them.")
        });
    }
    for (name, flags) in WITHOUT_EFFECT {
        let hide = |arg: Arg| {
            let idle = arg.get_long().is_some_and(|long| flags.contains(&long));
            if idle { arg.hide(true) } else { arg }
        };
        cli = cli.mut_subcommand(name, |command| command.mut_args(hide));
    }
    cli
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_of_a_fit_fits_a_screen() {
        let mut cli = command_line();
        cli.build();
        let fit = cli.find_subcommand_mut("fit").expect("fit");
        let (short, long) = (fit.render_help(), fit.render_long_help());
        let (short, long) = (short.to_string(), long.to_string());
        assert!(short.lines().count() <= 60, "{}", short.lines().count());
        assert!(short.contains("--target") && !short.contains("--delimiter"));
        assert!(long.contains("--delimiter") && long.contains("--seed"));
    }

    #[test]
    fn idle_flags_are_hidden_and_read() {
        let mut cli = command_line();
        cli.build();
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
