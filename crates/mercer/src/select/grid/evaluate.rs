//! The seam between the search and the ways to score a point.

use crate::Result;
use crate::data::Dataset;
use crate::fit::FitContext;
use crate::kernel::ResolvedKernel;
use crate::learn::AnyEstimator;

/// Predictions of the held-out rows of one fold, in their order.
#[derive(Debug, Clone, PartialEq)]
pub enum FoldAnswers {
    /// A class per row.
    Classes {
        /// Codes into the labels of the data.
        codes: Vec<u32>,
        /// Of two classes, a number that is positive for the first.
        decisions: Option<Vec<f64>>,
    },
    /// A number per row.
    Values(Vec<f64>),
    /// A decision per row, negative for new ones.
    Novelty(Vec<f64>),
}

impl FoldAnswers {
    /// One class for all rows, where nothing else was there to learn from.
    pub(super) fn constant(class: u32, data: &Dataset, rows: &[usize]) -> Self {
        let labels = data.targets.classes().map_or(0, |c| c.labels.len());
        let decision = if class == 0 { 1.0 } else { -1.0 };
        Self::Classes {
            codes: vec![class; rows.len()],
            decisions: (labels == 2).then(|| vec![decision; rows.len()]),
        }
    }

    /// These predictions for every estimator that is wanted.
    pub(super) fn for_all(&self, wanted: &[bool]) -> Vec<Option<Held>> {
        let held = |wanted: &bool| wanted.then(|| Held::Answered(self.clone()));
        wanted.iter().map(held).collect()
    }
}

/// What became of an estimator on a fold.
#[derive(Debug, Clone, PartialEq)]
pub enum Held {
    /// Predictions of the held-out rows.
    Answered(FoldAnswers),
    /// The fit took more than its share of the work, and was given up.
    Cut,
}

/// A way to score estimators on folds.
pub trait Evaluator: Sync {
    /// Opens a kernel with the estimators that use it; `None` for those that have none.
    ///
    /// Estimators that differ in C only stand next to each other, C ascending, so that each can
    /// start from the one before.
    ///
    /// # Errors
    /// Rows or settings the kernel cannot be used with.
    fn kernel_group<'a>(
        &'a self,
        kernel: Option<&ResolvedKernel>,
        machines: Vec<AnyEstimator>,
    ) -> Result<Box<dyn KernelGroup + 'a>>;
}

/// One kernel with its estimators; folds are asked for one after the other.
pub trait KernelGroup: Send {
    /// Learns outside a fold and predicts its rows, for every estimator that is wanted.
    ///
    /// `None` stands for estimators that were not wanted, or not reached before the time was up.
    ///
    /// # Errors
    /// Cancellation, and estimators that cannot be fitted.
    fn fold(
        &mut self,
        fold: usize,
        wanted: &[bool],
        context: &FitContext,
    ) -> Result<Vec<Option<Held>>>;
}
