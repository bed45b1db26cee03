//! How sure a function learnt by the squared loss is of itself.
//!
//! Under the prior precision μ and noise precision ζ = γμ the values of f are Gaussian. With
//! A = K + D/γ,
//!
//! ```text
//! μ Var f(x) = k(x,x) − kᵀA⁻¹k + (1 − 1ᵀA⁻¹k)²/(1ᵀA⁻¹1),   Var y = Var f + 1/ζ.
//! ```
//!
//! Class probabilities are moderated by it (Van Gestel et al. 2002): for the classes • = ± of a
//! decision, with the class means m• in feature space, the distance z• = ⟨w, φ(x) − m•⟩ has
//! variance 1/ζ + σ²•, and
//!
//! ```text
//! P(+ | x) = π₊ N(z₊; 0, 1/ζ + σ²₊) / Σ_• π• N(z•; 0, 1/ζ + σ²•),
//! μσ²• = k(x,x) − 2 mean_j k(x,x_j) + mean_jl k(x_j,x_l) − θᵀP θ,   θ = k(·,x) − mean_j k(·,x_j).
//! ```

use mercer_linalg::{Cholesky, Matrix, Par, Precision, Rows, axpy, dot};
use serde::{Deserialize, Serialize};

use super::model::KernelExpansion;
use super::origin::around;
use crate::data::Records;
use crate::kernel::{BoundKernel, TileMut};
use crate::model::readout::Scheme;
use crate::solver::least_squares::Levels;
use crate::{Error, Result};

/// What a model has to remember to know how sure it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Posterior {
    /// γ = ζ/μ.
    pub ratio: f64,
    /// μ and ζ of every decision.
    pub levels: Vec<Levels>,
    /// Weight of every support vector; `None` means 1 each.
    pub weights: Option<Vec<f64>>,
    /// Whether the constant was free.
    pub intercept: bool,
}

impl Posterior {
    /// Checks every rule that ties the fields to a model.
    pub(super) fn check(&self, support: usize, decisions: usize) -> Result<()> {
        let positive = |v: f64| v.is_finite() && v > 0.0;
        if !positive(self.ratio) {
            return Err(Error::model("the ratio of the posterior is not positive"));
        }
        if self.levels.len() != decisions {
            return Err(Error::model(format!(
                "{} pairs of precisions for {decisions} decisions",
                self.levels.len()
            )));
        }
        if !self
            .levels
            .iter()
            .all(|l| positive(l.prior) && positive(l.noise))
        {
            return Err(Error::model("a precision is not positive and finite"));
        }
        if let Some(weights) = &self.weights
            && (weights.len() != support || !weights.iter().all(|w| positive(*w)))
        {
            return Err(Error::model(
                "the weights of the posterior do not fit the rows",
            ));
        }
        Ok(())
    }
}

/// A model prepared to say how sure it is: the factor of its kernel matrix.
///
/// Preparing takes n³/3 multiplications for n support vectors, a row n².
pub struct Certainty {
    kernel: Box<dyn BoundKernel>,
    /// The point that rows are seen from.
    origin: Option<Vec<f64>>,
    factor: Cholesky<f64>,
    /// A⁻¹1 and 1ᵀA⁻¹1, where the constant was free.
    constant: Option<(Vec<f64>, f64)>,
    levels: Vec<Levels>,
    /// Two sides per decision, for classifiers.
    sides: Vec<[Side; 2]>,
}

/// Row weights without the class factors, which belong to the label and not to the shares of the
/// classes.
fn copies(
    weights: Option<&[f64]>,
    factors: Option<&[f64]>,
    class_sizes: &[usize],
) -> Option<Vec<f64>> {
    let weights = weights?;
    let Some(factors) = factors else {
        return Some(weights.to_vec());
    };
    let of_rows = class_sizes.iter().zip(factors);
    let of_rows = of_rows.flat_map(|(size, factor)| std::iter::repeat_n(factor, *size));
    Some(weights.iter().zip(of_rows).map(|(w, f)| w / f).collect())
}

/// One class of a decision.
struct Side {
    /// Share of the class among the rows.
    prior: f64,
    /// Rows of the class: 1/N inside, 0 outside.
    share: Vec<f64>,
    /// L⁻¹ mean_j k(·, x_j).
    half: Vec<f64>,
    /// 1ᵀA⁻¹ mean_j k(·, x_j).
    along: f64,
    /// mean_jl k(x_j, x_l).
    spread: f64,
    /// Mean of f over the class.
    centre: f64,
}

