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

use std::sync::Arc;

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

/// The factor of A that a fit ended with: a model that was just learnt need not make it again to say how sure
/// it is. Files do not hold it, and models are equal without it.
#[derive(Clone, Default)]
pub struct KeptFactor(Option<Arc<Factored>>);

/// A factor of A = K + D/γ, with A⁻¹1 and 1ᵀA⁻¹1 where the constant is free.
struct Factored {
    ratio: f64,
    factor: Cholesky<f64>,
    constant: Option<(Vec<f64>, f64)>,
}

impl KeptFactor {
    /// Rows up to which a factor is kept: 2 MB. Beyond, making it again is a small part of the time that
    /// follows it.
    const MOST: usize = 512;

    /// Keeps the factor of A at a ratio.
    pub(crate) fn of(ratio: f64, factor: Cholesky<f64>, intercept: bool, par: Par) -> Self {
        if factor.order() > Self::MOST {
            return Self::default();
        }
        Self(Some(Arc::new(Factored::new(ratio, factor, intercept, par))))
    }

    /// The factor, where it is that of so many rows at this ratio.
    fn factored(&self, rows: usize, posterior: &Posterior) -> Option<Arc<Factored>> {
        let kept = self.0.as_ref()?;
        let same = kept.factor.order() == rows
            && kept.ratio.to_bits() == posterior.ratio.to_bits()
            && kept.constant.is_some() == posterior.intercept;
        same.then(|| Arc::clone(kept))
    }
}

impl Factored {
    fn new(ratio: f64, factor: Cholesky<f64>, intercept: bool, par: Par) -> Self {
        let constant = intercept.then(|| {
            let mut unit = vec![1.0; factor.order()];
            factor.solve_vector(&mut unit, par);
            let sum = unit.iter().sum();
            (unit, sum)
        });
        Self {
            ratio,
            factor,
            constant,
        }
    }
}

impl PartialEq for KeptFactor {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl std::fmt::Debug for KeptFactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rows = self.0.as_ref().map(|kept| kept.factor.order());
        f.debug_tuple("KeptFactor").field(&rows).finish()
    }
}

