//! The parameters of the perceptron.

use serde::{Deserialize, Serialize};

use crate::kernel::KernelSpec;
use crate::learn::Settings;
use crate::learn::margin::{Bias, ClassWeights};
use crate::{Error, Result};

/// Which of the weights that were passed through are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// The last ones.
    #[default]
    Plain,
    /// Those that were wrong about the fewest training rows (Gallant's ratchet).
    Pocket,
    /// Their mean over all visits.
    Averaged,
}

/// What a value of exactly 0 says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AtZero {
    /// Nothing: it is a mistake, whatever the class. This is scikit-learn's rule.
    #[default]
    Wrong,
    /// The second class, or the class that is told from the rest: the threshold gate A(0) = 1.
    Second,
}

/// What keeps weights small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Penalty {
    /// Weights shrink by a factor at every visit.
    L2,
    /// Weights move towards 0 by a constant at every visit, and stay there.
    L1,
    /// Both.
    Elasticnet,
}

/// The perceptron: w ← w + η y x for every row on the wrong side.
///
/// Use it to see what a single threshold gate can learn, or as a quick linear classifier of
/// many rows. It stops at the first pass without a mistake; where classes cannot be
/// separated it never comes to rest, and [`Variant::Pocket`] or [`Variant::Averaged`] weights are
/// the better ones to keep. A pass takes n d multiplications for n rows of d columns. Under a
/// kernel other than the linear one the weights are Σ α_i φ(x_i), and every mistake takes a row of
/// kernel values. Row weights multiply the step η. With `shuffle` rows are visited in an order that
/// depends on the seed and on their content, equal ones as one, so that weights are copies; without
/// it they are visited as they were given.
///
/// # Examples
/// ```
/// use mercer::data::{ClassTargets, Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::perceptron::Perceptron;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(4, 1, vec![0.0, 1.0, 4.0, 5.0]);
/// let y = ClassTargets::from_labels(&["low", "low", "high", "high"]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::Classes(y))?;
/// let fitted = Perceptron::default().tolerance(None).fit(&data, &FitContext::default())?;
/// let told = &fitted.report.mistakes.expect("a perceptron counts its mistakes")[0];
/// assert!((told.mistakes as f64) <= told.bound.expect("separable"));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Rosenblatt, The perceptron, 1958; Novikoff, On convergence proofs on perceptrons, 1962; Gallant,
/// Perceptron-based learning algorithms, 1990; Freund and Schapire, Large margin classification
/// using the perceptron algorithm, 1999; Tsuruoka, Tsujii and Ananiadou, Stochastic gradient descent
/// training for L1-regularized log-linear models with cumulative penalty, 2009.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Perceptron {
    /// Kernel expression; `linear` learns a weight per feature.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// Which weights are kept: the last ones, those with the fewest errors, or their mean.
    #[setting(words("plain", "pocket", "averaged"))]
    pub variant: Variant,
    /// What a value of exactly 0 says: nothing, or the second class.
    #[setting(words("wrong", "second"))]
    pub at_zero: AtZero,
    /// The constant term of the decision.
    #[setting(words("free", "none"), python = "fit_intercept")]
    pub bias: Bias,
    /// What keeps weights small, where anything does.
    #[setting(words("l2", "l1", "elasticnet"))]
    pub penalty: Option<Penalty>,
    /// Weight λ of the penalty.
    #[setting(not_negative, python = "alpha", search(larger))]
    pub lambda: f64,
    /// Share of the absolute values in the penalty `elasticnet`.
    #[setting(not_negative)]
    pub l1_ratio: f64,
    /// Step η of a mistake.
    #[setting(positive, python = "eta0")]
    pub step: f64,
    /// Most passes over the rows.
    #[setting(count, python = "max_iter")]
    pub max_iterations: u64,
    /// Gain of the mean loss below which a pass counts as idle; without it only a pass without
    /// mistakes ends the fit.
    #[setting(not_negative, python = "tol")]
    pub tolerance: Option<f64>,
    /// Idle passes in a row that end the fit.
    #[setting(count, python = "n_iter_no_change")]
    pub patience: u64,
    /// Whether rows are visited in a new random order in every pass.
    #[setting(switch, off = "no-shuffle")]
    pub shuffle: bool,
    /// Factors on the step by class: `balanced`, or a factor for a class, repeatable.
    #[setting(class_weights, flag = "class-weight", python = "class_weight")]
    pub class_weights: ClassWeights,
    /// Set rows aside, and stop when the score on them does not rise any more.
    #[setting(switch)]
    pub early_stopping: bool,
    /// Share of the rows that are set aside to that end.
    #[setting(share, python = "validation_fraction")]
    pub validation: f64,
}

impl Default for Perceptron {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::linear(),
            variant: Variant::default(),
            at_zero: AtZero::default(),
            bias: Bias::Free,
            penalty: None,
            lambda: 1e-4,
            l1_ratio: 0.15,
            step: 1.0,
            max_iterations: 1000,
            tolerance: Some(1e-3),
            patience: 5,
            shuffle: true,
            class_weights: ClassWeights::default(),
            early_stopping: false,
            validation: 0.1,
        }
    }
}

impl Perceptron {
    /// Sets whether a constant is part of f.
    pub fn intercept(self, intercept: bool) -> Self {
        self.bias(if intercept { Bias::Free } else { Bias::None })
    }

    /// Whether the weights are those of features.
    pub(super) fn is_linear(&self) -> bool {
        self.kernel == KernelSpec::linear()
    }

    /// Whether a constant is part of f.
    pub(super) fn has_constant(&self) -> bool {
        self.bias.is_free()
    }

    /// Checks every setting.
    pub(super) fn check_all(&self) -> Result<()> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        if self.l1_ratio > 1.0 {
            errors.push(Error::setting("l1_ratio", self.l1_ratio, "between 0 and 1"));
        }
        if self.bias.is_regularised() {
            errors.push(Error::setting("bias", "regularised", "`free` or `none`"));
        }
        if self.early_stopping && self.validation >= 1.0 {
            let rule = "between 0 and 1, both excluded";
            errors.push(Error::setting("validation", self.validation, rule));
        }
        if self.penalty.is_some() && !self.is_linear() {
            errors.push(Error::Conflict {
                what: format!(
                    "a penalty needs weights, and the kernel is `{}`",
                    self.kernel
                ),
                cure: "leave the penalty out, or use the kernel `linear`".into(),
            });
        }
        if self.penalty.is_some() && self.variant == Variant::Averaged {
            errors.push(Error::Conflict {
                what: "weights with a penalty shrink at every visit and have no mean here".into(),
                cure: "leave the penalty out, or keep the last weights".into(),
            });
        }
        Error::collect(errors)
    }
}
