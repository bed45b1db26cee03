//! Prediction intervals around numbers, and prediction sets.

use mercer_linalg::Par;

use super::Trained;
use super::WeightSpread;
use super::expansion::{Certainty, KernelExpansion};
use super::readout::{LeftOut, Readout, check_level};
use crate::data::Records;
use crate::hint::{Hint, Word};
use crate::special::normal_quantile;
use crate::{Error, Result};

/// A model prepared to say how far its predictions can be trusted.
///
/// Intervals and sets hold the truth with the probability asked for. Where the model knows how
/// wrong it was on rows it had not seen, they need no assumption about the noise
/// ([`crate::model::readout::LeftOut`]), and with a posterior their width follows the row; otherwise intervals are those of its own Gaussian
/// posterior, and those of linear least squares Student's.
#[derive(Debug)]
pub struct Bands<'a> {
    level: f64,
    source: Source<'a>,
    /// Whether sets keep their promise for every class by itself.
    per_class: bool,
}

/// What a model knows of its errors.
#[derive(Debug)]
enum Source<'a> {
    /// A posterior in the space of a kernel, or errors on held-out rows, or both.
    Kernel {
        model: &'a KernelExpansion,
        certainty: Option<Certainty>,
    },
    /// The spread of the weights of a linear function.
    Weights(&'a WeightSpread),
    /// Errors on held-out rows of a function of coordinates.
    LeftOut(&'a LeftOut, &'a Readout),
}

impl Trained {
    /// Prepares intervals or sets of a level between 0 and 1.
    ///
    /// # Errors
    /// A level outside (0, 1); a model that knows nothing of its own errors.
    pub fn bands(&self, level: f64, par: Par) -> Result<Bands<'_>> {
        check_level(level)?;
        let unknown = || Error::Unsupported {
            what: format!(
                "a `{}` model does not know how wrong it may be",
                self.method
            ),
            cure: Hint::from("fit with ")
                .word(Word::Models(&["auto"]))
                .then(", or ")
                .word(Word::Models(&["gp"]))
                .then(" for numbers"),
        };
        if let Some(spread) = self.form.linear().and_then(|m| m.spread.as_ref()) {
            if spread.noise.len() > 1 {
                return Err(Error::Unsupported {
                    what: "intervals are told of one number, not of several".to_owned(),
                    cure: "fit one model per target".into(),
                });
            }
            return Ok(Bands {
                level,
                source: Source::Weights(spread),
                per_class: false,
            });
        }
        if let Some(chain) = self.form.chain()
            && let Some(left_out) = &chain.left_out
        {
            return Ok(Bands {
                level,
                source: Source::LeftOut(left_out, self.form.readout()),
                per_class: false,
            });
        }
        let model = self.form.expansion().ok_or_else(unknown)?;
        let certainty = if self.labels().is_none() {
            model.certainty(par)?
        } else {
            None
        };
        if model.left_out.is_none() && certainty.is_none() {
            return Err(unknown());
        }
        Ok(Bands {
            level,
            source: Source::Kernel { model, certainty },
            per_class: false,
        })
    }
}

impl Bands<'_> {
    /// Makes prediction sets keep their promise for every class by itself.
    ///
    /// # Errors
    /// A model that predicts no classes, or does not know those of its held-out rows.
    pub fn per_class(mut self) -> Result<Self> {
        let is_known = match &self.source {
            Source::Kernel { model, .. } => {
                let left_out = model.left_out.as_ref();
                left_out.is_some_and(|left_out| left_out.classes().is_some())
            }
            Source::LeftOut(..) | Source::Weights(_) => false,
        };
        if !is_known {
            return Err(Error::Unsupported {
                what: "the model does not know how wrong it is about each class".to_owned(),
                cure: Hint::from("fit classes with ").word(Word::Models(&["auto"])),
            });
        }
        self.per_class = true;
        Ok(self)
    }

    /// Returns the probability that intervals and sets are to keep.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// Returns whether the model has a posterior to take standard deviations from.
    pub fn knows_spreads(&self) -> bool {
        match &self.source {
            Source::Kernel { certainty, .. } => certainty.is_some(),
            Source::Weights(_) => true,
            Source::LeftOut(..) => false,
        }
    }

    /// Returns the standard deviation of a new target for every record, noise included; `None`
    /// for models without a posterior.
    ///
    /// # Errors
    /// Records of another shape.
    pub fn spreads(&self, records: &Records, par: Par) -> Result<Option<Vec<f64>>> {
        let certainty = match &self.source {
            Source::Kernel { certainty, .. } => certainty,
            Source::Weights(spread) => {
                let variances = spread.unscaled_variances(records, par)?;
                let of = |v: f64| (spread.noise[0] * (v + 1.0)).sqrt();
                return Ok(Some(variances.into_iter().map(of).collect()));
            }
            Source::LeftOut(..) => return Ok(None),
        };
        let Some(certainty) = certainty else {
            return Ok(None);
        };
        let noise = certainty.noise_variances()[0];
        let variances = certainty.variances(records, par)?;
        let spread = |r: usize| (variances[(r, 0)] + noise).sqrt();
        Ok(Some((0..records.len()).map(spread).collect()))
    }

    /// Returns the interval around a predicted number.
    pub fn interval(&self, value: f64, spread: Option<f64>) -> (f64, f64) {
        let model = match &self.source {
            Source::Kernel { model, .. } => model,
            Source::Weights(weights) => {
                let half = weights.deviations(self.level) * spread.unwrap_or(f64::INFINITY);
                return (value - half, value + half);
            }
            Source::LeftOut(left_out, _) => {
                let half = left_out.bound(self.level);
                return (value - half, value + half);
            }
        };
        let deviations = model.left_out.as_ref();
        let deviations = deviations.and_then(|l| l.deviations(self.level));
        if let (Some(deviations), Some(spread)) = (deviations, spread) {
            let half = deviations * spread;
            return (value - half, value + half);
        }
        let half = match (model.half_width(self.level), spread) {
            (Some(half), _) => half,
            (None, Some(spread)) => normal_quantile(0.5 + self.level / 2.0) * spread,
            (None, None) => f64::INFINITY,
        };
        (value - half, value + half)
    }

    /// Returns the classes that a row may belong to, given its decisions.
    pub fn classes(&self, decisions: &[f64]) -> Vec<u32> {
        match &self.source {
            Source::Kernel { model, .. } => {
                let set = if self.per_class {
                    model.conditional_set(decisions, self.level)
                } else {
                    model.class_set(decisions, self.level)
                };
                set.unwrap_or_default()
            }
            Source::Weights(_) => Vec::new(),
            Source::LeftOut(left_out, readout) => {
                let found = left_out.class_set(readout, decisions, self.level);
                found.unwrap_or_default()
            }
        }
    }
}
