//! Principal components in the space of a kernel.
//!
//! With K_c the kernel matrix of the training rows around their mean in feature space, K_c v_j = λ_j v_j. A row x has the coordinates
//! z_j = λ_j^−½ Σ_i (v_j)_i k_c(x_i, x); since the entries of v_j add up to 0, that is an expansion with the
//! coefficients λ_j^−½ v_j and a constant. What the components do not reach of it is
//!
//! ```text
//! r(x) = k(x, x) − 2 Σ_i p_i k(x, x_i) + Σ_ij p_i p_j k(x_i, x_j) − Σ_j z_j²,    p_i = w_i / Σw,
//! ```
//!
//! the squared distance of φ(x) from the plane of the components: large where x is unlike the training rows. The nearest row to a point
//! Σ_i c_i φ(x_i) of that plane (its pre-image) is for a Gaussian kernel a fixed point of
//! x = Σ c_i k(x, x_i) x_i / Σ c_i k(x, x_i); for any kernel of numbers it can be learnt by ridge
//! regression from the coordinates of the training rows.
//!
//! References: Schölkopf, Smola and Müller, Nonlinear component analysis as a kernel eigenvalue problem, 1998; Mika et al.,
//! Kernel PCA and de-noising in feature spaces, 1999; Bakır, Weston and Schölkopf, Learning to find pre-images, 2004;
//! Hoffmann, Kernel PCA for novelty detection, 2007.

use mercer_linalg::{Cholesky, Epilogue, Matrix, Op, Par, Precision, Rows, gemm};
use serde::{Deserialize, Serialize};

use super::KernelExpansion;
use crate::data::{Block, Records};
use crate::fit::{Cancel, FitContext};
use crate::gram::radial;
use crate::kernel::TileMut;
use crate::model::Tensors;
use crate::{Error, Result};

/// Rows of a block of kernel values.
const BLOCK: usize = 256;
/// Steps of a fixed point, and how little the last one may move a row, relative to its length.
const STEPS: usize = 200;
const STILL: f64 = 1e-9;

/// What an expansion knows as the components of its support vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelComponents {
    /// λ_j, the largest first.
    pub eigenvalues: Vec<f64>,
    /// Σλ over all components.
    pub trace: f64,
    /// Mean of the kernel matrix, with weights as copies; `None` where it was not centred.
    pub mean: Option<f64>,
    /// p_i of every support vector, where they are not all alike.
    pub shares: Option<Vec<f64>>,
    /// The learnt way back.
    pub restoring: Option<Restoring>,
}

/// A ridge regression from coordinates to rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Restoring {
    /// Coordinates of the support vectors, a row for each.
    pub coordinates: Matrix<f64>,
    /// One row per support vector, one column per feature.
    pub coefficients: Matrix<f64>,
}

/// Rows that lie on the components, as near as rows can.
#[derive(Debug, Clone, PartialEq)]
pub struct PreImages {
    /// One row for each.
    pub rows: Matrix<f64>,
    /// How many of them were still moving.
    pub unsettled: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ComponentsShape {
    trace: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mean: Option<f64>,
    #[serde(default)]
    shares: bool,
    #[serde(default)]
    restoring: bool,
}

impl KernelComponents {
    pub(super) fn store(&self, tensors: &mut Tensors) -> ComponentsShape {
        tensors.add_f64("eigenvalues", self.eigenvalues.clone());
        if let Some(shares) = &self.shares {
            tensors.add_f64("shares", shares.clone());
        }
        if let Some(restoring) = &self.restoring {
            tensors.add_matrix("restoring.coordinates", &restoring.coordinates);
            tensors.add_matrix("restoring.coefficients", &restoring.coefficients);
        }
        ComponentsShape {
            trace: self.trace,
            mean: self.mean,
            shares: self.shares.is_some(),
            restoring: self.restoring.is_some(),
        }
    }

    pub(super) fn load(shape: &ComponentsShape, tensors: &mut Tensors) -> Result<Self> {
        Ok(Self {
            eigenvalues: tensors.take_f64("eigenvalues")?,
            trace: shape.trace,
            mean: shape.mean,
            shares: shape
                .shares
                .then(|| tensors.take_f64("shares"))
                .transpose()?,
            restoring: if shape.restoring {
                Some(Restoring {
                    coordinates: tensors.take_matrix("restoring.coordinates")?,
                    coefficients: tensors.take_matrix("restoring.coefficients")?,
                })
            } else {
                None
            },
        })
    }

