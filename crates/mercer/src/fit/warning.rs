//! What is wrong with the data, or looks so.

use serde::{Deserialize, Serialize};

use crate::hint::{Hint, Word};

/// What a warning is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningCode {
    /// Columns that number or name rows were left out.
    LeftOut,
    /// Columns that number or name rows are learnt from.
    Identifier,
    /// A column alone predicts the target.
    GivesTargetAway,
    /// Columns hold one value.
    Constant,
    /// Columns hold one value in nearly all rows.
    NearlyConstant,
    /// Columns have no value in any row, or in nearly all.
    Missing,
    /// Columns have more categories than the rows can tell apart.
    ManyCategories,
    /// Columns repeat each other.
    EqualColumns,
    /// Columns are combinations of others, or nearly so.
    Collinear,
    /// There are fewer rows than parameters.
    FewRows,
    /// Classes have too few rows to be learnt, or to be evaluated.
    RareClass,
    /// One class has nearly all rows.
    Imbalance,
    /// A class is never predicted, or hardly ever.
    UnheardClass,
    /// Rows that are equal have different targets.
    Contradiction,
    /// Rows to evaluate on were learnt from.
    SeenRows,
    /// Rows without a target were left out.
    Unlabelled,
    /// Columns as they are differ so much in size that the largest decide.
    Unscaled,
    /// Anything that a later version tells of.
    #[serde(other)]
    Other,
}

impl WarningCode {
    /// Returns the code as files and `--json` write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::LeftOut => "left_out",
            Self::Identifier => "identifier",
            Self::GivesTargetAway => "gives_target_away",
            Self::Constant => "constant",
            Self::NearlyConstant => "nearly_constant",
            Self::Missing => "missing",
            Self::ManyCategories => "many_categories",
            Self::EqualColumns => "equal_columns",
            Self::Collinear => "collinear",
            Self::FewRows => "few_rows",
            Self::RareClass => "rare_class",
            Self::Imbalance => "imbalance",
            Self::UnheardClass => "unheard_class",
            Self::Contradiction => "contradiction",
            Self::SeenRows => "seen_rows",
            Self::Unlabelled => "unlabelled",
            Self::Unscaled => "unscaled",
            Self::Other => "other",
        }
    }
}

/// A finding about the data: what it is about, where, and in words.
///
/// The text names no flag; what to do about it is the [`hint`](Self::hint), which follows from
/// the code and the columns.
///
/// # Examples
/// ```
/// use mercer::fit::{Warning, WarningCode};
///
/// let warning = Warning::new(WarningCode::LeftOut, "column `id` counts rows: left out")
///     .columns(["id"]);
/// let hint = warning.hint().expect("a hint");
/// assert_eq!(hint.to_string(), "keep it: `use` = `id`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// What it is about.
    pub code: WarningCode,
    /// The columns concerned; of a class, the target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// The rows concerned; 0 where rows are not what it is about.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rows: usize,
    /// What is told, in one sentence without a period.
    pub text: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(rows: &usize) -> bool {
    *rows == 0
}

impl Warning {
    /// Creates a warning that names no column.
    pub fn new(code: WarningCode, text: impl Into<String>) -> Self {
        Self {
            code,
            columns: Vec::new(),
            rows: 0,
            text: text.into(),
        }
    }

    /// Sets the columns concerned.
    #[must_use]
    pub fn columns<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.columns = columns.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the number of rows concerned.
    #[must_use]
    pub fn rows(mut self, rows: usize) -> Self {
        self.rows = rows;
        self
    }

    /// Returns what can be done, where there is something.
    pub fn hint(&self) -> Option<Hint> {
        let columns = |role| Word::Columns {
            role,
            columns: self.columns.clone(),
        };
        let them = if self.columns.len() == 1 {
            "it"
        } else {
            "them"
        };
        match self.code {
            WarningCode::LeftOut => Some(Hint::from(format!("keep {them}: ")).word(columns("use"))),
            WarningCode::Identifier | WarningCode::ManyCategories => {
                Some(Hint::from(format!("leave {them} out: ")).word(columns("drop")))
            }
            WarningCode::GivesTargetAway => {
                Some(Hint::from("if it is not known beforehand: ").word(columns("drop")))
            }
            WarningCode::UnheardClass | WarningCode::Imbalance => {
                Some(Hint::from("count the classes alike: ").word(Word::Set {
                    setting: "class_weight",
                    to: "balanced",
                }))
            }
            WarningCode::Unscaled => Some(Hint::from("standardise them: ").word(Word::Set {
                setting: "scale",
                to: "standard",
            })),
            WarningCode::Collinear | WarningCode::FewRows => Some(
                Hint::from("a penalty keeps weights small: use ").word(Word::Models(&["ridge"])),
            ),
            _ => None,
        }
    }
}

/// Joins names for a sentence: `a`, `b` and `c`; of long lists the first ones.
pub(crate) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    /// Names that are written out; the columns of a warning have all of them.
    const SHOWN: usize = 6;
    let quoted = |name: &S| format!("`{}`", name.as_ref());
    if names.len() > SHOWN {
        let shown: Vec<String> = names[..SHOWN].iter().map(quoted).collect();
        return format!("{} and {} more", shown.join(", "), names.len() - SHOWN);
    }
    let all: Vec<String> = names.iter().map(quoted).collect();
    match all.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_stored_by_name_and_unknown_ones_are_read() {
        let warning = Warning::new(WarningCode::NearlyConstant, "text").columns(["a"]);
        let json = serde_json::to_value(&warning).unwrap();
        assert_eq!(json["code"], WarningCode::NearlyConstant.name());
        assert_eq!(serde_json::from_value::<Warning>(json).unwrap(), warning);
        let later: Warning = serde_json::from_str(r#"{"code":"later","text":"x"}"#).unwrap();
        assert_eq!(later.code, WarningCode::Other);
        assert_eq!(later.hint(), None);
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(listed(&["a"]), "`a`");
        assert_eq!(listed(&["a", "b", "c"]), "`a`, `b` and `c`");
        let many: Vec<String> = (0..9).map(|i| i.to_string()).collect();
        assert_eq!(listed(&many), "`0`, `1`, `2`, `3`, `4`, `5` and 3 more");
    }
}
