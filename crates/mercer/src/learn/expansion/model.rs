//! Kernel, rows, coefficients, and what their sums stand for.

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use super::copies::Copies;
use super::left_out::LeftOut;
use super::posterior::Posterior;
use super::sigmoid::Sigmoid;
use crate::data::Records;
use crate::kernel::ResolvedKernel;
use crate::{Error, Result};

/// How several classes are told apart by two-class decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scheme {
    /// A decision per pair of classes; the class with most votes wins.
    #[default]
    OneVsOne,
    /// A decision per class against all others; the largest wins.
    OneVsRest,
}

/// The kind of answer a machine gives, with its coefficients.
///
/// Coefficients have one column per support vector.
#[derive(Debug, Clone, PartialEq)]
pub enum Machine {
    /// Tells classes apart.
    Classifier {
        /// The labels; their order is the class code.
        labels: Vec<String>,
        /// How several classes are told apart.
        scheme: Scheme,
        /// Number of support vectors of each class; they are sorted by class.
        class_sizes: Vec<usize>,
        /// One-vs-one with k classes: k − 1 rows; for a support vector of class a, row j
        /// holds its coefficient against the j-th of the other classes. One-vs-rest: a row
        /// per class.
        coefficients: Matrix<f64>,
        /// Constant of each decision: pairs (0,1), (0,2), …, or one per class.
        biases: Vec<f64>,
        /// Sigmoid of each decision, where probabilities were asked for.
        sigmoids: Option<Vec<Sigmoid>>,
        /// Factor of each class on the weights of its rows, as far as probabilities leave it
        /// to the label: the answer is the class of largest factor times probability. `None`
        /// means 1 each.
        factors: Option<Vec<f64>>,
    },
    /// Predicts one number or several.
    Regressor {
        /// A row of coefficients per number.
        coefficients: Matrix<f64>,
        /// The constant of each.
        biases: Vec<f64>,
    },
    /// Tells the familiar from the new.
    Novelty {
        /// One row of coefficients.
        coefficients: Matrix<f64>,
        /// The constant: minus the threshold ρ.
        bias: f64,
    },
}

/// A function learnt in the space of a kernel: kernel, support vectors and coefficients.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelExpansion {
    /// The kernel with every parameter fixed.
    pub kernel: ResolvedKernel,
    /// The support vectors.
    pub support: Records,
    /// The decisions.
    pub machine: Machine,
    /// How sure the function is of itself, where it was learnt by the squared loss from all of
    /// the support vectors.
    pub posterior: Option<Posterior>,
    /// How wrong it was on rows it had not seen, where that was measured.
    pub left_out: Option<LeftOut>,
    /// The training rows that support vectors stand for, where equal rows were merged and one
    /// stands for several; the function does not depend on it.
    pub copies: Option<Copies>,
}

impl Machine {
    /// Returns the coefficient block.
    pub fn coefficients(&self) -> &Matrix<f64> {
        match self {
            Self::Classifier { coefficients, .. }
            | Self::Regressor { coefficients, .. }
            | Self::Novelty { coefficients, .. } => coefficients,
        }
    }

    /// Returns how many decision values a row gets.
    pub fn decisions(&self) -> usize {
        match self {
            Self::Classifier { labels, scheme, .. } => scheme.decisions(labels.len()),
            Self::Regressor { biases, .. } => biases.len(),
            Self::Novelty { .. } => 1,
        }
    }

    /// Returns max(1, |a|) of every decision, a the slope of its sigmoid: by how much an error of
    /// the decision may grow.
    pub fn slopes(&self) -> Vec<f64> {
        match self {
            Self::Classifier {
                sigmoids: Some(sigmoids),
                ..
            } => sigmoids.iter().map(|s| s.a.abs().max(1.0)).collect(),
            _ => vec![1.0; self.decisions()],
        }
    }

    /// Returns whether the machine gives probabilities.
    pub fn has_probabilities(&self) -> bool {
        matches!(
            self,
            Self::Classifier {
                sigmoids: Some(_),
                ..
            }
        )
    }
}

