//! How finely, and over how many rows, a dependence is traced.

use crate::{Error, Result};

/// How finely, and over how many rows, a dependence is traced.
#[derive(Debug, Clone, PartialEq)]
pub struct DependenceOptions {
    /// Values of a number that are tried; a column with fewer different ones is tried at those.
    pub resolution: usize,
    /// The quantiles of a number between which values are tried: beyond them rows are few.
    pub quantiles: [f64; 2],
    /// Rows whose own curves are kept, evenly spread over those that are averaged.
    pub curves: usize,
    /// Whether classes are told by decisions, where the model has probabilities too.
    pub decision: bool,
    /// How probable it is that a band holds the shape at a place.
    pub level: f64,
    /// Support vectors of a function whose band is asked for; more take a cubic time.
    pub band_rows: usize,
    /// Multiplications that all predictions together may take; `None` averages all rows.
    pub work: Option<f64>,
}

impl Default for DependenceOptions {
    fn default() -> Self {
        Self {
            resolution: 50,
            quantiles: [0.05, 0.95],
            curves: 0,
            decision: false,
            level: 0.95,
            band_rows: 3000,
            work: None,
        }
    }
}

impl DependenceOptions {
    /// Sets how many values of a number are tried.
    #[must_use]
    pub fn resolution(mut self, values: usize) -> Self {
        self.resolution = values;
        self
    }

    /// Sets the quantiles between which values are tried.
    #[must_use]
    pub fn quantiles(mut self, low: f64, high: f64) -> Self {
        self.quantiles = [low, high];
        self
    }

    /// Sets how many rows have a curve of their own.
    #[must_use]
    pub fn curves(mut self, rows: usize) -> Self {
        self.curves = rows;
        self
    }

    /// Sets whether classes are told by decisions.
    #[must_use]
    pub fn decision(mut self, decision: bool) -> Self {
        self.decision = decision;
        self
    }

    /// Sets how probable it is that a band holds the shape at a place.
    #[must_use]
    pub fn level(mut self, level: f64) -> Self {
        self.level = level;
        self
    }

    /// Sets up to how many support vectors a band is asked for.
    #[must_use]
    pub fn band_rows(mut self, rows: usize) -> Self {
        self.band_rows = rows;
        self
    }

    /// Sets the multiplications that predictions may take.
    #[must_use]
    pub fn work(mut self, multiplications: f64) -> Self {
        self.work = Some(multiplications);
        self
    }

    /// Refuses settings outside their range, all at once.
    pub(super) fn check(&self) -> Result<()> {
        let [low, high] = self.quantiles;
        let mut errors = Vec::new();
        if self.resolution < 2 {
            errors.push(Error::setting("resolution", self.resolution, "at least 2"));
        }
        if !(0.0 <= low && low < high && high <= 1.0) {
            errors.push(Error::setting(
                "quantiles",
                format!("{low}, {high}"),
                "two shares from 0 to 1, the smaller one first",
            ));
        }
        if !(0.0 < self.level && self.level < 1.0) {
            errors.push(Error::setting("level", self.level, "between 0 and 1"));
        }
        match errors.len() {
            0 => Ok(()),
            1 => Err(errors.remove(0)),
            _ => Err(Error::Settings { errors }),
        }
    }
}
