//! A penalised fit read as the most probable function.

use serde::{Deserialize, Serialize};

/// Penalty and loss as prior and likelihood: the solution is the maximum a posteriori (MAP).
///
/// −log p(f | y) = −log p(y | f) − log p(f) + const. A squared loss is the likelihood N(f, σ²),
/// a penalty on squares the prior N(0, τ²), and λ = σ²/τ². A penalty on absolute values is the prior
/// exp(−|w|/τ)/(2τ) of Laplace, and λ = 2σ²/τ.
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
    /// τ², a value per output; empty where the prior has a scale.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prior_variance: Vec<f64>,
    /// τ of a prior with absolute values, a value per output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prior_scale: Vec<f64>,
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
            prior_scale: Vec::new(),
            noise_variance: Vec::new(),
        }
    }

    /// The reading of Σ(y − f)² + λ(ρ‖w‖₁ + ½(1 − ρ)‖w‖²) for a share ρ above 0: over 2σ² it is the negative
    /// logarithm of the posterior with τ = 2σ²/λ.
    pub fn of_absolute_weights(lambda: f64, share: f64, noise_variance: Vec<f64>) -> Self {
        Self {
            prior: laplace(share),
            rule: "2σ²/τ".to_owned(),
            prior_variance: Vec::new(),
            prior_scale: noise_variance.iter().map(|v| 2.0 * v / lambda).collect(),
            ..Self::gaussian(lambda, noise_variance)
        }
    }

    /// The reading of ρ‖w‖₁ + ½(1 − ρ)‖w‖² + C Σ −log P(y): over C it is the negative logarithm of the
    /// posterior, with τ² = C where ρ is 0 and τ = C otherwise.
    pub fn of_likely_weights(c: f64, share: f64, classes: usize) -> Self {
        let (decisions, likelihood) = match classes {
            2 => (1, "P(y | f) = 1/(1 + exp(−y f(x)))"),
            more => (more, "P(y | f) = exp(f_y(x))/Σ exp(f_k(x))"),
        };
        let each = vec![c; decisions];
        let is_normal = share == 0.0;
        Self {
            prior: if is_normal {
                "w ~ N(0, τ²)".to_owned()
            } else {
                laplace(share)
            },
            likelihood: likelihood.to_owned(),
            rule: if is_normal { "1/τ²" } else { "1/τ" }.to_owned(),
            lambda: c.recip(),
            prior_variance: if is_normal { each.clone() } else { Vec::new() },
            prior_scale: if is_normal { Vec::new() } else { each },
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
            prior_scale: Vec::new(),
            noise_variance,
        }
    }
}

/// The prior behind a share ρ of absolute values.
fn laplace(share: f64) -> String {
    if share == 1.0 {
        "p(w) ∝ exp(−|w|/τ)".to_owned()
    } else {
        format!("p(w) ∝ exp(−(ρ|w| + ½(1 − ρ)w²)/τ), ρ = {share}")
    }
}
