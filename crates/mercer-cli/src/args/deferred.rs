//! Flags that are made when their command is asked for, and not before.

use std::ops::Deref;

use clap::builder::Resettable;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::help;

/// The flags of a command, boxed: commands are of one size.
///
/// All commands together have well over a thousand flags, many with texts that are put together from the
/// table of methods: four fifths of what a short command takes. So a command has none until the parser,
/// its help or a completion script looks at it.
#[derive(Debug)]
pub(crate) struct Deferred<T>(Box<T>);

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(made::<T>)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Gives a command its flags, and their help its order.
fn made<T: Args>(command: Command) -> Command {
    // What the list of commands says of it stays; the flags have a comment of their own.
    let (about, long) = (
        command.get_about().cloned(),
        command.get_long_about().cloned(),
    );
    let command = T::augment_args(command)
        .about(Resettable::from(about))
        .long_about(Resettable::from(long));
    help::in_order(command)
}

impl<T: Args> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        T::from_arg_matches(matches).map(|args| Self(Box::new(args)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use crate::args::{Cli, whole_line};

    #[test]
    fn flags_are_made_when_their_command_is_asked_for() {
        let mut cli = Cli::command();
        let flags = |cli: &clap::Command, name: &str| {
            let command = cli.find_subcommand(name).expect(name);
            command.get_arguments().count()
        };
        for name in ["fit", "cv", "tune", "predict", "state"] {
            assert_eq!(flags(&cli, name), 0, "{name}");
        }
        let line = ["mercer", "cv", "d.csv", "--target", "y"];
        assert!(cli.try_get_matches_from_mut(line).is_ok());
        assert!(flags(&cli, "cv") > 50);
        // The flag that all commands share is handed down to each.
        assert!(flags(&cli, "fit") <= 1 && flags(&cli, "tune") <= 1);
        let whole = whole_line();
        assert!(flags(&whole, "fit") > 50 && flags(&whole, "tune") > 50);
    }

    #[test]
    fn commands_keep_their_own_line_of_help() {
        for command in whole_line().get_subcommands() {
            let about = command.get_about().expect("a line").to_string();
            assert!(!about.starts_with("Flags of"), "{about}");
        }
    }
}
