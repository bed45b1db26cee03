//! The rows nearest to a row.
//!
//! A search is asked for the k nearest rows or for all within a radius ([`Wanted`]); of rows at one
//! distance the first is the nearer. Every way to search finds the same rows and the same bits of
//! their distances, because the last word is always a plain sum over the columns in f64.
//!
//! | file | idea |
//! |---|---|
//! | `metric` | what a distance is, and the sum it is made of |
//! | `best` | the nearest rows so far |
//! | `tree` | a k-d tree with leaves of 32 rows |
//! | `screen` | all rows by matrix products in f32, and what they leave open by sums |
//! | `index` | numbers without gaps: which of the two is cheaper |
//! | `mixed` | numbers with gaps beside categories, column by column |
//! | `by_kernel` | the distance in the space of a kernel |
//! | `frame` | how rows become points: scales, whitening, weights of columns |
//! | `search` | from records to neighbours |

mod best;
mod by_kernel;
mod frame;
mod index;
mod metric;
mod mixed;
mod screen;
mod search;
#[cfg(test)]
mod tests;
mod tree;

pub use best::{Found, Wanted};
pub use frame::{Frame, Scaling};
pub use index::IndexChoice;
pub use metric::DistanceMetric;
pub(crate) use mixed::column_term;
pub use search::Searcher;
