//! Kernel ridge at many λ for the price of a few: one spectrum serves them all.

use mercer_linalg::{Matrix, dot};

use super::job::check_memory;
use super::{KernelRidge, Unpenalised};
use crate::data::Dataset;
use crate::fit::FitContext;
use crate::learn::canonical::Canonical;
use crate::model::expansion::{KernelExpansion, Posterior};
use crate::model::readout::Readout;
use crate::solver::least_squares::{Levels, Problem, Spectrum};
use crate::{Error, Result};

/// The solution at one λ of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct PathPoint {
    /// λ.
    pub lambda: f64,
    /// The function.
    pub model: KernelExpansion,
    /// Effective number of parameters, the constant counted.
    pub effective_parameters: f64,
    /// Root mean square of the leave-one-out residuals.
    pub leave_one_out: f64,
    /// Generalised cross-validation score.
    pub gcv: f64,
}

impl KernelRidge {
    /// Learns at every λ of a list; the estimator's own regularisation is not used.
    ///
    /// Time 9n³ multiplications for the spectrum and n² a λ, for n distinct rows.
    ///
    /// # Errors
    /// As [`crate::learn::Estimator::fit`]; a λ that is not positive and finite.
    pub fn path(
        &self,
        data: &Dataset,
        lambdas: &[f64],
        context: &FitContext,
    ) -> Result<Vec<PathPoint>> {
        if let Some(lambda) = lambdas.iter().find(|l| !(l.is_finite() && **l > 0.0)) {
            return Err(Error::setting("lambda", lambda, "positive and finite"));
        }
        if self.unpenalised != Unpenalised::Bias {
            return Err(Error::Unsupported {
                what: "a path has no functions without a penalty but the constant of `bias`"
                    .to_owned(),
                cure: "fit at every λ, or choose a free constant".into(),
            });
        }
        let context = context.restarted();
        context.install(|| self.path_installed(data, lambdas, &context))?
    }

    fn path_installed(
        &self,
        data: &Dataset,
        lambdas: &[f64],
        context: &FitContext,
    ) -> Result<Vec<PathPoint>> {
        let mut rows = Canonical::try_new(data, &self.kernel)?;
        let (kernel, _) = rows.resolve(&self.kernel, self.bias)?;
        check_memory(rows.len(), context)?;
        let mut gram = kernel.gram_within(rows.seen(), context.par(), context)?;
        self.bias.append_feature(&mut gram);
        let y = rows.values()?;
        let targets = Matrix::from_vec(1, y.len(), y.to_vec());
        let problem = Problem {
            gram: gram.as_ref(),
            targets: &targets,
            weights: rows.unequal_weights(),
            intercept: self.bias.is_free(),
        };
        context.check()?;
        let spectrum = Spectrum::new(&problem).map_err(|e| {
            Error::rows(
                format!("the kernel matrix cannot be decomposed: {e}"),
                "check the rows for values that are not finite",
            )
        })?;
        let constant = f64::from(u8::from(self.bias.is_free()));
        let point = |lambda: &f64| {
            let ratio = lambda.recip();
            let coefficients = spectrum.coefficients(ratio);
            let alpha = coefficients.row(0);
            // Residuals sum to zero with their weights: b is the mean of what K α leaves.
            let left = |i: usize| (y[i] - dot(gram.row(i), alpha)) / problem.noise(i);
            let free = if self.bias.is_free() {
                (0..y.len()).map(left).sum::<f64>() / problem.copies()
            } else {
                0.0
            };
            let bias = self.bias.constant(alpha, free);
            let posterior = (!self.bias.is_regularised()).then(|| Posterior {
                ratio,
                levels: vec![Levels::at(ratio, dot(alpha, y), problem.freedom())],
                weights: rows.unequal_weights().map(<[f64]>::to_vec),
                intercept: self.bias.is_free(),
            });
            let model = KernelExpansion {
                posterior,
                copies: rows.copies(&(0..rows.len()).collect::<Vec<_>>(), &[]),
                ..KernelExpansion::new(
                    kernel.clone(),
                    rows.records.clone(),
                    coefficients,
                    vec![bias],
                    Readout::Values,
                )
            };
            PathPoint {
                lambda: *lambda,
                effective_parameters: spectrum.effective_parameters(ratio) + constant,
                leave_one_out: (spectrum.leave_one_out(ratio) / problem.copies()).sqrt(),
                gcv: spectrum.gcv(ratio),
                model: match rows.centred() {
                    Some(centred) => model.seen_from(centred.means.clone()),
                    None => model,
                },
            }
        };
        Ok(lambdas.iter().map(point).collect())
    }
}
