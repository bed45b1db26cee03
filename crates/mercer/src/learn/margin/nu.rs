//! The ν machines: a share of rows instead of a price.

use serde::{Deserialize, Serialize};

use super::binary::Rule;
use super::classify::Classification;
use super::regress::{Regression, Tube};
use super::settings::{
    Bias, ClassWeights, SolverSettings, check_positive, check_share, shared_setters,
};
use crate::data::Dataset;
use crate::fit::{FitContext, Fitted};
use crate::kernel::KernelSpec;
use crate::learn::Estimator;
use crate::learn::expansion::{KernelExpansion, Scheme};
use crate::{Error, Result};

/// Classification with a share ν in place of C.
///
/// ν bounds the share of margin errors from above and that of support vectors from below;
/// the answer equals that of [`super::Svc`] for some C = 1/r, which is what the report gives.
///
/// # References
/// Schölkopf, Smola, Williamson, Bartlett, Neural Computation 12, 2000.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NuSvc {
    /// The kernel.
    pub kernel: KernelSpec,
    /// The share, above 0 and at most twice the share of the smaller class.
    pub nu: f64,
    /// Whether a share beyond that is lowered to it, with an alert, instead of refused.
    #[serde(default)]
    pub lower: bool,
    /// Factors, by class, on the C that ν stands for.
    pub class_weights: ClassWeights,
    /// Whether a sigmoid is fitted for probabilities.
    pub probability: bool,
    /// How the quadratic problems are solved.
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
    shared_setters!();

    /// Sets the share.
    pub fn nu(mut self, nu: f64) -> Self {
        self.nu = nu;
        self
    }

    /// Sets whether a share that the smaller class does not allow is lowered.
    pub fn lower(mut self, lower: bool) -> Self {
        self.lower = lower;
        self
    }

    /// Sets factors, by class, on the C that ν stands for.
    pub fn class_weights(mut self, class_weights: ClassWeights) -> Self {
        self.class_weights = class_weights;
        self
    }

    /// Sets whether a sigmoid is fitted for probabilities.
    pub fn probability(mut self, probability: bool) -> Self {
        self.probability = probability;
        self
    }
}

impl Estimator for NuSvc {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        let mut errors = Vec::new();
        check_share("nu", self.nu, &mut errors);
        self.solver.check(&mut errors);
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NuSvr {
    /// The kernel.
    pub kernel: KernelSpec,
    /// Price of errors outside the tube.
    pub c: f64,
    /// The share, above 0 and at most 1.
    pub nu: f64,
    /// How the quadratic problem is solved.
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
    shared_setters!();

    /// Sets the price of errors outside the tube.
    pub fn c(mut self, c: f64) -> Self {
        self.c = c;
        self
    }

    /// Sets the share.
    pub fn nu(mut self, nu: f64) -> Self {
        self.nu = nu;
        self
    }
}

impl Estimator for NuSvr {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        let mut errors = Vec::new();
        check_positive("c", self.c, &mut errors);
        check_share("nu", self.nu, &mut errors);
        self.solver.check(&mut errors);
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
