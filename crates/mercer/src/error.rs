//! The one public error type of the library.

use crate::hint::{Act, Hint, Plain, Word, Wording};

/// A result whose error is [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can be wrong with data, settings or a model.
///
/// The message states the fact; [`Error::hints`] gives the advice.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting has a value outside its range.
    #[error("{}", refused(.name, .value, .rule))]
    Setting {
        /// The setting's name in the core; [`Error::fact`] says it as a front end does.
        name: String,
        /// The refused value.
        value: String,
        /// What is allowed, as the end of "it must be ...".
        rule: String,
    },
    /// Several settings are wrong at once.
    #[error("{}", join(.errors, &Plain))]
    Settings {
        /// Every problem found.
        errors: Vec<Error>,
    },
    /// Two settings or inputs do not go together.
    #[error("{what}")]
    Conflict {
        /// The two sides and why they exclude each other.
        what: String,
        /// What to do instead.
        cure: Hint,
    },
    /// Two lengths that must agree differ.
    #[error("{what} has {found} {unit}; {expected} expected")]
    Length {
        /// The thing measured.
        what: String,
        /// Its length.
        found: usize,
        /// The length it must have.
        expected: usize,
        /// What is counted, such as `rows` or `columns`.
        unit: &'static str,
    },
    /// A name is not among the known ones.
    #[error("{}", unknown(.kind, .name))]
    Unknown {
        /// What was looked for, such as `column` or `kernel`.
        kind: &'static str,
        /// The name that was asked for.
        name: String,
        /// All names that exist.
        known: Vec<String>,
    },
    /// Columns that a model reads are not there.
    #[error("{}", lacking(.missing))]
    Columns {
        /// Columns that are not there.
        missing: Vec<String>,
        /// All columns that are.
        known: Vec<String>,
        /// All columns that the model reads, in the order in which it learnt them.
        needed: Vec<String>,
    },
    /// A column has values of the wrong kind.
    #[error("column `{column}` is {found}; {expected} is needed")]
    ColumnKind {
        /// The column's name.
        column: String,
        /// The kind it has.
        found: String,
        /// The kind it must have.
        expected: String,
    },
    /// One cell cannot be used.
    #[error("{place}, column `{column}`: {problem}")]
    Cell {
        /// File and line, or the row number.
        place: String,
        /// The column's name.
        column: String,
        /// What is wrong with the value.
        problem: String,
        /// What to do about it.
        cure: Hint,
    },
    /// The rows cannot be learnt from.
    #[error("{problem}")]
    Rows {
        /// What is wrong with the rows as a whole.
        problem: String,
        /// What to do about it.
        cure: Hint,
    },
    /// A kernel expression cannot be read.
    #[error("kernel expression, character {position}: {problem}\n  {text}\n  {}^", " ".repeat(.position.saturating_sub(1)))]
    KernelSyntax {
        /// The whole expression.
        text: String,
        /// One-based character position of the problem.
        position: usize,
        /// What was found and what was expected.
        problem: String,
    },
    /// A kernel cannot be used on these rows.
    #[error("kernel `{kernel}`: {problem}")]
    Kernel {
        /// The kernel as an expression.
        kernel: String,
        /// Why it does not fit the rows.
        problem: String,
        /// What to do about it.
        cure: Hint,
    },
    /// The hard margin was asked for on rows between which none can be found.
    #[error("there is no hard margin between the classes `{first}` and `{second}`: {evidence}")]
    NotSeparable {
        /// One class.
        first: String,
        /// The other class.
        second: String,
        /// Rows whose convex combinations meet, and how close they come.
        evidence: String,
        /// Whether two of these rows are one point, which no margin parts.
        equal: bool,
    },
    /// The work needs more memory than the budget.
    #[error("{what} needs {needed} bytes; the memory limit is {limit}")]
    Memory {
        /// What would have been stored.
        what: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// Data, with what is made of them, take more than the process may give them.
    #[error(
        "{what} take {needed} bytes; data may take {limit}, half of what this process may take"
    )]
    Data {
        /// How many rows and columns, as the subject of the sentence.
        what: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The work was stopped from outside before there was anything to return.
    #[error("interrupted")]
    Cancelled,
    /// The time limit came before there was anything to return.
    #[error("the time limit came before there was a result")]
    OutOfTime,
    /// All settings of a search took more than the work that one of them was given.
    #[error("every point of the grid took more than its share of the work")]
    OutOfWork,
    /// The fields of a stored model contradict each other.
    #[error("the model is damaged: {problem}")]
    Model {
        /// Which rule the stored fields break.
        problem: String,
    },
    /// A model cannot do what was asked.
    #[error("{what}")]
    Unsupported {
        /// What was asked, and why this model cannot do it.
        what: String,
        /// What to do instead.
        cure: Hint,
    },
}

