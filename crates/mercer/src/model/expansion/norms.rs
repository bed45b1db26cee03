//! The norm of every decision in the space of the kernel.

use mercer_linalg::Precision;

use super::combine::{segments, terms};
use super::model::KernelExpansion;
use crate::Result;
use crate::fit::FitContext;

/// Decision values held at a time: 16 MiB of them.
const VALUES: usize = 1 << 21;

impl KernelExpansion {
    /// Returns ‖w‖ of every decision f = ⟨w, φ(x)⟩ + b: with w = Σ c_i φ(x_i) its square is
    /// Σ c_i (f(x_i) − b), a sum over the support vectors.
    ///
    /// # Errors
    /// A kernel that cannot be bound to the stored support vectors; cancellation.
    pub fn norms(&self, context: &FitContext) -> Result<Vec<f64>> {
        context.install(|| self.norms_installed(context))?
    }

    fn norms_installed(&self, context: &FitContext) -> Result<Vec<f64>> {
        let predictor = self.predictor(Precision::F64)?;
        let segments = segments(self);
        let rows = self.support.len();
        let step = (VALUES / self.decisions().max(1)).max(1);
        let mut squares = vec![0.0; self.decisions()];
        for start in (0..rows).step_by(step) {
            context.check()?;
            let end = (start + step).min(rows);
            let part = self.support.slice(start..end);
            let values = predictor.decisions(&part, context.par(), &context.cancel)?;
            terms(self, |d, segment, h| {
                let known = &segments[segment];
                for row in start.max(known.start)..end.min(known.end) {
                    let value = values[(row - start, d)] - self.biases[d];
                    squares[d] += self.coefficients[(h, row)] * value;
                }
            });
        }
        Ok(squares
            .into_iter()
            .map(|s: f64| s.max(0.0).sqrt())
            .collect())
    }
}
