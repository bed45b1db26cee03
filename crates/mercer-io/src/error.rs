//! The one public error type of the crate.

use std::path::{Path, PathBuf};

use mercer::hint::{Hint, Word, Wording};

/// A result whose error is [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can be wrong with a file or its contents.
///
/// The message states the fact and its place; [`Error::hints`] gives the advice. Lines,
/// columns and rows are counted from one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file does not exist.
    #[error("there is no file `{}`", .path.display())]
    NotFound {
        /// The path that was asked for.
        path: PathBuf,
        /// Files of the same folder with a similar name, the closest first.
        near: Vec<String>,
    },
    /// The operating system or a decompressor refused.
    #[error("{file}: {source}")]
    Io {
        /// The file's name, or `standard input`.
        file: String,
        /// What went wrong.
        source: std::io::Error,
    },
    /// The text breaks the rules of its format.
    #[error("{file}, line {line}, column {column}: {problem}")]
    Syntax {
        /// The file's name.
        file: String,
        /// The line.
        line: usize,
        /// The character position in the line.
        column: usize,
        /// What was found, with the text that could not be read.
        problem: String,
        /// What to do about it.
        cure: Hint,
    },
    /// A value does not fit its column.
    #[error("{file}, line {line}, column `{column}`: {problem}")]
    Cell {
        /// The file's name.
        file: String,
        /// The line on which the row starts.
        line: usize,
        /// The column's name.
        column: String,
        /// The number of the column in the file.
        position: usize,
        /// What is wrong with the value.
        problem: String,
        /// What to do about it.
        cure: Hint,
    },
    /// A value of a file without lines cannot be used.
    #[error("{file}, row {row}, column {column}: {problem}")]
    Entry {
        /// The file's name.
        file: String,
        /// The row.
        row: usize,
        /// The column's number, or its name in backticks.
        column: String,
        /// What is wrong with the value.
        problem: String,
        /// What to do about it.
        cure: Hint,
    },
    /// A row has more or fewer fields than the others.
    #[error("{file}, line {line}: the row has {}; {expected} expected", fields(*.found))]
    FieldCount {
        /// The file's name.
        file: String,
        /// The line on which the row starts.
        line: usize,
        /// The number of fields found.
        found: usize,
        /// The number of columns.
        expected: usize,
        /// What to do about it.
        cure: Hint,
    },
    /// There are no rows.
    #[error("{file}: {problem}")]
    Empty {
        /// The file's name.
        file: String,
        /// What there is instead of rows.
        problem: String,
    },
    /// The contents of a binary file contradict each other.
    #[error("{file}: {problem}")]
    Damaged {
        /// The file's name.
        file: String,
        /// What does not fit.
        problem: String,
    },
    /// Reading was stopped at a limit of memory or time.
    #[error("{file}: {problem}")]
    Limit {
        /// The file's name.
        file: String,
        /// What passed the limit.
        problem: String,
        /// What to do about it.
        cure: Hint,
        /// Whether the time was up, and not the memory.
        is_time: bool,
    },
    /// The file is of a kind, or uses a feature, that is not read.
    #[error("{file}: {problem}")]
    Unsupported {
        /// The file's name.
        file: String,
        /// What was found.
        problem: String,
        /// What to do instead.
        cure: Hint,
    },
    /// The library refused, such as for an unknown column or setting.
    #[error(transparent)]
    Mercer(#[from] mercer::Error),
}

impl Error {
    /// Returns the fact with settings named as a front end names them.
    pub fn fact(&self, wording: &dyn Wording) -> String {
        match self {
            Self::Mercer(error) => error.fact(wording),
            _ => self.to_string(),
        }
    }

    /// Returns advice on how to mend the problem, most useful first.
    pub fn hints(&self) -> Vec<Hint> {
        match self {
            Self::NotFound { near, .. } => near
                .first()
                .map(|name| format!("did you mean `{name}`?").into())
                .into_iter()
                .collect(),
            Self::Syntax { cure, .. }
            | Self::Cell { cure, .. }
            | Self::Entry { cure, .. }
            | Self::FieldCount { cure, .. }
            | Self::Limit { cure, .. }
            | Self::Unsupported { cure, .. } => vec![cure.clone()],
            Self::Empty { .. } => vec!["give a file with at least one row of data".into()],
            Self::Damaged { .. } => {
                vec!["make or download the file again; it may be cut off".into()]
            }
            Self::Mercer(error) => error.hints(),
            Self::Io { .. } => Vec::new(),
        }
    }

    /// Returns whether the work was stopped by its cancel flag.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Mercer(mercer::Error::Cancelled))
    }

    /// Wraps an operating-system error; a missing file gets suggestions, a stop its own error.
    pub(crate) fn from_io(path: &Path, source: std::io::Error) -> Self {
        if source.kind() == std::io::ErrorKind::NotFound {
            if path.is_relative() && std::env::current_dir().is_err() {
                return Self::Unsupported {
                    file: path.display().to_string(),
                    problem: "the present folder was deleted".to_owned(),
                    cure: "change to a folder that exists".into(),
                };
            }
            let name = path.display().to_string();
            if let Some((scheme, _)) = name.split_once("://")
                && !scheme.is_empty()
                && scheme.chars().all(|c| c.is_ascii_alphanumeric())
            {
                let shown = shorten_to(&name, 200);
                // Stores of objects have programs of their own.
                let cure = match scheme {
                    "http" | "https" | "ftp" | "ftps" | "sftp" => {
                        format!("download it first, such as with `curl -LO {shown}`")
                    }
                    "s3" => format!("download it first, such as with `aws s3 cp {shown} .`"),
                    "gs" => format!("download it first, such as with `gsutil cp {shown} .`"),
                    _ => "copy it to a file here first".to_owned(),
                };
                return Self::Unsupported {
                    problem: "this is an address; only files are read".to_owned(),
                    cure: cure.into(),
                    file: name,
                };
            }
            return Self::NotFound {
                path: path.to_owned(),
                near: near_files(path),
            };
        }
        Self::io(&path.display().to_string(), source)
    }

    /// Wraps an input or output error of an open file.
    pub(crate) fn io(file: &str, source: std::io::Error) -> Self {
        if is_stop(&source) {
            return Self::Mercer(mercer::Error::Cancelled);
        }
        if let Some(limited) = limited(&source) {
            return Self::limit(file, limited);
        }
        Self::Io {
            file: file.to_owned(),
            source,
        }
    }
}