impl Error {
    /// Builds [`Error::Setting`].
    pub fn setting(name: &str, value: impl std::fmt::Display, rule: &str) -> Self {
        Self::Setting {
            name: name.to_owned(),
            value: value.to_string(),
            rule: rule.to_owned(),
        }
    }

    /// Builds [`Error::Rows`].
    pub fn rows(problem: impl Into<String>, cure: impl Into<Hint>) -> Self {
        Self::Rows {
            problem: problem.into(),
            cure: cure.into(),
        }
    }

    /// Builds [`Error::Model`].
    pub fn model(problem: impl Into<String>) -> Self {
        Self::Model {
            problem: problem.into(),
        }
    }

    /// Returns one error for a list of problems, or `Ok` when the list is empty.
    pub fn collect(mut errors: Vec<Self>) -> Result<()> {
        match errors.len() {
            0 => Ok(()),
            1 => Err(errors.remove(0)),
            _ => Err(Self::Settings { errors }),
        }
    }

    /// Returns the fact with settings named as a front end names them.
    pub fn fact(&self, wording: &dyn Wording) -> String {
        match self {
            Self::Setting { name, value, rule } => refused(wording.setting(name), value, rule),
            Self::Settings { errors } => join(errors, wording),
            _ => self.to_string(),
        }
    }

    /// Returns advice on how to mend the problem, most useful first.
    pub fn hints(&self) -> Vec<Hint> {
        match self {
            Self::Settings { errors } => {
                let mut hints = Vec::new();
                for hint in errors.iter().flat_map(Self::hints) {
                    if !hints.contains(&hint) {
                        hints.push(hint);
                    }
                }
                hints
            }
            Self::Conflict { cure, .. }
            | Self::Cell { cure, .. }
            | Self::Rows { cure, .. }
            | Self::Kernel { cure, .. }
            | Self::Unsupported { cure, .. } => vec![cure.clone()],
            Self::Unknown { name, known, .. } => unknown_hints(name, known),
            Self::Columns {
                missing,
                known,
                needed,
            } => lacking_hints(missing, known, needed),
            Self::NotSeparable { equal, .. } => {
                let soft = Hint::from("use the soft margin (a finite ")
                    .word(Word::Setting("c"))
                    .then(")");
                let other = if *equal {
                    "or see whether the two rows, or the columns that are learnt from, are the right ones"
                } else {
                    "or a kernel that tells more rows apart: a narrow `rbf` (of larger gamma) tells all apart that differ"
                };
                vec![soft, other.into()]
            }
            Self::Setting { name, rule, .. }
                if rule.starts_with("at most") || rule.starts_with("below the number of rows") =>
            {
                lower(name)
            }
            // Of a column of features, what to do follows from where it is needed.
            Self::ColumnKind { expected, .. } if expected.starts_with("a numeric target") => vec![
                Hint::from("choose a model that tells classes apart, such as ")
                    .word(Word::Models(&["svc", "logistic"]))
                    .then(", or name another column with ")
                    .word(Word::Role("target")),
            ],
            Self::Memory { .. } => vec![raise("memory")],
            Self::Data { .. } => {
                vec!["use fewer rows or columns, or give the process more memory".into()]
            }
            Self::OutOfTime => vec![raise("max_seconds")],
            Self::OutOfWork => vec!["search smaller values of C".into()],
            _ => Vec::new(),
        }
    }
}

fn raise(limit: &'static str) -> Hint {
    Hint::from("raise ")
        .word(Word::Setting(limit))
        .then(" or use fewer rows")
}

/// What can be done where the rows allow less of a setting than was asked for.
fn lower(name: &str) -> Vec<Hint> {
    match name {
        "nu" => vec![
            Hint::from("give a smaller ")
                .word(Word::Setting("nu"))
                .then(", or use ")
                .word(Word::Models(&["svc"]))
                .then(", which has no such limit"),
        ],
        "clusters" => vec![fewer("clusters")],
        "folds" => vec![fewer("folds")],
        "neighbours" => vec![fewer("neighbours")],
        _ => Vec::new(),
    }
}

