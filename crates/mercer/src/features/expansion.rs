//! A kernel's eigenfunctions over a sample of rows, and functions drawn from it.
//!
//! Mercer: k(x, z) = Σ_h λ_h φ_h(x) φ_h(z) with functions φ_h orthonormal over the rows'
//! distribution. From the eigenpairs K v_h = ℓ_h v_h of n rows, λ_h = ℓ_h/n and
//! φ_h(x) = (√n/ℓ_h) Σ_i (v_h)_i k(x, x_i). On the rows themselves the full expansion is exact.

use mercer_linalg::{Matrix, Op, Par, Rows, SymmetricEigen, gemm};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::data::Records;
use crate::data::random::normal;
use crate::kernel::{BoundKernel, ResolvedKernel, TileMut};
use crate::{Error, Result};

/// The leading eigenfunctions of a kernel over a sample of rows.
///
/// # Examples
/// ```
/// use mercer::data::Records;
/// use mercer::features::MercerExpansion;
/// use mercer::kernel::ResolvedKernel;
/// use mercer_linalg::{Matrix, Par};
///
/// let rows = Records::from_points(Matrix::from_fn(50, 1, |i, _| i as f64 / 49.0));
/// let kernel: ResolvedKernel = "rbf(sigma=0.3)".parse()?;
/// let expansion = MercerExpansion::try_new(&kernel, &rows, 8, Par::Sequential)?;
/// // A smooth kernel has few directions that matter.
/// assert!(expansion.explained() > 0.9999);
///
/// // Three functions from a Gaussian process with that covariance.
/// let draws = expansion.draw(&rows, 3, 42, Par::Sequential)?;
/// assert_eq!((draws.rows(), draws.columns()), (3, 50));
/// # Ok::<(), mercer::Error>(())
/// ```
pub struct MercerExpansion {
    kernel: Box<dyn BoundKernel>,
    /// λ_h, largest first.
    pub eigenvalues: Vec<f64>,
    /// Row h weighs the sample's rows: (√n/ℓ_h) v_h.
    weights: Matrix<f64>,
    /// Σλ_h of all positive eigenvalues, kept or not.
    total: f64,
}

impl MercerExpansion {
    /// Finds up to `terms` eigenfunctions; directions that rounding cannot tell from zero are
    /// left out.
    ///
    /// # Errors
    /// Rows the kernel cannot compare, and kernel values that are not finite.
    pub fn try_new(
        kernel: &ResolvedKernel,
        rows: &Records,
        terms: usize,
        par: Par,
    ) -> Result<Self> {
        let gram = kernel.gram(rows, par)?;
        let n = gram.rows();
        let eigen = SymmetricEigen::new(gram.as_ref()).map_err(|e| Error::Kernel {
            kernel: kernel.to_string(),
            problem: e.to_string(),
            cure: "choose a kernel whose values on these rows are finite".into(),
        })?;
        let largest = eigen.values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let floor = n as f64 * f64::EPSILON * largest;
        let positive = eigen.values.iter().filter(|v| **v > floor);
        let total = positive.sum::<f64>() / n.max(1) as f64;
        let kept: Vec<usize> = (0..n)
            .rev()
            .take(terms)
            .take_while(|&h| eigen.values[h] > floor)
            .collect();
        let root = (n as f64).sqrt();
        let weight =
            |h: usize, i: usize| root / eigen.values[kept[h]] * eigen.vectors[(i, kept[h])];
        Ok(Self {
            kernel: kernel.bind(rows)?,
            eigenvalues: kept.iter().map(|&h| eigen.values[h] / n as f64).collect(),
            weights: Matrix::from_fn(kept.len(), n, weight),
            total,
        })
    }

    /// Returns the share of the kernel's trace that the kept terms explain.
    pub fn explained(&self) -> f64 {
        if self.total > 0.0 {
            self.eigenvalues.iter().sum::<f64>() / self.total
        } else {
            1.0
        }
    }

    /// Returns φ_h(x): a row per record, a column per eigenfunction.
    ///
    /// # Errors
    /// Records of another shape than the sample's.
    pub fn functions(&self, records: &Records, par: Par) -> Result<Matrix<f64>> {
        let n = self.kernel.len();
        let query = self.kernel.query(records)?;
        let mut values = Matrix::zeros(records.len(), n);
        query.tile(
            Rows::Range(0..records.len()),
            Rows::Range(0..n),
            TileMut::F64(values.as_mut()),
            par,
        );
        let mut functions = Matrix::zeros(records.len(), self.weights.rows());
        gemm(
            1.0,
            values.as_ref(),
            Op::None,
            self.weights.as_ref(),
            Op::Transpose,
            0.0,
            functions.as_mut(),
            par,
        );
        Ok(functions)
    }

