//! Targets in units in which their squares are numbers.
//!
//! Everything about the squared loss is linear or quadratic in the targets, so a power of two can
//! be taken out before and put back afterwards without a rounding: f(2ᵉy) = 2ᵉf(y). Without it
//! targets near 10⁻²⁰⁰ have squares of zero and targets near 10¹⁵⁴ infinite ones.

use mercer_linalg::Matrix;

use super::job::Outcome;
use crate::data::{SAFE_EXPONENT, exponent_of, times_power};
use crate::fit::{EvidenceReport, Note, ProblemReport};
use crate::solver::least_squares::Levels;
use crate::{Error, Result};

/// The power of two that was taken out of every output.
pub(super) struct Units(Vec<i32>);

impl Units {
    /// The units of some targets; `None` where they can stay as they are.
    pub(super) fn of(targets: &Matrix<f64>) -> Option<Self> {
        let exponent = |k: usize| {
            let largest = targets.row(k).iter().fold(0.0_f64, |m, y| m.max(y.abs()));
            if largest == 0.0 {
                0
            } else {
                exponent_of(largest)
            }
        };
        let exponents: Vec<i32> = (0..targets.rows()).map(exponent).collect();
        exponents
            .iter()
            .any(|e| e.abs() > SAFE_EXPONENT)
            .then_some(Self(exponents))
    }

    /// The targets in these units.
    pub(super) fn take_out(&self, targets: &Matrix<f64>) -> Matrix<f64> {
        Matrix::from_fn(targets.rows(), targets.columns(), |k, i| {
            times_power(targets[(k, i)], -self.0[k])
        })
    }

    /// Puts the units of the targets back into a function.
    ///
    /// # Errors
    /// Coefficients that leave the range of numbers.
    pub(super) fn put_back(&self, outcome: &mut Outcome) -> Result<()> {
        for (k, &e) in self.0.iter().enumerate() {
            for value in outcome.coefficients.row_mut(k) {
                *value = times_power(*value, e);
            }
            outcome.biases[k] = times_power(outcome.biases[k], e);
            let finite = outcome.coefficients.row(k).iter().all(|v| v.is_finite());
            if !(finite && outcome.biases[k].is_finite()) {
                return Err(Error::rows(
                    "the coefficients of these targets are beyond the range of numbers",
                    "divide the targets by a power of ten before fitting",
                ));
            }
        }
        if let Some(left_out) = &mut outcome.left_out {
            for (k, &e) in self.0.iter().enumerate() {
                for part in [&mut left_out.residuals, &mut left_out.decisions] {
                    for value in part.row_mut(k) {
                        *value = times_power(*value, e);
                    }
                }
            }
        }
        for (levels, &e) in outcome.levels.iter_mut().zip(&self.0) {
            *levels = Levels {
                prior: times_power(levels.prior, -2 * e),
                noise: times_power(levels.noise, -2 * e),
            };
        }
        Ok(())
    }

    /// Puts the units of the targets back into a row of numbers per output.
    ///
    /// # Errors
    /// Numbers that leave their range.
    pub(super) fn put_back_rows(&self, rows: &mut Matrix<f64>) -> Result<()> {
        for (k, &e) in self.0.iter().enumerate() {
            for value in rows.row_mut(k) {
                *value = times_power(*value, e);
                if !value.is_finite() {
                    return Err(Error::rows(
                        "the coefficients of these targets are beyond the range of numbers",
                        "divide the targets by a power of ten before fitting",
                    ));
                }
            }
        }
        Ok(())
    }

    /// Whether precisions can be told in the units of the targets.
    pub(super) fn has_levels(outcome: &Outcome) -> bool {
        let usable = |p: f64| p.is_finite() && p >= f64::MIN_POSITIVE;
        outcome
            .levels
            .iter()
            .all(|l| usable(l.prior) && usable(l.noise))
    }

    /// The account of one output in the units of the targets.
    pub(super) fn of_report(&self, output: usize, report: ProblemReport) -> ProblemReport {
        let e = self.0[output];
        // Squares of such targets may leave the range of numbers; a report has none that do.
        let squared = |value: f64| times_power(value, 2 * e).clamp(-f64::MAX, f64::MAX);
        ProblemReport {
            primal: squared(report.primal),
            dual: squared(report.dual),
            norm: times_power(report.norm, e),
            bias: times_power(report.bias, e),
            ..report
        }
    }

    /// What the evidence tells, in the units of the targets; errors of several outputs in those of
    /// the largest.
    pub(super) fn of_evidence(&self, report: &EvidenceReport) -> EvidenceReport {
        let put = |values: &[f64]| -> Vec<f64> {
            let pairs = values.iter().zip(&self.0);
            // Files have no infinity.
            pairs
                .map(|(v, &e)| times_power(*v, -2 * e).min(f64::MAX))
                .collect()
        };
        let largest = self.0.iter().copied().max().unwrap_or(0);
        EvidenceReport {
            prior: put(&report.prior),
            noise: put(&report.noise),
            leave_one_out: times_power(report.leave_one_out, largest),
            ratio: report.ratio,
            effective_parameters: report.effective_parameters,
        }
    }

    /// What the user is told.
    pub(super) fn note() -> Note {
        Note::Alert(
            "the squares of these targets leave the range of numbers: objective and precisions \
             are rounded to zero or infinity, and standard deviations are left out; \
             divide or multiply the targets by a power of ten to have them"
                .to_owned(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_targets_stay_as_they_are() {
        let targets = Matrix::from_vec(2, 2, vec![1e-3, -5.0, 1e50, 0.0]);
        assert!(Units::of(&targets).is_none());
        assert!(Units::of(&Matrix::from_vec(1, 2, vec![0.0, 0.0])).is_none());
    }

    #[test]
    fn powers_go_in_and_out_without_rounding() {
        let targets = Matrix::from_vec(2, 2, vec![1.25e300, -3e299, 7e-250, 1e-251]);
        let units = Units::of(&targets).expect("beyond the safe range");
        let inside = units.take_out(&targets);
        for k in 0..2 {
            for i in 0..2 {
                assert!(inside[(k, i)].abs() < 2.0);
                assert_eq!(times_power(inside[(k, i)], units.0[k]), targets[(k, i)]);
            }
        }
    }
}
