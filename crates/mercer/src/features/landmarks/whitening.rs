//! K_mm^−½ on the numerical range of K_mm.

use mercer_linalg::{Matrix, Op, Par, SymmetricEigen, gemm};

use crate::{Error, Result};

/// The symmetric root of the pseudoinverse of a kernel matrix.
///
/// Eigenvalues below `floor` are rounding: of K_mm itself, or of the kernel values k_m(x) that are multiplied by the root, whose
/// errors it would blow up. They count as 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Whitening {
    /// K_mm^−½: m × m, symmetric.
    pub transform: Matrix<f64>,
    /// Eigenvalues above the floor.
    pub rank: usize,
    /// The largest eigenvalue.
    pub largest: f64,
    /// The eigenvalue from which on directions count.
    pub floor: f64,
}

impl Whitening {
    /// Decomposes a kernel matrix of landmarks, for kernel values of new rows whose errors have the standard deviation
    /// `noise`.
    ///
    /// # Errors
    /// Kernel values beyond what numbers can hold.
    pub fn of(gram: &Matrix<f64>, noise: f64, par: Par) -> Result<Self> {
        let m = gram.rows();
        let beyond = || {
            Error::rows(
                "kernel values of some landmarks are beyond what numbers can hold",
                "scale the columns, or use another kernel",
            )
        };
        if gram.as_slice().iter().any(|v| !v.is_finite()) {
            return Err(beyond());
        }
        let eigen = SymmetricEigen::new(gram.as_ref()).map_err(|_| beyond())?;
        let largest = eigen.values.last().copied().unwrap_or(0.0).max(0.0);
        // The rounding of m sums; and a random symmetric matrix of deviation s has eigenvalues up to 2s√m.
        let own = m as f64 * f64::EPSILON * largest;
        let floor = own.max(2.0 * noise * (m as f64).sqrt());
        let kept: Vec<usize> = (0..m).filter(|&k| eigen.values[k] > floor).collect();
        let roots: Vec<f64> = kept.iter().map(|&k| eigen.values[k].powf(-0.25)).collect();
        let half = Matrix::from_fn(m, kept.len(), |i, k| eigen.vectors[(i, kept[k])] * roots[k]);
        let mut transform = Matrix::zeros(m, m);
        if !kept.is_empty() {
            let (a, b) = (half.as_ref(), half.as_ref());
            let out = transform.as_mut();
            gemm(1.0, a, Op::None, b, Op::Transpose, 0.0, out, par);
        }
        Ok(Self {
            transform,
            rank: kept.len(),
            largest,
            floor,
        })
    }
}
