//! Kernel logistic regression.

use serde::{Deserialize, Serialize};

use super::{KernelRisk, Loss};
use crate::Result;
use crate::data::Dataset;
use crate::fit::{FitContext, Fitted};
use crate::kernel::KernelSpec;
use crate::learn::Estimator;
use crate::learn::margin::{Bias, ClassWeights};
use crate::model::expansion::KernelExpansion;

/// Kernel logistic regression: minimises ½‖f‖² + C Σ w_i log(1 + exp(−y_i f(x_i))).
///
/// Decisions are log-odds, so that probabilities need no calibration. It is [`KernelRisk`] with the
/// logistic loss; time grows with n³ a Newton step, of which there are about ten.
///
/// # Examples
/// ```
/// use mercer::data::{ClassTargets, Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::loss::Klr;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(4, 1, vec![0.0, 1.0, 4.0, 5.0]);
/// let y = ClassTargets::from_labels(&["low", "low", "high", "high"]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::Classes(y))?;
/// let fitted = Klr::default().c(10.0).fit(&data, &FitContext::default())?;
/// assert!(fitted.model.readout.has_probabilities());
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Keerthi et al., A fast dual algorithm for kernel logistic regression, 2005.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Klr {
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// Regularisation parameter C, the weight of errors.
    #[setting(positive, python = "C", search(smaller, Regularisation))]
    pub c: f64,
    /// The constant term of the decision.
    #[setting(words("free", "none", "regularised"), python = "fit_intercept")]
    pub bias: Bias,
    /// Factors on C by class: `balanced`, or a factor for a class, repeatable.
    ///
    /// Probabilities are those of classes that are so much more frequent.
    #[setting(class_weights, flag = "class-weight", python = "class_weight")]
    pub class_weights: ClassWeights,
    /// Largest violation of the optimality conditions, relative to the largest weighted C.
    #[setting(positive, python = "tol")]
    pub tolerance: f64,
}

impl Default for Klr {
    fn default() -> Self {
        let risk = KernelRisk::default();
        Self {
            kernel: risk.kernel,
            c: risk.c,
            bias: risk.bias,
            class_weights: risk.class_weights,
            tolerance: risk.tolerance,
        }
    }
}

impl Estimator for Klr {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        let risk = KernelRisk {
            kernel: self.kernel.clone(),
            loss: Loss::Logistic,
            c: self.c,
            power: 2.0,
            bias: self.bias,
            class_weights: self.class_weights.clone(),
            tolerance: self.tolerance,
        };
        risk.fit(data, context)
    }
}
