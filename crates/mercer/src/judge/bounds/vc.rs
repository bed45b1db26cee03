//! Uniform convergence: how many training rows keep every function of a class honest.
//!
//! A class of functions tells m points apart in at most Π(m) ways. With VC dimension v the growth
//! function is Π(m) ≤ Σ_{i≤v} C(m, i), at most (em/v)ᵛ for m ≥ v, at most mᵛ for m ≥ 2 and v ≥ 2,
//! and less than 2ᵐ for m > v. Then training error and true error of all functions of the class
//! together differ by more than ε with probability at most 4Π(2l)·exp(−lε²/8) on l rows (Vapnik and
//! Chervonenkis 1971).

use serde::Serialize;

use super::arguments::{check_open_unit, check_rows};
use super::intervals::rows_from;
use crate::special::ln_factorial;
use crate::{Error, Result};

/// The largest VC dimension that is computed with.
const MOST_DIMENSIONS: u64 = 1_000_000_000;

/// In how many ways a class of functions labels points at most.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Growth {
    /// Σ_{i≤v} C(m, i), where a whole number of 128 bits holds it.
    pub exact: Option<u128>,
    /// ln Σ_{i≤v} C(m, i).
    pub ln: f64,
    /// ln (em/v)ᵛ, where m ≥ v ≥ 1.
    pub ln_sauer: Option<f64>,
    /// ln mᵛ, where m ≥ 2 and v ≥ 2.
    pub ln_power: Option<f64>,
    /// ln 2ᵐ: all labellings.
    pub ln_all: f64,
}

impl Growth {
    /// Returns the sum as a number, infinite where none is large enough.
    pub fn value(&self) -> f64 {
        self.exact
            .map_or_else(|| self.ln.exp(), |exact| exact as f64)
    }
}

/// Bounds the number of labellings of `points` points by a class of VC dimension `vc`.
///
/// # Errors
/// A VC dimension above a billion.
pub fn growth_function(points: u64, vc: u64) -> Result<Growth> {
    check_dimension(vc)?;
    let (m, v) = (points as f64, vc as f64);
    Ok(Growth {
        exact: exact_sum(points, vc),
        ln: ln_growth(points, vc),
        ln_sauer: (vc >= 1 && points >= vc).then(|| v * (1.0 + (m / v).ln())),
        ln_power: (vc >= 2 && points >= 2).then(|| v * m.ln()),
        ln_all: m * std::f64::consts::LN_2,
    })
}

fn check_dimension(vc: u64) -> Result<()> {
    if vc > MOST_DIMENSIONS {
        return Err(Error::setting(
            "vc",
            vc,
            &format!("at most {MOST_DIMENSIONS}"),
        ));
    }
    Ok(())
}

fn exact_sum(points: u64, vc: u64) -> Option<u128> {
    if vc >= points {
        return u32::try_from(points)
            .ok()
            .and_then(|m| 1_u128.checked_shl(m));
    }
    let (mut term, mut sum) = (1_u128, 1_u128);
    for i in 1..=vc {
        // C(m, i) = C(m, i−1)·(m−i+1)/i, a whole number at every step.
        term = term.checked_mul(u128::from(points - i + 1))? / u128::from(i);
        sum = sum.checked_add(term)?;
    }
    Some(sum)
}

/// ln Σ_{i≤v} C(m, i): the largest term, and the others as parts of it.
fn ln_growth(points: u64, vc: u64) -> f64 {
    // Terms below this share of the sum no longer change it.
    const NOTHING: f64 = 1e-17;
    let m = points as f64;
    if vc >= points {
        return m * std::f64::consts::LN_2;
    }
    let top = vc.min(points / 2) as f64;
    let (mut sum, mut term, mut i) = (1.0, 1.0, top);
    while i > 0.0 && term > NOTHING * sum {
        term *= i / (m - i + 1.0);
        sum += term;
        i -= 1.0;
    }
    (term, i) = (1.0, top);
    while i < vc as f64 && term > NOTHING * sum {
        i += 1.0;
        term *= (m - i + 1.0) / i;
        sum += term;
    }
    ln_factorial(m) - ln_factorial(top) - ln_factorial(m - top) + sum.ln()
}

/// ln of 4Π(2l)·exp(−lε²/8).
fn ln_failure(rows: u64, vc: u64, epsilon: f64) -> f64 {
    4.0_f64.ln() + ln_growth(2 * rows, vc) - rows as f64 * epsilon * epsilon / 8.0
}