impl Scheme {
    /// Returns how many decisions tell `classes` classes apart.
    pub fn decisions(self, classes: usize) -> usize {
        match self {
            Self::OneVsOne => classes * classes.saturating_sub(1) / 2,
            Self::OneVsRest => classes,
        }
    }

    fn coefficient_rows(self, classes: usize) -> usize {
        match self {
            Self::OneVsOne => classes.saturating_sub(1),
            Self::OneVsRest => classes,
        }
    }
}

/// Iterates over class pairs (a, b) with a < b, in the order of the decisions.
pub(crate) fn pairs(classes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..classes).flat_map(move |a| (a + 1..classes).map(move |b| (a, b)))
}

impl KernelExpansion {
    /// Checks every rule that ties the fields together.
    ///
    /// # Errors
    /// [`Error::Model`] naming the broken rule.
    pub fn check(&self) -> Result<()> {
        let coefficients = self.machine.coefficients();
        let support = self.support.len();
        if coefficients.columns() != support {
            return Err(Error::model(format!(
                "{} columns of coefficients for {support} support vectors",
                coefficients.columns()
            )));
        }
        if coefficients.as_slice().iter().any(|c| !c.is_finite()) {
            return Err(Error::model("a coefficient is not finite"));
        }
        let rows = match &self.machine {
            Machine::Classifier {
                labels,
                scheme,
                class_sizes,
                biases,
                sigmoids,
                factors,
                ..
            } => {
                if labels.len() < 2 {
                    return Err(Error::model("a classifier needs at least two labels"));
                }
                let distinct: std::collections::HashSet<&String> = labels.iter().collect();
                if distinct.len() != labels.len() {
                    return Err(Error::model("a label occurs twice"));
                }
                if class_sizes.len() != labels.len()
                    || class_sizes
                        .iter()
                        .try_fold(0_usize, |s, c| s.checked_add(*c))
                        != Some(support)
                {
                    return Err(Error::model(
                        "the class sizes do not add up to the support vectors",
                    ));
                }
                let decisions = scheme.decisions(labels.len());
                if biases.len() != decisions {
                    return Err(Error::model(format!(
                        "{} constants for {decisions} decisions",
                        biases.len()
                    )));
                }
                if biases.iter().any(|b| !b.is_finite()) {
                    return Err(Error::model("a constant is not finite"));
                }
                if let Some(sigmoids) = sigmoids {
                    if sigmoids.len() != decisions {
                        return Err(Error::model(format!(
                            "{} sigmoids for {decisions} decisions",
                            sigmoids.len()
                        )));
                    }
                    if sigmoids
                        .iter()
                        .any(|s| !(s.a.is_finite() && s.b.is_finite()))
                    {
                        return Err(Error::model("a sigmoid is not finite"));
                    }
                }
                if let Some(factors) = factors
                    && (factors.len() != labels.len()
                        || !factors.iter().all(|f| f.is_finite() && *f >= 0.0))
                {
                    return Err(Error::model(
                        "the class factors are not one number of at least 0 for every label",
                    ));
                }
                scheme.coefficient_rows(labels.len())
            }
            Machine::Regressor { biases, .. } => {
                if biases.is_empty() || biases.iter().any(|b| !b.is_finite()) {
                    return Err(Error::model("a constant is missing or not finite"));
                }
                biases.len()
            }
            Machine::Novelty { bias, .. } => {
                if !bias.is_finite() {
                    return Err(Error::model("the constant is not finite"));
                }
                1
            }
        };
        if coefficients.rows() != rows {
            return Err(Error::model(format!(
                "{} rows of coefficients; {rows} expected",
                coefficients.rows()
            )));
        }
        if let Some(copies) = &self.copies {
            let classes = match &self.machine {
                Machine::Classifier { labels, .. } => labels.len(),
                Machine::Regressor { .. } | Machine::Novelty { .. } => 1,
            };
            copies.check(support, classes.saturating_mul(rows))?;
        }
        if let Some(left_out) = &self.left_out {
            left_out.check()?;
        }
        if let Some(posterior) = &self.posterior {
            posterior.check(support, self.machine.decisions())?;
        }
        if self.support.features.points.first_not_finite().is_some() {
            return Err(Error::model("a support vector is not finite"));
        }
        Ok(())
    }
}
