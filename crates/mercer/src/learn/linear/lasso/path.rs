//! Solutions along many λ, each from the weights of the last.

use mercer_linalg::Matrix;

use super::super::input::Input;
use super::job::{Job, Prepared, checked};
use crate::data::Records;
use crate::fit::{FitContext, StopReason};
use crate::learn::least_squares::times_power;
use crate::solver::lasso::Descent;
use crate::{Error, Result};

/// The solution at one λ of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct PathPoint {
    /// λ.
    pub lambda: f64,
    /// One weight per feature.
    pub weights: Vec<f64>,
    /// The constant.
    pub bias: f64,
    /// Σ w_i (y_i − f(x_i))² with the penalty.
    pub objective: f64,
    /// How far the objective can be from its optimum.
    pub gap: f64,
    /// Passes over working sets.
    pub iterations: u64,
    /// Why the solver stopped.
    pub stop_reason: StopReason,
}

/// Solutions from the largest λ to the smallest.
#[derive(Debug, Clone, PartialEq)]
pub struct LassoPath {
    /// A solution per λ; fewer than asked for where a time limit ended the path.
    pub points: Vec<PathPoint>,
    /// Sum of the row weights n: scikit-learn's `alpha` is λ/(2n).
    pub copies: f64,
}

/// The values of λ that a path goes along.
#[derive(Debug, Clone, PartialEq)]
pub enum PathGrid {
    /// From the least λ at which all weights are zero to a share of it, in equal ratios.
    Ratios {
        /// How many values.
        count: usize,
        /// The last as a share of the first.
        share: f64,
    },
    /// scikit-learn's `alpha`: λ/(2n). They are taken from the largest to the smallest.
    Alphas(Vec<f64>),
}

impl Default for PathGrid {
    /// 100 values down to 0.001, as scikit-learn has.
    fn default() -> Self {
        Self::Ratios {
            count: 100,
            share: 1e-3,
        }
    }
}

impl PathGrid {
    fn check(&self) -> Result<()> {
        match self {
            Self::Ratios { count: 0, .. } => Err(Error::setting("count", 0, "at least 1")),
            Self::Ratios { share, .. } if !(*share > 0.0 && *share < 1.0) => {
                let rule = "between 0 and 1, both excluded";
                Err(Error::setting("share", share, rule))
            }
            Self::Alphas(alphas) => {
                let bad = alphas.iter().find(|a| !(a.is_finite() && **a > 0.0));
                let rule = "positive and finite";
                bad.map_or(Ok(()), |bad| Err(Error::setting("alphas", bad, rule)))
            }
            Self::Ratios { .. } => Ok(()),
        }
    }

    fn lambdas(&self, largest: impl FnOnce() -> f64, copies: f64) -> Vec<f64> {
        match self {
            Self::Ratios { count, share } => {
                let largest = largest();
                ratios(*count, *share).iter().map(|r| r * largest).collect()
            }
            Self::Alphas(alphas) => {
                let mut lambdas: Vec<f64> = alphas.iter().map(|a| 2.0 * copies * a).collect();
                lambdas.sort_unstable_by(|a, b| b.total_cmp(a));
                lambdas
            }
        }
    }
}

/// `count` values from 1 to `share`, in equal ratios.
pub(super) fn ratios(count: usize, share: f64) -> Vec<f64> {
    let step = share.ln() / (count.max(2) - 1) as f64;
    (0..count).map(|k| (step * k as f64).exp()).collect()
}

impl LassoPath {
    pub(super) fn along(
        job: &Job<'_>,
        records: &Records,
        targets: &[f64],
        weights: Option<&[f64]>,
        grid: &PathGrid,
        context: &FitContext,
    ) -> Result<Self> {
        job.check()?;
        grid.check()?;
        if job.share == 0.0 {
            let rule = "above 0: without absolute values no λ makes all weights zero";
            return Err(Error::setting("l1_ratio", job.share, rule));
        }
        let targets = Matrix::from_vec(1, targets.len(), targets.to_vec());
        let input = Input::try_new(records, &targets, weights)?;
        context.install(|| {
            let prepared = Prepared::try_new(input, job.bias, context)?;
            let copies = prepared.input.copies();
            let lambdas = grid.lambdas(|| largest_lambda(job, &prepared, context), copies);
            let points = prepared.points(job, &lambdas, context)?;
            Ok(Self { points, copies })
        })?
    }
}

/// The least λ at which all weights are zero.
pub(super) fn largest_lambda(job: &Job<'_>, prepared: &Prepared, context: &FitContext) -> f64 {
    let problem = prepared.problem(0, job.positive);
    let descent = Descent::new(&problem, job.limits(), context);
    prepared.lambda(descent.largest(), 0) / job.share
}

impl Prepared {
    /// Solves for the first output at every λ, by descent.
    ///
    /// # Errors
    /// Cancellation; weights beyond the range of numbers.
    pub(super) fn points(
        &self,
        job: &Job<'_>,
        lambdas: &[f64],
        context: &FitContext,
    ) -> Result<Vec<PathPoint>> {
        let problem = self.problem(0, job.positive);
        let mut descent = Descent::new(&problem, job.limits(), context);
        let unit = self.cost_exponent(0);
        let mut points = Vec::with_capacity(lambdas.len());
        for &lambda in lambdas {
            if !context.goes_on() {
                break;
            }
            let outcome = descent.solve(self.penalty(lambda, job.share, 0));
            let (weights, bias) = self.in_data_units(&descent.weights, 0)?;
            points.push(PathPoint {
                lambda,
                weights,
                bias,
                objective: times_power(2.0 * outcome.certificate.primal, unit),
                gap: times_power(2.0 * outcome.certificate.gap(), unit),
                iterations: outcome.iterations,
                stop_reason: outcome.stop_reason,
            });
        }
        checked(context)?;
        Ok(points)
    }
}
