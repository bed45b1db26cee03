//! What went wrong: message, advice, exit code.

use std::process::ExitCode;

use mercer::hint::Hint;
use serde_json::json;

use crate::wording::Flags;

/// A result whose error is [`Failure`].
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// Who is at fault, which is what the exit code tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The data or the model.
    Data,
    /// The command line.
    Usage,
    /// Ctrl-C.
    Interrupted,
    /// The reader of standard output went away: nothing to report.
    ClosedPipe,
}

/// An error as the command tells it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failure {
    pub(crate) fault: Fault,
    /// A stable name for programs.
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) hints: Vec<String>,
}

impl Failure {
    /// Wrong usage.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            fault: Fault::Usage,
            code: "usage",
            message: message.into(),
            hints: vec![hint.into()],
        }
    }

    /// Something this model or version cannot do.
    pub(crate) fn unavailable(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            code: "unsupported",
            ..Self::usage(message, hint)
        }
    }

    /// Fault of the data or the model.
    pub(crate) fn data(
        code: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            fault: Fault::Data,
            code,
            message: message.into(),
            hints: vec![hint.into()],
        }
    }

    /// A name that is not among the known ones, with the closest.
    pub(crate) fn unknown(kind: &'static str, name: &str, known: &[&str]) -> Self {
        mercer::Error::Unknown {
            kind,
            name: name.to_owned(),
            known: known.iter().map(|k| (*k).to_owned()).collect(),
        }
        .into()
    }

    /// Ctrl-C.
    pub(crate) fn interrupted() -> Self {
        Self {
            fault: Fault::Interrupted,
            code: "interrupted",
            message: "interrupted".to_owned(),
            hints: Vec::new(),
        }
    }

    /// Blames the data for what would otherwise be the command line's fault.
    pub(crate) fn of_data(mut self) -> Self {
        if self.fault == Fault::Usage {
            self.fault = Fault::Data;
        }
        self
    }

    /// Returns the number the process ends with.
    pub(crate) fn exit_number(&self) -> u8 {
        match self.fault {
            Fault::ClosedPipe => 0,
            Fault::Data => 1,
            Fault::Usage => 2,
            Fault::Interrupted => crate::interrupt::exit_number(),
        }
    }

    /// Returns the exit code.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.exit_number())
    }

    /// Returns the error as programs read it.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        json!({"error": {"code": self.code, "message": self.message, "hints": self.hints}})
    }
}

/// Says hints with the command's flags.
pub(crate) fn worded(hints: &[Hint]) -> Vec<String> {
    hints.iter().map(|hint| hint.text(&Flags)).collect()
}

impl From<mercer::Error> for Failure {
    fn from(error: mercer::Error) -> Self {
        use mercer::Error as E;
        let (fault, code) = match &error {
            E::Setting { .. } | E::Settings { .. } => (Fault::Usage, "setting"),
            E::Conflict { .. } => (Fault::Usage, "conflict"),
            E::Unknown { .. } => (Fault::Usage, "unknown_name"),
            E::Columns { .. } => (Fault::Data, "unknown_name"),
            E::KernelSyntax { .. } => (Fault::Usage, "kernel_syntax"),
            E::Unsupported { .. } => (Fault::Usage, "unsupported"),
            E::Length { .. } => (Fault::Data, "length"),
            E::ColumnKind { .. } => (Fault::Data, "column_kind"),
            E::Cell { .. } => (Fault::Data, "cell"),
            E::Rows { .. } => (Fault::Data, "rows"),
            E::Kernel { .. } => (Fault::Data, "kernel"),
            E::NotSeparable { .. } => (Fault::Data, "not_separable"),
            E::Memory { .. } | E::Data { .. } => (Fault::Data, "memory"),
            E::Model { .. } => (Fault::Data, "model"),
            E::OutOfTime => (Fault::Data, "time_limit"),
            E::Cancelled => return Self::interrupted(),
            _ => (Fault::Data, "data"),
        };
        Self {
            fault,
            code,
            message: error.fact(&Flags),
            hints: worded(&error.hints()),
        }
    }
}

impl From<mercer_io::Error> for Failure {
    fn from(error: mercer_io::Error) -> Self {
        use mercer_io::Error as E;
        let code = match error {
            E::Mercer(inner) => return inner.into(),
            E::Io { ref source, .. } if source.kind() == std::io::ErrorKind::BrokenPipe => {
                return Self::closed_pipe();
            }
            E::NotFound { .. } => "not_found",
            E::Io { .. } => "io",
            E::Syntax { .. } => "syntax",
            E::Cell { .. } | E::Entry { .. } => "cell",
            E::FieldCount { .. } => "field_count",
            E::Empty { .. } => "empty",
            E::Damaged { .. } => "damaged",
            E::Limit { is_time: true, .. } => "time_limit",
            E::Limit { .. } => "limit",
            E::Unsupported { .. } => "unsupported",
            _ => "file",
        };
        Self {
            fault: Fault::Data,
            code,
            message: error.fact(&Flags),
            hints: worded(&error.hints()),
        }
    }
}

impl Failure {
    fn closed_pipe() -> Self {
        Self {
            fault: Fault::ClosedPipe,
            code: "closed_pipe",
            message: "standard output was closed".to_owned(),
            hints: Vec::new(),
        }
    }

    /// Wraps an error of writing to standard output.
    pub(crate) fn stdout(error: &std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Self::closed_pipe();
        }
        Self {
            fault: Fault::Data,
            code: "io",
            message: format!("standard output: {error}"),
            hints: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_decide_the_exit_code() {
        let usage: Failure = mercer::Error::setting("c", -1.0, "positive and finite").into();
        assert_eq!(usage.exit_number(), 2);
        let data: Failure = mercer::Error::rows("no rows", "give rows").into();
        assert_eq!((data.exit_number(), data.code), (1, "rows"));
        assert_eq!(Failure::from(mercer::Error::Cancelled).exit_number(), 130);
        assert_eq!(usage.of_data().exit_number(), 1);
    }

    #[test]
    fn unknown_names_get_a_suggestion() {
        let failure = Failure::unknown("model", "scv", &["svc", "svr"]);
        assert_eq!(failure.hints, ["did you mean `svc`?"]);
        assert_eq!(failure.to_json()["error"]["code"], "unknown_name");
    }

    #[test]
    fn advice_names_flags() {
        let failure: Failure = mercer::Error::OutOfTime.into();
        assert_eq!(failure.hints, ["raise `--max-seconds` or use fewer rows"]);
        let failure: Failure = mercer_io::Error::from(mercer::Error::Memory {
            what: "the matrix".to_owned(),
            needed: 2,
            limit: 1,
        })
        .into();
        assert_eq!(failure.hints, ["raise `--memory` or use fewer rows"]);
    }
}
