//! The ν forms: a share of rows instead of C.

use serde::{Deserialize, Serialize};

use super::binary::Rule;
use super::classify::Classification;
use super::regress::{Regression, Tube};
use super::settings::{Bias, ClassWeights, SolverSettings, solver_setters};
use crate::data::Dataset;
use crate::fit::{FitContext, Fitted};
use crate::kernel::KernelSpec;
use crate::learn::{Estimator, Settings};
use crate::model::expansion::KernelExpansion;
use crate::model::readout::Scheme;
use crate::{Error, Result};

/// Classification with a share ν in place of C.
///
/// ν bounds the share of margin errors from above and that of support vectors from below;
/// the solution equals that of [`super::Svc`] for some C = 1/r, which is what the report gives.
///
/// # References
/// Schölkopf, Smola, Williamson, Bartlett, Neural Computation 12, 2000.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct NuSvc {
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// Share of margin errors at most and of support vectors at least.
    ///
    /// Above 0 and at most twice the share of the smaller class.
    #[setting(share, search(larger, Linear(0.1, 0.7, 7)))]
    pub nu: f64,
    /// Whether a `nu` that the smaller class does not allow is lowered, with an alert, instead of
    /// refused.
    #[serde(default)]
    #[setting(switch, unlisted)]
    pub lower: bool,
    /// Factors, by class, on the C that ν stands for: `balanced`, or a factor for a class,
    /// repeatable.
    #[setting(class_weights, flag = "class-weight", python = "class_weight")]
    pub class_weights: ClassWeights,
    /// Also learn probabilities.
    #[setting(switch, flag = "proba")]
    pub probability: bool,
    /// How the quadratic problems are solved.
    #[setting(group)]
    pub solver: SolverSettings,
}

impl Default for NuSvc {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::rbf_auto(),
            nu: 0.5,
            lower: false,
            class_weights: ClassWeights::default(),
            probability: false,
            solver: SolverSettings::default(),
        }
    }
}

impl NuSvc {
    solver_setters!();
}

impl Estimator for NuSvc {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let job = Classification {
            kernel: &self.kernel,
            scheme: Scheme::OneVsOne,
            class_weights: &self.class_weights,
            probability: self.probability,
            solver: &self.solver,
            bias: Bias::Free,
        };
        let (nu, lower) = (self.nu, self.lower);
        job.fit(data, context, None, |_| Rule::Nu { nu, lower })
    }
}

/// Regression with a share ν in place of the tube's width.
///
/// The tube becomes as narrow as it can while at most a share ν of the rows lies outside.
///
/// # References
/// Schölkopf, Smola, Williamson, Bartlett, Neural Computation 12, 2000.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct NuSvr {
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// Regularisation parameter C, the weight of errors.
    #[setting(positive, python = "C", search(smaller, Regularisation))]
    pub c: f64,
    /// Share of errors at most and of support vectors at least.
    #[setting(share, search(larger))]
    pub nu: f64,
    /// How the quadratic problem is solved.
    #[setting(group)]
    pub solver: SolverSettings,
}

impl Default for NuSvr {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::rbf_auto(),
            c: 1.0,
            nu: 0.5,
            solver: SolverSettings::default(),
        }
    }
}

impl NuSvr {
    solver_setters!();
}

impl Estimator for NuSvr {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let job = Regression {
            kernel: &self.kernel,
            c: self.c,
            tube: Tube::Share(self.nu),
            bias: Bias::Free,
            solver: &self.solver,
        };
        job.fit(data, context, None)
    }
}
