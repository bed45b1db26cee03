//! Reads flags of the form `-x value`, as LIBSVM takes them.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use crate::failure::{Failure, Result};

/// The words of a command line, taken from the left.
pub(super) struct Flags(VecDeque<OsString>);

const HELP: &str = "`--help` lists the options";

impl Flags {
    pub(super) fn new(args: Vec<OsString>) -> Self {
        Self(args.into())
    }

    /// Returns the next flag; the first word that is none ends the list.
    pub(super) fn next_flag(&mut self) -> Option<String> {
        let word = self.0.front()?.to_str()?;
        // A lone dash is standard input.
        if word.len() < 2 || !word.starts_with('-') {
            return None;
        }
        let flag = word.to_owned();
        self.0.pop_front();
        Some(flag)
    }

    /// Returns the value of a flag as it was written.
    pub(super) fn word(&mut self, flag: &str) -> Result<OsString> {
        let missing = || Failure::usage(format!("`{flag}` needs a value"), HELP);
        self.0.pop_front().ok_or_else(missing)
    }

    /// Returns the value of a flag, where it passes a test.
    pub(super) fn value<T: FromStr>(
        &mut self,
        flag: &str,
        rule: &str,
        allowed: impl FnOnce(&T) -> bool,
    ) -> Result<T> {
        let word = self.word(flag)?;
        let text = word.to_string_lossy();
        let value = text.parse::<T>().ok().filter(allowed);
        value
            .ok_or_else(|| Failure::usage(format!("`{flag}` is `{text}`; it must be {rule}"), HELP))
    }

    /// Returns the value of a flag that takes any finite number.
    pub(super) fn number(&mut self, flag: &str) -> Result<f64> {
        self.value(flag, "a finite number", |v: &f64| v.is_finite())
    }

    /// Returns the value of a flag that takes positive numbers.
    pub(super) fn positive(&mut self, flag: &str) -> Result<f64> {
        self.value(flag, "a positive number", |v: &f64| {
            v.is_finite() && *v > 0.0
        })
    }

    /// Returns the value of a flag that takes numbers from 0 on.
    pub(super) fn not_negative(&mut self, flag: &str) -> Result<f64> {
        self.value(flag, "a number that is not negative", |v: &f64| {
            v.is_finite() && *v >= 0.0
        })
    }

    /// Returns the value of a flag that is 0 or 1.
    pub(super) fn switch(&mut self, flag: &str) -> Result<bool> {
        Ok(self.value(flag, "0 or 1", |v: &u8| *v < 2)? == 1)
    }

    /// Returns the files after the flags; `names` are all that may be given.
    pub(super) fn files(self, names: &[&str], needed: usize) -> Result<Vec<PathBuf>> {
        if let Some(name) = names[..needed].get(self.0.len()) {
            return Err(Failure::usage(format!("the {name} is missing"), HELP));
        }
        if let Some(extra) = self.0.get(names.len()) {
            let message = format!("`{}` is one word too many", extra.to_string_lossy());
            return Err(Failure::usage(message, "options come before the files"));
        }
        Ok(self.0.into_iter().map(PathBuf::from).collect())
    }
}

/// A flag that the command does not have.
pub(super) fn unknown(flag: &(impl Display + ?Sized)) -> Failure {
    Failure::usage(format!("there is no option `{flag}`"), HELP)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(words: &[&str]) -> Flags {
        Flags::new(words.iter().map(OsString::from).collect())
    }

    #[test]
    fn values_follow_flags() {
        let mut words = flags(&["-l", "-1.5", "-b", "1", "-", "out"]);
        assert_eq!(words.next_flag().as_deref(), Some("-l"));
        assert_eq!(words.number("-l"), Ok(-1.5));
        assert_eq!(words.next_flag().as_deref(), Some("-b"));
        assert_eq!(words.switch("-b"), Ok(true));
        assert_eq!(words.next_flag(), None);
        let files = words
            .files(&["data file", "model file"], 1)
            .expect("two files");
        assert_eq!(files, [PathBuf::from("-"), PathBuf::from("out")]);
    }

    #[test]
    fn wrong_values_are_told() {
        let message = |f: Result<f64>| f.expect_err("refused").message;
        assert_eq!(message(flags(&[]).number("-c")), "`-c` needs a value");
        assert_eq!(
            message(flags(&["0"]).positive("-c")),
            "`-c` is `0`; it must be a positive number"
        );
        assert!(flags(&["nan"]).number("-c").is_err());
        assert!(flags(&["2"]).switch("-b").is_err());
        let files = flags(&["a", "b"]).files(&["data file"], 1);
        assert_eq!(
            files.expect_err("too many").message,
            "`b` is one word too many"
        );
        let files = flags(&[]).files(&["data file"], 1);
        assert_eq!(
            files.expect_err("too few").message,
            "the data file is missing"
        );
    }
}
