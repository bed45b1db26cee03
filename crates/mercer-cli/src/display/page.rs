//! Lines under headings.

use std::path::PathBuf;

use mercer::fit::Note;

use super::WIDTH;
use crate::style::{Paint, wrap};
use crate::wording::told;

/// Width of the column of names.
const NAMES: usize = 18;

/// Collects lines under headings.
pub(crate) struct Page {
    pub(super) paint: Paint,
    text: String,
}

impl Page {
    pub(crate) fn new(paint: Paint) -> Self {
        Self {
            paint,
            text: String::new(),
        }
    }

    /// Starts a section.
    pub(crate) fn heading(&mut self, title: &str, aside: &str) -> &mut Self {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let aside = if aside.is_empty() {
            String::new()
        } else {
            format!("  {}", self.paint.dim(aside))
        };
        self.line(&format!("{}{aside}", self.paint.bold(title)))
    }

    /// Adds a name and its value.
    pub(crate) fn item(&mut self, name: &str, value: &str) -> &mut Self {
        let mut name = format!("{name:<NAMES$}");
        // A longer name still has to end before its value.
        if !name.ends_with(' ') {
            name.push_str("  ");
        }
        self.line(&format!("  {}{value}", self.paint.cyan(&name)))
    }

    /// Adds the section of the files that were written, where there are some.
    pub(crate) fn files(&mut self, files: &[(&str, &Option<PathBuf>)]) -> &mut Self {
        let mut written = files
            .iter()
            .filter_map(|(name, file)| file.as_ref().map(|file| (name, file)))
            .peekable();
        if written.peek().is_some() {
            self.heading("Files", "");
        }
        for (name, file) in written {
            self.item(name, &file.display().to_string());
        }
        self
    }

    /// Adds a text, line by line.
    pub(crate) fn block(&mut self, text: &str) -> &mut Self {
        for line in text.lines() {
            self.line(format!("  {line}").trim_end());
        }
        self
    }

    /// Adds an empty line.
    pub(crate) fn gap(&mut self) -> &mut Self {
        self.line("")
    }

    pub(super) fn line(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self.text.push('\n');
        self
    }

    /// Adds notes, those that call for care first.
    pub(crate) fn notes(&mut self, notes: &[Note]) -> &mut Self {
        let alerts = notes.iter().filter(|n| n.is_alert());
        let choices = notes.iter().filter(|n| matches!(n, Note::Choice(_)));
        for note in alerts.chain(choices) {
            let alert = note.is_alert();
            let mark = if alert {
                self.paint.yellow("! ")
            } else {
                self.paint.dim("- ")
            };
            for (i, line) in wrap(&told(note), WIDTH - 4).iter().enumerate() {
                let line = if alert {
                    self.paint.yellow(line)
                } else {
                    line.clone()
                };
                let lead = if i == 0 { mark.as_str() } else { "  " };
                self.line(&format!("  {lead}{line}"));
            }
        }
        self
    }

    /// Adds what to do about notes.
    pub(crate) fn hints(&mut self, hints: &[String]) -> &mut Self {
        for hint in hints {
            for (i, line) in wrap(hint, WIDTH - 4).iter().enumerate() {
                let lead = if i == 0 { "> " } else { "  " };
                self.line(&format!("  {}{line}", self.paint.cyan(lead)));
            }
        }
        self
    }

    /// Returns the text.
    pub(crate) fn finish(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}
