//! Advice that names things as each front end calls them.
//!
//! The core knows a setting as `c`; the command calls it `--c`, Python `C`, and a page has a
//! field for it. A [`Hint`] is therefore text with [`Word`]s in it, and who shows it brings the
//! [`Wording`]. Words have one list and no wild cards: a front end that lacks one does not
//! compile.

use std::fmt;

/// A thing that front ends call by names of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// A setting or a limit by its name in the core, such as `c`, `memory` or `max_seconds`.
    Setting(&'static str),
    /// A setting with the value to give it.
    Set {
        /// The setting's name in the core.
        setting: &'static str,
        /// The value by its name.
        to: &'static str,
    },
    /// What a column is for: `target`, `weights`, `groups`, `id` or `drop`.
    Role(&'static str),
    /// A task by its name, such as `novelty`.
    Task(&'static str),
    /// Models to choose from, by name.
    Models(&'static [&'static str]),
    /// A kind that a column is to be read as.
    Kind {
        /// The column's name.
        column: String,
        /// The kind's name.
        kind: &'static str,
    },
    /// Texts of a column that stand for a missing value.
    Missing {
        /// The column's name.
        column: String,
        /// The texts.
        texts: Vec<String>,
    },
    /// The format in which a column has its dates.
    DateFormat {
        /// The column's name.
        column: String,
        /// The format, as `strptime` has it.
        format: String,
    },
    /// Columns that are given a part: `drop` leaves them out, `use` keeps them.
    Columns {
        /// The part.
        role: &'static str,
        /// The columns' names.
        columns: Vec<String>,
    },
    /// Something to do.
    Act(Act),
}

/// Something to do, which reads as an imperative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Give texts to a kernel on strings.
    GiveTexts,
    /// Give graphs or molecules to a kernel on graphs.
    GiveGraphs,
    /// Give nodes of a network to a kernel on nodes.
    GiveNodes,
    /// Give a file that holds a model.
    GiveModel,
    /// Read a model of LIBSVM as such.
    ImportModel,
    /// Look at the list of kernels.
    ListKernels,
    /// Make a kernel matrix positive semidefinite.
    RepairMatrix,
    /// Predict the other rows where a cell of one cannot be read.
    SkipRows,
    /// Leave out rows whose target is missing.
    DropUnlabelled,
    /// Take columns by their place where a file has no names for them.
    MatchByPlace,
    /// Read lines and fields that are longer than the reader allows.
    AllowLongFields,
}

/// How a front end calls things.
pub trait Wording {
    /// Returns a word as a piece of a sentence, quoted where it needs to be.
    fn word(&self, word: &Word) -> String;

    /// Returns what a setting of the core is called, without quotes; a name that the front end
    /// does not change is returned as it is.
    fn setting<'a>(&self, name: &'a str) -> &'a str {
        name
    }
}

/// The wording of the library itself: names as the core has them, in backticks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain;

impl Wording for Plain {
    fn word(&self, word: &Word) -> String {
        match word {
            Word::Setting(name) | Word::Role(name) | Word::Task(name) => format!("`{name}`"),
            Word::Set { setting, to } => format!("`{setting}` = `{to}`"),
            Word::Models(names) => either(names.iter().map(|name| format!("`{name}`"))),
            Word::Kind { column, kind } => format!("`{column}` as `{kind}`"),
            Word::Missing { texts, .. } => format!("`missing` = `{}`", texts.join(",")),
            Word::DateFormat { column, format } => format!("`{column}` in `{format}`"),
            Word::Columns { role, columns } => format!("`{role}` = `{}`", columns.join(",")),
            Word::Act(act) => match act {
                Act::GiveTexts => "read the column as text",
                Act::GiveGraphs => "read the column as molecules, or give graphs",
                Act::GiveNodes => "give a network and a list of its nodes",
                Act::GiveModel => "give a model file of mercer",
                Act::ImportModel => "import it as a model of LIBSVM",
                Act::ListKernels => "see the list of kernels",
                Act::RepairMatrix => "repair the matrix",
                Act::SkipRows => "leave the row out",
                Act::DropUnlabelled => "`drop_unlabelled`",
                Act::MatchByPlace => "give the columns their names",
                Act::AllowLongFields => "raise `max_field`",
            }
            .to_owned(),
        }
    }
}

