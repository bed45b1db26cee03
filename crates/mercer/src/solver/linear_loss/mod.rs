//! Linear functions that minimise a convex loss with a squared penalty.
//!
//! ```text
//! min over w, b of  ½ λ ‖w‖² + ½ λ_b v² + Σ_i price_i L_i(⟨w, x_i⟩ + c v),   b = c v
//! ```
//!
//! with a constant feature c appended to the rows, whose penalty λ_b is λ or, where the constant is
//! free, 0. The solvers know rows only ([`mercer_linalg::LinearRows`]).
//!
//! * `newton`: smooth losses ([`Smooth`]: logistic, softmax, squared hinge, squared tube), by
//!   Newton's method. Where columns are few the step comes from a Cholesky factor of XᵀDX + λI,
//!   otherwise from conjugate gradients.
//! * `interior`: losses with an edge ([`Edges`]: hinge, tube) and few columns, by a primal-dual
//!   interior point method, whose steps are XᵀDX + λI as well.
//! * `descent`: the same and the squared hinge with many columns, by dual coordinate descent with
//!   shrinking.
//! * `joint`: several classes with one margin (Crammer and Singer), by dual coordinate descent.
//! * `absolute`: a penalty on absolute values, by a proximal Newton method.
//!
//! All of them stop by the duality gap. Runs of rows are fixed and sums are ordered (`passes`): threads change no bit.

mod absolute;
mod descent;
mod interior;
mod joint;
mod newton;
mod passes;
mod smooth;
#[cfg(test)]
mod tests;

pub(crate) use absolute::absolute;
pub(crate) use descent::descend;
pub(crate) use interior::interior_point;
pub(crate) use joint::{Codes, joint};
pub(crate) use newton::newton;
pub(crate) use smooth::{Logistic, Smooth, Softmax, SquaredHinge, SquaredTube};

use mercer_linalg::LinearRows;

use crate::fit::StopReason;

/// Rows with an appended feature and the penalty.
pub(crate) struct Space<'a> {
    /// The rows.
    pub(crate) rows: &'a LinearRows,
    /// The value c of the appended feature; 0 where there is none.
    pub(crate) constant: f64,
    /// λ; 0 where weights cost nothing.
    pub(crate) penalty: f64,
    /// λ_b; 0 where the constant is free.
    pub(crate) constant_penalty: f64,
}

impl Space<'_> {
    /// Whether there is a constant without a penalty.
    pub(crate) fn is_free(&self) -> bool {
        self.constant != 0.0 && self.constant_penalty == 0.0
    }

    /// Whether a matrix of all pairs of columns is worth its time, for so many of them: a factor
    /// replaces some dozens of products with all rows, and takes eight multiplications at once.
    fn is_narrow(&self, matrices: usize) -> bool {
        /// Products with all rows that a factor is worth.
        const WORTH: f64 = 80.0;
        /// Multiplications of dense blocks that take the time of one of a sparse row.
        const DENSE: f64 = 8.0;
        /// Columns beyond which nobody waits for a factor.
        const MOST: usize = 4000;
        let width = self.rows.width() as f64 + 1.0;
        let squares = if self.rows.is_dense() {
            self.rows.square_cost() / DENSE
        } else {
            self.rows.square_cost()
        };
        let cost = squares + width.powi(3) / (3.0 * DENSE);
        self.rows.width() <= MOST
            && matrices as f64 * width * width <= 1e9
            && cost <= WORTH * self.rows.stored().max(1) as f64
    }

    /// Which of the two ways of losses with an edge is taken.
    pub(crate) fn suits_interior_point(&self) -> bool {
        self.penalty > 0.0 && self.is_narrow(1)
    }
}

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Largest duality gap, relative to the objective.
    pub(crate) tolerance: f64,
    /// Newton steps, or passes over the rows.
    pub(crate) iterations: u64,
    /// Seed of the order of rows.
    pub(crate) seed: u64,
}

impl Limits {
    /// Whether a gap is small enough, given the objective and that of weights of zero.
    fn reached(&self, gap: f64, primal: f64, start: f64) -> bool {
        gap <= self.largest_gap(primal, start)
    }

    /// The largest gap that is small enough.
    ///
    /// Where rows are met exactly nothing is left to compare a gap with: then a share of what no
    /// function costs counts.
    fn largest_gap(&self, primal: f64, start: f64) -> f64 {
        const EXACT: f64 = 1e-4;
        self.tolerance * primal.max(EXACT * start)
    }
}

/// Losses with an edge: Σ price · max(0, target − sign · f), an edge per row, or two.
///
/// Edge i belongs to row i modulo the number of rows.
pub(crate) struct Edges {
    /// ±1.
    pub(crate) signs: Vec<f64>,
    /// Where the cost begins.
    pub(crate) targets: Vec<f64>,
    /// Cost per unit; above 0.
    pub(crate) prices: Vec<f64>,
    /// Whether the cost is squared.
    pub(crate) squared: bool,
}

impl Edges {
    /// Σ price · max(0, target − sign · f), or of its square.
    fn cost(&self, decisions: &[f64]) -> f64 {
        let each = self.signs.iter().zip(&self.targets).zip(&self.prices);
        each.zip(decisions.iter().cycle())
            .map(|(((sign, target), price), decision)| {
                let short = (target - sign * decision).max(0.0);
                price * if self.squared { short * short } else { short }
            })
            .sum()
    }
}

/// What a solver found.
#[derive(Debug, Clone)]
pub(crate) struct Solution {
    /// Weights of the columns, those of all outputs side by side; last those of the appended
    /// feature.
    pub(crate) weights: Vec<f64>,
    /// The objective.
    pub(crate) primal: f64,
    /// Objective minus its lower bound; where the constant is free, with an estimate of its share;
    /// NaN without a penalty.
    pub(crate) gap: f64,
    /// Largest slope of the objective, or of a multiplier within its bounds.
    pub(crate) violation: f64,
    /// Newton steps or passes.
    pub(crate) iterations: u64,
    /// Why it ended.
    pub(crate) stop_reason: StopReason,
    /// The method in words.
    pub(crate) way: &'static str,
    /// Whether all rows are on the right side and nothing holds the weights back.
    pub(crate) unbounded: bool,
}
