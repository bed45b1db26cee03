//! Kernel, rows, coefficients, and what their sums stand for.

use mercer_linalg::Matrix;

use super::components::KernelComponents;
use super::copies::Copies;
use super::posterior::{KeptFactor, Posterior};
use crate::data::Records;
use crate::kernel::ResolvedKernel;
use crate::model::readout::{LeftOut, Readout};
use crate::{Error, Result};

/// A function learnt in the space of a kernel: kernel, support vectors and coefficients.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelExpansion {
    /// The kernel with every parameter fixed.
    pub kernel: ResolvedKernel,
    /// The support vectors.
    pub support: Records,
    /// One column per support vector. With classes one against one, k of them, there are k − 1
    /// rows: for a support vector of class a, row j holds its coefficient against the j-th of
    /// the other classes. Otherwise a row per decision.
    pub coefficients: Matrix<f64>,
    /// Constant of each decision: pairs (0,1), (0,2), …, or one per class or number.
    pub biases: Vec<f64>,
    /// The point that rows are seen from, where they are so far from zero that dot products would lose the
    /// digits of their differences: kernels are linear then, and coefficients sum to zero.
    pub origin: Option<Vec<f64>>,
    /// Weights of the features themselves, a row per decision, where those are part of the function
    /// without a penalty.
    pub slopes: Option<Matrix<f64>>,
    /// Number of support vectors of each class, by which they are sorted; all of them in one
    /// number without classes.
    pub class_sizes: Vec<usize>,
    /// What the decisions stand for.
    pub readout: Readout,
    /// How sure the function is of itself, where it was learnt by the squared loss from all of
    /// the support vectors.
    pub posterior: Option<Posterior>,
    /// How wrong it was on rows it had not seen, where that was measured.
    pub left_out: Option<LeftOut>,
    /// The training rows that support vectors stand for, where equal rows were merged and one
    /// stands for several; the function does not depend on it.
    pub copies: Option<Copies>,
    /// What is known of the decisions as principal components, where they are.
    pub components: Option<KernelComponents>,
    /// The factor behind the posterior, as long as the fit that made it is near.
    pub kept: KeptFactor,
}

impl KernelExpansion {
    /// A function whose decisions are about all support vectors at once: numbers, or novelty.
    pub fn new(
        kernel: ResolvedKernel,
        support: Records,
        coefficients: Matrix<f64>,
        biases: Vec<f64>,
        readout: Readout,
    ) -> Self {
        Self {
            kernel,
            class_sizes: vec![support.len()],
            support,
            coefficients,
            biases,
            origin: None,
            slopes: None,
            readout,
            posterior: None,
            left_out: None,
            copies: None,
            components: None,
            kept: KeptFactor::default(),
        }
    }

    /// The same with support vectors sorted by class.
    #[must_use]
    pub(crate) fn sorted_by_class(mut self, class_sizes: Vec<usize>) -> Self {
        self.class_sizes = class_sizes;
        self
    }

    /// The same with the training rows that support vectors stand for.
    #[must_use]
    pub(crate) fn with_copies(mut self, copies: Option<Copies>) -> Self {
        self.copies = copies;
        self
    }

    /// Returns how many decision values a row gets.
    pub fn decisions(&self) -> usize {
        self.biases.len()
    }

    /// Returns half the width of intervals that hold a new target with probability `level`;
    /// `None` for models without scores of held-out rows, and for classifiers.
    pub fn half_width(&self, level: f64) -> Option<f64> {
        self.left_out.as_ref()?.half_width(&self.readout, level)
    }

    /// Returns the classes that a row may belong to, so that the true one is among them with
    /// probability `level`; the predicted class always is.
    pub fn class_set(&self, decisions: &[f64], level: f64) -> Option<Vec<u32>> {
        let left_out = self.left_out.as_ref()?;
        left_out.class_set(&self.readout, decisions, level)
    }

    /// Returns the same with a promise for every class by itself; `None` for models that do not know the
    /// classes of held-out rows.
    pub fn conditional_set(&self, decisions: &[f64], level: f64) -> Option<Vec<u32>> {
        let left_out = self.left_out.as_ref()?;
        left_out.conditional_set(&self.readout, decisions, level)
    }

    /// Checks every rule that ties the fields together.
    ///
    /// # Errors
    /// [`Error::Model`] naming the broken rule.
    pub fn check(&self) -> Result<()> {
        let coefficients = &self.coefficients;
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
        self.readout.check(self.biases.len())?;
        if self.biases.iter().any(|b| !b.is_finite()) {
            return Err(Error::model("a constant is not finite"));
        }
        if let Some(slopes) = &self.slopes {
            let features = self.support.features.points.columns();
            if slopes.rows() != self.biases.len() || slopes.columns() != features {
                return Err(Error::model(format!(
                    "{} by {} slopes for {} decisions and {features} features",
                    slopes.rows(),
                    slopes.columns(),
                    self.biases.len()
                )));
            }
            if slopes.as_slice().iter().any(|s| !s.is_finite()) {
                return Err(Error::model("a slope is not finite"));
            }
        }
        self.check_origin()?;
        let classes = self.readout.classes();
        let sum = self
            .class_sizes
            .iter()
            .try_fold(0_usize, |s, c| s.checked_add(*c));
        if self.class_sizes.len() != classes.map_or(1, |c| c.labels.len()) || sum != Some(support) {
            return Err(Error::model(
                "the class sizes do not add up to the support vectors",
            ));
        }
        let rows = match classes {
            Some(classes) => classes.scheme.coefficient_rows(classes.labels.len()),
            None => self.biases.len(),
        };
        if coefficients.rows() != rows {
            return Err(Error::model(format!(
                "{} rows of coefficients; {rows} expected",
                coefficients.rows()
            )));
        }
        if let Some(copies) = &self.copies {
            copies.check(support, self.class_sizes.len().saturating_mul(rows))?;
        }
        if let Some(left_out) = &self.left_out {
            left_out.check()?;
        }
        if let Some(components) = &self.components {
            let features = self.support.features.points.columns();
            components.check(support, features, self.biases.len())?;
        }
        if let Some(posterior) = &self.posterior {
            posterior.check(support, self.decisions())?;
        }
        if self.support.features.points.first_not_finite().is_some() {
            return Err(Error::model("a support vector is not finite"));
        }
        Ok(())
    }
}