/// Rows after which training error and true error differ by ε at most, for all functions of a class
/// of VC dimension `vc` together, with probability 1 − δ: the smallest l with
/// 4Π(2l)·exp(−lε²/8) ≤ δ.
///
/// # Errors
/// ε or δ outside (0, 1), a dimension that is too large, more rows than can be counted.
pub fn vc_sample_size(vc: u64, epsilon: f64, delta: f64) -> Result<u64> {
    check_open_unit("epsilon", epsilon)?;
    check_open_unit("delta", delta)?;
    check_dimension(vc)?;
    // ln Π(2l) grows ever more slowly: from 0 rows on the probability rises, then falls for good,
    // and it starts above δ. So what suffices once suffices from there on.
    let suffices = |rows: u64| ln_failure(rows, vc, epsilon) <= delta.ln();
    let mut high = 1_u64;
    while !suffices(high) {
        high *= 2;
        rows_from(high as f64)?;
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low.midpoint(high);
        if suffices(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(high)
}

/// Rows by the rule (VC + ln 1/ε + ln 1/δ)/ε²: a heuristic, whose constant c = 1 before the VC dimension
/// nobody has proved.
///
/// # Errors
/// ε or δ outside (0, 1), more rows than can be counted.
pub fn vc_heuristic_sample_size(vc: u64, epsilon: f64, delta: f64) -> Result<u64> {
    check_open_unit("epsilon", epsilon)?;
    check_open_unit("delta", delta)?;
    rows_from((vc as f64 - epsilon.ln() - delta.ln()) / (epsilon * epsilon))
}

/// By how much training error and true error differ at most on `rows` rows, for all functions of a class
/// of VC dimension `vc` together, with probability 1 − δ: √(8(ln 4 + ln Π(2l) − ln δ)/l).
///
/// # Errors
/// No rows, δ outside (0, 1), a dimension that is too large.
pub fn uniform_deviation(rows: usize, vc: u64, delta: f64) -> Result<f64> {
    check_rows(rows)?;
    check_open_unit("delta", delta)?;
    check_dimension(vc)?;
    let rows = rows as u64;
    let exponent = ln_failure(rows, vc, 0.0) - delta.ln();
    Ok((8.0 * exponent / rows as f64).sqrt())
}

/// VC dimension of half-spaces in `columns` dimensions: one more with a constant, or the number itself
/// for planes through the origin.
pub fn half_space_dimension(columns: u64, has_constant: bool) -> u64 {
    columns.saturating_add(u64::from(has_constant))
}

/// What the VC dimension of finitely many functions is at most: log₂ of their number, rounded down.
///
/// # Errors
/// No function.
pub fn finite_class_dimension(functions: u64) -> Result<u64> {
    functions
        .checked_ilog2()
        .map(u64::from)
        .ok_or_else(|| Error::setting("functions", functions, "at least 1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_growth_function_of_the_course() {
        let growth = growth_function(10, 3).unwrap();
        assert_eq!(growth.exact, Some(176));
        assert_eq!(growth.value(), 176.0);
        assert!((growth.ln - 176_f64.ln()).abs() < 1e-12);
        assert!((growth.ln_sauer.unwrap().exp() - 743.9).abs() < 0.05);
        assert!((growth.ln_power.unwrap().exp() - 1000.0).abs() < 1e-9);
        assert!((growth.ln_all.exp() - 1024.0).abs() < 1e-9);
    }

    #[test]
    fn logarithms_agree_with_whole_numbers() {
        for points in [0, 1, 2, 3, 7, 20, 61, 100] {
            for vc in [0, 1, 2, 5, 19, 30, 60, 99, 100, 150] {
                let growth = growth_function(points, vc).unwrap();
                let exact = growth.exact.unwrap() as f64;
                assert!((growth.ln - exact.ln()).abs() < 1e-11, "{points} {vc}");
            }
        }
        assert_eq!(growth_function(4, 9).unwrap().exact, Some(16));
        assert_eq!(growth_function(127, 200).unwrap().exact, Some(1 << 127));
        assert_eq!(growth_function(128, 200).unwrap().exact, None);
        assert!(growth_function(1 << 40, 1 << 20).unwrap().ln.is_finite());
        assert!(growth_function(5, u64::MAX).is_err());
    }

    #[test]
    fn sizes_of_the_course() {
        assert_eq!(vc_heuristic_sample_size(3, 0.1, 0.05).unwrap(), 830);
        assert_eq!(vc_sample_size(3, 0.1, 0.05).unwrap(), 28_341);
        assert_eq!(vc_sample_size(11, 0.1, 0.05).unwrap(), 96_614);
    }

    #[test]
    fn no_row_fewer_suffices_and_the_deviation_inverts_the_size() {
        for (vc, epsilon) in [(0, 0.3), (1, 0.2), (3, 0.1), (40, 0.5)] {
            let rows = vc_sample_size(vc, epsilon, 0.01).unwrap();
            assert!(ln_failure(rows, vc, epsilon) <= 0.01_f64.ln());
            assert!(ln_failure(rows - 1, vc, epsilon) > 0.01_f64.ln());
            let reached = uniform_deviation(rows as usize, vc, 0.01).unwrap();
            let before = uniform_deviation(rows as usize - 1, vc, 0.01).unwrap();
            assert!(reached <= epsilon && before > epsilon);
        }
    }

    #[test]
    fn dimensions() {
        assert_eq!(half_space_dimension(2, true), 3);
        assert_eq!(half_space_dimension(2, false), 2);
        assert_eq!(finite_class_dimension(1000).unwrap(), 9);
        assert!(finite_class_dimension(0).is_err());
    }

    #[test]
    fn bad_numbers_are_refused() {
        for bad in [0.0, 1.0, -0.1, f64::NAN, f64::INFINITY] {
            assert!(vc_sample_size(3, bad, 0.05).is_err());
            assert!(vc_sample_size(3, 0.1, bad).is_err());
            assert!(vc_heuristic_sample_size(3, bad, 0.05).is_err());
            assert!(uniform_deviation(10, 3, bad).is_err());
        }
        assert!(uniform_deviation(0, 3, 0.05).is_err());
        assert!(vc_sample_size(3, 1e-12, 0.05).is_err());
    }
}
