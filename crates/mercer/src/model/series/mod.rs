//! Models of series: windows in, later values out.

mod forecast;
mod store;

pub use forecast::{Forecast, ForecastWay, Forecasting};

pub(super) use store::SeriesDocument;

use super::Form;
use crate::data::series::Windows;

/// What a model of a series keeps beside the function of its first step.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesModel {
    /// How rows become windows.
    pub windows: Windows,
    /// The functions of the steps beyond the first.
    pub later: Vec<Form>,
    /// For every step the errors y − f of windows by functions that were learnt from earlier ones
    /// only, in the order of time.
    pub residuals: Vec<Vec<f64>>,
}

impl SeriesModel {
    /// Returns the steps that have a function of their own.
    pub fn horizon(&self) -> usize {
        self.later.len() + 1
    }
}