impl KernelExpansion {
    /// Prepares the model to say how sure it is; `None` for models that cannot.
    ///
    /// # Errors
    /// A kernel that cannot be bound to the stored rows, or a matrix that is singular.
    pub fn certainty(&self, par: Par) -> Result<Option<Certainty>> {
        let Some(posterior) = &self.posterior else {
            return Ok(None);
        };
        let seen = self.origin.as_ref().map(|o| around(&self.support, o));
        let support = seen.as_ref().unwrap_or(&self.support);
        let kernel = self.kernel.bind(support)?;
        let gram = self.kernel.gram(support, par)?;
        let n = self.support.len();
        let noise = |i: usize| posterior.weights.as_ref().map_or(1.0, |w| 1.0 / w[i]);
        let mut matrix = gram.clone();
        for i in 0..n {
            matrix.row_mut(i)[i] += noise(i) / posterior.ratio;
        }
        let factor = Cholesky::factor(matrix, par).map_err(|e| {
            Error::model(format!("the kernel matrix of the model is singular: {e}"))
        })?;
        let constant = posterior.intercept.then(|| {
            let mut unit = vec![1.0; n];
            factor.solve_vector(&mut unit, par);
            let sum = unit.iter().sum();
            (unit, sum)
        });
        let mut certainty = Certainty {
            kernel,
            origin: self.origin.clone(),
            factor,
            constant,
            levels: posterior.levels.clone(),
            sides: Vec::new(),
        };
        if let Some(classes) = self.readout.classes() {
            let sizes = &self.class_sizes;
            let copies = copies(
                posterior.weights.as_deref(),
                classes.factors.as_deref(),
                sizes,
            );
            let weights = copies.as_deref();
            let biases = match &self.origin {
                None => self.biases.clone(),
                Some(_) => self.constants_at_origin(),
            };
            for (d, bias) in biases.iter().enumerate() {
                let positive = |class: usize| match classes.scheme {
                    Scheme::OneVsOne => class == 0,
                    Scheme::OneVsRest | Scheme::Softmax => class == d,
                };
                let inside: Vec<bool> = sizes
                    .iter()
                    .enumerate()
                    .flat_map(|(class, size)| std::iter::repeat_n(positive(class), *size))
                    .collect();
                let side = |of: bool| {
                    let coefficients = self.coefficients.row(d);
                    certainty.side(&inside, of, weights, &gram, coefficients, *bias, par)
                };
                let sides = [side(true), side(false)];
                certainty.sides.push(sides);
            }
        }
        Ok(Some(certainty))
    }
}

impl Certainty {
    #[expect(clippy::too_many_arguments, reason = "one side of one decision")]
    fn side(
        &self,
        inside: &[bool],
        of: bool,
        weights: Option<&[f64]>,
        gram: &Matrix<f64>,
        coefficients: &[f64],
        bias: f64,
        par: Par,
    ) -> Side {
        let weight = |i: usize| weights.map_or(1.0, |w| w[i]);
        let n = inside.len();
        let total: f64 = (0..n).map(weight).sum();
        let own: f64 = (0..n).filter(|&i| inside[i] == of).map(weight).sum();
        let share: Vec<f64> = (0..n)
            .map(|i| {
                if inside[i] == of {
                    weight(i) / own
                } else {
                    0.0
                }
            })
            .collect();
        let mut mean = vec![0.0; n];
        for (i, s) in share.iter().enumerate() {
            if *s > 0.0 {
                axpy(*s, gram.row(i), &mut mean);
            }
        }
        let spread = dot(&share, &mean);
        let centre = dot(coefficients, &mean) + bias;
        let along = self
            .constant
            .as_ref()
            .map_or(0.0, |(unit, _)| dot(unit, &mean));
        let mut half = Matrix::from_vec(n, 1, mean);
        self.factor.solve_lower_in_place(&mut half, par);
        Side {
            prior: own / total,
            share,
            half: half.into_vec(),
            along,
            spread,
            centre,
        }
    }

    /// Returns Var f of every decision for new rows, one row per record.
    ///
    /// # Errors
    /// Records of another shape than the support vectors.
    pub fn variances(&self, records: &Records, par: Par) -> Result<Matrix<f64>> {
        let rows = self.compare(records, par)?;
        let unscaled = self.unscaled(&rows);
        Ok(Matrix::from_fn(records.len(), self.levels.len(), |r, d| {
            unscaled[r] / self.levels[d].prior
        }))
    }

    /// Returns 1/ζ of every decision: the variance of a target around f.
    pub fn noise_variances(&self) -> Vec<f64> {
        self.levels.iter().map(|l| l.noise.recip()).collect()
    }

