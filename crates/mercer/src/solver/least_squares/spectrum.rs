//! The cost at every ratio γ from one eigendecomposition.
//!
//! With S = diag(√w), u = √w/‖√w‖ and M = I − uuᵀ: K_c = M S K S M = V Λ Vᵀ, z = Vᵀ M S y
//! (M = I without a free constant), and
//!
//! ```text
//! 2J(γ) = Σ log(1 + γλ_i) − (n − 1) log γ + (n − 1) log(½ q(γ)) + const,
//! q(γ) = γ Σ z_i²/(1 + γλ_i).
//! ```
//!
//! Directions of eigenvalue 0 keep their part of y as γ z², so that a spectrum that ends early
//! only needs the sum r₀ of what it does not hold.

use mercer_linalg::{LinalgError, Matrix, SymmetricEigen, axpy, dot};

use super::Problem;
use super::centred::Centred;
use super::ratio::{best_ratio, log_evidence, ratio_range};

/// Eigenvalues of a kernel matrix, and the targets in their directions.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    /// λ_i, rounding below zero removed.
    values: Vec<f64>,
    /// z_i, one row per output.
    projections: Matrix<f64>,
    /// Squared length of each output that lies in no stored direction.
    rest: Vec<f64>,
    /// The least eigenvalue as it was computed.
    least: f64,
    /// Average eigenvalue; 0 where it is rounding.
    mean: f64,
    /// How many copies all rows stand for.
    copies: f64,
    /// 1 where a constant is free.
    constant: f64,
    /// V, √w and u.
    frame: Option<Frame>,
}

/// The directions themselves.
#[derive(Debug, Clone, PartialEq)]
struct Frame {
    vectors: Matrix<f64>,
    roots: Vec<f64>,
    unit: Option<Vec<f64>>,
}

impl Spectrum {
    /// Decomposes the kernel matrix of a problem.
    ///
    /// # Errors
    /// A matrix that holds a value that is no number.
    pub fn new(problem: &Problem<'_>) -> Result<Self, LinalgError> {
        let Centred {
            matrix,
            sides,
            roots,
            unit,
        } = Centred::new(problem);
        let eigen = SymmetricEigen::new(matrix.as_ref())?;
        let (outputs, n) = (sides.rows(), sides.columns());
        let mut projections = Matrix::zeros(outputs, n);
        for k in 0..outputs {
            let z = projections.row_mut(k);
            for (i, y) in sides.row(k).iter().enumerate() {
                axpy(*y, eigen.vectors.row(i), z);
            }
        }
        Ok(Self {
            least: eigen.values.iter().copied().fold(f64::INFINITY, f64::min),
            values: eigen.values.into_iter().map(|v| v.max(0.0)).collect(),
            projections,
            rest: vec![0.0; outputs],
            mean: problem.mean_eigenvalue(),
            copies: problem.copies(),
            constant: f64::from(u8::from(problem.intercept)),
            frame: Some(Frame {
                vectors: eigen.vectors,
                roots,
                unit,
            }),
        })
    }

    /// Puts a spectrum together from eigenvalues, z per output, and the squared length of what
    /// lies outside of them.
    pub fn from_parts(
        values: Vec<f64>,
        projections: Matrix<f64>,
        rest: Vec<f64>,
        copies: f64,
        intercept: bool,
    ) -> Self {
        let constant = f64::from(u8::from(intercept));
        Self {
            mean: values.iter().sum::<f64>() / (copies - constant),
            least: values.iter().copied().fold(f64::INFINITY, f64::min),
            values,
            projections,
            rest,
            copies,
            constant,
            frame: None,
        }
    }

    /// Sets the average eigenvalue, for a spectrum that does not hold all of them.
    pub(super) fn with_mean(mut self, mean: f64) -> Self {
        self.mean = mean;
        self
    }

