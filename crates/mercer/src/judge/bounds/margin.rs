//! What a margin promises.
//!
//! Rows have length at most ρ. A plane through the origin that separates n rows with margin γ,
//! both fixed before the rows were drawn, errs with probability at most (with probability 1 − δ)
//!
//! ```text
//! L ≤ (2ρ/γ + √(2 ln(2/δ)))/√n
//! ```
//!
//! A margin γ̂ that was measured on the rows themselves costs a union over the scales 2⁻ʲρ:
//!
//! ```text
//! L ≤ 4ρ/(γ̂√n) + √(ln(j(j+1)/δ)/(2n)),   j = max(1, ⌈log₂(ρ/γ̂)⌉)
//! ```
//!
//! with 8ρ in place of 4ρ where the constant is free, and ρ² + 1 in place of ρ² where it is
//! penalised like a weight. The soft margin minimises λ‖w‖² + mean hinge. In the mean over the draw
//! of the rows its error, and its hinge loss, are at most
//!
//! ```text
//! E L ≤ min_w {L(w) + λ‖w‖²} + 2ρ²/(λn),
//! ```
//!
//! so that λ = (ρ/B)√(2/n) comes within 2ρB√(2/n) of the best w with ‖w‖ ≤ B; and E L is at most
//! the expected mean hinge of training plus 2ρ²/(λn) (Shalev-Shwartz and Ben-David 2014, chapters 13,
//! 15, 26). None of them knows the number of columns.

use serde::Serialize;

use super::arguments::{check_open_unit, check_positive, check_rows};
use crate::fit::ConstantTerm;
use crate::{Error, Result};

/// Reads what the constant of a plane is by its name.
///
/// # Errors
/// Another name.
pub fn constant_called(name: &str) -> Result<ConstantTerm> {
    match name {
        "none" => Ok(ConstantTerm::None),
        "free" => Ok(ConstantTerm::Free),
        "regularised" => Ok(ConstantTerm::Regularised),
        other => Err(Error::setting("bias", other, "none, free or regularised")),
    }
}

/// The length of the longest row, the appended feature counted.
pub(super) fn whole_radius(radius: f64, constant: ConstantTerm) -> f64 {
    match constant {
        ConstantTerm::None | ConstantTerm::Free => radius,
        ConstantTerm::Regularised => radius.hypot(1.0),
    }
}

/// What a bound on a separating plane is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarginSetting {
    /// Number of training rows.
    pub rows: usize,
    /// Length ρ of the longest row; in a feature space √max k(x, x).
    pub radius: f64,
    /// Distance γ of the nearest row from the plane.
    pub margin: f64,
    /// Probability δ with which the bound may fail.
    pub delta: f64,
    /// The constant of the plane.
    pub constant: ConstantTerm,
}

impl MarginSetting {
    fn check(&self) -> Result<()> {
        let mut errors = Vec::new();
        errors.extend(check_rows(self.rows).err());
        errors.extend(check_positive("radius", self.radius).err());
        errors.extend(check_positive("margin", self.margin).err());
        errors.extend(check_open_unit("delta", self.delta).err());
        Error::collect(errors)
    }
}

/// Whether a bound says nothing about an error rate.
pub fn is_vacuous(bound: f64) -> bool {
    !(bound < 1.0)
}

/// Bounds the error of a plane whose margin and radius were fixed before the rows were drawn.
///
/// # Errors
/// Numbers out of range, and a free constant, for which only [`measured_margin_bound`] holds.
pub fn margin_bound(setting: &MarginSetting) -> Result<f64> {
    setting.check()?;
    if setting.constant == ConstantTerm::Free {
        return Err(Error::Conflict {
            what: "the bound for a margin fixed beforehand is about planes without a free constant"
                .to_owned(),
            cure: "take the bound for a measured margin, or a constant that is penalised".into(),
        });
    }
    let ratio = whole_radius(setting.radius, setting.constant) / setting.margin;
    let root = (2.0 * (2.0 / setting.delta).ln()).sqrt();
    Ok((2.0 * ratio + root) / (setting.rows as f64).sqrt())
}

/// Bounds the error of a plane whose margin was measured on the training rows.
///
/// # Errors
/// Numbers out of range.
pub fn measured_margin_bound(setting: &MarginSetting) -> Result<f64> {
    setting.check()?;
    let rows = setting.rows as f64;
    let ratio = whole_radius(setting.radius, setting.constant) / setting.margin;
    let factor = if setting.constant == ConstantTerm::Free {
        8.0
    } else {
        4.0
    };
    let scale = ratio.log2().ceil().max(1.0);
    let union = ((scale * (scale + 1.0) / setting.delta).ln() / (2.0 * rows)).sqrt();
    Ok(factor * ratio / rows.sqrt() + union)
}

