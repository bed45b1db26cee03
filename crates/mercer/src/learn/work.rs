//! What fits take, in multiplications.
//!
//! Plans and agendas compare methods by these counts, so that no clock is read.

use crate::data::{Dataset, Targets};

/// Multiplications per pair of rows of a margin fit, beside the kernel itself, for numbers and
/// for classes: a number has two variables, and most of them move.
const PER_PAIR: [f64; 2] = [20.0, 5.0];
/// What learning with the choice takes, in units of a fit of the search on as many rows: its tolerance
/// is finer, and probabilities are five fits more. 40,000 rows of 14 columns take some 15 s.
pub(crate) const LAST_FITS: f64 = 25.0;
/// Seconds of the last fit of a support vector machine, of numbers and of classes, for every second that its
/// multiplications would take as matrix products: methods for numbers, which have no probabilities to fit, mostly
/// end long before all pairs were looked at.
const FIT_COST: [f64; 2] = [0.106, 1.0];

/// Multiplications per pair of rows of a margin fit.
pub(crate) fn per_pair(targets: &Targets) -> f64 {
    PER_PAIR[usize::from(matches!(targets, Targets::Classes(_)))]
}

/// Multiplications to learn from so many rows with the choice, probabilities and held-out scores
/// included.
pub(crate) fn learning_work(rows: usize, columns: usize, per_pair: f64) -> f64 {
    let n = rows as f64;
    n * n * (columns as f64 + LAST_FITS * per_pair)
}

/// Multiplications of a support vector machine on all rows of a data set.
pub(crate) fn margin_work(data: &Dataset) -> f64 {
    let columns = data.records.features.points.columns();
    let cost = FIT_COST[usize::from(matches!(data.targets, Targets::Classes(_)))];
    cost * learning_work(data.len(), columns, per_pair(&data.targets))
}

/// Multiplications of the squared loss on all rows, with leave-one-out residuals.
pub(crate) fn exact_work(rows: usize) -> f64 {
    (rows as f64).powi(3) / 3.0
}

/// Multiplications of a kernel matrix and so many factors of it.
pub(crate) fn matrix_work(data: &Dataset, factors: f64) -> f64 {
    let columns = data.records.features.points.columns() as f64;
    factors * exact_work(data.len()) + (data.len() as f64).powi(2) * columns
}