    /// Checks what ties the fields to the expansion.
    pub(super) fn check(&self, rows: usize, features: usize, components: usize) -> Result<()> {
        let shape = |matrix: &Matrix<f64>| (matrix.rows(), matrix.columns());
        let fits = self.eigenvalues.len() == components
            && self.shares.as_ref().is_none_or(|s| s.len() == rows)
            && self.restoring.as_ref().is_none_or(|r| {
                shape(&r.coordinates) == (rows, components)
                    && shape(&r.coefficients) == (rows, features)
            });
        if !fits {
            return Err(Error::model(format!(
                "components of another shape than {components} of {rows} support vectors"
            )));
        }
        let lists = [
            Some(&self.eigenvalues[..]),
            self.shares.as_deref(),
            self.restoring.as_ref().map(|r| r.coordinates.as_slice()),
            self.restoring.as_ref().map(|r| r.coefficients.as_slice()),
        ];
        let numbers = lists.into_iter().flatten().flatten().copied();
        let single = [self.trace, self.mean.unwrap_or(0.0)];
        if numbers.chain(single).any(|v| !v.is_finite()) {
            return Err(Error::model("a component is not finite"));
        }
        Ok(())
    }
}

pub(super) fn no_components() -> Error {
    Error::Unsupported {
        what: "the model has no components in the space of its kernel".to_owned(),
        cure: "learn one with `kpca`".into(),
    }
}

impl KernelExpansion {
    fn known_components(&self) -> Result<&KernelComponents> {
        self.components.as_ref().ok_or_else(no_components)
    }

    /// p_i of every support vector.
    pub(super) fn shares(&self) -> Vec<f64> {
        let n = self.support.len();
        let own = self.components.as_ref().and_then(|c| c.shares.clone());
        own.unwrap_or_else(|| vec![(n as f64).recip(); n])
    }

    /// Learns the way back from coordinates to rows: ridge regression with the model's kernel, as
    /// scikit-learn's `fit_inverse_transform` does it.
    pub(crate) fn learn_to_restore(
        &mut self,
        coordinates: Matrix<f64>,
        ridge: f64,
        context: &FitContext,
    ) -> Result<()> {
        let features = self.rows_of_numbers()?;
        let records = Records::from_points(coordinates.clone());
        let mut gram = self
            .kernel
            .gram_within(&records, context.par(), context)
            .map_err(|error| Error::Unsupported {
                what: format!("the way back cannot be learnt with this kernel: {error}"),
                cure: "use a kernel of all columns of numbers alike".into(),
            })?;
        for i in 0..gram.rows() {
            gram[(i, i)] += ridge;
        }
        let factor = Cholesky::factor(gram, context.par()).map_err(|_| Error::Unsupported {
            what: "the way back cannot be learnt: the kernel matrix of the coordinates is singular"
                .to_owned(),
            cure: "raise the regularisation of the ridge".into(),
        })?;
        let mut coefficients = features;
        factor.solve_in_place(&mut coefficients, context.par());
        if let Some(known) = &mut self.components {
            known.restoring = Some(Restoring {
                coordinates,
                coefficients,
            });
        }
        Ok(())
    }

    /// Returns rows from coordinates by the learnt way back.
    ///
    /// # Errors
    /// A model that did not learn it; another number of coordinates; cancellation.
    pub fn restore(&self, coordinates: &Matrix<f64>, cancel: &Cancel) -> Result<Matrix<f64>> {
        let known = self.known_components()?;
        let Some(learnt) = &known.restoring else {
            return Err(Error::Unsupported {
                what: "the model did not learn the way back from coordinates to rows".to_owned(),
                cure: "learn it with the setting `restore`".into(),
            });
        };
        if coordinates.columns() != self.decisions() {
            return Err(Error::Length {
                what: "a row".to_owned(),
                found: coordinates.columns(),
                expected: self.decisions(),
                unit: "coordinates",
            });
        }
        let bound = self
            .kernel
            .bind(&Records::from_points(learnt.coordinates.clone()))?;
        let query = bound.query(&Records::from_points(coordinates.clone()))?;
        let (n, width) = (bound.len(), learnt.coefficients.columns());
        let mut out = Matrix::zeros(coordinates.rows(), width);
        for start in (0..coordinates.rows()).step_by(BLOCK) {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let rows = start..(start + BLOCK).min(coordinates.rows());
            let mut values = Matrix::zeros(rows.len(), n);
            let tile = TileMut::F64(values.as_mut());
            let par = Par::Sequential;
            query.tile(Rows::Range(rows.clone()), Rows::Range(0..n), tile, par);
            let whole = out.as_mut().submatrix(rows, 0..width);
            let (k, c) = (values.as_ref(), learnt.coefficients.as_ref());
            gemm(1.0, k, Op::None, c, Op::None, 0.0, whole, par);
        }
        Ok(out)
    }

