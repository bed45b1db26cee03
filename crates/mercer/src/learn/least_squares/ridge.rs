//! Kernel ridge: regression, and classes told apart by its sign.

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use super::Strength;
use super::job::Objective;
use super::regress::Regression;
use crate::data::{Dataset, Records, Targets};
use crate::fit::{FitContext, Fitted};
use crate::kernel::KernelSpec;
use crate::learn::Estimator;
use crate::learn::margin::Bias;
use crate::model::expansion::KernelExpansion;
use crate::{Error, Result};

/// Kernel ridge regression: minimises Σ w_i (y_i − f(x_i))² + λ‖f‖², which is the objective of its
/// report.
///
/// One linear system, several outputs at the price of one. Use it for smooth functions under
/// noise of one size; time grows with n³, memory with n². As in scikit-learn the kernel is
/// `linear`, λ = 1 and f has no constant unless other ones are named.
///
/// [`Unpenalised::Columns`] leaves constant and columns free of the penalty; with
/// [`KernelSpec::bent_spline`] f is the smoothing spline, and λ multiplies ∫(f″)².
///
/// Classes are told apart by the sign of f learnt from targets ±1; of several classes, each against
/// the rest, the one of largest f is predicted. There are no probabilities: [`super::LsSvc`] has
/// them.
///
/// # Examples
/// ```
/// use mercer::data::{Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::kernel::KernelSpec;
/// use mercer::learn::Estimator;
/// use mercer::learn::least_squares::{KernelRidge, Strength};
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_fn(30, 1, |i, _| i as f64 / 10.0);
/// let y = (0..30).map(|i| (i as f64 / 10.0).sin()).collect();
/// let data = Dataset::try_new(Records::from_points(x), Targets::Real(y))?;
/// let fitted = KernelRidge::default()
///     .kernel(KernelSpec::rbf(1.0))
///     .strength(Strength::Lambda(1e-6))
///     .fit(&data, &FitContext::default())?;
/// assert!(fitted.report.solver().kkt_violation < 1e-10);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Saunders, Gammerman and Vovk, Ridge regression learning algorithm in dual variables, 1998.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct KernelRidge {
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// λ, or how it is found.
    #[setting(group("lambda", "by"))]
    pub strength: Strength,
    /// The constant term of the prediction.
    #[setting(words("free", "none", "regularised"), python = "fit_intercept")]
    pub bias: Bias,
    /// Whether kernels are mere basis functions: λ Σ c_i² in the place of λ‖f‖².
    #[serde(default)]
    #[setting(switch, unlisted)]
    pub basis: bool,
    /// Functions that carry no penalty: what `bias` says, the constant, or the constant and the columns themselves.
    #[serde(default)]
    #[setting(words("bias", "constant", "columns"), unlisted)]
    pub unpenalised: Unpenalised,
}

/// The functions of a kernel ridge that carry no penalty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unpenalised {
    /// Those that the constant's own setting names.
    #[default]
    Bias,
    /// The constant.
    Constant,
    /// The constant and every column: with the kernel `bent_spline` a smoothing spline.
    Columns,
}

impl Default for KernelRidge {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::linear(),
            strength: Strength::Lambda(1.0),
            bias: Bias::None,
            basis: false,
            unpenalised: Unpenalised::Bias,
        }
    }
}

impl KernelRidge {
    /// Sets whether a constant without penalty is part of f.
    pub fn intercept(self, intercept: bool) -> Self {
        self.bias(if intercept { Bias::Free } else { Bias::None })
    }

    /// Learns several outputs at the price of one: `targets` has a row per output.
    ///
    /// # Errors
    /// As [`Estimator::fit`]; lengths that differ, weights that are not positive.
    pub fn fit_several(
        &self,
        records: &Records,
        targets: &Matrix<f64>,
        weights: Option<&[f64]>,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        self.check_unpenalised()?;
        self.job().fit_several(records, targets, weights, context)
    }

    /// Learns all targets of a data set at once, from its rows of positive weight.
    fn fit_targets(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        let counts = |row: &usize| data.weights.as_ref().is_none_or(|w| w[*row] > 0.0);
        let kept: Vec<usize> = (0..data.len()).filter(counts).collect();
        let part = data.select(&kept);
        let Targets::Several(targets) = &part.targets else {
            return self.job().fit(data, context);
        };
        self.fit_several(&part.records, targets, part.weights.as_deref(), context)
    }

    /// A constant with a penalty and one without exclude each other.
    fn check_unpenalised(&self) -> Result<()> {
        if self.unpenalised != Unpenalised::Bias && self.bias.is_regularised() {
            return Err(Error::Unsupported {
                what: "the constant cannot carry a penalty and carry none".to_owned(),
                cure: "choose one of the settings `bias` and `unpenalised`".into(),
            });
        }
        Ok(())
    }

    fn job(&self) -> Regression<'_> {
        Regression {
            kernel: &self.kernel,
            strength: self.strength,
            bias: match self.unpenalised {
                Unpenalised::Bias => self.bias,
                Unpenalised::Constant | Unpenalised::Columns => Bias::Free,
            },
            name: "kernel ridge",
            objective: Objective::Cost,
            keep: None,
            basis: self.basis,
            columns: self.unpenalised == Unpenalised::Columns,
            primal: true,
            leading: None,
        }
    }
}

impl Estimator for KernelRidge {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        self.check_unpenalised()?;
        match &data.targets {
            Targets::Classes(_) => self.job().fit_classes(data, context),
            Targets::Several(_) => self.fit_targets(data, context),
            Targets::Real(_) | Targets::None => self.job().fit(data, context),
        }
    }
}
