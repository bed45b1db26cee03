//! Errors as the exceptions Python users know.

use mercer::hint::Hint;
use pyo3::PyErr;
use pyo3::exceptions::{
    PyFileNotFoundError, PyKeyboardInterrupt, PyMemoryError, PyOSError, PySystemError,
    PyTimeoutError, PyValueError,
};

use crate::wording::Keywords;

/// Words an error in Python's terms: the fact, then the advice.
fn message(fact: String, hints: &[Hint]) -> String {
    let mut text = fact;
    for hint in hints {
        let end = text.trim_end().chars().last();
        text.push_str(if matches!(end, Some('.' | '^')) {
            "\n"
        } else {
            "; "
        });
        text.push_str(&hint.text(&Keywords));
    }
    text
}

/// Turns an error of the core into an exception.
pub(crate) fn raise(error: &mercer::Error) -> PyErr {
    let text = message(error.fact(&Keywords), &error.hints());
    match error {
        mercer::Error::Memory { .. } | mercer::Error::Data { .. } => PyMemoryError::new_err(text),
        mercer::Error::Cancelled => PyKeyboardInterrupt::new_err(text),
        mercer::Error::OutOfTime => PyTimeoutError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// Turns an error of files into an exception.
pub(crate) fn raise_io(error: mercer_io::Error) -> PyErr {
    let text = message(error.fact(&Keywords), &error.hints());
    match error {
        mercer_io::Error::Mercer(inner) => raise(&inner),
        mercer_io::Error::NotFound { .. } => PyFileNotFoundError::new_err(text),
        mercer_io::Error::Io { .. } => PyOSError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// A fault of mercer itself: the panic's message, for a bug report.
pub(crate) fn raise_panic(panic: &(dyn std::any::Any + Send)) -> PyErr {
    let said = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    PySystemError::new_err(format!(
        "internal error of mercer, please report it: {said}"
    ))
}
