//! The LASSO.

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use super::Shrinkage;
use super::job::{Job, LassoSolution};
use super::path::{LassoPath, PathGrid};
use crate::Result;
use crate::data::Records;
use crate::fit::FitContext;
use crate::learn::margin::Bias;

/// Which solver finds the weights; both find the same ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LassoSolver {
    /// Coordinate descent on working sets.
    #[default]
    Descent,
    /// The semismooth Newton method: a linear system of all weights that are not zero per step.
    Newton,
}

/// The LASSO: minimises Σ w_i (y_i − ⟨w, x_i⟩ − b)² + λ‖w‖₁.
///
/// Many weights are exactly zero, all of them from λ = 2 max |⟨x_j, y⟩| on (columns and targets
/// centred). Use it where few of many columns matter. scikit-learn's `alpha` is λ/(2n). The duality gap
/// says how far the weights can be from the best ones; a fit ends where it is below `tolerance` times
/// Σ w_i (y_i − ȳ)². A pass over a working set of m columns takes time m² or m n; sparse rows stay sparse.
///
/// # Examples
/// ```
/// use mercer::data::Records;
/// use mercer::fit::FitContext;
/// use mercer::learn::linear::{Lasso, Shrinkage};
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(3, 2, vec![1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
/// let y = Matrix::from_vec(1, 3, vec![1.0, 2.0, 3.0]);
/// let lasso = Lasso::default().shrinkage(Shrinkage::Lambda(8.0)).intercept(false);
/// let solution = lasso.solve(&Records::from_points(x), &y, None, &FitContext::default())?;
/// assert_eq!(solution.weights.row(0), [0.0, 0.5]);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Tibshirani, Regression shrinkage and selection via the lasso, 1996.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Lasso {
    /// λ, or how it is found.
    #[setting(group)]
    pub shrinkage: Shrinkage,
    /// The constant term of the prediction.
    #[setting(words("free", "none"), python = "fit_intercept")]
    pub bias: Bias,
    /// Whether weights may not be below zero.
    #[setting(switch, unlisted)]
    pub positive: bool,
    /// Largest duality gap, as a share of the squares of the centred targets.
    #[setting(not_negative, python = "tol")]
    pub tolerance: f64,
    /// Most passes over the working sets, or steps of Newton's method.
    #[setting(count, python = "max_iter")]
    pub max_iterations: u64,
    /// Which solver finds the weights.
    #[setting(words("descent", "newton"), unlisted)]
    pub solver: LassoSolver,
}

impl Default for Lasso {
    fn default() -> Self {
        Self {
            shrinkage: Shrinkage::default(),
            bias: Bias::Free,
            positive: false,
            tolerance: 1e-4,
            max_iterations: 1000,
            solver: LassoSolver::Descent,
        }
    }
}

impl Lasso {
    /// Sets whether a constant without penalty is part of f.
    pub fn intercept(self, intercept: bool) -> Self {
        self.bias(if intercept { Bias::Free } else { Bias::None })
    }

    /// Solves for several outputs, each for itself: `targets` has a row per output.
    ///
    /// # Errors
    /// Settings outside their range; lengths that differ, nothing to learn from, values that are not
    /// finite, weights below zero; [`crate::Error::Memory`] where the columns do not fit;
    /// cancellation.
    pub fn solve(
        &self,
        records: &Records,
        targets: &Matrix<f64>,
        weights: Option<&[f64]>,
        context: &FitContext,
    ) -> Result<LassoSolution> {
        self.job().solve(records, targets, weights, None, context)
    }

    /// Solves along a path of λ for one output, each from the weights of the last.
    ///
    /// # Errors
    /// As [`Lasso::solve`]; values of the grid outside their range.
    pub fn path(
        &self,
        records: &Records,
        targets: &[f64],
        weights: Option<&[f64]>,
        grid: &PathGrid,
        context: &FitContext,
    ) -> Result<LassoPath> {
        let job = self.job();
        LassoPath::along(&job, records, targets, weights, grid, context)
    }

    pub(super) fn job(&self) -> Job<'_> {
        Job {
            settings: self,
            name: "lasso",
            shrinkage: self.shrinkage,
            share: 1.0,
            bias: self.bias,
            positive: self.positive,
            tolerance: self.tolerance,
            passes: self.max_iterations,
            solver: self.solver,
        }
    }
}
