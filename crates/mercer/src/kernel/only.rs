//! The one column that a kernel on texts, graphs or network nodes reads.

use crate::hint::{Act, Hint};
use crate::{Error, Result};

/// Returns the only column of a kind.
///
/// # Errors
/// No such column, with what to do about it, or several of them.
pub(super) fn only<'a, C>(
    kernel: &str,
    kind: &str,
    columns: &'a [C],
    name: impl Fn(&C) -> &str,
    cure: Act,
) -> Result<&'a C> {
    let refuse = |problem: String, cure: Hint| {
        Err(Error::Kernel {
            kernel: kernel.to_owned(),
            problem,
            cure,
        })
    };
    match columns {
        [column] => Ok(column),
        [] => refuse(format!("there is no {kind} column to compare"), cure.into()),
        several => {
            let names: Vec<&str> = several.iter().map(name).collect();
            refuse(
                format!("there are several {kind} columns: {}", names.join(", ")),
                format!("name one, as in `{kernel}@{}`", names[0]).into(),
            )
        }
    }
}
