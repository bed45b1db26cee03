//! How much each support vector has to say.

use mercer_linalg::Precision;

use super::model::KernelExpansion;
use super::origin::around;
use crate::Result;

impl KernelExpansion {
    /// Returns the influence of every support vector: the norm of its part in the decisions,
    ///
    /// ```text
    /// ‖c_i‖ · √k(x_i, x_i),  c_i its coefficients in all decisions
    /// ```
    ///
    /// With one decision that is ‖c_i φ(x_i)‖: without the support vector no decision value f(x) with k(x, x) ≤ 1
    /// changes by more.
    ///
    /// # Errors
    /// A kernel that cannot be bound to the stored support vectors.
    pub fn influences(&self) -> Result<Vec<f64>> {
        let roots = self.diagonal_roots()?;
        let of = |(i, root): (usize, f64)| {
            let squares = (0..self.coefficients.rows()).map(|d| self.coefficients[(d, i)].powi(2));
            squares.sum::<f64>().sqrt() * root
        };
        Ok(roots.into_iter().enumerate().map(of).collect())
    }

    /// Returns √k(x, x) of every support vector, seen from where the model sees rows.
    ///
    /// # Errors
    /// A kernel that cannot be bound to the stored support vectors.
    pub fn diagonal_roots(&self) -> Result<Vec<f64>> {
        let seen = self.origin.as_ref().map(|o| around(&self.support, o));
        let bound = self.kernel.bind(seen.as_ref().unwrap_or(&self.support))?;
        let mut roots = vec![0.0; self.support.len()];
        bound.diagonal(Precision::F64, &mut roots);
        roots.iter_mut().for_each(|v| *v = v.max(0.0).sqrt());
        Ok(roots)
    }
}
