//! How columns are encoded.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::TextEncoding;
use crate::{Error, Result};

/// How numbers are brought to a common size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scaling {
    /// Numbers stay as they are.
    None,
    /// Mean 0 and standard deviation 1 over the training rows.
    Standard,
    /// The training rows span a range. Sparse vectors are divided by their largest magnitude
    /// over that of the range, so that zeros stay zeros.
    MinMax {
        /// What the smallest training value becomes.
        low: f64,
        /// What the largest training value becomes.
        high: f64,
    },
}

/// Choices of an encoder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EncodeOptions {
    /// How numbers are scaled.
    pub scaling: Scaling,
    /// Fills missing values in; otherwise they are refused.
    pub impute: bool,
    /// Adds a feature that tells missing values from others, where training rows had any.
    pub indicators: bool,
    /// Leaves missing values missing and categories without features, for methods that read
    /// both as they are.
    pub keep: bool,
    /// Categories beyond which a categorical column raises an alert.
    pub max_levels: usize,
    /// What becomes of texts; `None` leaves them to string kernels.
    pub text: Option<TextEncoding>,
    /// What becomes of the texts of single columns.
    pub texts: BTreeMap<String, TextEncoding>,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        Self {
            scaling: Scaling::Standard,
            impute: true,
            indicators: true,
            keep: false,
            max_levels: 50,
            text: None,
            texts: BTreeMap::new(),
        }
    }
}

impl EncodeOptions {
    /// Columns as they are: numbers in their own units, categories by code, missing values
    /// missing.
    pub fn raw() -> Self {
        Self {
            scaling: Scaling::None,
            keep: true,
            ..Self::default()
        }
    }

    /// Sets how numbers are scaled.
    pub fn scaling(mut self, scaling: Scaling) -> Self {
        self.scaling = scaling;
        self
    }

    /// Sets whether missing values are filled in.
    pub fn impute(mut self, impute: bool) -> Self {
        self.impute = impute;
        self
    }

    /// Sets whether missing values get a feature of their own.
    pub fn indicators(mut self, indicators: bool) -> Self {
        self.indicators = indicators;
        self
    }

    /// Sets the number of categories beyond which a column raises an alert.
    pub fn max_levels(mut self, max_levels: usize) -> Self {
        self.max_levels = max_levels;
        self
    }

    /// Sets what becomes of texts.
    pub fn text(mut self, text: Option<TextEncoding>) -> Self {
        self.text = text;
        self
    }

    /// Sets what becomes of the texts of single columns.
    pub fn texts(mut self, texts: BTreeMap<String, TextEncoding>) -> Self {
        self.texts = texts;
        self
    }

    pub(super) fn check(&self) -> Result<()> {
        match self.scaling {
            Scaling::MinMax { low, high }
                if !(low.is_finite() && high.is_finite() && low < high) =>
            {
                Err(Error::setting(
                    "scaling",
                    format!("{low}..{high}"),
                    "a finite range whose low end is below its high end",
                ))
            }
            _ => Ok(()),
        }
    }
}
