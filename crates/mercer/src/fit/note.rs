//! What a user should know about a fit.

use serde::{Deserialize, Serialize};

use super::warning::{Warning, WarningCode};

/// Something a user should know about a fit: a choice made, or a reason for care.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredNote", into = "StoredNote")]
pub enum Note {
    /// A value that was chosen from the data.
    Choice(String),
    /// A reason to trust the result less, which lies in the fit.
    Alert(String),
    /// A reason to trust the result less, which lies in the data.
    Warning(Warning),
}

impl Note {
    /// Returns the text of the note.
    pub fn text(&self) -> &str {
        match self {
            Self::Choice(text) | Self::Alert(text) => text,
            Self::Warning(warning) => &warning.text,
        }
    }

    /// Returns whether the note is a reason for care.
    pub fn is_alert(&self) -> bool {
        !matches!(self, Self::Choice(_))
    }
}

/// A note in a file: what lies in the data is an alert that says more.
#[derive(Serialize, Deserialize)]
struct StoredNote {
    kind: NoteKind,
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<WarningCode>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    columns: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rows: Option<usize>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum NoteKind {
    Choice,
    Alert,
}

impl From<StoredNote> for Note {
    fn from(note: StoredNote) -> Self {
        match (note.kind, note.code) {
            (NoteKind::Choice, _) => Self::Choice(note.text),
            (NoteKind::Alert, None) => Self::Alert(note.text),
            (NoteKind::Alert, Some(code)) => Self::Warning(Warning {
                code,
                columns: note.columns,
                rows: note.rows.unwrap_or(0),
                text: note.text,
            }),
        }
    }
}

impl From<Note> for StoredNote {
    fn from(note: Note) -> Self {
        let plain = |kind, text| Self {
            kind,
            text,
            code: None,
            columns: Vec::new(),
            rows: None,
        };
        match note {
            Note::Choice(text) => plain(NoteKind::Choice, text),
            Note::Alert(text) => plain(NoteKind::Alert, text),
            Note::Warning(warning) => Self {
                code: Some(warning.code),
                columns: warning.columns,
                rows: Some(warning.rows).filter(|rows| *rows > 0),
                ..plain(NoteKind::Alert, warning.text)
            },
        }
    }
}

impl From<Warning> for Note {
    fn from(warning: Warning) -> Self {
        Self::Warning(warning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_stored_by_kind_and_text() {
        let read = |text: &str| serde_json::from_str::<Note>(text).unwrap();
        let choice = r#"{"kind":"choice","text":"a"}"#;
        assert_eq!(read(choice), Note::Choice("a".to_owned()));
        assert_eq!(serde_json::to_string(&read(choice)).unwrap(), choice);
        let alert = r#"{"kind":"alert","text":"b"}"#;
        assert_eq!(read(alert), Note::Alert("b".to_owned()));
        let warning = Warning::new(WarningCode::Constant, "c").columns(["x"]);
        let stored = r#"{"kind":"alert","text":"c","code":"constant","columns":["x"]}"#;
        assert_eq!(read(stored), Note::Warning(warning));
        assert_eq!(serde_json::to_string(&read(stored)).unwrap(), stored);
        assert!(read(stored).is_alert() && !read(choice).is_alert());
    }
}
