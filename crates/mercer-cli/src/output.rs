//! The two outlets: results on standard output, everything else on standard error.

use std::io::Write;

use mercer::fit::Note;
use serde::Serialize;

use crate::failure::{Failure, Fault, Result};
use crate::style::{Paint, wrap};
use crate::wording::told;

/// Where and how results are told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    /// Whether the result is one JSON object.
    pub(crate) json: bool,
    /// Colours of standard output.
    pub(crate) paint: Paint,
}

impl Output {
    /// Looks at the terminal and its environment.
    pub(crate) fn new(json: bool) -> Self {
        Self {
            json,
            paint: Paint::stdout(),
        }
    }

    /// Prints text for humans on standard output.
    #[expect(clippy::unused_self, reason = "every result goes through one outlet")]
    pub(crate) fn text(self, text: &str) -> Result<()> {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .map_err(|e| Failure::stdout(&e))
    }

    /// Prints one JSON object on standard output.
    pub(crate) fn object(self, object: &impl Serialize) -> Result<()> {
        let mut text = serde_json::to_string(object).map_err(|e| Failure::stdout(&e.into()))?;
        text.push('\n');
        self.text(&text)
    }

    /// Prints notes on standard error.
    #[expect(clippy::unused_self, reason = "every result goes through one outlet")]
    pub(crate) fn notes(self, notes: &[Note]) {
        let paint = Paint::stderr();
        for note in notes {
            let mark = if note.is_alert() {
                paint.yellow("warning:")
            } else {
                paint.cyan("note:")
            };
            warn(&format!("{mark} {}", told(note)));
        }
    }

    /// Tells that a file was written; JSON says so itself.
    pub(crate) fn wrote(self, path: &std::path::Path) {
        if !self.json {
            warn(&format!(
                "{} {}",
                Paint::stderr().green("wrote"),
                path.display()
            ));
        }
    }

    /// Tells a failure: message and hints on standard error, or an object on standard output.
    pub(crate) fn failure(self, failure: &Failure) {
        if failure.fault == Fault::ClosedPipe {
            return;
        }
        if self.json {
            // Nobody is left to tell when this fails.
            let _ = self.object(&failure.to_json());
            return;
        }
        let paint = Paint::stderr();
        warn(&format!("{} {}", paint.red("error:"), failure.message));
        for hint in &failure.hints {
            let lines = wrap(hint, 100);
            warn(&format!(
                "{} {}",
                paint.cyan("hint:"),
                lines.join("\n      ")
            ));
        }
    }
}

/// Writes one line to standard error; a closed one is nobody's fault.
pub(crate) fn warn(line: &str) {
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "{line}");
}
