//! How far an approximate kernel is off.
//!
//! Random Fourier features of D pairs (cos, sin) with independent frequencies w have
//!
//! ```text
//! P[sup |k̂ − k| ≥ ε] ≤ 2⁸ (σ_p·diameter/ε)² exp(−Dε²/(4(d + 2))),   ε ≤ σ_p·diameter
//! ```
//!
//! over rows of d columns within a diameter (Rahimi and Recht 2007), σ_p² = E‖w‖². A Gaussian kernel
//! with widths σ_c has σ_p² = Σ σ_c⁻², a Matérn kernel with ν > 1 and lengths ℓ_c has
//! Σ ν/((ν − 1)ℓ_c²); Laplace and Matérn with ν ≤ 1 have no such number, and no bound.
//!
//! Landmarks leave the residual r(x) = k(x, x) − k_m(x)ᵀ K_mm⁺ k_m(x) of every row, and by
//! Cauchy and Schwarz |k(x, z) − k̂(x, z)| ≤ √(r(x) r(z)). Here nothing is left to chance.

use mercer_linalg::Matrix;
use serde::Serialize;

use super::arguments::{check_open_unit, check_positive};
use super::intervals::rows_from;
use crate::{Error, Result};

/// What a bound on random features is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureSetting {
    /// Columns d of the rows.
    pub columns: usize,
    /// σ_p, the root of the mean squared length of a frequency.
    pub spread: f64,
    /// Largest distance between two rows.
    pub diameter: f64,
    /// Largest error ε of a kernel value.
    pub epsilon: f64,
}

impl FeatureSetting {
    fn check(&self) -> Result<()> {
        let mut errors = Vec::new();
        if self.columns == 0 {
            errors.push(Error::setting("columns", 0, "at least 1"));
        }
        errors.extend(check_positive("spread", self.spread).err());
        errors.extend(check_positive("diameter", self.diameter).err());
        errors.extend(check_positive("epsilon", self.epsilon).err());
        Error::collect(errors)?;
        let most = self.spread * self.diameter;
        if self.epsilon > most {
            return Err(Error::setting(
                "epsilon",
                self.epsilon,
                &format!("at most spread times diameter, {most}, for this bound"),
            ));
        }
        Ok(())
    }

    /// ln 2⁸(σ_p·diameter/ε)².
    fn ln_front(&self) -> f64 {
        8.0 * std::f64::consts::LN_2 + 2.0 * (self.spread * self.diameter / self.epsilon).ln()
    }

    /// ε²/(4(d + 2)), what one pair of features takes off the logarithm.
    fn per_feature(&self) -> f64 {
        self.epsilon * self.epsilon / (4.0 * (self.columns as f64 + 2.0))
    }
}

/// σ_p of a Gaussian kernel with a width for every column.
pub fn gauss_spread(widths: &[f64]) -> f64 {
    widths.iter().map(|s| 1.0 / (s * s)).sum::<f64>().sqrt()
}

/// σ_p of a Matérn kernel with a length for every column; `None` for ν ≤ 1.
pub fn matern_spread(nu: f64, lengths: &[f64]) -> Option<f64> {
    (nu > 1.0).then(|| (nu / (nu - 1.0)).sqrt() * gauss_spread(lengths))
}

/// Bounds the probability that some kernel value of D pairs of random features is off by ε; above 1
/// it says nothing.
///
/// # Errors
/// Numbers out of range.
pub fn feature_failure(setting: &FeatureSetting, pairs: u64) -> Result<f64> {
    setting.check()?;
    Ok((setting.ln_front() - pairs as f64 * setting.per_feature()).exp())
}

/// The smallest number of pairs with which that probability is at most δ.
///
/// # Errors
/// Numbers out of range.
pub fn feature_count(setting: &FeatureSetting, delta: f64) -> Result<u64> {
    setting.check()?;
    check_open_unit("delta", delta)?;
    rows_from((setting.ln_front() - delta.ln()) / setting.per_feature())
}

/// What landmarks leave of a kernel matrix.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LandmarkError {
    /// r(x) of every row.
    pub residuals: Vec<f64>,
    /// Σ r(x), the trace of K − K̂, at least its largest eigenvalue.
    pub trace: f64,
    /// Largest r(x), at least the error of every entry.
    pub largest: f64,
}

