//! Kernel ridge regression.

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use super::Strength;
use super::regress::Regression;
use crate::Result;
use crate::data::{Dataset, Records};
use crate::fit::{FitContext, Fitted};
use crate::kernel::KernelSpec;
use crate::learn::Estimator;
use crate::learn::expansion::KernelExpansion;

/// Kernel ridge regression: minimises Σ w_i (y_i − f(x_i))² + λ‖f‖².
///
/// One linear system, several outputs at the price of one. Use it for smooth functions under
/// noise of one size; time grows with n³, memory with n².
///
/// # Examples
/// ```
/// use mercer::data::{Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::kernel::KernelSpec;
/// use mercer::learn::Estimator;
/// use mercer::learn::squared::{KernelRidge, Strength};
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_fn(30, 1, |i, _| i as f64 / 10.0);
/// let y = (0..30).map(|i| (i as f64 / 10.0).sin()).collect();
/// let data = Dataset::try_new(Records::from_points(x), Targets::Real(y))?;
/// let fitted = KernelRidge::default()
///     .kernel(KernelSpec::rbf(1.0))
///     .strength(Strength::Lambda(1e-6))
///     .fit(&data, &FitContext::default())?;
/// assert!(fitted.report.kkt_violation < 1e-10);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Saunders, Gammerman and Vovk, Ridge regression learning algorithm in dual variables, 1998.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KernelRidge {
    /// The kernel.
    pub kernel: KernelSpec,
    /// λ, or how it is found.
    pub strength: Strength,
    /// Whether a constant without penalty is part of f.
    pub intercept: bool,
    /// Whether kernels are mere basis functions: λ Σ c_i² in the place of λ‖f‖².
    #[serde(default)]
    pub basis: bool,
}

impl Default for KernelRidge {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::rbf_auto(),
            strength: Strength::Lambda(1.0),
            intercept: false,
            basis: false,
        }
    }
}

impl KernelRidge {
    /// Sets the kernel.
    pub fn kernel(mut self, kernel: KernelSpec) -> Self {
        self.kernel = kernel;
        self
    }

    /// Sets λ, or how it is found.
    pub fn strength(mut self, strength: Strength) -> Self {
        self.strength = strength;
        self
    }

    /// Sets whether a constant without penalty is part of f.
    pub fn intercept(mut self, intercept: bool) -> Self {
        self.intercept = intercept;
        self
    }

    /// Sets whether kernels are mere basis functions.
    pub fn basis(mut self, basis: bool) -> Self {
        self.basis = basis;
        self
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
        self.job().fit_several(records, targets, weights, context)
    }

    fn job(&self) -> Regression<'_> {
        Regression {
            kernel: &self.kernel,
            strength: self.strength,
            intercept: self.intercept,
            name: "kernel ridge",
            keep: None,
            basis: self.basis,
            primal: true,
        }
    }
}

impl Estimator for KernelRidge {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        self.job().fit(data, context)
    }
}
