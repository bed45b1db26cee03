//! Parts of the account that some methods have: what each tells beside its solution.

use serde::{Deserialize, Serialize};

use super::stop_reason::StopReason;
use super::unknown;

/// What a model with the squared loss knows of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvidenceReport {
    /// The ratio γ of noise to prior precision.
    pub ratio: f64,
    /// Prior precision μ, a value per output.
    pub prior: Vec<f64>,
    /// Noise precision ζ, a value per output.
    pub noise: Vec<f64>,
    /// Effective number of parameters, the constant counted.
    pub effective_parameters: f64,
    /// Leave-one-out error: share of wrong classes, or root mean square; NaN where rows were not left out.
    #[serde(default = "unknown::nan", skip_serializing_if = "unknown::is_nan")]
    pub leave_one_out: f64,
}

/// What least squares on features tells of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureReport {
    /// Features: landmarks, or cosines and sines.
    pub components: usize,
    /// Directions of them in which rows vary by more than rounding.
    pub directions: usize,
    /// λ of Σ w(y − f)² + λ‖f‖².
    pub lambda: f64,
    /// How λ was found; `None` where it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_by: Option<String>,
    /// Effective number of parameters, the constant counted.
    pub effective_parameters: f64,
    /// Variance σ² of the noise, a value per output.
    pub noise_variance: Vec<f64>,
    /// Logarithm of the evidence, integrated over λ, where that found λ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_evidence: Option<f64>,
    /// Folds that were left out, each predicted by what was learnt from the others.
    pub folds: usize,
    /// Root of their mean squared error, over all rows and outputs; of decisions ±1 for classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out_error: Option<f64>,
    /// Share of wrong classes among rows of a sample, each predicted without its fold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out_wrong: Option<f64>,
}

/// What a network knows of its training.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NetworkReport {
    /// Number of inputs, then the gates of every layer.
    pub layers: Vec<usize>,
    /// Weights and constants.
    pub parameters: usize,
    /// Weights other than zero, constants not counted.
    pub nonzero_weights: usize,
    /// Gates of all layers.
    pub gates: usize,
    /// The loss after every epoch or step.
    pub loss_curve: Vec<f64>,
    /// The score of held-out rows after every epoch, where some were held out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation_scores: Vec<f64>,
    /// The loss at the end of every start.
    pub start_losses: Vec<f64>,
    /// How often steps were halved because the loss diverged.
    pub halvings: u32,
}

/// What a linear model with exact zeros knows of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PenaltyReport {
    /// λ, the weight of the penalty beside the sum of squares.
    pub lambda: f64,
    /// Sum of the row weights n: scikit-learn's `alpha` is λ/(2n).
    pub copies: f64,
    /// The least λ at which all weights are zero; `None` where there is none.
    pub largest_lambda: Option<f64>,
    /// How many weights are not zero.
    pub nonzero_weights: usize,
    /// Primal minus dual objective of every output.
    pub gaps: Vec<f64>,
    /// Passes or steps of every output.
    pub iterations: Vec<u64>,
}

/// What a decision tree tells of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TreeReport {
    /// Leaves of the tree.
    pub leaves: usize,
    /// Tests on its longest path.
    pub depth: usize,
    /// Weight of the training rows that it gets wrong.
    pub training_errors: f64,
    /// Weight of all training rows.
    pub weight: f64,
    /// Weight of the training rows that the best tree of one test gets wrong, where there is one.
    pub stump_errors: Option<f64>,
    /// Bits that state the tree: −log₂ p(H).
    pub tree_bits: f64,
    /// Bits that state the classes of the training rows, given the tree: −log₂ p(L | H).
    pub class_bits: f64,
    /// Bits that state the classes without a tree.
    pub bits_without_tree: f64,
}

/// What nearest neighbours tell of themselves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NeighbourReport {
    /// Rows that are kept.
    pub rows_kept: usize,
    /// Rows that were given.
    pub rows_given: usize,
    /// How many neighbours vote.
    pub neighbours: usize,
    /// What rows are compared by.
    pub distance: String,
    /// How numbers were scaled, where columns are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scaling: Option<String>,
    /// The weight of every column, where weights were learnt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub column_weights: Vec<(String, f64)>,
    /// Mean squared loss of rows that are left out, with equal weights and with those learnt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out_losses: Option<[f64; 2]>,
}

/// Where the margin in a bound on mistakes comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarginSource {
    /// The largest margin there is, found by a hard-margin support vector machine.
    HardMargin,
    /// The weights that were found, whose margin may be smaller than the largest.
    FoundWeights,
}

/// What one decision of a perceptron came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MistakeReport {
    /// What was told apart, such as `setosa against versicolor`.
    pub name: String,
    /// Rows that were on the wrong side when they were visited.
    pub mistakes: u64,
    /// Passes over the rows.
    pub passes: u64,
    /// Why it ended: converged is a pass without mistakes.
    pub stop_reason: StopReason,
    /// R, the largest length of a row with a constant feature 1.
    pub radius: f64,
    /// γ, where the rows were separated.
    pub margin: Option<f64>,
    /// Where γ comes from.
    pub margin_source: Option<MarginSource>,
    /// The most mistakes there can be from weights 0 on: (R/γ)², times the ratio of the largest to
    /// the least step where rows have weights.
    pub bound: Option<f64>,
}

/// What a projection explains of its rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectionReport {
    /// Variance along every component, or eigenvalue of the kernel matrix; the largest first.
    pub eigenvalues: Vec<f64>,
    /// Their sum over all components, kept or not.
    pub total: f64,
    /// Mean variance along the components that are not kept, where they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<f64>,
    /// Largest residual ‖A v − λ v‖ of an eigenvector, relative to the largest eigenvalue.
    pub residual: f64,
    /// Singular values of the rows around their mean, where they were looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub singular_values: Vec<f64>,
}

impl ProjectionReport {
    /// Returns the share of every component in the total.
    pub fn shares(&self) -> Vec<f64> {
        let share = |v: &f64| {
            if self.total > 0.0 {
                v / self.total
            } else {
                0.0
            }
        };
        self.eigenvalues.iter().map(share).collect()
    }
}
