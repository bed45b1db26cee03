//! What components in the space of a kernel do not reach of a row.
//!
//! ```text
//! r(x) = k(x, x) − 2 Σ_i p_i k(x, x_i) + Σ_ij p_i p_j k(x_i, x_j) − Σ_j z_j²
//! ```
//!
//! in the notation of `components`: the squared distance of φ(x) from their plane. The mean over the support vectors is
//! one more function of the kernel, so that one pass over the kernel values gives both sums.

use mercer_linalg::{Matrix, Par, Precision};

use super::{ExpansionPredictor, KernelExpansion};
use crate::data::Records;
use crate::fit::{Cancel, FitContext};
use crate::kernel::BoundKernel;
use crate::model::readout::Readout;
use crate::{Error, Result};

/// Components with their kernel bound, ready to tell how far rows are from them.
pub(crate) struct ResidualPredictor {
    /// z, and behind it Σ_i p_i k(x, x_i) where components lie around a mean.
    sums: ExpansionPredictor,
    kernel: Box<dyn BoundKernel>,
    components: usize,
    /// Mean of the kernel matrix, where components lie around one.
    mean: Option<f64>,
}

impl std::fmt::Debug for ResidualPredictor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ResidualPredictor")
            .field("components", &self.components)
            .finish_non_exhaustive()
    }
}

impl ResidualPredictor {
    /// Returns r(x) of every row.
    ///
    /// # Errors
    /// Records of another shape, a given kernel matrix, which does not hold k(x, x); cancellation.
    pub(crate) fn residuals(
        &self,
        records: &Records,
        par: Par,
        cancel: &Cancel,
    ) -> Result<Vec<f64>> {
        let values = self.sums.decisions(records, par, cancel)?;
        let mut own = vec![0.0; records.len()];
        let query = self.kernel.query(records)?;
        query.diagonal(Precision::F64, &mut own);
        if own.iter().any(|k| k.is_nan()) {
            return Err(Error::Unsupported {
                what: "a given kernel matrix does not hold k(x, x) of new rows".to_owned(),
                cure: "use a kernel that is computed from the rows".into(),
            });
        }
        let count = self.components;
        let rest = |row: usize| {
            let line = values.row(row);
            let reached: f64 = line[..count].iter().map(|z| z * z).sum();
            let centred = self.mean.map_or(0.0, |mean| mean - 2.0 * line[count]);
            (own[row] + centred - reached).max(0.0)
        };
        Ok((0..records.len()).map(rest).collect())
    }

    pub(crate) fn is_worth_threads(&self, rows: usize) -> bool {
        self.sums.is_worth_threads(rows)
    }
}

impl KernelExpansion {
    /// Prepares the distances of rows from the components, in double precision: they are small differences of large
    /// numbers.
    ///
    /// # Errors
    /// A model without components; a kernel that does not read the support vectors.
    pub(crate) fn residual_predictor(&self) -> Result<ResidualPredictor> {
        if self.readout != Readout::Coordinates {
            return Err(super::components::no_components());
        }
        // Landmarks span a plane through the origin; components may lie around a mean.
        let mean = self.components.as_ref().and_then(|known| known.mean);
        let mut coefficients = self.coefficients.clone();
        let mut biases = self.biases.clone();
        if mean.is_some() {
            coefficients.append_rows(&Matrix::from_vec(1, self.support.len(), self.shares()));
            biases.push(0.0);
        }
        let both = Self::new(
            self.kernel.clone(),
            self.support.clone(),
            coefficients,
            biases,
            Readout::Coordinates,
        );
        Ok(ResidualPredictor {
            sums: both.predictor(Precision::F64)?,
            kernel: self.kernel.bind(&self.support)?,
            components: self.decisions(),
            mean,
        })
    }

    /// Returns what the components do not reach of every row: the squared distance from their plane in feature
    /// space.
    ///
    /// # Errors
    /// A model without components, records of another shape, a given kernel matrix, which does not hold k(x, x);
    /// cancellation.
    pub fn residuals(&self, records: &Records, context: &FitContext) -> Result<Vec<f64>> {
        context.install(|| {
            self.residual_predictor()?
                .residuals(records, context.par(), &context.cancel)
        })?
    }

    /// Forgets the components behind the first so many.
    pub(crate) fn keep_components(&mut self, count: usize) {
        let kept = count.min(self.decisions());
        self.coefficients = self
            .coefficients
            .select_rows(&(0..kept).collect::<Vec<usize>>());
        self.biases.truncate(kept);
        if let Some(known) = &mut self.components {
            known.eigenvalues.truncate(kept);
            known.restoring = None;
        }
    }
}
