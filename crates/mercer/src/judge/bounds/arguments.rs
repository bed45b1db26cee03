//! What the arguments of bounds must be.

use crate::{Error, Result};

/// Checks a number of errors against the rows they were made on.
pub(super) fn check_counts(errors: usize, n: usize) -> Result<()> {
    check_rows(n)?;
    if errors > n {
        return Err(Error::setting(
            "errors",
            errors,
            &format!("at most n = {n}"),
        ));
    }
    Ok(())
}

/// Checks that there are rows.
pub(super) fn check_rows(n: usize) -> Result<()> {
    if n == 0 {
        return Err(Error::setting("n", n, "at least 1"));
    }
    Ok(())
}

/// Checks a probability or a deviation that must lie strictly between 0 and 1.
pub(super) fn check_open_unit(name: &str, value: f64) -> Result<()> {
    if value > 0.0 && value < 1.0 {
        Ok(())
    } else {
        Err(Error::setting(
            name,
            value,
            "between 0 and 1, both excluded",
        ))
    }
}

/// Checks an error rate.
pub(super) fn check_rate(rate: f64) -> Result<()> {
    if (0.0..=1.0).contains(&rate) {
        Ok(())
    } else {
        Err(Error::setting("rate", rate, "between 0 and 1"))
    }
}

/// Checks a length, a width or a weight.
pub(super) fn check_positive(name: &str, value: f64) -> Result<()> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(Error::setting(name, value, "positive and finite"))
    }
}