/// What the soft margin promises in the mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SoftMarginBound {
    /// The weight λ of the penalty in λ‖w‖² + mean hinge.
    pub lambda: f64,
    /// How far the expected error is above the hinge loss of the best w with ‖w‖ ≤ B.
    pub excess: f64,
}

/// The penalty λ = (ρ/B)√(2/n) that comes within 2ρB√(2/n) of the best weights of length B.
///
/// # Errors
/// No rows, and lengths that are not positive.
pub fn soft_margin_bound(rows: usize, radius: f64, norm: f64) -> Result<SoftMarginBound> {
    let mut errors = Vec::new();
    errors.extend(check_rows(rows).err());
    errors.extend(check_positive("radius", radius).err());
    errors.extend(check_positive("norm", norm).err());
    Error::collect(errors)?;
    let root = (2.0 / rows as f64).sqrt();
    Ok(SoftMarginBound {
        lambda: radius / norm * root,
        excess: 2.0 * radius * norm * root,
    })
}

/// What the expected error may be above the expected mean hinge of training: 2ρ²/(λn).
///
/// # Errors
/// No rows, and numbers that are not positive.
pub fn stability_bound(rows: usize, radius: f64, lambda: f64) -> Result<f64> {
    let mut errors = Vec::new();
    errors.extend(check_rows(rows).err());
    errors.extend(check_positive("radius", radius).err());
    errors.extend(check_positive("lambda", lambda).err());
    Error::collect(errors)?;
    Ok(2.0 * radius * radius / (lambda * rows as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COURSE: MarginSetting = MarginSetting {
        rows: 1000,
        radius: 1.0,
        margin: 0.5,
        delta: 0.05,
        constant: ConstantTerm::None,
    };

    #[test]
    fn hard_margins_of_the_course() {
        assert!((margin_bound(&COURSE).unwrap() - 0.212_384_988).abs() < 5e-10);
        let measured = measured_margin_bound(&COURSE).unwrap();
        assert!((measured - 0.295_929_154).abs() < 5e-10);
    }

    #[test]
    fn soft_margins_of_the_course() {
        let found = soft_margin_bound(1000, 1.0, 2.0).unwrap();
        assert!((found.lambda - 0.022_360_679_8).abs() < 5e-11);
        assert!((found.excess - 0.178_885_438).abs() < 5e-10);
        assert!((stability_bound(1000, 1.0, 0.01).unwrap() - 0.2).abs() < 1e-12);
    }

    #[test]
    fn constants_cost_something() {
        let with = |constant| MarginSetting { constant, ..COURSE };
        let none = measured_margin_bound(&COURSE).unwrap();
        let free = measured_margin_bound(&with(ConstantTerm::Free)).unwrap();
        assert!((free - none - 4.0 / 0.5 / 1000_f64.sqrt()).abs() < 1e-12);
        // ρ = √2, so that log₂(ρ/γ) = 1.5 and j = 2.
        let expected = 4.0 * 8_f64.sqrt() / 1000_f64.sqrt() + (120_f64.ln() / 2000.0).sqrt();
        let found = measured_margin_bound(&with(ConstantTerm::Regularised)).unwrap();
        assert!((found - expected).abs() < 1e-12);
        assert!(margin_bound(&with(ConstantTerm::Free)).is_err());
        assert!(margin_bound(&with(ConstantTerm::Regularised)).unwrap() > 0.212);
    }

    #[test]
    fn hopeless_bounds_are_vacuous() {
        let few = MarginSetting { rows: 3, ..COURSE };
        assert!(is_vacuous(margin_bound(&few).unwrap()));
        assert!(is_vacuous(f64::NAN) && is_vacuous(1.0) && !is_vacuous(0.99));
    }

    #[test]
    fn bad_numbers_are_refused() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            for setting in [
                MarginSetting {
                    radius: bad,
                    ..COURSE
                },
                MarginSetting {
                    margin: bad,
                    ..COURSE
                },
                MarginSetting {
                    delta: bad,
                    ..COURSE
                },
            ] {
                assert!(margin_bound(&setting).is_err());
                assert!(measured_margin_bound(&setting).is_err());
            }
            assert!(soft_margin_bound(10, bad, 1.0).is_err());
            assert!(soft_margin_bound(10, 1.0, bad).is_err());
            assert!(stability_bound(10, 1.0, bad).is_err());
        }
        let wrong = MarginSetting {
            rows: 0,
            margin: -1.0,
            ..COURSE
        };
        let error = margin_bound(&wrong).unwrap_err().to_string();
        assert!(
            error.contains("`n`") && error.contains("`margin`"),
            "{error}"
        );
    }
}
