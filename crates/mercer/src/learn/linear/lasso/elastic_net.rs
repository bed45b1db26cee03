//! The elastic net.

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use super::job::{Job, LassoSolution};
use super::path::{LassoPath, PathGrid};
use super::{LassoSolver, Shrinkage};
use crate::Result;
use crate::data::Records;
use crate::fit::FitContext;
use crate::learn::margin::Bias;

/// The elastic net: minimises Σ w_i (y_i − ⟨w, x_i⟩ − b)² + λ(ρ‖w‖₁ + ½(1 − ρ)‖w‖²).
///
/// ρ = 1 is the [`super::Lasso`], ρ = 0 ridge regression with half the λ. Columns that are alike share
/// their weight, which the LASSO gives to one of them. Cost, tolerance and `alpha` are those of
/// the LASSO.
///
/// # References
/// Zou and Hastie, Regularization and variable selection via the elastic net, 2005.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct ElasticNet {
    /// λ, or how it is found.
    #[setting(group)]
    pub shrinkage: Shrinkage,
    /// Share ρ of the absolute values in the penalty, from 0 to 1.
    #[setting(not_negative, unlisted, search(larger, Linear(0.1, 1.0, 4)))]
    pub l1_ratio: f64,
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

impl Default for ElasticNet {
    fn default() -> Self {
        Self {
            shrinkage: Shrinkage::default(),
            l1_ratio: 0.5,
            bias: Bias::Free,
            positive: false,
            tolerance: 1e-4,
            max_iterations: 1000,
            solver: LassoSolver::Descent,
        }
    }
}

impl ElasticNet {
    /// Sets whether a constant without penalty is part of f.
    pub fn intercept(self, intercept: bool) -> Self {
        self.bias(if intercept { Bias::Free } else { Bias::None })
    }

    /// Solves for several outputs, each for itself: `targets` has a row per output.
    ///
    /// # Errors
    /// As [`super::Lasso::solve`].
    pub fn solve(
        &self,
        records: &Records,
        targets: &Matrix<f64>,
        weights: Option<&[f64]>,
        context: &FitContext,
    ) -> Result<LassoSolution> {
        self.job().solve(records, targets, weights, None, context)
    }

    /// Solves along a path of λ, as [`super::Lasso::path`] does.
    ///
    /// # Errors
    /// As [`super::Lasso::path`]; ρ = 0, where no λ makes all weights zero.
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
            name: "elastic_net",
            shrinkage: self.shrinkage,
            share: self.l1_ratio,
            bias: self.bias,
            positive: self.positive,
            tolerance: self.tolerance,
            passes: self.max_iterations,
            solver: self.solver,
        }
    }
}
