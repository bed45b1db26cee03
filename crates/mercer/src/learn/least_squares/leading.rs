//! γ from the leading eigenvalues of the kernel matrix, as an alternative to all of them.

use serde::{Deserialize, Serialize};

use super::Strength;
use super::strength::Found;
use crate::fit::{Note, StopReason};
use crate::solver::least_squares::{EigenMethod, Truncated};
use crate::{Error, Result};

/// Leading eigenvalues unless another number is named.
const USUAL: usize = 100;

/// The eigenvalues of the kernel matrix that find the regularisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpectrumPart {
    /// All of them.
    #[default]
    Full,
    /// The leading ones; the others count as 0.
    Truncated,
    /// The leading ones, found by expectation and maximisation.
    Em,
}

/// How many leading eigenvalues are found, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LeadingPart {
    pub(super) count: usize,
    pub(super) method: EigenMethod,
}

impl SpectrumPart {
    /// What is to be found; `None` means all.
    pub(super) fn leading(self, count: Option<usize>) -> Option<LeadingPart> {
        let method = match self {
            Self::Full => return None,
            Self::Truncated => EigenMethod::Krylov,
            Self::Em => EigenMethod::Em,
        };
        Some(LeadingPart {
            count: count.unwrap_or(USUAL),
            method,
        })
    }

    /// Refuses what other settings undo.
    pub(super) fn check(self, count: Option<usize>, strength: Strength, errors: &mut Vec<Error>) {
        if self == Self::Full && count.is_some() {
            errors.push(Error::Unsupported {
                what: "a number of eigenvalues without a truncated spectrum".to_owned(),
                cure: "name the spectrum `truncated` or `em`, or leave the number out".into(),
            });
        }
        if self == Self::Full {
            return;
        }
        if strength.is_given() {
            errors.push(Error::Unsupported {
                what: "leading eigenvalues find the regularisation, which is given".to_owned(),
                cure: "leave one of the two out".into(),
            });
        }
        if strength == Strength::LeaveOneOut {
            errors.push(Error::Unsupported {
                what: "rows left out one by one need all eigenvalues".to_owned(),
                cure: "find the regularisation by evidence or generalised cross-validation, or use the whole spectrum"
                    .into(),
            });
        }
    }
}

/// The γ of some leading eigenvalues; says what was left out.
///
/// # Errors
/// A kernel matrix of zeros.
pub(super) fn found(
    truncated: &Truncated,
    strength: Strength,
    notes: &mut Vec<Note>,
) -> Result<Found> {
    let spectrum = &truncated.spectrum;
    let ratio = if strength == Strength::Gcv {
        spectrum.least(|ratio| spectrum.gcv(ratio))
    } else {
        spectrum.best_ratio()
    };
    let ratio = ratio.ok_or_else(|| {
        Error::rows(
            "the kernel is the same for all pairs of rows",
            "choose another kernel, or columns that vary",
        )
    })?;
    let kept: f64 = spectrum.values().iter().sum();
    let all = kept + truncated.left_out;
    let share = if all > 0.0 {
        100.0 * truncated.left_out / all
    } else {
        0.0
    };
    notes.push(Note::Choice(format!(
        "γ is that of the {} leading eigenvalues of the kernel matrix around its mean; those left out sum to {:.4e}, {share:.2} % of its trace",
        spectrum.values().len(),
        truncated.left_out
    )));
    if truncated.stop_reason != StopReason::Converged {
        notes.push(Note::Alert(format!(
            "the leading eigenvalues have a residual of {:.1e} of the largest: {}",
            truncated.residual,
            truncated.stop_reason.name().replace('_', " ")
        )));
    }
    let how = if strength == Strength::Gcv {
        "least generalised cross-validation score of leading eigenvalues"
    } else {
        "largest evidence of leading eigenvalues"
    };
    Ok(Found {
        ratio,
        how,
        stop_reason: truncated.stop_reason,
    })
}