fn fewer(name: &'static str) -> Hint {
    Hint::from("give more rows, or a smaller number with ").word(Word::Setting(name))
}

fn refused(name: &str, value: &str, rule: &str) -> String {
    format!("`{name}` is `{value}`; it must be {rule}")
}

fn unknown(kind: &str, name: &str) -> String {
    match kind.strip_prefix("parameter of ") {
        Some(family) => format!("kernel {family} has no parameter `{name}`"),
        None => format!("there is no {kind} `{name}`"),
    }
}

fn join(errors: &[Error], wording: &dyn Wording) -> String {
    let lines: Vec<String> = errors.iter().map(|error| error.fact(wording)).collect();
    lines.join("; ")
}

/// Names of columns shown in one message.
const SHOWN: usize = 10;

fn lacking(missing: &[String]) -> String {
    match missing {
        [one] => format!("there is no column needed by the model: `{one}`"),
        several => format!(
            "{} columns that the model needs are not there: {}",
            several.len(),
            shown(several.iter().map(|name| format!("`{name}`")))
        ),
    }
}

/// The first of some texts, and that there are more.
fn shown(texts: impl ExactSizeIterator<Item = String>) -> String {
    let more = texts.len().saturating_sub(SHOWN);
    let mut all: Vec<String> = texts.take(SHOWN).collect();
    if more > 0 {
        all.push(format!("and {more} more"));
    }
    all.join(", ")
}

/// What the columns that are not there may be called in the data.
fn lacking_hints(missing: &[String], known: &[String], needed: &[String]) -> Vec<Hint> {
    // Readers number the columns of files without names.
    let numbered = |(k, name): (usize, &String)| *name == format!("column_{}", k + 1);
    if !known.is_empty() && known.iter().enumerate().all(numbered) {
        if known.len() == needed.len() {
            let hint = Hint::from("the data have no header; put the names on top, or ");
            return vec![hint.word(Word::Act(Act::MatchByPlace))];
        }
        return vec![
            format!(
                "the data have no header: put one on top, with the names of its {} columns; the model reads {}",
                known.len(),
                shown(needed.iter().map(|name| format!("`{name}`")))
            )
            .into(),
        ];
    }
    if let [one] = missing {
        return unknown_hints(one, known);
    }
    let same = |name: &String| {
        let lower = name.trim().to_lowercase();
        known.iter().find(|k| k.trim().to_lowercase() == lower)
    };
    let pairs: Vec<(&String, Option<&String>)> = missing
        .iter()
        .map(|name| (name, same(name).or_else(|| closest(name, known))))
        .collect();
    let in_case = missing.iter().all(|name| same(name).is_some());
    let found: Vec<String> = pairs
        .iter()
        .filter_map(|(name, near)| Some((name, (*near)?)))
        .map(|(name, near)| format!("`{near}` for `{name}`"))
        .collect();
    if in_case {
        let pairs = shown(found.into_iter());
        return vec![
            format!("the names differ in case only: the data have {pairs}; rename them").into(),
        ];
    }
    let mut hints: Vec<Hint> = Vec::new();
    let lost = missing.len() - found.len();
    if !found.is_empty() {
        hints.push(format!("did you mean {}?", shown(found.into_iter())).into());
    }
    if lost > 0 {
        let names = shown(known.iter().map(|name| format!("`{name}`")));
        hints.push(format!("the data have {names}").into());
    }
    hints
}

/// Names close enough to be a slip of the finger, or the whole list when it is short.
fn unknown_hints(name: &str, known: &[String]) -> Vec<Hint> {
    if let Some(best) = closest(name, known) {
        return vec![format!("did you mean `{best}`?").into()];
    }
    if known.is_empty() || known.len() > 40 {
        return Vec::new();
    }
    vec![format!("known: {}", known.join(", ")).into()]
}

