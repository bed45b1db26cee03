//! What decision values stand for: classes, numbers, or whether a row is unlike the rest.
//!
//! Every form of model that computes decision values, a kernel expansion or a linear function,
//! reads its predictions off them in the same way. A [`Readout`] holds that way.

mod conformal;
mod coupling;
mod decide;
mod differ;
mod sigmoid;
mod store;

pub use conformal::{LeftOut, check_level};
pub(crate) use sigmoid::Origin;
pub use sigmoid::Sigmoid;
pub(super) use store::ReadoutShape;

use serde::{Deserialize, Serialize};

use super::Answers;
use crate::data::Task;
use crate::{Error, Result};
use mercer_linalg::Matrix;

/// How several classes are told apart by two-class decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scheme {
    /// A decision per pair of classes; the class with most votes wins.
    #[default]
    OneVsOne,
    /// A decision per class against all others; the largest wins.
    OneVsRest,
    /// A decision per class, learnt together: probabilities are exp(f_k) / Σ exp(f), and the
    /// largest wins.
    Softmax,
}

impl Scheme {
    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::OneVsOne => "one_vs_one",
            Self::OneVsRest => "one_vs_rest",
            Self::Softmax => "softmax",
        }
    }

    /// Returns how many decisions tell `classes` classes apart.
    pub fn decisions(self, classes: usize) -> usize {
        match self {
            Self::OneVsOne => classes * classes.saturating_sub(1) / 2,
            Self::OneVsRest | Self::Softmax => classes,
        }
    }

    /// Returns how many coefficients a support vector has.
    pub(super) fn coefficient_rows(self, classes: usize) -> usize {
        match self {
            Self::OneVsOne => classes.saturating_sub(1),
            Self::OneVsRest | Self::Softmax => classes,
        }
    }

    /// The scheme of methods that tell two classes apart by one decision, and more of them one
    /// against the rest.
    pub(crate) fn one_or_rest(classes: usize) -> Self {
        if classes == 2 {
            Self::OneVsOne
        } else {
            Self::OneVsRest
        }
    }
}

/// Iterates over class pairs (a, b) with a < b, in the order of the decisions.
pub(crate) fn pairs(classes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..classes).flat_map(move |a| (a + 1..classes).map(move |b| (a, b)))
}

/// How decisions name a class.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassReadout {
    /// The labels; their order is the class code.
    pub labels: Vec<String>,
    /// How several classes are told apart.
    pub scheme: Scheme,
    /// Sigmoid of each decision, where the model gives probabilities in that way.
    pub sigmoids: Option<Vec<Sigmoid>>,
    /// Factor of each class on the weights of its rows, as far as probabilities leave it
    /// to the label: the prediction is the class of largest factor times probability. `None`
    /// means 1 each.
    pub factors: Option<Vec<f64>>,
}

/// What decision values stand for.
#[derive(Debug, Clone, PartialEq)]
pub enum Readout {
    /// Tells classes apart.
    Classes(ClassReadout),
    /// Every decision is a predicted number.
    Values,
    /// Negative decisions are unlike the training rows.
    Novelty,
    /// Decisions are distances; the least of them names a cluster.
    Clusters,
    /// Decisions are coordinates in fewer dimensions.
    Coordinates,
}

impl Readout {
    /// Tells classes apart, without probabilities or factors.
    pub(crate) fn of_classes(labels: &[String], scheme: Scheme) -> Self {
        Self::Classes(ClassReadout {
            labels: labels.to_vec(),
            scheme,
            sigmoids: None,
            factors: None,
        })
    }

    /// Returns how classes are told apart, where they are.
    pub fn classes(&self) -> Option<&ClassReadout> {
        match self {
            Self::Classes(classes) => Some(classes),
            Self::Values | Self::Novelty | Self::Clusters | Self::Coordinates => None,
        }
    }

    /// Returns how classes are told apart, to be changed.
    pub fn classes_mut(&mut self) -> Option<&mut ClassReadout> {
        match self {
            Self::Classes(classes) => Some(classes),
            Self::Values | Self::Novelty | Self::Clusters | Self::Coordinates => None,
        }
    }

    /// Returns the class labels, where there are any.
    pub fn labels(&self) -> Option<&[String]> {
        self.classes().map(|classes| classes.labels.as_slice())
    }

