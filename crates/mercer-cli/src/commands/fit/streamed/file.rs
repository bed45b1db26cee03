//! A file that is read block by block, as often as is needed.

use std::path::{Path, PathBuf};

use mercer_io::{Ahead, Blocks, Identity, ReadOptions, Source};

use crate::args::ReadingArgs;
use crate::data::options;
use crate::failure::{Failure, Result};
use crate::session::Session;

/// A file of rows that may be longer than memory.
pub(in crate::commands) struct RowFile {
    path: PathBuf,
    options: ReadOptions,
    /// What it was when it was first looked at.
    pub(in crate::commands) identity: Identity,
}

impl RowFile {
    /// Looks at a file; pipes and tables of several files are refused.
    pub(in crate::commands) fn open(
        path: &Path,
        reading: &ReadingArgs,
        session: &Session,
    ) -> Result<Self> {
        for (flag, given) in [
            ("--nodes", reading.nodes.is_some()),
            ("--labels", reading.labels.is_some()),
        ] {
            if given {
                return Err(Failure::usage(
                    format!("`{flag}` joins two tables, and rows are read block by block"),
                    "put everything into one file",
                ));
            }
        }
        let refused = |what: &str, cure: &str| {
            Failure::data(
                "unsupported",
                format!(
                    "{}: rows are read twice, and {what}",
                    Source::from_argument(path).name()
                ),
                cure,
            )
        };
        if path == Path::new("-") {
            let what = "standard input can be read once";
            return Err(refused(what, "save the rows to a file first"));
        }
        if path.is_dir() {
            let cure = "name one file, or add the files to a plan one by one: `mercer state add`";
            return Err(refused("a folder holds several files", cure));
        }
        let Some(identity) = Identity::of(path)? else {
            return Err(refused(
                "a pipe can be read once",
                "save the rows to a file first",
            ));
        };
        Ok(Self {
            path: path.to_owned(),
            options: options(reading, session),
            identity,
        })
    }

    /// Lets the kinds of columns be known from elsewhere, such as a plan.
    #[must_use]
    pub(in crate::commands) fn known(
        mut self,
        change: impl FnOnce(ReadOptions) -> ReadOptions,
    ) -> Self {
        self.options = change(self.options);
        self
    }

    /// Returns the file's name.
    pub(in crate::commands) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the file for one pass over its rows.
    pub(in crate::commands) fn blocks(&self, rows: usize) -> Result<Blocks> {
        let source = Source::Path(self.path.clone());
        Ok(Blocks::open(&source, &self.options, rows)?)
    }

    /// Checks, after a pass, that the file was the same all the time.
    pub(in crate::commands) fn check(&self) -> Result<()> {
        Ok(self.identity.check(&self.path)?)
    }

    /// Blames a change of the file for what else went wrong, where it changed.
    pub(in crate::commands) fn blame(&self, failure: Failure) -> Failure {
        if failure.fault == crate::failure::Fault::Interrupted {
            return failure;
        }
        match self.check() {
            Ok(()) => failure,
            Err(changed) => changed,
        }
    }
}

/// Rows that were read, and how fast.
pub(super) struct Pace<'a> {
    session: &'a Session,
    name: &'static str,
    started: std::time::Instant,
    /// Rows before this pass began, and all rows where their number is known.
    before: u64,
    of: Option<u64>,
}

impl<'a> Pace<'a> {
    /// Begins a pass.
    pub(in crate::commands) fn start(session: &'a Session, name: &'static str) -> Self {
        Self {
            session,
            name,
            started: std::time::Instant::now(),
            before: 0,
            of: None,
        }
    }

    /// Says how many rows there are, and how many were done before.
    #[must_use]
    pub(in crate::commands) fn of(mut self, rows: u64, before: u64) -> Self {
        self.of = Some(rows);
        self.before = before;
        self
    }

    /// Tells how far the pass has come.
    pub(in crate::commands) fn tell(&self, rows: u64, blocks: &Ahead) {
        let share = match self.of {
            Some(of) => Some(rows as f64 / of.max(1) as f64),
            None => blocks.share(),
        };
        let seconds = self.started.elapsed().as_secs_f64();
        let speed = (rows - self.before) as f64 / seconds.max(1e-3);
        self.session.meter.pass(self.name, rows, speed, share);
    }

    /// Seconds that the pass took, and rows per second.
    pub(in crate::commands) fn end(&self, rows: u64) -> (f64, f64) {
        let seconds = self.started.elapsed().as_secs_f64();
        (seconds, (rows - self.before) as f64 / seconds.max(1e-9))
    }
}
