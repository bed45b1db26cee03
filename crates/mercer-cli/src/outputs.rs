//! What a command may write: nothing that it reads, and nothing twice.

use std::path::{Path, PathBuf};

use mercer::data::{Kind, Table};

use crate::args::ReadingArgs;
use crate::failure::{Failure, Result};

/// The files of one command.
#[derive(Debug, Default)]
pub(crate) struct Files<'a> {
    /// What is read, with its name in messages.
    inputs: Vec<(&'static str, &'a Path)>,
    outputs: Vec<&'a Path>,
}

impl<'a> Files<'a> {
    /// Adds files that are read.
    pub(crate) fn read(
        mut self,
        what: &'static str,
        paths: impl IntoIterator<Item = &'a Path>,
    ) -> Self {
        let named = paths.into_iter().map(|path| (what, path));
        self.inputs.extend(named);
        self
    }

    /// Adds the data and the files that belong to them.
    pub(crate) fn data(self, data: &'a Path, reading: &'a ReadingArgs) -> Self {
        self.read("the data", [data])
            .read("the list of nodes", reading.nodes.as_deref())
            .read("the file of labels", reading.labels.as_deref())
    }

    /// Adds files that are written.
    pub(crate) fn write(mut self, paths: impl IntoIterator<Item = &'a Path>) -> Self {
        self.outputs.extend(paths);
        self
    }

    /// Finds files that must not or cannot be written before hours are spent on what to write.
    pub(crate) fn check(&self) -> Result<()> {
        let mut known: Vec<(&str, Place)> = Vec::new();
        for (what, path) in &self.inputs {
            known.extend(Place::of(path).map(|place| (*what, place)));
        }
        for path in &self.outputs {
            if *path == Path::new("-") {
                continue;
            }
            possible(path)?;
            let Some(place) = Place::of(path) else {
                continue;
            };
            if let Some((what, _)) = known.iter().find(|(_, other)| *other == place) {
                return Err(Failure::usage(
                    format!("`{}` is {what} and would be overwritten", path.display()),
                    "name another file",
                ));
            }
            known.push(("another output of this command", place));
        }
        Ok(())
    }
}

/// Refuses to put a model in the place of another table's, where nobody named the file. A table that
/// has all columns of the earlier model is the same one, whatever is predicted now.
pub(crate) fn same_table(file: &Path, table: &Table) -> Result<()> {
    if !file.exists() {
        return Ok(());
    }
    let refused = |why: String| {
        Failure::data(
            "exists",
            format!("`{}` {why}", file.display()),
            "name another file with `-o FILE.mercer`, or overwrite it with `--force`",
        )
    };
    let Ok(earlier) = mercer_io::model::inspect(file) else {
        return Err(refused("is there already, and is no model".to_owned()));
    };
    // A column of vectors is known by its kind, whatever its name.
    let named = earlier.columns.iter().filter(|c| c.kind != Kind::Vectors);
    // Windows are made of columns of the table.
    let named: Vec<&String> = match &earlier.windows {
        Some(windows) => windows.inputs.iter().map(|input| &input.column).collect(),
        None => named.map(|c| &c.name).collect(),
    };
    let mut names = named.into_iter().chain(&earlier.targets);
    match names.find(|name| table.find(name).is_none()) {
        Some(name) => Err(refused(format!(
            "holds a model of another table: this one has no column `{name}`"
        ))),
        None => Ok(()),
    }
}

/// Which file a path leads to, whatever links it takes.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// A file that exists, by device and number: hard links lead to the same one.
    Known(u64, u64),
    /// A file that does not exist yet, or a system without such numbers.
    Named(PathBuf),
}

impl Place {
    /// `None` for standard streams, pipes, devices and folders, which nothing overwrites.
    fn of(path: &Path) -> Option<Self> {
        if path == Path::new("-") {
            return None;
        }
        let target = mercer_io::output_target(path).unwrap_or_else(|_| path.to_owned());
        match std::fs::metadata(&target) {
            Ok(about) if !about.is_file() => None,
            Ok(about) => Some(Self::existing(&about, target)),
            Err(_) => {
                let folder = target.parent().filter(|p| !p.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new("."));
                let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
                Some(Self::Named(folder.join(target.file_name()?)))
            }
        }
    }

    #[cfg(unix)]
    fn existing(about: &std::fs::Metadata, _: PathBuf) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self::Known(about.dev(), about.ino())
    }

    #[cfg(not(unix))]
    fn existing(_: &std::fs::Metadata, target: PathBuf) -> Self {
        Self::Named(target)
    }
}

/// Refuses folders, files in folders that are not there, and write-protected files.
fn possible(path: &Path) -> Result<()> {
    let target = mercer_io::output_target(path)?;
    if target.is_dir() {
        return Err(Failure::usage(
            format!("`{}` is a folder", path.display()),
            "name a file in it",
        ));
    }
    match target.parent().filter(|p| !p.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => Err(Failure::data(
            "not_found",
            format!("there is no folder `{}`", folder.display()),
            "make it first, or name another file",
        )),
        None if std::env::current_dir().is_err() => Err(Failure::data(
            "not_found",
            format!("`{}`: the present folder was deleted", path.display()),
            "change to a folder that exists",
        )),
        _ => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_same_file_is_known_by_any_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("data"), "x").expect("written");
        std::fs::hard_link(path("data"), path("hard")).expect("linked");
        std::os::unix::fs::symlink("data", path("soft")).expect("linked");
        std::fs::create_dir(path("sub")).expect("made");
        let place = Place::of(&path("data"));
        for name in ["hard", "soft", "sub/../data"] {
            assert_eq!(Place::of(&path(name)), place, "{name}");
        }
        std::os::unix::fs::symlink("new", path("later")).expect("linked");
        assert_eq!(Place::of(&path("later")), Place::of(&path("sub/../new")));
        assert_ne!(Place::of(&path("new")), place);
        assert_eq!(Place::of(Path::new("/dev/null")), None);
    }
}
