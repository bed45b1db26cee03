//! Linear functions of rows that are far from zero, evaluated around a point among them.
//!
//! Where the constant is free, coefficients sum to zero, and any point o may be taken out of all rows:
//!
//! ```text
//! Σ c_i ⟨x_i, x⟩ + b = ⟨w, x − o⟩ + (b + ⟨w, o⟩),   w = Σ c_i (x_i − o).
//! ```
//!
//! The left side adds up numbers of the size ‖o‖², which hold no digit of the differences of rows around
//! 10⁸; the right side has all of them. The constant b is that of the left side, so that programs that know
//! nothing of o read the same function.

use mercer_linalg::{Matrix, dot};

use super::collapse::Weights;
use super::model::KernelExpansion;
use crate::data::{Block, Points, Records};
use crate::fit::ProblemReport;
use crate::kernel::{KernelSpec, ResolvedKernel};
use crate::{Error, Result};

/// The number that a kernel multiplies dot products by, where that is all it does.
pub(crate) fn factor_of_products(kernel: &ResolvedKernel) -> Option<f64> {
    let (base, factor) = match kernel.spec() {
        KernelSpec::Scaled { factor, kernel } => (&**kernel, *factor),
        base => (base, 1.0),
    };
    match base {
        KernelSpec::Base { family, .. } if family.name == "linear" => Some(factor),
        _ => None,
    }
}

/// Rows as they are seen from a point; those of another width stay as they are, and are refused when a
/// kernel meets them.
pub(crate) fn around(records: &Records, origin: &[f64]) -> Records {
    let (n, d) = (records.len(), origin.len());
    if records.features.points.columns() != d {
        return records.clone();
    }
    let rows = match records.features.points.widened() {
        Block::Dense(m) => Matrix::from_fn(n, d, |i, j| m.row(i)[j] - origin[j]),
        Block::Sparse(m) => {
            let mut rows = Matrix::from_fn(n, d, |_, j| -origin[j]);
            for i in 0..n {
                let (indices, values) = m.row(i);
                for (&j, value) in indices.iter().zip(values) {
                    rows.row_mut(i)[j as usize] += value;
                }
            }
            rows
        }
    };
    let mut seen = records.clone();
    seen.features.points = Points::from(rows);
    seen
}

impl KernelExpansion {
    /// Makes a function whose constants were learnt from rows around a point one of rows as they were given,
    /// as its support vectors are.
    #[must_use]
    pub(crate) fn seen_from(mut self, origin: Vec<f64>) -> Self {
        self.origin = Some(origin);
        let along = Weights::along_origin(&self);
        for (bias, along) in self.biases.iter_mut().zip(along) {
            *bias -= along;
        }
        self
    }

    /// Has reports of problems that were solved around the origin tell the constants of rows as they were given.
    pub(crate) fn tell_constants(&self, problems: &mut [ProblemReport]) {
        if self.origin.is_some() {
            for (problem, bias) in problems.iter_mut().zip(&self.biases) {
                problem.bias = *bias;
            }
        }
    }

    /// The constants of the decisions of rows that are seen from the origin.
    pub(super) fn constants_at_origin(&self) -> Vec<f64> {
        let along = Weights::along_origin(self);
        let pairs = self.biases.iter().zip(along);
        pairs.map(|(bias, along)| bias + along).collect()
    }

    /// Checks that rows can be seen from the origin.
    pub(super) fn check_origin(&self) -> Result<()> {
        let Some(origin) = &self.origin else {
            return Ok(());
        };
        let points = &self.support.features.points;
        let plain = factor_of_products(&self.kernel).is_some();
        if !plain || points.is_sparse() || self.slopes.is_some() || self.components.is_some() {
            return Err(Error::model("an origin of rows that no function has"));
        }
        if origin.len() != points.columns() || origin.iter().any(|o| !o.is_finite()) {
            return Err(Error::model(format!(
                "an origin of {} numbers for {} features, or one that is not finite",
                origin.len(),
                points.columns()
            )));
        }
        Ok(())
    }
}

impl Weights {
    /// ⟨w, o⟩ of every decision of a function whose rows are seen from o; zeros for all others.
    fn along_origin(model: &KernelExpansion) -> Vec<f64> {
        match (&model.origin, Self::of(model)) {
            (Some(origin), Some(weights)) => {
                let along = |d| dot(weights.row(d), origin);
                (0..model.decisions()).map(along).collect()
            }
            _ => vec![0.0; model.decisions()],
        }
    }
}

#[cfg(test)]
mod tests {
    use mercer_linalg::{Par, Precision};

    use super::*;
    use crate::fit::Cancel;
    use crate::model::readout::Readout;

    /// f(x) = 2·(3x₀ − x₁) + 0.5 around (10⁸, −10⁸).
    fn far(kernel: &str) -> (KernelExpansion, Records) {
        let origin = vec![1e8, -1e8];
        let near = [[1.5, -0.5], [-1.5, 0.5]];
        let given = Matrix::from_fn(2, 2, |i, j| near[i][j] + origin[j]);
        let records = |rows: Matrix<f64>| Records::from_points(Points::from(rows));
        let model = KernelExpansion::new(
            kernel.parse().expect("a kernel"),
            records(given.clone()),
            Matrix::from_vec(1, 2, vec![1.0, -1.0]),
            vec![0.5],
            Readout::Values,
        );
        (model.seen_from(origin), records(given))
    }

    #[test]
    fn far_rows_keep_the_digits_of_their_differences() {
        for (kernel, factor) in [("linear", 1.0), ("2*linear", 2.0)] {
            let (model, rows) = far(kernel);
            model.check().expect("sound");
            let predictor = model.predictor(Precision::F64).expect("a predictor");
            let found = predictor
                .decisions(&rows, Par::Sequential, &Cancel::default())
                .expect("decisions");
            // w = (3, −1): f(1.5, −0.5) = 5, times the factor, and the constant, which was stored
            // beside numbers of the size 4·10⁸.
            for (row, sign) in [(0, 1.0), (1, -1.0)] {
                let expected = factor * sign * 5.0 + 0.5;
                assert!((found[(row, 0)] - expected).abs() < 1e-6, "{kernel} {row}");
            }
        }
    }

    #[test]
    fn an_origin_belongs_to_dot_products_of_its_width() {
        let (model, _) = far("linear");
        let other = KernelExpansion {
            kernel: "rbf(gamma=1)".parse().expect("a kernel"),
            ..model.clone()
        };
        assert!(other.check().is_err());
        let short = KernelExpansion {
            origin: Some(vec![1e8]),
            ..model
        };
        assert!(short.check().is_err());
    }
}
