//! A model without a single setting.
//!
//! [`Automatic`] tries what can win on rows of this kind and number, compares the trials on the
//! same folds, and learns from all rows with the best:
//!
//! * the squared loss with the kernel of largest evidence ([`crate::select::kernels`]), whose
//!   held-out predictions are in closed form;
//! * the support vector machine on a Gaussian (RBF) kernel, and on the kernel of largest evidence
//!   where that is another, with C and width by cross-validation ([`crate::select::grid`]).
//!
//! What is tried depends on the numbers of rows and columns alone, never on a clock, so that
//! equal data get an equal result (`plan`). The report lists the trials with their errors, and
//! says whether the difference between the first two is more than chance (`compare`). Of very many rows, trials see a
//! sample, and least squares on Nyström features learns from all (`large`). Another metric
//! than accuracy and the mean squared error may be named (`measure`).

mod agenda;
mod chosen;
mod compare;
mod large;
mod least_squares;
mod left_out_loss;
mod machine;
mod margin;
mod measure;
mod plan;
mod simple;
mod trial;
mod trials;

pub use agenda::learning_seconds;
pub use large::{Whole, landmarks_for};
pub use machine::Automatic;
pub use measure::METRICS_OF_TRIALS;
