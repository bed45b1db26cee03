//! How training rows lie about a margin.

use serde::{Deserialize, Serialize};

/// What the constant of a plane is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstantTerm {
    /// There is none: the plane goes through the origin.
    #[default]
    None,
    /// It is not penalised.
    Free,
    /// It is the weight of an appended feature 1.
    Regularised,
}

/// How training rows lie about the margin of one decision; weights count as copies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SlackReport {
    /// Rows of the problem, copies counted.
    pub weight: f64,
    /// Mean of the slack max(0, 1 − y f), the hinge loss.
    pub mean_hinge: f64,
    /// Rows with slack, beyond the tolerance of the solver.
    pub above_zero: f64,
    /// Rows with slack above 1: on the wrong side.
    pub above_one: f64,
    /// Largest √k(x, x) of a row, the length of the longest one.
    pub radius: f64,
    /// Whether k(x, x) differs from row to row, so that new rows may be longer.
    pub radius_varies: bool,
    /// The constant of the plane.
    pub constant: ConstantTerm,
    /// Whether no slack was allowed.
    pub hard: bool,
    /// λ in λ‖w‖² + mean hinge, where that is what was minimised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lambda: Option<f64>,
}

/// Rows about a margin, as they are added up.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Slacks {
    weight: f64,
    hinge: f64,
    above_zero: f64,
    above_one: f64,
}

impl Slacks {
    /// Adds a row that stands for some copies; `value` is y f.
    pub(crate) fn add(&mut self, value: f64, copies: f64, tolerance: f64) {
        let slack = (1.0 - value).max(0.0);
        self.weight += copies;
        self.hinge += copies * slack;
        if slack > tolerance {
            self.above_zero += copies;
        }
        if slack > 1.0 {
            self.above_one += copies;
        }
    }

    /// The account of all rows.
    pub(crate) fn report(self, radius: Radius, constant: ConstantTerm) -> SlackReport {
        SlackReport {
            weight: self.weight,
            mean_hinge: self.hinge / self.weight,
            above_zero: self.above_zero,
            above_one: self.above_one,
            radius: radius.largest,
            radius_varies: radius.varies,
            constant,
            hard: false,
            lambda: None,
        }
    }
}

/// How long rows are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Radius {
    largest: f64,
    varies: bool,
}

impl Radius {
    /// Of the squared lengths of all rows.
    pub(crate) fn of_squares(squares: &[f64]) -> Self {
        /// What rounding may make of equal lengths.
        const ROUNDING: f64 = 1e-6;
        let largest = squares.iter().copied().fold(0.0, f64::max);
        let least = squares.iter().copied().fold(f64::INFINITY, f64::min);
        Self {
            largest: largest.sqrt(),
            varies: least < (1.0 - ROUNDING) * largest,
        }
    }
}
