//! A model without a single setting.
//!
//! [`Automatic`] tries what can win on rows of this kind and number, compares the trials on the
//! same folds, and learns from all rows with the best:
//!
//! * the squared loss with the kernel of largest evidence ([`crate::select`]), whose left-out
//!   answers are in closed form;
//! * the margin machine on a Gauss kernel, and on the kernel of largest evidence where that is
//!   another, with price and width by cross-validation ([`crate::tune`]).
//!
//! What is tried depends on the numbers of rows and columns alone, never on a clock, so that
//! equal data get an equal answer (`plan`). The report lists the trials with their errors, and
//! says whether the difference between the first two is more than chance (`compare`).

mod compare;
mod left_out_loss;
mod machine;
mod margin;
mod plan;
mod squared;
mod trial;

pub use machine::Automatic;
pub use trial::Trial;
