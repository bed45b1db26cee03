//! Errors as the exceptions Python users know.

use pyo3::PyErr;
use pyo3::exceptions::{
    PyFileNotFoundError, PyKeyboardInterrupt, PyMemoryError, PyOSError, PySystemError,
    PyTimeoutError, PyValueError,
};

/// What the core calls a thing, and what Python calls it.
const SPOKEN: [(&str, &str); 18] = [
    ("`c` is", "`C` is"),
    (
        "read the column as text: `--kind COLUMN=text`",
        "give strings, or name a column of strings after `@`",
    ),
    (
        "read the column as molecules: `--kind COLUMN=molecule`, or give a folder of graphs",
        "give graphs or SMILES, or name a column of them after `@`",
    ),
    (
        "give a list of edges and a list of members: `mercer fit EDGES --nodes MEMBERS`",
        "give what the `nodes` of `mercer.kernels.network` returns",
    ),
    ("`tolerance`", "`tol`"),
    ("`max_iterations`", "`max_iter`"),
    ("`--c`", "`C`"),
    ("`--memory`", "`memory_limit`"),
    ("`--task novelty`", "`OneClassSVM`"),
    ("`--kernel`", "`kernel`"),
    ("`--threads`", "`n_jobs`"),
    ("`--max-seconds`", "`max_seconds`"),
    ("`--weights`", "`sample_weight`"),
    ("`--model svc`", "`SVC`"),
    ("`--model`", "the estimator"),
    ("`--nu`", "`nu`"),
    ("`--epsilon`", "`epsilon`"),
    ("`threads`", "`n_jobs`"),
];

/// Words an error in Python's terms: the fact, then the advice.
fn message(fact: &str, hints: &[String]) -> String {
    let mut text = fact.to_owned();
    for hint in hints {
        let end = text.trim_end().chars().last();
        text.push_str(if matches!(end, Some('.' | '^')) {
            "\n"
        } else {
            "; "
        });
        text.push_str(hint);
    }
    SPOKEN
        .iter()
        .fold(text, |text, (core, python)| text.replace(core, python))
}

/// Turns an error of the core into an exception.
pub(crate) fn raise(error: &mercer::Error) -> PyErr {
    let text = message(&error.to_string(), &error.hints());
    match error {
        mercer::Error::Memory { .. } => PyMemoryError::new_err(text),
        mercer::Error::Cancelled => PyKeyboardInterrupt::new_err(text),
        mercer::Error::OutOfTime => PyTimeoutError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// Turns an error of files into an exception.
pub(crate) fn raise_io(error: mercer_io::Error) -> PyErr {
    let text = message(&error.to_string(), &error.hints());
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
