//! Curves of a model's score: over the number of rows, and over the values of a setting; and the
//! scores of shuffled targets.
//!
//! Every fold is done whole before the next one is opened, so that a time limit leaves whole ones. Test rows
//! are predicted by models that have not seen them; training rows by those that have, which is what
//! tells a model that is too small from one that is too large.

mod learning;
mod permutation;
#[cfg(test)]
mod tests;
mod trace;
mod validation;

pub use learning::{LearningCurve, LearningPoint, Part, learning_curve};
pub use permutation::permutation_test;
pub use trace::{Spread, Tracing};
pub use validation::{ValidationCurve, ValidationPoint, validation_curve};