    /// Returns for every row the row on the components nearest to it: what is left of it without noise.
    ///
    /// With a Gaussian kernel by a fixed point that begins at the row, with others by the learnt way back.
    ///
    /// # Errors
    /// A model without components, or with another kernel and no way back; records of another shape; cancellation.
    pub fn denoise(&self, records: &Records, context: &FitContext) -> Result<PreImages> {
        let known = self.known_components()?;
        let coordinates = context.install(|| {
            self.predictor(Precision::F64)?
                .decisions(records, context.par(), &context.cancel)
        })??;
        match radial(self.kernel.spec()) {
            Some((_, Epilogue::Rbf { .. })) => {}
            _ if known.restoring.is_some() => {
                return Ok(PreImages {
                    rows: self.restore(&coordinates, &context.cancel)?,
                    unsettled: 0,
                });
            }
            _ => {
                return Err(Error::Unsupported {
                    what: format!(
                        "rows are found again by a fixed point for `rbf` with one width; the kernel is `{}`",
                        self.kernel
                    ),
                    cure: "learn the way back with the setting `restore`, or use `rbf`".into(),
                });
            }
        }
        // Σ_j z_j u_j, and the mean where it was taken out.
        let n = self.support.len();
        let mut factors = Matrix::zeros(records.len(), n);
        let (z, c) = (coordinates.as_ref(), self.coefficients.as_ref());
        gemm(
            1.0,
            z,
            Op::None,
            c,
            Op::None,
            0.0,
            factors.as_mut(),
            Par::Sequential,
        );
        if known.mean.is_some() {
            let shares = self.shares();
            for row in 0..factors.rows() {
                for (factor, share) in factors.row_mut(row).iter_mut().zip(&shares) {
                    *factor += share;
                }
            }
        }
        let support = self.rows_of_numbers()?;
        let bound = self.kernel.bind(&self.support)?;
        let mut rows = dense(records);
        let mut unsettled = 0;
        for start in (0..rows.rows()).step_by(BLOCK) {
            let block = start..(start + BLOCK).min(rows.rows());
            let mut moving: Vec<usize> = block.collect();
            for _ in 0..STEPS {
                if moving.is_empty() {
                    break;
                }
                context.check()?;
                let at = rows.select_rows(&moving);
                let mut values = Matrix::zeros(moving.len(), n);
                let query = bound.query(&self.like_support(at.clone()))?;
                let all = (Rows::Range(0..moving.len()), Rows::Range(0..n));
                query.tile(all.0, all.1, TileMut::F64(values.as_mut()), Par::Sequential);
                for (k, &row) in moving.iter().enumerate() {
                    for (value, factor) in values.row_mut(k).iter_mut().zip(factors.row(row)) {
                        *value *= factor;
                    }
                }
                let mut next = Matrix::zeros(moving.len(), support.columns());
                let (v, s) = (values.as_ref(), support.as_ref());
                gemm(
                    1.0,
                    v,
                    Op::None,
                    s,
                    Op::None,
                    0.0,
                    next.as_mut(),
                    Par::Sequential,
                );
                let mut still = Vec::new();
                for (k, &row) in moving.iter().enumerate() {
                    let weights = values.row(k);
                    let sum: f64 = weights.iter().sum();
                    let size: f64 = weights.iter().map(|w| w.abs()).sum();
                    // Where positive and negative weights cancel, there is no mean of rows.
                    if !(sum.abs() > 1e-12 * size) {
                        unsettled += 1;
                        continue;
                    }
                    let line = next.row_mut(k);
                    line.iter_mut().for_each(|v| *v /= sum);
                    let length: f64 = line.iter().map(|v| v * v).sum();
                    let moved: f64 = line
                        .iter()
                        .zip(at.row(k))
                        .map(|(new, old)| (new - old).powi(2))
                        .sum();
                    rows.row_mut(row).copy_from_slice(line);
                    if moved > STILL * STILL * length.max(f64::MIN_POSITIVE) {
                        still.push(row);
                    }
                }
                moving = still;
            }
            unsettled += moving.len();
        }
        Ok(PreImages { rows, unsettled })
    }

    /// Rows with the features of the support vectors.
    fn like_support(&self, rows: Matrix<f64>) -> Records {
        let mut records = Records::from_points(rows);
        records
            .features
            .groups
            .clone_from(&self.support.features.groups);
        records
    }

    /// The support vectors as numbers.
    fn rows_of_numbers(&self) -> Result<Matrix<f64>> {
        let others = [
            self.support.texts.len(),
            self.support.graphs.len(),
            self.support.nodes.len(),
        ];
        if self.support.features.points.columns() == 0 || others.iter().any(|n| *n > 0) {
            return Err(Error::Unsupported {
                what: "only rows of numbers can be found again from coordinates".to_owned(),
                cure: "use columns of numbers and a kernel of them".into(),
            });
        }
        Ok(dense(&self.support))
    }
}

/// The numbers of records.
fn dense(records: &Records) -> Matrix<f64> {
    match records.features.points.widened() {
        Block::Dense(rows) => rows.to_matrix(),
        Block::Sparse(rows) => rows.to_dense(),
    }
}
