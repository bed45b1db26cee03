//! Kernel logistic regression.

use serde::{Deserialize, Serialize};

use super::{KernelRisk, Loss};
use crate::Result;
use crate::data::Dataset;
use crate::fit::{FitContext, Fitted, Note};
use crate::kernel::KernelSpec;
use crate::learn::Estimator;
use crate::learn::margin::{Bias, ClassWeights};
use crate::model::expansion::KernelExpansion;

/// Kernel logistic regression: minimises ½‖f‖² + C Σ w_i log(1 + exp(−y_i f(x_i))).
///
/// Decisions are log-odds: P = 1/(1 + e^{−f}) is the probability of the model itself, as in scikit-learn. It
/// is not held against rows left out, so that it is as sure as C makes it: on labels without any signal it
/// loses 1 to 3/n nats against their share at C = 1 (50 to 400 rows, up to five columns), and 0.8/n where C was
/// searched for by the log loss, as do the sigmoids of least squares machines. The report says so. It is [`KernelRisk`] with the logistic loss; time grows with n³ a
/// Newton step, of which there are about ten.
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
        let mut fitted = risk.fit(data, context)?;
        fitted.report.notes.push(of_the_likelihood(Some(self.c)));
        Ok(fitted)
    }
}

/// Says what probabilities of a logistic likelihood rest on; `None` as C is no penalty at all.
pub(crate) fn of_the_likelihood(c: Option<f64>) -> Note {
    let price = c.map_or("without a penalty".to_owned(), |c| format!("at C = {c}"));
    Note::Choice(format!(
        "probabilities are those of the likelihood {price}, not held against rows left out: with little signal they are too sure, unless C is searched for"
    ))
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;
    use crate::data::{ClassTargets, Records, Targets};

    #[test]
    fn the_report_says_what_probabilities_rest_on() {
        let x = Matrix::from_vec(4, 1, vec![0.0, 1.0, 4.0, 5.0]);
        let y = ClassTargets::from_labels(&["low", "low", "high", "high"]);
        let data = Dataset::try_new(Records::from_points(x), Targets::Classes(y)).expect("rows");
        let fitted = Klr::default().c(10.0).fit(&data, &FitContext::default());
        let notes = fitted.expect("a model").report.notes;
        let told = notes.iter().any(|n| n.text().contains("at C = 10,"));
        assert!(told, "{notes:?}");
    }
}