/// The name that is closest, where one is close enough to be a slip of the finger.
fn closest<'a>(name: &str, known: &'a [String]) -> Option<&'a String> {
    let mut close: Vec<(f64, &String)> = known
        .iter()
        .map(|k| {
            let (name, k_low) = (name.to_lowercase(), k.to_lowercase());
            let score = strsim::jaro_winkler(&name, &k_low);
            // In short names two swapped letters leave little else in common.
            let swapped = name.len() >= 3 && strsim::osa_distance(&name, &k_low) == 1;
            (if swapped { score.max(0.9) } else { score }, k)
        })
        // 0.8 keeps one- and two-letter slips and drops unrelated names.
        .filter(|(score, _)| *score >= 0.8)
        .collect();
    close.sort_by(|a, b| b.0.total_cmp(&a.0));
    close.first().map(|(_, best)| *best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(missing: &[&str], known: &[&str]) -> Error {
        let owned = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
        Error::Columns {
            missing: owned(missing),
            known: owned(known),
            needed: owned(&["age", "income", "city"]),
        }
    }

    #[test]
    fn missing_columns_are_told_together() {
        let error = columns(&["age", "income"], &["AGE", "Income", "city"]);
        assert_eq!(
            error.to_string(),
            "2 columns that the model needs are not there: `age`, `income`"
        );
        let renamed = "the names differ in case only: the data have `AGE` for `age`, `Income` for `income`; rename them";
        assert_eq!(error.hints(), [renamed]);
        let error = columns(&["age", "income"], &["agee", "z", "city"]);
        assert_eq!(
            error.hints(),
            [
                "did you mean `agee` for `age`?",
                "the data have `agee`, `z`, `city`"
            ]
        );
        let error = columns(&["age"], &["ages", "income", "city"]);
        assert_eq!(
            error.to_string(),
            "there is no column needed by the model: `age`"
        );
        assert_eq!(error.hints(), ["did you mean `ages`?"]);
    }

    #[test]
    fn data_without_a_header_are_told_so() {
        let needed = ["age", "income", "city"];
        let error = columns(&needed, &["column_1", "column_2", "column_3"]);
        assert_eq!(
            error.hints(),
            ["the data have no header; put the names on top, or give the columns their names"]
        );
        let error = columns(&needed, &["column_1", "column_2"]);
        assert_eq!(
            error.hints(),
            [
                "the data have no header: put one on top, with the names of its 2 columns; the model reads `age`, `income`, `city`"
            ]
        );
    }

    #[test]
    fn unknown_name_suggests_the_closest() {
        let error = Error::Unknown {
            kind: "column",
            name: "speices".into(),
            known: vec!["species".into(), "width".into()],
        };
        assert_eq!(error.hints(), ["did you mean `species`?"]);
    }

    #[test]
    fn swapped_letters_of_a_short_name_are_seen() {
        let error = Error::Unknown {
            kind: "kernel",
            name: "rfb".into(),
            known: vec!["linear".into(), "rbf".into()],
        };
        assert_eq!(error.hints(), ["did you mean `rbf`?"]);
    }

    #[test]
    fn several_settings_are_reported_together() {
        let result = Error::collect(vec![
            Error::setting("c", -1.0, "positive and finite"),
            Error::setting("tolerance", 0.0, "positive"),
        ]);
        let text = result.expect_err("two problems").to_string();
        assert!(text.contains("`c` is `-1`") && text.contains("`tolerance`"));
    }

    #[test]
    fn settings_are_named_by_the_front_end() {
        struct Capitals;
        impl Wording for Capitals {
            fn word(&self, word: &Word) -> String {
                Plain.word(word)
            }
            fn setting<'a>(&self, name: &'a str) -> &'a str {
                if name == "c" { "C" } else { name }
            }
        }
        let wrong = Error::Settings {
            errors: vec![
                Error::setting("c", -1.0, "positive"),
                Error::setting("nu", 2.0, "at most 1"),
            ],
        };
        let said = "`C` is `-1`; it must be positive; `nu` is `2`; it must be at most 1";
        assert_eq!(wrong.fact(&Capitals), said);
        assert_eq!(wrong.fact(&Plain), wrong.to_string());
    }

    #[test]
    fn equal_advice_is_given_once() {
        let errors = ["a", "b"].map(|name| Error::Unsupported {
            what: format!("no {name}"),
            cure: "leave it out".into(),
        });
        let error = Error::collect(errors.into()).expect_err("two problems");
        assert_eq!(error.hints(), ["leave it out"]);
    }
}
