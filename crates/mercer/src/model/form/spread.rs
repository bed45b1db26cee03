//! How sure a linear function is of its weights.
//!
//! For noise of variance σ² the values of f are Gaussian around ⟨w, x⟩ + b with
//!
//! ```text
//! Var f(x) = σ² [(x − m)ᵀ S (x − m) + c],   Var y = Var f(x) + σ².
//! ```
//!
//! Least squares has S = (XᵀX)⁻¹, ridge S = (XᵀX + λI)⁻¹, of rows X centred at their mean m, and
//! c = 1/n, where the constant is free; otherwise m and c are zero. A constant with a penalty of
//! its own is one more feature 1.

use mercer_linalg::{Matrix, MatrixRef, Op, Par, dot, gemm};
use serde::{Deserialize, Serialize};

use crate::data::{Block, Points, Records};
use crate::model::Tensors;
use crate::special::{normal_quantile, student_quantile};
use crate::{Error, Result};

/// Records that are compared at a time.
const BLOCK: usize = 256;

/// What a linear model has to remember to know how sure it is.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightSpread {
    /// S; one row and column more where the constant has a penalty.
    pub covariance: Matrix<f64>,
    /// m, one number per feature.
    pub centre: Vec<f64>,
    /// c.
    pub constant: f64,
    /// σ² of every decision.
    pub noise: Vec<f64>,
    /// Degrees of freedom from which σ² was estimated: intervals are Student's. `None` means that
    /// σ² is taken as known, and intervals are normal.
    pub freedom: Option<f64>,
}

/// What is stored beside tensors.
#[derive(Serialize, Deserialize)]
pub(super) struct SpreadShape {
    constant: f64,
    noise: Vec<f64>,
    freedom: Option<f64>,
}

impl WeightSpread {
    /// Returns how many standard deviations an interval of a level reaches to both sides.
    pub fn deviations(&self, level: f64) -> f64 {
        match self.freedom {
            Some(freedom) => student_quantile(freedom, 1.0 - level),
            None => normal_quantile(0.5 + level / 2.0),
        }
    }

    /// Returns the standard deviation of a weight of a decision.
    pub fn weight(&self, decision: usize, feature: usize) -> f64 {
        let unscaled = self.covariance[(feature, feature)];
        (self.noise[decision] * unscaled).sqrt()
    }

    /// Returns the standard deviation of the constant of a decision; 0 where there is none.
    pub fn bias(&self, decision: usize) -> f64 {
        let features = self.centre.len();
        let unscaled = if self.covariance.rows() > features {
            self.covariance[(features, features)]
        } else if self.constant > 0.0 {
            self.constant + self.form(&self.centre)
        } else {
            0.0
        };
        (self.noise[decision] * unscaled).sqrt()
    }

    /// vᵀSv.
    fn form(&self, v: &[f64]) -> f64 {
        let rows = 0..v.len();
        rows.map(|i| v[i] * dot(&self.covariance.row(i)[..v.len()], v))
            .sum::<f64>()
            .max(0.0)
    }

    /// Returns Var f/σ² for new rows.
    ///
    /// # Errors
    /// Records of another width.
    pub fn unscaled_variances(&self, records: &Records, par: Par) -> Result<Vec<f64>> {
        let points = &records.features.points;
        let features = self.centre.len();
        if points.columns() != features {
            return Err(Error::Length {
                what: "a row".to_owned(),
                found: points.columns(),
                expected: features,
                unit: "features",
            });
        }
        let width = self.covariance.rows();
        let mut variances = Vec::with_capacity(points.rows());
        let mut left = Vec::new();
        for start in (0..points.rows()).step_by(BLOCK) {
            let end = (start + BLOCK).min(points.rows());
            left.clear();
            for row in start..end {
                self.push_centred(points, row, &mut left);
            }
            let block = MatrixRef::from_slice(end - start, width, &left);
            let mut turned = Matrix::zeros(end - start, width);
            gemm(
                1.0,
                block,
                Op::None,
                self.covariance.as_ref(),
                Op::None,
                0.0,
                turned.as_mut(),
                par,
            );
            for (r, v) in left.chunks_exact(width.max(1)).enumerate() {
                variances.push(dot(v, turned.row(r)).max(0.0) + self.constant);
            }
            if width == 0 {
                variances.extend(std::iter::repeat_n(self.constant, end - start));
            }
        }
        Ok(variances)
    }

    /// Appends x − m, and 1 for a constant with a penalty.
    fn push_centred(&self, points: &Points, row: usize, out: &mut Vec<f64>) {
        let start = out.len();
        match points {
            Points::Double(Block::Dense(m)) => out.extend_from_slice(m.row(row)),
            Points::Single(Block::Dense(m)) => out.extend(m.row(row).iter().map(|v| f64::from(*v))),
            Points::Double(Block::Sparse(m)) => {
                let (indices, values) = m.row(row);
                spread_out(self.centre.len(), indices, values.iter().copied(), out);
            }
            Points::Single(Block::Sparse(m)) => {
                let (indices, values) = m.row(row);
                let values = values.iter().map(|v| f64::from(*v));
                spread_out(self.centre.len(), indices, values, out);
            }
        }
        for (x, m) in out[start..].iter_mut().zip(&self.centre) {
            *x -= m;
        }
        if self.covariance.rows() > self.centre.len() {
            out.push(1.0);
        }
    }

    /// Checks every rule that ties the fields to a model.
    pub(super) fn check(&self, features: usize, decisions: usize) -> Result<()> {
        let width = self.covariance.rows();
        let fits = self.centre.len() == features
            && self.covariance.columns() == width
            && (width == features || width == features + 1)
            && self.noise.len() == decisions;
        if !fits {
            return Err(Error::model(
                "the spread of the weights does not fit the weights",
            ));
        }
        let finite = |values: &[f64]| values.iter().all(|v| v.is_finite());
        let positive = self.noise.iter().all(|v| *v >= 0.0)
            && self.constant >= 0.0
            && self.constant.is_finite()
            && self.freedom.is_none_or(|f| f.is_finite() && f > 0.0)
            && (0..width).all(|i| self.covariance[(i, i)] >= 0.0);
        if !(positive
            && finite(&self.noise)
            && finite(&self.centre)
            && finite(self.covariance.as_slice()))
        {
            return Err(Error::model(
                "a number of the spread of the weights is negative or not finite",
            ));
        }
        Ok(())
    }

    /// Puts arrays into tensors.
    pub(super) fn store(&self, tensors: &mut Tensors) -> SpreadShape {
        tensors.add_matrix("weight_covariance", &self.covariance);
        tensors.add_f64("weight_centre", self.centre.clone());
        SpreadShape {
            constant: self.constant,
            noise: self.noise.clone(),
            freedom: self.freedom,
        }
    }

    /// Takes the tensors back.
    pub(super) fn load(shape: SpreadShape, tensors: &mut Tensors) -> Result<Self> {
        Ok(Self {
            covariance: tensors.take_matrix("weight_covariance")?,
            centre: tensors.take_f64("weight_centre")?,
            constant: shape.constant,
            noise: shape.noise,
            freedom: shape.freedom,
        })
    }
}

fn spread_out(
    width: usize,
    indices: &[u32],
    values: impl Iterator<Item = f64>,
    out: &mut Vec<f64>,
) {
    let start = out.len();
    out.resize(start + width, 0.0);
    for (&j, value) in indices.iter().zip(values) {
        out[start + j as usize] = value;
    }
}
