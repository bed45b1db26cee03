//! Functions in a kernel's Hilbert space: f = Σ_i v_i k(·, x_i).
//!
//! ⟨f, g⟩ = v_fᵀ K v_g, and evaluation is an inner product: f(x_i) = ⟨f, k(·, x_i)⟩.

use mercer_linalg::{Matrix, Op, Par, matvec};

use crate::data::Records;
use crate::kernel::ResolvedKernel;
use crate::{Error, Result};

/// The span of a kernel's sections at some rows.
///
/// A function is the list of its coefficients, one per row, as kernel methods learn them.
///
/// # Examples
/// ```
/// use mercer::data::Records;
/// use mercer::features::HilbertSpan;
/// use mercer::kernel::ResolvedKernel;
/// use mercer_linalg::{Matrix, Par};
///
/// let rows = Records::from_points(Matrix::from_vec(3, 1, vec![0.0, 1.0, 2.0]));
/// let kernel: ResolvedKernel = "rbf(gamma=1)".parse()?;
/// let span = HilbertSpan::try_new(&kernel, &rows, Par::Sequential)?;
/// let f = [1.0, -0.5, 0.25];
/// // The reproducing property: f(x) = ⟨f, k(·, x)⟩.
/// let value = span.inner(&f, &span.section(1))?;
/// assert!((span.values(&f)?[1] - value).abs() < 1e-12);
/// assert!(value.abs() <= span.norm(&f)?);
/// # Ok::<(), mercer::Error>(())
/// ```
pub struct HilbertSpan {
    gram: Matrix<f64>,
}

impl HilbertSpan {
    /// Spans the functions k(·, x_i) of the given rows.
    ///
    /// # Errors
    /// Rows the kernel cannot compare.
    pub fn try_new(kernel: &ResolvedKernel, rows: &Records, par: Par) -> Result<Self> {
        Ok(Self {
            gram: kernel.gram(rows, par)?,
        })
    }

    /// Returns the coefficients of the section k(·, x_i).
    pub fn section(&self, i: usize) -> Vec<f64> {
        (0..self.gram.rows())
            .map(|j| f64::from(u8::from(i == j)))
            .collect()
    }

    /// Returns f(x_i) at every row.
    ///
    /// # Errors
    /// A number of coefficients other than that of the rows.
    pub fn values(&self, f: &[f64]) -> Result<Vec<f64>> {
        self.check(f)?;
        let mut values = vec![0.0; f.len()];
        matvec(
            1.0,
            self.gram.as_ref(),
            Op::None,
            f,
            0.0,
            &mut values,
            Par::Sequential,
        );
        Ok(values)
    }

    /// Returns ⟨f, g⟩.
    ///
    /// # Errors
    /// A number of coefficients other than that of the rows.
    pub fn inner(&self, f: &[f64], g: &[f64]) -> Result<f64> {
        self.check(f)?;
        Ok(f.iter().zip(self.values(g)?).map(|(a, b)| a * b).sum())
    }

    /// Returns ‖f‖.
    ///
    /// # Errors
    /// A number of coefficients other than that of the rows.
    pub fn norm(&self, f: &[f64]) -> Result<f64> {
        Ok(self.inner(f, f)?.max(0.0).sqrt())
    }

    /// Returns ‖f − g‖.
    ///
    /// # Errors
    /// A number of coefficients other than that of the rows.
    pub fn distance(&self, f: &[f64], g: &[f64]) -> Result<f64> {
        self.check(f)?;
        self.check(g)?;
        let difference: Vec<f64> = f.iter().zip(g).map(|(a, b)| a - b).collect();
        self.norm(&difference)
    }

    fn check(&self, f: &[f64]) -> Result<()> {
        if f.len() == self.gram.rows() {
            return Ok(());
        }
        Err(Error::Length {
            what: "the function".to_owned(),
            found: f.len(),
            expected: self.gram.rows(),
            unit: "coefficients",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Points;
    use crate::kernel::KernelSpec;

    #[test]
    fn evaluation_is_an_inner_product() {
        let points = Matrix::from_fn(6, 2, |i, j| (i * 3 + j * j) as f64 / 4.0);
        let rows = Records::from_points(Points::from(points));
        let kernel = ResolvedKernel::try_new(KernelSpec::rbf(0.7)).unwrap();
        let span = HilbertSpan::try_new(&kernel, &rows, Par::Sequential).unwrap();
        let f = [0.5, -1.0, 2.0, 0.0, 0.3, -0.2];
        let values = span.values(&f).unwrap();
        for (i, value) in values.iter().enumerate() {
            let inner = span.inner(&f, &span.section(i)).unwrap();
            assert!((inner - value).abs() < 1e-12);
        }
        // Cauchy and Schwarz, with ‖k(·, x)‖ = √k(x, x) = 1.
        let norm = span.norm(&f).unwrap();
        assert!(values.iter().all(|v| v.abs() <= norm + 1e-12));
        assert!(span.inner(&f, &[1.0]).is_err());
        // ‖f − g‖² = ‖f‖² − 2⟨f, g⟩ + ‖g‖².
        let g = span.section(2);
        let square = norm * norm - 2.0 * span.inner(&f, &g).unwrap() + 1.0;
        assert!((span.distance(&f, &g).unwrap() - square.sqrt()).abs() < 1e-12);
        assert!(span.distance(&f, &[1.0]).is_err());
    }
}
