//! The seam between the search and the ways to score a point.

use crate::Result;
use crate::fit::FitContext;
use crate::kernel::ResolvedKernel;
use crate::model::AnyEstimator;

/// Answers for the held-out rows of one fold, in their order.
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

/// What became of a machine on a fold.
#[derive(Debug, Clone, PartialEq)]
pub enum Held {
    /// Answers for the held-out rows.
    Answered(FoldAnswers),
    /// The fit took more than its share of the work, and was given up.
    Cut,
}

/// A way to score machines on folds.
pub trait Evaluator: Sync {
    /// Opens a kernel with the machines that use it.
    ///
    /// Machines that differ in C only stand next to each other, C ascending, so that each can
    /// start from the one before.
    ///
    /// # Errors
    /// Rows or settings the kernel cannot be used with.
    fn lane<'a>(
        &'a self,
        kernel: &ResolvedKernel,
        machines: Vec<AnyEstimator>,
    ) -> Result<Box<dyn Lane + 'a>>;
}

/// One kernel with its machines; folds are asked for one after the other.
pub trait Lane: Send {
    /// Learns outside a fold and answers for its rows, for every machine that is wanted.
    ///
    /// `None` stands for machines that were not wanted, or not reached before the time was up.
    ///
    /// # Errors
    /// Cancellation, and machines that cannot be fitted.
    fn fold(
        &mut self,
        fold: usize,
        wanted: &[bool],
        context: &FitContext,
    ) -> Result<Vec<Option<Held>>>;
}
