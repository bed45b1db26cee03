//! Cross-validation: every row is predicted by a model that has not seen it.
//!
//! [`crate::data::folds`] deals the rows out, [`each`] is the one loop over the folds, and
//! [`predictions`] puts the predictions of all folds together, in the order of the rows.
//!
//! A training part may lack a class: all of its rows are held out, or the others weigh nothing.
//! The class is then left out of the part, with its factor among the class weights, and predictions
//! are in terms of all classes again ([`Fold`]). Where one class is left alone there is nothing
//! to learn: it is predicted for every row.

mod fold;
mod pool;

pub use fold::{Fold, Subsets, each};
pub use pool::{fold_predictions, predictions, predictions_at_once};