/// A model prepared to say how sure it is: the factor of its kernel matrix.
///
/// Preparing takes n³/3 multiplications for n support vectors, a row n².
pub struct Certainty {
    kernel: Box<dyn BoundKernel>,
    /// The point that rows are seen from.
    origin: Option<Vec<f64>>,
    solved: Arc<Factored>,
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
        let n = self.support.len();
        let classes = self.readout.classes();
        // Sides of classes are sums over the matrix itself.
        let kept = match classes {
            None => self.kept.factored(n, posterior),
            Some(_) => None,
        };
        let (solved, gram) = if let Some(kept) = kept {
            (kept, None)
        } else {
            let gram = self.kernel.gram(support, par)?;
            let noise = |i: usize| posterior.weights.as_ref().map_or(1.0, |w| 1.0 / w[i]);
            let mut matrix = gram.clone();
            for i in 0..n {
                matrix.row_mut(i)[i] += noise(i) / posterior.ratio;
            }
            let factor = Cholesky::factor(matrix, par).map_err(|e| {
                Error::model(format!("the kernel matrix of the model is singular: {e}"))
            })?;
            let Posterior {
                ratio, intercept, ..
            } = *posterior;
            let solved = Factored::new(ratio, factor, intercept, par);
            (Arc::new(solved), Some(gram))
        };
        let mut certainty = Certainty {
            kernel,
            origin: self.origin.clone(),
            solved,
            levels: posterior.levels.clone(),
            sides: Vec::new(),
        };
        if let (Some(classes), Some(gram)) = (classes, gram) {
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
        let constant = self.solved.constant.as_ref();
        let along = constant.map_or(0.0, |(unit, _)| dot(unit, &mean));
        let mut half = Matrix::from_vec(n, 1, mean);
        self.solved.factor.solve_lower_in_place(&mut half, par);
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
        self.solved.factor.solve_lower_in_place(&mut half, par);
        let mut variances = before;
        for i in 0..half.rows() {
            for (v, h) in variances.iter_mut().zip(half.row(i)) {
                *v -= h * h;
            }
        }
        if let Some((unit, sum)) = &self.solved.constant {
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
            let constant = self.solved.constant.as_ref();
            let own_along = constant.map_or(0.0, |(unit, _)| dot(unit, row));
            for (d, sides) in self.sides.iter().enumerate() {
                let Levels { prior, noise } = self.levels[d];
                let log_density = |s: usize| {
                    let side = &sides[s];
                    // ‖L⁻¹θ‖² with L⁻¹θ = L⁻¹k − L⁻¹mean, column r of `half`.
                    let explained: f64 = (0..half.rows())
                        .map(|i| (half[(i, r)] - side.half[i]).powi(2))
                        .sum();
                    let along = own_along - side.along;
                    let free = constant.map_or(0.0, |(_, sum)| along * along / sum);
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
        self.solved.factor.solve_lower_in_place(&mut half, par);
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
        if let Some((unit, sum)) = &self.solved.constant {
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
            .field("rows", &self.solved.factor.order())
            .field("levels", &self.levels)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;
    use crate::data::{Dataset, Targets};
    use crate::fit::FitContext;
    use crate::learn::Estimator;
    use crate::learn::least_squares::{KernelRidge, LsSvr};

    fn rows(n: usize) -> Dataset {
        let x = Matrix::from_fn(n, 2, |i, j| ((i * (3 + 4 * j)) % 17) as f64 / 5.0);
        let y = (0..n).map(|i| x.row(i)[0].sin() + 0.1 * ((i * 7 % 5) as f64));
        Dataset::try_new(Records::from_points(x.clone()), Targets::Real(y.collect()))
            .expect("rows and targets")
    }

    #[test]
    fn a_kept_factor_says_what_a_new_one_says() {
        let kernel = "rbf(gamma=0.5)";
        let ridge = KernelRidge::default().kernel(kernel.parse().expect("a kernel"));
        let machine = LsSvr::default().kernel(kernel.parse().expect("a kernel"));
        let (data, context) = (rows(60), FitContext::default());
        let fits = [ridge.fit(&data, &context), machine.fit(&data, &context)];
        for fitted in fits {
            let model = fitted.expect("a fit").model;
            assert!(model.kept.0.is_some(), "{model:?}");
            let again = KernelExpansion {
                kept: KeptFactor::default(),
                ..model.clone()
            };
            assert_eq!(again, model);
            let spreads = |model: &KernelExpansion| {
                let certainty = model.certainty(Par::Sequential).expect("a factor");
                let certainty = certainty.expect("a posterior");
                certainty.variances(&data.records, Par::Sequential)
            };
            assert_eq!(
                spreads(&model).expect("rows"),
                spreads(&again).expect("rows")
            );
            // Another ratio has another factor.
            let mut other = model.clone();
            let posterior = other.posterior.as_mut().expect("a posterior");
            posterior.ratio *= 2.0;
            assert_ne!(
                spreads(&model).expect("rows"),
                spreads(&other).expect("rows")
            );
        }
    }

    #[test]
    fn many_rows_keep_no_factor() {
        let ridge = KernelRidge::default().kernel("rbf(gamma=50)".parse().expect("a kernel"));
        let x = Matrix::from_fn(KeptFactor::MOST + 1, 1, |i, _| i as f64);
        let y = (0..x.rows()).map(|i| (i % 3) as f64).collect();
        let data = Dataset::try_new(Records::from_points(x), Targets::Real(y)).expect("rows");
        let fitted = ridge.fit(&data, &FitContext::default()).expect("a fit");
        assert!(fitted.model.kept.0.is_none());
    }
}
