//! A penalised fit read as the most probable function.

use serde::{Deserialize, Serialize};

/// Penalty and loss as prior and likelihood: the solution is the maximum a posteriori (MAP).
///
/// −log p(f | y) = −log p(y | f) − log p(f) + const. A squared loss is the likelihood N(f, σ²),
/// a penalty on squares the prior N(0, τ²), and λ = σ²/τ².
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BayesReport {
    /// The prior, such as `w ~ N(0, τ²)`.
    pub prior: String,
    /// The likelihood, such as `y ~ N(f(x), σ²)`.
    pub likelihood: String,
    /// What λ is made of, such as `σ²/τ²`.
    pub rule: String,
    /// λ.
    pub lambda: f64,
    /// τ², a value per output.
    pub prior_variance: Vec<f64>,
    /// σ², a value per output; empty where the likelihood has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noise_variance: Vec<f64>,
}

impl BayesReport {
    /// The reading of the squared loss with a penalty on the squares of weights.
    pub fn of_weights(lambda: f64, noise_variance: Vec<f64>) -> Self {
        Self {
            prior: "w ~ N(0, τ²)".to_owned(),
            ..Self::gaussian(lambda, noise_variance)
        }
    }

    /// The reading of the squared loss in the space of a kernel.
    pub fn of_kernel(lambda: f64, noise_variance: Vec<f64>) -> Self {
        Self {
            prior: "f ~ GP(0, τ²k)".to_owned(),
            ..Self::gaussian(lambda, noise_variance)
        }
    }

    /// The reading of the logistic loss in the space of a kernel: ½‖f‖² + C Σ log(1 + e^{−yf}) over
    /// C is the negative logarithm of the posterior with τ² = C.
    pub fn of_log_odds(c: f64, decisions: usize) -> Self {
        Self {
            prior: "f ~ GP(0, τ²k)".to_owned(),
            likelihood: "P(y | f) = 1/(1 + exp(−y f(x)))".to_owned(),
            rule: "1/τ²".to_owned(),
            lambda: c.recip(),
            prior_variance: vec![c; decisions],
            noise_variance: Vec::new(),
        }
    }

    fn gaussian(lambda: f64, noise_variance: Vec<f64>) -> Self {
        Self {
            prior: String::new(),
            likelihood: "y ~ N(f(x), σ²)".to_owned(),
            rule: "σ²/τ²".to_owned(),
            lambda,
            prior_variance: noise_variance.iter().map(|noise| noise / lambda).collect(),
            noise_variance,
        }
    }
}
