//! Records with their targets and weights.

use super::{Records, Targets};
use crate::{Error, Result};

/// Rows to learn from.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// What is known of each row.
    pub records: Records,
    /// What is to be predicted.
    pub targets: Targets,
    /// How many copies each row stands for; `None` means one each.
    pub weights: Option<Vec<f64>>,
}

impl Dataset {
    /// Joins records and targets.
    ///
    /// # Errors
    /// Lengths that differ.
    pub fn try_new(records: Records, targets: Targets) -> Result<Self> {
        if let Some(found) = targets.len()
            && found != records.len()
        {
            return Err(Error::Length {
                what: "the target".to_owned(),
                found,
                expected: records.len(),
                unit: "rows",
            });
        }
        Ok(Self {
            records,
            targets,
            weights: None,
        })
    }

    /// Adds row weights.
    ///
    /// # Errors
    /// A wrong length, and weights that are negative or not finite.
    pub fn with_weights(mut self, weights: Vec<f64>) -> Result<Self> {
        if weights.len() != self.records.len() {
            return Err(Error::Length {
                what: "the weight column".to_owned(),
                found: weights.len(),
                expected: self.records.len(),
                unit: "rows",
            });
        }
        if let Some(row) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
            return Err(Error::Rows {
                problem: format!("row {} has weight `{}`", row + 1, weights[row]),
                cure: "weights must be finite and not negative".into(),
            });
        }
        self.weights = Some(weights);
        Ok(self)
    }

    /// Returns the number of rows, weights counted as copies.
    pub(crate) fn total_weight(&self) -> f64 {
        match &self.weights {
            Some(weights) => weights.iter().sum(),
            None => self.len() as f64,
        }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the given rows, in that order.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        Self {
            records: self.records.select(rows),
            targets: self.targets.select(rows),
            weights: self
                .weights
                .as_ref()
                .map(|w| rows.iter().map(|&r| w[r]).collect()),
        }
    }
}