    /// Returns the task that predictions are for.
    pub fn task(&self) -> Task {
        match self {
            Self::Classes(_) => Task::Classify,
            Self::Values => Task::Regress,
            Self::Novelty => Task::Novelty,
            Self::Clusters => Task::Cluster,
            Self::Coordinates => Task::Embed,
        }
    }

    /// Returns whether predictions come with probabilities.
    pub fn has_probabilities(&self) -> bool {
        self.classes()
            .is_some_and(|c| c.sigmoids.is_some() || c.scheme == Scheme::Softmax)
    }

    /// Returns max(1, |a|) of every decision, a the slope of its sigmoid: by how much an error of
    /// the decision may grow.
    pub fn slopes(&self, decisions: usize) -> Vec<f64> {
        match self.classes().and_then(|c| c.sigmoids.as_ref()) {
            Some(sigmoids) => sigmoids.iter().map(|s| s.a.abs().max(1.0)).collect(),
            None => vec![1.0; decisions],
        }
    }

    /// Reads predictions off decisions, a row of them per record.
    pub fn answers(&self, decisions: &Matrix<f64>) -> Answers {
        let rows = 0..decisions.rows();
        match self {
            Self::Classes(classes) => {
                let probabilities: Option<Vec<Vec<f64>>> = rows
                    .clone()
                    .map(|r| classes.probabilities(decisions.row(r)))
                    .collect();
                let code = |r: usize| {
                    let known = probabilities.as_ref().map(|p| p[r].as_slice());
                    classes.class_given(decisions.row(r), known)
                };
                Answers::Classes {
                    labels: classes.labels.clone(),
                    codes: rows.map(code).collect(),
                    probabilities,
                }
            }
            Self::Values if decisions.columns() > 1 => Answers::Several(decisions.clone()),
            Self::Coordinates => Answers::Several(decisions.clone()),
            Self::Values => Answers::Values(rows.map(|r| decisions[(r, 0)]).collect()),
            Self::Novelty => Answers::Novelty {
                novel: rows.map(|r| decisions[(r, 0)] < 0.0).collect(),
            },
            Self::Clusters => Answers::Clusters {
                count: decisions.columns(),
                codes: rows.map(|r| first_least(decisions.row(r))).collect(),
            },
        }
    }

    /// Checks the rules that tie the fields to each other and to a number of decisions.
    pub(super) fn check(&self, decisions: usize) -> Result<()> {
        let expected = match self {
            Self::Classes(classes) => {
                classes.check()?;
                classes.scheme.decisions(classes.labels.len())
            }
            Self::Values | Self::Clusters | Self::Coordinates => decisions.max(1),
            Self::Novelty => 1,
        };
        if decisions == expected {
            return Ok(());
        }
        Err(Error::model(format!(
            "{decisions} constants for {expected} decisions"
        )))
    }
}

impl ClassReadout {
    fn check(&self) -> Result<()> {
        if self.labels.len() < 2 {
            return Err(Error::model("a classifier needs at least two labels"));
        }
        let distinct: std::collections::HashSet<&String> = self.labels.iter().collect();
        if distinct.len() != self.labels.len() {
            return Err(Error::model("a label occurs twice"));
        }
        let decisions = self.scheme.decisions(self.labels.len());
        if let Some(sigmoids) = &self.sigmoids {
            if self.scheme == Scheme::Softmax {
                return Err(Error::model("a softmax needs no sigmoids"));
            }
            if sigmoids.len() != decisions {
                return Err(Error::model(format!(
                    "{} sigmoids for {decisions} decisions",
                    sigmoids.len()
                )));
            }
            if !sigmoids.iter().all(|s| s.a.is_finite() && s.b.is_finite()) {
                return Err(Error::model("a sigmoid is not finite"));
            }
        }
        if let Some(factors) = &self.factors
            && (factors.len() != self.labels.len()
                || !factors.iter().all(|f| f.is_finite() && *f >= 0.0))
        {
            return Err(Error::model(
                "the class factors are not one number of at least 0 for every label",
            ));
        }
        Ok(())
    }
}

/// The place of the least value; of equal ones the first.
fn first_least(values: &[f64]) -> u32 {
    let mut best = 0;
    for (k, v) in values.iter().enumerate() {
        if *v < values[best] {
            best = k;
        }
    }
    best as u32
}
