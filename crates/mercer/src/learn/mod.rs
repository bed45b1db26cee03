//! Learning methods, one folder per family.

mod canonical;
pub mod expansion;
pub mod margin;
pub mod risk;
pub mod squared;

pub(crate) use canonical::first_equals;

use crate::Result;
use crate::data::Dataset;
use crate::fit::{FitContext, Fitted};

/// The parameters of a learning method: the type you fit is the type you tune.
pub trait Estimator: Clone + std::fmt::Debug {
    /// What a fit returns.
    type Model;

    /// Learns from data.
    ///
    /// # Errors
    /// Every bad setting at once, rows that cannot be learnt from, budgets too small to
    /// start. A fit that stops early is not an error: the report says why it stopped.
    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Self::Model>>;
}
