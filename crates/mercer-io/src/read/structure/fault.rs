//! What is wrong with a file, and where.

use mercer::hint::Hint;

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadFault {
    /// The file's name; empty where the caller knows it.
    pub(crate) file: String,
    /// The line, counted from one; zero where the whole file is at fault.
    pub(crate) line: usize,
    /// The character in the line, counted from one.
    pub(crate) column: usize,
    /// What was found.
    pub(crate) problem: String,
    /// What to do about it.
    pub(crate) cure: Hint,
}

impl ReadFault {
    /// Describes a fault in a line.
    pub(crate) fn new(line: usize, problem: impl Into<String>, cure: impl Into<Hint>) -> Self {
        Self {
            file: String::new(),
            line,
            column: 1,
            problem: problem.into(),
            cure: cure.into(),
        }
    }

    /// Sets the character in the line.
    #[must_use]
    pub(crate) fn column(mut self, column: usize) -> Self {
        self.column = column;
        self
    }

    /// Sets the file.
    #[must_use]
    pub(crate) fn file(mut self, file: &str) -> Self {
        file.clone_into(&mut self.file);
        self
    }
}

impl std::fmt::Display for ReadFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.file.is_empty(), self.line) {
            (true, 0) => write!(f, "{}", self.problem),
            (false, 0) => write!(f, "{}: {}", self.file, self.problem),
            (true, line) => write!(f, "line {line}, column {}: {}", self.column, self.problem),
            (false, line) => {
                let Self {
                    file,
                    column,
                    problem,
                    ..
                } = self;
                write!(f, "{file}, line {line}, column {column}: {problem}")
            }
        }
    }
}

impl std::error::Error for ReadFault {}

/// Cuts a text for a message.
pub(super) fn shorten(text: &str) -> String {
    const MOST: usize = 30;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let start: String = text.chars().take(MOST).collect();
    format!("{start}…")
}