/// Joins alternatives: `a`, `b` or `c`.
pub fn either(names: impl IntoIterator<Item = String>) -> String {
    let mut names: Vec<String> = names.into_iter().collect();
    let Some(last) = names.pop() else {
        return String::new();
    };
    if names.is_empty() {
        return last;
    }
    format!("{} or {last}", names.join(", "))
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Word(Word),
}

/// Advice: text with words in it that every front end says in its own way.
///
/// ```
/// use mercer::hint::{Hint, Plain, Word};
///
/// let hint = Hint::from("raise ")
///     .word(Word::Setting("memory"))
///     .then(" or use fewer rows");
/// assert_eq!(hint.text(&Plain), "raise `memory` or use fewer rows");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    pieces: Vec<Piece>,
}

impl Hint {
    /// Appends text.
    #[must_use]
    pub fn then(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(Piece::Text(text.into()));
        self
    }

    /// Appends a word.
    #[must_use]
    pub fn word(mut self, word: Word) -> Self {
        self.pieces.push(Piece::Word(word));
        self
    }

    /// Puts several hints into one.
    pub fn join(hints: impl IntoIterator<Item = Self>) -> Self {
        let mut pieces = Vec::new();
        for hint in hints {
            if !pieces.is_empty() {
                pieces.push(Piece::Text("; ".to_owned()));
            }
            pieces.extend(hint.pieces);
        }
        Self { pieces }
    }

    /// Returns the advice in a front end's words.
    pub fn text(&self, wording: &dyn Wording) -> String {
        let said = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Word(word) => wording.word(word),
        });
        said.collect()
    }
}

impl From<&str> for Hint {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for Hint {
    fn from(text: String) -> Self {
        Self {
            pieces: vec![Piece::Text(text)],
        }
    }
}

impl From<Word> for Hint {
    fn from(word: Word) -> Self {
        Self {
            pieces: vec![Piece::Word(word)],
        }
    }
}

impl From<Act> for Hint {
    fn from(act: Act) -> Self {
        Word::Act(act).into()
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&Plain))
    }
}

/// Hints equal texts in the plain wording.
impl PartialEq<&str> for Hint {
    fn eq(&self, text: &&str) -> bool {
        self.text(&Plain) == *text
    }
}

impl PartialEq<String> for Hint {
    fn eq(&self, text: &String) -> bool {
        *self == text.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Loud;

    impl Wording for Loud {
        fn word(&self, word: &Word) -> String {
            Plain.word(word).to_uppercase()
        }
    }

    #[test]
    fn words_are_the_front_ends_and_text_is_not() {
        let hint = Hint::from("raise ")
            .word(Word::Setting("memory"))
            .then(" or rest");
        assert_eq!(hint.text(&Loud), "raise `MEMORY` or rest");
        assert_eq!(hint.to_string(), "raise `memory` or rest");
    }

    #[test]
    fn joined_hints_keep_their_words() {
        let hints = [Hint::from("rest"), Act::ImportModel.into()];
        assert_eq!(
            Hint::join(hints).text(&Loud),
            "rest; IMPORT IT AS A MODEL OF LIBSVM"
        );
        assert_eq!(Hint::join([]), "");
    }

    #[test]
    fn every_word_has_a_plain_form() {
        let said = |word: Word| Hint::from(word).to_string();
        assert_eq!(said(Word::Role("target")), "`target`");
        assert_eq!(said(Word::Models(&["svc"])), "`svc`");
        assert_eq!(said(Word::Models(&["a", "b", "c"])), "`a`, `b` or `c`");
        let scale = Word::Set {
            setting: "scale",
            to: "none",
        };
        assert_eq!(said(scale), "`scale` = `none`");
        let kind = Word::Kind {
            column: "x".to_owned(),
            kind: "text",
        };
        assert_eq!(said(kind), "`x` as `text`");
        let columns = Word::Columns {
            role: "drop",
            columns: vec!["x".to_owned(), "y".to_owned()],
        };
        assert_eq!(said(columns), "`drop` = `x,y`");
    }
}