    /// Returns the variances of functions of f in which the constant cancels, under the first decision:
    /// `values` has a row θ of their kernel values with the support vectors each, `before` θ's own ‖·‖².
    ///
    /// ```text
    /// μ Var = before − θᵀA⁻¹θ + (1ᵀA⁻¹θ)²/(1ᵀA⁻¹1)
    /// ```
    pub(crate) fn contrasts(&self, values: &Matrix<f64>, before: Vec<f64>, par: Par) -> Vec<f64> {
        let mut half = values.transposed();
        self.factor.solve_lower_in_place(&mut half, par);
        let mut variances = before;
        for i in 0..half.rows() {
            for (v, h) in variances.iter_mut().zip(half.row(i)) {
                *v -= h * h;
            }
        }
        if let Some((unit, sum)) = &self.constant {
            for (r, v) in variances.iter_mut().enumerate() {
                let along = dot(unit, values.row(r));
                *v += along * along / sum;
            }
        }
        let prior = self.levels[0].prior;
        variances.into_iter().map(|v| v / prior).collect()
    }

    /// Returns moderated probabilities of the positive class of every decision, one row per
    /// record, given the decisions.
    ///
    /// # Errors
    /// Records of another shape than the support vectors; a model that is no classifier.
    pub fn moderated(
        &self,
        records: &Records,
        decisions: &Matrix<f64>,
        priors: Option<&[[f64; 2]]>,
        par: Par,
    ) -> Result<Matrix<f64>> {
        if self.sides.is_empty() {
            return Err(Error::Unsupported {
                what: "only classifiers have class probabilities".to_owned(),
                cure: "use the predictive variance of a regression".into(),
            });
        }
        let Compared {
            values,
            diagonal,
            half,
        } = self.compare(records, par)?;
        let mut out = Matrix::zeros(records.len(), self.sides.len());
        for r in 0..records.len() {
            let row = values.row(r);
            let own_along = self
                .constant
                .as_ref()
                .map_or(0.0, |(unit, _)| dot(unit, row));
            for (d, sides) in self.sides.iter().enumerate() {
                let Levels { prior, noise } = self.levels[d];
                let log_density = |s: usize| {
                    let side = &sides[s];
                    // ‖L⁻¹θ‖² with L⁻¹θ = L⁻¹k − L⁻¹mean, column r of `half`.
                    let explained: f64 = (0..half.rows())
                        .map(|i| (half[(i, r)] - side.half[i]).powi(2))
                        .sum();
                    let along = own_along - side.along;
                    let free = self
                        .constant
                        .as_ref()
                        .map_or(0.0, |(_, sum)| along * along / sum);
                    let before = diagonal[r] - 2.0 * dot(&side.share, row) + side.spread;
                    let variance = (before - explained + free).max(0.0) / prior + noise.recip();
                    let z = decisions[(r, d)] - side.centre;
                    let weight = priors.map_or(side.prior, |p| p[d][s]);
                    weight.ln() - 0.5 * (variance.ln() + z * z / variance)
                };
                let difference = log_density(1) - log_density(0);
                out[(r, d)] = 1.0 / (1.0 + difference.exp());
            }
        }
        Ok(out)
    }

    /// k(x, ·) of new rows with L⁻¹k and k(x, x).
    fn compare(&self, records: &Records, par: Par) -> Result<Compared> {
        let seen = self.origin.as_ref().map(|o| around(records, o));
        let query = self.kernel.query(seen.as_ref().unwrap_or(records))?;
        let (rows, n) = (records.len(), self.kernel.len());
        let mut values = Matrix::zeros(rows, n);
        query.tile(
            Rows::Range(0..rows),
            Rows::Range(0..n),
            TileMut::F64(values.as_mut()),
            par,
        );
        let mut diagonal = vec![0.0; rows];
        query.diagonal(Precision::F64, &mut diagonal);
        let mut half = values.transposed();
        self.factor.solve_lower_in_place(&mut half, par);
        Ok(Compared {
            values,
            diagonal,
            half,
        })
    }

    /// μ Var f.
    fn unscaled(&self, rows: &Compared) -> Vec<f64> {
        let mut variances = rows.diagonal.clone();
        for i in 0..rows.half.rows() {
            for (v, h) in variances.iter_mut().zip(rows.half.row(i)) {
                *v -= h * h;
            }
        }
        if let Some((unit, sum)) = &self.constant {
            for (r, v) in variances.iter_mut().enumerate() {
                let rest = 1.0 - dot(unit, rows.values.row(r));
                *v += rest * rest / sum;
            }
        }
        variances.into_iter().map(|v| v.max(0.0)).collect()
    }
}

struct Compared {
    values: Matrix<f64>,
    diagonal: Vec<f64>,
    /// One column per new row.
    half: Matrix<f64>,
}

impl std::fmt::Debug for Certainty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Certainty")
            .field("rows", &self.factor.order())
            .field("levels", &self.levels)
            .finish_non_exhaustive()
    }
}