impl Error {
    /// Says which limit stopped the reading of a file.
    pub(crate) fn limit(file: &str, limited: &Limited) -> Self {
        Self::Limit {
            file: file.to_owned(),
            problem: limited.problem.clone(),
            cure: limited.cure(),
            is_time: limited.is_time,
        }
    }
}

/// The limit that an error comes from.
pub(crate) fn limited(error: &std::io::Error) -> Option<&Limited> {
    error.get_ref()?.downcast_ref::<Limited>()
}

/// Travels inside an [`std::io::Error`] when a limit stops a read.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{problem}")]
pub(crate) struct Limited {
    problem: String,
    is_time: bool,
}

impl Limited {
    /// The rows, or the bytes they are made of, are too many.
    pub(crate) fn memory(limit: u64) -> Self {
        Self {
            problem: format!(
                "the data take more than {} MB, which is as much as may be read",
                limit.div_ceil(1_000_000)
            ),
            is_time: false,
        }
    }

    /// The time is up.
    pub(crate) fn time() -> Self {
        Self {
            problem: "the time limit was reached while reading".to_owned(),
            is_time: true,
        }
    }

    fn cure(&self) -> Hint {
        if self.is_time {
            Hint::from("read fewer rows, or allow more time with ")
                .word(Word::Setting("max_seconds"))
        } else {
            Hint::from("read fewer rows or columns, or allow more with ")
                .word(Word::Setting("memory"))
        }
    }
}

/// Whether an error comes from the cancel flag.
pub(crate) fn is_stop(error: &std::io::Error) -> bool {
    matches!(error.get_ref(), Some(inner) if inner.is::<Stopped>())
}

/// Travels inside an [`std::io::Error`] when the cancel flag stops a read.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(crate) struct Stopped;

fn fields(count: usize) -> String {
    match count {
        1 => "1 field".to_owned(),
        _ => format!("{count} fields"),
    }
}

/// Shortens a text for a message, with its length when something was cut.
pub(crate) fn shorten(text: &str) -> String {
    // 40 characters show a number or a word in full and keep the message on one line.
    shorten_to(text, 40)
}

fn shorten_to(text: &str, length: usize) -> String {
    let mut shown: String = text.chars().take(length).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown.replace(|c: char| c.is_control(), "\u{fffd}")
}

/// Like [`shorten`] for bytes that may not be UTF-8.
pub(crate) fn shorten_bytes(bytes: &[u8]) -> String {
    // 200 bytes hold 40 characters of any length.
    shorten(&String::from_utf8_lossy(&bytes[..bytes.len().min(200)]))
}

/// Files beside a missing one whose names are close to it, the closest first.
fn near_files(path: &Path) -> Vec<String> {
    let Some(name) = path.file_name().map(|n| n.to_string_lossy().to_lowercase()) else {
        return Vec::new();
    };
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut close: Vec<(f64, String)> = entries
        .flatten()
        // A folder with a million files is not worth the wait.
        .take(10_000)
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .map(|n| (strsim::jaro_winkler(&name, &n.to_lowercase()), n))
        // The same bound as for names of columns: one- and two-letter slips.
        .filter(|(score, _)| *score >= 0.8)
        .collect();
    close.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    close
        .into_iter()
        .map(|(_, n)| folder.join(n).display().to_string())
        .map(|n| n.strip_prefix("./").map_or(n.clone(), str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_file_suggests_a_neighbour() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("iris.csv"), "a\n1\n").expect("written");
        let path = folder.path().join("irsi.csv");
        let error = Error::from_io(&path, std::io::ErrorKind::NotFound.into());
        assert_eq!(
            error.to_string(),
            format!("there is no file `{}`", path.display())
        );
        let best = folder.path().join("iris.csv").display().to_string();
        assert_eq!(error.hints(), [format!("did you mean `{best}`?")]);
    }

    #[test]
    fn addresses_are_no_files() {
        let error = Error::from_io(
            Path::new("https://example.org/a.csv"),
            std::io::ErrorKind::NotFound.into(),
        );
        assert_eq!(
            error.to_string(),
            "https://example.org/a.csv: this is an address; only files are read"
        );
        let cure = "download it first, such as with `curl -LO https://example.org/a.csv`";
        assert_eq!(error.hints(), [cure.to_owned()]);
    }

    #[test]
    fn long_and_strange_texts_are_shortened() {
        assert_eq!(shorten("abc"), "abc");
        assert_eq!(shorten(&"x".repeat(50)), format!("{}…", "x".repeat(40)));
        assert_eq!(shorten("a\0b"), "a\u{fffd}b");
    }
}
