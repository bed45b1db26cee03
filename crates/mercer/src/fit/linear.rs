//! What linear least squares tells beside its weights.

use serde::{Deserialize, Serialize};

/// What a linear model knows of the rows it was fitted to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LinearReport {
    /// How many columns are independent, the constant not counted; `None` where a penalty
    /// decides instead, and where steps down the slope were taken.
    pub rank: Option<usize>,
    /// The ratio of the largest to the smallest singular value of what was solved; `None` where
    /// it was not computed.
    pub condition: Option<f64>,
    /// Rank or effective number of parameters, plus 1 for a free constant.
    pub degrees_of_freedom: f64,
    /// Weight λ of the penalty, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lambda: Option<f64>,
    /// Estimated variance of the noise, a value per output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noise_variance: Vec<f64>,
    /// How sure every weight is, output by output, the constant last; empty where nothing is
    /// known or features are many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<WeightReport>,
    /// What the penalty costs and gains, a value per output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bias_variance: Vec<BiasVariance>,
    /// How steps down the slope went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gradient: Option<GradientReport>,
}

/// A weight and how far it can be trusted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WeightReport {
    /// The feature; `constant` for the constant.
    pub name: String,
    /// The weight.
    pub weight: f64,
    /// Its standard error, or the standard deviation of its posterior under a penalty.
    pub standard_error: f64,
    /// Lower end of the 95 % interval: Student's, or the posterior's under a penalty.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
}

/// Bias and variance of ridge regression, summed over the weights.
///
/// With A = XᵀX and the true weights β the bias is −λ(A + λI)⁻¹β and the variance
/// σ²(A + λI)⁻¹A(A + λI)⁻¹. The weights of least squares stand for β.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BiasVariance {
    /// Sum of the squared biases.
    pub squared_bias: f64,
    /// Trace of the covariance of the weights over samples.
    pub variance: f64,
    /// Trace of the covariance of least squares, σ² tr A⁻¹, which has no bias.
    pub least_squares: f64,
}

/// How steps down the slope went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GradientReport {
    /// `batch` or `online`.
    pub solver: String,
    /// The first step.
    pub step: f64,
    /// How steps change from epoch to epoch.
    pub schedule: String,
    /// 2/λ_max(XᵀX): constant steps over all rows converge below it alone.
    pub limit: f64,
    /// Passes over the rows.
    pub epochs: u64,
}