    /// Draws functions whose covariance is the kernel: f(x) = Σ_h √λ_h ξ_h φ_h(x), ξ_h normal.
    ///
    /// A row per draw, a column per record.
    ///
    /// # Errors
    /// Records of another shape than the sample's.
    pub fn draw(
        &self,
        records: &Records,
        draws: usize,
        seed: u64,
        par: Par,
    ) -> Result<Matrix<f64>> {
        let functions = self.functions(records, par)?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let factors = Matrix::from_fn(draws, self.eigenvalues.len(), |_, h| {
            self.eigenvalues[h].sqrt() * normal(&mut rng)
        });
        let mut out = Matrix::zeros(draws, records.len());
        gemm(
            1.0,
            factors.as_ref(),
            Op::None,
            functions.as_ref(),
            Op::Transpose,
            0.0,
            out.as_mut(),
            par,
        );
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Points;
    use crate::kernel::KernelSpec;

    fn rows() -> Records {
        let value = |i: usize, j: usize| ((i * 7 + j * 5) % 11) as f64 / 5.0;
        Records::from_points(Points::from(Matrix::from_fn(12, 2, value)))
    }

    fn resolved(spec: KernelSpec) -> ResolvedKernel {
        ResolvedKernel::try_new(spec).expect("every parameter is given")
    }

    #[test]
    fn the_full_expansion_is_the_kernel() {
        let kernel = resolved(KernelSpec::rbf(0.5));
        let expansion = MercerExpansion::try_new(&kernel, &rows(), 12, Par::Sequential).unwrap();
        let functions = expansion.functions(&rows(), Par::Sequential).unwrap();
        let gram = kernel.gram(&rows(), Par::Sequential).unwrap();
        for i in 0..12 {
            for j in 0..12 {
                let sum: f64 = (0..expansion.eigenvalues.len())
                    .map(|h| expansion.eigenvalues[h] * functions[(i, h)] * functions[(j, h)])
                    .sum();
                assert!((sum - gram[(i, j)]).abs() < 1e-9, "{i} {j}");
            }
        }
        assert!((expansion.explained() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn eigenfunctions_are_orthonormal_over_the_sample() {
        let kernel = resolved(KernelSpec::rbf(0.3));
        let expansion = MercerExpansion::try_new(&kernel, &rows(), 4, Par::Sequential).unwrap();
        let functions = expansion.functions(&rows(), Par::Sequential).unwrap();
        for g in 0..4 {
            for h in 0..4 {
                let mean = (0..12)
                    .map(|i| functions[(i, g)] * functions[(i, h)])
                    .sum::<f64>()
                    / 12.0;
                assert!((mean - f64::from(u8::from(g == h))).abs() < 1e-8);
            }
        }
        assert!(expansion.eigenvalues.windows(2).all(|w| w[0] >= w[1]));
    }

    #[test]
    fn a_linear_kernel_has_as_many_terms_as_columns() {
        let kernel = resolved(KernelSpec::linear());
        let expansion = MercerExpansion::try_new(&kernel, &rows(), 12, Par::Sequential).unwrap();
        assert_eq!(expansion.eigenvalues.len(), 2);
    }

    #[test]
    fn draws_have_the_kernel_as_covariance() {
        let kernel = resolved(KernelSpec::rbf(0.5));
        let expansion = MercerExpansion::try_new(&kernel, &rows(), 12, Par::Sequential).unwrap();
        let draws = expansion.draw(&rows(), 20_000, 1, Par::Sequential).unwrap();
        let gram = kernel.gram(&rows(), Par::Sequential).unwrap();
        for (i, j) in [(0, 0), (0, 1), (3, 7)] {
            let mean = (0..20_000)
                .map(|d| draws[(d, i)] * draws[(d, j)])
                .sum::<f64>()
                / 20_000.0;
            // Four standard errors of a product of unit normals.
            assert!((mean - gram[(i, j)]).abs() < 4.0 * (2.0_f64 / 20_000.0).sqrt());
        }
    }
}
