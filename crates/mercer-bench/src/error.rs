//! What can stop the whole run; a peer that fails stops nothing.

use std::path::PathBuf;

/// An error of the command itself.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A file that cannot be read or written.
    #[error("`{}`: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A program that cannot be started or did not succeed.
    #[error("`{command}` failed: {reason}")]
    Command {
        /// The program with its first arguments.
        command: String,
        /// What it said last.
        reason: String,
    },
    /// Text that is not the JSON expected.
    #[error("{place}: {source}")]
    Json {
        /// Where the text came from.
        place: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A case, group or peer nobody knows.
    #[error("`{name}` is no {kind}; there are {known}")]
    Unknown {
        /// What was given.
        name: String,
        /// What it should have been.
        kind: &'static str,
        /// What there is.
        known: String,
    },
    /// What mercer itself refuses.
    #[error(transparent)]
    Mercer(#[from] mercer::Error),
    /// A data set that mercer cannot read.
    #[error(transparent)]
    Read(#[from] mercer_io::Error),
}

/// A result of the command itself.
pub(crate) type Result<T> = std::result::Result<T, Error>;
