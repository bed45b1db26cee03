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
/// Decisions are log-odds of the penalised likelihood, as sure as C makes them. Probabilities are sigmoids
/// P = 1/(1 + e^{a f + b}) fitted to approximate leave-one-out decisions, as those of least-squares support vector machines: on labels without a signal they
/// lose about 1/n nats against their share, and P orders rows as f does. `LogisticRegression`, the
/// linear method, keeps P = 1/(1 + e^{−f}), as scikit-learn has it. It is [`KernelRisk`] with the logistic loss; time grows with
/// n³ a Newton step, of which there are about ten.
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
    /// Labels are those of largest factor times probability.
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

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;
    use crate::data::{ClassTargets, Records, Targets};

    #[test]
    fn slopes_of_probabilities_follow_rows_left_out() {
        // Ten rows at two places: what they say of each other does not depend on a single one, and C is small. The
        // likelihood is less sure than rows left out allow.
        let x = Matrix::from_fn(10, 1, |i, _| if i < 5 { 0.0 } else { 4.0 });
        let labels: Vec<&str> = (0..10)
            .map(|i| if i < 5 { "low" } else { "high" })
            .collect();
        let y = ClassTargets::from_labels(&labels);
        let data = Dataset::try_new(Records::from_points(x), Targets::Classes(y)).expect("rows");
        let fitted = Klr::default().c(0.1).fit(&data, &FitContext::default());
        let model = fitted.expect("a model").model;
        let classes = model.readout.classes().expect("classes");
        let sigmoid = classes.sigmoids.as_ref().expect("sigmoids")[0];
        assert!(sigmoid.a < -1.5, "{sigmoid:?}");
        assert!(sigmoid.b.abs() < 1e-6, "{sigmoid:?}");
    }
}
