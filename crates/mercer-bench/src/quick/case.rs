//! A piece of work in the words of mercer's command line.

use std::ffi::OsString;
use std::path::PathBuf;

use super::Side;

/// A piece of work.
///
/// Commands are words between blanks. A word with one of these beginnings stands for a path:
///
/// | beginning | path |
/// |---|---|
/// | `data:` | in the folder of larger data sets |
/// | `set:` | in the bundled data sets |
/// | `own:` | a file that each program writes for itself |
/// | `given:` | a file that the old program wrote for both |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Case {
    /// Its name.
    pub(crate) name: &'static str,
    /// What is timed.
    pub(crate) command: &'static str,
    /// Done once before, by the old program, so that both predict with the same model.
    pub(crate) before: Option<&'static str>,
    /// Done once after the first runs: the results on rows that were not learnt from.
    pub(crate) after: Option<&'static str>,
}

/// Where paths begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Places {
    /// Larger data sets.
    pub(crate) data: PathBuf,
    /// Bundled data sets.
    pub(crate) sets: PathBuf,
    /// What is written and thrown away.
    pub(crate) scratch: PathBuf,
}

impl Case {
    /// A case that needs nothing before or after.
    pub(crate) const fn new(name: &'static str, command: &'static str) -> Self {
        Self {
            name,
            command,
            before: None,
            after: None,
        }
    }

    /// The same with something to do before.
    pub(crate) const fn before(self, command: &'static str) -> Self {
        Self {
            before: Some(command),
            ..self
        }
    }

    /// The same with something to do after.
    pub(crate) const fn after(self, command: &'static str) -> Self {
        Self {
            after: Some(command),
            ..self
        }
    }

    /// The first data set that is not there.
    pub(crate) fn missing(&self, places: &Places) -> Option<PathBuf> {
        let commands = [Some(self.command), self.before, self.after];
        let words = commands
            .into_iter()
            .flatten()
            .flat_map(str::split_whitespace);
        words
            .filter(|word| word.starts_with("data:") || word.starts_with("set:"))
            .filter_map(|word| places.path(word, Side::Old))
            .find(|path| !path.exists())
    }

    /// The table of predictions that the command writes, if it does.
    pub(crate) fn predictions(&self, places: &Places, side: Side) -> Option<PathBuf> {
        let mut words = self.command.split_whitespace();
        let is_csv = |word: &str| {
            std::path::Path::new(word)
                .extension()
                .is_some_and(|e| e == "csv")
        };
        let is_table = |word: &&str| word.starts_with("own:") && is_csv(word);
        words
            .find(is_table)
            .and_then(|word| places.path(word, side))
    }
}

impl Places {
    fn path(&self, word: &str, side: Side) -> Option<PathBuf> {
        let (kind, name) = word.split_once(':')?;
        Some(match kind {
            "data" => self.data.join(name),
            "set" => self.sets.join(name),
            "own" => self.scratch.join(side.name()).join(name),
            "given" => self.scratch.join(Side::Old.name()).join(name),
            _ => return None,
        })
    }

    /// The words of a command with its paths. What does not write its results to a file prints
    /// them as an object.
    pub(crate) fn arguments(&self, command: &str, side: Side) -> Vec<OsString> {
        let mut words: Vec<OsString> = command
            .split_whitespace()
            .map(|word| match self.path(word, side) {
                Some(path) => path.into_os_string(),
                None => word.into(),
            })
            .collect();
        if !command.starts_with("predict ") {
            words.push("--json".into());
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> Places {
        Places {
            data: "/data".into(),
            sets: "/sets".into(),
            scratch: "/scratch".into(),
        }
    }

    #[test]
    fn words_become_paths() {
        let command = "fit data:a/b.gz --kernel rbf(gamma=1) -o own:m.mercer";
        let words = places().arguments(command, Side::New);
        let wanted = [
            "fit",
            "/data/a/b.gz",
            "--kernel",
            "rbf(gamma=1)",
            "-o",
            "/scratch/new/m.mercer",
            "--json",
        ];
        assert_eq!(words, wanted);
        let words = places().arguments("predict given:m.mercer set:x.csv", Side::New);
        assert_eq!(words, ["predict", "/scratch/old/m.mercer", "/sets/x.csv"]);
    }

    #[test]
    fn missing_sets_are_named() {
        let case = Case::new("x", "fit set:none.csv");
        let missing = case.missing(&places());
        assert_eq!(missing, Some(PathBuf::from("/sets/none.csv")));
        let case = Case::new("x", "kernel linear 1 2").after("score own:m data:t");
        assert_eq!(case.missing(&places()), Some(PathBuf::from("/data/t")));
        assert_eq!(Case::new("x", "kernel linear 1 2").missing(&places()), None);
    }

    #[test]
    fn predictions_are_found_again() {
        let case = Case::new("x", "predict given:m.mercer data:t.csv -o own:answers.csv");
        let file = case.predictions(&places(), Side::New);
        assert_eq!(file, Some(PathBuf::from("/scratch/new/answers.csv")));
        let fit = Case::new("x", "fit set:iris.csv -o own:m.mercer");
        assert_eq!(fit.predictions(&places(), Side::Old), None);
    }
}