    /// Returns the eigenvalues in the order in which they were found, ascending where all were.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the average eigenvalue; 0 where it is rounding.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    fn freedom(&self) -> f64 {
        self.copies - self.constant
    }

    /// Returns whether no eigenvalue is below zero by more than rounding.
    pub fn is_semidefinite(&self) -> bool {
        let largest = self.values.iter().copied().fold(0.0, f64::max);
        self.least >= -1e-9 * largest
    }

    /// Returns J(γ), summed over the outputs.
    pub fn cost(&self, ratio: f64) -> f64 {
        let logs: f64 = self.values.iter().map(|l| (ratio * l).ln_1p()).sum();
        let one = |k| {
            let quadratic = self.quadratic(k, ratio);
            logs + self.freedom() * ((quadratic / 2.0).ln() - ratio.ln())
        };
        0.5 * (0..self.rest.len()).map(one).sum::<f64>()
    }

    /// Returns yᵀPy of an output.
    pub fn quadratic(&self, output: usize, ratio: f64) -> f64 {
        let terms = self.values.iter().zip(self.projections.row(output));
        let inside: f64 = terms.map(|(l, z)| z * z / (1.0 + ratio * l)).sum();
        ratio * (inside + self.rest[output])
    }

    /// Returns the effective number of parameters without the constant, Σ γλ_i/(1+γλ_i).
    pub fn effective_parameters(&self, ratio: f64) -> f64 {
        let share = |l: &f64| ratio * l / (1.0 + ratio * l);
        self.values.iter().map(share).sum()
    }

    /// Returns the range of ratios that is looked at: γ·λ̄ between 1e-8 and 1e8.
    pub fn range(&self) -> Option<(f64, f64)> {
        ratio_range(self.mean)
    }

    /// Returns the ratio of least cost; `None` for a matrix of zeros.
    pub fn best_ratio(&self) -> Option<f64> {
        self.least(|ratio| self.cost(ratio))
    }

    /// Returns the ratio at which a criterion is least.
    pub fn least(&self, criterion: impl Fn(f64) -> f64) -> Option<f64> {
        Some(best_ratio(self.range()?, criterion))
    }

    /// Returns log p(D | K) up to a constant that is the same for all kernels: level 3.
    pub fn log_evidence(&self) -> Option<f64> {
        let best = self.best_ratio()?;
        Some(log_evidence(self.range()?, best, |ratio| self.cost(ratio)))
    }

    /// Returns the coefficients α of every output, one row each. Time n² a ratio.
    ///
    /// # Panics
    /// A spectrum put together from parts, which has no directions.
    pub fn coefficients(&self, ratio: f64) -> Matrix<f64> {
        let frame = self.frame.as_ref().expect("a spectrum with its directions");
        let mut coefficients = Matrix::zeros(self.rest.len(), frame.roots.len());
        for k in 0..self.rest.len() {
            let pairs = self.projections.row(k).iter().zip(&self.values);
            let scaled: Vec<f64> = pairs.map(|(z, l)| z / (l + ratio.recip())).collect();
            for (i, alpha) in coefficients.row_mut(k).iter_mut().enumerate() {
                *alpha = frame.roots[i] * dot(frame.vectors.row(i), &scaled);
            }
        }
        coefficients
    }

    /// Returns the generalised cross-validation score, n⁻¹‖y − ŷ‖²/(1 − γ_eff/n)², over all
    /// outputs; weights count as copies.
    pub fn gcv(&self, ratio: f64) -> f64 {
        let n = self.copies;
        let share = 1.0 - (self.effective_parameters(ratio) + self.constant) / n;
        let mut square: f64 = self.rest.iter().sum();
        for k in 0..self.rest.len() {
            let terms = self.values.iter().zip(self.projections.row(k));
            square += terms
                .map(|(l, z)| (z / (1.0 + ratio * l)).powi(2))
                .sum::<f64>();
        }
        square / n / (share * share)
    }

    /// Returns the sum of squared residuals of all copies and outputs, each left out alone.
    /// Time n² a ratio.
    ///
    /// # Panics
    /// A spectrum put together from parts, which has no directions.
    pub fn leave_one_out(&self, ratio: f64) -> f64 {
        self.leave_copies_out(ratio, None)
    }

    /// Returns the weighted sum of squared residuals when a copy of each row is left out alone;
    /// `weighs` is what a copy of each row weighs, 1 where there is none. Time n² a ratio.
    ///
    /// # Panics
    /// A spectrum put together from parts, which has no directions.
    pub fn leave_copies_out(&self, ratio: f64, weighs: Option<&[f64]>) -> f64 {
        let frame = self.frame.as_ref().expect("a spectrum with its directions");
        let factors: Vec<f64> = self
            .values
            .iter()
            .map(|l| 1.0 / (l + ratio.recip()))
            .collect();
        let weighted: Vec<Vec<f64>> = (0..self.rest.len())
            .map(|k| {
                let z = self.projections.row(k);
                z.iter().zip(&factors).map(|(z, f)| z * f).collect()
            })
            .collect();
        let mut total = 0.0;
        for i in 0..frame.roots.len() {
            let row = frame.vectors.row(i);
            let mut diagonal: f64 = row.iter().zip(&factors).map(|(v, f)| v * v * f).sum();
            if let Some(unit) = &frame.unit {
                // The constant's own direction is no direction of P.
                diagonal -= ratio * unit[i] * unit[i];
            }
            // One of m copies: the others keep (m − 1) of the row's noise down. What a copy
            // weighs cancels in w r².
            let copies = frame.roots[i] * frame.roots[i] / weighs.map_or(1.0, |c| c[i]);
            let share = copies.max(1.0);
            let denominator = ratio * (copies - 1.0).max(0.0) + diagonal;
            for z in &weighted {
                let residual = share * dot(row, z) / denominator;
                total += residual * residual;
            }
        }
        total
    }
}