/// Computes what landmarks, given as row numbers, leave of a kernel matrix.
///
/// # Errors
/// A matrix that is not square, and row numbers beyond it.
pub fn landmark_error(kernel: &Matrix<f64>, landmarks: &[usize]) -> Result<LandmarkError> {
    // Below this share of its value a residual is rounding: the landmark is one of those before.
    const NOTHING: f64 = 1e-12;
    let rows = kernel.rows();
    if kernel.columns() != rows {
        return Err(Error::Length {
            what: "a row of the kernel matrix".to_owned(),
            found: kernel.columns(),
            expected: rows,
            unit: "columns",
        });
    }
    if let Some(row) = landmarks.iter().find(|row| **row >= rows) {
        return Err(Error::setting(
            "landmarks",
            row,
            &format!("below the number of rows, {rows}"),
        ));
    }
    let mut residuals: Vec<f64> = (0..rows).map(|row| kernel[(row, row)]).collect();
    // Columns of a Cholesky factor, with the landmarks as pivots.
    let mut factor: Vec<Vec<f64>> = Vec::with_capacity(landmarks.len());
    for &pivot in landmarks {
        let left = residuals[pivot];
        if !(left > NOTHING * kernel[(pivot, pivot)].abs()) {
            residuals[pivot] = 0.0;
            continue;
        }
        let root = left.sqrt();
        let column: Vec<f64> = (0..rows)
            .map(|row| {
                let known: f64 = factor.iter().map(|c| c[row] * c[pivot]).sum();
                (kernel[(row, pivot)] - known) / root
            })
            .collect();
        for (residual, value) in residuals.iter_mut().zip(&column) {
            *residual = (*residual - value * value).max(0.0);
        }
        residuals[pivot] = 0.0;
        factor.push(column);
    }
    Ok(LandmarkError {
        trace: residuals.iter().sum(),
        largest: residuals.iter().copied().fold(0.0, f64::max),
        residuals,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course() -> FeatureSetting {
        FeatureSetting {
            columns: 2,
            spread: gauss_spread(&[1.0, 1.0]),
            diameter: 2.0,
            epsilon: 0.2,
        }
    }

    #[test]
    fn random_features_of_the_course() {
        let failure = feature_failure(&course(), 5000).unwrap();
        assert!((failure - 0.190_804_642).abs() < 5e-10, "{failure}");
        assert_eq!(feature_count(&course(), 0.05).unwrap(), 5536);
        assert!(feature_failure(&course(), 5536).unwrap() <= 0.05);
        assert!(feature_failure(&course(), 5535).unwrap() > 0.05);
        assert!(feature_failure(&course(), 1).unwrap() > 1.0);
    }

    #[test]
    fn spreads_of_laws() {
        assert!((gauss_spread(&[2.0, 2.0]) - 0.5_f64.sqrt()).abs() < 1e-15);
        // 2ν d/((2ν − 2)ℓ²) with ν = 5/2, d = 3, ℓ = 2.
        let matern = matern_spread(2.5, &[2.0; 3]).unwrap();
        assert!((matern * matern - 5.0 * 3.0 / (3.0 * 4.0)).abs() < 1e-14);
        assert_eq!(matern_spread(0.5, &[1.0]), None);
    }

    #[test]
    fn bad_numbers_are_refused() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            for setting in [
                FeatureSetting {
                    spread: bad,
                    ..course()
                },
                FeatureSetting {
                    diameter: bad,
                    ..course()
                },
                FeatureSetting {
                    epsilon: bad,
                    ..course()
                },
            ] {
                assert!(feature_failure(&setting, 10).is_err());
                assert!(feature_count(&setting, 0.05).is_err());
            }
            assert!(feature_count(&course(), bad).is_err());
        }
        let wide = FeatureSetting {
            epsilon: 3.0,
            ..course()
        };
        assert!(feature_failure(&wide, 10).is_err());
    }

    #[test]
    fn landmarks_of_the_course() {
        let kernel = Matrix::from_fn(4, 4, |i, j| (-0.5 * (i as f64 - j as f64).powi(2)).exp());
        let found = landmark_error(&kernel, &[0, 3]).unwrap();
        assert!((found.trace - 1.231_162_49).abs() < 5e-9, "{found:?}");
        assert!((found.residuals[1] - 0.615_581_24).abs() < 5e-9);
        assert_eq!(found.residuals[0], 0.0);
        // |k − k̂| at (1, 2) is exp(−1/2) − 0.15989949.
        let off = (-0.5_f64).exp() - 0.159_899_49;
        assert!(off <= found.largest);
        let all = landmark_error(&kernel, &[0, 1, 2, 3]).unwrap();
        assert!(all.trace < 1e-12);
        let twice = landmark_error(&kernel, &[0, 0, 3]).unwrap();
        assert!((twice.trace - found.trace).abs() < 1e-12);
        assert!(landmark_error(&kernel, &[4]).is_err());
        assert!(landmark_error(&Matrix::zeros(2, 3), &[0]).is_err());
    }
}
